"""Imports make no cycle, not even by imports inside functions, and those inside functions say why they are.

What import-linter holds of rooms (pyproject.toml) is held here of modules. Imports for types do not run;
between rooms import-linter counts them, too.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("rulesdsl", "interpreter")


def _named(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {_named(path): path for package in PACKAGES for path in (ROOT / package).rglob("*.py")}
TREES = {name: ast.parse(path.read_text("utf-8")) for name, path in MODULES.items()}


def _imports(node: ast.AST, inside: str = "") -> Iterator[tuple[ast.Import | ast.ImportFrom, str]]:
    """Every import that runs, with the function it stands in."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            continue
        if isinstance(child, (ast.Import, ast.ImportFrom)):
            yield child, inside
        is_function = isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef))
        yield from _imports(child, child.name if is_function else inside)


def _modules_of(statement: ast.Import | ast.ImportFrom) -> Iterator[str]:
    if isinstance(statement, ast.Import):
        yield from (alias.name for alias in statement.names if alias.name in MODULES)
        return
    home = statement.module or ""
    for alias in statement.names:
        inner = f"{home}.{alias.name}"
        if inner in MODULES or home in MODULES:
            yield inner if inner in MODULES else home


def cycle(imports: dict[str, set[str]]) -> list[str]:
    """One cycle of imports, if there is any."""
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_there_is_no_cycle_of_imports_lazy_ones_counted() -> None:
    imports = {
        name: {other for statement, _ in _imports(tree) for other in _modules_of(statement) if other != name}
        for name, tree in TREES.items()
    }
    assert len(imports) > 500
    assert not cycle(imports)


def test_a_cycle_by_a_lazy_import_is_found() -> None:
    lazy = ast.parse("def f():\n    from rulesdsl.base import source\n")
    ((statement, inside),) = _imports(lazy)
    assert inside == "f"
    (there,) = _modules_of(statement)
    assert cycle({"rulesdsl.base.source": {"a"}, "a": {there}})


@pytest.mark.parametrize("package", PACKAGES)
def test_an_import_inside_a_function_says_why(package: str) -> None:
    """The command line loads a command when it is called; anybody else gives a reason beside the import."""
    silent = []
    for name, path in MODULES.items():
        if not name.startswith(package) or name.startswith("rulesdsl.cli"):
            continue
        lines, told = path.read_text("utf-8").split("\n"), set()
        for statement, function in _imports(TREES[name]):
            if not function or not list(_modules_of(statement)):
                continue
            near = lines[statement.lineno - 2 : statement.end_lineno]
            if any("# " in line for line in near):
                told.add(function)
            elif function not in told:
                silent.append(f"{name}.{function}")
    assert not silent
