"""Signatures under games: who says that it was played so. Ed25519, through `cryptography` (extra `[sign]`).

What is signed is everything that stands above the signature: facts, rules, every decision and every die.
Checksums show damage; a signature shows that nobody but the owner of a key has written this.
"""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any

from interpreter.keeping.save_file import Signature, read_bytes
from rulesdsl.base.diagnostics import UsageError
from rulesdsl.base.writing import write_file

HINT = 'signatures need the package "cryptography": pip install "rulesdsl[sign]"'
_MOST = 10_000  # bytes of a file with a key
_PUBLIC = re.compile(r"rulesdsl-key ed25519 ([A-Za-z0-9+/]{43}=)(?: ([^\x00-\x1f\x7f]{0,100}))?\s*")
_PURPOSE = b"rulesdsl signed game\0"


@dataclass(frozen=True, slots=True)
class PublicKey:
    """Who may have signed: 32 bytes, and what their owner is called by whoever gave us the key."""

    raw: bytes
    name: str = ""

    def __str__(self) -> str:
        return f"{self.name} ({fingerprint(self.raw)})" if self.name else fingerprint(self.raw)


def fingerprint(raw: bytes) -> str:
    """A key in a form that can be read out on the telephone."""
    digits = sha256(raw).hexdigest()[:20]
    return "key " + " ".join(digits[start : start + 4] for start in range(0, 20, 4))


def new_key(path: Path, name: str = "") -> PublicKey:
    """Make a key of one's own: FILE stays secret, FILE.pub is for the others."""
    if re.search(r"[\x00-\x1f\x7f]", name) or len(name) > 100:
        raise UsageError("a name is one line of at most 100 letters")
    private = _library().Ed25519PrivateKey.generate()
    public = PublicKey(private.public_key().public_bytes_raw(), name)
    secret = base64.b64encode(private.private_bytes_raw()).decode()
    said = f"rulesdsl-key ed25519 {base64.b64encode(public.raw).decode()} {name}".rstrip()
    try:
        write_file(path, f"rulesdsl-secret-key ed25519 {secret}\n", lasting=True, fresh=True, private=True)
        write_file(path.with_name(f"{path.name}.pub"), said + "\n", fresh=True)
    except FileExistsError as error:
        raise UsageError(f"{error.filename} exists already; choose another name") from None
    return public


def read_public(path: Path) -> PublicKey:
    found = _PUBLIC.fullmatch(_text(path))
    if found is None:
        raise UsageError(f'{path} holds no public key: "rulesdsl key new" writes one into FILE.pub')
    return PublicKey(base64.b64decode(found[1]), found[2] or "")


class Signer:
    """Somebody's secret key, read once."""

    def __init__(self, path: Path) -> None:
        found = re.fullmatch(r"rulesdsl-secret-key ed25519 ([A-Za-z0-9+/]{43}=)\s*", _text(path))
        if found is None:
            raise UsageError(f'{path} holds no secret key: "rulesdsl key new FILE" makes one')
        self._private = _library().Ed25519PrivateKey.from_private_bytes(base64.b64decode(found[1]))
        self.public = PublicKey(self._private.public_key().public_bytes_raw())

    def line(self, digest: bytes) -> str:
        """The line to be written under what has this digest."""
        signature = self._private.sign(_PURPOSE + digest)
        return f"signed {base64.b64encode(self.public.raw).decode()} {base64.b64encode(signature).decode()}"


def is_good(signature: Signature) -> bool:
    """Whether a signature is that of its key under its text."""
    library = _library()
    try:
        key = library.Ed25519PublicKey.from_public_bytes(base64.b64decode(signature.key, validate=True))
        key.verify(base64.b64decode(signature.sign, validate=True), _PURPOSE + signature.digest)
    except (ValueError, import_module("cryptography.exceptions").InvalidSignature):
        return False
    return True


def can_check() -> bool:
    try:
        _library()
    except UsageError:
        return False
    return True


def _library() -> Any:
    """The module with the keys; it may be missing."""
    try:
        return import_module("cryptography.hazmat.primitives.asymmetric.ed25519")
    except ImportError:
        raise UsageError(HINT) from None


def _text(path: Path) -> str:
    return read_bytes(path, _MOST)[:_MOST].decode("utf-8", "replace")
