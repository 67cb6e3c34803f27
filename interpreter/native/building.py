"""From C to a library: built once for a text, a compiler and its flags, and kept where only we can write."""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
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
    if path.exists():
        if read_own(path) is None:
            raise NotNative(f"{path.name} is not ours alone")
        with suppress(OSError):
            os.utime(path)
        return path
    _compile(compiler, flags, text, path, gently)
    _forget_old(kept)
    return path


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
