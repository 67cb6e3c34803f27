"""5,000 damaged rule files: never a traceback, never a long wait, every refusal with its place.

A few statements of shipped chapters (and of a list that has every kind) are put into a small file and
damaged by a seeded generator; then the file is read, and some of the files are formatted.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from rulesdsl.diagnostics import Diagnostic, render
from rulesdsl.parsing.markdown import read_chapter
from rulesdsl.parsing.parser import cut_chunks, parse_amendment, parse_chapter, parse_example, parse_rule
from rulesdsl.printing.formatter import format_chapter
from rulesdsl.source import SourceFile
from tests.patience import without_hanging

ROOT = Path(__file__).parent.parent
MUTATIONS = 5_000
PARTS = 10  # so that several processes share the work
TOKEN = re.compile(r'"[^"\n]*"|\w+|[^\w\s]|\n[ ]*')
SCRAPS = [
    *"()[]:,.#\"'=<>+-*/!@&|{}$%^~`;?\\x×0123456789aZ_äß\t\n ",
    *"\x00\x0b\x0c\r\x1b\x7f\x85\xa0\u200b\u202e\u2028\ud800\udfff\U0001f3b2",
    *("==", "3:1", "1d6", "7.1.4", '"', '""', "  ", "\n    ", "\n", "\n\t", "```", "((((", "]]]]"),
    *("when", "wehn", "is", "not", "and", "or", "where", "some", "if", "then", "else", "at least", "the"),
    *("9" * 20, "(" * 70, "not " * 300, "- " * 300, ".a" * 300, "x " * 500, " " * 999),
]
STATEMENTS = """
enum terrain: plain, woods
---
piece unit plural units
    printed strength: number per face
    control: player or none = none visible to everybody
    steps: 1 to 6 or none
---
group army from unit.army
---
track turn: 1 to 10 = 1
---
record combat
    attackers: set of units
    target: zone
---
define front(unit) = 3 when unit is german
    = 4 when unit is one of soviet, polish
    = 5 otherwise
---
quantity combat.die(unit) = 1 rounded down at least 1 at most 6 stages add, cap
    +1    when border is river and not unit is fords "river"  # wet
    = 1/2 when border is road despite 7.1.4, event 3
    x2
    shift -1 when some unit in zone where it.progress > 1
---
action attack(player, zone) "attack"
---
allow march, retreat across border when unit is german and border is nexus despite 7.1.4 "bridge"
---
must before finish_move when ordered(player)
    either number of attackers >= 2 possible when some unit "attack"
    else true
---
route supply_line(unit)
    from unit.at
    along borders where not border is nexus
    cost entry_cost(unit, border)
    budget 4
    at most 3 steps
    through zones where free(zone, unit)
    ending in zones where source(zone, unit)
    prefer in order
        1 zone is berlin
        2 not zone is berlin "away"
---
procedure combats(side, player) "combats"
    repeat at most 4 times while x > 3:
        player chooses zone as target among zones where attackable(it, side) or "stop" for halt(it):
            with combat(attackers: attackers, target: target, defenders: enemy units in target):
                roll 1d6 as die for "the attack"
                set result to table combat[odds, die]
        otherwise:
            leave
    if some unit where it is german: finish
    otherwise if y is none: add 1 to player.vp
    otherwise:
        for each unit in zone in the order player chooses:
            move (the german unit) to zone
    player chooses one of "which":
        "go" when x for go(unit): do go(unit)
        "stay": note "stays", unit
    end game: player wins "points"
---
after unit enters zone when zone.victory_points > 0: set zone.control to unit.camp
---
window before_combat asking defender, attacker
---
token heinrici "Heinrici"
    play in before_combat by holder when some defender where it.camp is holder
    do:
        give heinrici to opponent(holder)
        cancel
---
reading die_range: clamp (default), reroll "no rows outside"
---
option fog: flag = false "what it does"
---
parameter activations = 4 "units per impulse"
---
define odd = if every unit adjacent to zone is armoured then sum of it.attack over units
    with least 3:1 else -(1 + 2) * 3
""".strip().split("\n---\n")
EXAMPLE = """
given scenario winter
given:
    place tank, gun in lebus
