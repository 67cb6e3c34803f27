"""Loops that need not be loops: what they do to each, done to all at once.

`for each unit where on_map(it): if cut_off(unit): mark unit as lost` marks the same units as
`mark (units where on_map(it) and cut_off(it)) as lost`, as long as no question of the loop looks at a flag
that the loop changes. Then the question is asked of all members together, by masks. And `for each unit: set
unit.losses to 0` writes the same number into cells that stand side by side.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from interpreter.compiling.unit import Unit
from rulesdsl import program as pg
from rulesdsl.checking.whole.mentions import expressions_in
from rulesdsl.program.asked import all_asked


def as_marks(unit: Unit, step: pg.ForS) -> list[pg.MarkS] | None:
    """The steps that do what a loop does, without a loop; None when it takes one."""
    if not step.in_printed_order or step.group.type.of_enum:
        return None
    marked: list[tuple[pg.E | None, pg.MarkS]] = []
    for inner in step.body:
        match inner:
            case pg.MarkS():
                marked.append((None, inner))
            case pg.IfS(branches=((test, body),), otherwise=()):
                for one in body:
                    if not isinstance(one, pg.MarkS):
                        return None
                    marked.append((test, one))
            case _:
                return None
    changed = {(mark.attribute.universe, mark.attribute.name) for _, mark in marked}
    found: list[pg.MarkS] = []
    for asked, mark in marked:
        if not _is_each(mark.of, step) or (asked is not None and _asks(unit, asked, changed)):
            return None
        of = step.group
        if asked is not None:
            of = pg.Filter(of, step.var, asked, type=of.type)
        found.append(replace(mark, of=of))
    # the set is asked for again by every mark: none of them may change it
    return None if len(found) > 1 and _asks(unit, step.group, changed) else found or None


@dataclass(frozen=True, slots=True)
class Cells:
    """Cells of the state, side by side, and what is written into all of them."""

    first: int
    end: int
    value: int


def as_cells(unit: Unit, step: pg.ForS) -> Cells | None:
    """The cells that a loop fills, all with the same number; None when it does anything else."""
    match step:
        case pg.ForS(chooser=None, body=(pg.SetAttr(attribute=attribute, of=of) as inner,)):
            value, group = unit.folded(inner.value), unit.folded(step.group)
        case _:
            return None
    array = unit.layout.arrays[attribute.universe, attribute.name]
    watched = any(t.event == "changes" and t.attribute == attribute.name for t in unit.program.triggers)
    if array.masks >= 0 or watched or not _is_each(of, step):
        return None
    if not isinstance(value, pg.Const) or not isinstance(value.value, int):
        return None
    if not isinstance(group, pg.ClassSet) or group.type.of_enum:
        return None
    mask = unit.program.world.universes[group.type.name].mask(group.type.of)
    first, end = (mask & -mask).bit_length() - 1, mask.bit_length()
    if mask.bit_count() != end - first or (attribute.universe, attribute.name) == ("piece", "at"):
        return None
    low, high = attribute.type.low, attribute.type.high
    number = value.value if low is None or high is None else min(max(value.value, low), high)
    return Cells(array.base + first, array.base + end, number)


def _is_each(e: pg.E, step: pg.ForS) -> bool:
    return isinstance(e, pg.VarGet) and e.var is step.var


def _asks(unit: Unit, e: pg.E, changed: set[tuple[str, str]]) -> bool:
    """Whether a value may depend on one of these flags."""
    for part in all_asked(unit.program, e, expressions_in):
        if isinstance(part, pg.AttrGet) and (part.attribute.universe, part.attribute.name) in changed:
            return True
        if isinstance(part, pg.PlayableE):
            return True  # whether a token may be played is asked of more than is seen here
    return False
