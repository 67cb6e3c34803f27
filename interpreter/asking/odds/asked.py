"""What somebody asks the odds of, and doubts whether that is what was meant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from interpreter.playing.read_names import read_value
from interpreter.playing.session import Session
from rulesdsl import program as pg
from rulesdsl.base.diagnostics import UsageError
from rulesdsl.language.conventions import ODDS
from rulesdsl.program.world import World


def read_arguments(session: Session, procedure: pg.ProcedureRule, given: Mapping[str, str]) -> list[Any]:
    """Values for all parameters; a name that is a number (`0`, `1` …) is a place in their order."""
    wanted = [p.name for p in procedure.params]
    named = {wanted[int(n)] if n.isdigit() and int(n) < len(wanted) else n: v for n, v in given.items()}
    for name in named:
        if name.isdigit():
            raise UsageError(f'"{named[name]}" is one value too many: {usage(procedure)}')
        if name not in wanted:
            raise UsageError(f'"{procedure.name}" takes no "{name}": {usage(procedure)}')
    missing = [name for name in wanted if name not in named]
    if missing:
        raise UsageError(f'"{procedure.name}" also needs {" and ".join(missing)}: {usage(procedure)}')
    return [read_value(session, p.type, named[p.name]) for p in procedure.params]


def usage(procedure: pg.ProcedureRule) -> str:
    """`attack force=UNIT,UNIT… zone=ZONE`"""
    shown = [procedure.name.removeprefix(ODDS)]
    for param in procedure.params:
        noun = (param.type.of or param.type.name or param.type.kind).upper()
        shown.append(f"{param.name}={noun},{noun}…" if param.type.kind == "set" else f"{param.name}={noun}")
    return f"write it as {' '.join(shown)}"


# ---- in words ----------------------------------------------------------------------------------------
@lru_cache(maxsize=64)
def clear_names(world: World, universe: str) -> tuple[str, ...]:
    """The names of things; where two have the same, with their ids."""
    things = world.universes[universe]
    often = Counter(things.names)
    pairs = zip(things.names, things.ids, strict=True)
    return tuple(f"{name} ({identity})" if often[name] > 1 else name for name, identity in pairs)


def members(group: int) -> Iterator[int]:
    return (i for i in range(group.bit_length()) if group >> i & 1)


def shown_arguments(world: World, procedure: pg.ProcedureRule, values: list[Any]) -> Iterator[str]:
    for param, value in zip(procedure.params, values, strict=True):
        name = param.name.replace("_", " ")
        if param.type.kind == "set" and not param.type.of_enum:
            names = clear_names(world, param.type.name)
            yield f"{name} {', '.join(names[i] for i in members(value))}"
        else:
            yield f"{name} {world.show(param.type, value)}"


# ---- doubts ------------------------------------------------------------------------------------------
def doubts(session: Session, procedure: pg.ProcedureRule, values: list[Any]) -> list[str]:
    """Pieces that are not on the map, or not next to the only place that is spoken of."""
    world, now = session.ruleset.program.world, session.position
    if not now.has_pieces:
        return []
    names = clear_names(world, "piece")
    spaces, groups = 0, 0
    for param, value in zip(procedure.params, values, strict=True):
        mask = value if param.type.kind == "set" else 1 << value if param.type.kind == "thing" else 0
        if param.type.name == "space":
            spaces |= mask
        elif param.type.name == "piece":
            groups |= mask
    found = []
    for piece in members(groups):
        place = now.at(piece)
        if place < 0:
            found.append(f"{names[piece]} is not on the map")
        elif spaces and not any(spaces >> to & 1 for to in (place, *(n for n, _ in world.adjacency[place]))):
            there = " or ".join(world.universes["space"].names[i] for i in members(spaces))
            here = world.universes["space"].names[place]
            found.append(f"{names[piece]} is in {here}, which is not adjacent to {there}")
    return found


def nobody_in(session: Session) -> Iterator[str]:
    """Groups of the record being resolved that are empty: a combat without defenders."""
    program, now = session.ruleset.program, session.position
    for record in program.world.records.values():
        sets = [name for name, type_ in record.fields.items() if type_.kind == "set"]
        filled = [name for name in sets if now.field(record.name, name)]
        if filled:
            for name in sets:
                if name not in filled:
                    yield f"the {record.name.replace('_', ' ')} has no {name.replace('_', ' ')}"
