"""The kinds of data files, and what reads each of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest

from rulesdsl.data.gamefile import build_game_file
from rulesdsl.data.gamemap import GameMap, build_map
from rulesdsl.data.pieces import build_pieces
from rulesdsl.data.scenario import build_scenario
from rulesdsl.data.tablefile import build_table
from rulesdsl.data.yamlfile import YamlDocument, load_yaml
from rulesdsl.diagnostics import Diagnostic, RulebookError
from rulesdsl.limits import Limits
from rulesdsl.source import SourceFile
from rulesdsl.textfile import read_source

BUILDERS: dict[str, Callable[[YamlDocument], tuple[Any, list[Diagnostic]]]] = {
    "game": build_game_file,
    "map": build_map,
    "pieces": build_pieces,
    "scenario": build_scenario,
    "table": build_table,
}
SMALL = Path(__file__).parent / "testdata" / "yaml"
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
