"""ARCHITECTURE.md is a map: every room stands on it, and it leads newcomers to what they look for."""

from __future__ import annotations

import ast
import pkgutil
import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
MAP = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
ROWS = {m[1]: m[0] for m in re.finditer(r"^\| `((?:rulesdsl|interpreter|benchmarks)/[\w/]*)`.*$", MAP, re.M)}
QUESTIONS = yaml.safe_load((ROOT / "tests/testdata/newcomers.yaml").read_text(encoding="utf-8"))


def row_of(folder: str) -> str:
    """The row of the map for a folder: its own, or that of the room around it when that names the folder."""
    parts = folder.split("/")
    for size in range(len(parts), 1, -1):
        row = ROWS.get("/".join(parts[:size]) + "/")
        if row and all(f"{inner}/" in row for inner in parts[size : size + 1]):
            return row
    return ""


@pytest.mark.parametrize("package", ["rulesdsl", "interpreter"])
def test_every_folder_with_modules_is_on_the_map(package: str) -> None:
    folders = {path.parent.relative_to(ROOT).as_posix() for path in (ROOT / package).rglob("*.py")}
    kept = {
        "rulesdsl/language",
        "rulesdsl/cli/play",
        "interpreter/asking/odds",
    }  # said with the room around them
    lost = {f for f in folders if f.count("/") and "template" not in f and not row_of(f)} - kept
    assert not lost


def test_every_row_leads_somewhere() -> None:
    assert ROWS
    for folder in ROWS:
        assert (ROOT / folder).is_dir(), folder


def test_modules_named_on_the_map_exist() -> None:
    for path in re.findall(r"`((?:rulesdsl|interpreter|tests|benchmarks)/[\w/]+\.py)`", MAP):
        assert (ROOT / path).is_file(), path


def test_there_are_twenty_questions() -> None:
    assert len({asked["question"] for asked in QUESTIONS}) == 20


@pytest.mark.parametrize("asked", QUESTIONS, ids=lambda asked: asked["question"])
def test_a_newcomer_finds(asked: dict[str, object]) -> None:
    path = ROOT / str(asked["file"])
    head = (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").split("\n\n")[0]
    row = row_of(path.parent.relative_to(ROOT).as_posix())
    assert row
    seen = " ".join(f"{row} {asked['file']} {head}".replace("_", " ").lower().split())
    missing = [word for word in asked["words"] if word.lower() not in seen]  # type: ignore[attr-defined]
    assert not missing, f"{missing} not in: {seen}"


def test_every_module_says_what_it_is() -> None:
    for package in ("rulesdsl", "interpreter"):
        for path in (ROOT / package).rglob("*.py"):
            assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))), path


LONG = 400  # lines
SAYS_WHY = re.compile(r"\b(?:Long because|One file)\b")


def test_long_files_say_why_they_are_one() -> None:
    """One subject a file; what has many lines tells in its head what holds them together."""
    long = []
    for package in ("rulesdsl", "interpreter"):
        for path in (ROOT / package).rglob("*"):
            if path.suffix not in (".py", ".js", ".h") or {"bundle", "_data"} & set(path.parts):
                continue
            lines = path.read_text(encoding="utf-8").split("\n")
            if len(lines) > LONG:
                long.append(path)
                assert SAYS_WHY.search("\n".join(lines[:25])), path
    assert long


DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md", *ROOT.glob("docs/*.md")]


@pytest.mark.parametrize("page", DOCUMENTS, ids=lambda page: page.name)
def test_modules_named_in_the_documents_exist(page: Path) -> None:
    """`interpreter.keeping.journal.Journal`: the module is there, and has that name."""
    said = page.read_text(encoding="utf-8")
    for name in set(re.findall(r"`((?:interpreter|rulesdsl)\.[\w.]+)`", said)):
        if not name.endswith(".vsix"):  # a file that is made
            assert pkgutil.resolve_name(name) is not None
