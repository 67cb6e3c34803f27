"""The promises of the engine, with small numbers. RULESDSL_BARS=full takes the full ones (`make bars`)."""

from __future__ import annotations

import os

import oracles  # noqa: F401  (makes `benchmarks` importable)
import pytest

from benchmarks.bars import BARS, Bar

FULL = os.environ.get("RULESDSL_BARS") == "full"
# These are counted elsewhere, too, with less work: test_tutorial_games, test_shipped_house_rules,
# test_random_edits, test_statistics, test_odds; how long a handbook takes is measured, not tested.
COUNTED_ELSEWHERE = {
    "counts", "tic-tac-toe", "house-rules", "random-edits", "false-alarms", "odds", "handbook",
}  # fmt: skip


@pytest.mark.parametrize(
    "bar", [b for b in BARS if FULL or b.name not in COUNTED_ELSEWHERE], ids=lambda b: b.name
)
def test_promise(bar: Bar) -> None:
    outcome = bar.promise(bar.full if FULL else bar.quick)
    assert outcome.failed == 0, "\n".join(outcome.examples)
    assert outcome.done > 0
