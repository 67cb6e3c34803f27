"""Moves the examples of a game that its rulebook does not print out of the chapters, into `examples/`.

    python tests/move_examples.py games/race_for_berlin

An example that the rulebook prints stays: its words call it a printed example, or its paragraph tells one.
The sentence above an example goes with it. What is left and what was moved say the same: the game has the
same examples under the same paragraphs, which `rulesdsl test` shows.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent)]

from rulesdsl.base.source import SourceFile  # noqa: E402
from rulesdsl.handbook.pages.chapters import printed_example  # noqa: E402
from rulesdsl.language import syntax as sx  # noqa: E402
from rulesdsl.language.parsing.parser import parse_chapter  # noqa: E402

_REMARK = re.compile(r"\*|[-+] |\d+\. |\|")


def split(path: Path) -> tuple[str, str]:
    """The text of a chapter without its examples, and the text of the examples under their headings."""
    file = SourceFile(path, path.read_text("utf-8"))
    chapter, _ = parse_chapter(file)
    rows = file.text.split("\n")
    gone: set[int] = set()
    moved: list[str] = []
    for paragraph in chapter.paragraphs:
        printed = printed_example(paragraph)
        fences = [fence for fence in paragraph.fences if fence.kind == "example"]
        lines = [_rows_of(rows, paragraph, fence) for n, fence in enumerate(fences, 1) if n != printed]
        if lines:
            moved += ["", rows[paragraph.span.line - 1].strip()]
        for numbers in lines:
            moved += [*([] if moved[-1].startswith("#") else [""]), *(rows[n] for n in numbers)]
            gone |= set(numbers)
    kept = [row for number, row in enumerate(rows) if number not in gone]
    rest = re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).rstrip("\n") + "\n"
    title = chapter.title or next((p.title for p in chapter.paragraphs if p.title), path.stem)
    return rest, "\n".join([f"# {title}: examples", *moved]) + "\n" if moved else ""


def _rows_of(rows: list[str], paragraph: sx.Paragraph, fence: sx.Fence) -> list[int]:
    """The rows of a block with its fences, and of the words directly above it, counted from 0."""
    first = fence.first_line - 2
    last = first + 1
    while not rows[last].startswith("```"):
        last += 1
    start = first
    while start > 0 and not rows[start - 1].strip():
        start -= 1
    words = start
    while words > paragraph.span.line and rows[words - 1].strip():
        if rows[words - 1].startswith(("```", "#")):
            break
        words -= 1
    below_block = words > 0 and any(row.startswith("```") for row in rows[paragraph.span.line : words])
    if words < start and below_block and not _REMARK.match(rows[words]):
        return [*range(words, last + 1)]
    return [*range(first, last + 1)]


def main(directories: list[str]) -> None:
    for directory in map(Path, directories):
        for path in sorted((directory / "rules").glob("*.md")):
            rest, moved = split(path)
            if not moved:
                continue
            beside = directory / "examples" / path.name
            beside.parent.mkdir(exist_ok=True)
            if beside.exists():
                sys.exit(f"{beside} is there already")
            beside.write_text(moved, "utf-8")
            path.write_text(rest, "utf-8")
            print(f"{path}: {len(moved.splitlines())} lines moved, {len(rest.splitlines())} left")


if __name__ == "__main__":
    main(sys.argv[1:])
