"""The generated code of many games, in all flavours: written to a directory, or compared with one.

python tests/generated_code.py DIRECTORY                   writes it
python tests/generated_code.py DIRECTORY --compare [-v]    tells what would be written otherwise

Whoever works on the compiler without wanting other code writes it before and compares it afterwards. Layout
does not count: texts are compared as Python reads them. `--no-fuel` leaves out what counts work.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent)]

from interpreter.compiling.lower.rules import quantity_function, refusals_function  # noqa: E402
from interpreter.compiling.ruleset import Ruleset  # noqa: E402
from interpreter.playing.game import open_game  # noqa: E402
from rulesdsl.base.diagnostics import RulebookError  # noqa: E402
from tests.fuzzing.trying import numbered  # noqa: E402

PROGRAMS = range(60)  # made at random
SHIPPED = [*sorted(HERE.parent.glob("games/*")), *sorted(HERE.parent.glob("games/tutorial/*"))]
SMALL = sorted((HERE / "testdata" / "games").iterdir())


GONE = ("search_", "walk_", "labels_", "straight_", "ends_", "steps_", "best_", "pay_", "limits_", "start_",
        "SEARCH_", "charge")  # fmt: skip


class _Layout(ast.NodeTransformer):
    """What does nothing counts for nothing."""

    def __init__(self, fuel: bool) -> None:
        self.fuel = fuel

    def visit_Pass(self, node: ast.Pass) -> ast.Pass | None:
        return None

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        body = getattr(node, "body", None)
        if isinstance(body, list) and not body:
            node.body = [ast.Pass()]  # type: ignore[attr-defined]
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST | None:
        return None if node.name.startswith(GONE) else self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> ast.AST | None:
        return None if ast.unparse(node.targets[0]).startswith(GONE) else node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AugAssign | None:
        if not self.fuel and ast.unparse(node.target) == "FUEL[0]":
            return None
        return node

    def visit_If(self, node: ast.If) -> ast.AST | None:
        if not self.fuel and ast.unparse(node.test) == "FUEL[0] < 0":
            return None
        return self.generic_visit(node)


_CONSTANT = re.compile(r"\bK\d+_(\w+)")


def normal(source: str, fuel: bool = True) -> str:
    """The text without layout, constants numbered in the order in which they come up."""
    text = ast.unparse(_Layout(fuel).visit(ast.parse(source))) + "\n"
    numbers: dict[str, int] = {}
    return _CONSTANT.sub(lambda k: f"K{numbers.setdefault(k[0], len(numbers))}_{k[1]}", text)


def flavours(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    yield "full", ruleset.full.source
    explained = ruleset.full
    for quantity in ruleset.program.quantities.values():
        explained.made_on_demand(
            "x", quantity.name, lambda q=quantity: quantity_function(explained.unit, q, explained=True)
        )
    for action in ruleset.program.actions.values():
        explained.made_on_demand("why", action.name, lambda a=action: refusals_function(explained.unit, a))
    yield "fast", ruleset.fast.source
    yield "playout", ruleset.playouts.source


def texts(only: str) -> Iterator[tuple[str, str]]:
    for directory in [*SHIPPED, *SMALL]:
        if (directory / "game.yaml").exists() and directory.name.startswith(only):
            game = open_game(directory)
            for flavour, text in flavours(game.ruleset({}, game.scenario(None))):
                yield f"{directory.name}.{flavour}", text
    for number in PROGRAMS:
        if not f"program_{number}.".startswith(only):
            continue
        with tempfile.TemporaryDirectory() as place:
            try:
                game = open_game(numbered(number).write(Path(place)))
            except RulebookError:
                continue
            for flavour, text in flavours(game.ruleset({}, game.scenario(None))):
                yield f"program_{number}.{flavour}", text


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("directory", type=Path)
    parser.add_argument("--compare", action="store_true")
    parser.add_argument("--no-fuel", action="store_true")
    parser.add_argument("--only", default="", help="names that begin so")
    parser.add_argument("-v", action="store_true", dest="told")
    given = parser.parse_args()
    given.directory.mkdir(parents=True, exist_ok=True)
    differing = count = 0
    for name, text in texts(given.only):
        count += 1
        path = given.directory / f"{name}.py"
        if not given.compare:
            path.write_text(normal(text))
            continue
        before, now = normal(path.read_text(), not given.no_fuel), normal(text, not given.no_fuel)
        if before != now:
            differing += 1
            print(f"{name} differs")
            if given.told:
                lines = difflib.unified_diff(before.splitlines(), now.splitlines(), lineterm="", n=2)
                print("\n".join([*lines][:60]))
    print(f"{count} texts" + (f", {differing} differ" if given.compare else " written"))
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
