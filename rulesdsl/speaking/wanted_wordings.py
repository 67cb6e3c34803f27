"""Where a rulebook should say how a name is said: conditions about several things, whose name alone makes no
sentence, groups that are not called by a plural, and values of several things."""

from __future__ import annotations

from collections.abc import Iterator

from rulesdsl import program as pg
from rulesdsl.base.diagnostics import Diagnostic
from rulesdsl.language.conventions import INVARIANT
from rulesdsl.speaking.clauses.from_names import is_clear
from rulesdsl.speaking.english import in_words, is_several
from rulesdsl.speaking.names import Names


def wanted_wordings(program: pg.Program) -> Iterator[Diagnostic]:
    """A warning for every such condition, with what is said of it now."""
    names = Names.of(program)
    for name, define in program.defines.items():
        if define.source.wording or name.startswith(INVARIANT):
            continue
        if define.type.kind != "flag":
            if not _is_clear_value(define):
                yield Diagnostic(
                    "wording-wanted",
                    f'"{name}" alone does not say what it is',
                    define.source.span,
                    define.paragraph,
                    f"write a wording after the name, such as {_example(define)}",
                    severity="warning",
                )
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
            define.paragraph,
            f'it is said as: {now}; write a wording after the name, such as define {name}(…) "{now}"',
            severity="warning",
        )


def _is_clear_value(define: pg.DefineRule) -> bool:
    """“the defenders of a zone” are several; “the friends in a zone and a player” is no English."""
    if len(define.params) > 1 or (define.params and define.name.endswith("_by")):
        return False
    return define.type.kind != "set" or is_several(define.name)


def _example(define: pg.DefineRule) -> str:
    params = ", ".join(param.name for param in define.params)
    of = " and ".join(f"{{{param.name}}}" for param in define.params)
    shown = f"the {in_words(define.name)}" + (f" of {of}" if of else "")
    return f'define {define.name}({params}) "{shown}"' if params else f'define {define.name} "{shown}"'
