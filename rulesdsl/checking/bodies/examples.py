"""Worked examples: their steps, what they set, what they expect."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial

from rulesdsl import program as pg
from rulesdsl.base.diagnostics import did_you_mean
from rulesdsl.checking.bodies.expressions import condition, expression, group, number
from rulesdsl.checking.bodies.steps import action_use, block
from rulesdsl.checking.context import Context, Scope
from rulesdsl.language import syntax as sx


def resolve_examples(
    ctx: Context, paragraphs: Mapping[str, sx.Paragraph], scenarios: Iterable[str]
) -> list[pg.ExampleRule]:
    """The examples of all paragraphs, numbered within each."""
    found: list[pg.ExampleRule] = []
    for paragraph in paragraphs.values():
        for place, node in enumerate(paragraph.examples, 1):
            resolve = partial(resolve_example, ctx, paragraph.id, place, node, scenarios)
            if ctx.memory is None:
                found.append(resolve())
            else:
                key = ("example", (paragraph.id, place))
                found.append(ctx.memory.unit(ctx, key, (node,), (paragraph.id,), resolve))
    return found


def resolve_example(
    ctx: Context, paragraph: str, place: int, node: sx.Example, scenarios: Iterable[str]
) -> pg.ExampleRule:
    """One example of a paragraph."""
    ctx.paragraph = paragraph
    if node.scenario is not None and node.scenario not in scenarios:
        ctx.problem("unknown-scenario", f'there is no scenario "{node.scenario}"', node.span,
                    did_you_mean(node.scenario, scenarios), about=(node.scenario,))  # fmt: skip
    settings = _settings(ctx, node.settings)
    scope = Scope()
    given = tuple(step for stmt in node.given for step in block(ctx, scope, (stmt,)))
    played = block(ctx, scope, node.played)
    expected = tuple(_expected(ctx, scope, e) for e in node.expected)
    return pg.ExampleRule(
        paragraph=paragraph,
        number=place,
        scenario=node.scenario,
        given=given,
        rolls=node.rolls,
        choices=node.choices,
        played=played,
        expected=expected,
        source=node,
        settings=settings,
    )


def _settings(ctx: Context, given: Iterable[sx.SettingGiven]) -> tuple[tuple[str, str], ...]:
    """What an example sets, as a player would type it."""
    found: dict[str, str] = {}
    for node in given:
        setting = ctx.settings.get(node.name)
        if setting is None:
            known = [name for name, one in ctx.settings.items() if one.kind == node.kind]
            ctx.unknown(f"no {node.kind} is called", node.name, node.span, known or ctx.settings)
            continue
        if setting.kind != node.kind:
            ctx.problem("wrong-setting", f'"{node.name}" is a {setting.kind}, not a {node.kind}', node.span,
                        f"write `given {setting.kind} {node.name}: …`", about=(node.name,))  # fmt: skip
        if node.name in found:
            ctx.problem("set-twice", f'"{node.name}" is given twice', node.span, about=(node.name,))
        value = expression(ctx, Scope(), node.value, setting.type)
        if isinstance(value, pg.Const):
            found[node.name] = _typed(ctx, setting, value)
        elif value.type.kind != "unknown":
            ctx.problem("bad-default", "an example gives a setting a plain value", node.value.span)
    return tuple(sorted(found.items()))


def _typed(ctx: Context, setting: pg.SettingRule, value: pg.Const) -> str:
    if setting.alternatives and isinstance(value.value, int):
        return setting.alternatives[value.value]
    if setting.type.kind == "flag":
        return "true" if value.value else "false"
    if setting.type.kind == "thing" and isinstance(value.value, int):
        return ctx.world.universes[setting.type.name].ids[value.value] if value.value >= 0 else "none"
    return str(value.value)


def _expected(ctx: Context, scope: Scope, node: sx.Expectation) -> pg.Expected:
    test = condition(ctx, scope, node.condition) if node.condition is not None else None
    use = action_use(ctx, scope, node.action)
    if node.paragraph is not None and node.paragraph.id not in ctx.titles:
        ctx.problem("unknown-paragraph", f"there is no paragraph {node.paragraph.id}", node.paragraph.span,
                    did_you_mean(node.paragraph.id, ctx.titles), about=(node.paragraph.id,))  # fmt: skip
    winner: pg.E | None = None
    if node.outcome is not None and node.outcome.winner is not None:
        winner = group(ctx, scope, node.outcome.winner, "player")
    payoff: pg.E | None = None
    if node.outcome is not None and node.outcome.payoff is not None:
        payoff = number(ctx, scope, node.outcome.payoff)
    return pg.Expected(
        kind=node.kind,
        condition=test,
        action=use,
        paragraph=node.paragraph.id if node.paragraph else "",
        source=node,
        winner=winner,
        payoff=payoff,
    )
