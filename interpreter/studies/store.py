"""Where the games of a study are kept: a directory with Parquet files, one row a game.

    study.yaml      the study as it was when its first game was played
    rules/          the rules of every arm, by content hash: they can be played again when the game has
    changed parts/          rows as they come, each file written whole or not at all
    games.parquet   all rows in order, when nothing is missing: the same bytes however they were played

A row is known by its arm and the number of its game; there cannot be two.
"""

from __future__ import annotations

import errno
import io
import json
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from interpreter.measuring.simulation import GameRecord
from interpreter.measuring.statistics import result_name
from interpreter.studies.batches import Key
from interpreter.studies.carrying import Carried, carry, engine
from interpreter.studies.columns import (
    ALIKE,
    NUMBERS,
    Rows,
    WrittenScores,
    arrow,
    columns_of,
    compact,
    in_order,
    table_of,
    whole_rows,
)
from interpreter.studies.studyfile import Arm, Study, build_study, outline
from rulesdsl.base.diagnostics import UsageError
from rulesdsl.base.limits import DEFAULT
from rulesdsl.base.textfile import read_source
from rulesdsl.base.writing import write_file

STUDY, RULES, PARTS, WHOLE, LOCK = "study.yaml", "rules", "parts", "games.parquet", ".lock"
MOST_PARTS = 64  # then they are put together
NO_ROOM = (errno.ENOSPC, errno.EDQUOT)


class Store:
    """The games of one study. Open for one program at a time; `read_store` looks without that."""

    def __init__(self, directory: Path, study: Study) -> None:
        arrow()
        self.directory, self.study = directory, study
        try:
            (directory / PARTS).mkdir(parents=True, exist_ok=True)
            (directory / RULES).mkdir(exist_ok=True)
        except (FileExistsError, NotADirectoryError):
            raise UsageError(f"--out {directory}: this is not a directory") from None
        self._lock = _locked(directory / LOCK)
        try:
            self._begin()
            self.rows: Rows = dict(read_rows(directory, study, only_this_engine=True))
            # the same rows as they are written: what was turned into columns once is not turned again
            self._columns: list[Any] = [table_of(columns_of(self.rows))] if self.rows else []
        except BaseException:
            self.close()
            raise
        self._unwritten: dict[str, list[Any]] = {}
        self._written_scores: WrittenScores = {}
        self._parts = 1 + max((_number(path) for path in _parts(directory)), default=0)

    def _begin(self) -> None:
        """A directory belongs to one study: the same file, word for word."""
        kept = self.directory / STUDY
        if not os.path.lexists(kept):
            write_file(kept, self.study.file.text, lasting=True)
        elif read_source(kept, DEFAULT.yaml_file_bytes).text != self.study.file.text:
            raise UsageError(
                f"--out {self.directory}: there are the games of another study ({kept}): give another "
                "directory"
            )
        for carried in self.rules().values():
            place = self.directory / RULES / f"{carried.hash}.json"
            if not place.exists():
                texts = {"game": carried.files, "house": carried.house}
                write_file(place, json.dumps(texts, ensure_ascii=False, indent=1), lasting=True)

    def rules(self) -> dict[str, Carried]:
        return {arm.rules: carry(arm.game) for arm in self.study.arms}

    @property
    def kept(self) -> int:
        """Games that are on the disk, and survive whatever happens next."""
        return len(self.rows) - len(self._unwritten.get("arm", ()))

    def take(self, keys: Sequence[Key], records: Sequence[GameRecord]) -> None:
        """Rows, those that are there already left out. They are kept with the next `write`, or with `finish`,
        which writes all."""
        fresh: Rows = dict(zip(keys, records, strict=True))
        if not self.rows.keys().isdisjoint(fresh):
            fresh = {key: record for key, record in fresh.items() if key not in self.rows}
        if fresh:
            for name, values in columns_of(fresh, self._written_scores).items():
                self._unwritten.setdefault(name, []).extend(values)
            self.rows.update(fresh)

    def write(self) -> None:
        """Keep what was taken."""
        if not self._unwritten:
            return
        columns = in_order([table_of(self._unwritten)])
        self._write_part(columns)
        self._columns.append(columns)
        self._unwritten = {}
        if len(parts := _parts(self.directory)) > MOST_PARTS:
            self._columns = [in_order(self._columns)]
            self._write_part(self._columns[0])
            for part in parts:
                part.unlink()

    def finish(self) -> None:
        """All rows in order in one file. When there is no room for it, the last ones may still find some."""
        columns = [*self._columns, table_of(self._unwritten or columns_of({}))]
        try:
            self._write_whole(columns)
        except BaseException:
            self.write()
            raise
        self._columns, self._unwritten = columns, {}
        for part in _parts(self.directory):
            part.unlink()

    def _write_whole(self, columns: Sequence[Any]) -> None:
        rows = in_order(columns)
        self._write(
            self.directory / WHOLE, rows, compression="zstd", use_dictionary=ALIKE, write_statistics=NUMBERS
        )

    def _write_part(self, columns: Any) -> None:
        """Parts live for minutes: they are not pressed, unless there is no room left but for less."""
        path = self.directory / PARTS / f"{self._parts:06}.parquet"
        how: dict[str, Any] = {"use_dictionary": ALIKE, "write_statistics": False}
        try:
            self._write(path, columns, compression="none", **how)
        except OSError as error:
            if error.errno not in NO_ROOM:
                raise
            self._write(path, columns, compression="zstd", **how)
        self._parts += 1

    def _write(self, path: Path, columns: Any, **how: Any) -> None:
        if not (self.directory / STUDY).exists():  # a drive that went away must not be made anew in its place
            raise OSError(errno.ESTALE, "the directory of the study is gone", str(self.directory))
        facts = {"study": self.study.id, "study_seed": self.study.seed, "schema_version": "1"}
        rows = whole_rows(self.study, columns).replace_schema_metadata(facts)
        stream = io.BytesIO()
        # `store_schema`: texts, however they lie here; a checksum of each page: damage is never silent
        how |= {"store_schema": False, "write_page_checksum": True}
        arrow().parquet.write_table(rows, stream, **how)
        write_file(path, stream.getvalue(), lasting=True)

    def close(self) -> None:
        if self._lock >= 0:
            with suppress(OSError):
                os.close(self._lock)
            self._lock = -1


