"""Plain pictures of numbers: bars in the terminal, the same bars as SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

WIDTH = 78
FULL = "█"


def bars(counts: Mapping[str, int], notes: Mapping[str, str] | None = None, width: int = WIDTH) -> list[str]:
    """One line for each name: the name, a bar, the count, a note."""
    if not counts:
        return []
    names = max(map(len, counts))
    notes = notes or {}
    behind = max(len(f" {count} {notes.get(name, '')}") for name, count in counts.items())
    room = max(4, width - names - 2 - behind)
    most = max(counts.values()) or 1
    lines = []
    for name, count in counts.items():
        length = max(1, round(room * count / most)) if count else 0
        lines.append(f"{name:<{names}}  {FULL * length} {count} {notes.get(name, '')}".rstrip())
    return lines


def ranges(values: Sequence[int], most_bins: int = 12) -> dict[str, int]:
    """Values counted in ranges of equal, round width, empty ranges included."""
    if not values:
        return {}
    low, high = min(values), max(values)
    width = _round_width((high - low + 1) / most_bins)
    start = low - low % width
    counts: dict[str, int] = {}
    while start <= high:
        between = "-" if low >= 0 else " to "
        name = str(start) if width == 1 else f"{start}{between}{start + width - 1}"
        counts[name] = sum(start <= value < start + width for value in values)
        start += width
    return counts


def bars_svg(parts: Sequence[tuple[str, Mapping[str, int]]]) -> str:
    """The same bars one below the other, as a picture that any browser shows."""
    line, label, room = 18, 160, 420
    rows: list[str] = []
    y = 8
    for title, counts in parts:
        y += line + 4
        rows.append(f'<text x="8" y="{y}" font-weight="bold">{escape(title)}</text>')
        most = max(counts.values(), default=0) or 1
        for name, count in counts.items():
            y += line
            length = round(room * count / most, 1)
            rows.append(f'<text x="{label - 8}" y="{y}" text-anchor="end">{escape(name)}</text>')
            rows.append(f'<rect x="{label}" y="{y - 12}" width="{length}" height="14" fill="#4477aa"/>')
            rows.append(f'<text x="{label + length + 6}" y="{y}">{count}</text>')
    size = f'width="{label + room + 80}" height="{y + 16}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="13">'
    return "\n".join([head, '<rect width="100%" height="100%" fill="white"/>', *rows, "</svg>"]) + "\n"


def _round_width(least: float) -> int:
    width = 1
    while True:
        for factor in (1, 2, 5):
            if width * factor >= least:
                return width * factor
        width *= 10
