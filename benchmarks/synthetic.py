"""Games made by a program, to see how costs grow: twice the map, twice the units, twice the rules.

A small wargame on zones: units march by a route with costs and closed zones, stand in stacks, fight
by a table of odds, and are out of supply when no line leads to their edge. `idle` adds rules that never
apply, ten to a paragraph: about swamps, which the map does not have and the compiler can know of, and about
mines, heat and frost, which only the state can tell never come.
"""

from __future__ import annotations

from pathlib import Path

_RULES = """# Synthetic

## 1 Components

```rules
space zone
    printed column: number
    printed rough: flag
    printed swamp: flag
    owner: player or none
    mined: flag
    heat: number

piece unit
    printed side: player
    printed power: number
    moved: flag
    cut: flag
    frozen: flag

track turn: 1 to 6 = 1
```

## 2 Sequence

```rules
phase game
    repeat at most 6 times:
        do turn_of(red)
        do turn_of(blue)
        add 1 to turn
        if turn > 6:
            mark units as frozen
            mark zones as mined
            for each zone: add 9 to zone.heat
    end game: drawn "time is up"

phase turn_of(player)
    unmark units as cut
    mark (units where on_board(it) and it.side is player and no zone among lifeline(it)) as cut
    repeat at most {moves} times:
        player chooses a unit where it.side is player for activate(unit, player)
                or "enough" "which unit":
            mark unit as moved until end of turn_of
            player chooses a zone among march(unit) "where to":
                move unit to zone
                set zone.owner to player
                do fight_beside(unit)
        otherwise: leave

define on_board(unit) = unit.at is not none
action activate(unit, player) "activate {{unit}}"
forbid activate when not on_board(unit) "lost"
forbid activate when unit is moved "moved already"
forbid activate when unit is cut "out of supply"
```

## 3 Marching

```rules
route march(unit)
    from unit.at
    cost price(unit, zone)
    budget 3

quantity price(unit, zone) = 1
    +1 when zone is rough "rough ground"
forbid march into zone when some unit in zone where it.side is not unit.side "enemies"
forbid march ending in zone when number of units in zone where it.side is unit.side >= 2 "full"
stop march in zone when some unit adjacent to zone where it.side is not unit.side

route lifeline(unit)
    from unit.at
    through zones where open_to(zone, unit)
    ending in zones where open_to(zone, unit) and home(zone, unit)
define open_to(zone, unit) = no unit in zone where it.side is not unit.side
define home(zone, unit) = zone.column = 1 when unit.side is red
    = zone.column = {columns} otherwise
```

## 4 Fighting

```rules
quantity strength(unit) = unit.power
    /2 rounded up when unit is cut "out of supply"
    +1 when unit.at is rough "rough ground"

procedure fight_beside(unit)
    unit.side chooses a unit as enemy where it.side is not unit.side
            and it.at is adjacent to unit.at
            or "no fight" "whom to fight":
        roll 1d6 as die
        if die + strength(unit) > 4 + strength(enemy): remove enemy
        otherwise if die = 1: remove unit
```
"""

_IDLE = """
## {number} Idle

```rules
forbid activate when unit is frozen and turn = {value} "ice {number}"
forbid march into zone when zone is swamp and turn > {value} "swamp {number}"
forbid march into zone when zone is mined and turn > {value} "mines {number}"
forbid march into zone when zone.heat > {value} and unit is frozen "heat {number}"
forbid march ending in zone when zone is mined and unit is frozen "frost {number}"
stop march in zone when zone is mined and turn = {value}
modify strength(unit)
    +1 when unit.at is swamp and turn < {value} "swamp {number}"
    +1 when unit.at.heat > {value} "heat {number}"
modify price(unit, zone)
    +1 when zone is mined and turn > {value} "mines {number}"
after unit enters zone when zone.heat > {value}: mark unit as frozen
```
"""


def write_game(directory: Path, columns: int, rows: int, units: int, idle: int = 0) -> Path:
    """A game with columns × rows zones, so many units on each side and so many idle paragraphs."""
    home = directory / "synthetic"
    (home / "rules").mkdir(parents=True)
    (home / "game.yaml").write_text(
        "game: synthetic\ntitle: Synthetic\nplayers:\n"
        '  - {id: red, name: Red, colour: "#b22222"}\n  - {id: blue, name: Blue, colour: "#1f4e79"}\n'
    )
    places = [(column, row) for row in range(1, rows + 1) for column in range(1, columns + 1)]
    zones = [
        f"    - {{id: z{column}_{row}, name: Zone {column}/{row}, x: {column}, y: {row}, column: {column}"
        f"{', rough: true' if (column * 7 + row * 3) % 5 == 0 else ''}}}\n"
        for column, row in places
    ]
    borders = [
        f"  - {{between: [z{column}_{row}, z{column + east}_{row + north}]}}\n"
        for column, row in places
        for east, north in ((1, 0), (0, 1), (1, 1))
        if (column + east, row + north) in places
    ]
    (home / "map.yaml").write_text(
        "kind: areas\nspaces:\n  zone:\n" + "".join([*zones, "borders:\n", *borders])
    )
    lines = ["pieces:\n  unit:\n"]
    for number in range(units):
        row, layer = number % rows + 1, number // rows
        for side, column in (("red", 1 + layer), ("blue", columns - layer)):
            lines.append(
                f"    - {{id: {side}_{number}, name: {side} {number}, side: {side}, power: {1 + number % 4}, "
                f"start: z{column}_{row}}}\n"
            )
    (home / "pieces.yaml").write_text("".join(lines))
    rules = _RULES.format(moves=4, columns=columns)
    rules += "".join(_IDLE.format(number=number + 5, value=number % 6 + 1) for number in range(idle))
    (home / "rules" / "01_rules.md").write_text(rules)
    return home
