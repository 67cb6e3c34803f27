"""Running the hall behind an address of this machine."""

from __future__ import annotations

import socket
from collections.abc import Callable
from ipaddress import ip_address

import uvicorn

from interpreter.serving.hall import Hall
from interpreter.serving.web import More, make_app
from rulesdsl.base.diagnostics import UsageError

LOOPBACK = "127.0.0.1"
PORT = 8765
TRIES = 20  # ports after the usual one, when it is taken and nobody asked for it


def listening(host: str, port: int | None) -> socket.socket:
    """A socket at the port that was asked for, or at the first free one from the usual on."""
    wanted = [port] if port is not None else [*range(PORT, PORT + TRIES), 0]
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for number in wanted:
        found = socket.socket(family, socket.SOCK_STREAM)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind((host, number))
            return found
        except OSError as error:
            found.close()
            reason = error.strerror or str(error)
    raise UsageError(f"nothing can listen at {host}, port {wanted[-1]}: {reason}")


def is_open_to_the_net(host: str) -> bool:
    try:
        return not ip_address(host).is_loopback
    except ValueError:
        return host != "localhost"


def addresses(host: str, port: int) -> list[str]:
    """The names under which the house may be asked for, with the port."""
    names = ["127.0.0.1", "localhost", "[::1]"]
    if is_open_to_the_net(host):
        names += [host, socket.gethostname(), *_own_addresses()]
    shown = [f"[{name}]" if ":" in name and not name.startswith("[") else name for name in names]
    return [f"{name.lower()}:{port}" for name in dict.fromkeys(shown) if name not in ("0.0.0.0", "[::]")]


def _own_addresses() -> list[str]:
    try:
        found = socket.getaddrinfo(socket.gethostname(), None)
    except OSError:
        return []
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


def serve(
    hall: Hall, bound: socket.socket, host: str, ready: Callable[[], None], more: More | None = None
) -> None:
    """Serve until interrupted; `ready` is called when requests are answered."""
    port = bound.getsockname()[1]
    config = uvicorn.Config(
        make_app(hall, frozenset(addresses(host, port)), more), log_level="warning", access_log=False,
        timeout_graceful_shutdown=1, limit_concurrency=2_000, server_header=False, lifespan="off",
        h11_max_incomplete_event_size=32_000,
    )  # fmt: skip
    server = _Server(config, ready)
    try:
        server.run(sockets=[bound])
    finally:
        hall.close()


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready()
