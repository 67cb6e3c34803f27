"""Fortress Berlin once more, by hand: who commands whom, and whom the want of it slows (3.5.1 to 3.5.4)."""

from __future__ import annotations

from tests.oracles.fortress import Position, Unit, distance

IRREGULARS = ("volkssturm", "youth", "plant_protection")


class Command:
    """The chain of command in a position. Only units on the map have a place in it."""

    def __init__(self, position: Position, with_staff: set[str]) -> None:
        self.position = position
        self.with_staff = with_staff  # the divisions that have a headquarters among the counters
        self.staffs = [u for u in position.units.values() if u.word("kind") == "headquarters"]

    def reaches(self, staff: Unit, name: str) -> bool:
        return bool(staff.facts.get("whole_map")) or distance(staff.at, name) <= staff.number("radius")

    def in_touch(self, staff: Unit) -> bool:
        if staff.side == "soviet" or staff.facts.get("higher_staff"):
            return True
        superior = self.position.units.get(staff.word("superior"))
        return superior is not None and self.reaches(superior, staff.at)

    def directly(self, unit: Unit) -> bool:
        staff = self.position.units.get(unit.directed_by)
        return staff is not None and self.reaches(staff, unit.at)

    def commands(self, staff: Unit, unit: Unit) -> bool:
        if not staff.facts.get("higher_staff"):
            return self.in_touch(staff)
        if unit.word("kind") in IRREGULARS or unit.word("branch") == "militia":
            return True
        return unit.word("superior") == staff.name and not unit.formation

    def commanded(self, unit: Unit) -> bool:
        near = (s for s in self.staffs if s.side == unit.side and self.reaches(s, unit.at))
        return self.directly(unit) or any(self.commands(staff, unit) for staff in near)

    def halved(self, unit: Unit) -> bool:
        if unit.side == "soviet" or unit.formation not in self.with_staff or self.directly(unit):
            return False
        if unit.word("kind") == "headquarters":
            return not self.in_touch(unit)
        return not any(s.formation == unit.formation and self.in_touch(s) for s in self.staffs)
