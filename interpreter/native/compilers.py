"""A compiler for C: the system's, or the one that comes as a wheel."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import lru_cache
from importlib.util import find_spec

from rulesdsl.base.lightclass import dataclass

SWITCHED_OFF = "RULESDSL_NO_NATIVE"
NO_THOUGHTS = "RULESDSL_NO_NATIVE_THOUGHTS"  # agents think in Python; whole games are played as ever
CHOSEN = "RULESDSL_CC"  # another compiler than the one that is found
_SYSTEM = ("cc", "gcc", "clang")


class NotNative(Exception):
    """Why games are played by Python."""


@dataclass(frozen=True, slots=True)
class Compiler:
    """How it is called, and what it says it is."""

    command: tuple[str, ...]
    version: str


def is_switched_off(what: str = SWITCHED_OFF) -> bool:
    return os.environ.get(what, "") not in ("", "0")


def find_compiler() -> Compiler:
    """The compiler of this machine; raises `NotNative` when there is none."""
    if is_switched_off():
        raise NotNative(f"{SWITCHED_OFF} is set")
    return _found(os.environ.get(CHOSEN, ""))


@lru_cache(maxsize=4)
def _found(chosen: str) -> Compiler:
    candidates: list[tuple[str, ...]] = []
    if chosen:
        candidates.append(tuple(chosen.split()))
    else:
        candidates += [(path,) for name in _SYSTEM if (path := shutil.which(name))]
        if find_spec("ziglang") is not None:
            candidates.append((sys.executable, "-m", "ziglang", "cc"))
    for command in candidates:
        version = _version(command)
        if version:
            return Compiler(command, version)
    raise NotNative("there is no C compiler (pip install rulesdsl[native] brings one)")


def _version(command: tuple[str, ...]) -> str:
    try:
        said = subprocess.run(
            [*command, "--version"], capture_output=True, text=True, timeout=20, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return said.stdout.splitlines()[0].strip() if said.returncode == 0 and said.stdout else ""
