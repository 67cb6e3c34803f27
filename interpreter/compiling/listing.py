"""Generated code by the names of rules: what was made of a define, a quantity, an action, a route, a
procedure, in each flavour (for `rulesdsl code`)."""

from __future__ import annotations

from interpreter.compiling.ir.show import shown
from interpreter.compiling.pipeline import Printed
from interpreter.compiling.ruleset import Ruleset
from interpreter.state.symbols import BODY, DO, numbered

STAGES = ("ir", "passed", "python")
FLAVOURS = ("full", "fast", "playout")


def rule_names(ruleset: Ruleset) -> dict[str, list[str]]:
    """The names of all rules that become code, by what they are."""
    program = ruleset.program
    return {
        "define": [*program.defines],
        "quantity": [*program.quantities],
        "action": [*program.actions],
        "route": [*program.routes],
        "window": [*program.windows],
        "procedure": [*program.procedures],
    }


def code_of(ruleset: Ruleset, flavour: str, name: str) -> list[Printed]:
    """What was made of the rules of this name (there may be an action and a procedure of one name), or the
    function that is called so in generated code. Whole games ask the rules of the fast flavour."""
    compiled = ruleset.full if flavour == "full" else ruleset.fast
    functions = [*compiled.functions, *(ruleset.playouts.functions if flavour == "playout" else ())]
    wanted = _functions_of(ruleset, flavour, name)
    return [one for one in functions if one.name == name or one.name in wanted]


def _functions_of(ruleset: Ruleset, flavour: str, name: str) -> set[str]:
    """The names of the functions that work for the rules of this name."""
    compiled = ruleset.full if flavour == "full" else ruleset.fast
    naming, program = compiled.unit.naming, ruleset.program
    found = {
        one.name
        for one in compiled.functions
        if (rule := naming.rule(one.name)) is not None and rule.name == name
    }
    if name in program.windows:
        found.add(naming.called("play", name))
    if flavour == "playout":
        number = ruleset.playouts.numbers.get(name)
        return found | ({numbered(DO, number), numbered(BODY, number)} if number is not None else set())
    blocks = compiled.blocks
    return found | {f"b{block}" for block, procedure in blocks.procedure_of.items() if procedure == name}


def stage_of(printed: Printed, stage: str) -> str:
    """A definition in one of its stages: as lowered, after the passes, as Python."""
    match stage:
        case "ir":
            return shown(printed.lowered)
        case "passed":
            return shown(printed.passed)
        case _:
            return printed.python
