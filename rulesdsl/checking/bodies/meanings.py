"""Defines and quantities: pure meanings, resolved on first use so that their order does not matter."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from heapq import heappop, heappush
from itertools import combinations

from rulesdsl import program as pg
from rulesdsl.base import fixes
from rulesdsl.base.fixes import Advice
from rulesdsl.base.source import Span
from rulesdsl.checking.bodies.expressions import condition, expression, number
from rulesdsl.checking.context import Context, Scope, declare_params, scope_of
from rulesdsl.checking.names.searches import is_level
from rulesdsl.checking.whole.mentions import expressions_in
from rulesdsl.language import syntax as sx
from rulesdsl.language.wordings import wording_slip
from rulesdsl.program.types import NUMBER, UNKNOWN, Type, join
from rulesdsl.program.world import World

# Lines of one quantity, and pairs of such lines in all: they are compared with each other.
MOST_CHANGES = 300
MOST_COMPARED = 400_000
# Of two limits that cross, and of shifts at the end of a scale, the order of paragraphs does not decide.
_LAST = ("shift -", "at most")
STAGES = ("add", "multiply", "divide", "shift", "set", "limit")
STAGE_OF = {
    "+": "add", "-": "add", "x": "multiply", "/": "divide", "shift +": "shift", "shift -": "shift",
    "=": "set", "at least": "limit", "at most": "limit",
}  # fmt: skip


def params_of(ctx: Context, name: str) -> tuple[pg.Var, ...]:
    """The parameters of a quantity, route, action or procedure; made once."""
    if name not in ctx.params:
        for table in (ctx.quantities, ctx.routes, ctx.actions, ctx.procedures):
            if name in table:
                paragraph, node = table[name]
                before, ctx.paragraph = ctx.paragraph, paragraph
                told = len(ctx.problems)
                ctx.params[name] = declare_params(ctx, node.params)
                if len(ctx.problems) > told:
                    ctx.tainted.add(name)
                ctx.paragraph = before
                break
    return ctx.params[name]


def resolve_define(ctx: Context, name: str) -> pg.DefineRule:
    """The define called `name`, with its type. Definitions may not go in circles."""
    if name in ctx.of_series:
        return ctx.of_series[name]
    if name in ctx.resolved:
        return ctx.resolved[name]
    paragraph, node = ctx.defines[name]
    if ctx.memory is not None and name not in ctx.resolving:
        with ctx.memory.recorded(ctx, ("define", name), (node,), (paragraph,)) as unit:
            unit.made = _resolved(ctx, name, paragraph, node)
        return ctx.resolved[name]
    return _resolved(ctx, name, paragraph, node)


def _resolved(ctx: Context, name: str, paragraph: str, node: sx.Define) -> pg.DefineRule:
    if name in ctx.resolving:
        chain = " → ".join([*ctx.resolving[ctx.resolving.index(name) :], name])
        ctx.problem(
            "recursion",
            f"this definition goes in a circle: {chain}",
            node.span,
            about=(*ctx.resolving[ctx.resolving.index(name) :],),
        )
        params = declare_params(ctx, node.params)
        ctx.resolved[name] = pg.DefineRule(name, paragraph, params, (), UNKNOWN, node)
        return ctx.resolved[name]
    ctx.resolving.append(name)
    before, ctx.paragraph = ctx.paragraph, paragraph
    told = len(ctx.problems)
    params = declare_params(ctx, node.params)
    scope = scope_of(params)
    cases: list[tuple[pg.E | None, pg.E]] = []
    type_ = UNKNOWN
    for case in node.cases:
        test = condition(ctx, scope, case.condition) if case.condition is not None else None
        value = expression(ctx, scope, case.value)
        joined = join(type_, value.type)
        if joined is None:
            ctx.problem(
                "type-mismatch",
                f"this case is a {value.type}, the first a {type_}",
                case.span,
                about=(value.type, type_),
            )
        type_ = joined or type_
        cases.append((test, value))
    _check_cases(ctx, node)
    if node.wording is not None:
        shown = [p.name for p in params]
        if any(
            p.type.kind == "unknown" for p in params
        ):  # it is told already; the wording has the right word
            shown += sorted(ctx.missed)
        slip = wording_slip(node.wording, shown, type_.kind == "flag")
        if slip:
            ctx.problem("wording", slip, node.span)
    ctx.resolving.pop()
    ctx.paragraph = before
    if is_level(name):
        del ctx.problems[told:]
    if name not in ctx.resolved:
        ctx.resolved[name] = pg.DefineRule(name, paragraph, params, tuple(cases), type_, node)
    return ctx.resolved[name]


def _check_cases(ctx: Context, node: sx.Define) -> None:
    *earlier, last = node.cases
    if last.condition is not None:
        ctx.problem(
            "no-otherwise", f'"{node.name}" has no value when none of its cases holds', last.span,
            Advice("add a last case `= … otherwise`", _otherwise(last)), about=(node.name,),
        )  # fmt: skip
    for case in earlier:
        if case.condition is None:
            ctx.problem("unreachable-case", "the cases below this one are never reached", case.span)


def quantity_type(ctx: Context, name: str) -> Type:
    """Numbers, or an ordered enumeration that is shifted along its scale."""
    paragraph, node = ctx.quantities[name]
    if isinstance(node.base, sx.Number):
        return NUMBER
    if name in ctx.resolving:
        return NUMBER
    ctx.resolving.append(name)
    before, ctx.paragraph, count = ctx.paragraph, paragraph, len(ctx.problems)
    known, used = set(ctx.missed), set(ctx.used)
    base = expression(ctx, scope_of(params_of(ctx, name)), node.base)
    # What is wrong in the base is reported once, when the quantity itself is checked; what is wrong in the
    # meanings it asks, now: they are looked at only once.
    found = ctx.problems[count:]
    ctx.problems[count:] = [problem for problem in found if not _inside(problem.span, node)]
    later = {name for problem in found if _inside(problem.span, node) for name in problem.about}
    ctx.missed.difference_update(later - known)
    ctx.used.intersection_update(used)  # the quantity itself uses them, not who asks for its type
    ctx.resolving.pop()
    ctx.paragraph = before
    return base.type if base.type.kind == "enum" else NUMBER


def _inside(span: Span, node: sx.Quantity) -> bool:
    own = node.span
    return span.file is own.file and own.line <= span.line <= own.end_line


def resolve_quantity(ctx: Context, name: str, modifies: list[tuple[str, sx.Modify]]) -> pg.QuantityRule:
    """A quantity with every contribution that any paragraph makes to it, in the order of paragraphs."""
    paragraph, node = ctx.quantities[name]
    ctx.paragraph = paragraph
    params = params_of(ctx, name)
    scope = scope_of(params)
    type_ = quantity_type(ctx, name)
    base = expression(ctx, scope, node.base, type_ if type_.kind == "enum" else NUMBER)
    stages = _stages(ctx, node)
    stages_when = _stages_when(ctx, node)
    floor = number(ctx, scope, node.floor) if node.floor is not None else None
    ceiling = number(ctx, scope, node.ceiling) if node.ceiling is not None else None
    changes = [_change(ctx, paragraph, params, node.params, c, type_) for c in node.contributions]
    for where, modify in modifies:
        ctx.paragraph = where
        changes.extend(_change(ctx, where, params, modify.params, c, type_) for c in modify.contributions)
    _check_changes(ctx, name, changes)
    changes.sort(key=lambda change: change.op in _LAST)
    changes = _one_after_the_other(ctx, name, changes)
    return pg.QuantityRule(
        name=name,
        paragraph=paragraph,
        params=params,
        base=base,
        rounding=node.rounding,
        floor=floor,
        ceiling=ceiling,
        stages=stages,
        changes=tuple(changes),
        type=type_,
        source=node,
        stages_when=stages_when,
    )


def _one_after_the_other(ctx: Context, name: str, changes: list[pg.Change]) -> list[pg.Change]:
    """Lines that say so come behind those of the paragraphs they name; the others stay as they are."""
    left = Counter(change.paragraph for change in changes)  # lines of a paragraph that have no place yet
    awaited = [{r for r in change.later if r != change.paragraph and left[r]} for change in changes]
    waiting: dict[str, list[int]] = {}
    for place, rules in enumerate(awaited):
        for rule in rules:
            waiting.setdefault(rule, []).append(place)
    free = [place for place, rules in enumerate(awaited) if not rules]
    found: list[pg.Change] = []
    while free:
        change = changes[heappop(free)]
        found.append(change)
        left[change.paragraph] -= 1
        for place in () if left[change.paragraph] else waiting.get(change.paragraph, ()):
            awaited[place].discard(change.paragraph)
            if not awaited[place]:
                heappush(free, place)
    if len(found) == len(changes):
        return found
    stuck = [change for change, rules in zip(changes, awaited, strict=True) if rules]
    ctx.paragraph = stuck[0].paragraph
    also = tuple(("the other one", other.source.span) for other in stuck[1:2])
    ctx.problem("clash", f'of these lines of "{name}" each comes after the other', stuck[0].source.span, "",
                also, about=(name,))  # fmt: skip
    return changes


def _stages(ctx: Context, node: sx.Quantity) -> tuple[str, ...]:
    for stage in node.stages:
        if stage not in STAGES:
            ctx.unknown("there is no stage", stage, node.span, STAGES)
    return (*node.stages, *(s for s in STAGES if s not in node.stages)) if node.stages else STAGES


def _stages_when(ctx: Context, node: sx.Quantity) -> pg.E | None:
    """When the stages have another order than usual: that is a matter of how a rulebook is read."""
    if node.stages_when is None:
        return None
    found = condition(ctx, Scope(), node.stages_when)
    settled = (pg.SettingGet, pg.Const, pg.CompareE, pg.LogicE, pg.NotE)
    if not _has_unknown(found) and not all(isinstance(part, settled) for part in expressions_in(found)):
        ctx.problem("stages", "the order of the stages can hang on readings and options only",
                    node.stages_when.span, "put the condition on the lines themselves")  # fmt: skip
    return found


def _change(
    ctx: Context, paragraph: str, params: tuple[pg.Var, ...], names: tuple[sx.Param, ...],
    node: sx.Contribution, type_: Type,
) -> pg.Change:  # fmt: skip
    ctx.paragraph = paragraph
    scope = scope_of(params)
    for written, var in zip(names, params, strict=False):  # `modify strength(division)` may rename
        scope.names[written.name] = var
    wanted = type_ if node.op in ("=", "at least", "at most") and type_.kind == "enum" else NUMBER
    value = expression(ctx, scope, node.value, wanted)
    test = condition(ctx, scope, node.condition) if node.condition is not None else None
    floor = number(ctx, scope, node.floor) if node.floor is not None else None
    if type_.kind == "enum" and STAGE_OF[node.op] not in ("shift", "set", "limit"):
        ctx.problem(
            "type-mismatch", f"a {type_} can be shifted, set or limited only", node.span, about=(type_,)
        )
    if node.op == "/" and node.rounding is None:
        ctx.problem("no-rounding", "say how the division is rounded", node.span,
                    Advice("write `rounded down` or `rounded up`", *_roundings(node)))  # fmt: skip
    refs = tuple(r.id for r in node.despite)
    return pg.Change(
        op=node.op,
        value=value,
        rounding=node.rounding,
        floor=floor,
        condition=test,
        despite=refs,
        label=node.label or "",
        paragraph=paragraph,
        source=node,
        later=tuple(r.id for r in node.later),
    )


def _roundings(node: sx.Contribution) -> list[fixes.Making]:
    """`/2` becomes `/2 rounded down`, behind the number it divides by."""
    place = node.value.span
    end = Span(place.file, place.end_line, place.end_column, place.end_line, place.end_column)
    return [fixes.at(end, f" rounded {way}") for way in ("down", "up")]


def _otherwise(last: sx.Case) -> fixes.Making:
    """The last case holds for everything else as well."""
    assert last.condition is not None
    start, end = last.value.span, last.condition.span
    tail = Span(start.file, start.end_line, start.end_column, end.end_line, end.end_column)
    return fixes.at(tail, " otherwise" if last.span.text.startswith("=") else "")


def _check_changes(ctx: Context, name: str, changes: list[pg.Change]) -> None:
    """Nothing is decided by order: two `=` must exclude each other, or one be an exception to the other."""
    if len(changes) > MOST_CHANGES:
        _too_many_changes(
            ctx, f'"{name}" is changed by {len(changes):,} lines: at most {MOST_CHANGES}', changes
        )
        return
    ctx.compared += len(changes) ** 2
    if ctx.compared > MOST_COMPARED:
        _too_many_changes(ctx, "so many lines change quantities that they cannot be compared", changes)
        return
    changes = [c for c in changes if not _has_unknown(c.condition)]
    sets = [c for c in changes if c.op == "="]
    for i, one in enumerate(sets):
        for other in sets[i + 1 :]:
            if (
                other.paragraph in one.despite
                or one.paragraph in other.despite
                or _exclusive(ctx, one, other)
            ):
                continue
            ctx.paragraph = other.paragraph
            ctx.problem(
                "clash", f'two rules may set "{name}" at the same time', other.source.span,
                "let one say `despite` the other, or make their conditions exclude each other",
                (("the other one", one.source.span),), about=(name,),
            )  # fmt: skip
    rounded = [c for c in changes if c.op != "/" or c.rounding is not None]  # else that alone is told
    for one, other in combinations(rounded, 2):
        if _order_matters(one, other) and not _exclusive(ctx, one, other):
            ctx.paragraph = other.paragraph
            message = f'"{name}" may be divided twice with different roundings'
            hint = ""
            if one.op != "/" or one.rounding == other.rounding:
                message = f'of two changes of "{name}" it would matter which comes first'
                hint = "round and limit the quantity itself, or make their conditions exclude each other"
            also = (("the other one", one.source.span),)
            ctx.problem("mixed-rounding", message, other.source.span, hint, also, about=(name,))


def _too_many_changes(ctx: Context, message: str, changes: list[pg.Change]) -> None:
    last = changes[-1]
    ctx.paragraph = last.paragraph
    ctx.problem("too-many-changes", message, last.source.span, "put the numbers into a table")


def _order_matters(one: pg.Change, other: pg.Change) -> bool:
    """Two changes of a stage, one of them rounded or limited on its way, that are not alike."""
    stage = STAGE_OF[one.op]
    if STAGE_OF[other.op] != stage or stage not in ("add", "multiply", "divide"):
        return False
    if one.paragraph in other.despite or other.paragraph in one.despite:
        return False
    if one.paragraph != other.paragraph and (one.paragraph in other.later or other.paragraph in one.later):
        return False  # it is said which comes first
    if (one.rounding, one.source.floor) != (other.rounding, other.source.floor):
        return True
    if (one.rounding is None and one.floor is None) or (stage == "divide" and one.rounding != "nearest"):
        return False  # a half rounded down and a third rounded down are a sixth rounded down
    return (one.op, one.source.value) != (other.op, other.source.value)


def _has_unknown(value: pg.E | None) -> bool:
    """A condition with a mistake in it excludes nothing, and its author knows."""
    return any(part.type.kind == "unknown" for part in expressions_in(value))


def _exclusive(ctx: Context, one: pg.Change, other: pg.Change) -> bool:
    a, b = one.source.condition, other.source.condition
    if a is None or b is None:
        return False
    parts_a = a.parts if isinstance(a, sx.Logic) and a.op == "and" else (a,)
    parts_b = b.parts if isinstance(b, sx.Logic) and b.op == "and" else (b,)
    return any(contradict(ctx.world, x, y) for x in parts_a for y in parts_b)


def contradict(world: World, x: sx.Expr, y: sx.Expr) -> bool:
    """Whether two conditions can be seen to exclude each other from their form alone."""
    if (isinstance(x, sx.Not) and x.value == y) or (isinstance(y, sx.Not) and y.value == x):
        return True
    if isinstance(x, sx.Is) and isinstance(y, sx.Is) and x.subject == y.subject:
        if x.description == y.description:
            return x.negated != y.negated
        if x.negated or y.negated:
            return False
        a, b = x.description, y.description
        return isinstance(a, sx.Name) and isinstance(b, sx.Name) and _alternatives(world, a.id, b.id)
    if isinstance(x, sx.Compare) and isinstance(y, sx.Compare) and x.left == y.left:
        opposite = {("<", ">="), (">=", "<"), (">", "<="), ("<=", ">"), ("=", "!="), ("!=", "=")}
        if x.right == y.right:
            return (x.op, y.op) in opposite or {x.op, y.op} in ({"=", "<"}, {"=", ">"}, {"<", ">"})
        return x.op == y.op == "=" and isinstance(x.right, sx.Number) and isinstance(y.right, sx.Number)
    return False


def _alternatives(world: World, one: str, other: str) -> bool:
    """Whether nothing is both: two values of an enumeration, two things; flags may be both."""
    wanted = {one, other} - {"none"}
    flags, lists = _names_of(world)
    return not wanted & flags and any(wanted <= names for names in lists)


@lru_cache(maxsize=2)
def _names_of(world: World) -> tuple[frozenset[str], tuple[frozenset[str], ...]]:
    """The flags there are; and the names of which nothing has two: values of an enumeration, things."""
    flags = frozenset(name for (_, name), a in world.attributes.items() if a.type.kind == "flag")
    lists = [enum.values for enum in world.enums.values()] + [u.ids for u in world.universes.values()]
    return flags, tuple(map(frozenset, lists))
