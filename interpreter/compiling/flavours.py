"""Which optimisations each flavour of generated code gets while it is lowered, by name (features).

These know the program, so lowering asks for them one by one (`unit.does(Knack.FOLD)`); what only knows the
code is a pass (pipeline.py). Each may be left out by itself: the games stay the same, only slower, which
tells to whom a mistake belongs (`tests/compiling/test_flavour_functions.py` plays without each of them).
"""

from __future__ import annotations

from enum import Enum

from rulesdsl.base.lightclass import dataclass


class Knack(Enum):
    """An optimisation that lowering may use; in brackets where it is."""

    FOLD = "expressions made smaller, rules opened where they are asked (optimise/fold)"
    CHAINS = "printed values of printed values as one table (optimise/constants)"
    PRINTED = "conditions about what is printed as masks known before the game (optimise/constants)"
    PLACES = "conditions about where members stand as masks (optimise/vectorise/masks, occupancy)"
    RULES = "rules and presence as masks (optimise/vectorise/masks)"
    WAITING = "dear parts of masks asked only where they matter (optimise/vectorise/waiting)"
    BY_VALUE = "asked once for every printed value (optimise/vectorise/by_value)"
    HOIST = "sets that are the same for all members before the loop (optimise/vectorise/by_value)"
    COVERS = "those who have a chance at all before a loop (optimise/vectorise/prefilter)"
    FIRST = "whether there is some member ends with the first, in rules too (optimise/vectorise/select)"
    ORDER = "what is dear is asked last, of those who are left (optimise/vectorise/select)"
    NEAR = "neighbours under fixed conditions from a table (optimise/vectorise/adjacency_tables)"
    OPTIONS = "options that are a set stay a mask (lower/options)"
    ROUTES = "searches by masks, by kind of traveller (routes/)"
    CLASSES = "a test of a class that has all members is left out (lower/steps)"


@dataclass(frozen=True, slots=True)
class Flavour:
    """How rules become code. `tells`: with the log, counts of rules, and settings read by their names."""

    name: str
    tells: bool
    knacks: frozenset[Knack]

    def without(self, knack: Knack) -> Flavour:
        return Flavour(f"{self.name} without {knack.name.lower()}", self.tells, self.knacks - {knack})


TRACED = Flavour("traced", True, frozenset())  # word for word: the other one is compared with it
SILENT = Flavour("silent", False, frozenset(Knack))  # whole games are made of this, too
