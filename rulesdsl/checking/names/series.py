"""`player.stock[wool]`: attributes that have a value for each of an enumeration.

Each value is an attribute of its own, `stock of wool`. Where the rules name it, that one is meant; where
they know only a variable (`player.stock[good]`) a define of ours finds it, and a step that sets it asks
which it is. So everything else (state, machine code, views, secrets, `why`) knows attributes and defines.
"""

from __future__ import annotations

from rulesdsl import program as pg
from rulesdsl.base import fixes
from rulesdsl.base.fixes import Advice
from rulesdsl.base.source import nowhere
from rulesdsl.checking.context import Context, Scope
from rulesdsl.language import syntax as sx
from rulesdsl.program.types import FLAG, UNKNOWN, thing
from rulesdsl.program.world import Series, World

OWNER, KEY = "owner", "key"


def series_defines(world: World) -> dict[str, pg.DefineRule]:
    """For every series the define that finds one of its values."""
    return {series.reading: _define(world, series) for series in world.series.values()}


def _define(world: World, series: Series) -> pg.DefineRule:
    attributes = [world.attributes[series.universe, member] for member in series.members]
    first = attributes[0]
    owners = {owner for attribute in attributes for owner in attribute.owners}
    of = next(iter(owners)) if len(owners) == 1 and series.universe in ("space", "piece") else ""
    owner, key = pg.Var(OWNER, thing(series.universe, of)), pg.Var(KEY, series.key)
    asked, whose = pg.VarGet(key, type=key.type), pg.VarGet(owner, type=owner.type)
    cases: list[tuple[pg.E | None, pg.E]] = [
        (
            pg.CompareE("=", asked, pg.Const(number, type=key.type), type=FLAG),
            pg.AttrGet(attribute, whose, type=attribute.type),
        )
        for number, attribute in enumerate(attributes)
    ]
    cases.append((None, pg.Const(_empty(first.type.kind), type=first.type)))
    params = (sx.Param(OWNER, None, span=nowhere()), sx.Param(KEY, None, span=nowhere()))
    source = sx.Define(series.reading, params, (), span=first.span)
    return pg.DefineRule(series.reading, first.paragraph, (owner, key), tuple(cases), first.type, source)


def _empty(kind: str) -> int | str:
    """The value for no value of the enumeration: as harmless as an attribute of none."""
    return "" if kind == "text" else -1 if kind in ("thing", "enum") else 0


def keyed(ctx: Context, scope: Scope, node: sx.Keyed) -> pg.E:
    owner = ctx.bodies.expression(ctx, scope, node.of)
    series = None
    if owner.type.kind == "thing":
        series = ctx.world.series.get((owner.type.name, node.name))
        own = [ctx.world.attributes[owner.type.name, member] for member in series.members] if series else []
        if series is None or not own[0].belongs_to(owner.type.of):
            _no_series(ctx, owner, node)
            series = None
    elif owner.type.kind != "unknown":
        ctx.mismatch("a thing with attributes", owner.type, node.of.span)
    key = ctx.bodies.expression(ctx, scope, node.key, None if series is None else series.key)
    if series is None or key.type.kind == "unknown":
        return pg.Const(0, type=UNKNOWN, source=node)
    if isinstance(key, pg.Const) and isinstance(key.value, int) and key.value >= 0:
        member = ctx.world.attributes[series.universe, series.members[key.value]]
        ctx.used.add(f"{member.universe}.{member.name}")
        return pg.AttrGet(member, owner, type=member.type, source=node)
    ctx.used.add(series.reading)
    type_ = ctx.of_series[series.reading].type
    return pg.CallE(series.reading, (owner, key), type=type_, source=node)


def _no_series(ctx: Context, owner: pg.E, node: sx.Keyed) -> None:
    universe, of = owner.type.name, owner.type.of
    if (universe, node.name) in ctx.world.attributes:
        message = f'"{node.name}" is one value, not one for each of an enumeration'
        text = f".{node.name}"
        ctx.problem("series", message, node.span, f"write `{text}`", about=(node.name,))
        return
    known = [name for own, name in ctx.world.series if own == universe]
    ctx.unknown(f"a {of or universe} has no attribute", node.name, node.name_span, known)


def without_key(ctx: Context, owner: pg.E, node: sx.Attr) -> bool:
    """`player.stock` alone, told as what it is."""
    series = ctx.world.series.get((owner.type.name, node.name))
    if series is None:
        return False
    message = f'"{node.name}" is kept for each {series.key}: which one?'
    ctx.problem("series", message, node.name_span,
                Advice(f"write `{node.name}[{series.key}]`",
                       fixes.whole(f"{node.name}[{series.key}]")), about=(node.name,))  # fmt: skip
    return True


def set_one(ctx: Context, node: sx.Stmt, place: pg.CallE, value: pg.E) -> list[pg.S] | None:
    """The steps that set the value which a define of ours would find; None if it is none of them."""
    series = next((one for one in ctx.world.series.values() if one.reading == place.define), None)
    if series is None:
        return None
    paragraph = ctx.paragraph
    kept: list[pg.S] = []
    held: list[pg.E] = []
    for name, part in zip((OWNER, KEY, "value"), (*place.arguments, value), strict=True):
        if isinstance(part, (pg.Const, pg.VarGet)):
            held.append(part)
            continue
        var = pg.Var(name, part.type)
        kept.append(pg.LetS(var, part, paragraph=paragraph, source=node))
        held.append(pg.VarGet(var, type=part.type, source=part.source))
    owner, key, new = held
    branches: list[tuple[pg.E, pg.Steps]] = []
    for number, member in enumerate(series.members):
        test = pg.CompareE("=", key, pg.Const(number, type=series.key), type=FLAG)
        target = pg.AttrGet(ctx.world.attributes[series.universe, member], owner, type=place.type)
        branches.append((test, tuple(set_attribute(paragraph, node, target, new))))
    return [*kept, pg.IfS(tuple(branches), (), paragraph=paragraph, source=node)]


def set_attribute(paragraph: str, node: sx.Stmt, place: pg.AttrGet, value: pg.E) -> list[pg.S]:
    attribute, owner = place.attribute, place.of
    if attribute.type.kind != "flag":
        return [pg.SetAttr(attribute, owner, value, paragraph=paragraph, source=node)]
    on = pg.MarkS(attribute, owner, True, None, paragraph=paragraph, source=node)
    off = pg.MarkS(attribute, owner, False, None, paragraph=paragraph, source=node)
    return [pg.IfS(((value, (on,)),), (off,), paragraph=paragraph, source=node)]
