"""Names as a setting wants them: `spellings` in `game.yaml` says which value shows labels instead of names.

Only what is shown changes. Ids, aliases, rules and dice stay as they are, so that a game is the same game
under either spelling.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rulesdsl import program as pg
from rulesdsl.book.loader import GameSource


def spelled(source: GameSource, program: pg.Program, settings: Mapping[str, object]) -> pg.Program:
    """The program with the names these settings ask for."""
    shown = {
        spelling.of
        for spelling in source.game.spellings
        if _chosen(program, settings, spelling.setting) == spelling.value
    }
    if not shown:
        return program
    spaces = source.map.spaces if source.map is not None else {}
    labels = {entry.id: entry.label for entry in (*spaces.values(), *source.pieces.values()) if entry.label}
    universes = dict(program.world.universes)
    for name in ("space", "piece"):
        things = universes[name]
        rows = zip(things.ids, things.names, things.classes, strict=True)
        names = tuple(labels.get(i, written) if kind in shown else written for i, written, kind in rows)
        universes[name] = replace(things, names=names)
    return replace(program, world=replace(program.world, universes=universes))


def _chosen(program: pg.Program, settings: Mapping[str, object], name: str) -> str:
    """The value of a setting in words: readings and options are numbers in the settings."""
    setting, value = program.settings[name], settings[name]
    return setting.alternatives[value] if setting.alternatives and isinstance(value, int) else str(value)
