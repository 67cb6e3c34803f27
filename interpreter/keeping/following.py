"""Looking on while somebody else plays: the same session, made from what his journal says so far."""

from __future__ import annotations

import os
from pathlib import Path

from interpreter.keeping.holders import holder_of
from interpreter.keeping.position_hash import position_hash
from interpreter.keeping.save_file import Entry, SaveText, read_save
from interpreter.keeping.saves import SaveMismatch, begin, follow
from interpreter.playing.session import Session


class Follower:
    """Reads a journal that grows, and never writes. `session` stands where the followed game stood when
    `take` was last called."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._seen: object = None
        self._text = self._read()
        self.session = begin(Session, self._text)
        self._taken: list[Entry] = []

    def waiting(self) -> Entry | None:
        """The next entry that has not been taken, if the player has made one."""
        if len(self._taken) == len(self._text.entries) and self._changed():
            self._text = self._read()
        entries, taken = self._text.entries, len(self._taken)
        if [*map(_said, entries[:taken])] != [*map(_said, self._taken)]:
            # a line was withdrawn (it could not be written), or another file has the name: from the beginning
            self.session = begin(Session, self._text)
            self._taken = []
            taken = 0
        return entries[taken] if taken < len(entries) else None

    def take(self, entry: Entry) -> Session:
        """Make an entry again."""
        if entry.undone:
            self.session.undo(entry.undone)
            if position_hash(self.session.ruleset, self.session.machine) != entry.state:
                raise SaveMismatch(f"{self.path}, line {entry.line}: taking back leads elsewhere", entry)
        else:
            follow(self.session, self._text, entry)
        self._taken.append(entry)
        return self.session

    @property
    def played(self) -> bool:
        """Whether somebody is at the game now."""
        return holder_of(self.path) is not None

    def _changed(self) -> bool:
        try:
            now = os.stat(self.path)
        except OSError:
            return False  # removed: what is there to see has been seen
        return (now.st_dev, now.st_ino, now.st_size, now.st_mtime_ns) != self._seen

    def _read(self) -> SaveText:
        try:
            now = os.stat(self.path)
            self._seen = now.st_dev, now.st_ino, now.st_size, now.st_mtime_ns
        except (OSError, ValueError):
            self._seen = None  # reading will say why
        text = read_save(self.path)
        if text.damage is not None and not (text.damage.torn and text.complete):
            raise text.damaged()  # an unfinished line is being written just now
        return text


def _said(entry: Entry) -> tuple[object, ...]:
    return entry.number, entry.who, entry.key, entry.state, entry.undone
