"""Operations on expression trees that know of truth values and loops, and of nothing else the nodes mean."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from rulesdsl import program as pg
from rulesdsl.language import syntax as sx
from rulesdsl.program.types import FLAG
from rulesdsl.program.walk import part_names, sub_expressions
from rulesdsl.program.world import Attribute

TRUE, FALSE = pg.Const(1, type=FLAG), pg.Const(0, type=FLAG)
LOOPS = (pg.Filter, pg.SumE, pg.ExtremeE, pg.ArgExtreme)


def both(tests: Iterable[pg.E]) -> pg.E:
    """All of these conditions as one."""
    parts = tuple(tests)
    return parts[0] if len(parts) == 1 else pg.LogicE("and", parts, type=FLAG)


def negated(e: pg.E) -> pg.E:
    return e.value if isinstance(e, pg.NotE) else pg.NotE(e, type=FLAG)


def conjuncts(e: pg.E) -> tuple[pg.E, ...]:
    return e.parts if isinstance(e, pg.LogicE) and e.op == "and" else (e,)


def disjuncts(e: pg.E) -> tuple[pg.E, ...]:
    return e.parts if isinstance(e, pg.LogicE) and e.op == "or" else (e,)


def clause_condition(clause: pg.Clause) -> pg.E:
    """When a clause holds and none of its exceptions does."""
    test = clause.condition if clause.condition is not None else TRUE
    against = tuple(pg.NotE(clause_condition(x), type=FLAG) for x in clause.exceptions)
    return pg.LogicE("and", (test, *against), type=FLAG) if against else test


def rebuilt(e: pg.E, change: Callable[[pg.E], pg.E]) -> pg.E:
    """The expression with each of its parts changed; itself when none is."""
    changed: dict[str, Any] = {}
    for name in part_names(type(e)):
        part = getattr(e, name)
        if isinstance(part, pg.E):
            new = change(part)
            if new is not part:
                changed[name] = new
        elif isinstance(part, tuple) and part and isinstance(part[0], pg.E):
            several = tuple(change(p) for p in part)
            if any(a is not b for a, b in zip(several, part, strict=True)):
                changed[name] = several
    return replace(e, **changed) if changed else e


def substituted(e: pg.E, values: Mapping[pg.Var, pg.E]) -> pg.E:
    """The expression with variables replaced by expressions."""
    if isinstance(e, pg.VarGet):
        return values.get(e.var, e)
    return rebuilt(e, lambda part: substituted(part, values))


def free_variables(e: pg.E) -> dict[pg.Var, None]:
    """The variables that an expression speaks of without bringing them along, in the order of their use."""
    found: dict[pg.Var, None] = {}

    def look(part: pg.E, own: frozenset[pg.Var]) -> None:
        if isinstance(part, pg.VarGet) and part.var not in own:
            found[part.var] = None
        if isinstance(part, LOOPS):
            own |= {part.var}
        if isinstance(part, pg.AfterE):
            own |= {*part.own}
        for inner in sub_expressions(part):
            look(inner, own)

    look(e, frozenset())
    return found


def afterwards(procedure: str, arguments: tuple[pg.E, ...], value: pg.E, source: sx.Node) -> pg.AfterE:
    """What a value would be after a procedure, with variables of its own."""
    outer = tuple(free_variables(value))
    own = tuple(pg.Var(var.name, var.type, var.span) for var in outer)
    inside = {a: pg.VarGet(b, type=b.type) for a, b in zip(outer, own, strict=True)}
    given = tuple(pg.VarGet(var, type=var.type) for var in outer)
    return pg.AfterE(
        procedure, arguments, own, given, substituted(value, inside), type=value.type, source=source
    )


def is_atom(e: pg.E) -> bool:
    """Whether a value costs so little that it may be asked for again and again."""
    if isinstance(e, pg.AttrGet):
        return is_atom(e.of)
    return isinstance(e, (pg.VarGet, pg.Const, pg.TrackGet, pg.FieldGet))


def node_count(e: pg.E) -> int:
    return 1 + sum(map(node_count, sub_expressions(e)))


def loop_depth(e: pg.E) -> int:
    """How many loops stand inside each other."""
    deepest = max(map(loop_depth, sub_expressions(e)), default=0)
    return deepest + 1 if isinstance(e, LOOPS) else deepest


def uses(e: pg.E, var: pg.Var) -> int:
    """How often a variable is asked for; what stands inside a loop counts as often."""
    if isinstance(e, pg.VarGet):
        return int(e.var is var)
    many = 10 if isinstance(e, LOOPS) else 1
    return sum(many * uses(part, var) for part in sub_expressions(e))


def mentions(e: pg.E, variables: frozenset[pg.Var] | set[pg.Var]) -> bool:
    """Whether an expression speaks of variables that it does not bring with it."""
    if isinstance(e, pg.VarGet):
        return e.var in variables
    if isinstance(e, LOOPS):
        variables = variables - {e.var}
    return any(mentions(part, variables) for part in sub_expressions(e))


def simpler_logic(e: pg.LogicE) -> pg.E:
    """`and` and `or` without the parts that are known, and flat."""
    parts: list[pg.E] = []
    for part in e.parts:
        if isinstance(part, pg.Const):
            if bool(part.value) == (e.op == "or"):
                return TRUE if part.value else FALSE
        elif isinstance(part, pg.LogicE) and part.op == e.op:
            parts.extend(part.parts)
        else:
            parts.append(part)
    if len(parts) == 1:
        return parts[0]
    if not parts:
        return TRUE if e.op == "and" else FALSE
    return e if len(parts) == len(e.parts) else replace(e, parts=tuple(parts))


def simpler_choice(e: pg.IfE) -> pg.E:
    """`if … then … else …`; between truth values it is a matter of and, or and not."""
    if isinstance(e.condition, pg.Const):
        return e.then if e.condition.value else e.otherwise
    if e.type.kind != "flag":
        return e
    test, then, otherwise = e.condition, e.then, e.otherwise
    if isinstance(then, pg.Const):
        if then.value:
            return simpler_logic(pg.LogicE("or", (test, otherwise), type=FLAG))
        return simpler_logic(pg.LogicE("and", (negated(test), otherwise), type=FLAG))
    if isinstance(otherwise, pg.Const):
        if otherwise.value:
            return simpler_logic(pg.LogicE("or", (negated(test), then), type=FLAG))
        return simpler_logic(pg.LogicE("and", (test, then), type=FLAG))
    return e


def same(one: pg.E, other: pg.E) -> bool:
    """Whether two expressions are written alike."""
    if type(one) is not type(other) or list(_names(one)) != list(_names(other)):
        return False
    parts, others = sub_expressions(one), sub_expressions(other)
    return len(parts) == len(others) and all(map(same, parts, others))


def _names(e: pg.E) -> Iterator[object]:
    """What a node holds besides other expressions; variables and attributes are told apart by identity."""
    for name in type(e).__slots__:
        part = getattr(e, name)
        if not isinstance(part, (pg.E, tuple)):
            yield id(part) if isinstance(part, (pg.Var, Attribute)) else part
