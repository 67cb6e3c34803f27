"""Which games there are, and what may be chosen before one begins; read from their files, nothing is run."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from interpreter.serving.guide import guide_of
from rulesdsl.base.diagnostics import UsageError
from rulesdsl.base.limits import DEFAULT
from rulesdsl.base.resources import GAME_FILE, find_game
from rulesdsl.base.textfile import read_source
from rulesdsl.book.game_file import build_game_file
from rulesdsl.book.loader import GameSource, load_game
from rulesdsl.book.yaml.file import load_yaml


@lru_cache(maxsize=64)
def game_listed(name: str) -> dict[str, Any]:
    """A line of the list: title and what it is about."""
    file = read_source(find_game(name) / GAME_FILE, DEFAULT.yaml_file_bytes)
    game, _ = build_game_file(load_yaml(file))
    if game is None:
        return {"game": name, "title": name, "summary": "its game.yaml has errors", "players": []}
    players = [player.name for player in game.players]
    return {"game": name, "title": game.title, "summary": game.summary, "players": players}


@lru_cache(maxsize=64)
def described(name: str) -> dict[str, Any]:
    """Players, scenarios, house rules of a game."""
    source = _source(name)
    house = []
    for path in sorted((source.directory / "house").glob("*.md")):
        text = read_source(path, DEFAULT.rule_file_bytes).text
        title = next((line.lstrip("# ") for line in text.splitlines() if line.startswith("# ")), path.stem)
        house.append({"id": path.stem, "title": title})
    return {
        "game": name,
        "title": source.game.title,
        "summary": source.game.summary,
        "players": [{"id": p.id, "name": p.name, "colour": p.colour or ""} for p in source.game.players],
        "scenarios": [
            {"id": scenario.id, "title": scenario.title or scenario.id}
            for scenario in source.scenarios.values()
        ],
        "scenario": source.game.scenario,
        "house": house,
        "guide": guide.title if (guide := guide_of(name)) is not None else "",
    }


def _source(name: str) -> GameSource:
    source, _ = load_game(find_game(name))
    if source is None:
        raise UsageError(f"{name} cannot be read: rulesdsl check {name} tells why")
    return source
