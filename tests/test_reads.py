"""Readings are shared only as long as nothing can have changed: the function with them and without agree."""

from __future__ import annotations

from typing import Any

import pytest

from interpreter.codegen.reads import shared_reads

BODIES = {
    "the same twice": ["a = s[3 + v] + s[3 + v]", "return a"],
    "written between": ["a = s[3 + v]", "s[3 + v] = 9", "return a + s[3 + v]"],
    "another array written": ["a = s[3 + v]", "s[6 + v] = 9", "return a + s[3 + v]"],
    "a single cell written": ["a = s[3 + v]", "s[4] = 9", "return a + s[3 + v]"],
    "changed in place": ["a = s[3 + v]", "s[3 + v] ^= 5", "return a + s[3 + v]"],
    "the owner changes": ["a = s[3 + v]", "v = 0", "return a + s[3 + v]"],
    "in a loop": ["a = s[3 + v]", "for i in (1, 2):", "    a += s[3 + v]", "    s[3 + v] += 1", "return a"],
    "in a branch": ["a = 0", "if v:", "    a = s[3 + v] + s[3 + v]", "return a + s[3 + v] + s[3 + v]"],
    "a procedure": ["a = s[3 + v]", "do_1(s)", "return a + s[3 + v]"],
    "a look": ["a = neighbours_of(s[4]) | neighbours_of(s[4])", "s[4] = 8", "return a + neighbours_of(s[4])"],
}


def result(lines: list[str]) -> tuple[object, list[int]]:
    def do_1(s: list[int]) -> None:
        s[4] = 77

    names: dict[str, Any] = {"do_1": do_1, "neighbours_of": lambda mask: mask << 1}
    exec("\n".join(["def f(s, v):", *lines]), names)
    s = [1, 2, 4, 8, 16, 32, 64, 128, 256]
    return names["f"](s, 1), s


@pytest.mark.parametrize("name", BODIES)
def test_sharing_changes_nothing(name: str) -> None:
    lines = ["    " + line for line in BODIES[name]]
    assert result(shared_reads(lines)) == result(lines)


def test_something_is_shared() -> None:
    shared = shared_reads(["    " + line for line in BODIES["the same twice"]])
    assert shared == ["    e_1 = s[3 + v]", "    a = e_1 + e_1", "    return a"]
