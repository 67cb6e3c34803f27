"""Games of a study as columns: what each says for itself, and what all games of an arm have in common.

Of most texts there are few, and of games many: such texts are said once and meant by number. The same rows
give the same columns, whoever brought them first.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from interpreter.measuring.simulation import GameRecord
from interpreter.studies.batches import Key
from interpreter.studies.carrying import engine
from interpreter.studies.studyfile import Arm, Study
from rulesdsl.base.diagnostics import UsageError

NEEDS = "studies need the extra study: pip install 'rulesdsl[study]'"

# columns that say the same in many rows, of arms and of games
_SHARED = ["name", "game", "rules", "house", "scenario", "settings", "seats", "engine", "weights"]
# of games, texts of which there are few: each is said once, and meant by its number
_FEW = ["outcome", "reason", "rule", "scores", "failure", "fired", "usage"]
ALIKE = [*_SHARED, *_FEW, "winners.list.element"]
NUMBERS = ["arm", "number", "decisions", "turns"]  # of which a file tells least and most
MOST_SCORES = 4096  # whose text is kept

Rows = dict[Key, GameRecord]
WrittenScores = dict[tuple[tuple[str, str], ...], str]


def arrow() -> Any:
    """pyarrow, when it is installed."""
    try:
        import_module("pyarrow.parquet")
        import_module("pyarrow.compute")
    except ImportError:
        raise UsageError(NEEDS) from None
    return import_module("pyarrow")


def columns_of(rows: Rows, scores: WrittenScores | None = None) -> dict[str, list[Any]]:
    """What each game has for itself. `scores` are texts that are known from before."""
    known = {} if scores is None else scores
    return {"arm": [key.table for key in rows], **_game_columns(list(rows.values()), known)}


def _game_columns(records: Sequence[GameRecord], scores: WrittenScores) -> dict[str, list[Any]]:
    return {
        "number": [record.number for record in records],
        "seed": [record.seed for record in records],
        "outcome": [record.outcome for record in records],
        "winners": [record.winners for record in records],
        "reason": [record.reason for record in records],
        "rule": [record.paragraph for record in records],
        "decisions": [record.decisions for record in records],
        "turns": [record.turns for record in records],
        "scores": _scores(records, scores),
        "failure": [record.failure for record in records],
        "fired": [compact(record.fired) if record.fired else "{}" for record in records],
        "usage": [compact(record.usage) if record.usage else "{}" for record in records],
    }


def _scores(records: Sequence[GameRecord], known: WrittenScores) -> list[str]:
    """Scores are few, and games many: games of one table that end alike have them in common, and other
    batches have ended like this before."""
    several = {id(record.scores): record.scores for record in records}
    written = {}
    for number, scores in several.items():
        said = tuple(scores.items())
        text = known.get(said)
        if text is None:
            text = compact(scores)
            if len(known) < MOST_SCORES:
                known[said] = text
        written[number] = text
    return [written[id(record.scores)] for record in records]


def table_of(columns: dict[str, list[Any]]) -> Any:
    pa = arrow()
    return pa.table({name: pa.array(values, _kind(name)) for name, values in columns.items()})


def _kind(name: str) -> Any:
    pa = arrow()
    if name == "winners":
        return pa.list_(pa.string())
    if name in _FEW:
        return pa.dictionary(pa.int32(), pa.string())
    return pa.int64() if name in NUMBERS else pa.string()


def in_order(columns: Sequence[Any]) -> Any:
    """All rows by arm and number: the same rows give the same bytes."""
    rows = arrow().concat_tables(columns).unify_dictionaries().combine_chunks()
    return rows if _is_in_order(rows) else rows.sort_by([("arm", "ascending"), ("number", "ascending")])


def _is_in_order(rows: Any) -> bool:
    """Whether arms and numbers only go up: so they do when one process plays one arm, and to put rows in
    order
    costs more than to look."""
    pc = arrow().compute
    before, after = rows.slice(0, max(0, len(rows) - 1)), rows.slice(1)
    later = pc.greater(after["arm"], before["arm"])
    next_one = pc.and_(pc.equal(after["arm"], before["arm"]), pc.greater(after["number"], before["number"]))
    return pc.all(pc.or_(later, next_one)).as_py() is not False  # (None: nothing is before anything)


def whole_rows(study: Study, columns: Any) -> Any:
    """With what all games of an arm share, so that a row has everything needed to play its game again. Rows
    of an arm lie together. What is shared is said once, and meant by every row."""
    pa = arrow()
    counts = {one["values"]: one["counts"] for one in columns["arm"].value_counts().to_pylist()}
    said = [_table_columns(arm) for arm in study.arms]
    whole: dict[str, Any] = {"arm": columns["arm"].combine_chunks()}
    for name in said[0]:
        values = list(dict.fromkeys(one[name] for one in said if one[name] is not None))
        which = [  # a game may have no scenarios: then there is no value to mean
            pa.repeat(
                pa.scalar(None if one[name] is None else values.index(one[name]), pa.int32()),
                counts.get(arm.number, 0),
            )
            for arm, one in zip(study.arms, said, strict=True)
        ]
        whole[name] = pa.DictionaryArray.from_arrays(pa.concat_arrays(which), pa.array(values, pa.string()))
    for name in columns.column_names:
        if name not in whole:
            own = columns[name].combine_chunks()
            whole[name] = _as_met(own) if name in _FEW else own
    return pa.table(whole)


def _as_met(column: Any) -> Any:
    """A column with what it says in the order in which its rows say it, whoever brought them first."""
    pa = arrow()
    (numbers, said) = (column.indices, column.dictionary)
    met = pa.compute.unique(numbers)
    return pa.DictionaryArray.from_arrays(pa.compute.index_in(numbers, met), said.take(met))


def _table_columns(arm: Arm) -> dict[str, Any]:
    """What all games of an arm share."""
    return {
        "name": arm.name, "game": arm.game.program.game, "rules": arm.rules,
        "house": json.dumps([path.name for path in arm.setup.house]), "scenario": arm.scenario,
        "settings": compact(arm.setup.settings), "seats": compact(arm.setup.seats), "engine": engine(),
        "weights": compact(dict(arm.game.weights)),
    }  # fmt: skip


def compact(value: Mapping[str, Any]) -> str:
    return json.dumps(dict(sorted(value.items())), ensure_ascii=False, separators=(",", ":"))
