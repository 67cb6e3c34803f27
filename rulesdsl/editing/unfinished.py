"""A statement that is being typed, read up to the cursor and finished by guesswork: to know what fits there.

The parser is fed up to the cursor, where a made-up name stands; then the shortest way to the end of a
statement is looked for among the words it would take. What comes out is a tree in which the made-up name
stands where the author is about to write one.
"""

from __future__ import annotations

from typing import Any

from rulesdsl.base.lightclass import dataclass
from rulesdsl.base.source import SourceFile

HERE = "zz_here_zz"
_DEEPEST = 24
_EFFORT = 500
# What is tried first on the way to an end: closing, then what must stand between, then what is short.
_LIKELY = (
    "$END", "_DEDENT", "RPAR", "RSQB", "_NL", "COLON", "_INDENT", "_FINISH", "EQUAL", "_IN", "_TO", "_AS",
    "_BY", "_OVER", "_THEN", "_ELSE", "_OTHERWISE", "_DO", "_AT_RANDOM", "_TO_BAG", "PILE_END", "_TIMES",
    "_MAY", "_WINS", "_STEPS", "_CHANGES", "MOTION", "_DESPITE", "NAME", "INT", "VALUE_WORD", "LSQB", "_FROM",
    "STRING", "LPAR", "_IS", "RULE_NUMBER", "_AND", "COMMA", "DOT",
)  # fmt: skip
_BESIDE = ("NAME", "INT", "LPAR")  # not right behind the made-up name: `place zz 1` is another construct
_SPELT = {"NAME": "x", "INT": "1", "STRING": '"x"', "DICE": "1d6", "RULE_NUMBER": "1.1", "COMPARE": "<"}


@dataclass(frozen=True, slots=True)
class Unfinished:
    """`accepted`: the terminals the parser would take at the cursor; `tree` when a name may stand there."""

    accepted: frozenset[str]
    node: object | None


def read_unfinished(before: str, file: SourceFile, line: int, start: str, behind: str = "") -> Unfinished:
    """What can follow `before`, the text of a statement up to the cursor (without the word at the cursor).
    `behind` is what stands after it: who writes in the middle of a statement has said how it ends."""
    from lark import Token
    from lark.exceptions import LarkError, UnexpectedInput

    from rulesdsl.language.parsing.grammar import BadDedent, load_parser  # only here: lark is slow to load

    parser = load_parser()
    interactive: Any = parser.parse_interactive(f"{before}{HERE}", start=start)
    accepted: frozenset[str] = frozenset()
    open_blocks, reached = 0, False
    try:
        for token in interactive.lexer_thread.lex(interactive.parser_state):
            if str(token) == HERE or HERE in str(token):
                accepted = frozenset(interactive.accepts())
                interactive.feed_token(Token.new_borrow_pos(token.type, HERE, token))
                reached = token.type == "NAME" or str(token) == HERE
                break
            interactive.feed_token(token)
            open_blocks += {"_INDENT": 1, "_DEDENT": -1}.get(token.type, 0)
    except (UnexpectedInput, BadDedent, LarkError):
        return Unfinished(accepted or _accepted_before(parser, before, start), None)
    if not reached:
        return Unfinished(accepted, None)
    tree = _whole(parser, f"{before}{HERE}{behind}", start) if behind.strip() else None
    tree = tree if tree is not None else _finished(interactive)
    return Unfinished(accepted, _built(tree, file, line, start) if tree is not None else None)


def _whole(parser: Any, text: str, start: str) -> Any:
    """The tree of a statement that needs no guessing."""
    from lark.exceptions import LarkError

    from rulesdsl.language.parsing.grammar import BadDedent  # only here: lark is slow to load

    try:
        return parser.parse(text.rstrip() + "\n", start=start)
    except (LarkError, BadDedent):
        return None


def _accepted_before(parser: Any, before: str, start: str) -> frozenset[str]:
    """The terminals after a text in which no name can stand at the end."""
    from lark.exceptions import LarkError

    from rulesdsl.language.parsing.grammar import BadDedent  # only here: lark is slow to load

    interactive = parser.parse_interactive(before, start=start)
    taken: list[Any] = []
    try:
        for token in interactive.lexer_thread.lex(interactive.parser_state):
            if token.type == "_DEDENT" or (token.type == "_NL" and not before.endswith("\n")):
                break
            interactive.feed_token(token)
            taken.append(token)
    except (LarkError, BadDedent):
        interactive = parser.parse_interactive("", start=start)  # as it was before what it did not take
        for token in taken:
            interactive.feed_token(token)
    return frozenset(interactive.accepts())


def _finished(interactive: Any) -> Any:
    """The tree of the first way to an end."""
    from lark import Token
    from lark.exceptions import LarkError

    queue: list[tuple[Any, int]] = [(interactive, 0)]
    tries = 0
    while queue and tries < _EFFORT:
        state, depth = queue.pop()
        accepted = state.accepts()
        ways = [name for name in _LIKELY if name in accepted]
        if depth == 0:
            ways.sort(key=lambda name: name in _BESIDE)
        if depth >= _DEEPEST:
            continue
        for name in reversed(ways[:5]):
            tries += 1
            ahead = state.copy(deepcopy_values=False)
            try:
                if name == "$END":
                    return ahead.feed_eof()
                token = Token(name, _SPELT.get(name, name), line=1, column=1, end_line=1, end_column=1)
                ahead.feed_token(token)
            except LarkError:
                continue
            queue.append((ahead, depth + 1))
    return None


def _built(tree: Any, file: SourceFile, line: int, start: str) -> object | None:
    from rulesdsl.language.parsing.build.builder import TreeBuilder  # only here: lark is slow to load

    builder = TreeBuilder
    if start == "amendment":
        from rulesdsl.language.parsing.build.amendments import AmendmentBuilder as builder
    try:
        made: object = builder(file, line).transform(tree)
    except (AttributeError, TypeError, ValueError, IndexError, AssertionError):
        return None  # a way to the end that no author would write
    return made
