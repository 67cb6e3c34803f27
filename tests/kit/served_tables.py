"""A house with tables behind a real address, in a thread of the tests."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn

from interpreter.serving.hall import Hall
from interpreter.serving.server import addresses, listening
from interpreter.serving.shelf import Shelf
from interpreter.serving.table import Table
from interpreter.serving.web import make_app

HOST = "127.0.0.1"


class House:
    """A hall and where it is."""

    def __init__(self, hall: Hall, port: int) -> None:
        self.hall, self.port = hall, port

    @property
    def address(self) -> str:
        return f"http://{HOST}:{self.port}/"

    def link(self, table: Table, token: str) -> str:
        return f"{self.address}#table={table.identity}&token={token}"


@contextmanager
def house(folder: Path, port: int = 0) -> Iterator[House]:
    hall = Hall(Shelf(folder))
    bound = listening(HOST, port)
    number = bound.getsockname()[1]
    config = uvicorn.Config(
        make_app(hall, frozenset(addresses(HOST, number))), log_level="critical", lifespan="off",
        timeout_graceful_shutdown=1,
    )  # fmt: skip
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]}, daemon=True)
    thread.start()
    try:
        yield House(hall, number)
    finally:
        server.should_exit = server.force_exit = True
        thread.join(10)
        hall.close()
        bound.close()
