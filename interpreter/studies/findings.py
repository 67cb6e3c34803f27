"""What the games of a study tell: effects with intervals, judged together, and what cannot be said."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import combinations, product

from interpreter.measuring.comparison import Comparison, Measure, sentence
from interpreter.measuring.inference import Interval, holm, paired_mean
from interpreter.measuring.simulation import GameRecord
from interpreter.measuring.statistics import result_name, wilson
from interpreter.studies.batches import Key
from interpreter.studies.columns import Rows
from interpreter.studies.running import Look, comparison_of, looks_taken, records_of
from interpreter.studies.store import seats_of
from interpreter.studies.studyfile import Arm, Study

LEVEL = 0.05
Levels = tuple[int, ...]
Cells = Mapping[Levels, int]  # cell of a factorial → its sign


@dataclass(frozen=True)
class Share:
    """How often something came out in an arm."""

    count: int
    of: int

    @property
    def value(self) -> float:
        return self.count / self.of if self.of else 0.0

    @property
    def interval(self) -> Interval:
        return wilson(self.count, self.of)


@dataclass(frozen=True)
class ArmFinding:
    arm: Arm
    games: int
    failed: tuple[GameRecord, ...]
    results: Mapping[str, Share]  # player id, `drawn`, `nobody`, or players who win together
    lengths: tuple[int, ...]
    scores: Mapping[str, tuple[float, ...]]
    usage: Mapping[str, int]
    fired: Mapping[str, int]
    counted: int
    comparison: Comparison | None  # None: the arm others are compared with


@dataclass(frozen=True)
class Effect:
    """A level of a factor, or what two levels do together beyond what each does alone."""

    name: str
    seat: str
    difference: float
    interval: Interval
    corrected: float

    @property
    def found(self) -> bool:
        return self.corrected < LEVEL


@dataclass(frozen=True)
class Findings:
    study: Study
    games: int  # of each arm that were looked at
    arms: tuple[ArmFinding, ...]
    names: Mapping[str, str]
    length_unit: str
    main: tuple[Effect, ...]
    together: tuple[Effect, ...]
    looks: tuple[Look, ...]
    complete: bool
    engines: tuple[str, ...] = ()  # the versions of the engine that played

    @property
    def base(self) -> ArmFinding:
        return self.arms[0]

    @property
    def sentences(self) -> list[str]:
        return found_sentences(self)

    def result_name(self, result: str) -> str:
        return "+".join(self.names.get(part, part) for part in result.split("+"))


def findings_of(study: Study, rows: Rows, engines: Sequence[str] = ()) -> Findings:
    """From the games that all arms have played."""
    looks = looks_taken(study, rows)
    games = looks[-1].games if looks else _common(study, rows)
    everything = [records_of(arm, rows, games) for arm in study.arms]
    turns = {r.turns for records in everything for r in records if not r.failure}
    by_turns = None not in turns and len(turns) > 1
    compared = [
        None if study.baseline(arm) is arm else comparison_of(study, arm, rows, games) for arm in study.arms
    ]
    arms = [
        _arm(arm, records, comparison, by_turns)
        for arm, records, comparison in zip(study.arms, everything, judged(compared), strict=True)
    ]
    main, together = _factorial(study, rows, games)
    return Findings(
        study, games, tuple(arms), seats_of(study.arms), "turns" if by_turns else "decisions", main, together,
        tuple(looks), bool(looks) and looks[-1].enough, tuple(engines),
    )  # fmt: skip


def _common(study: Study, rows: Rows) -> int:
    """A study that is still being played: the games, from the first, that every arm has."""
    games = 0
    while games < study.stopping.most and all(Key(arm.number, games) in rows for arm in study.arms):
        games += 1
    return games


def _arm(
    arm: Arm, records: Sequence[GameRecord], comparison: Comparison | None, by_turns: bool
) -> ArmFinding:
    finished = [record for record in records if not record.failure]
    counts = Counter(map(result_name, finished))
    names = [*arm.setup.seats, *sorted(set(counts) - set(arm.setup.seats))]
    usage: Counter[str] = Counter()
    fired: Counter[str] = Counter()
    for record in records:
        usage.update(record.usage)
        fired.update(record.fired)
    scores = {
        player: tuple(float(Fraction(r.scores[player])) for r in finished if player in r.scores)
        for player in arm.setup.seats
    }
    return ArmFinding(
        arm, len(records), tuple(r for r in records if r.failure),
        {name: Share(counts[name], len(finished)) for name in names},
        tuple((r.turns or 0) if by_turns else r.decisions for r in finished),
        {player: values for player, values in scores.items() if values}, usage, fired,
        sum(bool(r.fired) for r in records), comparison,
    )  # fmt: skip


def judged(compared: Sequence[Comparison | None]) -> list[Comparison | None]:
    """All arms are judged together (Holm): seven arms must not raise seven times as many false alarms."""
    least = {
        place: min((m.corrected for m in comparison.measures), default=1.0)
        for place, comparison in enumerate(compared)
        if comparison is not None
    }
    found: list[Comparison | None] = list(compared)
    worst = 1.0
    for rank, place in enumerate(sorted(least, key=lambda p: (least[p], p))):
        comparison = compared[place]
        assert comparison is not None
        worst = float(len(least) - rank)
        measures = [replace(m, corrected=min(1.0, worst * m.corrected)) for m in comparison.measures]
        uses = [replace(u, corrected=min(1.0, worst * u.corrected)) for u in comparison.uses]
        found[place] = replace(comparison, measures=tuple(measures), uses=tuple(uses))
    return found


# ---- factorials ---------------------------------------------------------------------------------------
def _factorial(study: Study, rows: Rows, games: int) -> tuple[tuple[Effect, ...], tuple[Effect, ...]]:
    """Effects of levels, and of pairs of levels beyond their sum, over all combinations of the other
    factors."""
    seats = {tuple(arm.setup.seats) for arm in study.arms}
    if not study.factors or len(seats) != 1:
        return (), ()
    by_levels = {arm.levels: arm for arm in study.arms}
    numbers = [
        n for n in range(games)
        if all(Key(a.number, n) in rows and not rows[Key(a.number, n)].failure for a in study.arms)
    ]  # fmt: skip

    def won(seat: str, levels: Levels, number: int) -> int:
        return int(seat in rows[Key(by_levels[levels].number, number)].winners)

    main: list[tuple[Effect, float]] = []
    together: list[tuple[Effect, float]] = []
    names = seats_of(study.arms)
    for seat in next(iter(seats))[: 1 if len(names) == 2 else None]:
        for f, (factor, levels) in enumerate(study.factors):
            for level in range(1, len(levels)):
                found = _contrast(study, (f,), {(level,): 1, (0,): -1}, numbers, partial(won, seat))
                main.append(_effect(f"{factor}: {levels[level]}", names[seat], found))
        for (f, (one, first)), (g, (other, second)) in combinations(enumerate(study.factors), 2):
            for i, j in product(range(1, len(first)), range(1, len(second))):
                cells: Cells = {(i, j): 1, (i, 0): -1, (0, j): -1, (0, 0): 1}
                found = _contrast(study, (f, g), cells, numbers, partial(won, seat))
                name = f"{one}: {first[i]} with {other}: {second[j]}"
                together.append(_effect(name, names[seat], found))
    return _corrected(main), _corrected(together)


def _contrast(
    study: Study,
    places: tuple[int, ...],
    cells: Cells,
    numbers: Sequence[int],
    won: Callable[[Levels, int], int],
) -> list[float]:
    """Game by game, the signed sum over the cells of a contrast, as a mean over the other factors."""
    others = [range(len(levels)) if f not in places else [0] for f, (_, levels) in enumerate(study.factors)]
    combinations_of_others = list(product(*others))
    values = []
    for number in numbers:
        total = 0
        for rest in combinations_of_others:
            for cell, sign in cells.items():
                levels = list(rest)
                for place, level in zip(places, cell, strict=True):
                    levels[place] = level
                total += sign * won(tuple(levels), number)
        values.append(total / len(combinations_of_others))
    return values


def _effect(name: str, seat: str, values: Sequence[float]) -> tuple[Effect, float]:
    difference, interval, chance = paired_mean(values)
    return Effect(name, seat, difference, interval, 1.0), chance


def _corrected(effects: Sequence[tuple[Effect, float]]) -> tuple[Effect, ...]:
    chances = holm([chance for _, chance in effects])
    return tuple(replace(effect, corrected=c) for (effect, _), c in zip(effects, chances, strict=True))


# ---- in words -----------------------------------------------------------------------------------------
def lead(found: Findings) -> str:
    """The answer in one sentence, before everything else."""
    compared = [entry for entry in found.arms if entry.comparison is not None]
    if not compared:
        return ""
    winning = [e for e in compared if any(m.found and m.kind in ("wins", "drawn") for m in _measures(e))]
    otherwise = [e for e in compared if e not in winning and any(m.found for m in _measures(e))]
    base, games = f"“{found.base.arm.name}”", f"{found.games:,} games of each arm"
    if not winning and not otherwise:
        return f"Beside {base}, no arm makes a difference that {games} can tell from luck."
    parts = []
    if winning:
        parts.append(f"{listed([e.arm.name for e in winning])} {_verb(winning)} who wins")
    if otherwise:
        parts.append(f"{listed([e.arm.name for e in otherwise])} {_verb(otherwise)} something else than that")
    rest = len(compared) - len(winning) - len(otherwise)
    others = "arm" if rest == 1 else f"{rest} arms"
    more = f" {games} are too few to tell anything about the other {others}." if rest else ""
    return f"Beside {base}, {'; '.join(parts)}.{more}"


def _verb(entries: Sequence[ArmFinding]) -> str:
    return "changes" if len(entries) == 1 else "change"


def _measures(entry: ArmFinding) -> tuple[Measure, ...]:
    return entry.comparison.measures if entry.comparison is not None else ()


def found_sentences(found: Findings) -> list[str]:
    """What was found, arm by arm, then what was not."""
    said: list[str] = []
    silent: list[ArmFinding] = []
    same: list[str] = []
    for entry in found.arms:
        comparison = entry.comparison
        if comparison is None:
            continue
        told = [sentence(measure) for measure in comparison.measures if measure.found]
        if told:
            said.append(f"{entry.arm.name}: {' '.join([*told, *_unsaid(entry, found.games)])}")
        elif comparison.games and comparison.same == comparison.games:
            same.append(entry.arm.name)
        else:
            silent.append(entry)
    for effect in found.main:
        if effect.found:
            low, high = effect.interval
            said.append(
                f"{_in_words(effect)}: by itself, as a mean over the other factors, it changes the games "
                f"won by {effect.seat} by {100 * effect.difference:+.1f} points "
                f"({100 * low:+.1f} to {100 * high:+.1f})."
            )
    for effect in found.together:
        if effect.found:
            low, high = effect.interval
            said.append(
                f"{_in_words(effect)}: together they change the games won by {effect.seat} by "
                f"{100 * effect.difference:+.1f} points more than each alone "
                f"({100 * low:+.1f} to {100 * high:+.1f})."
            )
    if same:
        said.append(
            f"{listed(same)}: in these {found.games} games nothing was different, not even a score or "
            "a length."
        )
    if silent:
        names = listed([entry.arm.name for entry in silent])
        widest = max((_half(m) for e in silent for m in _wins(e)), default=1.0)
        said.append(
            f"{names}: nothing can be said about who wins. A difference of less than about "
            f"{100 * widest:.0f} points would not be seen in {found.games} games of each."
        )
    if not said:
        leader = max(found.base.results.items(), key=lambda pair: pair[1].count, default=None)
        if leader is not None:
            low, high = leader[1].interval
            said.append(
                f"{found.result_name(leader[0])}: {100 * leader[1].value:.1f} % of {leader[1].of} games "
                f"({100 * low:.1f} to {100 * high:.1f})."
            )
    return [_typeset(line) for line in said]


def _in_words(effect: Effect) -> str:
    """Without the colon that parts who is spoken of from what is said."""
    return effect.name.replace(": ", " = ")


def _typeset(line: str) -> str:
    """A minus is as wide as a plus."""
    return re.sub(r"(?<![\w])-(?=\d)", "−", line)


def _unsaid(entry: ArmFinding, games: int) -> list[str]:
    """Where something else was found: that this says nothing about who wins."""
    wins = _wins(entry)
    if not wins or any(measure.found for measure in wins):
        return []
    return [
        f"About who wins these {games} games say nothing (within {100 * max(map(_half, wins)):.0f} points)."
    ]


def cautions(found: Findings) -> list[str]:
    """What these games cannot tell, whatever they say."""
    kinds = sorted({kind for entry in found.arms for kind in entry.arm.setup.seats.values()})
    said = [
        f"The players were {listed(kinds)}. What a rule does to people, or to better players, is "
        "another question."
    ]
    if "random" in kinds:
        said.append(
            "Random players take every option equally often: rules that reward a plan look weaker "
            "here than they "
            "are, and rules that punish mistakes look stronger."
        )
    failed = sum(len(entry.failed) for entry in found.arms)
    said.append(
        f"{failed} games did not come to an end and are not counted."
        if failed
        else "Every game came to an end."
    )
    if found.study.stopping.within:
        said.append(
            f"Games were added until every interval of a difference in wins was at most "
            f"{found.study.stopping.within:g} points wide to either side, or "
            f"{found.study.stopping.most} games of each "
            "arm were played. Only the width was looked at, not which side of zero a difference lies on."
        )
        last = found.looks[-1] if found.looks else None
        if last is not None and last.enough and last.widest > found.study.stopping.within:
            said.append(
                f"That certainty was not reached: after {last.games} games of each arm the widest interval "
                f"is {last.widest:.1f} points to either side."
            )
    else:
        said.append("The number of games was fixed before the first was played.")
    if not found.complete:
        said.append("The study is not finished: these are the games so far, and the report will change.")
    said.append(
        "All arms and all numbers of a section are judged together (Holm): a study of rules that "
        "change nothing "
        "raises a false alarm in one study out of twenty."
    )
    counted = max((entry.counted for entry in found.arms), default=0)
    if counted:
        said.append(f"The use of rules was counted in the first {counted} games of each arm only.")
    return said


def listed(words: Sequence[str]) -> str:
    """`a, b and c`"""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else ""


def _wins(entry: ArmFinding) -> list[Measure]:
    return [m for m in entry.comparison.measures if m.kind == "wins"] if entry.comparison else []


def _half(measure: Measure) -> float:
    low, high = measure.interval
    return (high - low) / 2
