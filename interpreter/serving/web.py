"""The door to the net: HTTP around `Hall.answer`, and news as they come (SSE).

It hears only this machine unless told otherwise. A token travels in a header, never in an address; the Host
and the Origin of a request must be ours, sizes and rates are bounded, and the page may load nothing from
anywhere else. There are no cookies: a page that cannot read the token cannot ask anything.
"""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from time import monotonic
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from interpreter.serving.hall import Hall
from interpreter.serving.seating import Door
from interpreter.serving.table import Reply, Table

MOST_BYTES = 4_000_000  # of a request: a game that is sent by mail is the largest
SMALL_BYTES = 64_000  # of every other
PATIENCE = 60.0  # seconds in which a request must have been sent
MOST_LISTENERS = 1_000
RATE, BURST = 60.0, 240.0  # requests a second of one token or address, and how many may come at once
WRONG_RATE, WRONG_BURST = 2.0, 40.0  # of those whose token is wrong
BREATH = 15.0  # seconds: a line that says nothing keeps a connection open
PAGES = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "svg": "image/svg+xml",
    "webmanifest": "application/manifest+json",
}
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
        "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


More = Callable[["Gate"], Sequence[BaseRoute]]  # further rooms behind the same gate


class Bucket:
    """So many at once, and so many a second."""

    def __init__(self, rate: float, burst: float) -> None:
        self.rate, self.burst = rate, burst
        self._left: dict[str, tuple[float, float]] = {}

    def allows(self, who: str) -> bool:
        now = monotonic()
        left, then = self._left.get(who, (self.burst, now))
        left = min(self.burst, left + (now - then) * self.rate)
        if len(self._left) > 10_000:  # those who have not come for long have all their tries again
            self._left = {w: (n, t) for w, (n, t) in self._left.items() if now - t < 60}
        self._left[who] = (max(0.0, left - 1), now)
        return left >= 1


class Listeners:
    """Who waits for news of which table. Called from any thread, told in the loop of the server."""

    def __init__(self) -> None:
        self._waiting: dict[str, set[asyncio.Event]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def count(self) -> int:
        return sum(map(len, self._waiting.values()))

    def join(self, table: str) -> asyncio.Event:
        self._loop = asyncio.get_running_loop()
        event = asyncio.Event()
        self._waiting.setdefault(table, set()).add(event)
        return event

    def leave(self, table: str, event: asyncio.Event) -> None:
        self._waiting.get(table, set()).discard(event)
        if not self._waiting.get(table):
            self._waiting.pop(table, None)

    def tell(self, table: Table) -> None:
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self._tell, table.identity)

    def _tell(self, table: str) -> None:
        for event in self._waiting.get(table, ()):
            event.set()


def make_app(hall: Hall, hosts: frozenset[str], more: More | None = None) -> Starlette:
    """The application. `hosts` are the names and addresses (with port) under which it may be asked for;
    `more` makes further routes behind the same gate."""
    listeners, door = Listeners(), Gate(hosts)
    hall.news = listeners.tell

    async def ask(request: Request) -> Response:
        refused = door.refuses(request)
        if refused is not None:
            return refused
        body = await body_of(request)
        if isinstance(body, Response):
            return body
        who = client_of(request)
        reply: Reply = await run_in_threadpool(hall.answer, {**body, "token": token_of(request)})
        if reply.get("code") == "token" and not door.wrong.allows(who):
            return plain_reply(429, "too many wrong tokens: wait a little")
        return json_reply(request, reply, 403 if reply.get("code") == "token" else 200)

    async def news(request: Request) -> Response:
        refused = door.refuses(request)
        if refused is not None:
            return refused
        table = hall.tables.get(request.path_params["table"])
        found = table.seating.door(token_of(request)) if table is not None else None
        seat = request.query_params.get("seat")
        wrong = found is None or (seat is not None and seat not in found.seats)
        if table is None or found is None or wrong:
            door.wrong.allows(client_of(request))
            return json_reply(
                request, {"ok": False, "code": "token", "error": "no seat behind this link"}, 403
            )
        if listeners.count >= MOST_LISTENERS:
            return plain_reply(503, "too many are listening")
        if seat is None and len(found.seats) == 1:
            seat = found.seats[0]
        stream = _events(hall, listeners, table, found, seat)
        return StreamingResponse(stream, media_type="text/event-stream", headers=HEADERS)

    async def page(request: Request) -> Response:
        refused = door.refuses(request)
        return refused if refused is not None else _file(request.path_params.get("name") or "index.html")

    return Starlette(
        routes=[
            *(more(door) if more is not None else ()),
            Route("/ask", ask, methods=["POST"]),
            Route("/news/{table}", news, methods=["GET"]),
            Route("/", page, methods=["GET"]),
            Route("/{name}", page, methods=["GET"]),
        ]
    )


