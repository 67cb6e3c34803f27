"""The classic games beside known numbers and other programs; what is not installed is skipped, and said."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec

from benchmarks.classics.backgammon import backgammon_in_step
from benchmarks.classics.beside_chess import moves_in_step
from benchmarks.classics.beside_open_spiel import Compared, go_in_step, hearts_in_step, morris_in_step
from benchmarks.classics.counting import KNOWN, ways
from benchmarks.classics.informing import KNOWN as KNOWN_GAMES
from benchmarks.classics.informing import ends_and_information_sets
from tests.promises import Outcome

BESIDE_OPEN_SPIEL: tuple[Callable[[int], Compared], ...] = (
    go_in_step, morris_in_step, hearts_in_step, backgammon_in_step,
)  # fmt: skip


def classic_counts(depth: int) -> Outcome:
    """Ways to make one, two, three moves, as far as `depth` and as far as they are known."""
    outcome = Outcome()
    for (name, scenario), known in KNOWN.items():
        for moves, wanted in enumerate(known[:depth], 1):
            found = ways(name, scenario, moves)
            outcome.done += 1
            if found != wanted:
                outcome.failure(f"{name} {scenario}: {found} ways to make {moves} moves, not {wanted}")
    return outcome


def information_sets(count: int) -> Outcome:
    """The first `count` games of cards, played in every way."""
    outcome = Outcome()
    for name, wanted in list(KNOWN_GAMES.items())[:count]:
        found = ends_and_information_sets(name)
        outcome.done += found[0]
        if found != wanted:
            outcome.failure(f"{name}: {found[0]} ends and {found[1]} information sets, not {wanted}")
    return outcome


def beside_chess(count: int) -> Outcome:
    """So many positions beside python-chess."""
    return _beside("chess", "test", (moves_in_step,), count)


def beside_open_spiel(count: int) -> Outcome:
    """So many positions of each of four games beside OpenSpiel."""
    return _beside("pyspiel", "bench", BESIDE_OPEN_SPIEL, count)


def _beside(module: str, extra: str, compare: tuple[Callable[[int], Compared], ...], count: int) -> Outcome:
    outcome = Outcome()
    if find_spec(module) is None:
        outcome.note = f"skipped: {module} is not installed (pip install -e '.[{extra}]')"
        return outcome
    for in_step in compare:
        done, wrong = in_step(count)
        outcome.done += done
        for line in wrong:
            outcome.failure(f"{in_step.__name__}: {line}")
    return outcome
