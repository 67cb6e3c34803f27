"""Inner loops are asked once where they come out the same: the function with the pass and without agree."""

from __future__ import annotations

from typing import Any

import pytest

from interpreter.compiling.emit.text import source
from interpreter.compiling.ir import values as v
from interpreter.compiling.ir.rewrite import deep, with_values
from interpreter.compiling.ir.statements import Function
from interpreter.compiling.optimise.same_again import same_again
from tests.kit import ir_text

OWNER = v.Constant("OWNER", (0, 1, 0, 1, 1, 0, -1))
MANY = v.Constant("MANY", (0, 1, 2, 3, 4, 5, -1))  # everybody is another one

SIDE = ["y = 0", "for v in MEMBERS[w]:", "    if not d(s, v): continue", "    y = 1", "    break"]


def looped(*before: str, after: str = "a = a + y * c") -> list[str]:
    inner = [*before, *SIDE, after]
    return ["a = 0", "for c in MEMBERS[s[0]]:", *("    " + line for line in inner), "return a"]


# lines, and whether `d` is asked less often
BODIES: dict[str, tuple[list[str], bool]] = {
    "by side": (looped("w = s[1 + OWNER[c]]"), True),
    "the same for all": (looped("w = s[1]"), True),
    "by more than the side": (looped("w = s[1 + MANY[c]]"), False),
    "by the member": (looped("w = s[1 + OWNER[c]] | c"), False),
    "adds up over the turns": (
        ["n = 0", "for c in MEMBERS[s[0]]:", "    for v in MEMBERS[3]:", "        n += d(s, v)", "return n"],
        False,
    ),
    "the state changes": (looped("w = s[1 + OWNER[c]]", after="s[1] = c"), False),
    "a procedure": (looped("w = s[1 + OWNER[c]]", after="do_1(m, s)"), False),
    "set again behind it": (looped("w = s[1 + OWNER[c]]", after="w = 0"), False),
}  # fmt: skip


def written(lines: list[str]) -> Function:
    function = ir_text.function("\n".join(["def f(m, s):", *("    " + line for line in lines)]))

    def printed(e: v.Value) -> v.Value:
        return {"OWNER": OWNER, "MANY": MANY}.get(e.name, e) if isinstance(e, v.Name) else e

    return Function(function.name, function.parameters, with_values(function.body, deep(printed)))


def result(function: Function) -> tuple[object, list[int], int]:
    asked: list[int] = []

    def d(s: list[int], member: int) -> int:
        asked.append(member)
        return s[2] >> member & 1

    class Members(dict[int, tuple[int, ...]]):
        def __missing__(self, mask: int) -> tuple[int, ...]:
            return tuple(i for i in range(mask.bit_length()) if mask >> i & 1)

    names: dict[str, Any] = {
        "d": d, "do_1": lambda m, s: s.__setitem__(5, 1), "MEMBERS": Members(),
        "OWNER": OWNER.value, "MANY": MANY.value,
    }  # fmt: skip
    exec(source(function), names)
    s = [0b111111, 0b000011, 0b100010, 0b1000, 0, 0, 0]
    return names["f"](None, s), s, len(asked)


@pytest.mark.parametrize("name", BODIES)
def test_the_same_comes_out(name: str) -> None:
    lines, fewer = BODIES[name]
    function = written(lines)
    before, after = result(function), result(same_again(function))
    assert before[:2] == after[:2]
    assert (after[2] < before[2]) == fewer
    assert fewer or source(same_again(function)) == source(function)
