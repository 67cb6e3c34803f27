"""Steps that set a value or a mark: whether the place can hold it, and may be changed at all."""

from __future__ import annotations

from rulesdsl import program as pg
from rulesdsl.checking.bodies.expressions import expression, fitting
from rulesdsl.checking.context import Context, Scope
from rulesdsl.checking.names.series import set_attribute, set_one
from rulesdsl.language import syntax as sx


def assign(ctx: Context, scope: Scope, node: sx.Stmt, target: sx.Expr, value: sx.Expr) -> list[pg.S]:
    paragraph = ctx.paragraph
    place = expression(ctx, scope, target)
    wanted = place.type
    found = fitting(ctx, scope, value, wanted)
    if isinstance(found, pg.Const) and not isinstance(found.value, str) and wanted.kind == "number":
        low, high = wanted.low, wanted.high
        if (low is not None and found.value < low) or (high is not None and found.value > high):
            ctx.problem(
                "out-of-range", f"this is always from {low} to {high}, never {found.value}", value.span
            )
    if wanted.kind in ("thing", "enum") and not wanted.nullable and found.type.kind == "none":
        ctx.problem(
            "not-nullable", f"this is always a {wanted}, it cannot be none", value.span, about=(wanted,)
        )
    match place:
        case pg.VarGet(var=var):
            return [pg.LetS(var, found, paragraph=paragraph, source=node)]
        case pg.TrackGet(track=track):
            return [pg.SetTrack(track, found, paragraph=paragraph, source=node)]
        case pg.FieldGet(record=record, field=name):
            return [pg.SetField(record, name, found, paragraph=paragraph, source=node)]
        case pg.AttrGet(attribute=attribute):
            if attribute.printed:
                ctx.problem(
                    "printed-value",
                    f'"{attribute.name}" is printed and never changes',
                    target.span,
                    about=(attribute.name,),
                )
                return []
            if attribute.universe == "piece" and attribute.name == "at":
                ctx.problem("use-move", "a piece is moved with `move` or `place`", target.span)
                return []
            if attribute.universe == "piece" and attribute.name == ctx.world.stack:
                message = "a piece changes its place in a stack with `put … on top` or `put … at the bottom`"
                ctx.problem("stack", message, target.span)
                return []
            return set_attribute(paragraph, node, place, found)
        case pg.CallE() if (steps := _of_series(ctx, node, place, found, target)) is not None:
            return steps
        case _:
            pass  # nothing that could be set
    if place.type.kind != "unknown":
        ctx.problem("cannot-set", "this cannot be set", target.span)
    return []


def _of_series(
    ctx: Context, node: sx.Stmt, place: pg.CallE, value: pg.E, target: sx.Expr
) -> list[pg.S] | None:
    """`set player.stock[good] to 3`, where only play tells which good is meant."""
    define = ctx.of_series.get(place.define)
    if define is not None and any(
        isinstance(case, pg.AttrGet) and case.attribute.printed for _, case in define.cases
    ):
        name = target.name if isinstance(target, sx.Keyed) else define.name
        ctx.problem("printed-value", f'"{name}" is printed and never changes', target.span, about=(name,))
        return []
    return set_one(ctx, node, place, value)


def mark(
    ctx: Context, scope: Scope, node: sx.Stmt, target: sx.Expr, flag: str, on: bool, until: str | None
) -> list[pg.S]:
    owner = expression(ctx, scope, target)
    if owner.type.kind == "unknown":
        return []
    if owner.type.kind not in ("thing", "set"):
        ctx.mismatch("a thing that can be marked", owner.type, target.span)
        return []
    attribute = ctx.world.attributes.get((owner.type.name, flag))
    if attribute is not None and attribute.type.kind == "unknown":
        return []
    of = owner.type.of
    if (
        attribute is None
        or attribute.type.kind != "flag"
        or attribute.printed
        or not attribute.belongs_to(of)
    ):
        known = [
            n for (u, n), a in ctx.world.attributes.items()
            if u == owner.type.name and a.type.kind == "flag" and not a.printed and a.belongs_to(of)
        ]  # fmt: skip
        ctx.unknown(f"a {owner.type.of or owner.type.name} cannot be marked as", flag, node.span, known)
        return []
    if until is not None and (until not in ctx.procedures or ctx.procedures[until][1].kind != "phase"):
        phases = [n for n, (_, p) in ctx.procedures.items() if p.kind == "phase"]
        ctx.unknown("there is no phase", until, node.span, phases)
        return []
    return [pg.MarkS(attribute, owner, on, until, paragraph=ctx.paragraph, source=node)]
