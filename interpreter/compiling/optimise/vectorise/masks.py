"""Conditions on a member as masks: all things for which the condition holds, found without a loop.

`member_mask` answers None when it takes a loop after all; `select.py` then narrows down with the masks
there are and loops over the rest.
"""

from __future__ import annotations

from interpreter.compiling.flavours import Knack
from interpreter.compiling.ir import values as v
from interpreter.compiling.ir.builder import Builder
from interpreter.compiling.ir.values import STATE, Value
from interpreter.compiling.optimise.constants import printed_mask_of
from interpreter.compiling.optimise.fold import COMPARE
from interpreter.compiling.optimise.vectorise import occupancy
from interpreter.compiling.optimise.vectorise.adjacency_tables import distance_table
from interpreter.compiling.optimise.vectorise.members import Members, is_member, place_of_member
from interpreter.compiling.optimise.vectorise.waiting import Asked, either, together
from interpreter.compiling.unit import Env
from rulesdsl import program as pg
from rulesdsl.program.types import FLAG
from rulesdsl.program.walk import uses_var
from rulesdsl.program.world import Attribute

MOST_CELLS = 24


def member_mask(em: Builder, env: Env, test: pg.E, members: Members) -> Value | None:
    """The mask of all things for which a condition on a member holds, or None when a loop is needed.

    The mask may hold numbers of things that do not exist, so it must be intersected with a set.
    """
    test = em.unit.folded(test)
    key = (id(test), members)  # folded expressions live as long as the unit
    if key in em.unit.no_masks:
        return None
    fork = em.fork()
    mask = _mask(fork, env, test, members)
    if mask is None:
        em.unit.no_masks.add(key)
    else:
        em.join(fork)
    return mask


def _mask(em: Builder, env: Env, test: pg.E, members: Members) -> Value | None:
    unit = em.unit
    match test:
        case pg.Const(value=value):
            return v.MINUS_ONE if value else v.ZERO
        case _ if not uses_var(test, members):
            return v.Choose(em.code(env, test), v.MINUS_ONE, v.ZERO)
        case pg.NotE(value=value):
            inner = member_mask(em, env, value, members)
            return None if inner is None else unit.complement(inner)
        case pg.LogicE(op=op, parts=parts):
            asked = _each_asked(em, env, parts, members)
            return None if asked is None else together(em, op, asked)
        case pg.IfE(condition=condition, then=then, otherwise=otherwise):
            asked = _each_asked(em, env, (condition, then, otherwise), members)
            return None if asked is None else either(em, *asked)
        case pg.AttrGet(attribute=attribute, of=of) if test.type.kind == "flag":
            return _flag(em, env, attribute, of, members)
        case pg.CompareE():
            return _comparison(em, env, test, members) or _printed(em, test, members)
        case pg.Member(value=value, group=group):
            return _membership(em, env, value, group, members)
        case _ if not unit.does(Knack.RULES) and isinstance(test, (pg.SomeE, pg.CallE)):
            return None
        case pg.SomeE(group=group):
            return occupancy.presence_mask(em, env, group, members)
        case pg.CallE(define=name, arguments=arguments):
            return _define(em, env, name, arguments, members)
        case _:
            return _printed(em, test, members)


def _each_asked(em: Builder, env: Env, tests: tuple[pg.E, ...], members: Members) -> list[Asked] | None:
    """The masks of several conditions, each with its statements; None when one of them needs a loop."""
    found: list[Asked] = []
    for test in tests:
        fork = em.fork()
        mask = member_mask(fork, env, test, members)
        if mask is None:
            return None
        found.append(Asked(fork, mask))
    return found


def _flag(em: Builder, env: Env, attribute: Attribute, of: pg.E, members: Members) -> Value | None:
    if attribute.per_face:
        return None
    if is_member(of, members):
        if attribute.printed:
            return em.unit.literal(sum(1 << i for i, one in enumerate(attribute.values) if one))
        return em.unit.flag_mask(attribute.universe, attribute.name)
    if not em.unit.does(Knack.PLACES):
        return None
    if place_of_member(of, members) and attribute.printed and not attribute.default:
        return pieces_standing_in(em, sum(1 << i for i, one in enumerate(attribute.values) if one))
    if place_of_member(of, members) and not attribute.printed:
        return standing_in(em, em.unit.flag_mask(attribute.universe, attribute.name))
    return None


