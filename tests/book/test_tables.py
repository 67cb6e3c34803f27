"""Tables: lookups with one, two and three keys, printed codes, and what is missing in them."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesdsl.base.source import SourceFile
from rulesdsl.book.tables.cells import CellProblem, ResultField, ResultShape, number_of, read_cell
from rulesdsl.book.tables.file import build_table
from rulesdsl.book.tables.table import NoResult, Table, table_problems
from rulesdsl.book.yaml.file import load_yaml
from tests.kit.datafiles import document, small, sound


def table(text: str) -> Table:
    return sound(build_table(document(text)))


def small_table(name: str) -> Table:
    return sound(build_table(small(name)))


def one_key(cells: str, rows: str = "{key: die}", result: str = "{kind: number}") -> Table:
    return table(f"table: t\nrows: {rows}\nresult: {result}\ncells: {cells}\n")


COMBAT = [
    # attack : defence, die → labels, result
    (Fraction(74, 22), 2, ("2:1", "2"), {"a": 0, "defender_losses": 0, "r": True, "progress": 0}),
    (Fraction(1, 2), 2, ("1:2", "2"), {"a": 1, "defender_losses": 1, "r": False, "progress": 1}),
    (Fraction(49, 100), 1, ("1:3", "<=1"), {"a": 3, "defender_losses": 0, "r": False, "progress": 0}),
    (Fraction(1, 100), -7, ("1:3", "<=1"), {"a": 3, "defender_losses": 0, "r": False, "progress": 0}),
    (Fraction(99, 100), 4, ("1:2", "3-5"), {"a": 0, "defender_losses": 0, "r": False, "progress": 0}),
    (1, 5, ("1:1", "3-5"), {"a": 0, "defender_losses": 0, "r": False, "progress": 0}),
    (100, 60, ("2:1", "6+"), {"a": 0, "defender_losses": 3, "r": True, "progress": 0}),
]


@pytest.mark.parametrize(("odds", "die", "labels", "value"), COMBAT)
def test_a_combat_table(odds: Any, die: int, labels: tuple[str, ...], value: dict[str, Any]) -> None:
    result = small_table("table_codes").lookup(odds, die)
    assert (result.value, result.labels) == (value, labels)


def test_three_keys_and_fields() -> None:
    events = small_table("table_fields")
    assert [key.name for key in events.keys] == ["turn", "weather"]
    assert events.lookup(2, "dry").value == {"losses": 1, "retreat": True, "leader": ""}
    assert events.lookup(3, "mud").value == {"losses": 0, "retreat": False, "leader": ""}
    assert events.lookup(40, "dry").value == {"losses": -1, "retreat": False, "leader": "Nobody"}
    assert events.is_estimated("dry")
    assert events.source_of("any") == "rulebook 2.2.1"


def test_pages_columns_and_rows() -> None:
    made = table(
        "table: t\npages: {key: turn}\nrows: {key: die}\n"
        "columns: {key: night, kind: flag, values: [yes, no]}\n"
        "result: {kind: name, of: weather}\ncells:\n  1-2: {1-3: [a, b], 4-6: [c, d]}\n  3+: {1-6: [e, f]}\n"
    )
    assert made.lookup(1, False, 4).value == "d"
    assert made.lookup(1, False, 4).labels == ("1-2", "no", "4-6")
    assert made.lookup(9, True, 4).value == "e"
    assert [cell.value for cell in made.cells()] == ["a", "b", "c", "d", "e", "f"]
    assert made.missing("die", range(8)) == [0, 7]
    assert made.missing("turn", range(4)) == [0]
    assert made.missing("night", [True, False]) == []


def test_outside_of_the_table() -> None:
    closed = one_key("{1: 10, 2: 20}")
    for key in (0, 3, Fraction(3, 2), "1", True):
        with pytest.raises(NoResult):
            closed.lookup(key)
    with pytest.raises(NoResult):
        closed.lookup(1, 1)
    clamped = one_key("{1: 10, 2: 20}", "{key: die, below: first, above: last}")
    assert [clamped.lookup(key).value for key in (-5, 1, 2, 9)] == [10, 10, 20, 20]
    rest = one_key("{1: 10, any: 0, 5: 50}")
    assert [rest.lookup(key).value for key in (-5, 1, 3, 5)] == [0, 10, 0, 50]


def test_ratios_outside_of_the_columns() -> None:
    def at(ends: str, odds: Fraction) -> object:
        columns = f'columns: {{key: odds, kind: ratio, values: ["1:2", "2:1"]{ends}}}\n'
        return (
            table(
                "table: t\nrows: {key: die}\n" + columns + "result: {kind: text}\ncells: {1: [low, high]}\n"
            )
            .lookup(odds, 1)
            .value
        )

    assert at("", Fraction(9)) == "high"
    with pytest.raises(NoResult):
        at("", Fraction(1, 3))
    assert at(", below: first", Fraction(1, 3)) == "low"
    assert at(", above: error", Fraction(2)) == "high"
    with pytest.raises(NoResult):
        at(", above: error", Fraction(9, 4))


CODES = (
    ResultField("attacker", "number", "A"),
    ResultField("retreat", "flag", "AR"),
    ResultField("progress", "number", "+/-"),
)
CELLS: list[tuple[Any, tuple[int, bool, int]]] = [
    ("A2", (2, False, 0)),
    ("A", (1, False, 0)),
    ("AR", (0, True, 0)),
    ("A2AR", (2, True, 0)),
    ("+/-2 A1, AR", (1, True, 2)),
    ("", (0, False, 0)),
    ("  ", (0, False, 0)),
    ("-", (0, False, 0)),
    ("—", (0, False, 0)),
]


@pytest.mark.parametrize(("written", "meant"), CELLS)
def test_printed_codes(written: Any, meant: tuple[int, bool, int]) -> None:
    shape = ResultShape("codes", fields=CODES)
    assert read_cell(shape, written) == dict(zip(("attacker", "retreat", "progress"), meant, strict=True))


@pytest.mark.parametrize("written", ["B", "A1A2", "AR1", "2A", "A-1", "a1", 3, True, ["A"], None])
def test_what_is_no_code_is_refused(written: Any) -> None:
    with pytest.raises(CellProblem):
        read_cell(ResultShape("codes", fields=CODES), written)


NUMBERS: list[tuple[Any, Any]] = [
    (3, 3),
    ("+1", 1),
    ("−2", -2),
    ("1/2", Fraction(1, 2)),
    ("-3/6", Fraction(-1, 2)),
    ("4/2", 2),
    ("0.25", Fraction(1, 4)),
    (Fraction(1, 3), Fraction(1, 3)),
    ("1/0", None),
    ("00", None),
    ("07", None),
    ("x", None),
    ("", None),
    (True, None),
    (None, None),
]


@pytest.mark.parametrize(("written", "meant"), NUMBERS)
def test_numbers_as_tables_print_them(written: Any, meant: Any) -> None:
    assert number_of(written) == meant
    assert type(number_of(written)) is type(meant)


@given(st.lists(st.integers(1, 6), min_size=1, max_size=6), st.integers(-9, 9))
def test_neighbouring_ranges_leave_no_gap_and_agree_with_counting(widths: list[int], start: int) -> None:
    labels, expected, low = [], {}, start
    for index, width in enumerate(widths):
        high = low + width - 1
        labels.append(f'"{low} to {high}": {index}')
        expected |= dict.fromkeys(range(low, high + 1), index)
        low = high + 1
    made = one_key("{" + ", ".join(reversed(labels)) + "}")
    assert table_problems(made) == []
    assert {key: made.lookup(key).value for key in expected} == expected
    assert made.missing("die", range(start - 2, low + 2)) == [start - 2, start - 1, low, low + 1]


@given(st.fractions(min_value=Fraction(1, 9), max_value=12))
def test_the_column_of_a_ratio_is_the_greatest_not_above_it(odds: Fraction) -> None:
    columns = [Fraction(1, 3), Fraction(1, 2), Fraction(1), Fraction(3, 2), Fraction(2), Fraction(4)]
    values = ", ".join(f'"{column.numerator}:{column.denominator}"' for column in columns)
    made = table(
        f"table: t\ncolumns: {{key: odds, kind: ratio, values: [{values}], below: first}}\n"
        "rows: {key: die}\n"
        "result: {kind: number}\ncells: {1: [0, 1, 2, 3, 4, 5]}\n"
    )
    assert made.lookup(odds, 1).value == max(sum(column <= odds for column in columns) - 1, 0)


def test_a_table_with_mistakes_is_still_there_for_the_rules_that_use_it() -> None:
    made, problems = build_table(
        load_yaml(
            SourceFile(
                Path("t.yaml"), "table: t\nrows: {key: die}\nresult: {kind: number}\ncells: {1: x, 3: 2}"
            )
        )
    )
    assert made is not None
    assert [problem.code for problem in problems] == ["table-cell", "table-gap"]
