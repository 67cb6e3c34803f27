"""Steps that change the state, as Python source: the same whether a procedure can stop on the way or not.

`BlockWriter` (procedures.py) cuts a procedure where play may stop; `FlowWriter` (flow.py) writes it as one
function that asks at once. What they do about control and decisions is theirs; the rest is here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field

from interpreter.codegen.emitter import Emitter, Env, Unit
from interpreter.codegen.expressions import code, stored
from interpreter.layout import walk_steps
from interpreter.secrecy import NOBODY, PLAYERS, Secrecy
from rulesdsl import program as pg
from rulesdsl.types import set_of, thing


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
            case pg.SetTrack(track=track, value=value):
                self._set_track(step, track, value)
            case pg.SetField(record=record, field=name, value=value):
                em.emit(f"s[{self.unit.layout.fields[record, name]}] = {stored(em, env, value)}")
            case pg.SetAttr():
                self._set_attribute(step)
            case pg.MarkS():
                self._mark(step)
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
            self._tell(kind, rule, values, text, viewers)

    def _tell(
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

    # -- state
    def _set_track(self, step: pg.S, track: str, value: pg.E) -> None:
        known = self.unit.program.world.tracks.get(track)
        new = stored(self.em, self.env, value)
        if known is not None and known.type.low is not None:
            new = f"clamp({new}, {known.type.low}, {known.type.high})"
        cell, before = f"s[{self.unit.layout.tracks[track]}]", self.em.temp("z")
        told = self.unit.traced and not (known is not None and known.quiet)
        if told:
            self.em.emit(f"{before} = {cell}")
        self.em.emit(f"{cell} = {new}")
        self.em.fired(step.rule)
        if told:
            self.em.emit(f"if {before} != {cell}:")
            with self.em.indented():
                now = pg.TrackGet(track, type=value.type if known is None else known.type)
                self._tell(f"set {track}", step.rule, (now,))

    def _set_attribute(self, step: pg.SetAttr) -> None:
        em, env, attribute = self.em, self.env, step.attribute
        array = self.unit.layout.arrays[attribute.universe, attribute.name]
        value = em.atom(code(em, env, step.value), "k")
        owner = em.atom(code(em, env, step.of), "o")
        low, high = attribute.type.low, attribute.type.high
        if low is not None:
            value = em.atom(f"clamp({value}, {low}, {high})", "k")
        before = em.temp("z")
        em.emit(f"{before} = s[{array.base} + {owner}]")
        em.emit(f"if {owner} >= 0 and {before} != {value}:")
        with em.indented():
            em.emit(f"s[{array.base} + {owner}] = {value}")
            if array.masks >= 0:
                bit = em.atom(f"1 << {owner}", "b")
                em.emit(f"s[{array.masks} + {before}] ^= {bit}")
                em.emit(f"s[{array.masks} + {value}] ^= {bit}")
            em.fired(step.rule)
            if self.unit.traced and not attribute.quiet:
                shown = (step.of, pg.AttrGet(attribute, step.of, type=attribute.type))
                self._tell(f"set {attribute.name}", step.rule, shown)
        self.run_triggers(
            "changes", f"{attribute.universe}.{attribute.name}", (owner, before), f"{before} != {value}"
        )

    def _mark(self, step: pg.MarkS) -> None:
        em, env, attribute = self.em, self.env, step.attribute
        slots = self.unit.layout.flag_slots(attribute)
        who = code(em, env, step.of)
        if step.of.type.kind != "set":
            who = f"{self.unit.bits(attribute.universe)}[{who}]"
        mask = em.atom(who, "w")
        changed = em.temp("g")
        if self.unit.traced:  # the log tells of those for whom something changes
            now = " | ".join(f"s[{slot}]" for slot in slots.values())
            em.emit(f"{changed} = {mask} & {'~' if step.on else ''}({now})")
        if step.on:
            em.emit(f"s[{slots[step.until or '']}] |= {mask}")
        else:
            for slot in slots.values():
                em.emit(f"s[{slot}] &= ~{mask}")
        if not self.unit.traced:
            return
        viewers = None
        if self.log.secrecy.secret_attribute(attribute.universe, attribute.name):
            flag = pg.AttrGet(attribute, step.of, type=attribute.type)
            viewers = NOBODY if step.of.type.kind == "set" else self.log.secrecy.viewers(flag)
        em.fired(step.rule)
        em.emit(f"if {changed}:")
        with em.indented():
            whom = pg.Var("changed", set_of(attribute.universe))
            self.env[whom] = changed
            kind = "mark" if step.on else "unmark"
            em.fired(step.rule)
            if not attribute.quiet:
                self._tell(kind, step.rule, (pg.VarGet(whom, type=whom.type),), attribute.name, viewers)
            del self.env[whom]
