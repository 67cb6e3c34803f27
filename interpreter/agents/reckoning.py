"""Numbers that thoughts reckon with, the same in Python and in the machine (heuristic constants)."""

from __future__ import annotations

WIN = 10**9  # beyond every value a rulebook gives
FARTHEST = 400  # decisions of one line
BREADTH = 6  # options that are looked at
PATIENCE = 6  # decisions until what was begun must have ended
LOOKS = 2  # where dice decide
ANSWERS = 4  # to the next question of the same player, each of which is looked at
