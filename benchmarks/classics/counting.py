"""How many ways there are to make so many moves, beside the numbers everybody knows."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.classics import begun
from interpreter.running.machine import Machine

# game, scenario → how many ways to make 1, 2, 3 … moves
KNOWN: dict[tuple[str, str], tuple[int, ...]] = {
    ("reversi", ""): (4, 12, 56, 244, 1_396, 8_200, 55_092),
    ("chess", ""): (20, 400, 8_902, 197_281),
    ("chess", "crowded"): (48, 2_039, 97_862),
    ("draughts", ""): (7, 49, 302, 1_469, 7_361),
}


# Here a move may take several decisions also at the depths above (a promotion comes later).
_JUMPS_ON = ("draughts",)


def ways(name: str, scenario: str, moves: int) -> int:
    """In how many ways so many whole moves can be made from the beginning."""
    machine = begun(name, scenario)
    assert machine.pending is not None
    return _ways(machine, moves, machine.pending.site, name in _JUMPS_ON)


def _ways(machine: Machine, moves: int, site: int, jumps_on: bool) -> int:
    if machine.pending is None:
        return 0
    if moves == 1 and not jumps_on:
        return len(machine.pending.options)
    after = whole_moves(machine, site)
    return sum(1 if moves == 1 else _ways(one, moves - 1, site, jumps_on) for one in after)


def whole_moves(machine: Machine, site: int) -> Iterator[Machine]:
    """The game after each whole move: after every decision until the question of `site` is asked again."""
    waiting = [machine]
    while waiting:
        here = waiting.pop()
        assert here.pending is not None
        for number in range(len(here.pending.options)):
            after = here.copy()
            after.choose(number)
            if after.pending is not None and after.pending.site != site:
                waiting.append(after)
            else:
                yield after
