"""Mistakes of people who cannot program, in a house rule: one message, in the right line, that helps."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulesdsl.base.diagnostics import Diagnostic
from rulesdsl.base.source import SourceFile
from rulesdsl.checking.checker import check
from rulesdsl.house.applying import apply_house_files
from rulesdsl.language.parsing.markdown import read_chapter
from tests.kit.house_rules import printed

DOCUMENT = """# Deep woods
Nobody likes woods.

## amends 4.1
Worse than printed.
```rules
replace "woods": -2
set table effort[5] = 2
set border mill/hill.river = false
```
```example
expect: turn = 1
```

## after 3.1 → 3.3 Mud
```rules
modify fight.die
    -1 when turn <= 2 "mud"
forbid rest when turn = 3 "no rest"
```
"""
MISTAKES = [
    # the form of the document
    ("# Deep woods", "## Deep woods", "house-title", 1, "write `# Deep woods`"),
    ("## amends 4.1", "### amends 4.1", "house-heading", 4, "write `## amends 4.1`"),
    ("## amends 4.1", "##amends 4.1", "house-heading", 4, "write `## amends 4.1`"),
    ("## amends 4.1", "## Amends 4.1", "house-heading", 4, 'did you mean "amends"?'),
    ("Nobody likes woods.", "Requires: walls", "house-front", 2, 'did you mean "requires"?'),
    ("Nobody likes woods.", "conflicts with: walls", "house-front", 2, 'did you mean "conflicts"?'),
    # blocks
    ("```rules\nreplace", "```rule\nreplace", "unknown-fence", 6, "write ```rules at the start of the line"),
    ("```rules\nreplace", "```Rules\nreplace", "unknown-fence", 6, None),
    ("```rules\nreplace", "``rules\nreplace", "unknown-fence", 6, None),
    ("```rules\nreplace", "    ```rules\nreplace", "unknown-fence", 6, None),
    ("```example", "```exemples", "unknown-fence", 11, "write ```example at the start of the line"),
    ("false\n```\n", "false\n", "unclosed-fence", 6, "put a line ``` after it"),
    ("expect: turn = 1\n```\n", "expect: turn = 1\n", "unclosed-fence", 11, None),
    # signs
    ('"woods"', "“woods”", "syntax", 7, 'write "'),
    ('"mud"', '"mud”', "unclosed", 18, 'write the quote as "'),
    ('"mud"', 'mud"', "unclosed", 18, 'put a " before the text as well'),
    ("[5] = 2", "[5] = 2 // more", "syntax", 8, 'write "#"'),
    ("mill/hill", "mill/Hügel", "syntax", 9, "names are written with the letters a to z, perhaps hugel"),
    # words
    ("-1 when", "-1 if", "syntax", 18, 'did you mean "when"?'),
    ("forbid rest", "forbid to rest", "syntax", 19, "write `forbid rest`"),
    ("effort[5]", "effort[4-5]", "syntax", 8, "write `4:5` for odds, `4 to 5` for a range"),
    ("effort[5]", "fight[3-1, 5]", "syntax", 8, "write `3:1`"),
    ("rest when", "rest unless", "syntax", 19, 'did you mean "when not"?'),
    ("turn <= 2", "turn is at most 2", "syntax", 18, 'write "<="'),
    ("turn = 3", "turn more than 3", "syntax", 19, 'write ">"'),
    ("    -1 when", "-1 when", "indentation", 17, None),
    ("-1 when", "1 when", "syntax", 18, None),
    ("set table effort", "set effort", "syntax", 8, "write `set table effort[…] = …`"),
    ("= false", "= non", "bad-value", 9, "write true or false"),
    # names
    ("mill/hill", '"Mill"/hill', "unknown-name", 9, "the rules call it mill"),
    ("mill/hill", "camp/keep", "unknown-name", 9, None),
]


def problems(text: str) -> list[Diagnostic]:
    source, found = apply_house_files(printed(), [SourceFile(Path("mine.md"), text)])
    if not [p for p in found if p.severity == "error"]:
        found = [*found, *check(source)[1]]
    return found


def test_without_a_mistake_there_is_no_message() -> None:
    assert problems(DOCUMENT) == []
    assert problems(DOCUMENT.replace("\n", "\r\n")) == []


@pytest.mark.parametrize(("right", "wrong", "code", "line", "hint"), MISTAKES)
def test_one_message_where_the_mistake_is(
    right: str, wrong: str, code: str, line: int, hint: str | None
) -> None:
    assert DOCUMENT.count(right) == 1
    (problem,) = problems(DOCUMENT.replace(right, wrong))
    assert (problem.code, problem.span.line) == (code, line), problem
    assert hint is None or problem.help == hint


def test_a_house_rule_that_is_all_mistakes_is_not_read_to_its_end() -> None:
    """Each line is another one, so that none is known from before."""
    lines = "\n".join(f"set out at {hour}" for hour in range(5000))
    found = problems(f"# Much\n\n## amends 4.1\n```rules\n{lines}\n```\n")
    assert len(found) < 250
    assert "too-many-mistakes" in [problem.code for problem in found]
    assert problems(f"# Much\n\n## amends 4.1\n{lines}\n") == []  # as prose it is no mistake at all


def test_a_rule_outside_of_a_block_is_a_warning() -> None:
    """Also below a sentence, and over several lines; sentences are none, whatever they begin with."""
    bare = DOCUMENT.replace("```rules\nreplace", "replace").replace("```\n", "", 1)
    (problem,) = problems(bare)
    assert (problem.code, problem.severity) == ("house-prose", "warning")
    assert bare.split("\n")[problem.span.line - 1].startswith("replace ")
    modified = '\n\n## amends 4.1\nIt is cold.\nmodify fight.die\n    +1 when turn = 1 "cold"\n'
    assert [p.code for p in problems("# Cold" + modified)] == ["house-prose"]
    for prose in ("set out early", "repeal what was written", "after the phase ends: rest", "modify it"):
        assert problems(f"# Cold\n\n## amends 4.1\n{prose}\n") == []


def test_a_block_without_a_kind_is_a_warning_when_it_looks_like_rules() -> None:
    (problem,) = problems(DOCUMENT.replace("```rules\nreplace", "```\nreplace"))
    assert (problem.code, problem.severity, problem.span.line) == ("unknown-fence", "warning", 6)
    _, found = read_chapter(
        SourceFile(Path("a.md"), "## 1 A\n```\nset the table for two\n```\n```rust\nx\n```\n")
    )
    assert found == []


def test_the_front_of_a_document_with_windows_line_ends() -> None:
    text = DOCUMENT.replace("Nobody likes woods.", "requires: walls").replace("\n", "\r\n")
    assert [(p.code, p.span.line) for p in problems(text)] == [("house-requires", 2)]
