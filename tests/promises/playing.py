"""Random games: invariants, dead ends, offered options; the same for both flavours of the code."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from multiprocessing import get_context
from random import Random

from interpreter.compiling.ruleset import Ruleset
from interpreter.playing.invariants import violations
from interpreter.running.machine import Machine
from interpreter.running.state_json import state_hash
from rulesdsl.book.scenario import Scenario
from tests.promises import (
    MOST_DECISIONS,
    Outcome,
    all_games,
    jobs,
    length_of,
    opened,
    random_game,
    rules_of,
)

_TRY_EVERY = 12  # at one decision in so many, all options are tried
_MOST_TRIES = 400  # decisions of a game, more or less, at which they are
_MOST_TRIED = 60
_FUEL_LEFT = 10  # no decision of a shipped game takes more than such a part of what it may
_FUEL_LEFT_TRACED = 4  # the same where everything is written down
Task = tuple[str, range]


def random_games(count: int, workers: int | None = None) -> Outcome:
    """Random games over all shipped games, every state checked; the long games get a smaller share."""
    tasks = [
        (name, range(start, min(start + 25, games)))
        for name, games in shares(count).items()
        for start in range(0, games, 25)
    ]
    total = Outcome()
    for outcome in in_parallel(_checked_games, tasks, workers):
        total.add(outcome)
    total.note = ", ".join(f"{games} {name.rsplit('/', 1)[-1]}" for name, games in shares(count).items())
    return total


def shares(count: int) -> dict[str, int]:
    """How many games of which: inversely to their length, but of none less than two in a hundred.

    (When few are asked for: two in three hundred.)
    """
    names = all_games()
    least = max(1, count // (50 if count >= 1_000 else 150))
    weights = {name: 1 / length_of(name) for name in names}
    left = max(0, count - least * len(names))
    given = {name: least + int(left * weights[name] / sum(weights.values())) for name in names}
    given[names[0]] += max(0, count - sum(given.values()))
    return given


def in_parallel(
    work: Callable[[Task], Outcome], tasks: Sequence[Task], workers: int | None
) -> Iterator[Outcome]:
    """The tasks' outcomes in their order, whoever did the work, each as soon as it is known."""
    workers = workers or jobs()
    if workers == 1 or len(tasks) < 2:
        yield from map(work, tasks)
        return
    with get_context("fork").Pool(workers) as pool:
        yield from pool.imap(work, tasks, chunksize=1)


def _checked_games(task: Task) -> Outcome:
    name, seeds = task
    ruleset, _ = rules_of(name)
    every = max(_TRY_EVERY, length_of(name) // _MOST_TRIES)
    outcome = Outcome()
    for seed in seeds:
        outcome.done += 1
        decision = 0
        try:
            for decision, machine in enumerate(random_game(name, seed)):
                work = machine.code.work - machine.code.meter[0]
                for what in violations(ruleset, machine):
                    outcome.failure(f"{name} seed {seed} decision {decision}: {what}")
                if work > machine.code.work // _FUEL_LEFT:
                    outcome.failure(f"{name} seed {seed} decision {decision} takes much work: {work:,}")
                if machine.pending is None or decision % every:
                    continue
                count = len(machine.pending.options)
                for index in [*range(count)[:_MOST_TRIED], *([-1] if machine.pending.out else [])]:
                    machine.copy().choose(index)
        except Exception as error:
            outcome.failure(f"{name} seed {seed} after decision {decision}: {type(error).__name__}: {error}")
    return outcome


def both_flavours(count: int) -> Outcome:
    """The fast and the full code and whole games at one go, fed the same choices, never differ."""
    outcome = Outcome()
    for name, games in shares(count).items():
        for seed in range(games):
            lockstep(outcome, name, *rules_of(name), seed)
    return outcome


def other_settings(count: int) -> Outcome:
    """Games with readings, options and scenarios drawn at random: both flavours, invariants at the end."""
    outcome = Outcome()
    names = [name for name in all_games() if opened(name).program.settings or opened(name).source.scenarios]
    for seed in range(count):
        rng = Random(seed)
        name = names[seed % len(names)]
        game = opened(name)
        settings = {
            setting.name: rng.choice(setting.alternatives)
            for setting in game.program.settings.values()
            if setting.alternatives and rng.random() < 0.5
        }
        scenario = game.scenario(rng.choice([None, *game.source.scenarios]))
        lockstep(outcome, f"{name} with {settings}", game.ruleset(settings, scenario), scenario, seed)
    return outcome


def lockstep(outcome: Outcome, name: str, ruleset: Ruleset, scenario: Scenario | None, seed: int) -> None:
    """One random game by all three ways of playing it; what differs is a failure."""
    outcome.done += 1
    fast = ruleset.new_machine(scenario, str(seed), traced=False)
    full = ruleset.new_machine(scenario, str(seed), traced=True)
    fast.begin()
    full.begin()
    rng, decision, most = Random(seed), 0, 0
    taken: list[tuple[int, int, int]] = []  # who, of how many options, which
    while fast.pending == full.pending and fast.s == full.s and fast.stack == full.stack:
        if fast.pending is None:
            break
        index, options = fast.pending.at_random(rng), len(fast.pending.options)
        taken.append((fast.pending.who, options + fast.pending.out, index if index >= 0 else options))
        fast.choose(index)
        full.choose(index)
        most = max(most, full.code.work - full.code.meter[0])
        decision += 1
        if decision > MOST_DECISIONS:
            outcome.failure(f"{name} seed {seed} does not end")
            return
    for what in violations(ruleset, fast):
        outcome.failure(f"{name} seed {seed} at the end: {what}")
    if most > full.code.work // _FUEL_LEFT_TRACED:
        outcome.failure(f"{name} seed {seed}: a decision takes much work when traced: {most:,}")
    if state_hash(fast) != state_hash(full):
        parts = _first(fast, full, ruleset)
        outcome.failure(f"{name} seed {seed}: differ after decision {decision}: {parts}")
    elif what := _at_one_go(ruleset, scenario, seed, taken, full):
        outcome.failure(f"{name} seed {seed} at one go: {what}")


class _Astray(Exception):
    """A game at one go asks something else."""


def _at_one_go(
    ruleset: Ruleset, scenario: Scenario | None, seed: int, taken: list[tuple[int, int, int]], end: Machine
) -> str:
    """The same game without stopping: who is asked, among how many options, and how it ends."""
    left = iter(taken)

    def decide(who: int, count: int) -> int:
        asked, options, number = next(left, (-1, -1, -1))
        if (who, count) != (asked, options):
            raise _Astray(f"player {who} is asked about {count} options, not {asked} about {options}")
        return number

    try:
        machine = ruleset.playouts.play(scenario, str(seed), decide)
    except _Astray as error:
        return str(error)
    if next(left, None) is not None:
        return "ends early"
    return "" if state_hash(machine) == state_hash(end) else _first(machine, end, ruleset)


def _first(fast: Machine, full: Machine, ruleset: Ruleset) -> str:
    for i, (a, b) in enumerate(zip(fast.s, full.s, strict=True)):
        if a != b:
            return f"{ruleset.layout.cell_names[i]} is {a!r} and {b!r}"
    return f"{fast.pending} and {full.pending}; stacks {fast.stack} and {full.stack}"
