"""Labels of tables: numbers, ranges, ratios and names, and what is none."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from rulesdsl.base.source import nowhere
from rulesdsl.book.tables.labels import Range, parse_label

LABELS: list[tuple[Any, str, Any]] = [
    ("number", "3", Range(3, 3)),
    ("number", "-3", Range(-3, -3)),
    ("number", "+3", Range(3, 3)),
    ("number", "−2", Range(-2, -2)),
    ("number", "1-2", Range(1, 2)),
    ("number", "1–2", Range(1, 2)),
    ("number", "-3-2", Range(-3, 2)),
    ("number", "-3 to -1", Range(-3, -1)),
    ("number", "<=0", Range(None, 0)),
    ("number", "<= -2", Range(None, -2)),
    ("number", "10+", Range(10, None)),
    ("number", "-2+", Range(-2, None)),
    ("number", ">=10", Range(10, None)),
    ("number", "any", None),
    ("ratio", "3:1", Fraction(3)),
    ("ratio", "2:4", Fraction(1, 2)),
    ("flag", "yes", True),
    ("flag", "no", False),
    ("flag", "any", None),
    ("name", "open ground", "open ground"),
    ("name", "any", None),
]


@pytest.mark.parametrize(("kind", "text", "meaning"), LABELS)
def test_a_label_is_understood(kind: Any, text: str, meaning: Any) -> None:
    label, problem = parse_label(kind, text, nowhere())
    assert problem is None
    assert label.meaning == meaning
    assert label.text == text


NO_LABELS: list[tuple[Any, str]] = [
    ("number", "one"),
    ("number", "-3--1"),
    ("number", "2-1"),
    ("number", "1.5"),
    ("number", ""),
    ("number", "9" * 16),
    ("ratio", "3"),
    ("ratio", "3:0"),
    ("ratio", "any"),
    ("flag", "maybe"),
    ("name", ""),
]


@pytest.mark.parametrize(("kind", "text"), NO_LABELS)
def test_what_is_no_label_is_reported(kind: Any, text: str) -> None:
    label, problem = parse_label(kind, text, nowhere())
    assert label.broken
    assert problem is not None
    assert problem.code == "table-label"
