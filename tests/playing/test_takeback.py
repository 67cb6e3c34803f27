"""Taking back: every barrier stops `undo`, `undo!` goes as far as people can forget, and the log tells."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.playing.session import Session
from interpreter.playing.takeback import take_back
from rulesdsl.base.diagnostics import UsageError

GAME = """# Undo

## 1 Rules
```rules
player
    card: number = 3 visible to seers(it)
    shown: flag

define seers(player) = players where it is player or player is shown

phase game
    repeat at most 9 times:
        do turn_of(red)
        do turn_of(blue)
    end game: drawn

procedure turn_of(player)
    player chooses one of "what now":
        "quiet": note "nothing"
        "roll":
            roll 1d6 as die for "luck"
            note "{}", die
        "show both":
            mark red as shown
            roll 1d6 as die for "luck"
        "show":
            mark red as shown
        "dice then show":
            roll 1d6 as die for "luck"
            mark red as shown
        "pick":
            pick player as lucky at random
    player chooses one of "go on":
        "yes": note "yes"
        "no": note "no"
```
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("games") / "undo"
    (place / "rules").mkdir(parents=True)
    (place / "rules" / "01.md").write_text(GAME)
    players = "players: [{id: red, name: Red}, {id: blue, name: Blue}]"
    paragraphs = "paragraphs: [{id: '1', title: Rules}]"
    (place / "game.yaml").write_text(f"game: undo\ntitle: Undo\nsummary: undo\n{players}\n{paragraphs}\n")
    return place


ALONE, BOTH = {"red"}, {"red", "blue"}


@pytest.mark.parametrize(
    ("choice", "barriers", "words"),
    [
        ("roll", ("dice",), "dice were rolled"),
        ("pick", ("chance",), "chance has decided"),
        ("show", ("reveal",), "something hidden was shown"),
        ("show-both", ("dice", "reveal"), "something hidden was shown and dice were rolled"),
        ("dice-then-show", ("dice", "reveal"), "something hidden was shown and dice were rolled"),
    ],
)
def test_each_barrier_stops_undo(home: Path, choice: str, barriers: tuple[str, ...], words: str) -> None:
    session = Session.start(home, seed=1)
    session.choose(choice)
    assert set(session.history[-1].barriers) == set(barriers)
    for people in (ALONE, BOTH):
        with pytest.raises(UsageError, match=words):
            take_back(session, people, insisting=False)
    assert session.choices == [choice]
    if "reveal" in barriers:
        with pytest.raises(UsageError, match="while others play"):
            take_back(session, BOTH, insisting=True)
        assert session.choices == [choice]
    else:
        assert take_back(session.copy(), BOTH, insisting=True) == 1
    assert take_back(session, ALONE, insisting=True) == 1
    assert session.choices == []
    assert [e.text for e in session.log_of("blue") if e.kind == "undo"] == [
        f"a decision is taken back, although {words}"
    ]


def test_what_nobody_has_seen_is_taken_back_without_a_word(home: Path) -> None:
    session = Session.start(home, seed=1)
    before = session.hash
    session.choose("quiet")
    assert take_back(session, BOTH, insisting=False) == 1
    assert session.hash == before
    assert not [e for e in session.log if e.kind == "undo"]


def test_another_players_question_and_decision_are_barriers(home: Path) -> None:
    session = Session.start(home, seed=1)
    for key in ("quiet", "yes"):
        session.choose(key)
    assert session.player == "blue"
    with pytest.raises(UsageError, match="Blue was asked since"):
        take_back(session, BOTH, insisting=False)
    for key in ("quiet", "yes"):
        session.choose(key)
    with pytest.raises(UsageError, match="Blue has decided since"):
        take_back(session, ALONE, insisting=False)
    assert take_back(session, ALONE, insisting=True) == 3
    assert session.choices == ["quiet"]


def test_the_log_does_not_forget_what_was_insisted_upon(home: Path) -> None:
    session = Session.start(home, seed=1)
    session.choose("quiet")
    session.choose("yes")
    session.choose("roll")
    take_back(session, {"blue"}, insisting=True)
    session.undo(2)
    assert [e.kind for e in session.log_of(None)].count("undo") == 1
    session.choose("quiet")
    assert session.log_of("red")[-1].text == "nothing"
