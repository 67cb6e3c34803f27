"""The strict YAML loader: what is read as what, what is refused, and where the message points."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
import yaml

from rulesdsl.base.diagnostics import RulebookError
from rulesdsl.book.yaml import events as yamlevents
from tests.kit.datafiles import load, refusal


@pytest.fixture(params=["libyaml", "python"])
def _each_parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both parsers of PyYAML must give the same: not every machine has libyaml."""
    if request.param == "python":
        monkeypatch.delattr(yaml, "CSafeLoader", raising=False)
    else:
        assert hasattr(yaml, "CSafeLoader"), "libyaml is missing here, so the tests would run once only"


SCALARS: list[tuple[str, Any]] = [
    ("3", 3),
    ("-3", -3),
    ("+1", 1),
    ("0", 0),
    ("123456789012345", 123456789012345),
    ("1234567890123456", "1234567890123456"),
    ("0103", "0103"),
    ("0809", "0809"),
    ("0x1f", "0x1f"),
    ("0o17", "0o17"),
    ("1_000", "1_000"),
    ("3:1", "3:1"),
    ("1:30:00", "1:30:00"),
    ("1944-12-16", "1944-12-16"),
    ("0.5", Fraction(1, 2)),
    ("-1.25", Fraction(-5, 4)),
    ("0.1", Fraction(1, 10)),
    ("1e5", "1e5"),
    (".5", ".5"),
    ("1.", "1."),
    (".inf", ".inf"),
    (".nan", ".nan"),
    ("true", True),
    ("false", False),
    ("True", "True"),
    ("yes", "yes"),
    ("no", "no"),
    ("NO", "NO"),
    ("on", "on"),
    ("off", "off"),
    ("y", "y"),
    ("null", None),
    ("~", None),
    ("", None),
    ("Null", "Null"),
    ('"3"', "3"),
    ("'true'", "true"),
    ('"null"', "null"),
    ('""', ""),
    ("=", "="),
    ("1/2", "1/2"),
    ("A2D1R", "A2D1R"),
    ("Küstrin", "Küstrin"),
    ('"\\u00fc"', "ü"),
]


@pytest.mark.usefixtures("_each_parser")
@pytest.mark.parametrize(("written", "meant"), SCALARS)
def test_a_scalar_means_what_it_looks_like(written: str, meant: Any) -> None:
    value = load(f"a: {written}\n").value
    assert value == {"a": meant}
    assert isinstance(value, dict)
    assert type(value["a"]) is type(meant)


@pytest.mark.parametrize("written", ["1", "0103", "true", "3:1", "no", "1.50", "~", "2.10"])
def test_a_key_is_the_text_that_was_written(written: str) -> None:
    assert load(f"{written}: x\n").value == {written: "x"}


def test_the_text_as_written_can_be_had() -> None:
    doc = load('a: [1.50, +1, "q", 007]\n')
    assert [doc.raw(("a", index)) for index in range(4)] == ["1.50", "+1", "q", "007"]


