"""Functions every game has: one record each, which feeds all who speak of it.

The checker takes `params` and `result`; sentences take `sentence`; the reference (docs/language.md) and the
editor take `doc`; the compiler takes the rest: how large a number it can give, how much work it is, whether
it is the same in every game. What a function does is said in interpreter/running under the same name (and in
C, for whole games in machine code); `tests/language/test_builtins.py` names who has been forgotten.
"""

from __future__ import annotations

from typing import Literal

from rulesdsl.base.lightclass import dataclass
from rulesdsl.program.types import NUMBER, RATIO, UNKNOWN, Type, set_of, thing

SPACE = thing("space", nullable=True)
PLAYER = thing("player", nullable=True)
BORDER = thing("border", nullable=True)
DIRECTION = Type("enum", "direction", nullable=True)
DIRECTIONS = Type("set", "direction", of_enum=True)
# How large a number can be: as the greatest that was given, as the second one, a few hundred at most, a
# distance on the drawing squared, or anything.
Size = Literal["given", "second", "small", "drawn", "any"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Builtin:
    """A function: what it takes, what it gives, what it means, and what the compiler may take for granted."""

    name: str
    params: tuple[tuple[str, Type], ...]
    result: Type
    doc: str
    # with `{}` for all values, joined by `joint`, or `{0}` and `{1}` for each
    sentence: str
    joint: str = "and"
    limit: str = ""  # said of the other value where one is a plain number: “at most 3”
    of_grid: bool = False  # needs a map of squares or hexes
    several: str = ""  # what is called where a set of directions is given instead of one
    size: Size = "any"
    passes: int = 0  # how often it goes through a whole class
    slow: bool = False  # asked last among conditions
    of_map: bool = False  # depends on the map alone, and is quickly found when a game is compiled
    solid: bool = False  # never none
    called: bool = True  # by generated code, under its name; or there is a node of its own for it

    def of_directions(self) -> Builtin:
        """The same for a set of directions: all that lies in any of them."""
        params = (self.params[0], ("directions", DIRECTIONS), *self.params[2:])
        return Builtin(
            name=self.several, params=params, result=set_of("space"), doc=self.doc, sentence=self.sentence,
            of_grid=True, passes=8 * self.passes,
        )  # fmt: skip

    @property
    def head(self) -> str:
        """`odds(attack, defence)`"""
        return f"{self.name}({', '.join(name for name, _ in self.params)})"


def _ab(type_: Type) -> tuple[tuple[str, Type], ...]:
    return ("a", type_), ("b", type_)


_FROM = (("from", SPACE), ("direction", DIRECTION))

BUILTINS: dict[str, Builtin] = {
    b.name: b
    for b in (
        Builtin(name="min", params=_ab(NUMBER), result=NUMBER, doc="the smaller of two numbers",
                sentence="the smaller of {}", limit="at most", size="given"),
        Builtin(name="max", params=_ab(NUMBER), result=NUMBER, doc="the greater of two numbers",
                sentence="the greater of {}", limit="at least", size="given"),
        Builtin(name="abs", params=(("a", NUMBER),), result=NUMBER, doc="the number without its sign",
                sentence="the size of {}", size="given"),
        Builtin(name="clamp", params=(("value", NUMBER), ("low", NUMBER), ("high", NUMBER)), result=NUMBER,
                doc="the value, kept between two limits", sentence="{0} (at least {1}, at most {2})",
                size="given"),
        Builtin(name="floor", params=(("value", NUMBER),), result=NUMBER,
                doc="rounded down to a whole number", sentence="{} rounded down", size="given"),
        Builtin(name="ceiling", params=(("value", NUMBER),), result=NUMBER,
                doc="rounded up to a whole number", sentence="{} rounded up", size="given"),
        Builtin(name="remainder", params=(("value", NUMBER), ("by", NUMBER)), result=NUMBER,
                doc="what is left after whole division", sentence="the remainder of {}", joint="divided by",
                size="second"),
        Builtin(name="odds", params=(("attack", NUMBER), ("defence", NUMBER)), result=RATIO,
                doc="n:1 or 1:n, rounded in favour of the defender", sentence="the odds of {}",
                joint="against"),
        Builtin(name="distance", params=_ab(SPACE), result=NUMBER,
                doc="the fewest steps, -1 when there is no way", sentence="the distance between {}",
                size="small"),
        Builtin(name="squared_distance", params=_ab(SPACE), result=NUMBER,
                doc="the straight distance as drawn, squared", sentence="the squared distance between {}",
                size="drawn"),
        Builtin(name="opponent", params=(("player", PLAYER),), result=PLAYER,
                doc="the next player round the table", sentence="the opponent of {}", solid=True,
                called=False),
        Builtin(name="other_end", params=(("border", BORDER), ("space", SPACE)), result=SPACE,
                doc="the space across a border", sentence="the other end of {0} from {1}", of_map=True),
        Builtin(name="border_between", params=_ab(SPACE), result=BORDER, doc="the border they share",
                sentence="the border between {}", of_map=True),
        Builtin(name="ends_of", params=(("border", BORDER),), result=set_of("space"),
                doc="the two spaces a border joins", sentence="the ends of {}"),
        Builtin(name="line", params=_ab(SPACE), result=set_of("space"),
                doc="the spaces a straight line crosses", sentence="the line between {}", of_grid=True,
                passes=1, slow=True),
        Builtin(name="sides_along", params=_ab(SPACE), result=set_of("border"),
                doc="the borders along which that line runs",
                sentence="the borders along the line between {}", of_grid=True, passes=1, slow=True),
        Builtin(name="direction_from", params=_ab(SPACE), result=DIRECTION,
                doc="in which direction the next space lies", sentence="the direction from {0} to {1}",
                of_grid=True),
        Builtin(name="ray", params=_FROM, result=set_of("space"), doc="the spaces straight on",
                sentence="the spaces from {0} on in the direction of {1}", of_grid=True, several="rays",
                of_map=True),
        Builtin(name="ray_to", params=(*_FROM, ("stops", set_of("space"))), result=set_of("space"),
                doc="the spaces straight on, up to and with the first of some",
                sentence="the spaces from {0} on in the direction of {1} up to the first of {2}",
                of_grid=True, several="rays_to", passes=1),
        Builtin(name="first_along", params=(*_FROM, ("group", set_of("space"))), result=SPACE,
                doc="the first of some spaces that one meets straight on",
                sentence="the first space among {2} that lies in the direction of {1} from {0}",
                of_grid=True, several="firsts_along", passes=1),
        Builtin(name="turns", params=_ab(DIRECTION), result=NUMBER,
                doc="how many sides lie between two directions", sentence="the turns between {}",
                of_grid=True, size="small"),
        Builtin(name="union", params=_ab(UNKNOWN), result=UNKNOWN, doc="the members of either set",
                sentence="{} together", called=False),
        Builtin(name="spaces_of", params=(("pieces", UNKNOWN),), result=set_of("space"),
                doc="where these pieces stand", sentence="the spaces of {}", called=False),
    )
}  # fmt: skip
# What is called for a set of directions.
OF_DIRECTIONS = {b.name: b.of_directions() for b in BUILTINS.values() if b.several}
