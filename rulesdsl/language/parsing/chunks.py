"""A block of rules cut into the texts of its statements: each begins at the left margin."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulesdsl.language import syntax as sx

CONTINUES = re.compile(r"(and|or|when|where|that|until|despite)\b|[-+=/]")


def cut_chunks(fence: sx.Fence) -> Iterator[tuple[int, str]]:
    """The statements of a block: (line of the first line, text)."""
    start, lines, has_code = fence.first_line, list[str](), False
    for offset, line in enumerate(fence.text.split("\n")):
        starts = bool(line.strip()) and not line[0].isspace() and not line.startswith("#")
        if starts and has_code and not CONTINUES.match(line):
            yield start, "\n".join(lines)
            start, lines, has_code = fence.first_line + offset, [], False
        has_code = has_code or (bool(line.strip()) and not line.lstrip().startswith("#"))
        lines.append(line)
    if has_code:
        yield start, "\n".join(lines)
