"""Fog of war: who lies below is hidden in views, logs, options, pictures, answers, and from agents."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from interpreter.agents.counters import alike, exchange
from interpreter.agents.seats import make_agent
from interpreter.agents.sight import Sight
from interpreter.asking.answers import Explanation, Refusal
from interpreter.keeping.replay import Replay
from interpreter.measuring.simulation import Setup, Table
from interpreter.playing.counters import hidden_pieces, members
from interpreter.playing.game import open_game
from interpreter.playing.invariants import violations
from interpreter.playing.picture import map_svg
from interpreter.playing.session import IllegalChoice
from rulesdsl import Session
from rulesdsl.base.diagnostics import RulebookError, UsageError
from rulesdsl.cli.play.board import Board
from rulesdsl.cli.play.optionlist import option_detail
from rulesdsl.cli.play.things import look

FOG = Path(__file__).parents[1] / "testdata" / "games" / "fog"


def played(decisions: int, seed: int) -> Session:
    session, rng = Session.start(FOG, seed=seed), Random(seed)
    for _ in range(decisions):
        if not session.over:
            session.choose(rng.choice(session.options))
    return session


def number(session: Session, seat: str) -> int:
    return session.ruleset.program.world.universes["player"].index[seat]


def unknown(session: Session, seat: str) -> list[str]:
    ids = session.ruleset.program.world.universes["piece"].ids
    return [ids[i] for i in members(hidden_pieces(session.ruleset, session.machine.s, number(session, seat)))]


# ---- what is seen ----------------------------------------------------------------------------------------
def test_only_the_top_of_an_enemy_stack_is_known() -> None:
    session = Session.start(FOG, seed=1)
    assert unknown(session, "red") == ["b1", "b2", "b4"]
    assert unknown(session, "blue") == ["r1", "r2", "r4"]
    red = session.view("red")
    assert {key for key in red["things"] if key.startswith("piece:b")} == {"piece:b3", "piece:b5"}
    assert red["things"]["piece:r1"]["at"] == "a1"
    back = {"class": "unit", "shows": {"side": "blue"}}
    assert red["counters"] == {
        "c2": [{"number": 1, **back}],
        "d3": [{"number": 1, **back}, {"number": 2, **back}],
    }
    assert sorted(session.view(None)["counters"]) == ["a1", "b2", "c2", "d3"], (
        "an onlooker knows what all know"
    )


def test_with_a_clear_sky_nothing_is_hidden() -> None:
    session = Session.start(FOG, options={"clear_sky": True}, seed=1)
    assert unknown(session, "red") == unknown(session, "blue") == []
    assert session.view("red")["counters"] == {}
    assert session.view("red")["things"]["piece:b1"]["at"] == "d3"


def test_who_fights_is_shown_and_who_moves_on_is_hidden_again() -> None:
    session = Session.start(FOG, seed=1)
    for key in ("r5", "b1", "enough", "hold-fire", "attack:c2"):
        session.choose(key)
    assert "b4" not in unknown(session, "red")
    assert any("Blue Guns" in entry.text and "fought" in entry.text for entry in session.log_of("red"))
    assert session.barriers[-1] in ("dice", "reveal")


def test_a_hidden_unit_moves_without_its_name() -> None:
    session = Session.start(FOG, seed=1)
    for key in ("r1", "a2", "halt"):
        session.choose(key)
    told = {
        seat: [e.text for e in session.log_of(seat) if ": to" in e.text] for seat in ("red", "blue", None)
    }
    assert told == {
        "red": ["Red Guards: to a2"],
        "blue": ["an unknown unit of Red: to a2"],
        None: ["an unknown unit of Red: to a2"],
    }
    assert not any("Guards" in entry.text or "r1" in entry.things for entry in session.log_of("blue"))
    assert session.view("blue")["things"]["piece:r1"]["at"] == "a2", "there it lies on top"


def test_options_name_a_hidden_counter_by_its_place() -> None:
    session = Session.start(FOG, seed=1)
    for key in ("r5", "b1", "enough"):
        session.choose(key)
    shown = {option.key: option.text for option in session.options}
    assert shown["counter_1_in_c2"] == "an unknown unit of Blue (no. 1 in c2)"
    assert shown["b5"] == "Blue Militia"
    with pytest.raises(IllegalChoice):
        session.choose("b4")
    session.choose("counter_1_in_c2")
    assert not any("hurt" in entry.text for entry in session.log_of("red")), "nobody is told what was hit"
    hurt = session.ruleset.layout.arrays["piece", "hurt"].base
    assert session.machine.s[hurt + session.ruleset.program.world.universes["piece"].index["b4"]] == 1


def test_a_game_with_hidden_options_is_made_again_from_its_choices() -> None:
    session = played(60, 5)
    again = Session.start(FOG, seed=5)
    for key in session.choices:
        again.choose(key)
    assert again.hash == session.hash
    assert any("counter" in key for seed in range(6) for key in played(60, seed).choices)


def test_a_replay_from_a_seat_names_no_hidden_unit() -> None:
    session = Session.start(FOG, seed=1)
    for key in ("r1", "a2", "halt"):
        session.choose(key)
    replay = Replay(session, "blue", all_seen=False)
    assert "Red Guards" not in str([replay.step(number) for number in range(len(replay))])
    openly = Replay(session)
    assert "Red Guards" in str([openly.step(number) for number in range(len(openly))])


# ---- twins -----------------------------------------------------------------------------------------------
def twins(session: Session, seat: str) -> Iterator[Session]:
    """The same game with two pieces in each other's places that `seat` cannot tell apart."""
    hidden = hidden_pieces(session.ruleset, session.machine.s, number(session, seat))
    for group in alike(session.ruleset, hidden):
        for one, other in pairwise(group):
            twin = session.copy()
            twin.machine = twin.machine.copy()
            exchange(twin.ruleset, twin.machine, {one: other, other: one})
            twin._options = None
            if twin.machine.s != session.machine.s:
                yield twin
    for piece in members(hidden):  # or one of them has been hurt meanwhile
        twin = session.copy()
        twin.machine = twin.machine.copy()
        twin.machine.s[twin.ruleset.layout.arrays["piece", "hurt"].base + piece] += 1
        twin._options = None
        yield twin


