"""Conditions that ask of a member only one printed thing: all members with the same value are alike.

`units whose camp may still designate`: there are two or three camps and forty units. The question is asked
once for every camp that has a unit in question, not once for every unit.
"""

from __future__ import annotations

from interpreter.codegen import expressions as ex
from interpreter.codegen.emitter import Emitter, Env
from interpreter.codegen.trees import rebuilt
from interpreter.layout import sub_expressions
from rulesdsl import program as pg
from rulesdsl.world import Attribute

MOST_VALUES = 4
Members = frozenset[pg.Var]


def select_alike(em: Emitter, env: Env, test: pg.E, members: Members, within: str) -> str | None:
    """The members of `within` for which a condition holds; None when it asks about more than one thing."""
    if em.unit.traced:
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
    result, some = em.temp("r"), em.temp("a")
    em.emit(f"{result} = 0")
    for value, mask in sorted(masks.items()):
        known = _with_value(test, attribute, members, pg.Const(value, type=attribute.type))
        em.emit(f"{some} = {em.unit.intersect([within, em.unit.literal(mask)])}")
        em.emit(f"if {some}:")
        with em.indented():
            em.emit(f"if {ex.code(em, env, known)}: {result} |= {some}")
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
