"""A comparison that one may watch: after every pair of games it says what is known, and when that is clear.

Whenever somebody stops, the intervals hold, and a rule set compared with itself raises a false alarm in at
most one comparison out of twenty, however often it was looked at and whatever made him stop (`confidence`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction

from interpreter.measuring.comparison import Comparison, Measure, alike, sentence
from interpreter.measuring.confidence import ALPHA, Mean, Share, merged
from interpreter.measuring.simulation import GameRecord

MARGIN = 0.05  # in who wins: what is surely smaller than this is no difference worth speaking of
LEAST_PAIRS = 20  # before that nobody should believe a picture, however honest


class _Line:
    """One number of both rule sets, and its difference, pair by pair."""

    def __init__(self, name: str, kind: str, seat: str, arms: bool) -> None:
        self.name, self.kind, self.seat = name, kind, seat
        self.share = kind in ("wins", "drawn")
        self._arms: tuple[Share | Mean, ...] = ()
        self._with_arms = arms
        self._sums, self._count = [0.0, 0.0], 0
        self.difference: Share | Mean = Share(-1, 1, 0) if self.share else Mean()
        self.found = -math.inf  # the most evidence there ever was, all lines judged together

    def value(self, record: GameRecord) -> float:
        match self.kind:
            case "wins":
                return float(self.seat in record.winners)
            case "drawn":
                return float(not record.winners)
            case "length":
                return float(record.decisions if self.name == "decisions" else record.turns or 0)
            case _:
                return float(Fraction(record.scores.get(self.seat, "0")))

    def add(self, before: GameRecord, after: GameRecord) -> None:
        values = self.value(before), self.value(after)
        if self._with_arms and not self._arms:
            self._arms = tuple(Share(0, 1, 0.5) if self.share else Mean(first) for first in values)
        for arm, value in zip(self._arms, values, strict=False):
            arm.add(value)
        self._sums = [total + value for total, value in zip(self._sums, values, strict=True)]
        self._count += 1
        self.difference.add(values[1] - values[0])

    @property
    def chance(self) -> float:
        return math.exp(-max(0.0, self.difference.evidence))

    @property
    def corrected(self) -> float:
        return math.exp(-max(0.0, self.found))

    @property
    def settled(self) -> bool:
        low, high = self.difference.interval
        return self.corrected < ALPHA or (low >= -MARGIN and high <= MARGIN)

    def measure(self) -> Measure:
        nothing = (-math.inf, math.inf)
        around = [arm.interval for arm in self._arms] or [nothing, nothing]
        before, after = (total / self._count for total in self._sums)
        return Measure(
            name=self.name,
            kind=self.kind,
            seat=self.seat,
            before=before,
            after=after,
            before_interval=around[0],
            after_interval=around[1],
            difference=after - before,
            interval=self.difference.interval,
            chance=self.chance,
            corrected=self.corrected,
        )


class Sequential:
    """Takes pairs of games one by one. `arms`: also intervals of each rule set by itself."""

    def __init__(self, names: Mapping[str, str], arms: bool = True) -> None:
        self.names = dict(names)
        self.games = self.failed = self.same = 0
        self._arms = arms
        self._lines: list[_Line] = []

    def add(self, before: GameRecord, after: GameRecord) -> None:
        if before.failure or after.failure:
            self.failed += 1
            return
        if not self._lines:
            self._lines = self._begun(before, after)
        self.games += 1
        self.same += alike(before, after)
        for line in self._lines:
            line.add(before, after)
        for line, evidence in zip(
            self._lines, merged([line.difference.evidence for line in self._lines]), strict=True
        ):
            line.found = max(line.found, evidence)

    def _begun(self, before: GameRecord, after: GameRecord) -> list[_Line]:
        """What is looked at is fixed by the first pair: who may choose his questions later finds anything."""
        wins = [_Line(f"won by {name}", "wins", seat, self._arms) for seat, name in self.names.items()]
        length = "turns" if before.turns is not None and after.turns is not None else "decisions"
        scores = [
            _Line(f"score of {name}", "score", seat, self._arms)
            for seat, name in self.names.items()
            if seat in before.scores and seat in after.scores
        ]
        nobody = _Line("won by nobody", "drawn", "", self._arms)
        return [*wins, nobody, _Line(length, "length", "", self._arms), *scores]

    @property
    def clear(self) -> bool:
        """Whether of every line about who wins it is known that it differs, or that it hardly does."""
        balance = [line for line in self._lines if line.share]
        return self.games >= LEAST_PAIRS and all(line.settled for line in balance)

    @property
    def found(self) -> bool:
        return any(line.corrected < ALPHA for line in self._lines)

    def comparison(self) -> Comparison:
        """How it stands. Which rules are used more often is left to a fixed number of games."""
        measures = tuple(
            measure for line in self._lines if not _idle(measure := line.measure()) or line.kind != "drawn"
        )
        return Comparison(
            games=self.games,
            failed=self.failed,
            same=self.same,
            measures=measures,
            uses=(),
            counted=0,
            names=self.names,
        )


def _idle(measure: Measure) -> bool:
    return measure.before == measure.after == 0


def conclusions(so_far: Sequential) -> list[str]:
    """What is known now, plainly: what is found, what is surely small, what may still be either."""
    if so_far.games < 2:
        return ["No pair of games has come to an end yet."]
    measures = so_far.comparison().measures
    said = [sentence(measure) for measure in measures if measure.found]
    balance = [measure for measure in measures if measure.kind in ("wins", "drawn")]
    small = [m for m in balance if not m.found and m.interval[0] >= -MARGIN and m.interval[1] <= MARGIN]
    vague = [m for m in balance if not m.found and m not in small]
    if small and len(small) == len(balance):
        said.append(f"In who wins, any difference is smaller than {100 * MARGIN:.0f} points.")
    elif small:
        names = ", ".join(measure.name.removeprefix("won by ") for measure in small)
        said.append(f"Games won by {names}: any difference is smaller than {100 * MARGIN:.0f} points.")
    for measure in vague:
        low, high = measure.interval
        said.append(f"Games {measure.name}: not clear yet, {100 * low:+.0f} to {100 * high:+.0f} points.")
    return said
