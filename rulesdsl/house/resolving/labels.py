"""Labels of tables cut into smaller ones: the row `1-4` becomes `1-3` and `4`."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rulesdsl.base.source import Span
from rulesdsl.book.tables.labels import Label, Range

Meaning = Range | Fraction | str | bool | None
Piece = tuple[Label | None, int, bool]  # a label, the number of the one it was part of, whether it is meant


def split_labels(labels: Sequence[Label], wanted: Meaning) -> list[Piece] | None:
    """The labels cut along the borders of what is wanted; None when it lies outside of all of them."""
    pieces: list[Piece] = []
    rest = [wanted] if isinstance(wanted, Range) else []
    for number, label in enumerate(labels):
        if isinstance(wanted, Range) and isinstance(label.meaning, Range):
            for part in _cut(label.meaning, wanted):
                same = part == label.meaning
                pieces.append((label if same else _label(part, label.span), number, inside(part, wanted)))
            cut = [part for piece in rest for part in _cut(piece, label.meaning)]
            rest = [part for part in cut if not inside(part, label.meaning)]
        else:
            pieces.append((label, number, label.meaning == wanted and type(label.meaning) is type(wanted)))
    missing: list[Meaning] = list(rest)
    if not isinstance(wanted, Range) and not any(hit for _, _, hit in pieces):
        missing = [wanted]
    other = next((n for n, label in enumerate(labels) if label.meaning is None), None)
    if missing and other is not None:  # what `any` stood for is given a label of its own
        at = next(i for i, (_, n, _) in enumerate(pieces) if n == other)
        pieces[at:at] = [(_label(part, labels[other].span), other, True) for part in missing]
    elif missing and not (rest and len(rest) == 1 and rest[0] != wanted and _open(rest[0])):
        return None
    return pieces


def _cut(range_: Range, by: Range) -> list[Range]:
    """A range cut where another begins and ends."""
    parts = [range_]
    for border in ([by.low] if by.low is not None else []) + ([by.high + 1] if by.high is not None else []):
        cut: list[Range] = []
        for part in parts:
            inside = (part.low is None or part.low < border) and (part.high is None or border <= part.high)
            cut += [Range(part.low, border - 1), Range(border, part.high)] if inside else [part]
        parts = cut
    return parts


def inside(part: Range, whole: Range) -> bool:
    low = whole.low is None or (part.low is not None and part.low >= whole.low)
    return low and (whole.high is None or (part.high is not None and part.high <= whole.high))


def _open(range_: Range) -> bool:
    return range_.low is None or range_.high is None


def common(a: Meaning, b: Meaning) -> bool:
    if not isinstance(a, Range) or not isinstance(b, Range):
        return a == b and type(a) is type(b)
    return not (
        (a.high is not None and b.low is not None and a.high < b.low)
        or (b.high is not None and a.low is not None and b.high < a.low)
    )


def _label(meaning: Meaning, span: Span) -> Label:
    match meaning:
        case Range(low=low, high=high):
            if low is None:
                text = f"<={high}"
            elif high is None:
                text = f"{low}+"
            else:
                text = str(low) if low == high else f"{low}-{high}" if low >= 0 else f"{low} to {high}"
        case bool():
            text = "yes" if meaning else "no"
        case _:
            text = str(meaning)
    return Label(text, meaning, span)
