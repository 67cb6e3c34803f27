"""`grammar/rules.lark` as a parser: built once, kept in the user's cache, and its words in plain spelling."""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from itertools import product
from pathlib import Path

import lark
from lark import Lark, Token
from lark.indenter import DedentError, Indenter
from lark.lexer import PatternStr

from rulesdsl.resources import data_dir

STARTS = ["chunk", "example", "amendment"]
MOST_KEPT = 8
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
    """The parser for the three starts of the grammar. Building it takes a second, loading it a tenth."""
    text = (data_dir("grammar") / "rules.lark").read_text(encoding="utf-8")
    kept = _cache_file(text)
    return Lark(
        text, parser="lalr", start=STARTS, postlex=RuleIndenter(), propagate_positions=True,
        maybe_placeholders=True, cache=str(kept) if kept else False,
    )  # fmt: skip


def _cache_file(grammar: str) -> Path | None:
    """Where the built parser is kept: it is unpickled, so only the user may be able to write there."""
    from platformdirs import user_cache_path

    version = f"{lark.__version__} {sys.version_info[:2]}"
    key = hashlib.sha256(f"{version}\n{grammar}".encode()).hexdigest()[:32]
    directory = user_cache_path("rulesdsl") / "grammar"
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        if directory.stat().st_mode & 0o022:  # others may write there
            return None
        for old in sorted(directory.glob("*.lark"), key=lambda path: path.stat().st_mtime)[:-MOST_KEPT]:
            old.unlink(missing_ok=True)
    except OSError:  # no home, or one that cannot be written: slower, but it works
        return None
    return directory / f"{key}.lark"


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
            found[terminal.name] = tuple(_expand(pattern.value.removesuffix(_WORD_END)))
    return found


def _expand(pattern: str) -> Iterator[str]:
    """`(?:wins?)` is `win` and `wins`; the grammar uses no more of regular expressions for its words."""
    pattern = re.sub(r"\[ (?:\\t|\t)\]\+", " ", pattern)
    if inner := re.search(r"\(\?:([^()]*)\)", pattern):
        for choice in inner[1].split("|"):
            yield from _expand(pattern[: inner.start()] + choice + pattern[inner.end() :])
    else:
        letters = [("", letter) if mark else (letter,) for letter, mark in re.findall(r"(.)(\??)", pattern)]
        yield from ("".join(choice) for choice in product(*letters))
