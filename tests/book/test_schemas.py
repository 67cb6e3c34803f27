"""Mistakes in the files of a game: the right message, at the right line, once.

The cases are files: `tests/testdata/yaml_bad/<kind>.txt` holds small documents separated by `====`.
A line that is wrong says so in a comment, `##! code: message | help` (help may be left out); what is
reported must be exactly what is announced. `tests/testdata/yaml/` must load without any problem.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from rulesdsl.base.source import SourceFile
from rulesdsl.base.textfile import read_source
from rulesdsl.book.yaml import schema
from rulesdsl.book.yaml.file import load_yaml
from tests.kit.datafiles import BUILDERS

TESTDATA = Path(__file__).parents[1] / "testdata"
SCHEMA_FILES = sorted((Path(__file__).parents[2] / "grammar" / "schema").glob("*.json"))


def chunks() -> list[Any]:
    found = []
    for kind in BUILDERS:
        text = (TESTDATA / "yaml_bad" / f"{kind}.txt").read_text("utf-8")
        for number, chunk in enumerate(text.split("====\n"), 1):
            found.append(pytest.param(kind, chunk, id=f"{kind}-{number}"))
    return found


@pytest.mark.parametrize(("kind", "chunk"), chunks())
def test_a_bad_file_gets_exactly_the_announced_messages(kind: str, chunk: str) -> None:
    path = TESTDATA / "yaml_bad" / f"{kind}.yaml"
    expected = [
        (line, *re.fullmatch(r"(\S+): (.*?)(?: \| (.*))?", note.strip()).groups())  # type: ignore[union-attr]
        for line, text in enumerate(chunk.split("\n"), 1)
        for note in text.split("##!")[1:]
    ]
    assert expected, "a chunk without an announced message tests nothing"
    _, problems = BUILDERS[kind](load_yaml(SourceFile(path, chunk)))
    helps = {(line, code, message): wanted for line, code, message, wanted in expected}
    assert sorted((p.span.line, p.code, p.message) for p in problems) == sorted(e[:3] for e in expected)
    for problem in problems:
        wanted = helps[problem.span.line, problem.code, problem.message]
        assert wanted is None or problem.help == wanted


GRID = "kind: squares\nclass: c\ncolumns: 2\nrows: 1\n"
TABLE = "table: t\nrows: {key: die}\nresult: {kind: codes, codes: {A: number}}\n"
CARETS = [
    ("map", "kind: areas\nspaces: {zone: []}\nborder: []\n", "border"),
    ("map", "kind: areas\nspaces: {zone: [{id: UP}]}\n", "UP"),
    ("map", GRID + "legend: {'.': {}}\nterrain: ['.x']\n", "x"),
    ("map", GRID + 'sides: [{attribute: river, between: "a1/b1  a1/z9"}]\n', "a1/z9"),
    ("map", "kind: areas\nspaces: {zone: [{id: a}]}\nborders: [{between: [a, bb]}]\n", "bb"),
    ("table", TABLE + 'cells: {1: "A2 XY"}\n', "XY"),
    ("table", TABLE + "cells: {'1': A, three: A}\n", "three"),
    ("table", TABLE + "cells: {1: A, 1-2: A}\n", "1-2"),
    ("scenario", "scenario: s\nsetup: {a: [p, qq], b: [qq]}\n", "qq"),
]


@pytest.mark.parametrize(("kind", "text", "words"), CARETS)
def test_the_caret_stands_under_the_words_in_question(kind: str, text: str, words: str) -> None:
    _, problems = BUILDERS[kind](load_yaml(SourceFile(TESTDATA / "none.yaml", text)))
    (span,) = [problem.span for problem in problems]
    assert span.file.line(span.line)[span.column - 1 :][: span.width] == words
    assert span.line == text.count("\n")


@pytest.mark.parametrize("path", sorted((TESTDATA / "yaml").glob("*.yaml")), ids=lambda path: path.stem)
def test_a_good_file_has_no_problem(path: Path) -> None:
    built, problems = BUILDERS[path.stem.split("_")[0]](load_yaml(read_source(path, 100_000)))
    assert problems == []
    assert built is not None


@pytest.mark.parametrize("path", SCHEMA_FILES, ids=lambda path: path.stem)
def test_a_schema_is_valid_json_schema(path: Path) -> None:
    from jsonschema import Draft202012Validator

    Draft202012Validator.check_schema(json.loads(path.read_text("utf-8")))


@pytest.mark.parametrize("path", SCHEMA_FILES, ids=lambda path: path.stem)
def test_a_schema_uses_only_keywords_that_have_a_message(path: Path) -> None:
    structure = {
        "properties",
        "items",
        "propertyNames",
        "allOf",
        "if",
        "then",
        "else",
        "$ref",
        "$defs",
        "$schema",
    }
    annotations = {"title", "x-expects", "x-says", "x-help", "x-example", "x-beside"}
    known = structure | annotations | set(schema._TRANSLATIONS)
    assert _keywords(json.loads(path.read_text("utf-8"))) <= known


def test_jsonschema_is_imported_only_when_a_file_is_checked() -> None:
    import subprocess
    import sys

    code = (
        "import sys\n"
        "from rulesdsl.book import game_file, scenario\n"
        "from rulesdsl.book.map import game_map\n"
        "from rulesdsl.book.tables import table\n"
        "sys.exit(any(name in sys.modules for name in ('jsonschema', 'networkx')))"
    )
    root = Path(__file__).parents[2]
    assert subprocess.run([sys.executable, "-c", code], cwd=root, check=False).returncode == 0


def _keywords(part: Any) -> set[str]:
    """The keywords of a schema; names of properties and definitions are not keywords."""
    if not isinstance(part, dict):
        return set()
    found = set(part)
    for keyword, value in part.items():
        if keyword in ("properties", "$defs"):
            found |= set().union(*map(_keywords, value.values()))
        elif keyword == "allOf":
            found |= set().union(*map(_keywords, value))
        else:
            found |= _keywords(value)
    return found