def answers(session: Session, seat: str) -> str:
    """Everything a seat can ask."""
    told: list[Any] = [session.view(seat), map_svg(session, seat)]
    world = session.ruleset.program.world
    board = Board(session, session.view(seat))
    if session.player == seat:
        told += [(o.key, o.text, option_detail(board, o)) for o in session.options]
        told += [_plain(session.explain(option, seat)) for option in session.options]
        told += [
            look(session, name) for name in (*world.universes["piece"].ids, *world.universes["space"].ids)
        ]
        for wish in (*world.universes["piece"].ids, *world.universes["space"].ids):
            try:
                told.append([_plain(refusal) for refusal in session.why_not(wish, seat)])
            except UsageError as error:
                told.append(str(error))
    for name, given in (("on_top", "b1"), ("on_top", "b4"), ("on_top", "r2"), ("near_enemy", "c1 red")):
        try:
            told.append(session.value(name, *given.split(), seat=seat))
        except UsageError as error:
            told.append(str(error))
    return json.dumps(told, default=str)


def _plain(found: Explanation | Refusal) -> str:
    return repr(found)


def test_twin_worlds_answer_the_same() -> None:
    compared = 0
    for seed in range(3):
        session, rng = Session.start(FOG, seed=seed), Random(seed)
        while not session.over:
            me = str(session.player)
            if rng.random() < 0.3:
                for twin in twins(session, me):
                    compared += 1
                    assert answers(twin, me) == answers(session, me)
            session.choose(rng.choice(session.options))
    assert compared > 20


@pytest.mark.parametrize("kind", ["random", "greedy", "mcts:8"])
def test_agents_decide_the_same_in_twin_worlds(kind: str) -> None:
    compared = 0
    for seed in range(4):
        session, rng = Session.start(FOG, seed=seed), Random(seed)
        agent = make_agent(kind, "agent")
        decision = 0
        while not session.over:
            me = str(session.player)
            if rng.random() < 0.2:
                sight = Sight.of(session.ruleset, session.machine)
                chosen = _shown(session, agent.choose(sight, decision))
                for twin in twins(session, me):
                    compared += 1
                    seen = Sight.of(twin.ruleset, twin.machine)
                    assert _shown(twin, agent.choose(seen, decision)) == chosen
                    for number_ in range(3):
                        assert sight.world(f"w{number_}").s == seen.world(f"w{number_}").s
            session.choose(rng.choice(session.options))
            decision += 1
    assert compared > 40


def _shown(session: Session, index: int) -> str:
    return next(option.key for option in session.options if option.index == index)


def test_possible_worlds_are_sound_and_keep_what_is_seen() -> None:
    changed = 0
    for seed in range(4):
        session, rng = Session.start(FOG, seed=seed), Random(seed)
        while not session.over:
            me = str(session.player)
            sight = Sight.of(session.ruleset, session.machine)
            for name in "ab":
                world = sight.world(name)
                assert not violations(session.ruleset, world)
                other = session.copy()
                other.machine = world
                view, seen = session.view(me), other.view(me)
                assert (view["things"], view["counters"]) == (seen["things"], seen["counters"])
                changed += world.s != session.machine.s
            session.choose(rng.choice(session.options))
    assert changed > 40


# ---- writing it ------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("showing side", "showing sid", "unknown-name"),
        ("visible to knowers(it)", "visible to power", "type-mismatch"),
        ("height: stack", "height: stack = 1", "stack"),
        ("put head on top", "set head.height to 1", "stack"),
        ("    height: stack\n", "", "stack"),
        ("piece banner", "piece banner\n    level: stack", "stack"),
        ("space field", "space field\n    identity visible to nobody", "identity"),
        ("    fought: flag\n", "    fought: flag\n    identity visible to side\n", "duplicate-name"),
    ],
)  # fmt: skip
def test_mistakes_are_told(tmp_path: Path, old: str, new: str, code: str) -> None:
    home = tmp_path / "fog"
    for file in FOG.rglob("*.*"):
        (home / file.relative_to(FOG)).parent.mkdir(parents=True, exist_ok=True)
        (home / file.relative_to(FOG)).write_text(file.read_text())
    rules = home / "rules" / "01_fog.md"
    assert old in rules.read_text()
    rules.write_text(rules.read_text().replace(old, new, 1))
    with pytest.raises(RulebookError) as told:
        open_game(home)
    assert code in [problem.code for problem in told.value.problems]


# ---- many games ------------------------------------------------------------------------------------------
def test_simulated_games_are_the_same_however_many_are_played() -> None:
    """Options are listed as their player sees them, also where games are played at one go."""
    setup = Setup(FOG, (), None, {}, {"red": "random", "blue": "random"}, "4")
    table = Table(setup)
    for game in range(4):
        assert table.play(game) == table.play(game, at_one_go=True)


def test_who_only_counts_options_does_not_pay_for_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    session = played(20, 3)
    monkeypatch.setattr("interpreter.agents.sight.forget", lambda *_: pytest.fail("nobody asked for a world"))
    make_agent("random", "agent").choose(Sight.of(session.ruleset, session.machine), 0)
