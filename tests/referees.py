"""Map games before their referees in plain Python (tests/oracles), half of the positions from greedy agents.

    python tests/referees.py [--game GAME] [--positions 20000] [--seconds 600] [--agents greedy|random|both]

A referee knows nothing of the rules in Markdown: it reckons supply, zones of control and command, the steps
of marches and retreats, the sums and results of combats, control and points of a position again, from map
and counters. `--seconds` ends each game's share early; what was looked at is told. The bar `referees`
(benchmarks/bars.py) is the same with its full number.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = str(Path(__file__).parents[1])
if ROOT not in sys.path:
    sys.path[:0] = [ROOT]

KINDS = ("greedy", "random")
UNITS = 12  # of a position of Race for Berlin, drawn at random, of which all moves and retreats are compared


@dataclass
class Report:
    """What a referee has looked at, and where he differs from the rules."""

    game: str
    kind: str
    positions: int = 0
    differences: list[str] = field(default_factory=list)

    def line(self) -> str:
        return f"{self.game}, {self.kind}: {self.positions:,} positions, {len(self.differences)} differences"


def watched(report: Report, moments: Iterator[Callable[[], object]], until: float) -> Report:
    """Look at moments one by one until the time is over; an assertion is a difference."""
    for look in moments:
        if time.monotonic() > until or len(report.differences) > 20:
            break
        try:
            look()
        except AssertionError as error:
            report.differences.append(str(error)[:300])
        report.positions += 1
    return report


def race_for_berlin(kind: str, positions: int, until: float) -> Report:
    from tests.berlin_referees import Tally, follow_game

    tally, number = Tally(), 0
    while tally.positions[kind] < positions and not tally.wrong and time.monotonic() < until:
        every = 1 if kind == "greedy" else 4
        follow_game(tally, kind, number, positions, every, until=until, units=UNITS)
        number += 1
    return Report("race_for_berlin", kind, tally.positions[kind], tally.wrong)


def battle_for_germany(kind: str, count: int, until: float) -> Report:
    from tests.games.test_battle_for_germany import positions, same_as_the_second_version

    moments = (lambda m=m: same_as_the_second_version(m) for m in positions(count, kind))
    return watched(Report("battle_for_germany", kind), moments, until)


def downfall(kind: str, count: int, until: float) -> Report:
    from tests.games.test_downfall_referee import same_as_the_second_version
    from tests.oracles.europe_positions import positions

    driven = positions(count, kind == "greedy", late=False, often=1)
    moments = (lambda m=m: same_as_the_second_version(*m) for m in driven)
    return watched(Report("downfall_of_the_third_reich", kind), moments, until)


def east_front(kind: str, count: int, until: float) -> Report:
    from tests.kit.east_front_referee import positions, same_as_the_second_version

    moments = (lambda m=m: same_as_the_second_version(*m) for m in positions(count, kind))
    return watched(Report("east_front", kind), moments, until)


def fortress_berlin(kind: str, count: int, until: float) -> Report:
    from tests.kit.fortress_games import compare

    left = max(1.0, until - time.monotonic())
    comparison = compare(kind, count, 1 if kind == "greedy" else 5, "referee", seconds=left)
    return Report("fortress_berlin", kind, comparison.compared["positions"], comparison.differences)


REFEREES = {
    "battle_for_germany": battle_for_germany,
    "downfall_of_the_third_reich": downfall,
    "east_front": east_front,
    "fortress_berlin": fortress_berlin,
    "race_for_berlin": race_for_berlin,
}


def main() -> int:
    parser = argparse.ArgumentParser(description="Games against referees in plain Python.")
    parser.add_argument("--game", action="append", choices=sorted(REFEREES))
    parser.add_argument("--positions", type=int, default=20_000, help="of each game, half from greedy agents")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="for each game and kind of agent")
    parser.add_argument("--agents", choices=(*KINDS, "both"), default="both")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    kinds = KINDS if options.agents == "both" else (options.agents,)
    told, wrong = [], 0
    for game in options.game or sorted(REFEREES):
        for kind in kinds:
            until = time.monotonic() + options.seconds
            report = REFEREES[game](kind, options.positions // len(kinds), until)
            wrong += len(report.differences)
            told.append(report)
            if not options.json:
                print(report.line(), *report.differences, sep="\n  ", flush=True)
    if options.json:
        print(json.dumps([vars(report) for report in told], indent=1))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
