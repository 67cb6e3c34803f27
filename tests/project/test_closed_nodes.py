"""Every node stands in a closed union, so that mypy can list what a new one still needs."""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import Any, get_args

import pytest

from interpreter.compiling.emit import text
from interpreter.compiling.emit.native import inference
from interpreter.compiling.emit.native import values as native_values
from interpreter.compiling.ir import closed as ir
from interpreter.compiling.ir import statements as st
from interpreter.compiling.ir import values as v
from interpreter.compiling.optimise import fuel
from rulesdsl import program as pg
from rulesdsl.language import syntax as sx
from rulesdsl.language.syntax import amendments as ax

ROOT = Path(__file__).parents[2]
FAMILIES = [
    (sx.Expr, sx.AnyExpr), (sx.Tail, sx.AnyTail), (sx.Stmt, sx.AnyStmt), (sx.Rule, sx.AnyRule),
    (ax.Amend, ax.AnyAmend), (pg.E, pg.AnyE), (pg.S, pg.AnyS),
    (v.Value, ir.AnyValue), (st.Statement, ir.AnyStatement),
]  # fmt: skip


def _kinds(base: type) -> set[type]:
    """Those of the package: some tests make nodes of their own, and a class with slots is made in the place
    of one that may still lie about."""
    made = {
        kind
        for kind in base.__subclasses__()
        if kind.__module__.startswith(("rulesdsl.", "interpreter."))
        and getattr(sys.modules[kind.__module__], kind.__name__) is kind
    }
    return made | {inner for kind in made for inner in _kinds(kind)}


@pytest.mark.parametrize(("base", "union"), FAMILIES, ids=[base.__name__ for base, _ in FAMILIES])
def test_a_union_names_every_kind_of_its_family(base: type, union: Any) -> None:
    assert set(get_args(union)) == _kinds(base)


def test_a_description_is_any_expression_or_what_only_stands_after_is() -> None:
    assert set(get_args(sx.AnyDescription)) - set(get_args(sx.AnyExpr)) == set(get_args(sx.Description)) - {
        sx.Expr
    }


def test_tables_over_nodes_have_a_row_for_each() -> None:
    """What is looked up by the kind of a node instead of matched; arms and rows of `if` are not looked up."""
    values, statements = set(get_args(ir.AnyValue)), set(get_args(ir.AnyStatement))
    assert set(text._VALUES) == values
    assert set(inference._TYPES) | set(native_values._TEXTS) <= values
    assert set(text._SIMPLE) | set(text._SEVERAL) | {st.Arm} == statements
    assert set(fuel._OWN_WORDS) | {st.If} == statements


def test_no_match_over_nodes_gives_up_by_hand() -> None:
    """`raise AssertionError` behind a match tells nobody what is missing before a game stands still."""
    found = []
    for package in ("rulesdsl", "interpreter"):
        for path in (ROOT / package).rglob("*.py"):
            written = path.read_text("utf-8")
            for node in ast.walk(ast.parse(written)) if "AssertionError" in written else ():
                if isinstance(node, ast.Match):
                    last = node.cases[-1].body[-1]
                    if isinstance(last, ast.Raise) and "AssertionError" in ast.unparse(last):
                        found.append(path.relative_to(ROOT).as_posix())
    # what is printed on a piece is asked of a few kinds of expression only (is_printed says which)
    assert found == ["interpreter/compiling/optimise/constants.py"]


NODES = ("pg.", "sx.", "ax.", "v.", "st.")  # how the modules of nodes are called wherever they are used
MOST_IN_A_ROW = 6


def test_nodes_with_many_fields_are_made_by_name() -> None:
    """Seven values in a row tell nobody which is which."""
    found = []
    for package in ("rulesdsl", "interpreter"):
        for path in (ROOT / package).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.Call) and len(node.args) > MOST_IN_A_ROW:
                    called = ast.unparse(node.func)
                    if called.startswith(NODES) or called in ("World", "Attribute", "Track", "Site"):
                        found.append(f"{path.relative_to(ROOT).as_posix()}: {called}")
    assert not found
