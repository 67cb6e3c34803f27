"""The aid as one HTML file without anything beside it, to be looked at or printed on two pages."""

from __future__ import annotations

from pathlib import Path

from rulesdsl.aid.sections import Aid
from rulesdsl.handbook.chrome import Chrome
from rulesdsl.handbook.writers.html import HtmlWriter
from rulesdsl.speaking.blocks import Block, Heading, Page, Text
from rulesdsl.speaking.inline import Spell, escape

_STYLE = Path(__file__).parent / "sheet.css"


def aid_html(aid: Aid, spell: Spell) -> str:
    """A complete document; paragraphs are numbers, for the book that lies beside it."""
    writer = HtmlWriter(lambda target: None, spell)
    words = Chrome(aid.language)
    parts = "\n".join(
        f'<section class="{"wide" if section.wide else "part"}"><h2>{writer.text(section.title)}</h2>'
        f"{writer.blocks(section.blocks)}</section>"
        for section in aid.sections
    )
    notes = "".join(f'<p class="note">{escape(note)}</p>' for note in aid.notes)
    title = f"{escape(aid.title)} · {escape(words('player aid'))}"
    return (
        f'<!DOCTYPE html>\n<html lang="{aid.language}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>\n{_STYLE.read_text('utf-8')}</style>\n</head>\n<body>\n"
        f"<header><h1>{escape(aid.title)} <small>{escape(words('player aid'))}</small></h1>{notes}</header>\n"
        f"<main>\n{parts}\n</main>\n</body>\n</html>\n"
    )


def aid_page(aid: Aid) -> Page:
    """The aid as a page of a handbook, where every number leads to its paragraph."""
    words = Chrome(aid.language)
    blocks: list[Block] = [Text(note, "note") for note in aid.notes]
    for section in aid.sections:
        blocks += [Heading(section.title, 2), *section.blocks]
    return Page("aid", words("Player aid"), "Reference", tuple(blocks))
