"""How a game is drawn: which attribute is a river, which terrain has trees, what stands on a counter.

The style comes from the game's optional `drawing.yaml` (`rulesdsl.drawing.stylefile`); what the file does
not say is guessed from the words of the data (`rulesdsl.drawing.defaults`). The rules see nothing of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from rulesdsl.book.entries import Value
from rulesdsl.book.map.borders import Border

T = TypeVar("T")

LOOSE = ("nexus", "way", "none")  # of passages: the spaces they join need not touch on the sheet


@dataclass(frozen=True, slots=True)
class ByAttribute(Generic[T]):
    """Something chosen by the value of an attribute: `{attribute: terrain, values: {woods: …}}`.

    `first` is asked before, and decides if it has the value: guards may have a colour of their own.
    """

    attribute: str
    values: Mapping[str, T]
    first: ByAttribute[T] | None = None

    def pick(self, attributes: Mapping[str, Value], otherwise: T) -> T:
        if self.first is not None:
            value = shown_value(attributes.get(self.first.attribute))
            if value in self.first.values:
                return self.first.values[value]
        return self.values.get(shown_value(attributes.get(self.attribute)), otherwise)


@dataclass(frozen=True, slots=True)
class Fill:
    """The ground of a space."""

    colour: str
    pattern: str = "none"
    legend: str = ""


@dataclass(frozen=True, slots=True)
class LineStyle:
    """A line along (river, teeth), across (road) or instead of (nexus, way, none) a border with an attribute.

    With `value` only borders whose attribute has that value count. When the value of the attribute is the
    id of one of the two spaces, the line stands on the side of that space.
    """

    attribute: str
    line: str
    colour: str
    width: float
    value: str = ""
    name: str = ""  # the attribute with the name that is written along the line
    legend: str = ""

    def applies(self, attributes: Mapping[str, Value]) -> bool:
        found = attributes.get(self.attribute)
        if found is None or found is False or found == 0:
            return False
        return not self.value or shown_value(found) == self.value


@dataclass(frozen=True, slots=True)
class BadgeStyle:
    """A small sign in a space that has an attribute; `{value}` in the text is its value."""

    attribute: str
    shape: str
    colour: str
    ink: str
    text: str = "{value}"
    legend: str = ""


@dataclass(frozen=True, slots=True)
class RouteStyle:
    """Arrows from the space whose attribute is 1 to the one where it is 2, and so on."""

    attribute: str
    colour: str
    legend: str = ""


@dataclass(frozen=True, slots=True)
class MarkStyle:
    """A marker for a state of a space that changes during play: who controls it, whose stone lies there."""

    attribute: str
    shape: str = "flag"
    colour: str = ""  # empty: the colour of the player who is the value
    text: str = ""
    legend: str = ""
    shapes: Mapping[str, str] = field(default_factory=dict)  # another shape for some values


@dataclass(frozen=True, slots=True)
class PlaceStyle:
    """A space that is a place of its own, in the units of the map, instead of an area that touches others."""

    shape: str = "box"  # point: where lines meet; spike: a triangle with its foot at the rim of the board
    width: float = 0.9
    height: float = 0.9
    named: bool = True  # whether its name takes room above its counters


@dataclass(frozen=True, slots=True)
class CounterStyle:
    """Colours, symbols and numbers of the pieces."""

    size: float = 46.0
    shape: str = "square"  # or round
    colour: ByAttribute[str] | None = None
    otherwise: str = "#d9cfa8"
    ink: ByAttribute[str] | None = None  # of the symbol and the texts
    symbol: ByAttribute[str] | None = None
    sign: ByAttribute[str] | None = None  # a character instead of symbol and label
    legends: Mapping[str, str] = field(default_factory=dict)  # values of the three attributes in words
    numbers: tuple[str, ...] = ()
    label: bool = True
    turned: str = ""  # the state of a piece that has acted
    marks: tuple[str, ...] = ()  # states of a piece that are shown as a small disc with their first letter


@dataclass(frozen=True, slots=True)
class DrawingStyle:
    projection: str = "plane"  # or degrees: x is longitude, y latitude
    evenness: float = 0.6
    width: float = 1500.0
    names: str = "name"  # or label, as it is printed; or none
    towns: bool = False
    paper: str = "#d9cdaa"
    hidden: tuple[str, ...] = ()  # classes of spaces that are not drawn
    gaps: tuple[tuple[float, float], ...] = ()  # points around which no space grows: the paper shows there
    ground: Fill = Fill("#efe6c4")
    checkered: bool = True  # squares without terrain alternate in two shades
    fill: ByAttribute[Fill] | None = None
    borders: tuple[LineStyle, ...] = ()
    badges: tuple[BadgeStyle, ...] = ()
    routes: tuple[RouteStyle, ...] = ()
    marks: tuple[MarkStyle, ...] = ()
    places: Mapping[str, PlaceStyle] = field(
        default_factory=dict
    )  # class or id of a space → how it lies there
    counters: CounterStyle = CounterStyle()

    def wet_borders(self, borders: Iterable[Border]) -> set[frozenset[str]]:
        """The borders along which a river runs, each as its two spaces."""
        rivers = [line for line in self.borders if line.line == "river"]
        return {
            frozenset(border.between)
            for border in borders
            if any(line.applies(border.attributes) for line in rivers)
        }


def shown_value(value: Value) -> str:
    """A value as the file writes it."""
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case tuple():
            return ", ".join(shown_value(part) for part in value)
        case int() | str():
            return str(value)
        case _:
            return f"{float(value):g}"


def in_words(identifier: str) -> str:
    """`victory_points` as a person writes it."""
    return identifier.replace("_", " ")
