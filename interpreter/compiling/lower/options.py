"""The legal options of a decision: statements that fill `opts`, with a mask where one thing is chosen."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from interpreter.compiling.flavours import Knack
from interpreter.compiling.ir import values as v
from interpreter.compiling.ir.builder import Builder
from interpreter.compiling.ir.kinds import FLAG, NUMBER
from interpreter.compiling.ir.statements import Do, ForEach, ForIn, Jump, Let, Update, When, While
from interpreter.compiling.ir.values import STATE, Value
from interpreter.compiling.lower.steps import StepWriter
from interpreter.compiling.lower.values import code, given
from interpreter.compiling.optimise.vectorise.select import select
from interpreter.compiling.unit import Env
from rulesdsl import program as pg
from rulesdsl.program.types import FLAG as A_FLAG

OPTIONS, WHO, _BETTER = v.Local("opts"), v.Local("who"), v.Local("better")
COUNT = v.Call("len", (OPTIONS,), NUMBER)
FEW = 50_000  # combinations that fit into the memory: whether they are too many is asked when all are there


def _too_many() -> When:
    too_many = v.Compare(">", COUNT, v.Name("MOST_OPTIONS"))
    return When(too_many, [Do(v.Call("too_many_options"))])


def offered(option: Value, to: v.Local = OPTIONS) -> Do:
    return Do(v.Method(to, "append", (option,)))


def legality(em: Builder, env: Env, use: pg.UseOfAction | None) -> Value | None:
    if use is None:
        return None
    values = [given(em, env, a) for a in use.arguments]
    return v.Call(em.unit.naming.called("ok", use.action), (STATE, *values), FLAG)


def gather_entries(em: Builder, env: Env, step: pg.MenuS) -> None:
    """Fill `opts` with the numbers of the entries of a menu that are possible."""
    em.let(OPTIONS, v.Listing())
    for number, entry in enumerate(step.entries):
        depth = em.depth
        if entry.condition is not None:
            em.enter(code(em, env, entry.condition))
        if (test := legality(em, env, entry.action)) is not None:
            em.enter(test)
        em.add(offered(v.Number(number)))
        em.back_to(depth)


def gather(w: StepWriter, step: pg.ChooseS, without: Value | None = None) -> None:
    """Fill `opts` with every legal choice; preferences keep the first rung that has any."""
    if not w.unit.does(Knack.OPTIONS):
        _ask_each(w, step, without)
    elif len(step.candidates) == 1:
        _gather_mask(w, step, without)
    else:
        _gather_tuples(w, step)


def _gather_mask(w: StepWriter, step: pg.ChooseS, without: Value | None) -> None:
    """Options that are a set stay a mask: nobody writes them out unless he asks for them."""
    em, (candidate,) = w.em, step.candidates
    mask = code(em, w.env, candidate.group)
    if without is not None:
        mask = w.unit.intersect([mask, v.Outside(without)])
    members = frozenset({candidate.var})
    if step.action is not None:
        mask = select(em, w.env, _is_legal(step.action), members, mask)
    em.let(OPTIONS, mask)
    for preference in _rung_by_rung(em, step):
        em.let(_BETTER, select(em, w.env, preference, members, OPTIONS))


def _gather_tuples(w: StepWriter, step: pg.ChooseS) -> None:
    """Combinations: a loop for each part but the last, whose legal members are a mask."""
    em, env, depth = w.em, dict(w.env), w.em.depth
    *outer, last = step.candidates
    names: list[v.Local] = []
    em.let(OPTIONS, v.Listing())
    for candidate in outer:
        names.append(em.temp("c", w.unit.kind(candidate.var.type)))
        em.enter_loop(ForEach(names[-1], code(em, env, candidate.group)))
        env[candidate.var] = names[-1]
    mask = code(em, env, last.group)
    if step.action is not None:
        mask = select(em, env, _is_legal(step.action), frozenset({last.var}), mask)
    names.append(em.temp("c", w.unit.kind(last.var.type)))
    env[last.var] = names[-1]
    em.add(ForEach(names[-1], mask, [offered(_tuple(names))]))
    few = _combinations(w, step) <= FEW
    if not few:
        em.add(_too_many())
    em.back_to(depth)
    if few:
        em.add(_too_many())
    _prefer(em, env, step, names)


def _combinations(w: StepWriter, step: pg.ChooseS) -> int:
    """How many there can be at most; more than a few when that cannot be told."""
    universes = w.unit.program.world.universes
    types = [candidate.var.type for candidate in step.candidates]
    if not all(type_.kind == "thing" and type_.name in universes for type_ in types):
        return FEW + 1
    return prod(universes[type_.name].mask(type_.of).bit_count() for type_ in types)


def _is_legal(use: pg.UseOfAction) -> pg.E:
    return pg.LegalE(use.action, use.arguments, type=A_FLAG)


def _ask_each(w: StepWriter, step: pg.ChooseS, without: Value | None) -> None:
    em, env, depth = w.em, dict(w.env), w.em.depth
    em.let(OPTIONS, v.Listing())
    names: list[v.Local] = []
    for candidate in step.candidates:
        member = em.temp("c", w.unit.kind(candidate.var.type))
        names.append(member)
        mask = code(em, env, candidate.group)
        if without is not None:
            mask = v.Meet((mask, v.Outside(without)))
        _loop(em, mask, member)
        env[candidate.var] = member
    test = legality(em, env, step.action)
    if test is not None:
        em.when(v.Not(test), Jump("continue"))
    em.add(offered(_tuple(names)))
    if len(names) > 1:
        em.add(_too_many())
    em.back_to(depth)
    _prefer(em, env, step, names)


def _prefer(em: Builder, env: Env, step: pg.ChooseS, names: list[v.Local]) -> None:
    """Keep those of the written-out options that are preferred."""
    for preference in _rung_by_rung(em, step):
        em.let(_BETTER, v.Listing())
        with em.loop(ForIn(tuple(names), OPTIONS)):
            em.when(code(em, env, preference), offered(_tuple(names), _BETTER))


def _rung_by_rung(em: Builder, step: pg.ChooseS) -> Iterator[pg.E]:
    """The first rung with an option decides; lower rungs are looked at only when it had none.

    For each rung whoever asks lets `better` be those of `opts` that it prefers.
    """
    depth = em.depth
    for preference in step.preferences:
        yield preference
        with em.branch(_BETTER):
            em.add(Let(OPTIONS, _BETTER))
        em.enter_otherwise()
    if step.preferences:
        em.jump("pass")
    em.back_to(depth)


def _tuple(names: list[v.Local]) -> Value:
    return names[0] if len(names) == 1 else v.Tuple(tuple(names))


def _loop(em: Builder, mask: Value, var: v.Local) -> None:
    """Open a loop over a mask and stay inside it."""
    rest, bit = em.temp("m", mask.kind), em.temp("b", mask.kind)
    em.let(rest, mask)
    em.enter_loop(While(rest))
    em.let(bit, v.Binary("&", rest, v.Negative(rest)))
    em.add(Update(rest, "^", bit))
    em.let(var, number_of(bit))


def number_of(bit: Value) -> Value:
    """The number of the only member of a mask."""
    return v.Binary("-", v.Method(bit, "bit_length"), v.ONE)
