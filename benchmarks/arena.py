"""Who is stronger, quickly: two players, or two ways to value positions, with counted tries.

    python -m benchmarks.arena race_for_berlin club:24 greedy --games 20
    python -m benchmarks.arena race_for_berlin greedy greedy --against old/opponent.md --games 100

Each seed is played once with the first player in every seat. With `--against` the other player values
positions as that file says (the first as the game does): both play the same game, each in a machine of its
own that goes in step with the other, so a change of a value is measured against what it replaces. Rows that
were played are kept in `--kept` and counted again; processor seconds are told for each decision.
"""

from __future__ import annotations

import argparse
import json
import math
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import process_time

from interpreter.agents.native_worlds import native_worlds
from interpreter.agents.seats import Agent, agent_seed, make_agent
from interpreter.agents.sight import Sight, rewards
from interpreter.compiling.ruleset import Ruleset
from interpreter.measuring.statistics import wilson
from interpreter.native.compilers import NotNative
from interpreter.playing.game import Game, open_game
from interpreter.running.machine import Machine
from rulesdsl.base.resources import find_game
from rulesdsl.book.scenario import Scenario
from rulesdsl.book.texts import OPPONENT_FILE
from rulesdsl.language.conventions import SCORE, VALUE

MOST_DECISIONS = 50_000


@dataclass
class Clock:
    """Processor seconds of one player, and the decisions in which he had a choice."""

    seconds: float = 0.0
    decisions: int = 0


@dataclass(frozen=True)
class Row:
    """How one game went."""

    seed: int
    seat: str
    points: float  # of the first player: a draw is shared
    margin: float | None  # in points of the game
    decisions: int


@dataclass
class Arena:
    """A game, two players, and how each of them values positions."""

    game: Game
    kinds: tuple[str, str]
    seed: str
    scenario_name: str | None = None
    other: Game | None = None
    clocks: tuple[Clock, Clock] = field(default_factory=lambda: (Clock(), Clock()))

    def __post_init__(self) -> None:
        self.scenario: Scenario | None = self.game.scenario(self.scenario_name)
        self.rulesets: tuple[Ruleset, Ruleset] = (
            self.game.ruleset({}, self.scenario),
            (self.other or self.game).ruleset({}, self.scenario),
        )
        for ruleset in self.rulesets if set(self.kinds) != {"random"} else ():
            try:
                native_worlds(ruleset).readiness.now()
            except NotNative as why:
                print(f"in Python: {why}", file=sys.stderr)

    def play(self, number: int, seat: str) -> Row:
        """A game with the first player in one seat, the other in all the rest."""
        seed, index = f"{self.seed}/{number}", self.rulesets[0].seats.index
        first = index[seat]
        agents = {i: make_agent(self.kinds[i != first], agent_seed(seed, name)) for name, i in index.items()}
        machines = [ruleset.new_machine(self.scenario, seed, traced=False) for ruleset in self.rulesets]
        if self.other is None:
            machines.pop()
        for machine in machines:
            machine.begin()
        decision = 0
        while machines[0].pending is not None and decision < MOST_DECISIONS:
            who = machines[0].pending.who
            chosen = self._decided(agents[who], int(who != first), machines, decision)
            for machine in machines:
                machine.choose(chosen)
            decision += 1
        return Row(number, seat, *self._outcome(machines[0], first), decision)

    def _decided(self, agent: Agent, side: int, machines: list[Machine], decision: int) -> int:
        machine, clock = machines[side % len(machines)], self.clocks[side]
        pending, began = machine.pending, process_time()
        assert pending is not None
        chosen = agent.choose(Sight.of(self.rulesets[side], machine), decision)
        if len(pending.options) + pending.out > 1:
            clock.seconds += process_time() - began
            clock.decisions += 1
        return chosen

    def _outcome(self, machine: Machine, first: int) -> tuple[float, float | None]:
        players = self.rulesets[0].seats.index.values()
        points = rewards(machine, players)[first] if machine.outcome is not None else 1 / len(players)
        for name in (SCORE, VALUE):
            quantity = self.rulesets[0].program.quantities.get(name)
            if quantity is not None and [p.type.name for p in quantity.params] == ["player"]:
                function = self.rulesets[0].fast.function("q", name)
                scores = {p: float(self.rulesets[0].fast.ask(function, machine.s, p)) for p in players}
                rivals = [score for player, score in scores.items() if player != first]
                return points, scores[first] - max(rivals) if rivals else None
        return points, None


