"""What the tests of house rules share: documents written in a few lines, and a small game to amend."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import Any

from interpreter.playing.game import Game
from interpreter.playing.invariants import violations
from rulesdsl import program as pg
from rulesdsl.base.diagnostics import Diagnostic
from rulesdsl.base.source import SourceFile
from rulesdsl.book.loader import GameSource, load_game
from rulesdsl.checking.checker import check
from rulesdsl.house.applying import apply_house_files

FORD = Path(__file__).parents[1] / "testdata" / "house" / "ford"


@cache
def printed(directory: Path = FORD) -> GameSource:
    source, problems = load_game(directory)
    assert source is not None
    assert not [p for p in problems if p.severity == "error"]
    return source


def document(*sections: str, title: str = "A test", front: str = "") -> str:
    return "\n\n".join((f"# {title}", front, *sections)) + "\n"


def amends(number: str, rules: str, prose: str = "") -> str:
    return f"## amends {number}\n{prose}\n```rules\n{rules}\n```"


def files(*texts: str) -> list[SourceFile]:
    """The texts as files called a.md, b.md, c.md."""
    return [SourceFile(Path(f"{name}.md"), text) for name, text in zip("abcdefgh", texts, strict=False)]


def applied(*texts: str, base: GameSource | None = None) -> GameSource:
    """The game with these house rules, which must fit."""
    source, problems = apply_house_files(base or printed(), files(*texts))
    assert [p for p in problems if p.severity == "error"] == []
    return source


def refused(*texts: str) -> list[Diagnostic]:
    """The errors of house rules that do not fit, whether they are seen at once or by the checker."""
    source, problems = apply_house_files(printed(), files(*texts))
    wrong = [p for p in problems if p.severity == "error"]
    if wrong:
        assert source is printed(), "nothing may be applied"
        return wrong
    program, problems = check(source)
    assert program is None
    return [p for p in problems if p.severity == "error"]


def checked(source: GameSource) -> pg.Program:
    program, problems = check(source)
    assert program is not None, [p.message for p in problems]
    return program


def play(source: GameSource, games: int, seed: int = 0, decisions: int = 100_000) -> list[Any]:
    """Outcomes of random games, watched for violations; `decisions` cuts long games short."""
    program = checked(source)
    name = source.game.scenario
    scenario = source.scenarios[name] if name else next(iter(source.scenarios.values()), None)
    ruleset = Game(source, program, (), source).ruleset({}, scenario)
    outcomes = []
    for number in range(games):
        chance = random.Random(f"{seed} {number}")
        machine = ruleset.new_machine(scenario, f"{seed} {number}", traced=False)
        machine.begin()
        for decision in range(decisions):
            if machine.pending is None:
                break
            if decision % 16 == 0:
                assert violations(ruleset, machine) == []
            count = len(machine.pending.options) + machine.pending.out
            chosen = chance.randrange(count)
            machine.choose(chosen if chosen < len(machine.pending.options) else -1)
        assert machine.pending is None or decisions < 100_000
        assert violations(ruleset, machine) == []
        outcomes.append(machine.outcome)
    return outcomes
