"""Random single edits of a game's values, as house rules, and what a diff must say about each."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from rulesdsl.book.loader import GameSource
from rulesdsl.book.tables.labels import Range
from rulesdsl.book.tables.table import Table
from rulesdsl.house.differences.rule_diff import ParagraphDiff, RuleDiff
from rulesdsl.house.draft import paragraphs_of
from rulesdsl.house.resolving.cell_text import cell_text
from rulesdsl.house.resolving.statements import labelled
from rulesdsl.language import syntax as sx
from rulesdsl.language.printing.amendments import print_line
from rulesdsl.language.printing.printer import print_expr, print_rule

Kind = Callable[[GameSource, random.Random], "RandomEdit | None"]
GARBAGE = ("zzz", '"two words"', "999999", "-1")


@dataclass(frozen=True)
class RandomEdit:
    """One statement under one paragraph. `named` is what the diff must say, and nothing else: of a value
    what it is and what it becomes, of a paragraph the words that go and those that come."""

    paragraph: str
    statement: str
    named: frozenset[tuple[str, ...]]

    @property
    def lines(self) -> tuple[int, ...]:
        """Of the text: the heading, and the statement."""
        return (3, *range(5, 6 + self.statement.count("\n")))

    @property
    def text(self) -> str:
        return f"# A random edit\n\n## amends {self.paragraph}\n```rules\n{self.statement}\n```\n"


def what_is_named(diff: RuleDiff) -> frozenset[tuple[str, ...]]:
    # Where a piece begins may be told scenario by scenario.
    parts = [(v, "start" if v.part.startswith("start (") else v.part) for v in diff.values]
    values = [(v.kind, v.subject, part, v.after) for v, part in parts]
    return frozenset([*values, *(_paragraph_named(p) for p in diff.paragraphs)])


def _paragraph_named(paragraph: ParagraphDiff) -> tuple[str, ...]:
    gone = [text for sign, text in paragraph.lines if sign == "-"]
    new = [text for sign, text in paragraph.lines if sign == "+" or "→" in text]
    return _changed(paragraph.id, " ".join(gone), " ".join(new))


def _changed(number: str, gone: str, new: str) -> tuple[str, ...]:
    return "paragraph", number, " ".join(gone.split()), " ".join(new.split())


def random_edit(source: GameSource, chance: random.Random) -> RandomEdit:
    """One edit of any kind that the game has something for."""
    kinds: list[Kind] = [_cell, _piece, _space, _border, _setting, _line, _base]
    while True:
        edit = chance.choice(kinds)(source, chance)
        if edit is not None:
            return edit


def _paragraph(source: GameSource, chance: random.Random) -> str:
    return chance.choice(list(paragraphs_of(source)))


def _rules(source: GameSource) -> list[tuple[str, sx.Rule]]:
    return [(p.id, rule) for p in paragraphs_of(source).values() for rule in p.rules]


def _another(old: Any, others: list[Any], chance: random.Random) -> str:
    """A value that might stand in this place; now and then one that cannot."""
    if chance.random() < 0.1:
        return chance.choice(GARBAGE)
    if isinstance(old, bool) or old is None:
        return "false" if old else "true"
    if isinstance(old, int | Fraction):
        return str(old + chance.choice((-2, -1, 1, 2, 5)))
    texts = sorted({str(other) for other in others if isinstance(other, str) and other != old})
    return _written(chance.choice(texts)) if texts else "true"


def _written(text: str) -> str:
    return text if text.isidentifier() else f'"{text}"'


def _read(text: str) -> str:
    """A value as a diff shows it."""
    return text.strip('"')


def _cell(source: GameSource, chance: random.Random) -> RandomEdit | None:
    if not source.tables:
        return None
    table = chance.choice(list(source.tables.values()))
    page = chance.choice(table.pages)
    row = chance.choice(page.rows)
    column = chance.randrange(len(row.cells))
    found = {
        "pages": page.label,
        "rows": row.label,
        "columns": table.columns[column] if table.columns else None,
    }
    keys: list[str] = []
    for key in table.keys:
        label = found[key.axis]
        assert label is not None
        inside = label.meaning
        if isinstance(inside, Range) and inside.low is not None and inside.high is not None:
            keys.append(str(chance.randint(inside.low, inside.high)) if chance.random() < 0.5 else label.text)
        else:
            keys.append(label.text)
    cells = [cell_text(table, cell.value) for cell in table.cells()]
    old = row.cells[column].value
    new = _result(table, old, cells, chance)
    part = ", ".join(f"{key.name} {text}" for key, text in zip(table.keys, keys, strict=True))
    shown = ", ".join(f'"{text}"' for text in keys)
    statement = f"set table {table.id}[{shown}] = {new}"
    named = frozenset({("table", table.id, part, _read(new))})
    return RandomEdit(_paragraph(source, chance), statement, named)


def _result(table: Table, old: Any, cells: list[str], chance: random.Random) -> str:
    if not isinstance(old, Mapping):
        return _another(old, cells, chance)
    others = sorted({text for text in cells if text != cell_text(table, old)})
    return f'"{chance.choice(others)}"' if others and chance.random() < 0.9 else chance.choice(GARBAGE)


def _thing(
    kind: str, identity: str, attributes: Mapping[str, Any], everywhere: Mapping[str, list[Any]],
    source: GameSource, chance: random.Random, face: str = "",
) -> RandomEdit:  # fmt: skip
    name = chance.choice(sorted(attributes if attributes else everywhere))
    new = _another(attributes.get(name), everywhere[name], chance)
    start = "border " if kind == "border" else ""
    statement = f"set {start}{identity}.{name}{face} = {new}"
    named = frozenset({(kind, identity, f"{name}{face}", _read(new))})
    return RandomEdit(_paragraph(source, chance), statement, named)


def _collected(parts: Iterator[Mapping[str, Any]]) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for part in parts:
        for name, value in part.items():
            found.setdefault(name, []).append(value)
    return found


def _piece(source: GameSource, chance: random.Random) -> RandomEdit | None:
    if not source.pieces:
        return None
    piece = chance.choice(list(source.pieces.values()))
    if source.map is not None and chance.random() < 0.15:
        place = chance.choice(["none", *source.map.spaces])
        statement = f"set {piece.id}.start = {_written(place)}"
        named = frozenset({("piece", piece.id, "start", place)})
        return RandomEdit(_paragraph(source, chance), statement, named)
    if chance.random() < 0.5 and any(piece.faces):
        number = chance.randrange(len(piece.faces))
        everywhere = _collected(face for p in source.pieces.values() for face in p.faces)
        face = f"[{number + 1}]" if len(piece.faces) > 1 else ""
        return _thing("piece", piece.id, piece.faces[number], everywhere, source, chance, face)
    everywhere = _collected(p.attributes for p in source.pieces.values())
    return _thing("piece", piece.id, piece.attributes, everywhere, source, chance)


def _space(source: GameSource, chance: random.Random) -> RandomEdit | None:
    grid = {"column", "row", *(source.map.directions if source.map else ())}
    spaces = list(source.map.spaces.values()) if source.map else []
    rich = [space for space in spaces if set(space.attributes) - grid]
    if not rich:
        return None
    space = chance.choice(rich)
    printed = {name: value for name, value in space.attributes.items() if name not in grid}
    return _thing("space", space.id, printed, _collected(s.attributes for s in rich), source, chance)


def _border(source: GameSource, chance: random.Random) -> RandomEdit | None:
    borders = source.map.borders if source.map else ()
    everywhere = _collected(border.attributes for border in borders)
    if not everywhere:
        return None
    border = chance.choice(borders)
    return _thing("border", "/".join(border.between), border.attributes, everywhere, source, chance)


def _setting(source: GameSource, chance: random.Random) -> RandomEdit | None:
    kinds = (sx.Parameter, sx.Reading, sx.Option)
    found = [(number, rule) for number, rule in _rules(source) if isinstance(rule, kinds)]
    if not found:
        return None
    number, rule = chance.choice(found)
    match rule:
        case sx.Reading(default=before):
            new = chance.choice([a for a in rule.alternatives if a != before])
        case sx.Parameter(value=sx.Number(value=old)):
            before, new = str(old), str(old + chance.choice((-1, 1, 2)))
        case sx.Parameter(value=value) | sx.Option(default=value):
            before, new = print_expr(value), chance.choice(("true", "7", "zzz"))
    kind = type(rule).__name__.lower()
    named = frozenset({_changed(number, "", f"{kind} {rule.name}: {before} → {new}")})
    return RandomEdit(number, f"set {kind} {rule.name} = {new}", named)


def _line(source: GameSource, chance: random.Random) -> RandomEdit | None:
    lines = [(n, label, line, rule) for n, rule in _rules(source) for label, line in labelled(rule)]
    found = [(n, label, line, rule) for n, label, line, rule in lines if isinstance(line, sx.Contribution)]
    if not found:
        return None
    number, label, line, rule = chance.choice(found)
    gone = print_line(line)
    if chance.random() < 0.3:
        if isinstance(rule, sx.Modify) and len(rule.contributions) == 1:  # nothing is left of it
            gone = print_rule(rule)
        return RandomEdit(number, f'repeal "{label}"', frozenset({_changed(number, gone, "")}))
    old = line.value.value if isinstance(line.value, sx.Number) else Fraction(1)
    new = print_line(replace(line, value=sx.Number(old + chance.choice((1, 2, 3)))))
    return RandomEdit(number, f'replace "{label}": {new}', frozenset({_changed(number, gone, new)}))


def _base(source: GameSource, chance: random.Random) -> RandomEdit | None:
    """The number that a quantity starts from, which no label names: the quantity is declared anew."""
    found = [
        (number, rule, rule.base.value)
        for number, rule in _rules(source)
        if isinstance(rule, sx.Quantity) and isinstance(rule.base, sx.Number)
    ]
    if not found:
        return None
    number, rule, old = chance.choice(found)
    new = replace(rule, base=sx.Number(old + chance.choice((1, 2, 3))))
    before, after = (print_rule(one).split("\n")[0] for one in (rule, new))
    return RandomEdit(number, print_rule(new), frozenset({_changed(number, before, after)}))
