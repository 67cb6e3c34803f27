"""The table under suspicion: twins seen through it, forged requests, servers killed while people play."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import signal
import tempfile
import time
from http.client import HTTPConnection
from pathlib import Path
from random import Random
from typing import Any

from interpreter.keeping.saves import load
from interpreter.playing.session import Session
from interpreter.serving import asking
from interpreter.serving.seating import PERSON, Door, Seating, new_token
from interpreter.serving.table import Table, answer
from tests.promises import FOG, PATROL, Outcome, all_games, opened, play_on
from tests.promises.twins import has_secrets, make_twin, pass_windows

HOST = "127.0.0.1"
MANY = 100


def _table(session: Session, seating: Seating) -> Table:
    return Table("t", session, seating)


def _seating(session: Session) -> Seating:
    kinds = dict.fromkeys(session.ruleset.seats.ids, PERSON)
    doors = [Door(new_token(), (seat,)) for seat in kinds]
    return Seating(kinds, [*doors, Door(new_token(), host=True), Door(new_token())])


def _door(seating: Seating, seat: str) -> Door:
    return next(door for door in seating.doors if door.seats == (seat,))


def table_twins(count: int) -> Outcome:
    """Pairs of games that differ in a secret: every byte that reaches a seat, by HTTP, is the same."""
    from interpreter.serving.hall import Hall
    from interpreter.serving.shelf import Shelf
    from interpreter.serving.web import make_app

    asking.HINT_SECONDS = None  # by the clock two equal worlds may be thought about for different times
    outcome, rng = Outcome(), Random(17)
    wide = all_games() if count >= MANY else ()  # a quick run does not wait for large rulebooks
    names = [name for name in (*wide, FOG, PATROL) if has_secrets(name)]
    compared = 0
    with tempfile.TemporaryDirectory() as place:
        halls = [Hall(Shelf(Path(place) / name)) for name in ("one", "other")]
        apps = [make_app(hall, frozenset({"table.test"})) for hall in halls]
        while outcome.done < count:
            name = rng.choice(names)
            session = Session.start(opened(name), seed=rng.randrange(10**6))
            for _ in range(6):
                play_on(session, rng, rng.randrange(1, 8))
                if session.over or outcome.done >= count:
                    break
                me = str(session.player)
                twin = make_twin(session, me, rng)
                if twin is None:
                    continue
                outcome.done += 1
                one, seating = session.copy(), _seating(session)
                for game in (one, twin):
                    pass_windows(game, me)
                if one.player != twin.player or one.over or twin.over:
                    continue
                texts, hints = list[list[bytes]](), _could_be(session, twin)
                for hall, app, game in zip(halls, apps, (one, twin), strict=True):
                    hall.tables["t"] = _table(game, seating)
                    told = _heard(app, _door(seating, me).token, game, rng.__class__(compared), hints)
                    texts.append(told)
                compared += len(texts[0])
                for mine, theirs in zip(*texts, strict=True):
                    if mine != theirs:
                        outcome.failure(f"{name}: {me} can tell: {_difference(mine, theirs)}")
    outcome.note = f"{compared} replies compared"
    return outcome


def _could_be(session: Session, twin: Session) -> bool:
    """Whether a hidden number is one that the rules could have given: whoever thinks (a hint) knows whether
    one was given at all, and draws it anew from what it could be."""
    layout, attributes = session.ruleset.layout, session.ruleset.program.world.attributes
    for key in session.ruleset.program.visibility:
        if key not in attributes or key not in layout.arrays:
            continue
        first = layout.arrays[key].base
        for cell, start in enumerate(attributes[key].values, first):
            if (session.machine.s[cell] == start) != (twin.machine.s[cell] == start):
                return False
    return True


def _heard(app: Any, token: str, game: Session, rng: Random, hints: bool) -> list[bytes]:
    """Everything a seat can ask for, as the bytes that come back."""
    universes = game.ruleset.program.world.universes
    things = [
        f"{kind}:{identity}" for kind in ("space", "piece", "player") for identity in universes[kind].ids
    ]
    asked: list[dict[str, Any]] = [
        {"do": "look"}, {"do": "log"}, {"do": "since"}, {"do": "save"}, {"do": "links"},
        *([{"do": "hint"}] if hints else []),
        *({"do": "thing", "thing": thing} for thing in rng.sample(things, min(8, len(things)))),
        *({"do": "why_not", "things": [thing]} for thing in rng.sample(things, min(2, len(things)))),
        {"do": "offer", "draft": []},
        *({"do": "orders", "pieces": [f"piece:{one}"]} for one in rng.sample(universes["piece"].ids, 1)),
    ]  # fmt: skip
    headers = {"Authorization": f"Bearer {token}"}
    found = asyncio.run(_posted(app, [{"table": "t", **one} for one in asked], headers))
    # what could not be looked at in time says so: that is about the machine, not about the game
    return [content for content in found if b'"whole": false' not in content]


async def _posted(app: Any, requests: list[dict[str, Any]], headers: dict[str, str]) -> list[bytes]:
    import httpx

    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://table.test") as client:
        return [(await client.post("/ask", json=one, headers=headers)).content for one in requests]


def _difference(one: bytes, other: bytes) -> str:
    place = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
    return f"{one[max(0, place - 60) : place + 60]!r} against {other[max(0, place - 60) : place + 60]!r}"


def forged_requests(count: int) -> Outcome:
    """Requests with another seat's token, none, a guessed one, of no form: none does anything."""
    outcome, rng = Outcome(), Random(23)
    session = Session.start(opened(PATROL), seed=5)
    seating = _seating(session)
    table = _table(session, seating)
    play_on(session, rng, 6)
    while session.over:
        session.undo(1)
    me = str(session.player)
    other = next(seat for seat in seating.kinds if seat != me)
    tokens = [_door(seating, other).token, seating.doors[-1].token]
    before = session.hash, len(session.history)
    at = answer(table, {"do": "look", "token": _door(seating, me).token})["at"]
    key = session.options[0].key
    while outcome.done < count:
        outcome.done += 1
        request = _forgery(rng, tokens, me, at, key)
        reply = answer(table, request)
        if reply.get("ok"):
            outcome.failure(f"answered: {json.dumps(request)[:200]}")
    if (session.hash, len(session.history)) != before:
        outcome.failure("the game has changed")
    outcome.note = "state unchanged"
    return outcome


