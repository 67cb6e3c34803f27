"""What becomes of lowered code on its way to Python, flavour by flavour (the list of passes).

Lowering (lower/, routes/, and the two ways of writing procedures in emit/) makes definitions of the
representation (ir/). Those optimisations that know the program (folding, masks instead of loops) are asked
by lowering itself, by name (flavours.py lists them for each flavour); those that only know the code are the
passes listed here, each a function from a function to a function. Last comes the meter, which must see all
functions together, and the printer (emit/text.py).

`full` follows the rulebook word for word, so that the other two can be compared with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from interpreter.compiling.emit.text import source
from interpreter.compiling.ir.statements import Function, Made
from interpreter.compiling.optimise.fuel import Meter, without_refuelling
from interpreter.compiling.optimise.same_again import same_again
from interpreter.compiling.optimise.shared_reads import share_cells, share_looks
from rulesdsl.base.lightclass import dataclass


class TooDeep(Exception):
    """A function whose tree is too deep to be worked on; its name says which."""


Pass = Callable[[Function], Function]

FULL: tuple[Pass, ...] = ()
FAST: tuple[Pass, ...] = (same_again, share_looks, share_cells)
BLOCKS: tuple[Pass, ...] = (same_again,)  # what a block keeps is in its frame, where nothing is shared
PLAYOUT: tuple[Pass, ...] = (same_again, share_looks, share_cells)


@dataclass(frozen=True, slots=True)
class Printed:
    """A definition in all its stages: as lowered, after the passes, as Python."""

    name: str
    lowered: Made
    passed: Made
    python: str


def run(passes: Iterable[Pass], made: Iterable[Made]) -> list[Made]:
    """Definitions after some passes."""
    passes = tuple(passes)
    out: list[Made] = []
    for one in made:
        try:
            for each in passes if isinstance(one, Function) else ():
                assert isinstance(one, Function)
                one = each(one)
        except RecursionError:
            raise TooDeep(one.name) from None
        out.append(one)
    return out


def finished(
    lowered: list[Made],
    passed: list[Made],
    meter: Meter,
    blocks: Iterable[str] = (),
    once: frozenset[str] | None = None,
) -> list[Printed]:
    """Definitions with their work counted, printed. `once`: of whole games, what is called once in each."""
    counted = meter.metered(passed, blocks, once or frozenset())
    if once is not None and not meter.counts:
        counted = without_refuelling(counted)
    return [_printed(first, last) for first, last in zip(lowered, counted, strict=True)]


def _printed(lowered: Made, passed: Made) -> Printed:
    try:
        return Printed(lowered.name, lowered, passed, source(passed))
    except RecursionError:
        raise TooDeep(lowered.name) from None
