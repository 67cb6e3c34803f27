"""Journals: every decision is on the disk before it is answered.

    session = Journal.begin(Session.start("tutorial/hex"), "evening.journal")
    session.choose("place_stone:a1") # returns only after the line is safe
    …                                # the power fails
    session = Journal.resume("evening.journal")

The file only ever grows. What a crash leaves behind is a number of whole lines and perhaps a piece of
one; the piece was never answered, and `resume` puts it aside.
"""

from __future__ import annotations

import os
from io import FileIO
from pathlib import Path

from interpreter.saving.carried import pack, remember
from interpreter.saving.position import position_hash
from interpreter.saving.savefile import (
    Chain,
    SaveError,
    decision_line,
    fact_lines,
    first_line,
    read_save,
    undo_line,
)
from interpreter.saving.saves import decision_lines, facts_of, replace_file, replay_text
from interpreter.session import Session
from rulesdsl.diagnostics import number_of


class Journal:
    """The recorder of one session (`session.recorder`)."""

    def __init__(self, path: Path, check: str, length: int, standing: int) -> None:
        self.path = path
        self.notice = ""  # what `resume` had to put aside, for the player to read
        self._chain = Chain(check)
        self._length = length
        self._standing = standing  # how many decisions the file holds
        self._stream: FileIO | None = FileIO(path, "r+b")
        _lock(self._stream, path)
        self._stream.seek(length)

    @classmethod
    def begin(cls, session: Session, path: str | Path) -> Session:
        """Start to record a session, with what has been decided so far; an existing file is refused."""
        path = Path(path)
        if path.exists():
            raise SaveError(f"{path} exists: resume it, or choose another name")
        chain = Chain()
        head = [first_line("journal"), *fact_lines(facts_of(session))]
        lines = [*head, *(f"| {part}" for part in pack(session.game)), *decision_lines(session)]
        content = "".join(chain.line(line) for line in lines).encode()
        replace_file(path, content)
        remember(session.game)
        session.recorder = cls(path, chain.check, len(content), len(session.history))
        return session

    @classmethod
    def resume(cls, path: str | Path, recover: bool = False) -> Session:
        """Go on after a crash or a pause. Damage anywhere but in the last, unfinished line is refused
        unless `recover` is given; what is cut away is kept beside the journal."""
        path = Path(path)
        text = read_save(path)
        if text.kind == "save":
            raise SaveError(f"{path} is a save, not a journal: load it and begin a new journal")
        if text.damage is not None and not (text.complete and (text.damage.torn or recover)):
            raise text.damaged()
        session = replay_text(text)
        journal = cls(path, text.check, text.length, len(session.history))
        if text.damage is not None:
            aside = journal._cut()
            rest = "an unfinished line" if text.damage.torn else f"everything from line {text.damage.line} on"
            journal.notice = (
                f"{rest} was put aside in {aside.name}; {number_of(len(session.history), 'decision')} remain"
            )
        elif not text.newline:
            journal._write(b"\n")
        session.recorder = journal
        return session

    # ---- what a session calls
    def chosen(self, session: Session, who: str, key: str) -> None:
        number = len(session.history)
        self._agree(session, number - 1)
        state = position_hash(session.ruleset, session.machine)
        self._append(decision_line(number, who, key, state), number)

    def undone(self, session: Session, count: int) -> None:
        self._agree(session, len(session.history))

    def close(self) -> None:
        if self._stream is not None:
            self._stream.close()
            self._stream = None

    def _agree(self, session: Session, standing: int) -> None:
        """Make the file hold just the first `standing` decisions of the session.

        Besides an undo, this is needed when an interrupt came between a line and its answer: the line
        is there, but the session went back.
        """
        if self._standing > standing:
            before = session.history[standing].machine if standing < len(session.history) else session.machine
            line = undo_line(self._standing - standing, position_hash(session.ruleset, before))
            self._append(line, standing)
        elif self._standing < standing:
            for number, line in enumerate(decision_lines(session), 1):
                if self._standing < number <= standing:
                    self._append(line, number)

    # ---- the file
    def _append(self, line: str, standing: int) -> None:
        previous = self._chain.check
        try:
            self._write(self._chain.line(line).encode())
            self._standing = standing
        except BaseException:
            self._chain.check = previous
            raise

    def _write(self, content: bytes) -> None:
        stream = self._stream
        if stream is None:
            raise SaveError(f"{self.path} is closed: nothing more can be decided in this session")
        try:
            left = memoryview(content)
            while left:
                left = left[stream.write(left) or 0 :]
            os.fsync(stream.fileno())
            self._length += len(content)
        except BaseException as error:
            # The decision is refused, so its line must go, too. If that fails, nothing may follow it.
            try:
                stream.truncate(self._length)
                stream.seek(self._length)
            except OSError:
                self.close()
            if isinstance(error, OSError):
                reason = (error.strerror or str(error)).lower()
                raise SaveError(f"{self.path} cannot be written ({reason}); nothing was decided") from None
            raise

    def _cut(self) -> Path:
        """Put what is not valid into a file of its own, then shorten the journal."""
        assert self._stream is not None
        self._stream.seek(self._length)
        rest = self._stream.read()
        number = 1
        while (aside := self.path.with_name(f"{self.path.name}.cut{number}")).exists():
            number += 1
        replace_file(aside, rest)
        self._stream.truncate(self._length)
        self._stream.seek(self._length)
        os.fsync(self._stream.fileno())
        return aside


def _lock(stream: FileIO, path: Path) -> None:
    """Two programs that write to one journal would spoil it; the second one is refused."""
    try:
        import fcntl
    except ImportError:  # no such locks on this system
        return
    try:
        fcntl.flock(stream.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        stream.close()
        raise SaveError(f"{path} is being played in another window; close that one first") from None
