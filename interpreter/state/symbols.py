"""What generated functions are called. A rule is numbered among those of its kind, never spelt.

`d_3` is the fourth define, `r_0_2` the search of the first route for the third kind of traveller. No name
and no text of an author is part of generated code, so no two rules can be taken for each other, and nothing
that is found in generated code was put there by an author.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import takewhile

from rulesdsl import program as pg

Asked = pg.DefineRule | pg.QuantityRule | pg.ActionRule | pg.RouteRule

# what a function does for a rule → the kind of that rule; every other role is one of a route
_KIND_OF = {
    "d": "define", "q": "quantity", "x": "quantity", "ok": "action", "clause": "action", "why": "action",
    "T": "table", "play": "window", "SETTING": "setting",
}  # fmt: skip


class Naming:
    """The numbers of everything that generated code of one program calls."""

    def __init__(self, program: pg.Program) -> None:
        self._rules: dict[str, list[Asked]] = {
            "define": [*program.defines.values()],
            "quantity": [*program.quantities.values()],
            "action": [*program.actions.values()],
            "route": [*program.routes.values()],
        }
        named: dict[str, Iterable[str]] = {
            "define": program.defines, "quantity": program.quantities, "action": program.actions,
            "route": program.routes, "table": program.tables, "window": program.windows,
            "setting": program.settings,
        }  # fmt: skip
        self._numbers = {
            kind: {name: number for number, name in enumerate(names)} for kind, names in named.items()
        }

    def called(self, role: str, name: str, *more: int) -> str:
        """The function that plays this role for the rule of this name."""
        number = self._numbers[_KIND_OF.get(role, "route")][name]
        return numbered(role, number, *more)

    def route(self, name: str) -> int:
        """The number of a route: all its functions have it behind what they do."""
        return self._numbers["route"][name]

    def rule(self, function: str) -> Asked | None:
        """The rule that a generated function works for; None for those of procedures, tables, windows."""
        role, numbers = taken_apart(function)
        rules = self._rules.get(_KIND_OF.get(role, "route"), [])
        if not numbers or role in _OF_PROCEDURES or numbers[0] >= len(rules):
            return None
        return rules[numbers[0]]


_OF_PROCEDURES = frozenset({"do", "body", "nth", "nth_way", "v", "p", "after", "effect", "effects"})


DO, BODY = "do", "body"  # a procedure of a whole game, and the inside of one that is written in two


def numbered(role: str, *numbers: int) -> str:
    """What a function is called that plays a role for what has these numbers: `do_3`, `nth_way_2`."""
    return "_".join([role, *map(str, numbers)])


def taken_apart(function: str) -> tuple[str, tuple[int, ...]]:
    """The role of a generated function, and its numbers: nobody else reads its name."""
    words = function.split("_")
    role = [*takewhile(lambda word: not word.isdecimal(), words)]
    numbers = tuple(int(word) for word in words[len(role) :] if word.isdecimal())
    return "_".join(role), numbers


@lru_cache(maxsize=16)
def naming_of(program: pg.Program) -> Naming:
    return Naming(program)
