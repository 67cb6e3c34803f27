"""What the handbook wants to know and only running rules can tell: examples, ledger, chances."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from interpreter.asking.breakdown import breakdown
from interpreter.asking.odds.outcomes import quantities_asked, sums_in
from interpreter.asking.odds.tables import all_table_odds
from interpreter.compiling.ruleset import Ruleset
from interpreter.measuring.examples import check_expected, play_example, rules_for
from interpreter.measuring.ledger import ledger
from interpreter.playing.game import Game
from interpreter.playing.log_lines import note_text
from interpreter.playing.session import Session
from interpreter.running.machine import Machine
from rulesdsl import program as pg
from rulesdsl.base.cache import remembered_for, stamp_of
from rulesdsl.handbook.facts import Breakdown, Check, ExampleReport, Facts, LedgerRow, Reason
from rulesdsl.handbook.kept_facts import as_text, from_text
from rulesdsl.language.conventions import MAIN, TAKES_PART
from rulesdsl.program.walk import sub_expressions


def facts_of_game(game: Game, games: int = 0, seed: int = 0) -> Facts:
    """Everything computed; with `games`, the ledger also counts what applied in so many random games.

    Running every example takes seconds: what was found is remembered until a file of the game changes.
    """
    if games:
        return _found(game, games, seed)
    return from_text(remembered_for(facts_kind(), game.source.files, lambda: facts_as_text(game)))


def facts_as_text(game: Game) -> str:
    """What is remembered of a game: found without random games, which is the same for every seed."""
    return as_text(_found(game, 0, 0))


@cache
def facts_kind() -> str:
    """Under which name facts are remembered: what is found depends on this half of the engine, too."""
    return f"drawn-facts-{stamp_of(Path(__file__).parents[1])[:16]}"


def _found(game: Game, games: int, seed: int) -> Facts:
    default = game.ruleset({}, game.scenario())
    groups: dict[int, tuple[Ruleset, list[tuple[int, pg.ExampleRule]]]] = {id(default): (default, [])}
    numbers: dict[str, int] = {}
    for example in game.program.examples:
        numbers[example.paragraph] = numbers.get(example.paragraph, 0) + 1
        shared = rules_for(game, example)
        groups.setdefault(id(shared), (shared, []))[1].append((numbers[example.paragraph], example))
    # Rules are compiled once for all examples that share them, and for the tables.
    compiled = {id(r): _with_examples(r) for r, _ in groups.values()}
    reports = {
        (example.paragraph, number): report_of(game, compiled[key], example)
        for key, (_, group) in groups.items()
        for number, example in group
    }
    rows = ledger(game, games=games, seed=seed)["paragraphs"]
    return Facts(
        examples=reports,
        ledger=tuple(
            LedgerRow(r["id"], r["title"], r["status"], r["examples"], r["fired"], r["extra"]) for r in rows
        ),
        games=games,
        odds=all_table_odds(compiled[id(default)]),
        seats={name: game.ruleset({}, s).seats.names for name, s in game.source.scenarios.items()}
        if TAKES_PART in game.program.defines
        else {},
    )


class WatchedMachine(Machine):
    """A machine that keeps its log, and the state as it was before the first die."""

    __slots__ = ("before_the_die",)

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.before_the_die: list[Any] | None = None

    def begin(self, procedure: str = MAIN, arguments: Sequence[Any] = ()) -> None:
        self.log = []  # what is given is not what happened
        super().begin(procedure, arguments)

    def roll(self, purpose: str, cell: int, dice: int, faces: int) -> int:
        if self.before_the_die is None:
            self.before_the_die = self.s[:]
        return super().roll(purpose, cell, dice, faces)


def _with_examples(shared: Ruleset) -> Ruleset:
    """The same rules once more; their traced code has the steps of the examples, too, and is made once."""
    ruleset = Ruleset(shared.program, shared.scenarios, shared.settings, shared.limits)
    ruleset.full = ruleset.with_examples
    return ruleset


def report_of(game: Game, ruleset: Ruleset, example: pg.ExampleRule) -> ExampleReport:
    """An example played once more, with everything worth telling."""
    with quantities_asked(ruleset.with_examples) as asked:
        session, problems = play_example(game, ruleset, example, WatchedMachine)
    machine = session.machine
    assert isinstance(machine, WatchedMachine)
    checks: list[Check] = []
    sums: list[Breakdown] = []
    if machine.before_the_die is not None:
        then = Machine(ruleset.full.code, machine.before_the_die, "example")
        sums += [s for s in sums_in(Session(game, ruleset, then, {})) if s.name in asked]
    for expected in example.expected if not problems else ():
        wrong = check_expected(session, expected)
        problems += wrong
        checks.append(Check("", not wrong, _value(session, expected.condition), expected.paragraph))
        sums += [s for s in _asked(session, expected.condition) if s not in sums]
    log = tuple(_log(ruleset, machine)) if example.played else ()
    worth = tuple(s for s in sums if len(s.reasons) > 1 or s.name.count("."))
    return ExampleReport(not problems, tuple(problems), log, tuple(checks), worth)


def _value(session: Session, condition: pg.E | None) -> str:
    """The value on the left of a comparison, when it has to be worked out."""
    match condition:
        case pg.CompareE(left=left, right=pg.Const()) if left.type.kind == "number" and not isinstance(
            left, pg.Const
        ):
            value = session.ruleset.evaluate(session.machine.s, left, {})
            return session.ruleset.program.world.show(left.type, value)
        case _:
            return ""


def _asked(session: Session, e: pg.E | None) -> Iterator[Breakdown]:
    """The quantities an expectation asks for, each with what goes into it."""
    if e is None or isinstance(e, (pg.Filter, pg.SumE, pg.ExtremeE, pg.ArgExtreme)):
        return
    if isinstance(e, pg.QuantityE):
        world, evaluate = session.ruleset.program.world, session.ruleset.evaluate
        values = [(a.type, evaluate(session.machine.s, a, {})) for a in e.arguments]
        if all(type_.kind in ("thing", "enum", "number") and value is not None for type_, value in values):
            keys = [str(v) if t.kind == "number" else world.key(t, v) for t, v in values]
            if "none" not in keys:
                found = breakdown(session, e.quantity, keys)
                of = f" ({', '.join(world.show(t, v) for t, v in values)})" if values else ""
                reasons = tuple(Reason(r.paragraph, r.label, r.op, r.amount, r.value) for r in found)
                yield Breakdown(f"{e.quantity}{of}", str(session.value(e.quantity, *keys)), reasons)
    for part in sub_expressions(e):
        yield from _asked(session, part)


def _log(ruleset: Ruleset, machine: WatchedMachine) -> Iterator[tuple[str, str]]:
    notes = ruleset.with_examples.blocks.notes
    for number, text, values, _, _ in machine.log or ():
        kind, paragraph, shown = notes[number]
        yield paragraph, note_text(ruleset.program, kind, shown, text, values)
