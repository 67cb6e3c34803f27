"""The text of saves and journals: lines, each with a checksum that also covers all lines before it.

    rulesdsl save 1 #5e2f…          first line: what this is, and the version of the format
    game "skirmish" #…              facts, as JSON
    3 red attack:e4 state 8d1c… #…  decision 3: who, which option, the position after it
    undo 2 state 77aa… #…           only in journals: two decisions were taken back
    | eJzVXW1z… #…                  the rules, compressed
    end 3 #…                        only in saves: how many decisions there are
    signed Mcow… c2ln… #…           who says so: a key, and its signature under all that stands above

In a game whose dice are drawn as they are cast, a decision that led to dice tells what was drawn for them:
`3 red attack:e4 dice 9f86… state 8d1c… #…`.

A save is written at once and ends in `end`. A journal grows by whole lines and may stop anywhere.
"""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from rulesdsl.base.diagnostics import number_of
from rulesdsl.base.gc_pause import nothing_collected
from rulesdsl.base.version import __version__

FORMAT = 2  # 1 knows neither dice that were drawn as they were cast nor signatures
MOST_BYTES = 20_000_000
# A file from a stranger may be as long as it likes: what is made of it is bounded before it is made.
MOST_ENTRIES = 60_000  # decisions and takings back; the longest games have some ten thousand
MOST_LINE = 100_000  # bytes in a line: a fact with every setting, the key of a choice of many things
WIDTH = 100  # of a line of packed rules; only the last one may be shorter
FACTS = ("engine", "game", "title", "scenario", "settings", "seed", "house", "printed", "rules", "start")
MORE_FACTS = ("dice",)  # that a file need not have
MOST_SIGNATURES = 100

_FIRST = re.compile(r"rulesdsl (save|journal) ([0-9]{1,9})(?: |$)")
_LINE = re.compile(r"(.*) #([0-9a-f]{12})", re.DOTALL)
_DECISION = re.compile(
    r"([1-9][0-9]{0,8}) (\S+) (.+?)(?: dice ([0-9a-f]{32}))? state ([0-9a-f]{16})", re.DOTALL
)
_SIGNED = re.compile(r"signed ([A-Za-z0-9+/]{43}=) ([A-Za-z0-9+/]{86}==)")
_UNDO = re.compile(r"undo ([1-9][0-9]{0,8}) state ([0-9a-f]{16})")


class SaveError(Exception):
    """A save that cannot be opened; the message says why and what to do."""


def reason_of(error: Exception) -> str:
    """What the system said, in the small letters of a sentence that goes on."""
    return (getattr(error, "strerror", None) or str(error)).lower()


class NewerSave(SaveError):
    """Written by a later version of the engine."""


class DamagedSave(SaveError):
    """A line is not what was written. `intact` decisions stand before it."""

    def __init__(self, message: str, line: int, intact: int) -> None:
        super().__init__(message)
        self.line = line
        self.intact = intact


@dataclass(frozen=True, slots=True)
class Entry:
    """A decision, or (`undone` > 0) the taking back of some, with the position and the `number` of
    decisions that stand after it."""

    line: int
    number: int
    who: str
    key: str
    state: str
    undone: int = 0
    dice: str = ""  # what was drawn for the dice that followed


@dataclass(frozen=True, slots=True)
class Signature:
    """A key and what it has signed: everything above this line, with so many decisions."""

    line: int
    key: str
    sign: str
    digest: bytes
    number: int


@dataclass(frozen=True, slots=True)
class Damage:
    """The first line that is not what was written. `torn`: the file simply stops inside it."""

    line: int
    offset: int
    what: str
    torn: bool


