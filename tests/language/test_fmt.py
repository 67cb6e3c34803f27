"""The printer and `fmt`: reading what was printed gives the same tree; nothing an author wrote is lost."""

from __future__ import annotations

import inspect
import random
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulesdsl.base.source import SourceFile
from rulesdsl.cli import group
from rulesdsl.language import syntax as sx
from rulesdsl.language.parsing.parser import parse_chapter, parse_example, parse_rule
from rulesdsl.language.printing.formatter import format_chapter
from rulesdsl.language.printing.modern import modern
from rulesdsl.language.printing.printer import print_example, print_rule
from tests.kit import rule_strategies
from tests.kit import strategies as trees

ROOT = Path(__file__).parents[2]
CHAPTERS = sorted(path for top in ("games", "tests/testdata", "docs") for path in (ROOT / top).rglob("*.md"))
quickly = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


def source(text: str) -> SourceFile:
    return SourceFile(Path("chapter.md"), text)


def in_fence(text: str, kind: str = "rules") -> str:
    return f"# Title\n\n## 1 A  paragraph\nSome   prose.\n\n```{kind}\n{text}\n```\n"


def formatted(text: str, kind: str = "rules") -> str:
    """What becomes of a block, and that formatting it again changes nothing."""
    once = format_chapter(source(in_fence(text, kind)))
    assert format_chapter(source(once)) == once
    head, tail = in_fence("\n", kind).split("\n\n\n")[0], "\n```\n"
    assert once.startswith(head)
    assert once.endswith(tail)
    return once[len(head) : -len(tail)].strip("\n")


# ---- the printer -------------------------------------------------------------------------------------
@pytest.mark.parametrize("number", range(len(rule_strategies.RULES)))
def test_rules_read_the_same(number: int) -> None:
    read_back(rule_strategies.RULES[number])


@pytest.mark.parametrize("number", range(len(trees.STATEMENTS)))
def test_statements_read_the_same(number: int) -> None:
    read_back(trees.STATEMENTS[number].map(lambda stmt: sx.Procedure("procedure", "a", (), None, (stmt,))))


@pytest.mark.parametrize("number", range(len(trees.EXPRESSIONS)))
def test_expressions_read_the_same(number: int) -> None:
    read_back(trees.EXPRESSIONS[number].map(lambda expr: sx.Define("a", (), (sx.Case(expr, expr),))))


def read_back(strategy: trees.Strategy) -> None:
    @settings(quickly, max_examples=15)
    @given(strategy)
    def check(rule: sx.Rule) -> None:
        text = print_rule(rule)
        assert parse_rule(text, source(text), 1)[0] == rule, f"not read back:\n{text}"

    check()


@settings(quickly, max_examples=40)
@given(rule_strategies.examples)
def test_examples_read_the_same(example: sx.Example) -> None:
    text = print_example(example)
    assert parse_example(text, source(text), 1)[0] == example, f"not read back:\n{text}"


def test_every_kind_of_node_is_generated() -> None:
    kinds = {name for name, kind in inspect.getmembers(sx, inspect.isclass) if issubclass(kind, sx.Node)}
    texts = map(inspect.getsource, (trees, rule_strategies))
    generated = {name for text in texts for name in re.findall(r"sx\.(\w+)", text)}
    assert kinds - generated == {"Node", "Expr", "Stmt", "Tail", "Rule", "Fence", "Paragraph"}


@pytest.mark.parametrize(
    "text",
    [
        "define a = (some unit in zone).control",
        "define a = (some unit where it is german) and zone is berlin",
        "define a = some unit where it is german and zone is berlin",
        "define a = (number of units with least it.attack) + 1",
        "define a = f((x is one of plain, woods), 3)",
        "define a = if a then b else c",
        "define a = 1 + (if a then b else c)",
        "define a = -(b + c) * (d / (e * f)) - (g - h)",
        "define a = not (b or c) and (d or e)",
        "define a = (german units) + 1",
        "quantity odds = 1/2 rounded down at least 1 at most 4 stages add, cap",
    ],
)
def test_parentheses_are_as_few_as_possible(text: str) -> None:
    rule, _ = parse_rule(text, source(text), 1)
    assert rule is not None
    assert print_rule(rule) == text


