"""Long things a page at a time: what the others did while one waited."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.text import Text

from rulesdsl.cli.play.tongue import t

KEPT_FREE = 4  # lines of a screen that are left for the question
SKIP = ("s", "q", "skip")


def in_pages(
    lines: Sequence[Text], height: int, show: Callable[[Text], None], ask: Callable[[str], str | None]
) -> None:
    """Show lines; after each page wait for Enter. Who types s sees the last page only."""
    page = max(6, height - KEPT_FREE)
    first = 0
    while first < len(lines):
        for line in lines[first : first + page]:
            show(line)
        first += page
        left = len(lines) - first
        if left <= 0:
            return
        answer = ask(t("— {} more lines: Enter goes on, s skips to the end — ", left))
        if answer is None or answer.strip().casefold() in SKIP:
            first = max(first, len(lines) - page)
