"""The map and its spaces, the counters: drawn, and as entries that links can lead to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from rulesdsl.base.cache import remembered_for
from rulesdsl.base.diagnostics import RulebookError
from rulesdsl.base.limits import DEFAULT
from rulesdsl.base.source import SourceFile
from rulesdsl.base.textfile import read_source
from rulesdsl.book.entries import Entry, Value, is_estimate
from rulesdsl.book.loader import GameSource
from rulesdsl.book.pieces import Piece
from rulesdsl.drawing import MapOptions, Prepared, counter_sheet, draw_map, prepare, set_up
from rulesdsl.drawing.style.style_file import STYLE_FILE
from rulesdsl.handbook.book import Book
from rulesdsl.speaking.blocks import Block, Cell, Grid, Heading, Page, Picture, Row, Text
from rulesdsl.speaking.english import in_words, listed
from rulesdsl.speaking.inline import address, capital, em, link, said

MAP_KIND = "drawn-map"  # under which name it is remembered
_MOST_COLUMNS = 9  # values of a counter side by side: paper has no room for more


def map_pages(book: Book) -> list[Page]:
    pages: list[Page] = []
    game_map = book.source.map
    if game_map is not None:
        drawn = remembered_for(MAP_KIND, drawn_from(book.source), lambda: linked_map(book))
        picture = Picture(drawn, "map", book.chrome("Map of {}", book.source.game.title), "map")
        told = book.chrome(
            "Spaces and counters lead to their entries: neighbours, terrain, who is set up there; values."
        )
        pages.append(Page("map", "Map", "Components", (Text(told, "note"), picture)))
        pages.append(Page("spaces", "Spaces", "Components", tuple(_spaces(book))))
    if book.source.pieces:
        sheet = Picture(
            counter_sheet(book.source, prefix="sheet-"), "counters", book.chrome("Counter sheet"), "counters"
        )
        pages.append(Page("counters", "Counters", "Components", (sheet, *_counters(book))))
    return pages


def linked_map(book: Book) -> str:
    """The map with a link behind every space and every counter."""
    source = book.source
    links = {space: address(f"space:{space}") for space in source.map.spaces} if source.map else {}
    pieces = {piece: address(f"piece:{piece}") for piece in source.pieces}
    options = MapOptions(prefix="map-", links=links, piece_links=pieces)
    return draw_map(source, options=options, prepared=laid_out(book))


def laid_out(book: Book) -> Prepared:
    """The places of the spaces, found once for the map and all cut-outs of it."""
    found: Prepared | None = book.__dict__.get("laid_out_map")
    if found is None:
        found = book.__dict__["laid_out_map"] = prepare(book.source)
    return found


def drawn_from(source: GameSource) -> list[SourceFile]:
    """Everything a drawing depends on: it takes a second, so it is remembered like what was parsed."""
    style = source.directory / STYLE_FILE
    try:
        return [*source.files, read_source(style, DEFAULT.yaml_file_bytes)]
    except RulebookError:  # there is none, or it is told by who draws with it
        return [*source.files]


# ---- spaces ------------------------------------------------------------------------------------------
def _spaces(book: Book) -> Iterator[Block]:
    game_map = book.source.map
    assert game_map is not None
    placed = {space: [view.id for view in views] for space, views in set_up(book.source).items()}
    for kind, spaces in game_map.classes.items():
        yield Heading(capital(in_words(kind)), 2)
        rows = [_space(book, game_map.spaces[identity], placed.get(identity, [])) for identity in spaces]
        heads = (capital(in_words(kind)), *map(book.chrome, ("Printed", "Neighbours", "Set up here")))
        yield Grid(heads, tuple(rows), kind="entries")


def _space(book: Book, space: Entry, placed: list[str]) -> Row:
    game_map = book.source.map
    assert game_map is not None
    neighbours = []
    for other in game_map.neighbours(space.id):
        border = game_map.border(space.id, other)
        features = [shown_pair(n, v) for n, v in border.attributes.items() if not absent(v)] if border else []
        beside = f" ({', '.join(features)})" if features else ""
        neighbours.append(link(f"space:{other}", said(game_map.spaces[other].name)) + beside)
    units = [link(f"piece:{piece}", said(book.source.pieces[piece].name)) for piece in placed]
    changed = bool(book.changes("space", space.id))
    return Row(
        (
            Cell(said(space.name) + (f" ({said(space.id)})" if space.id.isdigit() else ""), "head"),
            Cell(printed(book, space, game_map.directions)), Cell(listed(neighbours)), Cell(listed(units)),
        ),
        target=f"space:{space.id}", kind="changed" if changed else "",
    )  # fmt: skip


def printed(book: Book, entry: Entry, without: tuple[str, ...] = ()) -> str:
    """The printed values of a thing; estimates are marked."""
    shown = []
    for name, value in entry.attributes.items():
        if absent(value) or name in without:
            continue
        text = shown_pair(name, value)
        shown.append(f"{em(text)} (est.)" if entry.is_estimated(name) else text)
    return ", ".join(shown)


def absent(value: Value) -> bool:
    """Nothing is printed: a flag that is off, a value that is none. (A zero is printed.)"""
    return value is False or value is None


def shown_pair(name: str, value: Value) -> str:
    """`terrain woods`, `river`, `index 4`"""
    return in_words(name) if value is True else f"{in_words(name)} {shown_value(value)}"


def shown_value(value: Value) -> str:
    if isinstance(value, tuple):
        return "/".join(map(shown_value, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (int, Fraction)):
        return str(value)
    return "none" if value is None else in_words(str(value))


# ---- counters ----------------------------------------------------------------------------------------
def _counters(book: Book) -> Iterator[Block]:
    places = {view.id: space for space, views in set_up(book.source).items() for view in views}
    by_kind: dict[str, list[Piece]] = {}
    for piece in book.source.pieces.values():
        by_kind.setdefault(piece.kind, []).append(piece)
    for kind, pieces in by_kind.items():
        columns, besides = _columns(pieces)
        heads = [capital(in_words(kind)), *(capital(in_words(name)) for name in columns)]
        heads += map(book.chrome, ("Besides", "Begins in") if besides else ("Begins in",))
        rows = tuple(_counter(book, piece, columns, besides, places.get(piece.id)) for piece in pieces)
        yield Heading(capital(in_words(kind)), 2)
        yield Grid(tuple(heads), rows, kind="entries")


def _columns(pieces: Sequence[Piece]) -> tuple[list[str], list[str]]:
    """Values that have a column of their own, and those that fewer counters have and no room is left for."""
    values = [{**piece.attributes, **piece.faces[0]} for piece in pieces]
    names = list(dict.fromkeys(name for one in values for name in one))
    printed_on = {name: sum(not absent(one.get(name)) for one in values) for name in names}
    first = sorted(names, key=lambda name: -printed_on[name])[:_MOST_COLUMNS]
    return [name for name in names if name in first], [name for name in names if name not in first]


def _counter(book: Book, piece: Piece, columns: list[str], besides: list[str], place: str | None) -> Row:
    game_map = book.source.map
    cells = [Cell(said(piece.name), "head")]
    changed = {change.part.partition("[")[0] for change in book.changes("piece", piece.id)}
    for name in columns:
        guess = is_estimate(piece.source_of(name))
        kinds = [k for k, on in (("estimated", guess), ("changed", name in changed)) if on]
        cells.append(Cell(_value(piece, name), " ".join(kinds), title=said(piece.source_of(name))))
    if besides:
        there = [name for name in besides if not absent(_on_faces(piece, name)[0])]
        pairs = [
            in_words(name) if _on_faces(piece, name) == [True] else f"{in_words(name)} {_value(piece, name)}"
            for name in there
        ]
        cells.append(Cell(", ".join(pairs) or "—", "changed" if changed & {*there} else ""))
    where = link(f"space:{place}", said(game_map.spaces[place].name)) if place and game_map else "—"
    return Row((*cells, Cell(where)), target=f"piece:{piece.id}")


def _on_faces(piece: Piece, name: str) -> list[Value]:
    if name in piece.attributes:
        return [piece.attributes[name]]
    return [face.get(name) for face in piece.faces]


def _value(piece: Piece, name: str) -> str:
    """What is printed, face by face where the faces differ; an estimate says so."""
    values = _on_faces(piece, name)
    text = " / ".join(dict.fromkeys(shown_value(v) for v in values if v is not None))
    guess = " (est.)" if is_estimate(piece.source_of(name)) else ""
    return ("—" if values == [False] else text) + guess
