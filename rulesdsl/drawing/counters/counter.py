"""Counters: colour, symbol, label and numbers, on either face."""

from __future__ import annotations

from rulesdsl.book.entries import Value
from rulesdsl.book.pieces import Piece
from rulesdsl.drawing.counters.symbols import BOXED, unit_symbol
from rulesdsl.drawing.style.style import CounterStyle, shown_value
from rulesdsl.drawing.svg import doubted, escape, shaded, tag, text_width, words
from rulesdsl.drawing.views import PieceView, sign_of

_PLAIN_INK = "#201a12"
_SMALLEST = 0.62  # the share of its size to which a label may shrink before it is shortened


def counter_colour(piece: Piece, style: CounterStyle) -> str:
    return style.colour.pick(piece.on_face(0), style.otherwise) if style.colour else style.otherwise


def counter_ink(piece: Piece, style: CounterStyle) -> str:
    return style.ink.pick(piece.on_face(0), _PLAIN_INK) if style.ink else _PLAIN_INK


def counter(
    piece: Piece, view: PieceView, style: CounterStyle, x: float, y: float, size: float, titled: bool = True
) -> str:
    """A counter with its upper left corner at x, y."""
    face = piece.on_face(view.face)
    colour, ink = counter_colour(piece, style), counter_ink(piece, style)
    parts = [tag("title", escape(described(piece, view, style)))] if titled else []
    parts += _body(colour, size, style.shape, view.face > 0)
    symbol = style.symbol.pick(face, "none") if style.symbol else "none"
    if sign := view.sign or sign_of(style, face):
        parts.append(_text(sign, size / 2, size * 0.74, size * 0.7, ink))
    else:
        parts += _inscription(piece, face, view.face, style, colour, ink, size, symbol)
    if view.turned:
        parts.append(_cover(size, style.shape, "#000000", 0.3))
    for index, mark in enumerate(view.marks[:3]):
        parts.append(chip(mark, size, index))
    drawn = tag(
        "g", *parts, transform=f"translate({x:.1f} {y:.1f})",
        class_=f"counter face-{view.face}" + (" turned" if view.turned else ""),
    )  # fmt: skip
    return tag("a", drawn, href=view.link) if view.link else drawn


def described(piece: Piece, view: PieceView, style: CounterStyle) -> str:
    """The counter in words, for a pointer that rests on it and for those who cannot see it."""
    face = piece.on_face(view.face)
    parts = [piece.name]
    if style.symbol and (kind := shown_value(face.get(style.symbol.attribute))):
        guess = " (estimated)" if piece.is_estimated(style.symbol.attribute) else ""
        parts.append(style.legends.get(kind, kind) + guess)
    for name in style.numbers:
        if name in face:
            guess = " (estimated)" if piece.is_guessed(name, view.face) else ""
            parts.append(f"{name.replace('_', ' ')} {shown_value(face[name])}{guess}")
    if len(piece.faces) > 1:
        parts.append(f"face {view.face + 1} of {len(piece.faces)}")
    return ", ".join([*parts, *view.marks])


def _body(colour: str, size: float, shape: str, reduced: bool) -> list[str]:
    edge, light = shaded(colour, -0.45), shaded(colour, 0.45)
    if shape == "round":
        middle = size / 2
        return [
            tag("circle", cx=middle + 1.5, cy=middle + 2, r=middle - 1, fill="#000000", opacity=0.3),
            tag("circle", cx=middle, cy=middle, r=middle - 1, fill=colour, stroke=edge, stroke_width=1.2),
            tag(
                "circle",
                cx=middle,
                cy=middle,
                r=middle - 4,
                fill="none",
                stroke=light,
                stroke_width=0.9,
                opacity=0.7,
            ),
        ]
    parts = [
        tag("rect", x=1.6, y=2, width=size, height=size, rx=3, fill="#000000", opacity=0.32),
        tag("rect", x=0, y=0, width=size, height=size, rx=3, fill=colour, stroke=edge, stroke_width=1),
    ]
    if reduced:
        band = shaded(colour, 0.5)
        parts.append(
            tag("rect", x=0.5, y=size * 0.3, width=size - 1, height=size * 0.3, fill=band, class_="stripe")
        )
    bevel = f"M1.2 {size - 2:g}V3.2Q1.2 1.2 3.2 1.2H{size - 2:g}"
    parts.append(tag("path", d=bevel, fill="none", stroke=light, stroke_width=1.1, opacity=0.8))
    return parts