@dataclass(slots=True)
class SaveText:
    """A save or journal, read up to its end or to the first damage."""

    path: Path
    kind: str = ""
    facts: dict[str, Any] = field(default_factory=dict)
    entries: list[Entry] = field(default_factory=list)
    packed: list[str] = field(default_factory=list)
    damage: Damage | None = None
    check: str = ""  # the checksum of the last good line
    length: int = 0  # bytes up to the end of the last good line
    newline: bool = True  # whether that line has its line end
    ended: bool = False
    lines: int = 0  # that are good
    signatures: list[Signature] = field(default_factory=list)
    digest: Any = field(default_factory=sha256, repr=False)  # of all good lines

    @property
    def complete(self) -> bool:
        """Whether the facts and the rules are all there, so that at least the first prompt can be shown."""
        return all(name in self.facts for name in FACTS) and bool(self.packed)

    def decisions(self) -> list[Entry]:
        """What stands after everything that was taken back is left out."""
        kept: list[Entry] = []
        for entry in self.entries:
            if entry.undone:
                del kept[len(kept) - entry.undone :]
            else:
                kept.append(entry)
        return kept

    def damaged(self) -> DamagedSave:
        """The exception for the damage that was found."""
        assert self.damage is not None
        intact = len(self.decisions())
        if not self.complete:
            advice = "nothing can be recovered from it; use another copy"
        else:
            before = f"{number_of(intact, 'decision')} before it {'is' if intact == 1 else 'are'} intact"
            advice = f"{before}: --recover goes on from there (play, replay)"
        message = f"{self.path}, line {self.damage.line}: {self.damage.what}; {advice}"
        return DamagedSave(message, self.damage.line, intact)


class Chain:
    """Gives lines their checksums."""

    def __init__(self, check: str = "") -> None:
        self.check = check

    def line(self, text: str) -> str:
        self.check = next_check(self.check, text)
        return f"{text} #{self.check}\n"


def next_check(previous: str, text: str) -> str:
    return sha256(f"{previous}\n{text}".encode()).hexdigest()[:12]


def first_line(kind: str, version: int) -> str:
    return f"rulesdsl {kind} {version}"


def fact_lines(facts: Mapping[str, Any]) -> Iterator[str]:
    for name in (*FACTS, *(name for name in MORE_FACTS if name in facts)):
        yield f"{name} {json.dumps(facts[name], ensure_ascii=True, sort_keys=True)}"


def decision_line(number: int, who: str, key: str, state: str, dice: str = "") -> str:
    return f"{number} {who} {key}{f' dice {dice}' if dice else ''} state {state}"


def digest_of(lines: Iterable[str]) -> bytes:
    """What a signature is put under."""
    return sha256("".join(f"{line}\n" for line in lines).encode()).digest()


def undo_line(count: int, state: str) -> str:
    return f"undo {count} state {state}"


def read_save(path: str | Path) -> SaveText:
    """Read as far as the file is what was written. Raises when it is no save, or a newer one."""
    path = Path(path)
    return parse_save(path, read_bytes(path))


def read_bytes(path: Path, most: int = MOST_BYTES) -> bytes:
    """The content of a regular file; a pipe would be waited for for ever."""
    try:
        number = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with open(number, "rb") as stream:
            if not stat.S_ISREG(os.fstat(number).st_mode):
                raise SaveError(f"{path} cannot be read: this is not a regular file")
            return stream.read(most + 1)
    except (OSError, ValueError) as error:
        raise SaveError(f"{path} cannot be read: {reason_of(error)}") from None


def parse_save(path: Path, content: bytes) -> SaveText:
    """What the bytes of a file say, up to their end or to the first damage."""
    if len(content) > MOST_BYTES:
        raise SaveError(f"{path} is larger than {MOST_BYTES:,} bytes, the most that is read")
    with nothing_collected():
        return _parsed(path, content)


def _parsed(path: Path, content: bytes) -> SaveText:
    text = SaveText(path)
    _check_first(path, content)
    offset = number = 0
    while (end := content.find(b"\n", offset)) >= 0:
        number += 1
        what = _take(text, number, content[offset:end])
        if what:
            text.damage = Damage(number, offset, what, torn=False)
            _take_rules(text, content, offset)
            return text
        offset = end + 1
        text.length = offset
    torn = content[offset:]  # nothing, when the last line is whole
    if torn and not _take(text, number + 1, torn):
        text.length, text.newline = offset + len(torn), False
    elif torn:
        what = "it is cut off in the middle"
        text.damage = Damage(number + 1, offset, what, torn=text.kind == "journal")
        return text
    if text.kind == "save" and not text.ended:
        text.damage = Damage(number + 1, offset, "the end of the file is missing", torn=False)
    elif not text.complete:
        text.damage = Damage(number + 1, offset, "the file stops before the game begins", torn=False)
    return text


