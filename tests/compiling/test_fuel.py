"""Expressions that would run for ages: they stop with the chain of rules named, and nothing has changed.

The limit is lowered here, so that a bomb goes off at once. That the shipped games stay far below
it is held by `random_games` of tests/promises.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.compiling.emit.text import source
from interpreter.compiling.optimise.fuel import Meter
from interpreter.playing.game import open_game
from interpreter.playing.session import Session
from interpreter.running.fuel import RunawayRule
from rulesdsl.base.diagnostics import RulebookError
from tests.kit import ir_text
from tests.kit.patience import without_hanging

LITTLE = 3_000_000
RULES = """# Bomb

## 1 Bomb

```rules
space cell
    heat: number

{rules}

phase game
    repeat at most 9 times:
        red chooses one of:
            "nothing": add 1 to a1.heat
            "bomb": {step}
```
"""


def chain(first: str, next_one: str, last: int = 40) -> str:
    lines = [next_one.replace("NEXT", f"n{i}").replace("BEFORE", f"n{i - 1}") for i in range(1, last + 1)]
    return "\n".join([first, *lines])


BOMBS = {
    "sums": (
        chain("define n0(cell) = cell.heat + 1", "define NEXT(cell) = BEFORE(cell) + BEFORE(cell)"),
        "add n40(a1) to a1.heat",
    ),
    "truths": (
        chain("define n0(cell) = cell.heat > 9", "define NEXT(cell) = BEFORE(cell) or BEFORE(cell)"),
        "add number of cells where n40(it) to a1.heat",
    ),
    "quantities": (
        chain(
            "quantity n0(cell) = 1",
            'quantity NEXT(cell) = BEFORE(cell)\n    + BEFORE(cell) when cell.heat < 9 "again"',
        ),
        "add n40(a1) to a1.heat",
    ),
    "loops": (
        chain("define n0(cell) = cell.heat + 1", "define NEXT(cell) = sum of BEFORE(it) over cells", 12),
        "add n12(a1) to a1.heat",
    ),
    "sets": (
        "define hot = "
        + "some cell as c0 where "
        + "".join(f"some cell as c{i} where c{i}.heat >= c{i - 1}.heat and " for i in range(1, 8))
        + "c6.heat + c7.heat > 10",
        "mark_hot",
    ),
    "steps": (
        chain("define n0(cell) = cell.heat + 1", "define NEXT(cell) = BEFORE(cell) + BEFORE(cell)", 10),
        "do often",
    ),
}
OFTEN = """
procedure often
    repeat at most 100000 times:
        if n10(a1) < 0:
            add 1 to a1.heat
