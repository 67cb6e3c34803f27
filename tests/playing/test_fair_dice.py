"""Dice that nobody knows beforehand, and games that somebody has signed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from interpreter.keeping import signing
from interpreter.keeping.save_file import read_save
from interpreter.keeping.saves import SaveMismatch, load, verify
from interpreter.keeping.signing import Signer, new_key, read_public
from interpreter.running.dice import FRESH
from rulesdsl import Journal, Session
from rulesdsl.base.diagnostics import UsageError
from tests.kit.command_line import run
from tests.kit.saved_games import PATROL, rewritten


def begun(seed: str = "1") -> Session:
    return Session.start(PATROL, seed=seed, dice=FRESH)


def play(session: Session, decisions: int = 40) -> Session:
    for number in range(decisions):
        if not session.over:
            session.choose(session.options[(number * 7) % len(session.options)])
    return session


def rolled(session: Session) -> list[str]:
    return [entry.text for entry in session.log]


def test_the_same_seed_and_choices_no_longer_tell_the_dice() -> None:
    games = [rolled(play(begun(), 6)) for _ in range(8)]
    assert len({tuple(game) for game in games}) > 1
    by_seed = [rolled(play(Session.start(PATROL, seed="1"), 6)) for _ in range(3)]
    assert len({tuple(game) for game in by_seed}) == 1


def test_the_record_plays_again_and_holds_nothing_of_what_is_to_come(tmp_path: Path) -> None:
    session = play(Journal.begin(begun(), tmp_path / "a.journal"))
    path = tmp_path / "a.save"
    session.save(path)
    for file in (path, tmp_path / "a.journal"):
        assert verify(file).ok
        assert (load(file).hash, load(file).choices) == (session.hash, session.choices)
    drawn = [moment.dice for moment in session.history if moment.dice]
    assert len(drawn) == len(set(drawn)) > 1
    # what has been drawn stands in the file with the decision it was drawn for, and nothing else does
    assert [entry.dice for entry in read_save(path).decisions() if entry.dice] == drawn
    middle = begun()
    while not any(moment.dice for moment in middle.history):
        middle.choose(0)
    # two who go on from the same file roll different dice
    middle.save(path)
    futures = {tuple(rolled(play(load(path), 20))) for _ in range(6)}
    assert len(futures) > 1


def test_taking_back_does_not_roll_again(tmp_path: Path) -> None:
    session = Journal.begin(begun(), tmp_path / "a.journal")
    while not (session.history and session.history[-1].dice):
        session.choose(0)
    key, after = session.choices[-1], session.hash
    session.undo()
    session.choose(key)
    assert session.hash == after
    session.undo()
    assert isinstance(session.recorder, Journal)
    session.recorder.close()
    resumed = Journal.resume(tmp_path / "a.journal")
    resumed.choose(key)
    assert resumed.hash == after


@pytest.mark.parametrize(
    ("old", "new"), [(r" dice [0-9a-f]{32}", ""), (r"dice [0-9a-f]{32}", f"dice {'0' * 32}")]
)
def test_other_dice_than_those_that_were_drawn_are_noticed(tmp_path: Path, old: str, new: str) -> None:
    path = tmp_path / "a.save"
    play(begun()).save(path)
    rewritten(path, lambda lines: [re.sub(old, new, line) for line in lines])
    assert not verify(path).ok
    with pytest.raises(SaveMismatch):
        load(path)


def test_games_between_people_draw_as_they_go(tmp_path: Path) -> None:
    file = tmp_path / "a.save"
    done = run("play", "skirmish", "--seat", "all=human", "--save", str(file), lines="1\nquit\n")
    assert "dice drawn as they are cast" in done.output
    assert str(load(file).facts["seed"]) not in done.output
    assert load(file).facts["dice"] == FRESH
    known = run("play", "skirmish", "--seat", "all=human", "--seed", "7", lines="quit\n")
    assert "whoever knows it can know them beforehand" in " ".join(known.output.split())
    alone = run("play", "skirmish", lines="quit\n")
    assert re.search(r"seed \d+\)", alone.output)


# ---- signatures
def test_a_save_is_signed_and_proved(tmp_path: Path) -> None:
    anna = new_key(tmp_path / "anna", "Anna")
    new_key(tmp_path / "bert", "Bert")
    assert (tmp_path / "anna").stat().st_mode & 0o777 == 0o600
    path = tmp_path / "a.save"
    from interpreter.keeping.saves import save

    save(play(begun()), path, signer=Signer(tmp_path / "anna"))
    known = read_public(tmp_path / "anna.pub")
    assert known == anna
    assert str(verify(path, known).signed).startswith("Anna (key ")
    other = verify(path, read_public(tmp_path / "bert.pub"))
    assert (other.ok, "is not signed by Bert" in other.problem) == (False, True)
    done = run("verify", str(path), "--key", str(tmp_path / "anna.pub"))
    assert (done.exit_code, "signed by Anna" in done.output) == (0, True)
    assert "signed by key " in run("verify", str(path)).output
    # mail changes line ends; nobody changes a word
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert verify(path, known).ok
    rewritten(path, lambda lines: [line.replace("title ", "title  ") for line in lines])
    assert "does not fit what stands above it" in verify(path).problem


def test_who_has_not_signed_has_not_signed(tmp_path: Path) -> None:
    new_key(tmp_path / "anna")
    path = tmp_path / "a.save"
    play(begun()).save(path)
    assert "nobody has signed it" in run("verify", str(path)).output
    refused = run("verify", str(path), "--key", str(tmp_path / "anna.pub"))
    assert (refused.exit_code, "nobody has signed it" in refused.stderr) == (1, True)
    with pytest.raises(UsageError, match="exists already"):
        new_key(tmp_path / "anna")
    with pytest.raises(UsageError, match="no secret key"):
        Signer(tmp_path / "anna.pub")
    with pytest.raises(UsageError, match="no public key"):
        read_public(tmp_path / "anna")


def test_a_journal_is_signed_by_each_who_leaves_it(tmp_path: Path) -> None:
    for name in ("anna", "bert"):
        assert run("key", "new", str(tmp_path / name), "--name", name).exit_code == 0
    file, seats = str(tmp_path / "a.save"), ("--seat", "all=human")
    run("play", "tic_tac_toe", *seats, "--save", file, "--sign", str(tmp_path / "anna"), lines="a1\nquit\n")
    assert run("verify", file, "--key", str(tmp_path / "anna.pub")).exit_code == 0
    run("play", *seats, "--save", file, "--sign", str(tmp_path / "bert"), lines="b2\nquit\n")
    assert run("verify", file, "--key", str(tmp_path / "bert.pub")).exit_code == 0
    stale = run("verify", file, "--key", str(tmp_path / "anna.pub"))
    assert (stale.exit_code, "up to decision 1 of 2" in stale.stderr) == (1, True)
    copy = tmp_path / "copy.save"
    typed = f"save {copy} --sign\nquit\n"
    run("play", *seats, "--save", file, "--sign", str(tmp_path / "anna"), lines=typed)
    assert run("verify", str(copy), "--key", str(tmp_path / "anna.pub")).exit_code == 0


def test_without_the_library_it_is_said_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new_key(tmp_path / "anna")
    path = tmp_path / "a.save"
    from interpreter.keeping.saves import save

    save(play(begun()), path, signer=Signer(tmp_path / "anna"))

    def missing(name: str) -> object:
        raise ImportError(name)

    monkeypatch.setattr(signing, "import_module", missing)
    with pytest.raises(UsageError, match=r"pip install \"rulesdsl\[sign\]\""):
        new_key(tmp_path / "other")
    report = verify(path)
    assert (report.ok, "cannot be checked here" in report.signed) == (True, True)
    assert not verify(path, read_public(tmp_path / "anna.pub")).ok
