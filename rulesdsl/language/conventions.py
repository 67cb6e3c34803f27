"""Names that mean something to the engine when a rulebook declares them (conventions), all in one place."""

from __future__ import annotations

MAIN = "game"  # the phase with which play begins
TURN = "turn"  # the track that counts turns
LAST_TURN = "last_turn"  # the quantity that tells when the game ends at the latest
SCORE = "score"  # the quantity of a player that people watch
VALUE = "value"  # the quantity of a player that the computer opponent reckons with
TAKES_PART = "takes_part"  # the define that tells which players sit at the table
STILL_CHOOSING = "still_choosing"  # who is asked later, where all choose at the same time
CANCELLED = "cancelled"  # what a token did to what was going on
ODDS = "odds_"  # a procedure so called prepares what is to be weighed
INVARIANT = "invariant_"  # a define so called must always hold
ROUND = "round"  # what the track that counts turns is called in games without turns
OF_GAME = "game"  # where attributes have a universe, tracks have this


def member_of(series: str, value: str) -> str:
    """What the attribute is called that `stock: number per resource` has for one value: `stock of wool`."""
    return f"{series} of {value}"
