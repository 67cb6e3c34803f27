"""Pieces that move, tokens that change hands, records that open and close, and what all that triggers."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

from interpreter.compiling.flavours import Knack
from interpreter.compiling.ir import values as v
from interpreter.compiling.ir.statements import Store, Update
from interpreter.compiling.ir.values import MACHINE, STATE, Value
from interpreter.compiling.lower.changes import ChangeWriter
from interpreter.compiling.lower.values import code, stored
from interpreter.compiling.unit import Env
from interpreter.secrecy.who_knows import HIDDEN, joined
from interpreter.state.token_cells import HELD, IN_BAG, SPENT, token_cells
from rulesdsl import program as pg
from rulesdsl.program.types import Type, thing

PHASES = ("begins", "ends")
MOTIONS = frozenset({"enters", "leaves", "removed", "placed"})


@dataclass(frozen=True, slots=True)
class Firing:
    """A trigger that may run here: tests of what is known, its condition, the names in it."""

    tests: tuple[Value, ...]
    condition: pg.E | None
    env: Env
    procedure: str


class MoveWriter(ChangeWriter):
    """Writes the steps that others may watch."""

    @abstractmethod
    def kept(self, value: Value, type_: Type | None = None) -> Value:
        """Where to find a value that must still be known after a trigger has run."""

    @abstractmethod
    def fire(self, tests: tuple[Value, ...], condition: pg.E | None, env: Env, name: str) -> None:
        """Run a trigger if the tests and its condition hold."""

    # -- pieces
    def move(self, step: pg.MoveS) -> None:
        em, env = self.em, self.env
        pieces, place = code(em, env, step.pieces), code(em, env, step.place)
        secrecy = self.log.secrecy
        if (
            self.unit.tells
            and secrecy.any
            and joined(secrecy.leaves(step.pieces), secrecy.leaves(step.place))
        ):
            pieces, place = em.atom(pieces, "w"), em.atom(place, "z")
            self.tell_of_those_that_move(step, pieces, place)
        else:
            self.note(step.verb, step.rule, (step.pieces, step.place))
        if any(t.event in MOTIONS for t in self.unit.program.triggers):
            self.move_each(pieces, place, step.verb)
            return
        piece, target = em.temp("p", self.unit.thing_kind("piece")), em.atom(place, "z")
        with em.each(pieces, piece):
            self.put(piece, target)

    def tell_of_those_that_move(self, step: pg.MoveS, pieces: Value, place: Value) -> None:
        """Everybody sees what stands elsewhere afterwards, and nothing of what a secret would have moved."""
        em, env = self.em, self.env
        moved = em.temp("w", self.unit.mask_kind("piece"))
        em.fired(step.rule)
        em.let(moved, v.ZERO)
        one = em.temp("p", self.unit.thing_kind("piece"))
        with em.each(pieces, one):
            em.when(v.Compare("!=", self.at(one), place), Update(moved, "|", v.Bit(one)))
        who, where = pg.Var("moved", step.pieces.type), pg.Var("place", step.place.type)
        env[who], env[where] = moved, place
        with em.branch(moved):
            shown = (pg.VarGet(who, type=who.type), pg.VarGet(where, type=where.type))
            hidden = (HIDDEN,) if self.log.secrecy.secret_attribute("piece", "at") else ()
            self.tell(step.verb, step.rule, shown, "", self.seen(hidden, shown[0]))
        del env[who], env[where]

    def at(self, piece: Value) -> v.Cell:
        """The cell that says where a piece stands."""
        return v.Cell(self.unit.layout.arrays["piece", "at"].base, piece, self.unit.thing_kind("space"))

    def move_one(self, piece: Value, target: Value, verb: str) -> None:
        """Move one piece and run what its leaving and entering triggers, leaving first."""
        origin = self.place()
        self.em.let(origin, self.at(piece))
        self.put(piece, target)
        self.run_triggers("leaves", "", (piece, origin), v.Compare(">=", origin, v.ZERO))
        if verb == "remove":
            self.run_triggers("removed", "", (piece,))
        else:
            self.run_triggers("enters", "", (piece, target), v.Compare(">=", target, v.ZERO))
            if verb == "place":
                self.run_triggers("placed", "", (piece,))

    def put(self, piece: Value, target: Value) -> None:
        left = self.em.temp("z", self.unit.thing_kind("space"))
        self.em.let(left, self.at(piece))
        self.lift(piece, left)
        if self.unit.program.world.stack:
            self.em.do(v.Call("restack", (STATE, piece, left, target)))
        self.em.store(self.at(piece), target)
        self.lower(piece, target)

    def _pieces_in(self, place: Value) -> v.Cell:
        return v.Cell(self.unit.layout.pieces_in, place, self.unit.mask_kind("piece"))

    def _places_of_kind(self, kind: Value) -> v.Cell:
        """Where pieces of a kind stand: a mask that is kept up to date."""
        return v.Cell(self.unit.layout.occupation.base, kind, self.unit.mask_kind("space"))

    def lift(self, piece: Value, place: Value) -> None:
        """A place no longer holds a piece, whatever the piece says."""
        em, unit, occupation = self.em, self.unit, self.unit.layout.occupation
        kind, there = em.temp("k"), self._pieces_in(place)
        em.let(kind, v.Item(unit.constant("kind_of", occupation.kind_of), piece))
        em.store(there, v.Outside(v.Bit(piece)), "&")
        alike = v.Item(unit.constant("kinds", occupation.kinds), kind)
        with em.branch(v.Not(v.Binary("&", there, alike))):
            em.store(self._places_of_kind(kind), v.Outside(unit.bit("space", place)), "&")

    def lower(self, piece: Value, place: Value) -> None:
        """A place holds a piece, whatever the piece says."""
        unit, occupation = self.unit, self.unit.layout.occupation
        kind = v.Item(unit.constant("kind_of", occupation.kind_of), piece)
        self.em.store(self._pieces_in(place), v.Bit(piece), "|")
        self.em.store(self._places_of_kind(kind), unit.bit("space", place), "|")

    def flip(self, step: pg.FlipS) -> None:
        em, face = self.em, step.face
        who = em.atom(code(em, self.env, step.piece), "p")
        faces = self.unit.constant("faces", (*self.unit.program.world.faces, 1))
        cell = v.Cell(self.unit.layout.arrays["piece", "face"].base, who)
        new = code(em, self.env, face) if face is not None else v.Binary("+", cell, v.ONE)
        before = em.temp("z")
        secrecy = self.log.secrecy
        hidden = self.unit.tells and secrecy.any and bool(secrecy.leaves(step.piece))
        if hidden:
            em.let(before, cell)
        turned_to = v.Binary("%", new, v.Item(faces, who))
        em.when(v.Compare(">=", who, v.ZERO), Store(cell, turned_to))
        if hidden:  # everybody sees a counter turn
            em.fired(step.rule)
            turned = pg.Var("turned", step.piece.type)
            self.env[turned] = who
            with em.branch(v.Compare("!=", before, cell)):
                shown = pg.VarGet(turned, type=turned.type)
                self.tell("flip", step.rule, (shown,), "", self.seen((), shown))
            del self.env[turned]
        else:
            self.note("flip", step.rule, (step.piece,))
        self.run_triggers("flipped", "", (who,))

    def put_in_stack(self, step: pg.PutS) -> None:
        em = self.em
        who = em.atom(code(em, self.env, step.piece), "p")
        em.do(v.Call("put_in_stack", (STATE, who, self.at(who), v.Number(int(step.on_top)))))
        em.fired(step.rule)

    def token(self, step: pg.TokenS) -> None:
        em, env, layout = self.em, self.env, self.unit.layout
        cells = token_cells(layout)
        assert cells is not None
        tokens = self.unit.constant("token_cells", cells)
        who = em.atom(code(em, env, step.player), "o") if step.player is not None else v.MINUS_ONE
        moved = pg.Var("token", thing("token"))
        token = env[moved] = em.temp("x", self.unit.thing_kind("token"))
        if step.verb == "draw":
            em.let(token, v.Method(MACHINE, "draw", (who, v.Number(layout.rolls["draw"]), tokens)))
        else:
            assert step.token is not None
            em.let(token, code(em, env, step.token))
            if step.verb == "show":
                eyes = who if step.player is not None else v.Cell(cells.known - 1)
                em.do(v.Method(MACHINE, "show_token", (token, eyes, tokens)))
            else:
                where = {"return": IN_BAG, "give": HELD, "discard": SPENT}[step.verb]
                openly = (v.Name("True"),) if step.openly else ()
                em.do(v.Method(MACHINE, "put_token", (token, who, v.Number(where), tokens, *openly)))
        what = pg.VarGet(moved, type=moved.type)
        shown = (what, *((step.player,) if step.player is not None else ()))
        self.note(f"token {step.verb}", step.rule, shown, "", self.log.secrecy.token_viewers(what))
        del env[moved]

    def show_played(self, token: int) -> None:
        cells = token_cells(self.unit.layout)
        assert cells is not None
        tokens = self.unit.constant("token_cells", cells)
        everybody = v.Cell(cells.known - 1)
        self.em.do(v.Method(MACHINE, "show_token", (v.Number(token), everybody, tokens)))

    # -- triggers
    def run_triggers(
        self, event: str, subject: str, values: tuple[Value, ...], guard: Value | None = None
    ) -> None:
        """Call every trigger of this event whose class and condition fit, in the order of paragraphs."""
        program = self.unit.program
        matching = [t for t in program.triggers if t.event == event and self._about(t, event, subject)]
        if not matching:
            return
        told = max((program.procedures[t.procedure].params for t in matching), key=len)
        types = [*(param.type for param in told), *[None] * len(values)]
        given = [self.kept(value, type_) for value, type_ in zip(values, types, strict=False)]
        if guard is not None:
            guard = self.kept(v.Choose(guard, v.ONE, v.ZERO))
        firing: list[Firing] = []
        for trigger in matching:
            procedure = program.procedures[trigger.procedure]
            env = dict(zip(procedure.params, given, strict=False))
            tests = [guard] if guard is not None else []
            for var, value in env.items():
                universe, cls = var.type.name, var.type.of
                if event == "changes" and var is not procedure.params[0]:
                    continue  # what it was before may be none
                if universe in ("piece", "space") and cls and event not in PHASES:
                    mask = program.world.universes[universe].mask(cls)
                    if mask != program.world.universes[universe].mask() or not self.unit.does(Knack.CLASSES):
                        tests.append(v.Binary("&", self.unit.literal(mask), self.unit.bit(universe, value)))
                    else:
                        tests.append(v.Compare(">=", value, v.ZERO))
            firing.append(Firing(tuple(tests), trigger.condition, env, trigger.procedure))
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
        values = {name: em.atom(stored(em, self.env, value), "w") for name, value in step.values}
        saved: list[tuple[int, Value]] = []
        for (record, name), cell in layout.fields.items():
            if record == step.record:
                old = self.place(type_=self.unit.program.world.records[record].fields[name])
                saved.append((cell, old))
                em.let(old, v.Cell(cell))
                em.store(v.Cell(cell), values.get(name, self.unit.literal(layout.initial[cell])))
        self.records.append(saved)
        self.steps(step.body)
        self.restore_records(len(self.records) - 1)
        self.records.pop()

    def restore_records(self, down_to: int) -> None:
        for saved in reversed(self.records[down_to:]):
            for cell, old in saved:
                self.em.store(v.Cell(cell), old)