def _forgery(rng: Random, tokens: list[str], me: str, at: int, key: str) -> dict[str, Any]:
    """One request that must be refused."""
    do = rng.choice(
        ["act", "act", "undo", "rest", "why", "odds", "hint", "offer", "save", "links", "stand_in"]
    )
    request: dict[str, Any] = {"do": do, "at": at, "keys": [key], "key": key, "draft": [], "insist": True,
                               "of": me, "kind": "random"}  # fmt: skip
    match rng.randrange(6):
        case 0:
            request["token"] = rng.choice(tokens)  # of somebody who is not asked
            request["do"] = rng.choice(["act", "rest", "why", "odds", "hint", "offer", "save", "stand_in"])
        case 1:
            request["token"] = rng.choice(["", None, 7, [], {}, "x" * 5_000, "\ud800"])
        case 2:
            real = rng.choice(tokens)
            place = rng.randrange(len(real))
            request["token"] = real[:place] + rng.choice("ABCxyz019-_") + real[place + 1 :]
            if request["token"] in tokens:
                request["token"] += "A"
        case 3:
            request["token"] = secrets.token_urlsafe(16)
        case 4:
            request["token"], request["seat"] = rng.choice(tokens), me
        case _:
            request["token"] = rng.choice(tokens)
            request["do"] = rng.choice(["", "act ", "__class__", None, 3, ["act"], {"do": "act"}])
    return request


def server_kills(count: int) -> Outcome:
    """`kill -9` of a server while somebody plays by HTTP: every act that was answered is in the journal."""
    outcome, rng = Outcome(), Random(29)
    opened(PATROL).ruleset().full  # noqa: B018  (compiled once, before the children are made)
    answered = 0
    with tempfile.TemporaryDirectory() as place:
        for number in range(count):
            path = Path(place) / f"{number}.save"
            acts = _killed(path, rng.uniform(0.2, 1.2))
            answered += len(acts)
            outcome.done += 1
            if not acts:
                continue
            session = load(path, recover=True)
            kept = iter(session.choices)  # with the single options that were taken for somebody
            if not all(key in kept for key in acts):
                outcome.failure(f"kill {number}: {len(acts)} were answered, {len(session.choices)} came back")
    outcome.note = f"{answered} answered acts"
    return outcome


def _killed(path: Path, seconds: float) -> list[str]:
    """Play by HTTP with a server in a child that is killed; the keys that were answered, in order."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reader)
            _serve(path, writer)
        finally:
            os._exit(1)
    os.close(writer)
    with os.fdopen(reader, "r") as stream:
        told = stream.readline().split()
    done: list[str] = []
    until = time.monotonic() + seconds
    try:
        if len(told) == 2:
            _play_by_http(int(told[0]), path.stem, told[1], until, done, child)
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    return done


def _serve(path: Path, writer: int) -> None:
    from interpreter.serving import server
    from interpreter.serving.hall import Hall
    from interpreter.serving.shelf import Shelf

    hall = Hall(Shelf(path.parent / "shelf"))
    hall._games[PATROL,] = opened(PATROL)
    table = hall.begin(PATROL, seats=["all=human"], path=path)
    bound = server.listening(HOST, 0)

    def ready() -> None:
        os.write(writer, line)

    port = bound.getsockname()[1]
    line = f"{port} {table.seating.host.token}\n".encode()
    server.serve(hall, bound, HOST, ready)


def _play_by_http(port: int, table: str, token: str, until: float, done: list[str], child: int) -> None:
    """Whoever is asked chooses the first option; the server dies in the middle of a request."""
    import threading

    killer = threading.Timer(max(0.0, until - time.monotonic()), os.kill, (child, signal.SIGKILL))
    killer.start()
    line = HTTPConnection(HOST, port, timeout=5)
    rng = Random(port)
    try:
        while True:
            look = _ask(line, table, token, {"do": "look"})
            asked = look["asked"]["mine"]
            if asked is None:
                if look["over"]:
                    return
                continue  # somebody has no choice, and it is made for him
            look = _ask(line, table, token, {"do": "look", "seat": asked})
            offer = look["offer"]
            if not offer or len(offer["acts"]) < 2:
                continue
            act = rng.choice(offer["acts"])
            reply = _ask(
                line, table, token, {"do": "act", "seat": asked, "at": look["at"], "keys": act["keys"][:1]}
            )
            if reply["ok"]:
                done.append(act["keys"][0])
    except (OSError, ValueError, KeyError):
        return  # it is dead
    finally:
        killer.cancel()
        line.close()


def _ask(line: HTTPConnection, table: str, token: str, request: dict[str, Any]) -> dict[str, Any]:
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    line.request("POST", "/ask", json.dumps({"table": table, **request}), headers)
    told: dict[str, Any] = json.loads(line.getresponse().read())
    return told
