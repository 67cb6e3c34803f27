"""A position as a picture: the map with its pieces, drawn from what a seat may see."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from interpreter.playing.counters import back_words
from interpreter.playing.game import Game
from rulesdsl.base.diagnostics import UsageError, number_of
from rulesdsl.base.source import nowhere
from rulesdsl.book.loader import GameSource
from rulesdsl.book.pieces import Piece
from rulesdsl.drawing import (
    MapOptions,
    PieceView,
    Prepared,
    SpaceMark,
    draw_map,
    piece_view,
    prepare,
    space_marks,
)
from rulesdsl.drawing.counters.stacks import strongest_first
from rulesdsl.drawing.style.style import DrawingStyle
from rulesdsl.program.world import World

if TYPE_CHECKING:
    from interpreter.playing.session import Session


@dataclass(frozen=True, slots=True)
class SeenPosition:
    """Where everything lies as far as a seat may see; counters it does not know are backs in the source."""

    source: GameSource
    positions: dict[str, list[PieceView]]
    marks: dict[str, list[SpaceMark]]
    view: dict[str, Any]


def seen_position(
    session: Session, seat: str | None, style: DrawingStyle | None = None,
    view: dict[str, Any] | None = None,
) -> SeenPosition:  # fmt: skip
    """The position as `seat` sees it (None: what everybody may see), the top of each stack first. `view`: if
    somebody has asked for the view of this seat just now."""
    source, style = session.game.source, style or prepared_for(session.game).style
    view = session.view(seat) if view is None else view
    things: dict[str, dict[str, Any]] = view["things"]
    positions: dict[str, list[PieceView]] = {}
    for identity in session.ruleset.program.world.universes["piece"].ids:
        state = things.get(f"piece:{identity}", {})
        place = state.get("at")
        if place is not None:
            face = state.get("face", 0)
            known = {**source.pieces[identity].on_face(face), **state}
            piece = piece_view(style.counters, identity, face, known)
            positions.setdefault(place, []).append(piece)
    source = _with_backs(source, session.ruleset.program.world, view.get("counters", {}), positions)
    if stack := session.ruleset.program.world.stack:
        heights = {piece.id: 0 for there in positions.values() for piece in there}
        heights |= {key.removeprefix("piece:"): state.get(stack, 0) for key, state in things.items()}
        heights |= _heights_of_backs(view.get("counters", {}))
        for there in positions.values():  # the first to be drawn lies on top
            there.sort(key=lambda piece: -heights[piece.id])
    else:
        for space, there in positions.items():
            positions[space] = strongest_first(there, source.pieces, style.counters)
    spaces = {key.removeprefix("space:"): state for key, state in things.items() if key.startswith("space:")}
    return SeenPosition(source, positions, space_marks(source, style, spaces), view)


def map_svg(session: Session, seat: str | None) -> str:
    """The position as `seat` sees it (None: what everybody may see), as SVG."""
    shown, written = (
        p.world.universes["space"].names for p in (session.ruleset.program, session.game.program)
    )
    ready = prepared_for(session.game, labels=shown != written)
    seen = seen_position(session, seat, ready.style)
    turn = seen.view["tracks"].get("turn")
    subtitle = f"turn {turn}" if turn is not None else f"after {number_of(len(session.history), 'decision')}"
    options = MapOptions(subtitle=subtitle + _scores(session, seat), marks=seen.marks)
    return draw_map(seen.source, seen.positions, options=options, prepared=ready)


def _scores(session: Session, seat: str | None) -> str:
    """What the rulebook calls the score of each player, as far as a seat may know it."""
    quantity = session.ruleset.program.quantities.get("score")
    if quantity is None or [p.type.name for p in quantity.params] != ["player"]:
        return ""
    names = session.ruleset.seats
    try:
        told = [
            f"{name} {session.value('score', player, seat=seat)}"
            for player, name in zip(names.ids, names.names, strict=True)
        ]
    except UsageError:  # made of something this seat may not know
        return ""
    return f"; {', '.join(told)}"


def _with_backs(
    source: GameSource, world: World, counters: dict[str, list[dict[str, Any]]],
    positions: dict[str, list[PieceView]],
) -> GameSource:  # fmt: skip
    """Counters that the seat does not know, as pieces that show their backs and nothing else."""
    pieces = dict(source.pieces)
    for space, there in counters.items():
        for counter in there:
            identity = _back(counter, space)
            said = back_words(world, counter["class"], counter["shows"])
            pieces[identity] = Piece(
                id=identity, name=said, kind=counter["class"], label="?", attributes=counter["shows"],
                span=nowhere(),
            )  # fmt: skip
            positions.setdefault(space, []).append(PieceView(identity))
    return replace(source, pieces=pieces) if counters else source


def _back(counter: Mapping[str, Any], space: str) -> str:
    """What a counter that is not known is called, as options call it."""
    return f"counter_{counter['number']}_in_{space}"


def _heights_of_backs(counters: Mapping[str, Any]) -> dict[str, int]:
    """Where in their stacks counters lie that are not known: that is how they are numbered."""
    return {
        _back(counter, space): int(counter["number"])
        for space, there in counters.items()
        for counter in there
    }


def prepared_for(game: Game, labels: bool = False) -> Prepared:
    """The map of a game laid out; `labels`: with names as they are printed, as a reading may want."""
    plain = _prepared(game)
    return replace(plain, style=replace(plain.style, names="label")) if labels else plain


@lru_cache(maxsize=8)
def _prepared(game: Game) -> Prepared:
    return prepare(game.source)