def _inscription(
    piece: Piece,
    face: dict[str, Value],
    index: int,
    style: CounterStyle,
    colour: str,
    ink: str,
    size: float,
    symbol: str,
) -> list[str]:
    numbers = [(name, face[name]) for name in style.numbers if name in face]
    boxed = symbol in BOXED and symbol != "none"
    parts: list[str] = []
    if symbol != "none":
        width = size * (0.5 if boxed else 0.56)
        top = size * (0.29 if numbers or boxed else 0.31)
        ground = shaded(colour, 0.22) if ink == _PLAIN_INK or not _is_light(ink) else shaded(colour, -0.22)
        letters = piece.label
        parts.append(unit_symbol(symbol, (size - width) / 2, top, width, ink, ground, escape(letters)))
    if style.label and symbol != "letter":
        middle = symbol == "none"
        font = size * (0.3 if middle and not numbers else 0.2)
        label = _short(piece.label, font, size - 5)
        font *= min(1.0, (size - 5) / max(1.0, text_width(label, font, bold=True)))
        baseline = size * ((0.6 if not numbers else 0.45) if middle else 0.225)
        parts.append(_text(label, size / 2, baseline, font, ink))
    if numbers:
        parts.append(_numbers(piece, index, numbers, size, ink))
    return parts


def _numbers(piece: Piece, face: int, numbers: list[tuple[str, Value]], size: float, ink: str) -> str:
    """Numbers along the lower edge: the first at the left, the last at the right."""
    shown = [(shown_value(value), piece.is_guessed(name, face)) for name, value in numbers]
    font = size * 0.3
    width = sum(text_width(text, font, bold=True) + (font * 0.42 if guess else 0) for text, guess in shown)
    font *= min(1.0, (size - 4 - 4 * (len(shown) - 1)) / width)
    anchors = {1: ("middle",), 2: ("start", "end"), 3: ("start", "middle", "end")}[len(shown)]
    places = {"start": 3.0, "middle": size / 2, "end": size - 3.0}
    drawn: list[str] = []
    for (text, guess), anchor in zip(shown, anchors, strict=True):
        parts = doubted(escape(text), font) if guess else [escape(text)]
        drawn.append(
            tag("text", *parts, x=places[anchor], y=size * 0.915, font_size=f"{font:.1f}", font_weight="bold",
                text_anchor=anchor, fill=ink, font_style="italic" if guess else None,
                class_="estimate" if guess else None)
        )  # fmt: skip
    return "".join(drawn)


def _short(label: str, font: float, room: float) -> str:
    """A label that would become too small to read by its initials: `German Infantry 7` → GI 7."""
    words = label.split()
    if len(words) < 2 or room / max(1.0, text_width(label, font, bold=True)) > _SMALLEST:
        return label
    initials = "".join(word[0] for word in words if not word[0].isdigit())
    numbers = " ".join(word for word in words if word[0].isdigit())
    return f"{initials} {numbers}".strip()


def _text(text: str, x: float, y: float, size: float, ink: str) -> str:
    return words(text, x, y, round(size, 1), fill=ink, font_weight="bold", text_anchor="middle")


def _cover(size: float, shape: str, colour: str, opacity: float) -> str:
    if shape == "round":
        return tag("circle", cx=size / 2, cy=size / 2, r=size / 2 - 1, fill=colour, opacity=opacity)
    return tag("rect", x=0, y=0, width=size, height=size, rx=3, fill=colour, opacity=opacity)


def chip(mark: str, size: float, index: int) -> str:
    """A small disc with the first letter of a mark, beside the symbol: name and numbers stay readable."""
    reach = size * 0.13
    x, y = ((reach, size * 0.44), (size - reach, size * 0.44), (reach, reach))[index]
    disc = tag("circle", cx=x, cy=y, r=reach, fill="#ffd84a", stroke="#5a4300", stroke_width=0.9)
    return tag(
        "g",
        tag("title", escape(mark)),
        disc,
        _text(mark[:1].upper(), x, y + reach / 2, reach * 1.4, "#3a2a00"),
        class_="mark",
    )


def _is_light(colour: str) -> bool:
    return sum(int(colour[i : i + 2], 16) for i in (1, 3, 5)) > 3 * 150
