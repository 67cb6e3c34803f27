"""Results in the cells of a table: numbers, names, flags, texts, printed codes like `A2D1R`, fields."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction
from typing import Any, Literal

from rulesdsl.base.diagnostics import did_you_mean
from rulesdsl.base.lightclass import dataclass

ResultKind = Literal["number", "text", "name", "flag", "codes", "fields"]
FieldKind = Literal["number", "text", "name", "flag"]
CellScalar = bool | int | Fraction | str | None
CellValue = CellScalar | Mapping[str, CellScalar]

_DEFAULTS: dict[FieldKind, CellScalar] = {"number": 0, "flag": False, "text": "", "name": None}
_NUMBER = re.compile(r"([-+]?)\s*(0|[1-9][0-9]{0,14})(?:/([0-9]{1,9})|\.([0-9]{1,15}))?")
_NOTHING = frozenset({"", "-", "–", "—"})
_FLAGS: dict[object, bool] = {True: True, False: False, "yes": True, "no": False}
_KIND_WORDS = {"number": "a number", "flag": "yes or no", "text": "text", "name": "a name"}


@dataclass(frozen=True, slots=True)
class ResultField:
    """One part of a result, `R: flag`; `code` is what is printed, `name` what the rules call it."""

    name: str
    kind: FieldKind
    code: str = ""
    of: str = ""  # for names: the enumeration


@dataclass(frozen=True, slots=True)
class ResultShape:
    """`{kind: codes, codes: {A: number, D: number, R: flag}}`"""

    kind: ResultKind
    of: str = ""
    fields: tuple[ResultField, ...] = field(default=())


class CellProblem(Exception):
    """A cell that cannot be read; `start` and `length` mark the part of its text that is wrong.

    `unknown` is the code that the table does not have, when that is the problem.
    """

    def __init__(
        self, message: str, hint: str = "", start: int = 0, length: int = 0, unknown: str = ""
    ) -> None:
        super().__init__(message)
        self.message, self.hint, self.start, self.length = message, hint, start, length
        self.unknown = unknown


def read_cell(shape: ResultShape, value: Any) -> CellValue:
    """The result that a cell holds, or `CellProblem`."""
    match shape.kind:
        case "codes":
            return _read_codes(shape.fields, value)
        case "fields":
            return _read_fields(shape.fields, value)
        case kind:
            return _read_scalar(kind, value)


def number_of(value: object) -> int | Fraction | None:
    """A number as tables print it: 3, +1, −2, 1/2, 0.5; None when it is none."""
    if isinstance(value, int | Fraction) and not isinstance(value, bool):
        return value
    match = _NUMBER.fullmatch(value.strip().replace("−", "-")) if isinstance(value, str) else None
    if match is None or (match[3] and not int(match[3])):
        return None
    exact = Fraction(f"{match[2]}/{match[3]}" if match[3] else f"{match[2]}.{match[4] or 0}")
    exact = -exact if match[1] == "-" else exact
    return exact.numerator if exact.denominator == 1 else exact


def flag_of(value: object) -> bool | None:
    """true, false, yes and no as flags; None for anything else (1 is not a flag)."""
    return _FLAGS.get(value) if isinstance(value, bool | str) else None


def _read_scalar(kind: FieldKind, value: Any) -> CellScalar:
    read: CellScalar = None
    match kind:
        case "number":
            read = number_of(value)
        case "flag":
            read = flag_of(value)
        case "text":
            read = (
                str(value)
                if isinstance(value, str | int | Fraction) and not isinstance(value, bool)
                else None
            )
        case "name":
            read = (
                str(value)
                if isinstance(value, str | int) and not isinstance(value, bool) and value != ""
                else None
            )
    if read is None:
        raise CellProblem(f"{_shown(value)} is not {_KIND_WORDS[kind]}")
    return read


def _read_fields(fields: tuple[ResultField, ...], value: Any) -> CellValue:
    if not isinstance(value, dict):
        raise CellProblem(f"{_shown(value)} is not a mapping of fields", f"write {{{fields[0].name}: …}}")
    known = [one.name for one in fields]
    for name in value:
        if name not in known:
            hint = did_you_mean(name, known) or f"the fields are {', '.join(known)}"
            raise CellProblem(f'the table has no field "{name}"', hint)
    result: dict[str, CellScalar] = {}
    for one in fields:
        if one.name in value:
            result[one.name] = _read_scalar(one.kind, value[one.name])
        elif one.kind == "name":
            raise CellProblem(f'the field "{one.name}" is missing')
        else:
            result[one.name] = _DEFAULTS[one.kind]
    return result


def _read_codes(fields: tuple[ResultField, ...], value: Any) -> CellValue:
    """`+/-1 A1D1` → codes with optional numbers, in any order, each once; no number means 1."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        hint = 'write "" where nothing happens' if value is None else ""
        raise CellProblem(f"{_shown(value)} is not a text of codes", hint)
    text = str(value)
    result: dict[str, CellScalar] = {one.name: _DEFAULTS[one.kind] for one in fields}
    by_code = {one.code: one for one in fields}
    if text.strip() in _NOTHING and text.strip() not in by_code:
        return result
    pattern = _code_pattern(tuple(by_code))
    seen: set[str] = set()
    position = 0
    while position < len(text):
        match = pattern.match(text, position)
        if match is None:
            codes = ", ".join(by_code)
            message = f'"{text[position:]}" starts with none of the codes {codes}'
            unknown = re.split(r"[0-9\s]", text[position:], maxsplit=1)[0]
            raise CellProblem(message, start=position, length=len(text) - position, unknown=unknown)
        position = match.end()
        if match["code"] is None:
            continue
        one = by_code[match["code"]]
        problem = _code_problem(one, match["number"], seen)
        if problem:
            raise CellProblem(problem, start=match.start(), length=match.end() - match.start())
        seen.add(one.code)
        result[one.name] = True if one.kind == "flag" else int(match["number"] or 1)
    return result


def _code_problem(one: ResultField, number: str | None, seen: set[str]) -> str:
    if one.code in seen:
        return f'the code "{one.code}" stands twice in this cell'
    if number and one.kind == "flag":
        return f'the code "{one.code}" takes no number'
    return ""


def _code_pattern(codes: tuple[str, ...]) -> re.Pattern[str]:
    # Longest first, so that "AR" is not read as "A" and then "R" where both exist.
    ordered = sorted(codes, key=len, reverse=True)
    return re.compile(rf"[\s,;]+|(?P<code>{'|'.join(map(re.escape, ordered))})(?P<number>[0-9]{{1,9}})?")


def _shown(value: object) -> str:
    match value:
        case None:
            return "an empty cell"
        case bool():
            return "true" if value else "false"
        case list():
            return f"a list of {len(value)}"
        case dict():
            return "a mapping"
        case _:
            return f'"{value}"'
