"""YAML that would fill the memory, overflow the stack or take for ever is refused at once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.datafiles import load, refusal
from tests.kit.patience import without_hanging

DEEP = ["[" * 25_000, "{a: " * 25_000, "- " * 25_000, "[\n" * 25_000, "[" * 1_000_000]
WIDE = [
    "a: [" + "1," * 900_000 + "]",
    "\n".join(f"k{number}: 1" for number in range(150_000)),
    "{" + ",".join(f"a{number}" for number in range(190_000)) + "}",
]
LAUGHS = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join(['*' + before] * 9)}]\n"
    for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)
BOMBS = [
    *((text, "yaml-too-deep") for text in DEEP),
    *((text, "yaml-too-many") for text in WIDE),
    ("? " * 25_000, "yaml-key"),
    ("[{" * 25_000, "yaml-key"),
    (LAUGHS, "yaml-anchor"),
    ("a: 1\n" * 90_000, "yaml-duplicate-key"),
    ("--- a\n" * 200_000, "yaml-several-documents"),
    ('a: "' + "x\n" * 900_000, "yaml-syntax"),
    ("x" * 1_900_000 + ": 1", "yaml-syntax"),
    ("a: [" + ",".join(f"&a{number} 1" for number in range(100_000)) + "]", "yaml-anchor"),
    ("\x00" * 1_000_000, "file-character"),
]


@pytest.mark.parametrize(("text", "code"), BOMBS, ids=[f"{text[:8]!r}x{len(text)}" for text, _ in BOMBS])
def test_a_bomb_is_refused_at_once(text: str, code: str) -> None:
    codes = [found for found, _, _ in without_hanging(lambda: refusal(text), text)]
    assert code in codes
    assert len(codes) <= 50


def test_a_deep_bomb_does_not_crash_the_interpreter() -> None:
    # In a process of its own: PyYAML's own loader ends this test with a segmentation fault.
    code = (
        "from pathlib import Path\n"
        "from rulesdsl.base.source import SourceFile\n"
        "from rulesdsl.book.yaml.file import load_yaml\n"
        "from rulesdsl.base.diagnostics import RulebookError\n"
        "try: load_yaml(SourceFile(Path('x'), '[' * 25000 + ']' * 25000))\n"
        "except RulebookError as error: print(error.problems[0].code)"
    )
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout == "yaml-too-deep\n"


def test_long_numbers_stay_text() -> None:
    assert load(f"a: {'9' * 5000}\nb: 0.{'1' * 5000}\n").value == {"a": "9" * 5000, "b": "0." + "1" * 5000}


def test_limits_are_limits_and_not_less() -> None:
    assert load("[[[1]]]", yaml_depth=3).value == [[[1]]]
    assert refusal("[[[[1]]]]", yaml_depth=3) == [("yaml-too-deep", 1, 4)]
    assert load("[1, 2, 3]", yaml_nodes=4).value == [1, 2, 3]
    assert refusal("[1, 2, 3, 4]", yaml_nodes=4) == [("yaml-too-many", 1, 11)]
