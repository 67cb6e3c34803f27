"""States as plain JSON, always the same text for the same state."""

from __future__ import annotations

import json
from fractions import Fraction
from hashlib import sha256
from typing import Any

from interpreter.running.machine import Machine
from rulesdsl.program.types import Type
from rulesdsl.program.world import World


def encode(value: Any) -> Any:
    """A state value as JSON: fractions as "1/2" objects, results of tables as lists in an object. A whole
    number is written as one, however it was come by: the game goes on in the same way."""
    if isinstance(value, Fraction):
        if value.denominator == 1:
            return value.numerator
        return {"fraction": [value.numerator, value.denominator]}
    if isinstance(value, tuple):
        return {"result": [encode(v) for v in value]}
    if isinstance(value, list):
        return [encode(v) for v in value]
    return value


def shown_value(world: World, type_: Type, value: Any) -> Any:
    """A state value as JSON a person can read: ids for things."""
    if type_.kind == "flag":
        return bool(value)
    if type_.kind in ("thing", "enum"):
        return None if value < 0 else world.key(type_, value)
    if type_.kind == "set":
        members = [i for i in range(value.bit_length()) if value >> i & 1]
        return [world.key(type_.member, i) for i in members]
    return encode(value)


def dump_machine(machine: Machine) -> dict[str, Any]:
    """Everything that decides how the game goes on."""
    pending = machine.pending
    found = {
        "cells": encode(machine.s),
        "stack": encode(machine.stack),
        "waiting": None
        if pending is None
        else [pending.site, pending.who, encode(list(pending.options)), pending.out],
        "outcome": encode(list(machine.outcome)) if machine.outcome is not None else None,
        "seed": machine.seed,
    }
    if machine.payoffs:
        found["payoffs"] = encode(list(machine.payoffs))
    return found


def canonical_text(machine: Machine) -> str:
    return json.dumps(dump_machine(machine), sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def state_hash(machine: Machine) -> str:
    """The fingerprint of a state: equal exactly when the game goes on in the same way."""
    return sha256(canonical_text(machine).encode()).hexdigest()
