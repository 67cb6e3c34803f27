"""What follows a procedure: those it does, and the triggers that its steps may set off."""

from __future__ import annotations

from collections.abc import Iterator

from rulesdsl import program as pg
from rulesdsl.program.walk import walk_steps


def set_off(program: pg.Program, step: pg.S) -> Iterator[pg.TriggerRule]:
    """The triggers that a step may set off, as far as that can be told from its form."""
    for trigger in program.triggers:
        match step, trigger.event:
            case pg.MoveS(verb=verb), event:
                wanted = {"remove": ("leaves", "removed"), "place": ("enters", "leaves", "placed")}
                if event in wanted.get(verb, ("enters", "leaves")):
                    yield trigger
            case pg.FlipS(), "flipped":
                yield trigger
            case pg.DoS(procedure=name), "begins" | "ends" if trigger.subject == name:
                yield trigger
            case pg.SetAttr(attribute=attribute), "changes":
                universe = program.world.nouns[trigger.subject][0]
                if (universe, trigger.attribute) == (attribute.universe, attribute.name):
                    yield trigger
            case _:
                pass


def next_procedures(program: pg.Program, name: str) -> set[str]:
    """Those that a procedure does or sets off itself; a phase sets off what waits for it."""
    found: set[str] = set()
    for step in walk_steps(program.procedures[name].body):
        if isinstance(step, pg.DoS):
            found.add(step.procedure)
        found |= {trigger.procedure for trigger in set_off(program, step)}
    for trigger in program.triggers:
        if trigger.event in ("begins", "ends") and trigger.subject == name:
            found.add(trigger.procedure)
    return found & program.procedures.keys()


def following(program: pg.Program, name: str) -> tuple[str, ...]:
    """A procedure and all that may follow from it, in the order in which they are found."""
    found = [name]
    for one in found:  # grows while it is gone through
        found += sorted(next_procedures(program, one) - {*found})
    return tuple(found)
