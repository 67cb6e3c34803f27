"""A built-in function is one record; whoever has to know it besides is not forgotten."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.compiling.emit.native.inference import _OPERATIONS as NATIVE_TYPES
from interpreter.compiling.emit.native.operations import OPERATIONS as NATIVE
from interpreter.compiling.ir.operations import OPERATIONS
from interpreter.running.runtime import bind_runtime
from rulesdsl.book.loader import load_game
from rulesdsl.checking.checker import check
from rulesdsl.program.builtins import BUILTINS, OF_DIRECTIONS, Builtin

ROOT = Path(__file__).parents[2]
REFERENCE = (ROOT / "docs/language.md").read_text(encoding="utf-8")
CALLED = {b.name for b in (*BUILTINS.values(), *OF_DIRECTIONS.values()) if b.called}


def test_the_reference_says_what_the_records_say() -> None:
    section = REFERENCE.split("### 3.4 ")[1].split("### ")[0]
    rows = [line for line in section.splitlines() if line.startswith("| `")]
    assert rows == [f"| `{b.head}` | {b.doc} |" for b in BUILTINS.values()]


@pytest.mark.parametrize("builtin", [*BUILTINS.values()], ids=lambda builtin: builtin.name)
def test_a_sentence_has_a_place_for_every_value(builtin: Builtin) -> None:
    said = builtin.sentence.replace("{}", " ".join(f"{{{i}}}" for i in range(len(builtin.params))))
    assert said.format(*range(len(builtin.params))) == said.replace("{", "").replace("}", "")
    assert all(f"{{{i}}}" in said for i in range(len(builtin.params)))


def test_every_function_that_is_called_can_be_run_and_compiled() -> None:
    assert set(OPERATIONS) >= CALLED
    assert set(NATIVE) >= CALLED
    assert set(NATIVE_TYPES) >= CALLED


def test_every_function_that_is_called_is_there_in_a_game() -> None:
    source, problems = load_game(ROOT / "games/classics/reversi")
    assert source is not None, problems
    program, problems = check(source)
    assert program is not None, problems
    assert set(bind_runtime(program)) >= CALLED
