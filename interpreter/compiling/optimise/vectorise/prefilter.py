"""Members that have a chance, as masks, where who passes can only be told by a loop: fewer to ask about.

A piece in or beside a space: only spaces with such a piece near them have a chance. `Armies with all members
in a set`: only those whose first member is in it.
"""

from __future__ import annotations

from interpreter.compiling.flavours import Knack
from interpreter.compiling.ir import values as v
from interpreter.compiling.ir.builder import Builder
from interpreter.compiling.ir.values import Value
from interpreter.compiling.optimise.vectorise.masks import member_mask
from interpreter.compiling.optimise.vectorise.members import Members, is_member, place_of_member
from interpreter.compiling.optimise.vectorise.occupancy import neighbours_of, occupied
from interpreter.compiling.unit import Env
from rulesdsl import program as pg
from rulesdsl.program.logic import conjuncts, substituted
from rulesdsl.program.types import FLAG
from rulesdsl.program.walk import uses_var


def near_pieces_cover(em: Builder, env: Env, test: pg.E, members: Members) -> Value | None:
    """Spaces that have a chance, when it takes a piece in or beside them: fewer to ask about."""
    if (
        not em.unit.does(Knack.COVERS)
        or not isinstance(test, pg.SomeE)
        or not isinstance(test.group, pg.Filter)
    ):
        return None
    node: pg.E = test.group
    var = pg.Var("it", node.type.member)
    parts: list[pg.E] = []
    while isinstance(node, pg.Filter):
        parts.append(substituted(node.condition, {node.var: pg.VarGet(var, type=var.type)}))
        node = node.group
    whole = em.unit.folded(pg.LogicE("and", tuple(parts), type=FLAG))
    links = _links(em, whole, var, members)
    if uses_var(node, members) or links is None:
        return None
    things = [em.code(env, node)]
    for part in conjuncts(whole):
        mask = None if uses_var(part, members) else member_mask(em, env, part, frozenset({var}))
        if mask is not None:
            things.append(mask)
    spaces = em.atom(occupied(em, em.unit.intersect(things)), "o")
    return em.unit.unite([spaces if link == "in" else neighbours_of(em, spaces) for link in sorted(links)])


def _links(em: Builder, test: pg.E, var: pg.Var, members: Members) -> set[str] | None:
    """In which ways a piece `var` can hang together with a space; None when in any."""
    inner = frozenset({var})
    match test:
        case pg.CompareE(op="=", left=a, right=b):
            for one, other in ((a, b), (b, a)):
                if place_of_member(one, inner) and is_member(other, members):
                    return {"in"}
        case pg.Member(value=a, group=pg.Neighbours(place=b)):
            for one, other in ((a, b), (b, a)):
                if place_of_member(one, inner) and is_member(other, members):
                    return {"beside"}
        case pg.LogicE(op="and", parts=parts):
            known = [links for p in parts if (links := _links(em, p, var, members)) is not None]
            return min(known, key=lambda links: (len(links), "beside" in links)) if known else None
        case pg.LogicE(op="or", parts=parts):
            return _all_links(em, parts, var, members)
        case pg.IfE(condition=condition, then=then, otherwise=otherwise):
            both = pg.LogicE("and", (condition, then), type=FLAG)
            return _all_links(em, (both, otherwise), var, members)
        case pg.CallE(define=name, arguments=arguments):
            body, params = em.unit.folder.body(name), em.unit.program.defines[name].params
            if not em.unit.folder.may_be_opened(body):
                return None
            return _links(em, substituted(body, dict(zip(params, arguments, strict=True))), var, members)
        case _:
            pass
    return None


def _all_links(em: Builder, cases: tuple[pg.E, ...], var: pg.Var, members: Members) -> set[str] | None:
    found: set[str] = set()
    for case in cases:
        links = _links(em, case, var, members)
        if links is None:
            return None
        found |= links
    return found


def first_member_cover(em: Builder, env: Env, test: pg.E, members: Members) -> Value | None:
    """Those that have a chance to have all their printed members in a set, by their first members."""
    match test:
        case pg.NotE(value=pg.SomeE(group=pg.Filter(group=pg.AttrGet() as of, var=var, condition=outside))):
            attribute = of.attribute
        case _:
            return None
    if (
        not em.unit.does(Knack.COVERS)
        or not attribute.printed
        or attribute.type.kind != "set"
        or attribute.per_face
    ):
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
    kind = em.unit.mask_kind(attribute.universe)
    found, thing = em.temp("o", kind), em.temp("v", em.unit.kind(var.type))
    em.let(found, em.unit.literal(without))
    within = em.unit.intersect([em.unit.complement(mask), firsts])
    with em.each(within, thing):
        em.update(found, "|", v.Item(em.unit.constant("first_of", table), thing, kind))
    return found
