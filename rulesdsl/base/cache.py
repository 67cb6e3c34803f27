"""What was read from a file is remembered, in the process and on disk, by what the file says.

Parsing a large rulebook takes a second, reading it again from here a few milliseconds. The key holds the
text and the content of the engine's own files, so nothing stale can come back; a cache that cannot be read or
written is simply not there. What was read without a problem depends on no path: another checkout of the same
engine finds it, and an installation brings it along for the games it ships (`ready.py`). Problems are told
with the path somebody opened, so they are remembered under it. `RULESDSL_NO_CACHE=1` does without the disk.

An entry is JSON that can only become nodes (`encoding.py`), under a fingerprint of itself and of its key. It
is read only where nobody but its owner can have written it (`ownfiles.py`), or from the package itself.
"""

from __future__ import annotations

import os
import sys
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

from rulesdsl.base.limits import changed_limits
from rulesdsl.base.ownfiles import own_folder, read_own, write_own
from rulesdsl.base.source import SourceFile

Read = TypeVar("Read")
MOST_IN_MEMORY = 512
MOST_ON_DISK = 1000
MOST_STAMPS = 100
_ENDING = ".tree"
NAMED_BY = 2  # parts of a path by which a file is called: `rules/08_combat.md`
_HEX = 64  # letters of a stamp
_DIGEST = 32  # bytes of the fingerprint at the head of an entry
_SHAPES: dict[str, type] = {
    "check": list,
    "drawn": str,
    "seats": dict,
}  # all else is something made, and its problems
_memory: OrderedDict[str, Any] = OrderedDict()


def remembered(kind: str, file: SourceFile, read: Callable[[], Read]) -> Read:
    """The result of `read()` for this file, read only if it is not known."""
    return remembered_for(kind, (file,), read)


def remembered_for(kind: str, files: Sequence[SourceFile], read: Callable[[], Read]) -> Read:
    """The result of `read()`, which depends on nothing but these files, the engine and its limits."""
    anywhere, here = _keys(kind, files)
    if here in _memory:
        _memory.move_to_end(here)
        known: Read = _memory[here]
        return known
    folder = _folder()
    found, value = _found(folder, kind, anywhere, here, files)
    if not found:
        value = read()
        if folder is not None:
            store(folder, kind, value, files)
    _memory[here] = value
    if len(_memory) > MOST_IN_MEMORY:
        _memory.popitem(last=False)
    result: Read = value
    return result


def _keys(kind: str, files: Sequence[SourceFile]) -> tuple[str, str]:
    """The key by what the files say and are called, and the one by where they stand, too."""
    digest = sha256(f"{engine_stamp()}\0{kind}\0{sorted(changed_limits().items())}".encode())
    for file in files:
        digest.update("\0".join(("", *file.path.parts[-NAMED_BY:], "", file.text)).encode())
    anywhere = digest.hexdigest()
    digest.update(sys.version.encode())
    for file in files:
        digest.update(f"\0{file.path}\0{file.shown}".encode())
    return anywhere, digest.hexdigest()


def _found(
    folder: Path | None, kind: str, anywhere: str, here: str, files: Sequence[SourceFile]
) -> tuple[bool, Any]:
    if os.environ.get("RULESDSL_NO_CACHE"):
        return False, None
    places: list[tuple[Path | None, str, Callable[[Path], bytes | None]]] = [
        (folder, anywhere, read_own), (ready_folder(), anywhere, _read_shipped), (folder, here, read_own)
    ]  # fmt: skip
    for place, key, reading in places:
        if place is not None:
            found, value = _load(reading(_entry(place, kind, key)), kind, key, files)
            if found:
                return True, value
    return False, None


def _entry(folder: Path, kind: str, key: str) -> Path:
    return folder / f"{kind}-{key[:40]}{_ENDING}"


def ready_folder() -> Path:
    """Where an installation keeps what was made of its own games and grammar when it was built."""
    return Path(__file__).parent.parent / "_data" / "ready"


def _read_shipped(path: Path) -> bytes | None:
    """A file of the package, which is trusted like its code."""
    try:
        return path.read_bytes()
    except OSError:
        return None


@cache
def engine_stamp() -> str:
    """Changes whenever a file of the front end or the grammar says something else."""
    from rulesdsl.base.resources import data_dir  # only here: an answer that is remembered needs no data

    return stamp_of(Path(__file__).parent.parent, data_dir("grammar"))


