"""The components of a game as the checker and the compiler see them: numbered things with attributes.

Every space, border, piece, player, token and group has a number inside its universe, given in the order
of the files. A person never sees these numbers; the compiled rules see nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from functools import lru_cache

from rulesdsl.base.lightclass import dataclass
from rulesdsl.base.source import Span
from rulesdsl.language import syntax as sx
from rulesdsl.program.types import Type

Constant = int | Fraction | str

TOKEN_STATES = ("in_bag", "held", "spent")


@dataclass(frozen=True, slots=True, eq=False)
class Universe:
    """All things of one sort. `classes[i]` is the noun of thing `i` (`zone`, `unit`)."""

    name: str
    ids: tuple[str, ...]
    names: tuple[str, ...]
    classes: tuple[str, ...]
    index: Mapping[str, int]

    def __len__(self) -> int:
        return len(self.ids)

    def mask(self, of: str = "") -> int:
        """The things of a class as a bit mask (all of them when `of` is empty)."""
        return _mask(self.classes, of)

    def of_class(self, word: str, of: str = "") -> int | None:
        """The thing called so, if it is of this class (of any, when `of` is empty)."""
        found = self.index.get(word)
        return found if found is None or self._is(found, of) else None

    def class_of(self, number: int) -> str:
        """The class of a thing as types name it: only spaces and pieces have several."""
        return self.classes[number] if self.name in ("space", "piece") else ""

    def _is(self, number: int, of: str) -> bool:
        return not of or self.class_of(number) in ("", of)

    def only(self, members: Sequence[int]) -> Universe:
        """Some of the things; in `index` they keep their numbers."""
        ids, names, classes = ([of[i] for i in members] for of in (self.ids, self.names, self.classes))
        index = dict(zip(ids, members, strict=True))
        return Universe(self.name, tuple(ids), tuple(names), tuple(classes), index)


@lru_cache(maxsize=1024)
def _mask(classes: tuple[str, ...], of: str) -> int:
    return sum(1 << i for i, cls in enumerate(classes) if not of or cls == of)


@dataclass(frozen=True, slots=True, eq=False)
class Attribute:
    """An attribute of the things of a universe. Printed values never change; state values are in the state.

    `values[i]` is the printed value of thing `i` (a tuple with one value per face when `per_face`),
    and for state attributes the value it starts with.
    """

    universe: str
    name: str
    type: Type
    printed: bool
    per_face: bool
    values: tuple[Constant | tuple[Constant, ...], ...]
    default: Constant
    paragraph: str
    span: Span = field(repr=False)
    owners: tuple[str, ...] = ()  # the classes that have it
    visible_to: sx.Expr | None = None
    built_in: bool = False
    wording: str = ""  # how it is said: “has moved”
    quiet: bool = False  # bookkeeping: the log does not tell when it changes

    def belongs_to(self, of: str) -> bool:
        """Whether things of this class have it; of any, when the class is not known."""
        return not of or not self.owners or of in self.owners


@dataclass(frozen=True, slots=True, eq=False)
class Series:
    """An attribute with a value for each of an enumeration: `stock: number per resource`.

    Each is an attribute like any other, `stock of wool`: in the state, in views, in the log. `reading` is the
    define that finds the one whose value of the enumeration is known only while the game is played.
    """

    universe: str
    name: str
    key: Type
    wording: str
    members: tuple[str, ...]  # in the order of the enumeration

    @property
    def reading(self) -> str:
        """No author can give this name to anything."""
        return f"{self.universe} {self.name}"


@dataclass(frozen=True, slots=True, eq=False)
class Back:
    """What a class of counters tells to those who may not know which of them it is."""

    showing: tuple[str, ...]  # attributes
    visible_to: sx.Expr
    paragraph: str
    span: Span = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Track:
    """A number or thing of the whole game: turn, weather."""

    name: str
    type: Type
    start: Constant
    paragraph: str
    span: Span = field(repr=False)
    visible_to: sx.Expr | None = None
    quiet: bool = False
    wording: str = ""  # how it is said: “the Americans have stopped”, “turn of the first storm”


@dataclass(frozen=True, slots=True, eq=False)
class Record:
    """A bundle that lives while something is being resolved: a combat."""

    name: str
    fields: Mapping[str, Type]
    paragraph: str
    span: Span = field(repr=False)
    field_spans: Mapping[str, Span] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class EnumInfo:
    name: str
    values: tuple[str, ...]
    ordered: bool
    span: Span = field(repr=False)


@dataclass(frozen=True, eq=False)
class World:
    """Everything that exists."""

    universes: Mapping[str, Universe]
    nouns: Mapping[str, tuple[str, str]]  # singular and plural → (universe, class)
    plurals: frozenset[str]
    enums: Mapping[str, EnumInfo]
    attributes: Mapping[tuple[str, str], Attribute]  # (universe, name)
    tracks: Mapping[str, Track]
    records: Mapping[str, Record]
    roles: Mapping[str, tuple[str, str]]  # attacker, attackers → (combat, attackers)
    groups: Mapping[str, str]  # group universe → the piece attribute it comes from
    adjacency: tuple[tuple[tuple[int, int], ...], ...]  # space → (neighbour, border)*
    border_ends: tuple[tuple[int, int], ...]
    starts: tuple[int, ...]  # piece → space or -1
    faces: tuple[int, ...]  # piece → number of faces
    directions: tuple[str, ...] = ()
    positions: tuple[tuple[float, float] | None, ...] = ()
    passages: frozenset[int] = frozenset()  # borders that join spaces without making them adjacent
    grid_form: str = ""  # squares, pointy or flat; empty for areas
    places: tuple[tuple[int, int] | None, ...] = ()  # space → where on the grid, in half cells
    series: Mapping[tuple[str, str], Series] = field(default_factory=dict)  # (universe, name), as attributes
    backs: Mapping[str, Back] = field(default_factory=dict)  # classes of pieces whose identity may be hidden
    stack: str = ""  # the attribute of pieces that says how high they lie in their stacks

    def values_of(self, word: str) -> tuple[str, ...] | None:
        """What a table may be asked by: the values of an enumeration, or the ids of a class of things."""
        if word in self.enums:
            return self.enums[word].values
        if word not in self.nouns or word in self.plurals:
            return None
        universe, cls = self.nouns[word]
        things = self.universes[universe]
        return tuple(i for i, c in zip(things.ids, things.classes, strict=True) if cls in ("", c))

    def show(self, type_: Type, value: object) -> str:
        """A value as a person would write it."""
        if type_.kind == "none":
            return "none"
        if type_.kind == "flag":
            return "yes" if value else "no"
        if type_.kind == "enum" and isinstance(value, int):
            return "none" if value < 0 else self.enums[type_.name].values[value]
        if type_.kind == "thing" and isinstance(value, int):
            return "none" if value < 0 else self.universes[type_.name].names[value]
        if type_.kind == "set" and isinstance(value, int):
            names = self.enums[type_.name].values if type_.of_enum else self.universes[type_.name].names
            members = [n for i, n in enumerate(names) if value >> i & 1]
            return ", ".join(members) if members else "nobody" if type_.name == "player" else "none"
        if type_.kind == "number" and type_.ratio:
            return show_ratio(value)
        return str(value)

    def place_name(self, space: int) -> str:
        """A space in a sentence: what is only a number is called “hex 2714”."""
        spaces = self.universes["space"]
        name = spaces.names[space]
        return f"{spaces.classes[space].replace('_', ' ')} {name}" if name.isdigit() else name

    def key(self, type_: Type, value: int) -> str:
        """The id of a thing or enumeration value: the stable spelling used in saves and choices."""
        if value < 0:
            return "none"
        if type_.kind == "enum":
            return self.enums[type_.name].values[value]
        if type_.kind == "number":
            return str(value)
        return self.universes[type_.name].ids[value]


def show_ratio(value: object) -> str:
    """3 is `3:1`, 1/2 is `1:2`, 3/2 is `3:2`."""
    ratio = Fraction(value) if isinstance(value, (int, Fraction)) else Fraction(0)
    return f"{ratio.numerator}:{ratio.denominator}"