def kept_study(directory: Path) -> Study:
    """The study a directory belongs to."""
    place = directory / STUDY
    if not place.is_file():
        raise UsageError(f"{directory}: there is no study (no {STUDY} in it)")
    return build_study(read_source(place, DEFAULT.yaml_file_bytes))


@dataclass(frozen=True)
class Progress:
    """How far a study has come, by its files alone: no game is opened for it."""

    study: str
    most: int  # games of each arm
    done: bool
    running: bool
    arms: tuple[tuple[str, int, int, dict[str, int]], ...]  # name, games, failed, results


def progress_of(directory: Path) -> Progress:
    place = directory / STUDY
    if not place.is_file():
        raise UsageError(f"{directory}: there is no study (no {STUDY} in it)")
    name, names, stopping = outline(read_source(place, DEFAULT.yaml_file_bytes))
    rows: Rows = {}
    for path in (directory / WHOLE, *_parts(directory)):
        if path.exists():
            rows.update(_rows_of(path))
    arms = []
    for number, arm in enumerate(names):
        records = [record for key, record in sorted(rows.items()) if key.table == number]
        finished = [record for record in records if not record.failure]
        results = dict(sorted(Counter(map(result_name, finished)).items()))
        arms.append((arm, len(records), len(records) - len(finished), results))
    done = (directory / WHOLE).exists() and not _parts(directory)
    return Progress(name, stopping.most, done, is_running(directory), tuple(arms))


