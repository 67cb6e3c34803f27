"""A game that is being edited: new text of one file in, all problems of the game out.

This is what an editor calls while somebody types. Every file is held with what was made of it; an edit reads
again only the statements it touched, and the answer is always that of a fresh check of the whole game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from rulesdsl.base.cache import remembered
from rulesdsl.base.diagnostics import Diagnostic, RulebookError, UsageError, errors, in_order
from rulesdsl.base.gc_pause import nothing_collected
from rulesdsl.base.limits import DEFAULT, Limits
from rulesdsl.base.resources import GAME_FILE
from rulesdsl.base.source import SourceFile, Span
from rulesdsl.base.textfile import read_source
from rulesdsl.book.loader import GameSource, assemble_game
from rulesdsl.book.texts import belongs, game_paths, most_bytes, reading_order, typed_text
from rulesdsl.book.yaml.file import load_yaml
from rulesdsl.checking.checker import Checked
from rulesdsl.checking.remembering import Recollection, Unit
from rulesdsl.drawing.style.style_file import STYLE_FILE, build_style, drawing_problems
from rulesdsl.language.parsing.parser import parse_chapter
from rulesdsl.language.parsing.reuse import KnownStatements
from rulesdsl.pipeline.stages import amended

Built = TypeVar("Built")


class Workspace:
    """The files of a game as an author sees them now, saved or not, and house rules over it."""

    def __init__(
        self, directory: Path, limits: Limits = DEFAULT, house: Sequence[Path] = (),
        share: Workspace | None = None,
    ) -> None:  # fmt: skip
        """`share`: another workspace of the same game, whose files need not be read again."""
        if not (directory / GAME_FILE).is_file():
            raise UsageError(f"{directory} is not a game: it has no {GAME_FILE}")
        self.directory = directory
        self.limits = limits
        self.house = tuple(house)
        self._files: dict[Path, SourceFile] = {}
        self._unreadable: dict[Path, list[Diagnostic]] = {}
        self._made: dict[tuple[str, Path], tuple[SourceFile, Any]] = {}
        self._checked = Recollection()
        self._style: str | None = None
        self._drawn: tuple[tuple[object, ...], list[Diagnostic]] = ((), [])
        self.source: GameSource | None = (
            None  # as it was when `problems` was asked last, with its house rules
        )
        self.checked: Checked | None = None
        if share is not None:
            self._files, self._unreadable = dict(share._files), dict(share._unreadable)
            self._made = dict(share._made)
            self._checked = share._checked.copy()
        for path in self._on_disk() if share is None else self.house:
            self._take(path, partial(read_source, path, most_bytes(path, limits)))

    @property
    def paths(self) -> list[Path]:
        """The files of the game, in the order in which they are read."""
        known = {*self._files, *self._unreadable} - {*self.house}
        return sorted(known, key=lambda path: reading_order(self.directory, path))

    @property
    def units(self) -> Sequence[Unit]:
        """What was resolved on its own when `problems` was asked last, with the statements it was made of."""
        return tuple(self._checked.units.values())

    def text(self, path: Path) -> str:
        """The text of a file as it is now; empty when it cannot be read."""
        return self._files[path].text if path in self._files else ""

    def edit(self, path: Path, text: str) -> None:
        """Put new text in the place of a file, or add a file; nothing is written to disk."""
        if not belongs(self.directory, path):
            raise UsageError(f"{path} is not one of the files that make a game")
        self._take(path, partial(typed_text, path, text, self.limits))

    def edit_house(self, path: Path, text: str) -> None:
        """The same for one of the house rules."""
        if path not in self.house:
            raise UsageError(f"{path} is none of the house rules of this workspace")
        self._take(path, partial(typed_text, path, text, self.limits))

    def edit_style(self, text: str | None) -> None:
        """The same for the file that says how the game is drawn; None: as it is on disk."""
        self._style = text

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
            house = [self._files[path] for path in self.house if path in self._files]
            stages = amended(source, of_files, house if len(house) == len(self.house) else ())
            self.source, self.checked = stages.source, None
            if stages.incomplete:
                return in_order([*found, *stages.problems])  # the rest is checked when things are there
            stages = stages.checked_through(self._checked)
            self.checked = stages.checked
            found += stages.problems
            if stages.source is not None and not errors(found):  # what cannot be read cannot be drawn
                found += self._drawing_problems(stages.source)
        return in_order(found)

    def _drawing_problems(self, source: GameSource) -> list[Diagnostic]:
        """What is wrong with the style file, found anew only when it or what it speaks of changed."""
        style = source.directory / STYLE_FILE
        if self._style is not None:
            try:
                doc = load_yaml(typed_text(style, self._style, self.limits), self.limits)
            except RulebookError as error:
                return error.problems
            return build_style(doc, source)[1]
        if not style.exists():
            return []
        stamp = style.stat()
        key: tuple[object, ...] = (stamp.st_mtime_ns, stamp.st_size, id(source.map), id(source.pieces),
                                   id(source.game.players))  # fmt: skip
        if self._drawn[0][:5] != key:
            self._drawn = (*key, source), drawing_problems(source)  # kept, so that no id is used again
        return self._drawn[1]

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
