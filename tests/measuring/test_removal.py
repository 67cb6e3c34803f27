"""Proof by removal (tests/removal.py): what no example notices is found, and every excuse names a line."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rulesdsl.base.resources import data_dir, shipped_games
from rulesdsl.base.source import SourceFile
from rulesdsl.book.loader import GameSource, assemble_game, load_game
from tests.removal import (
    WANTED,
    Found,
    Line,
    excused,
    excuses_of,
    failing,
    lines_of,
    read_game,
    removals,
    share,
    try_without,
    without,
)

FULL = os.environ.get("RULESDSL_BARS") == "full"
SKIRMISH = data_dir("games") / "tutorial" / "skirmish"
MORE = """## 9 More
```rules
forbid march into zone when zone is hill "nobody climbs"

modify combat.die
    +1 when target is hill "uphill"
    +3 when target is hill and turn = 9 "dusk"
```

```example
given:
    place grenadiers in {there}
expect:
    not hill is among march(grenadiers)
```

### 9.1 Riders
```rules
allow march into zone when unit is horse despite 9
```
"""


@pytest.fixture(scope="module")
def source() -> GameSource:
    """The skirmish with a paragraph more."""
    found, _ = load_game(SKIRMISH)
    assert found is not None
    hill, beside = _two_neighbours(found)
    text = MORE.replace("{there}", beside).replace("hill", hill)
    file = SourceFile(SKIRMISH / "rules" / "09_more.md", text)
    changed, problems = assemble_game(SKIRMISH, [*found.files, file])
    assert changed is not None
    assert not problems
    return changed


def _two_neighbours(found: GameSource) -> tuple[str, str]:
    assert found.map is not None
    a, b = next(b.between for b in found.map.borders if not b.attributes.get("river"))
    return str(a), str(b)


def of_paragraph(source: GameSource, number: str) -> list[Line]:
    return [line for line in lines_of(source) if line.paragraph == number]


def test_every_line_is_taken_away_alone(source: GameSource) -> None:
    lines = of_paragraph(source, "9")
    assert [line.text.split()[0] for line in lines] == ["forbid", "modify", "modify"]
    for line in lines:
        left = of_paragraph(without(source, line), "9")
        assert [one.text for one in left] == [one.text for one in lines if one != line]


def test_what_an_example_holds_is_noticed_and_nothing_else(source: GameSource) -> None:
    lines = [*of_paragraph(source, "9"), *of_paragraph(source, "9.1")]
    found = [try_without(source, line) for line in lines]
    assert [one.outcome for one in found] == ["noticed", "unnoticed", "unnoticed", "unnoticed"]
    assert found[0].why == "example 1 of 9", "the exception went with the prohibition"


def test_a_game_whose_examples_fail_proves_nothing(source: GameSource) -> None:
    assert failing(source) == []
    first = of_paragraph(source, "9")[0]
    assert failing(without(without(source, of_paragraph(source, "9.1")[0]), first)) == ["example 1 of 9"]


def test_an_excuse_is_for_what_nothing_notices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.removal.excuses_of", lambda _: {"1: a": "because", "1: b": "because"})
    found = [Found("1: a", "", "noticed"), Found("1: b", "", "unnoticed"), Found("1: c", "", "unnoticed")]
    assert [one.outcome for one in excused("x", found)] == ["noticed", "excused", "unnoticed"]
    assert share([Found("1: a", "", "noticed"), Found("1: b", "", "required")]) == 1


@pytest.mark.parametrize("name", sorted(shipped_games()))
def test_every_excuse_names_a_line(name: str) -> None:
    keys = {line.key for line in lines_of(read_game(name))}
    assert sorted(set(excuses_of(name)) - keys) == []


PROVED = sorted(path.stem for path in (Path(__file__).parents[1] / "testdata" / "removal").glob("*.yaml"))


@pytest.mark.skipif(not FULL, reason="minutes for each game")
@pytest.mark.parametrize("name", [name for name in sorted(shipped_games()) if Path(name).name in PROVED])
def test_examples_notice_every_line(name: str) -> None:
    found = excused(name, removals(name, lines_of(read_game(name)), jobs=2))
    assert [one.key for one in found if one.outcome == "unnoticed"] == []
    assert share(found) >= WANTED
