"""Decisions inside plain functions: gather the legal options, ask at once, go on with what was chosen.

`decide(who, count)` gives a number below `count`; the last one is the way out, when there is one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from interpreter.codegen.decisions import halt_as_preferred
from interpreter.codegen.expressions import code
from interpreter.codegen.lookups import chunks_of, nth_code
from interpreter.codegen.options import gather, gather_entries, legality
from interpreter.codegen.pairs import gather_pairs
from rulesdsl import program as pg

if TYPE_CHECKING:
    from interpreter.codegen.flow import FlowWriter


def decide(w: FlowWriter, step: pg.ChooseS | pg.MenuS | pg.TravelS) -> None:
    match step:
        case pg.ChooseS(result=None):
            _choose(w, step)
        case pg.ChooseS():
            _choose_several(w, step)
        case pg.MenuS():
            _menu(w, step)
        case pg.TravelS():
            _travel(w, step)


@dataclass(frozen=True, slots=True)
class Offer:
    """Code for the options of a choice: whether there are any, how many, and the one at place `i`."""

    some: str
    count: str
    chosen: str


def _offer(w: FlowWriter, step: pg.ChooseS, without: str = "") -> Offer:
    """Emit lines that find the options."""
    if not without and (ways := gather_pairs(w.em, w.env, step)):
        w.flow.ways.add(ways)
        masks = [f"w{n}" for n in range(ways)]
        count = " + ".join(f"{mask}.bit_count()" for mask in masks)
        return Offer(" or ".join(masks), count, f"nth_way_{ways}(i, ways, {', '.join(masks)})")
    gather(w, step, without)
    if len(step.candidates) > 1:
        return Offer("opts", "len(opts)", "opts[i]")
    return Offer("opts", "opts.bit_count()", _nth(w, step.candidates[0].var))


def _nth(w: FlowWriter, var: pg.Var) -> str:
    """Code for the member at place `i` of `opts`."""
    world, name = w.unit.program.world, var.type.name
    size = len(world.universes[name]) if name in world.universes else len(world.enums[name].values)
    w.flow.chunks.add(chunks_of(size))
    return nth_code(size)


def _asked(w: FlowWriter, step: pg.ChooseS, offer: Offer) -> str:
    """Whether there is something to choose, and somebody to choose it."""
    if w.unit.never_none(step.player):
        return offer.some
    return f"({offer.some}) and who >= 0" if " " in offer.some else f"{offer.some} and who >= 0"


def _ask(w: FlowWriter, step: pg.ChooseS, offer: Offer, out: str) -> None:
    """Emit `i`, the number chosen; -1 for the way out, and when there is nothing to choose."""
    em = w.em
    em.emit(f"if {_asked(w, step, offer)}:")
    with em.indented():
        em.emit(f"n = {offer.count}")
        em.emit(f"i = decide(who, {'n + 1' if out == '1' else f'n + (1 if {out} else 0)'})")
        em.emit("if i == n: i = -1")
    em.emit("else: i = -1")


def _choose(w: FlowWriter, step: pg.ChooseS) -> None:
    em = w.em
    variables = [w.of(c.var) for c in step.candidates]
    em.emit(f"who = {code(em, w.env, step.player)}")
    offer = _offer(w, step)
    out = "0"
    if step.out_label is not None:
        out = legality(em, w.env, step.out_action) or "1"
    if out == "0":
        em.emit(f"if {_asked(w, step, offer)}:")
    else:
        _ask(w, step, offer, out)
        em.emit("if i >= 0:")
    with em.indented():
        if out == "0":
            em.emit(f"i = decide(who, {offer.count})")
        em.emit(f"{', '.join(variables)} = {offer.chosen}")
        w.steps(step.body)
    em.emit("else:")
    with em.indented():
        em.emit(f"{' = '.join(variables)} = -1")
        w.steps(step.otherwise)


def _choose_several(w: FlowWriter, step: pg.ChooseS) -> None:
    assert step.result is not None
    em = w.em
    w.of(step.candidates[0].var)
    result, most = w.of(step.result), w.place()
    em.emit(f"{result} = 0")
    em.emit(f"{most} = {code(em, w.env, step.count) if step.count is not None else '0'}")
    em.emit("while 1:")
    with em.indented():
        if step.count_kind in ("up to", "exactly"):
            em.emit(f"if {result}.bit_count() >= {most}: break")
        em.emit(f"who = {code(em, w.env, step.player)}")
        offer = _offer(w, step, result)
        out = "1"
        if step.count_kind in ("at least", "exactly"):
            em.emit(f"enough = {result}.bit_count() >= {most}")
            out = "enough"
        if (test := legality(em, w.env, step.out_action)) is not None:
            out = f"({out} and {test})"
        _ask(w, step, offer, out)
        em.emit("if i < 0: break")
        em.emit(f"{result} |= 1 << {offer.chosen}")
    em.emit(f"if {result}:")
    with em.indented():
        w.steps(step.body)
        em.emit("pass")
    _otherwise(w, step.otherwise)


def _otherwise(w: FlowWriter, steps: pg.Steps) -> None:
    if steps:
        w.em.emit("else:")
        with w.em.indented():
            w.steps(steps)
            w.em.emit("pass")


def choose_next(w: FlowWriter, step: pg.ForS, left: str, member: str) -> None:
    """Which of the remaining members comes next; asked only when there is more than one."""
    assert step.chooser is not None
    em = w.em
    em.emit(f"{member} = ({left} & -{left}).bit_length() - 1")
    em.emit(f"if {left} & ({left} - 1):")
    with em.indented():
        em.emit(f"who = {code(em, w.env, step.chooser)}")
        em.emit("if who >= 0:")
        em.emit(f"    opts = {left}")
        em.emit("    i = decide(who, opts.bit_count())")
        em.emit(f"    {member} = {_nth(w, step.var)}")


def _menu(w: FlowWriter, step: pg.MenuS) -> None:
    em = w.em
    em.emit(f"who = {code(em, w.env, step.player)}")
    gather_entries(em, w.env, step)
    chosen = em.temp("e")
    em.emit(f"{chosen} = -1")
    em.emit("if opts and who >= 0:")
    with em.indented():
        if step.decline is not None:
            em.emit("opts.append(-1)")
        em.emit(f"{chosen} = opts[decide(who, len(opts))]")
    depth = em.depth
    for number, entry in enumerate(step.entries):
        em.emit(f"{'elif' if number else 'if'} {chosen} == {number}:")
        with em.indented():
            w.steps(entry.body)
            em.emit("pass")
    _otherwise(w, step.otherwise)
    em.depth = depth


def _travel(w: FlowWriter, step: pg.TravelS) -> None:
    """A piece goes step by step; each step is chosen among those from which it may still end legally."""
    em, layout = w.em, w.unit.layout
    piece, spent, taken, target, origin = (w.place() for _ in range(5))
    at = layout.arrays["piece", "at"].base
    route = w.unit.program.routes[step.route]
    em.emit(f"{piece} = {code(em, w.env, step.piece)}")
    seen = w.place() if route.preferences else ""
    also = f", {seen}" if seen else ""
    em.emit(f"{spent} = {taken} = {f'{seen} = ' if seen else ''}0")
    em.emit("while 1:")
    with em.indented():
        em.emit(f"at = s[{at} + {piece}]")
        em.emit(f"if {piece} < 0 or at < 0: break")
        if seen:
            em.emit(f"{seen} |= 1 << at")
        em.emit(f"nexts = next_{step.route}(s, {piece}, at, {spent}, {taken}{also})")
        em.emit("if not nexts: break")
        em.emit("opts = [*nexts]")
        em.emit(f"who = {code(em, w.env, step.player)}")
        em.emit("if who < 0: break")
        # whether it may end here is judged as before it came: the piece itself is not counted
        w.lift(piece, "at")
        end = f"end_{step.route}(s, {piece}, at, -1, at, {taken}, {spent})"
        em.emit(f"halt = {f'{taken} >= {route.minimum} and ' if route.minimum else ''}{end}")
        w.lower(piece, "at")
        if route.preferences:
            halt_as_preferred(em, step.route, piece, spent, taken, seen, "break")
        em.emit("i = decide(who, len(opts) + (1 if halt else 0))")
        em.emit("if i == len(opts): break")
        em.emit(f"{target} = opts[i]")
        em.emit(f"paid = nexts[{target}]")
        if not seen:  # a search by masks leaves it to be worked out for the step that is taken
            asked = f"paid_{step.route}(s, {piece}, at, {spent}, {taken}, {target})"
            em.emit(f"if paid is None: paid = {asked}")
        em.emit(f"{spent} = paid")
        em.emit(f"{taken} += 1")
        em.emit(f"{origin} = at")
        w.move_one(piece, target, "move")
        em.emit(f"if s[{at} + {piece}] != {target}: break")
        em.emit(f"if stop_{step.route}(s, {piece}, {origin}, -1, {target}, {taken} - 1, {spent}): break")
