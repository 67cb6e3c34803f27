"""Saves: one readable file with the choices of a game and the rules it was played by.

Nothing of the state is stored. Loading plays the choices again and compares the position after each
with the fingerprint in the file, so a save that opens is a save that has been verified.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from interpreter.running.fuel import RunawayRule
from interpreter.saving.carried import game_of, pack, remember
from interpreter.saving.position import position_hash
from interpreter.saving.savefile import (
    Chain,
    Entry,
    SaveError,
    SaveText,
    decision_line,
    fact_lines,
    first_line,
    read_save,
)
from interpreter.session import IllegalChoice, Session
from rulesdsl import __version__
from rulesdsl.diagnostics import UsageError


class SaveMismatch(SaveError):
    """The rules lead elsewhere than the save says. `entry` is the first decision that does not fit."""

    def __init__(self, message: str, entry: Entry | None) -> None:
        super().__init__(message)
        self.entry = entry


@dataclass(frozen=True, slots=True)
class VerifyReport:
    """What `verify` found: how many decisions were derived again, and the first thing that is wrong."""

    path: str
    game: str
    engine: str
    decisions: int
    verified: int
    problem: str = ""
    line: int = 0
    decision: int = 0
    house: tuple[str, ...] = ()  # the titles of the house rules it carries, once all is proved

    @property
    def ok(self) -> bool:
        return self.problem == ""


def save(session: Session, path: str | Path) -> None:
    """Write a whole save. The old file is replaced in one step, or stays as it was."""
    chain = Chain()
    text = "".join(chain.line(line) for line in _lines(session))
    replace_file(Path(path), text.encode())
    remember(session.game)


def _lines(session: Session) -> Iterator[str]:
    yield first_line("save")
    yield from fact_lines(facts_of(session))
    yield from decision_lines(session)
    yield from (f"| {part}" for part in pack(session.game))
    yield f"end {len(session.history)}"


def decision_lines(session: Session) -> Iterator[str]:
    """One line per decision, with the fingerprint of the position it led to."""
    after = [moment.machine for moment in session.history[1:]] + [session.machine]
    for number, (moment, machine) in enumerate(zip(session.history, after, strict=False), 1):
        yield decision_line(number, moment.who, moment.key, position_hash(session.ruleset, machine))


def facts_of(session: Session) -> dict[str, Any]:
    """What made this game, for the head of the file."""
    first = session.history[0].machine if session.history else session.machine
    return {
        **session.facts,
        "engine": __version__,
        "title": session.game.title,
        "printed": session.game.printed.content_hash(),
        "start": position_hash(session.ruleset, first),
    }


def replace_file(path: Path, content: bytes) -> None:
    """Give a file new content: after a crash there is the old one or the new one, never a mixture."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        with beside.open("wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(beside, path)
        sync_directory(path.parent)
    except OSError as error:
        beside.unlink(missing_ok=True)
        reason = (error.strerror or str(error)).lower()
        raise SaveError(f"{path} cannot be written: {reason}") from None


def sync_directory(directory: Path) -> None:
    """Make the name of a new file last, where the system can do that."""
    if os.name == "posix":
        number = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def load(path: str | Path, recover: bool = False) -> Session:
    """The game in a save or journal. `recover` opens a damaged one up to the damage."""
    text = read_save(path)
    if text.damage is not None and not (recover and text.complete):
        raise text.damaged()
    return replay_text(text)


def replay_text(text: SaveText) -> Session:
    """Play what has been read, comparing every position."""
    session = begin(text)
    for entry in text.decisions():
        follow(session, text, entry)
    return session


def begin(text: SaveText) -> Session:
    """The game of a save at its first prompt."""
    facts = text.facts
    known = isinstance(facts["settings"], dict) and isinstance(facts["seed"], str)
    if not known or not isinstance(facts["scenario"], str | None):
        raise SaveError(f"{text.path}: the head of the file cannot be understood; use another copy")
    game = game_of(text)
    settings = {str(name): str(value) for name, value in facts["settings"].items()}
    try:
        session = Session.start(game, facts["scenario"], settings, seed=facts["seed"])
    except (UsageError, RunawayRule) as error:
        raise SaveError(f"{text.path}: {error}") from None
    if position_hash(session.ruleset, session.machine) != facts["start"]:
        raise SaveMismatch(f"{text.path}: the game begins in another position{_by(text)}", None)
    return session


def follow(session: Session, text: SaveText, entry: Entry) -> None:
    """Make one recorded decision again."""
    what = f"{text.path}, line {entry.line}: decision {entry.number} ({entry.who}: {entry.key})"
    if session.over:
        raise SaveMismatch(f"{what} comes after the end of the game{_by(text)}", entry)
    if session.player != entry.who:
        raise SaveMismatch(f"{what} was made when {session.player} had to decide{_by(text)}", entry)
    try:
        session.choose(entry.key)
    except IllegalChoice:
        raise SaveMismatch(f"{what} is not offered by the rules{_by(text)}", entry) from None
    except RunawayRule as error:
        raise SaveMismatch(f"{what} does not come to an end: {error}{_by(text)}", entry) from None
    if position_hash(session.ruleset, session.machine) != entry.state:
        raise SaveMismatch(f"{what} leads to another position than it says{_by(text)}", entry)


def _by(text: SaveText) -> str:
    engine = text.facts["engine"]
    if engine == __version__:
        return "; the file was changed after it was written"
    return f"; it was written by rulesdsl {engine}, this is {__version__}: open it with that version"


def verify(path: str | Path) -> VerifyReport:
    """Derive every entry again, taken-back ones included; the first bad one is named, nothing is raised."""
    shown = str(path)
    try:
        text = read_save(path)
    except SaveError as error:
        return VerifyReport(shown, "", "", 0, 0, str(error))
    facts, done = text.facts, 0
    game, engine = str(facts.get("game", "")), str(facts.get("engine", ""))
    try:
        if not text.complete:
            raise text.damaged()
        session = begin(text)
        for entry in text.entries:
            if entry.undone:
                session.undo(entry.undone)
                if position_hash(session.ruleset, session.machine) != entry.state:
                    raise SaveMismatch(f"{shown}, line {entry.line}: taking back leads elsewhere", entry)
            else:
                follow(session, text, entry)
            done += 1
        if text.damage is not None:
            raise text.damaged()
    except SaveMismatch as error:
        bad = error.entry
        place = (bad.line, bad.number) if bad is not None else (0, 0)
        return VerifyReport(shown, game, engine, len(text.entries), done, str(error), *place)
    except SaveError as error:
        line = text.damage.line if text.damage is not None else 0
        return VerifyReport(shown, game, engine, len(text.entries), done, str(error), line)
    house = tuple(rule.title for rule in session.game.source.house)
    return VerifyReport(shown, game, engine, len(text.entries), done, house=house)
