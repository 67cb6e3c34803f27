"""Map games before their referees in plain Python (tests/oracles), half of the positions from better agents.

    python tests/referees.py [--game GAME] [--positions 20000] [--agents KIND] [--keep DIRECTORY]

A referee knows nothing of the rules in Markdown: it reckons supply, zones of control and command, the steps
of marches and retreats, the sums and results of combats, control and points of a position again, from map
and counters. A quarter of the positions come from games of greedy agents, a quarter from agents that look
through the reply (`club`, so many tries before a decision), half from random ones. Whole games are looked at,
one by one, until there are as many positions as are wanted; a position that was seen before, in whatever
game of whatever agents, does not count. With `--keep` every game that was looked at
is written down, and the same command goes on where it was stopped. The bar `referees` (benchmarks/bars.py)
is the same with its full number.
"""

from __future__ import annotations

import argparse
import json
import sys
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = str(Path(__file__).parents[1])
if ROOT not in sys.path:
    sys.path[:0] = [ROOT]

from tests.kit.driven_games import digest  # noqa: E402
from tests.promises import set_jobs  # noqa: E402
from tests.promises.keeping import Attempt, answers, keep_in  # noqa: E402

KINDS = {"greedy": 0.25, "club:8": 0.25, "random": 0.5}  # who plays for which share of the positions
UNITS = 12  # of a position of Race for Berlin, drawn at random, of which all moves and retreats are compared
AT_ONCE = 4  # games of a kind that are begun before one looks how many positions there are
MOST_WRONG = 20  # differences, after which a game is not looked at any longer


@dataclass
class Looked:
    """What a referee has looked at in one game: its positions, and where he differs from the rules."""

    seen: set[bytes] = field(default_factory=set)
    differences: list[str] = field(default_factory=list)


def watched(moments: Iterator[tuple[list[Any], Callable[[], object]]], most: int) -> Looked:
    """Look at moments one by one, each position once, `most` at most; an assertion is a difference."""
    looked = Looked()
    for state, look in moments:
        if len(looked.seen) >= most:
            break
        if (known := digest(state)) in looked.seen:
            continue
        try:
            look()
        except AssertionError as error:
            looked.differences.append(str(error)[:300])
            if len(looked.differences) > MOST_WRONG:
                break
        looked.seen.add(known)
    return looked


def race_for_berlin(kind: str, number: int, most: int) -> Looked:
    from tests.berlin_referees import Tally, follow_game

    tally = Tally()
    follow_game(tally, kind, number, most, 1 if kind != "random" else 4, units=UNITS)
    return Looked(tally.seen, tally.wrong)


def battle_for_germany(kind: str, number: int, most: int) -> Looked:
    from tests.games.test_battle_for_germany import positions, same_as_the_second_version

    driven = positions(kind, number, 0.5 if kind != "random" else 0.1)
    return watched(((m[2], lambda m=m: same_as_the_second_version(m)) for m in driven), most)


def downfall(kind: str, number: int, most: int) -> Looked:
    from tests.games.test_downfall_referee import same_as_the_second_version
    from tests.oracles.europe_positions import positions

    driven = positions(kind, number, 1.0 if kind != "random" else 0.25)
    return watched(((m[1], lambda m=m: same_as_the_second_version(*m)) for m in driven), most)


def east_front(kind: str, number: int, most: int) -> Looked:
    from tests.kit.east_front_referee import positions, same_as_the_second_version

    driven = positions(kind, number)
    return watched(((m[0], lambda m=m: same_as_the_second_version(*m)) for m in driven), most)


def fortress_berlin(kind: str, number: int, most: int) -> Looked:
    from tests.kit.fortress_games import compare

    comparison = compare(kind, f"referee {number}", 0.5 if kind != "random" else 0.1, most)
    return Looked(comparison.seen, comparison.differences)


