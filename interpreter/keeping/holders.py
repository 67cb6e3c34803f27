"""Who is playing the game in a file: a record beside it, for those who come second.

The record is itself locked by the one who wrote it, from before it has its name until he goes. A record that
can be locked was left behind by a crash, and is not believed: what is told is always true.
"""

from __future__ import annotations

import json
import os
import socket
import sys
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from rulesdsl.base.writing import new_beside, write_all

if sys.platform != "win32":
    import fcntl

LOCKS = os.name == "posix"  # elsewhere there are none of this kind, and nobody is told to hold anything

_LONGEST = 2_000


@dataclass(frozen=True, slots=True)
class Holder:
    """A program that has a game open for playing."""

    pid: int
    host: str
    since: str

    def __str__(self) -> str:
        return f"process {self.pid} on {self.host} since {self.since}"


class Record:
    """The record of this program; `withdraw` when the game is given up."""

    def __init__(self, of: Path) -> None:
        self.path = record_path(of)
        self._number = -1
        if not LOCKS:
            return
        holder = {
            "pid": os.getpid(),
            "host": socket.gethostname(),
            "since": datetime.now().astimezone().isoformat(" ", "seconds"),
        }
        with suppress(
            OSError
        ):  # a directory that cannot be written to: then nobody is told, but nothing lost
            self._number, beside = new_beside(self.path, 0o644)
            try:
                fcntl.flock(self._number, fcntl.LOCK_EX | fcntl.LOCK_NB)
                write_all(self._number, json.dumps(holder).encode())
                os.replace(beside, self.path)
            except BaseException:
                beside.unlink(missing_ok=True)
                os.close(self._number)
                self._number = -1
                raise

    def withdraw(self) -> None:
        """Called while the game itself is still locked: nobody else can have written a record meanwhile."""
        if self._number >= 0:
            with suppress(OSError):
                if os.path.samestat(os.fstat(self._number), os.lstat(self.path)):
                    os.unlink(self.path)
            os.close(self._number)
            self._number = -1


def record_path(of: Path) -> Path:
    """Beside the real file, whatever name it is called by."""
    real = Path(os.path.realpath(of))
    return real.with_name(f".{real.name[:200]}.player")


def holder_of(path: Path) -> Holder | None:
    """Who has this file now; None when nobody has, or nobody can be told."""
    if not LOCKS:
        return None
    try:
        number = os.open(record_path(path), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    try:
        try:
            fcntl.flock(number, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            said = json.loads(os.read(number, _LONGEST))
            return Holder(int(said["pid"]), str(said["host"]), str(said["since"]))
        return None  # whoever wrote it is gone
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None
    finally:
        os.close(number)
