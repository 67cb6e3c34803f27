"""One game on the bench: a house rule as it is typed, others beside it, and what follows from them.

Nothing is written to disk. The text that is typed has a name, under which messages speak of it.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any

from interpreter.measuring.examples import ExampleResult, rules_for, run_example
from interpreter.playing.game import Game, finish_game
from interpreter.playing.invariants import violations
from interpreter.running.fuel import RunawayRule
from rulesdsl import program as pg
from rulesdsl.base.diagnostics import Diagnostic, RulebookError, UsageError, errors
from rulesdsl.base.limits import DEFAULT
from rulesdsl.base.source import SourceFile
from rulesdsl.base.textfile import read_source
from rulesdsl.book.loader import GameSource
from rulesdsl.book.texts import typed_text
from rulesdsl.handbook import Book, Facts
from rulesdsl.house.applying import FOLDER, shipped_house_rules
from rulesdsl.pipeline.workspace import Workspace

CLASH = "house-clash"
GAMES_ASKED = 3  # random games in which the invariants are asked after every decision
PATIENCE = 12.0  # seconds for them
MOST_TOLD = 40  # problems or examples


@dataclass(frozen=True, slots=True)
class Looked:
    """The game under the house rules as they are now; without errors it has a program."""

    problems: tuple[Diagnostic, ...]
    source: GameSource | None
    program: pg.Program | None

    @property
    def sound(self) -> bool:
        return self.program is not None and not errors(self.problems)


class Bench:
    """`path` is the name of the text that is being written."""

    def __init__(self, name: str, directory: Path, path: Path) -> None:
        self.name, self.directory, self.path = name, directory, path
        self.lock = threading.RLock()
        self.printed = Workspace(directory)
        problems = errors(self.printed.problems())
        checked = self.printed.checked
        if problems or self.printed.source is None or checked is None or checked.program is None:
            raise RulebookError(problems)
        self.source: GameSource = self.printed.source
        self.book = Book(self.source, checked.program, Facts())
        self._stacks: dict[tuple[str, ...], Workspace] = {}
        self._last: tuple[tuple[str, tuple[str, ...]], Looked] | None = None
        self.chapters: list[dict[str, Any]] | None = None  # the rulebook as it is read, once somebody asked
        self._asked = 0  # how often proofs were asked for: an older one gives up

    # ---- texts
    def others(self, names: Sequence[str]) -> list[Path]:
        """The files of house rules that come with the game."""
        known = shipped_house_rules(self.directory)
        for name in names:
            if name not in known:
                raise UsageError(f'this game has no house rule "{name}"')
        return [self.directory / FOLDER / f"{name}.md" for name in sorted(set(names))]

    def files(self, text: str, others: Sequence[str]) -> list[SourceFile]:
        """The house rules as texts, the one that is being written first."""
        beside = [read_source(path, DEFAULT.rule_file_bytes) for path in self._beside(others)]
        return [typed_text(self.path, text, DEFAULT), *beside]

    def _beside(self, others: Sequence[str]) -> list[Path]:
        return [path for path in self.others(others) if path.resolve() != self.path.resolve()]

    # ---- what is wrong, what changes
    def look(self, text: str, others: Sequence[str]) -> Looked:
        """The answer of a fresh check; only what was touched is read again."""
        with self.lock:
            asked = text, tuple(others)
            if self._last is not None and self._last[0] == asked:
                return self._last[1]
            beside = self._beside(others)
            key = tuple(map(str, beside))
            if key not in self._stacks:
                if len(self._stacks) > 4:
                    self._stacks.clear()
                self._stacks[key] = Workspace(self.directory, house=(self.path, *beside), share=self.printed)
            stack = self._stacks[key]
            stack.edit_house(self.path, text)
            problems = tuple(stack.problems())
            program = stack.checked.program if stack.checked is not None else None
            looked = Looked(problems, stack.source, program)
            self._last = asked, looked
            return looked

    def game(self, text: str, others: Sequence[str]) -> Game:
        """The game with these house rules, ready to be played; raises what is wrong with it."""
        with self.lock:
            return finish_game(self.source, (), self.files(text, others))

    # ---- what no longer holds
    def prove(self, text: str, others: Sequence[str]) -> dict[str, Any]:
        """Examples that fail, printed ones that no longer hold, invariants that are broken in random games.
        Gives up (`late`) when somebody asks again."""
        with self.lock:
            self._asked += 1
            mine = self._asked
        game = self.game(text, others)
        own = {file.path for file in game.house}
        failed: list[ExampleResult] = []
        count = 0
        for example in game.program.examples:
            if mine != self._asked:
                return {"late": True}
            count += 1
            result = run_example(game, rules_for(game, example), example)
            if result.problems:
                failed.append(result)
        wrong = [result for result in failed if result.span.file.path in own]
        changed = [result for result in failed if result.span.file.path not in own]
        broken, games = self._invariants(game, lambda: mine == self._asked)
        return {
            "late": mine != self._asked,
            "examples": count,
            "failed": [_told(result) for result in wrong[:MOST_TOLD]],
            "changed": [_told(result) for result in changed[:MOST_TOLD]],
            "broken": broken[:MOST_TOLD],
            "asked": games,
        }

    def _invariants(self, game: Game, wanted: Callable[[], bool]) -> tuple[list[str], int]:
        """What must always be true, asked after every decision of a few random games."""
        began, found = monotonic(), dict[str, None]()
        scenario = game.scenario(None)
        ruleset = game.ruleset({}, scenario)
        for number in range(GAMES_ASKED):
            rng = random.Random(f"workshop {number}")
            machine = ruleset.new_machine(scenario, f"workshop {number}", traced=False)
            try:
                machine.begin()
                while machine.pending is not None:
                    if not wanted() or monotonic() - began > PATIENCE:
                        return list(found), number
                    machine.choose(machine.pending.at_random(rng))
                    for words in violations(ruleset, machine):
                        found.setdefault(words)
            except RunawayRule as error:
                found.setdefault(str(error))
            if len(found) >= MOST_TOLD:
                break
        return list(found), GAMES_ASKED


def _told(result: ExampleResult) -> dict[str, Any]:
    return {
        "rule": result.paragraph, "number": result.number, "file": result.span.file.path.name,
        "line": result.span.line, "problems": [str(problem) for problem in result.problems],
    }  # fmt: skip


def problem_told(problem: Diagnostic, path: Path) -> dict[str, Any]:
    """A message for a page; `here`: in the text that is being written."""
    span = problem.span
    return {
        "severity": problem.severity, "code": problem.code, "message": problem.message, "help": problem.help,
        "rule": problem.paragraph, "file": span.file.path.name, "line": span.line, "column": span.column,
        "here": span.file.path == path, "clash": problem.code == CLASH,
        "also": [
            {"label": label, "file": other.file.path.name, "line": other.line, "text": other.text[:200]}
            for label, other in problem.also
        ],
    }  # fmt: skip
