"""`visible to …`: who may see an attribute or a track, resolved like any other expression.

The words stand for the thing that has the attribute: `visible to owner` is the owner of the same unit,
`visible to opponent(owner)` his opponent, `nobody` and `everybody` are what they say.
"""

from __future__ import annotations

from dataclasses import replace

from rulesdsl import program as pg
from rulesdsl.checking.bodies.expressions import group
from rulesdsl.checking.context import Context, Scope
from rulesdsl.language import syntax as sx
from rulesdsl.language.conventions import OF_GAME
from rulesdsl.program.types import FLAG, set_of, thing
from rulesdsl.program.world import Attribute

PLAYERS = set_of("player")
IDENTITY = ("piece", sx.IDENTITY)


def resolve_visibility(ctx: Context) -> dict[tuple[str, str], pg.Visibility]:
    """Everything that is not for all eyes: (universe, attribute) or (OF_GAME, track) → who may see it."""
    found: dict[tuple[str, str], pg.Visibility] = {}
    same: dict[int, pg.Visibility] = {}
    for key, attribute in ctx.world.attributes.items():
        if attribute.visible_to is not None and not _is(attribute.visible_to, "everybody"):
            ctx.paragraph = attribute.paragraph
            if attribute.printed:
                message = f'"{attribute.name}" is printed, and what is printed everybody can read'
                ctx.problem("printed-secret", message, attribute.visible_to.span,
                            "keep it as a value of the game: without `printed`",
                            about=(attribute.name,))  # fmt: skip
            said = id(attribute.visible_to)  # once, of all values that are kept for an enumeration
            found[key] = same[said] = same.get(said) or _of_attribute(ctx, attribute, attribute.visible_to)
    for track in ctx.world.tracks.values():
        if track.visible_to is not None and not _is(track.visible_to, "everybody"):
            ctx.paragraph = track.paragraph
            viewers = _viewers(ctx, Scope(), track.visible_to)
            found[OF_GAME, track.name] = pg.Visibility(None, viewers)
    identity = _of_identity(ctx)
    if identity is not None:
        found[IDENTITY] = identity
    return found


def _of_identity(ctx: Context) -> pg.Visibility | None:
    """Who may know which piece a counter is; of classes that say nothing about it everybody does."""
    if not ctx.world.backs:
        return None
    it = pg.Var("it", thing("piece", next(iter(ctx.world.backs)) if len(ctx.world.backs) == 1 else ""))
    asked = pg.VarGet(it, type=it.type)
    viewers: pg.E = pg.ClassSet(type=PLAYERS)
    for cls, back in ctx.world.backs.items():
        ctx.paragraph = back.paragraph
        for name in back.showing:
            attribute = ctx.world.attributes.get(("piece", name))
            if attribute is None or not attribute.belongs_to(cls):
                known = [
                    n for (u, n), a in ctx.world.attributes.items() if u == "piece" and a.belongs_to(cls)
                ]
                ctx.unknown(f"a {cls} has no", name, back.span, known)
        if _is(back.visible_to, "everybody"):
            continue
        scope = Scope({"it": it, cls: it})
        known_to = _viewers(ctx, scope, _of_it(ctx, scope, "piece", back.visible_to))
        of_class = pg.Member(asked, pg.ClassSet(type=set_of("piece", cls)), type=FLAG)
        viewers = pg.IfE(of_class, known_to, viewers, type=PLAYERS)
    return pg.Visibility(it, viewers)


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
