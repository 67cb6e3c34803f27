"""Procedures as blocks (blocks.py): straight pieces of Python between the points where play may stop."""

from __future__ import annotations

from interpreter.codegen.blocks import Blocks, Loop, is_long, is_straight
from interpreter.codegen.emitter import Emitter, Env
from interpreter.codegen.expressions import MOST_INSIDE, code
from interpreter.codegen.moves import MoveWriter
from interpreter.running.machine import CALL, OVER, RETURN
from rulesdsl import program as pg


class BlockWriter(MoveWriter):
    """One procedure on its way to blocks."""

    def __init__(self, blocks: Blocks, procedure: pg.ProcedureRule) -> None:
        super().__init__(blocks.unit, procedure, blocks.log)
        self.blocks = blocks
        self.size = 1
        self.loops: list[Loop] = []
        self.number = blocks.entries[procedure.name]
        self.epilogue = blocks.new()
        for var in procedure.params:
            self.place(var)

    def compile(self) -> None:
        self.begin()
        self.steps(self.procedure.body)
        self.close(f"return {self.epilogue}")
        self.open(self.epilogue)
        self.finish()
        self.close(f"return {RETURN}")
        self.blocks.frame_sizes[self.procedure.name] = self.size

    # -- frames and blocks
    def place(self, var: pg.Var | None = None) -> str:
        self.size += 1
        where = f"f[{self.size - 1}]"
        if var is not None:
            self.env[var] = where
        return where

    def kept(self, value: str) -> str:
        """A trigger may stop: what is needed after it must be in the frame."""
        if (value.startswith("f[") and value.endswith("]")) or value.lstrip("-").isdigit():
            return value
        where = self.place()
        self.em.emit(f"{where} = {value}")
        return where

    def close(self, last: str) -> None:
        """End the block under construction with a return."""
        self.em.emit(last)
        body = "\n".join(self.em.lines)
        self.blocks.sources[self.number] = f"def b{self.number}(m, s, f):\n{body}"

    def open(self, number: int) -> None:
        self.number = number
        self.em = Emitter(self.unit)

    def go(self, last: str) -> None:
        """Leave the block for good: at its end, or from within a branch of it."""
        if self.em.depth > 1:
            self.em.emit(last)
        else:
            self.close(last)
            self.open(self.blocks.new())

    # -- control
    def call(self, name: str, arguments: list[str]) -> None:
        after = self.blocks.new()
        values = ", ".join([f"ENTRY[{name!r}]", *arguments])
        self.em.emit(f"f[0] = {after}")
        self.em.emit(f"m.stack.append([{values}] + PAD[{name!r}])")
        self.close(f"return {CALL}")
        self.open(after)

    def fire(self, tests: list[str], condition: pg.E | None, env: Env, name: str) -> None:
        em, after = self.em, self.blocks.new()
        if tests:
            em.emit(f"if not ({' and '.join(tests)}): return {after}")
        if condition is not None:
            em.emit(f"if not {code(em, env, condition)}: return {after}")
        params = self.unit.program.procedures[name].params
        arguments = ", ".join([f"ENTRY[{name!r}]", *(env[p] for p in params)])
        em.emit(f"f[0] = {after}")
        em.emit(f"m.fire([{arguments}] + PAD[{name!r}])")
        self.close(f"return {CALL}")
        self.open(after)

    def game_over(self) -> None:
        self.go(f"return {OVER}")

    def jump(self, verb: str) -> None:
        if verb == "leave" and self.loops:
            loop = self.loops[-1]
            self.restore_records(loop.records)
            target = loop.exit
        else:
            self.restore_records(0)
            target = self.epilogue
        self.close(f"return {target}")
        self.open(self.blocks.new())

    def branch(self, step: pg.IfS) -> None:
        if all(is_straight(b, self.unit.program) for b in (step.otherwise, *(b for _, b in step.branches))):
            self._straight_branch(step)
            return
        after = self.blocks.new()
        bodies: list[tuple[int, pg.Steps]] = []
        for test, body in step.branches:
            number = self.blocks.new()
            self.em.emit(f"if {code(self.em, self.env, test)}: return {number}")
            bodies.append((number, body))
        if step.otherwise:
            bodies.append((self.blocks.new(), step.otherwise))
        self.close(f"return {bodies[-1][0] if step.otherwise else after}")
        for number, body in bodies:
            self.open(number)
            self.steps(body)
            self.close(f"return {after}")
        self.open(after)

    def _straight_branch(self, step: pg.IfS) -> None:
        depth, none_yet = self.em.depth, self.em.temp("none_yet")
        for number, (test, body) in enumerate(step.branches):
            # Python indents 100 times at most: the next stand beside
            if number and number % MOST_INSIDE == 0:
                self.em.emit(f"{none_yet} = 1")
                self.em.depth = depth
                self.em.emit(f"if {none_yet}:")
                self.em.depth += 1
            if number % MOST_INSIDE == 0 and len(step.branches) > MOST_INSIDE:
                self.em.emit(f"{none_yet} = 0")
            self.em.emit(f"if {code(self.em, self.env, test)}:")
            self.em.depth += 1
            self.em.emit("pass")
            self.steps(body)
            self.em.depth -= 1
            self.em.emit("else:")
            self.em.depth += 1
        self.em.emit("pass")
        self.steps(step.otherwise)
        self.em.depth = depth

    def for_each(self, step: pg.ForS) -> None:
        from interpreter.codegen.decisions import choose_next

        group = code(self.em, self.env, step.group)
        member = self.of(step.var)
        if (
            step.chooser is None
            and is_straight(step.body, self.unit.program)
            and not is_long(step, self.unit)
        ):
            with self.em.each(group, member):
                self.steps(step.body)
            return
        left = self.place()
        self.em.emit(f"{left} = {group}")
        loop, after = self.blocks.new(), self.blocks.new()
        self.close(f"return {loop}")
        self.open(loop)
        self.em.emit(f"if not {left}: return {after}")
        if step.chooser is None:
            self.em.emit(f"b = {left} & -{left}")
            self.em.emit(f"{member} = b.bit_length() - 1")
        else:
            choose_next(self, step, left)
        self.em.emit(f"{left} &= ~(1 << {member})")
        self._loop_body(step.body, loop, after)

    def repeat(self, step: pg.RepeatS) -> None:
        left = self.place()
        self.em.emit(f"{left} = {code(self.em, self.env, step.times)}")
        loop, after = self.blocks.new(), self.blocks.new()
        self.close(f"return {loop}")
        self.open(loop)
        self.em.emit(f"if {left} <= 0: return {after}")
        if step.condition is not None:
            self.em.emit(f"if not {code(self.em, self.env, step.condition)}: return {after}")
        self.em.emit(f"{left} -= 1")
        self._loop_body(step.body, loop, after)

    def _loop_body(self, body: pg.Steps, loop: int, after: int) -> None:
        self.loops.append(Loop(after, len(self.records)))
        self.steps(body)
        self.loops.pop()
        self.close(f"return {loop}")
        self.open(after)

    def move_each(self, pieces: str, place: str, verb: str) -> None:
        left, target = self.place(), self.place()
        self.em.emit(f"{left} = {pieces}")
        self.em.emit(f"{target} = {place}")
        loop, done = self.blocks.new(), self.blocks.new()
        self.close(f"return {loop}")
        self.open(loop)
        piece = self.place()
        self.em.emit(f"if not {left}: return {done}")
        self.em.emit(f"b = {left} & -{left}")
        self.em.emit(f"{left} ^= b")
        self.em.emit(f"{piece} = b.bit_length() - 1")
        self.move_one(piece, target, verb)
        self.close(f"return {loop}")
        self.open(done)

    def decide(self, step: pg.ChooseS | pg.MenuS | pg.TravelS) -> None:
        from interpreter.codegen import decisions

        decisions.decide(self, step)


def compile_procedure(blocks: Blocks, procedure: pg.ProcedureRule) -> None:
    BlockWriter(blocks, procedure).compile()
