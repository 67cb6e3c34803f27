"""A game directory in memory: everything read, nothing checked. House rules are applied to this."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from pathlib import Path
from typing import Protocol, TypeVar

from rulesdsl.base.cache import remembered
from rulesdsl.base.diagnostics import Diagnostic, RulebookError
from rulesdsl.base.lightclass import dataclass
from rulesdsl.base.limits import DEFAULT, Limits
from rulesdsl.base.resources import GAME_FILE
from rulesdsl.base.source import SourceFile
from rulesdsl.book.beside import FOLDER as EXAMPLES
from rulesdsl.book.beside import with_examples
from rulesdsl.book.changes import Change
from rulesdsl.book.game_file import GameFile, build_game_file
from rulesdsl.book.map.game_map import GameMap, build_map
from rulesdsl.book.modules import (
    Module,
    build_module,
    in_game_words,
    missing_needs,
    used_modules,
    without_defaults,
)
from rulesdsl.book.pieces import Piece, build_pieces
from rulesdsl.book.scenario import Scenario, build_scenario
from rulesdsl.book.spoken_state import of_their_kinds
from rulesdsl.book.tables.file import build_table
from rulesdsl.book.tables.table import Table, table_problems
from rulesdsl.book.texts import MODULE_FILE, OPPONENT_FILE, read_texts
from rulesdsl.book.yaml.file import YamlDocument, load_yaml
from rulesdsl.language import syntax as sx
from rulesdsl.language.parsing.parser import parse_chapter
from rulesdsl.language.syntax.amendments import HouseRule

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
    modules: tuple[Module, ...] = ()
    # Of a game with house rules (rulesdsl.house): the documents, what they changed, the printed game.
    house: tuple[HouseRule, ...] = field(default=(), repr=False)
    changes: tuple[Change, ...] = field(default=(), repr=False)
    base: GameSource | None = field(default=None, repr=False, compare=False)

    def content_hash(self) -> str:
        """What the game says, whatever the directory is called: the key of caches and saves."""
        return content_hash((self.relative_name(file), file.text) for file in self.files)

    def relative_name(self, file: SourceFile) -> str:
        """The name of a file inside its game; a house rule has the same name wherever it stands."""
        if any(file is rule.file for rule in self.house):
            return f"house/{file.path.name}"
        if (module := self.module_of(file)) is not None:
            return f"modules/{module.name}/{file.path.relative_to(module.directory).as_posix()}"
        try:
            return file.path.relative_to(self.directory).as_posix()
        except ValueError:
            return file.path.name

    def unread(self, folder: str) -> frozenset[str]:
        """Scenarios or tables whose file is there, with a mistake of its own: nobody should miss them."""
        entries = self.scenarios.values() if folder == "scenarios" else self.tables.values()
        read = {entry.span.file.path for entry in entries}
        files = (f for f in self.files if f.path.parent.name == folder)
        return frozenset(f.path.stem for f in files if f.path not in read)

    def lacks_things(self) -> bool:
        """Whether the map or the pieces have a file that could not be read: whoever speaks of them would be
        told that they are not there, in hundreds of messages for one mistake."""
        names = {file.path.name for file in self.files if file.path.parent == self.directory}
        return ("map.yaml" in names and self.map is None) or ("pieces.yaml" in names and not self.pieces)

    def module_of(self, file: SourceFile) -> Module | None:
        """The module a file belongs to, if it is not one of the game's own."""
        return next((module for module in self.modules if module.holds(file)), None)


def content_hash(texts: Iterable[tuple[str, str]]) -> str:
    """The fingerprint of files given as (name, text)."""
    digest = hashlib.sha256()
    for name, text in sorted(texts):
        digest.update(name.encode() + b"\0" + text.encode() + b"\0")
    return digest.hexdigest()


def load_game(directory: Path, limits: Limits = DEFAULT) -> tuple[GameSource | None, list[Diagnostic]]:
    """Read a game directory; no game when its `game.yaml` cannot be used."""
    files, problems = read_texts(directory, limits)
    source, found = assemble_game(directory, files, limits)
    return source, [*problems, *found]


class Memory(Protocol):
    """Gives back what was made of a file before, or has it made now."""

    def __call__(self, kind: str, file: SourceFile, read: Callable[[], Built], /) -> Built: ...


def assemble_game(
    directory: Path, files: Sequence[SourceFile], limits: Limits = DEFAULT, memory: Memory = remembered
) -> tuple[GameSource | None, list[Diagnostic]]:
    """A game from texts that are already in memory: those of a directory, or those a save carries."""
    problems: list[Diagnostic] = []

    def build(
        source: SourceFile, builder: Callable[[YamlDocument], tuple[Built | None, list[Diagnostic]]]
    ) -> Built | None:
        try:
            value, found = memory(builder.__name__, source, lambda: builder(load_yaml(source, limits)))
        except RulebookError as error:
            problems.extend(error.problems)
            return None
        problems.extend(found)
        return value

    game: GameFile | None = None
    game_map: GameMap | None = None
    pieces: dict[str, Piece] = {}
    tables: dict[str, Table] = {}
    scenarios: dict[str, Scenario] = {}
    chapters: list[sx.Chapter] = []
    beside: list[sx.Chapter] = []
    modules: list[Module] = []
    for file in files:
        folder = file.path.parent.name if file.path.parent != directory else ""
        if folder == "" and file.path.name == GAME_FILE:
            game = build(file, build_game_file)
        elif folder == "" and file.path.name == "map.yaml":
            game_map = build(file, build_map)
        elif folder == "" and file.path.name == "pieces.yaml":
            pieces = build(file, build_pieces) or {}
        elif file.path.name == MODULE_FILE:
            if (module := build(file, build_module)) is not None:
                modules.append(module)
        elif folder == "tables":
            if (table := build(file, build_table)) is not None:
                if table.id in tables:
                    problems.append(_second_table(tables[table.id], table))
                tables.setdefault(table.id, table)
                problems.extend(table_problems(table))
        elif folder == "scenarios":
            if (scenario := build(file, build_scenario)) is not None:
                scenarios[scenario.id] = scenario
        elif folder == "rules" or (folder == "" and file.path.name == OPPONENT_FILE):
            chapter, found = memory("chapter", file, partial(parse_chapter, file))
            chapters.append(chapter)
            problems.extend(found)
        elif folder == EXAMPLES:
            chapter, found = memory("chapter", file, partial(parse_chapter, file))
            beside.append(chapter)
            problems.extend(found)
    if game is None:
        return None, problems
    chapters, misplaced = with_examples(chapters, beside)
    problems.extend(misplaced)
    named, unknown = used_modules(game, modules)
    named, chapters, tables, misnamed = in_game_words(game.modules, named, chapters, tables)
    problems += [*unknown, *misnamed, *missing_needs(game.modules, named, chapters)]
    if game.paragraphs is not None:
        game = replace(game, paragraphs=(*game.paragraphs, *(p for m in named for p in m.paragraphs)))
    chapters = of_their_kinds(without_defaults(named, chapters))
    loaded = GameSource(
        directory=directory,
        game=game,
        chapters=tuple(chapters),
        map=game_map,
        pieces=pieces,
        tables=tables,
        scenarios=scenarios,
        files=tuple(files),
        modules=tuple(named),
    )
    return loaded, problems


def _second_table(first: Table, second: Table) -> Diagnostic:
    message = f'two tables are called "{second.id}"'
    return Diagnostic("duplicate-id", message, second.span, also=(("the other one", first.span),))
