"""Journals: a decision is on the disk before it is answered, and nothing that was answered is lost."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from interpreter.keeping import journal as journal_module
from interpreter.keeping.held_file import SaveInUse
from interpreter.keeping.save_file import DamagedSave, SaveError, read_save
from interpreter.keeping.saves import load, verify
from rulesdsl import Journal, Session


def begun(tmp_path: Path, decisions: int = 0) -> Session:
    session = Session.start("tutorial/connect_four", seed=1)
    for _ in range(decisions):
        session.choose(0)
    return Journal.begin(session, tmp_path / "a.journal")


def closed(session: Session) -> Path:
    assert isinstance(session.recorder, Journal)
    session.recorder.close()
    return session.recorder.path


def test_what_was_decided_comes_back(tmp_path: Path) -> None:
    session = begun(tmp_path, 2)
    for key in (3, 2, 5):
        session.choose(key)
    resumed = Journal.resume(closed(session))
    assert (resumed.hash, resumed.choices) == (session.hash, session.choices)
    resumed.choose(1)
    assert load(closed(resumed)).hash == resumed.hash


def test_taking_back_is_recorded(tmp_path: Path) -> None:
    session = begun(tmp_path)
    for _ in range(4):
        session.choose(1)
    session.undo(3)
    session.choose(5)
    path = closed(session)
    assert Journal.resume(path).choices == session.choices
    assert verify(path).verified == 6


def test_a_copy_is_not_recorded(tmp_path: Path) -> None:
    session = begun(tmp_path)
    session.copy().choose(0)
    assert Journal.resume(closed(session)).choices == []


def test_the_line_is_safe_before_the_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = begun(tmp_path)
    seen: list[list[str]] = []
    real = os.fsync

    def watched(number: int) -> None:
        real(number)
        seen.append([entry.key for entry in read_save(tmp_path / "a.journal").decisions()])

    monkeypatch.setattr(journal_module.os, "fsync", watched)
    session.choose(3)
    assert seen == [session.choices]


def test_a_decision_that_cannot_be_written_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = begun(tmp_path, 3)
    before, content = session.hash, (tmp_path / "a.journal").read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as context:
        context.setattr(journal_module.os, "fsync", full)
        with pytest.raises(SaveError, match=r"no space left.*nothing was decided"):
            session.choose(2)
        with pytest.raises(SaveError, match="nothing was decided"):
            session.undo(2)
    assert (session.hash, len(session.history)) == (before, 3)
    assert (tmp_path / "a.journal").read_bytes() == content
    session.choose(2)
    assert Journal.resume(closed(session)).choices == session.choices


def test_an_interrupt_between_line_and_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = begun(tmp_path, 2)
    real = Journal.chosen

    def interrupted(self: Journal, game: Session, who: str, key: str) -> None:
        real(self, game, who, key)
        raise KeyboardInterrupt

    with monkeypatch.context() as context:
        context.setattr(Journal, "chosen", interrupted)
        with pytest.raises(KeyboardInterrupt):
            session.choose(3)
    assert len(session.history) == 2  # the answer was never given, so the decision does not stand
    session.choose(5)
    path = closed(session)
    assert Journal.resume(path).choices == session.choices
    assert verify(path).ok


def test_an_existing_file_is_never_overwritten(tmp_path: Path) -> None:
    closed(begun(tmp_path))
    with pytest.raises(SaveError, match="exists"):
        begun(tmp_path)


def test_two_windows_cannot_play_one_game(tmp_path: Path) -> None:
    session = begun(tmp_path)
    with pytest.raises(SaveInUse, match=rf"played by process {os.getpid()} on .* since 2.*--watch"):
        Journal.resume(tmp_path / "a.journal")
    assert Journal.resume(closed(session)).choices == []


def test_an_unfinished_line_is_put_aside_with_a_notice(tmp_path: Path) -> None:
    session = begun(tmp_path)
    for _ in range(3):
        session.choose(1)
    path = closed(session)
    whole = path.read_bytes()
    path.write_bytes(whole + b"4 red drop_disc:")
    with pytest.raises(DamagedSave):
        load(path)
    resumed = Journal.resume(path)
    assert isinstance(resumed.recorder, Journal)
    assert "unfinished line" in resumed.recorder.notice
    assert (len(resumed.history), path.read_bytes()) == (3, whole)
    assert (tmp_path / "a.journal.cut1").read_bytes() == b"4 red drop_disc:"


def test_a_missing_line_end_is_added(tmp_path: Path) -> None:
    session = begun(tmp_path)
    session.choose(1)
    path = closed(session)
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    resumed = Journal.resume(path)
    assert (resumed.choices, path.read_bytes()) == (session.choices, whole)


def test_damage_in_the_middle_is_refused_until_somebody_agrees(tmp_path: Path) -> None:
    session = begun(tmp_path)
    for _ in range(6):
        session.choose(2)
    path = closed(session)
    content = path.read_bytes()
    place = content.index(b"\n4 ") + 5
    path.write_bytes(content[:place] + b"X" + content[place + 1 :])
    with pytest.raises(DamagedSave, match="3 decisions before it are intact"):
        Journal.resume(path)
    resumed = Journal.resume(path, recover=True)
    assert isinstance(resumed.recorder, Journal)
    assert resumed.choices == session.choices[:3]
    assert "from line" in resumed.recorder.notice
    assert (tmp_path / "a.journal.cut1").exists()


def test_a_save_is_not_taken_for_a_journal(tmp_path: Path) -> None:
    session = begun(tmp_path, 2)
    session.save(tmp_path / "a.save")
    with pytest.raises(SaveError, match="is a save"):
        Journal.resume(tmp_path / "a.save")


def test_a_closed_journal_takes_no_decision(tmp_path: Path) -> None:
    session = begun(tmp_path)
    closed(session)
    with pytest.raises(SaveError, match="closed"):
        session.choose(0)
    assert session.history == []
