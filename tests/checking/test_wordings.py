"""How a rulebook words its names, and whom answers name."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from interpreter.playing.log_lines import note_text
from rulesdsl import Session
from rulesdsl import program as pg
from rulesdsl.base.diagnostics import RulebookError
from rulesdsl.cli.play import answers
from rulesdsl.language.wordings import read_wording
from rulesdsl.program.types import Type
from rulesdsl.speaking.lexicon import Lexicon
from rulesdsl.speaking.names import Names

WORDS = Path(__file__).parents[1] / "testdata" / "games" / "words"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A copy of the game that may be changed."""
    return Path(shutil.copytree(WORDS, tmp_path / "words"))


def change(home: Path, before: str, after: str) -> None:
    path = home / "rules" / "01_words.md"
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after), encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "one", "denied", "many", "many_denied"),
    [
        ("{unit} is at home", "is at home", "is not at home", "are at home", "are not at home"),
        ("has moved", "has moved", "has not moved", "have moved", "have not moved"),
        ("{unit} has a target", "has a target", "has no target", "have a target", "have no target"),
        ("{unit} may go", "may go", "may not go", "may go", "may not go"),
        ("{unit} can go", "can go", "cannot go", "can go", "cannot go"),
        ("{unit} must go", "must go", "does not have to go", "must go", "do not have to go"),
        ("{unit} supplies it", "supplies it", "does not supply it", "supply it", "do not supply it"),
        ("has its bread", "has its bread", "does not have its bread", "have their bread",
         "do not have their bread"),
        ("there is a foe near {unit}", "is a foe near {unit}", "is no foe near {unit}",
         "are a foe near {unit}", "are no foe near {unit}"),
    ],
)  # fmt: skip
def test_a_wording_is_denied_and_said_of_several(
    text: str, one: str, denied: str, many: str, many_denied: str
) -> None:
    wording = read_wording(text, ["unit"])
    assert wording is not None
    told = [wording.said(several, negated) for several in (False, True) for negated in (False, True)]
    assert told == [one, denied, many, many_denied]


@pytest.mark.parametrize(
    ("wording", "message"),
    [
        ("{foe} is there", "shows what is not known here: {foe}"),
        ("of {zone} nothing", "no verb that could be denied"),
        ("", "the wording is empty"),
    ],
)
def test_a_wording_that_cannot_be_said_is_refused(home: Path, wording: str, message: str) -> None:
    change(home, "{zone} is a shelter of {player}", wording)
    with pytest.raises(RulebookError, match=re.escape(message)):
        Session.start(home)


def test_the_prose_decides_about_plurals_and_deeds() -> None:
    lexicon = Lexicon(["The militia are brave, the Guards corps is not. It has halted; it is rested."])
    assert [lexicon.as_several(word) for word in ("militia", "corps", "army")] == [1, -1, 0]
    assert (lexicon.has("halted"), lexicon.was("halted")) == (1, 0)
    assert (lexicon.has("rested"), lexicon.was("rested")) == (0, 1)


def test_a_name_is_one_or_many_as_the_rulebook_says() -> None:
    names = Names.of(Session.start(WORDS).ruleset.program)
    found = {
        n: names.is_many(n) for n in ("Guards", "Guards (2)", "Old Corps", "Uhlans", "Militia", "1st Army")
    }
    assert found == {
        "Guards": True, "Guards (2)": True, "Old Corps": False, "Uhlans": True, "Militia": True,
        "1st Army": False,
    }  # fmt: skip
    assert names.is_done("halted")
    assert not names.is_done("rested")


# ---- who is named -------------------------------------------------------------------------------------
REFUSED = {
    "g1": {
        "halted": "Guards have halted",
        "no bread": "Guards do not have their bread",
    },
    "g2": {
        "no bread": "Old Corps does not have its bread",
        "no shelter": "Wood is not a shelter of Red, because there is some unit in Wood"
        " whose owner is not Red (Uhlans)",
        "strangers": "Uhlans’ owner is Blue, not Red",
        "crowded": "the number of units in Wood (2: Old Corps, Uhlans) is more than Wood’s room (1)",
    },
    "b2": {
        "halted": "Militia have halted",
        "no bread": "Militia do not have their bread",
        "no shelter": "Moor is not a shelter of Red, because there is some unit in Moor"
        " whose owner is not Red (Militia)",
        "strangers": "Militia’s owner is Blue, not Red",
    },
}


