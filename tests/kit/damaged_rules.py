"""Rules of every kind, damaged in all the ways a slip of the hand can."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

from rulesdsl.base.source import SourceFile
from rulesdsl.language.parsing.markdown import read_chapter
from rulesdsl.language.parsing.parser import cut_chunks

ROOT = Path(__file__).parents[2]
TOKEN = re.compile(r'"[^"\n]*"|\w+|[^\w\s]|\n[ ]*')
SCRAPS: list[str] = [
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
    for path in sorted(
        [
            *ROOT.glob("games/**/rules/*.md"),
            *ROOT.glob("games/**/opponent.md"),
            *ROOT.glob("tests/testdata/fixtures/**/*.md"),
        ]
    ):
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
