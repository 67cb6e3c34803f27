"""Where a player's lines come from: a terminal, a pipe, or nowhere."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable

FIRST_LINE = 3.0  # seconds to wait for a pipe to say its first word


class Lines:
    """`read` gives the next line, or None when there will be no more."""

    def __init__(self, echo: Callable[[str], None]) -> None:
        self.interactive = sys.stdin.isatty() and sys.stdout.isatty()
        self._echo = echo
        # Somebody at a keyboard cannot answer questions that go into a file.
        self._ended = sys.stdin.isatty() and not sys.stdout.isatty()
        self._first: str | None = None  # a line that was read to see whether somebody is there
        if self.interactive:
            with contextlib.suppress(ImportError):
                import readline  # noqa: F401  (gives input() a history and line editing)

    def read(self, prompt: str) -> str | None:
        if self._ended:
            return None
        if self.interactive:
            try:
                return input(prompt)
            except EOFError:
                return None
        line = self._first if self._first is not None else sys.stdin.readline()
        self._first = None
        if not line:
            self._ended = True
            return None
        self._echo(prompt + line.rstrip("\n"))
        return line

    def somebody_there(self) -> bool:
        """Whether at least one line can be had; a pipe is waited for, but not for ever."""
        if self.interactive or self._ended or self._first is not None:
            return not self._ended
        self._first = sys.stdin.readline() if self._something_comes() else ""
        self._ended = not self._first
        return not self._ended

    def _something_comes(self) -> bool:
        """A pipe that nobody writes to and nobody closes must not stop a game that could play itself."""
        import select

        try:
            return bool(select.select([sys.stdin], [], [], FIRST_LINE)[0])
        except (OSError, ValueError):  # no real file (tests), or a system that can only ask sockets
            return True
