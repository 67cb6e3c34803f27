"""Every sentence that is derived from the rules of a game, as the handbook says it, for tests to read.

`python -m tests.kit.derived_sentences SEED` draws two hundred of them over all games and house rules, for
somebody to read who did not write the code.
"""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path

from interpreter.playing.game import open_game
from rulesdsl.base.resources import data_dir, shipped_games
from rulesdsl.handbook import Book, Facts
from rulesdsl.language import syntax as sx
from rulesdsl.speaking.blocks import Item
from rulesdsl.speaking.inline import plain
from rulesdsl.speaking.say.rules import say_rule

# What no sentence may have, whatever the rulebook calls its things.
PATTERNS = {
    "two articles": re.compile(r"\b(?:the|a|an) (?:the|a|an)\b", re.IGNORECASE),
    "of of": re.compile(r"\bof of\b", re.IGNORECASE),
    "not not": re.compile(r"\bnot not\b", re.IGNORECASE),
    "is none": re.compile(r"\b(?:is|are) (?:not )?none\b", re.IGNORECASE),
    "an identifier": re.compile(r"\b[a-z]+_[a-z_]+\b"),
    "an before a consonant": re.compile(
        r"\ban (?!hour|honou?r|heir|SS|MP|X|8|11|18)[bcdfghjklmnpqrstvwxyz]\w*", re.IGNORECASE
    ),
    "a before a vowel": re.compile(r"\ba (?!one\b|uni|use|us\b|europ|once)[aeiou]\w*", re.IGNORECASE),
    "is is": re.compile(r"\b(?:is|are) (?:is|are)\b"),
    "a word twice": re.compile(r"\b(?!had\b|that\b|very\b)(\w{2,}) \1\b"),
    "a verb as a state": re.compile(
        r"\b(?:is|are) (?:not )?(?:counts|stops|goes|holds|binds|may|moves|means|needs|gives|takes|stays|"
        r"leaves|keeps|can|must|has|was)\b"
    ),
    "a condition as a thing": re.compile(
        r"\bthere (?:is|are) (?:no |some )?(?:is|are|not|the)\b", re.IGNORECASE
    ),
    "a value as a verdict": re.compile(r"\b(?:become|becomes) (?:yes|no)\b"),
    "a thing called by a preposition": re.compile(
        r"(?:’s|\bwhose|\bthe) (?:[a-z]+ )?(?:by|towards|without) (?:is|are|become|becomes|of)\b"
    ),
    "a verb before a noun": re.compile(r"\b(?:each|the|a|an|no|some) (?:is|has|are|may|can) [a-z]+"),
    "a verb cut short": re.compile(r"\b(?:ly|dy|ty)\b"),
    "a signature": re.compile(r"^[A-Z][a-z ]*\([a-z]+(?:, [a-z]+)+\)(?::| is)"),
    "nothing where words are wanted": re.compile(r"(?:  | ,|“”|\(\)|: \.)"),
}  # fmt: skip


def games_with_house() -> list[tuple[str, tuple[str, ...]]]:
    """Every shipped game as it is, and with each of its house rules."""
    found: list[tuple[str, tuple[str, ...]]] = []
    for name in shipped_games():
        found.append((name, ()))
        house = data_dir("games") / name / "house"
        found += [(name, (str(file),)) for file in sorted(house.glob("*.md"))]
    return found


@lru_cache(maxsize=64)
def sentences(
    name: str, house: tuple[str, ...] = (), amended_only: bool = False
) -> tuple[tuple[str, str], ...]:
    """(paragraph, sentence) of everything the second way to read says, or only of what house rules touch."""
    game = open_game(name, tuple(map(Path, house)))
    book = Book(game.source, game.program, Facts())
    spelled = book.names.lexicon.spelled
    settings = (sx.Reading, sx.Option, sx.Parameter)
    return tuple(
        (identity, spelled(plain(text)))
        for identity, paragraph in book.program.paragraphs.items()
        if not amended_only or identity in book.relations.amended_by
        for node in paragraph.rules
        if not isinstance(node, settings)
        for text in _texts(say_rule(book.speaker, node))
    )


def _texts(item: Item) -> Iterator[str]:
    yield item.text
    for inside in item.inside:
        yield from _texts(inside)


def faults(text: str) -> list[str]:
    """The patterns a sentence has; names in quotation marks are the author's."""
    own = re.sub(r"“[^”]*”", "“x”", text)
    return [name for name, pattern in PATTERNS.items() if pattern.search(own)]


# ---- spelling ------------------------------------------------------------------------------------------
_WORD = re.compile(r"[^\W\d_]+")
_BLOCKS = re.compile(r"```(?:rules|example).*?```", re.DOTALL)
SPELLING = Path(__file__).parent.parent / "testdata" / "spelling" / "english.txt"


@cache
def english() -> frozenset[str]:
    """Words that were read by somebody and found to be English; one may say them in any game."""
    lines = SPELLING.read_text("utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())


@cache
def words_of_rulebook(name: str, house: tuple[str, ...] = ()) -> frozenset[str]:
    """What the prose and the names of a game are written with."""
    game = open_game(name, tuple(map(Path, house)))
    texts = [_BLOCKS.sub(" ", chapter.file.text) for chapter in game.source.chapters]
    texts += [_BLOCKS.sub(" ", Path(file).read_text("utf-8")) for file in house]
    for things in game.program.world.universes.values():
        texts += things.names
    texts += [table.title for table in game.program.tables.values()]
    return frozenset(word.lower() for text in texts for word in _WORD.findall(text))


def misspelt(name: str, text: str, house: tuple[str, ...] = ()) -> list[str]:
    """Words of a sentence that neither its rulebook nor the list knows."""
    known = words_of_rulebook(name, house)
    return [w for w in _WORD.findall(text) if w.lower() not in known and w.lower() not in english()]


def drawn(seed: int, count: int = 200) -> list[tuple[str, str, str]]:
    """(game, paragraph, sentence), at random over all shipped games and house rules."""
    found: list[tuple[str, str, str]] = []
    for name, house in games_with_house():
        printed = {text for _, text in sentences(name)} if house else set()
        called = f"{name} with {Path(house[0]).name}" if house else name
        made = sentences(name, house, amended_only=bool(house))
        found += [(called, paragraph, text) for paragraph, text in made if text not in printed]
    return random.Random(seed).sample(found, count)


if __name__ == "__main__":
    for number, (called, rule, text) in enumerate(drawn(int(sys.argv[1])), 1):
        print(f"{number:>3} [{called} {rule}] {text}")
