"""Two versions of a rulebook compared: paragraph by paragraph, cell by cell, value by value.

Nothing is taken from what the house rules say they do: the two games themselves are compared. Only who did
it, and under which paragraph a value belongs, comes from the house rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rulesdsl.book.loader import GameSource
from rulesdsl.book.pieces import Piece
from rulesdsl.book.scenario import Scenario
from rulesdsl.checking.checker import paragraph_order
from rulesdsl.house.bringing import described, described_piece, described_table
from rulesdsl.house.differences.authors import author
from rulesdsl.house.differences.line_diff import Line, statement_lines, text_lines
from rulesdsl.house.differences.silence import Silent, silenced
from rulesdsl.house.draft import paragraphs_of
from rulesdsl.house.edits import shown
from rulesdsl.house.resolving.cell_text import cell_differences
from rulesdsl.house.resolving.statements import declared, subject
from rulesdsl.language import syntax as sx
from rulesdsl.language.printing.printer import print_example

_NAMES = {"piece": "", "space": "", "border": "border ", "table": "table ", "scenario": "scenario "}


@dataclass(frozen=True, slots=True)
class ParagraphDiff:
    """A paragraph that was added, removed or changed, and its lines before and after."""

    id: str
    title: str
    verb: str  # added, repealed, changed
    by: tuple[str, ...]
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class ValueDiff:
    """One value of the data: a cell of a table, what is printed on a counter, in a zone, on a border."""

    kind: str
    subject: str
    name: str  # what a person calls it
    part: str
    before: str
    after: str
    paragraph: str
    by: str


@dataclass(frozen=True, slots=True)
class RuleDiff:
    paragraphs: tuple[ParagraphDiff, ...]
    values: tuple[ValueDiff, ...]
    silent: tuple[Silent, ...]

    @property
    def different(self) -> bool:
        return bool(self.paragraphs or self.values)


def diff_rules(base: GameSource, after: GameSource) -> RuleDiff:
    """Everything that is different, in the order of the rulebook."""
    return RuleDiff(
        tuple(_paragraphs(base, after)),
        tuple(_values(base, after)),
        tuple(silenced(base, after)),
    )


# ---- paragraphs --------------------------------------------------------------------------------------
def _paragraphs(base: GameSource, after: GameSource) -> Iterator[ParagraphDiff]:
    old, new = paragraphs_of(base), paragraphs_of(after)
    for number in sorted(old.keys() | new.keys(), key=paragraph_order):
        one, other = old.get(number), new.get(number)
        lines = tuple(_changed_lines(one, other))
        if not lines and (one is None) == (other is None):
            continue
        verb = "added" if one is None else "repealed" if other is None else "changed"
        title = other.title if other is not None else one.title if one is not None else ""
        by = [c.title for c in after.changes if c.kind == "paragraph" and c.subject == number]
        yield ParagraphDiff(number, title, verb, tuple(dict.fromkeys(by)), lines)


def _changed_lines(old: sx.Paragraph | None, new: sx.Paragraph | None) -> Iterator[Line]:
    if old is not None and new is not None and old.title != new.title:
        yield from (("-", old.title), ("+", new.title))
    yield from text_lines(_prose(old), _prose(new))
    rules = (old.rules if old else (), new.rules if new else ())
    for before, after in statement_pairs(*rules):
        yield from statement_lines(before, after)
    yield from _examples(old, new)


def _examples(old: sx.Paragraph | None, new: sx.Paragraph | None) -> Iterator[Line]:
    """Only how many: an example shows a rule, it does not change one."""
    before = [print_example(example) for example in (old.examples if old else ())]
    after = [print_example(example) for example in (new.examples if new else ())]
    for sign, these, others in (("-", before, after), ("+", after, before)):
        count = sum(text not in others for text in these)
        if count:
            yield sign, "1 example" if count == 1 else f"{count} examples"


def _prose(paragraph: sx.Paragraph | None) -> list[str]:
    lines = paragraph.prose.split("\n") if paragraph is not None else []
    return [line.rstrip() for line in lines if line.strip() and not line.startswith("\x00")]


def statement_pairs(
    old: tuple[sx.Rule, ...], new: tuple[sx.Rule, ...]
) -> Iterator[tuple[sx.Rule | None, sx.Rule | None]]:
    """Statements of one paragraph before and after: by name, then by what they are about."""
    left, right = list(old), list(new)
    for rule in old:  # each stands for one that is the same: of two alike, one may be new
        if rule in right:
            left.remove(rule)
            right.remove(rule)
    for rule in left:
        same = [r for r in right if (declared(r) or subject(r)) == (declared(rule) or subject(rule))]
        if same:
            right.remove(same[0])
        yield rule, same[0] if same else None
    yield from ((None, rule) for rule in right)


# ---- data --------------------------------------------------------------------------------------------
def _values(base: GameSource, after: GameSource) -> Iterator[ValueDiff]:
    def value(
        kind: str, thing: str, name: str, part: str, old: object, new: object, labels: Sequence[str] = ()
    ) -> ValueDiff:
        where, by = author(after, kind, thing, part, labels)
        return ValueDiff(
            kind=kind,
            subject=thing,
            name=_NAMES[kind] + name,
            part=part,
            before=shown(old),
            after=shown(new),
            paragraph=where,
            by=by,
        )

    for name, table in after.tables.items():
        if name not in base.tables:
            yield value("table", name, name, "", None, described_table(table))
            continue
        for labels, old, new in cell_differences(base.tables[name], table):
            keys = ", ".join(f"{k.name} {text}" for k, text in zip(table.keys, labels, strict=True))
            yield value("table", name, name, keys, old, new, labels)
    for identity, piece in after.pieces.items():
        if identity not in base.pieces:
            yield value("piece", identity, f"{piece.kind} {piece.name}", "", None, described_piece(piece))
            continue
        for part, one, other in (*_piece_parts(base.pieces[identity], piece), *_starts(base, after, piece)):
            yield value("piece", identity, piece.name, part, one, other)
    if base.map is not None and after.map is not None:
        for identity, space in after.map.spaces.items():
            if identity not in base.map.spaces:
                yield value(
                    "space", identity, f"{space.kind} {space.name}", "", None, described(space.attributes)
                )
                continue
            for part, one, other in _parts(base.map.spaces[identity].attributes, space.attributes):
                yield value("space", identity, space.name, part, one, other)
        for border in after.map.borders:
            pair = "/".join(border.between)
            was = base.map.border(*border.between)
            if was is None:
                yield value("border", pair, pair, "", None, described(border.attributes))
                continue
            for part, one, other in _parts(was.attributes, border.attributes):
                yield value("border", pair, pair, part, one, other)
    told = _settings_told(base, after)
    for identity, scenario in after.scenarios.items():
        if identity not in base.scenarios:
            yield value("scenario", identity, identity, "", None, scenario.title)
            continue
        for part, one, other in _parts(_options(base.scenarios[identity]), _options(scenario)):
            if part not in told:
                yield value("scenario", identity, identity, part, one, other)


def _settings_told(base: GameSource, after: GameSource) -> set[str]:
    """Settings that differ in the rules themselves: that a scenario follows them need not be said."""
    kinds = (sx.Parameter, sx.Reading, sx.Option)
    rules = [
        {
            rule.name: rule
            for p in paragraphs_of(source).values()
            for rule in p.rules
            if isinstance(rule, kinds)
        }
        for source in (base, after)
    ]
    return {name for name, rule in rules[1].items() if rules[0].get(name) != rule}


def _parts(old: Mapping[str, object], new: Mapping[str, object]) -> Iterator[tuple[str, object, object]]:
    for name in dict.fromkeys((*old, *new)):
        if old.get(name) != new.get(name):
            yield name, old.get(name), new.get(name)


def _piece_parts(old: Piece, new: Piece) -> Iterator[tuple[str, object, object]]:
    yield from _parts(old.attributes, new.attributes)
    for number, (one, other) in enumerate(zip(old.faces, new.faces, strict=True), 1):
        for name, before, after in _parts(one, other):
            yield (f"{name}[{number}]" if len(new.faces) > 1 else name), before, after


def _starts(base: GameSource, after: GameSource, piece: Piece) -> Iterator[tuple[str, object, object]]:
    """Where a piece begins; scenarios are named where they do not agree."""
    found: dict[tuple[str, str], list[str]] = {}
    for name in base.scenarios or ("",):
        places = _start(base, name, piece.id), _start(after, name, piece.id)
        found.setdefault(places, []).append(name)
    for (old, new), names in found.items():
        if old != new:
            yield ("start" if len(found) == 1 else f"start ({', '.join(names)})"), old, new


def _start(source: GameSource, scenario: str, piece: str) -> str:
    mentions = source.scenarios[scenario].mentions if scenario else ()
    places = {name: place for name, place, _ in mentions}
    return places.get(piece, source.pieces[piece].start) or "none"


def _options(scenario: Scenario) -> dict[str, object]:
    words = {"yes": True, "no": False, "true": True, "false": False}
    return {name: words.get(str(value).lower(), value) for name, value in scenario.options.items()}
