"""What Tab completes: the names of what may be chosen, and the commands."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence

from rulesdsl.cli.play.commands import WORDS

Candidates = Callable[[], Sequence[str]]


def complete_with(candidates: Candidates) -> None:
    """Let Tab complete a whole line; nothing where there is no readline."""
    with contextlib.suppress(ImportError):
        import readline

        def completer(typed: str, number: int) -> str | None:
            found = completions(typed, candidates())
            return found[number] if number < len(found) else None

        readline.set_completer_delims("")
        readline.set_completer(completer)
        libedit = "libedit" in (readline.__doc__ or "")
        readline.parse_and_bind("bind ^I rl_complete" if libedit else "tab: complete")


def completions(typed: str, candidates: Sequence[str]) -> list[str]:
    """Lines that begin as the typed one does; a command keeps standing before the name it is asked about."""
    head, blank, rest = typed.partition(" ")
    before = ""
    if blank and head.casefold() in WORDS:
        before, typed = f"{head} ", rest
    wanted = typed.casefold()
    named = [text for text in candidates if text.casefold().startswith(wanted)]
    within = [text for text in candidates if wanted and wanted in text.casefold() and text not in named]
    commands = [] if before else [word for word in sorted(WORDS) if word.startswith(wanted)]
    return [f"{before}{text}" for text in dict.fromkeys([*named, *commands, *within])]
