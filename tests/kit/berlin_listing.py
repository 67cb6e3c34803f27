"""The data of Race for Berlin against a second listing, and against what the data say about each other.

`tests/testdata/berlin/*.txt` was made from the collected sources, the tables below were typed from the
annexes; neither was made from the files of the game. Each function takes the directory of a game and gives
everything that differs, in words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from tests.oracles.berlin_odds import COMBAT, URBAN

LISTING = Path(__file__).parents[1] / "testdata" / "berlin"
AMERICANS = {  # 2.2.1: turns → the track for each die
    range(1, 4): (1, 1, 2, 0, 0, 0),
    range(4, 9): (1, 1, 2, 3, 0, 0),
    range(9, 11): (1, 1, 2, 2, 3, 3),
}
FREEDOM = {1: 3, 2: 3, 3: 3, 4: 3, 5: 2, 6: 1, 7: 0, 8: 0, 9: 0, 10: 0}  # 7.2.2: more than this is free
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the one in C when there is one
EDGES = ("east", "north", "south", "west")


def read(game: Path, name: str) -> Any:
    return yaml.load((game / name).read_text(encoding="utf-8"), LOADER)


def listed(name: str) -> list[str]:
    lines = (LISTING / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if not line.startswith("#")]


# ---- the game's files in the form of the listing
def border_lines(game: Path) -> list[str]:
    found = []
    for border in read(game, "map.yaml")["borders"]:
        words = sorted(border["between"])
        if border.get("river"):
            words.append("river:" + border["river_name"].replace(" ", "_"))
        words += ["road"] if border.get("road") else []
        words += [f"trench:{border['trench_towards']}"] if border.get("trench_towards") else []
        words += ["front"] if border.get("front_line") else []
        waived = border.get("river_waived_towards")
        words += [f"waived:{waived}"] if waived else []
        words += ["nexus"] if border.get("nexus") and border.get("berlin_nexus") else []
        found.append(" ".join(words))
    return found


def zone_lines(game: Path) -> list[str]:
    supplies = {"german": "german_supply"} | {
        f"soviet_{c}": f"soviet_supply_{c}" for c in ("zhukov", "konev")
    }
    found = []
    for zone in read(game, "map.yaml")["spaces"]["zone"]:
        words = [zone["id"], zone["terrain"], str(zone["index"]), zone["front"]]
        words += [f"points:{zone['victory_points']}"] if zone.get("victory_points") else []
        words += [f"garrison:{zone['garrison']}"] if zone.get("garrison") else []
        words += ["berlin"] if zone.get("berlin") else []
        words += ["trench"] if zone.get("trench") else []
        words += ["east"] if zone.get("east_of_oder") else []
        words += ["unlimited"] if zone.get("unlimited_soviet_stacking") else []
        words += [f"supply:{side}" for side, flag in supplies.items() if zone.get(flag)]
        words += [f"edge:{edge}" for edge in EDGES if zone.get(f"{edge}_edge")]
        words += [f"track_{n}:{zone[f'track_{n}']}" for n in (1, 2, 3) if zone.get(f"track_{n}")]
        found.append(" ".join(words))
    return found


def counter_lines(game: Path) -> list[str]:
    setup = read(game, "scenarios/campaign.yaml")["setup"]
    start = {name: place for place, names in setup.items() for name in names}
    found = []
    for unit in read(game, "pieces.yaml")["pieces"]["unit"]:
        assert start[unit["id"]] == unit["start"], unit["id"]
        faces = "/".join(str(face["strength"]) for face in unit["faces"])
        army, entry = unit.get("army") or "-", unit.get("entry") or "-"
        words = [unit["label"].replace(" ", "_"), unit["side"], unit["camp"], army, unit["kind"], faces]
        found.append(" ".join([*words, str(unit["movement"]), unit["start"], entry]))
    return found


# ---- what differs
def transcription_problems(game: Path) -> Iterator[str]:
    """Against the second listing and the typed annexes."""
    for name, lines in (("borders", border_lines), ("zones", zone_lines), ("counters", counter_lines)):
        ours, theirs = Counter(lines(game)), Counter(listed(name))
        yield from (f"{name}: not in the listing: {line}" for line in ours - theirs)
        yield from (f"{name}: only in the listing: {line}" for line in theirs - ours)
    yield from table_problems(game)


def table_problems(game: Path) -> Iterator[str]:
    for die, row in read(game, "tables/combat.yaml")["cells"].items():
        if row != COMBAT[int(die)].split():
            yield f"combat, die {die}: {row}"
    typed = {n: _urban_text(*steps) for n, steps in URBAN.items()}
    urban = {die.strip("<=+"): text for die, text in read(game, "tables/urban.yaml")["cells"].items()}
    if urban != {str(n): text for n, text in typed.items()}:
        yield f"urban: {urban}"
    advance = {
        (turn, die): track
        for turns, page in read(game, "tables/american_advance.yaml")["cells"].items()
        for turn in _numbers(turns)
        for dice, track in page.items()
        for die in _numbers(dice)
    }
    if advance != {(turn, die): row[die - 1] for turns, row in AMERICANS.items() for turn in turns
                   for die in range(1, 7)}:  # fmt: skip
        yield f"american_advance: {advance}"
    freedom = read(game, "tables/freedom_of_movement.yaml")["cells"].items()
    if {turn: value for turns, value in freedom for turn in _numbers(turns)} != FREEDOM:
        yield f"freedom_of_movement: {dict(freedom)}"


def _urban_text(level: int, attacker: int, defender: int) -> str:
    losses = "".join(f"{sign}{steps}" for sign, steps in (("A", attacker), ("D", defender)) if steps)
    return " ".join(part for part in (f"+/-{level}" if level else "", losses) if part)


def _numbers(label: str) -> range:
    first, _, last = label.rstrip("+").partition("-")
    return range(int(first), (10 if label.endswith("+") else int(last or first)) + 1)


def consistency_problems(game: Path) -> Iterator[str]:
    """What the data must say about each other, whatever the values are."""
    plan = read(game, "map.yaml")
    zones = {zone["id"]: zone for zone in plan["spaces"]["zone"]}
    near: dict[str, set[str]] = {name: set() for name in zones}
    for border in plan["borders"]:
        one, two = (zones[name] for name in border["between"])
        pair, towards = f"{one['id']}/{two['id']}", border.get("trench_towards")
        if not border.get("nexus"):
            near[one["id"]].add(two["id"])
            near[two["id"]].add(one["id"])
        if bool(border.get("oder_neisse")) != (
            bool(one.get("east_of_oder")) != bool(two.get("east_of_oder"))
        ):
            yield f"{pair}: the Oder-Neisse separates the zones in the east from the rest"
        if border.get("oder_neisse") and not border.get("river"):
            yield f"{pair}: the Oder and the Neisse are rivers"
        if bool(border.get("front_line")) != ({one["front"], two["front"]} == {"zhukov", "konev"}):
            yield f"{pair}: the line between the fronts separates the fronts"
        if bool(border.get("river")) != bool(border.get("river_name")):
            yield f"{pair}: a river and its name go together"
        if bool(border.get("road")) != bool(border.get("road_name")):
            yield f"{pair}: a main road and its name go together"
        if towards and not (towards in border["between"] and zones[towards].get("trench")):
            yield f"{pair}: the trenches defend {towards}"
    for name, zone in zones.items():
        if len(near[name]) < 2:
            yield f"{name} has fewer than two neighbours"
        if zone.get("trench") and not any(b.get("trench_towards") == name for b in plan["borders"]):
            yield f"{name} has trenches on none of its borders"
        for track in ("track_1", "track_2", "track_3"):
            place = zone.get(track, 0)
            if place > 1 and not any(zones[n].get(track) == place - 1 for n in near[name]):
                yield f"{name} is not next to the zone before it on {track}"
    yield from _counters(game)


def _counters(game: Path) -> Iterator[str]:
    armies: dict[str, set[str]] = {}
    for unit in read(game, "pieces.yaml")["pieces"]["unit"]:
        full, reduced = (face["strength"] for face in unit["faces"])
        if not 0 < reduced < full:
            yield f"{unit['id']}: a reduced unit is weaker"
        if "estimated" in unit["sources"]["strength"] and reduced != (full + 1) // 2:
            yield f"{unit['id']}: an estimated reduced side is half of the full one, rounded up"
        if unit.get("army"):
            armies.setdefault(unit["army"], set()).add(f"{unit['kind']} {full}/{reduced} {unit['movement']}")
    for army, kinds in armies.items():
        if len(kinds) > 1:
            yield f"the counters of army {army} differ: {sorted(kinds)}"