def valued_by(game: str, file: Path) -> Game:
    """The same game with another `opponent.md`."""
    source = find_game(game)
    place = Path(tempfile.mkdtemp(prefix="arena-")) / source.name
    shutil.copytree(source, place)
    shutil.copyfile(file, place / OPPONENT_FILE)
    return open_game(place)


def rows(arena: Arena, games: int, first: int, seconds: float, kept: Path | None) -> Iterator[Row]:
    """So many seeds, each in every seat; no game is begun after so much processor time."""
    known: dict[tuple[int, str], Row] = {}
    if kept is not None and kept.exists():
        for line in kept.read_text(encoding="utf-8").splitlines():
            row = Row(**json.loads(line))
            known[row.seed, row.seat] = row
    for number in range(first, first + games):
        for seat in arena.rulesets[0].seats.ids:
            if (number, seat) not in known:
                if process_time() > seconds:
                    return
                known[number, seat] = arena.play(number, seat)
                if kept is not None:
                    with kept.open("a", encoding="utf-8") as file:
                        file.write(json.dumps(asdict(known[number, seat])) + "\n")
            yield known[number, seat]


def told(found: list[Row], seats: int, clocks: tuple[Clock, Clock]) -> str:
    """One line: what the first player won, altogether and in each seat."""
    points, played = sum(row.points for row in found), len(found)
    low, high = wilson(math.floor(points), played)[0], wilson(math.ceil(points), played)[1]
    by_seat: dict[str, list[Row]] = {}
    for row in found:
        by_seat.setdefault(row.seat, []).append(row)
    parts = [
        f"{seat} {sum(r.points for r in one):g}/{len(one)}{_margin(one)}" for seat, one in by_seat.items()
    ]
    times = " / ".join(f"{1000 * c.seconds / max(1, c.decisions):.1f}" for c in clocks)
    fair = "" if seats == 2 else f", fair share {100 / seats:.0f}"
    return (
        f"{100 * points / max(1, played):.1f} % ({100 * low:.1f} to {100 * high:.1f}{fair}) of {played}"
        f"{_margin(found)}; {', '.join(parts)}; ms a decision {times}"
    )


def _margin(found: list[Row]) -> str:
    margins = [row.margin for row in found if row.margin is not None]
    if len(margins) < 2:
        return ""
    mean = sum(margins) / len(margins)
    spread = math.sqrt(sum((m - mean) ** 2 for m in margins) / (len(margins) - 1) / len(margins))
    return f" by {mean:+.1f} ± {1.96 * spread:.1f}"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game")
    parser.add_argument("better")
    parser.add_argument("worse")
    parser.add_argument("--games", type=int, default=10, help="in each seat")
    parser.add_argument("--first", type=int, default=0, help="the number of the first game")
    parser.add_argument("--seed", default="arena")
    parser.add_argument("--scenario")
    parser.add_argument("--against", type=Path, help="another opponent.md, for the second player")
    parser.add_argument("--value", type=Path, help="another opponent.md, for the first player")
    parser.add_argument("--seconds", type=float, default=math.inf, help="of processor time; then no more")
    parser.add_argument("--kept", type=Path, help="rows are kept here, and a run that was cut goes on")
    asked = parser.parse_args()
    first = valued_by(asked.game, asked.value) if asked.value else open_game(asked.game)
    other = valued_by(asked.game, asked.against) if asked.against else None
    if asked.value and not other:
        other = open_game(asked.game)
    arena = Arena(first, (asked.better, asked.worse), asked.seed, asked.scenario, other)
    found: list[Row] = []
    seats = len(arena.rulesets[0].seats.ids)
    for row in rows(arena, asked.games, asked.first, asked.seconds, asked.kept):
        found.append(row)
        if len(found) % max(1, 5 * seats) == 0:
            print(told(found, seats, arena.clocks), file=sys.stderr, flush=True)
    print(f"{asked.game}: {asked.better} against {asked.worse}: {told(found, seats, arena.clocks)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
