"""The hall: many tables, the shelf of kept games behind them, and the computer that plays at them.

`Hall.answer` is `table.answer` for whichever table a request names, and a few requests of the host: which
games there are, what is kept, begin one, go on with one.
"""

from __future__ import annotations

import hmac
import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

from interpreter.agents.seats import OPPONENT, read_seats
from interpreter.keeping.journal import Journal
from interpreter.keeping.save_file import SaveError
from interpreter.playing.game import Game, open_game
from interpreter.playing.session import IllegalChoice, Session
from interpreter.running.dice import FRESH, fresh_draw
from interpreter.running.fuel import RunawayRule
from interpreter.serving.board import ground
from interpreter.serving.catalogue import described, game_listed
from interpreter.serving.guide import guide_of
from interpreter.serving.mail import put_on_shelf
from interpreter.serving.seating import PERSON, Seating, filled, new_token
from interpreter.serving.shelf import ENDING, Shelf
from interpreter.serving.table import Refused, Reply, Table, answer
from rulesdsl.base.diagnostics import RulebookError, UsageError
from rulesdsl.base.resources import shipped_games

MOST_TABLES = 400
WORKERS = 4
OPENED = 8  # games with their house rules that stay compiled
NEWS_EVERY = 0.25  # seconds: while the computer plays, who looks is told this often


class Hall:
    """Everything that is open in one program. `news` is called with a table when something has changed."""

    def __init__(self, shelf: Shelf, games: Sequence[str] = (), opponent: str = OPPONENT) -> None:
        self.shelf = shelf
        self.own_games = tuple(games)  # directories of games that were not shipped
        self.opponent = opponent
        self.key = new_token()  # of the host, for the list of games
        self.tables: dict[str, Table] = {}
        self.news: Callable[[Table], None] = lambda table: None
        self._opening = threading.RLock()
        self._computer = ThreadPoolExecutor(WORKERS, thread_name_prefix="computer")
        self._games: dict[tuple[str, ...], Game] = {}
        self._closed = False

    # ---- tables
    def begin(
        self, game: str | Game, *, scenario: str | None = None, house: Sequence[str | Path] = (),
        settings: Mapping[str, str] | None = None, seats: Sequence[str] = (),
        by_link: bool = False, seed: str | None = None, path: Path | None = None, whoever: bool = False,
        opening: Sequence[str] = (),
    ) -> Table:  # fmt: skip
        """A new game, kept from its first moment; between people its dice are drawn as they fall.

        A `Game` is opened already, with house rules that may be in no file; its journal carries them.
        `whoever`: seats that take no part in this scenario may be named. `opening`: choices that are made
        before anybody sits down."""
        with self._opening:
            if len(self.tables) >= MOST_TABLES:
                raise UsageError("too many tables are open here: close some first")
            opened = game if isinstance(game, Game) else self._game(game, house)
            session = Session.start(opened, scenario, settings or {}, seed=seed or secrets.randbelow(10**9))
            names = session.ruleset.seats.ids
            given = [text for text in seats if not whoever or text.partition("=")[0] in names]
            kinds = filled(read_seats(given, session.ruleset.seats), names, self.opponent)
            if seed is None and list(kinds.values()).count(PERSON) > 1:
                session = Session.start(opened, scenario, settings or {}, seed=fresh_draw(), dice=FRESH)
            if path is None:
                path = self.shelf.keep(session)
            else:
                Journal.begin(session, path)
            for key in opening:
                session.choose(key)
            return self._seated(session, Seating.arranged(kinds, by_link), path)

    def go_on(self, path: Path, seats: Sequence[str] = (), by_link: bool = False) -> Table:
        """Open a kept game; it is played again and every position compared before anybody sits down."""
        with self._opening:
            for table in self.tables.values():
                if table.path is not None and table.path.resolve() == path.resolve():
                    return table
            session = Journal.go_on(path)
            try:
                names = session.ruleset.seats.ids
                seating = None if seats or by_link else Seating.read(path, names)
                if seating is None:
                    given = read_seats(seats, session.ruleset.seats)
                    seating = Seating.arranged(filled(given, names, self.opponent), by_link)
                return self._seated(session, seating, path)
            except BaseException:
                if isinstance(session.recorder, Journal):
                    session.recorder.close()
                raise

    def _seated(self, session: Session, seating: Seating, path: Path) -> Table:
        seating.write(path)
        identity = path.name.removesuffix(ENDING)
        while identity in self.tables:
            identity += "-"
        table = Table(identity, session, seating, path)
        table.changed = self._changed
        self.tables[identity] = table
        self._wake(table)
        return table

    def close_table(self, table: Table) -> None:
        with self._opening, table.lock:
            self.tables.pop(table.identity, None)
            table.close()

    def close(self) -> None:
        """Give all journals back. What was answered is in them."""
        self._closed = True
        self._computer.shutdown(wait=False, cancel_futures=True)
        for table in list(self.tables.values()):
            self.close_table(table)

    def _game(self, name: str, house: Sequence[str | Path]) -> Game:
        key = (name, *map(str, house))
        if key not in self._games:
            if len(self._games) >= OPENED:
                self._games.pop(next(iter(self._games)))
            self._games[key] = open_game(name, list(house))
        return self._games[key]

    # ---- the computer
    def _changed(self, table: Table) -> None:
        self.news(table)
        self._wake(table)

    def _wake(self, table: Table) -> None:
        """Let the computer play on at a table, unless it does already."""
        with table.lock:
            if table.thinking or self._closed or not table.waits_for_computer():
                return
            table.thinking = True
        with suppress(RuntimeError):  # the hall is being closed
            self._computer.submit(self._play, table)

    def _play(self, table: Table) -> None:
        """Decide until a person is asked; who looks hears of it now and then, and at the end."""
        from time import monotonic

        told = monotonic()
        while not self._closed:
            with table.lock:
                if not table.waits_for_computer():
                    table.thinking = False
                    break
                try:
                    table.computer_decides()
                except (SaveError, RunawayRule, IllegalChoice, UsageError) as error:
                    table.trouble, table.thinking = str(error), False
                    table.touch()
                    break
            if monotonic() - told > NEWS_EVERY:
                self.news(table)
                told = monotonic()
        self.news(table)

    # ---- requests
    def answer(self, request: Mapping[str, Any]) -> Reply:
        """One request: of the host about the hall, or of anybody about a table."""
        wanted = request.get("do")
        found = HOST_REQUESTS.get(wanted) if isinstance(wanted, str) else None
        if found is None:
            table = self.tables.get(str(request.get("table"))[:200])
            if table is None:  # the same words as for a wrong token: which tables there are is not told
                return {"ok": False, "code": "token", "error": "this link does not lead to a seat at a table"}
            return answer(table, request)
        if not self.is_host(request.get("token")):
            return {"ok": False, "code": "token", "error": "only the host of this house may ask that"}
        try:
            return found(self, request)
        except Refused as refused:
            return {"ok": False, "code": refused.code, "error": str(refused)}
        except RulebookError as error:
            first = error.problems[0].message
            return {"ok": False, "code": "rules", "error": f"{first} ({len(error.problems)} problems in all)"}
        except (UsageError, SaveError, RunawayRule, IllegalChoice) as error:
            return {"ok": False, "code": "refused", "error": str(error)}

    def is_host(self, token: object) -> bool:
        given = token.encode(errors="replace") if isinstance(token, str) else b""
        return hmac.compare_digest(given, self.key.encode())

    def names(self) -> list[str]:
        return [*self.own_games, *shipped_games()]


