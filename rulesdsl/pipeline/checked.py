"""Every problem of a game directory, in one call: what `rulesdsl check` prints.

The answer is remembered like everything else that was read: its key is the text of every file of the game
and the stamp of the engine, so a second check of unchanged files reads the files and nothing more.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rulesdsl.base.cache import remembered_for
from rulesdsl.base.diagnostics import Diagnostic, RulebookError, errors, in_order
from rulesdsl.base.gc_pause import nothing_collected
from rulesdsl.base.limits import DEFAULT
from rulesdsl.base.textfile import read_source
from rulesdsl.book.texts import read_texts

STYLE_FILE = "drawing.yaml"


def check(game: str | Path, house: Sequence[str | Path] = ()) -> list[Diagnostic]:
    """Every problem of a shipped game, or of one in a directory, with house rules by name or file."""
    # only here: an answer that is remembered needs neither reader nor checker
    from rulesdsl.base.resources import find_game
    from rulesdsl.house.applying import find_house_rule

    directory = find_game(game)
    return problems_of(directory, [find_house_rule(directory, name) for name in house])


def problems_of(directory: Path, house: Sequence[Path] = ()) -> list[Diagnostic]:
    """Every problem of a game with these house rules, sorted by place."""
    if house:  # the documents are read together with the game, so there is no key to remember them by
        return fresh_problems(directory, house)
    files, unreadable = read_texts(directory)
    drawing = directory / STYLE_FILE
    if drawing.exists():
        try:
            files = [*files, read_source(drawing, DEFAULT.yaml_file_bytes)]
        except RulebookError:
            return fresh_problems(directory)
    if unreadable:
        return fresh_problems(directory)
    with nothing_collected():
        return remembered_for("check", files, lambda: fresh_problems(directory))


def fresh_problems(directory: Path, house: Sequence[Path] = ()) -> list[Diagnostic]:
    """The same, worked out now."""
    # only here: as above
    from rulesdsl.drawing.style.style_file import drawing_problems
    from rulesdsl.pipeline.stages import read_amended

    stages = read_amended(directory, house)
    if stages.incomplete:
        return in_order(stages.problems)  # the rest is checked when things are there
    stages = stages.checked_through()
    problems = list(stages.problems)
    if stages.source is not None and not errors(problems):  # what cannot be read cannot be drawn
        problems += drawing_problems(stages.source)
    return in_order(problems)
