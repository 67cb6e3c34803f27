"""Battle for Germany once more, by hand: what a combat leaves behind, who passes a city, who has won.

Written from 6-2, 6-9, 10-3 (combat), 11-0 (control), 12-23, 16-31 and 17-32 (the end of a game).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from tests.oracles.hex_front import REICH, Front, Position, Unit


@dataclass
class Fight:
    """A combat and its result on the table."""

    attackers: list[Unit]
    defenders: list[Unit]
    target: str
    result: str


class Aftermath:
    """Counters before and after a result has been carried out. `wrong` tells what is otherwise."""

    def __init__(
        self, front: Front, before: Position, after: Position, fight: Fight, garrisons: set[str]
    ) -> None:
        self.front, self.before, self.after, self.fight = front, before, after, fight
        self.garrisons = garrisons

    def wrong(self) -> Iterator[str]:
        mine, theirs = self.fight.attackers, self.fight.defenders
        result = self.fight.result
        if result == "ae":
            yield from self.dead(mine)
            yield from self.stood(theirs, {u.at for u in mine})
        elif result == "de":
            yield from self.dead(theirs)
            yield from self.stood(mine, {self.fight.target})
        elif result == "ex":
            yield from self.dead(theirs)
            yield from self.exchanged()
        elif result == "dr":
            yield from self.fell_back(theirs, mine)
        else:
            yield from self.fell_back(mine, theirs)
        yield from self.others()

    def gone(self, unit: Unit) -> bool:
        return unit.name not in self.after.units

    def at(self, unit: Unit) -> str:
        return self.after.units[unit.name].at

    def dead(self, force: Collection[Unit]) -> Iterator[str]:
        yield from (f"{u.name} has survived" for u in force if not self.gone(u))

    def stood(self, force: Collection[Unit], emptied: set[str]) -> Iterator[str]:
        """Victors are all there; into every hex left empty one of them may have gone (6-91)."""
        yield from (f"{u.name} is lost" for u in force if self.gone(u))
        came = [self.at(u) for u in force if not self.gone(u) and self.at(u) != u.at]
        yield from (f"somebody is in {here}" for here in came if here not in emptied)
        yield from (f"{came.count(here)} units went to {here}" for here in {*came} if came.count(here) > 1)

    def exchanged(self) -> Iterator[str]:
        owed = sum(u.defence for u in self.fight.defenders)
        paid = [u.attack for u in self.fight.attackers if self.gone(u)]
        left = [u for u in self.fight.attackers if not self.gone(u)]
        if sum(paid) < owed and left:
            yield f"{sum(paid)} paid of {owed}"
        if paid and sum(paid) - max(paid) >= owed:
            yield f"{paid} paid, only {owed} were owed"
        yield from self.stood(left, {self.fight.target})

    def fell_back(self, losers: list[Unit], winners: list[Unit]) -> Iterator[str]:
        for unit in losers:
            if unit.name in self.garrisons:
                if self.gone(unit) or self.at(unit) != unit.at:
                    yield f"{unit.name} is a garrison and has left"
            elif not self.gone(unit):
                here = self.at(unit)
                if here == unit.at or here not in self.front.around(unit.at):
                    yield f"{unit.name} has retreated from {unit.at} to {here}"
                elif len(self.after.stacks[here]) > 2:
                    yield f"{unit.name} is one too many in {here}"
        if len(losers) == 1 and losers[0].name not in self.garrisons:
            unit, ways = losers[0], self.front.retreats(self.before, losers[0])
            if self.gone(unit) != (not ways) or (ways and self.at(unit) not in ways):
                yield f"{unit.name} might have gone to {sorted(ways)}"
        yield from self.stood(winners, {u.at for u in losers})

    def others(self) -> Iterator[str]:
        """Whoever took no part stands where he stood."""
        fought = {u.name for u in (*self.fight.attackers, *self.fight.defenders)}
        for name, unit in self.before.units.items():
            if name not in fought and (name not in self.after.units or self.after.units[name].at != unit.at):
                yield f"{name} took no part and has moved"


def passed(front: Front, position: Position, unit: Unit, here: str) -> dict[str, str]:
    """11-0: who was last in or beside each city, when a unit has come to a hex."""
    now = dict(position.last_in)
    if front.facts[here].get("city"):
        now[here] = unit.camp
    for town in front.around(here):
        if front.facts[town].get("city") and not position.stacks.get(town):
            now[town] = unit.camp
    return now


def winners(front: Front, position: Position, first_in_berlin: str, been_there: set[str]) -> set[str]:
    """Who has won if the game ends now; nobody: drawn."""
    points: Mapping[str, int] = {side: front.points(position, side) for side in ("soviet", "western")}
    if position.chapter == "four_players":
        won = {first_in_berlin} - {""}
        won |= {"german_west"} if "western" not in been_there else set()
        return won | ({"german_east"} if "soviet" not in been_there else set())
    berlin = next(here for here, ground in front.facts.items() if ground.get("berlin"))
    if position.chapter == "three_players":
        if all(u.camp == REICH for u in position.stacks.get(berlin, ())):
            return {"german"}
    elif position.chapter in ("historical", "extended") and not first_in_berlin:
        return set()
    best = max(points.values())
    return {side for side in points if points[side] == best} if len({*points.values()}) > 1 else set()
