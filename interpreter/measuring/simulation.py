"""Many games between agents. Game number i depends on the rules, the seats, the seed and i alone, so the
results are the same for any number of processes, and any game can be made again by itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial
from hashlib import sha256
from multiprocessing import get_all_start_methods, get_context
from pathlib import Path
from time import perf_counter
from typing import Any

from interpreter.agents.seats import agent_seed, agents_for, patience
from interpreter.agents.sight import Sight
from interpreter.agents.simple import CHOICE, random_number
from interpreter.compiling.ruleset import Ruleset
from interpreter.measuring.usage import Usage, plain
from interpreter.native.games import BATCH
from interpreter.native.worth import Worth
from interpreter.playing.counters import hides_identity
from interpreter.playing.game import Game, open_game
from interpreter.running.fuel import RunawayRule
from interpreter.running.machine import Machine, Pending
from interpreter.state.position import Position
from rulesdsl.base.limits import changed_limits, set_limits
from rulesdsl.book.scenario import Scenario
from rulesdsl.language.conventions import SCORE, TURN, VALUE

MOST_DECISIONS = 100_000  # of one game; one that goes on longer counts as failed
COARSE = 10**15
THOUGHTS = 50  # how much more work a game may be in which agents look a step ahead
TRIED = 3  # games that tell how long all of them will take
MANY_GAMES = 40  # from so many on it pays to compile games that are played at one go
MOST_SCORES = 4096  # that are kept to be shared
SCORES = (SCORE, VALUE)  # the quantities that give a player's score, the first one declared


@dataclass(frozen=True)
class Setup:
    """Everything that decides how the games go; small enough to be sent to another process."""

    game: Path
    house: tuple[Path, ...]
    scenario: str | None
    settings: Mapping[str, str]
    seats: Mapping[str, str]
    seed: str
    count_rules: bool = False

    def game_seed(self, number: int) -> str:
        """The seed with which `rulesdsl play` makes this game again."""
        return f"{self.seed}/{number}"

    def named(self) -> str:
        """What tells tables by the same rules apart, wherever their files lie."""
        return repr(replace(self, game=Path(), house=()))

    def table(self, game: Game) -> Table:
        return Table(self, game)


@dataclass(frozen=True, slots=True)
class GameRecord:
    """How one game went. `failure` is empty when it came to an end."""

    number: int
    seed: str
    outcome: str
    winners: tuple[str, ...]
    reason: str
    paragraph: str
    decisions: int
    turns: int | None
    scores: Mapping[str, str]  # exact, as text: 7 or 15/2
    failure: str = ""
    fired: Mapping[str, int] = field(default_factory=dict)
    dear: bool = False  # it failed because a rule took too much work
    usage: Mapping[str, int] = field(default_factory=dict)  # see usage.py; when rules are counted


class Table:
    """A game set up to be played many times in this process."""

    def __init__(self, setup: Setup, game: Game | None = None) -> None:
        self.setup = setup
        self.game = game or open_game(setup.game, setup.house)
        self.scenario = self.game.scenario(setup.scenario)
        self.ruleset: Ruleset = self.game.ruleset(setup.settings, self.scenario)
        self.players = self.ruleset.seats
        self._known_scores: dict[tuple[str, ...], Mapping[str, str]] = {}

    def counting_rules(self, wanted: bool) -> Table:
        """The same table, counting or not how often each paragraph is used."""
        return Table(replace(self.setup, count_rules=wanted), self.game)

    @cached_property
    def facts(self) -> dict[str, Any]:
        """What a report must print so that its results can be made again."""
        return {
            "game": self.game.program.game,
            "rules": self.game.program.content_hash,
            "house": [path.name for path in self.setup.house],
            "scenario": self.scenario.id if self.scenario is not None else None,
            "settings": dict(sorted(self.setup.settings.items())),
            "seats": dict(self.setup.seats),
            "seed": self.setup.seed,
        }

    @cached_property
    def run(self) -> str:
        """A short name for these facts: results with the same one belong together."""
        counted = (*sorted(self.facts.items()), ("count_rules", self.setup.count_rules))
        return sha256(repr(counted).encode()).hexdigest()[:16]

    @cached_property
    def at_one_go(self) -> bool:
        """Whether games need no stopping: nobody looks at the board, and nobody counts rules. Where counters
        lie face down, options are listed as their player sees them, which only a stop can tell."""
        if hides_identity(self.game.program):
            return False
        return not self.setup.count_rules and set(self.setup.seats.values()) == {"random"}

    @cached_property
    def native(self) -> Worth:
        """The same games in the machine, as soon as that is worth a compiler."""
        return Worth(self.ruleset)

    def prepare(self, many: bool) -> None:
        """Compile what many games need, before somebody looks at the clock."""
        if many and self.at_one_go:
            _ = self.ruleset.playouts

    def records(self, numbers: Sequence[int], many: bool) -> Iterator[GameRecord]:
        """The games with these numbers; when they are `many`, at one go, and by the machine as soon as that
        pays. The records are the same."""
        if not many or not self.at_one_go:
            yield from (self.play(number) for number in numbers)
            return
        place = 0
        while place < len(numbers):
            if self.native.games is None:
                yield self.play(numbers[place], True)
                place += 1
            else:  # a few at a time: what was built in a hurry may be built better by then
                yield from self._native_records(numbers[place : place + BATCH])
                place += BATCH

    def _native_records(self, numbers: Sequence[int]) -> Iterator[GameRecord]:
        games = self.native.games
        assert games is not None
        if not games.fits(self.scenario):
            self.native.give_up("this scenario begins with values the code was not made for")
            yield from (self._played_by_python(number, True) for number in numbers)
            return
        behind = {seat: f"{agent_seed('', seat)}/{CHOICE}/" for seat in self.setup.seats}
        start = perf_counter()
        ended = [*games.play(self.scenario, behind, self.setup.seed, numbers)]
        self.native.spent += perf_counter() - start
        for number, played in ended:
            if played.machine is None:  # it may be one without an end: Python tells
                yield self._played_by_python(number, True)
            else:
                seed = self.setup.game_seed(number)
                yield self._record(number, seed, played.machine, played.decisions, "", {})

    def play(self, number: int, at_one_go: bool = False) -> GameRecord:
        """One whole game; `at_one_go` where that is worth compiling for, the record is the same."""
        if at_one_go and self.at_one_go and self.native.games is not None:
            return next(self._native_records((number,)))
        return self._played_by_python(number, at_one_go)

    @cached_property
    def _thoughts(self) -> int:
        """How many times more work a game may be because somebody thinks in it."""
        return max(
            (THOUGHTS * patience(kind) for kind in self.setup.seats.values() if kind != "random"), default=1
        )

    def _played_by_python(self, number: int, at_one_go: bool) -> GameRecord:
        seed = self.setup.game_seed(number)
        if at_one_go and self.at_one_go:
            _ = self.ruleset.playouts
            start = perf_counter()
            played = play_without_stopping(self.ruleset, self.scenario, self.setup.seats, seed)
            self.native.spent += perf_counter() - start
            if played is not None:
                return self._record(number, seed, *played, "", {})
        traced = self.setup.count_rules
        fired = self.ruleset.full.fired if traced else []
        fired[:] = [0] * len(fired)
        machine = self.ruleset.new_machine(self.scenario, seed, traced=traced)
        decisions, failure, dear = 0, "", False
        # (code that counts rules estimates its work coarsely: only single decisions are judged by that)
        work = COARSE if traced else self.ruleset.limits.work_per_game * self._thoughts
        usage = Usage(self.ruleset) if traced else None
        try:
            with machine.code.errand(work), usage.watching_tables() if usage else nullcontext():
                decisions = self._play_to_the_end(machine, seed, usage)
            if machine.pending is not None:
                failure = f"not over after {MOST_DECISIONS} decisions"
        except RunawayRule as error:
            failure, dear = str(error), error.dear
        rules = self.ruleset.full.unit.rules if traced else []
        counted = {
            paragraph: count
            for paragraph, count in zip(rules, fired, strict=True)
            if count and paragraph and plain(paragraph)
        }
        if usage is not None:
            usage.had_a_say()  # after the last decision
        record = self._record(number, seed, machine, decisions, failure, counted, dear)
        return replace(record, usage=dict(sorted(usage.counts.items()))) if usage else record

    def _record(
        self,
        number: int,
        seed: str,
        machine: Machine,
        decisions: int,
        failure: str,
        fired: dict[str, int],
        dear: bool = False,
    ) -> GameRecord:
        outcome, winners, reason, paragraph = machine.outcome or ("", 0, "", "")
        if failure:
            outcome, winners, reason, paragraph = "", 0, "", ""
        everybody = self.game.program.world.universes["player"].ids
        won = tuple(p for i, p in enumerate(everybody) if winners >> i & 1)
        return GameRecord(
            number=number,
            seed=seed,
            outcome=outcome,
            winners=won,
            reason=reason,
            paragraph=paragraph,
            decisions=decisions,
            turns=self._turns(machine),
            scores=self._scores(machine),
            failure=failure,
            fired=fired,
            dear=dear,
        )

    def _play_to_the_end(self, machine: Machine, seed: str, usage: Usage | None = None) -> int:
        index = self.game.program.world.universes["player"].index
        agents = {index[seat]: agent for seat, agent in agents_for(self.setup.seats, seed).items()}
        machine.begin()
        decision = 0
        while machine.pending is not None and decision < MOST_DECISIONS:
            if machine.pending.who not in agents:
                raise RunawayRule(self._nobody_sits_there(machine.pending))
            sight = Sight.of(self.ruleset, machine)
            chosen = agents[machine.pending.who].choose(sight, decision)
            if usage is not None:
                usage.decided(machine.pending, chosen)
            machine.choose(chosen)
            decision += 1
        return decision

    def _nobody_sits_there(self, pending: Pending) -> str:
        asked = self.game.program.world.universes["player"].ids[pending.who]
        paragraph = self.ruleset.fast.blocks.sites[pending.site].paragraph
        return f"{asked} takes no part, but is asked something ({paragraph})"

    def _turns(self, machine: Machine) -> int | None:
        """The track `turn` at the end, when the rulebook has one."""
        track = self.game.program.world.tracks.get(TURN)
        return int(Position(self.ruleset.layout, machine.s).track(TURN)) if track is not None else None

    def _scores(self, machine: Machine) -> Mapping[str, str]:
        """Scores are few, and games many: those that end alike have them in common."""
        scores = self._reckoned(machine)
        values = tuple(scores.values())
        if len(self._known_scores) < MOST_SCORES:
            return self._known_scores.setdefault(values, scores)
        return self._known_scores.get(values, scores)

    def _reckoned(self, machine: Machine) -> dict[str, str]:
        if machine.payoffs:
            gains = dict(machine.payoffs)
            return {p: str(Fraction(gains.get(i, 0))) for p, i in self.players.index.items()}
        quantities = self.game.program.quantities
        for name in SCORES:
            if name in quantities and [p.type.name for p in quantities[name].params] == ["player"]:
                function = self.ruleset.fast.function("q", name)
                return {
                    p: str(Fraction(self.ruleset.fast.ask(function, machine.s, i)))
                    for p, i in self.players.index.items()
                }
        return {}


def play_without_stopping(
    ruleset: Ruleset, scenario: Scenario | None, seats: Mapping[str, str], seed: str
) -> tuple[Machine, int] | None:
    """A game between random agents and its number of decisions; None when it must be played the slow way,
    because it may be one that does not come to an end."""
    index = ruleset.program.world.universes["player"].index
    seeds = {index[name]: agent_seed(seed, name) for name in seats}
    decisions = 0

    def decide(who: int, count: int) -> int:
        nonlocal decisions
        decisions += 1
        if decisions > MOST_DECISIONS or who not in seeds:
            raise RunawayRule
        return random_number(seeds[who], decisions - 1, count)

    try:
        return ruleset.playouts.play(scenario, seed, decide, cautious=True), decisions
    except RunawayRule:
        return None


def play_games(table: Table, numbers: Sequence[int], jobs: int = 1) -> Iterator[GameRecord]:
    """The games with these numbers, in this order, whoever finishes first."""
    return (record for (record,) in play_together((table,), numbers, jobs))


def play_together(
    tables: Sequence[Table], numbers: Sequence[int], jobs: int = 1
) -> Iterator[tuple[GameRecord, ...]]:
    """For each number the games of all tables, so that whoever stops halfway has whole rows."""
    many = len(numbers) >= MANY_GAMES
    if jobs <= 1 or len(numbers) <= 1:
        yield from map(_unless_dear, zip(*(table.records(numbers, many) for table in tables), strict=True))
        return
    quick = all(table.at_one_go for table in tables)
    if many and quick:
        for table in tables:
            _ = table.ruleset.playouts  # compiled before the processes part
            _is_worth_it(table, numbers)
    method = "fork" if "fork" in get_all_start_methods() else "spawn"
    # a game of a thinking agent, or with its rules counted, is worth keeping at once; quick ones go together
    chunk = max(1, min(16, len(numbers) // (jobs * 4))) if quick else 1
    global _tables
    _tables = tuple(
        tables
    )  # a forked process finds them there, compiled; a spawned one opens the games itself
    try:
        given = [table.setup for table in tables], changed_limits()
        with get_context(method).Pool(min(jobs, len(numbers)), _sit_down, given) as pool:
            yield from map(_unless_dear, pool.imap(partial(_play_number, at_one_go=many), numbers, chunk))
    finally:
        _tables = ()


def _is_worth_it(table: Table, numbers: Sequence[int]) -> None:
    """Build native code before the processes part, if what they have before them is worth it: each would find
    out for itself. A few games tell how long it will take."""
    for number in numbers[:TRIED]:
        table.play(number, True)
    table.native.spent *= len(numbers) / TRIED
    _ = table.native.games


def _unless_dear(row: tuple[GameRecord, ...]) -> tuple[GameRecord, ...]:
    """A rule that takes too long is told the first time it does: it would in most games."""
    for record in row:
        if record.dear:
            where = f"game {record.number} (seed {record.seed})"
            raise RunawayRule(f"{where} failed, and no more were played: {record.failure}")
    return row


_tables: tuple[Table, ...] = ()


def _sit_down(setups: Sequence[Setup], limits: Mapping[str, int]) -> None:
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that collects
    global _tables
    if not _tables:
        set_limits(limits)
        _tables = tuple(map(Table, setups))


def _play_number(number: int, at_one_go: bool) -> tuple[GameRecord, ...]:
    return tuple(table.play(number, at_one_go) for table in _tables)
