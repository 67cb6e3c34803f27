"""Two texts, or two versions of a statement, compared line by line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from difflib import SequenceMatcher

from rulesdsl.language import syntax as sx
from rulesdsl.language.printing.lines import INDENT
from rulesdsl.language.printing.printer import print_expr, print_rule

Line = tuple[str, str]  # sign (`+`, `-` or a blank) and text
_RANK = re.compile(r"^ +(?:\d+|either|else) ")


def text_lines(before: list[str], after: list[str], alike: Callable[[str], str] = str) -> Iterator[Line]:
    """The lines of two texts that are not in both; `alike` gives what two lines must have in common."""
    matcher = SequenceMatcher(None, [*map(alike, before)], [*map(alike, after)], autojunk=False)
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag != "equal":
            yield from (("-", row) for line in before[a:b] for row in line.split("\n"))
            yield from (("+", row) for line in after[c:d] for row in line.split("\n"))


def setting_change(old: sx.Rule | None, new: sx.Rule | None) -> tuple[str, str, str, str] | None:
    """Of a setting that only has another value: its kind, its name, the value before and after."""
    match old, new:
        case sx.Parameter(), sx.Parameter() if old.reason == new.reason:
            return "parameter", new.name, print_expr(old.value), print_expr(new.value)
        case sx.Reading(), sx.Reading() if replace(old, default=new.default) == new:
            return "reading", new.name, old.default, new.default
        case sx.Option(), sx.Option() if old.type == new.type and old.reason == new.reason:
            return "option", new.name, print_expr(old.default), print_expr(new.default)
    return None


def statement_lines(old: sx.Rule | None, new: sx.Rule | None) -> Iterator[Line]:
    if setting := setting_change(old, new):
        kind, name, was, is_now = setting
        yield " ", f"{kind} {name}: {was} → {is_now}"
        return
    before, after = _rows(old), _rows(new)
    head = before[:1] if before[:1] == after[:1] else []
    yield from ((" ", line) for line in head)
    alike = _unranked if isinstance(new, sx.Route | sx.Must) else str
    yield from text_lines(before[len(head) :], after[len(head) :], alike)


def _unranked(line: str) -> str:
    """A preference without its number: that it moves up when another is gone is no change of it."""
    return _RANK.sub("", line)


def _rows(rule: sx.Rule | None) -> list[str]:
    """Printed, without the columns: a longer line elsewhere in the statement is no change of this one.

    A line that is laid out in several rows stays one: its label and its condition tell which it is.
    """
    found: list[str] = []
    for row in print_rule(rule).split("\n") if rule is not None else ():
        indent = len(row) - len(row.lstrip())
        text = row[:indent] + " ".join(row.split())
        if indent > INDENT and isinstance(rule, sx.Quantity | sx.Modify | sx.Must):
            found[-1] += f"\n{text}"
        else:
            found.append(text)
    return found
