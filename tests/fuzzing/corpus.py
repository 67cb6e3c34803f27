"""Programs that have shown something: one file each, `# what it showed` first, then the files of the game.

python -m tests.fuzzing.corpus 4711 "a note about a filtered set"     makes program 4711 small and keeps it
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.fuzzing.shrinking import Files

CORPUS = Path(__file__).parents[1] / "testdata" / "corpus"
_HEAD = re.compile(r"(?m)^=== (.+)\n")


@dataclass(frozen=True)
class Entry:
    """A small program, what it showed, and whether no rule of it acts on a secret."""

    name: str
    showed: str
    disciplined: bool
    files: Files


def entries() -> list[Entry]:
    return [read(path) for path in sorted(CORPUS.glob("*.txt"))]


def read(path: Path) -> Entry:
    text = path.read_text(encoding="utf-8")
    head, *parts = _HEAD.split(text)
    lines = [line.removeprefix("#").strip() for line in head.splitlines() if line.strip()]
    disciplined = "disciplined" in lines[1:]
    files = dict(zip(parts[::2], parts[1::2], strict=True))
    return Entry(path.stem, lines[0], disciplined, files)


def write(name: str, showed: str, disciplined: bool, files: Files) -> Path:
    CORPUS.mkdir(parents=True, exist_ok=True)
    head = f"# {showed}\n" + ("# disciplined\n" if disciplined else "")
    body = "".join(f"=== {path}\n{text.rstrip()}\n" for path, text in sorted(files.items()))
    path = CORPUS / f"{name}.txt"
    path.write_text(head + body, encoding="utf-8")
    return path


def main(arguments: list[str]) -> int:
    from tests.fuzzing.trying import Found, numbered, smallest, tried

    number, name, showed = int(arguments[0]), arguments[1], arguments[2]
    try:
        print(tried(number))
        return 0
    except Found as found:
        kind = found.kind
        print(found)
    path = write(name, showed, numbered(number).disciplined, smallest(number, kind, 120))
    print(path)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
