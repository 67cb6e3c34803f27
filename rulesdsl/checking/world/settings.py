"""Readings, options and parameters: what may be set before a game, constant while it lasts."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from rulesdsl import program as pg
from rulesdsl.checking.bodies.expressions import expression
from rulesdsl.checking.context import Context, Scope, written_type
from rulesdsl.checking.world.values import repeated
from rulesdsl.language import syntax as sx
from rulesdsl.program.types import NUMBER, Type
from rulesdsl.program.world import EnumInfo, World

_REASON = "because"  # begins the reason of a reading: no alternative can be called so


def resolve_settings(ctx: Context, rules: list[tuple[str, sx.Rule]]) -> None:
    """Declare all settings; the alternatives of a reading become an enumeration of its name."""
    enums = dict(ctx.world.enums)
    settled: list[tuple[str, sx.Reading]] = []
    for paragraph, node in rules:
        ctx.paragraph = paragraph
        if isinstance(node, sx.Reading):
            _ways(ctx, node)
        match node:
            case sx.Reading(settled=True):  # played in one way only: nothing that could be set or asked for
                settled.append((paragraph, node))
            case sx.Reading():
                enums[node.name] = EnumInfo(node.name, node.alternatives, False, node.span)
                if twice := repeated(node.alternatives):
                    ctx.problem(
                        "duplicate-name",
                        f'"{twice}" stands twice in "{node.name}"',
                        node.span,
                        about=(twice, node.name),
                    )
                type_ = Type("enum", node.name)
                default = node.alternatives.index(node.default)
                _add(
                    ctx,
                    pg.SettingRule(
                        kind="reading",
                        name=node.name,
                        paragraph=paragraph,
                        type=type_,
                        default=default,
                        alternatives=node.alternatives,
                        reason=node.reason or "",
                        source=node,
                    ),
                )
            case sx.Option():
                _option(ctx, paragraph, node, enums)
            case sx.Parameter():
                value = _plain_number(expression(ctx, Scope(), node.value, NUMBER))
                if value is None:
                    ctx.problem("bad-default", "a parameter is a plain number", node.value.span)
                # Declared all the same: that its value is wrong is said once, not wherever it is used.
                _add(
                    ctx,
                    pg.SettingRule(
                        kind="parameter",
                        name=node.name,
                        paragraph=paragraph,
                        type=NUMBER,
                        default=value or 0,
                        alternatives=(),
                        reason=node.reason or "",
                        source=node,
                    ),
                )
            case _:
                pass
    ctx.world = _with_enums(ctx.world, enums)
    _told_once(ctx, settled)


def _ways(ctx: Context, node: sx.Reading) -> None:
    """Slips that would otherwise be taken for a reading nobody meant."""
    for name in node.more_defaults:
        message = f'"{node.default}" and "{name}" cannot both be the default of "{node.name}"'
        ctx.problem("bad-default", message, node.span, about=(node.name, name))
    if _REASON in node.alternatives:
        message = f'"{node.name}" has no alternative before `{_REASON}`'
        ctx.problem("bad-default", message, node.span, "write what is played on a line of its own first",
                    about=(node.name,))  # fmt: skip


def _told_once(ctx: Context, settled: list[tuple[str, sx.Reading]]) -> None:
    """What was assumed has a name of its own, too: the register lists it."""
    places = {name: setting.source.span for name, setting in ctx.settings.items()}
    for paragraph, node in settled:
        ctx.paragraph = paragraph
        if node.name in places:
            ctx.problem("duplicate-name", f'"{node.name}" is declared twice', node.span,
                        also=(("the other one", places[node.name]),), about=(node.name,))  # fmt: skip
        places[node.name] = node.span


def _plain_number(value: pg.E) -> int | Fraction | None:
    """A constant, which may be written with a minus."""
    match value:
        case pg.Const(value=int() | Fraction() as number):
            return number
        case pg.Arith("-", pg.Const(value=0), pg.Const(value=int() | Fraction() as number)):
            return -number
        case _:
            return None


def _with_enums(world: World, enums: dict[str, EnumInfo]) -> World:
    return replace(world, enums=enums)


def _option(ctx: Context, paragraph: str, node: sx.Option, enums: dict[str, EnumInfo]) -> None:
    parts = [p for p in node.type.parts if p not in ("number", "flag", "text")]
    if len(parts) > 1 and not all(p in ctx.world.nouns for p in parts):
        enums[node.name] = EnumInfo(node.name, tuple(parts), False, node.span)
        type_ = Type("enum", node.name)
        ctx.world = _with_enums(ctx.world, enums)
    else:
        type_ = written_type(ctx, node.type, node.name)
    value = expression(ctx, Scope(), node.default, type_)
    if not isinstance(value, pg.Const):
        ctx.problem("bad-default", "the default of an option is a constant", node.default.span)
        return
    alternatives = enums[type_.name].values if type_.kind == "enum" else ()
    _add(
        ctx,
        pg.SettingRule(
            kind="option",
            name=node.name,
            paragraph=paragraph,
            type=type_,
            default=value.value,
            alternatives=alternatives,
            reason=node.reason or "",
            source=node,
        ),
    )


def _add(ctx: Context, setting: pg.SettingRule) -> None:
    if setting.name in ctx.settings:
        ctx.problem("duplicate-name", f'"{setting.name}" is declared twice', setting.source.span,
                    also=(("the other one", ctx.settings[setting.name].source.span),),
                    about=(setting.name,))  # fmt: skip
    if setting.name in ctx.world.tracks:
        ctx.problem("duplicate-name", f'"{setting.name}" is a track already', setting.source.span,
                    also=(("the track", ctx.world.tracks[setting.name].span),),
                    about=(setting.name,))  # fmt: skip
    ctx.settings[setting.name] = setting
