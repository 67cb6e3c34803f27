"""Read, amend, check: the one way from the files of a game to its program (the pipeline of the front end).

    stages = read_amended(directory, house)      # as far as a game is wanted to be read
    stages = amended(printed, problems, files)   # the same for texts that are in memory already
    stages = stages.checked_through(memory)      # and on to the program

Nobody else puts house rules over a game or decides whether what is left can be checked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rulesdsl.base.diagnostics import Diagnostic, RulebookError, errors
from rulesdsl.base.lightclass import dataclass
from rulesdsl.base.source import SourceFile
from rulesdsl.book.loader import GameSource, load_game
from rulesdsl.book.modules import NEEDS
from rulesdsl.checking.checker import Checked, checked_game
from rulesdsl.checking.remembering import Recollection
from rulesdsl.program import Program


@dataclass(frozen=True, slots=True)
class Stages:
    """How far a game has come, with every problem on the way."""

    printed: GameSource | None  # as it was read; None: nothing could be
    source: GameSource | None  # with its house rules; the printed one where they do not fit
    problems: tuple[Diagnostic, ...]
    checked: Checked | None = None

    @property
    def incomplete(self) -> bool:
        """Whether so much could not be read, or is missing, that all else would be guesswork."""
        if self.source is None or not errors(self.problems):
            return False
        return self.source.lacks_things() or any(problem.code == NEEDS for problem in self.problems)

    def clean(self) -> Stages:
        """The same; raises what is wrong so far."""
        if self.source is None or errors(self.problems):
            raise RulebookError(self.problems)
        return self

    def checked_through(self, memory: Recollection | None = None) -> Stages:
        """The same with its rules looked at, of a game with mistakes, too."""
        if self.source is None:
            return self
        checked = checked_game(self.source, memory)
        return replace(self, problems=(*self.problems, *checked.problems), checked=checked)

    def program(self) -> tuple[GameSource, Program]:
        """The game as it can be played; raises everything that is wrong."""
        done = self.checked
        if self.source is None or done is None or done.program is None:
            raise RulebookError(self.problems)
        if not done.whole or errors(done.problems):
            raise RulebookError(self.problems)
        return self.source, done.program


def read_amended(directory: Path, house: Sequence[str | Path] = ()) -> Stages:
    """A game from its directory, with house rules by name or file."""
    printed, problems = load_game(directory)
    if printed is None or not house:
        return Stages(printed, printed, tuple(problems))
    from rulesdsl.house.applying import read_house_files  # only here: most games have no house rules

    try:
        files = read_house_files(directory, house)
    except RulebookError as error:
        return Stages(printed, printed, (*problems, *error.problems))
    return amended(printed, problems, files)


def amended(
    printed: GameSource | None, problems: Sequence[Diagnostic] = (), house: Sequence[SourceFile] = ()
) -> Stages:
    """A game that has been read, with house rules that have been read."""
    stages = Stages(printed, printed, tuple(problems))
    if printed is None or not house or stages.incomplete:
        return stages
    from rulesdsl.house.applying import apply_house_files  # only here: most games have no house rules

    source, found = apply_house_files(printed, house)
    return replace(stages, source=source, problems=(*stages.problems, *found))
