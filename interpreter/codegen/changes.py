"""Steps that change a track, an attribute or a mark, and tell of it when something has changed."""

from __future__ import annotations

from interpreter.codegen.expressions import code, stored
from interpreter.codegen.steps import StepWriter
from interpreter.secrecy import NOBODY
from rulesdsl import program as pg
from rulesdsl.types import set_of


class ChangeWriter(StepWriter):
    """A procedure on its way to Python: what is known of the game and of things."""

    def set_track(self, step: pg.SetTrack) -> None:
        track, value = step.track, step.value
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
                self.tell(f"set {track}", step.rule, (now,))

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
                bit = em.atom(f"1 << {owner}", "b")
                em.emit(f"s[{array.masks} + {before}] ^= {bit}")
                em.emit(f"s[{array.masks} + {value}] ^= {bit}")
            em.fired(step.rule)
            if self.unit.traced and not attribute.quiet:
                shown = (step.of, pg.AttrGet(attribute, step.of, type=attribute.type))
                self.tell(f"set {attribute.name}", step.rule, shown)
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
                self.tell(kind, step.rule, (pg.VarGet(whom, type=whom.type),), attribute.name, viewers)
            del self.env[whom]
