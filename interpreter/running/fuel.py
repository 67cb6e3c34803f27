"""Rules that come to no end or to no answer: what stops them, and the chain of rules that is named."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rulesdsl import program as pg
from rulesdsl.data.tables import NoResult

MOST_LINKS = 9  # of a chain in a message
_KIND = re.compile(r"_\d+$")  # of traveller, at the end of the name of a search


class RunawayRule(Exception):
    """A rule that comes to no end or to no answer; the state is as it was before the decision."""


class OutOfFuel(Exception):
    """Raised by generated code whose work has used up what one decision may cost."""


STOPS = (OutOfFuel, NoResult)  # what generated code raises when it cannot go on


def out_of_fuel() -> None:
    raise OutOfFuel


def why_stopped(error: Exception) -> str:
    """What to say of one of the `STOPS`. A table is mostly asked about nobody, or outside of its range."""
    return f"finds nothing ({error})" if isinstance(error, NoResult) else "takes too much work"


def function_rules(program: pg.Program) -> dict[str, str]:
    """What a generated function is called in the rulebook: `d_supplied` → `supplied (9.1)`."""
    rules: dict[str, pg.DefineRule | pg.QuantityRule | pg.ActionRule | pg.RouteRule] = {
        **program.defines, **program.quantities, **program.actions, **program.routes,
    }  # fmt: skip
    return {name.replace(".", "__"): f"{name} ({rule.rule})" for name, rule in rules.items()}


def rules_on_the_way(error: Exception, functions: Mapping[str, str]) -> list[str]:
    """The rules that were asking each other when an error was raised, the outermost first."""
    found: list[str] = []
    trace = error.__traceback__
    while trace is not None:
        name = trace.tb_frame.f_code.co_name.partition("_")[2]
        rule = functions.get(name) or functions.get(_KIND.sub("", name))
        if rule is not None and (not found or found[-1] != rule):
            found.append(rule)
        trace = trace.tb_next
    return found


def shortened(chain: list[str]) -> list[str]:
    """A long chain by its ends: where it began and where it was stopped."""
    return chain if len(chain) <= MOST_LINKS else [*chain[: MOST_LINKS - 3], "…", *chain[-2:]]
