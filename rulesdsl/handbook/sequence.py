"""The sequence of play as a diagram: drawn from the phases and what they carry out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rulesdsl import syntax as sx
from rulesdsl.drawing.svg import FONT, escape, tag, words, wrapped
from rulesdsl.handbook.blocks import Block, Item, Items, Page, Picture, Text
from rulesdsl.handbook.book import Book
from rulesdsl.handbook.inline import address, capital, plain, rule, said
from rulesdsl.handbook.names import in_words

_WIDTH = 720.0
_LINE = 30.0
_INDENT = 26.0
_DEEPEST = 6


@dataclass(frozen=True, slots=True)
class Stage:
    """A phase or procedure in the sequence: `how` tells under which condition or how often."""

    name: str
    title: str
    rule: str
    kind: str
    how: str
    inside: tuple[Stage, ...]


def sequence_page(book: Book) -> Page:
    stages = stages_of(book)
    blocks: tuple[Block, ...] = (
        Text(
            "Drawn from the phases of the rules; a dot is a procedure with a decision or a die.",
            "note",
        ),
        Picture(draw_sequence(book, stages, ""), "sequence", f"Sequence of play of {book.source.game.title}"),
        Items(tuple(_item(stage) for stage in stages), ordered=True),
    )
    return Page("sequence", "Sequence of play", "Reference", blocks)


def _item(stage: Stage) -> Item:
    how = f" — {said(stage.how)}" if stage.how else ""
    return Item(
        f"{rule(stage.rule, capital(stage.title))}{how}", tuple(map(_item, stage.inside)), ordered=True
    )


# ---- what happens in which order ---------------------------------------------------------------------
def stages_of(book: Book) -> tuple[Stage, ...]:
    """The phase `game` and everything below it that is a phase, or leads to one, or asks somebody."""
    procedures = {
        node.name: (identity, node)
        for identity, node in book.rules_of(sx.Procedure)
        if isinstance(node, sx.Procedure)
    }
    return (_stage(book, procedures, "game", "", ()),) if "game" in procedures else ()


def _stage(
    book: Book, procedures: dict[str, tuple[str, sx.Procedure]], name: str, how: str, above: tuple[str, ...]
) -> Stage:
    identity, node = procedures[name]
    inside: list[Stage] = []
    if len(above) < _DEEPEST:
        for called, terms in _calls(book, node.body, ""):
            if called in procedures and called not in (*above, name) and _matters(procedures, called, set()):
                inside.append(_stage(book, procedures, called, terms, (*above, name)))
    return Stage(name, node.title or in_words(name), identity, node.kind, how, tuple(dict.fromkeys(inside)))


def _matters(procedures: dict[str, tuple[str, sx.Procedure]], name: str, seen: set[str]) -> bool:
    """Whether somebody decides something in it, or it holds a phase."""
    if name in seen or name not in procedures:
        return False
    seen.add(name)
    node = procedures[name][1]
    if node.kind == "phase":
        return True
    for part in sx.walk(node):
        if isinstance(part, (sx.Choose, sx.Menu, sx.Travel, sx.Roll)):
            return True
        if isinstance(part, sx.Do) and _matters(procedures, part.name, seen):
            return True
    return False


def _calls(book: Book, block: sx.Block, how: str) -> Iterator[tuple[str, str]]:
    """The procedures a block carries out, in order, with how often or when."""
    for step in block:
        match step:
            case sx.Do(name=name):
                yield name, how
            case sx.Repeat(times, condition, body):
                often = f"up to {plain(book.speaker.say(times))} times"
                yield from _calls(book, body, _join(how, often))
            case sx.ForEach(phrase, _, body):
                yield from _calls(book, body, _join(how, f"for each {_short(' '.join(phrase.words))}"))
            case sx.If(branches, otherwise):
                for condition, body in branches:
                    yield from _calls(
                        book, body, _join(how, f"if {_short(plain(book.speaker.say(condition)))}")
                    )
                yield from _calls(book, otherwise or (), _join(how, "otherwise"))
            case sx.Choose(body=chosen, otherwise=otherwise):
                yield from _calls(book, chosen or (), how)
                yield from _calls(book, otherwise or (), how)
            case sx.Menu(items=items):
                for item in items:
                    yield from _calls(book, item.body, _join(how, f"“{said(item.label)}”"))
            case sx.With(body=body):
                yield from _calls(book, body, how)
            case _:
                pass


def _join(one: str, other: str) -> str:
    return other if not one else f"{one}, {other}"


def _short(text: str) -> str:
    words_ = text.replace("_", " ")
    return words_ if len(words_) <= 48 else words_[:45].rsplit(" ", 1)[0] + " …"


# ---- the drawing -------------------------------------------------------------------------------------
def draw_sequence(book: Book, stages: tuple[Stage, ...], prefix: str) -> str:
    """Boxes inside boxes, from top to bottom; procedures as lines with a dot."""
    parts: list[str] = []
    bottom = _draw(stages, 10.0, 10.0, _WIDTH - 20.0, 0, parts)
    title = f"Sequence of play of {book.source.game.title}"
    return tag(
        "svg", tag("title", escape(title)), *parts, xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {_WIDTH:g} {bottom + 6:g}", role="img", class_="sequence", font_family=FONT,
    )  # fmt: skip


def _draw(stages: tuple[Stage, ...], x: float, y: float, width: float, depth: int, parts: list[str]) -> float:
    for stage in stages:
        lines = _lines(stage, width)
        if stage.kind != "phase" and not stage.inside:
            parts.append(tag("circle", cx=x + 8, cy=y + 11, r=3.2, class_="dot"))
            for line in lines:
                parts.append(_words(stage, line, x + 20, y + 16))
                y += 20
            y += 4
            continue
        place = len(parts)
        inner = y + 12 + 20 * len(lines)
        for number, line in enumerate(lines):
            parts.append(_words(stage, line, x + 12, y + 22 + 20 * number, strong=not number))
        bottom = _draw(stage.inside, x + 14, inner + 4, width - 28, depth + 1, parts)
        parts.insert(
            place,
            tag(
                "rect",
                x=x,
                y=y,
                width=width,
                height=bottom - y + 6,
                rx=7,
                class_=f"stage depth{min(depth, 5)}",
            ),
        )
        y = bottom + 14
    return y


def _lines(stage: Stage, width: float) -> list[str]:
    how = f" — {stage.how}" if stage.how else ""
    return wrapped(capital(stage.title) + how, 15, width - 40)


def _words(stage: Stage, text: str, x: float, y: float, strong: bool = False) -> str:
    look = words(plain(text), x, y, 15, font_weight="bold" if strong else None)
    return tag("a", look, href=address(f"rule:{stage.rule}"))
