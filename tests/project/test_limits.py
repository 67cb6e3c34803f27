"""Limits: as documented, and changed by the command line alone, for one call."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from rulesdsl.base.limits import Limits

HOME = Path(__file__).parents[2]
SKIRMISH = str(HOME / "games" / "tutorial" / "skirmish")


def rulesdsl(*words: str) -> tuple[int, str]:
    """Exit code and everything that was printed: a process of its own, for limits are those of a process."""
    done = subprocess.run(
        [sys.executable, "-m", "rulesdsl", *words], capture_output=True, text=True, cwd=HOME, check=False
    )
    return done.returncode, done.stdout + done.stderr


def test_the_documented_limits_are_those_that_hold() -> None:
    text = (HOME / "docs" / "language.md").read_text()
    chapter = text[text.index("## 14 Limits") :]
    documented: dict[str, int] = {}
    for names, numbers in re.findall(r"^\| (`.*?`) \| ([\d, ]+) \|", chapter, re.MULTILINE):
        values = [int(number.replace(",", "")) for number in numbers.split(", ")]
        documented |= dict(zip(re.findall(r"`(\w+)`", names), values, strict=True))
    limits = Limits()
    assert documented == {spec.name: getattr(limits, spec.name) for spec in fields(Limits)}


@pytest.mark.parametrize(
    ("limit", "code"),
    [
        ("rule_file=1000", "file-too-big"),
        ("yaml_file_bytes=100", "file-too-big"),
        ("game_bytes=2,000", "game-too-big"),
        ("yaml_depth=2", "yaml-too-deep"),
        ("yaml_nodes=20", "yaml-too-many"),
        ("language=1", "too-deep"),
        ("pieces=3", "too-many-pieces"),
        ("spaces=3", "map-too-big"),
        ("rules=9", "too-many-rules"),
    ],
)
def test_what_is_larger_than_a_limit_is_refused_with_its_place(limit: str, code: str) -> None:
    exit_code, told = rulesdsl("check", SKIRMISH, "--limit", limit)
    assert exit_code == 1
    assert re.search(rf"\.(md|yaml):\d+:\d+: error\[{code}\]", told)


def test_a_limit_holds_for_one_call_and_is_not_remembered() -> None:
    assert rulesdsl("check", SKIRMISH)[0] == 0
    assert rulesdsl("check", SKIRMISH, "--limit", "rules=9")[0] == 1
    assert rulesdsl("check", SKIRMISH, "--limit", "rules=9000")[0] == 0
    assert rulesdsl("check", SKIRMISH)[0] == 0


@pytest.mark.parametrize(
    ("limit", "message"),
    [
        ("steps=20", "this rule does not come to an end: game"),
        ("call_depth=1", "this rule is nested too deeply: game"),
    ],
)
def test_a_rule_may_run_no_longer_than_it_was_given(limit: str, message: str) -> None:
    command = ("play", "tutorial/skirmish", "--seat", "all=random", "--seed", "1")
    exit_code, told = rulesdsl(*command, "--limit", limit)
    assert exit_code == 1
    assert message in told
    assert "Traceback" not in told


def test_workers_obey_the_limits_of_who_started_them() -> None:
    command = ("simulate", "tutorial/skirmish", "--games", "8", "--seed", "1", "--jobs", "2", "--json")
    assert "come to an end" in rulesdsl(*command, "--limit", "steps=20")[1]
    assert "come to an end" not in rulesdsl(*command, "--limit", "steps=400000")[1]


@pytest.mark.parametrize(
    ("limit", "message"),
    [
        ("nonsense=3", 'there is no limit "nonsense"'),
        ("yaml=3", "there are: yaml_file_bytes, yaml_depth, yaml_nodes"),
        ("steps", "write it as NAME=VALUE"),
        ("steps=many", "a whole number from 1 to"),
        ("steps=0", "a whole number from 1 to"),
        ("language_nesting=101", "a whole number from 1 to 100"),
    ],
)
def test_a_limit_that_makes_no_sense_is_wrong_usage(limit: str, message: str) -> None:
    exit_code, told = rulesdsl("check", SKIRMISH, "--limit", limit)
    assert exit_code == 2
    assert message in told
