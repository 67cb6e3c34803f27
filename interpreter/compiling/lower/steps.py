"""Lowering of the steps of a procedure: the same whether it can stop on the way or not.

`BlockWriter` (emit/blocks) cuts a procedure where play may stop; `FlowWriter` (emit/playout) writes it as one
function that asks at once. What they do about control and decisions is theirs; what
changes the state is in changes.py and moves.py; the rest is here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import assert_never

from interpreter.compiling.ir import values as v
from interpreter.compiling.ir.builder import Builder
from interpreter.compiling.ir.kinds import FLAG, NUMBER
from interpreter.compiling.ir.statements import Do, ForIn, Target
from interpreter.compiling.ir.values import MACHINE, Value
from interpreter.compiling.lower.values import code, stored
from interpreter.compiling.optimise.may_stop import may_find_nothing
from interpreter.compiling.unit import Env, Unit
from interpreter.secrecy.identity import PIECES
from interpreter.secrecy.who_knows import EVERYBODY, SPOKEN, Secrecy, together
from rulesdsl import program as pg
from rulesdsl.program.types import Type, thing
from rulesdsl.program.walk import walk_steps


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
        self.em = Builder(unit)
        self.begun_with: tuple[Value, ...] = ()  # where the arguments of a phase are when it ends
        self._members: list[pg.Var] = []  # of the loops around a step
        self.records: list[list[tuple[int, Value]]] = []  # open records: (cell, where its old value is)

    # -- what the two ways of writing differ in
    @abstractmethod
    def place(self, var: pg.Var | None = None, type_: Type | None = None) -> Target:
        """A place for a new variable of the procedure; one without a name says what it holds."""

    @abstractmethod
    def call(self, name: str, arguments: list[Value]) -> None: ...

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
    def move_each(self, pieces: Value, place: Value, verb: str) -> None:
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
    def put_in_stack(self, step: pg.PutS) -> None: ...

    @abstractmethod
    def token(self, step: pg.TokenS) -> None: ...

    @abstractmethod
    def show_played(self, token: int) -> None:
        """Who plays a token lays it open."""

    @abstractmethod
    def with_record(self, step: pg.WithS) -> None: ...

    @abstractmethod
    def run_triggers(
        self, event: str, subject: str, values: tuple[Value, ...], guard: Value | None = None
    ) -> None: ...

    # -- steps
    def steps(self, steps: pg.Steps) -> None:
        for step in steps:
            self.step(step)

    def step(self, step: pg.S) -> None:
        em, env = self.em, self.env
        step = pg.closed(step)
        match step:
            case pg.LetS(var=var, value=value):
                target = self.of(var)
                em.let(target, stored(em, env, value))
            case pg.SetTrack():
                self.set_track(step)
            case pg.SetField(record=record, field=name, value=value):
                cell = v.Cell(self.unit.layout.fields[record, name], None, self.unit.kind(value.type))
                em.store(cell, stored(em, env, value))
            case pg.SetAttr():
                self.set_attribute(step)
            case pg.MarkS():
                self.mark(step)
            case pg.MoveS():
                self.move(step)
            case pg.FlipS():
                self.flip(step)
            case pg.PutS():
                self.put_in_stack(step)
            case pg.DoS(procedure=name, arguments=arguments):
                self.call(name, [stored(em, env, a) for a in arguments])
            case pg.RollS(var=var, count=count, faces=faces, purpose=purpose):
                target = self.of(var)
                given = self._drawn_from(purpose)
                em.let(target, v.Method(MACHINE, "roll", (*given, v.Number(count), v.Number(faces))))
                rolled = pg.VarGet(var, type=var.type)
                self.note("roll", step.rule, (rolled,), f"{count}d{faces} for {purpose}")
            case pg.PickS(var=var, group=group, purpose=purpose):
                target = self.of(var)
                given = self._drawn_from(purpose)
                em.let(target, v.Method(MACHINE, "pick", (*given, code(em, env, group))))
                self.note("pick", step.rule, (pg.VarGet(var, type=var.type),))
            case pg.TokenS():
                self.token(step)
            case pg.OpenS(window=window):
                em.store(self._cancelled(), v.ZERO)
                self.call(f"window {window}", [])
            case pg.JumpS(verb="cancel"):
                em.store(self._cancelled(), v.ONE)
            case pg.JumpS(verb=verb):
                self.jump(verb)
            case pg.ShuffleS(pieces=pieces, purpose=purpose):
                given = self._drawn_from(purpose)
                piece = v.Local("p", self.unit.thing_kind("piece"))
                order = v.Method(MACHINE, "shuffled", (*given, code(em, env, pieces)))
                at = v.Cell(self.unit.layout.arrays["piece", "at"].base, piece)
                put = v.Call("put_in_stack", (v.STATE, piece, at, v.ONE))
                em.add(ForIn((piece,), order, [Do(put)]))
                em.fired(step.rule)
            case pg.RememberS(var=var):
                target = self.of(var)
                now = v.Call("position", (v.STATE,), NUMBER)
                cell_of_them = v.Number(self.unit.layout.positions)
                em.let(target, v.Method(MACHINE, "remember", (cell_of_them, now)))
                em.fired(step.rule)
            case pg.EndS(winner=players, each=each, payoff=payoff) if each is not None and payoff is not None:
                self.pay_out(step, players, each, payoff)
                self.game_over()
            case pg.EndS(outcome=outcome, winner=winner, reason=reason):
                who = code(em, env, winner) if winner is not None else v.ZERO
                words = map(self.unit.text, (reason, step.rule))
                em.do(v.Method(MACHINE, "end", (v.Word(outcome), who, *words)))
                self.game_over()
            case pg.NoteS(text=text, values=values):
                self.note("note", step.rule, values, text)
                self.ask_untold(values)
            case pg.IfS():
                self.branch(step)
            case pg.ForS(var=var):
                self._members.append(var)
                self.for_each(step)
                self._members.pop()
            case pg.RepeatS():
                self.repeat(step)
            case pg.WithS():
                self.with_record(step)
            case pg.ChooseS() | pg.MenuS() | pg.TravelS():
                self.decide(step)
            case _:
                assert_never(step)

    def pay_out(self, step: pg.EndS, players: pg.E | None, each: pg.Var, payoff: pg.E) -> None:
        """Reckon what each of the players gets, and end the game with it."""
        em, member, gains = self.em, self.em.temp("p", self.unit.thing_kind("player")), self.em.temp("gains")
        em.let(gains, v.Listing())
        with em.each(code(em, self.env, players) if players is not None else v.ZERO, member):
            value = stored(em, {**self.env, each: member}, payoff)
            em.do(v.Method(gains, "append", (v.Tuple((member, value)),)))
        em.do(v.Method(MACHINE, "pay", (gains, *map(self.unit.text, (step.reason, step.rule)))))

    def _drawn_from(self, purpose: str) -> tuple[Value, Value]:
        """What dice and picks for a purpose depend on: its name, and the cell that counts them."""
        return self.unit.text(purpose), v.Number(self.unit.layout.rolls[purpose])

    def _cancelled(self) -> v.Cell:
        return v.Cell(self.unit.layout.tracks["cancelled"], None, FLAG)

    def of(self, var: pg.Var) -> Target:
        """Where a variable is; it gets a place when it is first met."""
        if var not in self.env:
            return self.place(var)
        found = self.env[var]
        assert isinstance(found, (v.Local, v.Slot))
        return found

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
            self.show_played(played.index)
            self.note("token play", procedure.rule, (token, holder))
        else:
            self.em.fired(procedure.rule)

    def finish(self) -> None:
        """What happens after the last step, or a `finish`."""
        if self.procedure.kind == "phase":
            self.run_triggers("ends", self.procedure.name, self.begun_with)
            for slots in self.unit.layout.flags.values():
                if self.procedure.name in slots:
                    self.em.store(v.Cell(slots[self.procedure.name]), v.ZERO)

    def _sets_params(self) -> bool:
        """Whether what follows the phase needs to remember what it was begun with."""
        procedure = self.procedure
        if not any((t.event, t.subject) == ("ends", procedure.name) for t in self.unit.program.triggers):
            return False
        changed = (step.var for step in walk_steps(procedure.body) if isinstance(step, pg.LetS))
        return not set(procedure.params).isdisjoint(changed)

    def _copied(self, var: pg.Var) -> Value:
        where = self.place(type_=var.type)
        self.em.let(where, self.env[var])
        return where

    # -- log
    def note(
        self, kind: str, rule: str, values: tuple[pg.E, ...], text: str = "", viewers: pg.E | None = None
    ) -> None:
        """One line of the log, in the traced version only; `viewers` if it is not for everybody."""
        self.em.fired(rule)
        if self.unit.tells:
            self.tell(kind, rule, values, text, viewers)

    def ask_untold(self, values: tuple[pg.E, ...]) -> None:
        """A table without a place stops a rule, also where nothing is told: being told changes no game."""
        for value in () if self.unit.tells else values:
            if may_find_nothing(self.unit.program, value):
                self.em.do(code(self.em, self.env, value))

    def tell(
        self, kind: str, rule: str, values: tuple[pg.E, ...], text: str = "", viewers: pg.E | None = None
    ) -> None:
        """The line alone. A rule counts whether or not there is something to tell of it."""
        number = len(self.log.notes)
        self.log.notes.append((kind, rule, values))
        shown = v.Tuple(tuple([code(self.em, self.env, value) for value in values]))
        title = text or (self.procedure.title if kind == "phase" else "")
        eyes: list[Value] = []
        if viewers is not None:
            identity = self.log.secrecy.identity
            for value in values if identity is not None else ():
                for part in identity.leaves(value) if identity is not None else ():
                    viewers = pg.SetOp("&", viewers, part, type=viewers.type)
            eyes = [code(self.em, self.env, viewers)]
        else:
            known = [self.log.secrecy.viewers(value) for value in values]
            around = self._who_know_of_the_loops() if kind in SPOKEN else []
            each = tuple(
                [code(self.em, self.env, EVERYBODY if of is None else of) for of in (*known, *around)]
            )
            if any(of is not None for of in (*known, *around)):
                # of what is spoken each value is for those who may know it
                apart = kind in SPOKEN and not around
                eyes = [v.Tuple(each) if apart else v.Meet(each) if len(each) > 1 else each[0]]
        if eyes and kind not in SPOKEN and (veil := self._veil(values)) is not None:
            eyes.append(code(self.em, self.env, veil))
        said = (v.Number(number), self.unit.text(title), shown, *eyes)
        self.em.do(v.Method(MACHINE, "note", said))

    def _who_know_of_the_loops(self) -> list[pg.E]:
        """Those who may know each member of the loops around this step, where not everybody may: that a
        line is spoken at all tells that there is such a member."""
        known = [together(self.log.secrecy.variables.get(var, ())) for var in self._members]
        return [viewers for viewers in known if viewers is not None]

    def _veil(self, values: tuple[pg.E, ...]) -> pg.E | None:
        """The pieces a line speaks of that not everybody may know by name."""
        identity = self.log.secrecy.identity
        if identity is None:
            return None
        spoken: pg.E | None = None
        for value in values:
            if value.type.name == "piece" and value.type.kind in ("thing", "set"):
                pieces = value if value.type.kind == "set" else pg.SingleSet(value, type=PIECES)
                spoken = pieces if spoken is None else pg.SetOp("|", spoken, pieces, type=PIECES)
        return None if spoken is None else identity.unknown_to(None, spoken)
