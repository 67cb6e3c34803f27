"""The legal options of a decision: Python source that fills `opts`, with a mask where one thing is chosen."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.codegen.emitter import Emitter, Env
from interpreter.codegen.expressions import code
from interpreter.codegen.selection import select
from interpreter.codegen.steps import StepWriter
from rulesdsl import program as pg
from rulesdsl.types import FLAG


def legality(em: Emitter, env: Env, use: pg.UseOfAction | None) -> str | None:
    if use is None:
        return None
    values = ", ".join(["s", *(code(em, env, a) for a in use.arguments)])
    return f"ok_{use.action}({values})"


def gather_entries(em: Emitter, env: Env, step: pg.MenuS) -> None:
    """Emit lines that fill `opts` with the numbers of the entries of a menu that are possible."""
    em.emit("opts = []")
    for number, entry in enumerate(step.entries):
        depth = em.depth
        if entry.condition is not None:
            em.emit(f"if {code(em, env, entry.condition)}:")
            em.depth += 1
        if (test := legality(em, env, entry.action)) is not None:
            em.emit(f"if {test}:")
            em.depth += 1
        em.emit(f"opts.append({number})")
        em.depth = depth


def gather(w: StepWriter, step: pg.ChooseS, without: str = "") -> None:
    """Emit lines that fill `opts` with every legal choice; preferences keep the first rung that has any."""
    if w.unit.traced:
        _ask_each(w, step, without)
    elif len(step.candidates) == 1:
        _gather_mask(w, step, without)
    else:
        _gather_tuples(w, step)


def _gather_mask(w: StepWriter, step: pg.ChooseS, without: str) -> None:
    """Options that are a set stay a mask: nobody writes them out unless he asks for them."""
    em, (candidate,) = w.em, step.candidates
    mask = code(em, w.env, candidate.group)
    if without:
        mask = w.unit.intersect([mask, f"~{without}"])
    members = frozenset({candidate.var})
    if step.action is not None:
        mask = select(em, w.env, _is_legal(step.action), members, mask)
    em.emit(f"opts = {mask}")
    for preference in _rung_by_rung(em, step):
        em.emit(f"kept = {select(em, w.env, preference, members, 'opts')}")


def _gather_tuples(w: StepWriter, step: pg.ChooseS) -> None:
    """Combinations: a loop for each part but the last, whose legal members are a mask."""
    em, env, depth = w.em, dict(w.env), w.em.depth
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


def _ask_each(w: StepWriter, step: pg.ChooseS, without: str) -> None:
    em, env, depth = w.em, dict(w.env), w.em.depth
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
    test = legality(em, env, step.action)
    if test is not None:
        em.emit(f"if not {test}: continue")
    em.emit(f"opts.append({_tuple(names)})")
    em.depth = depth
    _prefer(em, env, step, names)


def _prefer(em: Emitter, env: Env, step: pg.ChooseS, names: list[str]) -> None:
    """Keep those of the written-out options that are preferred."""
    for preference in _rung_by_rung(em, step):
        em.emit("kept = []")
        em.emit(f"for {', '.join(names)} in opts:")
        with em.indented():
            em.emit(f"if {code(em, env, preference)}: kept.append({_tuple(names)})")


def _rung_by_rung(em: Emitter, step: pg.ChooseS) -> Iterator[pg.E]:
    """The first rung with an option decides; lower rungs are looked at only when it had none.

    For each rung whoever asks emits `kept`, those of `opts` that it prefers.
    """
    depth = em.depth
    for preference in step.preferences:
        yield preference
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
