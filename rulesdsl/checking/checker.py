"""The checker: from what was written to a `Program`, or to all problems at once.

The passes run in this order; each may rely on what the ones above it established. One file: what is
checked in which order is one thing to know.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar, assert_never

from rulesdsl import program as pg
from rulesdsl.base.diagnostics import Diagnostic, errors, in_order
from rulesdsl.base.lightclass import dataclass
from rulesdsl.base.limits import DEFAULT
from rulesdsl.base.source import Span
from rulesdsl.book.loader import GameSource
from rulesdsl.checking.blame import blame
from rulesdsl.checking.bodies.examples import resolve_examples
from rulesdsl.checking.bodies.expressions import condition, expression
from rulesdsl.checking.bodies.meanings import params_of, resolve_define, resolve_quantity
from rulesdsl.checking.bodies.permissions import resolve_action, resolve_route
from rulesdsl.checking.bodies.steps import PLAYER, block
from rulesdsl.checking.bodies.together import BODIES
from rulesdsl.checking.bodies.visibility import resolve_visibility
from rulesdsl.checking.context import Context, Scope, scope_of
from rulesdsl.checking.names.names import names_in_braces
from rulesdsl.checking.names.searches import levels_of, said_whole
from rulesdsl.checking.names.series import series_defines
from rulesdsl.checking.names.signatures import Collected, collect_signatures
from rulesdsl.checking.remembering import OrderMatters, Recollection
from rulesdsl.checking.whole.completeness import check_whole
from rulesdsl.checking.world.components import build_world
from rulesdsl.checking.world.settings import resolve_settings
from rulesdsl.language import syntax as sx
from rulesdsl.language.parsing.parser import WITH_NAMES_ONLY
from rulesdsl.program.types import Type, thing
from rulesdsl.program.world import World

Made = TypeVar("Made")
Said = TypeVar("Said", bound=sx.Rule)


def check(
    source: GameSource, memory: Recollection | None = None
) -> tuple[pg.Program | None, list[Diagnostic]]:
    """Check a whole game. There is a program only when nothing is wrong.

    With a `memory` of earlier checks only what changed is looked at: the messages are the same, the program
    is for readers of the rulebook and not meant to be played (variables of different times stand in it).
    """
    checked = checked_game(source, memory)
    playable = checked.whole and not errors(checked.problems)
    return (checked.program if playable else None), checked.problems


def checked_game(source: GameSource, memory: Recollection | None = None) -> Checked:
    """The same with everything that is known besides, also of a game with mistakes."""
    if memory is None:
        return _checked(source, None)
    try:
        return _checked(source, memory)
    except OrderMatters:
        memory.units.clear()
        return _checked(source, memory)


@dataclass(frozen=True, slots=True)
class Checked:
    """A game that was looked at: its problems, its names, and its rules as far as they make sense.

    `whole`: nothing was left out because it cannot be read.
    """

    problems: list[Diagnostic]
    context: Context | None = None
    program: pg.Program | None = None
    whole: bool = False


def _checked(source: GameSource, memory: Recollection | None) -> Checked:
    ledger = _Ledger(source)
    if len(ledger.rules) > DEFAULT.rules:
        _, first = ledger.rules[DEFAULT.rules]
        message = f"the game has {len(ledger.rules):,} rules, the most is {DEFAULT.rules:,}"
        return Checked([Diagnostic("too-many-rules", message, first.span)])
    unread = [head for chapter in source.chapters for head in chapter.unread]
    if any(kind not in WITH_NAMES_ONLY or not name for kind, name in unread):
        return Checked(ledger.problems)  # what exists is not known: everything else would be guesswork
    built = build_world if memory is None else memory.built_world
    world, problems, missed = built(source, ledger.rules)
    ctx = Context(
        world, source.tables, ledger.titles, BODIES, problems + ledger.problems, missed=missed, memory=memory
    )
    tables = {f"table {name}" for name in source.unread("tables")}
    guessed = {str(getattr(rule, "name", "")) for _, rule, _ in ledger.meant} - {""}
    ctx.of_series = series_defines(world)
    ctx.unread = frozenset({name for _, name in unread} | guessed | tables)
    collected = Collected()
    resolve_settings(ctx, ledger.rules)
    collect_signatures(ctx, ledger.rules, collected)
    if memory is not None:
        memory.begin(ctx, source, world)
    program = _resolve(ctx, source, ledger, ctx.world, collected)  # with the readings as enumerations
    if memory is not None:
        memory.finish(ctx)
    check_whole(ctx, source, ledger.rules, program)
    ctx.problems = [problem for problem in ctx.problems if not ledger.is_meant(problem.span)]
    incomplete = ctx.unread or source.unread("scenarios") or ledger.meant
    if incomplete and not errors(ctx.problems):
        return Checked(in_order(ctx.problems), ctx, program)
    return Checked(in_order(blame(source, ctx.problems)), ctx, program, True)


def paragraph_order(paragraph: str) -> tuple[object, ...]:
    """Printed numbers in their printed order: 2.10 after 2.9, events and annexes after numbers."""
    parts: list[tuple[int, int, str]] = []
    for part in re.split(r"[.\-\s]+", paragraph):
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
                            about=(paragraph.id,),
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
    if ctx.memory is not None:
        ctx.memory.recall_defines(ctx, resolve_define)
    defines = {name: resolve_define(ctx, name) for name in ctx.defines}
    modifies, permissions, musts = collected.modifies, collected.permissions, collected.musts
    quantities = {
        name: _unit(ctx, "quantity", name, [ctx.quantities[name], *modifies.get(name, [])],
                    partial(resolve_quantity, ctx, name, modifies.get(name, [])))
        for name in ctx.quantities
    }  # fmt: skip
    actions = {
        name: _unit(ctx, "action", name,
                    [ctx.actions[name], *permissions.get(name, []), *musts.get(name, [])],
                    partial(resolve_action, ctx, name, permissions.get(name, []), musts.get(name, [])))
        for name in ctx.actions
    }  # fmt: skip
    routes = {
        name: _unit(ctx, "route", name, [ctx.routes[name], *permissions.get(name, [])],
                    partial(resolve_route, ctx, name, permissions.get(name, [])))
        for name in ctx.routes
    }  # fmt: skip
    procedures = {
        name: _unit(ctx, "procedure", name, [entry], partial(_procedure, ctx, name, *entry))
        for name, entry in ctx.procedures.items()
    }
    ctx.doing = ""
    triggers = tuple(_with_body(ctx, entry, procedures, _trigger) for entry in collected.triggers)
    windows = {
        name: _unit(ctx, "window", name, [entry], partial(_window, ctx, *entry))
        for name, entry in ctx.windows.items()
    }
    tokens = {
        name: _with_body(ctx, entry, procedures, partial(_token, index=index))
        for index, (name, entry) in enumerate(ctx.tokens.items())
    }
    scenarios = (*source.scenarios, *source.unread("scenarios"))
    examples = tuple(resolve_examples(ctx, ledger.paragraphs, scenarios))
    visibility = resolve_visibility(ctx)
    used = {name: rule for name, rule in ctx.of_series.items() if name in ctx.used}
    return pg.Program(
        game=source.game.id,
        title=source.game.title,
        world=world,
        tables=source.tables,
        defines=defines | used,
        quantities=quantities,
        actions=actions,
        routes=routes,
        procedures=procedures,
        triggers=triggers,
        windows=windows,
        tokens=tokens,
        settings=ctx.settings,
        examples=examples,
        paragraphs=ledger.paragraphs,
        content_hash=source.content_hash(),
        visibility=visibility,
        telling=source.game.telling,
    )


def resolve_statement(ctx: Context, paragraph: str, node: sx.Rule) -> None:
    """One statement among rules that are known, for who wants to hear what can be said in it."""
    node = sx.closed(node)
    match node:
        case sx.Define(name=name):
            ctx.defines[name] = (paragraph, node)
            ctx.resolved.pop(name, None)
            resolve_define(ctx, name)
        case sx.Search(name=name):
            for level in levels_of(node) if said_whole(ctx, node) else ():
                ctx.defines[level.name] = (paragraph, level)
                ctx.resolved.pop(level.name, None)
            if name in ctx.defines:
                resolve_define(ctx, name)
        case sx.Quantity() | sx.Modify():
            name = f"{node.record}.{node.name}" if node.record else node.name
            if isinstance(node, sx.Quantity):
                ctx.quantities[name] = (paragraph, node)
                ctx.params.pop(name, None)
            elif name not in ctx.quantities:
                ctx.unknown("no quantity is called", node.name, node.span, ctx.quantities)
                return
            resolve_quantity(ctx, name, [(paragraph, node)] if isinstance(node, sx.Modify) else [])
        case sx.Permission(actions=actions):
            for name in actions:
                if name in ctx.actions:
                    resolve_action(ctx, name, [(paragraph, node)], [])
                elif name in ctx.routes:
                    resolve_route(ctx, name, [(paragraph, node)])
                else:
                    ctx.unknown("no action or route is called", name, node.span, [*ctx.actions, *ctx.routes])
        case sx.Must(action=name):
            if name in ctx.actions:
                resolve_action(ctx, name, [], [(paragraph, node)])
            else:
                ctx.unknown("no action is called", name, node.span, ctx.actions)
        case sx.Action(name=name):
            ctx.actions[name] = (paragraph, node)
            ctx.params.pop(name, None)
            params_of(ctx, name)
        case sx.Route(name=name):
            ctx.routes[name] = (paragraph, node)
            ctx.params.pop(name, None)
            resolve_route(ctx, name, [])
        case sx.Procedure(name=name):
            ctx.procedures[name] = (paragraph, node)
            ctx.params.pop(name, None)
            _procedure(ctx, name, paragraph, node)
        case sx.Trigger():
            _trigger(ctx, paragraph, node, {})
        case sx.Window():
            _window(ctx, paragraph, node)
        case sx.Token():
            _token(ctx, paragraph, node, {}, 0)
        case sx.Reading() | sx.Option() | sx.Parameter():
            resolve_settings(ctx, [(paragraph, node)])
        case sx.Enumeration() | sx.ClassDecl() | sx.GroupDecl() | sx.TrackDecl() | sx.RecordDecl():
            pass  # what there is has been read before any rule
        case _:
            assert_never(node)


Entries = Sequence[tuple[str, sx.Rule]]


def _unit(ctx: Context, kind: str, name: object, entries: Entries, resolve: Callable[[], Made]) -> Made:
    """One part of the rulebook, resolved now or remembered."""
    if ctx.memory is None:
        return resolve()
    nodes, rules = tuple(node for _, node in entries), tuple(paragraph for paragraph, _ in entries)
    return ctx.memory.unit(ctx, (kind, name), nodes, rules, resolve)


def _with_body(
    ctx: Context, entry: tuple[str, Said], procedures: dict[str, pg.ProcedureRule],
    resolve: Callable[[Context, str, Said, dict[str, pg.ProcedureRule]], Made],
) -> Made:  # fmt: skip
    """What brings a procedure of its own along; that one is remembered with it."""

    def both() -> tuple[Made, dict[str, pg.ProcedureRule]]:
        known = dict(procedures)
        made = resolve(ctx, entry[0], entry[1], known)
        return made, {name: body for name, body in known.items() if name not in procedures}

    key = (getattr(entry[1], "name", ""), len(procedures))
    found: tuple[Made, dict[str, pg.ProcedureRule]] = _unit(ctx, type(entry[1]).__name__, key, [entry], both)
    procedures.update(found[1])
    return found[0]


def _procedure(ctx: Context, name: str, paragraph: str, node: sx.Procedure) -> pg.ProcedureRule:
    ctx.paragraph = paragraph
    ctx.doing = name
    params = params_of(ctx, name)
    title, wording = node.title or "", ""
    if node.kind != "phase" and "{" in title:
        names_in_braces(ctx, scope_of(params), title, node.span)
        title, wording = "", title
    body = block(ctx, scope_of(params), node.body)
    return pg.ProcedureRule(
        name=name,
        kind=node.kind,
        paragraph=paragraph,
        params=params,
        title=title or name.replace("_", " "),
        body=body,
        wording=wording,
    )


def _trigger(
    ctx: Context, paragraph: str, node: sx.Trigger, procedures: dict[str, pg.ProcedureRule]
) -> pg.TriggerRule:
    ctx.paragraph = paragraph
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
                        [f"{subject if found else u}.{n}" for u, n in ctx.world.attributes
                         if found is None or u == found[0]])  # fmt: skip
        else:
            params.append(scope.bind(subject, thing(*found)))
            before = ctx.world.attributes[found[0], attribute].type
            if before.kind == "flag":
                message = f'"{attribute}" is a flag: nothing is set off when it is marked'
                hint = f"put the steps where it is marked, or keep a value: `{attribute}: yet or done`"
                ctx.problem("never-fires", message, event.span, hint)
            params.append(scope.bind("before", before))
    else:
        params.append(scope.bind(subject, _class(ctx, subject, "piece", event)))
        if event.object is not None:
            params.append(scope.bind(event.object, _class(ctx, event.object, "space", event)))
    test = condition(ctx, scope, node.condition) if node.condition is not None else None
    name = f"after {event.kind} {subject} {len(procedures)}"
    body = block(ctx, scope, node.body)
    title = f"after {subject} {event.kind} {event.object or ''}".strip()
    procedures[name] = pg.ProcedureRule(name, "trigger", paragraph, tuple(params), title, body)
    return pg.TriggerRule(event.kind, subject, attribute, paragraph, test, name)


def _class(ctx: Context, word: str, universe: str, event: sx.Event) -> Type:
    found = ctx.world.nouns.get(word)
    if found is None or found[0] != universe:
        known = [n for n, (u, _) in ctx.world.nouns.items() if u == universe]
        ctx.missed.add(ctx.unknown(f"no {universe} is called", word, event.span, known))
        return thing(universe)
    return thing(*found)


def _window(ctx: Context, paragraph: str, node: sx.Window) -> pg.WindowRule:
    ctx.paragraph = paragraph
    asking = tuple(expression(ctx, Scope(), a, PLAYER) for a in node.asking)
    return pg.WindowRule(node.name, paragraph, asking, node.always)


def _token(
    ctx: Context, paragraph: str, node: sx.Token, procedures: dict[str, pg.ProcedureRule], index: int
) -> pg.TokenRule:
    ctx.paragraph = paragraph
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
    procedures[name] = pg.ProcedureRule(name, "token", paragraph, (holder,), node.title, body)
    return pg.TokenRule(
        name=node.name,
        title=node.title,
        paragraph=paragraph,
        index=index,
        plays=tuple(plays),
        procedure=name,
        holder=holder,
    )
