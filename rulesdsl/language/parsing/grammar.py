"""`grammar/rules.lark` as a parser: built once, kept in the user's cache, and its words in plain spelling."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache, lru_cache
from itertools import product
from pathlib import Path

import lark
from lark import Lark, Token
from lark.grammar import Rule
from lark.indenter import DedentError, Indenter
from lark.lexer import PatternStr, TerminalDef

from rulesdsl.base.cache import ready_folder
from rulesdsl.base.ownfiles import own_folder, read_own, write_own
from rulesdsl.base.resources import data_dir

STARTS = ["chunk", "example", "amendment"]
MOST_KEPT = 8
_GIVEN = ("postlex", "propagate_positions", "cache")  # options that are given anew when tables are loaded
_SPACE = re.compile(r"\[ (?:\\t|\t)(?:(?:\\r|\r)(?:\\n|\n))?\][+*]")
# behind a comma a line may end, with comments: `(?:[ \t\r\n]|#[^\n]*\n)*`
_NEXT_LINE = re.compile(r"\(\?:\[ (?:\\t|\t)(?:\\r|\r)(?:\\n|\n)\]\|#\[\^(?:\\n|\n)\]\*(?:\\n|\n)\)\*")
_BEFORE = re.compile(r"([a-z]+(?:\[ (?:\\t|\t)\]\+[a-z]+)*)\(\?=")
_ANY_OF = re.compile(r"[\[\]*]")
_WORD_END = r"(?![A-Za-z0-9_])"


class BadDedent(Exception):
    """A line that goes back to a column where no block began. `row` is counted in the text, from 1."""

    def __init__(self, row: int) -> None:
        super().__init__(row)
        self.row = row


class RuleIndenter(Indenter):
    """Indentation as in Python; inside brackets it means nothing."""

    NL_type = "_NL"
    OPEN_PAREN_types = ["LPAR", "LSQB"]  # noqa: RUF012 - lark's interface
    CLOSE_PAREN_types = ["RPAR", "RSQB"]  # noqa: RUF012 - lark's interface
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    tab_len = 4

    def handle_NL(self, token: Token) -> Iterator[Token]:
        try:
            yield from super().handle_NL(token)
        except DedentError:
            raise BadDedent(token.end_line or 1) from None


@cache
def load_parser() -> Lark:
    """The parser for the three starts of the grammar. Building it takes a second, loading it a tenth.

    An installation brings its tables along; who has edited the grammar builds them once.
    """
    text = _grammar()
    with suppress(OSError):
        if shipped := _loaded((ready_folder() / f"{_key(text)}.json").read_bytes()):
            return shipped
    kept = _cache_file(text)
    found = _loaded(read_own(kept)) if kept is not None else None
    if found is None:
        found = _built(text)
        if kept is not None:
            write_own(kept, _tables(found))
    return found


def store_tables(folder: Path) -> None:
    """Write the tables where an installation looks for them first."""
    text = _grammar()
    write_own(folder / f"{_key(text)}.json", _tables(_built(text)))


def _grammar() -> str:
    return (data_dir("grammar") / "rules.lark").read_text(encoding="utf-8")


def _built(text: str) -> Lark:
    return Lark(
        text, parser="lalr", start=STARTS, postlex=RuleIndenter(), propagate_positions=True,
        maybe_placeholders=True,
    )  # fmt: skip


def _key(grammar: str) -> str:
    return hashlib.sha256(f"{lark.__version__}\n{grammar}".encode()).hexdigest()[:32]


def _tables(parser: Lark) -> bytes:
    """The tables of a parser as JSON under a fingerprint: lark itself would write a pickle."""
    data, memo = parser.memo_serialize([TerminalDef, Rule])
    data["options"] = {
        name: value for name, value in data["options"].items()
        if isinstance(value, str | int | bool | list | None) and name not in _GIVEN
    }  # fmt: skip
    content = json.dumps({"data": data, "memo": memo}, separators=(",", ":"), default=list).encode()
    return hashlib.sha256(content).digest() + content


def _loaded(content: bytes | None) -> Lark | None:
    """A parser from its tables; None when they are not what was written."""
    if content is None or hashlib.sha256(content[32:]).digest() != content[:32]:
        return None
    try:
        said = json.loads(content[32:])
        said["memo"] = {int(number): value for number, value in said["memo"].items()}
        table = said["data"]["parser"]["parser"]
        table["tokens"] = {int(number): token for number, token in table["tokens"].items()}
        table["states"] = {
            int(state): {int(token): action for token, action in actions.items()}
            for state, actions in table["states"].items()
        }
        found = Lark.__new__(Lark)
        loaded = found._load(said, postlex=RuleIndenter(), propagate_positions=True)
        return loaded if isinstance(loaded, Lark) else None
    except Exception:  # whatever is wrong with it, building it again is right
        return None


def _cache_file(grammar: str) -> Path | None:
    """Where the built parser is kept."""
    from platformdirs import user_cache_path

    directory = user_cache_path("rulesdsl") / "grammar"
    if not own_folder(directory):  # no home, or not ours alone: slower, but it works
        return None
    try:
        for old in directory.glob("*.lark"):  # as it was once written
            old.unlink(missing_ok=True)
        for old in sorted(directory.glob("*.json"), key=lambda path: path.stat().st_mtime)[:-MOST_KEPT]:
            old.unlink(missing_ok=True)
    except OSError:
        return None
    return directory / f"{_key(grammar)}.json"


@lru_cache(4096)
def terminals_like(text: str) -> frozenset[str]:
    """Every terminal this text could stand for, whatever the parser took it for."""
    patterns = _patterns()
    return frozenset(name for name, pattern in patterns.items() if pattern.fullmatch(text))


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    return {terminal.name: re.compile(terminal.pattern.to_regexp()) for terminal in load_parser().terminals}


@cache
def spellings() -> Mapping[str, tuple[str, ...]]:
    """How each terminal is written, where that is fixed: `_AT_LEAST` is `at least`, `COLON` is `:`."""
    found: dict[str, tuple[str, ...]] = {}
    for terminal in load_parser().terminals:
        pattern = terminal.pattern
        if isinstance(pattern, PatternStr):
            found[terminal.name] = (pattern.value,)
        elif pattern.value.endswith(_WORD_END):
            written = tuple(_expand(pattern.value.removesuffix(_WORD_END)))
            if not any(_ANY_OF.search(one) for one in written):  # `hex 2609` is written in many ways
                found[terminal.name] = written
    return found


@cache
def words_before_something() -> frozenset[str]:
    """Words only where something certain follows (`search` a name, `because` a text), names elsewhere."""
    found = (_BEFORE.match(str(one.pattern.value)) for one in load_parser().terminals)
    return frozenset(word for one in found if one for word in re.findall("[a-z]+", _SPACE.sub(" ", one[1])))


def _expand(pattern: str) -> Iterator[str]:
    """`(?:wins?)` is `win` and `wins`, `then(?: by)?` is `then` and `then by`: the grammar uses no more
    of regular expressions for its words."""
    pattern = _SPACE.sub(" ", _NEXT_LINE.sub(" ", pattern))
    if inner := re.search(r"\(\?:([^()]*)\)(\??)", pattern):
        for choice in (*inner[1].split("|"), *([""] if inner[2] else [])):
            yield from _expand(pattern[: inner.start()] + choice + pattern[inner.end() :])
    else:
        letters = [("", letter) if mark else (letter,) for letter, mark in re.findall(r"(.)(\??)", pattern)]
        yield from ("".join(choice) for choice in product(*letters))
