"""A report as a PDF, set by typst (extra `pdf`): the blocks of the page, the wide figures, every number."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, assert_never

from interpreter.studies.contents import (
    Block,
    Commands,
    Grid,
    Heading,
    Paragraph,
    Picture,
    Sentences,
    contents,
    subtitle,
)
from interpreter.studies.figures import draw
from interpreter.studies.findings import Findings
from rulesdsl.base.writing import write_file

WIDTH = 760
MOST_ROWS = 60  # of a table: all of them are on the page

HEAD = """#set page(paper: "a4", margin: (x: 22mm, y: 20mm), numbering: "1")
#set text(font: ("Source Sans 3", "Liberation Sans", "DejaVu Sans", "Libertinus Serif"), size: 10.5pt)
#set text(lang: "en")
#set par(leading: 0.65em)
#show heading.where(level: 1): set text(size: 21pt)
#show heading.where(level: 2): it => block(above: 1.6em, below: 0.7em, text(size: 14pt, it.body))
#let marked(colour, what) = block(inset: (left: 9pt), stroke: (left: 2pt + rgb(colour)), below: 9pt, what)
#let found(who, what) = marked("#14507a")[*#who* #linebreak() #what]
#let said(what) = marked("#d9dde3")[#what]
"""


def missing_typst() -> str:
    """Why no PDF can be made; nothing when it can."""
    return "" if find_spec("typst") is not None else "it needs the extra pdf: pip install 'rulesdsl[pdf]'"


def write_paper(found: Findings, path: Path) -> None:
    typst: Any = import_module("typst")
    with TemporaryDirectory() as place:
        folder = Path(place)
        source = _text(found, folder)
        (folder / "report.typ").write_text(source, encoding="utf-8")
        content = typst.compile(str(folder / "report.typ"))
    write_file(path, content)


def _text(found: Findings, folder: Path) -> str:
    parts = [HEAD, f"= {_safe(found.study.title)}"]
    if found.study.question:
        parts.append(f"#text(size: 13pt)[{_safe(found.study.question)}]")
    parts.append(f'#text(fill: rgb("#5b6472"))[{_safe(subtitle(found))}]')
    for number, block in enumerate(contents(found)):
        parts.append(_block(block, number, folder))
    return "\n\n".join(parts)


def _block(block: Block, number: int, folder: Path) -> str:
    match block:
        case Heading(text=text):
            return f"== {_safe(text)}"
        case Paragraph(text=text):
            return _safe(text)
        case Sentences(lines=lines, strong=strong):
            return "\n".join(_sentence(line, strong) for line in lines)
        case Picture(caption=caption, figure=figure):
            name = f"figure{number}.svg"
            (folder / name).write_text(draw(figure, WIDTH), encoding="utf-8")
            return f'#block(breakable: false)[*{_safe(caption)}* \\\n#image("{name}", width: 100%)]'
        case Grid(title=title, head=head, rows=rows):
            return _table(title, head, rows)
        case Commands(lines=lines):
            return _plain("\n".join(lines))
        case _:
            assert_never(block)


def _sentence(line: str, strong: bool) -> str:
    who, colon, what = line.partition(": ")
    if strong and colon:
        return f"#found[{_safe(who)}][{_safe(what[:1].upper() + what[1:])}]"
    return f"#said[{_safe(line)}]"


def _table(title: str, head: tuple[str, ...], rows: tuple[tuple[str, ...], ...]) -> str:
    if head == ("",):
        return f"*{_safe(title)}*\n\n" + _plain("\n".join(row[0] for row in rows))
    shown = rows[:MOST_ROWS]
    cells = ", ".join(f"[{_safe(cell)}]" for row in shown for cell in row)
    top = ", ".join(f"[*{_safe(cell)}*]" for cell in head)
    more = f"\n\n… and {len(rows) - len(shown)} more, on the page" if len(rows) > len(shown) else ""
    return (
        f"#block(above: 1.1em)[#text(size: 9pt)[*{_safe(title)}*]]\n"
        f"#text(size: 8.5pt)[#table(columns: {len(head)}, inset: 3.5pt, stroke: (x: none, y: 0.4pt + "
        "luma(215)), "
        f"table.header({top}), {cells})]{more}"
    )


def _plain(text: str) -> str:
    quoted = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'#block(fill: luma(246), inset: 7pt, width: 100%)[#text(size: 8pt)[#raw("{quoted}")]]'


def _safe(text: str) -> str:
    """Text as text, whatever signs are in it."""
    quoted = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
    return f'#"{quoted}"' if text else ""
