"""Decisions as blocks: gather the legal options, ask, go on with what was chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.codegen.expressions import code
from interpreter.codegen.options import gather, gather_entries, legality
from interpreter.running.machine import WAIT
from interpreter.sites import MenuSite, Site, TravelSite
from rulesdsl import program as pg
from rulesdsl.types import Type

if TYPE_CHECKING:
    from interpreter.codegen.emitter import Emitter
    from interpreter.codegen.procedures import BlockWriter


def decide(pc: BlockWriter, step: pg.ChooseS | pg.MenuS | pg.TravelS) -> None:
    match step:
        case pg.ChooseS(result=None):
            choose(pc, step)
        case pg.ChooseS():
            choose_several(pc, step)
        case pg.MenuS():
            menu(pc, step)
        case pg.TravelS():
            travel(pc, step)


def _gather(pc: BlockWriter, step: pg.ChooseS, without: str = "") -> None:
    gather(pc, step, without)
    if len(step.candidates) == 1 and not pc.unit.traced:
        pc.em.emit("if opts: opts = MaskOptions(opts)")


def _site(pc: BlockWriter, step: pg.ChooseS) -> int:
    types = tuple(c.var.type for c in step.candidates)
    action = step.action.action if step.action is not None else ""
    site = Site(
        step.rule, step, types, action, step.out_label, step.prompt,
        tuple(c.var for c in step.candidates), tuple(pc.env.items()),
    )  # fmt: skip
    return pc.blocks.site(site)


def choose(pc: BlockWriter, step: pg.ChooseS) -> None:
    """One choice of one thing (or one combination of things)."""
    blocks = pc.blocks
    chosen, declined, after = blocks.new(), blocks.new(), blocks.new()
    variables = [c.var for c in step.candidates]
    targets = ", ".join([pc.of(var) for var in variables])
    em = pc.em
    em.emit(f"who = {code(em, pc.env, step.player)}")
    _gather(pc, step)
    out = "0"
    if step.out_label is not None:
        out = legality(em, pc.env, step.out_action) or "1"
    em.emit(f"if not opts or who < 0: return {declined}")
    em.emit(f"f[0] = {chosen}")
    em.emit(f"m.ask({_site(pc, step)}, who, opts, {out})")
    pc.close(f"return {WAIT}")
    pc.open(chosen)
    em = pc.em
    em.emit(f"if m.chosen is None: return {declined}")
    em.emit(f"{targets} = m.chosen")
    em.fired(step.rule)
    pc.steps(step.body)
    pc.close(f"return {after}")
    pc.open(declined)
    for var in variables:
        pc.em.emit(f"{pc.env[var]} = -1")
    pc.steps(step.otherwise)
    pc.close(f"return {after}")
    pc.open(after)


def choose_several(pc: BlockWriter, step: pg.ChooseS) -> None:
    """Repeated choosing with a way to stop; the members are collected in a set."""
    assert step.result is not None
    blocks = pc.blocks
    pc.of(step.candidates[0].var)
    result, most = pc.of(step.result), pc.place()
    loop, chosen, done, body, after = (blocks.new() for _ in range(5))
    pc.em.emit(f"{result} = 0")
    amount = code(pc.em, pc.env, step.count) if step.count is not None else "0"
    pc.em.emit(f"{most} = {amount}")
    pc.close(f"return {loop}")
    pc.open(loop)
    em = pc.em
    if step.count_kind in ("up to", "exactly"):
        em.emit(f"if {result}.bit_count() >= {most}: return {done}")
    em.emit(f"who = {code(em, pc.env, step.player)}")
    _gather(pc, step, result)
    out = "1"
    if step.count_kind in ("at least", "exactly"):
        em.emit(f"enough = {result}.bit_count() >= {most}")
        out = "enough"
    if (test := legality(em, pc.env, step.out_action)) is not None:
        out = f"({out} and {test})"
    em.emit(f"if not opts or who < 0: return {done}")
    em.emit(f"f[0] = {chosen}")
    em.emit(f"m.ask({_site(pc, step)}, who, opts, {out})")
    pc.close(f"return {WAIT}")
    pc.open(chosen)
    pc.em.emit(f"if m.chosen is None: return {done}")
    pc.em.emit(f"{result} |= 1 << m.chosen")
    pc.em.fired(step.rule)
    pc.close(f"return {loop}")
    pc.open(done)
    other = blocks.new()
    pc.em.emit(f"return {body} if {result} else {other}")
    pc.close("return -1")
    pc.open(body)
    pc.steps(step.body)
    pc.close(f"return {after}")
    pc.open(other)
    pc.steps(step.otherwise)
    pc.close(f"return {after}")
    pc.open(after)


def choose_next(pc: BlockWriter, step: pg.ForS, left: str) -> None:
    """Which of the remaining members comes next; asked only when there is more than one."""
    assert step.chooser is not None
    blocks = pc.blocks
    go, chosen = blocks.new(), blocks.new()
    em = pc.em
    site = Site(step.rule, step, (step.var.type,), "", None, "", (step.var,), tuple(pc.env.items()))
    number = blocks.site(site)
    em.emit(f"if {left} & ({left} - 1):")
    with em.indented():
        em.emit("opts = []")
        em.emit(f"rest = {left}")
        em.emit("while rest:")
        em.emit("    b = rest & -rest; rest ^= b; opts.append(b.bit_length() - 1)")
        em.emit(f"who = {code(em, pc.env, step.chooser)}")
        em.emit("if who >= 0:")
        em.emit(f"    f[0] = {chosen}; m.ask({number}, who, opts, 0); return {WAIT}")
    em.emit(f"{pc.env[step.var]} = ({left} & -{left}).bit_length() - 1")
    pc.close(f"return {go}")
    pc.open(chosen)
    pc.em.emit(f"{pc.env[step.var]} = m.chosen")
    pc.close(f"return {go}")
    pc.open(go)


def menu(pc: BlockWriter, step: pg.MenuS) -> None:
    """A choice between named ways to go on."""
    blocks = pc.blocks
    chosen, declined, after = blocks.new(), blocks.new(), blocks.new()
    em = pc.em
    em.emit(f"who = {code(em, pc.env, step.player)}")
    gather_entries(em, pc.env, step)
    em.emit(f"if not opts or who < 0: return {declined}")
    labels = tuple(e.label for e in step.entries)
    site = blocks.site(MenuSite(step.rule, step, step.prompt, labels, tuple(pc.env.items())))
    em.emit(f"f[0] = {chosen}")
    em.emit(f"m.ask({site}, who, opts, {int(step.decline is not None)})")
    pc.close(f"return {WAIT}")
    pc.open(chosen)
    pc.em.emit(f"if m.chosen is None: return {declined}")
    pc.em.fired(step.rule)
    bodies = [blocks.new() for _ in step.entries]
    table = pc.unit.constant("menu", tuple(bodies))
    pc.close(f"return {table}[m.chosen]")
    for number, entry in zip(bodies, step.entries, strict=True):
        pc.open(number)
        pc.steps(entry.body)
        pc.close(f"return {after}")
    pc.open(declined)
    pc.steps(step.otherwise)
    pc.close(f"return {after}")
    pc.open(after)


def halt_as_preferred(
    em: Emitter, route: str, piece: str, spent: str, taken: str, seen: str, arrived: str
) -> None:
    """A piece may stay where it is when nothing better can be reached; it must when all else is worse."""
    em.emit(f"rung = rung_{route}(s, {piece}, at, -1, at, {taken}, {spent}) if halt else 0")
    em.emit(f"best = best_{route}(s, {piece}, at, {spent}, {taken}, {seen}) if halt else 0")
    em.emit(f"if rung < best: {arrived}")
    em.emit("halt = halt and rung == best")


def travel(pc: BlockWriter, step: pg.TravelS) -> None:
    """A piece goes step by step; each step is chosen among those from which it may still end legally."""
    blocks, layout = pc.blocks, pc.unit.layout
    piece, spent, taken = pc.place(), pc.place(), pc.place()
    ask, chosen, after = blocks.new(), blocks.new(), blocks.new()
    at = layout.arrays["piece", "at"].base
    route = pc.unit.program.routes[step.route]
    pc.em.emit(f"{piece} = {code(pc.em, pc.env, step.piece)}")
    seen = pc.place() if route.preferences else ""
    also = f", {seen}" if seen else ""
    pc.em.emit(f"{spent} = {taken} = {f'{seen} = ' if seen else ''}0")
    pc.close(f"return {ask}")
    pc.open(ask)
    em = pc.em
    em.emit(f"at = s[{at} + {piece}]")
    em.emit(f"if {piece} < 0 or at < 0: return {after}")
    if seen:
        em.emit(f"{seen} |= 1 << at")
    em.emit(f"nexts = next_{step.route}(s, {piece}, at, {spent}, {taken}{also})")
    em.emit(f"if not nexts: return {after}")
    em.emit("opts = [*nexts]")
    em.emit(f"who = {code(em, pc.env, step.player)}")
    em.emit(f"if who < 0: return {after}")
    site = TravelSite(step.rule, step, step.route, "", int(piece[2:-1]), tuple(pc.env.items()))
    halt = f"{taken} >= {route.minimum}"
    # whether it may end here is judged as before it came: the piece itself is not counted
    pc.lift(piece, "at")
    em.emit(f"halt = {halt} and end_{step.route}(s, {piece}, at, -1, at, {taken}, {spent})")
    pc.lower(piece, "at")
    if route.preferences:
        halt_as_preferred(em, step.route, piece, spent, taken, seen, f"return {after}")
    em.emit(f"f[0] = {chosen}")
    em.emit(f"m.ask({blocks.site(site)}, who, opts, halt)")
    pc.close(f"return {WAIT}")
    pc.open(chosen)
    em = pc.em
    em.emit(f"if m.chosen is None: return {after}")
    target = pc.place()
    em.emit(f"at = s[{at} + {piece}]")
    em.emit(f"{target} = m.chosen")
    em.emit(f"{spent} = paid_{step.route}(s, {piece}, at, {spent}, {taken}, m.chosen{also})")
    em.emit(f"{taken} += 1")
    origin = pc.place()
    em.emit(f"{origin} = at")
    em.fired(step.rule)
    if pc.unit.traced:
        number = len(blocks.notes)
        shown = (
            pg.VarGet(pg.Var("piece", step.piece.type), type=step.piece.type),
            pg.VarGet(pg.Var("to", Type("thing", "space")), type=Type("thing", "space")),
        )
        blocks.notes.append(("move", step.rule, shown))
        em.emit(f"m.note({number}, '', ({piece}, {target}))")
    pc.move_one(piece, target, "move")
    em = pc.em
    em.emit(f"if s[{at} + {piece}] != {target}: return {after}")
    where = f"{piece}, {origin}, -1, {target}, {taken} - 1, {spent}"
    em.emit(f"if stop_{step.route}(s, {where}): return {after}")
    pc.close(f"return {ask}")
    pc.open(after)
