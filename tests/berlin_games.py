"""Random games of Race for Berlin, the invariants counted anew after every choice.

    python tests/berlin_games.py --games 10000 --kept berlin_games.jsonl

In games with an even number every choice is drawn evenly, in the others the players are drawn to Berlin.
The file keeps one line for each finished game; started again with the same file, the run goes on where it
was. `--house FILE` plays with a house rule: one that takes a rule away shows that the check would notice.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[1])]

from interpreter.compiling.decision_points import MenuSite, Site, TravelSite
from interpreter.compiling.ruleset import Ruleset
from interpreter.playing.game import Game, open_game
from interpreter.playing.invariants import violations
from interpreter.running.machine import Machine
from tests.oracles.berlin_board import Board
from tests.oracles.berlin_recount import Recount

ENGINE_CHECK_EVERY = 50  # decisions between two looks at what the engine itself promises
MOST_SHOWN = 5


@lru_cache(maxsize=1)
def table(house: tuple[str, ...] = ()) -> tuple[Game, Board]:
    return open_game("race_for_berlin", tuple(map(Path, house))), Board()


def checked_game(
    number: int, house: tuple[str, ...] = (), readings: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """One random game to its end, or to the first choice after which something was wrong."""
    game, board = table(house)
    scenario = game.scenario()
    ruleset = game.ruleset(readings, scenario)
    rng, recount = Random(number), Recount(board, ruleset)
    choose = Drawn(board, ruleset).choose if number % 2 else choose_at_random
    machine = ruleset.new_machine(scenario, f"berlin/{number}", traced=False)
    machine.begin()
    decisions, wrong = 0, recount.look(machine)
    while not wrong and machine.pending is not None:
        choose(machine, rng)
        decisions += 1
        wrong = recount.look(machine)
        if not decisions % ENGINE_CHECK_EVERY or machine.pending is None:
            wrong += violations(ruleset, machine)
    return {
        "game": number,
        "decisions": decisions,
        "turns": recount.read.track(machine, "turn"),
        "ended_by": machine.outcome[3] if machine.outcome is not None else "",
        "supply_checks": recount.supply_checks,
        "fines": recount.fines,
        "levels": recount.read.levels(machine),
        "wrong": wrong[:MOST_SHOWN],
    }


def choose_at_random(machine: Machine, rng: Random) -> None:
    assert machine.pending is not None
    machine.choose(machine.pending.at_random(rng))


class Drawn:
    """Chooses at random, but goes for Berlin more often than not: random marches seldom get there."""

    def __init__(self, board: Board, ruleset: Ruleset) -> None:
        self.sites = ruleset.fast.blocks.sites
        self.away = {zone: 0 for zone in board.zones if board.is_berlin(zone)}
        reached = list(self.away)
        for zone in reached:  # grows while it is gone through
            for near in board.borders[zone]:
                if near not in self.away:
                    self.away[near] = self.away[zone] + 1
                    reached.append(near)
        self.spaces = ruleset.program.world.universes["space"].ids
        self.side = ruleset.layout.tracks["active_side"]

    def choose(self, machine: Machine, rng: Random) -> None:
        pending = machine.pending
        assert pending is not None
        site = self.sites[pending.site]
        soviets = machine.s[self.side] == 0
        zones = isinstance(site, TravelSite) or (isinstance(site, Site) and site.types[0].name == "space")
        if isinstance(site, MenuSite) and site.paragraph == "3.2.1":
            machine.choose(len(pending.options) - 2)  # a support point, without which nobody enters the city
        elif pending.out and rng.random() < (
            0.9 if site.paragraph == "3.2.2" else 0.1
        ):  # nobody starves himself
            machine.choose(-1)
        elif zones and soviets and rng.random() < 0.7:
            ways = [self.away.get(self.spaces[zone], 99) for zone in pending.options]
            machine.choose(ways.index(min(ways)))
        else:
            machine.choose(int(rng.random() * len(pending.options)))


def kept_games(path: Path, rules: str) -> set[int]:
    """The numbers of the games in a file; a line that was cut off is taken away."""
    if not path.exists():
        path.write_text(json.dumps({"rules": rules}) + "\n", encoding="utf-8")
        return set()
    whole = [line for line in path.read_text(encoding="utf-8").splitlines(keepends=True) if line[-1] == "\n"]
    if not whole or json.loads(whole[0]) != {"rules": rules}:
        raise SystemExit(f"{path} was made with other rules: take another file")
    path.write_text("".join(whole), encoding="utf-8")
    return {json.loads(line)["game"] for line in whole[1:]}


def play(numbers: Sequence[int], house: tuple[str, ...], jobs: int) -> Iterator[dict[str, Any]]:
    table(house)[0].ruleset({}, table(house)[0].scenario())  # compiled once, before the processes part
    if jobs == 1:
        yield from (checked_game(number, house) for number in numbers)
        return
    with get_context("fork").Pool(jobs) as pool:
        yield from pool.imap_unordered(_star, [(number, house) for number in numbers], chunksize=4)


def _star(task: tuple[int, tuple[str, ...]]) -> dict[str, Any]:
    return checked_game(*task)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--kept", type=Path, help="file of finished games, to go on from")
    parser.add_argument("--house", action="append", default=[], metavar="FILE")
    given = parser.parse_args(arguments)
    house = tuple(given.house)
    rules = table(house)[0].program.content_hash
    done = kept_games(given.kept, rules) if given.kept else set()
    left = [number for number in range(given.games) if number not in done]
    print(f"{len(done)} games were kept, {len(left)} to play, rules {rules[:12]}", file=sys.stderr)
    started, failed, decisions = time.monotonic(), 0, 0
    for count, row in enumerate(play(left, house, given.jobs), 1):
        if given.kept:
            with given.kept.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")
        decisions += row["decisions"]
        if row["wrong"]:
            failed += 1
            print(f"game {row['game']} decision {row['decisions']}: {'; '.join(row['wrong'])}", flush=True)
        if not count % 50 or count == len(left):
            pace = count / (time.monotonic() - started)
            rest = (len(left) - count) / pace / 60
            print(f"{count}/{len(left)} games, {pace:.2f} a second, {rest:.0f} min left, {failed} failed",
                  file=sys.stderr, flush=True)  # fmt: skip
    if given.kept:
        rows = [json.loads(line) for line in given.kept.read_text(encoding="utf-8").splitlines()[1:]]
        failed, decisions = sum(bool(row["wrong"]) for row in rows), sum(row["decisions"] for row in rows)
        done = {row["game"] for row in rows}
    total = len(done) if given.kept else len(left)
    print(f"{total} games, {decisions} choices, every state counted anew: {failed} games with a violation")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
