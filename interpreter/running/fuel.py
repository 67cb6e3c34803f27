"""Rules that come to no end or to no answer: what stops them, and the chain of rules that is named."""

from __future__ import annotations

import re
from dataclasses import dataclass

from interpreter.state.symbols import Asked, Naming
from rulesdsl import program as pg
from rulesdsl.base.source import Span
from rulesdsl.book.tables.table import NoResult

# Whole games at one go count loops where others count blocks (the same to a tenth in games that were counted
# both ways): who does so much of what a game may do is perhaps one that is given up when played step by step.
CAUTIOUS_SHARE = 2
MOST_LINKS = 9  # of a chain in a message
_BLOCK = re.compile(r"b(\d+)")


TOO_MUCH_WORK, ENDLESS = "takes too much work", "does not come to an end"


class RunawayRule(Exception):
    """A rule that comes to no end or to no answer; the state is as it was before the decision.

    `dear`: it took long to find out, so that nobody should try the like of it again and again.
    """

    dear = False


class OutOfFuel(Exception):
    """Raised by generated code whose work has used up what one decision may cost."""


class TooLarge(Exception):
    """Raised by generated code that makes a number no game needs."""


class TooManyOptions(Exception):
    """Raised by generated code that would write out more options than anybody can choose from."""


# what generated code raises when it cannot go on
STOPS = (OutOfFuel, NoResult, TooLarge, TooManyOptions, OverflowError, RecursionError)


def out_of_fuel() -> None:
    raise OutOfFuel


def too_many_options() -> None:
    raise TooManyOptions


def why_stopped(error: Exception) -> str:
    """What to say of one of the `STOPS`. A table is mostly asked about nobody, or outside of its range."""
    match error:
        case NoResult():
            return f"finds nothing ({error})"
        case TooLarge() | OverflowError():
            return "makes a number too large"
        case TooManyOptions():
            return "offers too many options"
        case RecursionError():
            return "asks too many definitions that ask others"
        case _:
            return TOO_MUCH_WORK


@dataclass(frozen=True, slots=True)
class Place:
    """Where a rule stands, for messages."""

    paragraph: str  # the paragraph
    span: Span | None

    def __str__(self) -> str:
        where = f"{self.span.file.shown}:{self.span.line}" if self.span is not None else ""
        return ", ".join(
            part for part in (where, f"paragraph {self.paragraph}" if self.paragraph else "") if part
        )


def place_of(program: pg.Program, rule: Asked) -> Place:
    if not isinstance(rule, pg.ActionRule):
        return Place(rule.paragraph, rule.source.span)
    paragraph = program.paragraphs.get(rule.paragraph)
    return Place(rule.paragraph, paragraph.span if paragraph is not None else None)


def rules_on_the_way(error: BaseException, naming: Naming) -> list[Asked]:
    """The rules that were asking each other when an error was raised, the outermost first."""
    found: list[Asked] = []
    trace = error.__traceback__
    while trace is not None:
        rule = naming.rule(trace.tb_frame.f_code.co_name)
        if rule is not None and (not found or found[-1] is not rule):
            found.append(rule)
        trace = trace.tb_next
    return found


def block_on_the_way(error: BaseException) -> int | None:
    """The block that was running when an error was raised."""
    trace, found = error.__traceback__, None
    while trace is not None:
        block = _BLOCK.fullmatch(trace.tb_frame.f_code.co_name)
        if block is not None:
            found = int(block[1])
        trace = trace.tb_next
    return found


def told(how: str, chain: list[str], place: Place | None) -> RunawayRule:
    """The message: what the rule does, which rules led to it, and where the last of them stands."""
    links: list[str] = []
    for name in chain:
        if not links or links[-1] != name:
            links.append(name)
    text = f"this rule {how}: {' → '.join(shortened(links))}" if links else f"this rule {how}"
    where = str(place) if place is not None else ""
    made = RunawayRule(f"{text} ({where})" if where else text)
    made.dear = how in (TOO_MUCH_WORK, ENDLESS)
    return made


def shortened(chain: list[str]) -> list[str]:
    """A long chain by its ends: where it began and where it was stopped."""
    return chain if len(chain) <= MOST_LINKS else [*chain[: MOST_LINKS - 3], "…", *chain[-2:]]