def _check_first(path: Path, content: bytes) -> None:
    first = content[:200].split(b"\n")[0].decode("utf-8", "replace")
    match = _FIRST.match(first)
    if match is None:
        raise SaveError(f'{path} is no save: it does not begin with "rulesdsl save"')
    if int(match[2]) > FORMAT:
        raise NewerSave(
            f"{path} is a {match[1]} of format {match[2]}, and this is rulesdsl {__version__}, which reads "
            f"formats up to {FORMAT}: update with `pip install --upgrade rulesdsl` and open it again"
        )


def _take(text: SaveText, number: int, raw: bytes) -> str:
    """Add one line to what has been read; what is wrong with it, or nothing."""
    if len(raw) > MOST_LINE:
        return f"it is damaged (longer than {MOST_LINE:,} bytes)"
    try:
        match = _LINE.fullmatch(raw.decode("utf-8").removesuffix("\r"))  # a mail may have changed line ends
    except UnicodeDecodeError:
        return "it is damaged (not UTF-8)"
    if match is None:
        return "it is damaged (it has no checksum)"
    line, check = match.groups()
    if next_check(text.check, line) != check:
        return "it is damaged (its checksum does not fit)"
    if text.ended and not line.startswith("signed "):
        return "it stands after the end"
    if not _understand(text, number, line):
        return "it says nothing that is known"
    text.digest.update(f"{line}\n".encode())
    text.lines = number
    text.check = check
    return ""


def _take_rules(text: SaveText, content: bytes, offset: int) -> None:
    """The rules behind a damage, to play what stands before it; their content hash proves them."""
    if text.kind != "save" or text.packed:
        return
    first = content.find(b"\n| ", offset)
    while first >= 0:
        end = content.find(b"\n", first + 1)
        raw = content[first + 1 : end if end >= 0 else len(content)]
        match = _LINE.fullmatch(raw[: 2 * WIDTH].decode("utf-8", "replace").removesuffix("\r"))
        if match is None or not _take_packed(text, match[1][2:]):
            return
        first = end if content.startswith(b"\n| ", end) else -1


def _take_packed(text: SaveText, part: str) -> bool:
    """Lines of rules are full up to the last one, as they were written: no millions of short ones."""
    if len(part) > WIDTH or (text.packed and len(text.packed[-1]) < WIDTH):
        return False
    text.packed.append(part)
    return True


def _take_signature(text: SaveText, number: int, line: str) -> bool:
    """Under a whole save, or in a journal under what has been played so far."""
    found = _SIGNED.fullmatch(line)
    if found is None or not text.complete or (text.kind == "save" and not text.ended):
        return False
    if len(text.signatures) >= MOST_SIGNATURES:
        return False
    standing = text.entries[-1].number if text.entries else 0
    text.signatures.append(Signature(number, found[1], found[2], text.digest.digest(), standing))
    return True


def _understand(text: SaveText, number: int, line: str) -> bool:
    if number == 1:
        first = _FIRST.match(line)
        text.kind = first[1] if first is not None else ""
        return first is not None
    if line.startswith("| "):
        return _take_packed(text, line[2:])
    word, _, rest = line.partition(" ")
    if word == "signed":
        return _take_signature(text, number, line)
    if word in FACTS or word in MORE_FACTS:
        if word in text.facts:
            return False
        try:
            text.facts[word] = json.loads(rest)
        except (ValueError, RecursionError):
            return False
        return True
    if len(text.entries) >= MOST_ENTRIES:
        return False
    standing = text.entries[-1].number if text.entries else 0
    if (match := _DECISION.fullmatch(line)) is not None and int(match[1]) == standing + 1:
        dice = match[4] or ""
        text.entries.append(Entry(number, standing + 1, match[2], match[3], match[5], dice=dice))
        return True
    if (match := _UNDO.fullmatch(line)) is not None and int(match[1]) <= standing:
        left = standing - int(match[1])
        text.entries.append(Entry(number, left, "", "", match[2], undone=int(match[1])))
        return True
    text.ended = line == f"end {standing}"
    return text.ended
