"""From C to a library: built once for a text, a compiler and its flags, and kept where only we can write."""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path

from interpreter.native.compilers import Compiler, NotNative, find_compiler
from rulesdsl.base.cache import cache_folder
from rulesdsl.base.ownfiles import own_folder, read_own

MOST_SECONDS = 600  # for one library
MOST_KEPT = 64  # libraries; the ones not used for longest go
FLAGS = ("-std=c11", "-O2", "-fPIC", "-shared", "-w", "-Werror=implicit-function-declaration")
# text so long takes a compiler long: it is told to think less, and compiled games stay many times faster
LONG, LONG_FLAGS = 400_000, ("-O1", "-ftree-vectorize")
HURRIED = ("-O0",)  # a third of that time, for who is waiting
SANITIZED = ("-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined")
_ENDING = ".dll" if sys.platform == "win32" else ".so"


def flags_for(text: str, more: Sequence[str] = ()) -> tuple[str, ...]:
    """How a text is compiled: for this processor, since the library never leaves it."""
    own = ("-march=native",) if sys.platform.startswith("linux") else ()
    return (*FLAGS, *own, *(LONG_FLAGS if len(text) > LONG else ()), *more)


def build(text: str, more: Sequence[str] = (), gently: bool = False) -> Path:
    """The library made of a text; raises `NotNative` when it cannot be made. `gently`: others go first."""
    compiler = find_compiler()
    flags = flags_for(text, more)
    folder = cache_folder()
    kept = folder / "native" if folder is not None else None
    if kept is None or not own_folder(kept):
        kept = _own_room()
    path = kept / f"{_name(text, compiler, flags)}{_ENDING}"
    if _found(path):
        return path
    with _alone_at(path):
        if _found(path):  # another process was at it, and we waited
            return path
        _compile(compiler, flags, text, path, gently)
    _forget_old(kept)
    return path


def _found(path: Path) -> bool:
    """Whether the library is there, and ours. It is used, so it is kept longer."""
    if not path.exists():
        return False
    if read_own(path) is None:
        raise NotNative(f"{path.name} is not ours alone")
    with suppress(OSError):
        os.utime(path)
    return True


def is_being_built(text: str, more: Sequence[str] = ()) -> bool:
    """Whether another process is at it now: workers of one machine come to the same game at the same time,
    and what one compiles is there for all."""
    folder = cache_folder()
    if folder is None:
        return False
    path = folder / "native" / f"{_name(text, find_compiler(), flags_for(text, more))}{_ENDING}"
    held = _locked(path, wait=False)
    if held is None:
        return True
    _let_go(held)
    return False


@contextmanager
def _alone_at(path: Path) -> Iterator[None]:
    """One process builds a library at a time. A process that dies lets go; where nothing can be locked, each
    builds for itself, as good."""
    held = _locked(path, wait=True)
    try:
        yield
    finally:
        if held is not None:
            _let_go(held)


_UNLOCKED = -1


def _locked(path: Path, wait: bool) -> int | None:
    """What to let go afterwards; None when another process is there."""
    if sys.platform == "win32":
        return _UNLOCKED
    import fcntl  # only here: there is none on Windows

    lock = path.with_name(f"{path.name[:2]}.lock")  # (a few hundred files at most, of nothing)
    try:
        number = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    except OSError:
        return _UNLOCKED
    try:
        fcntl.flock(number, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        os.close(number)
        return None
    except OSError:
        pass  # a drive that knows no locks
    except BaseException:  # Ctrl-C while waiting
        os.close(number)
        raise
    _held.add(number)
    return number


def _let_go(held: int) -> None:
    if held in _held:
        _held.discard(held)
        os.close(held)


_held: set[int] = set()


def _let_go_in_a_child() -> None:
    """A process that parts from us while a library is built beside a game holds nothing: it would wait for
    itself."""
    for held in list(_held):
        _let_go(held)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_let_go_in_a_child)


def _own_room() -> Path:
    """Where nothing may be kept: a folder of this process, gone with it."""
    try:
        room = Path(tempfile.mkdtemp(prefix="rulesdsl-native-"))
    except OSError as error:
        raise NotNative(f"there is no room to build in: {error.strerror or error}") from None
    atexit.register(shutil.rmtree, room, ignore_errors=True)
    return room


def is_built(text: str, more: Sequence[str] = ()) -> bool:
    """Whether a library is at hand without compiling."""
    folder = cache_folder()
    if folder is None:
        return False
    name = _name(text, find_compiler(), flags_for(text, more))
    return (folder / "native" / f"{name}{_ENDING}").exists()


def _name(text: str, compiler: Compiler, flags: Sequence[str]) -> str:
    """By what it is made of: another processor, compiler or text gives another library."""
    said = "\0".join((text, *compiler.command, compiler.version, *flags, _processor()))
    return sha256(said.encode()).hexdigest()


def _processor() -> str:
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("flags"):
                return line
    return sys.platform


def _compile(compiler: Compiler, flags: Sequence[str], text: str, path: Path, gently: bool) -> None:
    try:
        with tempfile.TemporaryDirectory(dir=path.parent, ignore_cleanup_errors=True) as room:
            _compile_in(Path(room), compiler, flags, text, path, gently)
    except OSError as error:  # a full disk, a folder that is gone: Python plays
        raise NotNative(f"the library could not be written: {error.strerror or error}") from None


def _compile_in(
    room: Path, compiler: Compiler, flags: Sequence[str], text: str, path: Path, gently: bool
) -> None:
    source, made = room / "game.c", room / f"game{_ENDING}"
    source.write_text(text, encoding="utf-8")
    politely = ("nice", "-n", "10") if gently and shutil.which("nice") else ()
    command = [*politely, *compiler.command, *flags, "-o", str(made), str(source)]
    try:
        returned, said = _run(command, str(room))
    except (OSError, subprocess.SubprocessError) as error:
        raise NotNative(f"the compiler could not be run: {error}") from None
    if returned != 0 or not made.exists():
        first = next((line for line in said.splitlines() if "error" in line), said[:200])
        raise NotNative(f"the compiler refused the game: {first.strip()}")
    made.chmod(0o700)
    with made.open("rb") as whole:  # after a power cut it is there whole, or not at all
        os.fsync(whole.fileno())
    os.replace(made, path)


_closing: list[bool] = []
_running: dict[int, tuple[subprocess.Popen[str], str]] = {}  # compilers, and the rooms they work in


def _run(command: Sequence[str], room: str) -> tuple[int, str]:
    """What it returned, and what it complained about. It ends when we do."""
    if _closing:
        raise OSError("this program is about to end")
    # (compilers begin others: all of them are one group)
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as compiler:
        _running[compiler.pid] = compiler, room
        try:
            _, said = compiler.communicate(timeout=MOST_SECONDS)
        except BaseException:  # also Ctrl-C, which does not reach another group
            _stop(compiler)
            raise
        finally:
            _running.pop(compiler.pid, None)
        return compiler.returncode, said


def _stop(compiler: subprocess.Popen[str]) -> None:
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(compiler.pid, signal.SIGKILL)
        else:
            compiler.kill()


@atexit.register
def _stop_compilers() -> None:
    """A library may be built beside a game: nothing of that is left when the game is over before it."""
    _closing.append(True)
    for compiler, room in list(_running.values()):
        _stop(compiler)
        shutil.rmtree(room, ignore_errors=True)


def _forget_old(folder: Path) -> None:
    with suppress(OSError):
        there = sorted(folder.glob(f"*{_ENDING}"), key=lambda path: path.stat().st_mtime, reverse=True)
        for path in there[MOST_KEPT:]:
            path.unlink()
