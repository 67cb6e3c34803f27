"""Fuel for expressions: generated code that might run for ages counts its work, all other code does not.

The work of a function is estimated from its text: every name counts, loops count for as many members as the
largest class of the game has, calls count for what they do. Where that is little, nothing is added. Where it
is much, the turns of the loops and the calls are counted as they happen, in a cell that is filled up again
for every decision (`FUEL`: what is left, what there is). So an expression stops like a procedure does, at
the same point on every machine.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

# Names looked up that a call, or all turns of a loop, may do without being counted. What is charged is an
# estimate of the most: a coarse one makes short calls as dear as long ones and stops ordinary games.
SMALL = 3_000
SMALL_ONCE = 1_000_000  # the same for what is called once in a game: a hundredth of what a decision may do
SMALL_BLOCK = 3_000  # the same for a step of a procedure, of which there may be very many
GUARDED = 100  # the work behind a condition inside a loop that is worth a count of its own
METER = "FUEL"
_RESET = f"{METER}[0] = {METER}[1]"

_NAME = re.compile(r"\b[A-Za-z_]\w*")
_HEAD = re.compile(r"def (\w+)\(")
_ALIAS = re.compile(r"(\w+) = (.+)$", re.DOTALL)
_LOOP = re.compile(r"for (\w+) in MEMBERS\[(.+)\]:$")
_ENDS_EARLY = re.compile(r"^(?:break|return|raise)\b|: (?:break|return|raise)\b|\bdecide\b")
_GUARD = re.compile(r"if .*: continue$")
_RANGE = re.compile(r" in range\((\d+)\):$")
_AROUND = 8  # links of a space, more or less
# what the functions of runtime.py, membership.py and spreading.py do, in classes gone through
# (`distance` looks up what was worked out once; lines are remembered, too)
_GONE_THROUGH = {
    "neighbours_of": 1, "borders_of": 1, "nearest": 2, "standing_in": 1, "standing_among": 1,
    "occupied": 1, "spread": 16, "flood": 4, "first_steps": 2, "origins_of": 4, "line": 1, "sides_along": 1,
}  # fmt: skip


@dataclass(slots=True)
class _Line:
    """A line of Python with the lines indented under it."""

    text: str
    depth: int
    under: list[_Line] = field(default_factory=list)
    work: int = 0  # that is not counted, with what is under it


class Meter:
    """Knows how much work every generated function may do without being counted."""

    def __init__(self, largest: int) -> None:
        self.largest = largest  # members of the largest class
        self._work = {name: times * largest for name, times in _GONE_THROUGH.items()}
        self._unread: dict[str, str] = {}
        self._once: frozenset[str] = frozenset()

    def metered(self, sources: Iterable[str], once: frozenset[str] = frozenset()) -> list[str]:
        """The same functions, those that may do much work counting it; `once`: those called once a game."""
        self._once = once
        chunks = [chunk for source in sources for chunk in _chunks(source)]
        own = {name: chunk for chunk in chunks if (name := _named(chunk)) is not None}
        for name, chunk in own.items():  # an older function of this name is forgotten
            self._work.pop(name, None)
            self._unread[name] = chunk
        done: dict[str, str] = {}
        for name in own:
            self._read(name, done)
        return [done.get(_named(chunk) or "", chunk) for chunk in chunks]

    def _read(self, name: str, done: dict[str, str]) -> int:
        """The uncounted work of a function (or of the functions in a table)."""
        if name in self._work:
            return self._work[name]
        chunk = self._unread.pop(name, None)
        if chunk is None:
            return 0
        if not chunk.startswith("def "):
            self._work[name] = max((self._read(other, done) for other in _NAME.findall(chunk)[1:]), default=0)
            return self._work[name]
        lines = _tree(chunk.split("\n"))
        head = lines[0]
        work = self._settled(head.under, done, SMALL_ONCE if name in self._once else SMALL)
        if name not in self._once and work > (SMALL_BLOCK if _is_block(name) else 2 * SMALL):
            head.under[:0] = _count(work, head.depth + 1)
            work = 1
        self._work[name] = work
        done[name] = "\n".join(_written(lines))
        return work

    def _settled(self, lines: list[_Line], done: dict[str, str], small: int) -> int:
        """The work of lines that is not counted, after counting what must be."""
        settled: list[_Line] = []
        total = 0
        for line in lines:
            text = line.text
            # (nobody calls a block: such a name is a variable)
            names = _NAME.findall(text)
            work = len(names) + sum(self._read(name, done) for name in names if not _is_block(name))
            inside = self._settled(line.under, done, small)
            if text.startswith(("for ", "while ")):
                turns = _AROUND if "LINKS[" in text or "WAYS[" in text else self.largest
                if written := _RANGE.search(text):
                    turns = max(turns, int(written[1]))
                if inside * turns > small and (loop := _LOOP.match(text)) and not _may_end_early(line.under):
                    name = f"m_{loop[1]}"  # all its turns are counted in one go
                    settled.append(_Line(f"{name} = MEMBERS[{loop[2]}]", line.depth))
                    settled += _count(f"{inside} * len({name})", line.depth)
                    line.text = f"for {loop[1]} in {name}:"
                    inside = 1
                elif inside * turns > small:
                    line.under = _counting_turns(line.under, line.depth + 1)
                    inside = 1
                else:
                    inside *= turns
            if total + work + inside > small and total and not text.startswith(("else", "elif")):
                settled += _count(total, line.depth)  # what follows may never be reached
                total = 0
                for earlier in settled:
                    earlier.work = 0
            if "decide(" in text:  # in a game nobody stops, decisions are where the meter starts again
                settled.append(_Line(_RESET, line.depth))
            settled.append(line)
            line.work = work + inside
            total += line.work
        lines[:] = settled
        return total


def _counting_turns(body: list[_Line], depth: int) -> list[_Line]:
    """The lines of a loop, counted at every turn; what few members come to is counted when they do."""
    counting: list[_Line] = []
    first = 0  # of the lines that are counted together
    left = sum(line.work for line in body)
    total = 0
    for index, line in enumerate(body):
        total += line.work
        left -= line.work
        if _GUARD.match(line.text) and left > GUARDED:
            counting += [*_count(total, depth), *body[first : index + 1]]
            first, total = index + 1, 0
    return [*counting, *_count(total + left, depth), *body[first:]]


def without_meter(sources: Iterable[str]) -> list[str]:
    """Functions that need not start the meter again, since nobody counts."""
    return ["\n".join(x for x in source.split("\n") if x.strip() != _RESET) for source in sources]


def counts(source: str) -> bool:
    return f"{METER}[0] -=" in source


def _is_block(name: str) -> bool:
    return name[0] == "b" and name[1:].isdigit()


def _may_end_early(lines: list[_Line]) -> bool:
    """Whether a loop may have fewer turns than members, or its turns ask or call what counts for itself."""
    return any(_ENDS_EARLY.search(line.text) or _may_end_early(line.under) for line in lines)


def _count(work: int | str, depth: int) -> list[_Line]:
    return [_Line(f"{METER}[0] -= {work}", depth), _Line(f"if {METER}[0] < 0: out_of_fuel()", depth)]


def _chunks(source: str) -> list[str]:
    """Functions and assignments of a source, one by one."""
    chunks: list[list[str]] = []
    for line in source.split("\n"):
        if not line.startswith(" ") or not chunks:
            chunks.append([])
        chunks[-1].append(line)
    return ["\n".join(lines) for lines in chunks]


def _named(chunk: str) -> str | None:
    found = _HEAD.match(chunk) or _ALIAS.match(chunk)
    return found[1] if found else None


def _tree(lines: list[str]) -> list[_Line]:
    roots: list[_Line] = []
    open_: list[_Line] = []
    for line in lines:
        text = line.lstrip(" ")
        depth = (len(line) - len(text)) // 4
        if not text:
            continue
        node = _Line(text, depth)
        del open_[depth:]
        (open_[-1].under if open_ else roots).append(node)
        open_.append(node)
    return roots


def _written(lines: list[_Line]) -> Iterable[str]:
    for line in lines:
        yield "    " * line.depth + line.text
        yield from _written(line.under)
