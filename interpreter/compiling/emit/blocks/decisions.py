"""Decisions as blocks: gather the legal options, ask, go on with what was chosen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, assert_never

from interpreter.compiling.decision_points import MenuSite, Site, TravelSite
from interpreter.compiling.flavours import Knack
from interpreter.compiling.ir import values as v
from interpreter.compiling.ir.kinds import FLAG, NUMBER
from interpreter.compiling.ir.statements import (
    Ask,
    Let,
    LetParts,
    LetSame,
    Return,
    Statement,
    Target,
    While,
)
from interpreter.compiling.ir.values import MACHINE, STATE, Value
from interpreter.compiling.lower.options import (
    OPTIONS,
    WHO,
    gather,
    gather_entries,
    legality,
    number_of,
    offered,
)
from interpreter.compiling.lower.values import code
from interpreter.running.machine import WAIT
from rulesdsl import program as pg
from rulesdsl.program.types import Type

if TYPE_CHECKING:
    from interpreter.compiling.emit.blocks.procedures import BlockWriter
    from interpreter.compiling.ir.builder import Builder
    from interpreter.compiling.lower.steps import StepWriter

CHOSEN = v.Part(MACHINE, "chosen")
_OUT = v.Compare("is", CHOSEN, v.NOTHING)  # the way out was taken
_NOBODY = v.Compare("<", WHO, v.ZERO)


def decide(pc: BlockWriter, step: pg.ChooseS | pg.MenuS | pg.TravelS) -> None:
    match step:
        case pg.ChooseS(result=None):
            choose(pc, step)
        case pg.ChooseS():
            choose_several(pc, step)
        case pg.MenuS():
            menu(pc, step)
        case pg.TravelS():
            travel(pc, step)
        case _:
            assert_never(step)


def _gather(pc: BlockWriter, step: pg.ChooseS, without: Value | None = None) -> None:
    gather(pc, step, without)
    if len(step.candidates) == 1 and pc.unit.does(Knack.OPTIONS):
        pc.em.when(OPTIONS, Let(OPTIONS, v.Call("MaskOptions", (OPTIONS,))))


def _ask(pc: BlockWriter, site: int, out: Value, otherwise: int, chosen: int) -> None:
    """Stop for a decision, unless there is nothing to choose or nobody to choose it; open the block that
    goes on with what was chosen."""
    pc.em.when(v.Logic("or", (v.Not(OPTIONS), _NOBODY)), Return(v.Number(otherwise)))
    pc.resume(chosen)
    pc.em.add(Ask(site, WHO, OPTIONS, out))
    pc.close(WAIT)
    pc.open(chosen)


def _site(pc: BlockWriter, step: pg.ChooseS) -> int:
    types = tuple(c.var.type for c in step.candidates)
    action = step.action.action if step.action is not None else ""
    site = Site(
        paragraph=step.paragraph,
        step=step,
        types=types,
        action=action,
        out_label=step.out_label,
        prompt=step.prompt,
        variables=tuple(c.var for c in step.candidates),
        env=tuple(pc.env.items()),
    )
    return pc.blocks.site(site)


def choose(pc: BlockWriter, step: pg.ChooseS) -> None:
    """One choice of one thing (or one combination of things)."""
    blocks = pc.blocks
    chosen, declined, after = blocks.new(), blocks.new(), blocks.new()
    targets = tuple([pc.of(c.var) for c in step.candidates])
    em = pc.em
    em.let(WHO, code(em, pc.env, step.player))
    _gather(pc, step)
    out: Value = v.ZERO
    if step.out_label is not None:
        out = legality(em, pc.env, step.out_action) or v.ONE
    site, inner = _site(pc, step), blocks.count
    _ask(pc, site, out, declined, chosen)
    em = pc.em
    em.when(_OUT, Return(v.Number(declined)))
    em.add(LetParts(targets, CHOSEN))
    em.fired(step.paragraph)
    pc.steps(step.body)
    pc.close(after)
    blocks.enclose(site, inner)
    pc.open(declined)
    for target in targets:
        pc.em.let(target, v.MINUS_ONE)
    pc.steps(step.otherwise)
    pc.close(after)
    pc.open(after)


def choose_several(pc: BlockWriter, step: pg.ChooseS) -> None:
    """Repeated choosing with a way to stop; the members are collected in a set."""
    assert step.result is not None
    blocks = pc.blocks
    pc.of(step.candidates[0].var)
    result, most = pc.of(step.result), pc.place()
    loop, chosen, done, body, after = (blocks.new() for _ in range(5))
    pc.em.let(result, v.ZERO)
    pc.em.let(most, code(pc.em, pc.env, step.count) if step.count is not None else v.ZERO)
    pc.close(loop)
    pc.open(loop)
    em = pc.em
    is_enough = v.Compare(">=", v.Count(result), most)
    if step.count_kind in ("up to", "exactly"):
        em.when(is_enough, Return(v.Number(done)))
    em.let(WHO, code(em, pc.env, step.player))
    _gather(pc, step, result)
    out: Value = v.ONE
    if step.count_kind in ("at least", "exactly"):
        out = v.Local("enough", FLAG)
        em.let(out, is_enough)
    if (test := legality(em, pc.env, step.out_action)) is not None:
        out = v.Logic("and", (out, test))
    site, inner = _site(pc, step), blocks.count
    _ask(pc, site, out, done, chosen)
    pc.em.when(_OUT, Return(v.Number(done)))
    pc.em.update(result, "|", v.Bit(CHOSEN))
    pc.em.fired(step.paragraph)
    pc.close(loop)
    pc.open(done)
    other = blocks.new()
    pc.em.give(v.Choose(result, v.Number(body), v.Number(other)))
    pc.close(-1)
    pc.open(body)
    pc.steps(step.body)
    pc.close(after)
    blocks.enclose(site, inner)
    pc.open(other)
    pc.steps(step.otherwise)
    pc.close(after)
    pc.open(after)


def choose_next(pc: BlockWriter, step: pg.ForS, left: Value) -> int:
    """Which of the remaining members comes next; asked only when there is more than one."""
    assert step.chooser is not None
    blocks = pc.blocks
    go, chosen = blocks.new(), blocks.new()
    em, member = pc.em, pc.of(step.var)
    site = Site(
        paragraph=step.paragraph,
        step=step,
        types=(step.var.type,),
        action="",
        out_label=None,
        prompt="",
        variables=(step.var,),
        env=tuple(pc.env.items()),
    )
    number = blocks.site(site)
    rest, bit = v.Local("rest", left.kind), v.Local("b", left.kind)
    with em.branch(v.Binary("&", left, v.Binary("-", left, v.ONE))):
        em.let(OPTIONS, v.Listing())
        em.let(rest, left)
        with em.loop(While(rest)):
            em.let(bit, v.Binary("&", rest, v.Negative(rest)))
            em.update(rest, "^", bit)
            em.add(offered(number_of(bit)))
        em.let(WHO, code(em, pc.env, step.chooser))
        with em.branch(v.Compare(">=", WHO, v.ZERO)):
            pc.resume(chosen)
            em.add(Ask(number, WHO, OPTIONS, v.ZERO))
            em.give(v.Number(WAIT))
    em.let(member, v.First(left))
    pc.close(go)
    pc.open(chosen)
    pc.em.let(member, CHOSEN)
    pc.close(go)
    pc.open(go)
    return number


def menu(pc: BlockWriter, step: pg.MenuS) -> None:
    """A choice between named ways to go on."""
    blocks = pc.blocks
    chosen, declined, after = blocks.new(), blocks.new(), blocks.new()
    em = pc.em
    em.let(WHO, code(em, pc.env, step.player))
    gather_entries(em, pc.env, step)
    labels = tuple(e.label for e in step.entries)
    site = blocks.site(MenuSite(step.paragraph, step, step.prompt, labels, tuple(pc.env.items())))
    _ask(pc, site, v.Number(int(step.decline is not None)), declined, chosen)
    pc.em.when(_OUT, Return(v.Number(declined)))
    pc.em.fired(step.paragraph)
    inner = blocks.count
    bodies = [blocks.new() for _ in step.entries]
    pc.close(v.Item(pc.unit.constant("menu", tuple(bodies)), CHOSEN))
    for number, entry in zip(bodies, step.entries, strict=True):
        pc.open(number)
        pc.steps(entry.body)
        pc.close(after)
    blocks.enclose(site, inner)
    pc.open(declined)
    pc.steps(step.otherwise)
    pc.close(after)
    pc.open(after)


# ---- travelling ------------------------------------------------------------------------------------------
AT, NEXTS, HALT = v.Local("at"), v.Local("nexts"), v.Local("halt", FLAG)
_RUNG, _BEST = v.Local("rung", NUMBER), v.Local("best", NUMBER)


@dataclass(frozen=True, slots=True)
class Journey:
    """Where a journey keeps its piece, what it has spent, its steps, and (with preferences) where it was."""

    n: int  # the number of its route
    route: pg.RouteRule
    piece: Target
    spent: Target
    taken: Target
    seen: Target | None

    @property
    def so_far(self) -> tuple[Value, ...]:
        return (STATE, self.piece, AT, self.spent, self.taken)

    @property
    def also(self) -> tuple[Value, ...]:
        return () if self.seen is None else (self.seen,)

    def begun(self) -> LetSame:
        return LetSame((self.spent, self.taken, *(() if self.seen is None else (self.seen,))), v.ZERO)

    def nexts(self) -> Value:
        return v.Call(f"next_{self.n}", (*self.so_far, *self.also))

    def may_end(self) -> Value:
        where = (STATE, self.piece, AT, v.MINUS_ONE, AT, self.taken, self.spent)
        return v.Call(f"end_{self.n}", where, FLAG)

    def must_stop(self, origin: Value, target: Value) -> Value:
        """Whether the piece may not go on from where its last step has led."""
        before = v.Binary("-", self.taken, v.ONE)
        where = (STATE, self.piece, origin, v.MINUS_ONE, target, before, self.spent)
        return v.Call(f"stop_{self.n}", where, FLAG)


def halt_as_preferred(em: Builder, journey: Journey, arrived: Statement) -> None:
    """A piece may stay where it is when nothing better can be reached; it must when all else is worse."""
    n, piece, spent, taken = journey.n, journey.piece, journey.spent, journey.taken
    rung = v.Call(f"rung_{n}", (STATE, piece, AT, v.MINUS_ONE, AT, taken, spent), NUMBER)
    best = v.Call(f"best_{n}", (*journey.so_far, *journey.also), NUMBER)
    em.let(_RUNG, v.Choose(HALT, rung, v.ZERO))
    em.let(_BEST, v.Choose(HALT, best, v.ZERO))
    em.when(v.Compare("<", _RUNG, _BEST), arrived)
    em.let(HALT, v.Logic("and", (HALT, v.Compare("==", _RUNG, _BEST))))


def steps_there_are(w: StepWriter, step: pg.TravelS, journey: Journey, arrived: Statement) -> None:
    """`at`, `nexts`, `opts` and `who`; `arrived` is done when the piece cannot go on."""
    em, piece = w.em, journey.piece
    em.let(AT, w.at(piece))
    nowhere = v.Logic("or", (v.Compare("<", piece, v.ZERO), v.Compare("<", AT, v.ZERO)))
    em.when(nowhere, arrived)
    if journey.seen is not None:
        em.update(journey.seen, "|", v.Bit(AT))
    em.let(NEXTS, journey.nexts())
    em.when(v.Not(NEXTS), arrived)
    em.let(OPTIONS, v.Listing((NEXTS,), spread=True))
    em.let(WHO, code(em, w.env, step.player))
    em.when(_NOBODY, arrived)


def may_halt(w: StepWriter, journey: Journey, always: bool, arrived: Statement) -> None:
    """`halt`: whether a piece may end where it is. That is judged as before it came: the piece itself is
    not counted."""
    far_enough = v.Compare(">=", journey.taken, v.Number(journey.route.minimum))
    w.lift(journey.piece, AT)
    ends = journey.may_end()
    w.em.let(HALT, v.Logic("and", (far_enough, ends)) if always or journey.route.minimum else ends)
    w.lower(journey.piece, AT)
    if journey.route.preferences:
        halt_as_preferred(w.em, journey, arrived)


def travel(pc: BlockWriter, step: pg.TravelS) -> None:
    """A piece goes step by step; each step is chosen among those from which it may still end legally."""
    blocks = pc.blocks
    piece, spent, taken = pc.place(type_=step.piece.type), pc.place(), pc.place()
    ask, chosen, after = blocks.new(), blocks.new(), blocks.new()
    route, n = pc.unit.program.routes[step.route], pc.unit.naming.route(step.route)
    pc.em.let(piece, code(pc.em, pc.env, step.piece))
    journey = Journey(n, route, piece, spent, taken, pc.place() if route.preferences else None)
    assert isinstance(piece, v.Slot)
    pc.em.add(journey.begun())
    pc.close(ask)
    pc.open(ask)
    arrived = Return(v.Number(after))
    steps_there_are(pc, step, journey, arrived)
    site = TravelSite(step.paragraph, step, step.route, "", piece.index, tuple(pc.env.items()))
    may_halt(pc, journey, True, arrived)
    pc.resume(chosen)
    pc.em.add(Ask(blocks.site(site), WHO, OPTIONS, HALT))
    pc.close(WAIT)
    pc.open(chosen)
    em = pc.em
    em.when(_OUT, arrived)
    target = pc.place()
    em.let(AT, pc.at(piece))
    em.let(target, CHOSEN)
    em.let(spent, v.Call(f"paid_{n}", (*journey.so_far, CHOSEN, *journey.also)))
    em.update(taken, "+", v.ONE)
    origin = pc.place()
    em.let(origin, AT)
    em.fired(step.paragraph)
    if pc.unit.tells:
        goes, to = pg.Var("piece", step.piece.type), pg.Var("to", Type("thing", "space"))
        pc.env[goes], pc.env[to] = piece, target
        pc.tell("move", step.paragraph, (pg.VarGet(goes, type=goes.type), pg.VarGet(to, type=to.type)))
        del pc.env[goes], pc.env[to]
    pc.move_one(piece, target, "move")
    pc.em.when(v.Compare("!=", pc.at(piece), target), arrived)
    pc.em.when(journey.must_stop(origin, target), arrived)
    pc.close(ask)
    pc.open(after)
