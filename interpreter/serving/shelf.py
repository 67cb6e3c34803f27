"""The kept games: every journal in a folder is a table that can be opened again.

Nothing but the journals counts. What was read from their heads is remembered in an index (SQLite) by name,
size and time; it can be thrown away at any moment and is made again.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from interpreter.keeping.held_file import SaveExists
from interpreter.keeping.journal import Journal
from interpreter.keeping.save_file import MOST_BYTES, SaveError, read_save, reason_of
from interpreter.playing.session import Session

ENDING = ".save"
INDEX = "index.sqlite"
MOST_KEPT = 500  # files that are listed, the newest first
_NAME = re.compile(r"[\w.-]{1,120}")


@dataclass(frozen=True, slots=True)
class Kept:
    """A game on the shelf, as its file tells without being played again."""

    name: str
    title: str
    game: str
    decisions: int
    touched: float
    trouble: str = ""


class Shelf:
    """A folder of journals."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SaveError(f"{folder} cannot be made: {reason_of(error)}; name a file with --save") from None

    def path(self, name: str) -> Path | None:
        """The file of a kept game; None for a name that could lead elsewhere."""
        path = self.folder / f"{name}{ENDING}"
        return path if _NAME.fullmatch(name) and path.is_file() and not path.is_symlink() else None

    def keep(self, session: Session) -> Path:
        """Begin a journal under a new name."""
        game = re.sub(r"[^\w-]", "_", str(session.facts["game"]))[:80]
        stem, number = f"{game}-{datetime.now():%Y-%m-%d-%H%M}", 1
        while True:
            path = self.folder / (f"{stem}{ENDING}" if number == 1 else f"{stem}-{number}{ENDING}")
            with suppress(SaveExists):
                Journal.begin(session, path)
                return path
            number += 1

    def games(self) -> list[Kept]:
        """What lies there, the newest first."""
        try:
            return self._games(self._index())
        except sqlite3.Error:  # of another form, taken by another program, on a full disk: only a memory
            return self._games(_opened(":memory:"))

    def _games(self, connection: sqlite3.Connection) -> list[Kept]:
        with closing(connection) as index, index:
            return sorted(self._listed(index), key=lambda kept: -kept.touched)

    def _listed(self, index: sqlite3.Connection) -> Iterator[Kept]:
        files = []
        for path in self.folder.glob(f"*{ENDING}"):
            with suppress(OSError):
                found = path.lstat()
                files.append((found.st_mtime, found.st_size, path))
        for touched, size, path in sorted(files, reverse=True)[:MOST_KEPT]:
            name = path.name.removesuffix(ENDING)
            row = index.execute(
                "SELECT title, game, decisions, trouble FROM kept WHERE name=? AND size=? AND touched=?",
                (name, size, touched),
            ).fetchone()
            if row is None or [*map(type, row)] != [str, str, int, str]:
                row = _read(path, size)
                index.execute(
                    "INSERT OR REPLACE INTO kept VALUES (?, ?, ?, ?, ?, ?, ?)", (name, size, touched, *row)
                )
            yield Kept(name, row[0], row[1], row[2], touched, row[3])

    def _index(self) -> sqlite3.Connection:
        path = self.folder / INDEX
        try:
            return _opened(str(path))
        except sqlite3.Error:  # damaged, or a folder nobody may write to: it is only a memory
            with suppress(OSError):
                path.unlink()
            try:
                return _opened(str(path))
            except sqlite3.Error:
                return _opened(":memory:")


def _opened(where: str) -> sqlite3.Connection:
    index = sqlite3.connect(where, timeout=2)
    try:
        index.execute(
            "CREATE TABLE IF NOT EXISTS kept (name TEXT PRIMARY KEY, size INTEGER, touched REAL, title TEXT, "
            "game TEXT, decisions INTEGER, trouble TEXT)"
        )
    except sqlite3.Error:
        index.close()
        raise
    return index


def _read(path: Path, size: int) -> tuple[str, str, int, str]:
    """Title, game and number of decisions, from the text of a save, without playing it."""
    if size > MOST_BYTES:
        return "", "", 0, "the file is too large"
    try:
        text = read_save(path)
        decisions = sum(1 for _ in text.decisions())
        return str(text.facts.get("title", ""))[:200], str(text.facts.get("game", ""))[:200], decisions, ""
    except SaveError as error:
        return "", "", 0, str(error).replace(f"{path}: ", "")