def test_long_lines_go_on_at_their_outermost_joints() -> None:
    text = """
forbid march, single_move into zone
    when unit is german and unit is held and unit.mode is not waiting
    and zone.index < unit.start_index "held by Hitler"
---
define crosses_river(unit) =
    unit is attacker and unit.at is not target and unit is not fords
    and some border between unit.at and target where it is river and not (a or b)
---
define in_a_row(player) =
    some cell where it.owner is player
    and (it.west.owner is player and it.east.owner is player
        or it.north.owner is player and it.south.owner is player)
---
after unit enters zone
        when unit is soviet and zone.victory_points > 0 and zone is not berlin
        and zone.control is none:
    set zone.control to unit.camp
""".strip("\n")
    for one in text.split("\n---\n"):
        assert formatted(one) == one
        assert formatted(re.sub(r"\n {4,}(?!set)", " ", one)) == one


# ---- the formatter -----------------------------------------------------------------------------------
@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: str(path.relative_to(ROOT)))
def test_shipped_chapters_keep_their_tree(path: Path) -> None:
    text = path.read_bytes().decode(errors="replace")
    once = format_chapter(source(text))
    assert format_chapter(source(once)) == once
    before, after = parse_chapter(source(text))[0], parse_chapter(source(once))[0]
    for kind in ("rules", "examples"):
        for old, new in zip(before.paragraphs, after.paragraphs, strict=True):
            assert [*map(modern, getattr(new, kind))] == [*map(modern, getattr(old, kind))]
    assert [p.prose for p in after.paragraphs] == [p.prose for p in before.paragraphs]


@quickly
@given(rule_strategies.rules, st.integers(0, 10**9))
def test_layout_of_any_kind_is_brought_to_one(rule: sx.Rule, seed: int) -> None:
    text = print_rule(modern(rule))
    assert formatted(_spread(text, random.Random(seed), comments=False)) == text


@quickly
@given(rule_strategies.rules, st.integers(0, 10**9))
def test_no_comment_is_lost(rule: sx.Rule, seed: int) -> None:
    text = _spread(print_rule(rule), random.Random(seed), comments=True)
    result = formatted(text)
    assert re.findall(r"#~\d+~", result) == re.findall(r"#~\d+~", text)
    assert parse_rule(result, source(result), 1)[0] in (rule, modern(rule))


@pytest.mark.parametrize(
    "text",
    [
        "procedure finish\n    end game: each player ranked by vp,  # 1\n        # and\n        then coins\n",
        'unit may be held "is held",  # nobody hears of it\n    quietly\n',
    ],
)
def test_a_comment_may_stand_behind_a_comma(text: str) -> None:
    result = formatted(text)
    assert result.count("#") == text.count("#")
    assert parse_rule(result, source(result), 1)[0] is not None


def _spread(text: str, dice: random.Random, comments: bool) -> str:
    """The same statement with other spaces, and with numbered comments and blank lines in it."""
    rows: list[str] = []
    for number, row in enumerate(text.split("\n")):
        if comments and dice.random() < 0.2:
            rows.append(" " * dice.randrange(9) + f"#~{number}1~ before")
        if comments and dice.random() < 0.1:
            rows.append("")
        parts = re.split(r'("[^"]*")', row.lstrip())
        parts[::2] = [re.sub(r" (?=\S)", lambda _: " " * dice.choice([1, 1, 3]), part) for part in parts[::2]]
        indent = row[: -len(row.lstrip())].replace(" " * 4, dice.choice([" " * 4, "\t"]))
        behind = dice.choice(["", f" #~{number}2~ behind"]) if comments else dice.choice(["", "  "])
        rows.append(indent + "".join(parts) + behind)
    return "\n".join(rows)


