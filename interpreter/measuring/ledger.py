"""The ledger: what became of every numbered item of the printed rulebook."""

from __future__ import annotations

import random
from typing import Any

from interpreter.compiling.ir.ways import split_way
from interpreter.measuring.examples import run_examples
from interpreter.playing.game import Game
from rulesdsl.book.scenario import Scenario
from rulesdsl.language import syntax as sx
from rulesdsl.language.syntax.documents import of_opponent

SCHEMA_VERSION = 1


def ledger(game: Game, games: int = 0, seed: int = 0) -> dict[str, Any]:
    """Each item with its status; with `games`, how often its rules fired in so many random games."""
    paragraphs = game.program.paragraphs
    listed = game.source.game.paragraphs
    items = (
        [(p.id, p.title, p.extra) for p in listed]
        if listed is not None
        else [(p.id, p.title, False) for p in paragraphs.values() if not of_opponent(p.id)]
    )
    fired = count_fired(game, games, seed) if games else {}
    examples = {i: 0 for i, _, _ in items}
    for example in game.program.examples:
        examples[example.paragraph] = examples.get(example.paragraph, 0) + 1
    rows = [
        {
            "id": identity,
            "title": title,
            "status": status_of(paragraphs.get(identity)),
            "examples": examples.get(identity, 0),
            "fired": fired.get(identity, 0),
            "readings": readings_of(paragraphs.get(identity)),
            "extra": extra,
        }
        for identity, title, extra in items
    ]
    counted = [r for r in rows if not r["extra"]]
    return {
        "schema_version": SCHEMA_VERSION,
        "game": game.program.game,
        "total": len(counted),
        "executed": sum(r["status"] == "executed" for r in counted),
        "informative": sum(r["status"] == "informative" for r in counted),
        "missing": [r["id"] for r in rows if r["status"] == "missing"],
        "games": games,
        "paragraphs": rows,
    }


def readings_of(paragraph: sx.Paragraph | None) -> list[str]:
    """What had to be decided to play it."""
    rules = paragraph.rules if paragraph is not None else ()
    return [rule.name for rule in rules if isinstance(rule, sx.Reading)]


def status_of(paragraph: sx.Paragraph | None) -> str:
    """executed: rules or data carry it out; informative: it says why not; missing: neither."""
    if paragraph is None:
        return "missing"
    if paragraph.played or paragraph.data_file is not None:
        return "executed"
    return "informative" if paragraph.informative is not None else "missing"


def count_fired(game: Game, games: int, seed: int) -> dict[str, int]:
    """How often each paragraph applied, in random games of all scenarios and in the examples.

    A paragraph that only points to its data applies when a game is set up with them, and in its own
    examples: there is no code of its own that could be counted.
    """
    totals: dict[str, int] = {}
    scenarios: list[Scenario | None] = [*game.source.scenarios.values()] or [None]
    rulesets = {id(ruleset): ruleset for ruleset in (game.ruleset({}, scenario) for scenario in scenarios)}
    for number in range(games):
        scenario = scenarios[number % len(scenarios)]
        rng = random.Random(f"{seed}/{number}")
        for laid in _laid_out(game, scenario):
            totals[laid] = totals.get(laid, 0) + 1
        machine = game.ruleset({}, scenario).new_machine(scenario, f"{seed}/{number}", traced=True)
        machine.begin()
        while machine.pending is not None:
            machine.choose(machine.pending.at_random(rng))
    # Their steps run in code of their own, what they expect in that of the games.
    for result in run_examples(game):
        known = game.program.paragraphs[result.paragraph]
        if result.passed and known.data_file is not None and not known.played:
            totals[result.paragraph] = totals.get(result.paragraph, 0) + 1
    for ruleset in rulesets.values():
        for compiled in (ruleset.full, ruleset.with_examples):
            for way, count in zip(compiled.unit.rules, compiled.fired, strict=False):
                if not split_way(way)[1]:
                    totals[way] = totals.get(way, 0) + count
    return totals


def _laid_out(game: Game, scenario: Scenario | None) -> list[str]:
    """The paragraphs without rules whose data a game of this scenario is set up with."""
    chosen = f"scenarios/{scenario.id}.yaml" if scenario is not None else ""
    return [
        identity
        for identity, paragraph in game.program.paragraphs.items()
        if paragraph.data_file is not None
        and not paragraph.played
        and (not paragraph.data_file.startswith("scenarios/") or paragraph.data_file == chosen)
    ]
