"""A whole game from a seed: the same seed and size give the same files, byte by byte."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from random import Random

from tests.fuzzing.amending import house_rules
from tests.fuzzing.book import Book, Paragraph
from tests.fuzzing.sheets import write_data
from tests.fuzzing.showing import make_examples
from tests.fuzzing.statements import make_rules
from tests.fuzzing.world import make_world

NAME = "generated"


@dataclass(frozen=True)
class Generated:
    """The files of a game and of its house rules, by their paths inside its directory."""

    seed: int
    size: int
    disciplined: bool
    files: dict[str, str]
    house: dict[str, str]

    def write(self, directory: Path) -> Path:
        """Make the directory of the game below `directory`."""
        game = directory / NAME
        for path, text in (*self.files.items(), *self.house.items()):
            target = game / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
        return game


def game_of(seed: int, size: int = 2) -> Generated:
    """The game with this number; a larger `size` has more of everything."""
    luck = Random(f"{seed} of size {size}")
    book = Book(luck, size, disciplined=luck.random() < 0.5)
    make_world(book)
    make_rules(book)
    write_data(book, NAME)
    make_examples(book)
    house = house_rules(book)
    return Generated(seed, size, book.disciplined, {**book.files, **_chapters(book)}, house)


def _chapters(book: Book) -> dict[str, str]:
    """The paragraphs in chapters by the first part of their numbers; what stands where decides nothing."""
    chapters: dict[str, list[Paragraph]] = {}
    for paragraph in book.paragraphs:
        chapters.setdefault(paragraph.number.split(".")[0], []).append(paragraph)
    files: dict[str, str] = {}
    for number, paragraphs in chapters.items():
        text = f"# Chapter {number}\n"
        for paragraph in paragraphs:
            text += _paragraph(paragraph)
        files[f"rules/{int(number):02}.md"] = text
    return files


def _paragraph(paragraph: Paragraph) -> str:
    level = "##" if "." not in paragraph.number else "###"
    blocks = "".join(f"\n```rules\n{statement}\n```\n" for statement in paragraph.statements)
    examples = "".join(f"\n```example\n{example}\n```\n" for example in paragraph.examples)
    return f"\n{level} {paragraph.number} {paragraph.title}\nSome words.\n{blocks}{examples}"
