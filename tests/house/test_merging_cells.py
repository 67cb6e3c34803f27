"""Two house rules that set the same cell: what `merge` writes can be read, checked and played."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.command_line import run

RULE = """# {title}
Why not.

## amends 5.4
A five at 1:1 is another one.

```rules
set table combat[1:1, 5] = {value}
```
"""


@pytest.fixture
def two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    monkeypatch.chdir(tmp_path)
    for name, title, value in (("hard.md", "Hard five", "A1D1"), ("soft.md", "Soft five", "D1")):
        Path(name).write_text(RULE.format(title=title, value=value), encoding="utf-8")
    return "hard.md", "soft.md"


def test_the_last_statement_of_a_block_is_merged_without_its_fence(two: tuple[str, str]) -> None:
    assert run("merge", "skirmish", *two).exit_code == 0
    text = Path("hard_and_soft.md").read_text(encoding="utf-8")
    assert text.count("```") == 2
    assert "#   set table combat[1:1, 5] = D1\nset table combat[1:1, 5] = A1D1" in text
    every = [part for name in (*two, "hard_and_soft.md") for part in ("--house", name)]
    assert run("check", "skirmish", *every).exit_code == 0


def test_a_house_rule_does_not_clash_with_itself(two: tuple[str, str]) -> None:
    told = run("merge", "skirmish", two[0], two[0])
    assert told.exit_code == 2
    assert "named twice" in told.output
    assert not list(Path().glob("*_and_*.md"))


def test_a_cell_that_is_set_is_explained(two: tuple[str, str]) -> None:
    told = run("check", "skirmish", "--house", two[0], "--explain")
    assert "5.4: table combat, odds 1:1, die 5: R → A1D1" in told.output
