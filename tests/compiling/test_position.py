"""A position is asked in the words of the rules; nobody outside the compiler counts cells."""

from __future__ import annotations

import re
from pathlib import Path

from interpreter.state.position import Position
from rulesdsl import Session

ROOT = Path(__file__).parents[2]
# the layout and who looks after it; generated code and what it calls
COUNTS_CELLS = ("interpreter/state", "interpreter/compiling", "interpreter/running", "interpreter/native")


def test_cells_are_counted_in_few_places() -> None:
    cell = re.compile(r"\blayout\.(?:arrays|flags|tracks|fields)\[|\blayout\.(?:pieces_in|occupation)\b")
    found = {
        path.relative_to(ROOT).as_posix()
        for package in ("rulesdsl", "interpreter")
        for path in (ROOT / package).rglob("*.py")
        if cell.search(path.read_text(encoding="utf-8"))
    }
    assert {path for path in found if not path.startswith(COUNTS_CELLS)} == set()


def test_what_is_put_is_found_again_with_the_masks_that_are_kept_of_it() -> None:
    session = Session.start("tutorial/skirmish", seed="a")
    world, layout = session.ruleset.program.world, session.ruleset.layout
    now = Position(layout, session.machine.s[:])
    for (universe, name), attribute in world.attributes.items():
        if attribute.printed or universe == "token" or name == "at" or not len(world.universes[universe]):
            continue
        old = now.value(universe, name, 0)
        new = 1 - old if attribute.type.kind == "flag" else 0
        now.put(universe, name, 0, new)
        assert now.value(universe, name, 0) == new
        now.put(universe, name, 0, old)
    assert now.s == session.machine.s


def test_a_piece_in_the_air_is_in_its_space_but_not_among_those_there() -> None:
    session = Session.start("tutorial/skirmish", seed="a")
    now, pieces = session.position, len(session.ruleset.program.world.universes["piece"])
    placed = [piece for piece in range(pieces) if now.at(piece) >= 0]
    assert placed
    for piece in placed:
        lifted = now.without(piece)
        assert lifted.at(piece) == now.at(piece)
        assert lifted.pieces_in(now.at(piece)) == now.pieces_in(now.at(piece)) & ~(1 << piece)
    assert session.position.s == now.s