def test_comments_stay_with_their_statement() -> None:
    text = """
# about the cost
quantity   cost(unit,border)=1   # base
        # before the river
  +1     when border is river            "river"  # wet

  = 1/2  when border is road             "main road"
  # at the end


# about the ban
forbid march across border # why
    when unit is german and border is nexus
""".strip("\n")
    wanted = """
# about the cost
quantity cost(unit, border) = 1  # base
    # before the river
    +1    when border is river "river"  # wet

    = 1/2 when border is road  "main road"
    # at the end

# about the ban
forbid march across border when unit is german and border is nexus  # why
""".strip("\n")
    assert formatted(text) == wanted


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("define a = not unit is ready", "define a = unit is not ready"),
        ("define a = some unit where it is ready", "define a = some unit that is ready"),
        ("define a = units where not it is held by player", "define a = units that are not held by player"),
        ("define a(unit) = 1 when unit is big\n    = 2 otherwise",
         "define a(unit) =\n    if unit is big: 1\n    otherwise: 2"),
        ("define a = f(union(union(x, y), z), union(x, y))", "define a = f((x, y and z), x and y)"),
        ("define a = spaces_of(union(x, x))", "define a = spaces_of(x)"),
        ("define a = x is one of 2,4 and y is 2 to 4", "define a = x is one of 2, 4 and y is 2 to 4"),
        ("define a = x is b or c and d", "define a = x is b or c and d"),
        ("define a = (x is b or c) and d", "define a = (x is b or c) and d"),
        ("define   zone is foreign  to unit = 1.5 > zone.x", "define zone is foreign to unit = 1.5 > zone.x"),
        ("define unit may_strike zone = true", "define unit may_strike zone = true"),
    ],
)  # fmt: skip
def test_what_can_be_said_better_is(before: str, after: str) -> None:
    assert formatted(before) == after


def test_in_doubt_a_statement_stays_as_written() -> None:
    two_comments = "forbid  march # one\n   when a  # two"
    assert formatted(two_comments) == two_comments
    assert formatted("forbdi  march   when a") == "forbdi  march   when a"
    played_twice = "when:\n  do a\nexpect:\n  b\nwhen:\n  do c\nexpect:\n  d"
    assert formatted(played_twice, "example") == played_twice


def test_one_expectation_may_follow_the_colon() -> None:
    assert formatted("expect:  cannot go(a)  by 3.1", "example") == "expect:\n    cannot go(a) by 3.1"


def test_the_spelling_of_the_author_is_kept() -> None:
    assert formatted("define a =  some units where they are a german unit") == (
        "define a = some units where they are a german unit"
    )
    assert formatted("reading range:clamp,reroll") == "reading range: clamp (default), reroll"
    assert formatted("after unit enters zone:  finish") == "after unit enters zone: finish"


def test_other_blocks_and_windows_line_ends_are_kept() -> None:
    text = "## 1 A\r\n\r\n```python\r\ndefine  a\r\n```\r\n\r\n```rules\r\ndefine  a=1\r\n```\r\nprose  \r\n"
    assert format_chapter(source(text)) == text.replace("define  a=1", "define a = 1")
    unclosed = "## 1 A\n```rules\ndefine   a=1\n"
    assert format_chapter(source(unclosed)) == unclosed


def test_shipped_files_are_in_the_usual_layout() -> None:
    result = CliRunner().invoke(group.commands, ["fmt", "--check", str(ROOT / "games")])
    assert result.exit_code == 0, result.output


def test_what_cannot_be_read_is_named_and_the_rest_formatted(tmp_path: Path) -> None:
    chapter = tmp_path / "chapter.md"
    chapter.write_text(in_fence("forbdi  march\ndefine  a=1") + "```example\nexpct: a\n```\n```rules\nrolls")
    result = CliRunner().invoke(group.commands, ["fmt", str(chapter)])
    assert result.exit_code == 1
    assert re.findall(r"chapter\.md:(\d+):1: error\[([a-z-]+)\]", result.stderr) == [
        ("7", "syntax"), ("11", "syntax"), ("13", "unclosed-fence"),
    ]  # fmt: skip
    assert result.stderr.endswith("1 file, 1 changed, 3 problems\n")
    assert "forbdi  march\ndefine a = 1\n" in chapter.read_text()
    assert CliRunner().invoke(group.commands, ["fmt", "--check", str(chapter)]).exit_code == 1


def test_a_choice_has_an_article_and_keeps_the_one_it_has() -> None:
    """Printed trees have it, too: a diff reads as an author writes."""
    written = "\n    player chooses "
    text = "procedure p(player)" + "".join(
        written + what for what in ("unit", "one unit", "an army", "up to 2 units")
    )
    chapter = f"# T\n\n## 1 X\n```rules\n{text}\n```\n"
    formatted = format_chapter(SourceFile(Path("t.md"), chapter))
    assert formatted == chapter.replace("chooses unit", "chooses a unit")
    rule, problems = parse_rule(text, SourceFile(Path("t.md"), text), 1)
    assert rule is not None
    assert not problems
    assert print_rule(rule).count("chooses a unit") == 2
