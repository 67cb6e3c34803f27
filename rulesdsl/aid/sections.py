"""What stands on the aid: sequence of play, tables with modifiers, terrain, limits, dice, retreats, victory.

No number is written here or in a rulebook for the aid: each is read from the rule that is played, so that it
changes with the rule. What a house rule changed has a mark.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rulesdsl.aid.dice import dice_lines
from rulesdsl.aid.victory import victory_lines
from rulesdsl.handbook.analysis.chart import Effect, Uses, brief_change, number_of, terrain_chart
from rulesdsl.handbook.book import Book
from rulesdsl.handbook.pages.sequence import Stage, stages_of
from rulesdsl.handbook.pages.tables import table_grids
from rulesdsl.language import syntax as sx
from rulesdsl.language.conventions import SCORE
from rulesdsl.speaking.blocks import Block, Cell, Grid, Item, Items, Row
from rulesdsl.speaking.english import in_words, listed
from rulesdsl.speaking.inline import capital, em, plain, rule, said, strong

CHANGED = "▸"
_DEEPEST = 4
_NO_LIMIT = 99
_SHORT = 6  # letters: what is longer is set apart from what it is called
_LONG = 70  # letters: a longer condition needs the rulebook, not the aid


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the aid; `wide` ones go across the page."""

    title: str
    blocks: tuple[Block, ...]
    wide: bool = False


@dataclass(frozen=True, slots=True)
class Aid:
    title: str
    notes: tuple[str, ...]
    sections: tuple[Section, ...]
    language: str = "en"


def aid_of(book: Book, chosen: tuple[tuple[str, str], ...] = ()) -> Aid:
    """The aid of a game with its house rules; `chosen` are readings and options that were agreed on."""
    words = book.chrome
    notes = []
    if book.source.house:
        titles = listed([said(house.title) for house in book.source.house])
        notes.append(f"{words('With house rules')}: {titles}. {CHANGED} {words('marks what they change')}.")
    if chosen:
        agreed = "; ".join(f"{in_words(name)}: {in_words(value)}" for name, value in chosen)
        notes.append(f"{words('Agreed')}: {agreed}.")
    made = (
        Section(words("Sequence of play"), tuple(_sequence(book))),
        *_tables(book),
        Section(words("Terrain"), tuple(_terrain(book)), wide=True),
        Section(words("Values and limits"), tuple(_values(book))),
        Section(words("Dice"), tuple(dice_lines(book))),
        Section(words("Order of preference"), tuple(_preferences(book))),
        Section(words("Must not be forgotten"), tuple(_duties(book))),
        Section(words("Victory"), tuple(victory_lines(book))),
        Section(words("Tokens"), tuple(_tokens(book))),
    )
    sections = tuple(section for section in made if section.blocks)
    return Aid(said(book.source.game.title), tuple(notes), sections, book.language)


def mark(book: Book, identity: str) -> str:
    """A mark before what a house rule changed."""
    return f"{CHANGED} " if book.relations.amended_by.get(identity) else ""


# ---- sequence ----------------------------------------------------------------------------------------
def _sequence(book: Book) -> Iterator[Block]:
    stages = stages_of(book)
    while len(stages) == 1 and len(stages[0].inside) == 1:
        stages = stages[0].inside
    inside = stages[0].inside if len(stages) == 1 else stages
    if inside:
        yield Items(tuple(_step(book, stage, 1) for stage in inside), ordered=True, kind="sequence")


def _step(book: Book, stage: Stage, depth: int) -> Item:
    # How often is worth knowing; under which conditions, the paragraph tells.
    often = next((part for part in stage.how.split(", ") if part.startswith("↻")), "")
    how = f" {em(said(book.own(often)))}" if len(often) <= _LONG else ""
    called, bracket, whose = stage.title.partition(" (")  # an impulse, and whose it is
    title = capital(book.own(called)) + (f" ({_whose(book, whose)}" if bracket else "")
    name = strong(title) if stage.kind == "phase" else title
    text = f"{mark(book, stage.paragraph)}{name} {_number(book, stage.paragraph)}{how}".rstrip()
    inside = tuple(_step(book, s, depth + 1) for s in stage.inside) if depth < _DEEPEST else ()
    return Item(text, inside, ordered=len(inside) > 1)


def _whose(book: Book, words: str) -> str:
    """`Zhukov, Soviet)`"""
    return ", ".join(book.own(part) for part in words.removesuffix(")").split(", ")) + ")"


def _number(book: Book, identity: str) -> str:
    return rule(identity) if any(c.isdigit() for c in identity) else ""


# ---- tables ------------------------------------------------------------------------------------------
def _tables(book: Book) -> Iterator[Section]:
    uses = Uses(book)
    shown: set[str] = set()
    for table in book.program.tables.values():
        blocks: list[Block] = list(table_grids(book, table))
        for name in sorted(uses.of_tables.get(table.id, frozenset())):
            if name in book.program.quantities and name not in shown and (lines := _lines(book, name)):
                shown.add(name)
                head = f"{strong(capital(book.own(in_words(name.rpartition('.')[2]))))}:"
                blocks.append(Items((Item(head, tuple(lines)),), kind="modifiers"))
        yield Section(capital(book.own(in_words(table.title))), tuple(blocks))


