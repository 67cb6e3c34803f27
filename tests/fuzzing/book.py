"""What a generated game holds while it is being written: classes, attributes, names that can be called."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from rulesdsl.program.types import Type

# Words a hurried author takes, and words that a careless compiler might take for its own.
ROOTS = (
    "march", "march_0", "march_1", "ride", "ride_0", "supply", "strength", "power", "worth",
    "r_march", "f", "m", "s", "q_power", "do_0", "do_1", "lambda", "class", "def", "None", "len",
    "range", "self", "x1", "x2", "cost_of", "d_home", "home", "value", "score", "front", "near",
    "hard", "soft", "old", "young", "grim", "proud", "lost", "cold", "warm", "dry", "wet", "luck",
    "morale", "fatigue", "fuel", "FUEL", "decide", "body_0", "print", "exec", "alpha", "beta",
    "gamma", "delta", "omega", "ward", "guard", "signal", "shade", "tide", "spark", "mood", "rank",
)  # fmt: skip
LOWER = tuple(root for root in ROOTS if root.islower())  # a data file has no others


@dataclass(frozen=True)
class Attribute:
    universe: str
    owner: str  # the class
    name: str
    type: Type
    printed: bool
    per_face: bool
    secret: bool
    per: str = ""  # the enumeration of whose values each has its own


@dataclass(frozen=True)
class Variable:
    name: str
    type: Type
    secret: bool = False


@dataclass(frozen=True)
class Saying:
    """Something that can be called: a define, a quantity, a route, an action, a procedure or a phase."""

    kind: str
    name: str
    params: tuple[Variable, ...]
    type: Type
    secret: bool = False
    travelled: bool = False  # a route by which a piece may move step by step
    chooser: bool = False  # a procedure that asks somebody
    form: str = ""  # how a define is said: `is`, a preposition, `verb`; empty: as a call


@dataclass(frozen=True)
class TableKey:
    name: str
    kind: str  # number, ratio, name, flag
    of: str
    low: int
    high: int
    open_ended: bool


@dataclass(frozen=True)
class Table:
    name: str
    keys: tuple[TableKey, ...]  # in the order in which a rule names them
    result: Type | None  # None: several fields
    fields: tuple[tuple[str, Type], ...] = ()
    cells: tuple[tuple[str, ...], ...] = ()  # texts of one cell each, for house rules


@dataclass
class Paragraph:
    number: str
    title: str
    statements: list[str] = field(default_factory=list)
    examples: list[str] = field(default_factory=list)


@dataclass
class Book:
    """A game in the making. `disciplined`: what happens never depends on a secret."""

    luck: Random
    size: int
    disciplined: bool
    players: list[str] = field(default_factory=list)
    form: str = "areas"
    spaces: dict[str, list[str]] = field(default_factory=dict)
    plurals: dict[str, str] = field(default_factory=dict)
    borders: list[tuple[str, str]] = field(default_factory=list)
    pieces: dict[str, list[str]] = field(default_factory=dict)
    enums: dict[str, tuple[str, ...]] = field(default_factory=dict)
    scales: set[str] = field(default_factory=set)
    attributes: list[Attribute] = field(default_factory=list)
    series: list[Attribute] = field(default_factory=list)
    tracks: list[Variable] = field(default_factory=list)
    records: dict[str, list[Variable]] = field(default_factory=dict)
    stacked: str = ""  # the class whose pieces lie on each other
    groups: dict[str, str] = field(default_factory=dict)  # the noun → its printed text
    group_ids: dict[str, list[str]] = field(default_factory=dict)
    tables: list[Table] = field(default_factory=list)
    settings: list[Variable] = field(default_factory=list)
    tokens: list[str] = field(default_factory=list)
    windows: list[str] = field(default_factory=list)
    sayings: list[Saying] = field(default_factory=list)
    phases: list[Saying] = field(default_factory=list)
    paragraphs: list[Paragraph] = field(default_factory=list)
    labels: list[tuple[str, str]] = field(default_factory=list)  # paragraph, label of one of its lines
    scenarios: list[str] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)

    def name(self, *wanted: str) -> str:
        """A name nobody has yet: one of these, or any word."""
        luck = self.luck
        for _ in range(40):
            word = luck.choice(wanted or ROOTS)
            if word not in self.taken:
                break
        else:
            word = f"{luck.choice(wanted or ROOTS)}_{len(self.taken)}"
        while word in self.taken:
            word += "_x"
        self.taken.add(word)
        return word

    def maybe(self, chance: float) -> bool:
        return self.luck.random() < chance

    def paragraph(self, title: str, *statements: str) -> Paragraph:
        """A new paragraph with these statements; sometimes they join the last one instead."""
        number = self._next_number()
        found = Paragraph(number, title, list(statements))
        self.paragraphs.append(found)
        return found

    def _next_number(self) -> str:
        if not self.paragraphs:
            return "1"
        last = self.paragraphs[-1].number
        if "." not in last:
            return f"{last}.1" if self.maybe(0.6) else str(int(last) + 1)
        chapter, part = last.split(".")
        return f"{chapter}.{int(part) + 1}" if self.maybe(0.7) else str(int(chapter) + 1)

    def noun(self, universe: str, of: str, many: bool = False) -> str:
        """The noun for things of a class, in the plural when there are many."""
        word = of or universe
        return self.plurals.get(word, f"{word}s") if many else word

    def classes(self, universe: str) -> list[str]:
        if universe == "space":
            return list(self.spaces)
        if universe == "piece":
            return list(self.pieces)
        return [""]

    def ids(self, universe: str, of: str) -> list[str]:
        """The words for single things, as a rule names them (`hex 0101` where an id is a number)."""
        if universe in ("space", "piece"):
            homes = self.spaces if universe == "space" else self.pieces
            return [
                f"{cls} {one}" if one.isdigit() else one
                for cls, ones in homes.items()
                if of in ("", cls)
                for one in ones
            ]
        if universe == "player":
            return self.players
        if universe == "token":
            return self.tokens
        return [one for one in self.group_ids.get(universe, []) if one not in self.taken]
