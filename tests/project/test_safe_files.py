"""Files, streams and caches in a hostile place: links, pipes, full disks, closed streams, planted entries."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from rulesdsl.base import cache, encoding, ownfiles
from rulesdsl.base.diagnostics import RulebookError
from rulesdsl.base.resources import find_game
from rulesdsl.base.source import SourceFile
from rulesdsl.base.textfile import read_source
from rulesdsl.base.writing import write_file
from rulesdsl.book.loader import assemble_game
from rulesdsl.book.texts import read_texts
from rulesdsl.cli.terminal import shown
from tests.kit.command_line import ENVIRONMENT, run
from tests.kit.saved_games import PATROL, played, rewritten

ODD = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202e"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    assert run("new", str(tmp_path / "game")).exit_code == 0
    return tmp_path / "game"


# ---- links
@pytest.mark.parametrize(
    "place", ["rules/99_notes.md", "map.yaml", "tables/x.yaml", "scenarios/x.yaml", "drawing.yaml"]
)
def test_no_link_leads_out_of_a_game(game: Path, tmp_path: Path, place: str) -> None:
    secret = tmp_path / "id_ed25519"
    secret.write_text("PRIVATE KEY\n")
    (game / place).parent.mkdir(exist_ok=True)
    (game / place).unlink(missing_ok=True)
    (game / place).symlink_to(secret)
    command = "map" if place == "drawing.yaml" else "check"
    done = run(command, str(game))
    assert done.exit_code == 1
    assert "file-link" in done.output
    assert str(secret) in done.output
    assert "PRIVATE" not in done.output


def test_nor_does_a_folder_nor_a_house_rule(game: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "a.md").write_text("# Notes\nWhy.\n")
    (game / "house").symlink_to(outside)
    for name in ("a", str(game / "house" / "a.md")):
        assert "file-link" in run("check", str(game), "--house", name).output
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "b.md").symlink_to(outside / "a.md")
    assert "file-link" in run("check", str(game), "--house", str(tmp_path / "mine" / "b.md")).output
    (game / "rules" / "x.md").symlink_to("/dev/zero")
    assert "file-link" in run("check", str(game)).output


def test_links_inside_a_game_are_followed(game: Path, tmp_path: Path) -> None:
    chapter = next((game / "rules").glob("*.md"))
    chapter.rename(game / "text.md")
    chapter.symlink_to("../text.md")
    (tmp_path / "other_way").symlink_to(tmp_path)
    assert run("check", str(tmp_path / "other_way" / "game")).exit_code == 0
    (chapter.parent / "loop.md").symlink_to("loop.md")
    with pytest.raises(RulebookError):
        read_source(chapter.parent / "loop.md", 1000)


# ---- what reaches a terminal
def test_control_characters_are_written_out() -> None:
    assert shown(ODD) == "\\x1b]0;owned\\x07\\x1b[2J\\x9b31m\\u202e"
    assert shown("a\tb\n") == "a\tb\n"


def _hostile_save(tmp_path: Path, fact: str) -> Path:
    path = tmp_path / f"game{ODD.replace('/', '')}.save"
    played(6).save(path)

    def change(lines: list[str]) -> list[str]:
        text = ODD.encode("unicode_escape").decode().replace("\\x", "\\u00")
        if fact == "who":
            return [x.replace("1 ", f"1 {ODD} ", 1) if x.startswith("1 ") else x for x in lines]
        if fact == "key":
            return [x.replace(" state", f"{ODD} state") if x.startswith("1 ") else x for x in lines]
        value = f'{{"a": "{text}"}}' if fact == "settings" else f'"{text}"'
        return [f"{fact} {value}" if x.startswith(f"{fact} ") else x for x in lines]

    return rewritten(path, change)


FACTS = ("game", "title", "scenario", "settings", "seed", "engine", "who", "key")
WAYS = [
    *(("verify", fact) for fact in FACTS),
    *(("play --save", fact) for fact in FACTS),
    *((command, fact) for command in ("replay", "play --watch", "verify --json") for fact in ("game", "key")),
]


@pytest.mark.parametrize(("command", "fact"), WAYS)
def test_no_fact_of_a_save_reaches_the_terminal_raw(tmp_path: Path, command: str, fact: str) -> None:
    path = _hostile_save(tmp_path, fact)
    first, *rest = command.split()
    done = run(first, *rest, str(path)) if "--json" not in rest else run(first, str(path), *rest)
    assert done.exit_code in (0, 1, 2)
    assert not set(done.output + done.stderr) & set("\x1b\x07\x9b\u202e")


@pytest.mark.parametrize(
    "command",
    [
        "check",
        "check --json",
        "play",
        "rule 1",
        "list",
        "fmt",
        "map",
        "simulate --games 1",
        "test",
        "docs --out out",
        "ledger",
        "nonsense",
        "play --house",
    ],
)
def test_no_file_name_reaches_the_terminal_raw(game: Path, tmp_path: Path, command: str) -> None:
    game = game.rename(tmp_path / f"g{ODD.replace('/', '')}")
    (game / "rules" / f"99{ODD}.md").write_text("# 99 More\n```rules\nnonsense\n```\n")
    first, *rest = command.split()
    done = run(first, str(game), *rest, *([str(game / f"h{ODD}.md")] if "--house" in rest else []))
    assert done.exit_code in (0, 1, 2)
    assert not set(done.output + done.stderr) & set("\x1b\x07\x9b\u202e"), command


def test_colours_are_ours_alone(game: Path) -> None:
    (game / "rules" / f"99{ODD}.md").write_text("# 99 More\n```rules\nnonsense\n```\n")
    code = "import sys\nfrom rulesdsl.cli import main\nsys.argv = ['rulesdsl', 'check', sys.argv[1]]\nmain()"
    environment = {k: v for k, v in ENVIRONMENT.items() if k != "NO_COLOR"} | {"FORCE_COLOR": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code, str(game)], capture_output=True, text=True, env=environment, check=False
    )
    assert "\x1b[" in done.stdout  # coloured …
    assert not [part for part in ("\x1b]0", "\x1b[2J", "\x9b", "\x07") if part in done.stdout]


# ---- writing
def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a"
    write_file(path, "one")
    path.chmod(0o640)

    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as context:
        context.setattr(os, "write", full)
        with pytest.raises(OSError, match="No space left") as raised:
            write_file(path, "two")
    assert raised.value.filename == str(path)
    assert path.read_text() == "one"
    write_file(path, "three")
    assert (path.read_text(), path.stat().st_mode & 0o777) == ("three", 0o640)
    assert [found.name for found in tmp_path.iterdir()] == ["a"]


def test_a_link_is_replaced_and_not_written_through(tmp_path: Path) -> None:
    (tmp_path / "private").write_text("precious")
    (tmp_path / "a").symlink_to(tmp_path / "private")
    write_file(tmp_path / "a", "mine")
    assert ((tmp_path / "private").read_text(), (tmp_path / "a").read_text()) == ("precious", "mine")


FULL = Path("/dev/full")


@pytest.mark.skipif(not FULL.exists(), reason="no such device here")
@pytest.mark.parametrize(
    "command",
    [
        "list",
        "list --json",
        "check tic_tac_toe",
        "play tic_tac_toe --seed 1",
        "map tic_tac_toe --out /dev/full",
        "rule tic_tac_toe 1",
    ],
)
def test_a_full_disk_is_told(command: str) -> None:
    with FULL.open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "rulesdsl", *command.split()], stdout=full, stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL, text=True, env=ENVIRONMENT, check=False,
        )  # fmt: skip
    assert (done.returncode, done.stderr.count("\n")) == (1, 1), done.stderr
    assert "no space left on device" in done.stderr


@pytest.mark.parametrize(("closed", "code"), [(">&-", 1), ("<&-", 0), ("2>&-", 0), ("<&- >&- 2>&-", 1)])
def test_a_closed_stream_is_told(closed: str, code: int) -> None:
    words = f'exec "$0" -m rulesdsl play tic_tac_toe --seed 1 {closed}'
    done = subprocess.run(
        ["sh", "-c", words, sys.executable], capture_output=True, text=True, env=ENVIRONMENT, check=False
    )
    assert done.returncode == code
    assert "bug" not in done.stderr


def test_the_current_directory_may_be_gone(tmp_path: Path) -> None:
    words = (
        f'mkdir {tmp_path}/gone && cd {tmp_path}/gone && rmdir {tmp_path}/gone && exec "$0" -m rulesdsl "$@"'
    )
    for command, code in (("check tic_tac_toe", 0), ("play --save x.save tic_tac_toe", 1), ("new foo", 1)):
        done = subprocess.run(
            ["sh", "-c", words, sys.executable, *command.split()],
            capture_output=True, text=True, env=ENVIRONMENT, check=False,
        )  # fmt: skip
        assert (done.returncode, "bug" in done.stderr) == (code, False), done.stderr


def test_two_simulations_do_not_mix_in_one_file(tmp_path: Path) -> None:
    from interpreter.measuring.results import open_results
    from interpreter.measuring.simulation import Setup, Table
    from interpreter.playing.game import open_game
    from rulesdsl.base.diagnostics import UsageError

    directory = find_game("tic_tac_toe")
    seats = {"cross": "random", "nought": "random"}
    table = Table(Setup(directory, (), None, {}, seats, "1", False), open_game(directory))
    first = open_results(tmp_path / "x.csv", table)
    with pytest.raises(UsageError, match="another program is writing"):
        open_results(tmp_path / "x.csv", table)
    first.close()
    open_results(tmp_path / "x.csv", table).close()


# ---- caches
def test_trees_come_back_as_they_were() -> None:
    for directory in (PATROL, find_game("tutorial/skirmish")):
        files, _ = read_texts(directory)
        kept: list[tuple[SourceFile, object]] = []

        def memory(
            kind: str, file: SourceFile, read: object, /, kept: list[tuple[SourceFile, object]] = kept
        ) -> object:
            value = read()  # type: ignore[operator]
            kept.append((file, value))
            return value

        assemble_game(directory, files, memory=memory)  # type: ignore[arg-type]
        assert kept
        for file, value in kept:
            content = encoding.encode(value, [file])
            again = encoding.decode(content, [file])
            assert (again, encoding.encode(again, [file])) == (value, content)


@pytest.mark.parametrize(
    "kind",
    [
        "subprocess:Popen",
        "os:system",
        "rulesdsl.__main__:x",
        "rulesdsl.base.source:nowhere",
        "rulesdsl.cli.play:play",
    ],
)
def test_a_tree_can_become_nothing_but_nodes(kind: str) -> None:
    with pytest.raises((ValueError, AttributeError)):
        encoding.decode(f'{{"kinds": ["{kind}"], "value": [10, "id"]}}'.encode(), [])


class Planted:
    def __reduce__(self) -> tuple[object, ...]:
        return os.system, ("touch planted",)


def test_a_planted_entry_is_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "cache"
    assert ownfiles.own_folder(folder)
    monkeypatch.setattr(cache, "_folder", lambda: folder)
    cache._memory.clear()
    file = SourceFile(Path("a"), "text")
    assert cache.remembered("check", file, lambda: [1]) == [1]
    entry = next(folder.iterdir())
    good = entry.read_bytes()
    key_and_more: list[tuple[bytes, int]] = [
        (pickle.dumps(Planted()), 0o600), (good[:-1], 0o600), (b"", 0o600), (good, 0o622),
        (good[:32] + good[32:].replace(b"1", b"2"), 0o600),
    ]  # fmt: skip
    for content, mode in key_and_more:
        entry.write_bytes(content)
        entry.chmod(mode)
        cache._memory.clear()
        assert cache.remembered("check", file, lambda: [7]) == [7], content[:20]
        entry.chmod(0o600)
    assert not (tmp_path / "planted").exists()
    # of another kind, with a good fingerprint
    cache._memory.clear()
    monkeypatch.setitem(cache._SHAPES, "check", str)
    assert cache.remembered("check", file, lambda: "new") == "new"


@pytest.mark.parametrize("kind", ["folder", "pipe", "link", "device"])
def test_what_is_kept_must_be_a_file(tmp_path: Path, kind: str) -> None:
    entry = tmp_path / "entry"
    if kind == "folder":
        entry.mkdir()
    elif kind == "pipe":
        os.mkfifo(entry)
    else:
        (tmp_path / "other").write_text("x")
        entry.symlink_to(tmp_path / "other" if kind == "link" else "/dev/zero")
    before = len(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").exists() else 0
    assert ownfiles.read_own(entry) is None
    assert not before or len(os.listdir("/proc/self/fd")) == before


def test_a_folder_that_others_can_write_to_is_no_cache(tmp_path: Path) -> None:
    below = tmp_path / "open" / "cache"
    below.mkdir(parents=True, mode=0o700)
    assert ownfiles.own_folder(below)
    (tmp_path / "open").chmod(0o777)
    assert not ownfiles.own_folder(below)
    (tmp_path / "open").chmod(0o1777)
    assert ownfiles.own_folder(below)
    below.chmod(0o770)
    assert not ownfiles.own_folder(below)
    if os.geteuid() == 0:
        below.chmod(0o700)
        os.chown(below, 65534, 65534)
        assert not ownfiles.own_folder(below)


def test_the_tables_of_the_parser_are_kept_as_json() -> None:
    from rulesdsl.language.parsing import grammar

    built = grammar.load_parser()
    again = grammar._loaded(grammar._tables(built))
    assert again is not None
    assert grammar._tables(again) == grammar._tables(built)
    text = "define a(zone) = zone is b\n"
    assert again.parse(text, start="chunk") == built.parse(text, start="chunk")
    assert grammar._loaded(pickle.dumps(Planted())) is None
