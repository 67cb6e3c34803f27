"""5,000 damaged rule files: never a traceback, never a long wait, every refusal with its place.

A few statements of shipped chapters (and of a list that has every kind) are put into a small file and
damaged by a seeded generator; then the file is read, and some of the files are formatted.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from rulesdsl.base.diagnostics import Diagnostic, render
from rulesdsl.base.source import SourceFile
from rulesdsl.language.parsing.parser import parse_amendment, parse_chapter, parse_example, parse_rule
from rulesdsl.language.printing.formatter import format_chapter
from tests.kit.damaged_rules import damaged
from tests.kit.patience import without_hanging

MUTATIONS = 5_000
PARTS = 10  # so that several processes share the work


@pytest.mark.parametrize("part", range(PARTS))
def test_damaged_chapters_are_refused_politely(part: int) -> None:
    refused = 0
    for number in range(part, MUTATIONS, PARTS):
        text = damaged(random.Random(number))
        file = SourceFile(Path("damaged.md"), text)
        problems = without_hanging(lambda file=file: parse_chapter(file)[1], text)
        refused += bool(problems)
        _check_places(problems, file)
        if number % 10 == 0:
            again = SourceFile(Path("damaged.md"), format_chapter(file))
            assert format_chapter(again) == again.text, repr(text)
    assert refused > MUTATIONS / PARTS / 2


BOMBS = {
    "nested brackets": "define a = " + "(" * 10_000 + "1" + ")" * 10_000,
    "open brackets": "define a = " + "(" * 10_000,
    "nested calls": "define a = " + "f(" * 200 + ")" * 200,
    "a long line": "define a = " + "x + " * 250_000 + "x",
    "a long name": "define " + "a" * 1_000_000 + " = 1",
    "a long text": 'parameter a = 1 "' + "x" * 1_000_000 + '"',
    "an open text": 'parameter a = 1 "' + "x" * 3_000,
    "a long sum": "define a = " + "\n    and ".join(["x + 1"] * 2_000),
    "a chain of sums": "define a = " + " + ".join(["x"] * 900),
    "a chain of nots": "define a = " + "not " * 900 + "x",
    "a chain of signs": "define a = " + "-" * 3_000 + "x",
    "a chain of attributes": "define a = x" + ".y" * 1_500,
    "a chain of phrases": "define a = some unit" + " in the unit" * 300,
    "a chain of conditions": "define a = " + "if a then b else " * 200 + "c",
    "deep indentation": "procedure a\n" + "\n".join(" " * n + "if x:" for n in range(1, 400)) + " leave",
    "many blocks": "procedure a\n" + "\n".join(" " * n + "if x:" for n in range(1, 200)) + " leave",
    "one deep line": "procedure a\n" + " " * 100_000 + "finish",
    "a long number": "define a = " + "9" * 5_000,
    "many dice": "procedure a\n    roll " + "9" * 4_500 + "d6 as die",
    "a long ratio": "define a = " + "9" * 4_500 + ":1",
    "a long range": "track a: 1 to " + "9" * 4_500,
    "many blank lines": "procedure a" + "\n \t " * 9_000 + "finish",
    "many comments": "procedure a\n" + "# x\n" * 9_000 + "    finsh",
    "half a surrogate": 'define \ud800 = 1 "\udfff"',
    "zeros": "\x00" * 3_000,
    "many quotes": '"' * 3_999,
    "nothing": "",
    "a long heading": "```\n#" + " " * 100_000 + "x" + " " * 100_000 + "y\n```" + " " * 100_000 + "!",
}


HARMLESS = ("a long sum", "many blank lines")


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_are_refused_quickly(name: str) -> None:
    text = BOMBS[name]
    file = SourceFile(Path("bomb.md"), text)
    for parse in (parse_rule, parse_example, parse_amendment):
        node, problems = without_hanging(lambda parse=parse: parse(text, file, 1), name)
        assert problems or (parse is parse_rule and name in HARMLESS and node is not None)
        _check_places(problems, file)
    whole = SourceFile(Path("bomb.md"), f"## 1 A\n```rules\n{text}\n```\n")
    _check_places(without_hanging(lambda: parse_chapter(whole)[1], name), whole)
    if name not in HARMLESS:
        assert without_hanging(lambda: format_chapter(whole), name) == whole.text.replace("\n\n```", "\n```")


def test_a_chapter_of_mistakes_is_given_up() -> None:
    file = SourceFile(Path("bomb.md"), "## 1 A\n```rules\n" + "nonsense here\n" * 20_000 + "```\n")
    problems = without_hanging(lambda: parse_chapter(file)[1], "many mistakes")
    assert problems[-1].code == "too-many-mistakes"
    assert len(problems) < 300


@pytest.fixture(scope="module", autouse=True)
def _grammar_is_built() -> None:
    """Building the grammar belongs to no text: it happens once per process and is not timed."""
    file = SourceFile(Path("warm.md"), "")
    for text in ("parameter warm = 1", "paramter warm = = 1", "expct:\n    1 = 1"):
        for parse in (parse_rule, parse_example, parse_amendment):
            parse(text, file, 1)


def _check_places(problems: list[Diagnostic], file: SourceFile) -> None:
    for problem in problems:
        span = problem.span
        assert span.file.shown == file.shown
        assert 1 <= span.line <= len(file.lines), (problem, file.text[:2000])
        assert 1 <= span.column <= len(file.line(span.line)) + 1, (problem, file.text[:2000])
        assert problem.message
        assert problem.code
        assert render(problem).startswith(
            f"{file.shown}:{span.line}:{span.column}: {problem.severity}[{problem.code}]: "
        )
