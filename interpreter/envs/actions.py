"""Actions as numbers that mean the same at every decision of a game, derived from its decision points.

Decisions about the same sorts of things share their numbers: "a space" is one block of as many numbers as
there are spaces, "a piece and a space" another. Which question is asked stands in the observation. What has
no number of its own (a choice among counters that lie face down, among too many combinations) is numbered by
its place in the list of options, which tells no more than the options do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from interpreter.compiling.decision_points import MenuSite, Site, TravelSite
from interpreter.compiling.ruleset import Ruleset
from interpreter.playing.counters import hides_identity, order_of_options
from interpreter.playing.prompts import option_text, out_text
from interpreter.running.machine import Machine, Pending
from interpreter.running.mask_options import MaskOptions

MOST_COMBINATIONS = 65_536  # of things chosen together, that still get numbers of their own
PLACES = 1_024  # options that are numbered by their place

Sorts = tuple[str, ...]  # "space", "enum deed", or the one word below
BY_PLACE: Sorts = ("place in the list",)
MENU: Sorts = ("entry of a menu",)


@dataclass(frozen=True, slots=True)
class Block:
    """Numbers `first` to `first + size - 1`; of several things chosen together, the last runs fastest."""

    first: int
    size: int
    sizes: tuple[int, ...]


class TooManyOptions(ValueError):
    """A decision offers more than can be numbered."""


class ActionNumbers:
    """Numbers for everything that can be decided in a game. 0 is the way out."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.blocks: dict[Sorts, Block] = {}
        self.size = 1
        self._of_site: list[tuple[Sorts, Block]] = []
        self._hides = hides_identity(ruleset.program)
        for site in ruleset.fast.blocks.sites:
            sorts, sizes = self._sorts(site)
            self._of_site.append((sorts, self._block(sorts, sizes)))

    def _sorts(self, site: Any) -> tuple[Sorts, tuple[int, ...]]:
        world = self.ruleset.program.world
        if isinstance(site, MenuSite):
            return MENU, (max(len(s.labels) for s in self._menus()),)
        if isinstance(site, TravelSite):
            return ("space",), (len(world.universes["space"]),)
        assert isinstance(site, Site)
        names: list[str] = []
        sizes: list[int] = []
        whole = 1
        for type_ in site.types:
            if type_.kind == "thing" and not (type_.name == "piece" and self._hides):
                names.append(type_.name)
                sizes.append(len(world.universes[type_.name]))
            elif type_.kind == "enum":
                names.append(f"enum {type_.name}")
                sizes.append(len(world.enums[type_.name].values))
            else:
                return BY_PLACE, (PLACES,)
            whole *= sizes[-1]
        return (tuple(names), tuple(sizes)) if 0 < whole <= MOST_COMBINATIONS else (BY_PLACE, (PLACES,))

    def _menus(self) -> list[MenuSite]:
        return [site for site in self.ruleset.fast.blocks.sites if isinstance(site, MenuSite)]

    def _block(self, sorts: Sorts, sizes: tuple[int, ...]) -> Block:
        if sorts not in self.blocks:
            whole = 1
            for size in sizes:
                whole *= size
            self.blocks[sorts] = Block(self.size, whole, sizes)
            self.size += whole
        return self.blocks[sorts]

    def block_of(self, site: int) -> Block:
        """The numbers of a decision point."""
        return self._of_site[site][1]

    def is_by_place(self, site: int) -> bool:
        """Whether a decision point numbers options by their place, and not by what they are."""
        return self._of_site[site][0] is BY_PLACE

    # ---- decisions → numbers
    def legal(self, machine: Machine) -> list[int]:
        """The numbers of everything that may be chosen now, the way out last."""
        pending = machine.pending
        if pending is None:
            return []
        numbers = self._numbers(machine, pending)
        return [*numbers, 0] if pending.out else numbers

    def _numbers(self, machine: Machine, pending: Pending) -> list[int]:
        sorts, block = self._of_site[pending.site]
        options = pending.options
        if sorts is BY_PLACE:
            if len(options) > PLACES:
                raise TooManyOptions(f"{len(options)} options at one decision; at most {PLACES} have numbers")
            return [block.first + place for place in range(len(options))]
        if len(block.sizes) == 1:
            first = block.first
            return [first + (value[0] if type(value) is tuple else value) for value in options]
        return [block.first + _joined(value, block.sizes) for value in options]

    def index(self, machine: Machine, action: int) -> int:
        """What `Machine.choose` wants for an action; raises `ValueError` when it is not offered."""
        pending = machine.pending
        if pending is None:
            raise ValueError("the game is over")
        if action == 0:
            if not pending.out:
                raise ValueError(self._not_offered(machine, action))
            return -1
        sorts, block = self._of_site[pending.site]
        value = action - block.first
        options = pending.options
        if sorts is BY_PLACE:
            if 0 <= value < len(options):
                return order_of_options(self.ruleset, machine)[value] if self._hides else value
        elif 0 <= value < block.size:
            if type(options) is MaskOptions:
                if options.mask >> value & 1:
                    return (options.mask & ((1 << value) - 1)).bit_count()
            else:
                for place, offered in enumerate(self._numbers(machine, pending)):
                    if offered == action:
                        return place
        raise ValueError(self._not_offered(machine, action))

    def number(self, machine: Machine, index: int) -> int:
        """The action that stands for an index of `Machine.choose`."""
        pending = machine.pending
        assert pending is not None
        if index < 0:
            return 0
        if self._of_site[pending.site][0] is BY_PLACE and self._hides:
            index = order_of_options(self.ruleset, machine).index(index)
        return self._numbers(machine, pending)[index]

    def text(self, machine: Machine, action: int) -> str:
        """An action that may be chosen now, in words."""
        pending = machine.pending
        assert pending is not None
        site = self.ruleset.fast.blocks.sites[pending.site]
        index = self.index(machine, action)
        if index < 0:
            return out_text(site)
        if self._hides:
            return f"option {action}"
        return option_text(self.ruleset.program, site, pending.options[index], {})

    def _not_offered(self, machine: Machine, action: int) -> str:
        return f"action {action} is not offered now; there are {len(self.legal(machine))} that are"


def _joined(values: Sequence[int], sizes: tuple[int, ...]) -> int:
    number = 0
    for value, size in zip(values, sizes, strict=True):
        number = number * size + value
    return number


@lru_cache(maxsize=32)
def action_numbers(ruleset: Ruleset) -> ActionNumbers:
    return ActionNumbers(ruleset)