@pytest.mark.parametrize("unit", sorted(REFUSED))
def test_a_refusal_names_who_is_to_blame(unit: str) -> None:
    session = Session.start(WORDS)
    session.choose(0)
    assert {refusal.label: refusal.said for refusal in session.why_not(unit)} == REFUSED[unit]


def test_a_rule_for_all_about_a_secret_names_nobody() -> None:
    """Red may not know how dark units are, so neither a name nor the outcome is told."""
    session = Session.start(WORDS)
    session.choose(0)
    dark = session.ruleset.layout.arrays["piece", "dark"].base
    index = session.ruleset.program.world.universes["piece"].index
    units = ("g1", "g2", "b1", "b2")
    before = [session.why_not(unit) for unit in units]
    for unit, value in (("b1", 5), ("b1", 0), ("g3", 0)):
        session.machine.s[dark + index[unit]] = value
        assert [session.why_not(unit) for unit in units] == before
    considered = [
        clause.said for clause in session.explain("pick:g3").considered if clause.label == "too bright"
    ]
    assert considered == ["it depends on whether for every unit, its dark is less than 3, which is hidden"]


def test_the_log_uses_the_wording_without_is() -> None:
    program = Session.start(WORDS).ruleset.program
    unit = pg.Const(0, type=Type("thing", "piece"))
    number = pg.Const(3, type=Type("number"))
    told = [note_text(program, kind, (unit,), "fed", (0,)) for kind in ("mark", "unmark")]
    assert told == ["Guards: has its bread", "Guards: no longer has its bread"]
    assert note_text(program, "mark", (unit,), "halted", (0,)) == "Guards: halted"
    assert note_text(program, "set spirit", (unit, number), "", (0, 3)) == "Guards: courage 3"
    briefs = {
        text: read_wording(text, ("it",)) for text in ("is held by Hitler", "has moved", "rides on trucks")
    }
    assert [w.brief("a_flag") for w in briefs.values() if w] == [
        "held by Hitler",
        "a flag",
        "rides on trucks",
    ]


# ---- routes -------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("zone", "label", "said"),
    [
        ("hill", "", "Hill is where it begins"),
        ("wood", "barred", "there is some unit in Wood whose owner is not Red (Uhlans)"),
        ("moor", "barred", "on the way there: there is some unit in Wood whose owner is not Red (Uhlans)"),
    ],
)
def test_a_route_that_may_not_end_somewhere_says_why(zone: str, label: str, said: str) -> None:
    (refusal,) = Session.start(WORDS).why_not(zone)
    assert (refusal.paragraph, refusal.label, refusal.said) == ("1", label, said)


def test_what_is_too_far_away_is_told_with_the_limit(home: Path) -> None:
    change(home, "some unit in zone where it.owner is not unit.owner", "zone.room > 5")
    (refusal,) = Session.start(home).why_not("moor")
    assert refusal.said == "Moor is too far away: the march has at most 2 steps"


# ---- numbers ------------------------------------------------------------------------------------------
def test_every_line_of_a_breakdown_is_a_sentence() -> None:
    told = [(r.label, r.op, r.amount, r.said) for r in Session.start(WORDS).breakdown("weight", "g2")]
    assert told == [
        ("base", "=", "2", "Old Corps’ courage"),
        ("the number of units in Wood", "+", "2", ""),
        ("Old Corps is in Wood", "+", "3", ""),
    ]


def test_a_player_asks_what_a_number_is_made_of() -> None:
    session = Session.start(WORDS)
    lines = answers.why_so_much(session, "weight of old corps")
    assert lines == [
        "weight of old corps: 7",
        "  2 base (1 Words): Old Corps’ courage",
        "  +2 the number of units in Wood (1 Words)",
        "  +3 Old Corps is in Wood (1 Words)",
    ]
    assert answers.why_so_much(session, "hunger of old corps") is None
