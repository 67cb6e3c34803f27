"""The bars of the project, measured: `python benchmarks/bars.py`, or `make bars`.

Every line is a promise that a test holds with a smaller number on every change (tests/whole).
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

from tests.hostile import BOMBS as HOSTILE_RULEBOOKS
from tests.promises import Outcome, Promise, all_games, set_jobs, small_games
from tests.promises.amending import house_rules, random_edits, shipped_sets
from tests.promises.bombs import KINDS as HOSTILE_SAVES
from tests.promises.bombs import bombs
from tests.promises.breaking import broken_chapters, broken_data, broken_house_rules, broken_saves
from tests.promises.classics import beside_chess, beside_open_spiel, classic_counts, information_sets
from tests.promises.clicking import access, clicked_games, clicked_turn, pictures
from tests.promises.comparing import false_alarms, watched_alarms
from tests.promises.counts import TIC_TAC_TOE, complete_games, option_counts
from tests.promises.crashes import bit_flips, cuts, kills
from tests.promises.crowds import full_house
from tests.promises.cups import cups, honest_twins
from tests.promises.editing import completions, features, fixes, keystrokes, renames, typed_edits
from tests.promises.environments import batches, conformance, poker, simulations
from tests.promises.forging import forged_choices
from tests.promises.handbook import SECONDS, handbook_times
from tests.promises.hands import hidden_hands
from tests.promises.hostile import hostile
from tests.promises.interpreters import interpreters
from tests.promises.keeping import keep_in
from tests.promises.native import native_games, sanitized
from tests.promises.native_mutants import sanitized_mutants
from tests.promises.odds import sampled_combats
from tests.promises.playing import both_flavours, other_settings, random_games
from tests.promises.programs import program_hash_seeds, programs
from tests.promises.races import races
from tests.promises.readings import reading_games
from tests.promises.referees import referees
from tests.promises.results import HEAD, RESULTS, Results, lines_of, measured, progress
from tests.promises.rewinding import copy_costs, undo_and_save, verified_games
from tests.promises.sameness import hash_seeds, workers
from tests.promises.scenarios import scenario_games
from tests.promises.secrets import secrets
from tests.promises.stepping import native_steps, native_thoughts, sanitized_steps
from tests.promises.studies import cluster, overhead
from tests.promises.surroundings import LINES, surroundings
from tests.promises.tables import forged_requests, server_kills, table_twins
from tests.promises.twins import twins

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
    Bar("random-games", random_games, 60, 10_000, "random games: invariants, no dead ends, options apply"),
    Bar("scenarios", scenario_games, 8, 2_000, "random games over all scenarios of each game with several"),
    Bar("flavours", both_flavours, 24, 1_000, "games: full code, fast code and play at one go are equal"),
    Bar("settings", other_settings, 3, 100, "the same with readings, options and scenarios at random"),
    Bar(
        "readings",
        reading_games,
        20,
        10_000,
        "games over all scenarios, every reading at random: no violation, no dead end",
    ),
    Bar("native", native_games, 50, 10_000, "games in the machine and in Python, over all rules, are equal"),
    Bar("native-steps", native_steps, 10, 1_000, "games decision by decision in the machine and in Python"),
    Bar("native-thoughts", native_thoughts, 12, 1_000, "thoughts of agents there and in Python are equal"),
    Bar("native-steps-sanitized", sanitized_steps, 5, 200, "decisions and thoughts under the sanitizers"),
    Bar(
        "native-sanitized", sanitized, 20, 1_000, "the same under address and undefined-behaviour sanitizers"
    ),
    Bar("native-mutants", sanitized_mutants, 3, 10_000, "mutated rulebooks that check clean, under the same"),
    Bar("forgeries", forged_choices, 5_000, 100_000, "forged, stale, mutated choices: nothing changes"),
    Bar("rewinding", undo_and_save, 100, 10_000, "undo and save/load pairs with equal hashes"),
    Bar("verifying", verified_games, 10, 300, "saved games verified decision by decision"),
    Bar("hash-seeds", hash_seeds, 2, 20, "values of PYTHONHASHSEED, one final hash"),
    Bar("workers", workers, 2, 6, "numbers of workers, the same games"),
    Bar("kills", kills, 8, 100, "kill -9 at random moments, no answered decision lost"),
    Bar("races", races, 15, 500, "races of two programs at one file, no answered decision lost"),
    Bar("cuts", cuts, 1_500, 10**9, "bytes at which a journal was cut, longest valid prefix recovered"),
    Bar("bit-flips", bit_flips, 600, 5_000, "bits turned over in saves and journals, none silent"),
    Bar("bombs", bombs, 6, len(HOSTILE_SAVES), "hostile saves of up to 20 MB, refused in 2 s and 300 MB"),
    Bar(
        "programs",
        programs,
        40,
        20_000,
        "programs made at random: all ways of playing, saves, twins, commands",
    ),
    Bar("program-seeds", program_hash_seeds, 25, 1_000, "of them under two values of PYTHONHASHSEED"),
    Bar("broken-chapters", broken_chapters, 400, 100_000, "damaged chapters: refused with a place, or sound"),
    Bar("broken-data", broken_data, 400, 100_000, "damaged data files: refused with a place, or sound"),
    Bar("broken-house", broken_house_rules, 200, 20_000, "damaged house rules: refused, or played"),
    Bar("broken-saves", broken_saves, 200, 20_000, "damaged and forged saves: refused, or the same game"),
    Bar(
        "interpreters", interpreters, 1, 100, "games of every game under every CPython there is, also Pyodide"
    ),
    Bar("twins", twins, 30, 2_000, "pairs of games that differ in a secret, the same to me"),
    Bar("table-twins", table_twins, 6, 2_000, "pairs that differ in a secret: every byte by HTTP the same"),
    Bar("table-forged", forged_requests, 2_000, 100_000, "forged requests at a table: none does anything"),
    Bar("table-kills", server_kills, 2, 200, "servers killed in play: every answered act is kept"),
    Bar(
        "table-house",
        full_house,
        3,
        300,
        "seconds of 200 tables, 400 seats, 50 acts a second: quick, none lost",
    ),
    Bar(
        "table-clicks", clicked_games, 1, 10**3, "games by clicks in Chromium, two turns of those with turns"
    ),
    Bar(
        "table-turn",
        clicked_turn,
        5,
        0,
        "acts of a recorded turn: one side needs at most 45 clicks and drags",
    ),
    Bar("table-pictures", pictures, 3, 40, "clicks to a new picture: medians under 150 and 400 ms"),
    Bar("table-access", access, 1, 10**3, "pages and panes in which axe-core finds nothing serious"),
    Bar("cups", cups, 12, 2_000, "games for each agent and each way to hide one of four: found in 25 %"),
    Bar("honest-twins", honest_twins, 21, 2_000, "pairs that differ in a secret: the same decision and hint"),
    Bar(
        "secrets",
        secrets,
        100,
        1_250,
        "pairs that differ in a secret, put into each construct of the language",
    ),
    Bar("hidden-hands", hidden_hands, 6, 200, "pairs with other draws for the others, the same to me"),
    Bar("house-rules", house_rules, 2, len(shipped_sets()), "shipped house rules and pairs: diff, 20 games"),
    Bar(
        "random-edits",
        random_edits,
        3,
        300,
        "edits of one value: refused with its line, or diff and 20 games",
    ),
    Bar("false-alarms", false_alarms, 5, 200, "comparisons of 200 games with 200 of the same rules"),
    Bar(
        "watched-alarms", watched_alarms, 3, 500, "comparisons with itself, looked at after each of 200 pairs"
    ),
    Bar(
        "referees", referees, 4, 20_000, "positions of each map game beside a second version in plain Python"
    ),
    Bar("odds", sampled_combats, 500, 1_000_000, "sampled combats of each game beside their exact odds"),
    Bar("handbook", handbook_times, 1, 3, f"handbooks made in under {SECONDS:g} s of processor each"),
    Bar(
        "hostile",
        hostile,
        2,
        len(HOSTILE_RULEBOOKS),
        "hostile rulebooks: every command ends in 10 s and 1 GB, with a place",
    ),
    Bar(
        "surroundings",
        surroundings,
        1,
        len(LINES),
        "commands with a full disk, closed streams, pipes, no directory: each ends with a sentence",
    ),
    Bar(
        "study-cluster",
        cluster,
        30,
        2_000,
        "games on workers that are killed: none lost, none twice, same bytes",
    ),
    Bar("study-books", overhead, 5_000, 50_000, "games of a study: keeping them takes under 3 % of playing"),
    Bar("environments", conformance, 2, 10**3, "games that pass the tests of PettingZoo, 100 cycles each"),
    Bar("spiel", simulations, 2, 10**3, "games that pass the simulation of OpenSpiel"),
    Bar("poker", poker, 1, 2, "pokers as exploitable as those of OpenSpiel, to 1e-9"),
    Bar("batches", batches, 20_000, 400_000, "steps of many games at once, 20 × a loop over one environment"),
    Bar(
        "keystrokes",
        keystrokes,
        5,
        300,
        "keystrokes in the largest game: messages 150 ms, completion, hover 50",
    ),
    Bar("typed-edits", typed_edits, 10, 10_000, "edits: the language server says what a fresh check says"),
    Bar("features", features, 2, 10**3, "games on which every feature of the language server was asked"),
    Bar("completions", completions, 1, 10, "places in each kind of file of each game: their word is offered"),
    Bar(
        "renames", renames, 1, 100, "words of five files and more renamed: the game checks and plays the same"
    ),
    Bar("fixes", fixes, 10, 200, "slips with a help line: the offered change removes the message"),
    Bar("classic-counts", classic_counts, 2, 7, "moves of reversi, chess and draughts: as many as known"),
    Bar("card-games", information_sets, 1, 2, "poker in every way: ends and information sets as known"),
    Bar("beside-chess", beside_chess, 200, 5_000, "positions of chess in step with python-chess"),
    Bar("beside-open-spiel", beside_open_spiel, 100, 2_000, "of four games each in step with OpenSpiel"),
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
