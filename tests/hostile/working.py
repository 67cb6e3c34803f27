"""Rules that work for ages: loops, calls, sets, searches, triggers, thoughts."""

from __future__ import annotations

from tests.hostile import bomb


def chain(first: str, following: str, count: int) -> str:
    lines = [
        following.replace("NEXT", f"link{i}").replace("BEFORE", f"link{i - 1}") for i in range(1, count + 1)
    ]
    return "\n".join([first, *lines])


DOUBLING = chain("define link0 = n + 1", "define NEXT = BEFORE + BEFORE", 40)
SLOW = chain("define link0(cell) = cell.heat + 1", "define NEXT(cell) = sum of BEFORE(it) over cells", 6)

bomb("expdef", "if link40 > 0: add 1 to n", rules=DOUBLING)
bomb(
    "exptruth",
    "if link40: add 1 to n",
    rules=chain("define link0 = n > 9", "define NEXT = BEFORE or BEFORE", 40),
)
bomb("expquantity", "set n to link40", rules=chain(
    "quantity link0 = 1", 'quantity NEXT = BEFORE\n    + BEFORE when n < 9 "again"', 40))  # fmt: skip
bomb("loops_in_sums", "if link6(a1) > 0: add 1 to n", rules=SLOW)
for text in ("decide(", "xecide(", "FUEL[0] = 9", "return 0", "m.fuel"):
    bomb(f"fuel_{len(text)}_{sum(map(ord, text))}", f'repeat at most 1000 times:\n    roll 1d6 as x for "{text}"\n    if link40 > x: add 1 to n',
         rules=DOUBLING)  # fmt: skip
bomb("dear_value", "add 1 to n", rules=DOUBLING + "\nquantity value(player) = link24 + player.points")
bomb("rather_dear_value", "for each unit in the order red chooses: add 1 to unit.worn",
     rules=DOUBLING + "\nquantity value(player) = link14 + player.points", units=30)  # fmt: skip
bomb("dear_score", "add 1 to n", rules=DOUBLING + "\nquantity score(player) = link40")
bomb("dear_note", 'note "{} is dear", link40', rules=DOUBLING)
bomb("dear_permission", "red chooses a cell for enter(cell): add 1 to n", rules=(
    DOUBLING + '\naction enter(cell) "enter {cell}"\nforbid enter when link40 < cell.heat "no"'))  # fmt: skip
bomb("dear_invariant", "add 1 to n", rules=DOUBLING + "\ndefine invariant_slow = link40 > 0")
bomb("dear_visibility", "add 1 to n", declared="track hidden: number = 0 visible to (players where link26 > 0)",
     rules=DOUBLING + "\ndefine peep = hidden > 0\nafter phase game begins when peep: add 1 to n")  # fmt: skip
bomb("dear_trigger", "move u0 to b1", rules=DOUBLING + "\nafter unit enters cell when link40 > 0: add 1 to n")
bomb("trigger_storm", "set n to n + 1\nfor each unit: move unit to b1", units=40, rules=(
    "after unit enters cell when cell is b1: move unit to a1\nafter unit enters cell when cell is a1: move unit to b1"))  # fmt: skip
bomb(
    "nested_loops",
    "for each cell as a:\n    for each cell as b:\n        for each cell as c:\n            add 1 to n",
    columns=60,
    rows=60,
)
bomb("long_loop", "repeat at most 999999999 times:\n    add 1 to n")
bomb(
    "loops_of_loops", "repeat at most 99999 times:\n    repeat at most 99999 times:\n        add 1 to a1.heat"
)
bomb("huge_repeat", "repeat at most n times:\n    mark a1 as lit", start="999999999999999")
bomb("long_game", "add 1 to n", rules=(
    "after phase game begins:\n    repeat at most 99999 times:\n        red chooses a cell: add 1 to cell.heat"))  # fmt: skip
bomb("long_dear_game", "add 1 to n", columns=20, rows=20, rules=(
    chain("define link0 = n + 1", "define NEXT = BEFORE + BEFORE", 12)
    + "\nafter phase game begins:\n    repeat at most 99999 times:\n"
    "        red chooses a cell where it.heat < link12: add 1 to cell.heat"))  # fmt: skip
bomb("block_by_block", "repeat at most 190000 times:\n" + "\n".join(
    f"    if number of cells where it.heat > {i} and it is lit > {i}: add 1 to n" for i in range(20)), columns=8, rows=8)  # fmt: skip
bomb("calls_deep", "do p0", rules="\n".join(
    [*(f"procedure p{i}\n    do p{i + 1}\n    do p{i + 1}" for i in range(60)), "procedure p60\n    add 1 to n"]))  # fmt: skip
bomb("six_steps", "for each unit: set n to number of cells among walk(unit)", columns=40, rows=40, units=30,
     rules="route walk(unit)\n    from unit.at\n    exactly 6 steps", more={})  # fmt: skip
bomb("searches", "if link8 > 0: add 1 to n", columns=40, rows=40, units=40, rules=(
    "route walk(unit)\n    from unit.at\n    cost there.heat + 1\n    budget 30\n"
    "define reach(unit) = number of cells among walk(unit)\n"
    + chain("define link0 = sum of reach(it) over units", "define NEXT = BEFORE + BEFORE", 8)))  # fmt: skip
bomb("preferring", "red chooses a cell preferring (" + ", ".join(f"link{i} > it.heat" for i in range(30, 40)) + "): add 1 to n",
     rules=DOUBLING)  # fmt: skip
bomb("every_way", "\n".join(f'roll 3d6 as x{i} for "way {i}"\nadd x{i} to n' for i in range(9)))
bomb("many_dice", 'roll 20d1000 as x for "dice"\nadd x to n')
bomb("every_way_dear", "\n".join(f'roll 1d6 as x{i} for "way {i}"\nadd x{i} to n' for i in range(5))
     + "\nif link20 > 0: add 1 to n", rules=DOUBLING)  # fmt: skip
bomb("windows", "open moment", rules="window moment asking red, blue\n" + "\n".join(
    f'token t{i} "T {i}"\n    play in moment when link24 > {i}\n    do:\n        return t{i} to the bag' for i in range(30))
    + "\nafter phase game begins:\n    repeat at most 30 times:\n        draw a token for red\n" + DOUBLING)  # fmt: skip
