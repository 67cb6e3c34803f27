"""The workshop behind the gate of the table (Host, Origin, token, size), and a WebSocket for the editor.

A browser cannot give a WebSocket a header of its own, so the token travels as a protocol it offers
(`Sec-WebSocket-Protocol`): in no address, in no log.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files

from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from interpreter.serving.web import (
    HEADERS,
    PAGES,
    Gate,
    More,
    body_of,
    client_of,
    json_reply,
    plain_reply,
    token_of,
)
from interpreter.workshop.language import Languages, available
from interpreter.workshop.shop import Workshop
from rulesdsl.base.resources import find_game

MOST_BYTES = 2_000_000  # of a request: the text of a house rule
PROTOCOL = "rulesdsl"
EDITOR = "editor.js"  # made by `make workshop`, not kept in the repository
BUNDLE = "bundle"


def rooms(shop: Workshop) -> More:
    """The routes of the workshop, for `make_app`."""
    shop.editor, shop.language = _content(f"{BUNDLE}/{EDITOR}") is not None, available()
    languages = Languages()
    shop.leaving.append(languages.close)

    def made(gate: Gate) -> Sequence[BaseRoute]:
        async def ask(request: Request) -> Response:
            refused = gate.refuses(request)
            if refused is not None:
                return refused
            body = await body_of(request, MOST_BYTES)
            if isinstance(body, Response):
                return body
            reply = await run_in_threadpool(shop.answer, {**body, "token": token_of(request)})
            wrong = reply.get("code") == "token"
            if wrong and not gate.wrong.allows(client_of(request)):
                return plain_reply(429, "too many wrong tokens: wait a little")
            return json_reply(request, reply, 403 if wrong else 200)

        async def page(request: Request) -> Response:
            refused = gate.refuses(request)
            if refused is not None:
                return refused
            return _file(request, request.path_params.get("name") or "index.html")

        async def front(request: Request) -> Response:
            refused = gate.refuses(request)
            return refused if refused is not None else RedirectResponse("workshop/", 307, HEADERS)

        async def language(socket: WebSocket) -> None:
            offered = [one.strip() for one in socket.headers.get("sec-websocket-protocol", "").split(",")]
            token = offered[1] if len(offered) == 2 and offered[0] == PROTOCOL else ""
            game = socket.query_params.get("game", "")
            known = shop.language and game in shop.hall.names()
            stranger = gate.refuses(socket, token) is not None or "origin" not in socket.headers
            if stranger or not known or not shop.hall.is_host(token):
                gate.wrong.allows(client_of(socket))
                await socket.close(1008)
                return
            await socket.accept(PROTOCOL)
            await languages.talk(socket, find_game(game))

        return [
            Route("/workshop", front, methods=["GET"]),
            Route("/workshop/", page, methods=["GET"]),
            Route("/workshop/ask", ask, methods=["POST"]),
            WebSocketRoute("/workshop/language", language),
            Route("/workshop/{name}", page, methods=["GET"]),
        ]

    return made


@lru_cache(maxsize=64)
def _content(name: str) -> bytes | None:
    place = files("interpreter.workshop") / "page"
    for part in name.split("/"):
        place = place / part
    return place.read_bytes() if place.is_file() else None


def _file(request: HTTPConnection, name: str) -> Response:
    """A file of the page, or the editor; names are single words with an ending we know."""
    kind = PAGES.get(name.rpartition(".")[2])
    plain = all(letter.isalnum() or letter in "._-" for letter in name) and not name.startswith(".")
    content = _content(f"{BUNDLE}/{EDITOR}" if name == EDITOR else name) if kind and plain else None
    if content is None:
        return plain_reply(404, "there is nothing here")
    return Response(content, 200, _headers(request), kind)


def _headers(request: HTTPConnection) -> dict[str, str]:
    """Those of the table; not every browser takes a WebSocket to the same house for 'self'."""
    policy = HEADERS["Content-Security-Policy"]
    host = request.headers.get("host", "").lower()  # one of ours: the gate has looked
    return {
        **HEADERS,
        "Content-Security-Policy": policy.replace("connect-src 'self'", f"connect-src 'self' ws://{host}"),
    }
