"""The log people read: one line an act, results told, nothing twice, no secrets; and odds in the game."""

from __future__ import annotations

import re
import shutil
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from random import Random

import pytest

from interpreter.acts.chances import odds_of_draft
from interpreter.acts.performing import perform
from interpreter.acts.story import PICKS, Line, Part, in_a_row, since_last_decision, story, together
from interpreter.asking.odds.outcomes import odds_of
from interpreter.playing.dice_tables import modifiers_of_dice
from interpreter.playing.game import open_game
from interpreter.playing.session import Session
from rulesdsl.base.diagnostics import RulebookError

PATROL = Path(__file__).parents[1] / "testdata" / "games" / "patrol"
OPENING = ("enter:riesa", "let-it-go", "enough", "let-it-go", "enough")
PLAN = ("activate:s8gaa", "combat", "activate:s8gab", "combat", "activate:s5shaa", "combat",
        "activate:s5shab", "combat")  # fmt: skip


@lru_cache(maxsize=1)
def at_seelow() -> Session:
    """Race for Berlin before Zhukov's first attack."""
    session = Session.start("race_for_berlin", seed=3)
    for key in OPENING:
        session.choose(key)
    perform(session, "zhukov", PLAN)
    return session


def fought() -> Session:
    """The attack on Oderbruch 2, all losses and retreats as they come first."""
    session = at_seelow().copy()
    perform(session, "zhukov", ("attack:oderbruch_2", "s5shaa", "s5shab", "s8gaa", "s8gab"))
    for _ in range(12):  # tokens are kept, losses and retreats taken as they come first
        assert session.prompt is not None
        if session.prompt.text in ("a zone to attack", "activate a unit"):
            break
        kept = session.prompt.text.startswith("play a token")
        session.choose(session.options[-1 if kept else 0])
    return session


def combat_line(session: Session, seat: str | None) -> Line:
    return next(line for line in story(session, seat) if "attack Oderbruch 2" in line.text)


def test_a_combat_is_one_line_with_sums_column_die_modifiers_and_result() -> None:
    for seat in ("zhukov", "konev", None):
        line = combat_line(fought(), seat)
        assert line.who == "zhukov"
        assert line.kind == "act"
        assert re.search(r"attack 76, defence \d+, \d:1; 1d6 for combat: \d", line.text)
        assert re.search(r"(trench line|whole army) [+−]\d.* → \w+", line.text)
        assert {"piece:s5shaa", "space:oderbruch_2"} <= set(line.things)
        assert "8.1.2" in line.rules
        (roll,) = [part for part in line.parts if part.kind == "roll"]
        assert any("trench line" in detail or "whole army" in detail for detail in roll.detail)


def test_nothing_is_told_twice_and_no_word_is_the_engines() -> None:
    session, rng = Session.start("race_for_berlin", seed=5), Random(1)
    for _ in range(250):
        session.choose(rng.choice(session.options))
    lines = story(session, "zhukov")
    text = "\n".join(line.text for line in lines)
    assert "flipped" not in text
    assert "to Eliminated units" not in text
    assert "reduced" in text
    assert "eliminated" in text
    for line in lines:
        changes = [part.text for part in line.parts if part.kind == "change"]
        assert len(line.parts) < 3 or len(set(changes)) >= len(changes) - 1, line
    fights = re.findall(r"1d6 for combat: [^;]*", text)
    assert len(fights) >= 5
    assert all("→" in fight for fight in fights)


def test_since_my_last_decision() -> None:
    session = fought()
    while session.player != "zhukov" or len(session.options) == 1:
        session.choose(session.options[-1])
    lines = since_last_decision(session, "zhukov")
    assert lines
    assert not [line for line in lines if line.who == "zhukov"]
    assert len(lines) < len(story(session, "zhukov"))


def test_what_another_may_not_hear_is_not_in_his_story() -> None:
    """Tokens that are drawn, held and not played have no name for the other side."""
    session, rng = Session.start("race_for_berlin", seed=9), Random(3)
    for _ in range(200):
        session.choose(rng.choice(session.options))
    tokens = session.ruleset.program.tokens
    for seat, other in (("zhukov", "konev"), ("konev", "zhukov")):
        held = list(session.view(other)["tokens"]["mine"])
        known = session.view(seat)["tokens"]["known"].get(other, [])
        text = "\n".join(line.text for line in story(session, seat))
        drawn = [f"{session.ruleset.seats.names[session.ruleset.seats.index[other]]} draws {tokens[t].title}"
                 for t in held if t not in known]  # fmt: skip
        assert not [line for line in drawn if line in text]
        assert ": pass" not in text


