"""Lowering as one, for the unit by way of which its parts ask each other."""

from __future__ import annotations

from interpreter.compiling.lower import values
from interpreter.compiling.optimise.vectorise import masks
from interpreter.compiling.unit import Lowering


class _Together:
    code = staticmethod(values.code)
    member_mask = staticmethod(masks.member_mask)


LOWERING: Lowering = _Together()
