"""Actions and routes: what forbids them, what allows them all the same, what stops them."""

from __future__ import annotations

from dataclasses import replace

from rulesdsl import program as pg
from rulesdsl.checking.bodies.expressions import condition, expression, number
from rulesdsl.checking.bodies.meanings import params_of
from rulesdsl.checking.context import Context, Scope, scope_of
from rulesdsl.checking.names.names import names_in_braces
from rulesdsl.language import syntax as sx
from rulesdsl.program.types import Type, set_of, thing

# Clauses below one clause, and in all of an action: written out, since that is how they are played and shown.
MOST_EXCEPTIONS = 500
MOST_EXCEPTIONS_IN_ALL = 5_000
MOST_EXCEPTIONS_DEEP = 32
MOST_STEPS = 6  # that a path must have: the ways are counted in powers of the neighbours

Permissions = list[tuple[str, sx.Permission]]
_CLAUSES = {
    "minimum": "at least … steps",
    "maximum": "at most … steps",
    "always": "always … steps",
    "exactly": "exactly … steps",
}


def resolve_action(
    ctx: Context, name: str, permissions: Permissions, musts: list[tuple[str, sx.Must]]
) -> pg.ActionRule:
    paragraph, node = ctx.actions[name]
    params = params_of(ctx, name)
    clauses = []
    for where, permission in permissions:
        ctx.paragraph = where
        if permission.kind == "stop":
            ctx.problem(
                "stop-without-route",
                f'"{name}" is no route, it cannot be stopped',
                permission.span,
                about=(name,),
            )
            continue
        clauses.append(_clause(ctx, where, permission, scope_of(params)))
    ladders = tuple(_ladder(ctx, where, must, params) for where, must in musts)
    verb = node.verb or name.replace("_", " ")
    ctx.paragraph = paragraph
    names_in_braces(ctx, scope_of(params), verb, node.span)
    forbids = exception_tree(ctx, clauses)
    return pg.ActionRule(name, paragraph, params, verb, forbids, ladders)


def _ladder(ctx: Context, where: str, must: sx.Must, params: tuple[pg.Var, ...]) -> pg.Ladder:
    ctx.paragraph = where
    scope = scope_of(params)
    test = condition(ctx, scope, must.condition) if must.condition is not None else None
    rungs = tuple(
        pg.LadderRung(
            condition(ctx, scope, rung.met),
            condition(ctx, scope, rung.possible) if rung.possible is not None else None,
            rung.label or "",
        )
        for rung in must.rungs
    )
    return pg.Ladder(where, test, must.label or "", rungs, must)


