"""What a house rule does in play, beside the balance: how often its paragraphs were offered, taken and
refused, changed a number, forbade something; how often the cells it changes were looked up.

Counted at decisions, as players count: a modifier that is reckoned forty times while options are listed has
changed a number once, at that decision.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from interpreter.compiling.ir.ways import ALLOWED, CHANGED, FORBADE
from interpreter.measuring.simulation import GameRecord
from interpreter.measuring.usage import CELL, OFFERED, REFUSED, TAKEN
from interpreter.playing.game import Game
from rulesdsl.base.published import published
from rulesdsl.book.changes import Change
from rulesdsl.checking.checker import paragraph_order

USED = "used"  # told only of a paragraph that has a say in no other way: steps of a procedure are no moments
WAYS = {
    OFFERED: "offered", TAKEN: "taken", REFUSED: "refused", CHANGED: "changed a number",
    FORBADE: "forbade something", ALLOWED: "allowed an exception", CELL: "looked up", USED: "used",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Way:
    """One way in which a paragraph had a say: times a game before and after, and in which share of the games
    under the house rules at least once."""

    how: str  # a key of WAYS
    before: float
    after: float
    games: float


@dataclass(frozen=True, slots=True)
class Effect:
    """A paragraph, or a cell (`odds 1:1, die 5`), that the house rules change or add."""

    paragraph: str
    title: str
    part: str
    ways: tuple[Way, ...]

    @property
    def silent(self) -> bool:
        return not any(way.after for way in self.ways)


def changed_paragraphs(game: Game) -> list[str]:
    """Those that house rules add, amend, replace or repeal."""
    found = {change.subject for change in game.source.changes if change.kind == "paragraph"}
    return sorted(found, key=paragraph_order)


def effects(game: Game, pairs: Iterable[tuple[GameRecord, GameRecord]]) -> list[Effect]:
    """From pairs of games in which rules were counted; `game` is the one with house rules."""
    counted = [(a, b) for a, b in pairs if (a.usage or b.usage) and not a.failure and not b.failure]
    if not counted:
        return []
    found = [_paragraph(game, paragraph, counted) for paragraph in changed_paragraphs(game)]
    return [
        *found,
        *(
            _cell(game, change, counted)
            for change in game.source.changes
            if change.kind == "table" and all(change.labels or ("",))
        ),
    ]


def _paragraph(game: Game, paragraph: str, counted: Sequence[tuple[GameRecord, GameRecord]]) -> Effect:
    every = [_way(how, f"{how}\t{paragraph}", counted) for how in WAYS if how not in (CELL, USED)]
    ways = [way for way in every if way.before or way.after]
    if not ways:
        used = _used(paragraph, counted)
        ways = [used] if used.before or used.after else []
    known = game.program.paragraphs.get(paragraph)
    return Effect(paragraph, known.title if known is not None else "(repealed)", "", tuple(ways))


def _cell(game: Game, change: Change, counted: Sequence[tuple[GameRecord, GameRecord]]) -> Effect:
    way = _way(CELL, f"{CELL}\t{change.subject}\t{' / '.join(change.labels)}", counted)
    return Effect(change.paragraph, f"table {change.subject}", change.part, (way,))


def _way(how: str, key: str, counted: Sequence[tuple[GameRecord, GameRecord]]) -> Way:
    sums = [0, 0]
    games = 0
    for pair in counted:
        times = [_times(record, key) for record in pair]
        sums = [total + more for total, more in zip(sums, times, strict=True)]
        games += times[1] > 0
    many = len(counted)
    return Way(how, sums[0] / many, sums[1] / many, games / many)


def _used(paragraph: str, counted: Sequence[tuple[GameRecord, GameRecord]]) -> Way:
    """In how many games the paragraph was used at all."""
    before, after = (sum(paragraph in pair[side].fired for pair in counted) / len(counted) for side in (0, 1))
    return Way(USED, before, after, after)


def _times(record: GameRecord, key: str) -> int:
    """Under the key itself, or under keys that go on after it (`offered<TAB>5.1<TAB>attack`)."""
    if key in record.usage:
        return record.usage[key]
    begins = f"{key}\t"
    return sum(count for name, count in record.usage.items() if name.startswith(begins))


def effect_lines(found: Sequence[Effect]) -> list[str]:
    """For a terminal: a line for each way, with what it was before where that is not nothing."""
    lines = []
    for effect in found:
        what = f"{effect.title}, {effect.part}" if effect.part else effect.title
        lines.append(f"{effect.paragraph} {what}")
        if effect.silent:
            lines.append("    never had a say in these games")
            continue
        for way in effect.ways:
            share = f"in {100 * way.games:.0f} % of the games"
            if way.how == USED:
                was = f", before in {100 * way.before:.0f} %" if way.before != way.after else ""
                lines.append(f"    used {share}{was}")
                continue
            before = f"{way.before:.2f} → " if way.before else ""
            lines.append(f"    {WAYS[way.how]}: {before}{way.after:.2f} times a game, {share}")
    return lines


def effects_json(found: Sequence[Effect]) -> list[dict[str, Any]]:
    return [{**published(effect), "silent": effect.silent} for effect in found]
