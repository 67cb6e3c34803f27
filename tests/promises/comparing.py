"""A rule set compared with itself: how often `rulesdsl compare` finds a difference where there is none.

The game is small, so that 80,000 games of it take minutes. Every repetition plays 200 games and 200 others of
the same rules on other seeds, and asks the very code that `compare` asks.
"""

from __future__ import annotations

import json
from functools import cache, partial

from interpreter.measuring.comparison import LEVEL, Comparison, compare_games
from interpreter.measuring.sequential import Sequential
from interpreter.measuring.simulation import GameRecord, Setup, Table
from tests.promises import Outcome, opened
from tests.promises.keeping import FAILED, answers

GAME = "tutorial/skirmish"
GAMES = 200
RULES_COUNTED = 100  # of them, as in the command
LEAST, MOST = 0.02, 0.09  # the share of false alarms that is taken for 5 %
ENOUGH = 100  # with fewer repetitions a share says little


@cache
def table(stream: str, count_rules: bool) -> Table:
    game = opened(GAME)
    seats = dict.fromkeys(game.program.world.universes["player"].ids, "random")
    return Table(Setup(game.source.directory, (), None, {}, seats, stream, count_rules), game)


def games(stream: str, repetition: int) -> list[GameRecord]:
    first = repetition * GAMES
    return [
        table(stream, number < RULES_COUNTED).play(first + number, at_one_go=True) for number in range(GAMES)
    ]


def compared_with_itself(repetition: int) -> Comparison:
    players = opened(GAME).program.world.universes["player"]
    names = dict(zip(players.ids, players.names, strict=True))
    return compare_games(games("one", repetition), games("other", repetition), names)


def alarms_of(comparison: Comparison) -> list[str]:
    """What cried: the whole comparison, the list of rules, each test by itself, each interval without 0."""
    found = ["the comparison"] if comparison.found else []
    found += ["the list of rules"] if any(use.found for use in comparison.uses) else []
    for measure in comparison.measures:
        low, high = measure.interval
        found += [measure.name] if measure.chance < LEVEL else []
        found += [f"{measure.name} (interval)"] if not low <= 0 <= high else []
    return found


def watched(repetition: int) -> int:
    """After which pair a comparison of the rules with themselves cries out, looked at after every pair; 0 if
    it never does. Whoever stops when something seems to be there stops there."""
    players = opened(GAME).program.world.universes["player"]
    so_far = Sequential(dict(zip(players.ids, players.names, strict=True)), arms=False)
    one, other = table("watched", False), table("watched again", False)
    for number in range(repetition * GAMES, (repetition + 1) * GAMES):
        so_far.add(one.play(number, at_one_go=True), other.play(number, at_one_go=True))
        if so_far.found:
            return so_far.games
    return 0


def watched_alarms(count: int) -> Outcome:
    """False alarms of comparisons that somebody watches and may stop whenever he likes."""
    attempts = [(f"repetition {n}", partial(lambda n: json.dumps(watched(n)), n)) for n in range(count)]
    outcome, cried = Outcome(), []
    for name, answer in answers("watched-alarms", attempts):
        outcome.done += 1
        if answer.startswith(FAILED):
            outcome.failure(f"{name}: {answer}")
        elif after := json.loads(answer):
            cried.append(after)
    share = len(cried) / outcome.done if outcome.done else 0.0
    outcome.note = f"{len(cried)} cried ({100 * share:.1f} %), after {sorted(cried)} pairs"
    if outcome.done >= ENOUGH and share > LEVEL:
        outcome.failure(f"{100 * share:.1f} % false alarms")
    return outcome


def false_alarms(count: int) -> Outcome:
    attempts = [
        (f"repetition {n}", partial(lambda n: json.dumps(alarms_of(compared_with_itself(n))), n))
        for n in range(count)
    ]
    outcome = Outcome()
    cried: dict[str, int] = {"the comparison": 0}
    for name, answer in answers("false-alarms", attempts):
        outcome.done += 1
        if answer.startswith(FAILED):
            outcome.failure(f"{name}: {answer}")
            continue
        for alarm in json.loads(answer):
            cried[alarm] = cried.get(alarm, 0) + 1
    shares = {name: times / outcome.done for name, times in cried.items()}
    outcome.note = ", ".join(f"{name} {100 * share:.1f} %" for name, share in shares.items())
    whole = shares["the comparison"]
    if outcome.done >= ENOUGH and not LEAST <= whole <= MOST:
        outcome.failure(f"{100 * whole:.1f} % false alarms")
    return outcome
