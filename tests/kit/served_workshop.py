"""A workshop behind a real address, in a thread of the tests."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn

from interpreter.serving.hall import Hall
from interpreter.serving.server import addresses, listening
from interpreter.serving.shelf import Shelf
from interpreter.serving.web import make_app
from interpreter.workshop.shop import Workshop
from interpreter.workshop.web import rooms
from tests.kit.served_tables import HOST


class Shop:
    """A workshop and where it is."""

    def __init__(self, shop: Workshop, port: int) -> None:
        self.shop, self.port = shop, port

    @property
    def house(self) -> str:
        return f"http://{HOST}:{self.port}/"

    @property
    def address(self) -> str:
        return f"{self.house}workshop/"

    @property
    def front(self) -> str:
        return f"{self.address}#key={self.shop.hall.key}"


@contextmanager
def workshop(
    folder: Path, game: str | None = None, file: Path | None = None, editor: bool | None = None
) -> Iterator[Shop]:
    """`editor`: whether the bundled editor is used; None: if it is there."""
    own = (game,) if game is not None and os.path.isdir(game) else ()
    shop = Workshop(Hall(Shelf(folder), own), game, file)
    more = rooms(shop)
    if editor is not None:
        shop.editor = editor
    bound = listening(HOST, 0)
    number = bound.getsockname()[1]
    config = uvicorn.Config(
        make_app(shop.hall, frozenset(addresses(HOST, number)), more), log_level="critical", lifespan="off",
        timeout_graceful_shutdown=1,
    )  # fmt: skip
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]}, daemon=True)
    thread.start()
    try:
        yield Shop(shop, number)
    finally:
        shop.close()
        server.should_exit = server.force_exit = True
        thread.join(10)
        shop.hall.close()
        bound.close()
