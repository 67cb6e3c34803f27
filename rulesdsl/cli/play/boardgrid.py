"""A grid, drawn cell by cell with a letter for each player."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from rich.text import Text

from interpreter.playing.session import Session
from rulesdsl.book.entries import Entry
from rulesdsl.cli.play.board import Board, initial

EMPTY = "·"


def is_picture(session: Session, width: int) -> bool:
    """Whether the board is small enough to be drawn again before every decision."""
    return _grid_columns(session, width) is not None


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


def draw_grid(board: Board, width: int) -> list[Text] | None:
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
    backs = board.counters_by_space().get(space, [])
    owner = board.owner("piece", pieces[-1]) if pieces else board.owner("space", space)
    if backs and not pieces:
        owner = board.owner_of_back(backs[-1])
    count = len(pieces) + len(backs)
    if owner is None:
        return Text("?" if count else EMPTY, style="" if count else "dim")
    many = str(count) if count > 1 else ""
    sign = board.sign(pieces[-1]) if pieces and not many else ""
    return Text(initial(board, owner) + sign + many, style=board.seat_style(owner))
