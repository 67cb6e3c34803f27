"""Random games over all shipped games and scenarios, every reading and option drawn at random.

After every decision (in long games after one in a few) the invariants of the rulebook are asked; what the
engine itself promises about a state, which costs more, now and then and at the end. Somebody must always be
able to go on, and a rule must end the game. `python benchmarks/bars.py readings --keep DIRECTORY` can be
stopped and goes on.
"""

from __future__ import annotations

import os
from functools import lru_cache, partial
from random import Random

from interpreter.compiling.ruleset import Ruleset
from interpreter.playing.invariants import broken_invariants, violations
from rulesdsl.book.scenario import Scenario
from tests.promises import QUICK, Outcome, length_of, opened, tried_games
from tests.promises.keeping import Attempt, Broken, counted

_LEAST = 100  # in how many there is at least one game of each
_SAME_RULES, _SAME_RULES_LONG = 10, 5  # games before readings are drawn anew: rules take time to compile
_SHORT, _LONG = 300, 2_000  # decisions
_STATE_EVERY = 100  # decisions between two looks at what the engine promises
_ASKED = 1_500  # so often in a game, more or less, and at its end the invariants of the rulebook are asked
_MOST_DECISIONS = 60_000


def reading_games(count: int) -> Outcome:
    """So many games; those with readings and scenarios get most of them, the long ones fewer."""
    attempts: list[tuple[float, Attempt]] = []
    for name, games in _shares(count).items():
        same = _SAME_RULES_LONG if length_of(name) >= _LONG else _SAME_RULES
        for number in range(games):
            told = f"{name.rsplit('/', 1)[-1]}, rules {number // same}, game {number % same}"
            # all games in turn, so that a run that was stopped has seen something of each
            place = (number - number % same) / games
            attempts.append((place, (told, partial(_played, name, number // same, number % same))))
    attempts.sort(key=lambda pair: pair[0])
    return counted("readings", [attempt for _, attempt in attempts])


def _shares(count: int) -> dict[str, int]:
    """On every change only short games: the rules of the others take seconds to compile."""
    names = [name for name in tried_games() if not os.environ.get(QUICK) or length_of(name) < _SHORT]
    least = max(1, count // _LEAST)
    weights = {name: _ways(name) / length_of(name) ** 1.5 for name in names}
    left = max(0, count - least * len(names))
    given = {name: least + int(left * weights[name] / sum(weights.values())) for name in names}
    given[max(weights, key=lambda name: weights[name])] += max(0, count - sum(given.values()))
    return given


def _ways(name: str) -> int:
    """How much there is to draw: what can be switched, and scenarios besides the one."""
    game = opened(name)
    switches = sum(len(setting.alternatives) > 1 for setting in game.program.settings.values())
    return switches + max(0, len(game.source.scenarios) - 1)


@lru_cache(maxsize=1)  # the games of one set of rules come one after the other
def _drawn(name: str, rules: int) -> tuple[str, Ruleset, Scenario | None]:
    game, rng = opened(name), Random(f"readings {name.rsplit('/', 1)[-1]} {rules}")
    settings = {
        setting.name: rng.choice(setting.alternatives)
        for setting in game.program.settings.values()
        if setting.alternatives
    }
    scenarios = sorted(game.source.scenarios)
    scenario = game.scenario(scenarios[rules % len(scenarios)] if scenarios else None)
    told = scenario.id if scenario is not None else ""
    return f"{told} {settings}", game.ruleset(settings, scenario), scenario


def _played(name: str, rules: int, number: int) -> str:
    told, ruleset, scenario = _drawn(name, rules)
    decision, every = 0, max(1, length_of(name) // _ASKED)

    def wrong(what: object) -> Broken:
        return Broken(f"decision {decision}: {what} ({told})")

    try:
        seed = f"readings {rules} {number}"
        rng, machine = Random(seed), ruleset.new_machine(scenario, seed, traced=False)
        machine.begin()
        for decision in range(_MOST_DECISIONS):
            pending = machine.pending
            found: list[str] = []
            if decision % _STATE_EVERY == 0 or pending is None:
                found = violations(ruleset, machine)
            elif decision % every == 0:
                found = [str(broken) for broken in broken_invariants(ruleset, machine.s)]
            if found:
                raise wrong("; ".join(found))
            if pending is None:
                return name.rsplit("/", 1)[-1]
            if not pending.options and not pending.out:
                raise wrong("nobody can go on")
            machine.choose(pending.at_random(rng))
    except Broken:
        raise
    except Exception as error:  # whatever a rule runs into is told with the readings that led there
        raise wrong(f"{type(error).__name__}: {error}") from error
    raise wrong("does not end")
