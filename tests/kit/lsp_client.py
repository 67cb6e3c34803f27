"""A small client of the language server over standard input and output, for tests and measurements."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
import threading
from pathlib import Path
from queue import Empty, Queue
from typing import Any
from urllib.parse import unquote, urlparse

PATIENCE = 120.0


class Client:
    """Starts `rulesdsl lsp`, sends requests and waits for their answers; notifications are kept in order."""

    def __init__(
        self, *arguments: str, capabilities: dict[str, Any] | None = None, patience: float = PATIENCE
    ) -> None:
        self.patience = patience
        self.server = subprocess.Popen(
            [sys.executable, "-m", "rulesdsl", "lsp", *arguments],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        self.numbers = itertools.count(1)
        self.answers: dict[int, Queue[Any]] = {}
        self.notes: Queue[dict[str, Any]] = Queue()
        self.versions: dict[str, int] = {}
        self.latest: dict[str, list[dict[str, Any]]] = {}
        self.applied: list[dict[str, Any]] = []
        threading.Thread(target=self._listen, daemon=True).start()
        threading.Thread(target=self._errors, daemon=True).start()
        self.complaints: list[str] = []
        self.capabilities = self.request(
            "initialize", processId=None, rootUri=None, capabilities=capabilities or {}
        )["capabilities"]
        self.notify("initialized")

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        if self.server.poll() is None:
            self.request("shutdown")
            self.notify("exit")
        self.server.wait(self.patience)

    # ---- the wire ------------------------------------------------------------------------------------
    def _errors(self) -> None:
        assert self.server.stderr is not None
        for line in self.server.stderr:
            self.complaints.append(line.decode())

    def _listen(self) -> None:
        out = self.server.stdout
        assert out is not None
        while True:
            length = 0
            while (line := out.readline()) not in (b"\r\n", b""):
                name, _, value = line.decode().partition(":")
                length = int(value) if name.lower() == "content-length" else length
            if not length:
                for waiting in self.answers.values():
                    waiting.put({"error": {"message": "the server has gone"}})
                return
            message = json.loads(out.read(length))
            if "method" in message and "id" in message:  # the server asks: we agree to everything
                if message["method"] == "workspace/applyEdit":
                    self.applied.append(message["params"]["edit"])
                self._send({"id": message["id"], "result": {"applied": True, "success": True}})
            elif "method" in message:
                self.notes.put(message)
            else:
                self.answers[message["id"]].put(message)

    def _send(self, message: dict[str, Any]) -> None:
        content = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.server.stdin is not None
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(content) + content)
        self.server.stdin.flush()

    def notify(self, method: str, **params: Any) -> None:
        self._send({"method": method, "params": params})

    def request(self, method: str, **params: Any) -> Any:
        """The result; raises `RuntimeError` with what the server says instead."""
        number = next(self.numbers)
        self.answers[number] = Queue()
        self._send({"id": number, "method": method, **({"params": params} if params else {})})
        answer = self.answers[number].get(timeout=self.patience)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']['message']}\n{''.join(self.complaints[-20:])}")
        return answer["result"]

    # ---- documents -----------------------------------------------------------------------------------
    def open(self, path: Path, text: str | None = None) -> list[dict[str, Any]]:
        """Open a file; what is wrong with it."""
        self._drain()
        self.tell_open(path, path.read_text(encoding="utf-8") if text is None else text)
        return self.diagnostics(path)

    def tell_open(self, path: Path, text: str) -> None:
        uri = path.absolute().as_uri()
        self.versions[uri] = 1
        kind = "yaml" if path.suffix == ".yaml" else "markdown"
        document = {"uri": uri, "languageId": kind, "version": 1, "text": text}
        self.notify("textDocument/didOpen", textDocument=document)

    def change(self, path: Path, text: str) -> list[dict[str, Any]]:
        """The whole text anew; what is wrong with it."""
        self._drain()
        self.type(path, text)
        return self.diagnostics(path)

    def type(self, path: Path, text: str) -> None:
        """The whole text anew, without waiting."""
        uri = path.absolute().as_uri()
        self.versions[uri] += 1
        self.notify(
            "textDocument/didChange", textDocument={"uri": uri, "version": self.versions[uri]},
            contentChanges=[{"text": text}],
        )  # fmt: skip

    def open_all(self, paths: list[Path]) -> None:
        """Open many files at once, as an editor does that is started on a folder."""
        for path in paths:
            self.tell_open(path, path.read_text(encoding="utf-8"))
        self.everything(paths[-1])

    def change_all(self, path: Path, text: str) -> dict[Path, list[dict[str, Any]]]:
        """The whole text anew; what is wrong with each open file after it."""
        self.type(path, text)
        return self.everything(path)

    def everything(self, path: Path) -> dict[Path, list[dict[str, Any]]]:
        """What the server says of all open files, once it has seen the newest text of this one."""
        uri = path.absolute().as_uri()
        version: object = None
        while version != self.versions[uri]:
            version = self._heard(self._note(path), uri, version)
        self.about("foldingRange", path)  # what it said before it answers this is here now
        while not self.notes.empty():
            self._heard(self.notes.get(), uri, version)
        return {Path(unquote(urlparse(one).path)): self.latest.get(one, []) for one in self.versions}

    def _heard(self, note: dict[str, Any], uri: str, version: object) -> object:
        """Keep the last word about a file; the version of the text it was about, where it is this one."""
        if note["method"] != "textDocument/publishDiagnostics":
            return version
        params = note["params"]
        self.latest[params["uri"]] = params["diagnostics"]
        return params.get("version") if params["uri"] == uri else version

    def _drain(self) -> None:
        while not self.notes.empty():
            self.notes.get()

    def diagnostics(self, path: Path) -> list[dict[str, Any]]:
        """The next answer about a file."""
        uri = path.absolute().as_uri()
        while True:
            note = self._note(path)
            if note["method"] == "textDocument/publishDiagnostics" and note["params"]["uri"] == uri:
                if note["params"].get("version") not in (None, self.versions[uri]):
                    continue  # about an earlier text
                found: list[dict[str, Any]] = note["params"]["diagnostics"]
                return found

    def _note(self, path: Path) -> dict[str, Any]:
        try:
            return self.notes.get(timeout=self.patience)
        except Empty:
            raise RuntimeError(f"no answer about {path.name}\n{''.join(self.complaints[-20:])}") from None

    def at(self, method: str, path: Path, line: int, character: int, **more: Any) -> Any:
        """A request about a place, counted from 0."""
        return self.request(
            f"textDocument/{method}", textDocument={"uri": path.absolute().as_uri()},
            position={"line": line, "character": character}, **more,
        )  # fmt: skip

    def about(self, method: str, path: Path, **more: Any) -> Any:
        return self.request(f"textDocument/{method}", textDocument={"uri": path.absolute().as_uri()}, **more)

    def command(self, name: str, *arguments: Any) -> Any:
        return self.request("workspace/executeCommand", command=f"rulesdsl.{name}", arguments=list(arguments))