def test_a_march_is_told_by_its_way() -> None:
    session = Session.start("race_for_berlin", seed=3)
    for key in OPENING:
        session.choose(key)
    perform(session, "zhukov", ("activate:s2gtaa", "movement", "no-more-units"))
    perform(session, "zhukov", ("reppen", "ziebingen", "halt"))
    (line,) = [line for line in story(session, "konev") if "→ Reppen" in line.text]
    assert "2nd Guards Tank Army A → Reppen → Ziebingen" in line.text
    assert "2nd Guards Tank Army A: to" not in line.text


def _played(game: str, seed: int, count: int) -> Session:
    session, rng = Session.start(game, seed=seed), Random(3)
    while len(session.history) < count and not session.over:
        session.choose(rng.choice(session.options))
    return session


def test_where_an_act_takes_somebody_is_told_with_it() -> None:
    """`A advances to B`, and not `A advances; A: to B`; a bare name is said with what was asked."""
    session = _played("battle_for_germany", 4, 260)
    texts = [line.text for line in story(session, session.player) if line.kind == "act"]
    advances = [text for text in texts if " advances" in text]
    assert advances
    for text in advances:
        assert re.search(r"advances to ", text), text
        assert not re.search(r"advances; .*: to ", text), text
    attacks = [text for text in texts if "1d6 for combat" in text]
    assert len(attacks) >= 3
    assert all("to attack together: " in text for text in attacks), attacks


def test_who_enters_is_not_placed_once_more() -> None:
    session = _played("race_for_berlin", 4, 30)
    texts = [line.text for line in story(session, session.player)]
    entered = [text for text in texts if " enters at " in text]
    assert entered
    assert not [text for text in entered if "placed in" in text]


def test_a_card_that_comes_to_lie_open_has_its_name_in_the_log_and_others_have_none() -> None:
    """The last card of a trick is taken with it in the same decision: whether it lay open where it passed
    is not known afterwards, and it stays without a name."""
    session = _played("classics/hearts", 4, 40)
    tricks = sum(thing.startswith("taken_by") for entry in session.log for thing in entry.things)
    played = sum("trick" in entry.things for entry in session.log)
    assert 0 < tricks < played / 3
    for seat in (*session.ruleset.seats.ids, None):
        text = "\n".join(line.text for line in story(session, seat))
        assert text.count("an unknown card: to The Trick") <= tricks
        assert re.search(r" of (Clubs|Spades|Hearts|Diamonds):? to The Trick", text)
        assert re.search(r"an unknown card(?: ×\d)?: to Hand of", text)
        if seat is None:  # what was dealt and passed on stays in the hands
            assert not re.search(r" of (Clubs|Spades|Hearts|Diamonds): to Hand", text)


# ---- odds ------------------------------------------------------------------------------------------------
def test_odds_in_the_game_are_those_of_the_command() -> None:
    """The same chances, results and sums; the command does not ask who advances."""
    session = at_seelow()
    mine = odds_of_draft(session, "zhukov", ("attack:seelow",))
    force = "s5shaa,s5shab,s8gaa,s8gab"
    theirs = odds_of(
        session.game, session.ruleset, session.machine.s[:], "attack", {"force": force, "zone": "seelow"}
    )
    assert mine.sums == theirs.sums
    assert mine.sums
    assert "8th Guards Army B" in mine.about[0], "who joins is said"
    assert [(o.chance, o.results, o.rolled) for o in mine.outcomes] == [
        (o.chance, o.results, o.rolled) for o in theirs.outcomes
    ]
    for one, other in zip(mine.outcomes, theirs.outcomes, strict=True):
        advanced = "5th Shock Army A: to Seelow"
        assert tuple(c for c in one.changes if c != advanced) == other.changes


def test_the_odds_of_a_draft_are_those_of_who_was_chosen() -> None:
    session = at_seelow()
    few = odds_of_draft(session, "zhukov", ("attack:seelow", "s8gaa", "these"))
    many = odds_of_draft(session, "zhukov", ("attack:seelow",))
    assert [s.value for s in few.sums if s.name == "combat.attack"] == ["20"]
    assert [s.value for s in many.sums if s.name == "combat.attack"] == ["76"]


