"""Data files that mean no good: nonsense in tables, drawings, maps and pieces; sizes at the limits."""

from __future__ import annotations

from tests.hostile import bomb

_FATES = "enum fate: won, lost, open\ntrack fate_now: fate = open"


def table(cells: str, result: str = "{kind: name, of: fate}") -> dict[str, str]:
    return {
        "tables/t.yaml": f"table: t\nrows: {{key: die, kind: number}}\nresult: {result}\ncells:\n{cells}\n"
    }


LOOK = 'roll 1d6 as die for "fate"\nset fate_now to table t[die]\nif fate_now is won: add 1 to n'
bomb("tablename", LOOK, declared=_FATES, more=table('  "1-3": won\n  "4-6": nonsense'))
bomb("tablename2", LOOK, declared=_FATES, more=table('  "1-3": won\n  "4-6": 5'))
bomb("tablename3", LOOK, declared=_FATES, more=table('  "1-3": won\n  "4-6": lots'))
bomb("tn0", 'roll 1d6 as die for "fate"\nset fate_now to (table t[die]).what\nif fate_now is won: add 1 to n', declared=_FATES,
     more=table('  "1-3": {what: won, much: 1}\n  "4-6": {what: wonn, much: 2}',
                "{kind: fields, fields: {what: {kind: name, of: fate}, much: number}}"))  # fmt: skip
bomb("table_of_nothing", LOOK, declared=_FATES, more=table('  "1-6": won', "{kind: name, of: fat}"))
bomb("table_big_number", 'roll 1d6 as die for "x"\nset n to table t[die] * table t[die]',
     more=table('  "1-6": 999999999999999', "{kind: number}"))  # fmt: skip
bomb("table_fraction", "let i = 1\nrepeat at most 200 times:\n    set n to n * table t[1]",
     more=table('  "1-6": 1/999999937', "{kind: number}"))  # fmt: skip
bomb("table_rows", 'roll 1d6 as die for "x"\nset n to table t[die]',
     more=table("\n".join(f'  "{k}": {k}' for k in range(-6000, 6000)), "{kind: number}"))  # fmt: skip
bomb("table_by_players", "set n to table t[red]", more={
    "tables/t.yaml": "table: t\nrows: {key: side, kind: name, of: player}\nresult: {kind: number}\ncells: {red: 1, blau: 2}\n"})  # fmt: skip
bomb("drawing_syntax", "add 1 to n", more={"drawing.yaml": "nonsense: [\n"})
bomb("drawing_words", "add 1 to n", more={"drawing.yaml": "fill: {attribute: nothing, colours: {a: red}}\n"})
bomb("nothing_type", "add 1 to n", declared="track boss: none or none")
bomb("nothing_set", "add 1 to n", declared="record pot\n    much: set of none")
bomb("no_heading", "add 1 to n", more={"rules/2.md": "Nothing but prose, without any heading.\n"})
bomb("largest_map", "for each cell: add 1 to cell.heat", columns=70, rows=71)
bomb("most_pieces", "for each unit: add 1 to unit.worn", units=5000)
bomb("too_many_pieces", "add 1 to n", units=5001)
bomb("far_coordinates", "set n to squared_distance(a, b)", more={
    "map.yaml": "kind: areas\nspaces:\n  cell:\n    - {id: a, x: 999999999999999, y: 0}\n    - {id: b, x: -999999999999999, y: 1}\n"
    "    - {id: a1}\nborders:\n  - {between: [a, b]}\n"})  # fmt: skip
