"""What the classics needed to say: payoffs, numbers, order of seats, repetition, decks, rays."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.agents.seats import make_agent
from interpreter.agents.sight import Sight
from interpreter.playing.game import Game, open_game
from interpreter.playing.session import Session
from rulesdsl.base.diagnostics import RulebookError

GAME = """game: small
title: Small
summary: A game for one sentence.
players: [{id: anna, name: Anna}, {id: ben, name: Ben}, {id: cleo, name: Cleo}]
"""
BOARD = "kind: squares\nclass: cell\ncolumns: 4\nrows: 4\nadjacency: all\n"
PIECES = """pieces:
  card:
    - {id: "card_{n}", name: "Card {n}", count: 5, start: [a1, a1, a1, a1, a1]}
"""
HEAD = """space cell
    mine: player or none

piece card
    height: stack

player
    coins: number = 0
    secret: number = 0 visible to it

quiet track noise: number = 0
track said: number = 0
"""


def made(tmp_path: Path, rules: str) -> Game:
    place = tmp_path / "small"
    (place / "rules").mkdir(parents=True)
    (place / "game.yaml").write_text(GAME, encoding="utf-8")
    (place / "map.yaml").write_text(BOARD, encoding="utf-8")
    (place / "pieces.yaml").write_text(PIECES, encoding="utf-8")
    text = f"# Small\n\n## 1 All\n```rules\n{HEAD}\n{rules}\n```\n"
    (place / "rules" / "01_rules.md").write_text(text, encoding="utf-8")
    return open_game(place)


def mistake(tmp_path: Path, rules: str) -> tuple[str, str]:
    with pytest.raises(RulebookError) as caught:
        made(tmp_path, rules)
    problem = caught.value.problems[0]
    return problem.code, problem.message


# ---- payoffs -------------------------------------------------------------------------------------------
PAID = """phase game
    anna chooses one of "how much":
        "little":
            set anna.coins to 1
        "much":
            set anna.coins to 9
        "nothing":
            set ben.coins to 4
    end game: each player where it is not cleo gets player.coins - 2 "the purse"
"""


def test_who_gets_most_has_won(tmp_path: Path) -> None:
    session = Session.start(made(tmp_path, PAID))
    session.choose("nothing")
    assert session.result is not None
    assert session.result.winners == ("ben",)
    assert session.result.payoffs == (("anna", -2), ("ben", 2))
    assert session.view(None)["result"]["payoffs"] == {"anna": "-2", "ben": "2"}


def test_agents_play_for_what_they_get(tmp_path: Path) -> None:
    session = Session.start(made(tmp_path, PAID))
    number = make_agent("mcts:60", "1").choose(Sight.of(session.ruleset, session.machine), 0)
    assert next(option.key for option in session.options if option.index == number) == "much"


def test_equal_payoffs_are_a_draw(tmp_path: Path) -> None:
    session = Session.start(made(tmp_path, 'phase game\n    end game: each player gets 3 "all alike"'))
    assert session.result is not None
    assert (session.result.outcome, session.result.winners) == ("drawn", ())


def test_only_players_get_something(tmp_path: Path) -> None:
    code, words = mistake(tmp_path, "phase game\n    end game: each cell gets 3")
    assert code == "type-mismatch"
    assert "players" in words


# ---- numbers -------------------------------------------------------------------------------------------
def test_numbers_are_offered_in_order_and_by_themselves(tmp_path: Path) -> None:
    rules = """phase game
    anna chooses a number as offer from 2 to 7/2 + 3 where it != 4 or "pass" "a bid":
        set said to offer
    ben chooses a number as offer from 3 to 2 "nothing to choose":
        set said to 99
    cleo chooses a cell where it.row = 1, a number as many from 0 to 1:
        set said to said + many
"""
    session = Session.start(made(tmp_path, rules))
    assert [option.key for option in session.options] == ["2", "3", "5", "6", "pass"]
    session.choose("5")
    assert session.player == "cleo"
    assert [option.key for option in session.options][:3] == ["a1+0", "a1+1", "b1+0"]
    session.choose("b1+1")
    assert session.view(None)["tracks"]["said"] == 6


# ---- order of seats ------------------------------------------------------------------------------------
def test_seats_in_their_order(tmp_path: Path) -> None:
    rules = """phase game
    set anna.coins to 5
    set cleo.coins to 1
    for each player from ben round: note "round {}", player
    for each player in order of it.coins: note "least {}", player
    for each player where (it is not ben) from ben round: note "but {}", player
"""
    session = Session.start(made(tmp_path, rules))
    told = [line.text for line in session.log if line.kind == "note"]
    assert told == ["round Ben", "round Cleo", "round Anna", "least Ben", "least Cleo", "least Anna",
                    "but Cleo", "but Anna"]  # fmt: skip


def test_a_round_begins_with_one_of_them(tmp_path: Path) -> None:
    code, _ = mistake(tmp_path, 'phase game\n    for each player from a1 round: note "x"')
    assert code == "type-mismatch"


# ---- positions -----------------------------------------------------------------------------------------
REMEMBERED = """phase game
    do look
    {between}
    do look
    note "seen {{}} times", said
procedure look
    remember the position as times
    set noise to times
    if noise > 1: set said to noise
"""


@pytest.mark.parametrize(
    ("between", "times"),
    [
        ("set noise to 7", 2),  # bookkeeping is no part of it
        ("set anna.secret to 3", 2),  # nor is what somebody may not know
        ("set b2.mine to anna", 0),
        ("move card_1 to b2", 0),
        ("roll 1d6 as die", 2),
    ],
)
def test_what_a_position_is(tmp_path: Path, between: str, times: int) -> None:
    session = Session.start(made(tmp_path, REMEMBERED.format(between=between)))
    assert [line.text for line in session.log if line.kind == "note"] == [f"seen {times} times"]


# ---- decks ---------------------------------------------------------------------------------------------
def test_shuffling_orders_a_stack_by_the_seed(tmp_path: Path) -> None:
    rules = "phase game\n    shuffle (cards in a1)\n    anna chooses a cell"
    game = made(tmp_path, rules)
    orders = set()
    for seed in range(20):
        things = Session.start(game, seed=seed).view(None)["things"]
        heights = tuple(things[f"piece:card_{n}"]["height"] for n in range(1, 6))
        assert sorted(heights) == [1, 2, 3, 4, 5]
        orders.add(heights)
    assert len(orders) > 10


# ---- rays ----------------------------------------------------------------------------------------------
def test_rays_end_where_they_should(tmp_path: Path) -> None:
    rules = """phase game
    set c1.mine to anna
    set a3.mine to ben
    note "{}", number of cells among ray(a1, east)
    note "{}", number of cells among ray_to(a1, east, cells where it.mine is not none)
    note "{}", first_along(a1, north, cells where it.mine is not none)
    note "{}", number of cells among ray_to(a1, (directions where it is one of north, east), taken)
    note "{}", number of cells among first_along(a1, directions, taken)
    note "{}", number of cells among ray(d4, north)
define taken = cells where it.mine is not none
"""
    session = Session.start(made(tmp_path, rules))
    assert [line.text for line in session.log if line.kind == "note"] == ["3", "2", "a3", "4", "2", "0"]
