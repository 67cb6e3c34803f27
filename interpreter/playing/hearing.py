"""What is heard while a game runs on: which tables were read with dice, and what was asked for.

A log tells what the rules tell. A player also wants to know which column it was and what the table said. So
the traced code of a session is listened to, without changing what it does; nothing is worked out here but
what is read anyway, and the sums are added up only when somebody reads them (acts/rolls.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from interpreter.compiling.compiled import Compiled
from interpreter.compiling.ruleset import Ruleset
from interpreter.playing.dice_tables import tables_with_dice
from rulesdsl import program as pg
from rulesdsl.checking.whole.mentions import expressions_in


@dataclass(frozen=True, slots=True)
class Reading:
    """A table was read: before which line of the log, with which keys, what it said."""

    line: int
    table: str
    keys: tuple[Any, ...]
    found: Any


@dataclass(slots=True)
class Hearing:
    """What was heard after one decision."""

    log: list[tuple[Any, ...]]  # of the machine, as it grows
    readings: list[Reading] = field(default_factory=list)
    asked: set[str] = field(default_factory=set)  # quantities of records


_LISTENING: ContextVar[Hearing | None] = ContextVar("listening", default=None)


@contextmanager
def listening(ruleset: Ruleset, log: list[tuple[Any, ...]]) -> Iterator[Hearing]:
    """While this lasts the traced code of a ruleset is listened to."""
    _give_ears(ruleset.full)
    heard = Hearing(log)
    token = _LISTENING.set(heard)
    try:
        yield heard
    finally:
        _LISTENING.reset(token)


_EARS = "EARS"  # a name no rule has: whether the code has been given ears


def _give_ears(compiled: Compiled) -> None:
    if _EARS in compiled.names:
        return
    called, program = compiled.unit.naming.called, compiled.unit.program
    for table in tables_with_dice(program) & _public_tables(compiled):
        compiled.names[called("T", table)] = _heard_lookup(table, compiled.function("T", table))
    for name in program.quantities:
        if "." in name:
            compiled.names[called("q", name)] = _heard_quantity(name, compiled.function("q", name))
    compiled.names[_EARS] = True


def _heard_lookup(table: str, look: Callable[..., Any]) -> Callable[..., Any]:
    def lookup(*keys: Any) -> Any:
        found, heard = look(*keys), _LISTENING.get()
        if heard is not None:
            heard.readings.append(Reading(len(heard.log), table, keys, found))
        return found

    lookup.__name__ = look.__name__
    return lookup


def _heard_quantity(name: str, ask: Callable[..., Any]) -> Callable[..., Any]:
    def quantity(*given: Any) -> Any:
        heard = _LISTENING.get()
        if heard is not None:
            heard.asked.add(name)
        return ask(*given)

    quantity.__name__ = ask.__name__
    return quantity


def _public_tables(compiled: Compiled) -> frozenset[str]:
    """The tables of which everybody may know with what they are read, wherever they are."""
    secrecy, hidden, seen = compiled.blocks.secrecy, set[str](), set[str]()
    for procedure in compiled.unit.program.procedures.values():
        for e in expressions_in(procedure):
            if isinstance(e, pg.LookupE):
                seen.add(e.table)
                if secrecy.viewers(e) is not None:
                    hidden.add(e.table)
    return frozenset(seen - hidden)
