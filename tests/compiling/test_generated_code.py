"""The intermediate representation: what is printed is read back as the same, every stage of a rule can be
looked at, and every mask knows its universe."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator

import pytest

from interpreter.compiling.emit import text
from interpreter.compiling.emit.playout.functions import Flow
from interpreter.compiling.emit.text import source
from interpreter.compiling.ir import statements as st
from interpreter.compiling.ir import values as v
from interpreter.compiling.ir.asked import each_part
from interpreter.compiling.ir.builder import Builder
from interpreter.compiling.ir.operations import OPERATIONS
from interpreter.compiling.listing import FLAVOURS, code_of, rule_names
from interpreter.compiling.lower.steps import Log
from interpreter.compiling.optimise.vectorise.waiting import Asked, either, together
from interpreter.compiling.pipeline import Printed
from interpreter.compiling.ruleset import Ruleset
from interpreter.playing.game import open_game
from interpreter.secrecy.secret_flow import secrecy_of
from rulesdsl.cli.code import FLAVOURS as OFFERED
from tests.kit.command_line import run

GAME = "tutorial/skirmish"


@pytest.fixture(scope="module")
def ruleset() -> Ruleset:
    game = open_game(GAME)
    return game.ruleset({}, game.scenario(None))


def functions(ruleset: Ruleset) -> Iterator[Printed]:
    yield from ruleset.full.functions
    yield from ruleset.fast.functions
    yield from ruleset.playouts.functions


def values(made: st.Made) -> Iterator[v.Value]:
    if isinstance(made, st.Definition):
        yield from each_part(made.value)
        return
    for statement in st.walk(made.body):
        for value in statement.values:
            yield from each_part(value)


def test_the_printer_knows_every_node() -> None:
    own = {cls for cls in vars(v).values() if isinstance(cls, type) and issubclass(cls, v.Value)} - {v.Value}
    assert own == set(text._VALUES)
    steps = {cls for cls in vars(st).values() if isinstance(cls, type) and issubclass(cls, st.Statement)}
    assert steps - {st.Statement, st.Arm} == {*text._SIMPLE, *text._SEVERAL}


def test_every_definition_is_python(ruleset: Ruleset) -> None:
    for one in functions(ruleset):
        (found,) = ast.parse(one.python).body
        assert isinstance(found, (ast.FunctionDef, ast.Assign))


def test_what_is_called_is_declared_or_generated(ruleset: Ruleset) -> None:
    """A second back end has to bring along the operations that are declared, and nothing else."""
    made = {one.name for one in functions(ruleset)}
    tables = {f"T_{number}" for number in range(len(ruleset.program.tables))}
    called = {e.name for one in functions(ruleset) for e in values(one.passed) if isinstance(e, v.Call)}
    assert called - made - tables - set(OPERATIONS) == set()


def test_masks_know_their_universe(ruleset: Ruleset) -> None:
    sizes = {name: len(universe) for name, universe in ruleset.program.world.universes.items()}
    sizes |= {name: len(enum.values) for name, enum in ruleset.program.world.enums.items()}
    masks = unknown = 0
    for one in functions(ruleset):
        for e in values(one.lowered):
            if isinstance(e, (v.Meet, v.Join)):
                masks += 1
                unknown += e.kind.name != "mask"
            if e.kind.name == "mask":
                assert e.kind.width == sizes[e.kind.universe]
    assert masks > 20
    assert unknown <= masks // 4  # those of choices between constants say it where they are met


def test_passes_leave_what_was_lowered(ruleset: Ruleset) -> None:
    changed = [one for one in functions(ruleset) if source(one.lowered) != one.python]
    assert changed
    counting = {one.name for one in functions(ruleset) if "FUEL" in source(one.lowered)}
    assert counting == {"charge"}  # which counts for searches that are no generated code


@pytest.mark.parametrize("flavour", FLAVOURS)
def test_every_rule_can_be_looked_at(ruleset: Ruleset, flavour: str) -> None:
    for several in rule_names(ruleset).values():
        for name in several:
            assert code_of(ruleset, flavour, name), name


def test_the_command_prints_every_stage() -> None:
    assert set(OFFERED) == set(FLAVOURS)
    lowered = run("code", GAME, "points", "--stage", "ir")
    assert lowered.exit_code == 0
    assert lowered.output.startswith("function d_")
    python = run("code", GAME, "points")
    assert python.output.startswith("def d_")
    told = json.loads(run("code", GAME, "points", "--json").output)
    assert told["code"][0]["text"] in python.output
    assert "define points" in run("code", GAME).output


def test_an_unknown_name_is_told_with_the_nearest() -> None:
    result = run("code", GAME, "pionts")
    assert result.exit_code == 2
    assert 'there is no rule called "pionts"; did you mean "points"?' in result.output


def test_what_is_dear_waits_until_it_matters(ruleset: Ruleset) -> None:
    """`chapter is 1 and some pieces …` went through the pieces in every chapter."""

    def asked(mask: v.Value, *body: st.Statement) -> Asked:
        fork = em.fork()
        fork.add(*body)
        return Asked(fork, mask)

    def printed(mask: v.Value) -> list[str]:
        em.give(mask)
        return source(st.Function("d", ("s",), em.body)).rstrip().split("\n")[1:]

    same = v.Choose(v.Cell(2), v.MINUS_ONE, v.ZERO)
    first, dear = v.Local("w9"), v.Call("occupied", (v.STATE, v.Cell(5)))
    em = Builder(ruleset.fast.unit)
    three = [asked(same), asked(first, st.Let(first, dear)), asked(v.Cell(7))]
    assert printed(together(em, "and", three)) == [
        "    c1 = 0", "    if s[2]:", "        w9 = occupied(s, s[5])", "        c1 = w9",
        "    return s[7] & c1",
    ]  # fmt: skip
    em = Builder(ruleset.fast.unit)
    assert printed(together(em, "or", [asked(dear), asked(same)])) == [
        "    c1 = -1", "    if not s[2]:", "        c1 = occupied(s, s[5])", "    return c1",
    ]  # fmt: skip
    em = Builder(ruleset.fast.unit)
    chosen = either(em, asked(same), asked(v.Cell(3)), asked(v.Cell(4)))
    assert printed(chosen) == ["    return s[3] if s[2] else s[4]"]


def test_how_deep_procedures_lie_in_each_other(ruleset: Ruleset) -> None:
    log = Log(secrecy_of(ruleset.program))
    flow = Flow(ruleset.fast.unit, {name: number for number, name in enumerate("abcd")}, log)
    flow.calls = {"a": {"b", "c"}, "b": {"c"}}
    assert flow.nesting() == (3, False)
    flow.calls["c"] = {"b", "d"}  # b and c may lead to themselves: only a and d are counted
    assert flow.nesting() == (2, True)
