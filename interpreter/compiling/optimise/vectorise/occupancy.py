"""Masks of places by what is in them, beside them, or in some direction from them.

`some German unit in it`, `some zone adjacent to it where …`, `it.west.owner is red`: asked of all spaces
at once, they are one look at where pieces of a kind are, at neighbours of a mask, or a shifted mask.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from interpreter.compiling.flavours import Knack
from interpreter.compiling.ir import values as v
from interpreter.compiling.ir.builder import Builder
from interpreter.compiling.ir.values import STATE, Value
from interpreter.compiling.optimise.vectorise.adjacency_tables import around_table, fixed_between
from interpreter.compiling.optimise.vectorise.members import Members, is_member, place_of_member
from interpreter.compiling.unit import Env
from rulesdsl import program as pg
from rulesdsl.program.logic import FALSE, LOOPS, TRUE, conjuncts, mentions, rebuilt, substituted
from rulesdsl.program.types import FLAG
from rulesdsl.program.walk import sub_expressions, uses_var
from rulesdsl.program.world import Attribute

MOST_FACTS = 2  # about the place itself, inside a condition on what is there


@dataclass(frozen=True, slots=True)
class Link:
    """How things hang together with a place: they stand in it, or beside it."""

    universe: str
    beside: bool


def presence_mask(em: Builder, env: Env, group: pg.E, members: Members) -> Value | None:
    """The spaces for which a set of things in them or beside them is not empty."""
    found = _taken_apart(em, group, members)
    if found is None:
        return None
    link, others, without, var, conditions = found
    around = None
    if link == Link("space", beside=True) and len(members) == 1 and em.unit.does(Knack.NEAR):
        around, conditions = _beside_if(em, conditions, next(iter(members)), var)
    base = [em.code(env, other) for other in others]
    base += [em.unit.complement(em.code(env, other)) for other in without]
    base.append(em.unit.literal(em.unit.program.world.universes[var.type.name].mask()))
    test = em.unit.folded(pg.LogicE("and", tuple(conditions), type=FLAG))
    facts = _facts(test, members, {var, *_bound(test)})
    if facts is None or len(facts) > MOST_FACTS:
        return None
    about = [em.member_mask(env, fact, members) for fact in facts]
    places: list[Value] = []
    for truth in product((True, False), repeat=len(facts)):
        known = {id(fact): TRUE if holds else FALSE for fact, holds in zip(facts, truth, strict=True)}
        things = em.member_mask(env, em.unit.folded(_with_facts(test, known)), frozenset({var}))
        if things is None:
            return None
        sides: list[Value] = []
        for mask, holds in zip(about, truth, strict=True):
            if mask is None:
                return None
            sides.append(mask if holds else em.unit.complement(mask))
        things = em.unit.intersect([*base, things])
        if around is not None:
            there: Value = v.Item(around, things, em.unit.mask_kind("space"))
        else:
            there = _places(em, link, things)
        places.append(em.unit.intersect([*sides, there]))
    return em.unit.unite(places)


def _beside_if(
    em: Builder, conditions: list[pg.E], place: pg.Var, near: pg.Var
) -> tuple[v.Constant | None, list[pg.E]]:
    """A table of neighbours for those conditions that never change, and the conditions that are left."""
    parts = [part for test in conditions for part in conjuncts(em.unit.folded(test))]
    fixed = fixed_between(em.unit, parts, place, near)
    name = around_table(em.unit, fixed, place, near) if fixed else None
    if name is None:
        return None, conditions
    return name, [part for part in parts if part not in fixed]


def _places(em: Builder, link: Link, things: Value) -> Value:
    if em.unit.known_mask(things) == 0:
        return v.ZERO
    if link.universe == "piece":
        things = occupied(em, things)
    return neighbours_of(em, things) if link.beside else things


def neighbours_of(em: Builder, spaces: Value) -> Value:
    return v.Call("neighbours_of", (spaces,), em.unit.mask_kind("space"))


def occupied(em: Builder, pieces: Value) -> Value:
    """The spaces in which these pieces stand."""
    known = em.unit.known_mask(pieces)
    cells = em.unit.layout.occupation.cells(known) if known is not None else None
    if cells is None:
        return v.Call("occupied", (STATE, pieces), em.unit.mask_kind("space"))
    return em.unit.unite([v.Cell(cell, None, em.unit.mask_kind("space")) for cell in cells])


def _taken_apart(
    em: Builder, group: pg.E, members: Members
) -> tuple[Link, list[pg.E], list[pg.E], pg.Var, list[pg.E]] | None:
    """How things hang together with the place, the sets they are in and not in, the conditions on each."""
    universe = group.type.name
    var = pg.Var("it", group.type.member)
    conditions: list[pg.E] = []
    node = group
    while isinstance(node, pg.Filter):
        conditions += conjuncts(substituted(node.condition, {node.var: pg.VarGet(var, type=var.type)}))
        node = node.group
    sets, without = [node], list[pg.E]()
    while isinstance(sets[0], pg.SetOp) and sets[0].op in "&-":
        top = sets[0]
        if top.op == "-":
            without.append(top.right)
        sets[:1] = [top.left] if top.op == "-" else [top.left, top.right]
    if any(uses_var(other, members) for other in without):
        return None
    links: list[Link] = []
    others: list[pg.E] = []
    for part in sets:
        match part:
            case pg.PiecesIn(place=place) if is_member(place, members):
                links.append(Link("piece", beside=False))
            case pg.Neighbours(place=place) if is_member(place, members):
                links.append(Link("space", beside=True))
            case _ if uses_var(part, members):
                return None
            case _:
                others.append(part)
    tests: list[pg.E] = []
    inner = frozenset({var})
    for test in conditions:
        match test:
            case pg.Member(value=value, group=pg.Neighbours(place=place)) if is_member(place, members):
                if place_of_member(value, inner):
                    links.append(Link("piece", beside=True))
                elif is_member(value, inner):
                    links.append(Link("space", beside=True))
                else:
                    tests.append(test)
            case _:
                tests.append(test)
    if len(links) != 1 or links[0].universe != universe:
        return None
    return links[0], others, without, var, tests


def _facts(test: pg.E, members: Members, inner: set[pg.Var]) -> list[pg.E] | None:
    """The parts of a condition that are about the place alone; None when it cannot be parted so."""
    if not uses_var(test, members):
        return []
    if test.type.kind == "flag" and not mentions(test, inner):
        return [test]
    if isinstance(test, pg.VarGet):
        return None
    found: list[pg.E] = []
    for part in sub_expressions(test):
        more = _facts(part, members, inner)
        if more is None:
            return None
        found.extend(more)
    return found


def _bound(e: pg.E) -> Iterator[pg.Var]:
    """The variables that loops inside an expression bring with them."""
    if isinstance(e, LOOPS):
        yield e.var
    for part in sub_expressions(e):
        yield from _bound(part)


def _with_facts(test: pg.E, known: dict[int, pg.Const]) -> pg.E:
    return known[id(test)] if id(test) in known else rebuilt(test, lambda part: _with_facts(part, known))


def shifted(
    em: Builder, env: Env, owners: Value, attribute: Attribute, of: pg.E, value: pg.E, members: Members
) -> Value | None:
    """Who has, in a printed direction from him, one of `owners`: on a grid that is a shift of the mask."""
    way = composed(em, of, members)
    if way is None:
        return None
    step = step_of(way)
    if step is None:
        return None
    valid = em.unit.literal(sum(1 << here for here, there in enumerate(way) if there >= 0))
    moved = v.Meet((v.Binary(">>" if step > 0 else "<<", owners, v.Number(abs(step))), valid))
    edge = sum(1 << here for here, there in enumerate(way) if there < 0)
    if not edge or (attribute.default == -1 and em.unit.never_none(value)):
        return moved
    if isinstance(value, pg.Const):
        return em.unit.unite([moved, em.unit.literal(edge)]) if value.value == attribute.default else moved
    # those who look off the map see the value of none
    test = v.Compare("==", em.code(env, value), em.unit.literal(attribute.default))
    return v.Join((moved, v.Choose(test, em.unit.literal(edge), v.ZERO)))


def step_of(way: tuple[int, ...]) -> int | None:
    """How far a direction leads, when it is the same everywhere."""
    steps = {there - here for here, there in enumerate(way) if there >= 0}
    return steps.pop() if len(steps) == 1 else None


def composed(em: Builder, of: pg.E, members: Members) -> tuple[int, ...] | None:
    """Printed attributes of printed attributes of the member, as one table: where each member leads."""
    if not isinstance(of, pg.AttrGet) or not of.attribute.printed or of.attribute.per_face:
        return None
    if of.attribute.type.kind != "thing":
        return None
    values = tuple(one if isinstance(one, int) else -1 for one in of.attribute.values)
    if is_member(of.of, members):
        return values
    first = composed(em, of.of, members)
    default = of.attribute.default
    if first is None or not isinstance(default, int):
        return None
    return tuple(values[i] if i >= 0 else default for i in first)