def resolve_route(ctx: Context, name: str, permissions: Permissions) -> pg.RouteRule:
    """A route with the clauses of all paragraphs about its steps and its ends."""
    paragraph, node = ctx.routes[name]
    ctx.paragraph = paragraph
    params = params_of(ctx, name)
    scope = scope_of(params)
    scope.in_route = True
    here = scope.bind("here", thing("space"))
    border = scope.bind("border", thing("border"))
    there = scope.bind("there", thing("space"))
    for universe, cls in dict.fromkeys(ctx.world.nouns.values()):
        if universe == "space" and cls and scope.find(cls) is None:
            scope.names[cls] = there  # `zone` is the space being entered
    origin = expression(ctx, scope_of(params), node.origin)
    if origin.type.kind == "set" and origin.type.name == "space":
        pass
    elif origin.type.kind not in ("thing", "unknown") or origin.type.name not in ("space", ""):
        ctx.mismatch("a space to start from", origin.type, node.origin.span)
    if node.along not in (None, "borders", "ways"):
        ctx.unknown(
            "a route goes along borders or ways, not", str(node.along), node.span, ("borders", "ways")
        )
    along = condition(ctx, scope, node.along_where) if node.along_where is not None else None
    cost = number(ctx, scope, node.cost) if node.cost is not None else None
    budget = number(ctx, scope_of(params), node.budget) if node.budget is not None else None
    always = number(ctx, scope_of(params), node.always) if node.always is not None else None
    maximum = number(ctx, scope_of(params), node.maximum) if node.maximum is not None else None
    exactly = number(ctx, scope_of(params), node.exactly) if node.exactly is not None else None
    for doubled in dict.fromkeys(node.doubled):
        message = f'"{_CLAUSES.get(doubled, doubled)}" stands twice in this route'
        ctx.problem("double-clause", message, node.span, "keep one of them")
    if exactly is not None and (maximum is not None or node.minimum):
        ctx.problem("several-lengths", "a route of exactly so many steps has no least and no most", node.span)
    if node.minimum > MOST_STEPS and not node.straight:
        ctx.problem("too-many-steps", f"`at least` asks for {MOST_STEPS} steps at most", node.span)
    if node.straight and not ctx.world.grid_form:
        ctx.problem("needs-grid", "only a map of squares or hexes has straight lines", node.span)
    through = _all_of(ctx, scope, node.through, there)
    ending = _all_of(ctx, scope, node.ending, there)
    preferences = tuple((condition(ctx, scope, p.condition), p.label or "") for p in node.preferences)
    steps: list[pg.Clause] = []
    ends: list[pg.Clause] = []
    stops: list[pg.Clause] = []
    for where, permission in permissions:
        ctx.paragraph = where
        inner = Scope({}, scope)
        if permission.via_name is not None:
            inner.names[permission.via_name] = border if permission.via == "across" else there
            if permission.via == "from":
                inner.names[permission.via_name] = here
        clause = _clause(ctx, where, permission, inner)
        if permission.kind == "stop" or _defeats_stop(permission, permissions):
            stops.append(clause)
        elif permission.via == "ending in":
            ends.append(clause)
        else:
            steps.append(clause)
    ctx.paragraph = paragraph
    return pg.RouteRule(
        name=name,
        paragraph=paragraph,
        params=params,
        here=here,
        border=border,
        there=there,
        origin=origin,
        along=along,
        cost=cost,
        budget=budget,
        minimum=node.minimum,
        maximum=maximum,
        through=through,
        ending=ending,
        straight=node.straight,
        preferences=preferences,
        step_forbids=exception_tree(ctx, steps),
        end_forbids=exception_tree(ctx, ends),
        stops=exception_tree(ctx, stops),
        source=node,
        always=always,
        exactly=exactly,
    )


def _defeats_stop(permission: sx.Permission, permissions: Permissions) -> bool:
    """`allow … in` lifts a stop of the paragraph cited; so does any `allow` if that does nothing but stop."""
    refs = {ref.id for ref in permission.despite}
    cited = {other.kind for where, other in permissions if where in refs}
    only_stops = "forbid" not in cited or permission.via == "in"
    return permission.kind == "allow" and "stop" in cited and only_stops


def _all_of(
    ctx: Context, scope: Scope, parts: tuple[tuple[str, sx.Expr | None], ...], there: pg.Var
) -> pg.E | None:
    tests: list[pg.E] = []
    for noun, test in parts:
        found = ctx.world.nouns.get(noun)
        if found is None or found[0] != "space":
            span = test.span if test is not None else ctx.routes[next(iter(ctx.routes))][1].span
            ctx.unknown("there is no space class", noun, span, ctx.world.nouns)
            continue
        member = pg.VarGet(there, type=there.type)
        if found[1]:
            whole = pg.ClassSet(type=set_of(*found))
            tests.append(pg.Member(member, whole, type=Type("flag")))
        if test is not None:
            tests.append(condition(ctx, scope, test))
    return pg.LogicE("and", tuple(tests), type=Type("flag")) if tests else None


def _clause(ctx: Context, where: str, node: sx.Permission, scope: Scope) -> pg.Clause:
    test = condition(ctx, scope, node.condition) if node.condition is not None else None
    refs = tuple(r.id for r in node.despite)
    return pg.Clause(
        kind=node.kind,
        paragraph=where,
        via=node.via,
        condition=test,
        label=node.label or "",
        despite=refs,
        source=node,
    )


