"""How strong the opponents are: the ladder, every level against the one below and `greedy`, in every seat.

    make strength                             everything (many hours of one core; a run that was cut goes on)
    python benchmarks/strength.py --quick     a tenth of the games
    python benchmarks/strength.py --game tutorial/skirmish --games 100 --pair club:32=greedy

Games are paired: each seed is played once with the better player in each seat. A draw counts half, a game
that everybody loses nothing. Levels play with a number of tries instead of a clock, so that a row can be
played again anywhere. Results are kept in build/strength, as long as the opponents are not changed;
`--markdown` prints the table of the README.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from hashlib import sha256
from pathlib import Path
from time import process_time

from interpreter import agents
from interpreter.measuring.results import open_results
from interpreter.measuring.simulation import GameRecord, Setup, Table
from interpreter.measuring.statistics import wilson
from interpreter.playing.game import Game, open_game
from rulesdsl.base.diagnostics import UsageError

SEED = "5"
KEPT_IN = Path("build/strength")
EASY, CLUB, STRONG = "easy:40", "club:32", "strong:160"


@dataclass(frozen=True)
class Pairing:
    """`seeds` games in each seat; `at_least`, where something is promised, is the share that must be won."""

    game: str
    better: str
    worse: str
    seeds: int
    at_least: float | None = None


def ladder(game: str, seeds: int) -> tuple[Pairing, ...]:
    """Every level against the one below, and the middle one against the yardstick."""
    pairs = ((EASY, "random"), (CLUB, EASY), (STRONG, CLUB), (CLUB, "greedy"))
    return tuple(Pairing(game, better, worse, seeds) for better, worse in pairs)


PAIRINGS = (
    Pairing("race_for_berlin", "greedy", "random", 100, 0.80),
    Pairing("tutorial/skirmish", CLUB, "greedy", 100, 0.75),
    Pairing("tutorial/skirmish", STRONG, CLUB, 100, 0.60),
    Pairing("tutorial/skirmish", CLUB, EASY, 50),
    Pairing("tutorial/skirmish", EASY, "random", 50),
    Pairing("race_for_berlin", CLUB, "greedy", 100, 0.65),
    Pairing("battle_for_germany", CLUB, "greedy", 100, 0.65),
    Pairing("downfall_of_the_third_reich", CLUB, "greedy", 50),
    Pairing("fortress_berlin", CLUB, "greedy", 10, 0.75),
    *(
        pairing
        for game in ("chess", "draughts", "reversi", "go_9x9", "nine_mens_morris", "backgammon")
        for pairing in (
            Pairing(f"classics/{game}", "strong:400", "random", 50, 1.0),
            Pairing(f"classics/{game}", "strong:400", "club:100", 25),
        )
    ),
    *(
        Pairing(f"tutorial/{game}", "strong:400", "club:100", 25)
        for game in ("connect_four", "breakthrough", "hex")
    ),
)


@dataclass(frozen=True)
class Row:
    """What came of a pairing."""

    pairing: Pairing
    points: dict[str, float]  # seat → games won there, draws half
    games: dict[str, int]
    margins: tuple[float, ...]  # in points of the game, where it counts any

    @property
    def share(self) -> float:
        return sum(self.points.values()) / max(1, sum(self.games.values()))

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the share; draws count half, so it is a little wide."""
        played = sum(self.games.values())
        low, high = (
            wilson(math.floor(sum(self.points.values())), played),
            wilson(math.ceil(sum(self.points.values())), played),
        )
        return low[0], high[1]

    @property
    def margin(self) -> tuple[float, float] | None:
        """The mean margin and half its 95 % interval."""
        if len(self.margins) < 2:
            return None
        mean = sum(self.margins) / len(self.margins)
        spread = sum((m - mean) ** 2 for m in self.margins) / (len(self.margins) - 1)
        return mean, 1.96 * math.sqrt(spread / len(self.margins))

    @property
    def kept(self) -> bool:
        return self.pairing.at_least is None or self.share >= self.pairing.at_least


def played(pairing: Pairing, game: Game, until: float) -> Row:
    """All games of a pairing, those of earlier runs included; none is begun after so much processor time."""
    seats = game.ruleset({}, game.scenario(None)).seats.ids
    points, games, margins = dict.fromkeys(seats, 0.0), dict.fromkeys(seats, 0), list[float]()
    for seat in seats:
        setup = dict.fromkeys(seats, pairing.worse) | {seat: pairing.better}
        table = Table(Setup(game.source.directory, (), None, {}, setup, SEED), game)
        for record in _records(table, f"{pairing.better}-{seat}".replace(":", "_"), pairing.seeds, until):
            games[seat] += 1
            points[seat] += _points(record, seat, len(seats))
            if (margin := _margin(record, seat)) is not None:
                margins.append(margin)
    return Row(pairing, points, games, tuple(margins))


