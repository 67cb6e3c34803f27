"""Checks on the whole: what is cited and absent, declared and never used, or has no way to begin."""

from __future__ import annotations

from collections.abc import Callable

from rulesdsl import program as pg
from rulesdsl import syntax as sx
from rulesdsl.checker.context import Context
from rulesdsl.checker.totality import check_labels, check_lookup, expressions_in, lookups_in
from rulesdsl.diagnostics import did_you_mean, errors
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
    begins = any(isinstance(node, sx.Procedure) and node.name == "game" for _, node in rules)
    if "game" not in ctx.unread and not begins and not errors(ctx.problems):
        ctx.problem("no-beginning", "no phase is called `game`: play has nowhere to begin", source.game.span)
    if source.game.scenario and source.game.scenario not in source.scenarios:
        ctx.problem(
            "unknown-scenario", f'there is no scenario "{source.game.scenario}"', source.game.scenario_span,
            did_you_mean(source.game.scenario, source.scenarios),
        )  # fmt: skip


def check_data_files(ctx: Context, source: GameSource, program: pg.Program, rules: Rules) -> None:
    """A paragraph that leaves its work to a data file needs that file."""
    for paragraph in program.paragraphs.values():
        name = paragraph.data_file
        if name is not None and not any(f.path.as_posix().endswith("/" + name) for f in source.files):
            ctx.rule = paragraph.id
            ctx.problem("unknown-file", f"the game has no file {name}", paragraph.span)


def check_unused(ctx: Context, source: GameSource, program: pg.Program, rules: Rules) -> None:
    """What nobody asks for is a slip or a leftover: a warning."""
    if errors(ctx.problems):
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
        if name not in ctx.used and not name.startswith(("invariant_", "odds_")):  # asked from outside
            ctx.problem("unused", f'no rule uses the {kind} "{name}"', node.span, warning=True)


def check_circles(ctx: Context, source: GameSource, program: pg.Program, rules: Rules) -> None:
    """Meanings may not go in circles, not even through permissions: nothing would ever come to an end."""
    calls: dict[str, set[str]] = {}
    places: dict[str, tuple[str, sx.Node]] = {}
    for name, define in program.defines.items():
        calls[name], places[name] = called_by(define), (define.rule, define.source)
    for name, quantity in program.quantities.items():
        calls[name], places[name] = called_by(quantity), (quantity.rule, quantity.source)
    for name, action in program.actions.items():
        calls[name], places[name] = called_by(action), (action.rule, ctx.actions[name][1])
    for name, route in program.routes.items():
        calls[name], places[name] = called_by(route), (route.rule, route.source)
    for circle in _circles(calls):
        ctx.rule, node = places[circle[0]]
        chain = " → ".join([*circle, circle[0]])
        ctx.problem("recursion", f"this goes in a circle: {chain}", node.span)


def called_by(value: object) -> set[str]:
    """The names of the defines, quantities, actions and routes that something asks directly."""
    found: set[str] = set()
    for part in expressions_in(value):
        match part:
            case pg.CallE(define=name) | pg.QuantityE(quantity=name) | pg.RouteE(route=name):
                found.add(name)
            case pg.LegalE(action=name):
                found.add(name)
            case _:
                pass
    return found


def check_tables(ctx: Context, source: GameSource, program: pg.Program, rules: Rules) -> None:
    """Names in tables mean something, and no table can be asked for a place it does not have."""
    for table in source.tables.values():
        ctx.rule = ""
        for key in table.keys:
            if key.kind == "name" and (values := ctx.world.values_of(key.of)) is not None:
                check_labels(ctx, table, key, values)
            elif key.kind == "name":
                known = [*ctx.world.enums, *ctx.world.nouns]
                ctx.unknown("there is no enumeration and no class", key.of, key.span or table.span, known)
        names = [table.result.of] if table.result.kind == "name" else []
        for name in [*names, *(f.of for f in table.result.fields if f.kind == "name")]:
            if name not in ctx.world.enums:
                ctx.unknown("there is no enumeration", name, table.span, ctx.world.enums)
    if errors(ctx.problems):
        return
    for rule, part in lookups_in(program):
        ctx.rule = rule
        check_lookup(ctx, program, part)


def _circles(calls: dict[str, set[str]]) -> list[list[str]]:
    """One circle for each knot of names that lead back to themselves, shortest way round."""
    circles: list[list[str]] = []
    seen: set[str] = set()
    for start in sorted(calls):
        if start in seen:
            continue
        ways: dict[str, list[str]] = {start: [start]}
        queue = [start]
        while queue:
            name = queue.pop(0)
            for other in sorted(calls.get(name, ())):
                if other == start:
                    circles.append(ways[name])
                    seen.update(ways[name])
                    queue = []
                    break
                if other not in ways:
                    ways[other] = [*ways[name], other]
                    queue.append(other)
    return circles


def check_never_read(ctx: Context, source: GameSource, program: pg.Program, rules: Rules) -> None:
    """State that is kept and never asked for is a slip or a leftover: a warning."""
    if errors(ctx.problems):
        return
    attributes: set[tuple[str, str]] = set()
    tracks: set[str] = set()
    parts = (
        program.defines, program.quantities, program.actions, program.routes, program.procedures,
        program.windows, program.tokens,
    )  # fmt: skip
    asked = [item for part in parts for item in part.values()]
    for expression in expressions_in((*asked, *program.triggers, *program.examples)):
        match expression:
            case pg.AttrGet(attribute=attribute):
                attributes.add((attribute.universe, attribute.name))
            case pg.TrackGet(track=asked_for):
                tracks.add(asked_for)
            case _:
                pass
    watched = {(ctx.world.nouns[t.subject][0], t.attribute) for t in program.triggers if t.event == "changes"}
    for key, attribute in ctx.world.attributes.items():
        if not attribute.printed and not attribute.built_in and key not in attributes | watched:
            ctx.rule = attribute.rule
            ctx.problem("never-read", f'no rule asks for "{attribute.name}"', attribute.span, warning=True)
    for track in ctx.world.tracks.values():
        if track.name not in tracks:
            ctx.rule = track.rule
            ctx.problem("never-read", f'no rule asks for the track "{track.name}"', track.span, warning=True)


CHECKS: list[Check] = [
    check_data_files,
    check_tables,
    check_circles,
    check_citations,
    check_beginning,
    check_unused,
    check_never_read,
]
