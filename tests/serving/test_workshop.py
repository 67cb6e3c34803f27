"""The workshop without a browser: what it answers, whom it refuses, what it writes."""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar, cast

import httpx
import pytest
from click.testing import CliRunner
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from interpreter.serving.hall import Hall
from interpreter.serving.shelf import Shelf
from interpreter.workshop.forms import put
from interpreter.workshop.language import MOST_SERVERS, Languages
from interpreter.workshop.shop import AGENTS, REQUESTS, Workshop
from interpreter.workshop.weighing import POLITE, Question, weigh
from rulesdsl.base.resources import find_game
from rulesdsl.cli import group
from rulesdsl.cli.workshop import _fragment
from rulesdsl.house.variants import read_variant
from tests.kit.served_workshop import Shop, workshop

GAME = "tutorial/skirmish"
RULE = """# Even odds
No victory for nothing.

## amends 5.4
A five at 1:1 costs both sides a step.

```rules
set table combat[1:1, 5] = A1D1
```
"""


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workshop]:
    hall = Hall(Shelf(tmp_path_factory.mktemp("games")))
    made = Workshop(hall)
    yield made
    made.close()
    hall.close()


def ask(shop: Workshop, do: str, **more: Any) -> dict[str, Any]:
    reply = shop.answer({"do": do, "token": shop.hall.key, "game": GAME, **more})
    json.dumps(reply)
    return reply


def test_the_rulebook_is_told_as_it_is_read(shop: Workshop) -> None:
    told = ask(shop, "open")
    paragraphs = {p["id"]: p for chapter in told["chapters"] for p in chapter["paragraphs"]}
    assert "dawn" not in paragraphs["5.5"]["html"]
    assert "houses" in paragraphs["5.5"]["html"]
    assert "<script" not in json.dumps(told)
    assert {table["id"] for table in told["tables"]} == {"combat"}
    assert "hussars" in {counter["id"] for counter in told["counters"]}


def test_a_game_that_is_edited_meanwhile_is_read_again(tmp_path: Path) -> None:
    from shutil import copytree

    game = tmp_path / "skirmish"
    copytree(find_game(GAME), game)
    shop = Workshop(Hall(Shelf(tmp_path / "games"), (str(game),)))
    assert "Nobody" not in json.dumps(shop.answer({"do": "open", "token": shop.hall.key, "game": str(game)}))
    pieces = game / "pieces.yaml"
    pieces.write_text(pieces.read_text("utf-8").replace("name: Hussars", "name: Nobody"), "utf-8")
    assert "Nobody" in json.dumps(shop.answer({"do": "open", "token": shop.hall.key, "game": str(game)}))
    shop.hall.close()


def test_what_follows_from_a_text(shop: Workshop) -> None:
    assert ask(shop, "consider", text="  \n")["empty"]
    told = ask(shop, "consider", text=RULE)
    assert told["sound"]
    assert told["problems"] == []
    assert told["paragraphs"] == ["5.4"]
    assert "<del>R</del> → <ins>A1D1</ins>" in told["html"]
    broken = ask(shop, "consider", text=RULE.replace("combat[", "combta["))
    assert not broken["sound"]
    assert broken["html"] == ""
    (problem, *_) = broken["problems"]
    assert (problem["line"], problem["here"]) == (8, True)
    markup = ask(shop, "consider", text=RULE.replace("# Even odds", "# <img src=x onerror=alert(1)>"))
    assert "<img" not in markup["html"]


def test_clashes_with_what_is_switched_on(tmp_path: Path) -> None:
    shop = Workshop(Hall(Shelf(tmp_path)))
    rule = 'procedure count_points\n    end game: drawn "peace"'
    text = f"# Mine\nPeace.\n\n## amends 10\n```rules\n{rule}\n```\n"
    told = shop.answer({"do": "consider", "token": shop.hall.key, "game": "race_for_berlin", "text": text,
                        "others": ["clear_victory"]})  # fmt: skip
    assert [problem["clash"] for problem in told["problems"] if problem["severity"] == "error"] == [True]
    assert "clear_victory.md" in json.dumps(told["problems"])
    alone = shop.answer({"do": "consider", "token": shop.hall.key, "game": "race_for_berlin", "text": text})
    assert not any(problem["clash"] for problem in alone["problems"])
    shop.hall.close()


