"""Decisions inside plain functions: gather the legal options, ask at once, go on with what was chosen.

`decide(who, count)` gives a number below `count`; the last one is the way out, when there is one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, assert_never

from interpreter.compiling.emit.blocks.decisions import (
    AT,
    HALT,
    NEXTS,
    Journey,
    may_halt,
    steps_there_are,
)
from interpreter.compiling.emit.playout.nth_option import NTH_WAY, chunks_of, nth_code
from interpreter.compiling.ir import values as v
from interpreter.compiling.ir.kinds import FLAG, NUMBER
from interpreter.compiling.ir.statements import Decide, Jump, Let, LetParts, LetSame, Target, While
from interpreter.compiling.ir.values import Value
from interpreter.compiling.lower.options import (
    COUNT,
    OPTIONS,
    WHO,
    gather,
    gather_entries,
    legality,
    offered,
)
from interpreter.compiling.lower.values import code
from interpreter.compiling.optimise.vectorise.directions import WAYS, gather_pairs, way_mask
from interpreter.running.numbers import MOST_TO_CHOOSE
from interpreter.state.symbols import numbered
from rulesdsl import program as pg

if TYPE_CHECKING:
    from interpreter.compiling.emit.playout.functions import FlowWriter

_I, _N = v.Local("i", NUMBER), v.Local("n", NUMBER)
_SOMEBODY = v.Compare(">=", WHO, v.ZERO)


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
        case _:
            assert_never(step)


@dataclass(frozen=True, slots=True)
class Offer:
    """The options of a choice: whether there are any, how many, and the one at place `i`."""

    some: Value
    count: Value
    chosen: Value


def _offer(w: FlowWriter, step: pg.ChooseS, without: Value | None = None) -> Offer:
    """Find the options."""
    if without is None and (ways := gather_pairs(w.em, w.env, step)):
        w.flow.ways.add(ways)
        masks = tuple(way_mask(w.em, n) for n in range(ways))
        count: Value = v.Count(masks[0])
        for mask in masks[1:]:
            count = v.Binary("+", count, v.Count(mask))
        some = v.Logic("or", masks) if ways > 1 else masks[0]
        return Offer(some, count, v.Call(numbered(NTH_WAY, ways), (_I, WAYS, *masks)))
    gather(w, step, without)
    if len(step.candidates) > 1:
        return Offer(OPTIONS, COUNT, v.Item(OPTIONS, _I))
    return Offer(OPTIONS, v.Count(OPTIONS), _nth(w, step.candidates[0].var))


def _nth(w: FlowWriter, var: pg.Var) -> Value:
    """The member at place `i` of `opts`."""
    size = MOST_TO_CHOOSE + 1 if var.type.kind == "number" else w.unit.size(var.type.name)
    w.flow.chunks.add(chunks_of(size))
    return nth_code(size, w.unit.kind(var.type))


def _asked(w: FlowWriter, step: pg.ChooseS, offer: Offer) -> Value:
    """Whether there is something to choose, and somebody to choose it."""
    if w.unit.never_none(step.player):
        return offer.some
    return v.Logic("and", (offer.some, _SOMEBODY))


def _ask(w: FlowWriter, step: pg.ChooseS, offer: Offer, out: Value) -> None:
    """Let `i` be the number chosen; -1 for the way out, and when there is nothing to choose."""
    em = w.em
    with em.branch(_asked(w, step, offer)):
        em.let(_N, offer.count)
        more = v.ONE if out == v.ONE else v.Choose(out, v.ONE, v.ZERO)
        em.add(Decide(_I, WHO, v.Binary("+", _N, more)))
        em.when(v.Compare("==", _I, _N), Let(_I, v.MINUS_ONE))
    with em.otherwise():
        em.let(_I, v.MINUS_ONE)


def _choose(w: FlowWriter, step: pg.ChooseS) -> None:
    em = w.em
    variables = tuple([w.of(c.var) for c in step.candidates])
    em.let(WHO, code(em, w.env, step.player))
    offer = _offer(w, step)
    out: Value = v.ZERO
    if step.out_label is not None:
        out = legality(em, w.env, step.out_action) or v.ONE
    if out == v.ZERO:
        test = _asked(w, step, offer)
    else:
        _ask(w, step, offer, out)
        test = v.Compare(">=", _I, v.ZERO)
    with em.branch(test):
        if out == v.ZERO:
            em.add(Decide(_I, WHO, offer.count))
        em.add(LetParts(variables, offer.chosen))
        w.steps(step.body)
    with em.otherwise():
        em.add(LetSame(variables, v.MINUS_ONE))
        w.steps(step.otherwise)


def _choose_several(w: FlowWriter, step: pg.ChooseS) -> None:
    assert step.result is not None
    em = w.em
    w.of(step.candidates[0].var)
    result, most = w.of(step.result), w.place()
    em.let(result, v.ZERO)
    em.let(most, code(em, w.env, step.count) if step.count is not None else v.ZERO)
    is_enough = v.Compare(">=", v.Count(result), most)
    with em.loop(While(v.ONE)):
        if step.count_kind in ("up to", "exactly"):
            em.when(is_enough, Jump("break"))
        em.let(WHO, code(em, w.env, step.player))
        offer = _offer(w, step, result)
        out: Value = v.ONE
        if step.count_kind in ("at least", "exactly"):
            out = v.Local("enough", FLAG)
            em.let(out, is_enough)
        if (test := legality(em, w.env, step.out_action)) is not None:
            out = v.Logic("and", (out, test))
        _ask(w, step, offer, out)
        em.when(v.Compare("<", _I, v.ZERO), Jump("break"))
        em.update(result, "|", v.Bit(offer.chosen))
    with em.branch(result):
        w.steps(step.body)
        em.jump("pass")
    _otherwise(w, step.otherwise)


def _otherwise(w: FlowWriter, steps: pg.Steps) -> None:
    if steps:
        with w.em.otherwise():
            w.steps(steps)
            w.em.jump("pass")


def choose_next(w: FlowWriter, step: pg.ForS, left: Value, member: Target) -> None:
    """Which of the remaining members comes next; asked only when there is more than one."""
    assert step.chooser is not None
    em = w.em
    em.let(member, v.First(left))
    with em.branch(v.Binary("&", left, v.Binary("-", left, v.ONE))):
        em.let(WHO, code(em, w.env, step.chooser))
        with em.branch(_SOMEBODY):
            em.let(OPTIONS, left)
            em.add(Decide(_I, WHO, v.Count(OPTIONS)))
            em.let(member, _nth(w, step.var))


def _menu(w: FlowWriter, step: pg.MenuS) -> None:
    em = w.em
    em.let(WHO, code(em, w.env, step.player))
    gather_entries(em, w.env, step)
    chosen = em.temp("e", NUMBER)
    em.let(chosen, v.MINUS_ONE)
    with em.branch(v.Logic("and", (OPTIONS, _SOMEBODY))):
        if step.decline is not None:
            em.add(offered(v.MINUS_ONE))
        em.add(Decide(_I, WHO, COUNT))
        em.let(chosen, v.Item(OPTIONS, _I))
    for number, entry in enumerate(step.entries):
        test = v.Compare("==", chosen, v.Number(number))
        with em.otherwise(test) if number else em.branch(test):
            w.steps(entry.body)
            em.jump("pass")
    _otherwise(w, step.otherwise)


def _travel(w: FlowWriter, step: pg.TravelS) -> None:
    """A piece goes step by step; each step is chosen among those from which it may still end legally."""
    em = w.em
    piece = w.place(type_=step.piece.type)
    spent, taken, target, origin = (w.place() for _ in range(4))
    route, n = w.unit.program.routes[step.route], w.unit.naming.route(step.route)
    em.let(piece, code(em, w.env, step.piece))
    journey = Journey(n, route, piece, spent, taken, w.place() if route.preferences else None)
    em.add(journey.begun())
    arrived, paid = Jump("break"), v.Local("paid")
    with em.loop(While(v.ONE)):
        steps_there_are(w, step, journey, arrived)
        may_halt(w, journey, False, arrived)
        em.add(Decide(_I, WHO, v.Binary("+", COUNT, v.Choose(HALT, v.ONE, v.ZERO))))
        em.when(v.Compare("==", _I, COUNT), arrived)
        em.let(target, v.Item(OPTIONS, _I))
        em.let(paid, v.Item(NEXTS, target))
        if journey.seen is None:  # a search by masks leaves it to be worked out for the step that is taken
            asked = v.Call(f"paid_{n}", (*journey.so_far, target))
            em.when(v.Compare("is", paid, v.NOTHING), Let(paid, asked))
        em.let(spent, paid)
        em.update(taken, "+", v.ONE)
        em.let(origin, AT)
        w.move_one(piece, target, "move")
        em.when(v.Compare("!=", w.at(piece), target), arrived)
        em.when(journey.must_stop(origin, target), arrived)
