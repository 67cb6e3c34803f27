"""Procedures as plain functions, for games that are played to the end without stopping.

Where nobody wants to stop, copy or save on the way (thousands of games between agents), a decision need not
leave the procedure: it asks `decide(who, count)` and goes on. Variables are variables, loops are loops. The
steps, the options and the order in which things happen are those of the blocks; tests hold both together.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import groupby

from interpreter.compiling.emit.blocks.blocks import is_long, is_straight
from interpreter.compiling.emit.playout import decisions
from interpreter.compiling.emit.playout.decisions import choose_next
from interpreter.compiling.emit.python import too_deep
from interpreter.compiling.ir import values as v
from interpreter.compiling.ir.builder import Builder
from interpreter.compiling.ir.kinds import ANY, NUMBER
from interpreter.compiling.ir.statements import (
    Do,
    Fill,
    ForEach,
    ForIn,
    Function,
    Jump,
    LetSame,
    Tick,
    While,
)
from interpreter.compiling.ir.values import MACHINE, STATE, Value
from interpreter.compiling.lower.seat_order import begin_order, next_in_order
from interpreter.compiling.lower.steps import Firing, Log, StepWriter
from interpreter.compiling.lower.values import MOST_INSIDE, code
from interpreter.compiling.optimise.bulk_loops import as_cells, as_marks
from interpreter.compiling.unit import Env, Unit
from interpreter.running.fuel import ENDLESS
from interpreter.secrecy.identity import PIECES
from interpreter.secrecy.secret_flow import secrecy_of
from interpreter.state.symbols import BODY, DO, numbered
from rulesdsl import program as pg
from rulesdsl.language.conventions import MAIN
from rulesdsl.program.types import Type
from rulesdsl.program.walk import walk_steps

DECIDE = v.Local("decide")


def _all(tests: tuple[Value, ...]) -> Value:
    return v.Logic("and", tests) if len(tests) > 1 else tests[0]


@dataclass(slots=True)
class Flow:
    """The functions of all procedures: `do_0(m, s, decide, …)`."""

    unit: Unit
    numbers: dict[str, int]
    log: Log
    functions: list[Function] = field(default_factory=list)
    chunks: set[int] = field(default_factory=set)  # how large the masks are among which one chooses
    ways: set[int] = field(default_factory=set)  # in how many directions pairs are chosen
    calls: dict[str, set[str]] = field(default_factory=dict)  # procedure → those it calls or sets off
    watched: bool = False  # whether loops or triggers are counted

    @property
    def called(self) -> set[str]:
        """Procedures that others call."""
        return set[str]().union(*self.calls.values())

    def nesting(self) -> tuple[int, bool]:
        """How many procedures may be under way at once, those apart that may lead to themselves; and
        whether there are such."""
        behind = {name: {*self.calls.get(name, ())} for name in self.numbers}
        for name in self.numbers:  # who is reached by way of `name`
            for reached in behind.values():
                if name in reached:
                    reached |= behind[name]
        circular = {name for name, reached in behind.items() if name in reached}
        depths = dict.fromkeys(self.numbers, 0)
        while True:  # circles weigh nothing, so this comes to an end
            deeper = {
                name: max((depths[each] for each in self.calls.get(name, ())), default=0)
                + (name not in circular)
                for name in self.numbers
            }
            if deeper == depths:
                return max(depths.values(), default=0), bool(circular)
            depths = deeper


class FlowWriter(StepWriter):
    """One procedure on its way to a function."""

    called, in_parts = DO, BODY  # what functions of procedures are called, and those of their steps
    handed: tuple[Value, ...] = (MACHINE, STATE, DECIDE)  # what each of them hands to the next
    names: tuple[str, ...] = ("m", "s", "decide")

    def __init__(self, flow: Flow, procedure: pg.ProcedureRule) -> None:
        super().__init__(flow.unit, procedure, flow.log)
        self.flow = flow
        self.loops: list[int] = []  # for each open loop, the records open around it
        self.count = 0
        self.unset: list[v.Local] = []  # variables that get their first value in a branch
        self.parameters = [self.place(var) for var in procedure.params]
        self.in_two = False
        self.title = self.unit.text(procedure.title)

    def compile(self) -> None:
        number = self.flow.numbers[self.procedure.name]
        head = (*self.names, *(local.name for local in self.parameters))
        self.begin()
        start, self.em = self.em, Builder(self.unit)
        self.finish()
        end, self.em = self.em, Builder(self.unit)
        # a `finish` on the way must not skip the end of a phase: then the steps are a function of their own
        self.in_two = bool(end.body) and any(isinstance(s, pg.JumpS) for s in walk_steps(self.procedure.body))
        self.steps(self.procedure.body)
        self.em.jump("pass")
        body = self.em.body
        if self.unset:
            body = [LetSame(tuple(self.unset), v.ZERO), *body]
        if self.in_two:
            self.flow.functions.append(Function(numbered(self.in_parts, number), head, body))
            body = [Do(v.Call(numbered(self.in_parts, number), (*self.handed, *self.parameters)))]
        whole = [*start.body, *body, *end.body]
        self.flow.functions.append(Function(numbered(self.called, number), head, whole))

    # -- variables
    def place(self, var: pg.Var | None = None, type_: Type | None = None) -> v.Local:
        self.count += 1
        holds = type_ if var is None else var.type
        name = v.Local(f"v_{self.count}", ANY if holds is None else self.unit.kind(holds))
        if var is not None:
            self.env[var] = name
            if self.em.depth > 1:
                self.unset.append(name)
        return name

    def kept(self, value: Value, type_: Type | None = None) -> Value:
        if isinstance(value, (v.Local, v.Number, v.Constant, v.Name)):
            return value
        where = self.place(type_=type_)
        self.em.let(where, value)
        return where

    # -- control
    def call(self, name: str, arguments: list[Value]) -> None:
        self.flow.calls.setdefault(self.procedure.name, set()).add(name)
        called = numbered(self.called, self.flow.numbers[name])
        self.em.do(v.Call(called, (*self.handed, *arguments)))

    def fire(self, tests: tuple[Value, ...], condition: pg.E | None, env: Env, name: str) -> None:
        em, depth = self.em, self.em.depth
        if tests:
            em.enter(_all(tests))
        if condition is not None:
            em.enter(code(em, env, condition))
        self.flow.watched = True
        em.add(Tick("firings", "sets off too many others", self.title))
        self.call(name, [env[p] for p in self.unit.program.procedures[name].params])
        em.back_to(depth)

    def fire_all(self, firing: list[Firing]) -> None:
        """What several triggers in a row ask first, of values that stay as they are, is asked once."""
        for _, several in groupby(firing, lambda one: one.tests):
            group, depth = [*several], self.em.depth
            tests = group[0].tests
            if len(group) > 1 and tests:
                self.em.enter(_all(tests))
                tests = ()
            for one in group:
                self.fire(tests, one.condition, one.env, one.procedure)
            self.em.back_to(depth)

    def game_over(self) -> None:
        if self.procedure.name == MAIN and not self.in_two:
            self.em.give()
        else:
            self.em.jump("raise GameOver")

    def jump(self, verb: str) -> None:
        if verb == "leave" and self.loops:
            self.restore_records(self.loops[-1])
            self.em.jump("break")
        else:
            self.restore_records(0)
            self.em.give()

    def branch(self, step: pg.IfS) -> None:
        em, depth, none_yet = self.em, self.em.depth, self.em.temp("none_yet")
        for number, (test, body) in enumerate(step.branches):
            many = number % MOST_INSIDE == 0 and len(step.branches) > MOST_INSIDE
            if many and number:  # as in the blocks: the next few stand beside the first
                with em.otherwise():
                    em.let(none_yet, v.ONE)
                em.back_to(depth)
                em.enter(none_yet)
            if many:
                em.let(none_yet, v.ZERO)
            fork = em.fork()
            condition = code(fork, self.env, test)
            if number and fork.body and not many:
                em.enter_otherwise()
            em.join(fork)
            inside = em.depth
            if many or not number or fork.body:
                em.enter(condition)
            else:
                em.enter_otherwise(condition)
            self.steps(body)
            em.jump("pass")
            em.back_to(inside)
        if step.otherwise:
            if step.branches:
                em.enter_otherwise()
            self.steps(step.otherwise)
            em.jump("pass")
        em.back_to(depth)

    def for_each(self, step: pg.ForS) -> None:
        if self._at_once(step):
            return
        em, depth, group = self.em, self.em.depth, code(self.em, self.env, step.group)
        member = self.of(step.var)
        if not step.in_printed_order:
            left = self.place()
            em.let(left, group)
            first = begin_order(self, step)
            em.enter_loop(While(left))
            if step.chooser is not None:
                choose_next(self, step, left, member)
            else:
                em.let(member, next_in_order(self, step, left, first))
            em.update(left, "&", v.Outside(v.Bit(member)))
        else:
            em.enter_loop(ForEach(member, group))
        if not is_straight(step.body, self.unit.program) or is_long(step, self.unit):
            self._tick()
        self._loop_body(step.body)
        em.back_to(depth)

    def _at_once(self, step: pg.ForS) -> bool:
        """Do what a loop does without a loop, where that is possible.

        Only here: blocks leave a trace of their loops in their frames, the same in both flavours.
        """
        marks = as_marks(self.unit, step)
        if marks is not None:
            self.steps(tuple(marks))
            return True
        cells = as_cells(self.unit, step)
        if cells is None:
            return False
        values = self.unit.constant("cells", (cells.value,) * (cells.end - cells.first))
        self.em.add(Fill(cells.first, cells.end, values))
        return True

    def repeat(self, step: pg.RepeatS) -> None:
        em, depth = self.em, self.em.depth
        turns = code(em, self.env, step.times)
        known = self.unit.known_mask(turns)
        if known is None:
            turns = v.Call("max", (v.ZERO, v.Call("ceiling", (turns,), NUMBER)), NUMBER)
        em.enter_loop(ForIn((self.place(),), v.Call("range", (turns,))))
        if step.condition is not None:
            em.when(v.Not(code(em, self.env, step.condition)), Jump("break"))
        if self.loops or self.procedure.name != MAIN or known is None:
            self._tick()
        self._loop_body(step.body)
        em.back_to(depth)

    def _tick(self) -> None:
        """Loops in loops may go on for ages: they are counted."""
        self.flow.watched = True
        self.em.add(Tick("fuel", ENDLESS, self.title))

    def _loop_body(self, body: pg.Steps) -> None:
        self.loops.append(len(self.records))
        self.steps(body)
        self.em.jump("pass")
        self.loops.pop()

    def move_each(self, pieces: Value, place: Value, verb: str) -> None:
        target, piece = self.place(), self.place(type_=PIECES.member)
        self.em.let(target, place)
        with self.em.each(pieces, piece):
            self.move_one(piece, target, verb)

    def decide(self, step: pg.ChooseS | pg.MenuS | pg.TravelS) -> None:
        decisions.decide(self, step)


def compile_flow(unit: Unit, procedures: list[pg.ProcedureRule]) -> Flow:
    """All procedures as functions."""
    log = Log(secrecy_of(unit.program))
    flow = Flow(unit, {p.name: number for number, p in enumerate(procedures)}, log)
    for procedure in procedures:
        try:
            FlowWriter(flow, procedure).compile()
        except RecursionError:
            raise too_deep(unit.program, procedure) from None
    return flow
