"""Decisions as blocks: gather the legal options, ask, go on with what was chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.codegen.emitter import Emitter, Env
from interpreter.codegen.expressions import code
from interpreter.codegen.selection import select
from interpreter.sites import MenuSite, Site, TravelSite
from rulesdsl import program as pg
from rulesdsl.types import FLAG, Type

if TYPE_CHECKING:
    from interpreter.codegen.procedures import ProcedureCompiler

WAIT, CALL = -1, -2


def _legal(em: Emitter, env: Env, use: pg.UseOfAction | None) -> str | None:
    if use is None:
        return None
    values = ", ".join(["s", *(code(em, env, a) for a in use.arguments)])
    return f"ok_{use.action}({values})"


def _gather(pc: ProcedureCompiler, step: pg.ChooseS, without: str = "") -> None:
    """Emit lines that fill `opts` with every legal choice; preferences keep the first rung that has any."""
    if pc.unit.traced:
        _ask_each(pc, step, without)
    elif len(step.candidates) == 1:
        _gather_mask(pc, step, without)
    else:
        _gather_tuples(pc, step)


def _gather_mask(pc: ProcedureCompiler, step: pg.ChooseS, without: str) -> None:
    """Options that are a set stay a mask: nobody writes them out unless he asks for them."""
    em, (candidate,) = pc.em, step.candidates
    mask = code(em, pc.env, candidate.group)
    if without:
        mask = pc.unit.intersect([mask, f"~{without}"])
    members = frozenset({candidate.var})
    if step.action is not None:
        mask = select(em, pc.env, _is_legal(step.action), members, mask)
    em.emit(f"opts = {mask}")
    depth = em.depth
    for preference in step.preferences:
        em.emit(f"kept = {select(em, pc.env, preference, members, 'opts')}")
        em.emit("if kept: opts = kept")
        em.emit("else:")
        em.depth += 1
    if step.preferences:
        em.emit("pass")
    em.depth = depth
    em.emit("if opts: opts = MaskOptions(opts)")


def _gather_tuples(pc: ProcedureCompiler, step: pg.ChooseS) -> None:
    """Combinations: a loop for each part but the last, whose legal members are a mask."""
    em, env, depth = pc.em, dict(pc.env), pc.em.depth
    *outer, last = step.candidates
    names: list[str] = []
    em.emit("opts = []")
    for candidate in outer:
        names.append(em.temp("c"))
        em.emit(f"for {names[-1]} in MEMBERS[{code(em, env, candidate.group)}]:")
        em.depth += 1
        env[candidate.var] = names[-1]
    mask = code(em, env, last.group)
    if step.action is not None:
        mask = select(em, env, _is_legal(step.action), frozenset({last.var}), mask)
    names.append(em.temp("c"))
    env[last.var] = names[-1]
    em.emit(f"for {names[-1]} in MEMBERS[{mask}]: opts.append({_tuple(names)})")
    em.depth = depth
    _prefer(em, env, step, names)


def _is_legal(use: pg.UseOfAction) -> pg.E:
    return pg.LegalE(use.action, use.arguments, type=FLAG)


def _ask_each(pc: ProcedureCompiler, step: pg.ChooseS, without: str) -> None:
    em, env, depth = pc.em, dict(pc.env), pc.em.depth
    em.emit("opts = []")
    names: list[str] = []
    for candidate in step.candidates:
        member = em.temp("c")
        names.append(member)
        mask = code(em, env, candidate.group)
        if without:
            mask = f"({mask}) & ~{without}"
        _loop(em, mask, member)
        env[candidate.var] = member
    test = _legal(em, env, step.action)
    if test is not None:
        em.emit(f"if not {test}: continue")
    em.emit(f"opts.append({_tuple(names)})")
    em.depth = depth
    _prefer(em, env, step, names)


def _prefer(em: Emitter, env: Env, step: pg.ChooseS, names: list[str]) -> None:
    """The first rung with an option decides; lower rungs are looked at only when it had none."""
    depth = em.depth
    for preference in step.preferences:
        em.emit("kept = []")
        em.emit(f"for {', '.join(names)} in opts:")
        with em.indented():
            em.emit(f"if {code(em, env, preference)}: kept.append({_tuple(names)})")
        em.emit("if kept: opts = kept")
        em.emit("else:")
        em.depth += 1
    if step.preferences:
        em.emit("pass")
    em.depth = depth


def _tuple(names: list[str]) -> str:
    return names[0] if len(names) == 1 else "(" + ", ".join(names) + ")"


def _loop(em: Emitter, mask: str, var: str) -> None:
    """Open a loop over a mask and stay inside it."""
    rest, bit = em.temp("m"), em.temp("b")
    em.emit(f"{rest} = {mask}")
    em.emit(f"while {rest}:")
    em.depth += 1
    em.emit(f"{bit} = {rest} & -{rest}")
    em.emit(f"{rest} ^= {bit}")
    em.emit(f"{var} = {bit}.bit_length() - 1")


def _site(pc: ProcedureCompiler, step: pg.ChooseS) -> int:
    types = tuple(c.var.type for c in step.candidates)
    action = step.action.action if step.action is not None else ""
    site = Site(
        step.rule, step, types, action, step.out_label, step.prompt,
        tuple(c.var for c in step.candidates), tuple(pc.env.items()),
    )  # fmt: skip
    return pc.blocks.site(site)


def choose(pc: ProcedureCompiler, step: pg.ChooseS) -> None:
    """One choice of one thing (or one combination of things)."""
    blocks = pc.blocks
    chosen, declined, after = blocks.new(), blocks.new(), blocks.new()
    variables = [c.var for c in step.candidates]
    for var in variables:
        if var not in pc.env:
            pc.slot(var)
    em = pc.em
    em.emit(f"who = {code(em, pc.env, step.player)}")
    _gather(pc, step)
    out = "0"
    if step.out_label is not None:
        out = _legal(em, pc.env, step.out_action) or "1"
    em.emit(f"if not opts or who < 0: return {declined}")
    em.emit(f"f[0] = {chosen}")
    em.emit(f"m.ask({_site(pc, step)}, who, opts, {out})")
    pc.close(f"return {WAIT}")
    pc.open(chosen)
    em = pc.em
    em.emit(f"if m.chosen is None: return {declined}")
    targets = ", ".join(pc.env[v] for v in variables)
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


def choose_several(pc: ProcedureCompiler, step: pg.ChooseS) -> None:
    """Repeated choosing with a way to stop; the members are collected in a set."""
    assert step.result is not None
    blocks = pc.blocks
    var = step.candidates[0].var
    for each in (var, step.result):
        if each not in pc.env:
            pc.slot(each)
    result, most = pc.env[step.result], pc.slot()
    loop, chosen, done, body, after = (blocks.new() for _ in range(5))
    pc.em.emit(f"{result} = 0")
    amount = code(pc.em, pc.env, step.count) if step.count is not None else "0"
    pc.em.emit(f"f[{most}] = {amount}")
    pc.close(f"return {loop}")
    pc.open(loop)
    em = pc.em
    if step.count_kind in ("up to", "exactly"):
        em.emit(f"if {result}.bit_count() >= f[{most}]: return {done}")
    em.emit(f"who = {code(em, pc.env, step.player)}")
    _gather(pc, step, without=result)
    out = "1"
    if step.count_kind in ("at least", "exactly"):
        em.emit(f"enough = {result}.bit_count() >= f[{most}]")
        out = "enough"
    if (test := _legal(em, pc.env, step.out_action)) is not None:
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


def choose_next(pc: ProcedureCompiler, step: pg.ForS, left: int) -> None:
    """Which of the remaining members comes next; asked only when there is more than one."""
    assert step.chooser is not None
    blocks = pc.blocks
    go, chosen = blocks.new(), blocks.new()
    em = pc.em
    site = Site(step.rule, step, (step.var.type,), "", None, "", (step.var,), tuple(pc.env.items()))
    number = blocks.site(site)
    em.emit(f"if f[{left}] & (f[{left}] - 1):")
    with em.indented():
        em.emit("opts = []")
        em.emit(f"rest = f[{left}]")
        em.emit("while rest:")
        em.emit("    b = rest & -rest; rest ^= b; opts.append(b.bit_length() - 1)")
        em.emit(f"who = {code(em, pc.env, step.chooser)}")
        em.emit("if who >= 0:")
        em.emit(f"    f[0] = {chosen}; m.ask({number}, who, opts, 0); return {WAIT}")
    em.emit(f"{pc.env[step.var]} = (f[{left}] & -f[{left}]).bit_length() - 1")
    pc.close(f"return {go}")
    pc.open(chosen)
    pc.em.emit(f"{pc.env[step.var]} = m.chosen")
    pc.close(f"return {go}")
    pc.open(go)


def menu(pc: ProcedureCompiler, step: pg.MenuS) -> None:
    """A choice between named ways to go on."""
    blocks = pc.blocks
    chosen, declined, after = blocks.new(), blocks.new(), blocks.new()
    em = pc.em
    em.emit(f"who = {code(em, pc.env, step.player)}")
    em.emit("opts = []")
    for number, entry in enumerate(step.entries):
        depth = em.depth
        if entry.condition is not None:
            em.emit(f"if {code(em, pc.env, entry.condition)}:")
            em.depth += 1
        if (test := _legal(em, pc.env, entry.action)) is not None:
            em.emit(f"if {test}:")
            em.depth += 1
        em.emit(f"opts.append({number})")
        em.depth = depth
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


def travel(pc: ProcedureCompiler, step: pg.TravelS) -> None:
    """A piece goes step by step; each step is chosen among those from which it may still end legally."""
    blocks, layout = pc.blocks, pc.unit.layout
    piece, spent, taken = pc.slot(), pc.slot(), pc.slot()
    ask, chosen, after = blocks.new(), blocks.new(), blocks.new()
    at = layout.arrays["piece", "at"].base
    route = pc.unit.program.routes[step.route]
    pc.em.emit(f"f[{piece}] = {code(pc.em, pc.env, step.piece)}")
    pc.em.emit(f"f[{spent}] = f[{taken}] = 0")
    pc.close(f"return {ask}")
    pc.open(ask)
    em = pc.em
    em.emit(f"at = s[{at} + f[{piece}]]")
    em.emit(f"if f[{piece}] < 0 or at < 0: return {after}")
    em.emit(f"nexts = next_{step.route}(s, f[{piece}], at, f[{spent}], f[{taken}])")
    em.emit(f"if not nexts: return {after}")
    em.emit("opts = [*nexts]")
    em.emit(f"who = {code(em, pc.env, step.player)}")
    em.emit(f"if who < 0: return {after}")
    site = TravelSite(step.rule, step, step.route, "", piece, tuple(pc.env.items()))
    halt = f"f[{taken}] >= {route.minimum}"
    # whether it may end here is judged as before it came: the piece itself is not counted
    em.emit(f"s[{layout.pieces_in} + at] ^= 1 << f[{piece}]")
    em.emit(f"halt = {halt} and end_{step.route}(s, f[{piece}], at, -1, at, f[{taken}], f[{spent}])")
    em.emit(f"s[{layout.pieces_in} + at] ^= 1 << f[{piece}]")
    em.emit(f"f[0] = {chosen}")
    em.emit(f"m.ask({blocks.site(site)}, who, opts, halt)")
    pc.close(f"return {WAIT}")
    pc.open(chosen)
    em = pc.em
    em.emit(f"if m.chosen is None: return {after}")
    target = pc.slot()
    em.emit(f"at = s[{at} + f[{piece}]]")
    em.emit(f"f[{target}] = m.chosen")
    em.emit(f"f[{spent}] = paid_{step.route}(s, f[{piece}], at, f[{spent}], f[{taken}], m.chosen)")
    em.emit(f"f[{taken}] += 1")
    origin = pc.slot()
    em.emit(f"f[{origin}] = at")
    em.fired(step.rule)
    if pc.unit.traced:
        number = len(blocks.notes)
        shown = (
            pg.VarGet(pg.Var("piece", step.piece.type), type=step.piece.type),
            pg.VarGet(pg.Var("to", Type("thing", "space")), type=Type("thing", "space")),
        )
        blocks.notes.append(("move", step.rule, shown))
        em.emit(f"m.note({number}, '', (f[{piece}], f[{target}]))")
    pc.move_one(f"f[{piece}]", f"f[{target}]", "move")
    em = pc.em
    em.emit(f"if s[{at} + f[{piece}]] != f[{target}]: return {after}")
    where = f"f[{piece}], f[{origin}], -1, f[{target}], f[{taken}] - 1, f[{spent}]"
    em.emit(f"if stop_{step.route}(s, {where}): return {after}")
    pc.close(f"return {ask}")
    pc.open(after)
