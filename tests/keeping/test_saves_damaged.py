"""Saves that are damaged, forged or no saves at all are refused with a sentence."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from interpreter.keeping import carried_rules as carried
from interpreter.keeping.save_file import Chain, DamagedSave, NewerSave, SaveError
from interpreter.keeping.saves import SaveMismatch, load, verify
from rulesdsl import Session
from tests.kit.saved_games import played, rewritten


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "game.save"
    played().save(path)
    return path


def test_a_newer_save_is_refused_with_advice(saved: Path) -> None:
    saved.write_text(saved.read_text().replace("rulesdsl save 1", "rulesdsl save 3", 1))
    with pytest.raises(NewerSave, match="pip install --upgrade rulesdsl"):
        load(saved)


@pytest.mark.parametrize(
    "content", [b"", b"\n", b"hello", b"\x00" * 100, b"rulesdsl\n", "rulesdsl säve 1".encode()]
)
def test_what_is_no_save_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x").write_bytes(content)
    with pytest.raises(SaveError, match="is no save"):
        load(tmp_path / "x")
    assert not verify(tmp_path / "x").ok


def test_a_missing_file_and_a_directory(tmp_path: Path) -> None:
    with pytest.raises(SaveError, match="no such file"):
        load(tmp_path / "x")
    with pytest.raises(SaveError, match="is a directory"):
        load(tmp_path)


def test_a_damaged_line_is_named_and_what_stands_before_it_can_be_had(saved: Path) -> None:
    lines = saved.read_text().splitlines(keepends=True)
    number = next(i for i, line in enumerate(lines) if line.startswith("9 "))
    lines[number] = lines[number].replace("state", "stato")
    saved.write_text("".join(lines))
    with pytest.raises(
        DamagedSave, match=rf"line {number + 1}: .*8 decisions before it are intact"
    ) as caught:
        load(saved)
    assert (caught.value.line, caught.value.intact) == (number + 1, 8)
    assert len(load(saved, recover=True).history) == 8
    report = verify(saved)
    assert (report.ok, report.line, report.verified) == (False, number + 1, 8)


def test_a_save_that_is_cut_off_is_damaged(saved: Path) -> None:
    saved.write_bytes(saved.read_bytes()[:-40])
    with pytest.raises(DamagedSave):
        load(saved)


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        (r"^9 \w+ (.*)", r"9 nobody \1", "had to decide"),
        (r"^9 (\w+) \S+ (.*)", r"9 \1 win-at-once \2", "is not offered"),
        (r"^(9 .*) state [0-9a-f]{16}", r"\1 state 0123456789abcdef", "leads to another position"),
        (r'^start "\w+"', 'start "0123456789abcdef"', "begins in another position"),
        (r'^seed "5"', 'seed "6"', "another position"),
    ],
)
def test_a_forged_entry_with_good_checksums_is_named(saved: Path, old: str, new: str, what: str) -> None:
    rewritten(saved, lambda lines: [re.sub(old, new, line) for line in lines])
    with pytest.raises(SaveMismatch, match=what):
        load(saved)
    report = verify(saved)
    assert not report.ok
    assert what in report.problem
    assert report.decision in (0, 1, 9)


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        (r"^settings .*", 'settings {"no_such": "x"}', "there is no option or reading"),
        (r"^settings .*", "settings 5", "cannot be understood"),
        (r"^scenario .*", "scenario 7", "cannot be understood"),
        (r"^scenario .*", 'scenario "moon"', "there is no scenario"),
        (r"^seed .*", "seed [[", "says nothing that is known"),
        (r"^end 20", "end 19", "says nothing that is known"),
        (r"^9 ", "11 ", "says nothing that is known"),
        (r"^title .*", "poem 5", "says nothing that is known"),
    ],
)
def test_a_head_that_makes_no_sense_is_refused(saved: Path, old: str, new: str, what: str) -> None:
    rewritten(saved, lambda lines: [re.sub(old, new, line) for line in lines])
    with pytest.raises(SaveError, match=what):
        load(saved)


def test_decisions_after_the_end_of_the_game(tmp_path: Path) -> None:
    session = Session.start("tutorial/tic_tac_toe")
    while not session.over:
        session.choose(0)
    path = tmp_path / "a.save"
    session.save(path)
    count = len(session.history)
    more = f"{count + 1} cross c3 state 0123456789abcdef"
    rewritten(
        path,
        lambda lines: [
            x for line in lines for x in ([more, f"end {count + 1}"] if line[:3] == "end" else [line])
        ],
    )
    with pytest.raises(SaveMismatch, match="comes after the end"):
        load(path)


ODD = ["", "null", "[" * 2000, "9" * 5000, "\u0000", "-1", '{"a": [1]}', "\U0001f600", "end 0", "undo 3"]


def test_whatever_a_forger_writes_is_refused_with_a_sentence(saved: Path, tmp_path: Path) -> None:
    rng = random.Random(4)
    lines = [re.sub(r" #[0-9a-f]{12}$", "", line) for line in saved.read_text().splitlines()]
    path = tmp_path / "forged.save"
    messages: list[str] = []
    for number in range(300):
        if number % 10 == 0:
            carried._known.clear()  # so that the rules in the file are looked at
        forged = list(lines)
        for _ in range(rng.randrange(1, 4)):
            place = rng.randrange(1, len(forged))
            words = forged[place].split(" ")
            words[rng.randrange(len(words))] = rng.choice([*ODD, rng.choice(rng.choice(lines).split(" "))])
            forged[place] = " ".join(words)
        chain = Chain()
        path.write_text("".join(chain.line(line) for line in forged))
        try:
            loaded = load(path)
        except SaveError as error:
            messages.append(str(error))
        else:  # something that does not matter, such as the title
            assert loaded.hash == played().hash
    assert len(messages) > 200
    assert all(str(path) in message for message in messages)