rolling 5, 3
choosing "attack"
when:
    do attack(lebus)
expect:
    lebus.control is zhukov
    cannot attack(lebus) by 8.1.1
    can retreat
""".strip()


@cache
def statements() -> list[str]:
    """What is damaged: small statements of every shipped chapter, and the list above."""
    found = list(STATEMENTS)
    for path in sorted([*ROOT.glob("games/**/rules/*.md"), *ROOT.glob("tests/testdata/fixtures/**/*.md")]):
        chapter, _ = read_chapter(SourceFile(path, path.read_text(encoding="utf-8")))
        for fence in (fence for paragraph in chapter.paragraphs for fence in paragraph.fences):
            found += [text for _, text in cut_chunks(fence) if fence.kind == "rules" and len(text) < 500]
    return found


def damaged(dice: random.Random) -> str:
    """A small chapter with one to three things wrong in it."""
    chunks = "\n\n".join(dice.sample(statements(), dice.choice([1, 1, 2])))
    text = f"# Title\n\n## 1 Paragraph\nProse.\n\n```rules\n{chunks}\n```\n"
    if dice.random() < 0.1:
        text += f"\n```example\n{EXAMPLE}\n```\n"
    for _ in range(dice.choice([1, 1, 1, 2, 3])):
        text = dice.choice(DAMAGES)(text, dice)
    return text


def _token(text: str, dice: random.Random) -> tuple[int, int]:
    found = list(TOKEN.finditer(text))
    return dice.choice(found).span() if found else (0, 0)


def _delete(text: str, dice: random.Random) -> str:
    start, end = _token(text, dice)
    return text[:start] + text[end:]


def _double(text: str, dice: random.Random) -> str:
    start, end = _token(text, dice)
    return text[:end] + " " + text[start:end] + text[end:]


def _swap(text: str, dice: random.Random) -> str:
    (a, b), (c, d) = sorted([_token(text, dice), _token(text, dice)])
    return text if b > c else text[:a] + text[c:d] + text[b:c] + text[a:b] + text[d:]


def _misspell(text: str, dice: random.Random) -> str:
    start, end = _token(text, dice)
    at = dice.randrange(start, max(start + 1, end))
    return text[:at] + dice.choice(["", "e", text[at : at + 1] * 2, text[at : at + 2][::-1]]) + text[at + 1 :]


def _scrap(text: str, dice: random.Random) -> str:
    at = dice.randrange(len(text) + 1)
    return text[:at] + dice.choice(SCRAPS) + text[at:]


def _cut(text: str, dice: random.Random) -> str:
    return text[: dice.randrange(len(text) + 1)]


def _indent(text: str, dice: random.Random) -> str:
    rows = text.split("\n")
    at = dice.randrange(len(rows))
    rows[at] = dice.choice(["", " ", "  ", "\t", " " * 8, " " * 300]) + rows[at].lstrip()
    return "\n".join(rows)


def _shuffle(text: str, dice: random.Random) -> str:
    rows = text.split("\n")
    a, b = dice.randrange(len(rows)), dice.randrange(len(rows))
    rows[a], rows[b] = rows[b], rows[a]
    return "\n".join(rows)


DAMAGES: list[Callable[[str, random.Random], str]] = [
    _delete, _delete, _double, _swap, _misspell, _misspell, _scrap, _scrap, _cut, _indent, _shuffle,
]  # fmt: skip


@pytest.mark.parametrize("part", range(PARTS))
def test_damaged_chapters_are_refused_politely(part: int) -> None:
    refused = 0
    for number in range(part, MUTATIONS, PARTS):
        text = damaged(random.Random(number))
        file = SourceFile(Path("damaged.md"), text)
        problems = without_hanging(lambda file=file: parse_chapter(file)[1], text)
        refused += bool(problems)
        _check_places(problems, file)
        if number % 10 == 0:
            again = SourceFile(Path("damaged.md"), format_chapter(file))
            assert format_chapter(again) == again.text, repr(text)
    assert refused > MUTATIONS / PARTS / 2


BOMBS = {
    "nested brackets": "define a = " + "(" * 10_000 + "1" + ")" * 10_000,
    "open brackets": "define a = " + "(" * 10_000,
    "nested calls": "define a = " + "f(" * 200 + ")" * 200,
    "a long line": "define a = " + "x + " * 250_000 + "x",
    "a long name": "define " + "a" * 1_000_000 + " = 1",
    "a long text": 'parameter a = 1 "' + "x" * 1_000_000 + '"',
    "an open text": 'parameter a = 1 "' + "x" * 3_000,
    "a long sum": "define a = " + "\n    and ".join(["x + 1"] * 2_000),
    "a chain of sums": "define a = " + " + ".join(["x"] * 900),
    "a chain of nots": "define a = " + "not " * 900 + "x",
    "a chain of signs": "define a = " + "-" * 3_000 + "x",
    "a chain of attributes": "define a = x" + ".y" * 1_500,
    "a chain of phrases": "define a = some unit" + " in the unit" * 300,
    "a chain of conditions": "define a = " + "if a then b else " * 200 + "c",
    "deep indentation": "procedure a\n" + "\n".join(" " * n + "if x:" for n in range(1, 400)) + " leave",
    "many blocks": "procedure a\n" + "\n".join(" " * n + "if x:" for n in range(1, 200)) + " leave",
    "one deep line": "procedure a\n" + " " * 100_000 + "finish",
    "a long number": "define a = " + "9" * 5_000,
    "many dice": "procedure a\n    roll " + "9" * 4_500 + "d6 as die",
    "a long ratio": "define a = " + "9" * 4_500 + ":1",
    "a long range": "track a: 1 to " + "9" * 4_500,
    "many blank lines": "procedure a" + "\n \t " * 9_000 + "finish",
    "many comments": "procedure a\n" + "# x\n" * 9_000 + "    finsh",
    "half a surrogate": 'define \ud800 = 1 "\udfff"',
    "zeros": "\x00" * 3_000,
    "many quotes": '"' * 3_999,
    "nothing": "",
    "a long heading": "```\n#" + " " * 100_000 + "x" + " " * 100_000 + "y\n```" + " " * 100_000 + "!",
}


HARMLESS = ("a long sum", "many blank lines")


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_are_refused_quickly(name: str) -> None:
    text = BOMBS[name]
    file = SourceFile(Path("bomb.md"), text)
    for parse in (parse_rule, parse_example, parse_amendment):
        node, problems = without_hanging(lambda parse=parse: parse(text, file, 1), name)
        assert problems or (parse is parse_rule and name in HARMLESS and node is not None)
        _check_places(problems, file)
    whole = SourceFile(Path("bomb.md"), f"## 1 A\n```rules\n{text}\n```\n")
    _check_places(without_hanging(lambda: parse_chapter(whole)[1], name), whole)
    if name not in HARMLESS:
        assert without_hanging(lambda: format_chapter(whole), name) == whole.text.replace("\n\n```", "\n```")


def test_a_chapter_of_mistakes_is_given_up() -> None:
    file = SourceFile(Path("bomb.md"), "## 1 A\n```rules\n" + "nonsense here\n" * 20_000 + "```\n")
    problems = without_hanging(lambda: parse_chapter(file)[1], "many mistakes")
    assert problems[-1].code == "too-many-mistakes"
    assert len(problems) < 300


@pytest.fixture(scope="module", autouse=True)
def _grammar_is_built() -> None:
    """Building the grammar belongs to no text: it happens once per process and is not timed."""
    file = SourceFile(Path("warm.md"), "")
    for text in ("parameter warm = 1", "paramter warm = = 1", "expct:\n    1 = 1"):
        for parse in (parse_rule, parse_example, parse_amendment):
            parse(text, file, 1)


def _check_places(problems: list[Diagnostic], file: SourceFile) -> None:
    for problem in problems:
        span = problem.span
        assert span.file.shown == file.shown
        assert 1 <= span.line <= len(file.lines), (problem, file.text[:2000])
        assert 1 <= span.column <= len(file.line(span.line)) + 1, (problem, file.text[:2000])
        assert problem.message
        assert problem.code
        assert render(problem).startswith(
            f"{file.shown}:{span.line}:{span.column}: {problem.severity}[{problem.code}]: "
        )
