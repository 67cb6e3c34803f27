"""Procedures as plain functions, for games that are played to the end without stopping.

Where nobody wants to stop, copy or save on the way (thousands of games between agents), a decision need not
leave the procedure: it asks `decide(who, count)` and goes on. Variables are variables, loops are loops. The
steps, the options and the order in which things happen are those of the blocks; tests hold both together.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import groupby

from interpreter.codegen.blocks import is_long, is_straight
from interpreter.codegen.emitter import Emitter, Env, Unit
from interpreter.codegen.expressions import MOST_INSIDE, code
from interpreter.codegen.loops import as_cells, as_marks
from interpreter.codegen.moves import Firing, MoveWriter
from interpreter.codegen.reads import shared_reads
from interpreter.codegen.steps import Log
from interpreter.layout import walk_steps
from interpreter.secrecy import Secrecy
from rulesdsl import program as pg

MAIN = "game"


@dataclass(slots=True)
class Flow:
    """The functions of all procedures: `do_0(m, s, decide, …)`."""

    unit: Unit
    numbers: dict[str, int]
    sources: list[str] = field(default_factory=list)
    chunks: set[int] = field(default_factory=set)  # how large the masks are among which one chooses
    ways: set[int] = field(default_factory=set)  # in how many directions pairs are chosen
    log: Log = field(init=False)

    def __post_init__(self) -> None:
        self.log = Log(Secrecy(self.unit.program))


class FlowWriter(MoveWriter):
    """One procedure on its way to a function."""

    def __init__(self, flow: Flow, procedure: pg.ProcedureRule) -> None:
        super().__init__(flow.unit, procedure, flow.log)
        self.flow = flow
        self.loops: list[int] = []  # for each open loop, the records open around it
        self.count = 0
        self.unset: list[str] = []  # variables that get their first value in a branch
        self.parameters = [self.place(var) for var in procedure.params]
        self.in_two = False

    def compile(self) -> None:
        number = self.flow.numbers[self.procedure.name]
        head = ", ".join(["m", "s", "decide", *self.parameters])
        self.begin()
        start, self.em = self.em, Emitter(self.unit)
        self.finish()
        end, self.em = self.em, Emitter(self.unit)
        # a `finish` on the way must not skip the end of a phase: then the steps are a function of their own
        self.in_two = bool(end.lines) and any(
            isinstance(s, pg.JumpS) for s in walk_steps(self.procedure.body)
        )
        self.steps(self.procedure.body)
        self.em.emit("pass")
        unset = [f"    {' = '.join(self.unset)} = 0"] if self.unset else []
        lines = [*unset, *self.em.lines]
        if self.in_two:
            self.flow.sources.append("\n".join([f"def body_{number}({head}):", *shared_reads(lines)]))
            lines = [f"    body_{number}({head})"]
        whole = shared_reads([*start.lines, *lines, *end.lines])
        self.flow.sources.append("\n".join([f"def do_{number}({head}):", *whole]))

    # -- variables
    def place(self, var: pg.Var | None = None) -> str:
        self.count += 1
        name = f"v_{self.count}"
        if var is not None:
            self.env[var] = name
            if self.em.depth > 1:
                self.unset.append(name)
        return name

    def kept(self, value: str) -> str:
        if value.isidentifier() or value.lstrip("-").isdigit():
            return value
        where = self.place()
        self.em.emit(f"{where} = {value}")
        return where

    # -- control
    def call(self, name: str, arguments: list[str]) -> None:
        values = ", ".join(["m", "s", "decide", *arguments])
        self.em.emit(f"do_{self.flow.numbers[name]}({values})")

    def fire(self, tests: list[str], condition: pg.E | None, env: Env, name: str) -> None:
        em, depth = self.em, self.em.depth
        if tests:
            em.emit(f"if {' and '.join(tests)}:")
            em.depth += 1
        if condition is not None:
            em.emit(f"if {code(em, env, condition)}:")
            em.depth += 1
        em.emit("m.firings -= 1")
        em.emit(f"if m.firings < 0: m.runaway('sets off too many others', {self.procedure.title!r})")
        self.call(name, [env[p] for p in self.unit.program.procedures[name].params])
        em.depth = depth

    def fire_all(self, firing: list[Firing]) -> None:
        """What several triggers in a row ask first, of values that stay as they are, is asked once."""
        for _, several in groupby(firing, lambda one: tuple(one.tests)):
            group, depth = [*several], self.em.depth
            tests = group[0].tests
            if len(group) > 1 and tests:
                self.em.emit(f"if {' and '.join(tests)}:")
                self.em.depth += 1
                tests = []
            for one in group:
                self.fire(tests, one.condition, one.env, one.procedure)
            self.em.depth = depth

    def game_over(self) -> None:
        self.em.emit("return" if self.procedure.name == MAIN and not self.in_two else "raise GameOver")

    def jump(self, verb: str) -> None:
        if verb == "leave" and self.loops:
            self.restore_records(self.loops[-1])
            self.em.emit("break")
        else:
            self.restore_records(0)
            self.em.emit("return")

    def branch(self, step: pg.IfS) -> None:
        em, depth, none_yet = self.em, self.em.depth, self.em.temp("none_yet")
        for number, (test, body) in enumerate(step.branches):
            many = number % MOST_INSIDE == 0 and len(step.branches) > MOST_INSIDE
            if many and number:  # as in the blocks: the next few stand beside the first
                em.emit("else:")
                em.emit(f"    {none_yet} = 1")
                em.depth = depth
                em.emit(f"if {none_yet}:")
                em.depth += 1
            if many:
                em.emit(f"{none_yet} = 0")
            fork = em.fork()
            condition = code(fork, self.env, test)
            if many:
                em.join(fork)
                em.emit(f"if {condition}:")
            elif number and fork.lines:
                em.emit("else:")
                em.depth += 1
                em.join(fork, 1)
                em.emit(f"if {condition}:")
            else:
                em.join(fork)
                em.emit(f"{'elif' if number else 'if'} {condition}:")
            with em.indented():
                self.steps(body)
                em.emit("pass")
        if step.otherwise:
            if step.branches:
                em.emit("else:")
                em.depth += 1
            self.steps(step.otherwise)
            em.emit("pass")
        em.depth = depth

    def for_each(self, step: pg.ForS) -> None:
        from interpreter.codegen.flow_decisions import choose_next

        if self._at_once(step):
            return
        em, group = self.em, code(self.em, self.env, step.group)
        member = self.of(step.var)
        if step.chooser is not None:
            left = self.place()
            em.emit(f"{left} = {group}")
            em.emit(f"while {left}:")
            em.depth += 1
            choose_next(self, step, left, member)
            em.emit(f"{left} &= ~(1 << {member})")
        else:
            em.emit(f"for {member} in MEMBERS[{group}]:")
            em.depth += 1
        if not is_straight(step.body, self.unit.program) or is_long(step, self.unit):
            self._tick()
        self._loop_body(step.body)
        em.depth -= 1

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
        self.em.emit(f"s[{cells.first}:{cells.end}] = {values}")
        return True

    def repeat(self, step: pg.RepeatS) -> None:
        em = self.em
        times = code(em, self.env, step.times)
        known = self.unit.known_mask(times)
        turns = times if known is not None else f"max(0, ceiling({times}))"
        em.emit(f"for {self.place()} in range({turns}):")
        em.depth += 1
        if step.condition is not None:
            em.emit(f"if not {code(em, self.env, step.condition)}: break")
        if self.loops or self.procedure.name != MAIN or known is None:
            self._tick()
        self._loop_body(step.body)
        em.depth -= 1

    def _tick(self) -> None:
        """Loops in loops may go on for ages: they are counted."""
        self.em.emit("m.fuel -= 1")
        self.em.emit(f"if m.fuel < 0: m.runaway('does not come to an end', {self.procedure.title!r})")

    def _loop_body(self, body: pg.Steps) -> None:
        self.loops.append(len(self.records))
        self.steps(body)
        self.em.emit("pass")
        self.loops.pop()

    def move_each(self, pieces: str, place: str, verb: str) -> None:
        target, piece = self.place(), self.place()
        self.em.emit(f"{target} = {place}")
        with self.em.each(pieces, piece):
            self.move_one(piece, target, verb)

    def decide(self, step: pg.ChooseS | pg.MenuS | pg.TravelS) -> None:
        from interpreter.codegen import flow_decisions

        flow_decisions.decide(self, step)


def compile_flow(unit: Unit, procedures: list[pg.ProcedureRule]) -> Flow:
    """All procedures as functions."""
    flow = Flow(unit, {p.name: number for number, p in enumerate(procedures)})
    for procedure in procedures:
        FlowWriter(flow, procedure).compile()
    return flow
