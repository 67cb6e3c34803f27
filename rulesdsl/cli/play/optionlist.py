"""The options of a decision as a numbered list, with what helps to tell them apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from interpreter.playing.session import Option, Session
from rulesdsl.cli.play.board import Board
from rulesdsl.cli.play.tongue import t
from rulesdsl.program.types import Type

MOST_OPTIONS = 40  # more are shown only when the player narrows them down
FEWEST = 5  # are shown however small the screen is


def option_list(
    session: Session, listed: Sequence[Option], width: int, numbers: Mapping[str, int], rows: int = 0
) -> RenderableType:
    """Numbered options, in columns when they are short. Numbers stay the same when the list is narrowed.
    With `rows` no more than fit into so many: the question above them must not scroll away."""
    board = Board(session, session.view(session.player))
    ways_out = [option for option in listed if numbers[option.key] == 0]
    others = [option for option in listed if numbers[option.key] != 0]
    out = [_line(board, option, 0) for option in ways_out]
    lines = [_line(board, option, numbers[option.key]) for option in others[:MOST_OPTIONS]]
    if rows and _height(lines + out, width) > rows:
        while len(lines) > FEWEST and _height(lines, width) + len(out) + 1 > rows:
            lines.pop()
    rest = len(others) - len(lines)
    if rest <= 0:
        return Group(*_in_columns(lines + out, width))
    more = Text(f"      {t('… and {} more: type a part of a name', rest)}", style="dim")
    return Group(*_in_columns(lines, width), more, *out)


def _line(board: Board, option: Option, number: int) -> Text:
    line = Text(f"{number:>4}  ")
    line.append(t(option.text))
    detail = option_detail(board, option)
    line.append(f"  {detail}" if detail else "", style="dim")
    return line


def _height(lines: list[Text], width: int) -> int:
    """How many rows of the screen they take."""
    return sum(max(1, -(-row.cell_len // width)) for row in _in_columns(lines, width))


def option_detail(board: Board, option: Option) -> str:
    """What helps to tell options apart: where a piece stands, who stands in a space."""
    session = board.session
    pending = session.machine.pending
    if pending is None or option.index < 0:
        return ""
    parts = []
    occupants = board.pieces_by_space()
    for type_, value in _values(session, pending.options[option.index]):
        universe = board.world.universes.get(type_.name)
        if universe is None or not isinstance(value, int) or value < 0:
            continue
        identity = universe.ids[value]
        if type_.name == "piece" and identity in board.unknown:
            continue
        if type_.name == "piece":
            place = board.state_of("piece", identity).get("at")
            names = board.world.universes["space"]
            where = t(" in {}", names.names[names.index[place]]) if place is not None else ""
            parts.append(board.piece_label(identity, beside=option.text) + where)
        elif type_.name == "space" and (identity in occupants or board.backs_in(identity)):
            labels = [board.piece_label(piece) for piece in occupants.get(identity, ())]
            labels += filter(None, [board.backs_in(identity)])
            parts.append(", ".join(labels[:4]) + (" …" if len(labels) > 4 else ""))
    known = [part.strip() for part in parts if part.strip()]
    return f"({'; '.join(known)})" if known else ""


def _values(session: Session, value: Any) -> list[tuple[Type, Any]]:
    """The things an option is made of, with their types."""
    from interpreter.compiling.decision_points import Site, TravelSite

    site = session.site
    if isinstance(site, TravelSite):
        return [(Type("thing", "space"), value)]
    if isinstance(site, Site):
        values = value if isinstance(value, tuple) else (value,)
        return list(zip(site.types, values, strict=False))
    return []


def _in_columns(lines: list[Text], width: int) -> list[Text]:
    """Short lines side by side, read downwards."""
    widest = max((line.cell_len for line in lines), default=0) + 2
    count = max(1, min(width // max(widest, 1), 4))
    if count == 1 or len(lines) <= 4:
        return lines
    height = -(-len(lines) // count)
    rows = []
    for row in range(height):
        joined = Text()
        for column in range(count):
            place = column * height + row
            if place < len(lines):
                joined.append(" " * (column * widest - joined.cell_len))
                joined.append_text(lines[place])
        rows.append(joined)
    return rows
