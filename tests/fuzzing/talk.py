"""Expressions of a wanted type, as text with the level at which they bind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from rulesdsl.program.types import FLAG, NUMBER, Type
from tests.fuzzing.book import Attribute, Book, Saying, Variable

# How tightly a text binds: what stands at a higher level needs brackets at a lower one.
ATOM, UNARY, PRODUCT, SUM, COMPARISON, NOT, AND, OR, NOUNS = range(9)
Text = tuple[str, int]


@dataclass(frozen=True)
class Talk:
    """Where an expression stands: what is known there, and whether it may look at secrets."""

    book: Book
    known: tuple[Variable, ...] = ()
    secret: bool = False
    route: bool = False
    below: int = 10**6  # only sayings with a smaller number may be called: nothing goes in circles

    def with_(self, *more: Variable) -> Talk:
        names = {variable.name for variable in more}
        return replace(self, known=(*(v for v in self.known if v.name not in names), *more))

    def openly(self) -> Talk:
        """The same without secrets: what happens must not depend on them."""
        return replace(self, secret=False) if self.book.disciplined else self

    def variables(self, wanted: Callable[[Type], bool]) -> list[Variable]:
        return [v for v in self.known if wanted(v.type) and (self.secret or not v.secret)]

    def sayings(self, *kinds: str) -> list[Saying]:
        known = self.book.sayings[: self.below]
        hidden = {v.name for v in self.known}
        return [
            s for s in known if s.kind in kinds and (self.secret or not s.secret) and s.name not in hidden
        ]

    def attributes(self, wanted: Callable[[Type], bool]) -> list[Attribute]:
        return [a for a in self.book.attributes if wanted(a.type) and (self.secret or not a.secret)]

    def tracks(self, wanted: Callable[[Type], bool]) -> list[Variable]:
        hidden = {v.name for v in self.known}
        return [
            t
            for t in self.book.tracks
            if wanted(t.type) and (self.secret or not t.secret) and t.name not in hidden
        ]


def at(text: Text, level: int) -> str:
    """The text where only so loose a one may stand."""
    return text[0] if text[1] <= level else f"({text[0]})"


def say(talk: Talk, wanted: Type, depth: int) -> Text:
    """Something of this type."""
    from tests.fuzzing.numbers import number
    from tests.fuzzing.things import enumerated, group, text, thing_of
    from tests.fuzzing.truths import truth

    match wanted.kind:
        case "number":
            return number(talk, depth)
        case "flag":
            return truth(talk, depth)
        case "enum":
            return enumerated(talk, wanted.name, depth)
        case "thing":
            return thing_of(talk, wanted.name, wanted.of, depth)
        case "set":
            return group(talk, wanted.name, wanted.of, depth)
        case _:
            return text(talk)


def arguments(talk: Talk, saying: Saying, depth: int) -> str:
    """What stands in the brackets after a name, sometimes with the names of the parameters."""
    if not saying.params:
        return ""
    named = talk.book.maybe(0.15)
    parts = []
    for param in saying.params:
        value = at(say(talk, param.type, depth), NOUNS)
        parts.append(f"{param.name}: {value}" if named else value)
    if named:
        talk.book.luck.shuffle(parts)
    return f"({', '.join(parts)})"


def called(talk: Talk, kinds: tuple[str, ...], wanted: Callable[[Type], bool], depth: int) -> Text | None:
    """A call of something whose value is wanted, if there is one."""
    found = [s for s in talk.sayings(*kinds) if wanted(s.type)]
    if not found:
        return None
    saying = talk.book.luck.choice(found)
    return f"{saying.name}{arguments(talk, saying, depth)}", ATOM


def attribute_of(talk: Talk, wanted: Callable[[Type], bool], depth: int) -> Text | None:
    """`unit.strength`: an attribute of something that has it."""
    from tests.fuzzing.things import enumerated, thing_of

    found = talk.attributes(wanted)
    found += [a for a in talk.book.series if wanted(a.type) and (talk.secret or not a.secret)]
    if not found:
        return None
    chosen = talk.book.luck.choice(found)
    owner = thing_of(talk, chosen.universe, chosen.owner, depth - 1)
    key = f"[{at(enumerated(talk, chosen.per, depth - 1), OR)}]" if chosen.per else ""
    return f"{at(owner, ATOM)}.{chosen.name}{key}", ATOM


def lookup(talk: Talk, wanted: Type, depth: int) -> Text | None:
    """`table battle[…]`, or a field of what it gives."""
    luck = talk.book.luck
    whole = [(t, "") for t in talk.book.tables if t.result == wanted]
    parts = [(t, f".{name}") for t in talk.book.tables for name, type_ in t.fields if type_ == wanted]
    if not whole and not parts:
        return None
    table, part = luck.choice([*whole, *parts])
    return f"{table_place(talk, table.name, depth)}{part}", ATOM


def table_place(talk: Talk, name: str, depth: int) -> str:
    from tests.fuzzing.numbers import between, number
    from tests.fuzzing.things import enumerated, thing_of
    from tests.fuzzing.truths import truth

    table = next(t for t in talk.book.tables if t.name == name)
    keys = []
    for key in table.keys:
        match key.kind:
            case "number" if key.open_ended:
                keys.append(at(number(talk, depth - 1), OR))
            case "number":
                keys.append(between(talk, key.low, key.high, depth - 1))
            case "ratio":
                one, other = number(talk, depth - 1), number(talk, depth - 1)
                plain = talk.book.luck.choice(["1:2", "1:1", "3:1", "7:2"])
                keys.append(plain if talk.book.maybe(0.2) else f"odds({at(one, OR)}, {at(other, OR)})")
            case "flag":
                keys.append(at(truth(talk, depth - 1), OR))
            case _ if key.of in talk.book.enums:
                keys.append(at(enumerated(talk, key.of, depth - 1), OR))
            case _:
                keys.append(at(thing_of(talk, key.of, "", depth - 1), OR))
    return f"table {name}[{', '.join(keys)}]"


def is_number(type_: Type) -> bool:
    return type_.kind == "number"


def is_flag(type_: Type) -> bool:
    return type_.kind == "flag"


def same(wanted: Type) -> Callable[[Type], bool]:
    """Whether a type may stand for this one: the same kind of thing, of the class that is asked for."""
    if wanted.kind in ("thing", "set"):
        return lambda t: (
            t.kind == wanted.kind and t.name == wanted.name and (not wanted.of or t.of in ("", wanted.of))
        )
    if wanted in (NUMBER, FLAG):
        return lambda t: t.kind == wanted.kind
    return lambda t: t.kind == wanted.kind and t.name == wanted.name
