"""A file that one program holds: locked before it is read, and only written to while it is still itself.

A new file is locked before it has its name, so there is no moment at which another program could open it
first. An existing one is locked, then looked at: whoever had it before may have removed or replaced it.
"""

from __future__ import annotations

import os
import stat
import sys
import time
from pathlib import Path

from interpreter.keeping.holders import LOCKS, Holder, Record, holder_of
from interpreter.keeping.save_file import SaveError, reason_of
from rulesdsl.base.writing import give_name, new_beside, sync_directory, write_all

if sys.platform != "win32":
    import fcntl

_PATIENCE = 0.5  # seconds for somebody who is just closing the file
_FLAGS = os.O_RDWR | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)


class SaveExists(SaveError):
    """A name for a new game that is taken."""


class SaveVanished(SaveError):
    """There is no file of that name (any more)."""


class SaveInUse(SaveError):
    """Another program is playing this game; `holder` says which, if it can be told."""

    def __init__(self, path: Path, holder: Holder | None) -> None:
        by = f"by {holder}" if holder is not None else "in another window"
        super().__init__(
            f"{path} is being played {by}; close that one first, or look on: rulesdsl play --watch {path}"
        )
        self.holder = holder


class HeldFile:
    """An open, locked file and the name it belongs to."""

    def __init__(self, path: Path, number: int) -> None:
        self.path = path
        self._number = number
        self._record = Record(path)

    @classmethod
    def made(cls, path: Path, content: bytes, instead: HeldFile | None = None) -> HeldFile:
        """A new file with this content. The name must be free, or that of the file it comes `instead` of."""
        try:
            number, beside = new_beside(path)
        except OSError as error:
            raise _unwritable(path, error) from None
        named = False
        try:
            _lock(number, path)
            write_all(number, content)
            os.fsync(number)
            if instead is not None and not instead.is_named():
                raise SaveVanished(f"{path} is no longer the file that was opened; nothing was decided")
            give_name(beside, path, fresh=instead is None)
            named = True
            sync_directory(path.parent)
        except BaseException as error:
            if named and instead is None and _same(number, path):
                path.unlink(missing_ok=True)
            os.close(number)
            beside.unlink(missing_ok=True)
            if isinstance(error, FileExistsError):
                raise SaveExists(f"{path} exists: resume it, or choose another name") from None
            if isinstance(error, OSError):
                raise _unwritable(path, error) from None
            raise
        if instead is not None:
            instead.release()
        return cls(path, number)

    @classmethod
    def opened(cls, path: Path) -> HeldFile:
        """The file of that name, locked; who has it is told if somebody does."""
        while True:
            number = _open(path)
            try:
                _lock(number, path)
                if _same(number, path):
                    return cls(path, number)
            except BaseException:
                os.close(number)
                raise
            os.close(number)  # replaced between opening and locking: the next try finds the new one

    def read(self, most: int) -> bytes:
        """The whole file, but not more than `most` bytes."""
        try:
            os.lseek(self._number, 0, os.SEEK_SET)
            parts: list[bytes] = []
            while most > 0 and (part := os.read(self._number, min(most, 1 << 20))):
                parts.append(part)
                most -= len(part)
            return b"".join(parts)
        except OSError as error:
            raise SaveError(f"{self.path} cannot be read: {reason_of(error)}") from None

    def is_named(self) -> bool:
        """Whether this is still the file of its name."""
        return self._number >= 0 and _same(self._number, self.path)

    def size(self) -> int:
        return os.fstat(self._number).st_size

    def append(self, at: int, content: bytes) -> None:
        """Write behind the first `at` bytes, and to the disk."""
        os.lseek(self._number, at, os.SEEK_SET)
        write_all(self._number, content)
        os.fsync(self._number)

    def shorten(self, length: int) -> None:
        os.ftruncate(self._number, length)

    def release(self, remove: bool = False) -> None:
        """Give the file back; `remove`: and take it away, if it is still the file of its name."""
        if self._number < 0:
            return
        try:
            if remove and self.is_named():
                os.unlink(self.path)
        finally:
            self._record.withdraw()
            os.close(self._number)
            self._number = -1


def _open(path: Path) -> int:
    try:
        number = os.open(path, _FLAGS)
    except FileNotFoundError:
        raise SaveVanished(f"{path} cannot be read: no such file or directory") from None
    except (OSError, ValueError) as error:
        raise SaveError(f"{path} cannot be opened: {reason_of(error)}") from None
    if not stat.S_ISREG(os.fstat(number).st_mode):
        os.close(number)
        raise SaveError(f"{path} cannot be read: this is not a regular file")
    return number


def _lock(number: int, path: Path) -> None:
    """Two programs that write to one file would spoil it; the second one is refused."""
    if not LOCKS:
        return
    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            holder = holder_of(path)
            if holder is not None or time.monotonic() > deadline:
                raise SaveInUse(path, holder) from None
            time.sleep(0.01)


def _same(number: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(number), os.stat(path))
    except OSError:
        return False


def _unwritable(path: Path, error: OSError) -> SaveError:
    return SaveError(f"{path} cannot be written: {reason_of(error)}")