@cache
def opponents() -> str:
    """A short name for the opponents as they are now: results of others are not counted."""
    files = sorted(Path(agents.__file__ or "").parent.glob("*.py"))
    return sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:8]


def _records(table: Table, name: str, count: int, until: float) -> Iterator[GameRecord]:
    KEPT_IN.mkdir(parents=True, exist_ok=True)
    file = open_results(KEPT_IN / f"{name}-{table.run}-{opponents()}.db", table)
    try:
        known = file.known()
        for number in range(count):
            if number not in known:
                if process_time() > until:
                    continue
                known[number] = table.play(number)
                file.add([known[number]])
            yield known[number]
    finally:
        file.close()


def _points(record: GameRecord, seat: str, seats: int) -> float:
    if record.outcome == "drawn":
        return 0.5 if seats == 2 else 1 / seats
    return 1 / len(record.winners) if seat in record.winners else 0.0


def _margin(record: GameRecord, seat: str) -> float | None:
    scores = {player: float(Fraction(score)) for player, score in record.scores.items()}
    rivals = [score for player, score in scores.items() if player != seat]
    return scores[seat] - max(rivals) if seat in scores and rivals else None


def told(row: Row) -> str:
    pairing, (low, high) = row.pairing, row.interval
    seats = ", ".join(f"{row.points[s]:g} of {row.games[s]} as {s}" for s in row.games if row.games[s])
    margin = f"; margin {row.margin[0]:+.1f} ± {row.margin[1]:.1f}" if row.margin else ""
    promised = f"; promised {100 * pairing.at_least:.0f} %" if pairing.at_least is not None else ""
    return (
        f"{pairing.game}: {pairing.better} against {pairing.worse}: {100 * row.share:.1f} % "
        f"({100 * low:.1f} to {100 * high:.1f}) of {sum(row.games.values())} ({seats}){margin}{promised}"
    )


def as_markdown(rows: Sequence[Row]) -> str:
    lines = ["| game | | games | won | 95 % interval | by seats |", "|---|---|---|---|---|---|"]
    for row in rows:
        low, high = row.interval
        seats = ", ".join(f"{s} {row.points[s]:g}/{row.games[s]}" for s in row.games)
        lines.append(
            f"| {row.pairing.game} | `{row.pairing.better}` against `{row.pairing.worse}` "
            f"| {sum(row.games.values())} | {100 * row.share:.1f} % "
            f"| {100 * low:.1f} to {100 * high:.1f} | {seats} |"
        )
    return "\n".join(lines)


def asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--game", action="append", default=[], help="only these games (any that can be opened)"
    )
    parser.add_argument(
        "--pair", action="append", default=[], metavar="BETTER=WORSE", help="only these players"
    )
    parser.add_argument("--games", type=int, default=0, help="in each seat, instead of what is planned")
    parser.add_argument("--quick", action="store_true", help="a tenth of the games")
    parser.add_argument(
        "--seconds", type=float, default=math.inf, help="of processor time; then no more games"
    )
    parser.add_argument("--markdown", action="store_true", help="print the table of the README")
    return parser.parse_args()


def chosen(arguments: argparse.Namespace) -> list[Pairing]:
    pairs = [(text.partition("=")[0], text.partition("=")[2]) for text in arguments.pair]
    games = arguments.game or list(dict.fromkeys(p.game for p in PAIRINGS))
    found = [p for p in PAIRINGS if p.game in games]
    for game in games:
        if pairs:
            found = [p for p in found if p.game != game or (p.better, p.worse) in pairs]
            known = {(p.better, p.worse) for p in found if p.game == game}
            found += [Pairing(game, *pair, arguments.games or 20) for pair in pairs if pair not in known]
        elif not any(p.game == game for p in found):
            found += ladder(game, arguments.games or 20)
    divisor = 10 if arguments.quick else 1
    return [
        Pairing(p.game, p.better, p.worse, arguments.games or max(1, p.seeds // divisor), p.at_least)
        for p in found
    ]


def main() -> int:
    arguments = asked()
    rows: list[Row] = []
    for pairing in chosen(arguments):
        try:
            rows.append(played(pairing, open_game(pairing.game), arguments.seconds))
        except UsageError as error:
            print(f"error: {error}", file=sys.stderr)
            return 2
        if rows[-1].games and sum(rows[-1].games.values()):
            print(told(rows[-1]), file=sys.stderr if arguments.markdown else sys.stdout, flush=True)
    if arguments.markdown:
        print(as_markdown([row for row in rows if sum(row.games.values())]))
    return 0 if all(row.kept for row in rows if sum(row.games.values())) else 1


if __name__ == "__main__":
    sys.exit(main())
