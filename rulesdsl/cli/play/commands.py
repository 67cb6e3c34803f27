"""What was typed: a command, a number, or a part of an option's name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from interpreter.playing.session import Option, Session
from rulesdsl.cli.play.tongue import command

# Word → what `help` says about it. The order is that of the help.
HELP = {
    "3": "take option 3; or type its name, or a part of it to narrow the list; 1 2 3 takes several",
    "0": "done: no more of what is asked (also a full stop, as in 1 2 3.)",
    "NAME to PLACE": "a whole act at once: a piece and where it goes or how, a target and all that may join",
    "rest": "the computer does the rest of this part of the game for you (a set-up, for example)",
    "why 3": "why option 3 is offered, and what could have forbidden it",
    "why NUMBER …": "what a number is made of: why strength of NAME",
    "why not …": "what stands against something that is not offered; --rule after it: as the rule is written",
    "odds 3": "what may come of option 3, with its chances",
    "hint": "what the computer would do in your place",
    "undo": "take back your last decision; undo! also past dice and others' decisions: the log tells",
    "rule 8.3.2": "read a paragraph of the rulebook",
    "look NAME": "everything about a space, a piece or a player",
    "board": "show the board (or only press Enter to see the question again)",
    "map": "write the map as an SVG picture and say where it is",
    "example": "this position as an example for the rulebook, as far as everybody knows it",
    "log 30": "the last 30 lines of the log",
    "save FILE": "write the game into a file; save! FILE over something else, save FILE --sign with your key",
    "auto": "switch on or off that a single option is taken without asking",
    "help": "this list; a slash before a name (/save) always means an option",
    "quit": "stop; the game is kept",
}
WORDS = frozenset(word.split()[0] for word in HELP) - {"3", "0", "NAME"}


@dataclass(frozen=True, slots=True)
class Typed:
    """`word` is one of `WORDS`, "number", "name", "why not" or "again"; `rest` what came after it."""

    word: str
    rest: str = ""


def read_line(line: str) -> Typed:
    """What a line means, whatever is offered at the moment."""
    text = " ".join(line.split())
    if not text:
        return Typed("again")
    if text.startswith("/"):
        return Typed("name", text[1:].strip())
    if text.isdecimal():
        return Typed("number", text)
    if command(text) in (".", "done"):
        return Typed("done", text)
    word, _, rest = text.partition(" ")
    word = command(word.casefold())
    if word == "?":
        return Typed("help")
    if word in ("exit", "q"):
        return Typed("quit")
    if word == "undo!":
        return Typed("undo", "!")
    if word == "save!":
        return Typed("save", f"! {rest}".rstrip())
    denied, _, wish = rest.partition(" ")
    if word == "why" and command(denied.casefold()) == "not":
        return Typed("why not", wish.strip())
    if word in WORDS:
        return Typed(word, rest)
    return Typed("name", text)


def options_called(
    options: Sequence[Option], name: str, labels: Mapping[str, Sequence[str]] | None = None
) -> list[Option]:
    """The options that a name means: the one with exactly this key or text, else those in which every word
    typed is a word, begins one, or is a part of one. `labels` are further words by which an option is known:
    what is printed on its counters."""
    wanted = name.casefold()
    for option in options:
        if option.key.casefold() == wanted:
            return [option]
    exact = [option for option in options if option.text.casefold() == wanted]
    if exact:
        return exact
    words = wanted.split()
    for fits in (str.__eq__, str.startswith, str.__contains__):  # "guards a" means A, not every "army"
        found = [
            o for o in options if all(any(fits(own, word) for own in _words(o, labels)) for word in words)
        ]
        if found:
            return found
    return [o for o in options if wanted in o.text.casefold()]


def _has_all(own: Sequence[str], words: Sequence[str], fits: Callable[[str, str], bool]) -> bool:
    return all(any(fits(word, typed) for word in own) for typed in words)


def _words(option: Option, labels: Mapping[str, Sequence[str]] | None) -> list[str]:
    return [*option.text.casefold().split(), option.key.casefold(), *(labels or {}).get(option.key, ())]


def named_by_number(options_of: Session, text: str) -> Option | None:
    """A number that is a name: `2625` is the hex of that number, wherever it stands in the list; `61` only
    when there are not so many options."""
    options = options_of.options
    if len(text) < 3 and int(text) <= len(options):
        return None
    found = [o for o in options if text in (o.key.rpartition(":")[2], o.text) or o.text.endswith(f" {text}")]
    return found[0] if len(found) == 1 else None


def option_number(options: Sequence[Option], text: str) -> Option | None:
    """`3` → the third option; None when there is no such number."""
    if not text.isdecimal() or len(text) > 6:
        return None
    number = int(text)
    return options[number - 1] if 1 <= number <= len(options) else None
