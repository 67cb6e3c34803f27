"""`define takes_part(player)`: nobody sees a seat that is not in the scenario."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from interpreter.agents.seats import read_seats
from interpreter.agents.sight import worth
from interpreter.measuring.handbook_facts import facts_of_game
from interpreter.measuring.simulation import MANY_GAMES, Setup, Table, play_games
from interpreter.playing.game import Game, open_game
from interpreter.playing.session import Session
from rulesdsl.base.diagnostics import RulebookError, UsageError
from rulesdsl.base.resources import find_game
from rulesdsl.cli import group
from rulesdsl.handbook.book import Book
from rulesdsl.handbook.pages.front_page import front_page

SEATS = {
    "historical": ("soviet", "western"),
    "extended": ("soviet", "western"),
    "collapse_in_the_east": ("soviet", "western"),
    "red_star_white_star": ("soviet", "western"),
    "three_players": ("soviet", "western", "german"),
    "four_players": ("soviet", "western", "german_west", "german_east"),
}
Edited = Callable[[str], Path]


@pytest.fixture
def skirmish(tmp_path: Path) -> Edited:
    """The skirmish with one more statement in its last paragraph with rules."""

    def edited(statement: str) -> Path:
        copy = tmp_path / "skirmish"
        shutil.copytree(find_game("tutorial/skirmish"), copy)
        last = sorted((copy / "rules").glob("*.md"))[-1]
        before, fence, after = last.read_text(encoding="utf-8").rpartition("```rules\n")
        last.write_text(f"{before}{fence}{statement}\n{after}", encoding="utf-8")
        return copy

    return edited


@pytest.mark.parametrize("name", SEATS)
def test_each_scenario_has_its_seats(name: str) -> None:
    session = Session.start("battle_for_germany", name)
    assert session.ruleset.seats.ids == SEATS[name]
    assert set(worth(session.ruleset, session.machine) or ()) == set(session.ruleset.seats.index.values())
    assert set(read_seats(["all=random"], session.ruleset.seats)) == set(SEATS[name])


def test_who_takes_part_is_known_without_the_other_rules() -> None:
    game = open_game("battle_for_germany")
    for name, scenario in game.source.scenarios.items():
        ruleset = replace(game.ruleset({}, scenario))  # not yet compiled by another test
        assert ruleset.seats.ids == SEATS[name]
        assert not {"full", "fast"} & {*vars(ruleset)}


def test_an_option_counts_like_a_scenario() -> None:
    session = Session.start("battle_for_germany", options={"chapter": "three_players"})
    assert session.ruleset.seats.ids == SEATS["three_players"]


def test_without_it_everybody_takes_part() -> None:
    game = open_game("race_for_berlin")
    assert game.ruleset().seats is game.program.world.universes["player"]


def test_a_seat_of_another_scenario_is_refused() -> None:
    seats = Session.start("battle_for_germany").ruleset.seats
    with pytest.raises(UsageError, match="there are soviet, western, all"):
        read_seats(["german=random"], seats)


@pytest.mark.parametrize("command", ["play", "simulate"])
def test_nobody_sees_an_empty_seat(command: str) -> None:
    rest = ["--games", "1"] if command == "simulate" else ["--seat", "all=random"]
    told = CliRunner(env={"NO_COLOR": "1"}).invoke(
        group.commands, [command, "battle_for_germany", "--seed", "3", *rest]
    )
    assert told.exit_code == 0, told.output
    opening, ending = told.output.splitlines()[:2], told.output.splitlines()[-8:]
    shown = " ".join([*opening, *ending]) if command == "play" else told.output
    assert re.search("soviet", shown, re.IGNORECASE)
    assert not re.search(r"\bgerman(_west|_east|s)\b", shown, re.IGNORECASE)


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("define takes_part(zone) = true", "says of one player"),
        ("define takes_part(player) = 1", "says of one player"),
        ("define takes_part(player) = turn > 1", "may change during a game"),
        ("define takes_part(player) = here(player)\ndefine here(player) = turn > 1", "may change during"),
    ],
)
def test_what_it_may_ask_for(skirmish: Edited, statement: str, message: str) -> None:
    with pytest.raises(RulebookError) as caught:
        open_game(skirmish(statement))
    assert [(p.code, message in p.message) for p in caught.value.problems] == [("wrong-seating", True)]


def table_of(game: Game, seats: dict[str, str]) -> Table:
    return Table(Setup(Path(), (), None, {}, seats, "7"), game)


def test_a_rule_that_asks_somebody_who_is_not_there_fails_the_game(skirmish: Edited) -> None:
    game = open_game(skirmish("define takes_part(player) = player is red"))
    table = table_of(game, {"red": "random"})
    for games in (1, MANY_GAMES):  # played step by step, and at one go
        failed = next(iter(play_games(table, range(games)))).failure
        assert re.fullmatch(r"blue takes no part, but is asked something \(.+\)", failed)


def test_when_it_is_true_of_nobody_all_take_part(skirmish: Edited) -> None:
    game = open_game(skirmish("define takes_part(player) = false"))
    assert game.ruleset().seats.ids == ("blue", "red")


def test_at_the_table_somebody_answers_for_him(skirmish: Edited) -> None:
    path = skirmish("define takes_part(player) = player is red")
    told = CliRunner(env={"NO_COLOR": "1"}).invoke(
        group.commands, ["play", str(path), "--seed", "3", "--seat", "red=random"]
    )
    assert told.exit_code == 0, told.output
    assert told.output.count("Blue takes no part, but is asked: random answers") == 1


def test_the_handbook_says_who_plays_which_scenario(skirmish: Edited) -> None:
    game = open_game(skirmish("define takes_part(player) = player is red"))
    facts = facts_of_game(game)
    assert set(facts.seats.values()) == {("Red",)}
    shown = repr(front_page(Book(game.source, game.program, facts), ()))
    assert "Players:" not in shown
    assert re.search(r"Scenarios: [^.]*\([^)]*Red", shown)
