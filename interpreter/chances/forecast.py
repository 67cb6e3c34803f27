"""What may come of an option: every change in the log that is not certain, with its chance.

The dice are tried every way they can fall, so the chances are exact. What was begun is brought to its
end: until the procedure that asked is over, everybody does as little as he can (the way out, else
the first option). Secrets are not looked at: they are drawn anew, as for agents.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from interpreter.agents.sight import Sight
from interpreter.chances.odds import DictatedMachine, Weighed
from interpreter.session import Option, Session
from interpreter.views import line_for

MOST_WAYS = 3_000
MOST_DECISIONS = 30


@dataclass(frozen=True, slots=True)
class Forecast:
    """`lines` are (chance, text), the likeliest first; `ways` in which the dice can fall (1: no dice);
    `complete` is false when there are too many, and only the first were looked at."""

    lines: tuple[tuple[Fraction, str], ...]
    ways: int
    complete: bool


def forecast(session: Session, option: Option) -> Forecast:
    chances: dict[str, Fraction] = {}
    ways, seen = 0, Fraction(0)
    for chance, texts in _ways(session, option):
        ways += 1
        seen += chance
        for text in texts:
            chances[text] = chances.get(text, Fraction(0)) + chance
        if ways >= MOST_WAYS:
            break
    uncertain = [(chance / seen, text) for text, chance in chances.items() if chance != seen]
    return Forecast(tuple(sorted(uncertain, key=lambda line: (-line[0], line[1]))), ways, seen == 1)


class _Undecided(Exception):
    """A die is to be rolled, and nobody has said how it falls."""

    def __init__(self, outcomes: Weighed) -> None:
        super().__init__()
        self.outcomes = outcomes


class _ForkingMachine(DictatedMachine):
    __slots__ = ()

    def take(self, purpose: str, outcomes: Weighed) -> Any:
        if self.next >= len(self.dictated):
            raise _Undecided(outcomes)
        return super().take(purpose, outcomes)


def _ways(session: Session, option: Option) -> Iterator[tuple[Fraction, set[str]]]:
    """The lines of the log for each way the dice can fall, with its chance."""
    world = Sight.of(session.ruleset, session.machine).world(f"forecast/{len(session.history)}")
    waiting: list[tuple[tuple[Any, ...], Fraction]] = [((), Fraction(1))]
    while waiting:
        dictated, chance = waiting.pop()
        trial = session.copy()
        machine = _ForkingMachine(session.ruleset.full.code, world.s[:], dictated)
        machine.stack = [frame[:] for frame in world.stack]
        machine.pending = world.pending
        trial.machine = machine
        try:
            _play(trial, option)
        except _Undecided as fork:
            waiting += [((*dictated, value), chance * share) for value, share in reversed(fork.outcomes)]
            continue
        lines = (line_for(entry, session.player) for entry in trial.log[len(session.log) :])
        yield chance, {line.text for line in lines if line is not None and line.kind not in ("roll", "note")}


def _play(trial: Session, option: Option) -> None:
    place, asking = len(trial.machine.stack) - 1, trial.machine.stack[-1]
    trial.choose(option.key)
    for _ in range(MOST_DECISIONS):
        stack = trial.machine.stack
        if trial.over or place >= len(stack) or stack[place] is not asking:
            return
        quiet = trial.options[-1] if trial.options[-1].index < 0 else trial.options[0]
        trial.choose(quiet)