REFUSED = [
    ("a: 1\nb: 2\na: 3\n", "yaml-duplicate-key", 3, 1),
    ('{a: 1, "a": 2}', "yaml-duplicate-key", 1, 8),
    ("1: x\n'1': y\n", "yaml-duplicate-key", 2, 1),
    ("a: &x 1\n", "yaml-anchor", 1, 4),
    ("a: &x [1]\n", "yaml-anchor", 1, 4),
    ("a: *x\n", "yaml-alias", 1, 4),
    ("*x : 1\n", "yaml-alias", 1, 1),
    ("a: !!int 3\n", "yaml-tag", 1, 4),
    ("a: !!python/object:os.system x\n", "yaml-tag", 1, 4),
    ("a: ! x\n", "yaml-tag", 1, 4),
    ("a: !mine {b: 1}\n", "yaml-tag", 1, 4),
    ("a: 1\n<<: {b: 2}\n", "yaml-merge-key", 2, 1),
    ("a: 1\n---\nb: 2\n", "yaml-several-documents", 2, 1),
    ("[a, b]: c\n", "yaml-key", 1, 1),
    ("{a: b}: c\n", "yaml-key", 1, 1),
    ("a: 1\n? [x]\n: y\n", "yaml-key", 2, 3),
    ("? \n: x\n", "yaml-key", 1, 2),
    ("", "yaml-empty", 1, 1),
    ("# only a comment\n", "yaml-empty", 1, 1),
    ("---", "yaml-empty", 1, 1),
    ('a: "\\0"\n', "yaml-character", 1, 4),
    ('a: "\\u202e"\n', "yaml-character", 1, 4),
    ("a: \u202ex\n", "file-character", 1, 4),
    ("a: b\rc: d\n", "file-character", 1, 5),
    ("a: \x85b\n", "file-character", 1, 4),
    ("a: \u2028b\n", "file-character", 1, 4),
    ("a: \ud800\n", "file-character", 1, 4),
    ("a:\n  b: [1, 2\n  c: 3\n", "yaml-syntax", 2, 6),
    ("a:\n  b: {c: 1\n", "yaml-syntax", 2, 6),
    ('a: 1\nb: "open\n\n\n', "yaml-syntax", 2, 4),
    ("a: 1\n\tb: 2\n", "yaml-syntax", 2, 1),
    ("a: 1\nb: c: d\n", "yaml-syntax", 2, 5),
    ("a: @x\n", "yaml-syntax", 1, 4),
    ("a: [1]]\n", "yaml-syntax", 1, 7),
    ('a: "b" c\n', "yaml-syntax", 1, 8),
    ("a:\n  b: 1\n c: 2\n", "yaml-syntax", 3, 2),
    ("- a\nb: 1\n", "yaml-syntax", 2, 1),
    ("a: - b\n", "yaml-syntax", 1, 4),
    ("a: [,]\n", "yaml-syntax", 1, 5),
    # Mistakes that the parser notices only later.
    ('a: "open\nb: "shut"\n', "yaml-syntax", 1, 4),
    ("a: 1\nb: {c: 1, d:\n", "yaml-syntax", 2, 4),
    ("a: [1,\n\n# end\n", "yaml-syntax", 1, 4),
    ("combat\ntitle: x\n", "yaml-syntax", 1, 1),
    ("a: 1\nb\n# c\nd: 2\n", "yaml-syntax", 2, 1),
    ("{1: a, 2, 3: b}", "yaml-no-value", 1, 8),
    ("{1: a, 2: , 3: b}", "yaml-no-value", 1, 8),
]


@pytest.mark.usefixtures("_each_parser")
@pytest.mark.parametrize(("text", "code", "line", "column"), REFUSED)
def test_a_trap_is_refused_at_its_place(text: str, code: str, line: int, column: int) -> None:
    assert refusal(text) == [(code, line, column)]


def test_a_message_is_in_our_words() -> None:
    for text, code, _, _ in REFUSED:
        with pytest.raises(RulebookError) as caught:
            load(text)
        (problem,) = caught.value.problems
        assert problem.message[0].islower() or problem.message[0] == '"', problem.message
        assert not problem.message.endswith(".")
        assert "token" not in problem.message
        assert "scalar" not in problem.message
        assert code == problem.code


def test_several_mistakes_are_reported_together() -> None:
    text = "a: &x 1\nb: *x\na: 2\nc: !!str 3\n"
    assert [code for code, _, _ in refusal(text)] == [
        "yaml-anchor",
        "yaml-alias",
        "yaml-duplicate-key",
        "yaml-tag",
    ]


def test_a_duplicate_shows_both_places() -> None:
    with pytest.raises(RulebookError) as caught:
        load("a: 1\nb: 2\na: 3\n")
    ((_, first),) = caught.value.problems[0].also
    assert (first.line, first.column) == (1, 1)


SPANS: list[tuple[tuple[str | int, ...], bool, tuple[int, int, int, int]]] = [
    ((), False, (1, 1, 6, 12)),
    (("a",), True, (1, 1, 1, 2)),
    (("a",), False, (1, 4, 1, 15)),
    (("a", "b"), True, (1, 5, 1, 6)),
    (("a", "b", 1), False, (1, 12, 1, 13)),
    (("ü",), False, (3, 1, 4, 8)),
    (("ü", 1), False, (4, 5, 4, 8)),
    (("t",), False, (5, 4, 6, 12)),
    # What does not exist is shown where it would belong.
    (("a", "missing"), False, (1, 4, 1, 15)),
    (("a", "missing", 7), True, (1, 4, 1, 15)),
    (("ü", 9), False, (3, 1, 4, 8)),
]


@pytest.mark.usefixtures("_each_parser")
@pytest.mark.parametrize(("path", "key", "place"), SPANS)
def test_everything_has_a_place(
    path: tuple[str | int, ...], key: bool, place: tuple[int, int, int, int]
) -> None:
    doc = load("a: {b: [1, 2]}\nü:\n- x\n-   'y'\nt: some\n   longtext\n")
    span = doc.span(path, key=key)
    assert (span.line, span.column, span.end_line, span.end_column) == place


def test_the_python_parser_is_there_when_libyaml_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(yaml, "CSafeLoader")
    assert [type(event).__name__ for event in yamlevents._events("a")][:2] == [
        "StreamStartEvent",
        "DocumentStartEvent",
    ]
    assert refusal("[" * 25_000) == [("yaml-too-deep", 1, 33)]
