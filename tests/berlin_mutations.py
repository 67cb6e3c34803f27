"""How many of 200 random single changes to the data of Race for Berlin does some test notice?

    python tests/berlin_mutations.py [--changes 200] [--seed 1] [--examples]

A change is one cell of a table, one border (gone, led elsewhere, or with another river, road or trench
line), or one strength. It is noticed by the checker, by the second listing, or by what the data say about
each other. With `--examples` the game's own examples are run as well and the figure without the second
listing is told, too; that takes some seconds for each change.
"""

from __future__ import annotations

import argparse
import random
import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[1])]

from interpreter.measuring.examples import run_examples
from interpreter.playing.game import open_game
from rulesdsl.base.diagnostics import RulebookError
from rulesdsl.base.resources import data_dir
from tests.kit.berlin_listing import consistency_problems, transcription_problems

RESULTS = ("A1", "A2", "A3", "A1D1", "A2D1", "A1D1R", "D1", "R", "D1R", "D2R", "D3R")
URBAN_RESULTS = ("A1", "", "+/-1 A1", "+/-1 A1D1", "+/-1 D1", "+/-2 A1D1", "+/-2 D1", "+/-3 D1")


def changed_game(game: Path, copy: Path, kind: str, rng: random.Random) -> str:
    """Copy a game with one change of this kind; says which."""
    shutil.copytree(game, copy)
    return KINDS[kind](copy, rng)


def change_line(path: Path, number: int, new: str | None) -> str:
    lines = path.read_text(encoding="utf-8").split("\n")
    old = lines[number]
    assert new != old
    lines[number : number + 1] = [] if new is None else [new]
    path.write_text("\n".join(lines), encoding="utf-8")
    return f"{path.name}: {old.strip()[:70]} → {'gone' if new is None else new.strip()[:70]}"


def lines_with(path: Path, pattern: str) -> list[tuple[int, str]]:
    lines = path.read_text(encoding="utf-8").split("\n")
    return [(n, line) for n, line in enumerate(lines) if re.search(pattern, line)]


def another(rng: random.Random, values: Sequence[str], old: str) -> str:
    return rng.choice([value for value in values if value != old])


# ---- the kinds of change
def change_cell(game: Path, rng: random.Random) -> str:
    name = rng.choice(["combat"] * 6 + ["urban"] * 2 + ["american_advance"] * 2 + ["freedom_of_movement"])
    path = game / "tables" / f"{name}.yaml"
    if name == "combat":
        number, line = rng.choice(lines_with(path, r'^  "\d": \['))
        cells = list(re.finditer(r"[ADR][ADR\d]*", line))
        cell = rng.choice(cells)
        new = another(rng, RESULTS, cell.group())
        return change_line(path, number, line[: cell.start()] + new + line[cell.end() :])
    if name == "urban":
        number, line = rng.choice(lines_with(path, r'^  "[<=\d+]+": "'))
        label, _, text = line.partition(": ")
        return change_line(path, number, f'{label}: "{another(rng, URBAN_RESULTS, text[1:-1])}"')
    number, line = rng.choice(lines_with(path, r'"[\d+-]+": \d'))
    cell = rng.choice(list(re.finditer(r'(?<=": )\d', line)))
    new = another(rng, "0123", cell.group())
    return change_line(path, number, line[: cell.start()] + new + line[cell.end() :])


def change_border(game: Path, rng: random.Random) -> str:
    path = game / "map.yaml"
    number, line = rng.choice(lines_with(path, r"^  - \{between: "))
    how = rng.choice(["gone", "elsewhere", "river", "road", "trench"])
    found = re.search(r"between: \[(\w+), (\w+)\]", line)
    assert found is not None
    one, two = found.groups()
    if how == "gone":
        return change_line(path, number, None)
    if how == "elsewhere":
        zones = [re.findall(r"id: (\w+)", text)[0] for _, text in lines_with(path, r"^    - \{id: .*terrain")]
        borders = path.read_text(encoding="utf-8")
        free = [
            z for z in zones if z != one and f"[{one}, {z}]" not in borders and f"[{z}, {one}]" not in borders
        ]
        return change_line(path, number, line.replace(f"[{one}, {two}]", f"[{one}, {rng.choice(free)}]"))
    if how == "trench":
        gone = re.sub(r", trench_(towards|line): [^,}]+", "", line)
        put = line.replace("]", f"], trench_towards: {two}, trench_line: somewhere", 1)
        return change_line(path, number, gone if gone != line else put)
    gone = re.sub(rf", {how}(_name)?: [^,}}]+", "", line)
    put = line.replace("]", f"], {how}: true, {how}_name: Somewhere", 1)
    return change_line(path, number, gone if gone != line else put)


def change_strength(game: Path, rng: random.Random) -> str:
    path = game / "pieces.yaml"
    number, line = rng.choice(lines_with(path, r"faces: \["))
    value = rng.choice(list(re.finditer(r"(?<=\{strength: )\d+", line)))
    old = int(value.group())
    new = rng.choice([n for n in range(max(1, old - 4), old + 5) if n != old])
    return change_line(path, number, line[: value.start()] + str(new) + line[value.end() :])


KINDS: dict[str, Callable[[Path, random.Random], str]] = {
    "cell": change_cell,
    "border": change_border,
    "strength": change_strength,
}


# ---- who notices
def noticed_by(game: Path, examples: bool) -> set[str]:
    found = set()
    if any(transcription_problems(game)):
        found.add("listing")
    if any(consistency_problems(game)):
        found.add("consistency")
    if not examples and found:
        return found
    try:
        opened = open_game(game)
        if examples and any(not result.passed for result in run_examples(opened)):
            found.add("examples")
    except RulebookError:
        found.add("check")
    return found


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--changes", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--examples", action="store_true")
    given = parser.parse_args(arguments)
    rng, counts, missed = random.Random(given.seed), Counter[str](), 0
    for number in range(1, given.changes + 1):
        with tempfile.TemporaryDirectory() as place:
            game = Path(place) / "race_for_berlin"
            kind = rng.choice(list(KINDS))
            what = changed_game(data_dir("games") / "race_for_berlin", game, kind, rng)
            found = noticed_by(game, given.examples)
        counts.update([*found, "noticed"] if found else ["missed"])
        counts["without the listing"] += bool(found - {"listing"})
        missed += not found
        if not found or (given.examples and found == {"listing"}):
            print(
                f"{number:4} {kind}: {'missed' if not found else 'by the listing alone'}: {what}", flush=True
            )
        if not number % 20:
            print(f"{number}/{given.changes}", file=sys.stderr, flush=True)
    print(
        f"{given.changes} changes, seed {given.seed}: "
        + ", ".join(f"{k} {v}" for k, v in sorted(counts.items()))
    )
    return 0 if missed * 10 <= given.changes else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
