"""Journals under stress: processes killed in the middle, files cut and bits turned over."""

from __future__ import annotations

import os
import signal
import tempfile
import time
from pathlib import Path
from random import Random

from interpreter.keeping.save_file import SaveError, read_save
from interpreter.keeping.saves import load, verify
from rulesdsl import Journal, Session
from tests.promises import PATROL, Outcome, opened, play_on


def kills(count: int) -> Outcome:
    """`kill -9` at random moments: every decision that was answered is in the journal."""
    outcome = Outcome()
    rng = Random(3)
    answered_in_all = 0
    opened(PATROL).ruleset().full  # noqa: B018  (compiled once, before the children are made)
    with tempfile.TemporaryDirectory() as place:
        for number in range(count):
            path = Path(place) / f"{number}.journal"
            answered = _killed_game(path, number, rng.uniform(0.005, 0.25))
            answered_in_all += len(answered)
            outcome.done += 1
            if not path.exists():
                if answered:
                    outcome.failure(
                        f"kill {number}: {len(answered)} decisions were answered, there is no file"
                    )
                continue
            try:
                session = Journal.resume(path)
            except SaveError as error:
                outcome.failure(f"kill {number}: {error}")
                continue
            expected = _standing(answered)
            if session.choices != expected and not _one_more(session, expected, answered):
                outcome.failure(f"kill {number}: {len(expected)} stood, {len(session.choices)} came back")
            play_on(session, rng, 2)  # and the journal can be written on
    outcome.note = f"{answered_in_all} answered decisions"
    return outcome


def _killed_game(path: Path, seed: int, seconds: float) -> list[str]:
    """Play in a child until it is killed; what it had been answered by then."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reader)
            _play_for_ever(path, seed, writer)
        finally:
            os._exit(1)
    os.close(writer)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    with os.fdopen(reader, "rb") as stream:
        lines = stream.read().decode().split("\n")
    return lines[:-1]  # the last one may be cut: it was never answered completely


def _play_for_ever(path: Path, seed: int, writer: int) -> None:
    rng = Random(seed)
    session = Journal.begin(Session.start(opened(PATROL), seed=seed), path)
    while True:
        if session.over or (session.history and rng.random() < 0.05):
            count = rng.randrange(1, len(session.history) + 1)
            session.undo(count)
            os.write(writer, f"undo {count}\n".encode())
        else:
            option = rng.choice(session.options)
            session.choose(option)
            os.write(writer, f"{option.key}\n".encode())


def _standing(answered: list[str]) -> list[str]:
    kept: list[str] = []
    for line in answered:
        if line.startswith("undo "):
            del kept[len(kept) - int(line[5:]) :]
        else:
            kept.append(line)
    return kept


def _one_more(session: Session, expected: list[str], answered: list[str]) -> bool:
    """The last line may be in the journal without having been answered: a decision more, or an undo."""
    found = session.choices
    return found[:-1] == expected or (len(found) < len(expected) and expected[: len(found)] == found)


def sample_files(place: Path, decisions: int = 25) -> list[Path]:
    """A journal with something taken back, and a save."""
    session = Session.start(opened(PATROL), seed=5)
    rng = Random(5)
    play_on(session, rng, decisions - 5)
    journal = place / "sample.journal"
    Journal.begin(session, journal)
    play_on(session, rng, 3)
    session.undo(2)
    play_on(session, rng, 4)
    save = place / "sample.save"
    session.save(save)
    return [journal, save]


def cuts(count: int) -> Outcome:
    """A journal cut at every byte (or at `count` of them): the longest valid prefix comes back."""
    outcome = Outcome()
    with tempfile.TemporaryDirectory() as place:
        journal, _ = sample_files(Path(place))
        content = journal.read_bytes()
        whole = read_save(journal).entries
        first = content.index(b"\n1 ") + 1  # where the first decision stands
        ends = [i for i, byte in enumerate(content) if byte == 10 and i >= first]
        stride = max(1, len(content) // count)
        copy = Path(place) / "cut.journal"
        for length in range(0, len(content), stride):
            copy.write_bytes(content[:length])
            outcome.done += 1
            expected = sum(1 for end in ends if end <= length)
            try:
                found = read_save(copy)
            except SaveError:
                if length >= first:
                    outcome.failure(f"cut at byte {length}: refused")
                continue
            if found.entries != whole[:expected]:
                outcome.failure(f"cut at byte {length}: {len(found.entries)} of {expected} entries came back")
            if length >= first and length % 97 == 0:
                session = Journal.resume(copy)
                assert isinstance(session.recorder, Journal)
                session.recorder.close()
                if len(session.history) != len(found.decisions()):
                    outcome.failure(f"cut at byte {length}: resumed with {len(session.history)} decisions")
    return outcome


def bit_flips(count: int) -> Outcome:
    """One bit of a save or journal turned over: never opened as if nothing had happened."""
    outcome = Outcome()
    rng = Random(7)
    with tempfile.TemporaryDirectory() as place:
        files = [(path, path.read_bytes()) for path in sample_files(Path(place))]
        copy = Path(place) / "flipped"
        for _ in range(count):
            path, content = rng.choice(files)
            bit = rng.randrange(len(content) * 8)
            flipped = bytearray(content)
            flipped[bit // 8] ^= 1 << bit % 8
            copy.write_bytes(flipped)
            outcome.done += 1
            if verify(copy).ok:
                outcome.failure(f"{path.name}: bit {bit} is not noticed by verify")
            try:
                load(copy)
                outcome.failure(f"{path.name}: bit {bit} is not noticed by load")
            except SaveError:
                pass
    return outcome
