"""Positions of Race for Berlin games against referees in plain Python (tests/oracles).

    python tests/berlin_referees.py --positions 20000 [--every 4]

Half of the positions come from games of greedy opponents, half from random ones. All of these are reckoned
twice: who is out of supply (3.1), where each unit may march, move at the end of the turn and retreat (7, 5.1,
8.3), the sums of a combat and, question by question, its course (8, 9), markers and victory points after
every choice (7.3.4, 9.1, 10), and at the end of a game who has won (10).
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[1])]

from interpreter.compiling.ruleset import Ruleset
from interpreter.playing.game import Game, open_game
from interpreter.running.machine import Machine
from tests.games.test_race_for_berlin import combat_of, engine_at, play_both, same_end, same_numbers
from tests.kit.driven_games import digest, driven
from tests.oracles.berlin_board import CAMPS, Board, Position
from tests.oracles.berlin_march import Marches, Standing
from tests.oracles.berlin_positions import Attempt
from tests.oracles.berlin_reading import StateReader
from tests.oracles.berlin_recount import Recount
from tests.oracles.berlin_retreat import retreat_zones
from tests.oracles.berlin_supply import out_of_supply

MODES = ("moving", "fighting", "waiting")
FLAGS = ("held", "separated", "stranded", "called_back", "fords", "moved", "turned", "bombarding")


@lru_cache(maxsize=1)
def table() -> tuple[Game, Ruleset, Board]:
    game = open_game("race_for_berlin")
    return game, game.ruleset({}, game.scenario()), Board()


@dataclass
class Tally:
    """How many positions were looked at, what was compared in them, and where the two differ."""

    positions: Counter[str] = field(default_factory=Counter)  # by the kind of agent
    compared: Counter[str] = field(default_factory=Counter)
    seen: set[bytes] = field(default_factory=set)  # positions: none counts twice
    wrong: list[str] = field(default_factory=list)


class Look:
    """One position of a game, as the engine and as the referees see it."""

    def __init__(
        self, ruleset: Ruleset, board: Board, machine: Machine, rng: random.Random, units: int | None = None
    ) -> None:
        self.ruleset, self.board, self.machine = ruleset, board, machine
        self.read = StateReader(ruleset)
        world = ruleset.program.world
        self.pieces = world.universes["piece"].index
        self.spaces = world.universes["space"].ids
        on_map = {n: z for n, z in self.read.places(machine).items() if z in board.zones}
        faces = self.read.faces(machine)
        self.position = Position(
            board, on_map, {n for n in on_map if faces[n]}, self._flagged("out_of_supply") & on_map.keys(),
            self._flagged("guest"), set(), self.read.flagged(machine, "space", "american"),
            dict(self.read.levels(machine)), dict(self.read.markers(machine)),
        )  # fmt: skip
        self.standing = self._standing()
        everybody = sorted(on_map)
        self.asked = everybody if units is None else sorted(rng.sample(everybody, min(units, len(everybody))))

    def _flagged(self, flag: str) -> set[str]:
        return self.read.flagged(self.machine, "piece", flag)

    def _standing(self) -> Standing:
        s, layout = self.machine.s, self.ruleset.layout
        modes, starts = layout.arrays["piece", "mode"].base, layout.arrays["piece", "start"].base
        named = {n: s[modes + i] for n, i in self.pieces.items() if s[modes + i] >= 0}
        places = dict.fromkeys(CAMPS, 4)
        for number, camp in enumerate(CAMPS):
            places[camp] += 2 * any(
                s[cell] >> number & 1 for cell in layout.flags["player", "coordinated"].values()
            )
        return Standing(
            {n: MODES[value] for n, value in named.items()},
            {n: self.spaces[s[starts + i]] for n, i in self.pieces.items() if s[starts + i] >= 0},
            *map(self._flagged, FLAGS),
            active_side=("soviet", "german")[s[layout.tracks["active_side"]]], places=places,
        )  # fmt: skip

    # ---- the referees
    def supply(self) -> Iterator[str]:
        asked = self.ruleset.fast.function("d", "cut_from_supply")
        cut = {n for n in self.position.where if self.ruleset.fast.ask(asked, self.machine.s, self.pieces[n])}
        for name in sorted(cut ^ out_of_supply(self.position)):
            yield f"supply: {name} {'is' if name in cut else 'is not'} cut off"

    def moves(self) -> Iterator[str]:
        marches = Marches(self.position, self.standing)
        summoned = self._flagged("summoned")  # a duty to march somewhere (2.3.2) is not judged here
        for name in (n for n in self.asked if n not in summoned):
            yield from self._same("march", name, marches.march(name))
            yield from self._same("single_move", name, marches.single_move(name))

    def retreats(self) -> Iterator[str]:
        legal = self.ruleset.fast.function("ok", "fall_back")
        for name in self.asked:
            if self.board.is_berlin(self.position.where[name]):
                continue  # nobody retreats out of Berlin: it is not attacked (8.1.1)
            zones = self._reached("retreat", name)
            ids = {zone: number for number, zone in enumerate(self.spaces)}
            open_to = {z for z in zones if legal(self.machine.s, self.pieces[name], ids[z])}
            wanted = retreat_zones(self.position, name, {})
            if open_to != wanted:
                yield f"retreat of {name}: {sorted(open_to)}, the referee says {sorted(wanted)}"

    def _same(self, route: str, name: str, wanted: set[str]) -> Iterator[str]:
        found = self._reached(route, name)
        if found != wanted:
            more, less = sorted(found - wanted), sorted(wanted - found)
            yield f"{route} of {name} from {self.position.where[name]}: too many {more}, too few {less}"

    def _reached(self, route: str, name: str) -> set[str]:
        asked = self.ruleset.fast.function("r", route)
        mask = self.ruleset.fast.ask(asked, self.machine.s, self.pieces[name])
        return {zone for number, zone in enumerate(self.spaces) if mask >> number & 1}

    def combat(self, rng: random.Random) -> tuple[str, list[str]]:
        """One combat that could be fought here: its kind, and what was otherwise."""
        attempt = self._attempt(rng)
        if attempt is None:
            return "", []
        urban = self.board.is_berlin(attempt.target)
        combat = combat_of(attempt, rng.randint(1, 6), {}, urban)
        machine = engine_at(self.ruleset, attempt)
        machine.script = [combat.die]
        able = attempt.ready if urban else {u for u in attempt.ready if combat.may_strike(u)}
        combat.attackers = {u for u in able if not urban or attempt.position.where[u] == attempt.target}
        side = ("soviet", "german").index(attempt.side)
        universes = self.ruleset.program.world.universes
        given = [universes["player"].index[attempt.striker], side, universes["space"].index[attempt.target]]
        try:
            same_numbers(self.ruleset, machine, combat, extra=False)
            if not urban:
                combat.attackers = set()
            machine.begin("urban_attack" if urban else "land_attack", given)
            play_both(self.ruleset, machine, combat.urban_referee() if urban else combat.referee(), rng)
            same_end(self.ruleset, machine, attempt)
        except AssertionError as error:
            return "combat", [f"{attempt.side} attack of {attempt.striker} on {attempt.target}: {error}"]
        return "urban roll" if urban else "combat", []

    def _attempt(self, rng: random.Random) -> Attempt | None:
        """Somebody next to an enemy, chosen at random."""
        position = Position(
            self.board, dict(self.position.where), set(self.position.reduced), set(self.position.short),
            set(self.position.guests), set(), set(self.position.american), dict(self.position.progress),
            dict(self.position.control),
        )  # fmt: skip
        position.support = {camp: rng.randint(1, 3) for camp in CAMPS}
        chances = []
        for name, zone in sorted(position.where.items()):
            unit = position.unit(name)
            near = [zone] if self.board.is_berlin(zone) else [*self.board.borders[zone]]
            for target in near:
                foes = [u for u in position.units_in(target) if position.unit(u).side != unit.side]
                if self.board.is_berlin(target) != self.board.is_berlin(zone) or target in position.american:
                    continue
                worth = bool(foes) if target != zone or unit.side == "german" else name not in position.short
                if worth and not all(u in position.guests for u in foes or ["-"]):
                    chances.append((unit.side, unit.camp, target))
        rng.shuffle(chances)
        for side, camp, target in chances[:8]:
            ready = {
                n for n in position.where
                if (position.unit(n).side, position.unit(n).camp) == (side, camp) and n not in position.guests
            }  # fmt: skip
            if self.board.is_berlin(target) and side == "soviet":
                ready -= position.short
            attempt = Attempt(position, side, camp, target, ready, set(), set(), False, False)
            combat = combat_of(attempt, 1, {}, self.board.is_berlin(target))
            inside = {u for u in ready if position.where[u] == target}
            if inside if self.board.is_berlin(target) else any(combat.may_strike(u) for u in ready):
                return attempt
        return None


def look(tally: Tally, machine: Machine, rng: random.Random, where: str, units: int | None = None) -> None:
    """Supply of everybody, moves and retreats of so many units drawn at random (or of all), a combat."""
    _, ruleset, board = table()
    seen = Look(ruleset, board, machine, rng, units)
    for name, referee in (("supply", seen.supply), ("moves", seen.moves), ("retreats", seen.retreats)):
        tally.compared[name] += len(seen.position.where if name == "supply" else seen.asked)
        tally.wrong += [f"{where}: {wrong}" for wrong in referee()]
    kind, wrong = seen.combat(rng)
    tally.compared[kind or "no combat"] += 1
    tally.wrong += [f"{where}: {one}" for one in wrong]


def winner_says_so(machine: Machine, points: dict[str, int]) -> str:
    """10: more points win, as many are a draw."""
    assert machine.outcome is not None
    ended, winners, _, paragraph = machine.outcome
    if paragraph != "10":
        return ""
    best = [camp for camp in CAMPS if points[camp] == max(points.values())]
    wanted = ("drawn", 0) if len(best) > 1 else ("wins", 1 << CAMPS.index(best[0]))
    return "" if (ended, winners) == wanted else f"{points}, and the game ended {ended} {winners}"


def follow_game(
    tally: Tally,
    kind: str,
    number: int,
    most: int,
    every: int,
    units: int | None = None,
) -> None:
    """One game of two such agents, every so many choices a look, up to `most` positions of this kind."""
    game, ruleset, board = table()
    recount = Recount(board, ruleset)
    for decision, machine, rng in driven(ruleset, game.scenario(), kind, f"referees/{number}"):
        tally.wrong += [f"{kind} game {number}, choice {decision}: {w}" for w in recount.look(machine)]
        tally.compared["markers and points"] += 1
        if machine.pending is None:
            wrong = winner_says_so(machine, recount.read.points(machine))
            tally.compared["winners"] += 1
            tally.wrong += [f"{kind} game {number}: {wrong}"] if wrong else []
            return
        if decision % every == 0 and (known := digest(machine.s)) not in tally.seen:
            tally.seen.add(known)
            look(tally, machine, rng, f"{kind} game {number}, choice {decision}", units)
            tally.positions[kind] += 1
        if tally.positions[kind] >= most or len(tally.wrong) > 20:
            return


def referees(positions: int, every: int, kinds: tuple[str, ...] = ("greedy", "random")) -> Tally:
    """So many positions, the same number from the games of each kind of agent."""
    tally = Tally()
    for kind in kinds:
        number = 0
        while tally.positions[kind] < positions // len(kinds) and len(tally.wrong) <= 20:
            follow_game(tally, kind, number, positions // len(kinds), every)
            number += 1
    return tally


def main() -> int:
    parser = argparse.ArgumentParser(description="Race for Berlin against referees in plain Python.")
    parser.add_argument("--positions", type=int, default=20_000)
    parser.add_argument("--every", type=int, default=2, help="choices between two looks")
    options = parser.parse_args()
    tally = referees(options.positions, options.every)
    for name, counts in (("positions", tally.positions), ("compared", tally.compared)):
        print(f"{name}: " + ", ".join(f"{count:,} {what}" for what, count in counts.items()))
    print(f"{len(tally.wrong)} differences", *tally.wrong, sep="\n")
    return 1 if tally.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
