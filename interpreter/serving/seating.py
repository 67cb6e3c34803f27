"""Who may sit where: every link has a token of 128 bits, and a token opens a door to one or more seats."""

from __future__ import annotations

import hmac
import json
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rulesdsl.base.writing import write_file

PERSON = "human"
ENDING = ".table"  # beside the journal: who sits where; without it the links are made anew
_TOKEN_BYTES = 16
_LONGEST = 200_000


@dataclass(frozen=True, slots=True)
class Door:
    """What a token opens: seats (none: somebody who looks on), and for the host the table itself."""

    token: str
    seats: tuple[str, ...] = ()
    host: bool = False

    @property
    def looks_on(self) -> bool:
        return not self.seats


@dataclass(slots=True)
class Seating:
    """The seats of a table: who decides for each, and the doors that lead to them."""

    kinds: dict[str, str]
    doors: list[Door] = field(default_factory=list)

    @classmethod
    def arranged(cls, kinds: Mapping[str, str], by_link: bool = False) -> Seating:
        """`by_link`: every person has a link of his own; else all people sit at one screen."""
        people = [seat for seat, kind in kinds.items() if kind == PERSON]
        mine = people[:1] if by_link else people
        doors = [Door(new_token(), tuple(mine), host=True)]
        if by_link:
            doors += [Door(new_token(), (seat,)) for seat in people[1:]]
        doors.append(Door(new_token()))
        return cls(dict(kinds), doors)

    @property
    def people(self) -> list[str]:
        return [seat for seat, kind in self.kinds.items() if kind == PERSON]

    @property
    def host(self) -> Door:
        return next(door for door in self.doors if door.host)

    def door(self, token: object) -> Door | None:
        """The door a token opens. Every token is compared, each in constant time."""
        given = token.encode(errors="replace") if isinstance(token, str) else b""
        found: Door | None = None
        for door in self.doors:
            if hmac.compare_digest(door.token.encode(), given):
                found = door
        return found

    def json(self) -> dict[str, Any]:
        doors = [{"token": d.token, "seats": list(d.seats), "host": d.host} for d in self.doors]
        return {"kinds": self.kinds, "doors": doors}

    def write(self, journal: Path) -> None:
        """For their owner alone: whoever can read tokens can sit down."""
        write_file(beside(journal), json.dumps(self.json(), indent=1), lasting=True, private=True)

    @classmethod
    def read(cls, journal: Path, seats: Iterable[str]) -> Seating | None:
        """The seats as they were left; None when nothing is known of them, or nothing that fits."""
        path = beside(journal)
        try:
            if path.is_symlink() or path.stat().st_size > _LONGEST:
                return None
            told = json.loads(path.read_text("utf-8"))
            kinds = {str(seat): str(kind) for seat, kind in told["kinds"].items()}
            doors = [
                Door(str(d["token"]), tuple(map(str, d["seats"])), bool(d["host"])) for d in told["doors"]
            ]
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None
        known = set(seats)
        fits = set(kinds) == known and all(known.issuperset(door.seats) for door in doors)
        whole = any(door.host for door in doors) and all(len(door.token) >= 22 for door in doors)
        return cls(kinds, doors) if fits and whole else None


def beside(journal: Path) -> Path:
    return journal.with_name(journal.name + ENDING)


def new_token() -> str:
    return secrets.token_urlsafe(_TOKEN_BYTES)


def filled(given: Mapping[str, str], seats: Iterable[str], opponent: str) -> dict[str, str]:
    """Who sits in seats nobody spoke about: a person in the first, the computer in the others."""
    if not given:
        return {seat: PERSON if number == 0 else opponent for number, seat in enumerate(seats)}
    other = opponent if PERSON in given.values() else PERSON  # only opponents were named
    return {seat: given.get(seat, other) for seat in seats}
