"""What lark says when it cannot go on, turned into what an author wants to hear."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from rulesdsl.base import fixes
from rulesdsl.base.diagnostics import Diagnostic, did_you_mean, meant
from rulesdsl.base.fixes import Advice
from rulesdsl.base.lightclass import dataclass
from rulesdsl.base.suggestions import STAND_INS, Repair, Stop, Word, find_repair, nearest, words_of
from rulesdsl.language.parsing.errors.idioms import idiom
from rulesdsl.language.parsing.errors.signs import (
    Unreadable,
    comparison_in_words,
    infinitive,
    key_as_printed,
    strange_signs,
    unclosed_brackets,
    unclosed_quotes,
)

if TYPE_CHECKING:
    from lark.exceptions import UnexpectedInput

WORDS = {
    "_NL": "the end of the line", "_INDENT": "an indented block", "_DEDENT": "the end of the block",
    "NAME": "a name", "INT": "a number", "STRING": "a text in quotes", "$END": "the end of the rule",
    "DICE": "dice such as 1d6", "RULE_NUMBER": "a paragraph number", "COMPARE": "a comparison",
    "RATIO": "a ratio such as 3:1", "TIMES": '"x"', "THING": "a name", "VALUE_WORD": "a word",
}  # fmt: skip
STEPS = re.compile(
    r"let|set|add|subtract|mark|unmark|move|place|remove|flip|put|do|roll|pick|draw|return|discard|give|open|cancel"
    r"|leave|finish|end|note|if|otherwise|for|repeat|with"
)
STEPS_FOLLOW = re.compile(r"(?:procedure|phase|weigh|after)\b")
NOT_INDENTED = "this is a step of a procedure or a phase: indent it below one"
_EXPECTED_SHOWN = 6


@dataclass(frozen=True, slots=True)
class Explanation:
    """What is wrong, and the statement as it was perhaps `meant`, where one change makes it readable."""

    problem: Diagnostic
    meant: str = ""


def explain_syntax_error(error: UnexpectedInput, source: Unreadable) -> Explanation:
    """A diagnostic at the word that is wrong, or just after the last word when something is missing."""
    row, column = max(1, error.line), max(1, error.column)
    token = getattr(error, "token", None)
    accepted = sorted(getattr(error, "accepts", None) or getattr(error, "allowed", None) or ())
    kind = token.type if token is not None else ""
    offset = source.offset(row, column) if kind != "$END" else len(source.text)
    stop = Stop(offset, row, accepted, _bridges(error, accepted))
    found: Callable[[], Diagnostic | Explanation | None]
    for found in (
        lambda: unclosed_quotes(source, row),
        lambda: idiom(source, stop),
        lambda: strange_signs(source, stop),
        lambda: unclosed_brackets(source, stop),
        lambda: _first_word(source, stop),
        lambda: infinitive(source, stop),
        lambda: key_as_printed(source, stop),
        lambda: comparison_in_words(source, stop),
        lambda: _swallowed(source, stop),
        lambda: _repaired(source, stop, kind),
        lambda: _blocks(source, stop, kind),
    ):
        if told := found():
            return told if isinstance(told, Explanation) else Explanation(told)
    return Explanation(_cannot_stand(source, stop))


def _bridges(error: UnexpectedInput, accepted: Sequence[str]) -> list[str]:
    """The terminals after which the parser could have gone on."""
    from lark import Token
    from lark.exceptions import UnexpectedToken

    from rulesdsl.language.parsing.grammar import terminals_like  # only here: lark is slow to load

    if not isinstance(error, UnexpectedToken) or error.interactive_parser is None:
        return []
    kinds = {error.token.type} | terminals_like(str(error.token))
    found = []
    for name in accepted:
        bridge: Any = error.interactive_parser
        bridge = bridge.copy(deepcopy_values=False)
        bridge.feed_token(Token(name, STAND_INS.get(name, name)))
        if not kinds.isdisjoint(bridge.choices()):
            found.append(name)
    return found


def bad_dedent(source: Unreadable, row: int) -> Diagnostic:
    """A line that goes back, but not as far as any line above it."""
    text = source.text.split("\n")[min(row, source.text.count("\n") + 1) - 1]
    column = len(text) - len(text.lstrip()) + 1
    return Diagnostic(
        "indentation", "this line is indented neither as the block above nor as anything around it",
        source.span(row, column, len(text.strip())), help="put it below the first word of its block",
    )  # fmt: skip


def _first_word(source: Unreadable, stop: Stop) -> Diagnostic | Explanation | None:
    words = words_of(source.text)
    if not words or stop.offset > words[0].start:
        return None
    first = words[0]
    starts = sorted({spelt for name in stop.accepted for spelt in source.known.get(name, ())})
    pairs = dict(spelt.split() for spelt in starts if " " in spelt)  # `must before`
    if first.text in pairs and len(words) > 1 and words[1].is_name:
        second, wanted = words[1], pairs[first.text]
        message, hint = f"{_quoted(second.text)} cannot stand here", meant(wanted, second.text)
        told = source.problem(message, second.start, len(second.text), hint)
        return Explanation(told, _if_readable(source, second, wanted))
    near = nearest(first.text, frozenset(spelt.split()[0] for spelt in starts))
    if STEPS.fullmatch(first.text):
        hint = NOT_INDENTED
    elif near:
        hint = meant(next(spelt for spelt in starts if spelt.split()[0] == near[0][1]), first.text)
    else:
        hint = did_you_mean(first.text, starts)
        if not hint:
            readable = [word for word in starts if _if_readable(source, first, f"{word} {first.text}")]
            ways = [source.inserted(first.start, f"{word} ") for word in readable[:4]]
            hint = Advice(f"it starts with one of {', '.join(starts)}", *ways)
    what = "example" if source.start == "example" else "statement"
    told = source.problem(f"no {what} starts with {_quoted(first.text)}", first.start, len(first.text), hint)
    return Explanation(told, next(filter(None, (_if_readable(source, first, word) for _, word in near)), ""))


def _if_readable(source: Unreadable, word: Word, instead: str) -> str:
    """The statement with another word in this place, or nothing when that cannot be read either."""
    text = source.text[: word.start] + instead + source.text[word.end :]
    return text if source.attempt is not None and source.attempt(text) is None else ""


def _swallowed(source: Unreadable, stop: Stop) -> Diagnostic | None:
    """`move the german unit to zone`: two words before `to` are a relation, as in `zone adjacent to here`."""
    row = source.text[: stop.offset].split("\n")[-1]
    found = re.match(r"\s*(?:move|give|add)\s+((?:the|some|number of)\s+\w+\s+\w+)\s+to\s[^()]*$", row)
    if not found or "_TO" not in stop.accepted:
        return None
    start = stop.offset - len(row) + found.start(1)
    message = f'"{row[found.start(1) :].strip()}" is taken for one phrase'
    return source.problem(message, start, len(found[1]), f'write "({found[1]})"')


def _repaired(source: Unreadable, stop: Stop, kind: str) -> Explanation | None:
    if source.attempt is None:
        return None
    repair = find_repair(source.text, stop, source.known, source.attempt)
    if repair is None or (repair.kind == "superfluous" and kind == "_INDENT"):
        return None
    if repair.kind == "missing":
        signs = {spelt for name in stop.accepted for spelt in source.known.get(name, ())}
        change = repair.suggestion == "=" and {"+", "-"} <= signs  # a line of a quantity
        told = _missing(source, repair, '"+", "-" or "="' if change else "")
        return Explanation(told, "" if _lacks_its_name(source, repair) else repair.whole)
    word = source.text[repair.start : repair.end]
    message, hint = f"{_quoted(word)} cannot stand here", meant(repair.suggestion, word)
    if repair.kind == "superfluous":
        left_out = fixes.whole("")
        hint = Advice(_expected(source, stop.accepted), left_out)
        if re.search(rf"(?<!\w){re.escape(word)}\s*$", source.text[: repair.start]):
            message, hint = f"{_quoted(word)} stands here twice", Advice("", left_out)
    return Explanation(source.problem(message, repair.start, len(word), hint), repair.whole)


def _lacks_its_name(source: Unreadable, repair: Repair) -> bool:
    """`procedure`, and no more: what it declares is anybody's guess."""
    before = words_of(source.text[: repair.start])
    return repair.suggestion == "NAME" and len(before) < 3 and all(word.is_name for word in before)


