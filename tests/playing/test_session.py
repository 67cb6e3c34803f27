"""Sessions: how they start, choices, undo, copies, and rules that do not come to an end."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace
from pathlib import Path

import pytest

from interpreter.playing.prompts import option_keys
from interpreter.playing.session import IllegalChoice, Session
from interpreter.running.fuel import RunawayRule
from interpreter.running.machine import Machine
from rulesdsl.base.diagnostics import UsageError

GAMES = Path(__file__).parents[1] / "testdata" / "games"
CHAIN = """# Chain

## 1 All

```rules
track heat: number = 2

phase game
    repeat at most 5 times:
        red chooses one of:
            "square":
                repeat at most 100 times:
                    set heat to heat * heat
            "deep": set heat to d{last}
            "go on": add 1 to heat

define d0 = heat
{defines}
```
"""


def start(name: str = "patrol", seed: int = 5) -> Session:
    return Session.start(GAMES / name, seed=seed)


# ---- choices -------------------------------------------------------------------------------------------
def test_an_option_can_be_named_in_three_ways() -> None:
    hashes = set()
    for choose in (lambda s: s.options[0], lambda s: s.options[0].key, lambda s: 0):
        session = start()
        session.choose(choose(session))
        hashes.add(session.hash)
    assert len(hashes) == 1


@pytest.mark.parametrize("wrong", [-1, 99, True, None, 1.0, "", "nonsense", b"x", [], object()])
def test_anything_else_is_refused(wrong: object) -> None:
    session = start()
    before = session.hash
    with pytest.raises(IllegalChoice):
        session.choose(wrong)  # type: ignore[arg-type]
    assert session.hash == before


def test_an_option_of_another_decision_is_stale_even_if_its_key_is_offered_again() -> None:
    session = Session.start("tutorial/tic_tac_toe")
    kept = session.options[5]
    session.choose(0)
    assert kept.key in [option.key for option in session.options]
    with pytest.raises(IllegalChoice, match="another decision"):
        session.choose(kept)
    session.undo()
    session.choose(kept)


def test_an_altered_option_is_refused() -> None:
    session = start()
    with pytest.raises(IllegalChoice):
        session.choose(replace(session.options[0], text="win at once"))


def test_the_machine_itself_takes_only_what_is_offered() -> None:
    machine = Session.start("tutorial/tic_tac_toe").machine
    for index in (-1, -2, 9, 100):
        with pytest.raises(IndexError):
            machine.choose(index)
    machine.choose(8)


def test_labels_that_read_alike_get_different_keys() -> None:
    session = Session.start("tutorial/tic_tac_toe")
    site, world = session.site, session.ruleset.program.world
    keys = option_keys(world, site, [0, 0, 1, 0], False)
    assert len(set(keys)) == 4
    assert keys[1:] == [f"{keys[0]}-2", keys[2], f"{keys[0]}-3"]


def test_an_interrupt_leaves_no_half_a_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    session = start()
    before, log = session.hash, list(session.log)
    real = Machine.run

    def interrupted(self: Machine) -> None:
        real(self)
        raise KeyboardInterrupt

    with monkeypatch.context() as context:
        context.setattr(Machine, "run", interrupted)
        with pytest.raises(KeyboardInterrupt):
            session.choose(0)
    assert (session.hash, session.log, session.history) == (before, log, [])
    session.choose(0)


# ---- undo and copies -----------------------------------------------------------------------------------
def test_undo_to_any_earlier_decision() -> None:
    session = start()
    hashes = [session.hash]
    for number in range(30):
        session.choose(number % len(session.options))
        hashes.append(session.hash)
    for count in (1, 4, 0, 7, 18):
        if count:
            session.undo(count)
        assert session.hash == hashes[len(session.history)]
    assert session.history == []
    for wrong in (1, 0, -1):
        with pytest.raises(IllegalChoice, match="nothing left"):
            session.undo(wrong)


def test_a_copy_goes_its_own_way_with_the_same_past() -> None:
    session = start()
    for _ in range(10):
        session.choose(0)
    twin, before, log = session.copy(), session.hash, list(session.log)
    twin.choose(len(twin.options) - 1)
    twin.undo(8)
    twin.choose(0)
    assert (session.hash, session.log, len(session.history)) == (before, log, 10)
    session.undo(9)
    session.choose(0)
    assert twin.choices[:1] == session.choices[:1]
    assert (len(twin.history), len(session.history)) == (4, 2)


def test_dice_and_changes_of_player_are_barriers() -> None:
    session = start()
    while not session.over:
        session.choose(0)
    assert {"", "player", "dice"} <= set(session.barriers)


# ---- fuel ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("for-ever", r"does not come to an end: game → long"),
        ("back-and-forth", r"is nested too deeply: game → after pawn enters cell"),
    ],
)
def test_a_runaway_rule_is_named_and_nothing_changes(key: str, message: str) -> None:
    session = start("runaway")
    before, log = session.hash, list(session.log)
    with pytest.raises(RunawayRule, match=message):
        session.choose(key)
    assert (session.hash, session.log, session.history) == (before, log, [])
    session.choose("nothing")


def chained(tmp_path: Path, last: int) -> Session:
    home = tmp_path / "chain"
    (home / "rules").mkdir(parents=True)
    (home / "game.yaml").write_text('game: chain\ntitle: Chain\nplayers: [{id: red, colour: "#ff0000"}]\n')
    defines = "\n".join(f"define d{i} = d{i - 1} + 1" for i in range(1, last + 1))
    (home / "rules" / "01.md").write_text(CHAIN.format(defines=defines, last=last))
    return Session.start(home)


@pytest.mark.parametrize(
    ("key", "message"), [("square", "makes a number too large"), ("deep", "asks too many definitions")]
)
def test_numbers_and_definitions_do_not_explode(tmp_path: Path, key: str, message: str) -> None:
    session = chained(tmp_path, last=1500 if key == "deep" else 3)
    before = session.hash
    with pytest.raises(RunawayRule, match=message):
        session.choose(key)
    assert session.hash == before
    session.choose("go-on")


def test_a_seat_that_there_is_not_is_a_slip() -> None:
    session = Session.start(GAMES / "patrol", seed=3)
    for ask in (session.view, session.log_of, lambda seat: session.value("strength", "red", seat=seat)):
        with pytest.raises(UsageError, match=r'there is no seat "rot" \(there are: red, blue\)'):
            ask("rot")


def test_settings_are_words_numbers_or_flags() -> None:
    short = Session.start("tutorial/skirmish", options={"last_turn": 3})
    assert short.facts["settings"] == {"last_turn": "3"}
    assert short.hash == Session.start("tutorial/skirmish", options={"last_turn": "3"}).hash
    with pytest.raises(UsageError, match="set twice"):
        Session.start("tutorial/skirmish", options={"last_turn": 3}, readings={"last_turn": 4})
    with pytest.raises(UsageError, match=r'there is no option or reading "qqq"; there are: last_turn'):
        Session.start("tutorial/skirmish", options={"qqq": True})


def test_house_rules_are_never_dropped_in_silence() -> None:
    one = Session.start("race_for_berlin", house="clear_victory")
    assert one.facts["house"] == ["clear_victory.md"]
    with pytest.raises(UsageError, match="open already"):
        Session.start(one.game, house=["clear_victory"])
    assert repr(one).startswith("<Session of Race for Berlin with Clear victory, decision 0: ")


def test_the_log_keeps_the_values_of_every_line() -> None:
    session = Session.start("tutorial/skirmish", seed=7)
    for number in range(40):
        if not session.over:
            session.choose((number * 3) % len(session.options))
    kinds = {entry.kind: entry for entry in session.log}
    assert kinds["move"].values == kinds["move"].things
    assert len(kinds["move"].values) == 2
    assert kinds["roll"].text.endswith(f": {kinds['roll'].values[0]}")
    patrol = Session.start(GAMES / "patrol", seed=3)
    drawn = [entry for entry in patrol.log_of("blue") if entry.text == "Red draws a token"]
    assert drawn
    assert all(entry.values == () for entry in drawn)


def test_python_copies_a_session_as_copy_does() -> None:
    session = Session.start("tutorial/tic_tac_toe")
    for twin in (copy.copy(session), copy.deepcopy(session)):
        twin.choose(4)
        assert (session.choices, twin.choices) == ([], ["mark_cell:b2"])
        assert session.hash != twin.hash
    with pytest.raises(TypeError, match="save it"):
        pickle.dumps(session)
