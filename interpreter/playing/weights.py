"""`weights.yaml` of a game: how its computer opponent weighs the terms of the rulebook's value, found by
training.

It is no rule: a game is the same with and without it, and a save does not carry it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from rulesdsl.base.diagnostics import Diagnostic, RulebookError
from rulesdsl.base.textfile import read_source
from rulesdsl.book.yaml.file import load_yaml

WEIGHTS_FILE = "weights.yaml"
MOST_BYTES = 64_000
LEAST, MOST = 0, 10_000


def weights_in(directory: Path) -> tuple[tuple[str, int], ...]:
    """Label → hundredths; none when the game has no such file. Raises what is wrong with it."""
    path = directory / WEIGHTS_FILE
    if not path.is_file():
        return ()
    document = load_yaml(read_source(path, MOST_BYTES))
    value = document.value
    percent = value.get("percent") if isinstance(value, Mapping) else None
    if not isinstance(percent, Mapping) or not all(
        isinstance(weight, int) and not isinstance(weight, bool) and LEAST <= weight <= MOST
        for weight in percent.values()
    ):
        message = f"percent must give every term a whole number from {LEAST} to {MOST}"
        raise RulebookError([Diagnostic("weights", message, document.span(()))])
    return tuple((str(label), int(str(weight))) for label, weight in percent.items())
