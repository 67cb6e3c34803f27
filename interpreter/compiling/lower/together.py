"""Lowering as one, for the unit by way of which its parts ask each other."""

from __future__ import annotations

from interpreter.compiling.ir.builder import Builder
from interpreter.compiling.ir.values import Value
from interpreter.compiling.lower import values
from interpreter.compiling.optimise.vectorise import masks
from interpreter.compiling.unit import Env, Lowering
from rulesdsl import program as pg


class _Together:
    code = staticmethod(values.code)
    member_mask = staticmethod(masks.member_mask)

    @staticmethod
    def afterwards(em: Builder, env: Env, e: pg.AfterE) -> Value:
        from interpreter.compiling.emit.playout.asides import (
            afterwards,
        )  # it writes procedures, which ask for values

        return afterwards(em, env, e)


LOWERING: Lowering = _Together()
