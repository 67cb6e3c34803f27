"""A position as a picture: the map with its pieces, drawn from what a seat may see."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from interpreter.game import Game
from rulesdsl.diagnostics import number_of
from rulesdsl.drawing import MapOptions, PieceView, Prepared, draw_map, piece_view, prepare, space_marks

if TYPE_CHECKING:
    from interpreter.session import Session


def map_svg(session: Session, seat: str | None) -> str:
    """The position as `seat` sees it (None: what everybody may see), as SVG."""
    source, ready = session.game.source, _prepared(session.game)
    shown, written = (
        p.world.universes["space"].names for p in (session.ruleset.program, session.game.program)
    )
    if shown != written:  # a reading wants the labels
        ready = replace(ready, style=replace(ready.style, names="label"))
    view = session.view(seat)
    things: dict[str, dict[str, Any]] = view["things"]
    positions: dict[str, list[PieceView]] = {}
    for identity in session.ruleset.program.world.universes["piece"].ids:
        state = things.get(f"piece:{identity}", {})
        place = state.get("at")
        if place is not None:
            piece = piece_view(ready.style.counters, identity, state.get("face", 0), state)
            positions.setdefault(place, []).append(piece)
    spaces = {key.removeprefix("space:"): state for key, state in things.items() if key.startswith("space:")}
    turn = view["tracks"].get("turn")
    subtitle = f"turn {turn}" if turn is not None else f"after {number_of(len(session.history), 'decision')}"
    options = MapOptions(subtitle=subtitle, marks=space_marks(source, ready.style, spaces))
    return draw_map(source, positions, options=options, prepared=ready)


@lru_cache(maxsize=8)
def _prepared(game: Game) -> Prepared:
    return prepare(game.source)
