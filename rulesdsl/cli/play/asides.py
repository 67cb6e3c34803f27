"""Commands at the table that change nothing in the game."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from interpreter.acts.story import story
from interpreter.playing.session import Option
from rulesdsl.base.diagnostics import UsageError
from rulesdsl.cli.play import answers, screen
from rulesdsl.cli.play.commands import HELP, Typed, options_called
from rulesdsl.cli.play.spoken import act_meant
from rulesdsl.cli.play.telling import hanging, story_lines
from rulesdsl.cli.play.things import look
from rulesdsl.cli.play.tongue import t, typed_as

if TYPE_CHECKING:
    from interpreter.keeping.signing import Signer
    from rulesdsl.cli.play.loop import Evening

LOG_LINES = 20


def aside(evening: Evening, typed: Typed) -> None:
    """Do what was asked and say it."""
    session = evening.session
    match typed.word:
        case "why":
            asked, as_written = answers.without_flag(typed.rest)
            sums = None if _is_option(evening, asked) else answers.why_so_much(session, asked)
            _tell(evening, sums or answers.why(session, _named(evening, asked), as_written))
        case "why not":
            _tell(evening, answers.why_not(session, typed.rest))
        case "odds":
            _tell(evening, answers.odds(session, _drafted(evening, typed.rest)))
        case "hint":
            option, reason = answers.hint_and_why(session)
            told = f" ({reason})" if reason else ""
            evening.say(t("hint: {}, {}{}", evening.numbers.of(session)[option.key], option.text, told))
        case "rule":
            evening.print(*answers.rule(session, typed.rest, evening.width))
        case "look":
            _tell(evening, look(session, typed.rest))
        case "board":
            evening.print(screen.board_panel(session, session.player, evening.width))
        case "map":
            evening.say(t("the map is in {}", evening.keeper.write_map(session.player)))
        case "log":
            count = int(typed.rest) if typed.rest.isdecimal() and len(typed.rest) < 7 else LOG_LINES
            lines = story_lines(session, story(session, session.player)[-count:])
            evening.print(*hanging(lines, evening.console, evening.width))
        case "example":
            from interpreter.measuring.drafted_examples import example_of

            evening.print(*(Text(line) for line in ("```example", *example_of(session).split("\n"), "```")))
        case "save":
            try:
                force, name = typed.rest.startswith("! "), typed.rest.removeprefix("! ")
                name, signer = _without_sign(evening, name)
                path = Path(name).expanduser() if name else None
                where = evening.keeper.save(path, force, signer)
                if signer is not None and path is None:
                    evening.keeper.sign()
                signed = t(", signed") if signer is not None else ""
                evening.say(t("saved in {}{}", where, signed))
            except (ValueError, RuntimeError):  # a zero byte, or the home of somebody who has none
                raise UsageError(t("{} cannot be the name of a file", repr(typed.rest))) from None
        case "auto":
            evening.auto = not evening.auto
            evening.say(
                t("a single option is taken without asking") if evening.auto else t("you are always asked")
            )
        case _:
            words = {typed_as(word): t(meaning) for word, meaning in HELP.items()}
            width = max(map(len, words)) + 2
            evening.print(*(Text(f"{word:<{width}}{meaning}") for word, meaning in words.items()))


def _without_sign(evening: Evening, name: str) -> tuple[str, Signer | None]:
    """`save FILE --sign`: the name, and the key this evening was begun with."""
    bare = " ".join(word for word in name.split(" ") if word != "--sign")
    if bare == name:
        return name, None
    if evening.keeper.signer is None:
        raise UsageError(t('there is no key to sign with: begin with "rulesdsl play --sign KEYFILE"'))
    return bare, evening.keeper.signer


def _tell(evening: Evening, lines: Iterable[str]) -> None:
    evening.print(*hanging(map(Text, lines), evening.console, evening.width))


def _is_option(evening: Evening, text: str) -> bool:
    session = evening.session
    called = options_called(session.options, text)
    return evening.numbers.option(session, text) is not None or len(called) == 1


def _named(evening: Evening, text: str) -> Option:
    session = evening.session
    found = evening.numbers.option(session, text)
    if found is None:
        called = options_called(session.options, text) if text else []
        if len(called) != 1:
            last = max(evening.numbers.of(session).values(), default=0)
            raise UsageError(t("say which option, 1 to {}", last))
        found = called[0]
    return found


def _drafted(evening: Evening, text: str) -> tuple[str, ...]:
    """The keys of an option or of several numbers, as they would be chosen: `odds 2`, `odds 1 2 3`."""
    session = evening.session
    words = text.replace(",", " ").split()
    if len(words) > 1 and all(word.isdecimal() for word in words):
        numbers = evening.numbers.of(session)
        keys = {number: key for key, number in numbers.items()}
        if all(int(word) in keys for word in words):
            return tuple(keys[int(word)] for word in words)
    act = None if _is_option(evening, text) or not text else act_meant(session, text)
    return act.keys if act is not None else (_named(evening, text).key,)
