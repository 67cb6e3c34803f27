"""A game that has begun: what is given beside its save must not contradict it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from rulesdsl.base.diagnostics import UsageError
from rulesdsl.cli.arguments import house_files

if TYPE_CHECKING:
    from interpreter.playing.session import Session


def same_game(
    session: Session, game: str | None, scenario: str | None, settings: Mapping[str, str],
    house: tuple[Path, ...], seed: str | None = None,
) -> None:  # fmt: skip
    """A save says itself which game it is, and carries its rules."""
    from rulesdsl.base.resources import find_game

    facts = session.facts
    if game is not None and find_game(game).resolve().name != facts["game"]:
        raise UsageError(f'this save is a game of "{facts["game"]}", not of "{game}"')
    if scenario not in (None, facts["scenario"]) or seed not in (None, facts["seed"]):
        raise UsageError("a game that has begun keeps its scenario and its seed: leave them out")
    if any(facts["settings"].get(name) != value for name, value in settings.items()):
        raise UsageError("a game that has begun keeps its options and readings: leave them out")
    if house:
        _same_house_rules(session, house)


def _same_house_rules(session: Session, house: tuple[Path, ...]) -> None:
    """To name them again does no harm, to name others does."""
    from rulesdsl.house.applying import read_house_files

    place = session.game.printed.directory
    given = read_house_files(place, house_files(place, house))
    if {file.text for file in given} != {file.text for file in session.game.house}:
        raise UsageError("a game that has begun keeps its house rules: leave --house out")