def test_examples_and_what_must_always_be_true(shop: Workshop) -> None:
    fine = ask(shop, "prove", text=RULE)
    assert (fine["failed"], fine["broken"], fine["asked"]) == ([], [], 3)
    failing = ask(shop, "prove", text=RULE + "```example\nexpect: 1 = 2\n```\n")
    assert [one["rule"] for one in failing["failed"]] == ["5.4"]
    always = "\n## after 2 → 2a Never\n```rules\ndefine invariant_nothing = turn < 2\n```\n"
    assert any("nothing" in words for words in ask(shop, "prove", text=RULE + always)["broken"])
    printed = ask(
        shop,
        "prove",
        text=RULE.replace("set table combat[1:1, 5] = A1D1", 'repeal "houses"').replace("5.4", "5.5"),
    )
    assert printed["changed"]
    assert not printed["failed"]


def test_a_draft_goes_on_from_what_is_there(shop: Workshop) -> None:
    first = ask(shop, "draft", text="", amend="5.5")["text"]
    assert first.startswith("# My house rule\n")
    assert "## amends 5.5" in first
    second = ask(shop, "draft", text=first, after="5.5")
    assert second["text"].startswith(first.rstrip("\n"))
    assert "## after 5.5 → 5.5a" in second["text"]
    assert second["text"].splitlines()[second["line"] - 1].startswith("## after 5.5")
    again = ask(shop, "draft", text=second["text"], amend="5.5")
    assert again["text"] == second["text"]
    assert again["text"].splitlines()[again["line"] - 1] == "## amends 5.5"
    assert ask(shop, "draft", text="", amend="99")["code"] == "refused"


def test_a_value_of_a_form_becomes_a_line_and_goes_away_again(shop: Workshop) -> None:
    """Every cell and every number of every counter, set and set back: the text is as before."""
    bench = shop.bench(GAME)
    table = ask(shop, "form", text="", kind="table", name="combat")
    cells = [
        cell for page in table["pages"] for row in page["rows"] for whole in row["cells"] for cell in whole
    ]
    text = ""
    for cell in cells:
        text = put(bench, text, "table", "combat", cell["labels"], "A1D1" if cell["value"] != "A1D1" else "R")
    looked = bench.look(text, [])
    assert looked.sound, [problem.message for problem in looked.problems]
    changed = ask(shop, "form", text=text, kind="table", name="combat")
    now = [
        cell for page in changed["pages"] for row in page["rows"] for whole in row["cells"] for cell in whole
    ]
    assert all(cell["value"] != cell["printed"] for cell in now)
    assert len(now) == len(cells)
    for cell in cells:
        text = put(bench, text, "table", "combat", cell["labels"], cell["value"])
    assert text == "# My house rule\nsay here why.\n"
    for face, value in (("1", "7"), ("2", "4")):
        text = put(bench, text, "counter", "hussars", ["strength", face], value)
    faces = ask(shop, "form", text=text, kind="counter", name="hussars")["faces"]
    assert ["strength 7" in faces[0]["words"], "strength 4" in faces[1]["words"]] == [True, True]
    assert ">7</text>" in faces[0]["svg"]
    for wrong in ("a\nb", 'x" }', "", "`"):
        assert (
            ask(shop, "put", text="", kind="counter", name="hussars", what=["strength", "1"], value=wrong)[
                "ok"
            ]
            is False
        )


def test_results_with_fields_are_set_field_by_field(shop: Workshop) -> None:
    """And of a counter only what is printed on it can be set."""
    told = {"token": shop.hall.key, "game": "battle_for_germany", "text": ""}
    bench, tables = shop.bench("battle_for_germany"), ["terrain"]
    form = shop.answer({**told, "do": "form", "kind": "table", "name": tables[0]})
    cells = [one for page in form["pages"] for row in page["rows"] for cell in row["cells"] for one in cell]
    number = next(one for one in cells if one["value"].isdecimal())
    text = put(bench, "", "table", tables[0], number["labels"], str(int(number["value"]) + 1))
    assert f"].{number['field']} = {int(number['value']) + 1}" in text
    assert bench.look(text, []).sound
    rivers = shop.answer(
        {**told, "game": "classics/two_rivers", "do": "form", "kind": "counter", "name": "blue_levy"}
    )
    assert {value["name"] for face in rivers["faces"] for value in face["values"]} >= {"kind"}
    assert "steps" not in {value["name"] for face in rivers["faces"] for value in face["values"]}


