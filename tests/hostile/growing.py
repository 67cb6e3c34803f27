"""Numbers that grow: by every operation, in every place a number can be."""

from __future__ import annotations

from tests.hostile import bomb

OFTEN = "repeat at most {times} times:\n    {step}"


def often(step: str, times: int = 60) -> str:
    return OFTEN.format(times=times, step=step)


bomb("bigdiv", often("set n to n / (1 / n)"), start="7")
bomb("smallfrac", "set n to 1/3\n" + often("set n to n * n"))
bomb("addint", often("set n to n + n", 16_000))
bomb("subtract", often("set n to n - 9 * n", 16_000))
bomb("small_factor", often("set n to n * 99", 16_000))
bomb("square", often("set n to n * n"), start="7")
bomb("divide_small", often("set n to n / 7", 5_000))
bomb("harmonic", "let i = 1\n" + often("set n to n + 1 / (n + 1)", 5_000))
bomb("attribute", often("set a1.heat to a1.heat * 7 + 3", 5_000))
bomb("player_points", often("for each player: add player.points + 1 to player.points", 5_000))
bomb("record_field", "with pot(much: 3):\n" + "    repeat at most 500 times:\n        set pot.much to pot.much * pot.much\n    set n to pot.much",
     declared="record pot\n    much: number")  # fmt: skip
bomb("let_variable", "let x = 3\nrepeat at most 500 times:\n    let x = x * x\nset n to x")
bomb("clamped", often("set r to r * r * r", 50), declared="track r: 0 to 1000 = 7")
bomb("parameter_chain", "do one(3)", rules="\n".join(
    [f"procedure p{i}(number)\n    do p{i + 1}(number * number)" for i in range(50)]
    + ["procedure p50(number)\n    set n to number", "procedure one(number)\n    do p0(number)"]))  # fmt: skip
bomb("define_products", "set n to d40", rules="\n".join(
    ["define d0 = n + 7", *(f"define d{i} = d{i - 1} * 99999" for i in range(1, 41))]))  # fmt: skip
bomb("define_arguments", "set n to d40(7)", rules="\n".join(
    ["define d0(number) = number", *(f"define d{i}(number) = d{i - 1}(number * 99999)" for i in range(1, 41))]))  # fmt: skip
bomb("compared_only", "if d90 > 0: add 1 to a1.heat", rules="\n".join(
    ["define d0 = n + 7", *(f"define d{i} = d{i - 1} * 99999" for i in range(1, 91))]))  # fmt: skip
bomb("written_product", "set n to n" + " * 99999" * 60)
bomb("written_constants", "set n to 99999" + " * 99999" * 60)
bomb("written_fraction", "set n to 1" + "".join(f" / {p}" for p in range(3, 120, 2)))
bomb(
    "sum_of_fractions",
    "set n to sum of 1 / (it.column * 101 + it.row * 7 + 1) over cells",
    columns=40,
    rows=40,
)
bomb("sums_of_sums", "set n to s6", rules="\n".join(
    ["define s0 = n * 999999999", *(f"define s{i} = sum of s{i - 1} over cells" for i in range(1, 7))]))  # fmt: skip
bomb("quantity_lines", "set n to big", rules="quantity big = 7\n" + "\n".join(
    f'    x 99999 when n > {i - 500} "line {i}"' for i in range(250)))  # fmt: skip
bomb("quantity_halves", "set n to big", rules="quantity big = 7\n" + "\n".join(
    f'    +{i}/{2 * i + 1} when n > {i - 500} "line {i}"' for i in range(1, 250)))  # fmt: skip
bomb("odds_of_fractions", often("set n to odds(n + 1, 1 / (n + 1))", 100))
bomb("remainders", often("set n to remainder(n * n + 1, 999999999999) / 3 + n", 3_000))
bomb("noted", often('note "{} is much", n * n * n * n * n * n', 40) + "\n" + often("add n to n", 100))
bomb("said_only", 'note "{} is too much", n' + " * 99999999999999" * 60)
bomb("route_costs", "for each unit: set n to number of cells among walk(unit)", columns=30, rows=30, rules=(
    "route walk(unit)\n    from unit.at\n    cost 1 / (there.column * 97 + there.row * 89 + 1)\n    budget 50"))  # fmt: skip
bomb("route_spent", "for each unit: set n to number of cells among walk(unit)", columns=12, rows=12, rules=(
    "route walk(unit)\n    from unit.at\n    cost spent * spent + 1\n    budget 999999999999999"))  # fmt: skip
bomb("value_grows", "add 1 to n", rules="quantity value(player) = d30\n" + "\n".join(
    ["define d0 = n + 3", *(f"define d{i} = d{i - 1} * 999999999" for i in range(1, 31))]))  # fmt: skip
bomb("score_grows", often("set n to n * 10", 17), rules="quantity score(player) = n * n * n * n * n * n")
bomb("turns_grow", often("set turn to turn * 10", 30), declared="track turn: number = 1")
