"""How large a game may be, how long a rule may run: documented, and changed only from the command line.

They exist so that a rulebook from a stranger is refused with a sentence instead of filling the
memory. Each is far above what a printed wargame needs; `--limit NAME=NUMBER` sets another.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields

from rulesdsl.base.lightclass import dataclass

_MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True)
class Limits:
    """One record of the process (`DEFAULT`), set by the command line before anything is read; who reads texts
    takes another one from whoever has his own."""

    rule_file_bytes: int = 1 * _MEGABYTE
    yaml_file_bytes: int = 2 * _MEGABYTE
    game_bytes: int = 20 * _MEGABYTE
    yaml_depth: int = 32
    yaml_nodes: int = 200_000
    language_nesting: int = 64
    steps_per_decision: int = 200_000
    triggers_per_decision: int = 1_000
    call_depth: int = 64
    work_per_decision: int = (
        250_000_000  # names that generated code looks up, counted where there may be many
    )
    options_per_decision: int = (
        50_000  # combinations of things; of one thing there are never more than things
    )
    work_per_thought: int = 500_000_000  # of an agent before a decision, of odds, in the same measure
    work_per_game: int = 1_000_000_000  # of a game that is simulated; with agents that think, more
    pieces: int = 5_000
    spaces: int = 5_000
    rules: int = 5_000


DEFAULT = Limits()  # of this process
_PRINTED = Limits()


def set_limits(given: Mapping[str, int]) -> None:
    """Change limits of this process, in place: whoever was handed the record before must see the same."""
    for name, number in given.items():
        setattr(DEFAULT, name, number)


def limit_names() -> list[str]:
    return [spec.name for spec in fields(Limits)]


def changed_limits() -> dict[str, int]:
    """Those that are not as documented, as `set_limits` takes them."""
    now = {name: int(getattr(DEFAULT, name)) for name in limit_names()}
    return {name: number for name, number in now.items() if number != getattr(_PRINTED, name)}
