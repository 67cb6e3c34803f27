"""Who knows where a token is: drawn, given, given openly, shown, played, discarded, back in the bag."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.playing.game import open_game
from interpreter.playing.session import Session
from interpreter.running.machine import Machine
from interpreter.state.token_cells import HELD, IN_BAG, SPENT, TokenCells, token_cells
from rulesdsl.base.diagnostics import RulebookError

PATROL = Path(__file__).parents[1] / "testdata" / "games" / "patrol"
RED, BLUE = 0, 1
HALT, FRESH, SWAP = 0, 1, 2
UNSEEN = "Red is given a token"


@pytest.fixture
def table() -> tuple[Machine, TokenCells]:
    ruleset = open_game(PATROL).ruleset({}, None)
    machine = ruleset.new_machine(None, "1", traced=True)
    cells = token_cells(ruleset.layout)
    assert cells is not None
    machine.watch = []
    return machine, cells


def knowing(machine: Machine, cells: TokenCells, token: int) -> set[int]:
    return {player for player in (RED, BLUE) if cells.knows(machine.s, token, player)}


def test_everybody_knows_what_is_in_a_bag_nobody_drew_from(table: tuple[Machine, TokenCells]) -> None:
    assert knowing(*table, HALT) == knowing(*table, SWAP) == {RED, BLUE}


def test_who_takes_a_token_out_of_the_bag_unseen_alone_knows_what_is_left(
    table: tuple[Machine, TokenCells],
) -> None:
    machine, cells = table
    machine.put_token(HALT, RED, HELD, cells)
    assert knowing(machine, cells, HALT) == {RED}
    assert knowing(machine, cells, SWAP) == {RED}
    machine.put_token(FRESH, BLUE, HELD, cells)
    assert knowing(machine, cells, SWAP) == set()
    assert knowing(machine, cells, FRESH) == {BLUE}


def test_given_openly_it_is_known_wherever_it_goes(table: tuple[Machine, TokenCells]) -> None:
    machine, cells = table
    machine.put_token(HALT, RED, HELD, cells, openly=True)
    assert knowing(machine, cells, SWAP) == {RED, BLUE}, "everybody saw which one was taken out"
    machine.put_token(FRESH, RED, HELD, cells)
    machine.put_token(HALT, BLUE, HELD, cells)
    assert knowing(machine, cells, HALT) == {RED, BLUE}
    machine.put_token(HALT, -1, IN_BAG, cells)
    assert knowing(machine, cells, HALT) == {RED, BLUE}
    machine.put_token(SWAP, RED, HELD, cells)
    assert knowing(machine, cells, HALT) == {RED}, "it may be the one that was drawn"


def test_given_unseen_both_hands_know_it(table: tuple[Machine, TokenCells]) -> None:
    machine, cells = table
    machine.put_token(HALT, RED, HELD, cells)
    machine.put_token(HALT, BLUE, HELD, cells)
    assert knowing(machine, cells, HALT) == {RED, BLUE}


def test_what_is_shown_or_laid_open_is_a_reveal_once(table: tuple[Machine, TokenCells]) -> None:
    machine, cells = table
    machine.put_token(HALT, RED, HELD, cells)
    assert machine.watch == []
    machine.show_token(HALT, 1 << BLUE, cells)
    assert machine.watch == ["reveal"]
    machine.put_token(HALT, -1, SPENT, cells)
    assert machine.watch == ["reveal"], "it was known already"
    assert knowing(machine, cells, HALT) == {RED, BLUE}


def changed_patrol(home: Path, old: str, new: str) -> Path:
    (home / "rules").mkdir(parents=True)
    for file in ("game.yaml", "map.yaml", "pieces.yaml", "rules/01_patrol.md"):
        text = (PATROL / file).read_text()
        assert file != "rules/01_patrol.md" or old in text
        (home / file).write_text(text.replace(old, new))
    return home


@pytest.mark.parametrize(
    ("written", "seen"),
    [
        ("give halt to red", {"red": "Halt goes to Red", "blue": UNSEEN, None: UNSEEN}),
        ("give halt to red openly", dict.fromkeys(("red", "blue", None), "Halt goes to Red")),
    ],
)  # fmt: skip
def test_views_and_logs_tell_what_was_seen(tmp_path: Path, written: str, seen: dict[str | None, str]) -> None:
    home = changed_patrol(tmp_path / "patrol", "    draw a token for red\n", f"    {written}\n")
    session = Session.start(home, seed=3)
    for seat, line in seen.items():
        assert [e.text for e in session.log_of(seat) if e.kind == "token give"] == [line]
        known = session.view(seat)["tokens"]["known"]
        assert known == ({"red": ["halt"]} if seat != "red" and line.startswith("Halt") else {})


def test_a_token_is_shown_to_one_of_them(tmp_path: Path) -> None:
    drawn = "    draw a token for red\n    draw a token for blue\n"
    written = "    give halt to red\n    show halt to blue\n"
    home = changed_patrol(tmp_path / "patrol", drawn, written)
    session = Session.start(home, seed=3)
    assert session.view("blue")["tokens"]["known"] == {"red": ["halt"]}
    assert session.view(None)["tokens"]["known"] == {"red": ["halt"]}, "all who play know it"
    assert [e.text for e in session.log_of("blue") if e.kind == "token show"] == ["Halt is shown to Blue"]


def test_a_token_that_is_played_is_known_and_lost_when_another_draws() -> None:
    """The gift goes to the other player by 3: everybody saw it being played."""
    for seed in range(40):
        session = Session.start(PATROL, seed=seed)
        for number in range(60):
            if session.over:
                break
            keys = [option.key for option in session.options]
            session.choose("gift" if "gift" in keys else keys[number % len(keys)])
            given = [e for e in session.log_of(None) if e.text.startswith("Gift goes to")]
            if given:
                view = session.view(None)["tokens"]
                assert "gift" in [name for names in view["known"].values() for name in names]
                return
    raise AssertionError("the gift was never played")


def test_only_tokens_are_shown(tmp_path: Path) -> None:
    home = changed_patrol(tmp_path / "patrol", "    draw a token for red\n", "    show red to blue\n")
    with pytest.raises(RulebookError, match="token"):
        open_game(home)
