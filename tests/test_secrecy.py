"""Secrets: `visible to …` in views and logs, tokens in hands, and mistakes in writing it."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.explain import may_know
from interpreter.game import open_game
from interpreter.session import Session
from rulesdsl import program as pg
from rulesdsl.diagnostics import RulebookError
from rulesdsl.types import FLAG, NUMBER, thing

PATROL = Path(__file__).parent / "testdata" / "games" / "patrol"


def played(decisions: int = 40, seed: int = 3) -> Session:
    session = Session.start(PATROL, seed=seed)
    for number in range(decisions):
        if not session.over:
            session.choose((number * 5) % len(session.options))
    return session


def test_an_attribute_is_seen_by_those_it_is_visible_to() -> None:
    session = Session.start(PATROL, seed=3)
    red, blue, all_ = (session.view(seat)["things"] for seat in ("red", "blue", None))
    assert {key for key, values in red.items() if "orders" in values} == {"piece:r1", "piece:r2", "piece:r3"}
    assert {key for key, values in blue.items() if "orders" in values} == {"piece:b1", "piece:b2", "piece:b3"}
    assert not any("orders" in values for values in all_.values())


def test_a_track_that_nobody_may_see_is_in_no_view() -> None:
    session = Session.start(PATROL, seed=3)
    assert session.machine.s[session.ruleset.layout.tracks["omen"]] > 0
    for seat in ("red", "blue", None):
        assert "omen" not in session.view(seat)["tracks"]
        assert "round" in session.view(seat)["tracks"]


def test_the_other_side_of_a_flag_can_be_the_one_who_sees_it() -> None:
    session = played()
    spied = {seat: str(session.view(seat)["things"]).count("spied") for seat in ("red", "blue", None)}
    assert spied["red"] + spied["blue"] > 0
    assert spied[None] == 0
    things = session.view("red")["things"]
    assert all(key.startswith("piece:b") for key, values in things.items() if "spied" in values)


def test_hands_are_counted_and_only_the_own_one_is_named() -> None:
    session = Session.start(PATROL, seed=3)
    views = {seat: session.view(seat)["tokens"] for seat in ("red", "blue", None)}
    assert views["red"]["held"] == views["blue"]["held"] == {"red": 1, "blue": 1}
    assert len(views["red"]["mine"]) == len(views["blue"]["mine"]) == 1
    assert views["red"]["mine"] != views["blue"]["mine"]
    assert views[None]["mine"] == []


def test_the_prompt_is_in_the_view_of_who_decides_only() -> None:
    session = Session.start(PATROL, seed=3)
    other = "blue" if session.player == "red" else "red"
    assert "options" in session.view(session.player)
    assert "options" not in session.view(other)
    assert "prompt" not in session.view(other)


def test_log_lines_about_secrets_are_read_by_those_who_may_know() -> None:
    session = played()
    texts = {seat: [entry.text for entry in session.log_of(seat)] for seat in ("red", "blue", None)}
    assert any(text.startswith("Red One: orders") for text in texts["red"])
    assert not any("Red" in text and "orders" in text for text in texts["blue"])
    drawn = [text for text in texts["red"] if "draws" in text]
    assert any(t.startswith("Red draws") and t != "Red draws a token" for t in drawn)
    assert {t for t in drawn if t.startswith("Blue")} == {"Blue draws a token"}
    assert {t for t in texts[None] if "draws" in t} == {"Red draws a token", "Blue draws a token"}


def test_a_roll_that_becomes_a_secret_is_one() -> None:
    session = played()
    for seat in ("red", "blue", None):
        texts = [entry.text for entry in session.log_of(seat)]
        assert not any("for omen" in text or "omen is" in text or "for orders" in text for text in texts)
        assert any("for fate" in text for text in texts)


def test_values_of_a_note_are_for_those_who_may_know_them() -> None:
    own, all_ = [], []
    for seed in range(4):
        session = played(200, seed)
        own += [e.text for e in session.log_of("red") if e.text.startswith("luck turns")]
        all_ += [e.text for e in session.log_of(None) if e.text.startswith("luck turns")]
    assert set(all_) == {"luck turns"}
    assert {"luck turns", "luck turns: 1"} <= set(own)
    assert len(own) == len(all_)


def test_numbers_of_decisions_do_not_tell_how_often_others_were_asked() -> None:
    session = played()
    mine = sum(moment.who == "red" for moment in session.history)
    assert max(entry.decision for entry in session.log_of("red")) <= mine


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("visible to sid", "sid"),
        ("visible to power", "set"),
        ("visible to a1", "player"),
    ],
)
def test_mistakes_are_found_where_they_stand(tmp_path: Path, written: str, message: str) -> None:
    home = tmp_path / "patrol"
    (home / "rules").mkdir(parents=True)
    for file in ("game.yaml", "map.yaml", "pieces.yaml", "rules/01_patrol.md"):
        text = (PATROL / file).read_text()
        (home / file).write_text(text.replace("= 0 visible to side", f"= 0 {written}"))
    with pytest.raises(RulebookError) as caught:
        open_game(home)
    problem = caught.value.problems[0]
    assert message in problem.message + problem.help
    assert problem.span.file.line(problem.span.line).strip().startswith("orders")


def test_explanations_tell_the_player_who_decides_only_what_he_may_know() -> None:
    session = Session.start(PATROL, seed=3)
    world = session.ruleset.program.world
    pieces, orders = world.universes["piece"], world.attributes["piece", "orders"]
    assert session.player == "red"
    for piece in pieces.ids:
        of = pg.Const(pieces.index[piece], type=thing("piece"))
        secret = pg.AttrGet(orders, of, type=orders.type)
        assert may_know(session, secret, {}) == piece.startswith("r")
        sum_ = pg.Arith("+", secret, pg.TrackGet("omen", type=NUMBER), type=NUMBER)
        assert not may_know(session, sum_, {})
    assert may_know(session, pg.TrackGet("round", type=NUMBER), {})
    holder = world.attributes["token", "holder"]
    mine = session.view("red")["tokens"]["mine"]
    for number, token in enumerate(world.universes["token"].ids):
        where = pg.AttrGet(holder, pg.Const(number, type=thing("token")), type=holder.type)
        assert may_know(session, where, {}) == (token in mine)


def test_a_definition_that_looks_at_secrets_is_for_nobody() -> None:
    session = Session.start(PATROL, seed=3)
    strength = pg.QuantityE("strength", (pg.Const(0, type=thing("player")),), type=NUMBER)
    few = pg.CallE("invariant_few_units", (), type=FLAG)
    assert not may_know(session, strength, {})
    assert may_know(session, few, {})