def exception_tree(ctx: Context, clauses: list[pg.Clause]) -> tuple[pg.Clause, ...]:
    """Hang every exception under the clauses it defeats; what remains on top are the prohibitions."""
    by_rule: dict[str, list[pg.Clause]] = {}
    for clause in clauses:
        for ref in clause.despite:
            by_rule.setdefault(ref, []).append(clause)

    grown: dict[int, pg.Clause] = {}  # each once, however many clauses it is an exception to

    def grow(clause: pg.Clause, above: tuple[str, ...]) -> pg.Clause:
        if clause.paragraph in above:
            ctx.paragraph = clause.paragraph
            chain = " → ".join([*above[above.index(clause.paragraph) :], clause.paragraph])
            ctx.problem(
                "exception-circle",
                f"exceptions go in a circle: {chain}",
                clause.source.span,
                about=(*above[above.index(clause.paragraph) :],),
            )
            return clause
        if id(clause) in grown:
            return grown[id(clause)]
        if len(above) > MOST_EXCEPTIONS_DEEP:
            return _too_many(ctx, clause, f"more than {MOST_EXCEPTIONS_DEEP} inside each other")
        # an exception defeats clauses of the other sort only: `allow` a `forbid`, `forbid` an `allow`
        against = [
            e for e in by_rule.get(clause.paragraph, ())
            if (e.kind == "allow") != (clause.kind == "allow") and e is not clause
        ]  # fmt: skip
        made = replace(clause, exceptions=tuple(grow(e, (*above, clause.paragraph)) for e in against))
        grown[id(clause)] = made
        return made

    tops = [c for c in clauses if c.kind != "allow" and not _only_exception(c, clauses)]
    for clause in clauses:
        if clause.kind != "allow":
            continue
        for ref in clause.despite:
            forbids = any(c.paragraph == ref and c.kind != "allow" for c in clauses)
            if forbids or ref not in ctx.titles:
                continue
            if ctx.unread or ctx.missed:
                ctx.held_back += 1
            else:
                ctx.paragraph = clause.paragraph
                ctx.problem(
                    "nothing-to-except", f"{ref} forbids nothing that this could allow",
                    clause.source.span, about=(ref,),
                )  # fmt: skip
    return _bounded(ctx, tuple(grow(c, ()) for c in tops))


def _bounded(ctx: Context, tops: tuple[pg.Clause, ...]) -> tuple[pg.Clause, ...]:
    """Written out as a tree, exceptions to exceptions may double with every paragraph: nobody plays that."""
    sizes: dict[int, int] = {}

    def size(clause: pg.Clause) -> int:
        if id(clause) not in sizes:
            sizes[id(clause)] = 1 + sum(map(size, clause.exceptions))
        return sizes[id(clause)]

    total = 0
    for clause in tops:
        total += size(clause) - 1
        if size(clause) > MOST_EXCEPTIONS or total > MOST_EXCEPTIONS_IN_ALL:
            most = MOST_EXCEPTIONS if size(clause) > MOST_EXCEPTIONS else MOST_EXCEPTIONS_IN_ALL
            _too_many(ctx, clause, f"more than {most:,}, those of exceptions included")
            return tuple(replace(top, exceptions=()) for top in tops)
    return tops


def _too_many(ctx: Context, clause: pg.Clause, how_many: str) -> pg.Clause:
    ctx.paragraph = clause.paragraph
    ctx.problem(
        "too-many-exceptions", f"too many exceptions hang below this clause: {how_many}", clause.source.span,
        "name only the paragraphs that an exception really defeats",
    )  # fmt: skip
    return clause


def _only_exception(clause: pg.Clause, clauses: list[pg.Clause]) -> bool:
    """A `forbid … despite` an `allow` narrows that permission; it forbids nothing by itself."""
    return bool(clause.despite) and all(
        any(c.paragraph == ref and c.kind == "allow" for c in clauses) for ref in clause.despite
    )