def _games(hall: Hall, request: Mapping[str, Any]) -> Reply:
    return {"ok": True, "games": [game_listed(name) for name in hall.names()]}


def _game(hall: Hall, request: Mapping[str, Any]) -> Reply:
    """All that may be chosen before a game begins."""
    return {"ok": True, **described(_known(hall, request))}


def _kept(hall: Hall, request: Mapping[str, Any]) -> Reply:
    open_now = {table.path.name: table.identity for table in hall.tables.values() if table.path is not None}
    kept = [
        {"name": game.name, "title": game.title, "game": game.game, "decisions": game.decisions,
         "touched": int(game.touched), "trouble": game.trouble,
         "open": f"{game.name}{ENDING}" in open_now}
        for game in hall.shelf.games()
    ]  # fmt: skip
    return {"ok": True, "kept": kept}


def _begun(hall: Hall, request: Mapping[str, Any]) -> Reply:
    name, told = _known(hall, request), described(_known(hall, request))
    scenario, house = request.get("scenario"), request.get("house", [])
    if scenario is not None and scenario not in [entry["id"] for entry in told["scenarios"]]:
        raise Refused("form", "there is no such scenario")
    rules = [entry["id"] for entry in told["house"]]
    if not isinstance(house, list) or any(rule not in rules for rule in house):
        raise Refused("form", "there is no such house rule")
    seats = request.get("seats", {})
    if not isinstance(seats, dict) or not all(isinstance(v, str) and len(v) < 20 for v in seats.values()):
        raise Refused("form", "“seats” says who sits where")
    guide = guide_of(name) if request.get("guided") is True else None
    if guide is not None:
        table = hall.begin(name, scenario=guide.scenario, seats=guide.seats, seed=guide.seed)
        return {"ok": True, "table": table.identity, "token": table.seating.host.token}
    table = hall.begin(
        name, scenario=scenario, house=house, seats=[f"{seat}={kind}" for seat, kind in seats.items()],
        by_link=request.get("by_link") is True, whoever=True,
    )  # fmt: skip
    return {"ok": True, "table": table.identity, "token": table.seating.host.token}


def _gone_on(hall: Hall, request: Mapping[str, Any]) -> Reply:
    name = request.get("name")
    path = hall.shelf.path(name) if isinstance(name, str) else None
    if path is None:
        raise Refused("form", "no such game is kept")
    table = hall.go_on(path)
    return {"ok": True, "table": table.identity, "token": table.seating.host.token}


def _received(hall: Hall, request: Mapping[str, Any]) -> Reply:
    """A game that came by mail: it goes onto the shelf under a name of its own."""
    text = request.get("text")
    if not isinstance(text, str):
        raise Refused("form", "“text” must be the text of a saved game")
    table = hall.go_on(put_on_shelf(hall.shelf, text))
    return {"ok": True, "table": table.identity, "token": table.seating.host.token}


def _known(hall: Hall, request: Mapping[str, Any]) -> str:
    name = request.get("game")
    if not isinstance(name, str) or name not in hall.names():
        raise Refused("form", "there is no such game here")
    return name


HostAnswer = Callable[[Hall, Mapping[str, Any]], Reply]
HOST_REQUESTS: dict[str, HostAnswer] = {
    "games": _games,
    "game": _game,
    "kept": _kept,
    "begin": _begun,
    "go_on": _gone_on,
    "receive": _received,
}


def warm(table: Table) -> None:
    """Draw the map and one position, so that the first who looks does not wait for it."""
    with table.lock:
        ground(table.session)
        table.shown(table.seating.host, None)
