"""Keeping a game: every decision is in a file before it is answered, and quitting loses nothing."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from interpreter.keeping.held_file import SaveExists, SaveVanished
from interpreter.keeping.journal import Journal
from interpreter.keeping.save_file import SaveError, read_bytes, reason_of
from interpreter.keeping.saves import save
from interpreter.playing.session import Session
from rulesdsl.base.diagnostics import UsageError
from rulesdsl.base.writing import write_file

if TYPE_CHECKING:
    from interpreter.keeping.signing import Signer

_ALIKE = 60  # letters at the beginning of a picture that say it is one of ours


class Keeper:
    """Knows where a game is kept. Without a file nothing is kept until somebody asks for it."""

    def __init__(self, session: Session, path: Path | None, resumed: bool = False) -> None:
        self.session = session
        self.path = path
        self.resumed = resumed  # whether the game was there before
        self.signer: Signer | None = None
        self._pictures: Path | None = None

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
            path = under_new_name(session, lambda name: Journal.begin(session, name))
            return cls(session, path)
        if not path.absolute().parent.is_dir():
            raise UsageError(f"--save {path}: there is no directory {path.parent}")
        begun: Session | None = None
        while True:  # another program may begin or give up a game of that name at the same time
            if os.path.lexists(path):
                with suppress(SaveVanished):
                    return cls(Journal.go_on(path, recover), path, resumed=True)
                if path.is_symlink():
                    raise UsageError(f"--save {path}: this is a link to nothing")
                continue
            begun = begun or start()
            with suppress(SaveExists):
                return cls(Journal.begin(begun, path), path)

    @property
    def journal(self) -> Journal | None:
        recorder = self.session.recorder
        return recorder if isinstance(recorder, Journal) else None

    @property
    def notice(self) -> str:
        """What had to be put aside when the file was opened."""
        return self.journal.notice if self.journal is not None else ""

    def save(self, path: Path | None = None, force: bool = False, signer: Signer | None = None) -> Path:
        """Write the game down, in its own file or another one; says where. Something else that has the name
        is overwritten only by `force`."""
        signer = signer or self.signer
        target = path or self.path
        journal = self.journal
        if journal is not None and journal.intact and (path is None or _same_file(target, journal.path)):
            return journal.path  # it has been written with every decision
        if target is None or (path is None and journal is not None):  # nowhere yet, or its file is gone
            target = under_new_name(
                self.session, lambda name: save(self.session, name, fresh=True, signer=signer)
            )
        else:
            try:
                save(self.session, target, careful=not force, signer=signer)
            except SaveExists as error:
                raise UsageError(f"{error}; save! overwrites it all the same") from None
        self.path = self.path or target
        return target

    def sign(self) -> None:
        """Put a signature under what stands in the journal, when whoever plays has a key."""
        if self.signer is not None and self.journal is not None and self.session.history:
            self.journal.sign(self.signer)

    def close(self) -> None:
        """Nothing more will be decided. A game in which nothing was decided leaves no file."""
        if self.journal is not None:
            self.journal.close(forget=not self.session.history)

    def write_map(self, seat: str | None) -> Path:
        """The board as an SVG picture, beside the save or in a new directory that only we can write to;
        always the same file, so that a window that shows it need only be told to look again."""
        from interpreter.playing.picture import map_svg  # only here: drawing is a lot of code

        drawn = map_svg(self.session, seat)
        path = self.path.with_suffix(".svg") if self.path is not None and self._pictures is None else None
        if path is None or not _may_draw(path, drawn):
            self._pictures = self._pictures or Path(tempfile.mkdtemp(prefix="rulesdsl-"))
            path = self._pictures / f"{Path(str(self.session.facts['game'])).name}.svg"
        try:
            write_file(path, drawn)
        except OSError as error:
            raise UsageError(f"{path} cannot be written: {error.strerror}") from None
        return path


def _may_draw(path: Path, drawn: str) -> bool:
    """Whether the name is free, or has an earlier picture of ours: one that begins in the same way."""
    if not os.path.lexists(path):
        return True
    with suppress(SaveError):
        return not path.is_symlink() and read_bytes(path, 20_000_000).startswith(drawn[:_ALIKE].encode())
    return False


def _same_file(one: Path | None, other: Path) -> bool:
    with suppress(OSError):
        return one is not None and os.path.samefile(one, other)
    return False


def games_directory() -> Path:
    """Where games without a name of their own are kept on this system."""
    from platformdirs import user_data_path

    return user_data_path("rulesdsl", appauthor=False) / "games"


def under_new_name(session: Session, keep: Callable[[Path], object]) -> Path:
    """Keep a game under a name of its own, in the place where this system keeps such files: `keep` is asked
    for one name after the other until one is free."""
    directory = games_directory()
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SaveError(f"{directory} cannot be made: {reason_of(error)}; name a file with --save") from None
    name = re.sub(r"[^\w-]", "_", str(session.facts["game"]))[:100]
    stem = f"{name}-{datetime.now():%Y-%m-%d-%H%M}"
    number = 1
    while True:
        path = directory / (f"{stem}.save" if number == 1 else f"{stem}-{number}.save")
        with suppress(SaveExists):
            keep(path)
            return path
        number += 1
