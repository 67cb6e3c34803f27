"""A map of areas, listed space by space and grouped so that a person can follow it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from rulesdsl.cli.play.board import GUESS, Board, in_words
from rulesdsl.cli.play.tongue import t
from rulesdsl.program.world import Attribute, World

WIDEST_NAME = 22
MARK = "*"
# Printed attributes with these names say to which part of the map a space belongs, on which side a piece is.
PARTS_OF_A_MAP = ("front", "theatre", "sector", "region", "district", "area", "country")
SIDES = ("side", "faction", "nationality", "nation")


def list_spaces(board: Board, width: int) -> Iterator[RenderableType]:
    """A line for each space in which something stands, under the name of its part of the map; there, those in
    which nothing stands but of which something is known share a line."""
    pieces = board.pieces_by_space()
    part = _part_of_map(board.world)
    groups: dict[str, list[tuple[Text, list[Text]]]] = {}
    empty: dict[tuple[str, str], list[Text]] = {}
    for identity in board.world.universes["space"].ids:
        known = ", ".join(board.facts("space", identity))
        standing, backs = pieces.get(identity, []), board.backs_in(identity)
        name = str((board.value(part, identity) if part is not None else "") or "elsewhere")
        space = _space_name(board, identity)
        if standing or backs:
            words = _words(board, known, standing) + [Text(backs, style="dim")] * bool(backs)
            groups.setdefault(name, []).append((space, words))
        elif known:
            groups.setdefault(name, [])  # the order of the parts is that of the map
            empty.setdefault((name, known), []).append(space)
    for (name, known), spaces in empty.items():
        listed = [space.append(",") for space in spaces[:-1]] + spaces[-1:]
        groups[name].append((Text(t("empty"), style="dim"), [Text(f"[{known}]", style="dim"), *listed]))
    widest = min(WIDEST_NAME, max((n.cell_len for lines in groups.values() for n, _ in lines), default=0))
    for name, lines in groups.items():
        if part is not None:
            yield Text(_title(board, part, name), style="bold underline")
        table = Table.grid(padding=(0, 2, 0, 0))
        table.add_column(width=widest)
        table.add_column()
        for space, words in lines:
            table.add_row(space, _filled(words, width - widest - 2))
        yield table
    signs = "; ".join(_signs(board, pieces, groups))
    if signs:
        yield Text(signs, style="dim")


def _part_of_map(world: World) -> Attribute | None:
    for name in PARTS_OF_A_MAP:
        attribute = world.attributes.get(("space", name))
        if attribute is not None and attribute.printed and attribute.type.kind in ("enum", "thing", "text"):
            return attribute
    return None


def _title(board: Board, part: Attribute, name: str) -> str:
    """The name of a part of the map; one that is called after a player is written like him."""
    players = board.world.universes["player"]
    if name in players.index:
        name = players.names[players.index[name]]
    return t(name) if name == "elsewhere" else f"{in_words(part.name)} {in_words(name)}"


def _filled(words: Sequence[Text], width: int) -> Text:
    """Words side by side on as many lines as they need. A counter's label is one word, whatever is in it."""
    filled, used = Text(), 0
    for word in words:
        if used and used + 1 + word.cell_len > width:
            filled.append("\n")
            used = 0
        filled.append(" " if used else "").append_text(word)
        used += word.cell_len + bool(used)
    return filled


def _signs(
    board: Board, pieces: Mapping[str, list[str]], groups: Mapping[str, list[tuple[Text, list[Text]]]]
) -> Iterator[str]:
    """What the numbers and signs mean that were used."""
    shown = "".join(word.plain for lines in groups.values() for _, words in lines for word in words)
    numbers = {"-".join(board.numbers_on(piece)): None for standing in pieces.values() for piece in standing}
    if any(numbers):
        yield t("in brackets: {}", t(" or ").join(in_words(names) for names in numbers if names))
    if GUESS in shown:
        yield t("{} an estimate, the printed value is not known", GUESS)
    if MARK in shown:
        yield t("{} something is marked on it: look NAME", MARK)


def _space_name(board: Board, space: str) -> Text:
    spaces = board.world.universes["space"]
    return Text(spaces.names[spaces.index[space]], style=board.seat_style(board.owner("space", space)))


def _words(board: Board, known: str, pieces: Sequence[str]) -> list[Text]:
    """What is known of a space and who stands there, in words that are not to be parted."""
    words = [Text(f"[{known}]", style="dim")] if known else []
    sides = _by_side(board, pieces)
    for number, (side, members) in enumerate(sides.items(), 1):
        for place, piece in enumerate(members):
            word = Text(f"{in_words(side)}: " if side and not place else "", style="dim")
            word.append(_marked_label(board, piece), style=board.seat_style(board.owner("piece", piece)))
            last = number < len(sides) and place == len(members) - 1
            words.append(word.append(";" if last else ""))
    return words


def _by_side(board: Board, pieces: Sequence[str]) -> dict[str, list[str]]:
    attribute = next(
        (a for name in SIDES if (a := board.world.attributes.get(("piece", name))) is not None), None
    )
    players = board.world.universes["player"]
    groups: dict[str, list[str]] = {}
    for piece in pieces:
        side = board.value(attribute, piece) if attribute is not None else board.owner("piece", piece)
        if side in players.index:
            side = players.names[players.index[str(side)]]
        groups.setdefault(str(side or "").replace("_", " "), []).append(piece)
    return groups


def _marked_label(board: Board, piece: str) -> str:
    """The label, with a star for each flag that is raised on the piece (`tired`, `activated`)."""
    raised = sum(1 for value in board.state_of("piece", piece).values() if value is True)
    return board.piece_label(piece) + MARK * raised
