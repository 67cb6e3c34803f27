"""Every problem of a game directory, in one call: what `rulesdsl check` prints.

The answer is remembered like everything else that was read: its key is the text of every file of the game
and the stamp of the engine, so a second check of unchanged files reads the files and nothing more.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rulesdsl.cache import remembered_for
from rulesdsl.collecting import nothing_collected
from rulesdsl.diagnostics import Diagnostic, in_order
from rulesdsl.gametexts import read_texts


def problems_of(directory: Path, house: Sequence[Path] = ()) -> list[Diagnostic]:
    """Every problem of a game with these house rules, sorted by place."""
    if house:  # the documents are read together with the game, so there is no key to remember them by
        return fresh_problems(directory, house)
    files, unreadable = read_texts(directory)
    if unreadable:
        return fresh_problems(directory)
    with nothing_collected():
        return remembered_for("check", files, lambda: fresh_problems(directory))


def fresh_problems(directory: Path, house: Sequence[Path] = ()) -> list[Diagnostic]:
    """The same, worked out now."""
    from rulesdsl.checker import check
    from rulesdsl.loader import load_game

    source, problems = load_game(directory)
    if source is not None and house:
        from rulesdsl.amendments import apply_house_rules

        source, of_house = apply_house_rules(source, house)
        problems = [*problems, *of_house]
    if source is not None:
        _, of_rules = check(source)
        problems = [*problems, *of_rules]
    return in_order(problems)
