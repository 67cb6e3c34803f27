"""What was read from a file is remembered, in the process and on disk, by what the file says.

Parsing a large rulebook takes a second, reading it again from here a few milliseconds. The key holds the
text, the path and a stamp of the engine's own files, so nothing stale can come back; a cache that cannot
be read or written is simply not there. `RULESDSL_NO_CACHE=1` switches the disk part off.
"""

from __future__ import annotations

import os
import pickle
import sys
import tempfile
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

from rulesdsl.limits import changed_limits
from rulesdsl.source import SourceFile

Read = TypeVar("Read")
MOST_IN_MEMORY = 512
MOST_ON_DISK = 1000
_memory: OrderedDict[str, Any] = OrderedDict()


def remembered(kind: str, file: SourceFile, read: Callable[[], Read]) -> Read:
    """The result of `read()` for this file, read only if it is not known."""
    return remembered_for(kind, (file,), read)


def remembered_for(kind: str, files: Sequence[SourceFile], read: Callable[[], Read]) -> Read:
    """The result of `read()`, which depends on nothing but these files, the engine and its limits."""
    digest = sha256(f"{engine_stamp()}\0{kind}\0{sorted(changed_limits().items())}".encode())
    for file in files:
        digest.update("\0".join(("", str(file.path), file.shown, file.text)).encode())
    key = digest.hexdigest()
    if key in _memory:
        _memory.move_to_end(key)
        known: Read = _memory[key]
        return known
    folder = _folder()
    path = folder / f"{kind}-{key[:40]}.pickle" if folder is not None else None
    found, value = _load(path)
    if not found:
        value = read()
        _store(path, value)
    _memory[key] = value
    if len(_memory) > MOST_IN_MEMORY:
        _memory.popitem(last=False)
    result: Read = value
    return result


@cache
def engine_stamp() -> str:
    """Changes whenever a file of the front end or the grammar changes."""
    from rulesdsl.resources import data_dir

    return stamp_of(Path(__file__).parent, data_dir("grammar"))


def stamp_of(*folders: Path) -> str:
    """Changes whenever a file of an engine in these folders changes."""
    digest = sha256(sys.version.encode())
    for folder in folders:
        for path in sorted(p for p in folder.rglob("*") if p.suffix in (".py", ".lark", ".json")):
            stat = path.stat()
            digest.update(f"{path.name} {stat.st_size} {stat.st_mtime_ns}\n".encode())
    return digest.hexdigest()


@cache
def _folder() -> Path | None:
    if os.environ.get("RULESDSL_NO_CACHE"):
        return None
    from platformdirs import user_cache_dir

    folder = Path(user_cache_dir("rulesdsl")) / engine_stamp()[:16]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _forget_other_engines(folder)
        _forget_the_oldest(folder)
    except OSError:
        return None
    return folder


def _forget_other_engines(folder: Path) -> None:
    """Keep the caches of the three engines used last: old ones are never asked again."""
    others = sorted((p for p in folder.parent.iterdir() if p.is_dir()), key=lambda p: -p.stat().st_mtime)
    for old in others[3:]:
        for entry in old.glob("*.pickle"):
            entry.unlink(missing_ok=True)
        if not any(old.iterdir()):
            old.rmdir()


def _forget_the_oldest(folder: Path) -> None:
    """Every version of a file that was ever checked has an entry: of too many, the newer half is kept."""
    if len(os.listdir(folder)) > MOST_ON_DISK:
        entries = sorted(folder.glob("*.pickle"), key=lambda p: p.stat().st_mtime)
        for entry in entries[: -MOST_ON_DISK // 2]:
            entry.unlink(missing_ok=True)


def _load(path: Path | None) -> tuple[bool, Any]:
    if path is None or not path.exists():
        return False, None
    try:
        with path.open("rb") as stream:
            return True, pickle.load(stream)  # our own file in the user's cache, never from a game
    except Exception:  # whatever is wrong with a cache entry, reading the file again is right
        return False, None


def _store(path: Path | None, value: object) -> None:
    if path is None:
        return
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as stream:
            pickle.dump(value, stream, protocol=pickle.HIGHEST_PROTOCOL)
        os.replace(stream.name, path)
    except (OSError, pickle.PicklingError, RecursionError, TypeError):
        return
