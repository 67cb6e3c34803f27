"""The language server, spoken to as an editor speaks to it: every feature on every shipped game."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from interpreter.keeping.saves import save
from interpreter.playing.game import open_game
from interpreter.playing.session import Session
from rulesdsl.base.resources import data_dir, shipped_games
from rulesdsl.cli.play.keeping import under_new_name
from tests.kit.lsp_client import Client
from tests.promises import play_on

pytest.importorskip("pygls")
GAMES = data_dir("games")
SMALL = [name for name in shipped_games() if name.startswith("tutorial/")]


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with Client() as found:
        yield found
    assert found.server.returncode == 0
    assert not [line for line in found.complaints if "Traceback" in line]


def chapter_of(game: str) -> Path:
    """A chapter with rules in it."""
    chapters = sorted((GAMES / game / "rules").glob("*.md"))
    return max(chapters, key=lambda path: path.read_text(encoding="utf-8").count("```rules"))


def first_name(path: Path) -> tuple[int, int, str]:
    """Line, character and word of the first define or quantity of a chapter."""
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n")):
        if found := re.match(r"(?:define|quantity|procedure|phase|action) (\w+)", line):
            return number, found.start(1) + 1, found[1]
    raise AssertionError(path)


def condition_of(path: Path) -> tuple[int, int]:
    """A place where a condition or a value begins."""
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n")):
        if found := re.match(r"(?:define|quantity) .*?= |.* when |    if ", line):
            return number, found.end()
    raise AssertionError(path)


def everything(client: Client, game: str) -> dict[str, Any]:
    """Every feature once on one chapter; the answers by name."""
    path = chapter_of(game)
    line, character, word = first_name(path)
    text = path.read_text(encoding="utf-8")
    said: dict[str, Any] = {"diagnostics": client.open(path)}
    for method in ("hover", "definition", "prepareRename", "documentHighlight"):
        said[method] = client.at(method, path, line, character)
    said["completion"] = client.at("completion", path, *condition_of(path))
    said["references"] = client.at("references", path, line, character, context={"includeDeclaration": True})
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": text.count("\n"), "character": 0}}
    for method in ("documentSymbol", "foldingRange", "codeLens"):
        said[method] = client.about(method, path)
    said["semanticTokens"] = client.about("semanticTokens/full", path)
    said["inlayHint"] = client.about("inlayHint", path, range=whole)
    said["formatting"] = client.about("formatting", path, options={"tabSize": 4, "insertSpaces": True})
    broken = text.replace(f" {word}", f" {word}x", 1)
    said["broken"] = client.change(path, broken)
    said["codeAction"] = client.about("codeAction", path, range=whole, context={"diagnostics": []})
    said["mended"] = client.change(path, text)
    said["workspaceSymbol"] = client.request("workspace/symbol", query=word)
    said["paragraph"] = client.command("showParagraph", path.absolute().as_uri(), line + 1)
    said["word"] = word
    for data in ("pieces.yaml", "map.yaml"):
        if (GAMES / game / data).is_file():
            said[data] = client.open(GAMES / game / data)
            said[f"{data} symbols"] = client.about("documentSymbol", GAMES / game / data)
            said[f"{data} colours"] = client.about("semanticTokens/full", GAMES / game / data)
    return said


def hold(said: dict[str, Any]) -> None:
    """What must be true of the answers of a game without mistakes."""
    word = said["word"]
    assert said["diagnostics"] == said["mended"] == []
    assert word in said["hover"]["contents"]["value"]
    assert said["definition"]
    assert said["completion"]["items"]
    assert said["prepareRename"]
    assert said["references"]
    assert said["documentHighlight"]
    assert said["documentSymbol"]
    assert said["foldingRange"]
    assert said["semanticTokens"]["data"]
    assert len(said["semanticTokens"]["data"]) % 5 == 0
    assert said["formatting"] == []  # shipped games have the usual layout
    assert any(found["name"] == word for found in said["workspaceSymbol"])
    assert said["paragraph"].startswith("## ")
    assert said.get("pieces.yaml", []) == said.get("map.yaml", []) == []


@pytest.mark.parametrize("game", ["tutorial/skirmish", "tutorial/hex"])
def test_every_feature(client: Client, game: str) -> None:
    hold(everything(client, game))


def test_a_slip_is_told_and_mended_by_a_key(client: Client) -> None:
    path = GAMES / "tutorial" / "skirmish" / "rules" / "02_movement.md"
    text = path.read_text(encoding="utf-8")
    client.open(path)
    word = re.search(r"\b(\w+)\.(owner|terrain|control)\b", text)
    assert word
    told = client.change(path, text.replace(word[0], f"{word[0]}x", 1))
    assert "did you mean" in told[0]["message"]
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 999, "character": 0}}
    actions = client.about("codeAction", path, range=whole, context={"diagnostics": told})
    fix = next(action for action in actions if action["kind"] == "quickfix")
    edit = fix["edit"]["changes"][path.absolute().as_uri()][0]
    assert edit["newText"] == word[2]
    assert client.change(path, text) == []


def test_an_example_is_run(client: Client) -> None:
    path = GAMES / "tutorial" / "skirmish" / "rules" / "03_combat.md"
    client.open(path)
    lens = [one for one in client.about("codeLens", path) if one["command"]["title"] == "run this example"]
    assert lens
    said = client.command("runExample", *lens[0]["command"]["arguments"])
    assert said.endswith("holds")


def test_a_house_rule_is_written(client: Client, tmp_path: Path) -> None:
    path = GAMES / "tutorial" / "skirmish" / "house" / "not_there.md"
    text = "# T\nwhy\n\n## amends 5.1\n```rules\nset parameter last_turn = 9\n```\n"
    told = client.open(path, text)
    assert "stands in" in told[0]["message"]
    whole = {"start": {"line": 5, "character": 0}, "end": {"line": 5, "character": 3}}
    actions = client.about("codeAction", path, range=whole, context={"diagnostics": told})
    assert any("## amends" in action["title"] for action in actions)
    typed = "# T\nwhy\n\n## amends "
    client.change(path, typed)
    numbers = [item["label"] for item in client.at("completion", path, 3, 10)["items"]]
    assert "5.1" in numbers


def test_a_file_of_no_game_is_no_reason_to_stop(client: Client, tmp_path: Path) -> None:
    path = tmp_path / "letter.md"
    path.write_text("# Dear reader\n")
    uri = path.absolute().as_uri()
    document = {"uri": uri, "languageId": "markdown", "version": 1, "text": "# Dear reader\n"}
    client.notify("textDocument/didOpen", textDocument=document)
    assert client.about("documentSymbol", path) is None
    assert client.at("hover", path, 0, 3) is None


def test_places_are_counted_in_utf_16_whatever_a_client_prefers() -> None:
    """Helix and Neovim would rather have UTF-8; a letter of two bytes before a name must not move it."""
    path = GAMES / "tutorial" / "skirmish" / "house" / "not_there.md"
    line = '    note "ö𐍈", targt'
    with Client(capabilities={"general": {"positionEncodings": ["utf-8", "utf-16"]}}) as client:
        assert client.capabilities["positionEncoding"] == "utf-16"
        told = client.open(path, f"# T\nwhy\n\n## amends 5.4\n```rules\nprocedure cry\n{line}\n```\n")
        assert told[0]["range"]["start"] == {"line": 6, "character": line.index("targt") + 1}


def test_what_a_key_could_do_in_a_chapter(client: Client) -> None:
    """An example under the block, one from a kept game, and a change that becomes a house rule."""
    path = GAMES / "tutorial" / "skirmish" / "rules" / "02_movement.md"
    text = path.read_text(encoding="utf-8")
    client.open(path)
    line = next(n for n, row in enumerate(text.split("\n")) if "budget unit.movement" in row)
    place = {"start": {"line": line, "character": 0}, "end": {"line": line, "character": 4}}
    titles = [a["title"] for a in client.about("codeAction", path, range=place, context={"diagnostics": []})]
    assert "add an example" in titles
    assert not any("house rule" in title for title in titles)  # nothing was changed
    client.change(path, text.replace("budget unit.movement", "budget unit.movement + 1", 1))
    actions = client.about("codeAction", path, range=place, context={"diagnostics": []})
    turn = next(action for action in actions if "into a house rule" in action["title"])
    kept = next(action for action in actions if "kept game" in action["title"])
    assert kept["command"]["command"] == "rulesdsl.exampleFromGame"
    client.applied.clear()
    client.command(turn["command"]["command"].removeprefix("rulesdsl."), *turn["command"]["arguments"])
    created = client.applied[0]["documentChanges"]
    assert created[0]["kind"] == "create"
    assert "budget unit.movement + 1" in created[1]["edits"][0]["newText"]
    assert client.applied[1]["changes"][path.absolute().as_uri()][0]["newText"] == text  # as it was
    client.change(path, text)


def test_an_example_comes_from_a_kept_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = GAMES / "tutorial" / "skirmish" / "rules" / "02_movement.md"
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with Client() as client:
        client.open(path)
        assert "play one" in client.command("exampleFromGame", path.absolute().as_uri(), 20)
        session = Session.start(open_game("tutorial/skirmish"), seed=4)
        play_on(session, Random(4), 30)
        save(session, under_new_name(session, lambda where: where.touch()))
        line = next(n for n, row in enumerate(path.read_text().split("\n"), 1) if "budget unit" in row)
        assert "given scenario bridge" in client.command("exampleFromGame", path.absolute().as_uri(), line)
        (made,) = client.applied[-1]["changes"][path.absolute().as_uri()]
        assert made["newText"].startswith("\n```example\n")
