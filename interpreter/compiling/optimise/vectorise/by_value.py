"""What is asked once for many members, because it is the same for them.

Where only one printed thing is asked of a member, all members with the same value are alike. `units whose
camp may still designate`: there are two or three camps and forty units, and the question is asked once for
every camp that has a unit in question. And sets that do not depend on the member are worked out before the
loop over members.
"""

from __future__ import annotations

from interpreter.compiling.flavours import Knack
from interpreter.compiling.ir import values as v
from interpreter.compiling.ir.asked import asks_rules
from interpreter.compiling.ir.builder import Builder
from interpreter.compiling.ir.statements import Update
from interpreter.compiling.ir.values import Value
from interpreter.compiling.optimise.vectorise.members import Members
from interpreter.compiling.unit import Env
from rulesdsl import program as pg
from rulesdsl.program.logic import LOOPS, both, conjuncts, rebuilt
from rulesdsl.program.walk import sub_expressions, uses_var
from rulesdsl.program.world import Attribute

MOST_VALUES = 4


def select_alike(em: Builder, env: Env, test: pg.E, members: Members, within: Value) -> Value | None:
    """The members of `within` for which a condition holds; None when it asks about more than one thing."""
    if not em.unit.does(Knack.BY_VALUE):
        return None
    asked = set(_asked(test, members))
    attribute = asked.pop() if len(asked) == 1 else None
    if attribute is None:
        return None
    masks: dict[int, int] = {}
    for number, value in enumerate(attribute.values):
        if not isinstance(value, int):
            return None
        masks[int(value)] = masks.get(int(value), 0) | 1 << number
    if not 1 < len(masks) <= MOST_VALUES:
        return None
    kind = within.kind
    result, some = em.temp("r", kind), em.temp("a", kind)
    em.let(result, v.ZERO)
    for value, mask in sorted(masks.items()):
        known = _with_value(test, attribute, members, pg.Const(value, type=attribute.type))
        em.let(some, em.unit.intersect([within, em.unit.literal(mask)]))
        with em.branch(some):
            em.when(em.code(env, known), Update(result, "|", some))
    return result


def _asked(e: pg.E, members: Members) -> list[Attribute | None]:
    """The printed attributes of the member that are asked for; None for whatever else is asked of him."""
    match e:
        case pg.VarGet(var=var):
            return [None] if var in members else []
        case pg.AttrGet(attribute=attribute, of=pg.VarGet(var=var)) if var in members:
            return [attribute if attribute.printed and not attribute.per_face else None]
        case _:
            return [found for part in sub_expressions(e) for found in _asked(part, members)]


def _with_value(e: pg.E, attribute: Attribute, members: Members, value: pg.Const) -> pg.E:
    match e:
        case pg.AttrGet(of=pg.VarGet(var=var)) if e.attribute is attribute and var in members:
            return value
        case _:
            return rebuilt(e, lambda part: _with_value(part, attribute, members, value))


# ---- what is the same for all members --------------------------------------------------------------------
def unchanging(em: Builder, env: Env, tests: list[pg.E], members: Members) -> tuple[Env, list[pg.E]]:
    """Names for sets that do not depend on the member, worked out before the loop over members."""
    inner = dict(env)
    if not em.unit.does(Knack.HOIST):
        return inner, tests
    return inner, [_hoisted(em, inner, em.unit.folded(test), members) for test in tests]


def _hoisted(em: Builder, env: Env, e: pg.E, members: Members) -> pg.E:
    if isinstance(e, pg.Filter) and uses_var(e, members):
        return _hoisted_filter(em, env, e, members)
    return rebuilt(e, lambda part: _hoisted(em, env, part, members)) if uses_var(e, members) else e


def _hoisted_filter(em: Builder, env: Env, e: pg.Filter, members: Members) -> pg.E:
    """Of the conditions of a set, those that say nothing of the member are a set of their own."""
    if uses_var(e.group, members) or _free(e, {*env, *members}):
        return e
    parts = conjuncts(em.unit.folded(e.condition))
    same = [p for p in parts if not uses_var(p, members)]
    rest = [p for p in parts if uses_var(p, members)]
    group = e.group
    if same:
        group = pg.Filter(group, e.var, both(same), type=e.type)
    fork = em.fork()
    mask = fork.code(env, group)
    if fork.body or asks_rules(mask):  # not worth it when the loop may never get here
        return e
    name = pg.Var("same", e.type)
    env[name] = em.atom(mask, "g")
    return pg.Filter(pg.VarGet(name, type=e.type), e.var, both(rest), type=e.type)


def _free(e: pg.E, known: set[pg.Var]) -> bool:
    """Whether an expression mentions variables of a loop that is not open yet."""
    if isinstance(e, pg.VarGet):
        return e.var not in known
    if isinstance(e, LOOPS):
        known = known | {e.var}
    return any(_free(part, known) for part in sub_expressions(e))
