"""Every declared name once, before any body is looked at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TypeVar, assert_never

from rulesdsl.base.lightclass import dataclass
from rulesdsl.checking.bodies.permissions import Permissions
from rulesdsl.checking.context import Context
from rulesdsl.checking.names.searches import levels_of, said_whole
from rulesdsl.language import syntax as sx
from rulesdsl.program.builtins import BUILTINS

Named = TypeVar("Named", bound=sx.Rule)


@dataclass(slots=True)
class Collected:
    modifies: dict[str, list[tuple[str, sx.Modify]]] = field(default_factory=dict)
    permissions: dict[str, Permissions] = field(default_factory=dict)
    musts: dict[str, list[tuple[str, sx.Must]]] = field(default_factory=dict)
    triggers: list[tuple[str, sx.Trigger]] = field(default_factory=list)


def collect_signatures(ctx: Context, rules: list[tuple[str, sx.Rule]], collected: Collected) -> None:
    """Every declared name once, before any body is looked at."""
    for paragraph, written in rules:
        ctx.paragraph = paragraph
        node = sx.closed(written)
        match node:
            case sx.Define():
                _declare(ctx, ctx.defines, paragraph, node.name, node)
            case sx.Search():
                if said_whole(ctx, node):
                    for level in levels_of(node):
                        _declare(ctx, ctx.defines, paragraph, level.name, level)
                else:
                    ctx.missed.add(node.name)
            case sx.Quantity():
                name = f"{node.record}.{node.name}" if node.record else node.name
                if node.record and node.record not in ctx.world.records:
                    near = ctx.unknown("there is no record", node.record, node.span, ctx.world.records)
                    ctx.missed |= {name, f"{near}.{node.name}"}
                _declare(ctx, ctx.quantities, paragraph, name, node)
            case sx.Action():
                _declare(ctx, ctx.actions, paragraph, node.name, node)
            case sx.Route():
                _declare(ctx, ctx.routes, paragraph, node.name, node)
            case sx.Procedure():
                _declare(ctx, ctx.procedures, paragraph, node.name, node)
            case sx.Window():
                _declare(ctx, ctx.windows, paragraph, node.name, node)
            case sx.Token():
                _declare(ctx, ctx.tokens, paragraph, node.name, node)
            case sx.Trigger():
                collected.triggers.append((paragraph, node))
            case sx.Modify() | sx.Permission() | sx.Must():
                pass  # about names that may be declared below: see the second round
            case sx.Enumeration() | sx.ClassDecl() | sx.GroupDecl() | sx.TrackDecl() | sx.RecordDecl():
                pass
            case sx.Reading() | sx.Option() | sx.Parameter():
                pass
            case _:
                assert_never(node)
    for paragraph, said in rules:
        ctx.paragraph = paragraph
        match said:
            case sx.Modify():
                name = f"{said.record}.{said.name}" if said.record else said.name
                if name not in ctx.quantities:
                    ctx.unknown("no quantity is called", name, said.span, ctx.quantities)
                collected.modifies.setdefault(name, []).append((paragraph, said))
            case sx.Permission():
                for action in said.actions:
                    if action not in ctx.actions and action not in ctx.routes:
                        known = [*ctx.actions, *ctx.routes]
                        ctx.unknown("no action or route is called", action, said.span, known)
                    collected.permissions.setdefault(action, []).append((paragraph, said))
            case sx.Must():
                if said.action not in ctx.actions:
                    ctx.unknown("no action is called", said.action, said.span, ctx.actions)
                collected.musts.setdefault(said.action, []).append((paragraph, said))
            case _:
                pass


def _declare(
    ctx: Context, table: dict[str, tuple[str, Named]], paragraph: str, name: str, node: Named
) -> None:
    if name in BUILTINS:
        ctx.problem(
            "duplicate-name",
            f'"{name}" is a built-in function',
            node.span,
            "choose another name",
            about=(name,),
        )
        return
    if name in ctx.world.tracks:
        ctx.problem("duplicate-name", f'"{name}" is a track already', node.span,
                    also=(("the track", ctx.world.tracks[name].span),), about=(name,))  # fmt: skip
        return
    if name in ctx.settings:
        other_setting = ctx.settings[name]
        ctx.problem("duplicate-name", f'"{name}" is a {other_setting.kind} already', node.span,
                    also=(("the other one", other_setting.source.span),), about=(name,))  # fmt: skip
        return
    everything: tuple[Mapping[str, tuple[str, sx.Rule]], ...] = (
        ctx.defines, ctx.quantities, ctx.actions, ctx.routes, ctx.procedures, ctx.windows, ctx.tokens,
    )  # fmt: skip
    for other in everything:
        if name in other:
            first = other[name][1]
            ctx.problem("duplicate-name", f'"{name}" is declared twice', node.span,
                        also=(("the other one", first.span),), about=(name,))  # fmt: skip
            return
    table[name] = (paragraph, node)
