"""Names that are listed only where they are asked for are those of the whole game."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from rulesdsl import program as pg
from rulesdsl.base.resources import data_dir
from rulesdsl.editing.desk import Desk
from rulesdsl.editing.housenames import house_names
from rulesdsl.editing.resolved import resolved_names
from rulesdsl.editing.symbols import Occurrence, Symbol
from rulesdsl.editing.whereabouts import Whereabouts
from rulesdsl.editing.written import written_names
from tests.checking.test_workspace import edited

GAMES = ["tutorial/skirmish", "classics/chess"]
Place = tuple[Symbol, Path, int, int, bool]


def everything(names: Whereabouts) -> Iterator[Occurrence]:
    """All names of all rules, but for the numbers of headings."""
    for chapter in names.source.chapters:
        for paragraph in chapter.paragraphs:
            for node in (*paragraph.rules, *paragraph.examples):
                yield from written_names(names.ctx, node)
    for rule in rules_of(names.program):
        yield from resolved_names(names.ctx, rule)
    for house in names.source.house:
        yield from house_names(names.ctx, house)


def rules_of(program: pg.Program) -> list[object]:
    tables: tuple[Any, ...] = (
        program.defines, program.quantities, program.actions, program.routes, program.procedures,
        program.windows, program.tokens, program.visibility,
    )  # fmt: skip
    return [*(item for table in tables for item in table.values()), *program.triggers, *program.examples]


def places(found: Iterable[Occurrence]) -> set[Place]:
    return {
        (o.symbol, o.span.file.path, o.span.line, o.span.column, o.declares)
        for o in found
        if o.symbol.kind != "paragraph" or not o.declares
    }


def same(names: Whereabouts) -> None:
    known = places(everything(names))
    assert len(known) > 100
    for file in {path for _, path, *_ in known}:
        assert places(names.in_file(file)) == {one for one in known if one[1] == file}
    for path, line in {(path, line) for _, path, line, *_ in known}:
        assert places(names.on_line(path, line)) == {one for one in known if one[1:3] == (path, line)}
    for symbol in {symbol for symbol, *_ in known}:
        assert places(names.of_symbol(symbol)) == {one for one in known if one[0] == symbol}


@pytest.mark.parametrize("game", GAMES)
def test_asked_for_one_place_or_for_all(game: str) -> None:
    desk = Desk(data_dir("games") / game)
    same(desk.names())
    for house in sorted((desk.directory / "house").glob("*.md"))[:2]:
        same(desk.names(house))


def test_after_edits_they_are_those_of_a_desk_that_was_never_typed_at() -> None:
    """What is remembered of rules that stay the same is not that of rules that were changed."""
    directory = data_dir("games") / "tutorial" / "skirmish"
    desk, rng = Desk(directory), random.Random(47)
    paths = [path for path in desk.game.paths if path.suffix == ".md"]
    compared = 0
    for _ in range(10):
        path = rng.choice(paths)
        printed = desk.text(path)
        desk.edit(path, edited(rng, printed))
        desk.everywhere(house=False)
        fresh = Desk(directory)
        for one in paths:
            fresh.edit(one, desk.text(one))
        if now(desk) and now(fresh):
            assert places(everything(desk.names())) == places(everything(fresh.names()))
            same(desk.names())
            compared += 1
        if rng.random() < 0.7:
            desk.edit(path, printed)
    assert compared >= 4


def now(desk: Desk) -> bool:
    """Whether the names are those of the text as it is, and not what was known when it could last be read."""
    names = desk.names()
    return desk.game.checked is not None and names.program is desk.game.checked.program
