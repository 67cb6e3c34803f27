"""What a rulebook says is always so, asked of a game with house rules.

An author of a house rule has no test suite: a few games at random, as long as they last or as a person would
wait, tell him what his rule broke and after how many decisions.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from interpreter.playing.invariants import broken_invariants
from interpreter.running.fuel import RunawayRule
from rulesdsl.base.lightclass import dataclass
from rulesdsl.language.conventions import INVARIANT
from rulesdsl.speaking.english import in_words

if TYPE_CHECKING:
    from interpreter.playing.game import Game
    from interpreter.playing.session import Session

GAMES = 2
DECISIONS = 250  # of each game


@dataclass(frozen=True, slots=True)
class Broken:
    """`rule` says `name`; `decisions` into game `game` (counted from 1) it was no longer so."""

    paragraph: str
    name: str
    game: int
    decisions: int

    def words(self, title: str) -> str:
        said = in_words(self.name.removeprefix(INVARIANT))
        where = f'{self.paragraph} "{title}"' if title else self.paragraph
        when = f"after {self.decisions} decisions of a random game" if self.game else "now"
        return f"what {where} says is always so no longer is, {when}: {said}"


def broken_always(game: Game, games: int = GAMES, decisions: int = DECISIONS) -> list[Broken]:
    """What no longer holds, each once, in the first of some random games that shows it."""
    if not game.house or not any(map(_asked, game.program.defines.values())):
        return []
    scenario = game.scenario(None)
    ruleset = game.ruleset({}, scenario)
    found: dict[str, Broken] = {}
    for number in range(1, games + 1):
        rng = random.Random(f"always {number}")
        machine = ruleset.new_machine(scenario, f"always {number}", traced=False)
        try:
            machine.begin()
            for count in range(1, decisions + 1):
                if machine.pending is None:
                    break
                machine.choose(machine.pending.at_random(rng))
                for now in broken_invariants(ruleset, machine.s):
                    if now.stopped:  # a game at the table tells it; to ask again would take as long again
                        return list(found.values())
                    found.setdefault(now.name, Broken(now.paragraph, now.name, number, count))
        except RunawayRule:
            break  # a comparison or a game at the table tells that with its chain of rules
    return list(found.values())


def broken_now(session: Session, told: set[str]) -> list[Broken]:
    """What was just broken in a game that is being played; each is told once."""
    game = session.game
    if not game.house or not any(map(_asked, game.program.defines.values())):
        return []
    found: list[Broken] = []
    for now in broken_invariants(session.ruleset, session.machine.s):
        if now.name not in told:
            told.add(now.name)
            found.append(Broken(now.paragraph, now.name, 0, 0))
    return found


def told(game: Game, broken: Broken) -> str:
    """For people."""
    paragraph = game.program.paragraphs.get(broken.paragraph)
    return broken.words(paragraph.title if paragraph is not None else "")


def _asked(define: object) -> bool:
    return getattr(define, "name", "").startswith(INVARIANT) and not getattr(define, "params", ())
