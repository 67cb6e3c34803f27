"""Questions to a session: what a player may mean, what he is told, and what he must not learn by asking."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from interpreter.asking.answers import Refusal
from interpreter.playing.session import IllegalChoice
from rulesdsl import Session
from rulesdsl.base.diagnostics import UsageError
from tests.promises.twins import _token_swaps

PATROL = Path(__file__).parents[1] / "testdata" / "games" / "patrol"


@pytest.fixture
def home() -> Path:
    """A small game to ask questions about."""
    return Path(__file__).parents[1] / "testdata" / "games" / "asking"


# ---- numbers -------------------------------------------------------------------------------------------
def test_the_last_value_of_a_breakdown_is_the_value(home: Path) -> None:
    """Rounding and limits of the whole are lines of their own, and a line without a label says its sum."""
    session = Session.start(home)
    told = [(r.paragraph, r.label, r.op, r.amount, r.value) for r in session.breakdown("warmth", "a1")]
    assert told == [
        ("1", "base", "=", "3/2", "3/2"),
        ("1", "the number of cells whose heat is more than 3", "+", "0", "3/2"),
        ("1", "rounded down", "=", "1", "1"),
        ("1", "limit", "at least", "2", "2"),
    ]
    for _ in range(4):
        session.choose("enter:a1")
        session.choose("rest")
    reasons = session.breakdown("warmth", "a1")
    assert (reasons[-1].op, reasons[-1].amount) == ("at most", "3")
    assert reasons[-1].value == session.value("warmth", "a1") == "3"


def test_a_shift_on_a_scale_is_a_number(home: Path) -> None:
    last = Session.start(home).breakdown("shifted", "a1")[-1]
    assert (last.label, last.op, last.amount, last.value) == ("warm", "shift +", "1", "middle")


def test_things_are_meant_by_id_or_name_and_nonsense_is_told() -> None:
    session = Session.start("tutorial/skirmish", seed=7)
    assert session.breakdown("attack_strength", "First Foot") == session.breakdown(
        "attack_strength", "first_foot"
    )
    for arguments, message in (
        (("nobody",), 'there is no unit "nobody"'),
        (("hill",), "Hill is no unit: its class is zone"),
        ((), "takes unit"),
        (("",), 'there is no unit ""'),
    ):
        with pytest.raises(UsageError, match=message):
            session.value("attack_strength", *arguments)
    bench = Session.start("east_front")
    with pytest.raises(UsageError, match='there is no unit "nobody"'):
        bench.value("strength_of", "pz12_25+nobody")


# ---- why not ---------------------------------------------------------------------------------------------
def test_a_wish_can_be_a_name_a_key_or_a_sentence() -> None:
    session = Session.start("tutorial/skirmish", seed=7)
    assert session.prompt is not None
    assert session.prompt.text == "who marches?"
    for offered in ("guards", "Guards", "start_march:guards", "march with Guards"):
        assert session.why_not(offered) == []
    assert session.why_not("Dragoons") == session.why_not("start_march:dragoons") != []
    with pytest.raises(UsageError, match='"attack" is not what is asked now'):
        session.why_not("attack:guards")


def test_an_entry_of_a_menu_tells_its_condition_and_the_values(home: Path) -> None:
    session = Session.start(home)
    assert [r.clause for r in session.why_not("a2")] == ["a wall"]
    session.choose("enter:b2")
    said, source = "a1’s heat (3) is at most 99", "a1.heat > 99"
    assert session.why_not("jump") == [
        Refusal("1", "Asking", f"only when {source}", (("a1.heat", "3"),), said, source=source)
    ]
    with pytest.raises(UsageError, match="nothing that could be chosen"):
        session.why_not("")


def test_a_token_is_refused_by_its_hand_its_window_or_its_condition() -> None:
    session = Session.start(PATROL, seed=3)
    clauses: set[str] = set()
    for number in range(300):
        if session.over:
            break
        if session.prompt is not None and "play a token" in session.prompt.text:
            mine = session.view(session.player)["tokens"]["mine"]
            for token in session.ruleset.program.world.universes["token"].ids:
                told = session.why_not(token)
                clauses |= {refusal.clause for refusal in told}
                assert ("it is not in your hand" in [r.clause for r in told]) == (token not in mine)
        session.choose((number * 7) % len(session.options))
    assert "it is not in your hand" in clauses
    assert any(clause.startswith("it is played at another time: ") for clause in clauses)


def test_nobody_learns_a_secret_by_wishing(home: Path) -> None:
    """A clause about a secret is told only when nothing else forbids what was wished for."""
    session = Session.start(home)
    dark = session.ruleset.layout.arrays["space", "dark"].base
    index = session.ruleset.program.world.universes["space"].index
    known = session.why_not("a2")
    session.machine.s[dark + index["a2"]] = 5
    assert session.why_not("a2") == known
    session.choose("enter:b1")
    session.machine.s[dark + index["c3"]] = 5
    session.choose("rest")
    assert [(r.clause, r.facts) for r in session.why_not("c3")] == [("a pit", (("cell.dark", "hidden"),))]


def test_what_others_hold_changes_no_answer() -> None:
    """Twins that differ only in the other hand give the same reasons, whatever is wished for."""
    compared = 0
    for seed in range(3):
        session = Session.start(PATROL, seed=seed)
        for number in range(40):
            if session.over:
                break
            for change in _token_swaps(session, str(session.player)):
                twin = session.copy()
                change(twin.machine.s)
                for wish in (*session.ruleset.program.world.universes["token"].ids, "r1", "b1", "a1", "pass"):
                    assert _answer(session, wish) == _answer(twin, wish)
                    compared += 1
                for option in session.options:
                    assert session.explain(option) == twin.explain(option)
            session.choose((number * 5) % len(session.options))
    assert compared > 200


def _answer(session: Session, wish: str) -> str:
    try:
        return repr(session.why_not(wish, seat=session.player))
    except (UsageError, IllegalChoice) as error:
        return str(error)


def test_an_option_is_explained_by_what_it_meets_and_what_does_not_forbid_it(home: Path) -> None:
    why = Session.start("tutorial/skirmish", seed=7).explain("start_march:guards")
    source = "it.owner is player"
    facts, said = (("it.owner", "Blue"),), "Guards’ owner is Blue"
    assert why.met == (Refusal("4", "Movement", f"only where {source}", facts, said, source=source),)
    assert ("it has moved already", (("moved", "no"),)) in [(c.clause, c.facts) for c in why.considered]
    session = Session.start(home)
    assert [(c.clause, c.facts) for c in session.explain("enter:b1").considered] == [
        ("a wall", ()),
        ("a pit", (("cell.dark", "hidden"),)),
    ]
    for _ in range(2):
        session.choose("enter:b1")
        session.choose("rest")
    session.choose("enter:b1")
    assert session.explain("rest").met == ()


def test_a_token_is_explained_by_the_condition_it_is_played_under() -> None:
    session = Session.start("race_for_berlin", seed=11)
    while session.prompt is not None and "play a token" not in session.prompt.text:
        session.choose(0)
    token = session.explain(0)
    assert token.paragraph == "2.4.3"
    assert [condition.paragraph[:6] for condition in token.met] == ["event "]
    assert token.met[0].facts


# ---- in sentences ----------------------------------------------------------------------------------------
def test_players_are_told_what_decided_it_and_nothing_else() -> None:
    """Of `and` that fails only what fails, with names and values; the clause stays as it is written."""
    session = Session.start("race_for_berlin", seed=3)
    while session.prompt is not None and session.prompt.text != "activate a unit":
        session.choose(session.options[-1].key)
    (refusal,) = session.why_not("s52b")
    assert refusal.said == "52nd Army B’s camp is Konev, not Zhukov"
    assert (refusal.clause, refusal.source) == ("only of player", "of player")
    assert refusal.facts == (("of player", "Konev"),)


def test_a_meaning_is_opened_with_those_who_make_it_so() -> None:
    session = Session.start("tutorial/skirmish", seed=7)
    session.choose("start_march:hussars")
    told = {r.label: r.said for r in session.why_not("village")}
    assert told["enemies are there"].startswith(
        "Village is hostile to Blue, because there is some unit in Village"
    )
    assert told["enemies are there"].endswith("(Grenadiers, Militia)")
    assert [r.said for r in session.why_not("depot")] == ["Depot is not adjacent to Meadow"]


def test_a_sentence_keeps_a_secret(home: Path) -> None:
    """Whether a hidden condition holds is not told, nor its value: only what it asks."""
    session = Session.start(home)
    dark = session.ruleset.layout.arrays["space", "dark"].base
    index = session.ruleset.program.world.universes["space"].index
    before = session.explain("enter:b1").considered[1].said
    session.machine.s[dark + index["b1"]] = 2
    assert session.explain("enter:b1").considered[1].said == before
    assert before == "it depends on whether b1’s dark is more than 2, which is hidden"


def test_words_of_the_handbook_are_loaded_with_the_first_answer() -> None:
    """A game starts, asks and is played without them."""
    script = (
        "import sys\nfrom rulesdsl import Session\n"
        "from rulesdsl.cli.play import answers\n"
        "s = Session.start('tutorial/skirmish', seed=7)\ns.prompt, s.options, s.choose(0)\n"
        "print(any(m.startswith('rulesdsl.handbook') for m in sys.modules))\n"
        "s.undo(1)\ns.why_not('militia')\n"
        "print('rulesdsl.speaking.clauses.words' in sys.modules, 'rulesdsl.handbook.site' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True", "False"]
