"""Rulebooks that nobody wrote, in the machine and under the sanitizers: words of the rules of small games are
exchanged for others of their kind, and what still checks clean is built and played, in Python, too.

The text a mutant becomes is built without optimising: ten thousand of them are a matter of hours, not days.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random

from interpreter.native.compilers import NotNative
from interpreter.native.games import NativeGames
from interpreter.playing.game import Game, open_game
from rulesdsl.base.diagnostics import RulebookError
from rulesdsl.base.resources import find_game, shipped_games
from tests.promises import Outcome
from tests.promises.native import GIVEN_BACK, difference, sanitized

GAMES = 2  # of each mutant, beside Python; and as many at once that nobody looks at
AT_ONCE = 100  # mutants in one process: libraries stay loaded until it ends
TRIES = 60  # texts before a mutant that checks clean is given up
_RULES = re.compile(r"```rules\n(.*?)```", re.DOTALL)
_WORDS = re.compile(r'"[^"\n]*"|\b\d+\b|[A-Za-z_]+|<=|>=|[<>=+*-]')
# words of one kind: each may stand where another stands
_KINDS = (
    ("some", "no"), ("and", "or"), ("<", "<=", ">", ">=", "="), ("+", "-", "*"), ("is", "is not"),
    ("where", "where not"), ("least", "greatest"), ("add", "subtract"), ("mark", "unmark"), ("1d6", "2d6"),
)  # fmt: skip
_KIND_OF = {word: kind for kind in _KINDS for word in kind}


def mutant(text: str, luck: Random) -> str:
    """A chapter with one to three words of its rules exchanged, or a line of them lost."""
    for _ in range(luck.choice((1, 1, 2, 3))):
        places = [
            (block.start(1) + found.start(), block.start(1) + found.end())
            for block in _RULES.finditer(text)
            for found in _WORDS.finditer(block[1])
            if not found[0].startswith('"')
        ]
        likely = [(a, b) for a, b in places if text[a:b].isdigit() or text[a:b] in _KIND_OF]
        if not places:
            return text  # most texts with another name do not check clean: that is tried now and then
        start, end = luck.choice(likely if likely and luck.random() < 0.9 else places)
        text = text[:start] + _other(text, text[start:end], luck) + text[end:]
    return text


def _other(text: str, word: str, luck: Random) -> str:
    if word.isdigit():
        return str(luck.choice((0, 1, 2, int(word) + 1, max(0, int(word) - 1), 7, 63, 64, 65, 10**6, 10**18)))
    if word in _KIND_OF:
        return luck.choice(_KIND_OF[word])
    names: list[str] = [found for block in _RULES.findall(text) for found in re.findall(r"[a-z_]{3,}", block)]
    return luck.choice(names)


def clean_mutant(number: int, place: Path) -> Game | None:
    """The mutant of this number: the first text that checks clean."""
    luck = Random(f"mutant {number}")
    name = luck.choice([name for name in shipped_games() if "/" in name])  # tutorial and classics: small
    place = place / Path(find_game(name)).name  # a game is called like its directory
    shutil.copytree(find_game(name), place, ignore=shutil.ignore_patterns("house", "__pycache__"))
    chapters = sorted((place / "rules").glob("*.md"))
    for _ in range(TRIES):
        chapter = luck.choice(chapters)
        printed = chapter.read_text(encoding="utf-8")
        changed = mutant(printed, luck)
        if changed == printed:
            continue
        chapter.write_text(changed, encoding="utf-8")
        try:
            return open_game(place)
        except RulebookError:
            chapter.write_text(printed, encoding="utf-8")
    return None


def mutants_from(first: int) -> Callable[[int, tuple[str, ...]], Outcome]:
    """Mutants by number from the first on, built with flags, beside Python."""

    def mutants(count: int, flags: tuple[str, ...] = ()) -> Outcome:
        outcome = Outcome()
        given_back = 0
        for number in range(first, first + count):
            with tempfile.TemporaryDirectory() as room:
                game = clean_mutant(number, Path(room))
            if game is None:
                continue
            outcome.done += 1
            scenario = game.scenario()
            try:
                games = NativeGames.of(game.ruleset({}, scenario), (*flags, "-O0"))
            except NotNative:  # it says why, and Python plays
                given_back += 1
                continue
            luck = Random(number)
            for seed in range(GAMES):
                what = difference(games, scenario, seed, luck)
                given_back += what.startswith(GIVEN_BACK)
                if what and not what.startswith(GIVEN_BACK):
                    outcome.failure(f"mutant {number}: {what}")
            if games.fits(scenario):
                games.many(GAMES, number, scenario)
        outcome.note = f"{given_back} games left to Python"
        return outcome

    return mutants


def sanitized_mutants(count: int) -> Outcome:
    """So many mutants that check clean, under the address and undefined-behaviour sanitizers."""
    outcome = Outcome()
    for first in range(0, count, AT_ONCE):
        part = sanitized(min(AT_ONCE, count - first), f"native_mutants.mutants_from({first})")
        outcome.done += part.done
        outcome.note = part.note
        for example in part.examples:
            outcome.failure(example)
    return outcome
