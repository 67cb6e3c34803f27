"""Dice without hidden state: the n-th roll for a purpose depends on the seed, the purpose and n alone.

So an extra roll in a house rule shifts no other roll, and every roll can be checked by hand:
SHA-256 of "seed/purpose/n/die", read eight bytes at a time, values beyond the last full cycle skipped.

A seed that is known is a future that is known. In games between people nobody has one: what takes the place
of the seed is drawn anew (`fresh_draw`) for every decision, after it was made, and written down with it. The
record plays again as ever; nothing in it, on the screen or on the command line tells of a die not yet cast.
"""

from __future__ import annotations

import secrets
from hashlib import sha256

BY_SEED, FRESH = "seed", "fresh"  # what decides the dice of a game
_CYCLE = 1 << 64


def fresh_draw() -> str:
    """128 bits from the system, for the dice that follow one decision."""
    return secrets.token_hex(16)


def fair_number(seed: str, purpose: str, count: int, die: int, faces: int) -> int:
    """A number from 0 to faces - 1, each equally likely."""
    limit = _CYCLE - _CYCLE % faces
    salt = 0
    while True:
        digest = sha256(f"{seed}/{purpose}/{count}/{die}/{salt}".encode()).digest()
        for start in (0, 8, 16, 24):
            number = int.from_bytes(digest[start : start + 8], "big")
            if number < limit:
                return number % faces
        salt += 1


def roll_dice(seed: str, purpose: str, count: int, dice: int, faces: int) -> int:
    """The sum of `dice` dice."""
    return sum(fair_number(seed, purpose, count, die, faces) + 1 for die in range(dice))
