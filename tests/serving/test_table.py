"""The protocol of the table: what is answered, to whom, and what is refused."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator
from starlette.requests import Request
from starlette.responses import Response

from interpreter.keeping.saves import load
from interpreter.playing.session import Session
from interpreter.serving import asking
from interpreter.serving.guide import guide_of, word_now
from interpreter.serving.hall import HOST_REQUESTS, Hall
from interpreter.serving.offering import offer
from interpreter.serving.seating import PERSON, Door, Seating, new_token
from interpreter.serving.server import addresses, is_open_to_the_net
from interpreter.serving.shelf import INDEX, Shelf
from interpreter.serving.table import REQUESTS, Table, answer
from interpreter.serving.web import HEADERS, SMALL_BYTES, body_of, make_app
from tests.promises import PATROL

SCHEMAS = Path(__file__).parents[2] / "grammar" / "schema" / "table"
SKIRMISH = "tutorial/skirmish"


def _definitions(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((SCHEMAS / f"{name}.json").read_text("utf-8"))
    return found


REPLIES, ASKED = _definitions("replies"), _definitions("requests")


def _fits(whole: dict[str, Any], name: str, value: Any) -> None:
    schema = {"$ref": f"#/$defs/{name}", "$defs": whole["$defs"]}
    problems = [
        f"{name}: {list(e.path)} {e.message[:200]}" for e in Draft202012Validator(schema).iter_errors(value)
    ]
    assert not problems, problems


class Player:
    """Somebody with a token. Every request and reply is held against its schema."""

    def __init__(self, table: Table, token: str, seat: str | None = None) -> None:
        self.table, self.token, self.seat = table, token, seat

    def ask(self, do: str, **more: Any) -> dict[str, Any]:
        request = {"do": do, "token": self.token, **more} | ({"seat": self.seat} if self.seat else {})
        _fits(ASKED, do, request)
        reply = answer(self.table, request)
        json.dumps(reply)
        _fits(REPLIES, do if reply["ok"] else "refused", reply)
        return reply


def _table(game: str = SKIRMISH, seed: int = 3, by_link: bool = False, **kinds: str) -> Table:
    session = Session.start(game, seed=seed)
    seats = dict.fromkeys(session.ruleset.seats.ids, PERSON) | kinds
    table = Table("t", session, Seating.arranged(seats, by_link))
    table.settle()
    return table


# ---- replies
@pytest.mark.parametrize("game", [SKIRMISH, "tutorial/hex", "tutorial/breakthrough", PATROL])
def test_every_reply_fits_its_schema(game: str) -> None:
    table = _table(game, by_link=True)
    asked: set[str] = set()
    for _ in range(6):
        if table.session.over:
            break
        who = str(table.session.player)
        door = next(d for d in table.seating.doors if d.seats == (who,))
        me = Player(table, door.token)
        look = me.ask("look")
        act = look["offer"]["acts"][0]
        things = [thing for one in look["offer"]["acts"] for thing in one["first"] if ":" in thing]
        things = [t for t in things if t.split(":")[0] in ("piece", "space")] or ["player:" + who]
        me.ask("offer", draft=act["keys"] if act["further"] else [])
        me.ask("why", key=act["keys"][0])
        me.ask("why_not", things=things[:1])
        me.ask("odds", keys=act["keys"])
        me.ask("hint")
        me.ask("thing", thing=things[0])
        me.ask("rule", rule=look["offer"]["prompt"]["rule"])
        for do in ("ground", "log", "since", "contents", "map", "links", "save"):
            me.ask(do)
        me.ask("say", text="good luck", note=False)
        look = me.ask("act", at=me.ask("look")["at"], keys=act["keys"])
        assert look["ok"], look
        asked.add(who)
        table.settle()
    Player(table, table.seating.host.token).ask("undo", insist=True)


def test_every_request_has_its_schemas() -> None:
    names = {*REQUESTS, *HOST_REQUESTS}
    assert names == set(ASKED["$defs"])
    assert names <= set(REPLIES["$defs"])


def test_what_was_clicked_on_an_old_picture_is_refused() -> None:
    table = _table()
    me = Player(table, table.seating.host.token, "blue")
    look = me.ask("look")
    keys = look["offer"]["acts"][-1]["keys"]
    assert me.ask("act", at=look["at"], keys=keys)["ok"]
    before = table.session.hash
    again = Player(table, table.seating.host.token, str(table.session.player)).ask(
        "act", at=look["at"] - 1, keys=keys
    )
    assert again["code"] in ("stale", "refused", "turn")
    assert table.session.hash == before


def test_the_number_of_a_look_tells_only_what_the_seat_sees() -> None:
    """In a game with secrets the other one may decide often: who sees nothing of it is told nothing."""
    table = _table(PATROL, by_link=True)
    doors = {d.seats[0]: d for d in table.seating.doors if d.seats}
    me = doors[next(seat for seat in doors if seat != table.session.player)]
    first = table.shown(me, me.seats[0])
    assert table.shown(me, me.seats[0])["at"] == first["at"]


def test_nobody_takes_back_what_another_has_decided() -> None:
    table = _table(by_link=True)
    blue, red = (next(d for d in table.seating.doors if d.seats == (seat,)) for seat in ("blue", "red"))
    mine, theirs = Player(table, blue.token), Player(table, red.token)
    look = mine.ask("look")
    assert mine.ask("act", at=look["at"], keys=look["offer"]["acts"][0]["keys"])["ok"]
    before = table.session.hash
    assert theirs.ask("undo", insist=True)["code"] == "undo"
    assert table.session.hash == before
    assert mine.ask("undo")["taken_back"] >= 1


def test_only_the_host_gives_seats_away_and_takes_the_file() -> None:
    table = _table(PATROL, by_link=True)
    guest = next(d for d in table.seating.doors if d.seats and not d.host)
    for do, more in (("links", {}), ("save", {}), ("stand_in", {"of": "red", "kind": "random"})):
        assert Player(table, guest.token).ask(do, **more)["code"] == "host"
    # among people with secrets not even the host, until the game is over
    assert Player(table, table.seating.host.token).ask("save")["code"] == "host"
    alone = _table()
    reply = Player(alone, alone.seating.host.token).ask("save")
    assert reply["text"].startswith("rulesdsl")


def test_who_looks_on_sees_no_offer_and_says_nothing() -> None:
    table = _table(PATROL, by_link=True)
    watcher = Player(table, table.seating.doors[-1].token)
    look = watcher.ask("look")
    assert look["offer"] is None
    assert look["hand"]["mine"] == []
    assert watcher.ask("say", text="hello")["code"] == "seat"


def test_at_one_screen_the_curtain_is_drawn_until_a_seat_is_named() -> None:
    table = _table(PATROL)
    host = table.seating.host
    assert len(host.seats) > 1
    drawn = Player(table, host.token).ask("look")
    assert drawn["curtain"]
    assert drawn["offer"] is None
    assert drawn["seat"] is None
    assert drawn["asked"]["mine"] == table.session.player
    assert Player(table, host.token, drawn["asked"]["mine"]).ask("look")["offer"] is not None
    assert not Player(_table(), _table().seating.host.token).ask("look")["ok"]  # another table's token


def test_notes_are_for_oneself() -> None:
    table = _table(by_link=True)
    blue, red = (next(d for d in table.seating.doors if d.seats == (seat,)) for seat in ("blue", "red"))
    Player(table, blue.token).ask("say", text="attack at <b>dawn</b>", note=True)
    Player(table, blue.token).ask("say", text="well met", note=False)
    assert [line["text"] for line in Player(table, red.token).ask("look")["talk"]] == ["well met"]
    assert len(Player(table, blue.token).ask("look")["talk"]) == 2


@pytest.mark.parametrize(
    "request_", [{}, {"do": 7}, {"do": "act", "keys": "x"}, {"do": "act", "keys": ["x" * 500]},
                 {"do": "act", "keys": []}, {"do": "look", "seat": 4}, {"do": "look", "seat": "green"},
                 {"do": "thing", "thing": "border:1"}, {"do": "thing", "thing": "piece:nobody"},
                 {"do": "rule", "rule": "99.9"}, {"do": "offer", "draft": ["nothing"]},
                 {"do": "say", "text": " "},
                 {"do": "why_not", "things": ["space:nowhere"]}, {"do": "say", "text": "\ud800"}],
)  # fmt: skip
def test_what_has_no_form_is_refused_in_a_sentence(request_: dict[str, Any]) -> None:
    table = _table(red="random")
    before = table.session.hash
    reply = answer(table, {"token": table.seating.host.token, **request_})
    json.dumps(reply)
    assert reply["ok"] is False or request_.get("do") in ("say", "why_not")
    assert table.session.hash == before


# ---- kept games
def test_a_table_that_is_opened_again_has_its_seats_and_its_game(tmp_path: Path) -> None:
    hall = Hall(Shelf(tmp_path))
    table = hall.begin(SKIRMISH, seats=["all=human"], by_link=True)
    doors = [(d.token, d.seats) for d in table.seating.doors]
    look = answer(table, {"do": "look", "token": doors[0][0]})
    answer(
        table, {"do": "act", "token": doors[0][0], "at": look["at"], "keys": look["offer"]["acts"][0]["keys"]}
    )
    answer(table, {"do": "say", "token": doors[0][0], "text": "to be continued"})
    choices, path = table.session.choices, table.path
    assert path is not None
    hall.close()
    assert (path.parent / f"{path.name}.table").stat().st_mode & 0o077 == 0
    again = Hall(Shelf(tmp_path))
    back = again.go_on(path)
    assert back.session.choices == choices
    assert [(d.token, d.seats) for d in back.seating.doors] == doors
    assert back.talk.for_seats(())[0]["text"] == "to be continued"
    again.close()


def test_the_list_of_kept_games_is_made_again_from_the_journals(tmp_path: Path) -> None:
    hall = Hall(Shelf(tmp_path))
    table = hall.begin(SKIRMISH, seed="7")
    answer(table, {"do": "stand_in", "token": table.seating.host.token, "of": "blue", "kind": "random"})
    table.settle()
    hall.close()
    shelf = Shelf(tmp_path)
    told = shelf.games()
    assert [game.title for game in told] == ["Skirmish at the Bridge"]
    (tmp_path / INDEX).write_bytes(b"no database at all")
    assert shelf.games() == told
    (tmp_path / "broken.save").write_text("nothing of ours")
    assert {bool(game.trouble) for game in shelf.games()} == {False, True}
    assert shelf.path("../elsewhere") is None


@pytest.mark.parametrize(
    "spoilt",
    [
        "drop table kept; create table kept (x text);",
        "update kept set title = x'ff', decisions = 'many';",
        "drop table kept; create view kept as select 1 as name;",
    ],
)
def test_an_index_that_somebody_else_wrote_is_no_harm(tmp_path: Path, spoilt: str) -> None:
    """It is a memory beside the journals: where it makes no sense, they are read again."""
    shelf = Shelf(tmp_path)
    shelf.keep(_table().session)
    listed = shelf.games()
    with closing(sqlite3.connect(tmp_path / INDEX)) as index:
        index.executescript(spoilt)
    assert shelf.games() == listed
    hall = Hall(shelf)
    assert json.dumps(hall.answer({"do": "kept", "token": hall.key}))
    hall.close()


def test_a_game_goes_by_mail(tmp_path: Path) -> None:
    mine, theirs = Hall(Shelf(tmp_path / "a")), Hall(Shelf(tmp_path / "b"))
    table = mine.begin(SKIRMISH, seats=["all=human"])
    text = answer(table, {"do": "save", "token": table.seating.host.token})["text"]
    reply = theirs.answer({"do": "receive", "token": theirs.key, "text": text})
    _fits(REPLIES, "receive", reply)
    assert theirs.tables[reply["table"]].session.hash == table.session.hash
    bad = theirs.answer({"do": "receive", "token": theirs.key, "text": text.replace("seed", "sead")})
    assert not bad["ok"]
    for hall in (mine, theirs):
        hall.close()


def test_the_house_answers_its_host_alone(tmp_path: Path) -> None:
    hall = Hall(Shelf(tmp_path))
    for do in HOST_REQUESTS:
        assert hall.answer({"do": do, "token": new_token()})["code"] == "token"
    for do, more in (
        ("games", {}),
        ("kept", {}),
        ("game", {"game": SKIRMISH}),
        ("begin", {"game": SKIRMISH}),
    ):
        _fits(ASKED, do, {"do": do, "token": hall.key, **more})
        reply = hall.answer({"do": do, "token": hall.key, **more})
        assert reply["ok"], reply
        _fits(REPLIES, do, reply)
    assert hall.answer({"do": "begin", "token": hall.key, "game": "../../etc"})["code"] == "form"
    assert (
        hall.answer({"do": "begin", "token": hall.key, "game": SKIRMISH, "house": ["../x"]})["code"] == "form"
    )
    hall.close()


def test_seats_that_do_not_fit_are_not_believed(tmp_path: Path) -> None:
    journal = tmp_path / "x.save"
    Seating({"blue": PERSON}, [Door("short", ("blue",), True)]).write(journal)
    assert Seating.read(journal, ["blue"]) is None
    Seating.arranged({"blue": PERSON}).write(journal)
    assert Seating.read(journal, ["red"]) is None
    assert Seating.read(journal, ["blue"]) is not None


# ---- the guide
def test_the_guide_follows_the_first_turn() -> None:
    guide = guide_of("race_for_berlin")
    assert guide is not None
    session = Session.start("race_for_berlin", guide.scenario, seed=guide.seed)
    table = Table("t", session, Seating.arranged({"zhukov": PERSON, "konev": "greedy"}))
    table.settle()
    said = []
    for _ in range(8):
        look = answer(table, {"do": "look", "token": table.seating.host.token})
        said.append(look["guide"]["title"])
        keys = _as_the_guide_says(session, look["guide"]["step"])
        reply = answer(
            table, {"do": "act", "token": table.seating.host.token, "at": look["at"], "keys": keys}
        )
        assert reply["ok"], reply
        table.settle()
    assert said == [step.title for step in guide.steps[:8]]
    names = table.session.ruleset.program.world.universes
    for step in guide.steps:
        for thing in step.things:
            universe, _, identity = thing.partition(":")
            assert identity in names[universe].ids
        assert step.at in session.ruleset.program.paragraphs
    assert word_now(guide, session, None) is None


def _as_the_guide_says(session: Session, step: int) -> list[str]:
    wanted = {
        1: ["support"], 2: ["enough"], 3: ["8th Guards Army A", "combat"], 4: ["8th Guards Army B", "combat"],
        5: ["5th Shock Army A", "combat"], 6: ["5th Shock Army B", "combat"], 7: ["Seelow"],
        8: ["5th Shock Army A"],
    }[step]  # fmt: skip
    keys: list[str] = []
    trial = session.copy()
    for words in wanted:
        option = next(o for o in trial.options if words in o.text)
        keys.append(option.key)
        trial.choose(option)
    return keys


# ---- HTTP
def _bytes(body: Any) -> bytes:
    return body if isinstance(body, bytes) else json.dumps(body).encode()


def _posted(hall: Hall, requests: list[tuple[dict[str, str], Any]]) -> list[httpx.Response]:
    async def run() -> list[httpx.Response]:
        app = make_app(hall, frozenset({"table.test"}))
        async with httpx.AsyncClient(
            transport=httpx.ASGITransport(app), base_url="http://table.test"
        ) as client:
            return [
                await client.post("/ask", headers=headers, content=_bytes(body))
                for headers, body in requests
            ]  # fmt: skip

    return asyncio.run(run())


def test_requests_of_other_pages_are_refused(tmp_path: Path) -> None:
    hall = Hall(Shelf(tmp_path))
    right = {"Authorization": f"Bearer {hall.key}", "Content-Type": "application/json"}
    body = {"do": "kept"}
    replies = _posted(hall, [
        (right, body),
        ({**right, "Host": "evil.test"}, body),
        ({**right, "Origin": "http://evil.test"}, body),
        ({**right, "Sec-Fetch-Site": "cross-site"}, body),
        ({**right, "Content-Type": "text/plain"}, body),
        ({"Content-Type": "application/json"}, body),
        (right, b"{"), (right, b"[1]"), (right, b"[" * 100_000),
        (right, b'{"do":"kept","x":"' + b"a" * SMALL_BYTES + b'"}'),
    ])  # fmt: skip
    assert [reply.status_code for reply in replies] == [200, 421, 403, 403, 415, 403, 400, 400, 400, 413]
    assert all(reply.headers[name] == value for reply in replies for name, value in HEADERS.items())
    assert "unsafe-inline" not in HEADERS["Content-Security-Policy"]
    hall.close()


def test_guessing_is_slowed_down(tmp_path: Path) -> None:
    hall = Hall(Shelf(tmp_path))
    tries = [
        ({"Authorization": f"Bearer {new_token()}", "Content-Type": "application/json"}, {"do": "kept"})
    ] * 60
    codes = [reply.status_code for reply in _posted(hall, tries)]
    assert codes[0] == 403
    assert codes[-1] == 429
    hall.close()


def test_only_loopback_is_no_network() -> None:
    assert not is_open_to_the_net("127.0.0.1")
    assert not is_open_to_the_net("localhost")
    assert is_open_to_the_net("0.0.0.0")
    assert is_open_to_the_net("192.168.1.4")
    assert "evil.test:8765" not in addresses("0.0.0.0", 8765)


def test_no_file_beside_the_page_is_served(tmp_path: Path) -> None:
    hall = Hall(Shelf(tmp_path))

    async def run() -> list[int]:
        app = make_app(hall, frozenset({"table.test"}))
        async with httpx.AsyncClient(
            transport=httpx.ASGITransport(app), base_url="http://table.test"
        ) as client:
            names = (
                "/",
                "/main.js",
                "/table.css",
                "/..%2ftable.py",
                "/.hidden.js",
                "/nothing.js",
                "/table.py",
            )
            return [(await client.get(name)).status_code for name in names]

    assert asyncio.run(run()) == [200, 200, 200, 404, 404, 404, 404]
    hall.close()


def test_a_save_that_came_back_is_the_same_game(tmp_path: Path) -> None:
    table = _table()
    path = tmp_path / "x.save"
    path.write_text(answer(table, {"do": "save", "token": table.seating.host.token})["text"], "utf-8")
    assert load(path).hash == table.session.hash


def test_a_request_that_is_cut_off_is_no_mistake_of_ours() -> None:
    async def cut() -> dict[str, str]:
        return {"type": "http.disconnect"}

    scope = {"type": "http", "headers": [(b"content-type", b"application/json")]}
    answered = asyncio.run(body_of(Request(scope, cut)))
    assert isinstance(answered, Response)
    assert answered.status_code == 400


def test_who_may_not_end_something_yet_sees_it_and_may_ask_why() -> None:
    """A way out that rules hold shut is in the offer, and "why not" names the paragraph."""
    session, rng = Session.start("battle_for_germany", seed=4), Random(1)
    for _ in range(300):
        assert session.player is not None
        offered = offer(session, session.player)
        if offered["held"]:
            break
        session.choose(rng.choice(session.options))
    assert offered["held"]
    assert not [act for act in offered["acts"] if act["kind"] == "done"]
    told = asking.why_not(session, session.player, [f"entry:{offered['held']}"])
    assert not told["offered"]
    assert all(clause["rule"] and clause["said"] for clause in told["clauses"])
    assert not offer(session, session.player, [offered["acts"][0]["keys"][0]])["held"]


def test_a_request_is_not_waited_for_longer_than_need_be(monkeypatch: pytest.MonkeyPatch) -> None:
    async def nothing_comes() -> dict[str, str]:
        await asyncio.sleep(600)
        return {"type": "http.disconnect"}

    monkeypatch.setattr("interpreter.serving.web.PATIENCE", 0.05)
    for length, status in ((b"1000", 408), (b"99999999", 413), (b"9" * 400, 413)):
        headers = [(b"content-type", b"application/json"), (b"content-length", length)]
        answered = asyncio.run(body_of(Request({"type": "http", "headers": headers}, nothing_comes)))
        assert isinstance(answered, Response)
        assert answered.status_code == status
