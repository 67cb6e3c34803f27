"""Hidden hands from the first draw on: my opponent draws other tokens, and I cannot tell.

Two games are played from the start with the same seed and the same choices. In the second one every draw
of somebody else gives him another token than in the first; mine stay the same. Whatever I am shown must
be the same text at each of my decisions.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

from interpreter.playing.session import Session
from interpreter.running.machine import Machine
from interpreter.state.token_cells import TokenCells
from tests.promises import Outcome, all_games, length_of, opened
from tests.promises.twins import pass_windows, seen


class Deal(str):
    """A seed that knows what is to be drawn. It is the same text, so the dice are the same."""

    me: int
    mine: list[int]  # what I drew in the first game
    first: bool
    taken: int

    def __str__(self) -> str:
        return self  # a session asks for a text; it must not lose the rest


class TwinsPart(Exception):
    """My own draw cannot be repeated: the token is in the other's hand."""


def hidden_hands(count: int) -> Outcome:
    """`count` pairs of whole games (long ones: their first decisions)."""
    outcome = Outcome()
    names = [name for name in all_games() if opened(name).program.tokens]
    compared = 0
    with _dealt_draws():
        for number in range(count):
            name = names[number % len(names)]
            players = opened(name).program.world.universes["player"].ids
            outcome.done += 1
            compared += _pair(outcome, name, number, players[number // len(names) % len(players)])
    outcome.note = f"{compared} moments compared"
    return outcome


def _pair(outcome: Outcome, name: str, seed: int, me: str) -> int:
    players = opened(name).program.world.universes["player"]
    mine: list[int] = []
    one = Session.start(opened(name), seed=_deal(seed, players.index[me], mine, first=True))
    try:
        other = Session.start(opened(name), seed=_deal(seed, players.index[me], mine, first=False))
        return _play_both(outcome, name, one, other, me, Random(seed))
    except TwinsPart:
        return 0


def _play_both(outcome: Outcome, name: str, one: Session, other: Session, me: str, rng: Random) -> int:
    compared = 0
    for _ in range(min(400, 3 * length_of(name))):
        pass_windows(one, me)
        try:
            pass_windows(other, me)
        except TwinsPart:
            return compared
        if one.over or other.over or one.player != other.player or one.site is not other.site:
            break
        if _open_tokens(one) != _open_tokens(other):
            return compared  # a rule laid a token open
        if one.player == me:
            compared += 1
            if seen(one, me, compared % 16 == 0) != seen(other, me, compared % 16 == 0):
                outcome.failure(f"{name}: {me} can tell what the others drew")
                return compared
        common = sorted({o.key for o in one.options} & {o.key for o in other.options})
        if not common:
            break
        key = rng.choice(common)
        one.choose(key)
        try:
            other.choose(key)
        except TwinsPart:
            return compared
    shorter = min(len(one.log_of(me)), len(other.log_of(me)))
    if one.log_of(me)[: shorter - 20] != other.log_of(me)[: shorter - 20]:
        outcome.failure(f"{name}: {me} can read what the others drew")
    return compared


def _open_tokens(session: Session) -> Any:
    return session.view(None)["tokens"]["spent"]


def _deal(seed: int, me: int, mine: list[int], first: bool) -> Any:
    deal = Deal(seed)
    deal.me, deal.mine, deal.first, deal.taken = me, mine, first, 0
    return deal


@contextmanager
def _dealt_draws() -> Iterator[None]:
    """Let `Deal` seeds decide what is drawn."""
    plain = Machine.draw

    def draw(self: Machine, who: int, cell: int, tokens: TokenCells) -> int:
        deal = self.seed
        if not isinstance(deal, Deal):
            return plain(self, who, cell, tokens)
        there = self.s[tokens.state_masks]
        bag = [i for i in range(there.bit_length()) if there >> i & 1]
        token = self.pick("draw", cell, there)
        if token < 0:
            return token
        if who == deal.me and deal.first:
            deal.mine.append(token)
        elif who == deal.me:
            if deal.taken >= len(deal.mine) or deal.mine[deal.taken] not in bag:
                raise TwinsPart
            token = deal.mine[deal.taken]
            deal.taken += 1
        elif not deal.first:
            token = bag[(bag.index(token) + 1) % len(bag)]
        self.put_token(token, who, 1, tokens)
        return token

    Machine.draw = draw  # type: ignore[method-assign]
    try:
        yield
    finally:
        Machine.draw = plain  # type: ignore[method-assign]
