"""The state in words: cells that stand side by side and mean the same become one array of a structure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from interpreter.compiling.emit.native.types import (
    Frac,
    Mask,
    Nothing,
    Type,
    Unsupported,
    c_type,
    joined,
    of_number,
)
from interpreter.state.layout import Layout


@dataclass(slots=True)
class Group:
    """Cells `first` to `end` of the state; `type` is found by the inference. `kept`: never in the machine."""

    number: int
    first: int
    end: int
    type: Type | None = None
    grown: int = 0  # how often its type became larger
    kept: bool = False

    @property
    def name(self) -> str:
        return f"g{self.number}"

    @property
    def size(self) -> int:
        return self.end - self.first


@dataclass(slots=True)
class Cells:
    groups: list[Group] = field(default_factory=list)
    of: list[Group] = field(default_factory=list)  # cell → its group
    positions: int = 0

    @classmethod
    def of_layout(cls, layout: Layout) -> Cells:
        """Every array with its cell of none, every kept mask by value, and single cells."""
        made = cls(positions=layout.positions)
        starts: dict[int, int] = {}
        for array in layout.arrays.values():
            starts[array.base - 1] = array.base + array.size
            if array.masks >= 0:
                starts[array.masks - 1] = array.masks + array.values
        if layout.pieces_in:
            starts[layout.pieces_in - 1] = layout.occupation.base
            if layout.occupation.kinds:
                starts[layout.occupation.base] = layout.occupation.base + len(layout.occupation.kinds)
        cell = 0
        while cell < layout.size:
            end = starts.get(cell, cell + 1)
            group = Group(len(made.groups), cell, end)
            made.groups.append(group)
            made.of += [group] * (end - cell)
            cell = end
        return made

    def seed(self, states: Iterable[list[object]]) -> None:
        """What the cells hold when games begin."""
        for state in states:
            for cell, value in enumerate(state):
                group = self.of[cell]
                if group.kept:
                    continue
                if isinstance(value, int):
                    group.type = joined(group.type, of_number(int(value)))
                elif isinstance(value, Fraction):
                    group.type = joined(group.type, Frac())
                else:
                    group.kept, group.type = True, None

    def fits(self, state: list[object]) -> bool:
        """Whether a game may begin so: every cell within what was known when the code was made."""
        for cell, value in enumerate(state):
            group = self.of[cell]
            if group.kept:
                continue
            own = of_number(int(value)) if isinstance(value, int) else Frac()
            if not isinstance(value, (int, Fraction)) or joined(group.type, own) != group.type:
                return False
        return True

    def group(self, cell: int) -> Group:
        if not 0 <= cell < len(self.of):
            raise Unsupported(f"cell {cell}")
        found = self.of[cell]
        if found.kept:
            raise Unsupported("a cell that holds words or positions")
        return found

    def declaration(self) -> str:
        """The structure of a state."""
        lines = [f"    {c_type(g.type)} {g.name}[{g.size}];" for g in self.in_words()]
        return "typedef struct {\n" + "\n".join(lines or ["    int64_t nothing;"]) + "\n} state;\n"

    def in_words(self) -> list[Group]:
        """The groups that are in the machine, widest words first, so that nothing is between them."""
        there = [g for g in self.groups if not g.kept]
        return sorted(there, key=lambda g: -_alignment(g.type))

    def offsets(self) -> list[tuple[Group, int]]:
        """Each group and its first word."""
        out, at = list[tuple[Group, int]](), 0
        for group in self.in_words():
            out.append((group, at))
            at += group.size * words_of(group.type)
        return out

    @property
    def words(self) -> int:
        return sum(g.size * words_of(g.type) for g in self.in_words())


def words_of(type_: Type | None) -> int:
    match type_:
        case Mask():
            return type_.words
        case Frac():
            return 2
        case _:
            return 1


def _alignment(type_: Type | None) -> int:
    return 2 if isinstance(type_, Mask) and type_.words == 2 else 1


__all__ = ["Cells", "Group", "Nothing", "words_of"]
