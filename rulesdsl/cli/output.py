"""Printing: colours only for a terminal that wants them, data on stdout, everything else on stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rulesdsl.base.diagnostics import Diagnostic, render
from rulesdsl.base.diagnostics import number_of as number_of
from rulesdsl.cli.terminal import shown, shown_in_json, styled

if TYPE_CHECKING:
    from rich.console import Console

STYLES = {"error": "bold red", "warning": "bold yellow"}


def console(to_stderr: bool = False, width: int | None = None) -> Console:
    """A console that takes texts as they are. It looks at NO_COLOR and at whether there is a terminal."""
    from rulesdsl.cli.plainconsole import PlainConsole

    return PlainConsole(
        file=styled(sys.stderr if to_stderr else sys.stdout),
        width=width, highlight=False, markup=False, emoji=False, soft_wrap=False,
    )  # fmt: skip


@contextmanager
def waiting(screen: Console, words: str, shown: bool = True) -> Iterator[None]:
    """Say what is being waited for, and take the words away when it is there."""
    if not shown:
        yield
        return
    with screen.status(words):
        yield


def print_json(value: Any) -> None:
    """The form of `--json`: the same text for the same value."""
    sys.stdout.write(shown_in_json(json.dumps(value, indent=2, ensure_ascii=False)) + "\n")


def print_problems(problems: Iterable[Diagnostic], to_stderr: bool = False) -> None:
    """Problems as `render` words them, the word `error` and the help line coloured."""
    found = list(problems)
    if not found:
        return  # nothing to colour: loading the library that does it would be half of the time
    from rich.text import Text

    screen = console(to_stderr)
    for problem in found:
        text = Text(shown(render(problem)))  # before the places of its words are counted
        first = text.plain.find(f"{problem.severity}[")
        text.stylize(STYLES[problem.severity], first, first + len(problem.severity))
        for number, line in enumerate(text.plain.split("\n")):
            if number and line.strip(" |") and not line.strip(" |^"):
                start = sum(len(one) + 1 for one in text.plain.split("\n")[:number])
                text.stylize(STYLES[problem.severity], start, start + len(line))
        screen.print(text, soft_wrap=True)
