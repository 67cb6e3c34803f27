"""Saves: one readable file with the choices of a game and the rules it was played by.

Nothing of the state is stored. Loading plays the choices again and compares the position after each
with the fingerprint in the file, so a save that opens is a save that has been verified.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from interpreter.keeping.carried_rules import game_of, pack, remember
from interpreter.keeping.held_file import HeldFile, SaveExists
from interpreter.keeping.position_hash import position_hash
from interpreter.keeping.save_file import (
    FORMAT,
    MOST_BYTES,
    Chain,
    Entry,
    SaveError,
    SaveText,
    decision_line,
    digest_of,
    fact_lines,
    first_line,
    parse_save,
    read_save,
    reason_of,
)
from interpreter.playing.session import IllegalChoice, Session
from interpreter.running.dice import BY_SEED, FRESH
from interpreter.running.fuel import RunawayRule
from rulesdsl.base.diagnostics import UsageError
from rulesdsl.base.version import __version__
from rulesdsl.base.writing import write_file

if TYPE_CHECKING:
    from interpreter.keeping.signing import PublicKey, Signer

Kind = TypeVar("Kind", bound=Session)  # as it is played, or as people hold it (`api`)


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
    signed: str = ""  # by whom, in words; nothing when nobody has

    @property
    def ok(self) -> bool:
        return self.problem == ""


def save(
    session: Session,
    path: str | Path,
    fresh: bool = False,
    careful: bool = False,
    signer: Signer | None = None,
) -> None:
    """Write a whole save. The old file is replaced in one step, or stays as it was.

    A `fresh` one must not exist; a `careful` one replaces nothing but an earlier save of this very game
    (`SaveExists`). A game that another program is playing is never replaced.
    """
    path = Path(path)
    chain = Chain()
    lines = list(_lines(session, signer is not None))
    if signer is not None:
        lines.append(signer.line(digest_of(lines)))
    text = "".join(chain.line(line) for line in lines)
    held = HeldFile.opened(path) if not fresh and is_regular(path) else None
    try:
        if careful and held is None:
            fresh = True
        if careful and held is not None and not _is_earlier(session, path, held.read(MOST_BYTES)):
            raise SaveExists(f"{path} exists and is no earlier save of this game")
        replace_file(path, text.encode(), fresh)
    finally:
        if held is not None:
            held.release()
    remember(session.game)


def _is_earlier(session: Session, path: Path, content: bytes) -> bool:
    """Whether a file holds this very game and nothing that has been decided otherwise or since."""
    try:
        found = parse_save(path, content)
    except SaveError:
        return False
    same = all(found.facts.get(name) == value for name, value in session.facts.items())
    past = [(moment.who, moment.key) for moment in session.history]
    decided = [(entry.who, entry.key) for entry in found.decisions()]
    return same and decided == past[: len(decided)]


def version_for(session: Session, signed: bool = False) -> int:
    """The oldest format that can tell all of this: whoever has an older version can open the rest."""
    return FORMAT if signed or "dice" in session.facts else 1


def _lines(session: Session, signed: bool = False) -> Iterator[str]:
    yield first_line("save", version_for(session, signed))
    yield from fact_lines(facts_of(session))
    yield from decision_lines(session)
    yield from (f"| {part}" for part in pack(session.game))
    yield f"end {len(session.history)}"


def decision_lines(session: Session) -> Iterator[str]:
    """One line per decision, with the fingerprint of the position it led to."""
    after = [moment.machine for moment in session.history[1:]] + [session.machine]
    for number, (moment, machine) in enumerate(zip(session.history, after, strict=False), 1):
        state = position_hash(session.ruleset, machine)
        yield decision_line(number, moment.who, moment.key, state, moment.dice)


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


def replace_file(path: Path, content: bytes, fresh: bool = False) -> None:
    """Give a file new content: after a crash there is the old one or the new one, never a mixture."""
    try:
        write_file(path, content, lasting=True, fresh=fresh)
    except FileExistsError:
        raise SaveExists(f"{path} exists: choose another name") from None
    except OSError as error:
        raise SaveError(f"{path} cannot be written: {reason_of(error)}") from None


def write_fresh(path: Path, word: str, content: bytes) -> Path:
    """Keep something beside a file, under the first of its names with this word that is free."""
    number = 1
    while True:
        beside = path.with_name(f"{path.name}.{word}{number}")
        with suppress(SaveExists):
            replace_file(beside, content, fresh=True)
            return beside
        number += 1


def is_regular(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def load(path: str | Path, recover: bool = False) -> Session:
    """The game in a save or journal. `recover` opens a damaged one up to the damage."""
    return load_as(Session, path, recover)


def load_as(kind: type[Kind], path: str | Path, recover: bool = False) -> Kind:
    """The same, as the kind of session that is wanted."""
    text = read_save(path)
    if text.damage is not None and not (recover and text.complete):
        raise text.damaged()
    return replay_text(kind, text)


def replay_text(kind: type[Kind], text: SaveText) -> Kind:
    """Play what has been read, comparing every position."""
    session = begin(kind, text)
    for entry in text.decisions():
        follow(session, text, entry)
    for entry in text.entries:
        if entry.dice and entry.number > len(session.history):
            session.recall_dice(entry.number - 1, entry.dice)
    return session


def begin(kind: type[Kind], text: SaveText) -> Kind:
    """The game of a save at its first prompt."""
    facts = text.facts
    words = ("engine", "game", "title", "seed", "printed", "rules", "start")
    known = isinstance(facts["settings"], dict) and all(isinstance(facts[name], str) for name in words)
    if not known or not isinstance(facts["scenario"], str | None):
        raise SaveError(f"{text.path}: the head of the file cannot be understood; use another copy")
    game = game_of(text)
    settings = {str(name): str(value) for name, value in facts["settings"].items()}
    try:
        dice = facts.get("dice", BY_SEED)
        session = kind.start(game, facts["scenario"], settings, seed=facts["seed"], dice=dice)
    except (UsageError, RunawayRule) as error:
        raise SaveError(f"{text.path}: {error}") from None
    if position_hash(session.ruleset, session.machine) != facts["start"]:
        raise SaveMismatch(f"{text.path}: the game begins in another position{_by(text)}", None)
    return session


def follow(session: Session, text: SaveText, entry: Entry) -> None:
    """Make one recorded decision again."""
    what = f"{text.path}, line {entry.line}: decision {entry.number} ({entry.who[:40]}: {entry.key[:80]})"
    if session.over:
        raise SaveMismatch(f"{what} comes after the end of the game{_by(text)}", entry)
    if session.player != entry.who:
        raise SaveMismatch(f"{what} was made when {session.player} had to decide{_by(text)}", entry)
    try:
        session.choose(entry.key, entry.dice if session.facts.get("dice") == FRESH else None)
    except IllegalChoice:
        raise SaveMismatch(f"{what} is not offered by the rules{_by(text)}", entry) from None
    except RunawayRule as error:
        raise SaveMismatch(f"{what} does not come to an end: {error}{_by(text)}", entry) from None
    if session.history[-1].dice != entry.dice:
        raise SaveMismatch(f"{what} does not tell what was drawn for its dice{_by(text)}", entry)
    if position_hash(session.ruleset, session.machine) != entry.state:
        raise SaveMismatch(f"{what} leads to another position than it says{_by(text)}", entry)


def _by(text: SaveText) -> str:
    engine = text.facts["engine"][:40]
    if engine == __version__:
        return "; the file was changed after it was written"
    return f"; it was written by rulesdsl {engine}, this is {__version__}: open it with that version"


def verify(path: str | Path, key: PublicKey | None = None) -> VerifyReport:
    """Derive every entry again, taken-back ones included; the first bad one is named, nothing is raised.

    With a `key` the whole must be signed by it.
    """
    shown = str(path)
    try:
        text = read_save(path)
    except SaveError as error:
        return VerifyReport(shown, "", "", 0, 0, str(error))
    facts, done = text.facts, 0
    game, engine = str(facts.get("game", ""))[:200], str(facts.get("engine", ""))[:40]
    try:
        if not text.complete:
            raise text.damaged()
        session = begin(Session, text)
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
        signed = _signed_by(text, key)
    except SaveMismatch as error:
        bad = error.entry
        place = (bad.line, bad.number) if bad is not None else (0, 0)
        return VerifyReport(shown, game, engine, len(text.entries), done, str(error), *place)
    except SaveError as error:
        line = text.damage.line if text.damage is not None else 0
        return VerifyReport(
            path=shown,
            game=game,
            engine=engine,
            decisions=len(text.entries),
            verified=done,
            problem=str(error),
            line=line,
        )
    house = tuple(rule.title for rule in session.game.source.house)
    return VerifyReport(shown, game, engine, len(text.entries), done, house=house, signed=signed)


def _signed_by(text: SaveText, key: PublicKey | None) -> str:
    """Who has signed what, in words; raises when a signature is false, or that of the `key` is missing."""
    # only here: signatures are an extra that need not be installed
    from interpreter.keeping.signing import HINT, PublicKey, can_check, is_good

    if text.signatures and not can_check():
        if key is not None:
            raise SaveError(f"{text.path}: the signature cannot be checked: {HINT}")
        return f"signed, which cannot be checked here: {HINT}"
    said: list[str] = []
    covered = False
    last = text.entries[-1].number if text.entries else 0
    for number, signature in enumerate(text.signatures, 1):
        if not is_good(signature):
            raise SaveError(
                f"{text.path}, line {signature.line}: the signature does not fit what stands above it"
            )
        owner = PublicKey(b64decode(signature.key))
        known = key is not None and owner.raw == key.raw
        # what is written after it is not signed by it; other signatures are no part of the game
        whole = signature.line + len(text.signatures) - number == text.lines
        covered = covered or (known and whole)
        part = "" if whole else f" up to decision {signature.number} of {last}"
        said.append(f"{key if known else owner}{part}")
    if key is not None and not covered:
        by = f"; it is signed by {', '.join(said)}" if said else "; nobody has signed it"
        raise SaveError(f"{text.path} is not signed by {key}{by}")
    return ", ".join(said)
