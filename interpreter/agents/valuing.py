"""What a position is worth to the levels: the rulebook's own value, its labelled terms weighted as training
found best.

`greedy` reckons with the value as it is printed: it is the yardstick. Weights are hundredths, so that values
stay whole numbers; how large values are in all does not matter to who compares them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from interpreter.agents.sight import Number, Values, worth
from interpreter.compiling.lower.rules import quantity_function
from interpreter.compiling.ruleset import Ruleset
from interpreter.running.machine import Machine
from rulesdsl import program as pg
from rulesdsl.language.conventions import VALUE
from rulesdsl.program.types import NUMBER

Weights = tuple[tuple[str, int], ...]  # label of a term → hundredths
PRINTED: Weights = ()
AS_PRINTED = 100
ADDED = ("+", "-")

Valuation = Callable[[Machine], Values | None]


def labels(program: pg.Program) -> tuple[str, ...]:
    """The terms of the value that have a name and are added to it, in the order of the rulebook."""
    quantity = program.quantities.get(VALUE)
    changes = quantity.changes if quantity is not None else ()
    return tuple(dict.fromkeys(c.label for c in changes if c.label and c.op in ADDED))


def as_printed(ruleset: Ruleset, weights: Weights) -> bool:
    """Whether these weights change nothing."""
    known = labels(ruleset.program)
    return all(weight == AS_PRINTED for label, weight in weights if label in known)


@lru_cache(maxsize=64)
def valuation(ruleset: Ruleset, weights: Weights) -> Valuation:
    """What a position is worth to each player."""
    known = {label: weight for label, weight in weights if label in labels(ruleset.program)}
    if all(weight == AS_PRINTED for weight in known.values()):
        return lambda machine: worth(ruleset, machine)
    compiled, players = ruleset.fast, tuple(ruleset.seats.index.values())
    quantity = _weighted(ruleset.program.quantities[VALUE], known)
    made = replace(quantity_function(compiled.unit, quantity), name="weighted")
    function: Callable[[list[Any], int], Number] = compiled.add_function(made)
    return lambda machine: {player: compiled.ask(function, machine.s, player) for player in players}


def _weighted(quantity: pg.QuantityRule, weights: Mapping[str, int]) -> pg.QuantityRule:
    """Everything that is added, in hundredths."""
    changes = tuple(
        replace(change, value=_times(weights.get(change.label, AS_PRINTED), change.value))
        if change.op in ADDED
        else change
        for change in quantity.changes
    )
    return replace(quantity, base=_times(AS_PRINTED, quantity.base), changes=changes)


def _times(weight: int, value: pg.E) -> pg.E:
    return pg.Arith("*", pg.Const(weight, type=NUMBER), value, type=value.type)
