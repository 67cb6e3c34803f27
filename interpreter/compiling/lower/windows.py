"""Whether a token may be played in a window, as a function over the state."""

from __future__ import annotations

from interpreter.compiling.ir import values as v
from interpreter.compiling.ir.builder import Builder
from interpreter.compiling.ir.statements import Function, Return
from interpreter.compiling.ir.values import Value
from interpreter.compiling.lower.rules import function
from interpreter.compiling.lower.values import code
from interpreter.compiling.unit import Unit
from rulesdsl import program as pg


def play_function(unit: Unit, window: pg.WindowRule) -> Function:
    """`play_w(s, token, holder)`: whether this token may be played here by who holds it."""
    em = Builder(unit)
    asked = v.Local("token", unit.thing_kind("token"))
    for token in unit.program.tokens.values():
        for play in token.plays:
            if play.window != window.name:
                continue
            with em.branch(v.Compare("==", asked, v.Number(token.index))):
                test: Value = v.ONE
                if play.condition is not None:
                    holder = v.Local("holder", unit.thing_kind("player"))
                    test = code(em, {play.holder: holder}, play.condition)
                em.when(test, Return(v.ONE))
    em.give(v.ZERO)
    return function(em, unit.naming.called("play", window.name), ("s", "token", "holder"))
