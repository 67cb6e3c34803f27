"""`define takes_part(player)`: which of the players of game.yaml sit at the table in a scenario.

It is asked once, before a game begins, so it may look at nothing that changes while one is played.
"""

from __future__ import annotations

from rulesdsl import program as pg
from rulesdsl.base.diagnostics import errors
from rulesdsl.checking.context import Context
from rulesdsl.checking.whole.mentions import expressions_in
from rulesdsl.language.conventions import TAKES_PART

# What cannot change during a game: settings, printed values, players themselves, and what is made of them.
_SETTLED = (
    pg.Const, pg.VarGet, pg.SettingGet, pg.Arith, pg.NotE, pg.LogicE, pg.CompareE, pg.CallE, pg.ClassSet,
    pg.SetOp, pg.SingleSet, pg.Filter, pg.Member, pg.SomeE, pg.CountE, pg.FirstE, pg.IfE,
)  # fmt: skip


def check_seating(ctx: Context, program: pg.Program) -> None:
    """Nothing is said, or it is said of a player, by options and printed values alone."""
    if TAKES_PART not in program.defines or errors(ctx.problems):
        return
    define = program.defines[TAKES_PART]
    ctx.paragraph, node = define.paragraph, define.source
    if define.type.kind != "flag" or [var.type.name for var in define.params] != ["player"]:
        message = f"`{TAKES_PART}` says of one player whether he is in the game"
        ctx.problem("wrong-seating", message, node.span, f"write `define {TAKES_PART}(player) = …`")
        return
    for changing in _changing(program):
        ctx.problem(
            "wrong-seating", f"`{TAKES_PART}` asks for something that may change during a game",
            changing.source.span if changing.source is not None else node.span,
            "who takes part is settled before it begins: ask for options and printed values only",
        )  # fmt: skip


def _changing(program: pg.Program) -> list[pg.E]:
    """What it asks, itself or by other defines, that is not the same throughout a game."""
    found: list[pg.E] = []
    for define in seating_defines(program).values():
        for part in expressions_in(define):
            settled = part.attribute.printed if isinstance(part, pg.AttrGet) else isinstance(part, _SETTLED)
            if not settled:
                found.append(part)
    return found


def seating_defines(program: pg.Program) -> dict[str, pg.DefineRule]:
    """`takes_part` and every define it asks, itself or by others."""
    found: dict[str, pg.DefineRule] = {}
    waiting = [TAKES_PART]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = program.defines[name]
            called = (p for p in expressions_in(found[name]) if isinstance(p, pg.CallE))
            waiting += [part.define for part in called]
    return found