def test_kept_and_shared(shop: Workshop, tmp_path: Path) -> None:
    variant = ask(shop, "variant", text=RULE, title="Even odds")
    path = tmp_path / variant["name"]
    path.write_text(variant["text"], encoding="utf-8")
    found = read_variant(path)
    assert (found.game, dict(found.texts)) == (GAME, {"even_odds": RULE})
    sheet = ask(shop, "sheet", text=RULE, title="Even odds")
    assert sheet["name"] == "even_odds.html"
    assert "<ins>A1D1</ins>" in sheet["text"]
    assert ask(shop, "variant", text=RULE.replace("combat[", "x["))["ok"] is False


def test_the_table_is_laid_with_these_rules(shop: Workshop) -> None:
    reply = ask(shop, "begin", text=RULE)
    table = shop.hall.tables[reply["table"]]
    assert table.session.game.full_title.endswith("with Even odds")
    path = table.path
    assert path is not None
    with table.lock:
        table.session.choose(table.session.options[0])  # a game without a decision is not kept
    shop.hall.close_table(table)
    again = shop.hall.go_on(path)  # the journal carries them
    assert again.session.game.full_title.endswith("with Even odds")
    shop.hall.close_table(again)


def test_it_becomes_clear_and_says_what_the_rule_did(shop: Workshop) -> None:
    short = "# Short\nBrief.\n\n## amends 2\n```rules\nset parameter last_turn = 1\n```\n"
    question = Question(str(find_game(GAME)), (("short.md", short),), None, "random", "3", most=45)
    states = list(weigh(question))
    assert states[0]["pairs"] == 0
    assert states[-1]["over"]
    assert states[-1]["pairs"] == 45
    assert any(line["kind"] == "length" and line["found"] for line in states[-1]["measures"])
    assert states[-1]["effects"][0]["rule"] == "2"


