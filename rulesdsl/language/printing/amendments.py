"""Statements of house rules as canonical text; reading it gives the same tree again."""

from __future__ import annotations

import re
from typing import assert_never

from rulesdsl.language import syntax as sx
from rulesdsl.language.printing.expressions import print_expr
from rulesdsl.language.printing.printer import print_rule
from rulesdsl.language.syntax import amendments as ax

_BARE_THING = re.compile(r"(?:[A-Za-z_][A-Za-z0-9_]* [0-9]+)|[A-Za-z0-9_]+")
_KEYWORDS = frozenset({"table", "border", "parameter", "reading", "option"})
_BARE_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[0-9]+:[0-9]+|-?[0-9]+(?: to -?[0-9]+)?")


def print_amendment(node: ax.Amend) -> str:
    """One statement, without a newline at the end."""
    node = ax.closed(node)
    match node:
        case ax.PutStep(name, where, words, body):
            _, _, steps = print_rule(sx.Procedure("procedure", "it", (), None, body)).partition("\n")
            return f'in {name}, {where} "{words}":\n{steps}'
        case ax.LeaveOut(name, words):
            return f'in {name}, leave out "{words}"'
        case ax.ForbidToken(name, condition):
            shown = print_rule(
                sx.Permission(
                    kind="forbid",
                    actions=("it",),
                    via=None,
                    via_name=None,
                    condition=condition,
                    despite=(),
                    label=None,
                )
            )
            return shown.replace("forbid it", f"forbid token {name}", 1)
        case ax.Strike(text):
            return f'strike "{text}"'
        case ax.Say(text, instead):
            return f'say "{text}" instead of "{instead}"'
        case ax.SetCell(table, keys, part, value):
            shown = ", ".join(_key(key.text) for key in keys)
            field = f".{part}" if part is not None else ""
            return f"set table {table}[{shown}]{field} = {print_expr(value)}"
        case ax.SetValue(thing, attribute, face, values, key):
            side = f"[{face}]" if face is not None else f"[{key}]" if key else ""
            return f"set {_thing(thing)}.{attribute}{side} = {_values(values)}"
        case ax.SetBorder(here, there, attribute, values):
            return f"set border {_thing(here)}/{_thing(there)}.{attribute} = {_values(values)}"
        case ax.SetSetting(kind, name, value):
            return f"set {kind} {name} = {print_expr(value)}"
        case ax.Replace(label, line):
            return f'replace "{label}": {print_line(line)}'
        case ax.Repeal(name, labelled):
            return f'repeal "{name}"' if labelled else f"repeal {name}"
        case ax.RepealBegun(words):
            return f"repeal {words}"
        case _:
            assert_never(node)


def print_line(line: sx.Contribution | sx.Permission) -> str:
    """A labelled line by itself: a contribution without the quantity it belongs to, or a permission."""
    if isinstance(line, sx.Permission):
        return print_rule(line)
    _, _, text = print_rule(sx.Modify(None, "it", (), (line,))).partition("\n")
    return text.strip()


def _values(values: tuple[sx.Expr, ...]) -> str:
    return ", ".join(print_expr(value) for value in values)


def _thing(name: str) -> str:
    return name if _BARE_THING.fullmatch(name) and name.split()[0] not in _KEYWORDS else f'"{name}"'


def _key(text: str) -> str:
    return text if _BARE_KEY.fullmatch(text) else f'"{text}"'
