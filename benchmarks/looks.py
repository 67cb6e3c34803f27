"""Does it look like the game? What players of a kind do in whole games, counted from the log.

    python -m benchmarks.looks race_for_berlin club:24 --games 2

Marches that come twice to a space (the same thing moved step by step under one paragraph, decision after
decision), what left the map and under which paragraph, and attacks by their odds, where the rulebook notes
the two strengths (`--noted` names the note). Counts alone, no judgement: whether a second visit was needed
nobody says here.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from time import process_time

from interpreter.agents.native_worlds import native_worlds
from interpreter.agents.seats import agent_seed, make_agent
from interpreter.agents.sight import Sight
from interpreter.playing.moments import LogEntry
from interpreter.playing.session import Session


@dataclass
class Looks:
    """What was counted."""

    games: int = 0
    decisions: int = 0
    steps: int = 0  # of things on the map
    marches: int = 0
    visited_twice: int = 0  # marches that came to a space they had been in
    odds: Counter[str] = field(default_factory=Counter)
    gone: Counter[str] = field(default_factory=Counter)  # paragraph → things that left the map there

    def add(
        self, entries: Iterable[LogEntry], spaces: frozenset[str], pieces: frozenset[str], noted: str
    ) -> None:
        """One game more."""
        last: tuple[str, str, int] = ("", "", -2)
        seen: list[str] = []
        where: dict[str, str] = {}
        for entry in entries:
            if entry.kind in ("move", "place", "remove") and entry.things and entry.things[0] in pieces:
                piece = entry.things[0]
                space = next((thing for thing in entry.things[1:] if thing in spaces), "")
                if not space:
                    self.gone[entry.paragraph] += piece in where
                    where.pop(piece, None)
                    continue
                if entry.kind == "move" and piece in where:
                    self.steps += 1
                    same = last[:2] == (piece, entry.paragraph) and entry.decision - last[2] <= 1
                    if not same:
                        self.marches += 1
                        seen = [where[piece]]
                    if space in seen:
                        self.visited_twice += seen[0] != "#"
                        seen[0] = "#"  # told once for each march
                    seen.append(space)
                    last = piece, entry.paragraph, entry.decision
                where[piece] = space
            elif entry.text.startswith(noted) and len(entry.values) == 2:
                attack, defence = entry.values
                self.odds["below 1:2" if 2 * attack < defence else "1:2 and better"] += 1

    def told(self) -> str:
        """A paragraph."""
        games = max(1, self.games)
        gone = ", ".join(f"{paragraph}: {count / games:.1f}" for paragraph, count in self.gone.most_common(8))
        odds = ", ".join(f"{what}: {count}" for what, count in sorted(self.odds.items()))
        return (
            f"{self.games} games, {self.decisions / games:.0f} decisions each; {self.marches} marches, "
            f"{self.visited_twice} came twice to a space; attacks {odds or 'not noted'}; "
            f"left the map a game, by paragraph: {gone or 'nothing'}"
        )


def played(game: str, kinds: Sequence[str], seed: str, most: int) -> tuple[Session, int]:
    """One game of these kinds of players (the last sits in all other seats), cut after so many decisions."""
    session = Session.start(game, seed=seed)
    ruleset = session.ruleset
    native_worlds(ruleset).readiness.now()
    agents = {
        index: make_agent(kinds[min(place, len(kinds) - 1)], agent_seed(seed, name))
        for place, (name, index) in enumerate(ruleset.seats.index.items())
    }
    decision = 0
    while (pending := session.machine.pending) is not None and decision < most:
        chosen = agents[pending.who].choose(Sight.of(ruleset, session.machine), decision)
        session.choose(next(option for option in session.options if option.index == chosen))
        decision += 1
    return session, decision


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game")
    parser.add_argument("kinds", nargs="+")
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--seed", default="looks")
    parser.add_argument("--noted", default="attack and defence")
    parser.add_argument("--most", type=int, default=100_000, help="decisions of a game")
    asked = parser.parse_args()
    looks, began = Looks(), process_time()
    for number in range(asked.games):
        session, decisions = played(asked.game, asked.kinds, f"{asked.seed}/{number}", asked.most)
        universes = session.ruleset.program.world.universes
        places = zip(universes["space"].ids, universes["space"].classes, strict=True)
        spaces = frozenset(name for name, kind in places if kind != "box")
        looks.add(session.log, spaces, frozenset(universes["piece"].ids), asked.noted)
        looks.games, looks.decisions = looks.games + 1, looks.decisions + decisions
        print(f"{process_time() - began:.0f} s of processor", file=sys.stderr, flush=True)
    print(f"{asked.game}, {' and '.join(asked.kinds)}: {looks.told()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
