"""The chances of a game as a curve: in letters, and as SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape

from interpreter.measuring.post_mortem import Mistake, Point

BARS = "▁▂▃▄▅▆▇█"
COLOURS = ("#b3261e", "#1f5fa8", "#2e7d32", "#8e5a00", "#6a1b9a", "#00695c")
WIDE, HIGH, LEFT, TOP = 860, 320, 52, 20


def in_letters(points: Sequence[Point], player: str, width: int) -> str:
    """One sign for each stretch of the game, as high as the chance of a player at its end."""
    width = max(1, min(width, len(points)))
    ends = [points[(number + 1) * len(points) // width - 1] for number in range(width)]
    return "".join(BARS[min(7, int(8 * point.chances.get(player, 0.0)))] for point in ends)


def as_svg(points: Sequence[Point], mistakes: Sequence[Mistake], names: Mapping[str, str], title: str) -> str:
    """A line for each player over the decisions; a ring where a decision cost much."""
    last = max(1, points[-1].decision if points else 1)

    def x(decision: int) -> float:
        return LEFT + (WIDE - LEFT - 12) * decision / last

    def y(chance: float) -> float:
        return TOP + (HIGH - TOP - 40) * (1 - chance)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}" role="img" '
        f'font-family="sans-serif" font-size="12">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDE}" height="{HIGH}" fill="#fff"/>',
    ]
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        parts.append(
            f'<path d="M{LEFT} {y(share):.1f}H{WIDE - 12}" stroke="#ddd"/>'
            f'<text x="{LEFT - 6}" y="{y(share) + 4:.1f}" text-anchor="end">{100 * share:.0f} %</text>'
        )
    seen: set[int] = set()
    for point in points:
        if point.turn is not None and point.turn not in seen:
            seen.add(point.turn)
            parts.append(f'<text x="{x(point.decision):.1f}" y="{HIGH - 22}" fill="#666">{point.turn}</text>')
    for number, (player, name) in enumerate(names.items()):
        colour = COLOURS[number % len(COLOURS)]
        way = " ".join(f"{x(p.decision):.1f},{y(p.chances.get(player, 0.0)):.1f}" for p in points)
        parts.append(f'<polyline points="{way}" fill="none" stroke="{colour}" stroke-width="1.6"/>')
        parts.append(f'<text x="{LEFT + 130 * number}" y="{HIGH - 6}" fill="{colour}">{escape(name)}</text>')
    at = {point.decision: point.chances for point in points}
    order = list(names)
    for mistake in mistakes:
        if mistake.decision in at and mistake.player in names:
            colour = COLOURS[order.index(mistake.player) % len(COLOURS)]
            height = y(at[mistake.decision][mistake.player])
            said = f"{mistake.decision + 1}: {mistake.chosen}; better: {mistake.better}"
            parts.append(
                f'<circle cx="{x(mistake.decision):.1f}" cy="{height:.1f}" r="5" '
                f'fill="none" stroke="{colour}" stroke-width="2"><title>{escape(said)}</title></circle>'
            )
    return "\n".join([*parts, "</svg>", ""])
