"""Fortress Berlin 3.1.5, 3.6: only the top of an enemy stack is seen; who fights is shown while he does."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from random import Random

from interpreter.agents.counters import alike, exchange
from interpreter.agents.sight import Sight
from interpreter.playing.counters import hidden_pieces, members
from interpreter.playing.game import open_game
from interpreter.playing.invariants import violations
from interpreter.playing.picture import map_svg
from interpreter.playing.session import Session
from rulesdsl.cli.play.board import Board

NAME, SEATS = "fortress_berlin", {"germans": "soviet", "soviets": "german"}  # seat → the side of its enemies


def number(session: Session, seat: str) -> int:
    return session.ruleset.program.world.universes["player"].index[seat]


def hidden(session: Session, seat: str) -> set[str]:
    ids = session.ruleset.program.world.universes["piece"].ids
    return {ids[i] for i in members(hidden_pieces(session.ruleset, session.machine.s, number(session, seat)))}


def covered(session: Session, seat: str) -> set[str]:
    """Enemies below others in a hex or a station, counted without the rules; nobody is fighting."""
    world, layout, s = session.ruleset.program.world, session.ruleset.layout, session.machine.s
    pieces, spaces, side = (
        world.universes["piece"],
        world.universes["space"],
        world.attributes["piece", "side"],
    )
    at, height = layout.arrays["piece", "at"].base, layout.arrays["piece", "height"].base
    tops: dict[int, int] = {}
    units = [i for i, kind in enumerate(pieces.classes) if kind == "unit"]
    for i in units:
        tops[s[at + i]] = max(tops.get(s[at + i], 0), s[height + i])
    enemy = world.enums["side"].values.index(SEATS[seat])
    return {
        pieces.ids[i]
        for i in units
        if s[at + i] >= 0 and spaces.classes[s[at + i]] in ("hex", "station_below")
        and side.values[i] == enemy and s[height + i] < tops[s[at + i]]
    }  # fmt: skip


@cache
def opening() -> Session:
    """A game in which both sides have stacks: its beginning is played silently."""
    session, rng = Session.start(NAME, "prepared", seed=5), Random(5)
    rules, machine = session.ruleset, session.machine
    silent = rules.new_machine(open_game(NAME).scenario("prepared"), machine.seed, traced=False)
    silent.begin()
    for _ in range(2500):
        assert silent.pending is not None
        silent.choose(silent.pending.at_random(rng))
    silent.code = machine.code
    session.machine = silent
    session._options = None
    return session


def positions(session: Session, decisions: int, every: int) -> Iterator[tuple[Session, str]]:
    rng = Random(9)
    for decision in range(decisions):
        if session.over:
            return
        if decision % every == 0:
            yield session, str(session.player)
        session.choose(rng.choice(session.options))


def test_only_who_lies_on_top_is_known_in_views_and_on_the_map() -> None:
    session, stacks = opening(), 0
    names = session.ruleset.program.world.universes["piece"]
    for seat in SEATS:
        unknown = hidden(session, seat)
        assert unknown == covered(session, seat)
        stacks += len(unknown)
        view = session.view(seat)
        assert not {f"piece:{one}" for one in unknown} & set(view["things"])
        assert sum(map(len, view["counters"].values())) == len(unknown)
        shown = str(map_svg(session, seat))
        board = json.dumps(Board(session, view).view, default=str)
        for one in unknown:
            name = names.names[names.index[one]]
            assert f">{name}<" not in shown
            assert f'"{name}"' not in board
    assert stacks > 5


def test_what_is_hidden_is_what_lies_below_all_through_a_game() -> None:
    compared = 0
    for session, _ in positions(opening().copy(), 160, 10):
        if not _revealed(session):
            for seat in SEATS:
                assert hidden(session, seat) == covered(session, seat)
                compared += 1
    assert compared > 20


def _revealed(session: Session) -> bool:
    cells = session.ruleset.layout.flags["piece", "revealed"].values()
    return any(session.machine.s[cell] for cell in cells)


def test_open_stacks_hide_nothing() -> None:
    session = Session.start(NAME, "prepared", seed=5, readings={"fog_of_war": "open"})
    assert not hidden(session, "germans")
    assert not hidden(session, "soviets")


def test_the_log_names_nobody_who_was_hidden_before_and_after() -> None:
    session, rng = opening().copy(), Random(2)
    lines = 0
    for _ in range(150):
        before = {seat: (hidden(session, seat), len(session.log_of(seat))) for seat in SEATS}
        session.choose(rng.choice(session.options))
        for seat, (unknown, told) in before.items():
            still = unknown & hidden(session, seat)
            for entry in session.log_of(seat)[told:]:
                lines += 1
                assert not still & {thing.removeprefix("piece:") for thing in entry.things}, entry.text
    assert lines > 50


def test_twins_look_alike_and_are_offered_the_same() -> None:
    """Two hidden units change places: whoever does not know them sees and is offered the same."""
    compared = 0
    for session, seat in positions(opening().copy(), 160, 8):
        unknown = hidden_pieces(session.ruleset, session.machine.s, number(session, seat))
        pairs = [pair for group in alike(session.ruleset, unknown) for pair in pairwise(group)]
        for one, other in pairs[:2]:
            twin = session.copy()
            twin.machine = twin.machine.copy()
            exchange(twin.ruleset, twin.machine, {one: other, other: one})
            faces = twin.ruleset.layout.arrays["piece", "face"].base
            if twin.machine.s[faces + one] != session.machine.s[faces + other]:
                continue
            twin._options = None
            mine, others = session.view(seat), twin.view(seat)
            assert (mine["things"], mine["counters"]) == (others["things"], others["counters"])
            assert [o.key for o in session.options] == [o.key for o in twin.options]
            compared += 1
    assert compared > 10


def test_worlds_of_agents_are_sound_and_keep_what_is_seen() -> None:
    changed = 0
    for session, seat in positions(opening().copy(), 60, 15):
        world = Sight.of(session.ruleset, session.machine).world("a")
        # who is what may break what holds of single units (plant guards never march), not what is seen of all
        assert not [v for v in violations(session.ruleset, world) if "one_side" in v]
        other = session.copy()
        other.machine = world
        view, seen = session.view(seat), other.view(seat)
        assert (view["things"], view["counters"]) == (seen["things"], seen["counters"])
        changed += world.s != session.machine.s
    assert changed > 1