async def _events(
    hall: Hall, listeners: Listeners, table: Table, door: Door, seat: str | None
) -> AsyncIterator[str]:
    """The look of a seat now and whenever it has become another one; nothing tells of what it cannot see."""
    event, at = listeners.join(table.identity), -1
    try:
        while hall.tables.get(table.identity) is table:
            event.clear()
            seen = await run_in_threadpool(table.shown, door, seat)
            if seen["at"] != at:
                at = seen["at"]
                yield f"event: look\ndata: {json.dumps(seen)}\n\n"
            try:
                await asyncio.wait_for(event.wait(), BREATH)
            except TimeoutError:
                yield ": still here\n\n"
        yield "event: closed\ndata: {}\n\n"
    finally:
        listeners.leave(table.identity, event)


class Gate:
    """Refuses what does not come from our own page, and what comes too often."""

    def __init__(self, hosts: frozenset[str]) -> None:
        self.hosts = hosts
        self.rate, self.wrong = Bucket(RATE, BURST), Bucket(WRONG_RATE, WRONG_BURST)

    def refuses(self, request: HTTPConnection, token: str = "") -> Response | None:
        host = request.headers.get("host", "").lower()
        if host not in self.hosts:  # a name that was made to point here (DNS rebinding)
            return plain_reply(421, "this house is not called so")
        origin = request.headers.get("origin")
        if origin is not None and origin.lower().partition("://")[2] not in self.hosts:
            return plain_reply(403, "this request comes from another page")
        if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return plain_reply(403, "this request comes from another page")
        if not self.rate.allows(token or token_of(request) or client_of(request)):
            return plain_reply(429, "too many requests: wait a moment")
        return None


async def body_of(request: Request, small: int = SMALL_BYTES) -> Mapping[str, Any] | Response:
    """The JSON object that was sent, if it is one and not too large."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        return plain_reply(415, "a request is JSON")
    announced = request.headers.get("content-length", "")
    if announced.isdecimal() and (len(announced) > 12 or int(announced) > MOST_BYTES):
        return plain_reply(413, "the request is too large")  # without waiting for it
    content = bytearray()
    try:
        async with asyncio.timeout(PATIENCE):
            async for part in request.stream():
                content += part
                if len(content) > MOST_BYTES:
                    return plain_reply(413, "the request is too large")
    except ClientDisconnect:
        return plain_reply(400, "the request was not sent to its end")
    except TimeoutError:
        return plain_reply(408, "the request took too long to be sent")
    try:
        told = json.loads(content)
    except (ValueError, RecursionError):
        return plain_reply(400, "the request is no JSON")
    if not isinstance(told, dict):
        return plain_reply(400, "a request is a JSON object")
    if len(content) > small and told.get("do") != "receive":
        return plain_reply(413, "the request is too large")
    return told


def token_of(request: HTTPConnection) -> str:
    word, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip()[:100] if word.lower() == "bearer" else ""


def client_of(request: HTTPConnection) -> str:
    return request.client.host if request.client is not None else ""


def plain_reply(status: int, words: str) -> Response:
    return Response(words + "\n", status, HEADERS, "text/plain")


def json_reply(request: Request, reply: Reply, status: int) -> Response:
    content, headers = json.dumps(reply, allow_nan=False).encode(), dict(HEADERS)
    if len(content) > 20_000 and "gzip" in request.headers.get("accept-encoding", ""):
        content = gzip.compress(content, 1)
        headers["Content-Encoding"] = "gzip"
    return Response(content, status, headers, "application/json")


@lru_cache(maxsize=64)
def _content(name: str) -> bytes | None:
    place = files("interpreter.serving") / "page" / name
    return place.read_bytes() if place.is_file() else None


def _file(name: str) -> Response:
    """A file of the page. Names are single words with an ending we know: nothing leads out of the folder."""
    kind = PAGES.get(name.rpartition(".")[2])
    plain = all(letter.isalnum() or letter in "._-" for letter in name) and not name.startswith(".")
    content = _content(name) if kind and plain else None
    if content is None:
        return plain_reply(404, "there is nothing here")
    return Response(content, 200, HEADERS, kind)
