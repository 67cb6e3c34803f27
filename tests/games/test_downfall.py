"""Downfall of the Third Reich: ledger, examples, random games, secrets."""

from __future__ import annotations

import random
from functools import cache

import pytest

from interpreter.measuring.examples import run_examples
from interpreter.measuring.ledger import ledger
from interpreter.playing.game import Game, open_game
from interpreter.playing.invariants import violations
from interpreter.playing.session import Session

NAME = "downfall_of_the_third_reich"
GAMES = 1
# random players who go on to the combats at once see nothing of the war
SELDOM = {"on-to-the-combats": 0.15, "eliminate-an-army": 0.05, "halt": 0.4}


@cache
def downfall() -> Game:
    return open_game(NAME)


def lively_step(session: Session, rng: random.Random) -> None:
    options = session.options
    session.choose(rng.choices(options, [SELDOM.get(option.key, 1) for option in options])[0])


def test_it_checks_without_a_warning_and_every_item_is_there() -> None:
    assert not downfall().warnings
    report = ledger(downfall())
    assert report["total"] == 58
    assert report["missing"] == []


def test_the_examples_hold() -> None:
    results = run_examples(downfall())
    assert not [(r.paragraph, r.problems) for r in results if not r.passed]
    assert {f"22.{n}" for n in range(1, 13)} <= {r.paragraph for r in results}
    paragraphs = downfall().program.paragraphs
    bare = [
        r["id"] for r in ledger(downfall())["paragraphs"] if not r["examples"] and paragraphs[r["id"]].played
    ]
    assert bare == [], "paragraphs with rules and without an example"


def other_readings() -> dict[str, str]:
    readings = [s for s in downfall().program.settings.values() if s.kind == "reading"]
    return {s.name: next(a for i, a in enumerate(s.alternatives) if i != s.default) for s in readings}


@pytest.mark.parametrize(
    ("scenario", "others"), [("campaign", False), ("campaign", True), ("two_players", False)]
)
def test_lively_games_end_without_a_violation(scenario: str, others: bool) -> None:
    for seed in range(GAMES):
        settings = other_readings() if others else {}
        session = Session.start(NAME, scenario, seed=seed, options=settings)
        rng, decisions = random.Random(f"{scenario} {seed}"), 0
        while not session.over:
            if decisions % 20 == 0:
                assert violations(session.ruleset, session.machine) == []
            lively_step(session, rng)
            decisions += 1
            assert decisions < 20_000


def test_who_develops_what_is_a_secret() -> None:
    session = Session.start(NAME, seed=1)
    for key in ("go-on", "an-action", "take:axis+research", "study:axis_logistics"):
        found = [o for o in session.options if o.key == key or o.key.endswith(key.split("+")[-1])]
        session.choose(found[0])
    told = {seat: [entry.text for entry in session.log_of(seat)] for seat in ("axis", "allies")}
    assert any("Logistics" in text for text in told["axis"])
    assert not any("Logistics" in text for text in told["allies"])