def _missing(source: Unreadable, repair: Repair, what: str) -> Diagnostic:
    what = what or WORDS.get(repair.suggestion) or f'"{repair.suggestion}"'
    following = words_of(source.text[repair.end :].split("\n")[0])
    where = f"before {_quoted(following[0].text)}" if following else "at the end of this line"
    known = repair.suggestion not in STAND_INS and not what.startswith('"+"')
    hint = Advice("", source.inserted(repair.start, repair.suggestion)) if known else ""
    return source.problem(f"{what} is missing {where}", repair.start, hint=hint)


def _blocks(source: Unreadable, stop: Stop, kind: str) -> Diagnostic | Explanation | None:
    """A block where none can be, or none where one must be."""
    words = words_of(source.text)
    if kind == "_INDENT":
        above = next((word for word in reversed(words) if word.row <= stop.row), words[0])
        opened = f"{source.text[: above.end]}:{source.text[above.end :]}"
        if source.attempt is not None and source.attempt(opened) is None:
            hint = Advice("", source.inserted(above.end, ":"))
            told = source.problem('":" is missing at the end of this line', above.end, hint=hint)
            return Explanation(told, opened)
        first = next((word for word in words if word.row > stop.row), words[-1])
        message = "this line is indented, but the line above opens no block"
        return source.problem(message, first.start, len(first.text), code="indentation")
    if "_INDENT" in stop.accepted:
        last = next((word for word in reversed(words) if word.end <= stop.offset), words[-1])
        steps = STEPS_FOLLOW.match(source.text.lstrip()) is not None
        way = "indent the steps below it by four spaces" if steps else ""
        return source.problem("an indented block must follow this line", last.end, 1, way, "indentation")
    return None


