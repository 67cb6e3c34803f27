"""Which readings decided something: the same expression is asked once more with each of the others.

A reading that is only looked at, and changes nothing here, is not named.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from interpreter.asking.answers import Readings
from interpreter.playing.known_values import may_know
from rulesdsl import program as pg
from rulesdsl.checking.whole.mentions import expressions_in
from rulesdsl.program.asked import all_asked

if TYPE_CHECKING:
    from interpreter.playing.session import Session


def deciding_readings(
    session: Session, e: pg.E | None, env: dict[pg.Var, Any], member: int | None = None
) -> Readings:
    """The readings but for which a condition, or the membership of a thing in a group, would be another."""
    if e is None or not may_know(session, e, env):
        return ()
    ruleset, state = session.ruleset, session.machine.s
    settings, found = ruleset.program.settings, []
    try:
        value = ruleset.evaluate(state, e, env)
        for name in sorted(_mentioned(ruleset.program).of(e)):
            here = ruleset.settings[name]
            others = (n for n in range(len(settings[name].alternatives)) if n != here)
            asked = (ruleset.read_otherwise(name, n).evaluate(state, e, env) for n in others)
            if any(_decided(other, member) != _decided(value, member) for other in asked):
                found.append((name, settings[name].alternatives[int(str(here))]))
    except (KeyError, NameError):  # it asks about the path, which has no value here
        return ()
    return tuple(found)


def _decided(value: Any, member: int | None) -> bool:
    return bool(value if member is None else value >> member & 1)


class Mentioned:
    """The readings that an expression looks at, itself or further on."""

    def __init__(self, program: pg.Program) -> None:
        self.program = program
        self._known: dict[int, tuple[pg.E, frozenset[str]]] = {}

    def of(self, e: pg.E) -> frozenset[str]:
        if id(e) not in self._known:
            self._known[id(e)] = e, frozenset(self._found(e))
        return self._known[id(e)][1]

    def _found(self, e: pg.E) -> Iterator[str]:
        for part in all_asked(self.program, e, expressions_in):
            if isinstance(part, pg.SettingGet) and self.program.settings[part.name].kind == "reading":
                yield part.name


@lru_cache(maxsize=8)
def _mentioned(program: pg.Program) -> Mentioned:
    return Mentioned(program)
