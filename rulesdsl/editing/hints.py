"""Types that nobody wrote, shown where they would stand: of parameters, of results, of variables."""

from __future__ import annotations

import re
from pathlib import Path

from rulesdsl import program as pg
from rulesdsl.base.lightclass import dataclass
from rulesdsl.editing.desk import Desk
from rulesdsl.editing.resolved import parts_of
from rulesdsl.language import syntax as sx


@dataclass(frozen=True, slots=True)
class Hint:
    """A text shown behind a place (line and column from 1)."""

    line: int
    column: int
    text: str


def hints(desk: Desk, path: Path, first: int = 1, last: int = 1_000_000) -> list[Hint]:
    """The hints of some lines of a file."""
    text = desk.text(path)
    found: set[Hint] = set()
    for rule in desk.names(path).rules_in(path, first, last):
        source = getattr(rule, "source", None)
        if isinstance(rule, pg.DefineRule) and _here(rule.source, path, text, first, last):
            found |= _result(rule)
        params: tuple[pg.Var, ...] = getattr(rule, "params", ())
        for var in params:
            if var.span is not None and var.span.file.path == path and first <= var.span.line <= last:
                found |= _parameter(var)
        if isinstance(rule, (pg.ProcedureRule, pg.ExampleRule)) or source is None:
            for part in parts_of(rule):
                if isinstance(part, pg.LetS) and _here(part.source, path, text, first, last):
                    found |= _let(part)
    return sorted(found, key=lambda hint: (hint.line, hint.column))


def _here(node: sx.Node | None, path: Path, text: str, first: int, last: int) -> bool:
    return (
        node is not None and node.span.file.path == path and node.span.file.text == text
        and first <= node.span.line <= last
    )  # fmt: skip


def _result(rule: pg.DefineRule) -> set[Hint]:
    span = rule.source.span
    line = span.file.line(span.line)
    head = re.match(rf"define\s+{re.escape(rule.name)}(?:\([^)]*\))?", line[span.column - 1 :])
    return {Hint(span.line, span.column + head.end(), f": {rule.type}")} if head else set()


def _parameter(var: pg.Var) -> set[Hint]:
    """Only where the name does not say it: `march(unit)` is a unit."""
    assert var.span is not None
    written = var.span.text
    noun = var.type.of or var.type.name
    if ":" in written or written in (noun, f"{noun}s") or var.type.kind == "unknown" or written != var.name:
        return set()
    return {Hint(var.span.line, var.span.end_column, f": {var.type}")}


def _let(step: pg.LetS) -> set[Hint]:
    assert step.source is not None
    span = step.source.span
    found = re.compile(r"let\s+\w+").match(span.file.line(span.line), span.column - 1)
    return {Hint(span.line, found.end() + 1, f": {step.var.type}")} if found else set()