def _cannot_stand(source: Unreadable, stop: Stop) -> Diagnostic:
    words = words_of(source.text)
    here = next((word for word in words if word.end > stop.offset), None)
    last = next((word for word in reversed(words) if word.end <= stop.offset), None)
    hint = _expected(source, stop.accepted)
    if here is None or (last is not None and here.row > stop.row and last.row == stop.row):
        if last is None:
            return source.problem("nothing is written here", 0)
        what = hint.removeprefix("expected ") if " or " not in hint else ""
        message = f"{what or 'something'} is missing at the end of this line"
        spelt = [source.known[name][0] for name in stop.accepted if source.known.get(name)][:_EXPECTED_SHOWN]
        tries = [source.inserted(place, word) for word in spelt for place in (last.end, last.start)]
        return source.problem(message, last.end, 1, Advice("" if what else hint, *tries))
    spelt = [text for name in stop.accepted for text in source.known.get(name, ())]
    near = nearest(here.text, frozenset(word for text in spelt for word in text.split()))
    hint = meant(near[0][1], here.text) if near else hint
    return source.problem(f"{_quoted(here.text)} cannot stand here", here.start, len(here.text), hint)


def _quoted(word: str) -> str:
    return word if word.startswith('"') else f'"{word}"'


def _expected(source: Unreadable, accepted: Iterable[str]) -> str:
    names = list(accepted)
    plain = [WORDS[name] for name in names if name in WORDS and name != "_DEDENT"]
    spelt = sorted({f'"{spelt[0]}"' for name in names if (spelt := source.known.get(name))})
    shown = list(dict.fromkeys([*plain, *spelt]))
    if not shown or len(shown) > 2 * _EXPECTED_SHOWN:
        return ""
    return "expected " + _or(shown[:_EXPECTED_SHOWN])


def _or(words: Sequence[str]) -> str:
    *front, last = words
    return f"{', '.join(front)} or {last}" if front else last
