"""Reading a text file of a game strictly: a regular file, of bounded size, UTF-8, nothing invisible.

Characters that change what a person sees (direction marks, control characters, zero-width spaces,
exotic line ends) are refused in the whole file: two rulebooks that look alike must be alike, and
line numbers must be those of the reader's editor.
"""

from __future__ import annotations

import os
import re
import stat
import unicodedata
from pathlib import Path

from rulesdsl.base.diagnostics import Diagnostic, RulebookError
from rulesdsl.base.source import SourceFile, Span

# Tab and line feed are the only control characters that stay. The rest: C0, DEL and C1 (with NEL),
# soft hyphen, zero-width and direction marks, line and paragraph separators, surrogates, byte-order
# mark inside the text, non-characters.
_FORBIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\ud800-\udfff\ufdd0-\ufdef\ufeff\ufff9-\ufffb\ufffe\uffff]"
)
_MOST_REPORTED = 20
_HOMES = ("game.yaml", "module.yaml")  # the first is looked for in all folders, then the second
_DEEPEST = 5  # folders of a game, one in the other: modules/war/sea/rules/
_CAUTIOUS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def read_source(path: Path, most_bytes: int) -> SourceFile:
    """The file's text, or a `RulebookError` that says why it cannot be read and where."""
    return decode_source(path, _read_bytes(path, shown_path(path), most_bytes), most_bytes)


def decode_source(path: Path, content: bytes, most_bytes: int | None = None) -> SourceFile:
    """The text that `content`, the bytes of the file `path`, stands for."""
    shown = shown_path(path)
    if most_bytes is not None and len(content) > most_bytes:
        message = f"the file is larger than {most_bytes:,} bytes, the most that is read"
        place = Span(SourceFile(path, "", shown), 1, 1, 1, 1)
        raise RulebookError([Diagnostic("file-too-big", message, place)])
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        source = SourceFile(path, content.decode("utf-8", "replace"), shown)
        place = place_at(source, content[: error.start].decode("utf-8", "replace"))
        message = f"byte {content[error.start]:#04x} is not valid UTF-8"
        hint = "save the file with the encoding UTF-8"
        raise RulebookError([Diagnostic("file-encoding", message, place, help=hint)]) from None
    source = SourceFile(path, text.removeprefix("\ufeff").replace("\r\n", "\n"), shown)
    problems = character_problems(source)
    if problems:
        raise RulebookError(problems)
    return source


def character_problems(source: SourceFile) -> list[Diagnostic]:
    """One problem per forbidden character of the text (the first few: a binary file has thousands)."""
    found: list[Diagnostic] = []
    for match in _FORBIDDEN.finditer(source.text):
        place = place_at(source, source.text[: match.start()])
        found.append(Diagnostic("file-character", f"{character_name(match[0])} is not allowed here", place))
        if len(found) == _MOST_REPORTED:
            break
    return found


def forbidden_character(text: str) -> str:
    """The first character of `text` that may not stand in a game, or nothing."""
    match = _FORBIDDEN.search(text)
    return match[0] if match else ""


def character_name(character: str) -> str:
    """`the character U+202E (right-to-left override)`: readable although it cannot be printed."""
    name = unicodedata.name(character, "").lower()
    if not name and "\ud800" <= character <= "\udfff":
        name = "half of a surrogate pair"
    return f"the character U+{ord(character):04X}" + (f" ({name or 'a control character'})")


def place_at(source: SourceFile, before: str) -> Span:
    """The place of the character that follows the text `before`."""
    line = before.count("\n") + 1
    column = len(before) - (before.rfind("\n") + 1) + 1
    return Span(source, line, column, line, column + 1)


def shown_path(path: Path) -> str:
    """The path as typed from the current directory when the file lies below it."""
    try:
        absolute, here = os.path.abspath(path), os.getcwd()
    except OSError:  # the current directory is gone
        return str(path)
    return os.path.relpath(absolute, here) if absolute.startswith(here + os.sep) else absolute


def home_of(path: Path) -> Path:
    """The directory that a file may not leave by a link: that of its game, or of its module, or its own.

    A game may come from a stranger, and a save carries all its files: one that is a link to a private file
    would be sent to everybody who is sent the save.
    """
    folders = list(Path(os.path.abspath(path)).parents)[:_DEEPEST]
    for name in _HOMES:
        for folder in folders:
            if (folder / name).is_file():
                return folder
    return folders[0]


def _read_bytes(path: Path, shown: str, most_bytes: int) -> bytes:
    def refuse(code: str, message: str) -> RulebookError:
        return RulebookError([Diagnostic(code, message, Span(SourceFile(path, "", shown), 1, 1, 1, 1))])

    try:
        real, home = os.path.realpath(path), os.path.realpath(home_of(path))
        if os.path.commonpath((real, home)) != home:
            words = f"this is a link to {real}, outside of its game"
            raise refuse("file-link", f"{words}: what is not the game's own is not read")
        # not waiting for a pipe, nor following a link that has come since
        number = os.open(real, os.O_RDONLY | _CAUTIOUS)
        with open(number, "rb") as stream:
            if not stat.S_ISREG(os.fstat(number).st_mode):
                raise refuse("file-unreadable", "this is not a regular file")
            content = stream.read(most_bytes + 1)
    except (FileNotFoundError, NotADirectoryError):
        raise refuse("file-missing", "there is no such file") from None
    except IsADirectoryError:
        raise refuse("file-unreadable", "this is not a regular file") from None
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise refuse("file-unreadable", f"the file cannot be read: {reason}") from None
    return content
