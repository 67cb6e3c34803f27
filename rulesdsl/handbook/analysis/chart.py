"""The terrain chart: what is printed on the map against what it does to movement, combat and the rest.

Everything is found in the rules: a line of a quantity or a prohibition whose condition names a printed
feature. The columns follow from what the rules use it for: what a way costs is movement, what goes into a
roll on a table is combat; everything else stands under the chapter that says it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from rulesdsl.handbook.book import Book
from rulesdsl.language import syntax as sx
from rulesdsl.speaking.english import in_words
from rulesdsl.speaking.inline import capital, plain, said
from rulesdsl.speaking.say.rules import change

MOVEMENT, COMBAT = "Movement", "Combat"
_MOST_COLUMNS = 5
_REST = "Besides"


@dataclass(frozen=True, slots=True)
class Effect:
    """One thing a feature does: in few words, by which paragraph, changed by a house rule or not."""

    text: str
    paragraph: str
    changed: bool = False


@dataclass(frozen=True, slots=True)
class Chart:
    """Features in the order of the rulebook; (feature, column) → effects."""

    features: tuple[tuple[str, str], ...]  # name, where it is printed: on a space or between two
    columns: tuple[str, ...]
    cells: dict[tuple[str, str], list[Effect]] = field(default_factory=dict)


class Uses:
    """What quantities and ways of a rulebook are for."""

    def __init__(self, book: Book) -> None:
        self.book = book

    @cached_property
    def movement(self) -> frozenset[str]:
        """Quantities in what a way costs, and the ways that are travelled."""
        found: set[str] = set()
        for _, node in self.book.rules_of(sx.Route):
            assert isinstance(node, sx.Route)
            found.add(node.name)
            for part in (node.cost, node.budget, node.always, node.maximum):
                found |= self._named(part)
        return frozenset(self._closure(found))

    @cached_property
    def combat(self) -> frozenset[str]:
        """Quantities in what is rolled and looked up in a table."""
        found: set[str] = set()
        for names in self.of_tables.values():
            found |= names
        return frozenset(self._closure(found)) - self.movement

    @cached_property
    def of_tables(self) -> dict[str, frozenset[str]]:
        """Table → the quantities named where it is read with a die."""
        found: dict[str, set[str]] = {}
        for _, node in self.book.rules_of(sx.Procedure, sx.Define):
            parts = list(sx.walk(node))
            for part in parts:
                if isinstance(part, sx.Lookup):
                    named = found.setdefault(part.table, set())
                    if isinstance(node, sx.Procedure):
                        for step in node.body:
                            named |= self._named(step)
        return {table: frozenset(names) for table, names in found.items()}

    def _closure(self, names: set[str]) -> set[str]:
        """Names, and the quantities they are made of."""
        left, found = list(names), set(names)
        while left:
            name = left.pop()
            quantity = self.book.program.quantities.get(name)
            define = self.book.program.defines.get(name)
            parts = [quantity.source.base] if quantity is not None else []
            parts += [case.value for case in define.source.cases] if define is not None else []
            for part in parts:
                new = self._named(part) - found
                found |= new
                left += new
        return found

    def _named(self, node: sx.Node | None) -> set[str]:
        """Quantities and meanings that a part of the rules names."""
        known = self.book.program
        found: set[str] = set()
        for part in sx.walk(node) if node is not None else ():
            match part:
                case sx.Attr(of=sx.Name(id=record), name=name) if f"{record}.{name}" in known.quantities:
                    found.add(f"{record}.{name}")
                case sx.Call(name=name) | sx.Name(id=name) if (
                    name in known.quantities or name in known.defines
                ):
                    found.add(name)
                case _:
                    pass
        return found


def printed_features(book: Book) -> dict[str, str]:
    """What is printed on spaces and borders and can be named in a condition → where it is printed.

    A value that is somebody's name (a front called like its player) is no terrain.
    """
    world = book.program.world
    people = set(book.names.things)
    found: dict[str, str] = {}
    for (universe, name), attribute in world.attributes.items():
        if universe not in ("space", "border") or not attribute.printed or attribute.built_in:
            continue
        if attribute.type.kind == "flag":
            found.setdefault(name, universe)
        elif attribute.type.kind == "enum":
            for value in world.enums[attribute.type.name].values:
                if value not in people:
                    found.setdefault(value, universe)
    return found


def terrain_chart(book: Book) -> Chart:
    """Only features that do something, only columns in which something stands."""
    cells: dict[tuple[str, str], list[Effect]] = {}
    features = printed_features(book)
    for feature in features:
        for column, effect in _Effects.of(book).of_feature(feature):
            effects = cells.setdefault((feature, column), [])
            if effect.text not in {e.text for e in effects}:
                effects.append(effect)
    counts: dict[str, int] = {}
    for _, column in cells:
        counts[column] = counts.get(column, 0) + 1
    first = [c for c in (MOVEMENT, COMBAT) if c in counts]
    others = sorted((c for c in counts if c not in first), key=lambda c: -counts[c])
    columns = [*first, *others]
    if len(columns) > _MOST_COLUMNS:
        rest = set(columns[_MOST_COLUMNS - 1 :])
        columns = [*columns[: _MOST_COLUMNS - 1], _REST]
        for feature, column in [key for key in cells if key[1] in rest]:
            cells.setdefault((feature, _REST), []).extend(cells.pop((feature, column)))
    shown = tuple((f, kind) for f, kind in features.items() if any((f, c) in cells for c in columns))
    return Chart(shown, tuple(columns), cells)


class _Effects:
    """Lines of quantities and prohibitions with the words of their conditions, gathered once a book."""

    @classmethod
    def of(cls, book: Book) -> _Effects:
        found: _Effects | None = book.__dict__.get("terrain_effects")
        if found is None:
            found = cls(book)
            book.__dict__["terrain_effects"] = found
        return found

    def __init__(self, book: Book) -> None:
        self.book = book
        self.uses = Uses(book)
        self.flags = book.names.record_flags
        self.meanings = [
            (node.name, frozenset().union(*(self._words(case.value) for case in node.cases)))
            for _, node in book.rules_of(sx.Define)
            if isinstance(node, sx.Define) and len(node.cases) <= 2
        ]

    def of_feature(self, feature: str) -> Iterator[tuple[str, Effect]]:
        names = {feature, *(name for name, words in self.meanings if feature in words)}
        for identity, node in self.book.rules_of(sx.Quantity, sx.Modify):
            assert isinstance(node, (sx.Quantity, sx.Modify))
            quantity = f"{node.record}.{node.name}" if node.record else node.name
            for c in node.contributions:
                if not names.isdisjoint(self._words(c.condition)) or feature in self._words(c.value):
                    yield self._column(quantity, identity), self._effect(identity, node, c, feature)
        for identity, rule in self.book.rules_of(sx.Permission):
            assert isinstance(rule, sx.Permission)
            if not names.isdisjoint(self._words(rule.condition)) and rule.label:
                yield (
                    self._chapter(identity),
                    Effect(self.book.own(said(rule.label)), identity, self._changed(identity)),
                )

    def _effect(
        self, identity: str, node: sx.Quantity | sx.Modify, c: sx.Contribution, feature: str
    ) -> Effect:
        own, label = self.book.own, said(c.label or "")
        amount, of = own(brief_change(self.book, c)), own(in_words(node.name))
        told = (
            f"{amount} ({of})"
            if not label or label.lower() == in_words(feature)
            else f"{amount} ({of}: {own(label)})"
        )
        return Effect(told, identity, self._changed(identity))

    def _column(self, quantity: str, identity: str) -> str:
        if quantity in self.uses.movement:
            return MOVEMENT
        return COMBAT if quantity in self.uses.combat else self._chapter(identity)

    def _chapter(self, identity: str) -> str:
        """The title of the chapter that a paragraph stands in."""
        for chapter in self.book.source.chapters:
            if any(p.id == identity for p in chapter.paragraphs):
                first = chapter.paragraphs[0]
                title = self.book.title_of(first.id) if self.book.language != "en" else ""
                title = title or chapter.title or first.title
                return capital(said(title))
        return _REST

    def _changed(self, identity: str) -> bool:
        return bool(self.book.relations.amended_by.get(identity))

    def _words(self, expr: sx.Expr | None) -> frozenset[str]:
        found: set[str] = set()
        for part in sx.walk(expr) if expr is not None else ():
            match part:
                case sx.Name(id=name) if name in self.flags:
                    pass
                case sx.Name(id=name) | sx.Attr(name=name) | sx.Call(name=name):
                    found.add(name)
                case sx.Described(words=words) | sx.NounPhrase(words=words) | sx.OneOf(names=words):
                    found.update(words)
                case _:
                    pass
        return frozenset(found)


_NO_LIMIT = 99  # a number that is never reached
_LONG = 34  # letters


def brief_change(book: Book, c: sx.Contribution) -> str:
    """`+1`, `= 1/2`, `no limit`: what a line does, as short as a chart wants it."""
    value = number_of(book, c.value)
    if isinstance(value, sx.Number) and value.value >= _NO_LIMIT and c.op == "=":
        return "no limit"
    text = plain(change(book.speaker, resolved(book, c)))
    if c.op == "=":
        return text.replace("is ", "= ", 1)
    if c.op in ("+", "-") and c.label and len(text) > _LONG and not any(char.isdigit() for char in text):
        return "+" if c.op == "+" else "−"  # what is counted, its label says
    return text


def resolved(book: Book, c: sx.Contribution) -> sx.Contribution:
    """A line of a quantity with the number of a parameter instead of its name."""
    from dataclasses import replace

    return replace(c, value=number_of(book, c.value))


def number_of(book: Book, expr: sx.Expr) -> sx.Expr:
    """What a parameter is set to; any other expression as it is."""
    if isinstance(expr, sx.Name):
        for _, node in book.rules_of(sx.Parameter):
            assert isinstance(node, sx.Parameter)
            if node.name == expr.id:
                return node.value
    return expr
