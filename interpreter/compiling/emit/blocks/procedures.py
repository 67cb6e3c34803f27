"""Procedures as blocks (blocks.py): straight pieces of Python between the points where play may stop."""

from __future__ import annotations

from interpreter.compiling.emit.blocks import decisions
from interpreter.compiling.emit.blocks.blocks import Blocks, Loop, is_long, is_straight
from interpreter.compiling.emit.blocks.decisions import choose_next
from interpreter.compiling.ir import values as v
from interpreter.compiling.ir.builder import Builder
from interpreter.compiling.ir.kinds import ANY
from interpreter.compiling.ir.statements import Function, Return, Target
from interpreter.compiling.ir.values import MACHINE, Value
from interpreter.compiling.lower.options import number_of
from interpreter.compiling.lower.seat_order import begin_order, next_in_order
from interpreter.compiling.lower.steps import StepWriter
from interpreter.compiling.lower.values import MOST_INSIDE, code
from interpreter.compiling.unit import Env
from interpreter.running.fuel import Place
from interpreter.running.machine import CALL, OVER, RETURN
from interpreter.secrecy.identity import PIECES
from rulesdsl import program as pg
from rulesdsl.program.types import Type


class BlockWriter(StepWriter):
    """One procedure on its way to blocks."""

    def __init__(self, blocks: Blocks, procedure: pg.ProcedureRule) -> None:
        super().__init__(blocks.unit, procedure, blocks.log)
        self.blocks = blocks
        self.size = 1
        self.holds: list[Type | None] = [None]  # what each place of a frame holds
        self.loops: list[Loop] = []
        self.number = blocks.entries[procedure.name]
        self.epilogue = blocks.new()
        for var in procedure.params:
            self.place(var)

    def compile(self) -> None:
        self.begin()
        self.steps(self.procedure.body)
        self.close(self.epilogue)
        self.open(self.epilogue)
        self.finish()
        self.close(RETURN)
        self.blocks.frame_sizes[self.procedure.name] = self.size
        self.blocks.frame_variables.setdefault(self.procedure.name, {})
        self.blocks.frame_types[self.procedure.name] = tuple(self.holds)

    def step(self, step: pg.S) -> None:
        where = Place(step.paragraph, step.source.span if step.source is not None else None)
        self.blocks.places.setdefault(self.number, where)
        super().step(step)

    # -- frames and blocks
    def place(self, var: pg.Var | None = None, type_: Type | None = None) -> Target:
        self.size += 1
        self.holds.append(type_ if var is None else var.type)
        if var is not None:
            self.blocks.frame_variables.setdefault(self.procedure.name, {})[var] = self.size - 1
        holds = self.holds[-1]
        where = v.Slot(self.size - 1, ANY if holds is None else self.unit.kind(holds))
        if var is not None:
            self.env[var] = where
        return where

    def kept(self, value: Value, type_: Type | None = None) -> Value:
        """A trigger may stop: what is needed after it must be in the frame."""
        if isinstance(value, (v.Slot, v.Number)):
            return value
        where = self.place(type_=type_)
        self.em.let(where, value)
        return where

    def close(self, following: int | Value) -> None:
        """End the block under construction: what comes next is a block, or a signal of the machine."""
        self.em.give(v.Number(following) if isinstance(following, int) else following)
        self.blocks.functions[self.number] = Function(f"b{self.number}", ("m", "s", "f"), self.em.body)

    def open(self, number: int) -> None:
        self.number = number
        self.em = Builder(self.unit)

    def go(self, signal: int) -> None:
        """Leave the block for good: at its end, or from within a branch of it."""
        if self.em.depth > 1:
            self.em.give(v.Number(signal))
        else:
            self.close(signal)
            self.open(self.blocks.new())

    def unless(self, test: Value, block: int) -> None:
        """Go to another block when a test fails."""
        self.em.when(v.Not(test), Return(v.Number(block)))

    def resume(self, block: int) -> None:
        """Say where the procedure goes on after a stop."""
        self.em.let(v.Slot(0), v.Number(block))

    def _frame(self, name: str, arguments: list[Value]) -> Value:
        """A new frame for a procedure."""
        entry = v.Number(self.blocks.entries[name])
        return v.Binary("+", v.Listing((entry, *arguments)), v.Item(v.Name("PAD"), entry))

    # -- control
    def call(self, name: str, arguments: list[Value]) -> None:
        after = self.blocks.new()
        self.resume(after)
        self.em.do(v.Method(v.Part(MACHINE, "stack"), "append", (self._frame(name, arguments),)))
        self.close(CALL)
        self.open(after)

    def fire(self, tests: tuple[Value, ...], condition: pg.E | None, env: Env, name: str) -> None:
        em, after = self.em, self.blocks.new()
        if tests:
            self.unless(v.Logic("and", tests) if len(tests) > 1 else tests[0], after)
        if condition is not None:
            self.unless(code(em, env, condition), after)
        params = self.unit.program.procedures[name].params
        self.resume(after)
        em.do(v.Method(MACHINE, "fire", (self._frame(name, [env[p] for p in params]),)))
        self.close(CALL)
        self.open(after)

    def game_over(self) -> None:
        self.go(OVER)

    def jump(self, verb: str) -> None:
        if verb == "leave" and self.loops:
            loop = self.loops[-1]
            self.restore_records(loop.records)
            target = loop.exit
        else:
            self.restore_records(0)
            target = self.epilogue
        self.close(target)
        self.open(self.blocks.new())

    def branch(self, step: pg.IfS) -> None:
        if all(is_straight(b, self.unit.program) for b in (step.otherwise, *(b for _, b in step.branches))):
            self._straight_branch(step)
            return
        after = self.blocks.new()
        bodies: list[tuple[int, pg.Steps]] = []
        for test, body in step.branches:
            number = self.blocks.new()
            self.em.when(code(self.em, self.env, test), Return(v.Number(number)))
            bodies.append((number, body))
        if step.otherwise:
            bodies.append((self.blocks.new(), step.otherwise))
        self.close(bodies[-1][0] if step.otherwise else after)
        for number, body in bodies:
            self.open(number)
            self.steps(body)
            self.close(after)
        self.open(after)

    def _straight_branch(self, step: pg.IfS) -> None:
        em, depth, none_yet = self.em, self.em.depth, self.em.temp("none_yet")
        for number, (test, body) in enumerate(step.branches):
            # Python indents 100 times at most: the next stand beside
            if number and number % MOST_INSIDE == 0:
                em.let(none_yet, v.ONE)
                em.back_to(depth)
                em.enter(none_yet)
            if number % MOST_INSIDE == 0 and len(step.branches) > MOST_INSIDE:
                em.let(none_yet, v.ZERO)
            with em.branch(code(em, self.env, test)):
                em.jump("pass")
                self.steps(body)
            em.enter_otherwise()
        em.jump("pass")
        self.steps(step.otherwise)
        em.back_to(depth)

    def for_each(self, step: pg.ForS) -> None:
        group = code(self.em, self.env, step.group)
        member = self.of(step.var)
        if (
            step.in_printed_order
            and is_straight(step.body, self.unit.program)
            and not is_long(step, self.unit)
        ):
            with self.em.each(group, member):
                self.steps(step.body)
            return
        left = self.place(type_=step.group.type)
        self.em.let(left, group)
        if step.left is not None:
            self.env[step.left] = left
        first = begin_order(self, step)
        loop, after = self.blocks.new(), self.blocks.new()
        self.close(loop)
        self.open(loop)
        self.unless(left, after)
        site, inner = -1, self.blocks.count
        if step.start is not None or step.measure is not None:
            self.em.let(member, next_in_order(self, step, left, first))
        elif step.chooser is None:
            bit = v.Local("b")
            self.em.let(bit, v.Binary("&", left, v.Negative(left)))
            self.em.let(member, number_of(bit))
        else:
            site = choose_next(self, step, left)
        self.em.update(left, "&", v.Outside(v.Bit(member)))
        self._loop_body(step.body, loop, after)
        if site >= 0:
            self.blocks.enclose(site, inner)

    def repeat(self, step: pg.RepeatS) -> None:
        left = self.place()
        self.em.let(left, code(self.em, self.env, step.times))
        loop, after = self.blocks.new(), self.blocks.new()
        self.close(loop)
        self.open(loop)
        self.em.when(v.Compare("<=", left, v.ZERO), Return(v.Number(after)))
        if step.condition is not None:
            self.unless(code(self.em, self.env, step.condition), after)
        self.em.update(left, "-", v.ONE)
        self._loop_body(step.body, loop, after)

    def _loop_body(self, body: pg.Steps, loop: int, after: int) -> None:
        self.loops.append(Loop(after, len(self.records)))
        self.steps(body)
        self.loops.pop()
        self.close(loop)
        self.open(after)

    def move_each(self, pieces: Value, place: Value, verb: str) -> None:
        left, target = self.place(type_=PIECES), self.place()
        self.em.let(left, pieces)
        self.em.let(target, place)
        loop, done = self.blocks.new(), self.blocks.new()
        self.close(loop)
        self.open(loop)
        piece = self.place(type_=PIECES.member)
        self.unless(left, done)
        bit = v.Local("b")
        self.em.let(bit, v.Binary("&", left, v.Negative(left)))
        self.em.update(left, "^", bit)
        self.em.let(piece, number_of(bit))
        self.move_one(piece, target, verb)
        self.close(loop)
        self.open(done)

    def decide(self, step: pg.ChooseS | pg.MenuS | pg.TravelS) -> None:
        decisions.decide(self, step)


def compile_procedure(blocks: Blocks, procedure: pg.ProcedureRule) -> None:
    BlockWriter(blocks, procedure).compile()
