"""How large a game may be, how long a rule may run: documented, and changed only from the command line.

They exist so that a rulebook from a stranger is refused with a sentence instead of filling the
memory. Each is far above what a printed wargame needs; `--limit NAME=NUMBER` sets another.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields

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


DEFAULT = Limits()  # of this process
_PRINTED = Limits()
# deeper trees than this, and those who walk them fall over
_MOST = {"yaml_depth": 100, "language_nesting": 100}


def set_limits(given: Mapping[str, str]) -> None:
    """Limits from the command line, by their names or the beginnings of them: `steps=400000`.

    The record is changed in place: whoever was handed it before must see the same numbers.
    """
    from rulesdsl.diagnostics import UsageError, did_you_mean

    known = [spec.name for spec in fields(Limits)]
    for name, text in given.items():
        found = [name] if name in known else [one for one in known if one.startswith(name)]
        if len(found) != 1:
            hint = did_you_mean(name, known) or f"there are: {', '.join(found or known)}"
            raise UsageError(f'there is no limit "{name}"; {hint}')
        digits = text.replace(",", "").replace("_", "")
        most = _MOST.get(found[0], 10**15)
        if not digits.isdecimal() or not digits.isascii() or not 0 < int(digits[:17]) <= most:
            raise UsageError(f"--limit {name}={text[:40]}: a whole number from 1 to {most:,} is needed")
        setattr(DEFAULT, found[0], int(digits))


def changed_limits() -> dict[str, str]:
    """Those that are not as printed in the documentation, as `set_limits` takes them."""
    names = [spec.name for spec in fields(Limits)]
    return {name: str(now) for name in names if (now := getattr(DEFAULT, name)) != getattr(_PRINTED, name)}
