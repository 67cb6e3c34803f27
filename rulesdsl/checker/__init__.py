"""The checker: from what was written to a `Program`, or to all problems at once.

The passes run in this order; each may rely on what the ones above it established.
"""

from __future__ import annotations

import re

from rulesdsl import program as pg
from rulesdsl import syntax as sx
from rulesdsl.blame import blame
from rulesdsl.checker.completeness import check_whole
from rulesdsl.checker.components import build_world
from rulesdsl.checker.context import Context, Scope, scope_of
from rulesdsl.checker.examples import resolve_examples
from rulesdsl.checker.expressions import condition, expression
from rulesdsl.checker.meanings import params_of, resolve_define, resolve_quantity
from rulesdsl.checker.permissions import resolve_action, resolve_route
from rulesdsl.checker.settings import resolve_settings
from rulesdsl.checker.signatures import Collected, collect_signatures
from rulesdsl.checker.steps import PLAYER, block
from rulesdsl.checker.visibility import resolve_visibility
from rulesdsl.diagnostics import Diagnostic, errors, in_order
from rulesdsl.limits import DEFAULT
from rulesdsl.loader import GameSource
from rulesdsl.parsing.parser import WITH_NAMES_ONLY
from rulesdsl.source import Span
from rulesdsl.types import Type, thing
from rulesdsl.world import World


def check(source: GameSource) -> tuple[pg.Program | None, list[Diagnostic]]:
    """Check a whole game. There is a program only when nothing is wrong."""
    ledger = _Ledger(source)
    if len(ledger.rules) > DEFAULT.rules:
        _, first = ledger.rules[DEFAULT.rules]
        message = f"the game has {len(ledger.rules):,} rules, the most is {DEFAULT.rules:,}"
        return None, [Diagnostic("too-many-rules", message, first.span)]
    unread = [head for chapter in source.chapters for head in chapter.unread]
    if any(kind not in WITH_NAMES_ONLY or not name for kind, name in unread):
        return None, ledger.problems  # what exists is not known: everything else would be guesswork
    world, problems, missed = build_world(source, ledger.rules)
    ctx = Context(world, source.tables, ledger.titles, problems + ledger.problems, missed=missed)
    tables = {f"table {name}" for name in source.unread("tables")}
    guessed = {str(getattr(rule, "name", "")) for _, rule, _ in ledger.meant} - {""}
    ctx.unread = frozenset({name for _, name in unread} | guessed | tables)
    collected = Collected()
    resolve_settings(ctx, ledger.rules)
    collect_signatures(ctx, ledger.rules, collected)
    program = _resolve(ctx, source, ledger, ctx.world, collected)  # with the readings as enumerations
    check_whole(ctx, source, ledger.rules, program)
    ctx.problems = [problem for problem in ctx.problems if not ledger.is_meant(problem.span)]
    incomplete = ctx.unread or source.unread("scenarios") or ledger.meant
    if incomplete and not errors(ctx.problems):
        return None, in_order(ctx.problems)
    found = in_order(blame(source, ctx.problems))
    return (None if errors(found) else program), found


def paragraph_order(rule: str) -> tuple[object, ...]:
    """Printed numbers in their printed order: 2.10 after 2.9, events and annexes after numbers."""
    parts: list[tuple[int, int, str]] = []
    for part in re.split(r"[.\-\s]+", rule):
        digits = re.match(r"(\d+)(.*)", part)
        parts.append((0, int(digits[1]), digits[2]) if digits else (1, 0, part))
    return tuple(parts)


class _Ledger:
    """All statements with their paragraph, in printed order."""

    def __init__(self, source: GameSource) -> None:
        self.problems: list[Diagnostic] = []
        self.paragraphs: dict[str, sx.Paragraph] = {}
        for chapter in source.chapters:
            for paragraph in chapter.paragraphs:
                other = self.paragraphs.get(paragraph.id)
                if other is not None:
                    self.problems.append(
                        Diagnostic(
                            "duplicate-paragraph",
                            f'paragraph "{paragraph.id}" stands twice',
                            paragraph.span,
                            also=(("the other one", other.span),),
                        )
                    )
                self.paragraphs[paragraph.id] = paragraph
        self.titles = {p.id: p.title for p in self.paragraphs.values()}
        # Of a number that stands twice both are looked at: what they declare is not missing as well.
        every = [paragraph for chapter in source.chapters for paragraph in chapter.paragraphs]
        ordered = sorted(every, key=lambda p: paragraph_order(p.id))
        self.rules: list[tuple[str, sx.Rule]] = [(p.id, rule) for p in ordered for rule in p.rules]
        # What cannot be read stands here as it was likely meant: nobody misses it.
        self.meant = [entry for chapter in source.chapters for entry in chapter.meant]
        if self.meant:
            self.rules += [(paragraph_id, rule) for paragraph_id, rule, _ in self.meant]
            self.rules.sort(key=lambda entry: paragraph_order(entry[0]))

    def is_meant(self, span: Span) -> bool:
        """Whether a place lies in a statement that was guessed: its problem has been told."""
        return any(
            rule.span.file.path == span.file.path and rule.span.line <= span.line <= last
            for _, rule, last in self.meant
        )


