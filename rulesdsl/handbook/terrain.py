"""Terrain effects: everything the rules say about a printed feature of spaces and borders, gathered."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from rulesdsl import syntax as sx
from rulesdsl.handbook.blocks import Cell, Grid, Page, Row, Text
from rulesdsl.handbook.book import Book
from rulesdsl.handbook.english import in_words
from rulesdsl.handbook.inline import capital, rule, said
from rulesdsl.handbook.say_rules import change, permission, quantity_name


def terrain_page(book: Book) -> Page | None:
    """One row for each effect, grouped by feature; features that nothing mentions are left out."""
    rows: list[Row] = []
    conditions = Conditions(book)
    for feature, kind in features(book).items():
        for number, (identity, text) in enumerate(conditions.effects(feature)):
            head = Cell(capital(in_words(feature)) if not number else "", "head")
            target = f"feature:{feature}" if not number else ""
            rows.append(
                Row((head, Cell(kind if not number else ""), Cell(text), Cell(rule(identity))), target)
            )
    if not rows:
        return None
    told = "Every change of a value and every prohibition that depends on what is printed on the map."
    grid = Grid(("Feature", "Printed as", "Effect", "Paragraph"), tuple(rows), kind="entries")
    return Page("terrain", "Terrain effects", "Reference", (Text(told, "note"), grid))


def features(book: Book) -> dict[str, str]:
    """What is printed on spaces and borders and can be named in a condition → where it is printed."""
    found: dict[str, str] = {}
    for (universe, name), attribute in book.program.world.attributes.items():
        if universe not in ("space", "border") or not attribute.printed or attribute.built_in:
            continue
        if attribute.type.kind == "flag":
            found.setdefault(name, f"{universe}, {in_words(name)}")
        elif attribute.type.kind == "enum":
            for value in book.program.world.enums[attribute.type.name].values:
                found.setdefault(value, f"{universe}, {in_words(name)}")
    return found


class Conditions:
    """The words of every condition and of every short meaning, gathered once."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.permissions = [
            (identity, node, self._words(node.condition))
            for identity, node in book.rules_of(sx.Permission)
            if isinstance(node, sx.Permission)
        ]
        self.contributions = [
            (identity, node, c, self._words(c.condition), self._words(c.value))
            for identity, node in book.rules_of(sx.Quantity, sx.Modify)
            if isinstance(node, (sx.Quantity, sx.Modify))
            for c in node.contributions
        ]
        # A define that is the feature under another name, or hangs on it, if it is short.
        self.meanings = [
            (node.name, frozenset().union(*(self._words(case.value) for case in node.cases)))
            for _, node in book.rules_of(sx.Define)
            if isinstance(node, sx.Define) and len(node.cases) <= 2
        ]

    def effects(self, feature: str) -> Iterator[tuple[str, str]]:
        """(paragraph, sentence) of whatever names the feature in its condition, directly or by a meaning."""
        speaker = self.book.speaker
        names = {feature, *(name for name, words in self.meanings if feature in words)}
        for identity, node, words in self.permissions:
            if not names.isdisjoint(words):
                yield identity, permission(speaker, node)
        for identity, quantity, c, words, value in self.contributions:
            if not names.isdisjoint(words) or feature in value:
                label = f" ({said(c.label)})" if c.label else ""
                where = f"{capital(quantity_name(speaker, quantity))}: {change(speaker, c)}"
                yield identity, f"{where}{speaker.condition(c.condition)}{label}."

    def _words(self, expr: sx.Expr | None) -> frozenset[str]:
        return _words(expr, self.book.names.record_flags)


def _words(expr: sx.Expr | None, of_records: Collection[str]) -> frozenset[str]:
    """The names in a condition; a field of a record (`urban`) is not what is printed under the same name."""
    found: set[str] = set()
    for part in sx.walk(expr) if expr is not None else ():
        match part:
            case sx.Name(id=name) if name in of_records:
                pass
            case sx.Name(id=name) | sx.Attr(name=name) | sx.Call(name=name):
                found.add(name)
            case sx.Described(words=words) | sx.NounPhrase(words=words) | sx.OneOf(names=words):
                found.update(words)
            case _:
                pass
    return frozenset(found)