def _comparison(em: Builder, env: Env, test: pg.CompareE, members: Members) -> Value | None:
    unit, layout, op = em.unit, em.unit.layout, test.op
    left, right = test.left, test.right
    if uses_var(right, members):
        if op != "=" or uses_var(left, members):
            return None
        left, right = right, left
    if op == "!=":
        equal = _comparison(em, env, pg.CompareE("=", left, right, type=test.type), members)
        return None if equal is None else unit.complement(equal)
    if left.type.kind == "flag" or (op != "=" and not unit.does(Knack.PRINTED)):
        return None
    if isinstance(left, pg.BuiltinE) and left.name == "distance" and isinstance(right, pg.Const):
        return _far(em, env, left.arguments, op, right.value, members)
    if is_member(left, members):
        return unit.bit(left.type.name, em.code(env, right)) if op == "=" else None
    if place_of_member(left, members):
        if op != "=":
            return None
        return v.Cell(layout.pieces_in, em.code(env, right), unit.mask_kind("piece"))
    if not isinstance(left, pg.AttrGet) or left.attribute.per_face:
        return None
    attribute, of = left.attribute, left.of
    if attribute.printed and isinstance(right, pg.Const):
        holds = COMPARE[op]
        chosen = sum(1 << i for i, one in enumerate(attribute.values) if holds(one, right.value))
        if is_member(of, members):
            return unit.literal(chosen)
        if (
            place_of_member(of, members)
            and not holds(attribute.default, right.value)
            and unit.does(Knack.PLACES)
        ):
            return pieces_standing_in(em, chosen)
        return None
    if op != "=":
        return None
    if attribute.printed and is_member(of, members):
        return printed_mask(em, env, attribute, right)
    array = layout.arrays.get((attribute.universe, attribute.name))
    if array is None or array.masks < 0:
        return None
    owners = v.Cell(array.masks, em.code(env, right), unit.mask_kind(attribute.universe))
    if is_member(of, members):
        return owners
    if not unit.does(Knack.PLACES):
        return None
    return occupancy.shifted(em, env, owners, attribute, of, right, members)


def _far(
    em: Builder, env: Env, ends: tuple[pg.E, ...], op: str, far: object, members: Members
) -> Value | None:
    """`distance(there, it) <= 2`: who is so far away, from a table with a row for every space."""
    member = [e for e in ends if is_member(e, members)]
    others = [e for e in ends if not uses_var(e, members)]
    if len(member) != 1 or len(others) != 1 or not isinstance(far, int) or not em.unit.does(Knack.NEAR):
        return None
    table = distance_table(em.unit, op, far)
    return v.Item(table, em.code(env, others[0]), em.unit.mask_kind("space"))


def _membership(em: Builder, env: Env, value: pg.E, group: pg.E, members: Members) -> Value | None:
    if is_member(value, members) and not uses_var(group, members):
        return em.code(env, group)
    if isinstance(group, pg.Neighbours) and is_member(group.place, members) and not uses_var(value, members):
        return v.Item(v.Name("ADJ"), em.code(env, value), em.unit.mask_kind("space"))
    if place_of_member(value, members) and not uses_var(group, members) and em.unit.does(Knack.PLACES):
        places = em.code(env, group)
        known = em.unit.known_mask(places)
        return standing_in(em, places) if known is None else pieces_standing_in(em, known)
    return _printed(em, pg.Member(value, group, type=FLAG), members)


def _printed(em: Builder, test: pg.E, members: Members) -> Value | None:
    """A condition that asks only what is printed: a mask known before the game."""
    mask = printed_mask_of(em.unit, test, members) if em.unit.does(Knack.PRINTED) else None
    return None if mask is None else em.unit.literal(mask)


def standing_in(em: Builder, spaces: Value) -> Value:
    """The pieces in some spaces."""
    return v.Call("standing_in", (STATE, spaces), em.unit.mask_kind("piece"))


def pieces_standing_in(em: Builder, spaces: int) -> Value | None:
    """The pieces in spaces known before the game, when that is a matter of a few cells."""
    unit, first = em.unit, em.unit.layout.pieces_in
    everywhere = unit.program.world.universes["space"].mask()
    spaces &= everywhere
    for few, wanted in ((spaces, True), (everywhere & ~spaces, False)):
        if few.bit_count() <= MOST_CELLS:
            numbers = [i for i in range(few.bit_length()) if few >> i & 1]
            cells = [v.Cell(first + i, None, unit.mask_kind("piece")) for i in (-1, *numbers)]
            if wanted:
                return unit.unite(cells[1:])
            return unit.complement(unit.unite(cells))
    return None


def printed_mask(em: Builder, env: Env, attribute: Attribute, value: pg.E) -> Value:
    """Who has a printed value that is known only in play."""
    masks: dict[object, int] = {}
    for i, one in enumerate(attribute.values):
        masks[one] = masks.get(one, 0) | 1 << i
    table = em.unit.constant("masks", masks)
    return v.Method(table, "get", (em.code(env, value), v.ZERO))


def inside(
    em: Builder, env: Env, params: tuple[pg.Var, ...], arguments: tuple[pg.E, ...], members: Members
) -> tuple[Env, Members] | None:
    """The names inside a called body: which parameters are the member, and code for the others."""
    inner_env, inner_members = dict(env), set[pg.Var]()
    for param, argument in zip(params, arguments, strict=True):
        if is_member(argument, members):
            inner_members.add(param)
        elif uses_var(argument, members):
            return None
        else:
            inner_env[param] = em.atom(em.code(env, argument), "a")
    return inner_env, frozenset(inner_members)


def _define(em: Builder, env: Env, name: str, arguments: tuple[pg.E, ...], members: Members) -> Value | None:
    """A define too long to stand where it is used is looked into."""
    body = em.unit.folder.body(name)
    if not em.unit.folder.may_be_opened(body):
        return None
    inner = inside(em, env, em.unit.program.defines[name].params, arguments, members)
    return None if inner is None else member_mask(em, inner[0], body, inner[1])