def _resolve(
    ctx: Context, source: GameSource, ledger: _Ledger, world: World, collected: Collected
) -> pg.Program:
    defines = {name: resolve_define(ctx, name) for name in ctx.defines}
    quantities = {
        name: resolve_quantity(ctx, name, collected.modifies.get(name, [])) for name in ctx.quantities
    }
    actions = {
        name: resolve_action(ctx, name, collected.permissions.get(name, []), collected.musts.get(name, []))
        for name in ctx.actions
    }
    routes = {name: resolve_route(ctx, name, collected.permissions.get(name, [])) for name in ctx.routes}
    procedures: dict[str, pg.ProcedureRule] = {}
    for name, (rule, node) in ctx.procedures.items():
        ctx.rule = rule
        ctx.doing = name
        params = params_of(ctx, name)
        title = node.title or name.replace("_", " ")
        body = block(ctx, scope_of(params), node.body)
        procedures[name] = pg.ProcedureRule(name, node.kind, rule, params, title, body)
    ctx.doing = ""
    triggers = tuple(_trigger(ctx, rule, node, procedures) for rule, node in collected.triggers)
    windows = {name: _window(ctx, rule, node) for name, (rule, node) in ctx.windows.items()}
    tokens = {
        name: _token(ctx, rule, node, index, procedures)
        for index, (name, (rule, node)) in enumerate(ctx.tokens.items())
    }
    scenarios = (*source.scenarios, *source.unread("scenarios"))
    examples = tuple(resolve_examples(ctx, ledger.paragraphs, scenarios))
    visibility = resolve_visibility(ctx)
    return pg.Program(
        source.game.id, source.game.title, world, source.tables, defines, quantities, actions, routes,
        procedures, triggers, windows, tokens, ctx.settings, examples, ledger.paragraphs,
        source.content_hash(), visibility,
    )  # fmt: skip


def _trigger(
    ctx: Context, rule: str, node: sx.Trigger, procedures: dict[str, pg.ProcedureRule]
) -> pg.TriggerRule:
    ctx.rule = rule
    event = node.event
    scope = Scope()
    params: list[pg.Var] = []
    attribute = ""
    subject = event.subject
    if event.kind in ("begins", "ends"):
        if subject not in ctx.procedures or ctx.procedures[subject][1].kind != "phase":
            phases = [n for n, (_, p) in ctx.procedures.items() if p.kind == "phase"]
            ctx.unknown("there is no phase", subject, event.span, phases)
        else:  # what the phase was begun with: the same variables, so that a secret stays one
            params += params_of(ctx, subject)
            scope = scope_of(params)
    elif event.kind == "changes":
        found = ctx.world.nouns.get(subject)
        attribute = event.object or ""
        if found is None or (found[0], attribute) not in ctx.world.attributes:
            ctx.unknown("nothing changes that is called", f"{subject}.{attribute}", event.span,
                        [f"{u}.{n}" for u, n in ctx.world.attributes])  # fmt: skip
        else:
            params.append(scope.bind(subject, thing(*found)))
            before = ctx.world.attributes[found[0], attribute].type
            params.append(scope.bind("before", before))
    else:
        params.append(scope.bind(subject, _class(ctx, subject, "piece", event)))
        if event.object is not None:
            params.append(scope.bind(event.object, _class(ctx, event.object, "space", event)))
    test = condition(ctx, scope, node.condition) if node.condition is not None else None
    name = f"after {event.kind} {subject} {len(procedures)}"
    body = block(ctx, scope, node.body)
    title = f"after {subject} {event.kind} {event.object or ''}".strip()
    procedures[name] = pg.ProcedureRule(name, "trigger", rule, tuple(params), title, body)
    return pg.TriggerRule(event.kind, subject, attribute, rule, test, name)


def _class(ctx: Context, word: str, universe: str, event: sx.Event) -> Type:
    found = ctx.world.nouns.get(word)
    if found is None or found[0] != universe:
        known = [n for n, (u, _) in ctx.world.nouns.items() if u == universe]
        ctx.missed.add(ctx.unknown(f"no {universe} is called", word, event.span, known))
        return thing(universe)
    return thing(*found)


def _window(ctx: Context, rule: str, node: sx.Window) -> pg.WindowRule:
    ctx.rule = rule
    asking = tuple(expression(ctx, Scope(), a, PLAYER) for a in node.asking)
    return pg.WindowRule(node.name, rule, asking, node.always)


def _token(
    ctx: Context, rule: str, node: sx.Token, index: int, procedures: dict[str, pg.ProcedureRule]
) -> pg.TokenRule:
    ctx.rule = rule
    scope = Scope()
    holder = scope.bind("holder", thing("player"))
    plays = []
    for play in node.plays:
        if play.window not in ctx.windows:
            ctx.unknown("there is no window", play.window, play.span, ctx.windows)
        test = condition(ctx, scope, play.condition) if play.condition is not None else None
        plays.append(pg.TokenPlay(play.window, test, holder))
    name = f"token {node.name}"
    body = block(ctx, scope, node.body)
    procedures[name] = pg.ProcedureRule(name, "token", rule, (holder,), node.title, body)
    return pg.TokenRule(node.name, node.title, rule, index, tuple(plays), name, holder)
