"""A position in the terms of the rules alone: what saves compare.

`state_hash` in canonical.py covers everything a machine holds, also how this version of the engine
numbers its blocks. A save must still be checked after the engine has changed, so its fingerprints are
made of what the rulebook speaks about: tracks, attributes, flags, rolls made so far, who is asked what.
"""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

from interpreter.compiling.ruleset import Ruleset
from interpreter.playing.prompts import option_keys
from interpreter.running.machine import Machine
from interpreter.running.state_json import encode
from interpreter.state.position import Position

DIGITS = 16  # of a fingerprint in a save: a chance of 1 in 10^19 to miss a difference


def position_of(ruleset: Ruleset, machine: Machine) -> dict[str, Any]:
    """The position as plain JSON; things are numbered in the order of the files."""
    layout, s = ruleset.layout, machine.s
    now = Position(layout, s)
    return {
        "tracks": {name: encode(now.track(name)) for name in layout.tracks},
        "records": {f"{of}.{name}": encode(now.field(of, name)) for of, name in layout.fields},
        "values": {
            f"{of}.{name}": encode(now.values(of, name))
            for of, name in layout.arrays
            if (of, name) != ("token", "known_to")  # follows from the rest, and is younger than some saves
        },
        "flags": {
            f"{of}.{name}": {until: own for until, own in now.lasting(of, name).items() if own or not until}
            for of, name in layout.flags
        },
        "rolls": {purpose: s[cell] for purpose, cell in layout.rolls.items() if s[cell]},
        "waiting": _waiting(ruleset, machine),
        "outcome": None if machine.outcome is None else list(machine.outcome),
    }


def position_hash(ruleset: Ruleset, machine: Machine) -> str:
    """The fingerprint of a position, as it stands in saves."""
    text = json.dumps(position_of(ruleset, machine), sort_keys=True, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()[:DIGITS]


def _waiting(ruleset: Ruleset, machine: Machine) -> list[Any] | None:
    pending, world = machine.pending, ruleset.program.world
    if pending is None:
        return None
    site = ruleset.full.blocks.sites[pending.site]
    keys = option_keys(world, site, pending.options, pending.out)
    return [world.universes["player"].ids[pending.who], site.paragraph, keys]
