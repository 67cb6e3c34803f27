"""What house rules change, in words: for a terminal, and as a sheet of one page to print.

It is the page “House rules” of the handbook, sentence by sentence; struck out is what was printed.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rulesdsl.handbook.book import Book
from rulesdsl.handbook.chrome import Chrome
from rulesdsl.handbook.pages.change_sheet import change_sheet
from rulesdsl.handbook.writers.html import HtmlWriter
from rulesdsl.speaking.blocks import Block, Code, Fold, Heading, Item, Items, Text
from rulesdsl.speaking.inline import Form, Spell, escape, rendered

_STYLE = Path(__file__).parent / "sheets" / "amendments.css"
_STRIKE, _BOLD, _GREEN, _RED, _PLAIN = "\x1b[9m", "\x1b[1m", "\x1b[32m", "\x1b[31m", "\x1b[0m"
_COLOURED = {
    "strong": (_BOLD, _PLAIN), "em": ("", ""), "code": ("", ""), "ins": (_GREEN, _PLAIN),
    "del": (_RED + _STRIKE, _PLAIN),
}  # fmt: skip
_SIGNS = {"strong": ("", ""), "em": ("", ""), "code": ("", ""), "ins": ("{+", "+}"), "del": ("[-", "-]")}


def changes_in_words(book: Book, coloured: bool) -> str:
    """For a terminal: struck and green where there are colours, `[-…-]` and `{+…+}` where there are none."""
    marks = _COLOURED if coloured else _SIGNS
    spell = book.names.lexicon.spelled
    lines: list[str] = []
    for block in change_sheet(book):
        lines += _lines(block, marks, spell)
    return "\n".join(lines)


def _lines(block: Block, marks: dict[str, tuple[str, str]], spell: Spell) -> Iterator[str]:
    match block:
        case Heading(text=text):
            yield ""
            yield _shown(f"{text}", marks, spell)
        case Items(items=items):
            yield from _items(items, 1, marks, spell)
        case Text(text=text):
            yield ""
            yield _shown(text, marks, spell)
        case Fold() | Code():
            pass  # the code is for `rulesdsl diff --code`
        case _:
            pass


def _items(
    items: tuple[Item, ...], depth: int, marks: dict[str, tuple[str, str]], spell: Spell
) -> Iterator[str]:
    for item in items:
        yield f"{'  ' * depth}{_shown(item.text, marks, spell)}"
        yield from _items(item.inside, depth + 1, marks, spell)


def _shown(text: str, marks: dict[str, tuple[str, str]], spell: Spell) -> str:
    return rendered(spell(text), Form(str, lambda _, words: words, marks))


def amendment_sheet(book: Book) -> str:
    """One page of HTML to print and to lay beside the rulebook."""
    words = Chrome(book.language)
    writer = HtmlWriter(lambda target: None, book.names.lexicon.spelled)
    blocks = [block for block in change_sheet(book) if not isinstance(block, Fold)]
    game, called = escape(book.source.game.title), escape(words("House rules"))
    return (
        f'<!DOCTYPE html>\n<html lang="{book.language}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{game} · {called}</title>\n<style>\n{_STYLE.read_text('utf-8')}</style>\n</head>\n<body>\n"
        f"<h1>{game} <small>{called}</small></h1>\n{writer.blocks(blocks)}\n</body>\n</html>\n"
    )
