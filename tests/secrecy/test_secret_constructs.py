"""A secret in every construct of the language: two worlds that differ in it reach a seat as the same bytes.

The cases are data: tests/testdata/games/secrets. The list of constructs is that of the classes a program is
made of, so a new one without a case fails here.
"""

from __future__ import annotations

import os

import pytest

from interpreter.playing.session import Session
from interpreter.secrecy.secret_flow import secrecy_of
from interpreter.secrecy.who_knows import expressions_in
from rulesdsl import program as pg
from rulesdsl.program.walk import sub_expressions, walk_steps
from rulesdsl.program.windows import window_procedure
from tests.promises import opened
from tests.promises.secrets import REVEALS, SECRETS, answer_for_red, cases, changes, difference

FULL = os.environ.get("RULESDSL_BARS") == "full"
# These hold nothing that could be secret: constants, whole classes, settings, facts about a path, jumps; of
# windows it is seen who is asked.
# `put … on top` changes the order of a stack, whose secrets have twin worlds of their own: test_fog.
# `shuffle` likewise; a position that is remembered is made of what everybody sees.
OPEN = {"Const", "ClassSet", "SettingGet", "StepFact", "JumpS", "OpenS", "PutS", "ShuffleS", "RememberS"}


@pytest.mark.parametrize("case", cases())
def test_two_worlds_are_the_same_to_who_may_not_know(case: str) -> None:
    found = difference(case, "all")
    assert bool(found) == case.startswith(REVEALS), found or "a rule lays this open, and nobody sees it"


@pytest.mark.parametrize("change", list(changes(Session.start(opened(SECRETS), seed=1))))
def test_one_secret_after_the_other(change: str) -> None:
    names = [case for case in cases() if not case.startswith(REVEALS)]
    of_it = names if FULL else [case for number, case in enumerate(names) if hash_of(change, number)]
    assert [found for case in of_it if (found := difference(case, change))] == []


def hash_of(change: str, number: int) -> bool:
    """A few cases for each change, others for each."""
    return (sum(change.encode()) + number) % 12 == 0


def nodes_that_hold_a_secret(program: pg.Program) -> set[str]:
    secrecy, found = secrecy_of(program), set[str]()

    def look(e: pg.E) -> None:
        if secrecy.leaves(e):
            found.add(type(e).__name__)
        for part in sub_expressions(e):
            look(part)

    rules = (program.defines, program.quantities, program.actions, program.routes)
    for rule in (rule for kind in rules for rule in kind.values()):
        for e in expressions_in(rule):
            look(e)
    windows = [window_procedure(program, window) for window in program.windows.values()]
    for procedure in (*program.procedures.values(), *windows):
        for step in walk_steps(procedure.body):
            inside = list(expressions_in(step))
            filled = [var for var in (getattr(step, "var", None),) if var in secrecy.variables]
            route = step.route if isinstance(step, pg.TravelS) else ""
            looked = any(map(secrecy.leaves, inside)) or bool(route and secrecy.leaves(
                pg.RouteE(route, (inside[-1],), type=inside[-1].type)))  # fmt: skip
            if filled or looked:
                found.add(type(step).__name__)
            for e in inside:
                look(e)
    return found


def kinds(of: type) -> set[str]:
    below = {name for sub in of.__subclasses__() for name in kinds(sub)}
    return below or {of.__name__}


def test_every_construct_of_the_language_holds_a_secret_somewhere() -> None:
    missing = kinds(pg.E) | kinds(pg.S)
    missing -= nodes_that_hold_a_secret(opened(SECRETS).program) | OPEN
    assert missing == set(), "put a secret into it: tests/testdata/games/secrets/rules/02_cases.md"


@pytest.mark.parametrize(
    ("case", "told"),
    [
        ("let", "it is 1"),
        ("record-by-variable", "spot Beta of Red"),
        ("for-each", "mine in Beta"),
        ("parameter-of-a-loop", "First has 1"),
        ("quantity", "zeal 2"),
        ("sum-of", "sum 2"),
        ("pick-from-a-secret", "picked Beta"),
        ("trigger", "First left Beta"),
        ("phase", "begins in Beta"),
        ("choice", "hides in Home"),
    ],
)
def test_who_may_know_is_told(case: str, told: str) -> None:
    """Exactly those: Red reads his own secrets, in the same lines of which Blue hears the words only."""
    session = Session.start(opened(SECRETS), seed=1)
    session.choose(case)
    answer_for_red(session, case, 0)
    assert told in [entry.text for entry in session.log_of("red")]
    for seat in ("blue", "green", None):
        assert told not in [entry.text for entry in session.log_of(seat)]


def test_a_note_tells_each_value_to_those_who_may_know_it() -> None:
    session = Session.start(opened(SECRETS), seed=1)
    session.choose("thing")
    lines = {seat: session.log_of(seat)[-1].text for seat in ("red", "blue", None)}
    assert lines == {"red": "at Red, Beta", "blue": "at Red, …", None: "at Red, …"}
