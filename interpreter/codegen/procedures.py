"""Procedures as blocks: straight pieces of Python between the points where play may stop.

A frame is a list: the number of the block to run next, then the variables. A block is a function
`(m, s, f)` (machine, state, frame) that returns the number of the next block of the same frame, or one
of the signals below. Everything that can stop (a decision, a call) ends a block; everything else is
ordinary structured Python inside one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod

from interpreter.codegen.emitter import Emitter, Env, Unit
from interpreter.codegen.expressions import code, stored
from interpreter.layout import walk_steps
from interpreter.secrecy import NOBODY, PLAYERS, Secrecy
from interpreter.sites import MenuSite, Site, TravelSite
from rulesdsl import program as pg
from rulesdsl.types import set_of, thing

WAIT, CALL, RETURN, OVER = -1, -2, -3, -4
MOST_IN_ONE_BLOCK = 100_000  # turns of nested loops that count as one step


@dataclass(slots=True)
class Loop:
    """Where `leave` goes, and how many records are open around the loop."""

    exit: int
    records: int


@dataclass(slots=True)
class Blocks:
    """The blocks of all procedures, numbered."""

    unit: Unit
    sources: dict[int, str] = field(default_factory=dict)
    entries: dict[str, int] = field(default_factory=dict)
    frame_sizes: dict[str, int] = field(default_factory=dict)
    sites: list[Site | MenuSite | TravelSite] = field(default_factory=list)
    notes: list[tuple[str, str, tuple[pg.E, ...]]] = field(default_factory=list)
    count: int = 0
    secrecy: Secrecy = field(init=False)

    def __post_init__(self) -> None:
        self.secrecy = Secrecy(self.unit.program)

    def new(self) -> int:
        self.count += 1
        return self.count - 1

    def site(self, site: Site | MenuSite | TravelSite) -> int:
        self.sites.append(site)
        return len(self.sites) - 1


class ProcedureCompiler:
    """One procedure on its way to blocks."""

    def __init__(self, blocks: Blocks, procedure: pg.ProcedureRule) -> None:
        self.blocks = blocks
        self.unit = blocks.unit
        self.procedure = procedure
        self.env: Env = {}
        self.size = 1
        self.records: list[tuple[str, list[tuple[int, int]]]] = []
        self.loops: list[Loop] = []
        self.number = blocks.entries[procedure.name]
        self.em = Emitter(self.unit)
        self.epilogue = blocks.new()
        for var in procedure.params:
            self.slot(var)

    # -- frames and blocks
    def slot(self, var: pg.Var | None = None) -> int:
        self.size += 1
        if var is not None:
            self.env[var] = f"f[{self.size - 1}]"
        return self.size - 1

    def close(self, last: str) -> None:
        """End the block under construction with a return."""
        self.em.emit(last)
        body = "\n".join(self.em.lines)
        self.blocks.sources[self.number] = f"def b{self.number}(m, s, f):\n{body}"

    def open(self, number: int) -> None:
        self.number = number
        self.em = Emitter(self.unit)

    def compile(self) -> None:
        procedure = self.procedure
        if procedure.kind == "phase":
            self.note("phase", procedure.rule, tuple(pg.VarGet(p, type=p.type) for p in procedure.params))
            self.run_triggers("begins", procedure.name, ())
        elif procedure.kind == "token":
            played = next(t for t in self.unit.program.tokens.values() if t.procedure == procedure.name)
            holder = pg.VarGet(procedure.params[0], type=procedure.params[0].type)
            token = pg.Const(played.index, type=thing("token"))
            self.note("token play", procedure.rule, (token, holder))
        elif self.unit.traced:
            self.em.fired(procedure.rule)
        self.steps(procedure.body)
        self.close(f"return {self.epilogue}")
        self.open(self.epilogue)
        if procedure.kind == "phase":
            self.run_triggers("ends", procedure.name, ())
            for slots in self.unit.layout.flags.values():
                if procedure.name in slots:
                    self.em.emit(f"s[{slots[procedure.name]}] = 0")
        self.close(f"return {RETURN}")
        self.blocks.frame_sizes[procedure.name] = self.size

    def steps(self, steps: pg.Steps) -> None:
        for step in steps:
            self.step(step)

    # -- steps
    def step(self, step: pg.S) -> None:
        em, env = self.em, self.env
        match step:
            case pg.LetS(var=var, value=value):
                if var not in env:
                    self.slot(var)
                em.emit(f"{env[var]} = {stored(em, env, value)}")
            case pg.SetTrack(track=track, value=value):
                self.set_track(step, track, value)
            case pg.SetField(record=record, field=name, value=value):
                em.emit(f"s[{self.unit.layout.fields[record, name]}] = {stored(em, env, value)}")
            case pg.SetAttr():
                self.set_attribute(step)
            case pg.MarkS():
                self.mark(step)
            case pg.MoveS():
                self.move(step)
            case pg.FlipS(piece=piece, face=face):
                self.flip(step, piece, face)
            case pg.DoS(procedure=name, arguments=arguments):
                self.call(name, [stored(em, env, a) for a in arguments])
            case pg.RollS(var=var, count=count, faces=faces, purpose=purpose):
                if var not in env:
                    self.slot(var)
                cell = self.unit.layout.rolls[purpose]
                em.emit(f"{env[var]} = m.roll({purpose!r}, {cell}, {count}, {faces})")
                rolled = pg.VarGet(var, type=var.type)
                self.note("roll", step.rule, (rolled,), f"{count}d{faces} for {purpose}")
            case pg.PickS(var=var, group=group, purpose=purpose):
                if var not in env:
                    self.slot(var)
                cell = self.unit.layout.rolls[purpose]
                em.emit(f"{env[var]} = m.pick({purpose!r}, {cell}, {code(em, env, group)})")
                self.note("pick", step.rule, (pg.VarGet(var, type=var.type),))
            case pg.TokenS():
                self.token(step)
            case pg.OpenS(window=window):
                em.emit(f"s[{self.unit.layout.tracks['cancelled']}] = 0")
                self.call(f"window {window}", [])
            case pg.JumpS(verb=verb):
                self.jump(verb)
            case pg.EndS(outcome=outcome, winner=winner, reason=reason):
                who = code(em, env, winner) if winner is not None else "0"
                em.emit(f"m.end({outcome!r}, {who}, {reason!r}, {step.rule!r})")
                self.close(f"return {OVER}")
                self.open(self.blocks.new())
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
            case pg.ChooseS():
                from interpreter.codegen.decisions import choose, choose_several

                (choose_several if step.result is not None else choose)(self, step)
            case pg.MenuS():
                from interpreter.codegen.decisions import menu

                menu(self, step)
            case pg.TravelS():
                from interpreter.codegen.decisions import travel

                travel(self, step)
            case _:
                raise AssertionError(f"no code for {type(step).__name__}")

    # -- log
    def note(
        self, kind: str, rule: str, values: tuple[pg.E, ...], text: str = "", viewers: pg.E | None = None
    ) -> None:
        """One line of the log, in the traced version only; `viewers` if it is not for everybody."""
        self.em.fired(rule)
        if not self.unit.traced:
            return
        number = len(self.blocks.notes)
        self.blocks.notes.append((kind, rule, values))
        shown = "".join(f"{code(self.em, self.env, v)}, " for v in values)
        title = text or (self.procedure.title if kind == "phase" else "")
        for value in values if viewers is None else ():
            known = self.blocks.secrecy.viewers(value)
            if known is not None:
                viewers = known if viewers is None else pg.SetOp("&", viewers, known, type=PLAYERS)
        eyes = f", {code(self.em, self.env, viewers)}" if viewers is not None else ""
        self.em.emit(f"m.note({number}, {title!r}, ({shown}){eyes})")

    # -- state
    def set_track(self, step: pg.S, track: str, value: pg.E) -> None:
        info = self.unit.program.world.tracks.get(track)
        new = stored(self.em, self.env, value)
        if info is not None and info.type.low is not None:
            new = f"clamp({new}, {info.type.low}, {info.type.high})"
        self.em.emit(f"s[{self.unit.layout.tracks[track]}] = {new}")
        now = pg.TrackGet(track, type=value.type if info is None else info.type)
        self.note(f"set {track}", step.rule, (now,))

    def set_attribute(self, step: pg.SetAttr) -> None:
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
                em.emit(f"s[{array.masks} + {before}] ^= 1 << {owner}")
                em.emit(f"s[{array.masks} + {value}] ^= 1 << {owner}")
            shown = (step.of, pg.AttrGet(attribute, step.of, type=attribute.type))
            self.note(f"set {attribute.name}", step.rule, shown)
        self.run_triggers(
            "changes", f"{attribute.universe}.{attribute.name}", (owner, before), f"{before} != {value}"
        )

    def mark(self, step: pg.MarkS) -> None:
        em, env, attribute = self.em, self.env, step.attribute
        slots = self.unit.layout.flag_slots(attribute)
        who = code(em, env, step.of)
        if step.of.type.kind != "set":
            who = f"{self.unit.bits(attribute.universe)}[{who}]"
        mask = em.atom(who, "w")
        now = " | ".join(f"s[{slot}]" for slot in slots.values())
        changed = em.temp("g")
        if self.unit.traced:  # the log tells of those for whom something changes
            em.emit(f"{changed} = {mask} & {'~' if step.on else ''}({now})")
        if step.on:
            em.emit(f"s[{slots[step.until or '']}] |= {mask}")
        else:
            for slot in slots.values():
                em.emit(f"s[{slot}] &= ~{mask}")
        viewers = None
        if self.blocks.secrecy.secret_attribute(attribute.universe, attribute.name):
            flag = pg.AttrGet(attribute, step.of, type=attribute.type)
            viewers = NOBODY if step.of.type.kind == "set" else self.blocks.secrecy.viewers(flag)
        if not self.unit.traced:
            return
        em.fired(step.rule)
        em.emit(f"if {changed}:")
        with em.indented():
            whom = pg.Var("changed", set_of(attribute.universe))
            self.env[whom] = changed
            kind = "mark" if step.on else "unmark"
            self.note(kind, step.rule, (pg.VarGet(whom, type=whom.type),), attribute.name, viewers)
            del self.env[whom]

    def move(self, step: pg.MoveS) -> None:
        em, env = self.em, self.env
        pieces, place = code(em, env, step.pieces), code(em, env, step.place)
        self.note(step.verb, step.rule, (step.pieces, step.place))
        program = self.unit.program
        if not any(t.event in ("enters", "leaves", "removed", "placed") for t in program.triggers):
            piece = em.temp("p")
            target = em.atom(place, "z")
            with em.each(pieces, piece):
                self.put(piece, target)
            return
        left, target_slot = self.slot(), self.slot()
        em.emit(f"f[{left}] = {pieces}")
        em.emit(f"f[{target_slot}] = {place}")
        loop, done = self.blocks.new(), self.blocks.new()
        self.close(f"return {loop}")
        self.open(loop)
        self.em.emit(f"if not f[{left}]: return {done}")
        self.em.emit(f"b = f[{left}] & -f[{left}]")
        self.em.emit(f"f[{left}] ^= b")
        piece_slot = self.slot()
        self.em.emit(f"f[{piece_slot}] = b.bit_length() - 1")
        self.move_one(f"f[{piece_slot}]", f"f[{target_slot}]", step.verb)
        self.close(f"return {loop}")
        self.open(done)

    def move_one(self, piece: str, target: str, verb: str) -> None:
        """Move one piece and run what its leaving and entering triggers, leaving first."""
        at = self.unit.layout.arrays["piece", "at"].base
        origin = self.slot()
        self.em.emit(f"f[{origin}] = s[{at} + {piece}]")
        self.put(piece, target)
        self.run_triggers("leaves", "", (piece, f"f[{origin}]"), f"f[{origin}] >= 0")
        if verb == "remove":
            self.run_triggers("removed", "", (piece,))
        else:
            self.run_triggers("enters", "", (piece, target), f"{target} >= 0")
            if verb == "place":
                self.run_triggers("placed", "", (piece,))

    def put(self, piece: str, target: str) -> None:
        layout = self.unit.layout
        at, pieces_in = layout.arrays["piece", "at"].base, layout.pieces_in
        occupation, em, unit = layout.occupation, self.em, self.unit
        bits, left, kind = unit.bits("space"), em.temp("z"), em.temp("k")
        em.emit(f"{left} = s[{at} + {piece}]")
        em.emit(f"{kind} = {unit.constant('kind_of', occupation.kind_of)}[{piece}]")
        em.emit(f"s[{pieces_in} + {left}] &= ~(1 << {piece})")
        em.emit(f"if not s[{pieces_in} + {left}] & {unit.constant('kinds', occupation.kinds)}[{kind}]:")
        em.emit(f"    s[{occupation.base} + {kind}] &= ~{bits}[{left}]")
        em.emit(f"s[{at} + {piece}] = {target}")
        em.emit(f"s[{pieces_in} + {target}] |= 1 << {piece}")
        em.emit(f"s[{occupation.base} + {kind}] |= {bits}[{target}]")

    def flip(self, step: pg.S, piece: pg.E, face: pg.E | None) -> None:
        em = self.em
        who = em.atom(code(em, self.env, piece), "p")
        faces = self.unit.constant("faces", (*self.unit.program.world.faces, 1))
        base = self.unit.layout.arrays["piece", "face"].base
        new = code(em, self.env, face) if face is not None else f"s[{base} + {who}] + 1"
        em.emit(f"if {who} >= 0: s[{base} + {who}] = ({new}) % {faces}[{who}]")
        self.note("flip", step.rule, (piece,))
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

    # -- control
    def call(self, name: str, arguments: list[str]) -> None:
        after = self.blocks.new()
        values = ", ".join([f"ENTRY[{name!r}]", *arguments])
        self.em.emit(f"f[0] = {after}")
        self.em.emit(f"m.stack.append([{values}] + PAD[{name!r}])")
        self.close(f"return {CALL}")
        self.open(after)

    def run_triggers(self, event: str, subject: str, values: tuple[str, ...], guard: str = "") -> None:
        """Call every trigger of this event whose class and condition fit, in the order of paragraphs."""
        program = self.unit.program
        matching = [t for t in program.triggers if t.event == event and self._about(t, event, subject)]
        if not matching:
            return
        # a trigger may stop: what later ones need must be in the frame
        kept = [self._kept(value) for value in values]
        guard = self._kept(f"1 if {guard} else 0") if guard else ""
        for trigger in matching:
            self.call_trigger(trigger, kept, guard)

    def _about(self, trigger: pg.TriggerRule, event: str, subject: str) -> bool:
        if event == "changes":
            universe = self.unit.program.world.nouns[trigger.subject][0]
            return subject == f"{universe}.{trigger.attribute}"
        return event not in ("begins", "ends") or trigger.subject == subject

    def _kept(self, value: str) -> str:
        if (value.startswith("f[") and value.endswith("]")) or value.lstrip("-").isdigit():
            return value
        slot = self.slot()
        self.em.emit(f"f[{slot}] = {value}")
        return f"f[{slot}]"

    def call_trigger(self, trigger: pg.TriggerRule, values: list[str], guard: str) -> None:
        procedure = self.unit.program.procedures[trigger.procedure]
        em = self.em
        env = dict(zip(procedure.params, values, strict=False))
        tests = [guard] if guard else []
        for var, value in env.items():
            universe, cls = var.type.name, var.type.of
            if universe in ("piece", "space") and cls:
                mask = self.unit.literal(self.unit.program.world.universes[universe].mask(cls))
                tests.append(f"{mask} & {self.unit.bits(universe)}[{value}]")
        after = self.blocks.new()
        if tests:
            em.emit(f"if not ({' and '.join(tests)}): return {after}")
        if trigger.condition is not None:
            em.emit(f"if not {code(em, env, trigger.condition)}: return {after}")
        name = trigger.procedure
        arguments = ", ".join([f"ENTRY[{name!r}]", *(env[p] for p in procedure.params)])
        em.emit(f"f[0] = {after}")
        em.emit(f"m.fire([{arguments}] + PAD[{name!r}])")
        self.close(f"return {CALL}")
        self.open(after)

    def jump(self, verb: str) -> None:
        if verb == "cancel":
            self.em.emit(f"s[{self.unit.layout.tracks['cancelled']}] = 1")
            return
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
        if all(is_straight(b, self.unit.program) for _, b in step.branches) and is_straight(
            step.otherwise, self.unit.program
        ):
            self.straight_branch(step)
            return
        after = self.blocks.new()
        bodies: list[tuple[int, pg.Steps]] = []
        for test, body in step.branches:
            number = self.blocks.new()
            self.em.emit(f"if {code(self.em, self.env, test)}: return {number}")
            bodies.append((number, body))
        if step.otherwise:
            bodies.append((self.blocks.new(), step.otherwise))
            self.close(f"return {bodies[-1][0]}")
        else:
            self.close(f"return {after}")
        for number, body in bodies:
            self.open(number)
            self.steps(body)
            self.close(f"return {after}")
        self.open(after)

    def straight_branch(self, step: pg.IfS) -> None:
        depth = self.em.depth
        for test, body in step.branches:
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
        if step.chooser is None and is_straight(step.body, self.unit.program) and not self.is_long(step):
            if step.var not in self.env:
                self.slot(step.var)
            with self.em.each(code(self.em, self.env, step.group), self.env[step.var]):
                self.steps(step.body)
            return
        left = self.slot()
        if step.var not in self.env:
            self.slot(step.var)
        self.em.emit(f"f[{left}] = {code(self.em, self.env, step.group)}")
        loop, after = self.blocks.new(), self.blocks.new()
        self.close(f"return {loop}")
        self.open(loop)
        self.em.emit(f"if not f[{left}]: return {after}")
        if step.chooser is None:
            self.em.emit(f"b = f[{left}] & -f[{left}]")
            self.em.emit(f"{self.env[step.var]} = b.bit_length() - 1")
        else:
            from interpreter.codegen.decisions import choose_next

            choose_next(self, step, left)
        self.em.emit(f"f[{left}] &= ~(1 << {self.env[step.var]})")
        self.loops.append(Loop(after, len(self.records)))
        self.steps(step.body)
        self.loops.pop()
        self.close(f"return {loop}")
        self.open(after)

    def is_long(self, step: pg.ForS) -> bool:
        """Loops in loops over many things: in blocks of their own, where steps are counted."""
        world = self.unit.program.world
        inner = [s.var.type.name for s in walk_steps(step.body) if isinstance(s, pg.ForS)]
        names = [name for name in (step.var.type.name, *inner) if name in world.universes]
        many = [len(world.universes[name]) for name in names]
        return bool(inner) and prod(many) > MOST_IN_ONE_BLOCK

    def repeat(self, step: pg.RepeatS) -> None:
        left = self.slot()
        self.em.emit(f"f[{left}] = {code(self.em, self.env, step.times)}")
        loop, after = self.blocks.new(), self.blocks.new()
        self.close(f"return {loop}")
        self.open(loop)
        self.em.emit(f"if f[{left}] <= 0: return {after}")
        if step.condition is not None:
            self.em.emit(f"if not {code(self.em, self.env, step.condition)}: return {after}")
        self.em.emit(f"f[{left}] -= 1")
        self.loops.append(Loop(after, len(self.records)))
        self.steps(step.body)
        self.loops.pop()
        self.close(f"return {loop}")
        self.open(after)

    def with_record(self, step: pg.WithS) -> None:
        """The record's cells are saved in the frame, filled, and put back when its block is left."""
        layout = self.unit.layout
        values = {name: self.em.atom(stored(self.em, self.env, v), "w") for name, v in step.values}
        saved: list[tuple[int, int]] = []
        for (record, name), cell in layout.fields.items():
            if record == step.record:
                slot = self.slot()
                saved.append((cell, slot))
                self.em.emit(f"f[{slot}] = s[{cell}]")
                empty = layout.initial[cell]
                self.em.emit(f"s[{cell}] = {values.get(name, self.unit.literal(empty))}")
        self.records.append((step.record, saved))
        self.steps(step.body)
        self.restore_records(len(self.records) - 1)
        self.records.pop()

    def restore_records(self, down_to: int) -> None:
        for _, saved in reversed(self.records[down_to:]):
            for cell, slot in saved:
                self.em.emit(f"s[{cell}] = f[{slot}]")


def is_straight(steps: pg.Steps, program: pg.Program) -> bool:
    """Whether steps can run without stopping, so that they may stay inside one block."""
    watched = {t.event for t in program.triggers}
    for step in walk_steps(steps):
        match step:
            case (
                pg.DoS()
                | pg.OpenS()
                | pg.ChooseS()
                | pg.MenuS()
                | pg.TravelS()
                | pg.JumpS()
                | pg.EndS()
                | pg.RepeatS()
                | pg.WithS()
            ):
                if not (isinstance(step, pg.JumpS) and step.verb == "cancel"):
                    return False
            case pg.MoveS() if watched & {"enters", "leaves", "removed", "placed"}:
                return False
            case pg.SetAttr() if "changes" in watched:
                return False
            case pg.FlipS() if "flipped" in watched:
                return False
            case pg.ForS(chooser=chooser) if chooser is not None:
                return False
            case _:
                pass
    return True


def compile_procedure(blocks: Blocks, procedure: pg.ProcedureRule) -> None:
    ProcedureCompiler(blocks, procedure).compile()
