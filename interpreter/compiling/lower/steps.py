"""Lowering of the steps of a procedure: the same whether it can stop on the way or not.

`BlockWriter` (emit/blocks) cuts a procedure where play may stop; `FlowWriter` (emit/playout) writes it as one
function that asks at once. What they do about control and decisions is theirs; the rest is here.

Long because it is one class, with a case for each step: what is known of the game and of things changes,
pieces move, tokens change hands, records open and close, triggers run, and the log tells of it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import assert_never

from interpreter.compiling.flavours import Knack
from interpreter.compiling.ir import values as v
from interpreter.compiling.ir.builder import Builder
from interpreter.compiling.ir.kinds import FLAG, NUMBER
from interpreter.compiling.ir.statements import Do, ForIn, Store, Target, Update
from interpreter.compiling.ir.values import MACHINE, STATE, Value
from interpreter.compiling.lower.values import code, stored
from interpreter.compiling.optimise.may_stop import may_find_nothing
from interpreter.compiling.unit import Env, Unit
from interpreter.secrecy.identity import PIECES
from interpreter.secrecy.who_knows import EVERYBODY, HIDDEN, SPOKEN, Leaves, Secrecy, joined, together
from interpreter.state.token_cells import HELD, IN_BAG, SPENT, token_cells
from rulesdsl import program as pg
from rulesdsl.language.conventions import CANCELLED
from rulesdsl.program.types import Type, set_of, thing
from rulesdsl.program.walk import walk_steps

PHASES = ("begins", "ends")
MOTIONS = frozenset({"enters", "leaves", "removed", "placed"})


@dataclass(frozen=True, slots=True)
class Firing:
    """A trigger that may run here: tests of what is known, its condition, the names in it."""

    tests: tuple[Value, ...]
    condition: pg.E | None
    env: Env
    procedure: str


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

    @abstractmethod
    def kept(self, value: Value, type_: Type | None = None) -> Value:
        """Where to find a value that must still be known after a trigger has run."""

    @abstractmethod
    def fire(self, tests: tuple[Value, ...], condition: pg.E | None, env: Env, name: str) -> None:
        """Run a trigger if the tests and its condition hold."""

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
                self.note("roll", step.paragraph, (rolled,), f"{count}d{faces} for {purpose}")
            case pg.PickS(var=var, group=group, purpose=purpose):
                target = self.of(var)
                given = self._drawn_from(purpose)
                em.let(target, v.Method(MACHINE, "pick", (*given, code(em, env, group))))
                self.note("pick", step.paragraph, (pg.VarGet(var, type=var.type),))
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
                em.fired(step.paragraph)
            case pg.RememberS(var=var):
                target = self.of(var)
                now = v.Call("position", (v.STATE,), NUMBER)
                cell_of_them = v.Number(self.unit.layout.positions)
                em.let(target, v.Method(MACHINE, "remember", (cell_of_them, now)))
                em.fired(step.paragraph)
            case pg.EndS(winner=players, each=each, payoff=payoff) if each is not None and payoff is not None:
                self.pay_out(step, players, each, payoff)
                self.game_over()
            case pg.EndS(outcome=outcome, winner=winner, reason=reason):
                who = code(em, env, winner) if winner is not None else v.ZERO
                words = map(self.unit.text, (reason, step.paragraph))
                em.do(v.Method(MACHINE, "end", (v.Word(outcome), who, *words)))
                self.game_over()
            case pg.NoteS(text=text, values=values):
                self.note("note", step.paragraph, values, text)
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
        em.do(v.Method(MACHINE, "pay", (gains, *map(self.unit.text, (step.reason, step.paragraph)))))

    def _drawn_from(self, purpose: str) -> tuple[Value, Value]:
        """What dice and picks for a purpose depend on: its name, and the cell that counts them."""
        return self.unit.text(purpose), v.Number(self.unit.layout.rolls[purpose])

    def _cancelled(self) -> v.Cell:
        return v.Cell(self.unit.layout.tracks[CANCELLED], None, FLAG)

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
            self.note(
                "phase", procedure.paragraph, tuple(pg.VarGet(p, type=p.type) for p in procedure.params)
            )
            given = [self.env[var] for var in procedure.params]
            self.run_triggers("begins", procedure.name, tuple(given))
            self.begun_with = tuple(map(self._copied, procedure.params)) if self._sets_params() else (*given,)
        elif procedure.kind == "token":
            played = next(t for t in self.unit.program.tokens.values() if t.procedure == procedure.name)
            holder = pg.VarGet(procedure.params[0], type=procedure.params[0].type)
            token = pg.Const(played.index, type=thing("token"))
            self.show_played(played.index)
            self.note("token play", procedure.paragraph, (token, holder))
        else:
            self.em.fired(procedure.paragraph)

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

    # -- tracks, attributes and marks
    def set_track(self, step: pg.SetTrack) -> None:
        track, value = step.track, step.value
        known = self.unit.program.world.tracks.get(track)
        if known is not None and known.type.low is not None:
            new = _clamped(code(self.em, self.env, value), known.type)
        else:
            new = stored(self.em, self.env, value)
        kind = self.unit.kind(value.type)
        cell, before = v.Cell(self.unit.layout.tracks[track], None, kind), self.em.temp("z", kind)
        told = self.unit.tells and not (known is not None and known.quiet)
        if told:
            self.em.let(before, cell)
        self.em.store(cell, new)
        self.em.fired(step.paragraph)
        if told:
            with self.em.branch(v.Compare("!=", before, cell)):
                now = pg.TrackGet(track, type=value.type if known is None else known.type)
                self.tell(
                    f"set {track}", step.paragraph, (now,), "", self.seen(self.log.secrecy.of_track(track))
                )

    def set_attribute(self, step: pg.SetAttr) -> None:
        em, env, attribute = self.em, self.env, step.attribute
        array = self.unit.layout.arrays[attribute.universe, attribute.name]
        if attribute.type.low is not None:
            value = em.atom(_clamped(code(em, env, step.value), attribute.type), "k")
        else:
            value = em.atom(stored(em, env, step.value), "k")
        owner = em.atom(code(em, env, step.of), "o")
        cell = v.Cell(array.base, owner, self.unit.kind(attribute.type))
        before = em.temp("z", cell.kind)
        em.let(before, cell)
        differs = v.Compare("!=", before, value)
        with em.branch(v.Logic("and", (v.Compare(">=", owner, v.ZERO), differs))):
            em.store(cell, value)
            if array.masks >= 0:
                bit = em.atom(v.Bit(owner), "b")
                em.store(v.Cell(array.masks, before), bit, "^")
                em.store(v.Cell(array.masks, value), bit, "^")
            em.fired(step.paragraph)
            if self.unit.tells and not attribute.quiet:
                whose = pg.Var("changed", step.of.type)
                env[whose] = owner
                of = pg.VarGet(whose, type=step.of.type)
                shown = (of, pg.AttrGet(attribute, of, type=attribute.type))
                viewers = self.seen(self.log.secrecy.of_attribute(attribute, of), of)
                self.tell(f"set {attribute.name}", step.paragraph, shown, "", viewers)
                del env[whose]
        subject = f"{attribute.universe}.{attribute.name}"
        self.run_triggers("changes", subject, (owner, before), differs)

    def mark(self, step: pg.MarkS) -> None:
        em, env, attribute = self.em, self.env, step.attribute
        slots = self.unit.layout.flag_slots(attribute)
        who = code(em, env, step.of)
        if step.of.type.kind != "set":
            who = self.unit.bit(attribute.universe, who)
        mask = em.atom(who, "w")
        owners = self.unit.mask_kind(attribute.universe)
        changed = em.temp("g", owners)
        if self.unit.tells:  # the log tells of those for whom something changes
            cells = tuple(v.Cell(slot, None, owners) for slot in slots.values())
            now: Value = v.Join(cells) if len(cells) > 1 else cells[0]
            em.let(changed, v.Meet((mask, v.Outside(now) if step.on else now)))
        if step.on:
            em.store(v.Cell(slots[step.until or ""], None, owners), mask, "|")
        else:
            for slot in slots.values():
                em.store(v.Cell(slot, None, owners), v.Outside(mask), "&")
        if not self.unit.tells:
            return
        em.fired(step.paragraph)
        with em.branch(changed):
            em.fired(step.paragraph)
            if attribute.quiet:
                return
            kind = "mark" if step.on else "unmark"
            if not self.log.secrecy.secret_attribute(attribute.universe, attribute.name):
                whom = pg.Var("changed", set_of(attribute.universe))
                self.env[whom] = changed
                shown = (pg.VarGet(whom, type=whom.type),)
                self.tell(kind, step.paragraph, shown, attribute.name, self.seen((), shown[0]))
                del self.env[whom]
                return
            one, member = (
                em.temp("p", self.unit.thing_kind(attribute.universe)),
                pg.Var("changed", thing(attribute.universe)),
            )
            with em.each(changed, one):  # of each of them others may know
                self.env[member] = one
                of = pg.VarGet(member, type=member.type)
                viewers = self.seen(self.log.secrecy.of_attribute(attribute, of), of)
                self.tell(kind, step.paragraph, (of,), attribute.name, viewers)
            del self.env[member]

    def seen(self, leaves: Leaves, *named: pg.E) -> pg.E:
        """Who sees that a place has changed: whoever may see the place, however the change came about, and
        may know the things that are named."""
        viewers = together(joined(leaves, *map(self.log.secrecy.naming, named)))
        return EVERYBODY if viewers is None else viewers

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
            self.note(step.verb, step.paragraph, (step.pieces, step.place))
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
        em.fired(step.paragraph)
        em.let(moved, v.ZERO)
        one = em.temp("p", self.unit.thing_kind("piece"))
        with em.each(pieces, one):
            em.when(v.Compare("!=", self.at(one), place), Update(moved, "|", v.Bit(one)))
        who, where = pg.Var("moved", step.pieces.type), pg.Var("place", step.place.type)
        env[who], env[where] = moved, place
        with em.branch(moved):
            shown = (pg.VarGet(who, type=who.type), pg.VarGet(where, type=where.type))
            hidden = (HIDDEN,) if self.log.secrecy.secret_attribute("piece", "at") else ()
            self.tell(step.verb, step.paragraph, shown, "", self.seen(hidden, shown[0]))
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
            em.fired(step.paragraph)
            turned = pg.Var("turned", step.piece.type)
            self.env[turned] = who
            with em.branch(v.Compare("!=", before, cell)):
                shown = pg.VarGet(turned, type=turned.type)
                self.tell("flip", step.paragraph, (shown,), "", self.seen((), shown))
            del self.env[turned]
        else:
            self.note("flip", step.paragraph, (step.piece,))
        self.run_triggers("flipped", "", (who,))

    def put_in_stack(self, step: pg.PutS) -> None:
        em = self.em
        who = em.atom(code(em, self.env, step.piece), "p")
        em.do(v.Call("put_in_stack", (STATE, who, self.at(who), v.Number(int(step.on_top)))))
        em.fired(step.paragraph)

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
        self.note(f"token {step.verb}", step.paragraph, shown, "", self.log.secrecy.token_viewers(what))
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

    # -- log
    def note(
        self, kind: str, paragraph: str, values: tuple[pg.E, ...], text: str = "", viewers: pg.E | None = None
    ) -> None:
        """One line of the log, in the traced version only; `viewers` if it is not for everybody."""
        self.em.fired(paragraph)
        if self.unit.tells:
            self.tell(kind, paragraph, values, text, viewers)

    def ask_untold(self, values: tuple[pg.E, ...]) -> None:
        """A table without a place stops a rule, also where nothing is told: being told changes no game."""
        for value in () if self.unit.tells else values:
            if may_find_nothing(self.unit.program, value):
                self.em.do(code(self.em, self.env, value))

    def tell(
        self, kind: str, paragraph: str, values: tuple[pg.E, ...], text: str = "", viewers: pg.E | None = None
    ) -> None:
        """The line alone. A rule counts whether or not there is something to tell of it."""
        number = len(self.log.notes)
        self.log.notes.append((kind, paragraph, values))
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


def _clamped(value: Value, type_: Type) -> Value:
    """A number brought between the limits of what keeps it."""
    assert type_.low is not None
    assert type_.high is not None
    return v.Call("clamp", (value, v.Number(type_.low), v.Number(type_.high)), NUMBER)
