"""Recorded games replay to the same positions; see `tests/recorded_games.py` for how they are recorded."""

from __future__ import annotations

import json

import pytest

from interpreter.playing.session import Session
from tests.recorded_games import EVERY, FOLDER, RECORDINGS, Recording, fingerprint

AGAIN = "if the rules were meant to change: python tests/recorded_games.py"


@pytest.mark.parametrize("recording", RECORDINGS, ids=lambda recording: recording.name)
def test_a_recorded_game_leads_to_the_same_positions(recording: Recording) -> None:
    found = json.loads((FOLDER / f"{recording.name}.json").read_text("utf-8"))
    session = Session.start(recording.game, seed=recording.seed, scenario=recording.scenario)
    assert fingerprint(session) == found["hashes"][0], f"another set-up; {AGAIN}"
    for number, key in enumerate(found["choices"], 1):
        assert key in [option.key for option in session.options], f"decision {number}: {key}; {AGAIN}"
        session.choose(key)
        if number % EVERY == 0:
            assert fingerprint(session) == found["hashes"][number // EVERY], f"decision {number}; {AGAIN}"
    assert fingerprint(session) == found["end"], AGAIN
    assert session.over == found["over"]


def test_every_recording_is_replayed() -> None:
    assert {path.stem for path in FOLDER.glob("*.json")} == {recording.name for recording in RECORDINGS}
