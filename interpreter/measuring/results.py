"""Results of simulations in a file that grows game by game: SQLite (`.db`) or a spreadsheet (`.csv`).

A file may hold several runs. A run that was cut short goes on where it stopped.
"""

from __future__ import annotations

import csv
import errno
import io
import json
import os
import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol

from interpreter.measuring.growing_file import GrowingFile
from interpreter.measuring.simulation import GameRecord, Table
from rulesdsl.base.diagnostics import UsageError

SCHEMA = """
create table if not exists runs (run text primary key, facts text not null);
create table if not exists games (
    run text not null, number integer not null, seed text not null, outcome text not null,
    winners text not null, reason text not null, rule text not null, decisions integer not null,
    turns integer, scores text not null, failure text not null, fired text not null,
    primary key (run, number));
"""
COLUMNS = ("run", "number", "seed", "outcome", "winners", "reason", "rule", "decisions", "turns", "failure")


class ResultsFile(Protocol):
    """Where records are kept."""

    def known(self) -> dict[int, GameRecord]:
        """The games of this run that are already there."""
        ...

    def add(self, records: Sequence[GameRecord]) -> None:
        """Write records so that they survive whatever happens next."""
        ...

    def close(self) -> None: ...


def open_results(path: Path, table: Table) -> ResultsFile:
    """By the ending of the name: `.csv`, or `.db`, `.sqlite`, `.sqlite3`."""
    if path.suffix == ".csv":
        return CsvResults(path, table)
    if path.suffix in (".db", ".sqlite", ".sqlite3"):
        return DatabaseResults(path, table)
    raise UsageError(f'--out {path}: the name must end in ".csv" or ".db"')


class DatabaseResults:
    def __init__(self, path: Path, table: Table) -> None:
        self.path = path
        self.run = table.run
        if os.path.lexists(path) and not path.is_file():
            raise UsageError(f"--out {path}: this is not a regular file")
        try:
            self.connection = sqlite3.connect(path)
            self.connection.executescript(SCHEMA)
            facts = json.dumps(table.facts, sort_keys=True)
            self.connection.execute("insert or ignore into runs values (?, ?)", (self.run, facts))
            self.connection.commit()
        except sqlite3.Error as error:
            if "full" in str(error):
                raise OSError(errno.ENOSPC, str(error), str(path)) from None
            raise UsageError(f"--out {path}: {error}") from None

    def known(self) -> dict[int, GameRecord]:
        try:
            rows = self.connection.execute(
                "select number, seed, outcome, winners, reason, rule, decisions, turns, scores, failure,"
                " fired from games where run = ? order by number",
                (self.run,),
            )
            return {row[0]: _from_row(*row) for row in rows}
        except (sqlite3.Error, ValueError, TypeError, RecursionError) as error:
            raise UsageError(f"--out {self.path}: {error}") from None

    def add(self, records: Sequence[GameRecord]) -> None:
        try:
            self.connection.executemany(
                "insert or replace into games values (?,?,?,?,?,?,?,?,?,?,?,?)",
                [
                    (self.run, r.number, r.seed, r.outcome, "+".join(r.winners), r.reason, r.paragraph,
                     r.decisions, r.turns, json.dumps(dict(r.scores)), r.failure, json.dumps(dict(r.fired)))
                    for r in records
                ],
            )  # fmt: skip
            self.connection.commit()
        except sqlite3.Error as error:
            raise OSError(errno.EIO, str(error), str(self.path)) from None

    def close(self) -> None:
        self.connection.close()


class CsvResults:
    """One row for each game; `score_…` columns for the players, `fired` when rules are counted.

    The file is locked before it is read and until `close`: rows of two runs at once would mix.
    """

    def __init__(self, path: Path, table: Table) -> None:
        self.path = path
        self.run = table.run
        self.players = table.players.ids
        fired = ("fired",) if table.setup.count_rules else ()
        self.columns = (*COLUMNS, *(f"score_{player}" for player in self.players), *fired)
        self.rows: list[dict[str, str]] = []
        self.file = GrowingFile(path, "--out", "writing its games", _csv_line(self.columns))
        try:
            self._read()
        except BaseException:
            self.close()
            raise

    def _read(self) -> None:
        try:
            lines = list(csv.reader(io.StringIO(self.file.content.decode("utf-8"), newline="")))
        except (UnicodeDecodeError, csv.Error):
            lines = [[]]
        if self.file.content and (not lines or tuple(lines[0]) != self.columns):
            raise UsageError(
                f"--out {self.path}: this file holds other columns; it belongs to another game or was made"
                " with other options: give another name"
            )
        self.rows = [dict(zip(self.columns, line, strict=True)) for line in lines[1:]
                     if len(line) == len(self.columns)]  # fmt: skip

    def known(self) -> dict[int, GameRecord]:
        try:
            return {int(row["number"]): self._record(row) for row in self.rows if row["run"] == self.run}
        except (ValueError, RecursionError) as error:
            raise UsageError(f"--out {self.path}: a row of this run was changed ({error})") from None

    def _record(self, row: dict[str, str]) -> GameRecord:
        scores = {p: row[f"score_{p}"] for p in self.players if row[f"score_{p}"]}
        return GameRecord(
            number=int(row["number"]),
            seed=row["seed"],
            outcome=row["outcome"],
            winners=_split(row["winners"]),
            reason=row["reason"],
            paragraph=row["rule"],
            decisions=int(row["decisions"]),
            turns=int(row["turns"]) if row["turns"] else None,
            scores=scores,
            failure=row["failure"],
            fired=json.loads(row.get("fired", "") or "{}"),
        )

    def add(self, records: Sequence[GameRecord]) -> None:
        lines: list[str] = []
        for r in records:
            values: list[Any] = [
                self.run, r.number, r.seed, r.outcome, "+".join(r.winners), r.reason, r.paragraph,
                r.decisions, "" if r.turns is None else r.turns, r.failure,
                *(r.scores.get(p, "") for p in self.players),
            ]  # fmt: skip
            if "fired" in self.columns:
                values.append(json.dumps(dict(r.fired)))
            lines.append(_csv_line(values))
        self.file.append("".join(lines))

    def close(self) -> None:
        """Every row is in the file already."""
        self.file.close()


def _from_row(
    number: int, seed: str, outcome: str, winners: str, reason: str, paragraph: str, decisions: int,
    turns: int | None, scores: str, failure: str, fired: str,
) -> GameRecord:  # fmt: skip
    return GameRecord(
        number=number,
        seed=seed,
        outcome=outcome,
        winners=_split(winners),
        reason=reason,
        paragraph=paragraph,
        decisions=decisions,
        turns=turns,
        scores=json.loads(scores),
        failure=failure,
        fired=json.loads(fired),
    )


def _split(winners: str) -> tuple[str, ...]:
    return tuple(winners.split("+")) if winners else ()


def _csv_line(values: Iterable[Any]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(values)
    return line.getvalue()
