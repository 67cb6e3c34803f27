"""Checks on the whole: what is cited and absent, declared and never used, or has no way to begin."""

from __future__ import annotations

from collections.abc import Callable

from rulesdsl import program as pg
from rulesdsl import syntax as sx
from rulesdsl.checker.context import Context
from rulesdsl.diagnostics import did_you_mean
from rulesdsl.loader import GameSource

Rules = list[tuple[str, sx.Rule]]
Check = Callable[[Context, GameSource, pg.Program, Rules], None]


def check_citations(ctx: Context, source: GameSource, program: pg.Program, rules: Rules) -> None:
    """`despite 7.1.4` needs a paragraph 7.1.4."""
    for rule, node in rules:
        ctx.rule = rule
        for part in sx.walk(node):
            if isinstance(part, sx.RuleRef) and part.id not in ctx.titles:
                ctx.problem("unknown-paragraph", f"there is no paragraph {part.id}", part.span,
                            did_you_mean(part.id, ctx.titles))  # fmt: skip


def check_beginning(ctx: Context, source: GameSource, program: pg.Program, rules: Rules) -> None:
    """A game needs a phase called `game`, a default scenario that exists."""
    ctx.rule = ""
    if not any(isinstance(node, sx.Procedure) and node.name == "game" for _, node in rules):
        if not any(p.severity == "error" for p in ctx.problems):
            ctx.problem("no-beginning", "no phase is called `game`: play has nowhere to begin", source.game.span)
    if source.game.scenario and source.game.scenario not in source.scenarios:
        ctx.problem(
            "unknown-scenario", f'there is no scenario "{source.game.scenario}"', source.game.scenario_span,
            did_you_mean(source.game.scenario, source.scenarios),
        )  # fmt: skip


def check_unused(ctx: Context, source: GameSource, program: pg.Program, rules: Rules) -> None:
    """What nobody asks for is a slip or a leftover: a warning."""
    if any(p.severity == "error" for p in ctx.problems):
        return
    for name, table in source.tables.items():
        if f"table {name}" not in ctx.used:
            ctx.rule = ""
            ctx.problem("unused", f'no rule reads the table "{name}"', table.span, warning=True)
    for rule, node in rules:
        ctx.rule = rule
        match node:
            case sx.Define(name=name) | sx.Action(name=name) | sx.Route(name=name) | sx.Window(name=name):
                kind = type(node).__name__.lower()
            case sx.Procedure(name=name) if name != "game":
                kind = node.kind
            case sx.Reading(name=name) | sx.Option(name=name) | sx.Parameter(name=name):
                kind = type(node).__name__.lower()
            case _:
                continue
        if name not in ctx.used:
            ctx.problem("unused", f'no rule uses the {kind} "{name}"', node.span, warning=True)


CHECKS: list[Check] = [check_citations, check_beginning, check_unused]
