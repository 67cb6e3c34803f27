"""Calls of built-in functions: what they take and give (their records: rulesdsl/program/builtins.py)."""

from __future__ import annotations

from rulesdsl import program as pg
from rulesdsl.checking.context import Context
from rulesdsl.checking.names.names import space_of
from rulesdsl.language import syntax as sx
from rulesdsl.program.builtins import BUILTINS, OF_DIRECTIONS
from rulesdsl.program.types import UNKNOWN, fits, set_of


def check_builtin(ctx: Context, name: str, values: tuple[pg.E, ...], node: sx.Call) -> pg.E:
    """A call of a built-in function, with its types checked."""
    builtin = BUILTINS[name]
    if name in ("union", "spaces_of"):
        return _check_set_builtin(ctx, name, values, node)
    if builtin.of_grid and not ctx.world.grid_form:
        ctx.problem("needs-grid", f'"{name}" needs a map of squares or hexes', node.span, about=(name,))
        return pg.Const(0, type=UNKNOWN, source=node)
    if name in OF_DIRECTIONS and len(values) > 1 and values[1].type.of_enum:
        builtin = OF_DIRECTIONS[name]
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
