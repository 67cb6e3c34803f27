"""Lots an agent draws: the same on every machine for the same seed."""

from __future__ import annotations

from typing import TypeVar

from interpreter.running.dice import fair_number

T = TypeVar("T")


def shuffled(things: list[T], seed: str, purpose: str) -> list[T]:
    """Fisher and Yates, with numbers that are the same on every machine."""
    out = things[:]
    for last in range(len(out) - 1, 0, -1):
        other = fair_number(seed, purpose, last, 0, last + 1)
        out[last], out[other] = out[other], out[last]
    return out
