"""Writing files: all or nothing, under a name that nobody can guess, never through a link.

What is written goes into a new file in the same directory and takes its name when it is whole. After a crash
or on a full disk there is the old file or the new one, never a mixture and never an empty one.
"""

from __future__ import annotations

import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path

_TRIES = 20
_BINARY = getattr(os, "O_BINARY", 0)
_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)


def write_file(
    path: Path, content: str | bytes, lasting: bool = False, fresh: bool = False, private: bool = False
) -> None:
    """Give a file new content in one step; a `fresh` one must not exist, a `lasting` one outlives power cuts.

    A `private` one is for its owner alone. Raises `OSError` with the name of the file; what was there before
    is then still there.
    """
    data = content.encode() if isinstance(content, str) else content
    try:
        if not fresh and _is_device(path):
            _pour(path, data)
            return
        number, beside = new_beside(path, 0o600 if private else _mode_of(path))
        try:
            try:
                write_all(number, data)
                if lasting:
                    os.fsync(number)
            finally:
                os.close(number)
            give_name(beside, path, fresh)
        except BaseException:
            with suppress(OSError):
                beside.unlink()
            raise
        if lasting:
            sync_directory(path.parent)
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(path)) from None


def new_beside(path: Path, mode: int = 0o666) -> tuple[int, Path]:
    """An open file of our own in the directory of `path`: what becomes that file when it is whole."""
    for _ in range(_TRIES):
        beside = path.with_name(f".rulesdsl-{secrets.token_hex(8)}.new")
        with suppress(FileExistsError):
            return os.open(beside, os.O_RDWR | os.O_CREAT | os.O_EXCL | _NOFOLLOW | _BINARY, mode), beside
    raise FileExistsError(17, "no name is free beside it", str(path))


def give_name(beside: Path, path: Path, fresh: bool) -> None:
    """Let a finished file take its name; `fresh`: only if nothing has that name (`FileExistsError`)."""
    if fresh:
        try:
            os.link(beside, path, follow_symlinks=False)
        except FileExistsError:
            raise
        except (OSError, NotImplementedError, AttributeError):  # a file system without links: claim the name
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NOFOLLOW))
        else:
            beside.unlink()
            return
    os.replace(beside, path)


def write_all(number: int, data: bytes) -> None:
    """All of it: a system may take less at a time."""
    left = memoryview(data)
    while left:
        left = left[os.write(number, left) :]


def sync_directory(directory: Path) -> None:
    """Make the name of a new file last, where the system can do that."""
    if os.name == "posix":
        number = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def _mode_of(path: Path) -> int:
    """The permissions of the file that is replaced; those of a new one are left to the umask."""
    with suppress(OSError):
        found = os.lstat(path)
        if stat.S_ISREG(found.st_mode):
            return stat.S_IMODE(found.st_mode) & 0o777
    return 0o666


def _is_device(path: Path) -> bool:
    """`/dev/stdout` and the like are written to, not replaced."""
    try:
        kind = os.stat(path).st_mode
    except OSError:
        return False
    if stat.S_ISDIR(kind):
        raise IsADirectoryError(21, "is a directory", str(path))
    return not stat.S_ISREG(kind)


def _pour(path: Path, data: bytes) -> None:
    """Into a device, or a pipe that somebody reads: one that nobody reads would be waited for for ever."""
    number = os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY)
    try:
        os.set_blocking(number, True)
        write_all(number, data)
    finally:
        os.close(number)
