"""Commands at the table that change nothing in the game."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from interpreter.session import Option, Session
from rulesdsl.cli.play import answers, screen
from rulesdsl.cli.play.commands import HELP, Typed, option_number, options_called
from rulesdsl.cli.play.keeping import write_map
from rulesdsl.cli.play.telling import hanging, log_lines
from rulesdsl.cli.play.things import look
from rulesdsl.diagnostics import UsageError

if TYPE_CHECKING:
    from rulesdsl.cli.play.loop import Evening

LOG_LINES = 20


def aside(evening: Evening, typed: Typed) -> None:
    """Do what was asked and say it."""
    session = evening.session
    match typed.word:
        case "why":
            asked, as_written = answers.without_flag(typed.rest)
            sums = None if _is_option(session, asked) else answers.why_so_much(session, asked)
            _tell(evening, sums or answers.why(session, _named(session, asked), as_written))
        case "why not":
            _tell(evening, answers.why_not(session, typed.rest))
        case "odds":
            _tell(evening, answers.odds(session, _named(session, typed.rest)))
        case "hint":
            option = answers.hint(session)
            evening.say(f"hint: {session.options.index(option) + 1}, {option.text}")
        case "rule":
            evening.print(*answers.rule(session, typed.rest, evening.width))
        case "look":
            _tell(evening, look(session, typed.rest))
        case "board":
            evening.print(screen.board_panel(session, session.player, evening.width))
        case "map":
            evening.say(f"the map is in {write_map(session, session.player, evening.keeper.path)}")
        case "log":
            count = int(typed.rest) if typed.rest.isdecimal() and len(typed.rest) < 7 else LOG_LINES
            lines = log_lines(session.log_of(session.player)[-count:])
            evening.print(*hanging(lines, evening.console, evening.width))
        case "save":
            try:
                path = Path(typed.rest).expanduser() if typed.rest else None
                evening.say(f"saved in {evening.keeper.save(path)}")
            except (ValueError, RuntimeError):  # a zero byte, or the home of somebody who has none
                raise UsageError(f"{typed.rest!r} cannot be the name of a file") from None
        case "auto":
            evening.auto = not evening.auto
            evening.say("a single option is taken without asking" if evening.auto else "you are always asked")
        case _:
            width = max(map(len, HELP)) + 2
            evening.print(*(Text(f"{word:<{width}}{meaning}") for word, meaning in HELP.items()))


def _tell(evening: Evening, lines: Iterable[str]) -> None:
    evening.print(*hanging(map(Text, lines), evening.console, evening.width))


def _is_option(session: Session, text: str) -> bool:
    return option_number(session.options, text) is not None or len(options_called(session.options, text)) == 1


def _named(session: Session, text: str) -> Option:
    options = session.options
    found = option_number(options, text)
    if found is None:
        called = options_called(options, text) if text else []
        if len(called) != 1:
            raise UsageError(f"say which option, 1 to {len(options)}")
        found = called[0]
    return found