def test_figures_after_one_pair_can_be_read_by_a_browser(
    shop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a large game or on a busy machine they are the first that come; most bounds are not known yet."""
    monkeypatch.setattr("interpreter.workshop.weighing.TELL_EVERY", 0.0)
    question = Question(str(find_game(GAME)), (("even.md", RULE),), None, "random", "3", most=2)
    first = next(state for state in weigh(question) if state["pairs"] == 1)
    json.dumps(first, allow_nan=False)
    assert [None, None] in [measure["interval"] for measure in first["measures"]]


def test_a_comparison_runs_beside_and_is_stopped(shop: Workshop) -> None:
    started = ask(shop, "weigh", text=RULE, seed="1")["id"]
    one = shop.weighing(started)

    def priority() -> int:
        return os.getpriority(os.PRIO_PROCESS, one._process.pid)

    ours = os.getpriority(os.PRIO_PROCESS, 0)
    until = time.monotonic() + 60
    while "measures" not in one.state and time.monotonic() < until:
        time.sleep(0.01)
    assert priority() == ours  # somebody waits for the first figures: until then it is not polite
    while not ask(shop, "standing", id=started)["pairs"] and time.monotonic() < until:
        time.sleep(0.1)
    while priority() != min(ours + POLITE, 19) and time.monotonic() < until:
        time.sleep(0.01)
    state = ask(shop, "stop", id=started)
    assert state["pairs"] > 0
    assert state["over"]
    assert not one.running
    assert ask(shop, "weigh", text=RULE, agent="nobody")["error"].startswith(
        "players are random or greedy or"
    )
    assert ask(shop, "weigh", text=RULE.replace("combat[", "x["))["ok"] is False
    assert ask(shop, "standing", id="nonsense")["ok"] is False


def test_moments_of_one_game(shop: Workshop) -> None:
    told = ask(shop, "moments", text=RULE, seed="4")
    assert told["count"] > 0
    assert any(line["ours"] for moment in told["moments"] for line in moment["lines"])


def test_a_game_goes_on_from_a_moment(shop: Workshop) -> None:
    told = ask(shop, "moments", text=RULE, seed="4")
    moment = told["moments"][1]
    reply = ask(shop, "begin", text=RULE, seed="4", before=moment["number"])
    table = shop.hall.tables[reply["table"]]
    session = table.session
    assert len(session.history) == moment["number"] - 1
    assert session.prompt is not None
    assert session.prompt.text == moment["asked"]
    names = dict(zip(session.ruleset.seats.ids, session.ruleset.seats.names, strict=True))
    assert [names[seat] for seat in table.seating.people] == [moment["player"]]
    assert names[session.prompt.player] == moment["player"]
    shop.hall.close_table(table)
    assert ask(shop, "begin", text=RULE, seed="4", before=10**6)["ok"] is False
    assert ask(shop, "begin", text=RULE, seed="4", before="x")["ok"] is False


# ---- who may ask, what is written -----------------------------------------------------------------------
def test_only_the_file_that_was_named_is_written_and_never_without_a_question(tmp_path: Path) -> None:
    file = tmp_path / "mine.md"
    file.write_text("# Old\n", encoding="utf-8")
    shop = Workshop(Hall(Shelf(tmp_path / "games")), GAME, file)
    assert ask(shop, "open")["file"] == {"name": "mine.md", "there": True, "text": "# Old\n"}
    asked = ask(shop, "save", text=RULE)
    assert asked["saved"] is False
    assert "mine.md" in asked["asks"]
    assert file.read_text("utf-8") == "# Old\n"
    assert ask(shop, "save", text=RULE, sure=True)["saved"]
    assert ask(shop, "save", text=RULE + "\n")["saved"]  # our own version is written over without a question
    file.write_text("# Somebody else\n", encoding="utf-8")
    assert ask(shop, "save", text=RULE)["saved"] is False
    assert file.read_text("utf-8") == "# Somebody else\n"
    unnamed = Workshop(Hall(Shelf(tmp_path / "games2")))
    before = sorted(path.name for path in tmp_path.iterdir())
    assert ask(unnamed, "save", text=RULE, sure=True, file=str(tmp_path / "x.md"))["ok"] is False
    assert sorted(path.name for path in tmp_path.iterdir()) == before
    for one in (shop, unnamed):
        one.hall.close()


def test_forged_requests_get_a_sentence(shop: Workshop) -> None:
    """Every request with values of every wrong kind: an answer, never an exception."""
    odd: list[Any] = [
        None,
        7,
        True,
        "",
        "x" * 5000,
        [],
        ["a"],
        {},
        {"a": 1},
        [[1]],
        "../../etc",
        "\x00",
        -1.5,
    ]
    for what in (*REQUESTS, "nonsense"):
        if what == "weigh":
            continue  # would start games
        for value in odd:
            # (with nothing written, begin, prove and moments would play: there only the game is forged)
            plays = what in ("open", "begin", "prove", "moments")
            more = () if plays else ("text", "others", "kind", "name", "what", "value", "amend", "id")
            for key in ("game", *more):
                reply = shop.answer(
                    {"do": what, "token": shop.hall.key, "game": GAME, "text": "", key: value}
                )
                assert isinstance(reply["ok"], bool), (what, key, value)
    assert not shop.answer({"do": "open", "token": "wrong", "game": GAME})["ok"]
    assert not shop.answer({"do": "open", "game": GAME})["ok"]


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    with workshop(tmp_path_factory.mktemp("games"), editor=False) as found:
        yield found


def test_the_gate_is_that_of_the_table(at: Shop) -> None:
    key = {"Authorization": f"Bearer {at.shop.hall.key}"}
    with httpx.Client(base_url=at.house) as client:
        page = client.get("/workshop/")
        policy = page.headers["content-security-policy"]
        assert page.status_code == 200
        assert "script-src 'self';" in policy
        assert "unsafe" not in policy
        assert f"ws://127.0.0.1:{at.port}" in policy
        assert client.get("/workshop", follow_redirects=True).text == page.text
        for name in ("main.js", "bench.js", "workshop.css", "link.js"):
            assert client.get(f"/workshop/{name}").status_code == 200
        for name in ("..%2Fshop.py", "shop.py", ".hidden", "nothing.js", "editor.js.map"):
            assert client.get(f"/workshop/{name}").status_code == 404
        assert client.post("/workshop/ask", json={"do": "games"}).status_code == 403
        assert client.post("/workshop/ask", json={"do": "games"}, headers=key).json()["ok"]
        strange = {**key, "Origin": "http://evil.example"}
        assert client.post("/workshop/ask", json={"do": "games"}, headers=strange).status_code == 403
        assert (
            client.post(
                "/workshop/ask", json={"do": "games"}, headers={**key, "Host": "evil.example"}
            ).status_code
            == 421
        )
        large = client.post("/workshop/ask", json={"do": "consider", "text": "x" * 2_100_000}, headers=key)
        assert large.status_code == 413
        assert client.get("/").status_code == 200  # the table is in the same house


def test_the_language_server_answers_only_its_own_page(at: Shop) -> None:
    address = f"ws://127.0.0.1:{at.port}/workshop/language?game={GAME}"
    origin, token = at.house.rstrip("/"), at.shop.hall.key
    refused: list[dict[str, Any]] = [
        {"origin": origin, "subprotocols": ["rulesdsl", "wrong"]},
        {"origin": origin},
        {"subprotocols": ["rulesdsl", token]},
        {"origin": "http://evil.example", "subprotocols": ["rulesdsl", token]},
    ]
    for given in refused:
        with pytest.raises(InvalidStatus), connect(address, **given):
            pass
    with (
        pytest.raises(InvalidStatus),
        connect(address + "x", origin=origin, subprotocols=["rulesdsl", token]),
    ):
        pass
    with connect(address, origin=origin, subprotocols=["rulesdsl", token], open_timeout=30) as line:
        hello = {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "initialize",
            "params": {"processId": None, "rootUri": None, "capabilities": {}},
        }
        line.send(json.dumps(hello))
        while (told := json.loads(line.recv(timeout=60))).get("id") != 1:
            pass
        assert told["result"]["capabilities"]["hoverProvider"]
        line.send(json.dumps({"jsonrpc": "2.0", "method": "initialized", "params": {}}))
        uri = "file:///nowhere/mine.md"
        text = RULE.replace("combat[", "combta[")
        document = {"uri": uri, "languageId": "markdown", "version": 1, "text": text}
        line.send(
            json.dumps(
                {"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": document}}
            )
        )
        while (told := json.loads(line.recv(timeout=60))).get("method") != "textDocument/publishDiagnostics":
            pass
        assert [one["range"]["start"]["line"] for one in told["params"]["diagnostics"]] == [7]


def test_a_language_server_that_cannot_be_started_takes_no_place(monkeypatch: pytest.MonkeyPatch) -> None:
    class Page:
        closed: ClassVar[list[int]] = []

        async def close(self, code: int, reason: str) -> None:
            self.closed.append(code)

    async def none_left(*_: object, **__: object) -> None:
        raise OSError(11, "Resource temporarily unavailable")

    monkeypatch.setattr("asyncio.create_subprocess_exec", none_left)
    languages, page = Languages(), Page()
    for _ in range(MOST_SERVERS + 1):
        asyncio.run(languages.talk(cast(Any, page), Path()))
    assert languages.count == 0
    assert page.closed == [1013] * (MOST_SERVERS + 1)


# ---- the command ----------------------------------------------------------------------------------------
def test_the_command_refuses_what_cannot_be_meant(tmp_path: Path) -> None:
    def said(*words: str) -> str:
        result = CliRunner().invoke(group.commands, ["workshop", "--no-browser", *words])
        assert result.exit_code != 0
        return str(result.exception) + result.output

    assert "needs the game" in said("--house", str(tmp_path / "a.md"))
    assert ".md" in said("skirmish", "--house", str(tmp_path / "a.txt"))
    assert "carries no house rule" in said("skirmish", "--link", "http://127.0.0.1:1/workshop/#game=x")
    assert "there is no game" in said("nonsense")


def test_a_link_loses_the_key_of_who_made_it() -> None:
    link = "http://127.0.0.1:8765/workshop/#key=SECRET&game=tutorial%2Fskirmish&rule=abc&token=x"
    assert _fragment(link) == "game=tutorial%2Fskirmish&rule=abc"
    assert _fragment(None) == ""


@pytest.mark.parametrize("agent", AGENTS[:3])  # `club` thinks for seconds
def test_everybody_who_may_play_a_comparison_plays_it(agent: str) -> None:
    question = Question(str(find_game(GAME)), (("mine.md", RULE),), None, agent, "7", 2)
    last = list(weigh(question))[-1]
    assert last["pairs"] == 2
    assert not last.get("error")
