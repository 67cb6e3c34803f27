"""A full house: many tables, twice as many seats that listen, and people who act all the time."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from interpreter.keeping.saves import load
from tests.promises import Outcome, opened

HOST = "127.0.0.1"
GAMES = ("classics/chess", "classics/draughts", "tutorial/skirmish", "classics/reversi")
TABLES, RATE = 200, 50  # of the full run: tables with two seats each, acts a second together
SMALL_TABLES, SMALL_RATE, SHORT = 12, 12, 60  # of a run of less than SHORT seconds
SLOWEST = 1.0  # seconds, the 99th percentile of an act
KEPT = 10  # kilobytes that a decision may leave behind: what it takes to come back to it


def full_house(seconds: int) -> Outcome:
    """Acts at many tables for so many seconds, everybody listening: quick, memory steady, nothing lost."""
    outcome = Outcome()
    tables, rate = (TABLES, RATE) if seconds >= SHORT else (SMALL_TABLES, SMALL_RATE)
    with tempfile.TemporaryDirectory() as place:
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                os.close(reader)
                _serve(Path(place), tables, writer)
            finally:
                os._exit(1)
        os.close(writer)
        with os.fdopen(reader, "r") as stream:
            told = json.loads(stream.readline() or "{}")
        try:
            crowd = _Crowd(told["port"], [_Seats(**one) for one in told["tables"]], child)
            asyncio.run(crowd.play(seconds, rate))
        finally:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        _judge(outcome, crowd, seconds, Path(place))
    return outcome


def _judge(outcome: Outcome, crowd: _Crowd, seconds: int, place: Path) -> None:
    times, sizes = sorted(crowd.times), crowd.sizes
    outcome.done = len(times)
    slow = times[int(len(times) * 0.99)] if times else float("inf")
    if slow > SLOWEST and seconds >= SHORT:
        outcome.failure(f"the 99th percentile of {len(times)} acts took {slow:.2f} s")
    for refused in crowd.refused[:3]:
        outcome.failure(f"refused: {refused}")
    early = sizes[len(sizes) // 5]
    if seconds >= SHORT and (sizes[-1] - early) * 1000 > KEPT * len(times) * 4 / 5:
        outcome.failure(f"memory grew from {early} to {sizes[-1]} MB in {len(times) * 4 // 5} acts")
    heard = sum(seats.heard for seats in crowd.tables)
    for seats in crowd.tables:
        kept = iter(load(place / f"{seats.table}.save", recover=True).choices)
        if not all(key in kept for key in seats.answered):
            outcome.failure(
                f"{seats.table}: of {len(seats.answered)} answered acts some are not in its journal"
            )
    median = times[len(times) // 2] if times else 0.0
    speed = f"median {median * 1000:.0f} ms, 99th percentile {slow * 1000:.0f} ms"
    outcome.note = (
        f"{len(crowd.tables)} tables, {crowd.listening} seats listening, {len(times)} acts "
        f"in {crowd.lasted:.0f} s ({len(times) / crowd.lasted:.0f} a second), {heard} looks heard; "
        f"{speed}; memory {sizes[0]} to {sizes[-1]} MB"
    )


def _serve(place: Path, count: int, writer: int) -> None:
    from interpreter.serving import server
    from interpreter.serving.hall import Hall
    from interpreter.serving.shelf import Shelf

    hall = Hall(Shelf(place / "shelf"))
    told = []
    for number in range(count):
        name = GAMES[number % len(GAMES)]
        hall._games.setdefault((name,), opened(name))
        path = place / f"table-{number}.save"
        table = hall.begin(name, seats=["all=human"], by_link=True, seed=str(number), path=path)
        doors = {door.seats[0]: door.token for door in table.seating.doors if door.seats}
        told.append({"table": table.identity, "tokens": doors})
    bound = server.listening(HOST, 0)
    line = json.dumps({"port": bound.getsockname()[1], "tables": told}).encode() + b"\n"

    def ready() -> None:
        with os.fdopen(writer, "wb") as stream:
            stream.write(line)

    server.serve(hall, bound, HOST, ready)


@dataclass
class _Seats:
    """One table as those who sit there know it: the last look of each seat."""

    table: str
    tokens: dict[str, str]
    looks: dict[str, dict[str, Any]] = field(default_factory=dict)
    heard: int = 0
    busy: bool = False
    answered: list[str] = field(default_factory=list)

    def asked(self) -> dict[str, Any] | None:
        """The look of who is asked now and has something to choose."""
        if self.busy:
            return None
        for look in self.looks.values():
            offer = look.get("offer")
            if not look["over"] and offer and len(offer["acts"]) > 1:
                return look
        return None


class _Crowd:
    def __init__(self, port: int, tables: list[_Seats], server: int) -> None:
        self.port, self.tables, self.server = port, tables, server
        self.times: list[float] = []
        self.refused: list[str] = []
        self.sizes: list[int] = []
        self.listening, self.lasted = 0, 0.0
        self._rng = Random(5)

    async def play(self, seconds: int, rate: int) -> None:
        listeners = [
            asyncio.create_task(self._listen(seats, seat)) for seats in self.tables for seat in seats.tokens
        ]
        everybody = sum(len(seats.tokens) for seats in self.tables)
        while sum(len(seats.looks) for seats in self.tables) < everybody:
            await asyncio.sleep(0.1)
        self.listening = everybody
        acting: set[asyncio.Task[None]] = set()
        begun = time.monotonic()
        for number in range(seconds * rate):
            if number % rate == 0:
                self.sizes.append(_megabytes(self.server))
            await asyncio.sleep(max(0.0, begun + number / rate - time.monotonic()))
            free = [seats for seats in self.tables if seats.asked()]
            if not free:
                continue
            task = asyncio.create_task(self._act(self._rng.choice(free)))
            acting.add(task)
            task.add_done_callback(acting.discard)
        await asyncio.gather(*acting)
        self.lasted = time.monotonic() - begun
        self.sizes.append(_megabytes(self.server))
        for listener in listeners:
            listener.cancel()
        await asyncio.gather(*listeners, return_exceptions=True)

    async def _act(self, seats: _Seats) -> None:
        look = seats.asked()
        if look is None:
            return
        seats.busy = True
        act = self._rng.choice(look["offer"]["acts"])
        keys, seat = act["keys"][:1], look["seat"]
        begun = time.monotonic()
        reply = await self._ask(seats, seat, {"do": "act", "at": look["at"], "keys": keys})
        self.times.append(time.monotonic() - begun)
        if reply.get("ok"):
            seats.answered += keys
            seats.looks[seat] = reply
        elif reply.get("code") != "stale":
            self.refused.append(str(reply)[:200])
        seats.busy = False

    async def _ask(self, seats: _Seats, seat: str, request: dict[str, Any]) -> dict[str, Any]:
        body = json.dumps({"table": seats.table, **request}).encode()
        head = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\nConnection: close\r\n"
        reader, writer = await self._begun("POST /ask", seats.tokens[seat], head, body)
        content = (await reader.read()).partition(b"\r\n\r\n")[2]
        writer.close()
        try:
            told: dict[str, Any] = json.loads(content)
            return told
        except ValueError:
            return {"ok": False, "code": "net", "error": content[:100].decode(errors="replace")}

    async def _begun(
        self, what: str, token: str, head: str, body: bytes = b""
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection(HOST, self.port, limit=1 << 24)
        lines = f"{what} HTTP/1.1\r\nHost: {HOST}:{self.port}\r\nAuthorization: Bearer {token}\r\n{head}\r\n"
        writer.write(lines.encode() + body)
        await writer.drain()
        return reader, writer

    async def _listen(self, seats: _Seats, seat: str) -> None:
        """News, as the page hears them; of chunked lines only those with a look matter."""
        reader, _ = await self._begun(f"GET /news/{seats.table}", seats.tokens[seat], "")
        while True:
            line = await reader.readline()
            if not line:
                return
            if line.startswith(b"data: {"):
                look = json.loads(line[6:])
                if look.get("at", 0) > seats.looks.get(seat, {"at": 0})["at"]:
                    seats.looks[seat] = look
                    seats.heard += 1


def _megabytes(process: int) -> int:
    pages = int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") // 1_000_000
