"""A table as a file, to be sent to and fro."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from interpreter.keeping.journal import Journal
from interpreter.keeping.saves import load, save

if TYPE_CHECKING:
    from interpreter.playing.session import Session
    from interpreter.serving.shelf import Shelf


def as_file(session: Session) -> tuple[str, str]:
    """The name of a save of this game, and its text."""
    name = f"{Path(str(session.facts['game'])).name}-{len(session.history)}.save"
    with tempfile.TemporaryDirectory(prefix="rulesdsl-") as folder:
        path = Path(folder) / name
        save(session, path)
        return name, path.read_text("utf-8")


def put_on_shelf(shelf: Shelf, text: str) -> Path:
    """A file that was sent: it is proved first, and lies on the shelf under a name of its own."""
    with tempfile.TemporaryDirectory(prefix="rulesdsl-") as folder:
        path = Path(folder) / "received.save"
        path.write_bytes(text.encode(errors="replace"))
        session = load(path)
    kept = shelf.keep(session)
    if isinstance(session.recorder, Journal):
        session.recorder.close()
    return kept
