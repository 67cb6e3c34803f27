"""Steps of a procedure as Python source: the same whether it can stop on the way or not.

`BlockWriter` (procedures.py) cuts a procedure where play may stop; `FlowWriter` (flow.py) writes it as one
function that asks at once. What they do about control and decisions is theirs; what
changes the state is in changes.py and moves.py; the rest is here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field

from interpreter.codegen.emitter import Emitter, Env, Unit
from interpreter.codegen.expressions import code, stored
from interpreter.layout import walk_steps
from interpreter.secrecy import PLAYERS, Secrecy
from rulesdsl import program as pg
from rulesdsl.types import thing


@dataclass(slots=True)
class Log:
    """What lines of the log can say: kind, paragraph, values; and who may read which."""

    secrecy: Secrecy
    notes: list[tuple[str, str, tuple[pg.E, ...]]] = field(default_factory=list)


class StepWriter(ABC):
    """One procedure on its way to Python."""

    def __init__(self, unit: Unit, procedure: pg.ProcedureRule, log: Log) -> None:
        self.unit = unit
        self.procedure = procedure
        self.log = log
        self.env: Env = {}
        self.em = Emitter(unit)
        self.begun_with: tuple[str, ...] = ()  # where the arguments of a phase are when it ends
        self.records: list[list[tuple[int, str]]] = []  # open records: (cell, where its old value is)

    # -- what the two ways of writing differ in
    @abstractmethod
    def place(self, var: pg.Var | None = None) -> str:
        """Code for a new variable of the procedure."""

    @abstractmethod
    def call(self, name: str, arguments: list[str]) -> None: ...

    @abstractmethod
    def jump(self, verb: str) -> None: ...

    @abstractmethod
    def game_over(self) -> None: ...

    @abstractmethod
    def branch(self, step: pg.IfS) -> None: ...

    @abstractmethod
    def for_each(self, step: pg.ForS) -> None: ...

    @abstractmethod
    def repeat(self, step: pg.RepeatS) -> None: ...

    @abstractmethod
    def move_each(self, pieces: str, place: str, verb: str) -> None:
        """Move pieces one after the other, and run what that triggers."""

    @abstractmethod
    def decide(self, step: pg.ChooseS | pg.MenuS | pg.TravelS) -> None: ...

    # -- tracks, attributes and marks: changes.py
    @abstractmethod
    def set_track(self, step: pg.SetTrack) -> None: ...

    @abstractmethod
    def set_attribute(self, step: pg.SetAttr) -> None: ...

    @abstractmethod
    def mark(self, step: pg.MarkS) -> None: ...

    # -- pieces and tokens, records and triggers: moves.py
    @abstractmethod
    def move(self, step: pg.MoveS) -> None: ...

    @abstractmethod
    def flip(self, step: pg.FlipS) -> None: ...

    @abstractmethod
    def token(self, step: pg.TokenS) -> None: ...

    @abstractmethod
    def with_record(self, step: pg.WithS) -> None: ...

    @abstractmethod
    def run_triggers(self, event: str, subject: str, values: tuple[str, ...], guard: str = "") -> None: ...

    # -- steps
    def steps(self, steps: pg.Steps) -> None:
        for step in steps:
            self.step(step)

    def step(self, step: pg.S) -> None:
        em, env = self.em, self.env
        match step:
            case pg.LetS(var=var, value=value):
                em.emit(f"{self.of(var)} = {stored(em, env, value)}")
            case pg.SetTrack():
                self.set_track(step)
            case pg.SetField(record=record, field=name, value=value):
                em.emit(f"s[{self.unit.layout.fields[record, name]}] = {stored(em, env, value)}")
            case pg.SetAttr():
                self.set_attribute(step)
            case pg.MarkS():
                self.mark(step)
            case pg.MoveS():
                self.move(step)
            case pg.FlipS():
                self.flip(step)
            case pg.DoS(procedure=name, arguments=arguments):
                self.call(name, [stored(em, env, a) for a in arguments])
            case pg.RollS(var=var, count=count, faces=faces, purpose=purpose):
                cell = self.unit.layout.rolls[purpose]
                em.emit(f"{self.of(var)} = m.roll({purpose!r}, {cell}, {count}, {faces})")
                rolled = pg.VarGet(var, type=var.type)
                self.note("roll", step.rule, (rolled,), f"{count}d{faces} for {purpose}")
            case pg.PickS(var=var, group=group, purpose=purpose):
                cell = self.unit.layout.rolls[purpose]
                em.emit(f"{self.of(var)} = m.pick({purpose!r}, {cell}, {code(em, env, group)})")
                self.note("pick", step.rule, (pg.VarGet(var, type=var.type),))
            case pg.TokenS():
                self.token(step)
            case pg.OpenS(window=window):
                em.emit(f"s[{self.unit.layout.tracks['cancelled']}] = 0")
                self.call(f"window {window}", [])
            case pg.JumpS(verb="cancel"):
                em.emit(f"s[{self.unit.layout.tracks['cancelled']}] = 1")
            case pg.JumpS(verb=verb):
                self.jump(verb)
            case pg.EndS(outcome=outcome, winner=winner, reason=reason):
                who = code(em, env, winner) if winner is not None else "0"
                em.emit(f"m.end({outcome!r}, {who}, {reason!r}, {step.rule!r})")
                self.game_over()
            case pg.NoteS(text=text, values=values):
                self.note("note", step.rule, values, text)
            case pg.IfS():
                self.branch(step)
            case pg.ForS():
                self.for_each(step)
            case pg.RepeatS():
                self.repeat(step)
            case pg.WithS():
                self.with_record(step)
            case pg.ChooseS() | pg.MenuS() | pg.TravelS():
                self.decide(step)
            case _:
                raise AssertionError(f"no code for {type(step).__name__}")

    def of(self, var: pg.Var) -> str:
        """Where a variable is; it gets a place when it is first met."""
        return self.env[var] if var in self.env else self.place(var)

    def begin(self) -> None:
        """What happens before the first step of a procedure."""
        procedure = self.procedure
        if procedure.kind == "phase":
            self.note("phase", procedure.rule, tuple(pg.VarGet(p, type=p.type) for p in procedure.params))
            given = [self.env[var] for var in procedure.params]
            self.run_triggers("begins", procedure.name, tuple(given))
            self.begun_with = tuple(map(self._copied, procedure.params)) if self._sets_params() else (*given,)
        elif procedure.kind == "token":
            played = next(t for t in self.unit.program.tokens.values() if t.procedure == procedure.name)
            holder = pg.VarGet(procedure.params[0], type=procedure.params[0].type)
            token = pg.Const(played.index, type=thing("token"))
            self.note("token play", procedure.rule, (token, holder))
        else:
            self.em.fired(procedure.rule)

    def finish(self) -> None:
        """What happens after the last step, or a `finish`."""
        if self.procedure.kind == "phase":
            self.run_triggers("ends", self.procedure.name, self.begun_with)
            for slots in self.unit.layout.flags.values():
                if self.procedure.name in slots:
                    self.em.emit(f"s[{slots[self.procedure.name]}] = 0")

    def _sets_params(self) -> bool:
        """Whether what follows the phase needs to remember what it was begun with."""
        procedure = self.procedure
        if not any((t.event, t.subject) == ("ends", procedure.name) for t in self.unit.program.triggers):
            return False
        changed = (step.var for step in walk_steps(procedure.body) if isinstance(step, pg.LetS))
        return not set(procedure.params).isdisjoint(changed)

    def _copied(self, var: pg.Var) -> str:
        where = self.place()
        self.em.emit(f"{where} = {self.env[var]}")
        return where

    # -- log
    def note(
        self, kind: str, rule: str, values: tuple[pg.E, ...], text: str = "", viewers: pg.E | None = None
    ) -> None:
        """One line of the log, in the traced version only; `viewers` if it is not for everybody."""
        self.em.fired(rule)
        if self.unit.traced:
            self.tell(kind, rule, values, text, viewers)

    def tell(
        self, kind: str, rule: str, values: tuple[pg.E, ...], text: str = "", viewers: pg.E | None = None
    ) -> None:
        """The line alone. A rule counts whether or not there is something to tell of it."""
        number = len(self.log.notes)
        self.log.notes.append((kind, rule, values))
        shown = "".join(f"{code(self.em, self.env, v)}, " for v in values)
        title = text or (self.procedure.title if kind == "phase" else "")
        for value in values if viewers is None else ():
            known = self.log.secrecy.viewers(value)
            if known is not None:
                viewers = known if viewers is None else pg.SetOp("&", viewers, known, type=PLAYERS)
        eyes = f", {code(self.em, self.env, viewers)}" if viewers is not None else ""
        self.em.emit(f"m.note({number}, {title!r}, ({shown}){eyes})")
