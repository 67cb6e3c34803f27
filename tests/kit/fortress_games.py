"""Games of Fortress Berlin, position by position before a second version of its rules.

Everything is compared in every position: zones of control, command, the steps of some units in movement and
retreat, the sums of some combats and what the dice make of them, works, and the points of both sides.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import cache
from typing import Any

from interpreter.compiling.ruleset import Ruleset
from interpreter.playing.game import Game, open_game
from interpreter.running.machine import Machine
from tests.kit.driven_games import digest, driven, marked, members
from tests.oracles.fortress import City, Position, Unit
from tests.oracles.fortress_combat import Fight, Referee, Tables
from tests.oracles.fortress_command import Command
from tests.oracles.fortress_count import Count
from tests.oracles.fortress_retreat import ways_back, ways_off

NAME = "fortress_berlin"
SEATS = ("germans", "soviets")


@cache
def fortress() -> Game:
    return open_game(NAME)


@cache
def city() -> City:
    return City(fortress().source)


@cache
def tables() -> Tables:
    return Tables(fortress().source.directory / "tables")


@cache
def gates() -> dict[str, str]:
    """The hex with the letter of each entry area."""
    found = fortress().source.map
    assert found is not None
    areas = [s for s in found.spaces.values() if s.kind == "area" and s.attributes.get("letter_hex")]
    return {area.id: str(area.attributes["letter_hex"]) for area in areas}


@cache
def divisions_with_staff() -> set[str]:
    units = [p for p in fortress().source.pieces.values() if p.kind == "unit"]
    return {str(p.attributes.get("formation") or "") for p in units if p.attributes["kind"] == "headquarters"}


@cache
def unit_facts() -> dict[str, Mapping[str, object]]:
    pieces = fortress().source.pieces.items()
    return {name: piece.on_face(1) for name, piece in pieces if piece.kind == "unit"}


class Reader:
    """A state as counters on a map."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset, self.world, self.layout = ruleset, ruleset.program.world, ruleset.layout
        self.spaces, self.pieces = self.world.universes["space"].ids, self.world.universes["piece"].ids
        self.units = [i for i, n in enumerate(self.pieces) if fortress().source.pieces[n].kind == "unit"]

    def marked(self, s: list[Any], universe: str, name: str) -> set[str]:
        return marked(self.ruleset, s, universe, name)

    def track(self, s: list[Any], name: str) -> int:
        return int(s[self.layout.tracks[name]])

    def facts(self) -> dict[str, Mapping[str, object]]:
        return unit_facts()

    def place(self, s: list[Any], piece: int) -> str:
        at = s[self.layout.arrays["piece", "at"].base + piece]
        return self.spaces[at] if at >= 0 else ""

    def places(self, s: list[Any]) -> dict[str, str]:
        return {name: self.place(s, i) for i, name in enumerate(self.pieces)}

    def position(self, s: list[Any]) -> Position:
        face, facing, disorder, staff = (
            self.layout.arrays["piece", name].base for name in ("face", "facing", "disorder", "directed_by")
        )
        units = {}
        for i in self.units:
            name, place = self.pieces[i], self.place(s, i)
            if not place.isdigit():
                continue
            facts = fortress().source.pieces[name].on_face(s[face + i])
            units[name] = Unit(
                name, str(facts["side"]), str(facts.get("formation") or ""), bool(facts.get("mobile_corps")),
                place, s[face + i], self.world.enums["direction"].values[s[facing + i]], s[disorder + i] >= 0,
                int(str(facts["allowance"])), facts, self.pieces[s[staff + i]] if s[staff + i] >= 0 else "",
            )  # fmt: skip
        return Position(
            units, self.marked(s, "space", "ruined"), self.marked(s, "space", "silenced"),
            self.marked(s, "space", "captured"), bool(self.track(s, "ss_has_fought")), self.track(s, "turn"),
        )  # fmt: skip


