"""Conditions that many members share, by what is printed of them.

Where only one printed thing is asked of a member, all members with the same value are alike. `units whose
camp may still designate`: there are two or three camps and forty units, and the question is asked once for
every camp that has a unit in question. And `armies with all members in a set`: only those have a chance
whose first member is in it.
"""

from __future__ import annotations

from interpreter.codegen import expressions as ex
from interpreter.codegen.emitter import Emitter, Env
from interpreter.codegen.masks import is_member, member_mask
from interpreter.codegen.trees import rebuilt
from interpreter.layout import sub_expressions, uses_var
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


def first_member_cover(em: Emitter, env: Env, test: pg.E, members: Members) -> str | None:
    """Those that have a chance to have all their printed members in a set, by their first members."""
    match test:
        case pg.NotE(value=pg.SomeE(group=pg.Filter(group=pg.AttrGet() as of, var=var, condition=outside))):
            attribute = of.attribute
        case _:
            return None
    if em.unit.traced or not attribute.printed or attribute.type.kind != "set" or attribute.per_face:
        return None
    if not is_member(of.of, members) or uses_var(outside, members):
        return None
    mask = member_mask(em, env, outside, frozenset({var}))
    if mask is None:
        return None
    without, owners = 0, dict[int, int]()
    for number, value in enumerate(attribute.values):
        assert isinstance(value, int)
        if value:
            first = (value & -value).bit_length() - 1
            owners[first] = owners.get(first, 0) | 1 << number
        else:
            without |= 1 << number
    table = tuple(owners.get(thing, 0) for thing in range(max(owners, default=-1) + 1))
    firsts = em.unit.literal(sum(1 << thing for thing in owners))
    found, thing = em.temp("o"), em.temp("v")
    em.emit(f"{found} = {em.unit.literal(without)}")
    em.emit(f"for {thing} in MEMBERS[{em.unit.intersect([em.unit.complement(mask), firsts])}]:")
    em.emit(f"    {found} |= {em.unit.constant('first_of', table)}[{thing}]")
    return found
