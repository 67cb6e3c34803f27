"""What a position is worth, term by term: the labelled lines of the rulebook's `value(player)`."""

from __future__ import annotations

from interpreter.agents.sight import Number
from interpreter.compiling.lower.rules import quantity_function
from interpreter.compiling.ruleset import Ruleset
from interpreter.running.machine import Machine
from rulesdsl.language.conventions import VALUE


def terms(ruleset: Ruleset, machine: Machine, player: int) -> dict[str, Number]:
    """Label → what it adds for a player. What has no label counts under the empty one."""
    compiled, quantity = ruleset.full, ruleset.program.quantities[VALUE]
    asked = compiled.made_on_demand(
        "x", VALUE, lambda: quantity_function(compiled.unit, quantity, explained=True)
    )
    _, lines = compiled.ask(asked, machine.s, player)
    found: dict[str, Number] = {}
    before: Number = 0
    for what, _, _, after in lines:
        label = "" if isinstance(what, str) else quantity.changes[what].label
        found[label] = found.get(label, 0) + after - before
        before = after
    return found
