"""What a value may depend on is followed through every kind of expression that asks a rule."""

from __future__ import annotations

from pathlib import Path

from interpreter.playing.game import open_game
from rulesdsl import program as pg
from rulesdsl.checking.whole.mentions import expressions_in
from rulesdsl.program.asked import all_asked
from rulesdsl.program.types import FLAG
from tests.language.test_afterwards import MARCH
from tests.language.test_cases import little_game

ROOT = Path(__file__).parents[2]


def test_what_follows_is_asked_for_as_far_as_triggers_lead(tmp_path: Path) -> None:
    program = open_game(little_game(tmp_path / "little", MARCH)).program
    value = next(e for e in expressions_in(program.defines["then_tired"]) if isinstance(e, pg.AfterE))
    reached = [
        e.attribute.name for e in all_asked(program, value, expressions_in) if isinstance(e, pg.AttrGet)
    ]
    assert "guests" in reached  # in `go_home`, which a trigger does
    assert "guests" not in [e.attribute.name for e in expressions_in(value) if isinstance(e, pg.AttrGet)]


def test_whether_a_token_may_be_played_asks_its_conditions() -> None:
    program = open_game(ROOT / "tests/testdata/games/secrets").program
    plays = [play for token in program.tokens.values() for play in token.plays if play.condition is not None]
    assert plays
    for play in plays:
        asked = pg.PlayableE(play.window, (), type=FLAG)  # as windows ask it (program/windows.py)
        assert play.condition in all_asked(program, asked, expressions_in)
