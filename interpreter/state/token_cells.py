"""Where a state keeps its tokens, and who knows where one is.

That somebody knows it is part of the state (`token.known_to`, a set of players). Everybody knows what lies in
the bag until somebody draws: he alone has seen what is left, and what he took. A token that was played,
discarded, shown or handed over openly is known to those who saw it, wherever it goes, until it lies in the
bag and another draws. A player who gets a token knows it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from interpreter.state.layout import Layout

IN_BAG, HELD, SPENT = 0, 1, 2  # of TOKEN_STATES


class TokenCells(NamedTuple):
    """The first cells of what is kept of tokens; `known - 1` holds the set of all players."""

    holder: int
    holder_masks: int
    state: int
    state_masks: int
    known: int

    def knows(self, s: Sequence[Any], token: int, player: int) -> bool:
        """Whether a player knows where a token is: in a hand, in the bag, out of the game."""
        return bool(s[self.known + token] >> player & 1)


def token_cells(layout: Layout) -> TokenCells | None:
    """None when the game has no tokens."""
    if ("token", "known_to") not in layout.arrays:
        return None
    holder, state = layout.arrays["token", "holder"], layout.arrays["token", "state"]
    return TokenCells(
        holder.base, holder.masks, state.base, state.masks, layout.arrays["token", "known_to"].base
    )
