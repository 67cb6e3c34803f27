"""The sequence of play as a diagram: drawn from the phases and what they carry out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from rulesdsl.drawing.svg import FONT, escape, tag, text_width, words, wrapped
from rulesdsl.handbook.book import Book
from rulesdsl.language import syntax as sx
from rulesdsl.language.conventions import MAIN
from rulesdsl.speaking.blocks import Block, Fold, Item, Items, Page, Picture, Text
from rulesdsl.speaking.english import in_words
from rulesdsl.speaking.inline import address, capital, plain, rule, said

_WIDTH = 720.0
_LINE = 30.0
_INDENT = 26.0
_DEEPEST = 6


@dataclass(frozen=True, slots=True)
class Stage:
    """A phase or procedure in the sequence: `how` tells under which condition or how often."""

    name: str
    title: str
    paragraph: str
    kind: str
    how: str
    inside: tuple[Stage, ...]
    again: bool = False  # drawn before, so what is inside is not drawn twice


def sequence_page(book: Book) -> Page:
    stages = stages_of(book)
    blocks: tuple[Block, ...] = (
        Text(
            book.chrome("From top to bottom: a box is a phase, a dot a step, ↻ marks what is repeated.")
            + " "
            + book.chrome("Everything leads to its paragraph."),
            "note",
        ),
        Picture(
            draw_sequence(book, stages, ""),
            "sequence",
            f"{book.chrome('Sequence of play')}{book.chrome(': ')}{book.source.game.title}",
        ),
        Fold(
            book.chrome("The same as a list"), (Items(tuple(_item(stage) for stage in stages), ordered=True),)
        ),
    )
    return Page("sequence", "Sequence of play", "Reference", blocks)


def _item(stage: Stage) -> Item:
    how = f" — {said(stage.how)}" if stage.how else ""
    return Item(
        f"{rule(stage.paragraph, capital(stage.title))}{how}", tuple(map(_item, stage.inside)), ordered=True
    )


# ---- what happens in which order ---------------------------------------------------------------------
def stages_of(book: Book) -> tuple[Stage, ...]:
    """The phase `game` and everything below it that is a phase, or leads to one, or asks somebody."""
    procedures = {
        node.name: (identity, node)
        for identity, node in book.rules_of(sx.Procedure)
        if isinstance(node, sx.Procedure)
    }
    return (_stage(book, procedures, MAIN, "", (), set()),) if MAIN in procedures else ()


def _stage(
    book: Book,
    procedures: dict[str, tuple[str, sx.Procedure]],
    name: str,
    how: str,
    above: tuple[str, ...],
    drawn: set[str],
) -> Stage:
    identity, node = procedures[name]
    again = name in drawn
    drawn.add(name)
    inside: list[Stage] = []
    if len(above) < _DEEPEST and not again:
        for called, terms, whose in _calls(book, node.body, ""):
            if called not in procedures or called in (*above, name):
                continue
            # Whatever a phase carries out is a step of it, also one without a die or a choice.
            if node.kind == "phase" or _matters(procedures, called, set()):
                made = _stage(book, procedures, called, terms, (*above, name), drawn)
                inside.append(replace(made, title=f"{made.title} ({whose})") if whose else made)
    title = node.title if node.title and "{" not in node.title else _title(book, identity, name)
    spelled = book.names.lexicon.spelled
    return Stage(name, title, identity, node.kind, spelled(how), _flat(title, inside), again)


def _title(book: Book, identity: str, name: str) -> str:
    """What players call a step: the title of its paragraph; the name of the procedure if that has none."""
    title = book.title_of(identity)
    alone = sum(isinstance(n, sx.Procedure) for n in book.program.paragraphs[identity].rules) == 1
    own = book.names.lexicon.spelled(in_words(name))
    if title and (alone or identity.count(".") > 1):
        return said(title)
    return own


def _flat(title: str, inside: list[Stage]) -> tuple[Stage, ...]:
    """Steps without repetition: one that is called as what it is in, gives its own steps instead."""
    found: dict[tuple[str, str, str], Stage] = {}
    for stage in inside:
        parts = stage.inside if stage.title == title and stage.kind != "phase" else (stage,)
        for part in parts:
            found.setdefault((part.title, part.paragraph, part.how), part)
    return tuple(found.values())


def _matters(procedures: dict[str, tuple[str, sx.Procedure]], name: str, seen: set[str]) -> bool:
    """Whether somebody decides something in it, or it holds a phase."""
    if name in seen or name not in procedures:
        return False
    seen.add(name)
    node = procedures[name][1]
    if node.kind == "phase":
        return True
    for part in sx.walk(node):
        if isinstance(part, (sx.Choose, sx.Menu, sx.Travel, sx.Roll, sx.Pool)):
            return True
        if isinstance(part, sx.Do) and _matters(procedures, part.name, seen):
            return True
    return False


def _calls(book: Book, block: sx.Block, how: str) -> Iterator[tuple[str, str, str]]:
    """The procedures a block carries out, in order, with how often or when, and whose they are."""
    for step in block:
        match step:
            case sx.Do(name=name, arguments=arguments):
                yield name, how, _whose(book, arguments)
            case sx.Repeat(times, condition, body):
                number = plain(book.speaker.say(times))
                often = f"up to {number} times" if number.isdigit() else f"at most as many times as {number}"
                yield from _calls(book, body, _join(how, f"↻ {often}"))
            case sx.ForEach(phrase, _, body):
                yield from _calls(book, body, _join(how, f"↻ for each {_short(' '.join(phrase.words))}"))
            case sx.If(branches, otherwise):
                for condition, body in branches:
                    yield from _calls(
                        book, body, _join(how, f"if {_short(plain(book.speaker.say(condition)))}")
                    )
                yield from _calls(book, otherwise or (), _join(how, "otherwise"))
            case (
                sx.Choose(body=chosen, otherwise=otherwise)
                | sx.Together(choice=sx.Choose(body=chosen, otherwise=otherwise))
            ):
                yield from _calls(book, chosen or (), how)
                yield from _calls(book, otherwise or (), how)
            case sx.Menu(items=items):
                for item in items:
                    yield from _calls(book, item.body, _join(how, f"“{said(item.label)}”"))
            case sx.With(body=body):
                yield from _calls(book, body, how)
            case _:
                pass


def _whose(book: Book, arguments: tuple[sx.Argument, ...]) -> str:
    """`Zhukov, Soviet`: what a step is given, when it is known beforehand."""
    names = book.names
    known = [
        names.things[a.value.id][0] if a.value.id in names.things else in_words(a.value.id)
        for a in arguments
        if isinstance(a.value, sx.Name) and (a.value.id in names.things or a.value.id in names.values)
    ]
    return names.lexicon.spelled(", ".join(known)) if len(known) == len(arguments) else ""


def _join(one: str, other: str) -> str:
    return other if not one else f"{one}, {other}"


def _short(text: str) -> str:
    words_ = text.replace("_", " ")
    return words_ if len(words_) <= 96 else words_[:93].rsplit(" ", 1)[0] + " …"


# ---- the drawing -------------------------------------------------------------------------------------
def draw_sequence(book: Book, stages: tuple[Stage, ...], prefix: str) -> str:
    """Boxes inside boxes, from top to bottom; procedures as lines with a dot."""
    parts: list[str] = []
    bottom = _draw(stages, 10.0, 10.0, _WIDTH - 20.0, 0, parts)
    title = f"{book.chrome('Sequence of play')}{book.chrome(': ')}{book.source.game.title}"
    return tag(
        "svg", tag("title", escape(title)), *parts, xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {_WIDTH:g} {bottom + 6:g}", role="img", class_="sequence", font_family=FONT,
    )  # fmt: skip


def _draw(stages: tuple[Stage, ...], x: float, y: float, width: float, depth: int, parts: list[str]) -> float:
    for stage in stages:
        title, terms = _lines(stage, width)
        if stage.kind != "phase" and not stage.inside:
            parts.append(tag("circle", cx=x + 8, cy=y + 11, r=3.2, class_="dot"))
            y = _write(stage, title, terms, x + 20, y + 16, parts, strong=False) + 8
            continue
        place = len(parts)
        bottom = _write(stage, title, terms, x + 14, y + 23, parts, strong=True) + 9
        if stage.inside:
            bottom = _draw(stage.inside, x + 14, bottom + 2, width - 28, depth + 1, parts)
        look = f"stage depth{min(depth, 5)}"
        box = tag("rect", x=x, y=y, width=width, height=bottom - y + 3, rx=6, class_=look)
        parts.insert(place, box)
        y = bottom + 11
    return y


def _lines(stage: Stage, width: float) -> tuple[list[str], list[str]]:
    """The title, and beside or below it how often and when."""
    how = ", ".join(part for part in ("as above" if stage.again else "", stage.how) if part)
    return wrapped(plain(capital(stage.title)), 15, width - 40), wrapped(plain(how), 13, width - 40)


def _write(
    stage: Stage, title: list[str], terms: list[str], x: float, y: float, parts: list[str], strong: bool
) -> float:
    """The words of a stage as a link; returns the last line. Short terms stand beside a short title."""
    weight = "bold" if strong else None
    made = [words(line, x, y + 19 * n, 15, font_weight=weight) for n, line in enumerate(title)]
    y += 19 * (len(title) - 1)
    after = x + text_width(title[-1], 15, bold=strong) + 12
    if len(terms) == 1 and len(title) == 1 and after + text_width(terms[0], 13) < _WIDTH - x - 24:
        made.append(words(terms[0], after, y, 13, class_="terms"))
    else:
        for line in terms:
            y += 17
            made.append(words(line, x, y, 13, class_="terms"))
    parts.append(tag("a", *made, href=address(f"rule:{stage.paragraph}")))
    return y
