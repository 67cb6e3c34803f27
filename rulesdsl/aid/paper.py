"""The aid on paper: two A4 pages, set as large as they allow."""

from __future__ import annotations

from pathlib import Path

from rulesdsl.aid.sections import Aid, Section
from rulesdsl.handbook.chrome import Chrome
from rulesdsl.speaking.inline import Spell
from rulesdsl.typesetting.marks import quoted
from rulesdsl.typesetting.printing_press import Document, pages_of_pdf, typeset
from rulesdsl.typesetting.writer import TypstWriter

PAGES = 2
_SIZES = (8.6, 8.2, 7.8, 7.4, 7.0, 6.6, 6.2, 5.8, 5.4)  # points, the largest that fits is taken
_STYLE = Path(__file__).parent / "sheet.typ"


def aid_pdf(aid: Aid, spell: Spell) -> tuple[bytes, tuple[str, ...]]:
    """The sheet, and the titles of what two pages have no room for: the last parts go first."""
    sections = list(aid.sections)
    left_out: list[str] = []
    while True:
        for size in _SIZES:
            pdf = typeset(_document(aid, sections, size, spell))
            if pages_of_pdf(pdf) <= PAGES:
                return pdf, tuple(left_out)
        left_out.append(sections.pop().title)


def _document(aid: Aid, sections: list[Section], size: float, spell: Spell) -> Document:
    words = Chrome(aid.language)
    writer = TypstWriter(lambda target: False, spell)
    style = _STYLE.read_text("utf-8").replace("SIZE", f"{size}pt").replace("COLUMNS", "3")
    called = words("player aid")
    head = f"#let foot-words = {quoted(f'{aid.title} · {called}')}\n#let aid-words = {quoted(called)}\n"
    style = style.replace("LANGUAGE", quoted(aid.language))
    shown = ", ".join(quoted(note) for note in aid.notes)
    body = [f"#masthead({quoted(aid.title)}, ({shown}{',' if shown else ''}))"]
    for section in sections:
        name = "wide-part" if section.wide else "part"
        body.append(f"#{name}([{writer.text(section.title)}], [{writer.blocks(section.blocks)}])")
    return Document("\n\n".join((head + style, *body)), writer.drawings)
