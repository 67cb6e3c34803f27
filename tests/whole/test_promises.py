"""The promises of the engine, with small numbers. RULESDSL_BARS=full takes the full ones (`make bars`)."""

from __future__ import annotations

import os

import pytest

from benchmarks.bars import BARS, Bar
from tests.promises import QUICK

FULL = os.environ.get("RULESDSL_BARS") == "full"
# These are counted elsewhere, too, with less work: test_tutorial_games, test_secret_constructs,
# test_shipped_house_rules, test_random_edits, test_statistics, test_odds, test_fuzzing, test_classic_games;
# how long a handbook takes is measured, not tested (so are the books of studies and the speed of batches:
# test_studies, test_study_cluster and test_environments hold the rest, test_lsp and test_editing the
# language service, test_table_browser the table by clicks, test_native native games);
# other interpreters are for `make bars`.
COUNTED_ELSEWHERE = {
    "counts", "tic-tac-toe", "secrets", "house-rules", "random-edits", "false-alarms", "odds", "handbook",
    "programs", "interpreters", "classic-counts", "card-games", "beside-chess", "beside-open-spiel",
    "study-cluster", "study-books", "environments", "spiel", "poker", "batches",
    "table-clicks", "table-turn", "table-pictures", "table-access",
    "native", "native-sanitized", "native-mutants", "native-steps", "native-thoughts",
    "native-steps-sanitized",
    "keystrokes", "typed-edits", "features", "fixes", "completions", "renames",
}  # fmt: skip


@pytest.mark.parametrize(
    "bar", [b for b in BARS if FULL or b.name not in COUNTED_ELSEWHERE], ids=lambda b: b.name
)
def test_promise(bar: Bar, monkeypatch: pytest.MonkeyPatch) -> None:
    if not FULL:
        monkeypatch.setenv(QUICK, "1")
    outcome = bar.promise(bar.full if FULL else bar.quick)
    assert outcome.failed == 0, "\n".join(outcome.examples)
    assert outcome.done > 0