def _lines(book: Book, name: str) -> list[Item]:
    """Every change of a quantity: `+1 whole army`."""
    found = []
    for identity, node in book.rules_of(sx.Quantity, sx.Modify):
        assert isinstance(node, (sx.Quantity, sx.Modify))
        if name == (f"{node.record}.{node.name}" if node.record else node.name):
            found += [Item(f"{mark(book, identity)}{contribution(book, c)}") for c in node.contributions]
    return found


def contribution(book: Book, c: sx.Contribution) -> str:
    """A change with what the rulebook calls it; without a name, when it holds."""
    amount = brief_change(book, c)
    if c.label:
        label = book.own(said(c.label))
        return f"{strong(book.own(amount))} {label if len(amount) <= _SHORT else f'({label})'}"
    terms = book.speaker.condition(c.condition)
    return f"{strong(book.own(amount))}{terms}"


# ---- terrain -----------------------------------------------------------------------------------------
def _terrain(book: Book) -> Iterator[Block]:
    chart = terrain_chart(book)
    if not chart.features:
        return
    words = book.chrome
    rows = tuple(
        Row((
            Cell(capital(book.own(in_words(feature))), "head"),
            *(Cell("; ".join(_effect(e) for e in chart.cells.get((feature, column), ())) or "—")
              for column in chart.columns),
        ))
        for feature, _ in chart.features
    )  # fmt: skip
    yield Grid(
        (words("Terrain"), *(capital(book.own(words(c))) for c in chart.columns)), rows, kind="entries chart"
    )


def _effect(effect: Effect) -> str:
    return f"{CHANGED if effect.changed else ''}{effect.text}"


# ---- values ------------------------------------------------------------------------------------------
def _values(book: Book) -> Iterator[Block]:
    """Quantities that no table is read with: what something costs, how many may stand where."""
    tables = frozenset().union(*Uses(book).of_tables.values()) if book.program.tables else frozenset()
    items = []
    for identity, node in book.rules_of(sx.Quantity):
        assert isinstance(node, sx.Quantity)
        name = f"{node.record}.{node.name}" if node.record else node.name
        if name in tables or name == SCORE:
            continue
        base, lines = number_of(book, node.base), _lines(book, name)
        if not lines and not isinstance(base, sx.Number):
            continue
        shown = _base(book, base)
        parts = [plain(line.text) for line in lines]
        text = (
            f"{mark(book, identity)}{strong(capital(book.own(in_words(node.name))))} "
            f"{_number(book, identity)}: {shown}"
        )
        items.append(Item("; ".join((text, *parts)).replace(": ; ", ": ")))
    for identity, node in book.rules_of(sx.Parameter):
        assert isinstance(node, sx.Parameter)
        amount = book.speaker.say(node.value)
        name = strong(capital(book.own(in_words(node.name))))
        items.append(Item(f"{mark(book, identity)}{name} {_number(book, identity)}: {amount}"))
    if items:
        yield Items(tuple(items), kind="values")


def _base(book: Book, base: sx.Expr) -> str:
    """The number a value begins with; what is printed on a counter goes without saying."""
    if isinstance(base, sx.Number):
        return book.chrome("no limit") if base.value >= _NO_LIMIT else plain(book.speaker.say(base))
    return "" if isinstance(base, (sx.Attr, sx.Call)) else book.own(plain(book.speaker.say(base)))


# ---- preferences, duties, tokens ---------------------------------------------------------------------
def _preferences(book: Book) -> Iterator[Block]:
    for identity, node in book.rules_of(sx.Route):
        assert isinstance(node, sx.Route)
        if node.preferences:
            told = (
                book.own(said(p.label)) if p.label else plain(book.speaker.say(p.condition))
                for p in node.preferences
            )
            rungs = tuple(Item(capital(text)) for text in dict.fromkeys(told))
            called = strong(capital(book.own(in_words(node.name))))
            head = f"{mark(book, identity)}{called} {_number(book, identity)}"
            yield Items((Item(head, rungs, ordered=True),), kind="preferences")


def _duties(book: Book) -> Iterator[Block]:
    """What somebody must do before he may go on, and what happens by itself."""
    items = []
    wanted: dict[tuple[str, str], list[str]] = {}
    for identity, node in book.rules_of(sx.Must):
        assert isinstance(node, sx.Must)
        rungs = [book.own(said(rung.label)) for rung in node.rungs if rung.label]
        wanted.setdefault((identity, book.own(said(node.label or ""))), []).extend(rungs)
    for (identity, label), found in wanted.items():
        told = ": ".join(filter(None, (label, "; ".join(found))))
        if told:
            items.append(f"{mark(book, identity)}{capital(told)} {_number(book, identity)}")
    for identity, trigger in book.rules_of(sx.Trigger):
        assert isinstance(trigger, sx.Trigger)
        title = book.title_of(identity)
        if title:
            items.append(f"{mark(book, identity)}{said(title)} {_number(book, identity)}")
    if items:
        yield Items(tuple(Item(text.strip()) for text in dict.fromkeys(items)), kind="duties")


def _tokens(book: Book) -> Iterator[Block]:
    """Each token with the moment it is played in."""
    items = []
    for identity, node in book.rules_of(sx.Token):
        assert isinstance(node, sx.Token)
        moments = dict.fromkeys(book.own(in_words(play.window)) for play in node.plays)
        text = (
            f"{mark(book, identity)}{strong(capital(book.own(said(node.title))))} {_number(book, identity)}"
        )
        items.append(Item(f"{text}: {listed(list(moments), book.chrome('or'))}" if moments else text))
    if items:
        yield Items(tuple(items), kind="tokens")
