"""Acts: nothing illegal is offered, nothing legal is lost, nothing hidden shows, few gestures are enough."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from interpreter.acts.grouping import act_starts
from interpreter.acts.lookahead import Limit
from interpreter.acts.offering import Act, acts
from interpreter.acts.orders import orders
from interpreter.acts.performing import perform, undo_act
from interpreter.acts.rest import rest_for_me
from interpreter.playing.session import IllegalChoice, Session
from rulesdsl.base.diagnostics import UsageError
from tests.acts_driver import Recorded, read_recorded
from tests.promises import FOG
from tests.promises.twins import make_twin

RECORDED = Path(__file__).parents[1] / "testdata" / "acts"
GAMES = {  # decisions played at random, and after how many of them acts are looked at
    "tutorial/skirmish": (60, 2),
    "tutorial/breakthrough": (12, 4),
    "race_for_berlin": (60, 6),
    "battle_for_germany": (12, 6),
    "downfall_of_the_third_reich": (30, 10),
    FOG: (40, 4),
}


def moments(name: str, seed: int = 5) -> Iterator[Session]:
    """Some positions of a game played at random."""
    count, every = GAMES[name]
    session, rng = Session.start(name, seed=seed), Random(seed)
    for number in range(count):
        if session.over:
            return
        if number % every == 0:
            yield session
        session.choose(rng.choice(session.options))


@pytest.mark.parametrize("name", GAMES)
def test_every_option_begins_an_act_and_every_act_can_be_performed(name: str) -> None:
    looked_at = 0
    for session in moments(name):
        seat = str(session.player)
        offer, before = acts(session, seat), session.hash
        assert {act.keys[0] for act in offer.acts} == {option.key for option in session.options}
        for act in offer.acts[:: max(1, len(offer.acts) // 6)]:
            for follow in (act, *list(acts(session, seat, act.keys).acts[:2] if act.further else ())):
                looked_at += 1
                _performed_as_told(session, seat, follow)
        assert session.hash == before, "looking changed the game"
    assert looked_at


def _performed_as_told(session: Session, seat: str, act: Act) -> None:
    trial = session.copy()
    done = perform(trial, seat, act.keys)
    assert done.done == act.keys[: len(done.done)]
    if act.preview.way and not done.stopped:
        piece = act.first[0]
        place = trial.view(seat)["things"].get(piece, {}).get("at")
        assert place == act.preview.way[-1] or act.preview.then, act
    assert not done.stopped or session.ruleset.program.tokens or session.ruleset.program.visibility, done


@pytest.mark.parametrize("name", ["tutorial/skirmish", "race_for_berlin"])
def test_with_next_to_no_work_nothing_is_lost(name: str) -> None:
    for session in moments(name):
        offer = acts(session, session.player, limit=Limit(nodes=2))
        assert {act.keys[0] for act in offer.acts} == {option.key for option in session.options}
        assert not offer.whole or len(session.options) <= 2


def test_only_who_is_asked_is_offered_anything_or_may_do_it() -> None:
    session = Session.start("tutorial/skirmish", seed=1)
    other = next(seat for seat in session.ruleset.seats.ids if seat != session.player)
    assert acts(session, other).acts == ()
    assert acts(session, None).acts == ()
    key, before = session.options[0].key, session.hash
    with pytest.raises(IllegalChoice):
        acts(session, other, (key,))
    with pytest.raises(IllegalChoice):
        perform(session, other, (key,))
    for keys in ((), ("no-such-thing",), ("no-such-thing", key)):
        with pytest.raises(IllegalChoice):
            perform(session, str(session.player), keys)
    with pytest.raises(UsageError):
        acts(session, "nobody")
    assert session.hash == before
    assert not session.history


def test_options_and_prompts_say_what_they_are_about() -> None:
    session = Session.start("race_for_berlin", seed=3)
    universes = session.ruleset.program.world.universes
    rng, kinds = Random(2), set[str]()
    for _ in range(80):
        assert session.prompt is not None
        for thing in (*session.prompt.things, *(t for o in session.options for t in o.things)):
            universe, _, identity = thing.partition(":")
            assert universe == "entry" or identity in universes[universe].ids
        kinds |= {option.kind for option in session.options}
        session.choose(rng.choice(session.options))
    assert {"choose", "menu", "step", "done"} <= kinds
    json.dumps(acts(session, session.player).json())


# ---- drafts ----------------------------------------------------------------------------------------------
def activated(seed: int = 3) -> Session:
    """Race for Berlin where Zhukov has designated three armies to fight and one to move."""
    session = Session.start("race_for_berlin", seed=seed)
    for key in ("enter:riesa", "let-it-go", "enough", "let-it-go", "enough"):
        session.choose(key)
    plan = ("activate:s8gaa", "combat", "activate:s8gab", "combat", "activate:s5shaa", "combat",
            "activate:s2gtaa", "movement")  # fmt: skip
    assert not perform(session, "zhukov", plan).stopped
    return session


def test_four_activations_are_one_gesture_and_one_step_back() -> None:
    session = activated()
    assert len(session.history) == 13
    assert undo_act(session, ["zhukov"]) == 8
    assert session.prompt is not None
    assert session.prompt.text == "activate a unit"
    offer = acts(session, "zhukov", ("activate:s8gaa", "combat"))
    assert offer.complete
    assert offer.series == "again"
    assert "activate:s8gaa" not in {act.keys[2] for act in offer.acts}


def test_a_march_is_one_act_with_its_way_and_cost() -> None:
    session = activated()
    moves = {act.second[0]: act for act in acts(session, "zhukov").acts if act.kind == "move"}
    far = moves["space:ziebingen"]
    assert far.first == ("piece:s2gtaa",)
    assert len(far.preview.way) > 1
    assert far.preview.cost == "2"
    before, start = session.hash, len(session.history)
    perform(session, "zhukov", far.keys)
    assert session.view("zhukov")["things"]["piece:s2gtaa"]["at"] == "ziebingen"
    assert start in act_starts(session)
    assert start + 1 not in act_starts(session)
    undo_act(session, ["zhukov"])
    assert session.hash == before


def test_a_set_is_gathered_in_a_draft_or_taken_whole() -> None:
    session = activated()
    perform(session, "zhukov", ("halt",))
    offer = acts(session, "zhukov")
    whole = next(act for act in offer.acts if act.kind == "all" and act.first == ("space:seelow",))
    assert {"s8gaa", "s8gab", "s5shaa"} <= set(whole.keys)
    draft = acts(session, "zhukov", ("attack:seelow", "s8gab", "s8gaa"))
    assert draft.series == "gather"
    assert not draft.complete
    (done,) = [act for act in draft.acts if act.kind == "done"]
    assert done.keys == ("attack:seelow", "s8gab", "s8gaa", "these")
    assert not perform(session, "zhukov", done.keys).stopped


def test_a_draft_that_cannot_be_is_refused() -> None:
    session = activated()
    for draft in (("halt", "attack:seelow", "s2gtaa"), ("no-such-thing",), ("halt", "no-such-thing")):
        with pytest.raises(IllegalChoice):
            acts(session, "zhukov", draft)


def test_an_act_ends_where_something_comes_out() -> None:
    """What was planned beyond a die is left to be decided anew."""
    session = Session.start("tutorial/skirmish", seed=1)
    rng = Random(4)
    for _ in range(200):
        offer = acts(session, session.player)
        risky = next((act for act in offer.acts if act.preview.then == "dice" and not act.further), None)
        if risky is not None:
            done = perform(session, str(session.player), (*risky.keys, "anything"))
            assert done.done == risky.keys
            assert done.stopped
            return
        session.choose(rng.choice(session.options))
        if session.over:
            session = Session.start("tutorial/skirmish", seed=rng.randrange(100))
    pytest.fail("no dice fell")


# ---- secrets ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["race_for_berlin", FOG])
def test_twin_worlds_are_offered_the_same_acts(name: str) -> None:
    compared, rng = 0, Random(9)
    for session in moments(name, seed=8):
        me = str(session.player)
        twin = make_twin(session, me, rng)
        if twin is None:
            continue
        one, other = acts(session, me), acts(twin, me)
        assert one.json() == other.json()
        for act in [act for act in one.acts if act.further][:3]:
            assert acts(session, me, act.keys).json() == acts(twin, me, act.keys).json()
        compared += 1
    assert compared >= 5


# ---- how many gestures -----------------------------------------------------------------------------------
def replayed(recorded: Recorded) -> tuple[int, int, list[tuple[str, tuple[str, ...]]]]:
    """Play a recorded game by acts again: every one of them is offered, draft by draft. How many prompts with
    a choice, how many gestures, and what was asked and done."""
    prompts, last, asked = 0, 0, list[tuple[str, tuple[str, ...]]]()
    for session, seat, keys, gesture in recorded.steps():
        assert session.prompt is not None
        asked.append((session.prompt.text, keys))
        offer, draft = acts(session, seat), ()
        while keys not in {act.keys for act in offer.acts}:
            longer = [act.keys for act in offer.acts if keys[: len(act.keys)] == act.keys]
            assert longer, (draft, keys)
            draft = max(longer, key=len)
            offer = acts(session, seat, draft)
        before, last = len(session.history), gesture
        assert not perform(session, seat, keys).stopped
        prompts += sum(moment.had_a_choice for moment in session.history[before:])
    return prompts, last, asked


def test_turn_1_of_race_for_berlin_takes_at_most_45_gestures() -> None:
    prompts, gestures, _ = replayed(read_recorded(RECORDED / "race_turn_1.json"))
    assert prompts > 100, "a whole turn, played by the greedy agent"
    assert gestures <= 45


def test_battle_for_germany_takes_one_act_a_move_and_two_gestures_an_attack() -> None:
    _, _, asked = replayed(read_recorded(RECORDED / "battle_turn_1.json"))
    moves = [keys for text, keys in asked if text == "a unit to move"]
    assert sum(keys[0].startswith("move_unit:") for keys in moves) >= 5
    assert all(sum(key.startswith("move_unit:") for key in keys) <= 1 for keys in moves)
    assert not [text for text, _ in asked if text.startswith("march of")], "no march is asked step by step"
    attacks = [keys for text, keys in asked if text == "hexes to attack together" and len(keys) > 1]
    assert attacks
    assert not [text for text, _ in asked if text == "the attacking units"]


def test_the_german_set_up_of_fortress_berlin_takes_few_gestures() -> None:
    session = Session.start("fortress_berlin", seed=3)
    seat, gestures = str(session.player), 0
    while any("set up" in session.machine.code.names[frame[0]] for frame in session.machine.stack):
        assert acts(session, seat).rest
        gestures += 1
        rest_for_me(session, seat, seconds=300)
    assert gestures <= 10
    assert len(session.history) > 60
    assert undo_act(session, [seat]) > 0


# ---- orders ----------------------------------------------------------------------------------------------
def test_a_stack_is_sent_where_it_goes_in_the_end() -> None:
    """At the question who is activated: the mode is found for a march and for an attack; the rest follows
    when it is asked."""
    session, seat = Session.start("race_for_berlin", seed=3), "zhukov"
    while not any(option.key.startswith("activate:") for option in session.options):
        session.choose(session.options[-1])
    before = session.hash
    guards = ["piece:s8gaa", "piece:s8gab"]
    (attack,) = orders(session, seat, guards, "space:seelow")
    assert attack.later
    assert attack.keys == ("activate:s8gaa", "combat", "activate:s8gab", "combat")
    assert session.hash == before, "looking changed the game"
    assert not orders(session, seat, guards, "space:leipzig")
    assert not orders(session, "konev", guards), "only for who is asked"
    everywhere = {order.to: order for order in orders(session, seat, guards)}
    assert everywhere["space:seelow"].keys == attack.keys
    assert [key for key in everywhere["space:barwalde"].keys if ":" not in key] == ["movement", "movement"]
    perform(session, seat, (*attack.keys, "no-more-units"))
    (now,) = orders(session, seat, guards, "space:seelow")
    assert not now.later
    assert now.keys == ("attack:seelow", "s8gaa", "s8gab")


def test_a_march_of_several_is_one_order_and_dice_are_waited_for() -> None:
    recorded, seen = read_recorded(RECORDED / "race_turn_1.json"), set[str]()
    for session, seat, keys, _ in recorded.steps():
        if keys[0] == "activate:s47a":
            modes = orders(session, seat, ["piece:s3shaa", "piece:s3shab"], "space:bridgehead")
            assert modes[0].keys == ("activate:s3shaa", "movement", "activate:s3shab", "movement")
            seen.add("march")
        if keys == ("g35_ss",):
            (order,) = orders(session, seat, ["piece:g35_ss"], "space:lubben")
            assert (order.blind, order.later, order.keys) == (True, True, ("g35_ss",))
            seen.add("dice")
        perform(session, seat, keys)
        if len(seen) == 2:
            return
    raise AssertionError(seen)
