"""Every command in bad surroundings; the bar `surroundings` tries more of them."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor

import pytest

from tests.promises.hostile import small_process
from tests.promises.surroundings import LINES, QUICK, all_commands, run, wrong_with


@pytest.fixture(scope="module")
def small() -> Iterator[Executor]:
    """A process that holds nothing but the engine: its children are made quickly."""
    with small_process() as process:
        yield process


def test_no_command_is_left_out() -> None:
    assert sorted(all_commands()) == sorted(LINES)


@pytest.mark.parametrize("command", LINES)
def test_a_command_ends_with_a_sentence(small: Executor, command: str) -> None:
    for situation in QUICK if command != "train" else QUICK[-1:]:  # (a training takes long)
        assert wrong_with(small.submit(run, command, situation).result(), situation) == "", situation
