"""Where a rulebook should say how a name is said: conditions about several things, whose name alone makes no
sentence."""

from __future__ import annotations

from collections.abc import Iterator

from rulesdsl import program as pg
from rulesdsl.base.diagnostics import Diagnostic
from rulesdsl.language.conventions import INVARIANT
from rulesdsl.speaking.clauses.from_names import is_clear
from rulesdsl.speaking.names import Names


def wanted_wordings(program: pg.Program) -> Iterator[Diagnostic]:
    """A warning for every such condition, with what is said of it now."""
    names = Names.of(program)
    for name, define in program.defines.items():
        if define.type.kind != "flag" or define.source.wording or name.startswith(INVARIANT):
            continue
        made = names.condition(name)
        holds = not define.params and made.verb == "holds"
        if is_clear(name, len(define.params)) and not holds:
            continue
        now = f"{made.head}{made.verb}{made.rest}"
        yield Diagnostic(
            "wording-wanted",
            f'"{name}" alone makes no sentence',
            define.source.span,
            define.rule,
            f'it is said as: {now}; write a wording after the name, such as define {name}(…) "{now}"',
            severity="warning",
        )