def is_running(directory: Path) -> bool:
    """Whether a program is at it now."""
    try:
        number = _locked(directory / LOCK)
    except UsageError:
        return True
    os.close(number)
    return False


def read_rows(
    directory: Path, study: Study, only_this_engine: bool = False
) -> Iterator[tuple[Key, GameRecord]]:
    """Every row. They must have been made by the rules as they are now, and those that others are to be put
    beside by this version of the engine."""
    rules = {arm.number: (arm.rules, compact(dict(arm.game.weights))) for arm in study.arms}
    found: Rows = {}
    other = 0
    for path in (directory / WHOLE, *_parts(directory)):
        if path.exists():
            for key, record in _rows_of(path, rules, only_this_engine):
                if record is None:
                    other += 1
                else:
                    found[key] = record
    if other:
        raise UsageError(
            f"{directory}: {other} games there were played by other rules, with other weights of the "
            "opponent, or by another version of rulesdsl, "
            f"than those of today (the rules are kept in {directory / RULES}): give another directory"
        )
    return iter(sorted(found.items()))


def engines_of(directory: Path) -> list[str]:
    """The versions of the engine that played the games."""
    found: set[str] = set()
    for path in (directory / WHOLE, *_parts(directory)):
        if path.exists():
            found |= {row["engine"] for row in _read(path, ["engine"])}
    return sorted(found)


def _rows_of(
    path: Path, rules: dict[int, tuple[str, str]] | None = None, only_this_engine: bool = False
) -> Iterator[tuple[Key, Any]]:
    try:
        for row in _read(path):
            key = Key(row["arm"], row["number"])
            fits = rules is None or rules.get(key.table) == (row["rules"], row["weights"])
            fits = fits and not (only_this_engine and row["engine"] != engine())
            yield key, _record(row) if fits else None
    except (KeyError, ValueError, TypeError, RecursionError) as error:
        raise _unreadable(path, str(error)) from None


def _read(path: Path, columns: list[str] | None = None) -> list[dict[str, Any]]:
    """The rows of a file as they stand there; nothing is read from what is no file."""
    pa = arrow()
    if not path.is_file():
        raise _unreadable(path, "this is no file")
    try:
        table = pa.parquet.read_table(path, columns=columns, page_checksum_verification=True)
        # what kind a column is of has no checksum
        if any(pa.types.is_binary(kind) for kind in table.schema.types):
            raise _unreadable(path, "its texts are no texts")
        rows: list[dict[str, Any]] = table.to_pylist()
    except (pa.ArrowException, OSError, KeyError, ValueError, TypeError) as error:
        raise _unreadable(path, str(error)) from None
    return rows


def _unreadable(path: Path, why: str) -> UsageError:
    first = why.splitlines()[0][:120] if why else "nothing is right in it"
    return UsageError(
        f"{path}: this file cannot be read ({first}); take it away, and its games are played again"
    )


def _record(row: dict[str, Any]) -> GameRecord:
    return GameRecord(
        row["number"], row["seed"], row["outcome"], tuple(row["winners"]), row["reason"], row["rule"],
        row["decisions"], row["turns"], json.loads(row["scores"]), row["failure"], json.loads(row["fired"]),
        usage=json.loads(row["usage"]),
    )  # fmt: skip


def _parts(directory: Path) -> list[Path]:
    return sorted((directory / PARTS).glob("[0-9]*.parquet"))


def _number(path: Path) -> int:
    return int(path.stem) if path.stem.isdigit() else 0


def _locked(path: Path) -> int:
    number = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o666)
    if sys.platform != "win32":
        import fcntl

        try:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(number)
            raise UsageError(f"{path.parent}: another program is at this study now") from None
    return number


def seats_of(arms: Iterable[Arm]) -> dict[str, str]:
    """What each player is called, over all arms."""
    found: dict[str, str] = {}
    for arm in arms:
        players = arm.game.ruleset(arm.setup.settings, arm.game.scenario(arm.scenario)).seats
        found |= dict(zip(players.ids, players.names, strict=True))
    return found