class Comparison:
    """The generated rules and the second version, side by side. `differences` must stay empty."""

    def __init__(self, ruleset: Ruleset, rng: random.Random) -> None:
        self.ruleset, self.reader, self.rng = ruleset, Reader(ruleset), rng
        self.differences: list[str] = []
        self.compared: dict[str, int] = {}
        self.seen: set[bytes] = set()  # positions
        self.spaces = self.reader.spaces
        self.functions: dict[tuple[str, str], Any] = {}
        self.index = self.reader.world.universes["piece"].index
        self.hexes = self.reader.world.universes["space"].index

    def rule(self, role: str, name: str, *given: Any) -> Any:
        function = self.functions.get((role, name))
        if function is None:
            function = self.functions[role, name] = self.ruleset.fast.function(role, name)
        return self.ruleset.fast.ask(function, *given)

    def same(self, what: str, rules: object, referee: object, where: object = "") -> None:
        self.compared[what] = self.compared.get(what, 0) + 1
        if rules != referee:
            self.differences.append(f"{what} {where}: {rules} by the rules, {referee} by the referee")

    def look_at(self, machine: Machine) -> None:
        if (known := digest(machine.s)) in self.seen:
            return
        self.seen.add(known)
        s, position = machine.s, self.reader.position(machine.s)
        self.zones(s, position)
        self.command(s, position)
        self.works(s, position)
        units = sorted(position.units.values(), key=lambda unit: unit.name)
        for unit in self.rng.sample(units, min(2, len(units))):
            self.march(s, position, unit)
            self.retreat(s, position, unit)
        for _ in range(2):
            fight = self.some_fight(position, units)
            if fight is not None:
                self.fight(machine, position, fight)

    def zones(self, s: list[Any], position: Position) -> None:
        near = sorted({h for unit in position.units.values() for h in city().around(unit.at)})
        sides = self.reader.world.enums["side"].values
        for side, other in (("german", "soviet"), ("soviet", "german")):
            zone = city().zone(position, side)
            number = sides.index(other)
            found = {h for h in near if self.rule("d", "in_enemy_zoc", s, self.hexes[h], number)}
            self.same("zone of control", found, zone, side)

    def command(self, s: list[Any], position: Position) -> None:
        command = Command(position, divisions_with_staff())
        units = sorted(position.units.values(), key=lambda unit: unit.name)
        for unit in self.rng.sample(units, min(25, len(units))):
            number = self.index[unit.name]
            self.same(
                "command", bool(self.rule("d", "commanded", s, number)), command.commanded(unit), unit.name
            )
            allowance = unit.allowance / 2 if command.halved(unit) else unit.allowance
            self.same("allowance", self.rule("q", "allowance", s, number), allowance, unit.name)

    def works(self, s: list[Any], position: Position) -> None:
        referee = Referee(city(), position, tables())
        for name in city().works:
            number = self.hexes[name]
            self.same(
                "works", bool(self.rule("d", "works_in", s, number)), bool(referee.fortified(name)), name
            )
            garrison = (
                self.rule("q", "garrison_firepower", s, number),
                self.rule("q", "garrison_morale", s, number),
            )
            self.same("garrison", garrison, referee.garrison(name), name)

    def march(self, s: list[Any], position: Position, unit: Unit) -> None:
        state, number = s[:], self.index[unit.name]
        points = self.rng.choice((unit.allowance, unit.allowance or 4, 2))
        state[self.reader.layout.arrays["piece", "purse"].base + number] = points
        reached = self.rule("r", "march", state, number)
        found = {h for h in members(reached, self.spaces) if h.isdigit()} - {unit.at}
        self.same("march", found, city().march(position, unit, points), unit)

    def retreat(self, s: list[Any], position: Position, unit: Unit) -> None:
        number = self.index[unit.name]
        for steps in (0, 2, 3):
            back = self.rule("d", "ways_back", s, number, steps)
            found = members(back, self.spaces)
            self.same("retreat", found, ways_back(city(), position, unit, steps), (unit, steps))
            off = self.rule("d", "ways_off", s, number, steps)
            areas = members(off, self.spaces)
            self.same("off the map", areas, ways_off(city(), position, unit, steps, gates()), (unit, steps))

    # ---- combat
    def some_fight(self, position: Position, units: list[Unit]) -> Fight | None:
        """Any combat that the counters on the map make possible to reckon, whoever may begin it now."""
        if not units:
            return None
        beside = {
            side: {h for u in units if u.side == side for h in city().around(u.at)}
            for side in ("german", "soviet")
        }
        contact = [u for u in units if u.at in beside["german" if u.side == "soviet" else "soviet"]]
        target = self.rng.choice(contact or units)
        side = "german" if target.side == "soviet" else "soviet"
        kind = self.rng.choice(
            ("close_assault", "close_assault", "direct_fire", "bombardment", "mixed_bombardment")
        )
        near = [u for h in city().around(target.at) for u in position.of(side, h)]
        reach = near + [
            u for h in city().around(target.at) for m in city().around(h) for u in position.of(side, m)
        ]
        force = _once(near if kind == "close_assault" else reach if kind != "bombardment" else [])
        if not force and kind != "bombardment":
            return None
        attackers = tuple(self.rng.sample(force, self.rng.randint(1, min(3, len(force))))) if force else ()
        defenders = (target,) if kind == "direct_fire" else tuple(position.of(target.side, target.at))
        if kind == "close_assault" and side == "soviet" and self.rng.random() < 0.2:
            bare = [
                h
                for h in city().around(attackers[0].at)
                if city().held(position, h) and not position.stacks.get(h)
            ]
            if bare:
                return Fight(kind, attackers[:1], (), self.rng.choice(bare), side)
        off_map = self.rng.choice((0, 18, 20, 36)) if "bombardment" in kind else 0
        support = (
            (self.rng.choice((0, 0, 2)), self.rng.choice((0, 0, 2))) if kind == "close_assault" else (0, 0)
        )
        return Fight(kind, attackers, defenders, target.at, side, off_map, support)

    def fight(self, machine: Machine, position: Position, fight: Fight) -> None:
        state, enums = machine.s[:], self.reader.world.enums
        values: Mapping[str, int] = {
            "attack": enums["attack_kind"].values.index(fight.kind),
            "striker": self.reader.world.universes["player"].index[SEATS[fight.side == "soviet"]],
            "attacking": enums["side"].values.index(fight.side),
            "attackers": sum(1 << self.index[u.name] for u in fight.attackers),
            "defenders": sum(1 << self.index[u.name] for u in fight.defenders),
            "field": self.hexes[fight.field], "off_map_fire": fight.off_map,
            "attack_support": fight.support[0], "defence_support": fight.support[1],
        }  # fmt: skip
        for name, value in values.items():
            state[self.reader.layout.fields["combat", name]] = value
        sums = Referee(city(), position, tables()).sums(fight)
        found = [
            self.rule("q", f"combat.{name}", state)
            for name in ("strength", "resistance", "protection", "dice_modifier")
        ]
        self.same("sums", found, [sums.strength, sums.resistance, sums.protection, sums.dice], fight)
        self.same("column", self.rule("d", "crt_column", state), sums.column, fight)
        letter = enums["letter"].values[self.rule("q", "combat.letter", state)]
        self.same("letter", letter, sums.letter, fight)
        if sums.column > 0 and fight.kind != "mixed_bombardment":
            self.result(machine, state, fight, sums.letter, sums.dice)

    def result(self, machine: Machine, state: list[Any], fight: Fight, letter: str, change: int) -> None:
        """Roll, let everybody decide at random, and see whether the result has been carried out."""
        dice = self.rng.randint(2, 12)
        copy = Machine(machine.code, state[:], "referee")
        copy.begin("apply_result", [dice])
        while copy.pending is not None:
            copy.choose(copy.pending.at_random(self.rng))
        if copy.outcome is not None and copy.outcome[3]:
            return  # Hitler or the Reichstag has fallen
        text = tables().result(letter, dice + change)
        self.same("result", self.aftermath(state, copy.s, fight, text), [], (fight, text))

    def aftermath(self, before: list[Any], after: list[Any], fight: Fight, text: str) -> list[str]:
        """What is otherwise than the result of the table wants it."""
        then, now = self.reader.places(before), self.reader.places(after)
        lost = [u for u in fight.defenders if now[u.name] == "eliminated"]
        left = [u for u in fight.defenders if now[u.name] not in ("eliminated", u.at)]
        shaken = self.reader.layout.arrays["piece", "disorder"].base
        stirred = [
            u
            for u in fight.defenders
            if after[shaken + self.index[u.name]] != before[shaken + self.index[u.name]]
        ]
        plain, wrong = text.replace("*", ""), []
        number = int(plain[1]) if plain.startswith("L") else 0
        holding = bool(Referee(city(), self.reader.position(before), tables()).fortified(fight.field))
        if plain == "" and (lost or left or stirred):
            wrong.append("something happened to the defenders")
        if plain == "E" and len(lost) != len(fight.defenders):
            wrong.append("somebody was not eliminated")
        if plain == "EX" and len(lost) != min(1, len(fight.defenders)):
            wrong.append("not one defender was exchanged")
        if number and len(lost) < min(number, len(fight.defenders)):
            wrong.append("too few defenders were eliminated")
        if plain == "D":
            wrong += [
                f"{u.name} was not disorganised"
                for u in fight.defenders
                if u not in lost and u not in stirred
            ]
            weak = [u for u in lost if not u.disorganised and u.word("kind") != "plant_protection"]
            wrong += [f"{u.name} should not be lost" for u in weak]
        if plain == "R" or number:
            may_stay = plain == "R" and holding and fight.kind != "close_assault"
            stays = [u for u in fight.defenders if u not in lost and u not in left]
            wrong += [f"{u.name} has not retreated" for u in stays if not may_stay]
        ruined = fight.field in self.reader.marked(after, "space", "ruined") - self.reader.marked(
            before, "space", "ruined"
        )
        built_up = city().hexes[fight.field]["terrain"] == "built_up"
        if ruined and not ("*" in text and built_up and fight.kind != "close_assault"):
            wrong.append("ruins out of nothing")
        silent = fight.field in self.reader.marked(after, "space", "silenced")
        if (
            not fight.defenders
            and city().held(self.reader.position(before), fight.field)
            and silent != bool(plain)
        ):
            wrong.append("the garrison")
        if "*" in text and fight.kind == "close_assault":
            bases = {u.at for u in fight.attackers}
            if not any(self.all_shaken(before, after, base, fight.side) for base in bases):
                wrong.append("no stack of the attacker is disorganised")
        fallen = [i for i, n in enumerate(self.reader.pieces) if now[n] == "eliminated" != then[n]]
        points = self.reader.track(after, "german_points") - self.reader.track(before, "german_points")
        points += self.reader.track(after, "soviet_points") - self.reader.track(before, "soviet_points")
        if points != len(fallen):
            wrong.append(f"{points} points for {len(fallen)} units")
        return wrong

    def all_shaken(self, before: list[Any], after: list[Any], base: str, side: str) -> bool:
        disorder = self.reader.layout.arrays["piece", "disorder"].base
        force = self.reader.position(before).of(side, base)
        now = self.reader.places(after)
        return all(now[u.name] == "eliminated" or after[disorder + self.index[u.name]] >= 0 for u in force)


def _once(units: list[Unit]) -> list[Unit]:
    return list({unit.name: unit for unit in units}.values())


def compare(kind: str, game: str, often: float, most: int | None = None) -> Comparison:
    """Compare positions of a game between agents of a kind: a share of its decisions, `most` at most."""
    scenario = fortress().scenario("prepared")
    ruleset = fortress().ruleset({}, scenario)
    comparison, count = Comparison(ruleset, random.Random(game)), Count()
    reader = comparison.reader
    for decision, machine, rng in driven(ruleset, scenario, kind, game):
        if machine.pending is None or len(comparison.seen) == most or len(comparison.differences) > 20:
            break
        looks = rng.random() < often
        if count.new_turn(reader, machine.s) or looks:
            told, counted = count.see(reader.places(machine.s), reader, machine.s)
            comparison.same("points", told, counted, decision)
        if looks:
            comparison.look_at(machine)
    return comparison
