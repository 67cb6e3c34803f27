"""A file that grows line by line and outlives the program: results of games, trials of a training.

It is locked before it is read and until `close`, because lines of two programs at once would mix. A line
without its end was cut off by a crash, and is taken away; what is added is added whole or not at all.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from contextlib import suppress
from pathlib import Path

from rulesdsl.base.diagnostics import UsageError
from rulesdsl.base.writing import write_all

MOST_BYTES = 1_000_000_000  # more than any run of ours writes, less than a machine has memory


class GrowingFile:
    """`option` is what the file was named with: messages begin with it. `content` are the lines it had; a new
    one begins with the line `head`, and a file that holds only a part of a line must hold a part of that."""

    def __init__(self, path: Path, option: str, doing: str, head: str) -> None:
        self.path = path
        self._number = _locked(path, option, doing)
        try:
            if os.fstat(self._number).st_size > MOST_BYTES:
                raise UsageError(f"{option} {path}: larger than {MOST_BYTES:,} bytes, the most that is read")
            with open(os.dup(self._number), "rb") as stream:
                content = stream.read()
            self.content = content[: content.rfind(b"\n") + 1]
            self._length = len(self.content)
            self._torn = len(content) > self._length
            if not self.content and not head.encode().startswith(content):
                raise UsageError(f"{option} {path}: it holds something else: give another name")
            if not self.content:
                self.append(head)
        except BaseException:
            self.close()
            raise

    def append(self, text: str) -> None:
        """All of it, or nothing: half a line would be taken for the end of the file."""
        data = text.encode()
        try:
            if not os.path.samestat(os.fstat(self._number), os.stat(self.path)):
                raise OSError(errno.ESTALE, "another file has taken its name")
            if self._torn:  # only now: who is refused after a look at the file leaves it as it was
                os.ftruncate(self._number, self._length)
                self._torn = False
            os.lseek(self._number, self._length, os.SEEK_SET)
            write_all(self._number, data)
            os.fsync(self._number)
            self._length += len(data)
        except OSError as error:
            with suppress(OSError):
                os.ftruncate(self._number, self._length)
            raise OSError(error.errno, error.strerror or str(error), str(self.path)) from None

    def close(self) -> None:
        """Every line is in the file already."""
        if self._number >= 0:
            os.close(self._number)
            self._number = -1


def _locked(path: Path, option: str, doing: str) -> int:
    """The open file, made if it is not there, with no other program at it."""
    try:
        number = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NONBLOCK", 0), 0o666)
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", "") or str(error)).lower()
        raise UsageError(f"{option} {path}: {reason}") from None
    try:
        if not stat.S_ISREG(os.fstat(number).st_mode):
            raise UsageError(f"{option} {path}: this is not a regular file")
        if sys.platform != "win32":
            import fcntl

            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(number)
        raise UsageError(f"{option} {path}: another program is {doing} there now") from None
    except BaseException:
        os.close(number)
        raise
    return number
