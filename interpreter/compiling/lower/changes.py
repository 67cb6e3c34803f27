"""Steps that change a track, an attribute or a mark, and tell of it when something has changed."""

from __future__ import annotations

from interpreter.compiling.ir import values as v
from interpreter.compiling.ir.kinds import NUMBER
from interpreter.compiling.ir.values import Value
from interpreter.compiling.lower.steps import StepWriter
from interpreter.compiling.lower.values import code, stored
from interpreter.secrecy.who_knows import EVERYBODY, Leaves, joined, together
from rulesdsl import program as pg
from rulesdsl.program.types import Type, set_of, thing


class ChangeWriter(StepWriter):
    """A procedure on its way to Python: what is known of the game and of things."""

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
        self.em.fired(step.rule)
        if told:
            with self.em.branch(v.Compare("!=", before, cell)):
                now = pg.TrackGet(track, type=value.type if known is None else known.type)
                self.tell(f"set {track}", step.rule, (now,), "", self.seen(self.log.secrecy.of_track(track)))

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
            em.fired(step.rule)
            if self.unit.tells and not attribute.quiet:
                whose = pg.Var("changed", step.of.type)
                env[whose] = owner
                of = pg.VarGet(whose, type=step.of.type)
                shown = (of, pg.AttrGet(attribute, of, type=attribute.type))
                viewers = self.seen(self.log.secrecy.of_attribute(attribute, of), of)
                self.tell(f"set {attribute.name}", step.rule, shown, "", viewers)
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
        em.fired(step.rule)
        with em.branch(changed):
            em.fired(step.rule)
            if attribute.quiet:
                return
            kind = "mark" if step.on else "unmark"
            if not self.log.secrecy.secret_attribute(attribute.universe, attribute.name):
                whom = pg.Var("changed", set_of(attribute.universe))
                self.env[whom] = changed
                shown = (pg.VarGet(whom, type=whom.type),)
                self.tell(kind, step.rule, shown, attribute.name, self.seen((), shown[0]))
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
                self.tell(kind, step.rule, (of,), attribute.name, viewers)
            del self.env[member]

    def seen(self, leaves: Leaves, *named: pg.E) -> pg.E:
        """Who sees that a place has changed: whoever may see the place, however the change came about, and
        may know the things that are named."""
        viewers = together(joined(leaves, *map(self.log.secrecy.naming, named)))
        return EVERYBODY if viewers is None else viewers


def _clamped(value: Value, type_: Type) -> Value:
    """A number brought between the limits of what keeps it."""
    assert type_.low is not None
    assert type_.high is not None
    return v.Call("clamp", (value, v.Number(type_.low), v.Number(type_.high)), NUMBER)
