"""A position as an example: what is given brings the game there again."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from interpreter.measuring.drafted_examples import REMARK, example_of
from interpreter.measuring.examples import play_example, rules_for
from interpreter.playing.game import finish_game, open_game
from interpreter.playing.session import Session
from rulesdsl.base.source import SourceFile
from tests.kit.command_line import run
from tests.promises import play_on


@pytest.mark.parametrize(
    ("name", "paragraph", "decisions"),
    [
        ("tutorial/skirmish", "5", 30),
        ("tutorial/hex", "1", 9),
        ("classics/chess", "1", 14),
        ("race_for_berlin", "8", 40),
    ],
)
def test_the_same_things_stand_in_the_same_places(name: str, paragraph: str, decisions: int) -> None:
    session = Session.start(open_game(name), seed=4)
    play_on(session, Random(4), decisions)
    text = example_of(session)
    assert REMARK in text
    document = f"# D\nWhy.\n\n## amends {paragraph}\nSo.\n```example\n{text}\n```\n"
    game = finish_game(session.game.source, (), [SourceFile(Path("drafted.md"), document)])
    example = next(e for e in game.program.examples if e.source.span.file.path.name == "drafted.md")
    again, problems = play_example(game, rules_for(game, example), example)
    assert not problems
    now, then = again.view(None), session.view(None)
    assert now["things"] == then["things"]
    assert now["tracks"] == then["tracks"]


def test_a_saved_game_is_printed_as_an_example(tmp_path: Path) -> None:
    session = Session.start(open_game("tutorial/skirmish"), seed=4)
    play_on(session, Random(4), 30)
    from interpreter.keeping.saves import save

    save(session, tmp_path / "game.save")
    told = run("replay", str(tmp_path / "game.save"), "--example")
    assert told.exit_code == 0
    assert told.output.startswith("```example\ngiven scenario bridge\n")
    assert run("replay", str(tmp_path / "game.save"), "--example", "--at", "9999").exit_code == 2
