"""One game, two programs: the second is told who has it and may look on; nothing answered is lost."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from interpreter.keeping.following import Follower
from interpreter.keeping.held_file import HeldFile, SaveExists, SaveInUse
from interpreter.keeping.holders import holder_of, record_path
from interpreter.keeping.save_file import SaveError, read_save
from interpreter.keeping.saves import load, save, verify
from rulesdsl import Journal, Session
from rulesdsl.base.diagnostics import UsageError
from rulesdsl.cli.play.keeping import Keeper, under_new_name
from tests.kit.command_line import program, run
from tests.kit.saved_games import PATROL

GAME = "tutorial/connect_four"


def started() -> Session:
    return Session.start(GAME, seed=1)


def begun(path: Path, decisions: int = 2) -> Session:
    session = Journal.begin(started(), path)
    for _ in range(decisions):
        session.choose(0)
    return session


def close(session: Session) -> None:
    assert isinstance(session.recorder, Journal)
    session.recorder.close()


def test_the_record_of_a_program_that_crashed_is_not_believed(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    code = (
        "import os, sys\nfrom interpreter.playing.session import Session\n"
        "from interpreter.keeping.journal import Journal\n"
        f"s = Journal.begin(Session.start({GAME!r}, seed=1), sys.argv[1])\ns.choose(0)\nos._exit(9)"
    )
    assert subprocess.run([sys.executable, "-c", code, str(path)], check=False).returncode == 9
    assert record_path(path).exists()  # it could not take it away …
    assert holder_of(path) is None  # … and nobody falls for it
    session = Journal.resume(path)
    holder = holder_of(path)
    assert holder is not None
    assert holder.pid == os.getpid()
    close(session)
    assert [found.name for found in tmp_path.iterdir()] == ["a.journal"]


@pytest.mark.parametrize("what", ["removed", "replaced", "longer", "shorter"])
def test_a_decision_is_answered_only_while_the_file_is_the_one_it_was(tmp_path: Path, what: str) -> None:
    path = tmp_path / "a.journal"
    session = begun(path)
    content = path.read_bytes()
    if what == "removed":
        path.unlink()
    elif what == "replaced":
        (tmp_path / "other").write_bytes(content)
        (tmp_path / "other").replace(path)
    else:
        path.write_bytes(content + b"x" if what == "longer" else content[:-1])
    with pytest.raises(SaveError, match="nothing was decided"):
        session.choose(1)
    with pytest.raises(SaveError, match="nothing was decided"):
        session.undo()
    assert len(session.history) == 2


def test_a_game_whose_file_is_gone_is_kept_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    keeper = Keeper.open(tmp_path / "a.save", started)
    keeper.session.choose(0)
    (tmp_path / "a.save").write_text("precious")
    where = keeper.save()
    keeper.close()
    assert where.parent == tmp_path / "data" / "rulesdsl" / "games"
    assert load(where).choices == keeper.session.choices
    assert (tmp_path / "a.save").read_text() == "precious"


def test_only_what_this_program_made_is_removed(tmp_path: Path) -> None:
    path = tmp_path / "a.save"
    Keeper.open(path, started).close()
    assert not path.exists()  # nothing was decided
    close(begun(path, 0))
    Keeper.open(path, started).close()
    assert path.exists()  # somebody else's
    keeper = Keeper.open(tmp_path / "b.save", started)
    (tmp_path / "b.save").unlink()
    (tmp_path / "b.save").write_text("precious")
    keeper.close()
    assert (tmp_path / "b.save").read_text() == "precious"


def test_a_game_that_is_played_is_not_saved_over(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    session = begun(path)
    with pytest.raises(SaveInUse):
        save(started(), path)
    session.choose(0)
    close(session)
    assert load(path).choices == session.choices


def test_saving_replaces_only_earlier_saves_of_this_game(tmp_path: Path) -> None:
    keeper = Keeper(started(), None)
    keeper.session.choose(0)
    notes = tmp_path / "notes.txt"
    notes.write_text("precious")
    with pytest.raises(UsageError, match="no earlier save of this game; save! "):
        keeper.save(notes)
    assert notes.read_text() == "precious"
    path = tmp_path / "a.save"
    keeper.save(path)
    keeper.session.choose(1)
    keeper.save(path)  # goes on from what is there
    keeper.session.undo(2)
    keeper.session.choose(3)
    with pytest.raises(UsageError, match="no earlier save"):
        keeper.save(path)  # holds decisions that this one does not
    keeper.save(path, force=True)
    assert load(path).choices == keeper.session.choices
    keeper.save(notes, force=True)
    assert verify(notes).ok


def test_save_at_the_table_asks(tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("precious")
    typed = f"1\nsave {notes}\nquit\n"
    done = run("play", GAME, "--seed", "1", lines=typed)
    assert "save! overwrites it" in " ".join(done.output.split())
    assert notes.read_text() == "precious"
    run("play", GAME, "--seed", "1", lines=typed.replace("save ", "save! "))
    assert verify(notes).ok


def test_a_save_that_is_played_on_becomes_a_journal_with_the_first_decision(tmp_path: Path) -> None:
    path = tmp_path / "a.save"
    first = started()
    first.choose(0)
    first.save(path)
    before = path.read_bytes()
    session = Journal.go_on(path)
    with pytest.raises(SaveInUse):
        Journal.go_on(path)
    assert path.read_bytes() == before
    session.choose(2)
    assert read_save(path).kind == "journal"
    assert [entry.key for entry in read_save(path).decisions()] == session.choices
    with pytest.raises(SaveInUse):
        Journal.go_on(path)
    session.undo()
    session.choose(3)
    close(session)
    assert load(path).choices == session.choices


def test_a_damaged_save_that_is_played_on_is_kept_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.save"
    first = started()
    for _ in range(4):
        first.choose(0)
    first.save(path)
    damaged = path.read_bytes().replace(b"\n3 ", b"\n3x")
    path.write_bytes(damaged)
    session = Journal.go_on(path, recover=True)
    assert isinstance(session.recorder, Journal)
    assert "a.save.cut1; 2 decisions remain" in session.recorder.notice
    session.choose(1)
    close(session)
    assert (load(path).choices, (tmp_path / "a.save.cut1").read_bytes()) == (session.choices, damaged)


def test_new_names_are_taken_one_after_the_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    sessions = [started() for _ in range(4)]
    paths = [under_new_name(s, lambda name, s=s: Journal.begin(s, name)) for s in sessions]
    assert len(set(paths)) == 4


def test_the_name_of_a_new_file_is_claimed_even_without_links(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_links(*_: object, **__: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", no_links)
    HeldFile.made(tmp_path / "a", b"one").release()
    with pytest.raises(SaveExists):
        HeldFile.made(tmp_path / "a", b"two")
    assert (tmp_path / "a").read_bytes() == b"one"
    assert [found.name for found in tmp_path.iterdir()] == ["a"]


# ---- looking on
def test_a_follower_sees_what_is_decided_and_taken_back(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    session = begun(path)
    follower = Follower(path)

    def caught_up() -> bool:
        while (entry := follower.waiting()) is not None:
            follower.take(entry)
        return follower.session.hash == session.hash

    assert caught_up()
    session.choose(3)
    assert caught_up()
    session.undo(2)
    session.choose(5)
    assert caught_up()
    assert follower.played
    close(session)
    assert not follower.played


def test_a_follower_begins_anew_when_the_file_is_another(tmp_path: Path) -> None:
    path, other = tmp_path / "a.journal", tmp_path / "b.journal"
    close(begun(path, 4))
    follower = Follower(path)
    while (entry := follower.waiting()) is not None:
        follower.take(entry)
    second = Journal.begin(started(), other)
    second.choose(6)
    close(second)
    other.replace(path)
    while (entry := follower.waiting()) is not None:
        follower.take(entry)
    assert follower.session.hash == second.hash


def test_watching_at_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    session = begun(path)
    watching = subprocess.Popen(
        [sys.executable, "-m", "rulesdsl", "play", "--watch", str(path)],
        stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    assert watching.stdout is not None
    line = watching.stdout.readline()
    assert "after 2 decisions: looking on" in line
    session.choose(4)
    time.sleep(0.1)
    close(session)
    said = watching.stdout.read()
    assert watching.wait(20) == 0
    assert "nobody is playing this game now" in said
    assert read_save(path).decisions()[-1].key.rpartition(":")[2] in said.casefold()


def test_a_spectator_reads_no_secret(tmp_path: Path) -> None:
    session = Journal.begin(Session.start(PATROL, seed=3), tmp_path / "a.journal")
    for _ in range(12):
        session.choose(session.options[0])
    close(session)
    done = program("play", "--watch", str(tmp_path / "a.journal"))
    hidden = [entry.text for entry in session.log if entry.seen_by is not None and entry.text]
    public = {entry.text for entry in session.log_of(None)}
    assert done.returncode == 0
    assert hidden
    assert not [text for text in hidden if text not in public and text in done.stdout]


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for words in ("verify", "replay", "play --save", "play --watch"):
        done = program(*words.split(), str(pipe))
        assert (done.returncode, "not a regular file" in done.stderr) == (1, True), done
