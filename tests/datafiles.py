"""The kinds of data files, and what reads each of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulesdsl.data.gamefile import build_game_file
from rulesdsl.data.gamemap import build_map
from rulesdsl.data.pieces import build_pieces
from rulesdsl.data.scenario import build_scenario
from rulesdsl.data.tablefile import build_table
from rulesdsl.data.yamlfile import YamlDocument
from rulesdsl.diagnostics import Diagnostic

BUILDERS: dict[str, Callable[[YamlDocument], tuple[Any, list[Diagnostic]]]] = {
    "game": build_game_file,
    "map": build_map,
    "pieces": build_pieces,
    "scenario": build_scenario,
    "table": build_table,
}
