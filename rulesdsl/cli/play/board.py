"""The board as text. A grid is drawn cell by cell; a map of areas is listed, grouped so that a person can
follow it. Everything is made from `Session.view`, so nothing is shown that the seat may not know."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from interpreter.session import Session
from rulesdsl.entries import Entry
from rulesdsl.world import Attribute, World

SEAT_STYLES = ("bold red", "bold cyan", "bold yellow", "bold green", "bold magenta", "bold blue")
EMPTY = "·"
WIDEST_NAME = 22
# Printed attributes with these names say to which part of the map a space belongs, on which side a piece is.
PARTS_OF_A_MAP = ("front", "theatre", "sector", "region", "district", "area", "country")
SIDES = ("side", "nationality", "nation", "faction")


@dataclass(frozen=True)
class Board:
    """What stands where, as one seat sees it."""

    session: Session
    view: Mapping[str, Any]

    @property
    def world(self) -> World:
        return self.session.ruleset.program.world

    def state_of(self, universe: str, identity: str) -> dict[str, Any]:
        found: dict[str, Any] = self.view["things"].get(f"{universe}:{identity}", {})
        return found

    def pieces_by_space(self) -> dict[str, list[str]]:
        """Space → its pieces, in the order of the files."""
        found: dict[str, list[str]] = {}
        for identity in self.world.universes["piece"].ids:
            place = self.state_of("piece", identity).get("at")
            if place is not None:
                found.setdefault(place, []).append(identity)
        return found

    def seat_style(self, player: str | None) -> str:
        players = self.world.universes["player"].ids
        return SEAT_STYLES[players.index(player) % len(SEAT_STYLES)] if player in players else ""

    def owner(self, universe: str, identity: str) -> str | None:
        """The player a thing belongs to: its first attribute that is a player."""
        for attribute in self.world.attributes.values():
            if (
                attribute.universe == universe
                and attribute.type.kind == "thing"
                and attribute.type.name == "player"
            ):
                found = self.value(attribute, identity)
                if found is not None:
                    return str(found)
        return None

    def value(self, attribute: Attribute, identity: str) -> Any:
        """An attribute in words; None when it has none or may not be seen."""
        if not attribute.printed:
            return self.state_of(attribute.universe, identity).get(attribute.name)
        universe = self.world.universes[attribute.universe]
        if attribute.owners and universe.classes[universe.index[identity]] not in attribute.owners:
            return None
        printed = attribute.values[universe.index[identity]]
        if isinstance(printed, tuple):
            face = self.state_of("piece", identity).get("face", 0)
            printed = printed[face] if isinstance(face, int) and face < len(printed) else printed[0]
        if attribute.type.kind in ("thing", "enum") and isinstance(printed, int):
            return None if printed < 0 else self.world.key(attribute.type, printed)
        return printed

    def piece_label(self, identity: str, unless_in: str = "") -> str:
        """Short, as on the counter: the label, and the first number that changes with the face.

        Without the label when a text that is shown beside it says it already.
        """
        entry = self.session.game.source.pieces[identity]
        label = entry.label or entry.name
        said = label in unless_in
        for attribute in self.world.attributes.values():
            if attribute.universe == "piece" and attribute.per_face and attribute.type.kind == "number":
                number = self.value(attribute, identity)
                return f"{attribute.name} {number}" if said else f"{label}({number})"
        return "" if said else label


def draw_board(board: Board, width: int) -> RenderableType:
    """A picture when the map is a grid that fits, otherwise a list."""
    grid = _draw_grid(board, width)
    return Text("\n").join(grid) if grid is not None else Group(*_list_spaces(board))


def is_picture(session: Session, width: int) -> bool:
    """Whether the board is small enough to be drawn again before every decision."""
    return _grid_columns(session, width) is not None


# ---- grids -----------------------------------------------------------------------------------------------
def _grid_columns(session: Session, width: int) -> tuple[float, int] | None:
    """The width of half a cell on the map and the characters it gets; None when it is no grid or too wide."""
    game_map = session.game.source.map
    if game_map is None or game_map.kind not in ("squares", "hexes"):
        return None
    places = sorted({round(e.x, 3) for e in game_map.spaces.values() if e.x is not None})
    if not places:
        return None
    step = min((b - a for a, b in pairwise(places)), default=1.0)
    count = round((places[-1] - places[0]) / step) + 1
    for characters in (4, 3, 2):
        if count * characters + 6 <= width:
            return step, characters
    return None


def _draw_grid(board: Board, width: int) -> list[Text] | None:
    game_map = board.session.game.source.map
    scale = _grid_columns(board.session, width)
    if scale is None or game_map is None:
        return None
    step, characters = scale
    cells = [e for e in game_map.spaces.values() if e.x is not None and e.y is not None]
    west = min(e.x for e in cells if e.x is not None)
    rows: dict[float, list[Entry]] = {}
    for cell in cells:
        assert cell.y is not None
        rows.setdefault(round(cell.y, 3), []).append(cell)
    pieces = board.pieces_by_space()
    lines: list[Text] = []
    for y in sorted(rows, reverse=True):
        line = Text(f"{_row_name(rows[y]):>4} ")
        for cell in sorted(rows[y], key=lambda e: e.x or 0):
            column = 5 + round(((cell.x or 0) - west) / step) * characters
            line.append(" " * (column - len(line)))
            line.append_text(_cell(board, cell.id, pieces.get(cell.id, ())))
        lines.append(line)
    if game_map.kind == "squares":
        bottom = sorted(rows[min(rows)], key=lambda e: e.x or 0)
        foot = Text(" " * 5, style="dim")
        for cell in bottom:
            foot.append(_column_name(cell).ljust(characters))
        lines.append(foot)
    return lines


def _row_name(cells: Sequence[Entry]) -> str:
    rows = {str(cell.attributes.get("row", "")) for cell in cells}
    return rows.pop() if len(rows) == 1 else ""


def _column_name(cell: Entry) -> str:
    """`c` of c3: what the ids of a column have in common."""
    row = str(cell.attributes.get("row", ""))
    return cell.id.removesuffix(row) if cell.id.endswith(row) else str(cell.attributes.get("column", ""))


def _cell(board: Board, space: str, pieces: Sequence[str]) -> Text:
    owner = board.owner("piece", pieces[-1]) if pieces else board.owner("space", space)
    if owner is None:
        return Text("?" if pieces else EMPTY, style="" if pieces else "dim")
    many = str(len(pieces)) if len(pieces) > 1 else ""
    return Text(initial(board, owner) + many, style=board.seat_style(owner))


def initial(board: Board, player: str) -> str:
    """The letter that stands for a player: the first of his name, or a number when two share it."""
    players = board.world.universes["player"]
    letters = [name[0].upper() for name in players.names]
    index = players.index[player]
    return letters[index] if letters.count(letters[index]) == 1 else str(index + 1)


# ---- lists ---------------------------------------------------------------------------------------------
def _list_spaces(board: Board) -> Iterator[RenderableType]:
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
        groups.setdefault(str(side or ""), []).append(piece)
    return groups


def _marked_label(board: Board, piece: str) -> str:
    """The label, with a star for each flag that is raised on the piece (`tired`, `activated`)."""
    raised = sum(1 for value in board.state_of("piece", piece).values() if value is True)
    return board.piece_label(piece) + "*" * raised


def fact(name: str, value: Any) -> str:
    """`control red`, `american`"""
    plain = name.replace("_", " ")
    if value is True:
        return plain
    return f"{plain} {', '.join(value) if isinstance(value, list) else value}"
