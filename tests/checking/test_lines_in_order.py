"""Lines of a quantity that come after those of another paragraph (`-1 after 2`)."""

from __future__ import annotations

from pathlib import Path

from rulesdsl.base.diagnostics import Diagnostic
from rulesdsl.pipeline.checked import fresh_problems
from tests.language.test_cases import little_game

RULES = """
phase game
    note "{}", might(blue)
    end game: drawn "over"
quantity might(unit) = 4
    +1 after 2 "one"
"""
MORE = """
## 2 Second
```rules
modify might
    /2 rounded up%s "two"
```

## 3 Third
```rules
modify might
    -1 after 1 "three"
```
"""


def problems(place: Path, second: str) -> list[Diagnostic]:
    game = little_game(place / "little", RULES)
    (chapter,) = (game / "rules").glob("*.md")
    chapter.write_text(chapter.read_text(encoding="utf-8") + MORE % second, encoding="utf-8")
    return fresh_problems(game)


def test_lines_follow_those_they_name(tmp_path: Path) -> None:
    assert problems(tmp_path, "") == []


def test_a_circle_of_lines_is_told_where_it_begins(tmp_path: Path) -> None:
    (told,) = problems(tmp_path, " after 3")
    assert told.message == 'of these lines of "might" each comes after the other'
    assert told.also
