"""A map of areas, listed space by space and grouped so that a person can follow it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from rulesdsl.cli.play.board import GUESS, Board, fact
from rulesdsl.world import Attribute, World

WIDEST_NAME = 22
# Printed attributes with these names say to which part of the map a space belongs, on which side a piece is.
PARTS_OF_A_MAP = ("front", "theatre", "sector", "region", "district", "area", "country")
SIDES = ("side", "faction", "nationality", "nation")


def list_spaces(board: Board) -> Iterator[RenderableType]:
    """A line for each space in which there is something to see, under the name of its part of the map."""
    pieces = board.pieces_by_space()
    part = _part_of_map(board.world)
    groups: dict[str, list[tuple[Text, Text]]] = {}
    for identity in board.world.universes["space"].ids:
        line = _space_line(board, identity, pieces.get(identity, ()))
        if line is not None:
            name = board.value(part, identity) if part is not None else ""
            groups.setdefault(str(name or "elsewhere"), []).append(line)
    widest = max((name.cell_len for lines in groups.values() for name, _ in lines), default=0)
    for name, lines in groups.items():
        if part is not None:
            title = name if name == "elsewhere" else f"{part.name} {name}"
            yield Text(title.replace("_", " "), style="bold underline")
        table = Table.grid(padding=(0, 2, 0, 0))
        table.add_column(width=min(widest, WIDEST_NAME))
        table.add_column()
        for line in lines:
            table.add_row(*line)
        yield table
    if any(GUESS in line.plain for lines in groups.values() for _, line in lines):
        yield Text(f"{GUESS} an estimate: the printed value is not known", style="dim")


def _part_of_map(world: World) -> Attribute | None:
    for name in PARTS_OF_A_MAP:
        attribute = world.attributes.get(("space", name))
        if attribute is not None and attribute.printed and attribute.type.kind in ("enum", "thing", "text"):
            return attribute
    return None


def _space_line(board: Board, space: str, pieces: Sequence[str]) -> tuple[Text, Text] | None:
    spaces = board.world.universes["space"]
    state = board.state_of("space", space)
    if not pieces and not state:
        return None
    name = Text(spaces.names[spaces.index[space]], style=board.seat_style(board.owner("space", space)))
    line = Text()
    known = ", ".join(fact(attribute, value) for attribute, value in state.items())
    if known:
        line.append(f"[{known}] ", style="dim")
    for number, (side, members) in enumerate(_by_side(board, pieces).items()):
        line.append("; " if number else "")
        line.append(f"{side}: " if side else "", style="dim")
        for place, piece in enumerate(members):
            line.append(" " if place else "")
            line.append(_marked_label(board, piece), style=board.seat_style(board.owner("piece", piece)))
    return name, line


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
    return board.piece_label(piece) + "*" * raised
