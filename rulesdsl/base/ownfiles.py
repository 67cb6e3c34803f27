"""Files that only their owner can have written: what is remembered between two runs of this program.

A cache that somebody else can write to would tell us what rulebooks say. So every folder on the way must
belong to this user or to the system, and be closed to others; and so must the file.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

from rulesdsl.base.writing import write_file

_MOST_BYTES = 100_000_000
_WRITABLE = stat.S_IWGRP | stat.S_IWOTH
_CAUTIOUS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def own_folder(folder: Path) -> bool:
    """Make a folder of our own, if it is not there; whether it is ours alone, and all above it sound."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        real = Path(os.path.realpath(folder))
        return _is_ours(os.lstat(real)) and all(_is_sound(os.lstat(above)) for above in real.parents)
    except (OSError, ValueError):
        return False


def _is_ours(found: os.stat_result) -> bool:
    if os.name != "posix":  # the folders of a profile are closed to others
        return True
    return found.st_uid == _user() and not found.st_mode & _WRITABLE


def _is_sound(found: os.stat_result) -> bool:
    """A folder above ours: others may make files beside ours in it, but not take ours away (as in /tmp)."""
    if os.name != "posix":
        return True
    closed = not found.st_mode & _WRITABLE or bool(found.st_mode & stat.S_ISVTX)
    return found.st_uid in (0, _user()) and closed


def _user() -> int:
    """Who runs this program. In a browser's machine nobody can be somebody else for a while."""
    return os.geteuid() if hasattr(os, "geteuid") else os.getuid()


def read_own(path: Path) -> bytes | None:
    """The content of a file of ours; None when there is none, or it is not ours alone."""
    try:
        number = os.open(path, os.O_RDONLY | _CAUTIOUS)
    except (OSError, ValueError):
        return None
    try:
        found = os.fstat(number)
        if not stat.S_ISREG(found.st_mode) or not _is_ours(found) or found.st_size > _MOST_BYTES:
            return None
        with open(number, "rb", closefd=False) as stream:  # (a folder could not even be opened like this)
            return stream.read()
    except OSError:
        return None
    finally:
        os.close(number)


def write_own(path: Path, content: bytes) -> None:
    """Keep something for the next time; where that cannot be done, it is not done."""
    with suppress(OSError):
        write_file(path, content, private=True)
