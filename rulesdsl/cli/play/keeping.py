"""Keeping a game: every decision is in a file before it is answered, and quitting loses nothing."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Collection
from datetime import datetime
from pathlib import Path

from interpreter.saving.journal import Journal
from interpreter.saving.saves import load, save
from interpreter.session import Session
from rulesdsl.diagnostics import UsageError

_JOURNAL = "rulesdsl journal "


class Keeper:
    """Knows where a game is kept. Without a file nothing is kept until somebody asks for it."""

    def __init__(self, session: Session, path: Path | None) -> None:
        self.session = session
        self.path = path

    @classmethod
    def open(
        cls, path: Path | None, start: Callable[[], Session], always: bool = False, recover: bool = False
    ) -> Keeper:
        """Go on with the game in the file (a damaged one up to the damage, to `recover` it), or start a new
        one and keep it there.

        Without a file the game is kept only if `always`: then in a new file with a name of its own.
        """
        if path is None:
            session = start()
            if not always:
                return cls(session, None)
            path = new_path(session)
            return cls(Journal.begin(session, path), path)
        if not path.exists():
            if not path.absolute().parent.is_dir():
                raise UsageError(f"--save {path}: there is no directory {path.parent}")
            return cls(Journal.begin(start(), path), path)
        return cls(Journal.resume(path, recover) if _is_journal(path) else load(path, recover), path)

    @property
    def notice(self) -> str:
        """What had to be put aside when the file was opened."""
        return self.session.recorder.notice if isinstance(self.session.recorder, Journal) else ""

    def save(self, path: Path | None = None) -> Path:
        """Write the game down, in its own file or another one; says where."""
        target = path or self.path or new_path(self.session)
        if isinstance(self.session.recorder, Journal) and target == self.session.recorder.path:
            return target  # it has been written with every decision
        save(self.session, target)
        self.path = self.path or target
        return target

    def close(self) -> None:
        """Nothing more will be decided. A game in which nothing was decided leaves no file."""
        if isinstance(self.session.recorder, Journal):
            self.session.recorder.close()
            if not self.session.history:
                self.session.recorder.path.unlink(missing_ok=True)


def take_back(session: Session, people: Collection[str], force: bool) -> int:
    """Back to the last decision a person really had, and how many that were; not past dice unless that is
    insisted upon."""
    count, found = 0, False
    for moment in reversed(session.history):
        count += 1
        pending = moment.machine.pending
        assert pending is not None
        if moment.who in people and len(pending.options) + pending.out > 1:
            found = True
            break
    if not found:
        raise UsageError("there is nothing to take back")
    if not force and any(m.barrier in ("dice", "chance") for m in session.history[-count:]):
        raise UsageError("dice were rolled or tokens drawn since; undo! takes them back all the same")
    session.undo(count)
    return count


def new_path(session: Session) -> Path:
    """A name of its own for a game, in the place where this system keeps such files."""
    from platformdirs import user_data_path

    directory = user_data_path("rulesdsl", appauthor=False) / "games"
    directory.mkdir(parents=True, exist_ok=True)
    stem = f"{session.facts['game']}-{datetime.now():%Y-%m-%d-%H%M}"
    number = 1
    while (path := directory / (f"{stem}.save" if number == 1 else f"{stem}-{number}.save")).exists():
        number += 1
    return path


def write_map(session: Session, seat: str | None, beside: Path | None) -> Path:
    """The board as an SVG picture, beside the save or where temporary files go; always the same file."""
    from interpreter.picture import map_svg  # only here: drawing is a lot of code

    other = Path(tempfile.gettempdir()) / f"rulesdsl-{session.facts['game']}.svg"
    path = beside.with_suffix(".svg") if beside is not None else other
    path.write_text(map_svg(session, seat), encoding="utf-8")
    return path


def _is_journal(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(_JOURNAL)) == _JOURNAL.encode()
