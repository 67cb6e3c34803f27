"""Combat of Race for Berlin by hand: strengths, odds, the table, and who loses steps."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.baselines.berlin_map import GERMAN, SOVIET
from benchmarks.baselines.berlin_position import NOWHERE, Position, members

# of a combat: strength of the attack and of the defence, losses of both, whether the defenders retreat
Result = tuple[int, int, int, int, bool]


class Fighting(Position):
    """A position in which units attack."""

    def combat(self, attackers: int, target: int, die: int) -> Result:
        """What an attack by land does, before anybody takes a loss."""
        board, units = self.map, self.units
        first = members(attackers)
        side = units.side[first[0]]
        defenders = self.inside[target] & units.of_side[1 - side] & ~self.guest
        terrain = board.terrain[target]
        rivers = board.river_for_soviets[target] if side == SOVIET else board.river[target]
        attack = bases = 0
        whole = False
        for unit in first:
            strength = units.strengths[unit][self.face[unit]]
            base = self.at[unit]
            bases |= 1 << base
            if side == GERMAN and self.surprising >> units.camp[unit] & 1:
                strength *= 2
            if rivers >> base & 1 and not self.fords >> unit & 1:
                strength = strength >> 1 or 1
            if self.out_of_supply >> unit & 1:
                strength = strength >> 1 or 1
            attack += strength
            army = units.army[unit]
            if not army & ~attackers and army & (army - 1):
                whole = True
        defence = 0
        for unit in members(defenders):
            strength = units.strengths[unit][self.face[unit]]
            if terrain == "difficult":
                strength *= 2
            if self.out_of_supply >> unit & 1:
                strength = strength >> 1 or 1
            defence += strength
        total = die + whole + (bases & (bases - 1) != 0) - (terrain == "woods")
        if attackers & units.armour:
            if terrain == "difficult":
                total -= 1
            elif terrain == "plain" and not defenders & units.armour:
                total += 2
        if side == SOVIET and board.trench[target] & bases:
            total -= 1
        if attackers & self.driven:
            total += 2
        if defence <= 0:
            column = 5
        elif attack >= defence:
            column = min(attack // defence, 4) + 1
        else:
            column = max(3 + -defence // attack, 0)
        lost, taken, retreat = self.table[min(max(total, 1), 6) - 1][column]
        return attack, defence, lost, taken, retreat

    def resolve(self, attackers: int, target: int, die: int, decide: Callable[[int, int], int]) -> Result:
        """An attack by land with its losses; who retreats does so afterwards."""
        units = self.units
        first = (attackers & -attackers).bit_length() - 1
        defenders = self.inside[target] & units.of_side[1 - units.side[first]] & ~self.guest
        result = self.combat(attackers, target, die)
        self._lose(attackers, result[2], units.camp[first], decide)
        self._lose(defenders, result[3], 1 - units.camp[first], decide)
        return result

    def _lose(self, losers: int, amount: int, owner: int, decide: Callable[[int, int], int]) -> None:
        """Everybody loses a step before anybody loses two; the camps take turns."""
        fresh = losers
        for _ in range(amount):
            if not fresh:
                fresh = losers
                if not fresh:
                    return
            own = fresh & self.units.of_camp[owner]
            if not own:
                owner = 1 - owner
                own = fresh
            choice = members(own)
            victim = choice[decide(owner, len(choice))]
            fresh ^= 1 << victim
            if self.face[victim] == 0:
                self.face[victim] = 1
            else:
                self.place(victim, NOWHERE)
                self.guest &= ~(1 << victim)
                losers ^= 1 << victim
            owner = 1 - owner
