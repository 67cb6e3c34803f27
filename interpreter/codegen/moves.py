"""Pieces that move, tokens that change hands, records that open and close, and what all that triggers."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

from interpreter.codegen.changes import ChangeWriter
from interpreter.codegen.emitter import Env
from interpreter.codegen.expressions import code, stored
from interpreter.secrecy import PLAYERS
from rulesdsl import program as pg
from rulesdsl.types import thing

PHASES = ("begins", "ends")
MOTIONS = frozenset({"enters", "leaves", "removed", "placed"})


@dataclass(frozen=True, slots=True)
class Firing:
    """A trigger that may run here: tests of what is known, its condition, the names in it."""

    tests: list[str]
    condition: pg.E | None
    env: Env
    procedure: str


class MoveWriter(ChangeWriter):
    """Writes the steps that others may watch."""

    @abstractmethod
    def kept(self, value: str) -> str:
        """Code for a value that must still be known after a trigger has run."""

    @abstractmethod
    def fire(self, tests: list[str], condition: pg.E | None, env: Env, name: str) -> None:
        """Run a trigger if the tests and its condition hold."""

    # -- pieces
    def move(self, step: pg.MoveS) -> None:
        em, env = self.em, self.env
        pieces, place = code(em, env, step.pieces), code(em, env, step.place)
        self.note(step.verb, step.rule, (step.pieces, step.place))
        if any(t.event in MOTIONS for t in self.unit.program.triggers):
            self.move_each(pieces, place, step.verb)
            return
        piece, target = em.temp("p"), em.atom(place, "z")
        with em.each(pieces, piece):
            self.put(piece, target)

    def move_one(self, piece: str, target: str, verb: str) -> None:
        """Move one piece and run what its leaving and entering triggers, leaving first."""
        at = self.unit.layout.arrays["piece", "at"].base
        origin = self.place()
        self.em.emit(f"{origin} = s[{at} + {piece}]")
        self.put(piece, target)
        self.run_triggers("leaves", "", (piece, origin), f"{origin} >= 0")
        if verb == "remove":
            self.run_triggers("removed", "", (piece,))
        else:
            self.run_triggers("enters", "", (piece, target), f"{target} >= 0")
            if verb == "place":
                self.run_triggers("placed", "", (piece,))

    def put(self, piece: str, target: str) -> None:
        at, left = self.unit.layout.arrays["piece", "at"].base, self.em.temp("z")
        self.em.emit(f"{left} = s[{at} + {piece}]")
        self.lift(piece, left)
        self.em.emit(f"s[{at} + {piece}] = {target}")
        self.lower(piece, target)

    def lift(self, piece: str, place: str) -> None:
        """A place no longer holds a piece, whatever the piece says."""
        em, layout, unit = self.em, self.unit.layout, self.unit
        pieces_in, occupation = layout.pieces_in, layout.occupation
        kind = em.temp("k")
        em.emit(f"{kind} = {unit.constant('kind_of', occupation.kind_of)}[{piece}]")
        em.emit(f"s[{pieces_in} + {place}] &= ~(1 << {piece})")
        em.emit(f"if not s[{pieces_in} + {place}] & {unit.constant('kinds', occupation.kinds)}[{kind}]:")
        em.emit(f"    s[{occupation.base} + {kind}] &= ~{unit.bits('space')}[{place}]")

    def lower(self, piece: str, place: str) -> None:
        em, layout, unit = self.em, self.unit.layout, self.unit
        kind = f"{unit.constant('kind_of', layout.occupation.kind_of)}[{piece}]"
        em.emit(f"s[{layout.pieces_in} + {place}] |= 1 << {piece}")
        em.emit(f"s[{layout.occupation.base} + {kind}] |= {unit.bits('space')}[{place}]")

    def flip(self, step: pg.FlipS) -> None:
        em, face = self.em, step.face
        who = em.atom(code(em, self.env, step.piece), "p")
        faces = self.unit.constant("faces", (*self.unit.program.world.faces, 1))
        base = self.unit.layout.arrays["piece", "face"].base
        new = code(em, self.env, face) if face is not None else f"s[{base} + {who}] + 1"
        em.emit(f"if {who} >= 0: s[{base} + {who}] = ({new}) % {faces}[{who}]")
        self.note("flip", step.rule, (step.piece,))
        self.run_triggers("flipped", "", (who,))

    def token(self, step: pg.TokenS) -> None:
        em, env, layout = self.em, self.env, self.unit.layout
        holder, state = layout.arrays["token", "holder"], layout.arrays["token", "state"]
        arrays = f"{holder.base}, {holder.masks}, {state.base}, {state.masks}"
        who = em.atom(code(em, env, step.player), "o") if step.player is not None else "-1"
        moved, eyes = pg.Var("token", thing("token")), pg.Var("eyes", PLAYERS)
        env[moved], env[eyes] = em.temp("x"), em.temp("y")
        bits = self.unit.bits("player")
        if step.verb == "draw":
            em.emit(f"{env[eyes]} = {bits}[{who}]")
            em.emit(f"{env[moved]} = m.draw({who}, {layout.rolls['draw']}, {arrays})")
        else:
            assert step.token is not None
            em.emit(f"{env[moved]} = {code(em, env, step.token)}")
            em.emit(f"{env[eyes]} = {bits}[s[{holder.base} + {env[moved]}]] | {bits}[{who}]")
            where = {"return": 0, "give": 1, "discard": 2}[step.verb]
            em.emit(f"m.put_token({env[moved]}, {who}, {where}, {arrays})")
        # who had it and who gets it know which one it is; a discarded one lies open
        viewers = None if step.verb == "discard" else pg.VarGet(eyes, type=PLAYERS)
        shown = (pg.VarGet(moved, type=moved.type), *((step.player,) if step.player is not None else ()))
        self.note(f"token {step.verb}", step.rule, shown, "", viewers)
        del env[moved], env[eyes]

    # -- triggers
    def run_triggers(self, event: str, subject: str, values: tuple[str, ...], guard: str = "") -> None:
        """Call every trigger of this event whose class and condition fit, in the order of paragraphs."""
        program = self.unit.program
        matching = [t for t in program.triggers if t.event == event and self._about(t, event, subject)]
        if not matching:
            return
        given = [self.kept(value) for value in values]
        guard = self.kept(f"1 if {guard} else 0") if guard else ""
        firing: list[Firing] = []
        for trigger in matching:
            procedure = program.procedures[trigger.procedure]
            env = dict(zip(procedure.params, given, strict=False))
            tests = [guard] if guard else []
            for var, value in env.items():
                universe, cls = var.type.name, var.type.of
                if universe in ("piece", "space") and cls and event not in PHASES:
                    mask = program.world.universes[universe].mask(cls)
                    if mask != program.world.universes[universe].mask() or self.unit.traced:
                        tests.append(f"{self.unit.literal(mask)} & {self.unit.bits(universe)}[{value}]")
                    else:
                        tests.append(f"{value} >= 0")
            firing.append(Firing(tests, trigger.condition, env, trigger.procedure))
        self.fire_all(firing)

    def fire_all(self, firing: list[Firing]) -> None:
        for one in firing:
            self.fire(one.tests, one.condition, one.env, one.procedure)

    def _about(self, trigger: pg.TriggerRule, event: str, subject: str) -> bool:
        if event == "changes":
            universe = self.unit.program.world.nouns[trigger.subject][0]
            return subject == f"{universe}.{trigger.attribute}"
        return event not in PHASES or trigger.subject == subject

    # -- records
    def with_record(self, step: pg.WithS) -> None:
        """The record's cells are saved, filled, and put back when its block is left."""
        em, layout = self.em, self.unit.layout
        values = {name: em.atom(stored(em, self.env, v), "w") for name, v in step.values}
        saved: list[tuple[int, str]] = []
        for (record, name), cell in layout.fields.items():
            if record == step.record:
                old = self.place()
                saved.append((cell, old))
                em.emit(f"{old} = s[{cell}]")
                em.emit(f"s[{cell}] = {values.get(name, self.unit.literal(layout.initial[cell]))}")
        self.records.append(saved)
        self.steps(step.body)
        self.restore_records(len(self.records) - 1)
        self.records.pop()

    def restore_records(self, down_to: int) -> None:
        for saved in reversed(self.records[down_to:]):
            for cell, old in saved:
                self.em.emit(f"s[{cell}] = {old}")
