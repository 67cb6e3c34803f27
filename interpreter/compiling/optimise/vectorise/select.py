"""The members of a set that pass a condition: masks first, a loop only over those still undecided.

`a and b` looks at `b` only for members that passed `a`; `a or b` only for those that did not; and so on
into defines and permissions. What is the same for all members is worked out once, before the loop. The
traced code asks every member instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from interpreter.compiling.flavours import Knack
from interpreter.compiling.ir import values as v
from interpreter.compiling.ir.asked import asks_rules, costs_much, each_part
from interpreter.compiling.ir.builder import Builder
from interpreter.compiling.ir.kinds import FLAG
from interpreter.compiling.ir.statements import Jump
from interpreter.compiling.ir.values import STATE, Value
from interpreter.compiling.lower.goals import route_and_goal
from interpreter.compiling.optimise.vectorise.by_value import select_alike, unchanging
from interpreter.compiling.optimise.vectorise.masks import inside, member_mask
from interpreter.compiling.optimise.vectorise.members import Members
from interpreter.compiling.optimise.vectorise.prefilter import first_member_cover, near_pieces_cover
from interpreter.compiling.optimise.vectorise.waiting import Asked, together
from interpreter.compiling.unit import Env, Unit
from rulesdsl import program as pg
from rulesdsl.program.builtins import BUILTINS
from rulesdsl.program.logic import conjuncts
from rulesdsl.program.walk import sub_expressions, uses_var

_SLOW = {name for name, builtin in BUILTINS.items() if builtin.slow}  # who is near enough is asked first


@dataclass(frozen=True, slots=True)
class Costly:
    """A mask that costs more than a look: the statements it takes, and what is the same for all members
    and makes it needless when it holds."""

    fork: Builder
    unless: tuple[Value, ...]
    mask: Value


def select(em: Builder, env: Env, test: pg.E, members: Members, within: Value) -> Value:
    """The mask of members of `within` for which a condition holds; may emit lines."""
    if any(var.type.kind == "number" for var in members):  # numbers have no attributes, so there are no masks
        return _asked_one_by_one(em, env, [em.unit.folded(test)], members, within)
    within, left = narrowed(em, env, test, members, within)
    if not left or em.unit.known_mask(within) == 0:
        return within
    return _asked_one_by_one(em, env, left, members, within)


def _asked_one_by_one(em: Builder, env: Env, left: list[pg.E], members: Members, within: Value) -> Value:
    kind = em.unit.kind(next(iter(members)).type)
    result, member = em.temp("r", em.unit.mask_kind(kind.universe)), em.temp("v", kind)
    inner, left = unchanging(em, env, left, members)
    em.let(result, v.ZERO)
    with em.each(within, member):
        inner |= dict.fromkeys(members, member)
        for part in left:
            em.when(v.Not(em.code(inner, part)), Jump("continue"))
        em.update(result, "|", v.Bit(member))
    return result


def narrowed(em: Builder, env: Env, test: pg.E, members: Members, within: Value) -> tuple[Value, list[pg.E]]:
    """Members that may pass, and the conditions that each of them must still be asked."""
    unit = em.unit
    test = unit.folded(test)
    cheap, costly, left = [within], list[Costly](), list[pg.E]()
    for part in conjuncts(test):
        if (guarded := _unless(em, env, part, members)) is not None:
            costly.append(guarded)
            continue
        for mask_of in (member_mask, near_pieces_cover, first_member_cover):
            fork = em.fork()
            mask = mask_of(fork, env, part, members)
            if mask is not None and not fork.body and not costs_much(mask):
                cheap.append(mask)
            elif mask is not None:
                costly.append(Costly(fork, (), mask))
            if mask is not None and mask_of is member_mask:
                break
        else:
            left.append(part)
    if unit.known_mask(within) == _everything(unit, members) and any(map(_is_state_mask, cheap)):
        cheap.remove(within)  # masks in the state hold nothing that does not exist
    within = unit.intersect(cheap)
    if unit.known_mask(within) == 0:
        return v.ZERO, []
    if costly:
        within = _in_place(em, within, costly)
    elif left and unit.does(Knack.ORDER):
        within = em.atom(within, "w")
    together: list[pg.E] = []  # neighbours that need a loop share it
    searching = [part for part in left if _searches(unit, part)] if unit.does(Knack.ORDER) else []
    for part in [part for part in left if part not in searching] + searching:
        if together and part in searching:  # a path is searched only for those who pass everything else
            within, together = _asked_one_by_one(em, env, together, members, within), []
        looked_into = select_alike(em, env, part, members, within)
        if looked_into is None and unit.does(Knack.ORDER):
            looked_into = _looked_into(em, env, part, members, within)
        if looked_into is None:
            together.append(part)
        else:
            within = looked_into
    return within, together


def _searches(unit: Unit, test: pg.E) -> bool:
    """Whether a condition leads to a search of paths or a line, if only by defines and permissions.

    Each of those is looked into once: chains of them that use each other twice would take ages.
    """
    seen: set[str] = set()
    waiting = [test]
    while waiting:
        e = waiting.pop()
        if isinstance(e, pg.RouteE) or (isinstance(e, pg.BuiltinE) and e.name in _SLOW):
            return True
        waiting += sub_expressions(e)
        behind: pg.E | None
        match e:
            case pg.CallE(define=name):
                behind = unit.folder.body(name)
            case pg.LegalE(action=action):
                name, behind = f"may {action}", unit.folder.legal(action)
            case _:
                continue
        if behind is not None and name not in seen and name not in unit.no_searches:
            seen.add(name)
            waiting.append(behind)
    unit.no_searches |= seen
    return False


def _everything(unit: Unit, members: Members) -> int:
    universe = unit.program.world.universes.get(next(iter(members)).type.name)
    return universe.mask() if universe is not None else 0


def _is_state_mask(mask: Value) -> bool:
    """Whether a mask is a cell of the state, found without another one."""
    inside = each_part(mask.index) if isinstance(mask, v.Cell) and mask.index is not None else ()
    return isinstance(mask, v.Cell) and not any(isinstance(e, (v.Cell, v.Item, v.Slot)) for e in inside)


def _unless(em: Builder, env: Env, test: pg.E, members: Members) -> Costly | None:
    """`a or b`, where `a` is the same for all members: a test, and a mask that is needed if it fails.

    Only when the mask costs more than the test.
    """
    if not em.unit.does(Knack.ORDER) or not isinstance(test, pg.LogicE) or test.op != "or":
        return None
    same: list[Value] = []
    rest: list[pg.E] = []
    for part in test.parts:
        fork = em.fork()
        alike = None if uses_var(part, members) else fork.code(env, part)
        if alike is None or fork.body or asks_rules(alike):
            rest.append(part)
        else:
            same.append(alike)
    if not same or not rest:
        return None
    fork = em.fork()
    mask = member_mask(fork, env, pg.LogicE("or", tuple(rest), type=test.type), members)
    if mask is None or not (fork.body or costs_much(mask)):
        return None
    return Costly(fork, tuple(same), mask)


def _in_place(em: Builder, within: Value, costly: Sequence[Costly]) -> Value:
    """What costs more is asked only while there is somebody left."""
    name = em.temp("w", within.kind)
    em.let(name, within)
    for one in costly:
        test: Value = name
        if one.unless:
            spared = v.Logic("or", one.unless) if len(one.unless) > 1 else one.unless[0]
            test = v.Logic("and", (name, v.Not(spared)))
        with em.branch(test):
            em.join(one.fork)
            _narrow(em, name, one.mask)
    return name


def _narrow(em: Builder, name: v.Local, mask: Value) -> None:
    """Take from a set who is not in a mask; where pieces stand is asked only of who is left."""
    match mask:
        case v.Call(name="standing_in", arguments=(_, spaces)):
            em.let(name, _standing_among(em, name, spaces))
        case v.Outside(mask=v.Call(name="standing_in", arguments=(_, spaces))):
            em.update(name, "&", v.Outside(_standing_among(em, name, spaces)))
        case v.Join(members=(v.Outside(mask=v.Call(name="standing_in", arguments=(_, spaces))), others)) if (
            em.unit.known_mask(others) is not None
        ):  # or who may stand there all the same
            asked = em.unit.intersect([name, em.unit.complement(others)])
            em.update(name, "&", v.Outside(_standing_among(em, asked, spaces)))
        case _:
            em.update(name, "&", mask)


def _standing_among(em: Builder, pieces: Value, spaces: Value) -> Value:
    return v.Call("standing_among", (STATE, pieces, spaces), em.unit.mask_kind("piece"))


def _looked_into(em: Builder, env: Env, test: pg.E, members: Members, within: Value) -> Value | None:
    """A condition made of parts, some of which narrow down; None when only a loop helps."""
    unit = em.unit
    match test:
        case pg.LogicE(op="and"):
            return select(em, env, test, members, within)
        case pg.LogicE(op="or", parts=parts):
            return _any_of(em, env, parts, members, within)
        case pg.NotE(value=value) if _has_parts(value):
            passed = em.atom(select(em, env, value, members, within), "w")
            return unit.intersect([within, unit.complement(passed)])
        case pg.IfE(condition=condition, then=then, otherwise=otherwise):
            yes = em.atom(select(em, env, condition, members, within), "w")
            no = em.atom(unit.intersect([within, unit.complement(yes)]), "w")
            first = _select_if_any(em, env, then, members, yes)
            return unit.unite([first, _select_if_any(em, env, otherwise, members, no)])
        case pg.CallE() | pg.LegalE():
            inner = _opened(em, env, test, members)
            return None if inner is None else select(em, inner.env, inner.test, inner.members, within)
        case pg.SomeE(group=group):
            return _some_who_get_there(em, env, group, members, within)
        case _:
            return None


@dataclass(frozen=True, slots=True)
class _Opened:
    """A define or a permission looked into: what it asks, and who the member is in there."""

    env: Env
    test: pg.E
    members: Members


def _opened(em: Builder, env: Env, test: pg.E, members: Members) -> _Opened | None:
    folder, program = em.unit.folder, em.unit.program
    body: pg.E | None
    match test:
        case pg.CallE(define=name, arguments=arguments):
            body, params = folder.body(name), program.defines[name].params
        case pg.LegalE(action=name, arguments=arguments):
            body, params = folder.legal(name), program.actions[name].params
        case _:
            return None
    if body is None or not folder.may_be_opened(body):
        return None
    inner = inside(em, env, params, arguments, members)
    return None if inner is None else _Opened(inner[0], body, inner[1])


def any_member(em: Builder, env: Env, test: pg.E, members: Members, within: Value) -> Value:
    """Whether a condition holds for a member of `within`: a loop ends with the first.

    Of `a or b` the second is asked when the first holds for nobody.
    """
    test = em.unit.folded(test)
    if em.unit.does(Knack.FIRST) and member_mask(em.fork(), env, test, members) is None:
        match test:
            case pg.LogicE(op="or", parts=parts):
                return _any_by_parts(em, env, parts, members, em.atom(within, "w"))
            case pg.CallE() | pg.LegalE() if select_alike(em.fork(), env, test, members, within) is None:
                inner = _opened(em, env, test, members)
                if inner is not None:
                    return any_member(em, inner.env, inner.test, inner.members, within)
            case _:
                pass
    within, left = narrowed(em, env, test, members, within)
    if not left:
        return within
    found, member = em.temp("y", FLAG), em.temp("v", em.unit.kind(next(iter(members)).type))
    em.let(found, v.ZERO)
    with em.each(within, member):
        for part in left:
            em.when(v.Not(em.code(env | dict.fromkeys(members, member), part)), Jump("continue"))
        em.let(found, v.ONE)
        em.jump("break")
    return found


def _any_by_parts(em: Builder, env: Env, parts: tuple[pg.E, ...], members: Members, within: Value) -> Value:
    found = em.temp("y", FLAG)
    em.let(found, any_member(em, env, parts[0], members, within))
    for part in parts[1:]:
        with em.branch(v.Not(found)):
            em.let(found, any_member(em, env, part, members, within))
    return found


def _some_who_get_there(em: Builder, env: Env, group: pg.E, members: Members, within: Value) -> Value | None:
    """Pieces that have somewhere to go: one search may answer for all of a kind."""
    found = route_and_goal(em, env, group) if not _goal_depends(group, members) else None
    if found is None:
        return None
    route, goal = found
    match route.arguments:
        case (pg.VarGet(var=var),) if var in members and var.type.name == "piece":
            name = em.unit.naming.called("those", route.route)
            return v.Call(name, (STATE, within, goal), em.unit.mask_kind("piece"))
        case _:
            return None


def _goal_depends(group: pg.E, members: Members) -> bool:
    parts = (group.left, group.right) if isinstance(group, pg.SetOp) else ()
    return any(uses_var(part, members) for part in parts if not isinstance(part, pg.RouteE))


def _has_parts(test: pg.E) -> bool:
    return isinstance(test, (pg.LogicE, pg.IfE, pg.CallE, pg.LegalE, pg.NotE, pg.SomeE))


def _any_of(em: Builder, env: Env, parts: tuple[pg.E, ...], members: Members, within: Value) -> Value:
    left: list[pg.E] = []
    asked: list[Asked] = []
    for part in parts:
        fork = em.fork()
        mask = member_mask(fork, env, part, members)
        if mask is None:
            left.append(part)
        else:
            asked.append(Asked(fork, mask))
    passed = [em.atom(em.unit.intersect([within, together(em, "or", asked)]), "w")] if asked else []
    rest = within
    for part in left:
        if passed:
            rest = em.atom(em.unit.intersect([rest, em.unit.complement(passed[-1])]), "w")
        passed.append(_select_if_any(em, env, part, members, rest))
    return em.unit.unite(passed)


def _select_if_any(em: Builder, env: Env, test: pg.E, members: Members, within: Value) -> Value:
    """Like `select`, but when it takes lines they are skipped if there is nobody to ask."""
    fork = em.fork()
    mask = select(fork, env, test, members, within)
    if not fork.body or em.unit.known_mask(within) is not None:
        em.join(fork)
        return em.atom(mask, "w")
    name = em.temp("w", mask.kind)
    em.let(name, v.ZERO)
    with em.branch(within):
        em.join(fork)
        em.let(name, mask)
    return name
