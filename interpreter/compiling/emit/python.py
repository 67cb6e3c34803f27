"""Generated source to code objects. Python itself has limits (levels of indentation, loops inside loops): a
rulebook that reaches them is refused with the place of the rule, like any other that cannot be played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import CodeType
from typing import Any

from interpreter.compiling.pipeline import Printed
from interpreter.state.symbols import Asked, naming_of
from rulesdsl import program as pg
from rulesdsl.base.diagnostics import Diagnostic, RulebookError

# What Python says of source that is too much for it; any other SyntaxError is a mistake of ours.
_TOO_DEEP = (
    "too many levels of indentation",
    "too many statically nested blocks",
    "too many nested parentheses",
)


def run_python(
    program: pg.Program,
    title: str,
    functions: Sequence[Printed],
    procedures: Mapping[str, pg.ProcedureRule],
    names: dict[str, Any],
) -> None:
    """Put our own functions, without a word of the author in them, among `names`."""
    for made in compile_python(program, title, functions, procedures):
        exec(made, names)


def compile_python(
    program: pg.Program,
    title: str,
    functions: Sequence[Printed],
    procedures: Mapping[str, pg.ProcedureRule],
    together: bool = False,
) -> list[CodeType]:
    """The functions as code. `procedures` are those whose blocks the functions are, by function.

    What will be bound again and again is compiled `together`: one piece of code runs quicker than thousands.
    """
    if together:
        try:
            return [compile("\n".join(one.python for one in functions), title, "exec")]
        except (SyntaxError, RecursionError, MemoryError) as error:  # one by one it shows which
            _unless_too_much(error)
    made: list[CodeType] = []
    for one in functions:
        try:
            made.append(_code(title, one.python))
        except (SyntaxError, RecursionError, MemoryError) as error:
            _unless_too_much(error)
            raise refused(program, one.name, procedures) from None
    return made


def _unless_too_much(error: Exception) -> None:
    """Let nothing pass but what Python's own limits refuse: an author must not be told that he did it."""
    if isinstance(error, SyntaxError) and not any(words in str(error) for words in _TOO_DEEP):
        raise AssertionError(f"generated code is no Python: {error}") from error


@lru_cache(maxsize=8192)
def _code(title: str, source: str) -> CodeType:
    """Most functions of a rulebook are the same under other settings: they are compiled once."""
    return compile(source, title, "exec")


def refused(program: pg.Program, name: str, procedures: Mapping[str, pg.ProcedureRule]) -> RulebookError:
    """What an author is told whose rule became a function that is too much."""
    return too_deep(program, procedures.get(name) or naming_of(program).rule(name))


def too_deep(program: pg.Program, found: pg.ProcedureRule | Asked | None) -> RulebookError:
    """What an author is told whose rule is more than Python can take."""
    paragraph = (
        program.paragraphs[found.paragraph] if found is not None else next(iter(program.paragraphs.values()))
    )
    span = paragraph.span
    if isinstance(found, pg.ProcedureRule):
        span = next((step.source.span for step in found.body if step.source is not None), span)
    elif found is not None and not isinstance(found, pg.ActionRule):
        span = found.source.span
    message = "this is too long or too deep to be played: put parts of it into defines or procedures"
    return RulebookError([Diagnostic("too-deep", message, span)])
