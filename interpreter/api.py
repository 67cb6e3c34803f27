"""What people import as `rulesdsl.Session` and `rulesdsl.Journal`: a game that answers and keeps itself.

The facade over three rooms. `playing` knows a game, `asking` and `keeping` stand on it; only here, above
all of them, they are one object. Nobody inside imports this module: the engine calls the rooms.
"""

from __future__ import annotations

from pathlib import Path
from typing import Self

from interpreter.asking import questions
from interpreter.asking.answers import Explanation, Reason, Refusal
from interpreter.keeping import journal, saves
from interpreter.playing import session as playing
from interpreter.playing.standing import EVERYTHING


class Session(playing.Session):
    __doc__ = playing.Session.__doc__

    def breakdown(self, quantity: str, *arguments: str, seat: str | None = EVERYTHING) -> list[Reason]:
        """Each contribution to a quantity in order: paragraph, label, amount, and the value after it."""
        return questions.breakdown(self, quantity, *arguments, seat=seat)

    def explain(self, choice: playing.Option | str | int, seat: str | None = EVERYTHING) -> Explanation:
        """Why an option is offered: the clauses that could have forbidden it, the conditions it meets."""
        return questions.explain(self, choice, seat)

    def why_not(self, wish: str, seat: str | None = EVERYTHING) -> list[Refusal]:
        """Every clause that stands against a wish (a key, or names of things); none: it is offered."""
        return questions.why_not(self, wish, seat)

    def save(self, path: str | Path) -> None:
        """Write the game to one readable file that opens anywhere."""
        saves.save(self, path)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """The game in a save or journal, played again and verified decision by decision."""
        return saves.load_as(cls, path)

    def _repr_svg_(self) -> str | None:
        """The map, for notebooks; nothing when the game has none."""
        if self.game.source.map is None:
            return None
        from interpreter.playing.picture import map_svg  # only here: drawing is a lot of code

        return map_svg(self, None)


class Journal(journal.Journal):
    __doc__ = journal.Journal.__doc__

    @classmethod
    def resume(cls, path: str | Path, recover: bool = False) -> Session:
        """Go on after a crash or a pause; see `interpreter.keeping.journal`."""
        return cls._opened(Session, Path(path), recover, saves_too=False)

    @classmethod
    def go_on(cls, path: str | Path, recover: bool = False) -> Session:
        """The same for journals and saves: with the next decision a save becomes a journal."""
        return cls._opened(Session, Path(path), recover, saves_too=True)