REFEREES = {
    "battle_for_germany": battle_for_germany,
    "downfall_of_the_third_reich": downfall,
    "east_front": east_front,
    "fortress_berlin": fortress_berlin,
    "race_for_berlin": race_for_berlin,
}
DIGEST = 8  # bytes of a position that is written down


@dataclass
class Report:
    """All games of one kind of agent."""

    game: str
    kind: str
    wanted: int
    games: int = 0
    seen: set[bytes] = field(default_factory=set)  # of the game, whoever plays: reports share it
    positions: int = 0
    differences: list[str] = field(default_factory=list)

    @property
    def goes_on(self) -> bool:
        return self.positions < self.wanted and len(self.differences) <= MOST_WRONG

    def line(self) -> str:
        return (
            f"{self.game}, {self.kind}: {self.positions:,} positions of {self.games} games, "
            f"{len(self.differences)} differences"
        )

    def add(self, answer: str) -> None:
        told = json.loads(answer)
        plain = b64decode(told["seen"])
        new = {plain[n : n + DIGEST] for n in range(0, len(plain), DIGEST)} - self.seen
        self.seen |= new
        self.positions += len(new)
        self.differences += told["differences"]
        self.games += 1


def attempt(game: str, kind: str, number: int, most: int) -> Attempt:
    """One game, looked at from the beginning to the end, or to as many positions; the answer can be written
    down."""

    def made() -> str:
        looked = REFEREES[game](kind, number, most)
        where = f"{kind} game {number}: "
        return json.dumps({
            "seen": b64encode(b"".join(sorted(looked.seen))).decode(),
            "differences": [where + one for one in looked.differences],
        })  # fmt: skip

    return f"{game}, {kind}, game {number}", made


def look_at(
    games: Sequence[str],
    shares: Mapping[str, float],
    positions: int,
    tell: Callable[[Report], None] = lambda _: None,
    of_a_game: int = sys.maxsize,
) -> list[Report]:
    """So many different positions of each game, by the shares of the kinds of agents, at most `of_a_game` of
    one. Games are taken in turn, so that what was done when somebody ends it is something of each."""
    seen: dict[str, set[bytes]] = {game: set() for game in games}
    reports = {
        (game, kind): Report(game, kind, max(1, round(positions * share)), seen=seen[game])
        for game in games
        for kind, share in shares.items()
    }
    begun = dict.fromkeys(reports, 0)
    while left := [key for key, report in reports.items() if report.goes_on]:
        batch = {}
        for key in left:
            report = reports[key]
            each = max(1, report.positions // max(1, report.games))
            most = -(-(report.wanted - report.positions) // each) if report.games else 1
            for _ in range(min(most, AT_ONCE)):
                name, made = attempt(*key, begun[key], of_a_game)
                batch[name] = key, made
                begun[key] += 1
        for name, answer in answers("referees", [(name, made) for name, (_, made) in batch.items()]):
            report = reports[batch[name][0]]
            report.add(answer)
            tell(report)
    return [*reports.values()]


def main() -> int:
    parser = argparse.ArgumentParser(description="Games against referees in plain Python.")
    parser.add_argument("--game", action="append", choices=sorted(REFEREES))
    parser.add_argument("--positions", type=int, default=20_000, help="of each game, shared by the agents")
    parser.add_argument("--agents", action="append", help="who shares them equally, instead of the usual")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep", type=Path, metavar="DIRECTORY")
    options = parser.parse_args()
    shares = dict.fromkeys(options.agents, 1 / len(options.agents)) if options.agents else KINDS
    keep_in(options.keep)
    set_jobs(options.jobs)
    reports = look_at(
        options.game or sorted(REFEREES), shares, options.positions,
        lambda report: print(report.line(), file=sys.stderr, flush=True),
    )  # fmt: skip
    for report in reports:
        print(report.line(), *report.differences, sep="\n  ", flush=True)
    return 1 if any(report.differences for report in reports) else 0


if __name__ == "__main__":
    sys.exit(main())
