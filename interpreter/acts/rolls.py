"""A roll as people read it: the sums it rests on, the column, the die with each modifier, what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from interpreter.asking.odds.outcomes import sums_in
from interpreter.asking.odds.tables import result_text
from interpreter.playing.dice_tables import modifiers_of_dice
from interpreter.playing.hearing import Reading
from interpreter.playing.moments import LogEntry, Moment
from interpreter.playing.session import Session
from interpreter.running.machine import Machine
from rulesdsl.base.diagnostics import UsageError
from rulesdsl.book.tables.table import NoResult, Table
from rulesdsl.handbook.facts import Breakdown, signed
from rulesdsl.speaking.lexicon import Lexicon

ROWS = "rows"  # the axis along which a die is usually read


@dataclass(frozen=True, slots=True)
class RollTold:
    """One roll in words; `detail` are the sums with each contribution and its paragraph."""

    text: str
    detail: tuple[str, ...]
    numbers: frozenset[str]  # the values of the sums: a note that only repeats them is not told again


def roll_told(
    session: Session, seat: str | None, moment: Moment | None, line: int, entry: LogEntry, last: bool
) -> RollTold:
    """`attack 8, defence 4, 2:1; 1d6 for combat: 2, trench line −1 → A2D1`

    The sums are told with the first die that uses them; what the table said with the die it was read for.
    """
    if moment is None:
        return RollTold(entry.text, (), frozenset())
    sums = _sums(session, seat, moment, line)
    said = [_reading(session, r) for r in _readings(moment, line, last)]
    totals, changes = [], list[str]()
    modifiers = modifiers_of_dice(session.ruleset.program)
    for total in sums:
        parts = [f"{r.label} {signed(r.op, r.amount)}" for r in total.reasons if r.label != "base"]
        if total.name in modifiers:
            base = next((r for r in total.reasons if r.label == "base" and r.amount != "0"), None)
            changes += [f"{_called(total.name)} {base.amount}"] if base is not None else []
            changes += parts
        else:
            totals.append(f"{_called(total.name)} {total.value}")
    columns = [column for column, _ in said if column]
    results = [result for _, result in said]
    head = ", ".join([*totals, *dict.fromkeys(columns)])
    text = "; ".join(filter(None, [head, ", ".join([entry.text, *changes])]))
    if results:
        text += f" → {', '.join(dict.fromkeys(results))}"
    detail = tuple(line for total in sums for line in _detail(total))
    return RollTold(text, detail, frozenset(total.value for total in sums))


def _detail(total: Breakdown) -> list[str]:
    lines = [f"{_called(total.name)} {total.value}"]
    for reason in total.reasons:
        if reason.label != "base":
            lines.append(f"  {reason.label} {signed(reason.op, reason.amount)} ({reason.paragraph})")
    return lines


def _called(name: str) -> str:
    """`combat.die_modifier` is spoken of as its last part."""
    return name.rpartition(".")[2].replace("_", " ")


def _sums(session: Session, seat: str | None, moment: Moment, line: int) -> list[Breakdown]:
    """The sums as they stood when the first die fell: later dice of the same decision rest on the same."""
    if not moment.rolls or moment.rolls[0][0] != line or not moment.asked:
        return []
    kept = session.remembered.get((line, seat))
    if kept is None:
        state = moment.rolls[0][1]
        then = Session(
            session.game,
            session.ruleset,
            Machine(session.ruleset.full.code, state[:], "story"),
            session.facts,
        )
        try:
            kept = [s for s in sums_in(then, seat) if s.name in moment.asked]
        except UsageError:  # made of something this seat may not know
            kept = []
        kept = [s for s in kept if s.value != "0" or len(s.reasons) > 1]
        session.remembered[line, seat] = kept
    return kept


def _readings(moment: Moment, line: int, last: bool) -> list[Reading]:
    """The tables read after this die and before the next."""
    later = [rolled for rolled, _ in moment.rolls if rolled > line]
    end = later[0] + 1 if later and not last else None
    return [r for r in moment.readings if r.line > line and (end is None or r.line < end)]


def _reading(session: Session, reading: Reading) -> tuple[str, str]:
    """The column that was read, and what stood there."""
    program = session.ruleset.program
    table = program.tables[reading.table]
    found = result_text(program, table, reading.found)
    try:
        labels = table.lookup(*(_key(session, table, n, k) for n, k in enumerate(reading.keys))).labels
    except (NoResult, ValueError, TypeError):
        return "", found
    named = [key for axis in ("pages", "columns", ROWS) for key in table.keys if key.axis == axis]
    columns = [
        Lexicon.of(program).spelled(text)
        if key.kind in ("ratio", "name")
        else f"{key.name.replace('_', ' ')} {text}"
        for key, text in zip(named, labels, strict=False)
        if key.axis != ROWS
    ]
    return " ".join(columns), found


def _key(session: Session, table: Table, number: int, value: Any) -> Any:
    """A key as the table names it: the runtime counts the values of an enumeration."""
    key = table.keys[number]
    names = session.ruleset.program.world.values_of(key.of) if key.kind == "name" else None
    if names is not None:
        return names[value]
    return bool(value) if key.kind == "flag" else value
