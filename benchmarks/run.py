"""How fast it is, as ratios: `make bench`, or `python -m benchmarks.run [SECTION…]`.

Everything is measured in one process, by turns, five times; the median of the paired ratios is printed with
their spread (greatest over least), and written to benchmarks/latest.json. The clock counts the processor's
time of this process, so that a busy machine disturbs less.

* `tutorial`: random games at one go beside hand-written Python, OpenSpiel and PettingZoo (if installed)
* `wargame`: reach, supply and combat of Race for Berlin beside the same written by hand with masks
* `games`: random games of every shipped game; the peer is the same game stopped at every decision
* `native`: the same in the machine; the peers are Python, and OpenSpiel in C++ or driven from Python
* `steps`: decisions in the machine, for opponents; the peers are one call of Python for each, and Python
* `costs`: check, load, first prompt, copy, undo, explain; the peer is the bar, so 1 and more holds it
* `growth`: decisions per second when the map, the units or the rules double; the peer is half of them
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks import costs, growth, native_rates, wargame
from benchmarks.baselines import optimised, plain
from benchmarks.peers import NOT_INSTALLED, playouts, versions
from benchmarks.timing import Row, compare, interleave, table, write_latest
from interpreter.playing.game import open_game
from rulesdsl.base.resources import shipped_games

Work = Callable[[], object]


def at_one_go(name: str) -> Work:
    """One random game after the other, by the compiled path without log and prompts."""
    game = open_game(name)
    scenario = game.scenario()
    play = game.ruleset({}, scenario).playouts.play
    draw = random.Random(1).random

    def decide(_: int, count: int) -> int:
        return int(draw() * count)

    return lambda: play(scenario, "1", decide)


def step_by_step(name: str) -> Work:
    """The same, stopped at every decision."""
    game = open_game(name)
    scenario = game.scenario()
    ruleset = game.ruleset({}, scenario)
    draw = random.Random(1).random

    def one_game() -> None:
        machine = ruleset.new_machine(scenario, "1", traced=False)
        machine.begin()
        while (pending := machine.pending) is not None:
            options = len(pending.options)
            number = int(draw() * (options + pending.out))
            machine.choose(number if number < options else -1)

    return one_game


def tutorial() -> list[Row]:
    others = playouts()
    rows: list[Row] = []
    for name in plain.GAMES:
        contestants: dict[str, Work] = {"ours": at_one_go(f"tutorial/{name}")}
        contestants["plain Python"] = partial(plain.GAMES[name].playout, random.Random(1))
        contestants["optimised Python"] = partial(optimised.GAMES[name].playout, random.Random(1))
        for peer, games in others.items():
            if name in games:
                contestants[peer] = partial(games[name], random.Random(1))
        rates = interleave(contestants)
        rows += [
            compare(f"{name}: {peer}", rates["ours"], rates[peer]) for peer in contestants if peer != "ours"
        ]
    return rows


def games() -> list[Row]:
    rows: list[Row] = []
    for name in shipped_games():
        if not open_game(name).program.procedures:
            continue  # a module that other games read along
        rates = interleave({"ours": at_one_go(name), "peer": step_by_step(name)}, seconds=0.4)
        rows.append(compare(f"games of {name}", rates["ours"], rates["peer"]))
    return rows


SECTIONS: dict[str, Callable[[], list[Row]]] = {
    "tutorial": tutorial,
    "wargame": wargame.rows,
    "games": games,
    "native": native_rates.rows,
    "steps": native_rates.step_rows,
    "costs": costs.rows,
    "growth": growth.rows,
}


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sections", nargs="*", choices=[[], *SECTIONS], metavar="SECTION")
    chosen = parser.parse_args(arguments).sections or [*SECTIONS]
    for peer, version in versions().items():
        print(f"{peer}: {version}" + (", left out" if version == NOT_INSTALLED else ""))
    rows: list[Row] = []
    for name in chosen:
        found = SECTIONS[name]()
        print(f"\n{name}\n{table(found)}", flush=True)
        rows += found
    if len(chosen) == len(SECTIONS):
        write_latest(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
