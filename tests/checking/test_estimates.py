"""What is an estimate is shown as one in play: on the board and in `look`. The map: test_drawing.py."""

from __future__ import annotations

from functools import lru_cache

from interpreter.playing.session import Session
from rulesdsl.cli.play.board import GUESS, Board
from rulesdsl.cli.play.boardlist import list_spaces
from rulesdsl.cli.play.things import look


@lru_cache
def begun() -> Session:
    return Session.start("race_for_berlin", seed=3)


def test_every_estimated_strength_has_its_sign_on_the_board() -> None:
    board = Board(begun(), begun().view(None))
    pieces = begun().game.source.pieces.values()
    shown = {piece.id: GUESS in board.piece_label(piece.id) for piece in pieces}
    assert shown == {piece.id: piece.source_of("strength").startswith("estimated") for piece in pieces}
    assert not shown["s8gaa"]  # annex 3 gives its full side
    assert f"{GUESS} an estimate" in str([*list_spaces(board, 76)][-1])


def test_look_names_estimates_and_knows_aliases() -> None:
    suburb = look(begun(), "tempelhof")
    assert suburb[0].startswith("Mariendorf")
    assert "  garrison 20" in suburb
    assert "  index 6 (estimated)" in suburb
    assert "  movement 2 (estimated)" in look(begun(), "g606")
    assert "  strength 3" in look(begun(), "g606")
