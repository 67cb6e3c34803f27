"""What somebody means who names things: by id, or by printed name however that is spelt."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Any

from interpreter.playing.counters import as_seen
from interpreter.playing.standing import Standing
from rulesdsl.base.diagnostics import UsageError, did_you_mean
from rulesdsl.program.types import Type

_BETWEEN = re.compile(r"\s*[+,]\s*|\s+to\s+")


def read_value(session: Standing, type_: Type, text: str, seat: int | None = None) -> Any:
    """A value from what was written: a number, yes or no, an id or a name; several joined by `+`.

    A player (`seat`) names a piece that he does not know by its place, as it is called to him.
    """
    text = str(text).strip()
    if type_.kind == "number":
        try:
            return int(text)
        except ValueError as error:
            raise UsageError(f'"{text[:80]}" is no number') from error
    if type_.kind == "flag":
        if text.casefold() not in _FLAGS:
            raise UsageError(f'"{text[:80]}" is neither yes nor no')
        return _FLAGS[text.casefold()]
    if type_.kind == "set":
        parts = parts_of(text) if text else []
        members = [read_value(session, type_.member, part, seat) for part in parts]
        return sum(1 << member for member in set(members))
    return -1 if type_.nullable and text == "none" else _one_of(session, type_, text, seat)


_FLAGS = {"yes": 1, "true": 1, "1": 1, "no": 0, "false": 0, "0": 0}


def parts_of(text: str) -> list[str]:
    """`a2+a3`, `a2, a3` and `a2 to a3` name the same two things."""
    return _BETWEEN.split(text)


def _one_of(session: Standing, type_: Type, text: str, seat: int | None) -> int:
    world = session.ruleset.program.world
    if seat is not None and type_.name == "piece":
        world = as_seen(session.ruleset, session.machine, seat).world
    if type_.kind == "enum":
        values: Sequence[str] = world.enums[type_.name].values
        found = [i for i, value in enumerate(values) if folded(value) == folded(text)]
    else:
        things = world.universes[type_.name]
        values = things.ids
        if text in things.index:
            return things.index[text]
        found = [i for i, name in enumerate(values) if name.casefold() == text.casefold()]
        found = found or [i for i, name in enumerate(things.names) if folded(name) == folded(text)]
    if text and len(found) == 1:
        return found[0]
    if text and found:
        raise UsageError(f'"{text}" is the name of {" and ".join(values[i] for i in found)}: say which')
    for universe in world.universes.values():
        if text in universe.index:
            other = universe.index[text]
            raise UsageError(f"{universe.names[other]} is no {type_}: its class is {universe.classes[other]}")
    for number, name in enumerate(session.ruleset.program.world.universes["piece"].names):
        identity = session.ruleset.program.world.universes["piece"].ids[number]
        if type_.name == "piece" and folded(text) in (folded(identity), folded(name)):
            raise UsageError(f"where {name} is, you do not know")
    hint = did_you_mean(text, values)
    raise UsageError(f'there is no {type_} "{text[:80]}"' + (f"; {hint}" if hint else ""))


def folded(text: str) -> str:
    """Letters and digits only, without accents and capitals: how names are compared."""
    plain = unicodedata.normalize("NFD", text.casefold())
    return "".join(c for c in plain if c.isalnum())
