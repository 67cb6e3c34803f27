"""Secrets: `visible to …` in views and logs, tokens in hands, and mistakes in writing it."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.playing.game import open_game
from interpreter.playing.known_values import may_know
from interpreter.playing.session import IllegalChoice
from rulesdsl import Session
from rulesdsl import program as pg
from rulesdsl.base.diagnostics import RulebookError, UsageError
from rulesdsl.program.types import FLAG, NUMBER, thing
from tests.promises.twins import _token_swaps

PATROL = Path(__file__).parents[1] / "testdata" / "games" / "patrol"


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
        assert not any("for omen" in text or "omen is" in text for text in texts)
        assert any("for fate" in text for text in texts)
        for at, text in enumerate(texts):  # each side rolls for its own units, and reads that
            if "for orders" in text:
                assert texts[at + 1].startswith(f"{str(seat).capitalize()} ")
    assert not any("for orders" in entry.text for entry in session.log_of(None))


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


def test_a_definition_that_looks_at_secrets_is_for_those_who_may_see_them() -> None:
    session = Session.start(PATROL, seed=3)
    few = pg.CallE("invariant_few_units", (), type=FLAG)
    assert may_know(session, few, {})
    for player, known in ((0, {0}), (1, {1})):  # it looks at the luck of the player
        strength = pg.QuantityE("strength", (pg.Const(player, type=thing("player")),), type=NUMBER)
        assert {who for who in (0, 1) if may_know(session, strength, {}, who)} == known
        assert not may_know(session, strength, {}, -1)


# ---- a seat asks ---------------------------------------------------------------------------------------
def changed_patrol(home: Path, old: str, new: str) -> Path:
    (home / "rules").mkdir(parents=True)
    for file in ("game.yaml", "map.yaml", "pieces.yaml", "rules/01_patrol.md"):
        text = (PATROL / file).read_text()
        assert file != "rules/01_patrol.md" or old in text
        (home / file).write_text(text.replace(old, new))
    return home


def test_a_seat_is_told_only_numbers_it_may_know(tmp_path: Path) -> None:
    rules = 'define readiness(unit) = unit.orders + 1\nquantity zeal(unit) = unit.orders\n    +1 "always"\n\n'
    marker = "define invariant_few_units"
    session = Session.start(changed_patrol(tmp_path / "patrol", marker, rules + marker), seed=3)
    for name in ("readiness", "zeal"):
        everything = session.value(name, "r1")
        assert session.value(name, "r1", seat="red") == everything
        for seat in ("blue", None):
            with pytest.raises(UsageError, match="may not know"):
                session.value(name, "r1", seat=seat)
    assert session.breakdown("zeal", "b1", seat="blue") == session.breakdown("zeal", "b1")
    with pytest.raises(UsageError, match="may not know"):
        session.breakdown("zeal", "b1", seat="red")
    assert session.value("invariant_few_units", seat=None) == session.value("invariant_few_units")


def test_options_are_explained_to_who_is_asked() -> None:
    session = Session.start(PATROL, seed=3)
    assert session.player == "red"
    assert session.explain(0, seat="red") == session.explain(0)
    for seat in ("blue", None):
        with pytest.raises(IllegalChoice, match="red"):
            session.explain(0, seat=seat)
        with pytest.raises(IllegalChoice, match="red"):
            session.why_not("a1", seat=seat)


def asked_in_windows(session: Session, seed: int, decisions: int = 60) -> list[str]:
    """Who is asked at every decision, when nobody ever plays a token."""
    asked: list[str] = []
    for number in range(decisions):
        if session.over:
            break
        asked.append(str(session.player))
        keys = [option.key for option in session.options]
        session.choose("pass" if "pass" in keys else keys[(number * seed) % len(keys)])
    return asked


def test_a_window_can_ask_whatever_they_hold(tmp_path: Path) -> None:
    """Whether somebody is asked then tells nothing: the same pauses, whichever token he holds."""
    windows = "window council asking active\nwindow contact asking red, blue\n"
    always = windows.replace("\n", " whatever they hold\n")
    home = changed_patrol(tmp_path / "patrol", windows, always)
    differing = {PATROL: 0, home: 0}
    for place in differing:
        for seed in range(12):
            one = Session.start(place, seed=seed)
            for change in _token_swaps(one, "red"):
                twin = one.copy()
                change(twin.machine.s)
                differing[place] += asked_in_windows(one.copy(), 5) != asked_in_windows(twin, 5)
    assert differing[PATROL] > 0
    assert differing[home] == 0


def test_a_loop_over_secrets_is_not_told_by_what_is_said_in_it(tmp_path: Path) -> None:
    """The words of a note are for everybody, but not that there is a member they are said for."""
    said = (
        'after phase game begins:\n    for each unit where it.orders > 0: note "hush", unit\n'
        '    for each unit where it.orders > 0: note "psst"\n'
        '    for each unit: note "aloud {}", unit.orders\n\n'
    )
    marker = "define invariant_few_units"
    home = changed_patrol(tmp_path / "patrol", marker, said + marker)
    rules = home / "rules" / "01_patrol.md"
    text = rules.read_text()
    assert "orders: 0 to 6 = 0" in text
    rules.write_text(text.replace("orders: 0 to 6 = 0", "orders: 0 to 6 = 1"))
    session = Session.start(home, seed=3)
    for seat in ("red", "blue"):
        told = [entry.text for entry in session.log_of(seat)]
        assert sum(line == "psst" for line in told) == sum(line.startswith("hush: ") for line in told) > 0
        assert sum(line == "aloud 1" for line in told) == sum(line == "psst" for line in told)
        assert sum(line == "aloud …" for line in told) > 0
    assert not [line for line in session.log_of(None) if line.text.startswith(("hush", "psst"))]


def test_what_is_printed_cannot_be_hidden(tmp_path: Path) -> None:
    home = changed_patrol(tmp_path / "patrol", "printed troop: text", "printed troop: text visible to side")
    with pytest.raises(RulebookError, match="printed-secret"):
        open_game(home)


def test_race_for_berlin_has_a_house_rule_against_telling_pauses() -> None:
    """Then nothing but the number of tokens decides who is asked (token 1 is known to be Konev's)."""
    differing = {(): 0, ("closed_hands",): 0}
    for house in differing:
        session = Session.start("race_for_berlin", house=house, seed=11)
        while session.view("konev")["tokens"]["held"]["konev"] < 2:
            session.choose(0)
        twins = []
        for change in _token_swaps(session, "zhukov"):
            twin = session.copy()
            change(twin.machine.s)
            twins += [twin] if twin.view("konev")["tokens"]["mine"][0] == "heinrici" else []
        for twin in twins[::2]:
            differing[house] += asked_in_windows(session.copy(), 5, 150) != asked_in_windows(twin, 5, 150)
    assert differing[()] > 0
    assert differing["closed_hands",] == 0
