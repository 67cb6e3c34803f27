"""A game as it stands, for those who only look: the rules it is played by, and the machine that holds it."""

from __future__ import annotations

from typing import Protocol

from interpreter.compiling.ruleset import Ruleset
from interpreter.running.machine import Machine

EVERYTHING = "*"  # the seat of somebody who may know everything: whoever runs the game


class Standing(Protocol):
    """What a session, or a position looked at on the way, has."""

    ruleset: Ruleset
    machine: Machine
