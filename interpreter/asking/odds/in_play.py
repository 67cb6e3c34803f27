"""The odds of what a player is about to do, from where the game stands: as `rulesdsl odds` weighs them.

What was begun is brought to its end, and no further: of the procedures that are under way only the one that
asks is played on. Whoever is asked on the way does the least he can. Secrets are not looked at: they are
drawn anew, as for agents.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from interpreter.agents.sight import Sight
from interpreter.asking.odds.asked import nobody_in
from interpreter.asking.odds.outcomes import Odds, grouped, quantities_asked, sums_in, watch_tables
from interpreter.asking.odds.tables import tables_read_with_dice
from interpreter.asking.odds.weigh import DictatedMachine, Trial, every_way
from interpreter.compiling.ruleset import Ruleset
from interpreter.playing.session import Session
from interpreter.playing.sitting import Sitting
from interpreter.running.machine import Machine
from rulesdsl.handbook.facts import Breakdown


def odds_in_play(session: Session, keys: Sequence[str], about: Sequence[str] = ()) -> Odds:
    """What may come of choosing these keys one after the other (`about`: who joins, in words)."""
    assert session.prompt is not None
    ruleset, prompt = session.ruleset, session.prompt
    seat = prompt.player
    watched, results = _watched(ruleset)
    world = Sight.of(ruleset, session.machine).world("odds")
    height, sums, notes = len(world.stack) - 1, list[Breakdown](), list[str]()

    def make(dictated: Sequence[Any]) -> DictatedMachine:
        machine = DictatedMachine(watched.full.code, world.s[:], dictated)
        machine.stack = [frame[:] for frame in world.stack[height:]]
        machine.pending = world.pending
        return machine

    indexes = _indexes(session, make(()), keys)

    def begin(machine: DictatedMachine) -> None:
        for index in indexes:
            machine.choose(index)

    def note_sums(before: list[Any]) -> None:
        then = Session(session.game, ruleset, Machine(ruleset.full.code, before, "odds"), session.facts)
        sums.extend(sums_in(then, seat))
        notes.extend(nobody_in(then))

    with quantities_asked(watched.full) as asked:
        ways = list(every_way(Trial(make, begin, before_first=note_sums, results=results)))
    used = tuple(s for s in sums if s.name in asked)
    return Odds(
        prompt.text, prompt.paragraph, *grouped(ruleset, world.s, ways), used, tuple(about), tuple(notes)
    )


def _indexes(session: Session, machine: DictatedMachine, keys: Sequence[str]) -> list[int]:
    """The keys as the machine counts options: nothing is rolled before the last of them."""
    found: list[int] = []
    for key in keys:
        sitting = Sitting(session.game, session.ruleset, machine, session.facts)
        found.append(sitting.find(key).index)
        if len(found) < len(keys):
            machine.choose(found[-1])
    return found


@lru_cache(maxsize=8)
def _watched(ruleset: Ruleset) -> tuple[Ruleset, list[tuple[str, Any]]]:
    """The same rules once more: their tables are watched, and nobody else's."""
    results: list[tuple[str, Any]] = []
    watched = Ruleset(ruleset.program, ruleset.scenarios, ruleset.settings, ruleset.limits)
    watch_tables(watched, results, tables_read_with_dice(ruleset.program))
    return watched, results
