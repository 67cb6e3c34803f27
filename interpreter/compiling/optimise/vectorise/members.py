"""The member that a condition is asked of, and the space it stands in."""

from __future__ import annotations

from rulesdsl import program as pg

Members = frozenset[pg.Var]  # variables that stand for the same member


def is_member(e: pg.E, members: Members) -> bool:
    return isinstance(e, pg.VarGet) and e.var in members


def place_of_member(e: pg.E, members: Members) -> bool:
    """Whether `e` is the space in which the member stands."""
    match e:
        case pg.BuiltinE(name="place_of", arguments=(of,)):
            return is_member(of, members)
        case pg.AttrGet(attribute=attribute, of=of):
            return (attribute.universe, attribute.name) == ("piece", "at") and is_member(of, members)
        case _:
            return False
