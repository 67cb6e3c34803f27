"""Scenarios against the rules: every name in them means something, every value fits."""

from __future__ import annotations

from collections.abc import Sequence

from rulesdsl.base.diagnostics import did_you_mean
from rulesdsl.base.source import Span
from rulesdsl.book.entries import Value
from rulesdsl.book.loader import GameSource
from rulesdsl.book.scenario import Scenario, Setting
from rulesdsl.book.yaml.nodes import scalar_of
from rulesdsl.checking.context import Context
from rulesdsl.checking.world.values import convert
from rulesdsl.language.conventions import OF_GAME
from rulesdsl.program.types import Type
from rulesdsl.program.world import Attribute


def check_scenarios(ctx: Context, source: GameSource) -> None:
    """What a scenario places, sets and chooses must be there."""
    ctx.paragraph = ""
    for scenario in source.scenarios.values():
        _check_places(ctx, scenario)
        for name, value in scenario.options.items():
            _check_option(ctx, name, value, scenario.option_spans[name])
        for setting in scenario.settings:
            _check_setting(ctx, setting)


def _check_places(ctx: Context, scenario: Scenario) -> None:
    spaces, pieces = ctx.world.universes["space"].index, ctx.world.universes["piece"].index
    for space, place in scenario.space_spans.items():
        if space not in spaces:
            ctx.problem(
                "unknown-space",
                f'there is no space "{space}"',
                place,
                did_you_mean(space, spaces),
                about=(space,),
            )
    for piece, _, place in scenario.mentions:
        if piece not in pieces:
            ctx.problem(
                "unknown-piece",
                f'there is no piece "{piece}"',
                place,
                did_you_mean(piece, pieces),
                about=(piece,),
            )


def _check_option(ctx: Context, name: str, value: Value, place: Span) -> None:
    setting = ctx.settings.get(name)
    if setting is not None:
        if isinstance(value, str):  # a house rule writes what a player would type
            value = scalar_of(value)
        _check_value(ctx, setting.type, value, name, place)
    elif name not in ctx.unread:
        ctx.problem("unknown-name", f'no reading, option or parameter is called "{name}"', place,
                    did_you_mean(name, ctx.settings), about=(name,))  # fmt: skip


def _check_setting(ctx: Context, setting: Setting) -> None:
    """`{of: game, attribute: turn, value: 3}` starts a track, any other `of` an attribute of that thing."""
    world = ctx.world
    if setting.of == OF_GAME:
        track = world.tracks.get(setting.attribute)
        if track is None:
            ctx.problem("unknown-name", f'there is no track "{setting.attribute}"', setting.attribute_span,
                        did_you_mean(setting.attribute, world.tracks),
                        about=(setting.attribute,))  # fmt: skip
        else:
            _check_value(ctx, track.type, setting.value, track.name, setting.value_span)
        return
    owners = [name for name, universe in world.universes.items() if setting.of in universe.index]
    if not owners:
        known = [OF_GAME, *(i for universe in world.universes.values() for i in universe.index)]
        ctx.problem("unknown-name", f'nothing is called "{setting.of}"', setting.of_span,
                    did_you_mean(setting.of, known), about=(setting.of,))  # fmt: skip
        return
    attribute = _attribute(ctx, owners, setting.attribute)
    if attribute is None:
        known = [name for universe, name in world.attributes if universe in owners]
        ctx.unknown(f'"{setting.of}" has no', setting.attribute, setting.attribute_span, known)
    elif attribute.printed:
        message = f'"{attribute.name}" is printed: no scenario changes it'
        ctx.problem("printed-value", message, setting.attribute_span, about=(attribute.name,))
    else:
        _check_value(ctx, attribute.type, setting.value, attribute.name, setting.value_span)


def _attribute(ctx: Context, owners: list[str], name: str) -> Attribute | None:
    found = (ctx.world.attributes.get((universe, name)) for universe in owners)
    return next((attribute for attribute in found if attribute is not None), None)


def _check_value(ctx: Context, type_: Type, value: Value, name: str, place: Span) -> None:
    if type_.kind == "unknown" or value is None or any(known.span == place for known in ctx.problems):
        return  # a house rule that sets an option speaks for the scenario, too, and was told already
    if convert(ctx.world.enums, ctx.world.universes, type_, value) is None:
        known: Sequence[str] = ctx.world.enums[type_.name].values if type_.kind == "enum" else ()
        if type_.kind == "thing":
            known = ctx.world.universes[type_.name].ids
        limits = f" from {type_.low} to {type_.high}" if type_.low is not None else ""
        ctx.problem("bad-value", f'"{value}" is no {type_}{limits} ("{name}")', place,
                    did_you_mean(str(value), known), about=(str(value), type_, name))  # fmt: skip
