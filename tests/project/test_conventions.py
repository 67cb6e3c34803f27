"""Names with a meaning for the engine stand in one place, `rulesdsl/language/conventions.py`."""

from __future__ import annotations

import ast
from pathlib import Path

from rulesdsl.language import conventions

ROOT = Path(__file__).parents[2]
NAMES = {name: value for name, value in vars(conventions).items() if name.isupper()}
# words that mean something else, too: keys of JSON, words of a command, English
_COMMON = {"game", "turn", "value", "score", "round", "cancelled"}
SPELT_ONCE = set(NAMES.values()) - _COMMON


def test_nobody_declares_such_a_name_again_or_spells_it() -> None:
    assert len(NAMES) >= 10
    found = []
    for package in ("rulesdsl", "interpreter"):
        for path in (ROOT / package).rglob("*.py"):
            if path == Path(conventions.__file__):
                continue
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                match node:
                    case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=value)):
                        again = name in NAMES and NAMES[name] == value
                    case ast.Call(func=ast.Attribute(attr="begin"), args=[ast.Constant(value=value), *_]):
                        again = value == conventions.MAIN
                    case ast.Constant(value=str() as value):
                        again = value in SPELT_ONCE
                    case _:
                        continue
                if again:
                    found.append(f"{path.relative_to(ROOT).as_posix()}: {value!r}")
    assert not found
