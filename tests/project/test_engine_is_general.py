"""The engine knows no game: no Python among the games, no game's words in the engine.

Words are the ids of games, players, spaces and pieces in the YAML files of `games/`; of the tutorial and
the classics, whose ids are ordinary English (black, north, deck), only the names of
the games. Comments and docstrings may name a game as an example.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from rulesdsl.base.resources import GAME_FILE

ROOT = Path(__file__).parents[2]
ENGINE = sorted([*(ROOT / "rulesdsl").rglob("*.py"), *(ROOT / "interpreter").rglob("*.py")])
EVERYDAY = {"tutorial", "classics"}
ALL = sorted(path.parent for path in (ROOT / "games").rglob(GAME_FILE))
GAMES = [game for game in ALL if EVERYDAY.isdisjoint(game.parts)]
NAMES = {game.name for game in ALL if len(game.name) > 3}  # hex is a word of any map
SHORTEST = 4  # shorter ids (a1, g17) are words of any program
Quick = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the files are valid, only their ids are wanted

# Ids that are also ordinary English, each with the reason why the engine may say the word.
ORDINARY = {
    "axis": "a player of a game, and a side of any table",
    "eliminated": "a box of the map, and a word of the language",
    "reinforcements": "a box of the map, and a word of the language's examples",
    "removed": "a box of the map, and what happens to any piece",
}


def test_no_python_among_games_and_grammar() -> None:
    found = [path for place in ("games", "grammar") for path in (ROOT / place).rglob("*.py*")]
    assert found == []


def test_the_engine_names_nothing_of_a_game() -> None:
    words = (NAMES | set().union(*map(words_of_game, GAMES))) - set(ORDINARY)
    named = {
        (str(path.relative_to(ROOT)), *use) for path in ENGINE for use in uses(path.read_text("utf-8"), words)
    }
    assert sorted(named) == []


def test_the_words_of_a_game_are_really_collected() -> None:
    if not GAMES:
        pytest.skip("no game is there yet")
    for game in GAMES:
        found = words_of_game(game)
        assert game.name in found
        assert len(found) > 10, f"{game.name} seems to have no players, spaces and pieces"
    assert set(ORDINARY) <= set().union(*map(words_of_game, GAMES)), "an exception that nothing needs"


SEEN = [
    ("x = 'kustrin'", [(1, "kustrin")]),
    ("def f():\n    return kustrin", [(2, "kustrin")]),
    ("x = f'in {a} of kustrin'", [(1, "kustrin")]),
    ("kustrin.at()", [(1, "kustrin")]),
    ("def f(kustrin): pass", [(1, "kustrin")]),
    ("import kustrin", [(1, "kustrin")]),
    ("def move_kustrin(): pass", [(1, "kustrin")]),
    ('"""kustrin in a docstring"""', []),
    ("def f():\n    '''kustrin'''", []),
    ("x = 1  # kustrin", []),
    ("x = 'kustriner'", []),
]


@pytest.mark.parametrize(("code", "expected"), SEEN)
def test_a_word_is_seen_in_code_and_not_in_comments(code: str, expected: list[tuple[int, str]]) -> None:
    assert list(uses(code, {"kustrin"})) == expected


@cache
def words_of_game(game: Path) -> set[str]:
    """The ids of one game that are long enough to be telling."""
    found = {game.name}
    for path in sorted(game.rglob("*.yaml")):
        value: Any = yaml.load(path.read_text(encoding="utf-8"), Loader=Quick)
        lists = [value.get("players")] if path.name == GAME_FILE else []
        for part in ("spaces", "pieces"):
            lists += list((value.get(part) or {}).values())
        found |= {str(entry["id"]).replace("{n}", "") for entries in lists if entries for entry in entries}
    return {word for word in found if len(word) >= SHORTEST and re.search("[a-z]", word)}


def uses(code: str, words: set[str]) -> Iterator[tuple[int, str]]:
    """Each line and word of `words` in names and texts of the code, docstrings left out."""
    tree = ast.parse(code)
    docstrings = {id(node.body[0].value) for node in ast.walk(tree) if _has_docstring(node)}  # type: ignore[attr-defined]
    seen: set[tuple[int, str]] = set()
    for node in ast.walk(tree):
        if id(node) in docstrings:
            continue
        for text in _texts(node):
            # `_` joins words in names (move_kustrin), but an id with `_` in it is one word, too.
            parts = set(re.findall(r"[a-z0-9]+", text)) | set(re.findall(r"[a-z0-9_]+", text))
            seen |= {(getattr(node, "lineno", 1), word) for word in parts & words}
    yield from sorted(seen)


def _has_docstring(node: ast.AST) -> bool:
    holder = isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
    return holder and ast.get_docstring(node, clean=False) is not None  # type: ignore[arg-type]


def _texts(node: ast.AST) -> list[str]:
    match node:
        case ast.Constant(value=str(text)):
            return [text.lower()]
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name) | ast.keyword(arg=str(name)):
            return [name.lower()]
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return [name.lower()]
        case ast.alias(name=name, asname=other):
            return [name.lower(), (other or "").lower()]
        case _:
            return []
