"""How large a game may be: the documented limits, changed only from the command line.

They exist so that a rulebook from a stranger is refused with a sentence instead of filling the
memory. Each is far above what a printed wargame needs.
"""

from __future__ import annotations

from rulesdsl.lightclass import dataclass

_MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True)
class Limits:
    """One record handed down from the command line; nobody reads limits from anywhere else."""

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
    pieces: int = 5_000
    spaces: int = 5_000
    rules: int = 5_000


DEFAULT = Limits()