def stamp_of(*folders: Path) -> str:
    """Changes whenever a file of an engine in these folders says something else, wherever they stand.

    Reading them all takes longer than many a command: what they say is remembered by their sizes and times.
    """
    paths = [(folder, path) for folder in folders for path in _engine_files(folder)]
    quick = sha256()
    for _, path in paths:
        found = os.stat(path)
        quick.update(f"{path}\0{found.st_size}\0{found.st_mtime_ns}\0{found.st_ctime_ns}\n".encode())
    kept = _stamp_file(quick.hexdigest())
    known = read_own(kept) if kept is not None else None
    if known is not None and len(known) == _HEX:
        return known.decode("ascii", "replace")
    digest = sha256()
    for folder, path in paths:
        digest.update(f"{Path(path).relative_to(folder).as_posix()}\0".encode())
        digest.update(sha256(Path(path).read_bytes()).digest())
    if kept is not None:
        write_own(kept, digest.hexdigest().encode())
    return digest.hexdigest()


def _engine_files(folder: Path) -> list[str]:
    """What an engine says: its code, grammar and schemas, not what was made of them."""
    found: list[str] = []
    for above, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in ("_data", "__pycache__")]
        found += [f"{above}{os.sep}{name}" for name in names if name.endswith((".py", ".lark", ".json"))]
    return sorted(found)


def _stamp_file(quick: str) -> Path | None:
    if os.environ.get("RULESDSL_NO_CACHE"):
        return None
    from platformdirs import user_cache_path

    folder = user_cache_path("rulesdsl") / "stamps"
    if not own_folder(folder):
        return None
    with suppress(OSError):
        _forget_the_oldest(folder, ".stamp", MOST_STAMPS)
    return folder / f"{quick[:32]}.stamp"


@cache
def cache_folder() -> Path | None:
    """The folder of this user for what can be made again; None when nothing is to be kept."""
    if os.environ.get("RULESDSL_NO_CACHE"):
        return None
    from platformdirs import user_cache_dir

    return Path(user_cache_dir("rulesdsl"))


def _folder() -> Path | None:
    if os.environ.get("RULESDSL_NO_CACHE"):
        return None
    from platformdirs import user_cache_dir

    folder = Path(user_cache_dir("rulesdsl")) / engine_stamp()[:16]
    if not own_folder(folder):
        return None
    try:
        _forget_other_engines(folder)
        _forget_the_oldest(folder, _ENDING, MOST_ON_DISK)
    except OSError:
        return None
    return folder


def _forget_other_engines(folder: Path) -> None:
    """Keep the caches of the three engines used last: old ones are never asked again."""
    engines = (
        p for p in folder.parent.iterdir() if p.is_dir() and p.name not in ("grammar", "stamps", "native")
    )
    others = sorted(engines, key=lambda p: -p.stat().st_mtime)
    for old in others[3:]:
        for entry in (*old.glob(f"*{_ENDING}"), *old.glob("*.pickle")):  # as it was once written
            entry.unlink(missing_ok=True)
        if not any(old.iterdir()):
            old.rmdir()


def _forget_the_oldest(folder: Path, ending: str, most: int) -> None:
    """Every version of a file that was ever checked has an entry: of too many, the newer half is kept."""
    if len(os.listdir(folder)) > most:
        entries = sorted(folder.glob(f"*{ending}"), key=lambda p: p.stat().st_mtime)
        for entry in entries[: -most // 2]:
            entry.unlink(missing_ok=True)


def _load(content: bytes | None, kind: str, key: str, files: Sequence[SourceFile]) -> tuple[bool, Any]:
    if content is None or content[:_DIGEST] != _fingerprint(key, content[_DIGEST:]):
        return False, None
    from rulesdsl.base.encoding import decode  # only here: a command that finds nothing needs no nodes

    try:
        value = decode(content[_DIGEST:], files)
    except Exception:  # whatever is wrong with a cache entry, reading the file again is right
        return False, None
    return _is(value, kind), value


def _is(value: Any, kind: str) -> bool:
    """Whether a value has the form of what is remembered under this name."""
    shape = _SHAPES.get(kind.split("-")[0])
    if shape is not None:
        return isinstance(value, shape)
    return isinstance(value, tuple) and len(value) == 2 and isinstance(value[1], list)


def store(folder: Path, kind: str, value: object, files: Sequence[SourceFile]) -> None:
    """Keep a value for the next time: for everybody who reads the same, or only for the same place."""
    from rulesdsl.base.encoding import encode  # only here: as above

    try:
        content = encode(value, files)
    except (TypeError, ValueError, AttributeError, RecursionError):  # nothing that can be kept
        return
    anywhere, here = _keys(kind, files)
    key = anywhere if _is_placeless(value, kind, content, files) else here
    write_own(_entry(folder, kind, key), _fingerprint(key, content) + content)


def _is_placeless(value: object, kind: str, content: bytes, files: Sequence[SourceFile]) -> bool:
    """Something made without a problem, or drawn, in which no path stands."""
    made = kind not in _SHAPES and isinstance(value, tuple) and len(value) == 2 and not value[1]
    made = made or (kind.startswith("drawn-") and isinstance(value, str))
    return made and not any(str(file.path.parent).encode() in content for file in files)


def _fingerprint(key: str, content: bytes) -> bytes:
    return sha256(key.encode() + content).digest()
