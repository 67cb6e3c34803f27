"""Two rule sets, the same seeds: what is different in who wins, in scores, in length and in the rules used.

Games are compared in pairs. Everything that is looked at together is judged together (Holm), so that a rule
set compared with itself raises a false alarm in one comparison out of twenty, however much is looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from interpreter.measuring.inference import Interval, holm, mcnemar, newcombe_paired, paired_mean
from interpreter.measuring.simulation import GameRecord
from interpreter.measuring.statistics import wilson
from rulesdsl.base.published import published

LEVEL = 0.05
Pair = tuple[GameRecord, GameRecord]
Differences = tuple[float, ...]  # second less first, pair by pair


@dataclass(frozen=True, slots=True)
class Measure:
    """One number of both rule sets. `chance`: how often so large a difference comes up by mere luck."""

    name: str  # `Blue wins`, `score of Red`, `turns`
    kind: str  # wins, drawn, score, length
    seat: str
    before: float
    after: float
    before_interval: Interval
    after_interval: Interval
    difference: float
    interval: Interval
    chance: float
    corrected: float = 1.0

    @property
    def found(self) -> bool:
        return self.corrected < LEVEL


@dataclass(frozen=True, slots=True)
class Use:
    """How often a paragraph was used in a game."""

    paragraph: str
    before: float
    after: float
    interval: Interval
    corrected: float

    @property
    def found(self) -> bool:
        return self.corrected < LEVEL and self.before != self.after


@dataclass(frozen=True, slots=True)
class Comparison:
    games: int  # pairs in which both games came to an end
    failed: int
    same: int  # pairs of the same length and the same end
    measures: tuple[Measure, ...]
    uses: tuple[Use, ...]
    counted: int  # pairs in which the rules used were counted
    names: Mapping[str, str] = field(repr=False)

    @property
    def found(self) -> bool:
        """Whether anything but the use of single rules is different."""
        return any(measure.found for measure in self.measures)


def compare_games(
    before: Sequence[GameRecord], after: Sequence[GameRecord], names: Mapping[str, str]
) -> Comparison:
    """Records of both rule sets, game by game; `names` gives what each player is called."""
    pairs = [(a, b) for a, b in zip(before, after, strict=True) if not a.failure and not b.failure]
    if len(pairs) < 2:  # one game has no spread
        return Comparison(
            games=len(pairs),
            failed=len(before) - len(pairs),
            same=0,
            measures=(),
            uses=(),
            counted=0,
            names=dict(names),
        )
    shares = [_share(pairs, f"won by {names[p]}", "wins", p, _won(p)) for p in names]
    if any(not record.winners for pair in pairs for record in pair):
        shares.append(_share(pairs, "won by nobody", "drawn", "", lambda r: not r.winners))
    means = [_mean(pairs, *_length(pairs))]
    for p in names:
        if all(p in record.scores for pair in pairs for record in pair):
            means.append(_mean(pairs, f"score of {names[p]}", "score", p, _score(p)))
    return Comparison(
        len(pairs), len(before) - len(pairs), sum(alike(*pair) for pair in pairs),
        _judged([*shares, *means]), *_uses(pairs), dict(names),
    )  # fmt: skip


def _judged(measures: Sequence[tuple[Measure, Differences]]) -> tuple[Measure, ...]:
    """Corrected chances. What one player wins and the other loses, game by game, is one question, not two."""
    questions: dict[tuple[str, Differences], float] = {}
    asked: list[tuple[str, Differences]] = []
    for measure, differences in measures:
        seen = tuple(round(one, 9) for one in differences)
        asked.append((measure.kind, max(seen, tuple(-one for one in seen))))
        questions[asked[-1]] = measure.chance
    corrected = dict(zip(questions, holm(list(questions.values())), strict=True))
    return tuple(replace(m, corrected=corrected[key]) for (m, _), key in zip(measures, asked, strict=True))


def _share(
    pairs: Sequence[Pair], name: str, kind: str, seat: str, holds: Callable[[GameRecord], bool]
) -> tuple[Measure, Differences]:
    seen = [(holds(a), holds(b)) for a, b in pairs]
    both, first, second = (seen.count(pair) for pair in ((True, True), (True, False), (False, True)))
    games = len(seen)
    difference, interval = newcombe_paired(both, first, second, games - both - first - second)
    before, after = ((both + only) / games if games else 0.0 for only in (first, second))
    measure = Measure(
        name=name,
        kind=kind,
        seat=seat,
        before=before,
        after=after,
        before_interval=wilson(both + first, games),
        after_interval=wilson(both + second, games),
        difference=difference,
        interval=interval,
        chance=mcnemar(first, second),
    )
    return measure, tuple(b - a for a, b in seen)


def _mean(
    pairs: Sequence[Pair], name: str, kind: str, seat: str, value: Callable[[GameRecord], float]
) -> tuple[Measure, Differences]:
    first, second = [value(a) for a, _ in pairs], [value(b) for _, b in pairs]
    differences = tuple(b - a for a, b in zip(first, second, strict=True))
    difference, interval, chance = paired_mean(differences)
    (before, around, _), (after, around_after, _) = paired_mean(first), paired_mean(second)
    measure = Measure(
        name=name,
        kind=kind,
        seat=seat,
        before=before,
        after=after,
        before_interval=around,
        after_interval=around_after,
        difference=difference,
        interval=interval,
        chance=chance,
    )
    return measure, differences


def _length(pairs: Sequence[Pair]) -> tuple[str, str, str, Callable[[GameRecord], float]]:
    """Turns where the game counts them and they vary, decisions otherwise."""
    turns = {record.turns for pair in pairs for record in pair}
    if None in turns or len(turns) < 2:
        return "decisions", "length", "", lambda record: float(record.decisions)
    return "turns", "length", "", lambda record: float(record.turns or 0)


def _won(player: str) -> Callable[[GameRecord], bool]:
    return lambda record: player in record.winners


def _score(player: str) -> Callable[[GameRecord], float]:
    return lambda record: float(Fraction(record.scores[player]))


def alike(one: GameRecord, other: GameRecord) -> bool:
    """Not by the rules that were used: those are counted in some pairs only."""
    return (one.winners, one.reason, one.decisions, one.turns, one.scores) == (
        other.winners, other.reason, other.decisions, other.turns, other.scores,
    )  # fmt: skip


def _uses(every: Sequence[Pair]) -> tuple[tuple[Use, ...], int]:
    """From the pairs in which rules were counted: that takes longer, and the first hundred will do."""
    pairs = [(a, b) for a, b in every if a.fired or b.fired]
    rules = sorted({paragraph for pair in pairs for record in pair for paragraph in record.fired})
    if not rules or len(pairs) < 2:
        return (), 0
    found: list[tuple[Use, float]] = []
    for paragraph in rules:
        first = [a.fired.get(paragraph, 0) for a, _ in pairs]
        second = [b.fired.get(paragraph, 0) for _, b in pairs]
        _, interval, chance = paired_mean([b - a for a, b in zip(first, second, strict=True)])
        use = Use(paragraph, sum(first) / len(pairs), sum(second) / len(pairs), interval, 1.0)
        found.append((use, chance))
    corrected = holm([chance for _, chance in found])
    uses = [replace(use, corrected=chance) for (use, _), chance in zip(found, corrected, strict=True)]
    return tuple(sorted(uses, key=lambda use: (not use.found, -_factor(use), use.paragraph))), len(pairs)


def _factor(use: Use) -> float:
    """By how much a rule is used more or less, as a factor of at least 1."""
    less, more = sorted((use.before, use.after))
    return more / less if less else float("inf") if more else 1.0


def measure_json(measure: Measure) -> dict[str, Any]:
    """Bounds that are not known yet are null."""
    return {**published(measure), "found": measure.found}


# ---- in words ----------------------------------------------------------------------------------------
def sentences(comparison: Comparison) -> list[str]:
    """What was found, plainly; or that nothing can be said at this number of games."""
    games = comparison.games
    if games < 2:
        return [f"{'No' if games == 0 else 'Only one'} game came to an end under both sets of rules."]
    if comparison.same == games:
        return [f"In these {games} games the house rules changed neither who wins nor scores nor length."]
    found = [sentence(measure) for measure in comparison.measures if measure.found]
    if found:
        return found
    widest = max((_half_width(m) for m in comparison.measures if m.kind == "wins"), default=1.0)
    return [
        f"Nothing can be said about the balance at {games} games: a difference of less than about "
        f"{100 * widest:.0f} points in who wins would not be seen."
    ]


def _half_width(measure: Measure) -> float:
    low, high = measure.interval
    return (high - low) / 2


def sentence(measure: Measure) -> str:
    """A difference that was found, in one sentence."""
    low, high = measure.interval
    more = measure.difference > 0
    if measure.kind in ("wins", "drawn"):
        return (
            f"{'More' if more else 'Fewer'} games are {measure.name}: "
            f"{100 * measure.after:.1f} % instead of {100 * measure.before:.1f} % "
            f"({100 * low:+.1f} to {100 * high:+.1f} points)."
        )
    if measure.kind == "length":
        what, how, unit = "Games are", "longer" if more else "shorter", f" {measure.name}"
    else:
        what, how, unit = f"The {measure.name} is", "higher" if more else "lower", ""
    around = f"({low:+.2f} to {high:+.2f})"
    return f"{what} {how}: {measure.after:.2f}{unit} instead of {measure.before:.2f} {around}."
