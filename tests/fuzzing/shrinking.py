"""A game that fails, made small: parts are taken away for as long as it fails in the same way.

Delta debugging over all files at once: paragraphs, statements, lines with what hangs below them, entries of
data, at last words inside of lines. What passes the checks no more, or fails otherwise, is put back.
"""

from __future__ import annotations

import json
import re
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

Files = dict[str, str]
Fails = Callable[[Files], bool]
SECONDS = 120.0  # of the processor, after which the smallest so far is taken
NAME = "generated"


def written(files: Files, place: Path) -> Path:
    """A directory with these files, below `place`."""
    for path, text in files.items():
        target = place / NAME / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    return place / NAME


def failing(kind: str, trial: Callable[[Path], str]) -> Fails:
    """Whether files still give this kind of failure; `trial` says the kind it finds in a directory."""

    def fails(files: Files) -> bool:
        with tempfile.TemporaryDirectory() as place:
            return trial(written(files, Path(place))) == kind

    return fails


class Shrinking:
    """The smallest files so far, and what is tried with them."""

    def __init__(self, files: Files, fails: Fails, seconds: float) -> None:
        self.files = files
        self.fails = fails
        self.until = time.process_time() + seconds
        self.tried = 0

    @property
    def in_time(self) -> bool:
        return time.process_time() < self.until

    def take(self, files: Files) -> bool:
        """Keep these files if they are smaller and still fail."""
        self.tried += 1
        if not self.in_time or _size(files) >= _size(self.files) or not self.fails(files):
            return False
        self.files = files
        return True

    def run(self) -> Files:
        while self.in_time:
            before = _size(self.files)
            for cut in (_paragraphs, _statements):
                self._chapters(cut)
            self._lines()
            self._data()
            self._words()
            if _size(self.files) >= before:
                break
        return self.files

    def _chapters(self, cut: Callable[[str], list[str]]) -> None:
        """Take away parts of chapters and house rules: halves of all of them, quarters, … single ones."""
        paths = sorted(path for path in self.files if path.endswith(".md"))
        parts = [(path, part) for path in paths for part in cut(self.files[path])]
        width = max(1, len(parts) // 2)
        while width:
            start = 0
            while start < len(parts) and self.in_time:
                fewer = parts[:start] + parts[start + width :]
                if self.take(self._with(paths, fewer)):
                    parts = fewer
                else:
                    start += width
            width = width // 2

    def _with(self, paths: Sequence[str], parts: list[tuple[str, str]]) -> Files:
        texts = {path: "".join(part for home, part in parts if home == path) for path in paths}
        rest = {path: text for path, text in self.files.items() if path not in texts}
        return rest | {path: text for path, text in texts.items() if text.strip()}

    def _lines(self) -> None:
        """Lines, each with all that hangs below it; then the line alone, and what hung on it moves up."""
        for path in sorted(path for path in self.files if path.endswith(".md")):
            number = 0
            while number < len(lines := self.files[path].splitlines()) and self.in_time:
                end = _hanging(lines, number)
                up = [line.removeprefix("    ") for line in lines[number + 1 : end]]
                for instead in ([], up)[: 2 if up and number and lines[number].startswith(" ") else 1]:
                    text = "\n".join([*lines[:number], *instead, *lines[end:]]) + "\n"
                    if self.take({**self.files, path: text}):
                        break
                else:
                    number += 1

    def _data(self) -> None:
        """Entries of data files (which are JSON here), the outermost first."""
        for path in sorted(path for path in self.files if path.endswith(".yaml")):
            if path != "game.yaml" and self.take({p: t for p, t in self.files.items() if p != path}):
                continue
            try:
                value = json.loads(self.files[path])
            except ValueError:
                continue
            number = 0
            while self.in_time:
                fewer = next((one for n, one in enumerate(_fewer(value)) if n == number), None)
                if fewer is None:
                    break
                text = json.dumps(fewer, ensure_ascii=False, indent=1) + "\n"
                if self.take({**self.files, path: text}):
                    value = fewer
                else:
                    number += 1

    def _words(self) -> None:
        """Conditions, brackets and texts inside of lines, one at a time."""
        for path in sorted(path for path in self.files if path.endswith(".md")):
            number = 0
            while number < len(self.files[path].splitlines()) and self.in_time:
                lines = self.files[path].splitlines()
                for simpler in _simpler(lines[number]):
                    text = "\n".join([*lines[:number], simpler, *lines[number + 1 :]]) + "\n"
                    if self.take({**self.files, path: text}):
                        break
                else:
                    number += 1


def _size(files: Files) -> int:
    return sum(map(len, files.values()))


def shrunk(files: Files, fails: Fails, seconds: float = SECONDS) -> Files:
    """The smallest files found that still fail."""
    return Shrinking(files, fails, seconds).run()


def _paragraphs(text: str) -> list[str]:
    return [part for part in re.split(r"(?m)^(?=##)", text) if part]


def _statements(text: str) -> list[str]:
    return [part for part in re.split(r"(?ms)(^```\w+\n.*?^```\n)", text) if part]


def _hanging(lines: list[str], number: int) -> int:
    """The first line below that does not hang on this one."""
    depth = len(lines[number]) - len(lines[number].lstrip(" "))
    end = number + 1
    while end < len(lines) and len(lines[end]) - len(lines[end].lstrip(" ")) > depth:
        end += 1
    return end


def _fewer(value: Any) -> Iterator[Any]:
    """The value with one entry less, at every depth."""
    if isinstance(value, dict):
        for key in value:
            yield {name: part for name, part in value.items() if name != key}
        for key in value:
            for part in _fewer(value[key]):
                yield {**value, key: part}
    elif isinstance(value, list):
        for i in range(len(value)):
            yield [*value[:i], *value[i + 1 :]]
        for i in range(len(value)):
            for part in _fewer(value[i]):
                yield [*value[:i], part, *value[i + 1 :]]


_SIMPLER = (
    (r" where .*?(?=( as | in the order|:|$))", ""), (r" when [^\":]*?(?=( despite |\"|:|$))", " "),
    (r"\([^()]*\)", "1"), (r"\([^()]*\)", "true"), (r"\([^()]*\)", ""),
    (r" (and|or) .*?(?=( and | or |:|\"|$))", ""),
    (r"\"[^\"]*\"", '"a"'), (r", [^,()]*(?=[,)])", ""), (r", [^,()]*$", ""), (r"\bnot ", ""),
)  # fmt: skip


def _simpler(line: str) -> Iterator[str]:
    if line.startswith(("#", "```")):
        return
    for pattern, text in _SIMPLER:
        for match in re.finditer(pattern, line):
            found = line[: match.start()] + text + line[match.end() :]
            if found != line and len(found) < len(line):
                yield found
