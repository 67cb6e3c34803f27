"""A search in use: a house rule by which draughts players must capture most, beside a count made by hand."""

from __future__ import annotations

import random
from pathlib import Path

from interpreter.measuring.examples import run_examples
from interpreter.playing.game import open_game
from rulesdsl import Session

RULE = Path(__file__).parents[1] / "testdata" / "house" / "most_must_be_taken.md"
Cell = tuple[int, int]
Men = dict[Cell, tuple[str, bool]]  # where they stand: whose, and whether crowned


def most(men: Men, at: Cell, may_go_on: bool = True) -> int:
    """How many men the one that stands there can capture, one jump after the other."""
    owner, crowned = men[at]
    if not may_go_on:
        return 0
    found = 0
    for dx in (-1, 1):
        for dy in (-1, 1) if crowned else (1,) if owner == "black" else (-1,):
            over, goal = (at[0] + dx, at[1] + dy), (at[0] + 2 * dx, at[1] + 2 * dy)
            inside = 1 <= goal[0] <= 8 and 1 <= goal[1] <= 8
            if inside and goal not in men and over in men and men[over][0] != owner:
                last = goal[1] == (8 if owner == "black" else 1)
                rest = {cell: man for cell, man in men.items() if cell not in (at, over)}
                rest[goal] = (owner, crowned or last)
                found = max(found, 1 + most(rest, goal, crowned or not last))
    return found


def place(text: str) -> Cell:
    return "abcdefgh".index(text[0]) + 1, int(text[1])


def men_of(session: Session) -> tuple[Men, dict[str, str]]:
    """What stands on the board, and where each man stands."""
    things = session.view(str(session.player))["things"]
    pieces = {name.removeprefix("piece:"): said for name, said in things.items() if name.startswith("piece:")}
    where = {name: said["at"] for name, said in pieces.items() if said.get("at") not in (None, "none")}
    men = {place(at): (name.split("_")[0], bool(pieces[name].get("crowned"))) for name, at in where.items()}
    return men, where


def test_what_is_offered_captures_most() -> None:
    compared = 0
    for seed in range(3):
        session, luck = Session.start("classics/draughts", house=[RULE], seed=seed), random.Random(seed)
        while not session.over and len(session.history) < 90:
            keys = [option.key for option in session.options]
            if all("+" in key for key in keys):
                men, where = men_of(session)
                mover = str(session.player)
                wanted = max(most(men, at) for at, (owner, _) in men.items() if owner == mover)
                able = {
                    name for name, at in where.items()
                    if name.startswith(mover) and most(men, place(at)) == wanted
                }  # fmt: skip
                if wanted:
                    assert {key.split("+")[0].removeprefix("go:") for key in keys} == able
                    compared += 1
            session.choose(luck.choice(session.options))
    assert compared >= 20


def test_its_example_holds() -> None:
    results = run_examples(open_game("classics/draughts", [RULE]), "4.2")
    own = [result for result in results if result.span.file.path == RULE]
    assert own
    assert [result.problems for result in own if not result.passed] == []
