"""A number taken apart: its contributions, by running the clauses once more one by one."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.asking.answers import Reason
from interpreter.compiling.lower.rules import quantity_function
from interpreter.playing.known_values import read_arguments, refuse_secrets
from interpreter.playing.session import Session
from interpreter.playing.standing import EVERYTHING
from rulesdsl.base.diagnostics import UsageError, did_you_mean


def breakdown(
    session: Session, name: str, arguments: Sequence[str], seat: str | None = EVERYTHING
) -> list[Reason]:
    program, compiled = session.ruleset.program, session.ruleset.full
    quantity = program.quantities.get(name)
    if quantity is None:
        if name in program.defines:
            raise UsageError(f'"{name}" is a define: it has a value, but no contributions')
        hint = did_you_mean(name, program.quantities)
        raise UsageError(f'there is no quantity "{name}"' + (f"; {hint}" if hint else ""))
    values = read_arguments(session, name, quantity.params, arguments, seat)
    refuse_secrets(session, name, dict(zip(quantity.params, values, strict=True)), seat)
    asked = compiled.made_on_demand(
        "x", name, lambda: quantity_function(compiled.unit, quantity, explained=True)
    )
    _, parts = compiled.ask(asked, session.machine.s, *values)
    from interpreter.asking.breakdown_lines import (
        line_of_sum,  # only here: the words of the handbook are much code
    )

    env = dict(zip(quantity.params, values, strict=True))
    return [line_of_sum(session, quantity, part, env) for part in parts]
