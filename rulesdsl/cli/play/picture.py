"""`map` at the table: the board as an SVG picture in a file."""

from __future__ import annotations

import tempfile
from pathlib import Path

from interpreter.picture import map_svg
from interpreter.session import Session


def write_map(session: Session, seat: str | None, beside: Path | None) -> Path:
    """Write the picture beside the save, or where temporary files go; always the same file."""
    name = f"{session.facts['game']}.svg"
    path = (
        beside.with_suffix(".svg") if beside is not None else Path(tempfile.gettempdir()) / f"rulesdsl-{name}"
    )
    path.write_text(map_svg(session, seat), encoding="utf-8")
    return path
