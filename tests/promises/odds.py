"""Exact odds beside sampled combats: the ordinary machine with its own dice, each end within its error."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from interpreter.asking.odds.asked import read_arguments
from interpreter.asking.odds.outcomes import find_procedure
from interpreter.asking.odds.weigh import explore
from interpreter.compiling.ruleset import Ruleset
from interpreter.playing.session import Session
from interpreter.running.machine import Machine
from tests.promises import Outcome, opened, rules_of

# An attack of each game that has them, from its set-up.
ATTACKS: Mapping[str, Mapping[str, str]] = {
    "tutorial/skirmish": {"force": "hussars", "zone": "village"},
    "race_for_berlin": {"force": "s47a,s47b", "zone": "oderbruch_2"},
    "battle_for_germany": {"force": "us_5,us_7", "hex": "2004"},
    "east_front": {"force": "pz12_25,pz12_5", "hex": "0403"},
    "downfall_of_the_third_reich": {
        "force": "german_infantry_10,german_infantry_11",
        "target": "french_infantry_4",
    },
}
ERRORS = 5  # so many standard errors away is not chance any more, even with some dozens of ends

State = tuple[Any, ...]


def sampled_combats(count: int) -> Outcome:
    """So many combats of every game that has attacks."""
    outcome = Outcome()
    for name, attack in ATTACKS.items():
        outcome.add(sampled_attack(name, attack, count))
    return outcome


def sampled_attack(name: str, attack: Mapping[str, str], count: int) -> Outcome:
    """One attack over and over, and how often it ended in which position."""
    ruleset, scenario = rules_of(name)
    state, code = ruleset.start_state(scenario), ruleset.fast.code
    procedure = find_procedure(ruleset.program, "attack")
    session = Session(opened(name), ruleset, Machine(ruleset.full.code, state[:], "asked"), {})
    arguments = read_arguments(session, procedure, attack)
    exact: dict[State, Fraction] = {}
    for way in explore(code, state, procedure.name, arguments):
        key = seen(ruleset, way.state)
        exact[key] = exact.get(key, Fraction(0)) + way.chance
    counts: Counter[State] = Counter()
    for number in range(count):
        machine = Machine(code, state[:], f"sample/{number}")
        machine.begin(procedure.name, arguments)
        while machine.pending is not None:
            machine.choose(-1 if machine.pending.out else 0)
        counts[seen(ruleset, machine.s)] += 1
    outcome = Outcome(done=count)
    if sum(exact.values()) != 1:
        outcome.failure(f"{name}: the chances add up to {sum(exact.values())}")
    for key in counts.keys() - exact.keys():
        outcome.failure(f"{name}: {counts[key]} combats ended where none can")
    for chance, times in ((chance, counts[key]) for key, chance in exact.items()):
        share = float(chance)
        error = (share * (1 - share) / count) ** 0.5
        if abs(times / count - share) > ERRORS * error + 1e-9:
            outcome.failure(f"{name}: {times} of {count} where the chance is {chance}")
    return outcome


def seen(ruleset: Ruleset, state: list[Any]) -> State:
    """Places and faces of all pieces."""
    arrays = [ruleset.layout.arrays["piece", name] for name in ("at", "face")]
    return tuple(tuple(state[a.base : a.base + a.size]) for a in arrays)
