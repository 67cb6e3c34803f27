"""What many games say: shares with intervals, lengths, scores. Exact until the last step, so that the
same records always give the same text."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from interpreter.measuring.simulation import GameRecord

CONFIDENCE = 1.959963984540054  # 95 %
DIGITS = 6


def wilson(hits: int, trials: int, z: float = CONFIDENCE) -> tuple[float, float]:
    """The Wilson interval for a share: sensible also near 0 and 1, and for few games."""
    if trials == 0:
        return 0.0, 1.0
    share = hits / trials
    middle = share + z * z / (2 * trials)
    spread = z * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    whole = 1 + z * z / trials
    return max(0.0, (middle - spread) / whole), min(1.0, (middle + spread) / whole)


def summary(records: Sequence[GameRecord], facts: dict[str, Any], players: Sequence[str]) -> dict[str, Any]:
    """The JSON form of a simulation. Every game is counted once: as finished or as failed."""
    finished = [record for record in records if not record.failure]
    turns = [record.turns for record in finished if record.turns is not None]
    decisions = [record.decisions for record in finished]
    results = result_counts(finished, players)
    out: dict[str, Any] = {
        "schema_version": 1,
        **facts,
        "games": len(records),
        "finished": len(finished),
        "failed": len(records) - len(finished),
        "results": results,
        "shares": {name: _share(hits, len(finished)) for name, hits in results.items()},
        "reasons": dict(sorted(Counter(r.reason for r in finished).items(), key=lambda e: (-e[1], e[0]))),
        "mean_score": {p: _mean(Fraction(r.scores[p]) for r in finished if p in r.scores) for p in players}
        if any(r.scores for r in finished)
        else {},
        "mean_turns": _mean(turns if turns else decisions),
        "turns_counted_by": "the track turn" if turns else "decisions",
        "mean_decisions": _mean(decisions),
        "decisions": _spread(decisions),
        "failures": [{"game": r.number, "seed": r.seed, "why": r.failure} for r in records if r.failure],
    }
    fired: Counter[str] = Counter()
    for record in records:
        fired.update(record.fired)
    if fired:
        out["rule_counts"] = dict(sorted(fired.items(), key=lambda entry: (-entry[1], entry[0])))
    return out


def result_counts(finished: Iterable[GameRecord], players: Sequence[str]) -> dict[str, int]:
    """Wins of each player, then draws and games nobody won when there were any."""
    counts = Counter(result_name(record) for record in finished)
    known = [*players, *sorted(set(counts) - set(players))]
    return {name: counts[name] for name in known if name in players or counts[name]}


def result_name(record: GameRecord) -> str:
    return "+".join(record.winners) or ("drawn" if record.outcome == "drawn" else "nobody")


def quantile(values: Sequence[int], share: float) -> int:
    """The smallest value that is not exceeded by this share of them."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, max(0, math.ceil(share * len(ordered)) - 1))]


def _share(hits: int, trials: int) -> dict[str, Any]:
    low, high = wilson(hits, trials)
    share = hits / trials if trials else 0.0
    return {"share": round(share, DIGITS), "interval": [round(low, DIGITS), round(high, DIGITS)]}


def _mean(values: Iterable[int | Fraction]) -> float | None:
    listed = list(values)
    return round(float(sum(map(Fraction, listed), Fraction(0)) / len(listed)), DIGITS) if listed else None


def _spread(values: Sequence[int]) -> dict[str, int]:
    if not values:
        return {}
    return {"least": min(values), "quarter": quantile(values, 0.25), "half": quantile(values, 0.5),
            "three_quarters": quantile(values, 0.75), "most": max(values)}  # fmt: skip
