"""What reaches a terminal: letters, line ends, tabs and our own colours. Nothing else ever does.

Words come from rulebooks, saves, file names, the system and the command line, and any of them may be a
stranger's: a control character among them could set the title of a window, clear the screen or hide a line.
So all output goes through here. Whatever is written to standard output or standard error has its control
characters written out (`\\x1b`); rich alone writes to the stream behind it, colours and all, and
`PlainConsole` writes them out in what it is given before it adds its own.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable
from typing import IO, Any

# as in textfile.py, where files are refused that have them
_ODD = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]"
)


def shown(text: str) -> str:
    """A text with its control characters written out; line feeds and tabs stay."""
    return _ODD.sub(_written_out, text) if _ODD.search(text) else text


def shown_in_json(text: str) -> str:
    """The same for JSON, which has its own way to write them."""
    return _ODD.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def _written_out(match: re.Match[str]) -> str:
    number = ord(match[0])
    return f"\\x{number:02x}" if number < 256 else f"\\u{number:04x}"


class PlainStream:
    """A stream that takes only what may be shown; `styled` is the stream behind it."""

    def __init__(self, stream: IO[str]) -> None:
        self.styled = stream

    def write(self, text: str) -> int:
        return self.styled.write(shown(text))

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.styled, name)


def styled(stream: Any) -> IO[str]:
    """Where colours may be written."""
    found: IO[str] = stream.styled if isinstance(stream, PlainStream) else stream
    return found


def open_streams() -> None:
    """A stream that was closed before we began (`>&-`) is there, and refuses: else the next file to be opened
    would take its number, and be written to."""
    for number, name, flags, mode in (
        (0, "stdin", os.O_RDONLY, "r"), (1, "stdout", os.O_RDONLY, "w"), (2, "stderr", os.O_WRONLY, "w"),
    ):  # fmt: skip
        if getattr(sys, name) is not None:
            continue
        try:
            os.fstat(number)
        except OSError:
            given = os.open(os.devnull, flags)
            if given != number:
                os.dup2(given, number)
                os.close(given)
        setattr(sys, name, open(number, mode, encoding="utf-8", errors="replace", closefd=False))  # noqa: SIM115


def make_plain() -> None:
    """From now on, what is printed is safe to be shown."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if not isinstance(stream, PlainStream):
            setattr(sys, name, PlainStream(stream))


def make_as_before() -> None:
    """For those who call a command from Python and go on; what was put in the place of a stream stays."""
    for name in ("stdout", "stderr"):
        setattr(sys, name, styled(getattr(sys, name)))


def give_up_output() -> None:
    """Nothing more can be printed: what is still waiting to be must not be tried again when Python ends."""
    sys.stdout = open(os.devnull, "w")  # noqa: SIM115  (stays open: Python flushes it at the end)
