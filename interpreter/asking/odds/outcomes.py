"""Odds in words: which procedure with which things, and what differs on the table afterwards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from interpreter.asking.odds.asked import clear_names, doubts, nobody_in, read_arguments, shown_arguments
from interpreter.asking.odds.tables import result_text, tables_read_with_dice
from interpreter.asking.odds.weigh import Way, explore
from interpreter.asking.questions import breakdown
from interpreter.compiling.compiled import Compiled
from interpreter.compiling.ruleset import Ruleset
from interpreter.playing.game import Game
from interpreter.playing.log_lines import turned_over
from interpreter.playing.session import Session
from interpreter.playing.standing import EVERYTHING
from interpreter.running.fuel import RunawayRule
from interpreter.running.machine import Machine
from interpreter.state.position import Position
from rulesdsl import program as pg
from rulesdsl.base.diagnostics import UsageError, did_you_mean
from rulesdsl.handbook.facts import Breakdown, Reason
from rulesdsl.language.conventions import ODDS


@dataclass(frozen=True, slots=True)
class Outcome:
    """What may come out: how likely, by which dice, what the tables said, what lies otherwise afterwards."""

    chance: Fraction
    rolled: tuple[str, ...]
    results: tuple[str, ...]
    changes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Odds:
    """The exact odds of one procedure; `sums` are the quantities as they stand before the first die."""

    procedure: str
    paragraph: str
    outcomes: tuple[Outcome, ...]
    always: tuple[str, ...]  # changes that happen in every case and are not repeated in the outcomes
    sums: tuple[Breakdown, ...]
    about: tuple[str, ...] = ()  # what was asked, in words
    notes: tuple[str, ...] = ()  # why the question may be a mistake

    def single(self) -> dict[str, Fraction]:
        """Each change by itself with its chance."""
        found: dict[str, Fraction] = {}
        for outcome in self.outcomes:
            for change in outcome.changes:
                found[change] = found.get(change, Fraction(0)) + outcome.chance
        return found


def odds_of(
    game: Game, ruleset: Ruleset, state: list[Any], name: str, given: Mapping[str, str], even: bool = False
) -> Odds:
    """The odds of `name` (or of the procedure `odds_name`) with things named by their ids."""
    procedure = find_procedure(ruleset.program, name)
    session = Session(game, ruleset, Machine(ruleset.full.code, state, "odds"), {})
    arguments = read_arguments(session, procedure, given)
    notes = doubts(session, procedure, arguments)
    sums: list[Breakdown] = []
    results: list[tuple[str, Any]] = []
    # A ruleset of our own: its tables are watched, and nobody else's.
    watched = Ruleset(ruleset.program, ruleset.scenarios, ruleset.settings, ruleset.limits)
    watch_tables(watched, results, tables_read_with_dice(ruleset.program))

    def note_sums(before: list[Any]) -> None:
        then = Session(game, ruleset, Machine(ruleset.full.code, before, "odds"), {})
        sums.extend(sums_in(then))
        notes.extend(nobody_in(then))

    with quantities_asked(watched.full) as asked:
        found = explore(
            watched.full.code, state, procedure.name, arguments,
            even=even, before_first=note_sums, results=results,
        )  # fmt: skip
        ways = list(found)
    used = tuple(s for s in sums if s.name in asked)
    about = tuple(shown_arguments(ruleset.program.world, procedure, arguments))
    return Odds(
        procedure.name, procedure.paragraph, *grouped(ruleset, state, ways), used, about, tuple(notes)
    )


def find_procedure(program: pg.Program, name: str) -> pg.ProcedureRule:
    found = program.procedures.get(f"{ODDS}{name}") or program.procedures.get(name)
    if found is None or found.kind not in ("procedure", "phase"):
        known = [n.removeprefix(ODDS) for n in program.procedures if n.startswith(ODDS)]
        hint = did_you_mean(name, known) or (f"there are: {', '.join(known)}" if known else "")
        raise UsageError(f'no procedure is called "{ODDS}{name}" or "{name}"' + (f"; {hint}" if hint else ""))
    return found


@contextmanager
def quantities_asked(compiled: Compiled) -> Iterator[set[str]]:
    """The names of the quantities that generated code asks for while this lasts."""
    asked: set[str] = set()
    called = compiled.unit.naming.called
    own = {called("q", name): name for name in compiled.unit.program.quantities if "." in name}
    kept = {python: compiled.names[python] for python in own if python in compiled.names}

    def noted(python: str) -> Any:
        def ask(*given: Any) -> Any:
            asked.add(own[python])
            return kept[python](*given)

        return ask

    compiled.names.update({python: noted(python) for python in kept})
    try:
        yield asked
    finally:
        compiled.names.update(kept)


def watch_tables(ruleset: Ruleset, results: list[tuple[str, Any]], wanted: frozenset[str]) -> None:
    """Of a combat table the result is worth telling, of one that knows the cost of a hex it is not."""
    names, called = ruleset.full.names, ruleset.full.unit.naming.called

    def watched(table: str) -> Any:
        lookup = ruleset.full.function("T", table)

        def look(*keys: Any) -> Any:
            found = lookup(*keys)
            results.append((table, found))
            return found

        return look

    for table in wanted:
        names[called("T", table)] = watched(table)


def sums_in(session: Session, seat: str | None = EVERYTHING) -> Iterator[Breakdown]:
    """The quantities of every record that is being resolved, as far as anything goes into them, and a seat
    may know it."""
    program, now = session.ruleset.program, session.position
    filled = {
        record.name
        for record in program.world.records.values()
        if any(type_.kind == "set" and now.field(record.name, name) for name, type_ in record.fields.items())
    }
    for name, quantity in program.quantities.items():
        if "." in name and name.partition(".")[0] in filled and not quantity.params:
            try:
                found, value = breakdown(session, name, seat=seat), session.value(name, seat=seat)
            except (RunawayRule, UsageError):  # the record says too little yet for this one, or it is secret
                continue
            reasons = tuple(Reason(r.paragraph, r.label, r.op, r.amount, r.value) for r in found)
            yield Breakdown(name, str(value), reasons)


# ---- what is different afterwards --------------------------------------------------------------------
def grouped(
    ruleset: Ruleset, before: list[Any], ways: list[Way]
) -> tuple[tuple[Outcome, ...], tuple[str, ...]]:
    """Ways that look the same are one outcome; what happens in all of them is told once."""
    seen = [list(_changes(ruleset, before, way)) for way in ways]
    always = set(seen[0]).intersection(*map(set, seen)) if len(seen) > 1 else set[str]()
    groups: dict[tuple[tuple[str, ...], tuple[str, ...]], tuple[Fraction, list[str]]] = {}
    for way, changed in zip(ways, seen, strict=True):
        program = ruleset.program
        results = tuple(result_text(program, program.tables[table], found) for table, found in way.results)
        changes = tuple(change for change in changed if change not in always)
        chance, rolled = groups.setdefault((results, changes), (Fraction(0), []))
        dice = " ".join(str(value) for purpose, value in way.rolled if purpose != "choice")
        rolled += [dice] if dice and dice not in rolled else []
        groups[results, changes] = (chance + way.chance, rolled)
    outcomes = [Outcome(chance, tuple(rolled), *key) for key, (chance, rolled) in groups.items()]
    outcomes.sort(key=lambda outcome: -outcome.chance)
    return tuple(outcomes), tuple(change for change in seen[0] if change in always)


def _changes(ruleset: Ruleset, before: list[Any], way: Way) -> Iterator[str]:
    """What lies otherwise: places and faces of pieces, values of spaces, players and the game."""
    world = ruleset.program.world
    was, now = Position(ruleset.layout, before), Position(ruleset.layout, way.state)
    names = {
        universe: clear_names(world, universe)
        for universe in ("piece", "space", "player")
        if universe in world.universes
    }
    for universe, name in ruleset.layout.arrays:
        attribute = world.attributes.get((universe, name))
        if universe not in ("piece", "space", "player") or (
            universe == "piece" and name not in ("at", "face")
        ):
            continue
        pairs = zip(was.values(universe, name), now.values(universe, name), strict=True)
        for number, (old, new) in enumerate(pairs):
            if new == old or number >= len(world.universes[universe].names):
                continue
            thing = names[universe][number]
            if name == "face":
                place = now.at(number)
                spaces = world.universes["space"]
                if place >= 0 and not ruleset.program.telling.arriving(spaces.ids[place]):
                    yield f"{thing}: {turned_over(ruleset, now.s, [number])}"
            elif name == "at":
                spaces = world.universes["space"]
                told = ruleset.program.telling.arriving(spaces.ids[new]) if new >= 0 else "removed"
                yield f"{thing}: {told or f'to {spaces.names[new]}'}"
            elif attribute is not None:
                yield f"{thing}: {name.replace('_', ' ')} {world.show(attribute.type, new)}"
    for track in world.tracks.values():
        if now.track(track.name) != was.track(track.name):
            yield f"{track.name.replace('_', ' ')} {world.show(track.type, now.track(track.name))}"
    if way.outcome is not None:
        yield f"the game ends: {way.outcome[0]} ({way.outcome[2]})"
