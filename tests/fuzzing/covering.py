"""What generated programs reach: the nodes of a program, and the lines of checker and compiler.

python -m tests.fuzzing.covering 400     counts both over 400 programs
"""

from __future__ import annotations

import inspect
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from rulesdsl import program as pg
from rulesdsl.language import syntax as sx
from rulesdsl.program.types import Type
from rulesdsl.program.world import Attribute, World
from tests.fuzzing.trials import opened
from tests.fuzzing.trying import Found, numbered, tried

_ROOT = Path(__file__).parents[2]
WATCHED = ("rulesdsl/checking", "rulesdsl/house", "interpreter/compiling", "interpreter/secrecy")


# ---- nodes -------------------------------------------------------------------------------------------
def node_classes() -> list[str]:
    """Every sort of node a program may hold."""
    found = [
        cls for cls in vars(pg).values()
        if inspect.isclass(cls) and is_dataclass(cls) and cls not in (pg.E, pg.S, pg.Program, pg.Var)
    ]  # fmt: skip
    return sorted({cls.__name__ for cls in found})


def nodes_in(value: object) -> Iterator[str]:
    """The sorts of all nodes inside a program or a part of one."""
    if isinstance(value, (sx.Node, Type, Attribute, World, pg.Var)):
        return
    if isinstance(value, (tuple, list)):
        for part in value:
            yield from nodes_in(part)
    elif isinstance(value, dict):
        for part in value.values():
            yield from nodes_in(part)
    elif is_dataclass(value) and type(value).__module__.startswith("rulesdsl.program"):
        yield type(value).__name__
        for spec in fields(value):
            yield from nodes_in(getattr(value, spec.name))


def node_counts(numbers: Iterable[int]) -> Counter[str]:
    """How many of the programs with these numbers hold each sort of node."""
    found: Counter[str] = Counter()
    for number in numbers:
        with tempfile.TemporaryDirectory() as place:
            game = opened(numbered(number).write(Path(place)))
        if game is not None:
            found.update(set(nodes_in(game.program)))
    return found


# ---- lines -------------------------------------------------------------------------------------------
class Lines:
    """Which lines of the watched rooms run (`sys.settrace`, or `sys.monitoring` where there is one)."""

    def __init__(self) -> None:
        self.seen: set[tuple[str, int]] = set()
        self._ours: dict[str, bool] = {}

    def _watches(self, name: str) -> bool:
        if name not in self._ours:
            self._ours[name] = any(str(_ROOT / room) in name for room in WATCHED)
        return self._ours[name]

    def __enter__(self) -> Lines:
        monitoring: Any = getattr(sys, "monitoring", None)
        if monitoring is None:
            sys.settrace(self._called)
            return self
        monitoring.use_tool_id(monitoring.COVERAGE_ID, "fuzzing")
        monitoring.register_callback(monitoring.COVERAGE_ID, monitoring.events.LINE, self._line)
        monitoring.set_events(monitoring.COVERAGE_ID, monitoring.events.LINE)
        return self

    def __exit__(self, *_: object) -> None:
        monitoring: Any = getattr(sys, "monitoring", None)
        if monitoring is None:
            sys.settrace(None)
        else:
            monitoring.set_events(monitoring.COVERAGE_ID, 0)
            monitoring.free_tool_id(monitoring.COVERAGE_ID)

    def _line(self, code: CodeType, line: int) -> Any:
        if self._watches(code.co_filename):
            self.seen.add((code.co_filename, line))
        return sys.monitoring.DISABLE  # type: ignore[attr-defined, unused-ignore]  # (each line once)

    def _called(self, frame: FrameType, event: str, argument: Any) -> Any:
        return self._traced if self._watches(frame.f_code.co_filename) else None

    def _traced(self, frame: FrameType, event: str, argument: Any) -> Any:
        if event == "line":
            self.seen.add((frame.f_code.co_filename, frame.f_lineno))
        return self._traced

    def report(self) -> dict[str, tuple[int, int, list[int]]]:
        """For each file: lines that ran, lines of functions there are, and those that did not run."""
        found: dict[str, tuple[int, int, list[int]]] = {}
        for room in WATCHED:
            for path in sorted((_ROOT / room).rglob("*.py")):
                lines = _lines_of(compile(path.read_text(encoding="utf-8"), str(path), "exec"), inside=False)
                missed = sorted(line for line in lines if (str(path), line) not in self.seen)
                found[str(path.relative_to(_ROOT))] = len(lines) - len(missed), len(lines), missed
        return found


def _lines_of(code: CodeType, inside: bool) -> set[int]:
    """The lines of functions: what runs at import is no matter of programs."""
    found = (
        {line for _, _, line in code.co_lines() if line is not None and line != code.co_firstlineno}
        if inside
        else set()
    )
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            is_class = "__qualname__" in constant.co_names and not constant.co_varnames
            found |= _lines_of(constant, inside=not is_class)
    return found


def line_report(numbers: Iterable[int]) -> dict[str, tuple[int, int, list[int]]]:
    with Lines() as lines:
        for number in numbers:
            try:
                tried(number)
            except Found as found:
                print(number, found, file=sys.stderr)
    return lines.report()


def main(arguments: list[str]) -> None:
    numbers = range(int(arguments[0]) if arguments else 200)
    counts = node_counts(numbers)
    for name in node_classes():
        print(f"{counts[name]:>6} {name}")
    report = line_report(numbers)
    for room in WATCHED:
        ran = sum(one[0] for name, one in report.items() if name.startswith(room))
        every = sum(one[1] for name, one in report.items() if name.startswith(room))
        print(f"{room}: {ran} of {every} lines, {100 * ran / every:.1f} %")
    for name, (ran, every, missed) in report.items():
        print(f"{100 * ran / max(1, every):6.1f} % {name}: {', '.join(map(str, missed))}")


if __name__ == "__main__":
    main(sys.argv[1:])
