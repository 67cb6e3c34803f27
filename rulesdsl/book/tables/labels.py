"""Labels of table rows and columns: `3`, `1-2`, `-3 to -1`, `<=0`, `10+`, `3:1`, `yes`, a name, `any`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import field, replace
from fractions import Fraction
from itertools import pairwise
from typing import Literal

from rulesdsl.base.diagnostics import Diagnostic
from rulesdsl.base.fixes import Advice, Edit, Fix, Making
from rulesdsl.base.lightclass import dataclass
from rulesdsl.base.source import Span

KeyKind = Literal["number", "ratio", "name", "flag"]
End = Literal["first", "last", "error"]
KeyValue = bool | int | Fraction | str

_NUMBER = r"[-+]?[0-9]{1,15}"
_SINGLE = re.compile(_NUMBER)
_RANGE = re.compile(rf"({_NUMBER})(?:\s*-\s*([0-9]{{1,15}})|\s+to\s+({_NUMBER}))")
_AT_MOST = re.compile(rf"(?:<=|≤)\s*({_NUMBER})")
_AT_LEAST = re.compile(rf"(?:>=|≥)\s*({_NUMBER})|({_NUMBER})\s*\+")
_RATIO = re.compile(r"([0-9]{1,9})\s*:\s*([0-9]{1,9})")
_FLAGS = {"yes": True, "no": False, "true": True, "false": False}
_FORMS: dict[KeyKind, str] = {
    "number": 'write "3", "1-2", "-3 to -1", "<=0", "10+" or "any"',
    "ratio": 'write "3:1"',
    "name": "write a name or any",
    "flag": "write yes, no or any",
}


@dataclass(frozen=True, slots=True)
class Range:
    """Whole numbers from `low` to `high`, both included; None is an open end."""

    low: int | None
    high: int | None

    def holds(self, value: int | Fraction) -> bool:
        return (self.low is None or self.low <= value) and (self.high is None or value <= self.high)


@dataclass(frozen=True, slots=True)
class Label:
    """One label. `meaning` is None for `any`, which stands for every value no other label names.

    A `broken` label could not be read: it was reported once and must cause no further messages.
    """

    text: str
    meaning: Range | Fraction | str | bool | None
    span: Span = field(compare=False, repr=False)
    broken: bool = False


def parse_label(kind: KeyKind, text: str, span: Span) -> tuple[Label, Diagnostic | None]:
    """The label that `text` is for a key of this kind, and why it is none."""
    written = text.strip().replace("−", "-").replace("–", "-")
    if written == "any" and kind != "ratio":
        return Label(text, None, span), None
    meaning: Range | Fraction | str | bool | None = None
    match kind:
        case "number":
            meaning = _range(written)
        case "ratio":
            match = _RATIO.fullmatch(written)
            meaning = Fraction(int(match[1]), int(match[2])) if match and int(match[2]) else None
        case "flag":
            meaning = _FLAGS.get(written)
        case "name":
            meaning = text or None
    if meaning is None:
        problem = Diagnostic("table-label", f'"{text}" is not a label for a {kind}', span, help=_FORMS[kind])
        return Label(text, text, span, broken=True), problem
    if isinstance(meaning, Range) and not _in_order(meaning):
        message = f'"{text}" holds no number: its end is below its start'
        return Label(text, text, span, broken=True), Diagnostic("table-label", message, span)
    return Label(text, meaning, span), None


def find_label(
    kind: KeyKind, labels: Sequence[Label], value: KeyValue, below: End = "error", above: End = "error"
) -> int | None:
    """The index of the label that `value` falls under, or None when there is none."""
    match kind:
        case "number":
            return _find_number(labels, value, below, above)
        case "ratio":
            return _find_ratio(labels, value, below, above)
        case _:
            exact = (
                i for i, label in enumerate(labels) if label.meaning is not None and label.meaning == value
            )
            return next(exact, _any(labels))


def label_problems(kind: KeyKind, labels: Sequence[Label], what: str) -> list[Diagnostic]:
    """Labels that name the same value, and whole numbers between the labels that none names."""
    if any(label.broken for label in labels):
        return []
    if kind != "number":
        return _repeated(labels, what) + (_missing_flag(labels, what) if kind == "flag" else [])
    overlaps = _repeated([label for label in labels if label.meaning is None], what)
    gaps: list[Diagnostic] = []
    ranges = sorted(
        ((label.meaning, label) for label in labels if isinstance(label.meaning, Range)),
        key=lambda pair: (pair[0].low is not None, pair[0].low or 0),
    )
    for (before, first), (after, second) in pairwise(ranges):
        if before.high is None or after.low is None or after.low <= before.high:
            message = f'{what} "{first.text}" and {what} "{second.text}" name the same number'
            also = (("the other one", first.span),)
            overlaps.append(Diagnostic("table-overlap", message, second.span, also=also))
        elif after.low > before.high + 1 and _any(labels) is None:
            gaps.append(_gap(before.high + 1, after.low - 1, first, second, what))
    if len(overlaps) == len(gaps) == 1:
        # One wrong label makes an overlap where it is and a gap where it should be.
        return [replace(overlaps[0], help=gaps[0].message)]
    return overlaps + gaps


def _range(text: str) -> Range | None:
    if _SINGLE.fullmatch(text):
        return Range(int(text), int(text))
    if match := _RANGE.fullmatch(text):
        return Range(int(match[1]), int(match[2] or match[3]))
    if match := _AT_MOST.fullmatch(text):
        return Range(None, int(match[1]))
    if match := _AT_LEAST.fullmatch(text):
        return Range(int(match[1] or match[2]), None)
    return None


def _in_order(range_: Range) -> bool:
    return range_.low is None or range_.high is None or range_.low <= range_.high


def _any(labels: Sequence[Label]) -> int | None:
    return next((index for index, label in enumerate(labels) if label.meaning is None), None)


def _end(labels: Sequence[Label], end: End) -> int | None:
    return {"first": 0, "last": len(labels) - 1, "error": None}[end]


def _find_number(labels: Sequence[Label], value: KeyValue, below: End, above: End) -> int | None:
    if isinstance(value, bool | str):
        return None
    ranges = [
        (index, label.meaning) for index, label in enumerate(labels) if isinstance(label.meaning, Range)
    ]
    for index, range_ in ranges:
        if range_.holds(value):
            return index
    if (other := _any(labels)) is not None:
        return other
    if all(range_.low is not None and value < range_.low for _, range_ in ranges):
        return _end(labels, below)
    if all(range_.high is not None and value > range_.high for _, range_ in ranges):
        return _end(labels, above)
    return None


def _find_ratio(labels: Sequence[Label], value: KeyValue, below: End, above: End) -> int | None:
    """The greatest column not above the ratio: 74 against 22 is 3:1."""
    if isinstance(value, bool | str):
        return None
    ratios = [
        (label.meaning, index) for index, label in enumerate(labels) if isinstance(label.meaning, Fraction)
    ]
    reached = [pair for pair in ratios if pair[0] <= value]
    if not reached:
        return _end(labels, below)
    greatest, index = max(reached)
    if len(reached) == len(ratios) and value > greatest:
        return _end(labels, above)
    return index


def _repeated(labels: Sequence[Label], what: str) -> list[Diagnostic]:
    first: dict[object, Label] = {}
    problems: list[Diagnostic] = []
    for label in labels:
        other = first.setdefault(label.meaning, label)
        if other is not label:
            message = f'{what} "{other.text}" and {what} "{label.text}" mean the same'
            also = (("the other one", other.span),)
            problems.append(Diagnostic("table-overlap", message, label.span, also=also))
    return problems


def _missing_flag(labels: Sequence[Label], what: str) -> list[Diagnostic]:
    if _any(labels) is not None or not labels:
        return []
    absent = [
        word for word, flag in (("yes", True), ("no", False)) if all(lb.meaning is not flag for lb in labels)
    ]
    return [
        Diagnostic("table-gap", f'there is no {what} "{word}"', labels[-1].span,
                   help=Advice("add it", row_like(labels[-1], [word])))
        for word in absent
    ]  # fmt: skip


def row_like(row: Label, missing: Sequence[str]) -> Making:
    """A row once more under other labels, to be filled in; nothing where labels are not rows by lines."""

    def make(_: Span) -> Fix | None:
        line = row.span.file.line(row.span.line)
        head = re.match(r'(\s+)"?([^":]+)"?:', line)
        if head is None or head[2] != row.text:
            return None
        new = "".join(f"\n{head[1]}{_written(label)}:{line[head.end() :]}" for label in missing)
        end = len(line) + 1
        place = Span(row.span.file, row.span.line, end, row.span.line, end)
        return Fix(f"add a row for {', '.join(missing)}", (Edit(place, new),))

    return make


def _written(label: str) -> str:
    """A label as YAML takes it for text."""
    return label if label.isidentifier() and label not in ("yes", "no", "true", "false") else f'"{label}"'


def _gap(low: int, high: int, before: Label, after: Label, what: str) -> Diagnostic:
    numbers = str(low) if low == high else f"{low} to {high}"
    hint = Advice(f'add a {what} "{numbers}", or "any" for every other number', row_like(before, [numbers]))
    message = f"there is no {what} for {numbers}"
    return Diagnostic("table-gap", message, after.span, help=hint, also=(("the one before", before.span),))
