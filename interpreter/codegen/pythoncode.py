"""Generated source to code objects. Python itself has limits (levels of indentation, loops inside loops): a
rulebook that reaches them is refused with the place of the rule, like any other that cannot be played."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import CodeType
from typing import Any

from rulesdsl import program as pg
from rulesdsl.diagnostics import Diagnostic, RulebookError

_KIND = re.compile(r"_\d+$")  # of traveller, at the end of the name of a search
TOO_MUCH = (SyntaxError, RecursionError, MemoryError)


def run_python(
    program: pg.Program,
    title: str,
    sources: Sequence[str],
    procedures: Mapping[str, pg.ProcedureRule],
    names: dict[str, Any],
) -> None:
    """Put our own functions, without a word of the author in them, among `names`."""
    for made in compile_python(program, title, sources, procedures):
        exec(made, names)


def compile_python(
    program: pg.Program,
    title: str,
    sources: Sequence[str],
    procedures: Mapping[str, pg.ProcedureRule],
    together: bool = False,
) -> list[CodeType]:
    """The functions as code. `procedures` are those whose blocks the functions are, by function.

    What will be bound again and again is compiled `together`: one piece of code runs quicker than thousands.
    """
    if together:
        try:
            return [compile("\n".join(sources), title, "exec")]
        except TOO_MUCH:  # one by one it shows which
            pass
    made: list[CodeType] = []
    for source in sources:
        try:
            made.append(_code(title, source))
        except TOO_MUCH:
            raise _refused(program, source, procedures) from None
    return made


@lru_cache(maxsize=8192)
def _code(title: str, source: str) -> CodeType:
    """Most functions of a rulebook are the same under other settings: they are compiled once."""
    return compile(source, title, "exec")


def _refused(program: pg.Program, source: str, procedures: Mapping[str, pg.ProcedureRule]) -> RulebookError:
    name = source.partition("(")[0].removeprefix("def ")
    rules = (program.defines, program.quantities, program.actions, program.routes)
    asked = _KIND.sub("", name.partition("_")[2]).replace("__", ".")
    found = procedures.get(name) or next((kind[asked] for kind in rules if asked in kind), None)
    paragraph = (
        program.paragraphs[found.rule] if found is not None else next(iter(program.paragraphs.values()))
    )
    span = paragraph.span
    if isinstance(found, pg.ProcedureRule):
        span = next((step.source.span for step in found.body if step.source is not None), span)
    elif found is not None and not isinstance(found, pg.ActionRule):
        span = found.source.span
    message = "this is too long or too deep to be played: put parts of it into defines or procedures"
    return RulebookError([Diagnostic("too-deep", message, span)])
