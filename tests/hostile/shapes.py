"""Rulebooks whose mere shape is the attack: many, long or tangled statements, exceptions, lists of options."""

from __future__ import annotations

from tests.hostile import bomb, raw


def exceptions(count: int) -> dict[str, str]:
    """Each paragraph is an exception to all earlier ones of the other kind."""
    chapter = ["# Exceptions", "", "## 1 Action", "", "```rules", "space cell", "    heat: number",
               "piece unit", "player", 'action enter(cell) "enter {cell}"',
               'forbid enter when cell.heat > 99 "hot"', "```", ""]  # fmt: skip
    for i in range(2, count + 2):
        kind = "allow" if i % 2 == 0 else "forbid"
        earlier = ", ".join(str(k) for k in range(1, i) if (k % 2 == 0) != (kind == "allow"))
        chapter += [
            f"## {i} P{i}",
            "",
            "```rules",
            f"{kind} enter when cell.heat > {i} despite {earlier}",
            "```",
            "",
        ]
    chapter += ["## 99 Play", "", "```rules", "phase game", "    repeat at most 3 times:",
                "        red chooses a cell for enter(cell): add 1 to cell.heat",
                '    end game: drawn "over"', "```"]  # fmt: skip
    return {
        "game.yaml": "game: GAME\ntitle: E\nsummary: E.\nplayers: [{id: red, name: Red}, {id: blue, name: Blue}]\n",
        "map.yaml": "kind: squares\nclass: cell\ncolumns: 3\nrows: 3\n",
        "pieces.yaml": "pieces:\n  unit:\n    - {id: u, start: a1}\n",
        "rules/1.md": "\n".join(chapter),
    }


def named(name: str, files: dict[str, str]) -> dict[str, str]:
    return files | {"game.yaml": files["game.yaml"].replace("GAME", name)}


raw("exc28", lambda: named("exc28", exceptions(26)))
raw("exc31", lambda: named("exc31", exceptions(29)))
raw("exc90", lambda: named("exc90", exceptions(88)))
raw("exc8", lambda: named("exc8", exceptions(7)))
bomb(
    "clash",
    "set n to q",
    rules="quantity q = 0\n" + "\n".join(f'    = {k} when n = {k} "k{k}"' for k in range(290)),
)
bomb("clash_names", "set n to q(a1)", columns=60, rows=60, rules="quantity q(cell) = 0\n" + "\n".join(
    f'    = {k} when cell is {chr(97 + k % 26)}{k // 26 + 1} "k{k}"' for k in range(290)))  # fmt: skip
bomb("clash_many", "set n to q0", rules="\n".join(
    f"quantity q{j} = 0\n" + "\n".join(f'    = {k} when n = {k} "k{k}"' for k in range(150)) for j in range(90)))  # fmt: skip
bomb("modified", "set n to q", rules="quantity q = 0\n" + "\n".join(
    f'modify q\n    = {k} when n = {k} "k{k}"' for k in range(2000)))  # fmt: skip
bomb("divided", "set n to q", rules="quantity q = 99\n" + "\n".join(
    f'    /2 rounded down when n > {k} "k{k}"' for k in range(290)))  # fmt: skip
bomb("bigmap", "red chooses a unit, a cell: move unit to cell", columns=70, rows=70, units=4900)
bomb("triples", "red chooses a cell as a, a cell as b, a cell as c: add 1 to n", columns=30, rows=30)
bomb("refused_pairs", "red chooses a unit, a cell for go(unit, cell): move unit to cell", columns=50, rows=50, units=500,
     rules='action go(unit, cell) "go"\nforbid go when unit.worn >= cell.heat "never"')  # fmt: skip
bomb("many_options", "red chooses a cell: add 1 to cell.heat", columns=70, rows=70)
bomb(
    "gathering", "red chooses any number of cells as some_cells: mark some_cells as lit", columns=50, rows=50
)
bomb("cases", "set n to d(n)", rules="define d(number) = 0 when number = 0\n" + "\n".join(
    f"    = {k} when number = {k}" for k in range(1, 900)) + "\n    = 1 otherwise")  # fmt: skip
bomb("menu", "red chooses one of:\n" + "\n".join(f'    "way {k}": add {k} to n' for k in range(900)))
bomb(
    "branches",
    "if n = 0: add 1 to n\n" + "\n".join(f"otherwise if n = {k}: add {k} to n" for k in range(1, 900)),
)
bomb("long_chain", "set n to link2000", rules="\n".join(
    ["define link0 = n", *(f"define link{i} = link{i - 1} + 1" for i in range(1, 2001))]))  # fmt: skip
bomb("knots", "set n to k0_0", rules="\n".join(
    f"define k{i}_{j} = k{i}_{(j + 1) % 30} + 1" for i in range(60) for j in range(30)))  # fmt: skip
bomb("deep_brackets", "set n to " + "(" * 60 + "n" + " + 1)" * 60)
bomb("too_deep_brackets", "set n to " + "(" * 400 + "n" + " + 1)" * 400)
bomb("long_sum", "set n to n" + " + 1" * 5000)
bomb("long_and", "if n > 0" + " and n > 0" * 3000 + ": add 1 to n")
bomb("deep_if", "set n to " + "if n > 1 then 2 else " * 200 + "3")
bomb(
    "deep_blocks",
    "\n".join("    " * i + f"if n > {i}:" for i in range(70)) + "\n" + "    " * 70 + "add 1 to n",
)
bomb("many_triggers", "move u0 to b1", rules="\n".join(
    f"after unit enters cell when n = {k}: add 1 to n" for k in range(1500)))  # fmt: skip
bomb("many_rungs", "red chooses a cell for stop_it: add 1 to n", rules='action stop_it "stop"\nmust before stop_it "first"\n'
     "    either n > 0 possible when n > 9 \"a\"\n" + "\n".join(
    f'    else n > {k} possible when n > {k + 9} "r{k}"' for k in range(400)))  # fmt: skip
bomb("many_examples", "add 1 to n", rules="define two = 2\n```\n\n" + "\n\n".join(
    f"```example\ngiven:\n    set n to {k}\nwhen: do bang\nexpect: n = {k + 1}\n```" for k in range(300)) + "\n\n```rules")  # fmt: skip
bomb("endless_example", "repeat at most 99999 times:\n    repeat at most 99999 times:\n        add 1 to n",
     rules="define two = 2\n```\n\n" + "\n\n".join(
    "```example\nwhen: do bang\nexpect: n = 1\n```" for _ in range(12)) + "\n\n```rules")  # fmt: skip
bomb("only_notes", 'for each cell: note "{}", cell\nfor each unit in the order red chooses: note "{}", unit')
bomb("long_texts", "\n".join(f'note "{"x" * 3000} {{}}", n' for _ in range(10)))
bomb("many_settings", "set n to p0", rules="\n".join(f'parameter p{k} = {k} "p"' for k in range(1200)))
