"""`map` at the table: the board as an SVG picture in a file."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from interpreter.session import Session
from rulesdsl.drawing import MapOptions, PieceView, draw_map, piece_view, prepare, space_marks


def map_svg(session: Session, seat: str | None) -> str:
    """The position as `seat` sees it."""
    source = session.game.source
    ready = prepare(source)
    things: dict[str, dict[str, Any]] = session.view(seat)["things"]
    positions: dict[str, list[PieceView]] = {}
    for identity in session.ruleset.program.world.universes["piece"].ids:
        state = things.get(f"piece:{identity}", {})
        place = state.get("at")
        if place is not None:
            view = piece_view(ready.style.counters, identity, state.get("face", 0), state)
            positions.setdefault(place, []).append(view)
    spaces = {key.removeprefix("space:"): state for key, state in things.items() if key.startswith("space:")}
    options = MapOptions(subtitle=_moment(session, seat), marks=space_marks(source, ready.style, spaces))
    return draw_map(source, positions, options=options, prepared=ready)


def write_map(session: Session, seat: str | None, beside: Path | None) -> Path:
    """Write the picture beside the save, or where temporary files go; always the same file."""
    name = f"{session.facts['game']}.svg"
    path = (
        beside.with_suffix(".svg") if beside is not None else Path(tempfile.gettempdir()) / f"rulesdsl-{name}"
    )
    path.write_text(map_svg(session, seat), encoding="utf-8")
    return path


def _moment(session: Session, seat: str | None) -> str:
    turn = session.view(seat)["tracks"].get("turn")
    return f"turn {turn}" if turn is not None else f"after {len(session.history)} decisions"
