"""The command line in a test: run in this process, or as a program of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from rulesdsl.cli import group

ROOT = Path(__file__).parents[2]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1", "COLUMNS": "80"}


def run(*arguments: str, lines: str = "") -> Result:
    return CliRunner(env={"NO_COLOR": "1", "COLUMNS": "80"}).invoke(group.commands, arguments, input=lines)


def program(*arguments: str, **extra: Any) -> subprocess.CompletedProcess[str]:
    """The real program, in a process of its own."""
    command = [sys.executable, "-m", "rulesdsl", *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=120, env=extra.pop("env", ENVIRONMENT),
        stdin=subprocess.DEVNULL, **extra,
    )  # fmt: skip
