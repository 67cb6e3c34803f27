"""The bars of the project, measured: `python benchmarks/bars.py`, or `make bars`.

Every line is a promise that a test holds with a smaller number on every change (tests/test_promises.py).
Names of bars as arguments (or `--only NAME`) run only those; `--quick` takes the small numbers. Each result
is written down as soon as it is known: a run that was cut goes on with what is missing, as long as nothing
of the engine, the games or the bars has changed. Progress and the time left go to stderr.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.promises import Outcome, Promise, all_games, set_jobs, small_games
from benchmarks.promises.amending import house_rules, random_edits, shipped_sets
from benchmarks.promises.comparing import false_alarms
from benchmarks.promises.counts import TIC_TAC_TOE, complete_games, option_counts
from benchmarks.promises.crashes import bit_flips, cuts, kills
from benchmarks.promises.forging import forged_choices
from benchmarks.promises.handbook import SECONDS, handbook_times
from benchmarks.promises.hands import hidden_hands
from benchmarks.promises.keeping import keep_in
from benchmarks.promises.odds import sampled_combats
from benchmarks.promises.playing import both_flavours, other_settings, random_games
from benchmarks.promises.results import HEAD, RESULTS, Results, lines_of, measured, progress
from benchmarks.promises.rewinding import copy_costs, undo_and_save, verified_games
from benchmarks.promises.sameness import hash_seeds, workers
from benchmarks.promises.scenarios import scenario_games
from benchmarks.promises.twins import twins

COPY_MICROSECONDS = 50


@dataclass(frozen=True, slots=True)
class Bar:
    """A promise with the number of times it is tried: on every change, and in the full run."""

    name: str
    promise: Promise
    quick: int
    full: int
    says: str


def copies(count: int) -> Outcome:
    """Copying a session of each long game, in the middle of it: under 50 µs, the best of `count` runs."""
    outcome = Outcome()
    notes: list[str] = []
    for name in [name for name in all_games() if name not in small_games()]:
        machine, session = min((copy_costs(name) for _ in range(count)), key=lambda pair: pair[1])
        notes.append(f"{name}: machine {machine:.1f} µs, session {session:.1f} µs")
        outcome.done += count
        if session > COPY_MICROSECONDS:
            outcome.failure(notes[-1])
    outcome.note = "; ".join(notes)
    return outcome


BARS = (
    Bar("counts", option_counts, 3, 4, "lines of play to this depth, beside hand-written games"),
    Bar("tic-tac-toe", complete_games, TIC_TAC_TOE, TIC_TAC_TOE, "complete games of tic-tac-toe"),
    Bar("random-games", random_games, 300, 10_000, "random games: invariants, no dead ends, options apply"),
    Bar("scenarios", scenario_games, 24, 2_000, "random games over all scenarios of each game with several"),
    Bar("flavours", both_flavours, 60, 1_000, "games: full code, fast code and play at one go are equal"),
    Bar("settings", other_settings, 6, 100, "the same with readings, options and scenarios at random"),
    Bar("forgeries", forged_choices, 5_000, 100_000, "forged, stale, mutated choices: nothing changes"),
    Bar("rewinding", undo_and_save, 300, 10_000, "undo and save/load pairs with equal hashes"),
    Bar("verifying", verified_games, 20, 300, "saved games verified decision by decision"),
    Bar("hash-seeds", hash_seeds, 4, 20, "values of PYTHONHASHSEED, one final hash"),
    Bar("workers", workers, 2, 6, "numbers of workers, the same games"),
    Bar("kills", kills, 8, 100, "kill -9 at random moments, no answered decision lost"),
    Bar("cuts", cuts, 1_500, 10**9, "bytes at which a journal was cut, longest valid prefix recovered"),
    Bar("bit-flips", bit_flips, 600, 5_000, "bits turned over in saves and journals, none silent"),
    Bar("twins", twins, 60, 2_000, "pairs of games that differ in a secret, the same to me"),
    Bar("hidden-hands", hidden_hands, 12, 200, "pairs with other draws for the others, the same to me"),
    Bar("house-rules", house_rules, 2, len(shipped_sets()), "shipped house rules and pairs: diff, 20 games"),
    Bar(
        "random-edits",
        random_edits,
        3,
        300,
        "edits of one value: refused with its line, or diff and 20 games",
    ),
    Bar("false-alarms", false_alarms, 5, 200, "comparisons of 200 games with 200 of the same rules"),
    Bar("odds", sampled_combats, 500, 1_000_000, "sampled combats of each game beside their exact odds"),
    Bar("handbook", handbook_times, 1, 3, f"handbooks made in under {SECONDS:g} s of processor each"),
    Bar("copies", copies, 1, 3, f"runs of copying a session in under {COPY_MICROSECONDS} µs"),
)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", choices=[[], *(bar.name for bar in BARS)], metavar="BAR")
    parser.add_argument(
        "--only", action="append", default=[], choices=[bar.name for bar in BARS], metavar="BAR"
    )
    parser.add_argument("--quick", action="store_true", help="the numbers of the tests, not the full ones")
    parser.add_argument("--jobs", type=int, default=0, help="processes for bars that share their work")
    parser.add_argument("--fresh", action="store_true", help="measure again what is already written down")
    parser.add_argument(
        "--keep", type=Path, metavar="DIRECTORY", help="write down parts of the longest bars, go on"
    )
    parser.add_argument(
        "--results", type=Path, default=RESULTS, metavar="FILE", help=f"JSON ({RESULTS.name} by default)"
    )
    given = parser.parse_args(arguments)
    keep_in(given.keep)
    set_jobs(given.jobs)
    wanted = {*given.names, *given.only}
    bars = [bar for bar in BARS if not wanted or bar.name in wanted]
    kept = Results(given.results, quick=given.quick)
    print(HEAD)
    failed = 0
    for number, bar in enumerate(bars, 1):
        count = bar.quick if given.quick else bar.full
        known = None if given.fresh else kept.known(bar.name, count)
        if known is None:
            with progress(f"{bar.name} ({number} of {len(bars)})", count):
                known = measured(bar.promise, count)
            kept.write(bar.name, count, known)
        print("\n".join(lines_of(bar.name, bar.says, known)), flush=True)
        failed += known.failed
    print("every bar holds" if not failed else f"{failed} failures")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
