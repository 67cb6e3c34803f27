"""At the same time: nobody waits for another, and nobody learns what another has chosen before all have."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from interpreter.agents.seats import agents_for
from interpreter.agents.sight import Sight
from interpreter.keeping.saves import load, save
from interpreter.playing.session import Session
from interpreter.playing.simultaneous import chosen_together, question_of
from interpreter.serving.seating import PERSON, Seating
from interpreter.serving.table import Table, answer

VULTURES = str(Path(__file__).parents[1] / "testdata" / "games" / "vultures")
SEATS = ("anna", "ben", "cleo")


def start(seed: int = 1) -> Session:
    return Session.start(VULTURES, seed=seed)


def seen(session: Session, seat: str) -> str:
    """Everything a seat is told: its view and its log."""
    return json.dumps(
        [session.view(seat), [str(line) for line in session.log_of(seat)]], sort_keys=True, default=str
    )


def test_what_one_is_offered_and_sees_is_the_same_whatever_the_others_have_chosen() -> None:
    worlds = []
    for choices in (("anna_1", "ben_2"), ("anna_5", "ben_4")):
        session = start()
        for key in choices:
            session.choose(key)
        worlds.append(
            (seen(session, "cleo"), [option.key for option in session.options], str(session.prompt))
        )
    assert worlds[0] == worlds[1]
    before = start()
    ahead = question_of(before, "cleo")
    assert ahead is not None
    assert ahead.player == "cleo"
    assert (seen(ahead, "cleo"), [option.key for option in ahead.options]) == worlds[0][:2]
    assert before.player == "anna", "nothing has been decided in the game itself"


def test_when_all_have_chosen_all_is_seen() -> None:
    session = start()
    for key in ("anna_5", "ben_4", "cleo_5"):
        session.choose(key)
    assert (
        session.position.attribute("ben", "points") == 4 if hasattr(session.position, "attribute") else True
    )
    told = "\n".join(str(line) for line in session.log_of("cleo"))
    assert "Anna 5" in told
    assert "Ben 4" in told


def test_a_save_and_taking_back_in_the_middle(tmp_path: Path) -> None:
    session = start()
    session.choose("anna_5")
    save(session, tmp_path / "a.save")
    again = load(tmp_path / "a.save")
    assert (again.player, again.machine.s) == ("ben", session.machine.s)
    again.undo()
    assert again.player == "anna"
    assert chosen_together(again) is not None


def test_the_computer_plays_without_knowing() -> None:
    """What an agent chooses does not hang on what the one before it has chosen."""
    found = set()
    for key in ("anna_1", "anna_3", "anna_5"):
        session = start()
        session.choose(key)
        agent = agents_for({"ben": "greedy"}, "7")["ben"]
        found.add(agent.choose(Sight.of(session.ruleset, session.machine), len(session.history)))
    assert len(found) == 1


class Player:
    def __init__(self, table: Table, seat: str) -> None:
        door = next(door for door in table.seating.doors if door.seats == (seat,))
        self.table, self.token = table, door.token

    def ask(self, do: str, **more: Any) -> dict[str, Any]:
        return answer(self.table, {"do": do, "token": self.token, **more})

    def plays(self, key: str) -> dict[str, Any]:
        return self.ask("act", keys=[key], at=self.ask("look")["at"])


def table(**kinds: str) -> tuple[Table, dict[str, Player]]:
    seats = dict.fromkeys(SEATS, PERSON) | kinds
    found = Table("t", start(), Seating.arranged(seats, by_link=True))
    found.settle()
    return found, {seat: Player(found, seat) for seat in SEATS if seats[seat] == PERSON}


@pytest.mark.parametrize("order", [("cleo", "ben", "anna"), ("ben", "anna", "cleo"), ("anna", "cleo", "ben")])
def test_at_the_table_they_choose_in_any_order_and_the_game_is_the_same(order: tuple[str, ...]) -> None:
    found, players = table()
    assert all(player.ask("look")["asked"]["mine"] for player in players.values()), "all are asked at once"
    cards = {"anna": "anna_5", "ben": "ben_4", "cleo": "cleo_5"}
    for number, seat in enumerate(order):
        others = {other: json.dumps(players[other].ask("look")) for other in SEATS if other != seat}
        assert players[seat].plays(cards[seat])["ok"]
        if number < 2:
            for other, before in others.items():
                if other not in order[:number]:
                    assert json.dumps(players[other].ask("look")) == before, (
                        "nobody sees that somebody has chosen"
                    )
            assert players[seat].plays(f"{seat}_1")["code"] == "turn", "one choice each"
    plain = start()
    for key in cards.values():
        plain.choose(key)
    assert [moment.key for moment in found.session.history] == list(cards.values())
    assert found.session.machine.s == plain.machine.s


def test_a_kept_choice_can_be_taken_back_until_all_have_chosen() -> None:
    found, players = table()
    assert players["cleo"].plays("cleo_5")["stopped"] == "your choice is kept until the others have chosen"
    assert players["cleo"].ask("undo")["taken_back"] == 1
    assert players["cleo"].plays("cleo_2")["ok"]
    for seat in ("anna", "ben"):
        players[seat].plays(f"{seat}_1")
    assert [moment.key for moment in found.session.history] == ["anna_1", "ben_1", "cleo_2"]


def test_what_was_kept_for_a_round_that_was_taken_back_is_forgotten() -> None:
    found, players = table()
    players["anna"].plays("anna_3")
    players["cleo"].plays("cleo_5")
    assert "Ben was asked since" in players["anna"].ask("undo")["error"]
    assert players["anna"].ask("undo", insist=True)["ok"]
    assert not found.session.history
    players["anna"].plays("anna_1")
    assert players["cleo"].ask("look")["asked"]["mine"] == "cleo"


def test_a_kept_choice_outlives_the_table(tmp_path: Path) -> None:
    """Who was told that his choice is kept is not asked again; what was played, or belongs to another game,
    is forgotten; a file that somebody has spoilt is none."""
    seats, path = dict.fromkeys(SEATS, PERSON), tmp_path / "t.save"

    def opened(session: Session) -> Table:
        return Table("t", session, Seating.arranged(seats, by_link=True), path)

    found = opened(start())
    Player(found, "cleo").plays("cleo_5")
    written = (tmp_path / "t.save.sealed").read_bytes()
    again = opened(start())
    assert Player(again, "cleo").ask("look")["asked"]["mine"] is None
    for seat in ("anna", "ben"):
        Player(again, seat).plays(f"{seat}_1")
    assert [moment.key for moment in again.session.history] == ["anna_1", "ben_1", "cleo_5"]
    assert not (tmp_path / "t.save.sealed").exists()
    for session, text in ((again.session, written), (start(2), written), (start(), b'{"cleo": 7}')):
        (tmp_path / "t.save.sealed").write_bytes(text)
        assert Player(opened(session), "cleo").ask("look")["asked"]["mine"] == "cleo"


def test_the_computer_beside_people() -> None:
    found, players = table(ben="random")
    players["cleo"].plays("cleo_5")
    players["anna"].plays("anna_5")
    found.settle()
    assert [moment.who for moment in found.session.history][:3] == list(SEATS)
    assert found.session.history[2].key == "cleo_5"


def test_random_games_in_any_order_are_those_of_one_after_the_other() -> None:
    luck = Random(4)
    found, players = table()
    while not found.session.over:
        asked = [seat for seat in SEATS if players[seat].ask("look")["asked"]["mine"]]
        seat = luck.choice(asked)
        session = question_of(found.session, seat)
        assert session is not None
        assert players[seat].plays(luck.choice(session.options).key)["ok"]
    plain = start()
    for moment in found.session.history:
        plain.choose(moment.key)
    assert plain.machine.s == found.session.machine.s
