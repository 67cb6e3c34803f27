"""The map, counters and tables of Race for Berlin are those of the sources, and agree with each other.

`python tests/berlin_mutations.py` makes 200 random changes and counts how many of them are noticed.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from rulesdsl.base.resources import data_dir
from tests.berlin_mutations import KINDS, changed_game
from tests.kit.berlin_listing import consistency_problems, transcription_problems

BERLIN = data_dir("games") / "race_for_berlin"


def test_the_data_are_those_of_the_second_listing() -> None:
    assert list(transcription_problems(BERLIN)) == []


def test_the_data_agree_with_each_other() -> None:
    assert list(consistency_problems(BERLIN)) == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_change_is_noticed(tmp_path: Path, kind: str) -> None:
    rng = random.Random(kind)
    for number in range(3):
        game = tmp_path / f"{kind}{number}" / "race_for_berlin"
        what = changed_game(BERLIN, game, kind, rng)
        assert list(transcription_problems(game)), what
