"""Random single edits: either a clear error with file and line, or a game that checks, plays, and whose diff
names exactly what was changed. RULESDSL_BARS=full makes 300 edits of each game, with 20 games for each."""

from __future__ import annotations

import os
import random
from collections import Counter
from pathlib import Path

import pytest

from interpreter.game import finish_game
from rulesdsl.diagnostics import RulebookError
from rulesdsl.loader import GameSource
from rulesdsl.rulediff import diff_rules
from rulesdsl.source import SourceFile
from tests.house_rules import FORD, play, printed
from tests.random_edits import RandomEdit, random_edit, what_is_named

GAMES = Path(__file__).parent.parent / "games"
FULL = os.environ.get("RULESDSL_BARS") == "full"
FILE = "edit.md"
# The directory, the edits and the games of a short run, and how many decisions of a game are then played.
PLACES = [
    pytest.param(FORD, 60, 2, 100_000, id="ford"),
    pytest.param(GAMES / "tutorial" / "skirmish", 40, 2, 100_000, id="skirmish"),
    pytest.param(GAMES / "race_for_berlin", 12, 1, 150, id="race_for_berlin"),
]


@pytest.mark.parametrize(("directory", "edits", "games", "decisions"), PLACES)
def test_random_edits(directory: Path, edits: int, games: int, decisions: int) -> None:
    source = printed(directory)
    outcomes: Counter[str] = Counter()
    for number in range(300 if FULL else edits):
        edit = random_edit(source, random.Random(f"{directory.name} {number}"))
        limits = (20, 100_000) if FULL else (games, decisions)
        outcomes[outcome_of(source, edit, number, *limits)] += 1
    assert outcomes["plays"] >= sum(outcomes.values()) / 2, outcomes


def outcome_of(source: GameSource, edit: RandomEdit, number: int, games: int, decisions: int) -> str:
    said = f"edit {number}: {edit.statement}"
    try:
        game = finish_game(source, (), [SourceFile(Path(FILE), edit.text)])
    except RulebookError as error:
        for problem in error.problems:
            places = [problem.span, *(span for _, span in problem.also)]
            here = [span for span in places if span.file.shown == FILE]
            if problem.severity == "error":
                assert here, f"{said}: the message does not name the house rule: {problem.message}"
                assert here[0].line in (3, 5), said
        return "refused"
    diff = diff_rules(source, game.source)
    if not diff.different:
        assert any(p.code == "house-no-change" for p in game.warnings), said
        return "the same"
    assert what_is_named(diff) == edit.named, said
    play(game.source, games, seed=number, decisions=decisions)
    return "plays"
