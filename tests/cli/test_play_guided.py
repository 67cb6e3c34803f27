"""The guided first turn in the terminal: its words come at their questions, in words for who types."""

from __future__ import annotations

from tests.kit.command_line import run

GAME = "race_for_berlin"


def test_the_guide_speaks_at_its_questions() -> None:
    typed = "turn it\n0\n8th guards army a combat\nquit\n"
    told = run("play", GAME, "--guided", lines=typed).output
    assert "1 of " in told
    assert "Who you are, and what you want" in told
    assert "Support has a price" in told
    assert "type 0" in told
    assert "Click" not in told, "a terminal has no mouse"
    assert told.index("Support has a price") < told.index("Four activations") < told.index("The second half")
    assert told.count("Four activations") == 1


def test_a_game_without_a_guide_says_so() -> None:
    refused = run("play", "tutorial/skirmish", "--guided")
    assert refused.exit_code == 2
    assert "there is no guided first turn" in str(refused.exception or "") + refused.output
