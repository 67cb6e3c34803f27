"""What is used in a game: what was offered, taken and refused, the cells of tables, the spaces.

offered<TAB>PARAGRAPH<TAB>WHAT    a decision at which this could be chosen
taken, refused                    … at which it was; at which the way out was taken instead
changed<TAB>PARAGRAPH             a decision before which it changed a number at least once
forbade, allowed                  … before which it forbade something, allowed what another one forbids
cell<TAB>TABLE<TAB>LABELS         a result that was looked up
space<TAB>ID                      a space that was chosen or gone to
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from interpreter.compiling.decision_points import MenuSite, Site, TravelSite
from interpreter.compiling.ir.ways import split_way
from interpreter.compiling.ruleset import Ruleset
from interpreter.running.machine import Pending
from rulesdsl.book.tables.table import NoResult, Table
from rulesdsl.program import ChooseS
from rulesdsl.program.world import World

OFFERED, TAKEN, REFUSED, CELL, SPACE = "offered", "taken", "refused", "cell", "space"


class Usage:
    """Counts while a game is played with the full code of a ruleset."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.counts: Counter[str] = Counter()
        self._ruleset = ruleset
        self._world = ruleset.program.world
        self._sites = ruleset.full.blocks.sites
        self._fired, self._ways = ruleset.full.fired, _ways(ruleset)
        self._before = [0] * len(self._ways)

    def decided(self, pending: Pending, index: int) -> None:
        """A decision, and the index that `Machine.choose` is given."""
        self.had_a_say()
        site, counts = self._sites[pending.site], self.counts
        if isinstance(site, MenuSite):
            for value in pending.options:
                counts[f"{OFFERED}\t{site.paragraph}\t{site.labels[int(value)]}"] += 1
            what = site.labels[int(pending.options[index])] if index >= 0 else ""
        else:
            what = _what(site)
            counts[f"{OFFERED}\t{site.paragraph}\t{what}"] += 1
        if index >= 0:
            counts[f"{TAKEN}\t{site.paragraph}\t{what}"] += 1
            for space in self._spaces(site, pending.options[index]):
                counts[f"{SPACE}\t{space}"] += 1
        elif isinstance(site, MenuSite):
            for value in pending.options:
                counts[f"{REFUSED}\t{site.paragraph}\t{site.labels[int(value)]}"] += 1
        else:
            counts[f"{REFUSED}\t{site.paragraph}\t{what}"] += 1

    def had_a_say(self) -> None:
        """What changed a number, forbade or allowed something since the last decision."""
        fired, before, counts = self._fired, self._before, self.counts
        for place, (number, name) in enumerate(self._ways):
            if fired[number] != before[place]:
                before[place] = fired[number]
                counts[name] += 1

    def _spaces(self, site: Any, value: Any) -> Iterator[str]:
        ids = self._world.universes["space"].ids if "space" in self._world.universes else ()
        if isinstance(site, TravelSite):
            yield ids[int(value)]
        elif isinstance(site, Site):
            values = value if isinstance(value, tuple) else (value,)
            for type_, one in zip(site.types, values, strict=True):
                if type_.kind == "thing" and type_.name == "space" and one >= 0:
                    yield ids[one]

    @contextmanager
    def watching_tables(self) -> Iterator[None]:
        """While this lasts, every lookup is counted under the labels it is printed at."""
        compiled, program = self._ruleset.full, self._ruleset.program
        called = {compiled.unit.naming.called("T", name): table for name, table in program.tables.items()}
        kept = {python: compiled.names[python] for python in called if python in compiled.names}
        compiled.names.update({name: self._watched(called[name], look) for name, look in kept.items()})
        try:
            yield
        finally:
            compiled.names.update(kept)

    def _watched(self, table: Table, lookup: Callable[..., Any]) -> Callable[..., Any]:
        names: dict[tuple[Any, ...], str] = {}

        def look(*keys: Any) -> Any:
            if keys not in names:
                names[keys] = f"{CELL}\t{table.id}\t{_labels(self._world, table, keys)}"
            self.counts[names[keys]] += 1
            return lookup(*keys)

        return look


def plain(paragraph: str) -> bool:
    """Whether a counter counts a paragraph, not a way in which it had a say."""
    return not split_way(paragraph)[1]


def _ways(ruleset: Ruleset) -> list[tuple[int, str]]:
    """Where each way of each paragraph is counted, and as what it is told."""
    split = [(number, *split_way(name)) for number, name in enumerate(ruleset.full.unit.rules)]
    return [(number, f"{how}\t{paragraph}") for number, paragraph, how in split if how]


def _what(site: Any) -> str:
    """What a decision is about, in a word or two: the action, the route, or the question."""
    if isinstance(site, TravelSite):
        return site.route.replace("_", " ")
    if site.action:
        return str(site.action).replace("_", " ")
    if site.prompt:
        return str(site.prompt)
    nouns = [(t.of or t.name or t.kind) for t in site.types]
    verb = "choose" if isinstance(site.step, ChooseS) else "which next"
    return f"{verb} {', '.join(nouns)}".replace("_", " ")


def _labels(world: World, table: Table, keys: tuple[Any, ...]) -> str:
    written = []
    for key, value in zip(table.keys, keys, strict=True):
        enum = world.enums.get(key.of) if key.of else None
        known = enum is not None and isinstance(value, int) and 0 <= value < len(enum.values)
        written.append(enum.values[value] if known and enum is not None else value)
    try:
        return " / ".join(table.lookup(*written).labels)
    except (NoResult, TypeError, ValueError, KeyError):
        return " / ".join(map(str, written))