POOL = """
## 98 Volley
```rules
quiet track hits: number = 0
procedure odds_volley
    repeat at most 12 times:
        roll 1d6 as die for "volley"
        if die >= 5: add 1 to hits
```
"""


def test_a_pool_of_dice_is_exact(tmp_path: Path) -> None:
    """Twelve dice fall in two thousand million ways; thirteen numbers of hits can come of them."""
    game = tmp_path / "patrol"
    shutil.copytree(PATROL, game)
    chapter = game / "rules" / "01_patrol.md"
    chapter.write_text(chapter.read_text(encoding="utf-8") + POOL, encoding="utf-8")
    opened = open_game(game)
    ruleset = opened.ruleset({}, opened.scenario())
    found = odds_of(opened, ruleset, ruleset.start_state(opened.scenario()), "volley", {})
    chances = {outcome.changes: outcome.chance for outcome in found.outcomes}
    assert sum(chances.values()) == 1
    assert len(chances) == 13
    assert chances[("hits 12",)] == Fraction(1, 3) ** 12
    assert chances[("hits 1",)] == 12 * Fraction(1, 3) * Fraction(2, 3) ** 11


# ---- the words of a game ---------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("places: {atlantis: lost}", 'there is no space "atlantis"'),
        ("goals: {nobody: Win}", 'there is no player "nobody"'),
        ("watch: [{value: fortune_of_war}]", 'there is nothing to watch called "fortune_of_war"'),
    ],
)
def test_words_for_what_there_is_not_are_refused(tmp_path: Path, line: str, said: str) -> None:
    game = tmp_path / "patrol"
    shutil.copytree(PATROL, game)
    written = (game / "game.yaml").read_text(encoding="utf-8")
    (game / "game.yaml").write_text(f"{written}telling:\n  {line}\n", encoding="utf-8")
    with pytest.raises(RulebookError) as caught:
        open_game(game)
    (problem,) = [p for p in caught.value.problems if p.severity == "error"]
    assert said in problem.message
    assert problem.span.line > 1


def test_what_happens_to_the_same_things_is_told_under_their_name_once() -> None:
    def part(what: str, place: str = "", kind: str = "change", name: str = "Guards") -> Part:
        names = (name,) if kind == "change" else ()
        return Part(kind, f"{name}: {what}" if names else what, "1", ("piece:g",), (), names, what, place)

    parts = [part("reduced"), part("to Hill", "Hill"), part("to Mill", "Mill"), part("to Ford", "Ford"),
             part("facing north"), part("to Hill", "Hill", name="Hussars"),
             part(f"{PICKS} Guards", kind="pick"), part(f"{PICKS} Hussars", kind="pick")]  # fmt: skip
    assert [told.text for told in in_a_row(parts)] == [
        "Guards: reduced, to Hill → Mill → Ford, facing north", "Hussars: to Hill",
        f"{PICKS} Guards, Hussars",
    ]  # fmt: skip


def test_several_unknown_cards_are_counted() -> None:
    unknown = Part("change", "an unknown card: to Deck", "1", (), (), ("an unknown card",), "to Deck")
    assert [told.text for told in together([unknown] * 3)] == ["an unknown card ×3: to Deck"]


def test_the_log_of_a_game_with_hidden_counters_says_who_did_what_in_words() -> None:
    """What the others chose is not told there; what they did is, without the names of bookkeeping."""
    session = Session.start("downfall_of_the_third_reich", seed=3)
    rng = Random(3)
    while len(session.history) < 60:
        session.choose(rng.choice(session.options))
    text = "\n".join(line.text for seat in ("axis", None) for line in story(session, seat))
    assert re.search(r"planning|armour production|recruitment|missions", text)
    assert not re.search(r"\w_\w|operation (none|attacking|tactical|strategic)|no longer neutral", text)


def test_what_is_added_to_a_die_is_told_with_the_die() -> None:
    assert modifiers_of_dice(at_seelow().ruleset.program) >= {"combat.die_modifier"}
    assert "combat.attack" not in modifiers_of_dice(at_seelow().ruleset.program)
