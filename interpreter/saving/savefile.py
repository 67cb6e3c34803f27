"""The text of saves and journals: lines, each with a checksum that also covers all lines before it.

    rulesdsl save 1 #5e2f…          first line: what this is, and the version of the format
    game "skirmish" #…              facts, as JSON
    3 red attack:e4 state 8d1c… #…  decision 3: who, which option, the position after it
    undo 2 state 77aa… #…           only in journals: two decisions were taken back
    | eJzVXW1z… #…                  the rules, compressed
    end 3 #…                        only in saves: how many decisions there are

A save is written at once and ends in `end`. A journal grows by whole lines and may stop anywhere.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from rulesdsl.diagnostics import number_of

FORMAT = 1
MOST_BYTES = 64_000_000
FACTS = ("engine", "game", "title", "scenario", "settings", "seed", "house", "printed", "rules", "start")

_FIRST = re.compile(r"rulesdsl (save|journal) ([0-9]{1,9})(?: |$)")
_LINE = re.compile(r"(.*) #([0-9a-f]{12})", re.DOTALL)
_DECISION = re.compile(r"([1-9][0-9]{0,8}) (\S+) (.+) state ([0-9a-f]{16})", re.DOTALL)
_UNDO = re.compile(r"undo ([1-9][0-9]{0,8}) state ([0-9a-f]{16})")


class SaveError(Exception):
    """A save that cannot be opened; the message says why and what to do."""


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


def first_line(kind: str) -> str:
    return f"rulesdsl {kind} {FORMAT}"


def fact_lines(facts: Mapping[str, Any]) -> Iterator[str]:
    for name in FACTS:
        yield f"{name} {json.dumps(facts[name], ensure_ascii=True, sort_keys=True)}"


def decision_line(number: int, who: str, key: str, state: str) -> str:
    return f"{number} {who} {key} state {state}"


def undo_line(count: int, state: str) -> str:
    return f"undo {count} state {state}"


def read_save(path: str | Path) -> SaveText:
    """Read as far as the file is what was written. Raises when it is no save, or a newer one."""
    path = Path(path)
    try:
        with path.open("rb") as stream:
            content = stream.read(MOST_BYTES + 1)
    except OSError as error:
        raise SaveError(f"{path} cannot be read: {(error.strerror or str(error)).lower()}") from None
    if len(content) > MOST_BYTES:
        raise SaveError(f"{path} is larger than {MOST_BYTES:,} bytes, the most that is read")
    text = SaveText(path)
    _check_first(path, content)
    lines = content.split(b"\n")
    torn = lines.pop()  # nothing, when the last line is whole
    offset = 0
    for number, raw in enumerate(lines, 1):
        what = _take(text, number, raw)
        if what:
            text.damage = Damage(number, offset, what, torn=False)
            _take_rules(text, lines[number - 1 :])
            return text
        offset += len(raw) + 1
        text.length = offset
    if torn and not _take(text, len(lines) + 1, torn):
        text.length, text.newline = offset + len(torn), False
    elif torn:
        what = "it is cut off in the middle"
        text.damage = Damage(len(lines) + 1, offset, what, torn=text.kind == "journal")
        return text
    if text.kind == "save" and not text.ended:
        text.damage = Damage(len(lines) + 1, offset, "the end of the file is missing", torn=False)
    elif not text.complete:
        text.damage = Damage(len(lines) + 1, offset, "the file stops before the game begins", torn=False)
    return text


def _check_first(path: Path, content: bytes) -> None:
    first = content[:200].split(b"\n")[0].decode("utf-8", "replace")
    match = _FIRST.match(first)
    if match is None:
        raise SaveError(f'{path} is no save: it does not begin with "rulesdsl save"')
    if int(match[2]) > FORMAT:
        from rulesdsl import __version__

        raise NewerSave(
            f"{path} is a {match[1]} of format {match[2]}, and this is rulesdsl {__version__}, which reads "
            f"formats up to {FORMAT}: update with `pip install --upgrade rulesdsl` and open it again"
        )


def _take(text: SaveText, number: int, raw: bytes) -> str:
    """Add one line to what has been read; what is wrong with it, or nothing."""
    try:
        match = _LINE.fullmatch(raw.decode("utf-8").removesuffix("\r"))  # a mail may have changed line ends
    except UnicodeDecodeError:
        return "it is damaged (not UTF-8)"
    if match is None:
        return "it is damaged (it has no checksum)"
    line, check = match.groups()
    if next_check(text.check, line) != check:
        return "it is damaged (its checksum does not fit)"
    if text.ended:
        return "it stands after the end"
    if not _understand(text, number, line):
        return "it says nothing that is known"
    text.check = check
    return ""


def _take_rules(text: SaveText, lines: list[bytes]) -> None:
    """The rules behind a damage, to play what stands before it; their content hash proves them."""
    for raw in lines if text.kind == "save" and not text.packed else ():
        match = _LINE.fullmatch(raw.decode("utf-8", "replace").removesuffix("\r"))
        if match is not None and match[1].startswith("| "):
            text.packed.append(match[1][2:])


def _understand(text: SaveText, number: int, line: str) -> bool:
    if number == 1:
        first = _FIRST.match(line)
        text.kind = first[1] if first is not None else ""
        return first is not None
    if line.startswith("| "):
        text.packed.append(line[2:])
        return True
    word, _, rest = line.partition(" ")
    if word in FACTS:
        try:
            text.facts[word] = json.loads(rest)
        except (ValueError, RecursionError):
            return False
        return True
    standing = text.entries[-1].number if text.entries else 0
    if (match := _DECISION.fullmatch(line)) is not None and int(match[1]) == standing + 1:
        text.entries.append(Entry(number, standing + 1, match[2], match[3], match[4]))
        return True
    if (match := _UNDO.fullmatch(line)) is not None and int(match[1]) <= standing:
        left = standing - int(match[1])
        text.entries.append(Entry(number, left, "", "", match[2], undone=int(match[1])))
        return True
    text.ended = line == f"end {standing}"
    return text.ended
