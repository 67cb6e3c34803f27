"""Functions every game has. One record feeds the checker, the compiler and the reference."""

from __future__ import annotations

from rulesdsl import program as pg
from rulesdsl.base.lightclass import dataclass
from rulesdsl.checking.context import Context
from rulesdsl.checking.names.names import space_of
from rulesdsl.language import syntax as sx
from rulesdsl.program.types import NUMBER, RATIO, UNKNOWN, Type, fits, set_of, thing

SPACE = thing("space", nullable=True)
PLAYER = thing("player", nullable=True)
DIRECTION = Type("enum", "direction", nullable=True)


@dataclass(frozen=True, slots=True)
class Builtin:
    """A function: what it takes, what it gives, what it means."""

    name: str
    params: tuple[tuple[str, Type], ...]
    result: Type
    doc: str


def _record(name: str, params: str, result: Type, doc: str) -> Builtin:
    types = {
        "n": NUMBER, "space": SPACE, "player": PLAYER, "border": thing("border", nullable=True),
        "direction": DIRECTION, "spaces": set_of("space"),
    }  # fmt: skip
    parts = tuple(p.split(":") for p in params.split())
    return Builtin(name, tuple((p[0], types[p[-1]]) for p in parts), result, doc)


BUILTINS: dict[str, Builtin] = {
    b.name: b
    for b in (
        _record("min", "a:n b:n", NUMBER, "the smaller of two numbers"),
        _record("max", "a:n b:n", NUMBER, "the greater of two numbers"),
        _record("abs", "a:n", NUMBER, "the number without its sign"),
        _record("clamp", "value:n low:n high:n", NUMBER, "the value, kept between two limits"),
        _record("floor", "value:n", NUMBER, "rounded down to a whole number"),
        _record("ceiling", "value:n", NUMBER, "rounded up to a whole number"),
        _record("remainder", "value:n by:n", NUMBER, "what is left after whole division"),
        _record("odds", "attack:n defence:n", RATIO, "n:1 or 1:n, rounded in favour of the defender"),
        _record("distance", "a:space b:space", NUMBER, "the fewest steps, -1 when there is no way"),
        _record("squared_distance", "a:space b:space", NUMBER, "the straight distance as drawn, squared"),
        _record("opponent", "player:player", PLAYER, "the next player round the table"),
        _record("other_end", "border:border space:space", SPACE, "the space across a border"),
        _record("border_between", "a:space b:space", thing("border", nullable=True), "the border they share"),
        _record("ends_of", "border:border", set_of("space"), "the two spaces a border joins"),
        _record("line", "a:space b:space", set_of("space"), "the spaces a straight line crosses"),
        _record("sides_along", "a:space b:space", set_of("border"), "the borders along which that line runs"),
        _record("direction_from", "a:space b:space", DIRECTION, "in which direction the next space lies"),
        _record("ray", "from:space direction:direction", set_of("space"), "the spaces straight on"),
        _record("ray_to", "from:space direction:direction stops:spaces", set_of("space"),
                "the spaces straight on, up to and with the first of some"),
        _record("first_along", "from:space direction:direction group:spaces", SPACE,
                "the first of some spaces that one meets straight on"),
        _record("turns", "a:direction b:direction", NUMBER, "how many sides lie between two directions"),
    )
}  # fmt: skip
GRID_BUILTINS = ("line", "sides_along", "direction_from", "turns", "ray", "ray_to", "first_along")


# The same for a set of directions: all that lies in any of them.
DIRECTIONS = Type("set", "direction", of_enum=True)
OF_SEVERAL_WAYS: dict[str, Builtin] = {
    b.name: Builtin(several, (b.params[0], ("directions", DIRECTIONS), *b.params[2:]), set_of("space"), b.doc)
    for b, several in (
        (BUILTINS["ray"], "rays"), (BUILTINS["ray_to"], "rays_to"), (BUILTINS["first_along"], "firsts_along")
    )
}  # fmt: skip


def check_builtin(ctx: Context, name: str, values: tuple[pg.E, ...], node: sx.Call) -> pg.E:
    """A call of a built-in function, with its types checked."""
    builtin = BUILTINS[name]
    if name in ("union", "spaces_of"):
        return _check_set_builtin(ctx, name, values, node)
    if name in GRID_BUILTINS and not ctx.world.grid_form:
        ctx.problem("needs-grid", f'"{name}" needs a map of squares or hexes', node.span, about=(name,))
        return pg.Const(0, type=UNKNOWN, source=node)
    if name in OF_SEVERAL_WAYS and len(values) > 1 and values[1].type.of_enum:
        builtin = OF_SEVERAL_WAYS[name]
    if len(values) != len(builtin.params):
        wanted = ", ".join(p for p, _ in builtin.params)
        ctx.problem("wrong-arguments", f'"{name}" takes {wanted}', node.span, about=(name,))
        return pg.Const(0, type=UNKNOWN, source=node)
    converted = []
    for value, (_, type_), argument in zip(values, builtin.params, node.arguments, strict=True):
        here = space_of(value) if type_.name == "space" else value
        if type_.kind == "set" and here.type.kind == "thing":
            here = pg.SingleSet(here, type=set_of(here.type.name, here.type.of), source=node)
        if not fits(here.type, type_):
            ctx.mismatch(type_, here.type, argument.span)
        converted.append(here)
    return pg.BuiltinE(builtin.name, tuple(converted), type=builtin.result, source=node)


def _check_set_builtin(ctx: Context, name: str, values: tuple[pg.E, ...], node: sx.Call) -> pg.E:
    sets = [
        pg.SingleSet(v, type=set_of(v.type.name, v.type.of), source=node) if v.type.kind == "thing" else v
        for v in values
    ]
    if name == "spaces_of" and len(sets) == 1 and sets[0].type == set_of("piece", sets[0].type.of):
        return pg.SpacesOf(sets[0], type=set_of("space"), source=node)
    both_sets = len(sets) == 2 and all(s.type.kind == "set" for s in sets)
    if name == "union" and both_sets and sets[0].type.name == sets[1].type.name:
        of = sets[0].type.of if sets[0].type.of == sets[1].type.of else ""
        return pg.SetOp("|", sets[0], sets[1], type=set_of(sets[0].type.name, of), source=node)
    if not any(v.type.kind == "unknown" for v in values):
        ctx.problem("wrong-arguments", f'"{name}" cannot take these', node.span, about=(name,))
    return pg.Const(0, type=UNKNOWN, source=node)


BUILTINS["union"] = Builtin("union", (("a", UNKNOWN), ("b", UNKNOWN)), UNKNOWN, "the members of either set")
BUILTINS["spaces_of"] = Builtin(
    "spaces_of", (("pieces", UNKNOWN),), set_of("space"), "where these pieces stand"
)
