"""What cannot be read gets the right message at the right place: mistakes as data, in testdata/syntax."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulesdsl.base.diagnostics import Diagnostic, render
from rulesdsl.base.source import SourceFile
from rulesdsl.language.parsing.grammar import spellings
from rulesdsl.language.parsing.markdown import read_chapter
from rulesdsl.language.parsing.parser import cut_chunks, parse_chapter, parse_example, parse_rule

FILES = sorted((Path(__file__).parents[1] / "testdata" / "syntax").glob("*.md"))
EXPECTED = re.compile(r"##! (?P<code>[a-z-]+) (?P<column>\d+): (?P<part>.*)$")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_mistakes_are_reported_where_they_are(path: Path) -> None:
    file = SourceFile(path, path.read_text(encoding="utf-8"), path.name)
    problems = thorough_problems(file)
    wanted = {n: found for n, text in enumerate(file.lines, 1) if (found := EXPECTED.search(text))}
    assert len(wanted) > 2
    wrong = [f"unexpected:\n{render(p)}" for p in problems if not _fits(p, wanted)]
    reported = {p.span.line for p in problems}
    wrong += [f"not reported: {path.name}:{n}: {w[0]}" for n, w in wanted.items() if n not in reported]
    assert not wrong, "\n\n".join(wrong)


def thorough_problems(file: SourceFile) -> list[Diagnostic]:
    """Like `parse_chapter`, which looks for causes only in the first mistakes of a chapter."""
    chapter, problems = read_chapter(file)
    for fence in (fence for paragraph in chapter.paragraphs for fence in paragraph.fences):
        if fence.kind == "example":
            problems += parse_example(fence.text, file, fence.first_line)[1]
        else:
            problems += [p for line, text in cut_chunks(fence) for p in parse_rule(text, file, line)[1]]
    return problems


def _fits(problem: Diagnostic, wanted: dict[int, re.Match[str]]) -> bool:
    found = wanted.get(problem.span.line)
    if found is None:
        return False
    place = (problem.code, str(problem.span.column))
    return place == (found["code"], found["column"]) and found["part"] in f"{problem.message} {problem.help}"


def test_every_mistake_of_a_chapter_is_reported() -> None:
    text = "## 1 A\n```rules\n" + "forbid march wehn unit is german\n" * 40 + "```\n"
    _, problems = parse_chapter(SourceFile(Path("many.md"), text))
    assert [p.span.line for p in problems] == list(range(3, 43))
    assert {(p.span.column, p.help, p.paragraph) for p in problems} == {(14, 'did you mean "when"?', '1 "A"')}


def test_a_statement_is_read_once_for_each_place() -> None:
    file = SourceFile(Path("once.md"), "define a = 3")
    first, _ = parse_rule("define a = 3", file, 1)
    again, _ = parse_rule("define a = 3", file, 1)
    below, _ = parse_rule("define a = 3", file, 7)
    assert first is again
    assert first == below
    assert below is not None
    assert below.span.line == 7


def test_words_that_are_expected_are_words() -> None:
    """What is fixed is shown as one writes it; what is a pattern, never."""
    known = spellings()
    assert known["QUIETLY"] == (", quietly",)
    assert set(known["_THEN_BY"]) == {", then", ", then by"}
    written = [one for forms in known.values() for one in forms if len(one) > 1]
    assert [one for one in written if not re.fullmatch(r"(, )?[a-z]+( [a-z]+)*|\([a-z]+\)", one)] == []
    _, problems = parse_rule("unit has aim: number hidden", SourceFile(Path("x.md"), ""), 1, False)
    assert '", quietly"' in problems[0].help
