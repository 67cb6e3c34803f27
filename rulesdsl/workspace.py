"""A game that is being edited: new text of one file in, all problems of the game out.

This is what an editor calls while somebody types. Every file is held with what was made of it; an edit reads
again only the statements it touched, and the answer is always that of a fresh check of the whole game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from rulesdsl.amendments import apply_house_files
from rulesdsl.cache import remembered
from rulesdsl.checker import check
from rulesdsl.collecting import nothing_collected
from rulesdsl.diagnostics import Diagnostic, RulebookError, UsageError, in_order
from rulesdsl.gametexts import belongs, game_paths, most_bytes, reading_order, typed_text
from rulesdsl.limits import DEFAULT, Limits
from rulesdsl.loader import assemble_game
from rulesdsl.parsing.parser import parse_chapter
from rulesdsl.parsing.reuse import KnownStatements
from rulesdsl.resources import GAME_FILE
from rulesdsl.source import SourceFile, Span
from rulesdsl.textfile import read_source

Built = TypeVar("Built")


class Workspace:
    """The files of a game as an author sees them now, saved or not, and house rules over it."""

    def __init__(self, directory: Path, limits: Limits = DEFAULT, house: Sequence[Path] = ()) -> None:
        if not (directory / GAME_FILE).is_file():
            raise UsageError(f"{directory} is not a game: it has no {GAME_FILE}")
        self.directory = directory
        self.limits = limits
        self.house = tuple(house)
        self._files: dict[Path, SourceFile] = {}
        self._unreadable: dict[Path, list[Diagnostic]] = {}
        self._made: dict[tuple[str, Path], tuple[SourceFile, Any]] = {}
        for path in self._on_disk():
            self._take(path, partial(read_source, path, most_bytes(path, limits)))

    @property
    def paths(self) -> list[Path]:
        """The files of the game, in the order in which they are read."""
        known = {*self._files, *self._unreadable} - {*self.house}
        return sorted(known, key=lambda path: reading_order(self.directory, path))

    def text(self, path: Path) -> str:
        """The text of a file as it is now; empty when it cannot be read."""
        return self._files[path].text if path in self._files else ""

    def edit(self, path: Path, text: str) -> None:
        """Put new text in the place of a file, or add a file; nothing is written to disk."""
        if not belongs(self.directory, path):
            raise UsageError(f"{path} is not one of the files that make a game")
        self._take(path, partial(typed_text, path, text, self.limits))

    def remove(self, path: Path) -> None:
        """Forget a file."""
        self._files.pop(path, None)
        self._unreadable.pop(path, None)

    def reread(self) -> list[Path]:
        """Take every file from disk again; those that differ from what was known."""
        changed: list[Path] = []
        on_disk = self._on_disk()
        for path in {*self._files, *self._unreadable} - {*on_disk}:
            self.remove(path)
            changed.append(path)
        for path in on_disk:
            before = self._files.get(path), self._unreadable.get(path)
            self._take(path, partial(read_source, path, most_bytes(path, self.limits)))
            if before != (self._files.get(path), self._unreadable.get(path)):
                changed.append(path)
        return sorted(changed)

    def problems(self) -> list[Diagnostic]:
        """Everything that is wrong with the game as it is now, sorted by place."""
        files = [self._files[path] for path in self.paths if path in self._files]
        found = [problem for path in self._unreadable for problem in self._unreadable[path]]
        if self.directory / GAME_FILE not in {*self._files, *self._unreadable}:
            place = Span(SourceFile(self.directory / GAME_FILE, ""), 1, 1, 1, 1)
            found.append(Diagnostic("file-missing", "a game needs this file", place))
        with nothing_collected():
            source, of_files = assemble_game(self.directory, files, self.limits, self._remembered)
            found += of_files
            if source is not None and all(path in self._files for path in self.house):
                source, of_house = apply_house_files(source, [self._files[path] for path in self.house])
                found += of_house
            if source is not None:
                found += check(source)[1]
        return in_order(found)

    def _on_disk(self) -> list[Path]:
        return [*game_paths(self.directory), *self.house]

    def _take(self, path: Path, read: Callable[[], SourceFile]) -> None:
        try:
            file = read()
        except RulebookError as error:
            self._unreadable[path] = error.problems
            self._files.pop(path, None)
            return
        self._unreadable.pop(path, None)
        known = self._files.get(path)
        if known is None or known.text != file.text:
            self._files[path] = file

    def _remembered(self, kind: str, file: SourceFile, read: Callable[[], Built], /) -> Built:
        """What was made of the file before; of an edited chapter, only what is new is read."""
        held = self._made.get((kind, file.path))
        if held is not None and held[0].text == file.text:
            known: Built = held[1]
            return known
        if held is None:
            made: Any = remembered(kind, file, read)  # the first time it may still lie in the cache on disk
        elif kind == "chapter":
            made = parse_chapter(file, KnownStatements(held[1][0]))
        else:
            made = read()  # versions of the next seconds are not worth a place in the cache
        self._made[kind, file.path] = file, made
        result: Built = made
        return result
