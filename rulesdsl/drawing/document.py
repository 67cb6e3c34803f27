"""The SVG document around a drawing: size, title, paper and the few rules of style that all parts share."""

from __future__ import annotations

from collections.abc import Sequence

from rulesdsl.drawing.svg import FONT, escape, number, shaded, tag


def document(
    title: str,
    summary: str,
    parts: Sequence[str],
    width: float,
    height: float,
    *,
    paper: str,
    prefix: str = "",
    frame: bool = True,
) -> str:
    """A complete document. It refers to nothing outside itself, and no script is in it."""
    sheet = [
        tag("rect", x=0, y=0, width=width, height=height, fill=paper, class_="paper"),
        tag(
            "rect", x=7, y=7, width=width - 14, height=height - 14, fill="none", stroke=shaded(paper, -0.45),
            stroke_width=1.5,
        ),
        tag(
            "rect", x=12, y=12, width=width - 24, height=height - 24, fill="none", stroke=shaded(paper, -0.3),
            stroke_width=0.8,
        ),
    ]  # fmt: skip
    sheet = sheet if frame else sheet[:1]
    title_id, summary_id = f"{prefix}drawing-title", f"{prefix}drawing-summary"
    head = [tag("title", escape(title), id=title_id), tag("desc", escape(summary or title), id=summary_id)]
    body = "\n".join([*head, *sheet, *(part for part in parts if part)])
    return tag(
        "svg", "\n", body, "\n", xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(width)} {number(height)}", width=width, height=height, role="img",
        aria_labelledby=f"{title_id} {summary_id}", class_="rulesdsl-drawing", font_family=FONT,
    ) + "\n"  # fmt: skip
