"""Exceptions as messages and exit codes: 1 an author's or a game's fault, 2 wrong usage, 3 ours."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import sys
import traceback
from pathlib import Path

import click

from rulesdsl.base.diagnostics import RulebookError, UsageError
from rulesdsl.cli.terminal import give_up_output

FAULT, USAGE, BUG, INTERRUPTED = 1, 2, 3, 130
_STREAM_FAILS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF, errno.ENXIO)
_NO_NUMBER = re.compile(r"is not a valid integer( range)?")  # no words of people who type
_INTERPRETER = Path(__file__).resolve().parent.parent.parent / "interpreter" / "__init__.py"
_ITS_FIRST_WORDS = '"""The back end:'


class Failure(Exception):
    """A command could not do what it was asked to, and says why (exit code 1)."""


def report(error: BaseException) -> int:
    """Say on stderr what happened, in words for the person who typed the command; the exit code."""
    match error:
        case SystemExit(code=code):
            return code if isinstance(code, int) else BUG
        case click.exceptions.Exit(exit_code=code):
            return int(code)
        case KeyboardInterrupt() | click.Abort() | EOFError():
            _say("interrupted")
            return INTERRUPTED
        case BrokenPipeError():  # `rulesdsl … | head` has seen enough
            give_up_output()
            return 0
        case click.ClickException():
            with contextlib.suppress(OSError, ValueError):
                _in_our_words(error).show(sys.stderr)
            return USAGE
        case UsageError():
            _say(f"rulesdsl: {error}")
            return USAGE
        case RulebookError(problems=problems):
            from rulesdsl.cli.output import print_problems

            with contextlib.suppress(OSError, ValueError):
                print_problems(problems, to_stderr=True)
            return FAULT
        case Failure():
            _say(f"rulesdsl: {error}")
            return FAULT
        case _:
            pass  # our own mistake: told below
    if {kind.__name__ for kind in type(error).__mro__} & {"IllegalChoice", "RunawayRule", "SaveError"}:
        # named, not imported: the back end may not even be loaded
        _say(f"rulesdsl: {error}")
        return FAULT
    if isinstance(error, OSError):
        return _report_file(error)
    return _report_bug(error)


def _in_our_words(error: click.ClickException) -> click.ClickException:
    if type(error) is not click.BadParameter:
        return error
    words = _NO_NUMBER.sub("is not a whole number", error.message)
    return click.BadParameter(words, error.ctx, error.param, error.param_hint)


def _report_file(error: OSError) -> int:
    """A file, a disk or a stream that does not do what it should."""
    if error.filename is not None:
        _say(f"rulesdsl: {error.filename}: {(error.strerror or str(error)).lower()}")
        return FAULT
    if error.errno in _STREAM_FAILS:  # no file is named: it is what we print
        give_up_output()
        _say(f"rulesdsl: the output cannot be written: {(error.strerror or str(error)).lower()}")
        return FAULT
    if isinstance(error, FileNotFoundError) and not _has_directory():
        _say("rulesdsl: the current directory is gone; change to another one")
        return FAULT
    return _report_bug(error)


def _has_directory() -> bool:
    try:
        os.getcwd()
    except OSError:
        return False
    return True


def refuse_foreign_interpreter() -> None:
    """Another package on PyPI (open-interpreter) owns the import name of our back end: say so clearly."""
    from importlib.util import find_spec

    with contextlib.suppress(OSError, ValueError, ImportError):
        spec = find_spec("interpreter")
        if spec is None or spec.origin is None:
            raise UsageError(f"this installation is incomplete: {_INTERPRETER.parent} is missing")
        origin = Path(spec.origin).resolve()
        with origin.open(encoding="utf-8") as file:
            ours = origin == _INTERPRETER and file.read(len(_ITS_FIRST_WORDS)) == _ITS_FIRST_WORDS
        if not ours:
            raise UsageError(
                f'another package called "interpreter" hides ours: {origin}\n'
                "It is most likely open-interpreter, which uses the same name. Install rulesdsl into an\n"
                "environment of its own: python3 -m venv rules && rules/bin/pip install rulesdsl"
            )


def _report_bug(error: BaseException) -> int:
    text = "".join(traceback.format_exception(error))
    if os.environ.get("RULESDSL_DEBUG") == "1":
        _say(text.rstrip())
        return BUG
    place = _write_bug_report(text)
    kept = f"what happened is written down in {place}" if place else "RULESDSL_DEBUG=1 shows where"
    _say(f"rulesdsl: sorry, this is a bug of ours ({type(error).__name__}); {kept}")
    return BUG


def _write_bug_report(text: str) -> Path | None:
    import platform
    import tempfile
    from datetime import datetime

    from rulesdsl.base.writing import write_file

    now = datetime.now().strftime("%Y-%m-%d-%H%M%S")
    words = " ".join(sys.argv[1:])
    lines = f"rulesdsl {words}\npython {platform.python_version()} on {platform.platform()}\n\n{text}"
    for directory in _report_places():
        with contextlib.suppress(OSError):
            directory.mkdir(parents=True, exist_ok=True)
            path = directory / f"bug-{now}-{os.getpid()}.txt"
            write_file(path, lines.encode("utf-8", "replace"))
            return path
    with contextlib.suppress(OSError):
        handle, name = tempfile.mkstemp(prefix="rulesdsl-bug-", suffix=".txt")
        with open(handle, "w", encoding="utf-8", errors="replace") as file:
            file.write(lines)
        return Path(name)
    return None


def _report_places() -> list[Path]:
    from platformdirs import user_log_path

    return [user_log_path("rulesdsl", appauthor=False)]


def _say(text: str) -> None:
    with contextlib.suppress(OSError, ValueError):  # standard error may be full or closed, too
        click.echo(text, err=True)
