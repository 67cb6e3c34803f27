"""Rich's console for words that may be anybody's."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from rulesdsl.cli.terminal import shown


class PlainConsole(Console):
    """Writes out the control characters of everything it is given; its own colours come after that."""

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:  # fmt: skip
        for segment in super().render(renderable, options):
            if segment.control or (plain := shown(segment.text)) == segment.text:
                yield segment
            else:
                yield Segment(plain, segment.style)
