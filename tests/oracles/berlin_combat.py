"""Combat (8) and urban progress (9.2, 9.3) in plain Python, as referees.

A referee is a generator: it yields every decision that must be asked, with who decides, exactly what is
legal and whether stopping is, is sent what was chosen, and changes its own position. Whoever plays the
same combat elsewhere can be compared with it question by question.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass, field

from tests.oracles.berlin_board import other
from tests.oracles.berlin_odds import URBAN, Attack
from tests.oracles.berlin_retreat import retreat_zones

EXTRA_POINT = "spend-one-more-support-point-for-1"


@dataclass(frozen=True)
class Asked:
    """One decision: who, the legal options, and the word for stopping (None: one option must be taken)."""

    who: str
    options: frozenset[str]
    stop: str | None = None


Referee = Generator[Asked, str | None, None]


@dataclass
class Combat(Attack):
    """An attack that is carried out: losses, retreats, advances, changes of level."""

    hits: dict[str, int] = field(default_factory=dict)
    bases: set[str] = field(default_factory=set)  # where the attackers stood

    # ---- losses
    def lose(self, losers: Iterable[str], steps: int, first: str) -> Referee:
        """8.2.2: one step each before a second; the owners take turns, the one who does not attack first."""
        owner, group = first, set(losers)
        for _ in range(steps):
            left = {u for u in group if u in self.position.where}
            if not left:
                return
            fewest = min(self.hits.get(u, 0) for u in left)
            next_hit = {u for u in left if self.hits.get(u, 0) == fewest}
            if not any(self.position.unit(u).camp == owner for u in next_hit):
                owner = other(owner)
            chosen = yield Asked(owner, frozenset(u for u in next_hit if self.position.unit(u).camp == owner))
            assert chosen is not None
            self.hits[chosen] = self.hits.get(chosen, 0) + 1
            self.position.lose_step(chosen)
            owner = other(owner)

    # ---- retreats
    def retreats(self) -> Referee:
        """8.3.1: each owner for his own units, the one who does not attack first."""
        for owner in (other(self.striker), self.striker):
            beaten = {u for u in self.defenders if self.position.where.get(u) == self.target}
            left = {u for u in beaten if self.position.unit(u).camp == owner}
            while left:
                name: str | None = next(iter(left))
                if len(left) > 1:
                    name = yield Asked(owner, frozenset(left))
                assert name is not None
                left.discard(name)
                zones = retreat_zones(self.position, name, self.readings)
                if not zones:
                    self.position.lose_step(name)  # 8.3.4
                    continue
                zone = yield Asked(owner, frozenset(zones))
                assert zone is not None
                self.position.move(name, zone)
                if name in self.position.where and self.position.rivals_in(zone, name):
                    self.position.guests.add(name)

    # ---- advance
    def advance(self) -> Referee:
        """8.4.1: one attacker must, others may; 8.4.2: then reserves that stood with them."""
        first = True
        while True:
            able = frozenset(
                u
                for u in self.attackers
                if self.position.where.get(u) not in (None, self.target) and self.may_advance(u)
            )
            if not able:
                break
            chosen = yield Asked(self.striker, able, None if first else "enough")
            if chosen is None:
                break
            self.position.move(chosen, self.target)
            first = False
        if first:
            return
        while True:
            able = frozenset(
                u
                for u in self.position.waiting
                if self.position.where.get(u) in self.bases
                and (self.position.unit(u).camp, self.position.unit(u).side) == (self.striker, self.side)
                and self.may_advance(u)
            )
            if not able:
                return
            chosen = yield Asked(self.striker, able, "enough")
            if chosen is None:
                return
            self.position.move(chosen, self.target)

    def may_advance(self, name: str) -> bool:
        position = self.position
        return (
            position.room(self.target, name)
            and not position.rivals_in(self.target, name)
            and self.target not in position.american
        )

    # ---- the whole
    def may_strike(self, name: str) -> bool:
        """8.1.1 with the readings: nobody attacks where he could not advance."""
        position, board, place = self.position, self.position.board, self.position.where[name]
        if self.target not in board.borders[place]:
            return False
        if self.side == "soviet":
            return not position.foreign(self.target, name) and place not in position.american
        border = board.borders[place][self.target]
        return not border.get("oder_neisse") and not (board.is_berlin(place) and position.stormed(place))

    def referee(self) -> Referee:
        """From the choice of the attackers to the last advance."""
        able = {u for u in self.ready if self.may_strike(u)}
        while able - self.attackers:
            stop = "these" if self.attackers else None
            chosen = yield Asked(self.striker, frozenset(able - self.attackers), stop)
            if chosen is None:
                break
            self.attackers.add(chosen)
        self.bases = {self.position.where[u] for u in self.attackers}
        attacker_steps, defender_steps, retreat = self.result()
        yield from self.lose(self.attackers, attacker_steps, self.striker)
        yield from self.lose(self.defenders, defender_steps, other(self.striker))
        if retreat:
            yield from self.retreats()
        enemy = "german" if self.side == "soviet" else "soviet"
        if all(u in self.position.guests for u in self.position.units_in(self.target, enemy)):
            for guest in self.position.units_in(self.target, enemy):
                self.position.leave(guest)  # 7.3.3
                self.position.destroyed.add(guest)
            yield from self.advance()

    def urban_referee(self) -> Referee:
        """9.2 and 9.3."""
        position = self.position
        self.attackers = {u for u in self.ready if position.where[u] == self.target}
        extra = False
        if self.side == "german":
            yield from self.call_help()
        else:
            position.support[self.striker] -= 1
            if position.support[self.striker] >= 1:  # 9.2.5
                extra = (yield Asked(self.striker, frozenset({EXTRA_POINT}), "no")) is not None
                position.support[self.striker] -= extra
        level, attacker_steps, defender_steps = URBAN[min(max(self.die + self.urban_modifier(extra), 0), 10)]
        yield from self.lose(self.attackers, attacker_steps, self.striker)
        yield from self.lose(self.defenders, defender_steps, other(self.striker))
        if not level or not position.units_in(self.target, "soviet"):
            return
        before = position.progress.get(self.target, 0)
        if self.side == "soviet":
            position.progress[self.target] = before + level
            if position.first_in is None:  # 10.2.2
                position.first_in = self.striker
                position.points[self.striker] += 2
            if position.controlled(self.target) and self.target not in position.control:
                position.set_control(self.target, self.striker)
            return
        if before == 0:  # 9.3.4
            yield from self.lose(self.defenders, 1, other(self.striker))
        position.progress[self.target] = max(0, before - level)
        if not position.controlled(self.target):
            position.set_control(self.target, None)

    def call_help(self) -> Referee:
        """9.2.4: units of one ordinary zone next door."""
        board = self.position.board
        helpers: dict[str, set[str]] = {}
        for name in self.ready:
            place = self.position.where[name]
            if place in board.borders[self.target] and not board.is_berlin(place):
                helpers.setdefault(place, set()).add(name)
        if not helpers:
            return
        base = yield Asked(self.striker, frozenset(helpers), "no-help")
        called: set[str] = set()
        while base is not None and helpers[base] - called:
            chosen = yield Asked(self.striker, frozenset(helpers[base] - called), "these")
            if chosen is None:
                break
            called.add(chosen)
        self.attackers |= called