"""


def bomb(home: Path, rules: str, step: str) -> Session:
    if step == "mark_hot":
        step = "set a1.heat to (if hot then 3 else 4)"
    if step == "do often":
        rules += "\n" + OFTEN
    (home / "rules").mkdir(parents=True)
    (home / "game.yaml").write_text(
        f'game: {home.name}\ntitle: Bomb\nplayers: [{{id: red, colour: "#ff0000"}}]\n'
    )
    (home / "map.yaml").write_text(
        'kind: squares\nclass: cell\ncolumns: 9\nrows: 9\nnumbering: "{letter}{row}"\nadjacency: orthogonal\n'
    )
    (home / "rules" / "01.md").write_text(RULES.format(rules=rules, step=step))
    return Session.start(home)


def with_little_fuel(session: Session) -> Session:
    for compiled in (session.ruleset.full, session.ruleset.fast):
        compiled.code.work = LITTLE
    return session


@pytest.mark.parametrize("name", BOMBS)
def test_an_expression_that_takes_ages_is_stopped(tmp_path: Path, name: str) -> None:
    session = with_little_fuel(bomb(tmp_path / name, *BOMBS[name]))
    before, log = session.hash, list(session.log)
    with pytest.raises(RunawayRule, match=r"takes too much work: game → \w+") as caught:
        without_hanging(lambda: session.choose("bomb"), name)
    assert (session.hash, session.log, session.choices) == (before, log, [])
    session.choose("nothing")
    if name not in ("sets", "steps"):
        assert "n40 (1) → n39 (1)" in str(caught.value) or "n12 (1) → n11 (1)" in str(caught.value)


@pytest.mark.parametrize("name", [name for name in BOMBS if name != "steps"])
def test_the_silent_code_is_stopped_too(tmp_path: Path, name: str) -> None:
    session = with_little_fuel(bomb(tmp_path / name, *BOMBS[name]))
    scenario = session.game.scenario(None)
    machine = session.ruleset.new_machine(scenario, "0", traced=False)
    machine.begin()
    with pytest.raises(RunawayRule, match=r"takes too much work: game"):
        machine.choose(1)
    with pytest.raises(RunawayRule, match=r"takes too much work"):
        session.ruleset.playouts.play(scenario, "0", lambda who, count: count - 1, cautious=True)


def test_whoever_asks_for_a_value_is_not_made_to_wait(tmp_path: Path) -> None:
    session = with_little_fuel(bomb(tmp_path / "asked", *BOMBS["sums"]))
    with pytest.raises(RunawayRule, match=r"takes too much work: n40 \(1\) → n39"):
        session.value("n40", "a1")
    assert session.value("n3", "a1") == "8"


@pytest.mark.parametrize(
    ("rules", "step"),
    [
        ("define hot = " + "".join(f"some cell as c{i} where " for i in range(9)) + "c0.heat > 0",
            "add 1 to a1.heat"),
        ("", "\n" + "\n".join(f"{' ' * (16 + 4 * i)}for each cell as c{i}:" for i in range(9))
            + "\n" + " " * 52 + "add 1 to a1.heat"),
    ],
)  # fmt: skip
def test_nine_loops_inside_each_other_are_refused(tmp_path: Path, rules: str, step: str) -> None:
    with pytest.raises(RulebookError, match=r"01\.md:\d+:\d+: error\[nested-loops\]"):
        bomb(tmp_path / "nine", rules, step)


def test_many_branches_and_conditions_are_no_matter_of_depth(tmp_path: Path) -> None:
    alternatives = "\n".join(
        f"    otherwise if (some cell where it.heat > a1.heat + {i}): add {i} to a1.heat" for i in range(150)
    )
    rules = f"procedure many\n    if a1.heat = 5: add 7 to a1.heat\n{alternatives}"
    session = bomb(tmp_path / "many", rules, "do many")
    session.choose("nothing")
    session.machine.s[session.ruleset.layout.arrays["space", "heat"].base + 5] = 100
    session.choose("bomb")  # 100 > 1 + 0: the first alternative, which adds nothing
    assert session.view(None)["things"]["space:a1"]["heat"] == 1
    session.machine.s[session.ruleset.layout.arrays["space", "heat"].base] = 5
    session.choose("bomb")
    assert session.view(None)["things"]["space:a1"]["heat"] == 12


def test_ordinary_decisions_use_a_small_part_of_the_fuel() -> None:
    """Work is charged from estimates; coarse ones once stopped ordinary games that were explained."""
    game = open_game("race_for_berlin")
    scenario = game.scenario(None)
    machine = game.ruleset({}, scenario).new_machine(scenario, "1945/56", traced=True)
    machine.begin()
    for _ in range(40):
        machine.choose(0)
        assert machine.code.work - machine.code.meter[0] < machine.code.work / 10


def metered(*texts: str, largest: int, once: frozenset[str] = frozenset()) -> tuple[Meter, list[str]]:
    meter = Meter(largest)
    functions = [ir_text.function(text) for text in texts]
    return meter, [source(one) for one in meter.metered(functions, once=once)]


@pytest.mark.parametrize(("turns", "counted"), [(9, False), (1_000_000, True)])
def test_what_is_called_once_counts_only_long_loops(turns: int, counted: bool) -> None:
    """A loop that says how often it turns is believed, however small the game is."""
    text = "def do_0(s):\n    for v in range({}):\n        s[3 + v] = s[3 + v] + s[3 + v]"
    assert metered(text.format(turns), largest=10, once=frozenset({"do_0"}))[0].counts is counted
    assert not metered(text.format(9), largest=10)[0].counts


def test_what_few_members_come_to_is_counted_when_they_do() -> None:
    """A loop over all units that asks only the near ones much was once charged for asking all."""
    far = "def far(s):\n" + "\n".join(["    s[0] = s[1] + s[2]"] * 300)
    loop = (
        "def near(s):\n    for v in MEMBERS[7]:\n        if not s[3 + v]: continue\n        far(s)\n"
        "        break"
    )
    lines = metered(far, loop, largest=1_000)[1][1].split("\n")
    each, few = (int(line.split()[-1]) for line in lines if "FUEL[0] -=" in line)
    assert each < 10
    assert few > 600
    assert lines.index("        if not s[3 + v]: continue") < lines.index(f"        FUEL[0] -= {few}")


def test_a_variable_that_is_called_like_a_block_is_no_work() -> None:
    """Blocks are called b0, b1 …; so are variables, and nobody calls a block by its name."""
    block = "def b4(m, s, f):\n" + "\n".join(["    s[0] = s[1]"] * 900)
    plain = "def d_plain(s):\n    for v in MEMBERS[7]:\n        b4 = s[3 + v]\n        if b4: break"
    assert "FUEL" not in metered(block, plain, largest=100)[1][1]


def test_what_a_loop_in_one_line_does_is_counted() -> None:
    """Options of pairs: a loop with nothing but one short statement in it once counted for nothing."""
    text = (
        "def d(s):\n    for v in MEMBERS[s[1]]:\n        for w in MEMBERS[s[2]]:\n            put_in(v, w)\n"
        "    return 0"
    )
    assert metered(text, largest=100)[0].counts
    assert not metered(text, largest=5)[0].counts
