"""5,000 damaged data files: never a traceback, never a long wait, every refusal with its place.

Small good files (`tests/testdata/yaml/`) are damaged by a seeded generator, as text and as bytes, and
go through everything that reads them.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from pathlib import Path

import pytest

from rulesdsl.base.diagnostics import Diagnostic, RulebookError, render
from rulesdsl.base.textfile import decode_source
from rulesdsl.book.yaml.file import load_yaml
from tests.kit.datafiles import BUILDERS
from tests.kit.patience import without_hanging

FILES = sorted((Path(__file__).parents[1] / "testdata" / "yaml").glob("*.yaml"))
MUTATIONS = 5_000
PARTS = 10  # so that several processes share the work

SCRAPS = [
    *"[]{}:,#&*!|>'\"%@`?-~<= \t\n\\/.0123456789aZ_äß",
    *(
        " : ",
        "- ",
        "\n  ",
        "\n\t",
        "---\n",
        "...\n",
        "<<: ",
        "&a ",
        "*a",
        "!!str ",
        "? ",
        "null",
        "true",
        "yes",
    ),
    *(
        "-1",
        "0.5",
        "99999999999999999999",
        "1e9",
        "{n}",
        "{column:09}",
        "{}",
        "[]",
        "[[[[[[",
        "3:1",
        "1-2",
        "any",
    ),
    *("\u202e", "\x00", "\u2028", "\ufeff", "\U0001f5fa", '"\\ud800"', "x" * 300),
]


def damaged(text: str, luck: random.Random) -> bytes:
    """`text` with one to three pieces of damage."""
    for _ in range(luck.choice((1, 1, 1, 2, 3))):
        text = luck.choice(DAMAGES)(text, luck)
    content = text.encode("utf-8", "surrogatepass")
    if luck.random() < 0.1 and content:
        place = luck.randrange(len(content))
        content = content[:place] + bytes([luck.randrange(256)]) + content[place + 1 :]
    return content


def _insert(text: str, luck: random.Random) -> str:
    place = luck.randint(0, len(text))
    return text[:place] + luck.choice(SCRAPS) + text[place:]


def _delete(text: str, luck: random.Random) -> str:
    place = luck.randint(0, len(text))
    return text[:place] + text[place + luck.choice((1, 1, 1, 2, 5, 40)) :]


def _replace_word(text: str, luck: random.Random) -> str:
    words = list(re.finditer(r"[^\s,:\[\]{}]+", text))
    if not words:
        return text
    gone = luck.choice(words)
    new = luck.choice(SCRAPS) if luck.random() < 0.5 else luck.choice(words)[0]
    return text[: gone.start()] + new + text[gone.end() :]


def _change_lines(text: str, luck: random.Random) -> str:
    lines = text.split("\n")
    here, there = luck.randrange(len(lines)), luck.randrange(len(lines))
    match luck.randrange(4):
        case 0:
            lines.insert(there, lines[here])
        case 1:
            del lines[here]
        case 2:
            lines[here] = " " * luck.randrange(5) + lines[here].lstrip()
        case _:
            lines[here], lines[there] = lines[there], lines[here]
    return "\n".join(lines)


def _cut(text: str, luck: random.Random) -> str:
    return text[: luck.randint(0, len(text))]


DAMAGES = [_insert, _insert, _delete, _replace_word, _replace_word, _change_lines, _cut]


def problems_of(path: Path, content: bytes) -> list[Diagnostic]:
    try:
        return BUILDERS[path.stem.split("_")[0]](load_yaml(decode_source(path, content)))[1]
    except RulebookError as error:
        return error.problems


@pytest.mark.parametrize("part", range(PARTS))
def test_damage_is_answered_with_a_message_and_a_place(part: int) -> None:
    outcomes: Counter[str] = Counter()
    for number in range(part, MUTATIONS, PARTS):
        luck = random.Random(number)
        path = FILES[number % len(FILES)]
        content = damaged(path.read_text("utf-8"), luck)
        problems = without_hanging(
            lambda path=path, content=content: problems_of(path, content), f"mutation {number} of {path.name}"
        )
        outcomes["refused" if problems else "accepted"] += 1
        for problem in problems:
            span = problem.span
            where = f"mutation {number} of {path.name}: {problem}"
            assert Path(span.file.shown).name == path.name, where
            assert 1 <= span.line <= len(span.file.lines), where
            assert 1 <= span.column <= len(span.file.line(span.line)) + 1, where
            assert span.end_line >= span.line, where
            assert re.fullmatch(r"[a-z]+(-[a-z]+)*", problem.code), where
            assert problem.message, where
            assert len(render(problem)) < 3_000, where
    # Damage that mostly goes unnoticed, or is always refused, would mean that this test tests nothing.
    total = MUTATIONS // PARTS
    assert 0.5 * total < outcomes["refused"] < 0.98 * total, outcomes


def test_undamaged_files_are_accepted() -> None:
    assert {path.name: problems_of(path, path.read_bytes()) for path in FILES} == {p.name: [] for p in FILES}
