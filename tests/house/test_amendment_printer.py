"""Statements of house rules, printed and read again: the same tree; and mistakes never crash the reader."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from rulesdsl.base.source import SourceFile
from rulesdsl.house.applying import apply_house_files
from rulesdsl.language import syntax as sx
from rulesdsl.language.parsing.parser import parse_amendment
from rulesdsl.language.printing.amendments import print_amendment
from rulesdsl.language.syntax import amendments as ax
from tests.kit import rule_strategies
from tests.kit.house_rules import files, printed

words = st.sampled_from(["hill", "no", "g606", "true", "table", "x", "strength"])
things = st.sampled_from(["hill", "0101", "hex 0512", "1gta_1", "table", "border", "the mill", "option"])
texts = st.text(st.sampled_from("abc äß–'#:() 1+<="), max_size=8)
whole = st.integers(0, 99).map(lambda n: sx.Number(Fraction(n)))
signed = whole | st.integers(1, 9).map(lambda n: sx.Negative(sx.Number(Fraction(n))))
fractions = st.builds(lambda above, below: sx.Arithmetic("/", above, below), signed, whole)
ratios = st.builds(lambda a, b: sx.Number(Fraction(a, b), True), st.integers(1, 9), st.integers(1, 9))
numbered = st.builds(sx.Numbered, st.sampled_from(["hex", "no"]), st.sampled_from(["7", "0512"]))
values = st.one_of(signed, fractions, ratios, words.map(sx.Name), texts.map(sx.Text), numbered)
several = st.lists(values, min_size=1, max_size=3).map(tuple)
keys = st.one_of(
    st.integers(-9, 99).map(str),
    st.builds(lambda a, b: f"{a} to {b}", st.integers(-9, 9), st.integers(-9, 9)),
    st.sampled_from(["3:1", "woods", "any", "no", "10+", "<=0", "1-4"]),
).map(ax.CellKey)
lines = st.one_of(rule_strategies.contributions, rule_strategies.permissions())
names = st.sampled_from(["combat", "x", "activations"])
amendments = st.one_of(
    st.builds(
        ax.SetCell, names, st.lists(keys, min_size=1, max_size=3).map(tuple), st.none() | names, values
    ),
    st.builds(ax.SetValue, things, names, st.none() | st.integers(1, 4), several),
    st.builds(ax.SetValue, things, names, st.none(), several, names),
    st.builds(ax.SetBorder, things, things, names, several),
    st.builds(ax.SetSetting, st.sampled_from(["parameter", "reading", "option"]), names, values),
    st.builds(ax.Repeal, texts, st.just(True)),
    st.builds(ax.Repeal, names, st.just(False)),
    st.builds(
        ax.RepealBegun,
        st.sampled_from(
            ["forbid march", "must before rest", 'stop march when x is y "a label"', "after unit"]
        ),
    ),
    st.builds(ax.Repeal, st.builds("{}.{}".format, names, names), st.just(False)),
)


def read(text: str) -> ax.Amend | None:
    node, problems = parse_amendment(text, SourceFile(Path("a.md"), text), 1)
    assert (node is None) == bool(problems)
    return node


@given(amendments)
@settings(max_examples=300, deadline=None)
def test_what_is_printed_is_read_again(node: ax.Amend) -> None:
    assert read(print_amendment(node)) == node


@given(texts, lines)
@settings(max_examples=60, deadline=None)
def test_replaced_lines_are_read_again(label: str, line: sx.Contribution | sx.Permission) -> None:
    node = ax.Replace(label, line)
    assert read(print_amendment(node)) == node


PARTS = st.sampled_from(
    [
        "# T",
        "## amends 4.1",
        "## repeals 4.2",
        "## after 3.1 → 3.3 X",
        "## replaces 3.2 Y",
        "```rules",
        "```",
        "```example",
        "set r1.strength = 5",
        "set table effort[3] = 1",
        'repeal "woods"',
        'replace "walls": -1',
        "requires: b",
        "## ",
        "x",
        "expect:",
        "    red is red",
        "define steady(unit) = true",
        "modify fight.die",
        '    +1 "late"',
        "set",
        "\x00",
        "## amends",
    ]
)


@given(st.lists(PARTS, max_size=14), st.lists(PARTS, max_size=8))
@settings(max_examples=150, deadline=None)
def test_any_document_is_applied_or_refused(one: list[str], other: list[str]) -> None:
    source, problems = apply_house_files(printed(), files("\n".join(one), "\n".join(other)))
    wrong = [p for p in problems if p.severity == "error"]
    assert (source is printed()) == bool(wrong)
    for problem in wrong:
        assert problem.span.file.shown in ("a.md", "b.md")
        assert 1 <= problem.span.line <= 20
