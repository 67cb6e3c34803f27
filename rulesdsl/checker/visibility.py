"""`visible to …`: who may see an attribute or a track, resolved like any other expression.

The words stand for the thing that has the attribute: `visible to owner` is the owner of the same unit,
`visible to opponent(owner)` his opponent, `nobody` and `everybody` are what they say.
"""

from __future__ import annotations

from dataclasses import replace

from rulesdsl import program as pg
from rulesdsl import syntax as sx
from rulesdsl.checker.context import Context, Scope
from rulesdsl.checker.expressions import group
from rulesdsl.types import set_of, thing
from rulesdsl.world import Attribute

PLAYERS = set_of("player")


def resolve_visibility(ctx: Context) -> dict[tuple[str, str], pg.Visibility]:
    """Everything that is not for all eyes: (universe, attribute) or ("game", track) → who may see it."""
    found: dict[tuple[str, str], pg.Visibility] = {}
    for key, attribute in ctx.world.attributes.items():
        if attribute.visible_to is not None and not _is(attribute.visible_to, "everybody"):
            ctx.rule = attribute.rule
            if attribute.printed:
                message = f'"{attribute.name}" is printed, and what is printed everybody can read'
                ctx.problem("printed-secret", message, attribute.visible_to.span,
                            "keep it as a value of the game: without `printed`")  # fmt: skip
            found[key] = _of_attribute(ctx, attribute, attribute.visible_to)
    for track in ctx.world.tracks.values():
        if track.visible_to is not None and not _is(track.visible_to, "everybody"):
            ctx.rule = track.rule
            viewers = _viewers(ctx, Scope(), track.visible_to)
            found["game", track.name] = pg.Visibility(None, viewers)
    return found


def _of_attribute(ctx: Context, attribute: Attribute, written: sx.Expr) -> pg.Visibility:
    scope = Scope()
    it = scope.bind(
        "it", thing(attribute.universe, attribute.owners[0] if len(attribute.owners) == 1 else "")
    )
    for noun in attribute.owners:
        scope.names[noun] = it
    return pg.Visibility(it, _viewers(ctx, scope, _of_it(ctx, scope, attribute.universe, written)))


def _viewers(ctx: Context, scope: Scope, written: sx.Expr) -> pg.E:
    if _is(written, "nobody"):
        return pg.Const(0, type=PLAYERS, source=written)
    return group(ctx, scope, written, "player")


def _is(written: sx.Expr, word: str) -> bool:
    return isinstance(written, sx.Name) and written.id == word


def _of_it(ctx: Context, scope: Scope, universe: str, written: sx.Expr) -> sx.Expr:
    """`owner` → `it.owner`, wherever a bare word is an attribute of the thing."""
    match written:
        case sx.Name(id=word) if (universe, word) in ctx.world.attributes and scope.find(word) is None:
            return sx.Attr(sx.Name("it", span=written.span), word, name_span=written.span, span=written.span)
        case sx.Attr(of=of):
            return replace(written, of=_of_it(ctx, scope, universe, of))
        case sx.Call(arguments=arguments):
            inner = tuple(replace(a, value=_of_it(ctx, scope, universe, a.value)) for a in arguments)
            return replace(written, arguments=inner)
        case _:
            return written
