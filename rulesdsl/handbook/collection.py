"""One site of many games: a page in front of their handbooks, for any web host."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rulesdsl.book.loader import GameSource
from rulesdsl.handbook.chrome import Chrome
from rulesdsl.speaking.english import listed
from rulesdsl.speaking.inline import escape, said

_STYLE = Path(__file__).parent / "assets" / "handbook.css"


@dataclass(frozen=True, slots=True)
class Shelf:
    """One game of a collection, as its card tells it."""

    folder: str
    title: str
    summary: str
    players: tuple[str, ...]
    numbers: tuple[tuple[int, str], ...]  # how many of what

    @classmethod
    def of(cls, folder: str, source: GameSource) -> Shelf:
        game = source.game
        paragraphs = sum(len(chapter.paragraphs) for chapter in source.chapters)
        numbers = (
            (paragraphs, "paragraphs"), (len(source.tables), "tables"), (len(source.pieces), "counters"),
            (len(source.scenarios), "scenarios"),
        )  # fmt: skip
        players = tuple(said(player.name) for player in game.players)
        return cls(folder, said(game.title), said(game.summary or ""), players, numbers)


def collection_files(shelf: Sequence[Shelf], language: str = "en") -> dict[str, str]:
    """The front page and its style."""
    words = Chrome(language)
    cards = "\n".join(_card(one, words) for one in shelf)
    title = escape(words("Rulebooks"))
    lead = escape(words("Every handbook is made from the rules that are played: it cannot be out of date."))
    page = f"""<!DOCTYPE html>
<html lang="{words.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<link rel="stylesheet" href="handbook.css">
</head>
<body class="collection">
<main id="main">
<h1>{title}</h1>
<p class="lead">{lead}</p>
<ul class="shelf">
{cards}
</ul>
</main>
</body>
</html>
"""
    return {"index.html": page, "handbook.css": _STYLE.read_text("utf-8")}


def _card(one: Shelf, words: Chrome) -> str:
    numbers = " · ".join(f"{count} {words(what)}" for count, what in one.numbers if count)
    players = listed([escape(name) for name in one.players], words("and"))
    return (
        f'<li><h2><a href="{one.folder}/index.html">{escape(one.title)}</a></h2>'
        f"<p>{escape(one.summary)}</p>"
        f'<p class="note">{escape(words("Players"))}: {players}. {escape(numbers)}</p>'
        f'<p><a href="{one.folder}/aid.html">{escape(words("Player aid"))}</a></p></li>'
    )
