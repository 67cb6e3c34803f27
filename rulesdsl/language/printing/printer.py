"""The syntax tree as canonical text: `print_rule`, `print_example`; expressions in `print_expressions`.

Reading what was printed gives the same tree again; `fmt` and the woven rulebook both stand on that.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from rulesdsl.language import syntax as sx
from rulesdsl.language.conventions import INVARIANT, ODDS
from rulesdsl.language.printing.components import component, in_a_head, in_parentheses
from rulesdsl.language.printing.expressions import (
    Level,
    print_arguments,
    print_expr,
    print_exprs,
    print_phrase,
)
from rulesdsl.language.printing.levels import COMMA
from rulesdsl.language.printing.lines import INDENT, WIDTH, line
from rulesdsl.language.printing.statements import block, called, print_outcome, statements, text_after, when

__all__ = ["print_example", "print_expr", "print_rule"]


def print_rule(rule: sx.Rule) -> str:
    """One statement of a rules block, without a newline at the end."""
    return "\n".join(_rule(sx.closed(rule)))


def print_example(example: sx.Example) -> str:
    """One example block, without a newline at the end."""
    return "\n".join(_example(example))


def _rule(rule: sx.AnyRule) -> Iterator[str]:
    match rule:
        case sx.Quantity() | sx.Modify():
            yield from _number(rule)
        case sx.Permission() | sx.Must() | sx.Action():
            yield from _permission(rule)
        case sx.Route():
            yield from _route(rule)
        case sx.Procedure(kind, name, params, title, body):
            if kind == "procedure" and name.startswith(ODDS) and name != ODDS:
                kind, name = "weigh", name.removeprefix(ODDS)
            yield line(f"{kind} {name}{in_parentheses(params)}{text_after(title)}", 0, opens=True)
            yield from statements(body, 1)
        case sx.Trigger(event, condition, body):
            yield from block(f"after {_event(event)}{when(condition)}", body, 0)
        case sx.Window(name, asking, always):
            asked = f" asking {print_exprs(asking)}" if asking else ""
            yield line(f"window {name}{asked}{' whatever they hold' if always else ''}", 0)
        case sx.Token(name, title, plays, body):
            yield f'token {name} "{title}"'
            for play in plays:
                yield line(f"play in {play.window}{when(play.by, 'by')}{when(play.condition)}", 1)
            yield from block("do", body, 1)
        case sx.Search():
            yield from _search(rule)
        case sx.Define(name=name, cases=(only,), form="always"):
            yield line(f"always {name.removeprefix(INVARIANT)}: {print_expr(only.value)}", 0)
        case sx.Define(cases=cases, wording=wording):
            yield from _define(f"define {_head(rule)}{text_after(wording)} =", cases)
        case _:
            yield from component(rule)


def _search(rule: sx.Search) -> Iterator[str]:
    """The parts in the order in which they are asked."""
    yield line(f"search {rule.name}{in_parentheses(rule.params)}{text_after(rule.wording)}", 0, opens=True)
    if rule.phrases:
        *front, last = rule.phrases
        each = [*(print_phrase(phrase, COMMA) for phrase in front), print_phrase(last)]
        yield line(f"each step {', '.join(each)}", 1)
    if rule.procedure:
        given = print_arguments(rule.arguments) if rule.arguments else ""
        yield line(f"do {rule.procedure}{given}", 1)
    if rule.then is not None:
        yield line(f"then {rule.leads_to}{print_arguments(rule.then)}", 1)
    if rule.counting is not None:
        yield line(f"counting {print_expr(rule.counting, Level.SUM)}", 1)
    if rule.bound:
        yield line(f"at most {rule.bound} step{'s' if rule.bound > 1 else ''}", 1)


# ---- meanings ----------------------------------------------------------------------------------------
def _head(define: sx.Define) -> str:
    """`contested(zone)` · `unit is ready` · `zone is foreign to unit` · `unit may_strike zone`"""
    if not define.form:
        return define.name + in_parentheses(define.params)
    subject, *other = map(in_a_head, define.params)
    if define.form == "verb":
        return " ".join([subject, define.name, *other])
    preposition = [define.form] if other else []
    return " ".join([subject, "is", define.name, *preposition, *other])


def _define(head: str, cases: tuple[sx.Case, ...]) -> Iterator[str]:
    """The case first, as in procedures: `if c: a`, `otherwise: b`."""
    first, *more = cases
    if first.condition is None or not more or more[-1].condition is not None or not all(
        case.condition is not None for case in more[:-1]
    ):  # fmt: skip
        yield line(f"{head} {print_expr(first.value)}{when(first.condition)}", 0, opens=bool(more))
        for case in more:
            yield line(f"= {print_expr(case.value)}{when(case.condition) or ' otherwise'}", 1)
        return
    yield head
    for number, case in enumerate(cases):
        word = "otherwise:"
        if case.condition is not None:
            word = f"{'otherwise if' if number else 'if'} {print_expr(case.condition)}:"
        yield line(f"{word} {print_expr(case.value)}", 1)


# ---- quantities --------------------------------------------------------------------------------------
def _number(rule: sx.Quantity | sx.Modify) -> Iterator[str]:
    name = (f"{rule.record}." if rule.record else "") + rule.name + in_parentheses(rule.params)
    if isinstance(rule, sx.Modify):
        head = f"modify {name}"
    else:
        limits = _rounding(rule.rounding) + _limit("at least", rule.floor) + _limit("at most", rule.ceiling)
        stages = f" stages {', '.join(rule.stages)}{when(rule.stages_when)}" if rule.stages else ""
        head = f"quantity {name} = {print_expr(rule.base)}{limits}{stages}"
    yield line(head, 0, opens=bool(rule.contributions))
    yield from _contributions(rule.contributions)


def _contributions(contributions: tuple[sx.Contribution, ...]) -> Iterator[str]:
    """In columns: the change, the condition, the label; labels are only aligned when all lines fit."""
    changes = [
        _change(c) + _rounding(c.rounding) + _limit("at least", c.floor) + _later(c.later)
        for c in contributions
    ]
    widest = max(map(len, changes), default=0)
    rows = []
    for change, c in zip(changes, contributions, strict=True):
        rest = (when(c.condition) + _despite(c.despite)).strip()
        rows.append((f"{change:{widest}} {rest}" if rest else change, text_after(c.label)))
    column = max((len(row) for row, label in rows if label), default=0)
    fits = all(INDENT + column + len(label) <= WIDTH for _, label in rows if label)
    for row, label in rows:
        yield line(f"{row:{column}}{label}" if label and fits else row + label, 1)


def _change(c: sx.Contribution) -> str:
    if c.op in ("=", "at least", "at most"):
        return f"{c.op} {print_expr(c.value, Level.SUM)}"
    amount = print_expr(c.value, Level.PRODUCT)
    if c.op == "x" and not amount[0].isdigit() and amount[0] != "(":
        return f"x ({print_expr(c.value)})"  # `x` is only an operator before a digit or a bracket
    return c.op + ("" if amount[0].isdigit() else " ") + amount


def _rounding(direction: str | None) -> str:
    return "" if direction is None else f" rounded {direction}"


def _limit(words: str, value: sx.Expr | None) -> str:
    return "" if value is None else f" {words} {print_expr(value, Level.SUM)}"


# ---- permissions and routes --------------------------------------------------------------------------
def _permission(rule: sx.Permission | sx.Must | sx.Action) -> Iterator[str]:
    match rule:
        case sx.Action(name, params, verb):
            yield line(f"action {name}{in_parentheses(params)}{text_after(verb)}", 0)
        case sx.Permission(kind, actions, via, via_name, condition, despite, label):
            where = f" {via} {via_name}" if via else ""
            head = f"{kind} {', '.join(actions)}{where}"
            yield line(f"{head}{when(condition)}{_despite(despite)}{text_after(label)}", 0)
        case sx.Must(action, condition, label, rungs):
            yield line(f"must before {action}{when(condition)}{text_after(label)}", 0, opens=True)
            for number, rung in enumerate(rungs):
                possible = when(rung.possible, "possible when")
                text = f"{'else' if number else 'either'} {print_expr(rung.met)}{possible}"
                yield line(text + text_after(rung.label), 1)
        case _:
            assert_never(rule)


def _later(refs: tuple[sx.ParagraphRef, ...]) -> str:
    return f" after {', '.join(ref.id for ref in refs)}" if refs else ""


def _despite(refs: tuple[sx.ParagraphRef, ...]) -> str:
    return f" despite {', '.join(ref.id for ref in refs)}" if refs else ""


def _route(route: sx.Route) -> Iterator[str]:
    yield line(f"route {route.name}{in_parentheses(route.params)}", 0, opens=True)
    if route.origin != sx.Name("none"):  # what the tree says when no `from` was written
        yield line(f"from {print_expr(route.origin)}", 1)
    if route.along is not None:
        yield line(f"along {route.along}{when(route.along_where, 'where')}", 1)
    for word, value in (("cost", route.cost), ("budget", route.budget)):
        if value is not None:
            yield line(f"{word} {print_expr(value)}", 1)
    if route.minimum:
        yield line(f"at least {route.minimum} {_steps(str(route.minimum))}", 1)
    counts = (("always", route.always), ("at most", route.maximum), ("exactly", route.exactly))
    for words, count in counts:
        if count is not None:
            text = print_expr(count)
            yield line(f"{words} {text} {_steps(text)}", 1)
    for name, condition in route.through:
        yield line(f"through {name}{when(condition, 'where')}", 1)
    for name, condition in route.ending:
        yield line(f"ending in {name}{when(condition, 'where')}", 1)
    if route.straight:
        yield line("straight", 1)
    if route.preferences:
        yield line("prefer in order", 1, opens=True)
        for number, preference in enumerate(route.preferences, start=1):
            text = f"{number} {print_expr(preference.condition)}{text_after(preference.label)}"
            yield line(text, 2)


def _steps(count: str) -> str:
    return "step" if count == "1" else "steps"


def _event(event: sx.Event) -> str:
    match event.kind:
        case "changes":
            return f"{event.subject}.{event.object} changes"
        case "begins" | "ends":
            return f"phase {event.subject} {event.kind}"
        case "enters" | "leaves":
            return f"{event.subject} {event.kind} {event.object}"
        case _:
            return f"{event.subject} is {event.kind}"


# ---- examples ----------------------------------------------------------------------------------------
def _example(example: sx.Example) -> Iterator[str]:
    if example.scenario is not None:
        yield f"given scenario {example.scenario}"
    for setting in example.settings:
        yield line(f"given {setting.kind} {setting.name}: {print_expr(setting.value)}", 0)
    if example.given:
        yield from block("given", example.given, 0)
    if example.rolls:
        yield line(f"rolling {', '.join(map(str, example.rolls))}", 0)
    if example.choices:
        texts = [f'"{choice}"' for choice in example.choices]
        yield line(f"choosing {', '.join(texts)}", 0)
    if example.played:
        yield from block("when", example.played, 0)
    if example.expected:
        yield line("expect:", 0, opens=True)
        yield from (line(_expectation(e), 1) for e in example.expected)


def _expectation(expected: sx.Expectation) -> str:
    if expected.condition is not None:
        return print_expr(expected.condition)
    if expected.outcome is not None:
        return print_outcome(expected.outcome)
    if expected.offers:
        return f"{expected.kind} " + ", ".join(f'"{key}"' for key in expected.offers)
    if expected.kind == "goes on":
        return "the game goes on"
    assert expected.action is not None
    text = f"{expected.kind} {called(expected.action.name, expected.action.arguments)}"
    return text + (f" by {expected.paragraph.id}" if expected.paragraph is not None else "")
