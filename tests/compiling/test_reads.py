"""Readings are shared only as long as nothing can have changed: the function with them and without agree."""

from __future__ import annotations

from typing import Any

import pytest

from interpreter.compiling.emit.text import source
from interpreter.compiling.ir.statements import Function
from interpreter.compiling.optimise.shared_reads import share_cells, share_looks
from tests.kit import ir_text

BODIES = {
    "the same twice": ["a = s[3 + v] + s[3 + v]", "return a"],
    "written between": ["a = s[3 + v]", "s[3 + v] = 9", "return a + s[3 + v]"],
    "another array written": ["a = s[3 + v]", "s[6 + v] = 9", "return a + s[3 + v]"],
    "a single cell written": ["a = s[3 + v]", "s[4] = 9", "return a + s[3 + v]"],
    "changed in place": ["a = s[3 + v]", "s[3 + v] ^= 5", "return a + s[3 + v]"],
    "the owner changes": ["a = s[3 + v]", "v = 0", "return a + s[3 + v]"],
    "the owner changes if": ["a = s[3 + v]", "if a: v = 0", "return a + s[3 + v]"],
    "written if": ["a = s[3 + v]", "if a: s[3 + v] = 6", "return a + s[3 + v]"],
    "a place found in another cell": ["a = s[2 + v]", "s[2 + s[v]] = 9", "return a + s[2 + v]"],
    "in a loop": ["a = s[3 + v]", "for i in (1, 2):", "    a += s[3 + v]", "    s[3 + v] += 1", "return a"],
    "in a branch": ["a = 0", "if v:", "    a = s[3 + v] + s[3 + v]", "return a + s[3 + v] + s[3 + v]"],
    "in both branches": ["a = 0", "if v:", "    a = s[3 + v] * s[3 + v]", "    s[3 + v] = 1", "else:",
                         "    a = s[3 + v] + s[3 + v]", "return a + s[3 + v]"],
    "a procedure": ["a = s[3 + v]", "do_1(m, s)", "return a + s[3 + v]"],
    "a look": ["a = neighbours_of(s[4]) | neighbours_of(s[4])", "s[4] = 8", "return a + neighbours_of(s[4])"],
}  # fmt: skip


def shared(function: Function) -> Function:
    return share_cells(share_looks(function))


def written(lines: list[str]) -> Function:
    return ir_text.function("\n".join(["def f(m, s, v):", *("    " + line for line in lines)]))


def result(function: Function) -> tuple[object, list[int]]:
    def do_1(m: None, s: list[int]) -> None:
        s[4] = 77

    names: dict[str, Any] = {"do_1": do_1, "neighbours_of": lambda mask: mask << 1}
    exec(source(function), names)
    s = [1, 2, 4, 8, 16, 32, 64, 128, 256]
    return names["f"](None, s, 1), s


@pytest.mark.parametrize("name", BODIES)
def test_sharing_changes_nothing(name: str) -> None:
    function = written(BODIES[name])
    assert result(shared(function)) == result(function)


def test_something_is_shared() -> None:
    lines = source(shared(written(BODIES["the same twice"]))).split("\n")[1:]
    assert lines == ["    e_1 = s[3 + v]", "    a = e_1 + e_1", "    return a"]


def test_what_is_perhaps_asked_counts_half() -> None:
    once = written(["return s[3 + v] if v and s[3 + v] else 0"])
    assert source(shared(once)) == source(once)


def test_a_pass_leaves_what_it_was_given() -> None:
    function = written(BODIES["in both branches"])
    before = source(function)
    assert source(shared(function)) != before
    assert source(function) == before
