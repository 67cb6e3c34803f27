"""Conditions that only ask what is printed: they are answered for every thing before the game."""

from __future__ import annotations

from interpreter.codegen.folding import COMPARE
from interpreter.layout import sub_expressions
from rulesdsl import program as pg
from rulesdsl.world import Attribute, World

MOST_THINGS = 400  # to be asked one by one, while the rules are compiled
_NODES = (
    pg.Const, pg.VarGet, pg.AttrGet, pg.NotE, pg.LogicE, pg.CompareE, pg.IfE, pg.Member, pg.SetOp,
    pg.SingleSet, pg.ClassSet, pg.CountE,
)  # fmt: skip


def printed_mask_of(world: World, test: pg.E, members: frozenset[pg.Var]) -> int | None:
    """All members for which the condition holds; None when it asks about anything else."""
    universe = world.universes.get(next(iter(members)).type.name)
    if universe is None or len(universe) > MOST_THINGS or not _is_printed(test, members):
        return None
    return sum(1 << number for number in range(len(universe)) if _value(world, test, number))


def printed_chain(e: pg.E) -> tuple[pg.E, tuple[object, ...]] | None:
    """`unit.army.colour` as one table: the variable it begins with, and the value for each of its things.

    The last element is the value for none. None when there are not at least two printed attributes.
    """
    attributes: list[Attribute] = []
    while isinstance(e, pg.AttrGet) and e.attribute.printed and not e.attribute.per_face:
        attributes.append(e.attribute)
        e = e.of
    if len(attributes) < 2 or not isinstance(e, pg.VarGet):
        return None
    first = attributes.pop()
    values: list[object] = [*first.values, first.default]
    while attributes:
        following = attributes.pop()
        known = (*following.values, following.default)
        values = [known[v] if isinstance(v, int) else following.default for v in values]
    return e, tuple(values)


def _is_printed(e: pg.E, members: frozenset[pg.Var]) -> bool:
    if not isinstance(e, _NODES):
        return False
    match e:
        case pg.VarGet(var=var):
            return var in members
        case pg.AttrGet(attribute=attribute):
            if not attribute.printed or attribute.per_face:
                return False
        case pg.ClassSet(type=type_):
            return not type_.of_enum
        case pg.Member(value=value) | pg.SingleSet(value=value):
            if value.type.kind != "thing":
                return False
        case _:
            pass
    return all(_is_printed(part, members) for part in sub_expressions(e))


def _value(world: World, e: pg.E, member: int) -> object:
    """The value for one member; sets are masks."""

    def of(part: pg.E) -> object:
        return _value(world, part, member)

    def mask(part: pg.E) -> int:
        value = of(part)
        assert isinstance(value, int)
        return value

    match e:
        case pg.Const(value=value):
            return value
        case pg.VarGet():
            return member
        case pg.AttrGet(attribute=attribute, of=owner):
            number = mask(owner)
            return attribute.default if number < 0 else attribute.values[number]
        case pg.NotE(value=inner):
            return not of(inner)
        case pg.LogicE(op=op, parts=parts):
            return all(map(of, parts)) if op == "and" else any(map(of, parts))
        case pg.CompareE(op=op, left=left, right=right):
            if left.type.kind == "flag":
                return COMPARE[op](not of(left), not of(right))
            return COMPARE[op](of(left), of(right))
        case pg.IfE(condition=test, then=then, otherwise=otherwise):
            return of(then) if of(test) else of(otherwise)
        case pg.Member(value=value, group=group):
            return mask(value) >= 0 and mask(group) >> mask(value) & 1
        case pg.SetOp(op=op, left=left, right=right):
            a, b = mask(left), mask(right)
            return a | b if op == "|" else a & b if op == "&" else a & ~b
        case pg.SingleSet(value=value):
            return 1 << mask(value) if mask(value) >= 0 else 0
        case pg.ClassSet(type=type_):
            return world.universes[type_.name].mask(type_.of)
        case pg.CountE(group=group):
            return mask(group).bit_count()
        case _:
            raise AssertionError(f"no printed value of {type(e).__name__}")
