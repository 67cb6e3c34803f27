"""A game that is being edited: after every edit the answer is that of a fresh check, word for word."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rulesdsl.base.cache import remembered
from rulesdsl.base.diagnostics import RulebookError, UsageError, errors, in_order, render
from rulesdsl.base.resources import data_dir
from rulesdsl.base.source import SourceFile
from rulesdsl.book.loader import assemble_game
from rulesdsl.book.texts import typed_text
from rulesdsl.checking.checker import check
from rulesdsl.drawing.style.style_file import drawing_problems
from rulesdsl.pipeline.workspace import Workspace
from tests.checking.test_mistakes import break_line

PATROL = Path(__file__).parents[1] / "testdata" / "games" / "patrol"


def fresh(workspace: Workspace) -> list[str]:
    """The problems of the same texts, with nothing known of earlier versions."""
    files: list[SourceFile] = []
    problems = []
    for path in workspace.paths:
        try:
            files.append(typed_text(path, workspace.text(path)))
        except RulebookError as error:
            problems += error.problems

    def forgetful(kind: str, file: SourceFile, read: Callable[[], object], /) -> object:
        return read() if kind == "chapter" else remembered(kind, file, read)

    source, found = assemble_game(workspace.directory, files, memory=forgetful)  # type: ignore[arg-type]
    problems += found
    if source is not None and not (errors(found) and source.lacks_things()):
        problems += check(source)[1]
        if not errors(problems):
            problems += drawing_problems(source)
    return [render(problem) for problem in in_order(problems)]


def edited(rng: random.Random, text: str) -> str:
    """The text with one change of the kind that editors see."""
    lines = text.split("\n")
    number = rng.randrange(len(lines))
    match rng.randrange(6):
        case 0:
            lines.insert(number, "")
        case 1:
            del lines[number]
        case 2:
            lines.insert(number, lines[number])
        case 3:
            block = lines[number : number + rng.randrange(2, 15)]
            del lines[number : number + len(block)]
            place = rng.randrange(len(lines) + 1)
            lines[place:place] = block
        case 4:
            lines[number] += rng.choice((" #", " x", '"', ":", " and true", "  # why"))
        case _:
            broken = break_line(rng, lines[number])
            lines[number] = broken[1] if broken is not None else lines[number]
    return "\n".join(lines)


def compare(game: Path, edits: int, seed: int) -> int:
    """Random edits one after the other, most of them taken back; how many answers had problems."""
    rng = random.Random(seed)
    workspace = Workspace(game)
    assert [render(p) for p in workspace.problems()] == fresh(workspace)
    wrong = 0
    for number in range(edits):
        chapters = [path for path in workspace.paths if path.suffix == ".md"]
        path = rng.choice(chapters if rng.random() < 0.8 else workspace.paths)
        before = workspace.text(path)
        after = edited(rng, before)
        workspace.edit(path, after)
        answer = [render(p) for p in workspace.problems()]
        assert answer == fresh(workspace), f"edit {number} of {path.name}, seed {seed}"
        wrong += bool(answer)
        if answer and rng.random() < 0.7:
            workspace.edit(path, before)
    return wrong


@pytest.mark.parametrize("seed", [1, 2])
def test_random_edits_of_small_games(seed: int) -> None:
    wrong = compare(data_dir("games") / "tutorial" / "skirmish", 25, seed) + compare(PATROL, 25, seed)
    assert 5 < wrong < 50


def test_random_edits_of_a_whole_wargame() -> None:
    assert compare(data_dir("games") / "race_for_berlin", 3, 1945) <= 3


def test_files_come_and_go(tmp_path: Path) -> None:
    game = tmp_path / "skirmish"
    shutil.copytree(data_dir("games") / "tutorial" / "skirmish", game)
    workspace = Workspace(game)
    assert not workspace.problems()
    chapter = next(path for path in workspace.paths if path.parent.name == "rules")
    workspace.remove(chapter)
    gone = [render(p) for p in workspace.problems()]
    assert gone == fresh(workspace) != []
    assert workspace.reread() == [chapter]
    assert not workspace.problems()
    new = game / "rules" / "99_more.md"
    workspace.edit(new, "## 99 More\n```rules\ndefine never_asked = 1\n```\n")
    assert [p.code for p in workspace.problems()] == ["unused"]
    workspace.edit(new, "a\u202eb")
    assert [p.code for p in workspace.problems()] == ["file-character"]
    assert workspace.reread() == [new]
    assert not workspace.problems()
    workspace.remove(game / "game.yaml")
    assert [p.code for p in workspace.problems()] == ["file-missing"]
    with pytest.raises(UsageError):
        workspace.edit(game / "notes.txt", "")


def test_a_statement_that_stands_twice_is_two_statements(tmp_path: Path) -> None:
    game = tmp_path / "skirmish"
    shutil.copytree(data_dir("games") / "tutorial" / "skirmish", game)
    workspace = Workspace(game)
    path = next(path for path in workspace.paths if path.suffix == ".md")
    text = workspace.text(path)
    block = text[text.index("```rules") : text.index("```", text.index("```rules") + 3) + 3]
    workspace.edit(path, f"{text}\n## 99 Again\n{block}\n")
    assert {p.code for p in workspace.problems()} >= {"duplicate-name"}
    assert [render(p) for p in workspace.problems()] == fresh(workspace)


def started(*arguments: str, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "rulesdsl", "check", *arguments], stdout=subprocess.PIPE, text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a background job ignores it
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), "NO_COLOR": "1", **environment},
    )  # fmt: skip


def test_an_answer_from_the_cache_is_the_same_answer(tmp_path: Path) -> None:
    game = tmp_path / "skirmish"
    shutil.copytree(data_dir("games") / "tutorial" / "skirmish", game)
    chapter = game / "rules" / "01_sequence.md"
    chapter.write_text(
        chapter.read_text(encoding="utf-8").replace("define supplied(", "define suplied(", 1),
        encoding="utf-8",
    )
    answers = []
    for environment in (
        {"RULESDSL_NO_CACHE": "1"},
        {"XDG_CACHE_HOME": str(tmp_path / "cache")},
        {"XDG_CACHE_HOME": str(tmp_path / "cache")},
    ):
        run = started(str(game), **environment)
        answers.append((run.communicate()[0], run.returncode))
    assert answers[0][1] == 1
    assert answers[0] == answers[1] == answers[2]
    assert list((tmp_path / "cache").rglob("check-*.tree"))
    chapter.write_text(
        chapter.read_text(encoding="utf-8").replace("define suplied(", "define supplied(", 1),
        encoding="utf-8",
    )
    run = started(str(game), XDG_CACHE_HOME=str(tmp_path / "cache"))
    assert (run.communicate()[0], run.returncode) == (f"{game}: no problems\n", 0)


@pytest.mark.parametrize("house", [False, True])
def test_watching_tells_of_every_change(tmp_path: Path, house: bool) -> None:
    """Of the game, and of house rules over it, which stand somewhere else."""
    game = tmp_path / "skirmish"
    shutil.copytree(data_dir("games") / "tutorial" / "skirmish", game)
    more = tmp_path / "99_more.md" if house else game / "rules" / "99_more.md"
    if house:
        more.write_text("# More\n\n## after 5.5 → 99 More\nMore.\n", encoding="utf-8")
    run = started("--watch", str(game), *(["--house", str(more)] if house else []))
    assert run.stdout is not None
    try:
        assert "no problems" in run.stdout.readline()
        heading = "# More\n\n## after 5.5 → 99 More" if house else "## 99 More"
        more.write_text(f"{heading}\n```rules\ndefine f = g\n```\n", encoding="utf-8")
        told = ""
        while "waiting" not in told:
            line = run.stdout.readline()
            assert line, f"it ended: {told}"
            told += line
        assert "99_more.md changed" in told
        assert "unknown-name" in told
        assert "1 error (" in told
        run.send_signal(signal.SIGINT)
        assert run.wait(60) == 130
    finally:
        run.kill()
