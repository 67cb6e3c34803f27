"""Saves: readable, self-contained, verified, and refused with a sentence when they cannot be opened."""

from __future__ import annotations

import base64
import json
import random
import re
import tomllib
import zlib
from pathlib import Path

import pytest

import rulesdsl
from interpreter.saving import carried, saves
from interpreter.saving.savefile import (
    FORMAT,
    Chain,
    DamagedSave,
    NewerSave,
    SaveError,
    read_save,
)
from interpreter.saving.saves import SaveMismatch, load, save, verify
from interpreter.session import Session

PATROL = Path(__file__).parent / "testdata" / "games" / "patrol"


def played(decisions: int = 20, seed: int = 5) -> Session:
    session = Session.start(PATROL, seed=seed)
    for number in range(decisions):
        session.choose(session.options[(number * 7) % len(session.options)])
    return session


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "game.save"
    played().save(path)
    return path


def rewritten(path: Path, change: object) -> Path:
    """The file with its lines changed and all checksums made anew: what a forger would do."""
    lines = [re.sub(r" #[0-9a-f]{12}$", "", line) for line in path.read_text().splitlines()]
    chain = Chain()
    path.write_text("".join(chain.line(line) for line in change(lines)))  # type: ignore[operator]
    return path


def with_rules(path: Path, texts: object) -> Path:
    packed = base64.b64encode(zlib.compress(json.dumps(texts).encode())).decode()

    def change(lines: list[str]) -> list[str]:
        return [*(line for line in lines[:-1] if not line.startswith("| ")), f"| {packed}", lines[-1]]

    return rewritten(path, change)


# ---- the file ------------------------------------------------------------------------------------------
def test_a_save_is_readable_text(saved: Path) -> None:
    lines = saved.read_text("utf-8").splitlines()
    assert lines[0].startswith(f"rulesdsl save {FORMAT} #")
    assert any(line.startswith('game "patrol" #') for line in lines)
    assert any(re.fullmatch(r"1 (red|blue) \S+ state [0-9a-f]{16} #[0-9a-f]{12}", line) for line in lines)
    assert lines[-1].startswith("end 20 #")
    assert all(re.search(r" #[0-9a-f]{12}$", line) for line in lines)


def test_the_same_game_gives_the_same_file(saved: Path, tmp_path: Path) -> None:
    played().save(tmp_path / "again.save")
    assert (tmp_path / "again.save").read_bytes() == saved.read_bytes()


def test_a_loaded_game_is_the_game(saved: Path) -> None:
    session, loaded = played(), Session.load(saved)
    assert loaded.hash == session.hash
    assert (loaded.choices, loaded.log, loaded.facts) == (session.choices, session.log, session.facts)
    loaded.undo(20)
    session.undo(20)
    assert loaded.hash == session.hash


def test_the_version_in_saves_is_that_of_the_package() -> None:
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]
    assert project["version"] == rulesdsl.__version__


def test_an_old_file_survives_a_failure_to_write(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = saved.read_bytes()

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(saves.os, "replace", fail)
    with pytest.raises(SaveError, match="no space left"):
        save(played(3), saved)
    assert saved.read_bytes() == before
    assert [path.name for path in saved.parent.iterdir()] == ["game.save"]


def test_line_ends_may_be_changed_by_a_mail(saved: Path) -> None:
    saved.write_bytes(saved.read_bytes().replace(b"\n", b"\r\n"))
    assert verify(saved).ok


# ---- the rules it carries ----------------------------------------------------------------------------------
def test_it_opens_where_the_game_is_not_installed(saved: Path) -> None:
    carried._known.clear()  # the fixture is in no list of games, so it is not found by its name
    loaded = load(saved)
    assert loaded.hash == played().hash
    assert loaded.game.source.files[0].shown.startswith("game.save:")


def test_a_shipped_game_that_is_the_same_is_used(tmp_path: Path) -> None:
    session = Session.start("tutorial/tic_tac_toe")
    session.choose(0)
    session.save(tmp_path / "a.save")
    carried._known.clear()
    assert load(tmp_path / "a.save").game.source.directory.is_dir()


def test_a_game_that_has_changed_since_is_played_by_the_old_rules(tmp_path: Path) -> None:
    home = tmp_path / "tic_tac_toe"
    (home / "rules").mkdir(parents=True)
    for file in ("game.yaml", "map.yaml", "rules/01_rules.md"):
        text = (Path(__file__).parents[1] / "games/tutorial/tic_tac_toe" / file).read_text()
        (home / file).write_text(text)
    session = Session.start(home)
    session.choose(4)
    session.save(tmp_path / "a.save")
    rules = (home / "rules/01_rules.md").read_text()
    (home / "rules/01_rules.md").write_text(rules.replace("let mover = cross", "let mover = nought"))
    carried._known.clear()
    assert load(tmp_path / "a.save").hash == session.hash
    assert Session.start(home).player == "nought"


@pytest.mark.parametrize(
    "texts",
    [
        {"game": [["../../etc/x.yaml", "a: 1"]], "house": []},
        {"game": [["/etc/passwd", "a: 1"]], "house": []},
        {"game": [["rules/../../x.md", ""]], "house": []},
        {"game": [["game.yaml", 5]], "house": []},
        {"game": "game.yaml", "house": []},
        {"game": []},
        [],
    ],
)
def test_a_save_cannot_name_other_files(saved: Path, texts: object) -> None:
    carried._known.clear()
    with pytest.raises(SaveError, match="cannot be read; use another copy"):
        load(with_rules(saved, texts))


def test_other_rules_than_those_that_were_played_are_refused(saved: Path) -> None:
    carried._known.clear()
    texts = carried._unpack(read_save(saved))
    texts["game"] = [[name, text.replace("2d6", "3d6")] for name, text in texts["game"]]
    with pytest.raises(SaveError, match="not those it was played with"):
        load(with_rules(saved, texts))


def test_rules_that_would_fill_the_memory_are_refused(saved: Path) -> None:
    carried._known.clear()
    bomb = base64.b64encode(zlib.compress(b" " * 60_000_000, 9)).decode()
    path = rewritten(saved, lambda lines: [*(x for x in lines[:-1] if x[:2] != "| "), f"| {bomb}", lines[-1]])
    with pytest.raises(SaveError, match="cannot be read"):
        load(path)


def test_rules_of_another_time_are_refused_with_advice(saved: Path) -> None:
    carried._known.clear()
    texts = carried._unpack(read_save(saved))
    texts["game"] = [
        [n, t.replace("phase game", "fase game") if n.endswith(".md") else t] for n, t in texts["game"]
    ]
    new = carried.content_hash((name, text) for name, text in texts["game"])
    path = with_rules(saved, texts)
    path = rewritten(
        path, lambda ls: [f'{x.split()[0]} "{new}"' if x[:7] in ("printed", 'rules "') else x for x in ls]
    )
    with pytest.raises(SaveError, match=r"install that version to open it"):
        load(path)


# ---- damage and forgery ------------------------------------------------------------------------------------
def test_a_newer_save_is_refused_with_advice(saved: Path) -> None:
    saved.write_text(saved.read_text().replace("rulesdsl save 1", "rulesdsl save 2", 1))
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
        (r"^settings .*", 'settings {"no_such": "x"}', "there is no option"),
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
