"""The kinds of data files, and what reads each of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest

from rulesdsl.base.diagnostics import Diagnostic, RulebookError
from rulesdsl.base.limits import Limits
from rulesdsl.base.source import SourceFile
from rulesdsl.base.textfile import read_source
from rulesdsl.book.game_file import build_game_file
from rulesdsl.book.map.game_map import GameMap, build_map
from rulesdsl.book.pieces import build_pieces
from rulesdsl.book.scenario import build_scenario
from rulesdsl.book.tables.file import build_table
from rulesdsl.book.yaml.file import YamlDocument, load_yaml

BUILDERS: dict[str, Callable[[YamlDocument], tuple[Any, list[Diagnostic]]]] = {
    "game": build_game_file,
    "map": build_map,
    "pieces": build_pieces,
    "scenario": build_scenario,
    "table": build_table,
}
SMALL = Path(__file__).parents[1] / "testdata" / "yaml"
Built = TypeVar("Built")


def document(text: str) -> YamlDocument:
    return load_yaml(SourceFile(Path("text.yaml"), text))


def small(name: str) -> YamlDocument:
    return load_yaml(read_source(SMALL / f"{name}.yaml", 100_000))


def sound(found: tuple[Built | None, list[Diagnostic]]) -> Built:
    """What was built, when nothing is wrong with it."""
    built, problems = found
    assert problems == []
    assert built is not None
    return built


def built_map(text: str) -> GameMap:
    return sound(build_map(document(text)))


def load(text: str, **limits: int) -> YamlDocument:
    return load_yaml(SourceFile(Path("x.yaml"), text), Limits(**limits))


def refusal(text: str, **limits: int) -> list[tuple[str, int, int]]:
    with pytest.raises(RulebookError) as caught:
        load(text, **limits)
    return [(problem.code, problem.span.line, problem.span.column) for problem in caught.value.problems]
