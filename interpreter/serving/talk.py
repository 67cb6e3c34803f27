"""What people say to each other at the table, and the notes they keep for themselves."""

from __future__ import annotations

import json
import os
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from typing import Any

from rulesdsl.base.diagnostics import UsageError

ENDING = ".talk"
MOST_BYTES = 1_000_000
SHOWN = 60  # the last words


class Talk:
    """Lines of JSON beside the journal, one by one; without a file they last as long as the table."""

    def __init__(self, journal: Path | None) -> None:
        self._path = journal.with_name(journal.name + ENDING) if journal is not None else None
        self._said: list[dict[str, Any]] = []
        self._size = 0
        if self._path is not None:
            with suppress(OSError):
                if not self._path.is_symlink() and self._path.stat().st_size <= MOST_BYTES:
                    self._read(self._path.read_text("utf-8", errors="replace"))

    def _read(self, text: str) -> None:
        for line in text.splitlines():
            with suppress(ValueError, KeyError, TypeError):
                told = json.loads(line)
                said = {"who": str(told["who"]), "text": str(told["text"]), "note": bool(told["note"])}
                self._said.append(said)
        self._size = len(text.encode())

    def say(self, who: str, text: str, private: bool) -> None:
        words = " ".join(text.split())
        if not words:
            raise UsageError("nothing was said")
        said = {"who": who, "text": words, "note": private}
        line = json.dumps(said).encode() + b"\n"
        if self._size + len(line) > MOST_BYTES:
            raise UsageError("enough has been said at this table")
        if self._path is not None:
            try:
                number = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, 0o600)
                try:
                    os.write(number, line)
                finally:
                    os.close(number)
            except OSError as error:
                raise UsageError(f"it cannot be written down ({error.strerror})") from None
        self._size += len(line)
        self._said.append(said)

    def for_seats(self, seats: Collection[str]) -> list[dict[str, Any]]:
        """What everybody hears, and the notes of these seats; of several at one screen none."""
        own = seats if len(seats) == 1 else ()
        return [said for said in self._said if not said["note"] or said["who"] in own][-SHOWN:]
