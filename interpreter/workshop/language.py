"""The language server behind a WebSocket: `rulesdsl lsp` as a process of its own, one for each open page.

What the page sends is handed to its standard input, what it answers is sent back; neither is looked into. A
page that is gone takes its server with it.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

from starlette.websockets import WebSocket, WebSocketDisconnect

MOST_SERVERS = 4
MOST_BYTES = 2_000_000  # of one message
QUIET_END = 2.0  # seconds to end by itself


def available() -> bool:
    """Whether a language server can be started here."""
    return all(find_spec(name) is not None for name in ("pygls", "websockets"))


class Languages:
    """The servers that run."""

    def __init__(self) -> None:
        self.count = 0
        self._running: set[int] = set()

    def close(self) -> None:
        """Whoever is still at work ends with us."""
        for process in list(self._running):
            with suppress(OSError):
                os.kill(process, signal.SIGTERM)

    async def talk(self, socket: WebSocket, directory: Path) -> None:
        """Until the page or the server ends."""
        if self.count >= MOST_SERVERS:
            await socket.close(1013, "too many editors are open")
            return
        self.count += 1  # (before it is awaited: several may come at once)
        try:
            await self._talk(socket, directory)
        except OSError:  # no process can be started now: a page that asks later gets one
            with suppress(RuntimeError):
                await socket.close(1013, "the language server cannot be started")
        finally:
            self.count -= 1

    async def _talk(self, socket: WebSocket, directory: Path) -> None:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "rulesdsl", "lsp", "--game", str(directory),
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
            limit=MOST_BYTES,
        )  # fmt: skip
        self._running.add(process.pid)
        tasks = [asyncio.create_task(_up(socket, process)), asyncio.create_task(_down(socket, process))]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await _end(process)
            self._running.discard(process.pid)


async def _up(socket: WebSocket, process: asyncio.subprocess.Process) -> None:
    """From the page to the server."""
    assert process.stdin is not None
    with suppress(WebSocketDisconnect, ConnectionError, RuntimeError):
        while True:
            content = (await socket.receive_text()).encode()
            if len(content) > MOST_BYTES:
                return
            process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(content) + content)
            await process.stdin.drain()


async def _down(socket: WebSocket, process: asyncio.subprocess.Process) -> None:
    """From the server to the page."""
    assert process.stdout is not None
    with suppress(
        asyncio.IncompleteReadError, asyncio.LimitOverrunError, ConnectionError, RuntimeError, ValueError
    ):
        while True:
            head = (await process.stdout.readuntil(b"\r\n\r\n")).decode("ascii", "replace")
            sizes = [line for line in head.split("\r\n") if line.lower().startswith("content-length:")]
            content = await process.stdout.readexactly(int(sizes[0].partition(":")[2]))
            await socket.send_text(content.decode())


async def _end(process: asyncio.subprocess.Process) -> None:
    if process.stdin is not None:
        process.stdin.close()
    try:
        await asyncio.wait_for(process.wait(), QUIET_END)
    except TimeoutError:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
