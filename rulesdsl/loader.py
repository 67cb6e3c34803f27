"""A game directory in memory: everything read, nothing checked. House rules are applied to this."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from rulesdsl import syntax as sx
from rulesdsl.diagnostics import Diagnostic, RulebookError, UsageError
from rulesdsl.gamefile import GameFile, build_game_file
from rulesdsl.gamemap import GameMap, build_map
from rulesdsl.limits import DEFAULT, Limits
from rulesdsl.parser import parse_chapter
from rulesdsl.pieces import Piece, build_pieces
from rulesdsl.resources import GAME_FILE
from rulesdsl.scenario import Scenario, build_scenario
from rulesdsl.source import SourceFile
from rulesdsl.tables import Table, build_table, table_problems
from rulesdsl.textfile import read_source
from rulesdsl.yamlfile import YamlDocument, load_yaml

Built = TypeVar("Built")


@dataclass(frozen=True)
class GameSource:
    """All parts of a game as they were written."""

    directory: Path
    game: GameFile
    chapters: tuple[sx.Chapter, ...]
    map: GameMap | None
    pieces: Mapping[str, Piece]
    tables: Mapping[str, Table]
    scenarios: Mapping[str, Scenario]
    files: tuple[SourceFile, ...] = field(repr=False)

    def content_hash(self) -> str:
        """What the game says, whatever the directory is called: the key of caches and saves."""
        digest = hashlib.sha256()
        for file in sorted(self.files, key=lambda f: self._relative(f)):
            digest.update(self._relative(file).encode() + b"\0" + file.text.encode() + b"\0")
        return digest.hexdigest()

    def _relative(self, file: SourceFile) -> str:
        try:
            return file.path.relative_to(self.directory).as_posix()
        except ValueError:
            return file.path.name


def load_game(directory: Path, limits: Limits = DEFAULT) -> tuple[GameSource | None, list[Diagnostic]]:
    """Read a game directory; no game when its `game.yaml` cannot be used."""
    if not (directory / GAME_FILE).is_file():
        raise UsageError(f"{directory} is not a game: it has no {GAME_FILE}")
    problems: list[Diagnostic] = []
    files: list[SourceFile] = []

    def text(path: Path, most: int) -> SourceFile | None:
        try:
            source = read_source(path, most)
        except RulebookError as error:
            problems.extend(error.problems)
            return None
        files.append(source)
        return source

    def build(
        path: Path, builder: Callable[[YamlDocument], tuple[Built | None, list[Diagnostic]]]
    ) -> Built | None:
        source = text(path, limits.yaml_file_bytes)
        if source is None:
            return None
        try:
            value, found = builder(load_yaml(source, limits))
        except RulebookError as error:
            problems.extend(error.problems)
            return None
        problems.extend(found)
        return value

    game = build(directory / GAME_FILE, build_game_file)
    game_map = build(directory / "map.yaml", build_map) if (directory / "map.yaml").exists() else None
    pieces: dict[str, Piece] = {}
    if (directory / "pieces.yaml").exists():
        pieces = build(directory / "pieces.yaml", build_pieces) or {}
    tables: dict[str, Table] = {}
    for path in sorted((directory / "tables").glob("*.yaml")):
        if (table := build(path, build_table)) is not None:
            tables[table.id] = table
            problems.extend(table_problems(table))
    scenarios: dict[str, Scenario] = {}
    for path in sorted((directory / "scenarios").glob("*.yaml")):
        if (scenario := build(path, build_scenario)) is not None:
            scenarios[scenario.id] = scenario
    chapters: list[sx.Chapter] = []
    for path in sorted((directory / "rules").glob("*.md")):
        if (source := text(path, limits.rule_file_bytes)) is not None:
            chapter, found = parse_chapter(source)
            chapters.append(chapter)
            problems.extend(found)
    if game is None:
        return None, problems
    loaded = GameSource(
        directory, game, tuple(chapters), game_map, pieces, tables, scenarios, tuple(files)
    )
    return loaded, problems
