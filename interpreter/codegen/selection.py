"""The members of a set that pass a condition: masks first, a loop only over those still undecided.

`a and b` looks at `b` only for members that passed `a`; `a or b` only for those that did not; and so on
into defines and permissions. What is the same for all members is worked out once, before the loop. The
traced code asks every member instead.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from interpreter.codegen import expressions as ex
from interpreter.codegen import sets
from interpreter.codegen.alike import select_alike, unchanging
from interpreter.codegen.covers import first_member_cover, near_pieces_cover
from interpreter.codegen.emitter import Emitter, Env, Unit
from interpreter.codegen.masks import Members, inside, member_mask
from interpreter.codegen.trees import conjuncts
from interpreter.layout import sub_expressions, uses_var
from rulesdsl import program as pg

_LINES = ("line", "sides_along")  # who is near enough is asked first
# one call and nothing else; or that call and those who may stand there all the same
_STANDING = re.compile(r"(~?)standing_in\(s, ((?:[^()]|\([^()]*\))*)\)")
_NOWHERE_BUT = re.compile(r"\(~standing_in\(s, ((?:[^()]|\([^()]*\))*)\) \| (-?\d+|K\d+_\w+)\)")


def select(em: Emitter, env: Env, test: pg.E, members: Members, within: str) -> str:
    """The mask of members of `within` for which a condition holds; may emit lines."""
    within, left = narrowed(em, env, test, members, within)
    if not left or em.unit.known_mask(within) == 0:
        return within
    return _asked_one_by_one(em, env, left, members, within)


def _asked_one_by_one(em: Emitter, env: Env, left: list[pg.E], members: Members, within: str) -> str:
    result, member = em.temp("r"), em.temp("v")
    inner, left = unchanging(em, env, left, members)
    em.emit(f"{result} = 0")
    with em.each(within, member):
        inner |= dict.fromkeys(members, member)
        for part in left:
            em.emit(f"if not {ex.code(em, inner, part)}: continue")
        em.emit(f"{result} |= 1 << {member}")
    return result


def narrowed(em: Emitter, env: Env, test: pg.E, members: Members, within: str) -> tuple[str, list[pg.E]]:
    """Members that may pass, and the conditions that each of them must still be asked."""
    unit = em.unit
    test = unit.folded(test)
    cheap, costly, left = [within], list[tuple[Emitter, str, str]](), list[pg.E]()
    for part in conjuncts(test):
        if (guarded := _unless(em, env, part, members)) is not None:
            costly.append(guarded)
            continue
        for mask_of in (member_mask, near_pieces_cover, first_member_cover):
            fork = em.fork()
            mask = mask_of(fork, env, part, members)
            if mask is not None and not fork.lines and "(s, " not in mask and "_of(" not in mask:
                cheap.append(mask)
            elif mask is not None:
                costly.append((fork, "", mask))
            if mask is not None and mask_of is member_mask:
                break
        else:
            left.append(part)
    if unit.known_mask(within) == _everything(unit, members) and any(map(_is_state_mask, cheap)):
        cheap.remove(within)  # masks in the state hold nothing that does not exist
    within = unit.intersect(cheap)
    if unit.known_mask(within) == 0:
        return "0", []
    if costly:
        within = _in_place(em, within, costly)
    elif left and not unit.traced:
        within = em.atom(within, "w")
    together: list[pg.E] = []  # neighbours that need a loop share it
    searching = [] if unit.traced else [part for part in left if _searches(unit, part)]
    for part in [part for part in left if part not in searching] + searching:
        if together and part in searching:  # a path is searched only for those who pass everything else
            within, together = _asked_one_by_one(em, env, together, members, within), []
        looked_into = select_alike(em, env, part, members, within)
        if looked_into is None and not unit.traced:
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
        if isinstance(e, pg.RouteE) or (isinstance(e, pg.BuiltinE) and e.name in _LINES):
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


def _is_state_mask(mask: str) -> bool:
    return mask.startswith("s[") and mask.index("]") == len(mask) - 1


def _unless(em: Emitter, env: Env, test: pg.E, members: Members) -> tuple[Emitter, str, str] | None:
    """`a or b`, where `a` is the same for all members: a test, and a mask that is needed if it fails.

    Only when the mask costs more than the test.
    """
    if em.unit.traced or not isinstance(test, pg.LogicE) or test.op != "or":
        return None
    same: list[str] = []
    rest: list[pg.E] = []
    for part in test.parts:
        fork = em.fork()
        alike = None if uses_var(part, members) else ex.code(fork, env, part)
        if alike is None or fork.lines or "(s, " in alike:
            rest.append(part)
        else:
            same.append(alike)
    if not same or not rest:
        return None
    fork = em.fork()
    mask = member_mask(fork, env, pg.LogicE("or", tuple(rest), type=test.type), members)
    if mask is None or not (fork.lines or "(s, " in mask or "_of(" in mask):
        return None
    return fork, f" and not ({' or '.join(same)})", mask


def _in_place(em: Emitter, within: str, costly: Sequence[tuple[Emitter, str, str]]) -> str:
    """What costs more is asked only while there is somebody left."""
    name = em.temp("w")
    em.emit(f"{name} = {within}")
    for fork, unless, mask in costly:
        em.emit(f"if {name}{unless}:")
        em.join(fork, 1)
        em.emit(f"    {name} {_narrowing(em, name, mask)}")
    return name


def _narrowing(em: Emitter, name: str, mask: str) -> str:
    """Code that takes from a set who is not in a mask; where pieces stand is asked only of who is left."""
    if (standing := _STANDING.fullmatch(mask)) is not None:
        return f"{'&= ~' if standing[1] else '= '}standing_among(s, {name}, {standing[2]})"
    if (nowhere := _NOWHERE_BUT.fullmatch(mask)) is not None:
        asked = em.unit.intersect([name, em.unit.complement(nowhere[2])])
        return f"&= ~standing_among(s, {asked}, {nowhere[1]})"
    return f"&= {mask}"


def _looked_into(em: Emitter, env: Env, test: pg.E, members: Members, within: str) -> str | None:
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
        case pg.CallE(define=name, arguments=arguments):
            body = unit.folder.body(name)
            if not unit.folder.may_be_opened(body):
                return None
            inner = inside(em, env, unit.program.defines[name].params, arguments, members)
            return None if inner is None else select(em, inner[0], body, inner[1], within)
        case pg.LegalE(action=name, arguments=arguments):
            legal, action = unit.folder.legal(name), unit.program.actions[name]
            if legal is None or not unit.folder.may_be_opened(legal):
                return None
            inner = inside(em, env, action.params, arguments, members)
            if inner is None:
                return None
            return select(em, inner[0], legal, inner[1], within)
        case pg.SomeE(group=group):
            return _some_who_get_there(em, env, group, members, within)
        case _:
            return None


def _some_who_get_there(em: Emitter, env: Env, group: pg.E, members: Members, within: str) -> str | None:
    """Pieces that have somewhere to go: one search may answer for all of a kind."""
    found = sets.route_and_goal(em, env, group) if not _goal_depends(group, members) else None
    if found is None:
        return None
    route, goal = found
    match route.arguments:
        case (pg.VarGet(var=var),) if var in members and var.type.name == "piece":
            return f"those_{route.route}(s, {within}, {goal})"
        case _:
            return None


def _goal_depends(group: pg.E, members: Members) -> bool:
    parts = (group.left, group.right) if isinstance(group, pg.SetOp) else ()
    return any(uses_var(part, members) for part in parts if not isinstance(part, pg.RouteE))


def _has_parts(test: pg.E) -> bool:
    return isinstance(test, (pg.LogicE, pg.IfE, pg.CallE, pg.LegalE, pg.NotE, pg.SomeE))


def _any_of(em: Emitter, env: Env, parts: tuple[pg.E, ...], members: Members, within: str) -> str:
    left: list[pg.E] = []
    masks: list[str] = []
    for part in parts:
        mask = member_mask(em, env, part, members)
        if mask is None:
            left.append(part)
        else:
            masks.append(mask)
    passed = [em.atom(em.unit.intersect([within, em.unit.unite(masks)]), "w")] if masks else []
    rest = within
    for part in left:
        if passed:
            rest = em.atom(em.unit.intersect([rest, em.unit.complement(passed[-1])]), "w")
        passed.append(_select_if_any(em, env, part, members, rest))
    return em.unit.unite(passed)


def _select_if_any(em: Emitter, env: Env, test: pg.E, members: Members, within: str) -> str:
    """Like `select`, but when it takes lines they are skipped if there is nobody to ask."""
    fork = em.fork()
    mask = select(fork, env, test, members, within)
    if not fork.lines or em.unit.known_mask(within) is not None:
        em.join(fork)
        return em.atom(mask, "w")
    name = em.temp("w")
    em.emit(f"{name} = 0")
    em.emit(f"if {within}:")
    em.join(fork, 1)
    em.emit(f"    {name} = {mask}")
    return name
