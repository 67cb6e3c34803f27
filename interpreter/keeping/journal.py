"""Journals: every decision is on the disk before it is answered.

    session = Journal.begin(Session.start("tutorial/hex"), "evening.journal")
    session.choose("place_stone:a1") # returns only after the line is safe
    …                                # the power fails
    session = Journal.resume("evening.journal")

One program at a time: the file is locked before it is read, and a decision is answered only while it is
still the file of that name. The file only ever grows. What a crash leaves behind is a number of whole lines
and perhaps a piece of one; the piece was never answered, and `resume` puts it aside.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from interpreter.keeping.carried_rules import pack, remember
from interpreter.keeping.held_file import HeldFile, SaveExists
from interpreter.keeping.position_hash import position_hash
from interpreter.keeping.save_file import (
    MOST_BYTES,
    MOST_ENTRIES,
    Chain,
    SaveError,
    SaveText,
    decision_line,
    fact_lines,
    first_line,
    parse_save,
    reason_of,
    undo_line,
)
from interpreter.keeping.saves import Kind, decision_lines, facts_of, replay_text, version_for, write_fresh
from interpreter.playing.session import Session
from rulesdsl.base.diagnostics import number_of

if TYPE_CHECKING:
    from interpreter.keeping.signing import Signer


class Journal:
    """The recorder of one session (`session.recorder`)."""

    def __init__(self, held: HeldFile, check: str, length: int, standing: int, entries: int) -> None:
        self.path = held.path
        self.notice = ""  # what had to be put aside when the file was opened, for the player to read
        self.new = False  # whether this program has made the file
        self._held: HeldFile | None = held
        # The checksum of the last line, the length of the file, how many decisions stand in it, how many
        # lines tell of them: changed together, so that an interrupt finds all of a line or nothing of it.
        self._at = check, length, standing, entries
        self._is_save = False

    @classmethod
    def begin(cls, session: Kind, path: str | Path) -> Kind:
        """Start to record a session, with what has been decided so far; an existing file is refused."""
        path = Path(path)
        if os.path.lexists(path):
            raise SaveExists(f"{path} exists: resume it, or choose another name")
        content, check = _written(session)
        count = len(session.history)
        journal = cls(HeldFile.made(path, content), check, len(content), count, count)
        journal.new = True
        remember(session.game)
        session.recorder = journal
        return session

    @classmethod
    def resume(cls, path: str | Path, recover: bool = False) -> Session:
        """Go on after a crash or a pause. Damage anywhere but in the last, unfinished line is refused
        unless `recover` is given; what is cut away is kept beside the journal."""
        return cls._opened(Session, Path(path), recover, saves_too=False)

    @classmethod
    def go_on(cls, path: str | Path, recover: bool = False) -> Session:
        """The same for journals and saves: with the next decision a save becomes a journal."""
        return cls._opened(Session, Path(path), recover, saves_too=True)

    @classmethod
    def _opened(cls, kind: type[Kind], path: Path, recover: bool, saves_too: bool) -> Kind:
        held = HeldFile.opened(path)
        try:
            text = parse_save(path, held.read(MOST_BYTES + 1))
            is_save = text.kind == "save"
            if is_save and not saves_too:
                raise SaveError(f"{path} is a save, not a journal: load it and begin a new journal")
            if text.damage is not None and not (text.complete and (text.damage.torn or recover)):
                raise text.damaged()
            session = replay_text(kind, text)
            journal = cls(held, text.check, text.length, len(session.history), len(text.entries))
            journal._is_save = is_save  # until the first decision
            if text.damage is not None:
                journal._put_aside(text, len(session.history))
            elif not text.newline and not is_save:
                check, length, standing, entries = journal._at
                journal._write(b"\n", (check, length + 1, standing, entries))
        except BaseException:
            held.release()
            raise
        session.recorder = journal
        return session

    @property
    def intact(self) -> bool:
        """Whether the file still is what has been written: then it holds every decision."""
        held = self._held
        return held is not None and held.is_named() and (self._is_save or held.size() == self._at[1])

    # ---- what a session calls
    def chosen(self, session: Session, who: str, key: str) -> None:
        number = len(session.history)
        if not self._is_save:
            self._agree(session, number - 1)
        state = position_hash(session.ruleset, session.machine)
        if not self._becomes_journal(session):
            self._append(decision_line(number, who, key, state, session.history[-1].dice), number)

    def undone(self, session: Session, count: int) -> None:
        if not self._becomes_journal(session):
            self._agree(session, len(session.history))

    def sign(self, signer: Signer) -> None:
        """Put a signature under everything that stands in the file."""
        if self._held is None or self._is_save:
            return
        digest = parse_save(self.path, self._held.read(MOST_BYTES)).digest.digest()
        check, length, standing, entries = self._at
        chain = Chain(check)
        content = chain.line(signer.line(digest)).encode()
        self._write(content, (chain.check, length + len(content), standing, entries))

    def close(self, forget: bool = False) -> None:
        """Give the file back; `forget`: and remove it, if this program has made it."""
        held, self._held = self._held, None
        if held is not None:
            held.release(remove=forget and self.new)

    def _agree(self, session: Session, standing: int) -> None:
        """Make the file hold just the first `standing` decisions of the session.

        Besides an undo, this is needed when an interrupt came between a line and its answer: the line
        is there, but the session went back.
        """
        if self._at[2] > standing:
            before = session.history[standing].machine if standing < len(session.history) else session.machine
            line = undo_line(self._at[2] - standing, position_hash(session.ruleset, before))
            self._append(line, standing)
        elif self._at[2] < standing:
            for number, line in enumerate(decision_lines(session), 1):
                if self._at[2] < number <= standing:
                    self._append(line, number)

    # ---- the file
    def _append(self, line: str, standing: int) -> None:
        check, length, _, entries = self._at
        chain = Chain(check)
        content = chain.line(line).encode()
        if entries >= MOST_ENTRIES or length + len(content) > MOST_BYTES:
            raise SaveError(f"{self.path} is full; nothing was decided: save the game elsewhere, go on there")
        self._write(content, (chain.check, length + len(content), standing, entries + 1))

    def _becomes_journal(self, session: Session) -> bool:
        """A save that is played on is replaced by a journal of the whole session, in one step."""
        if not self._is_save or self._held is None:
            return False
        content, check = _written(session)
        self._held = HeldFile.made(self.path, content, instead=self._held)
        self._at = check, len(content), len(session.history), len(session.history)
        self._is_save = False
        return True

    def _write(self, content: bytes, after: tuple[str, int, int, int]) -> None:
        held = self._held
        if held is None:
            raise SaveError(f"{self.path} is closed: nothing more can be decided in this session")
        if not held.is_named():
            raise SaveError(f"{self.path} was removed or replaced; nothing was decided: save it elsewhere")
        if held.size() != self._at[1]:
            raise SaveError(f"{self.path} was changed by another program; nothing was decided")
        try:
            held.append(self._at[1], content)
            if not held.is_named():
                raise SaveError(f"{self.path} was removed or replaced just now; nothing was decided")
            self._at = after
        except BaseException as error:
            # The decision is refused, so its line must go, too. If that fails, nothing may follow it.
            try:
                if held.size() > self._at[1]:
                    held.shorten(self._at[1])
            except OSError:
                self.close()
            if isinstance(error, OSError):
                reason = reason_of(error)
                raise SaveError(f"{self.path} cannot be written ({reason}); nothing was decided") from None
            raise

    def _put_aside(self, text: SaveText, remaining: int) -> None:
        """Put what is not valid into a file of its own, then shorten the journal. A save stays as it is until
        the next decision replaces it, and is kept whole."""
        assert self._held is not None
        assert text.damage is not None
        content = self._held.read(MOST_BYTES)
        aside = write_fresh(self.path, "cut", content if self._is_save else content[self._at[1] :])
        rest = f"everything from line {text.damage.line} on"
        if self._is_save:
            rest = "the damaged save"
        elif text.damage.torn:
            rest = "an unfinished line"
        if not self._is_save:
            self._held.shorten(self._at[1])
            self._held.append(self._at[1], b"")  # on the disk, too
        self.notice = f"{rest} was put aside in {aside.name}; {number_of(remaining, 'decision')} remain"


def _written(session: Session) -> tuple[bytes, str]:
    """A whole journal of a session, and the checksum of its last line."""
    chain = Chain()
    head = [first_line("journal", version_for(session)), *fact_lines(facts_of(session))]
    lines = [*head, *(f"| {part}" for part in pack(session.game)), *decision_lines(session)]
    return "".join(chain.line(line) for line in lines).encode(), chain.check
