"""How strong the opponents are: one against another in both seats, counted with Wilson intervals.

`make strength` plays everything (about an hour of one core); a run that was cut goes on where it stopped.
`python benchmarks/strength.py 10` plays a tenth of the games.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from interpreter.measuring.results import open_results
from interpreter.measuring.simulation import GameRecord, Setup, Table
from interpreter.measuring.statistics import wilson
from interpreter.playing.game import open_game

SEED = "5"
KEPT_IN = Path("build/strength")


@dataclass(frozen=True)
class Pairing:
    """`games` in each seat; a game that is drawn, or that everybody loses, is not won."""

    game: str
    better: str
    worse: str
    games: int
    at_least: float


PAIRINGS = (
    Pairing("race_for_berlin", "greedy", "random", 100, 0.80),
    Pairing("tutorial/skirmish", "mcts", "greedy", 20, 0.55),
)


def games_of(pairing: Pairing, seat: str, count: int) -> list[GameRecord]:
    game = open_game(pairing.game)
    seats = dict.fromkeys(game.program.world.universes["player"].ids, pairing.worse) | {seat: pairing.better}
    table = Table(Setup(game.source.directory, (), None, {}, seats, SEED), game)
    KEPT_IN.mkdir(parents=True, exist_ok=True)
    file = open_results(KEPT_IN / f"{pairing.better}-{seat}-{table.run}.db", table)
    try:
        known = file.known()
        for number in range(count):
            if number not in known:
                known[number] = table.play(number)
                file.add([known[number]])
    finally:
        file.close()
    return [known[number] for number in range(count)]


def main(divisor: int = 1) -> int:
    good = True
    for pairing in PAIRINGS:
        won = played = 0
        for seat in open_game(pairing.game).program.world.universes["player"].ids:
            records = games_of(pairing, seat, max(1, pairing.games // divisor))
            mine = sum(record.winners == (seat,) for record in records)
            print(f"  {pairing.better} as {seat}: {mine} of {len(records)}", flush=True)
            won, played = won + mine, played + len(records)
        low, high = wilson(won, played)
        good &= won >= pairing.at_least * played
        print(f"{pairing.game}: {pairing.better} beats {pairing.worse} in {won} of {played} games, "
              f"{100 * won / played:.1f} % ({100 * low:.1f} to {100 * high:.1f}), "
              f"promised {100 * pairing.at_least:.0f} %")  # fmt: skip
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1))
