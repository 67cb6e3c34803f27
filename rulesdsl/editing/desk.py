"""A game on the desk of an author: its files as they are typed, house rules beside it, all names.

A chapter or data file belongs to the game itself. A house rule is looked at on top of the game, each on a
workspace of its own, so that one that is being written cannot spoil the answers about the game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rulesdsl import program as pg
from rulesdsl.base.diagnostics import Diagnostic, RulebookError, UsageError
from rulesdsl.base.gc_pause import nothing_collected
from rulesdsl.base.limits import DEFAULT
from rulesdsl.base.resources import GAME_FILE
from rulesdsl.base.source import SourceFile, Span
from rulesdsl.base.textfile import read_source
from rulesdsl.book.loader import GameSource
from rulesdsl.book.texts import belongs
from rulesdsl.book.yaml.file import YamlDocument, load_yaml
from rulesdsl.checking.context import Context
from rulesdsl.drawing.style.style_file import STYLE_FILE
from rulesdsl.editing.datanames import data_names
from rulesdsl.editing.housenames import house_names
from rulesdsl.editing.symbols import Occurrence, Symbol
from rulesdsl.editing.whereabouts import Remembering, Whereabouts
from rulesdsl.house.applying import FOLDER, read_house_rule
from rulesdsl.language.syntax.amendments import HouseRule
from rulesdsl.pipeline.workspace import Workspace

_LOST = "yaml-"  # of a data file that cannot be read all is lost: what was known of it is better than nothing


def game_of(path: Path) -> Path | None:
    """The game a file belongs to, by where it lies: beside or below a `game.yaml`."""
    for folder in list(path.parents)[:3]:
        if (folder / GAME_FILE).is_file():
            return folder
    return None


class Desk:
    """One game, as it is being edited. All answers are about the texts as they are now."""

    def __init__(self, directory: Path, house: Sequence[Path] = ()) -> None:
        self.game = Workspace(directory, house=house)
        self.directory = directory
        self._house: dict[Path, Workspace] = {}
        self._typed: dict[Path, str] = {}
        self._owned: dict[Path, bool] = {}
        self._on_disk: dict[Path, str] = {}
        self._problems: list[Diagnostic] | None = None
        self._of_house: dict[Path, list[Diagnostic]] = {}
        self._documents: dict[Path, tuple[str, YamlDocument | None]] = {}
        self._in_data: dict[Path, tuple[YamlDocument, _Meant, list[Occurrence]]] = {}
        self._in_place: dict[Path, tuple[list[Occurrence], str, list[Occurrence]]] = {}
        self._nothing: list[Occurrence] = []
        self.remembered = Remembering()
        self.spoken: Any = None  # how the rulebook says things (hovering.speaker)
        self._good: dict[Path | None, Whereabouts] = {}

    # ---- texts ---------------------------------------------------------------------------------------
    def is_house(self, path: Path) -> bool:
        """Whether a file is a house rule here: one of the game's own, or another Markdown file."""
        return path.suffix == ".md" and not self.owns(path) and path.name != "readings.md"

    def owns(self, path: Path) -> bool:
        """Whether a file is one of those that make the game."""
        if path not in self._owned:
            self._owned[path] = belongs(self.directory, path)
        return self._owned[path]

    def text(self, path: Path) -> str:
        """A file as it is now."""
        if path in self._typed:
            return self._typed[path]
        if self.owns(path):
            return self.game.text(path)
        if path not in self._on_disk:
            most = DEFAULT.rule_file_bytes if path.suffix == ".md" else DEFAULT.yaml_file_bytes
            try:
                self._on_disk[path] = read_source(path, most).text
            except (RulebookError, OSError):
                self._on_disk[path] = ""
        return self._on_disk[path]

    def edit(self, path: Path, text: str) -> None:
        """New text of a file; nothing is written."""
        self._typed[path] = text
        if self.owns(path):
            self.game.edit(path, text)
            for other in self._house.values():
                other.edit(path, text)
            self._problems = None
            self._of_house.clear()
        elif path == self.directory / STYLE_FILE:
            for one in (self.game, *self._house.values()):
                one.edit_style(text)
            self._problems = None
            self._of_house.clear()
        elif path in self._house:
            self._house[path].edit_house(path, text)
            self._of_house.pop(path, None)

    def close(self, path: Path) -> None:
        """The file is what it is on disk again."""
        if path in self._typed:
            del self._typed[path]
            if path.is_file():
                text = read_source(
                    path, DEFAULT.rule_file_bytes if path.suffix == ".md" else DEFAULT.yaml_file_bytes
                ).text
                self.edit(path, text)
                del self._typed[path]

    def reread(self) -> None:
        """Files changed on disk: take all that nobody is typing in again."""
        typed = dict(self._typed)
        self.game.reread()
        self.game.edit_style(None)
        self._on_disk.clear()
        self._owned.clear()
        self._house.clear()
        self._of_house.clear()
        self._problems = None
        for path, text in typed.items():
            self.edit(path, text)

    def source_file(self, path: Path) -> SourceFile:
        """The text with its places."""
        return SourceFile(path, self.text(path))

    # ---- problems ------------------------------------------------------------------------------------
    def problems(self) -> list[Diagnostic]:
        """What is wrong with the game."""
        if self._problems is None:
            self._problems = self.game.problems()
            if None not in self._good or not any(p.code.startswith(_LOST) for p in self._problems):
                self._remember(None, self.game)
        return self._problems

    def problems_of(self, path: Path) -> list[Diagnostic]:
        """What is wrong with one file; of a house rule, with the game as it changes it."""
        if self.is_house(path):
            return [p for p in self.with_house(path) if _same_file(p.span, path)]
        return [p for p in self.problems() if _same_file(p.span, path)]

    def with_house(self, path: Path) -> list[Diagnostic]:
        """Everything that is wrong with the game under one house rule."""
        if path not in self._of_house:
            if path not in self._house:
                self.problems()  # what is known of the game need not be found out again
                self._house[path] = Workspace(self.directory, house=(path,), share=self.game)
                for other, text in self._typed.items():
                    if self.owns(other):
                        self._house[path].edit(other, text)
                self._house[path].edit_style(self._typed.get(self.directory / STYLE_FILE))
                if path in self._typed:
                    self._house[path].edit_house(path, self._typed[path])
            self._of_house[path] = self._house[path].problems()
            self._remember(path, self._house[path])
        return self._of_house[path]

    def workspace_of(self, path: Path) -> Workspace:
        """The game as a file sees it: with the house rule, if it is one."""
        if self.is_house(path):
            self.with_house(path)
            return self._house[path]
        return self.game

    def _remember(self, house: Path | None, workspace: Workspace) -> None:
        checked = workspace.checked
        if workspace.source is None or checked is None or checked.context is None or checked.program is None:
            return
        if house in self._good and house is not None and read_house_rule(self.source_file(house))[1]:
            return  # of a house rule that cannot be read nothing would be known
        known = self._good.get(house)
        if known is None or known.program is not checked.program:
            self._good[house] = Whereabouts(
                workspace.source, checked.context, checked.program, workspace.units, self.remembered
            )

    # ---- the game as it makes sense --------------------------------------------------------------------
    def view(self, path: Path | None = None) -> tuple[GameSource, Context, pg.Program]:
        """Source, names and rules as they were when the game could last be read; with a house rule if `path`
        is one. Raises `UsageError` when it never could."""
        names = self.names(path)
        return names.source, names.ctx, names.program

    def names(self, path: Path | None = None) -> Whereabouts:
        """Where its names stand, as it was then."""
        house = path if path is not None and self.is_house(path) else None
        self.with_house(house) if house is not None else self.problems()
        if house not in self._good and house is not None:
            self.problems()
            house = None
        if house not in self._good:
            self._remember_printed()
        if house not in self._good:
            raise UsageError(f"{self.directory.name} cannot be read yet")
        return self._good[house]

    def _remember_printed(self) -> None:
        """What is typed cannot be read, and nothing was known before: what lies on disk may do."""
        printed = Workspace(self.directory)
        printed.problems()
        self._remember(None, printed)

    def house_files(self) -> list[Path]:
        """House rules of the game, and those that are open."""
        shipped = (self.directory / FOLDER).glob("*.md")
        return sorted({*shipped, *(path for path in self._typed if self.is_house(path))})

    # ---- where words stand -----------------------------------------------------------------------------
    def occurrences(self, path: Path) -> list[Occurrence]:
        """All names of one file, in order. Of text that cannot be read at the moment, none."""
        names = self.names(path)
        if path.suffix == ".yaml":
            found = self._of_data(names.ctx, path)
        else:
            found = names.in_file(path)
            if self.is_house(path) and not names.source.house:
                found = [*found, *house_names(names.ctx, self.house_rule(path))]
        text = self.text(path)
        held = self._in_place.get(path)
        if held is not None and held[0] is found and held[1] is text:
            return held[2]
        placed = self._placed(found, text)
        self._in_place[path] = found, text, placed
        return placed

    def _placed(self, found: list[Occurrence], text: str) -> list[Occurrence]:
        """Each once and in order; what cannot be read is known as it was, where it still stands there."""
        lines = text.split("\n")
        once: dict[tuple[int, int, Symbol], Occurrence] = {}
        for one in found:
            span = one.span
            if span.file.text is text or (
                span.line <= len(lines)
                and lines[span.line - 1][span.column - 1 : span.end_column - 1] == span.text
            ):
                key = (span.line, span.column, one.symbol)
                once[key] = one if key not in once or one.declares else once[key]
        return sorted(once.values(), key=lambda o: o.order)

    def everywhere(self, house: bool = True) -> list[Occurrence]:
        """All names of all files of the game and of its house rules."""
        found = [o for path in self._paths() for o in self.occurrences(path)]
        for path in self.house_files() if house else ():
            found += self.occurrences(path)
        return found

    def _paths(self) -> list[Path]:
        style = self.directory / STYLE_FILE
        return [*self.game.paths, *([style] if style.is_file() else [])]

    def references_so_far(self, symbol: Symbol) -> list[Occurrence]:
        """The same without house rules that nobody has opened: quick enough for every move."""
        names = self.names()
        found = names.of_symbol(symbol)
        for path in self._paths():
            if path.suffix == ".yaml" and symbol.word in self.text(path):
                found += self._data_by_symbol(names.ctx, path).get(symbol, ())
        for path in self._of_house:
            found += [o for o in self.occurrences(path) if o.symbol == symbol]
        once = {(o.span.file.path, o.span.line, o.span.column): o for o in found}
        return list(once.values())

    def _data_by_symbol(self, ctx: Context, path: Path) -> dict[Symbol, list[Occurrence]]:
        names = self._of_data(ctx, path)

        def made() -> dict[Symbol, list[Occurrence]]:
            found: dict[Symbol, list[Occurrence]] = {}
            for one in names:
                found.setdefault(one.symbol, []).append(one)
            return found

        return self.remembered("data by symbol", names, made)

    def prepared(self) -> Iterator[Path]:
        """Find out, a file at a time, what the first question about a name would have to wait for."""
        names = self.names()
        for path in self._paths():
            if path.suffix == ".yaml":
                self._data_by_symbol(names.ctx, path)
            else:
                names.in_file(path)
            yield path

    def open_paths(self) -> list[Path]:
        """The files that are typed in."""
        return list(self._typed)

    def references(self, symbol: Symbol) -> list[Occurrence]:
        """Where a symbol stands, its declaration first."""
        found = [o for o in self.everywhere() if o.symbol == symbol]
        return sorted(found, key=lambda o: (not o.declares, o.order))

    def at(self, path: Path, line: int, column: int) -> Occurrence | None:
        """The name at a place (counted from 1); of several the narrowest."""
        names = self.names(path)
        if path.suffix == ".yaml" or (self.is_house(path) and not names.source.house):
            near = self.occurrences(path)
        else:
            near = self._placed(names.on_line(path, line), self.text(path))
        found = [o for o in near if o.span.line == line and o.span.column <= column <= o.span.end_column]
        return min(
            found,
            key=lambda o: (o.span.end_column - o.span.column, o.symbol.kind == "variable"),
            default=None,
        )

    # ---- one file ----------------------------------------------------------------------------------------
    def house_rule(self, path: Path) -> HouseRule:
        """The document, as far as it can be read."""
        return read_house_rule(self.source_file(path))[0]

    def _of_data(self, ctx: Context, path: Path) -> list[Occurrence]:
        doc = self.document(path)
        if doc is None:
            return self._nothing
        held = self._in_data.get(path)
        if held is not None and held[0] is doc and held[1].says_the_same(ctx):
            return held[2]
        folder = path.parent.name if path.parent != self.directory else ""
        with nothing_collected():
            found = list(data_names(ctx, doc, folder, path.name))
        self._in_data[path] = doc, _Meant(ctx), found
        return found

    def document(self, path: Path) -> YamlDocument | None:
        """A data file with the places of all its values, if it can be read."""
        text = self.text(path)
        held = self._documents.get(path)
        if held is not None and held[0] == text:
            return held[1]
        try:
            made: YamlDocument | None = load_yaml(SourceFile(path, text))
        except RulebookError:
            made = held[1] if held is not None else None
        self._documents[path] = text, made
        return made


class _Meant:
    """What the words of data files depended on: the world, and the ways in which the rulebook may be read."""

    def __init__(self, ctx: Context) -> None:
        self.things = ctx.world.universes, ctx.world.attributes, ctx.world.tracks
        self.values = {name: enum.values for name, enum in ctx.world.enums.items()}
        self.settings = {name: (one.type, one.alternatives) for name, one in ctx.settings.items()}

    def says_the_same(self, ctx: Context) -> bool:
        now = _Meant(ctx)
        same = all(one is other for one, other in zip(self.things, now.things, strict=True))
        return same and (self.values, self.settings) == (now.values, now.settings)


def _same_file(span: Span, path: Path) -> bool:
    return span.file.path == path
