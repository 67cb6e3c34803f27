"""The board of a game for a page: the ground once, then for every look where counters and marks lie."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from interpreter.playing.game import Game
from interpreter.playing.picture import prepared_for, seen_position
from rulesdsl.drawing.scene import FACE, Scene
from rulesdsl.drawing.views import PieceView

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from interpreter.playing.session import Session
    from rulesdsl.book.pieces import Piece


@lru_cache(maxsize=16)
def scene_of(game: Game, labels: bool) -> Scene | None:
    """The scene of a game; `labels`: with the names that are printed. None when it has no map."""
    if game.source.map is None:
        return None
    return Scene(game.source, prepared_for(game, labels))


def _scene(session: Session) -> Scene | None:
    shown, written = (
        p.world.universes["space"].names for p in (session.ruleset.program, session.game.program)
    )
    return scene_of(session.game, shown != written)


def ground(session: Session) -> dict[str, Any]:
    """What is printed: the map, the faces of all counters, the legend. The same for every seat."""
    scene, source = _scene(session), session.game.source
    world = session.ruleset.program.world
    names = {
        f"{universe}:{identity}": name
        for universe in ("space", "piece", "player", "token")
        for identity, name in zip(world.universes[universe].ids, world.universes[universe].names, strict=True)
    }
    goals = dict(session.ruleset.program.telling.goals)
    if scene is None:
        return {"goals": goals, "svg": "", "width": 0, "height": 0,
                "legend": "", "spaces": {}, "faces": {}, "face": FACE,
                "names": names, "shape": "square", "paper": ""}  # fmt: skip
    faces = {
        f"{piece.id}/{face}": scene.face(piece, face)
        for piece in source.pieces.values()
        for face in range(len(piece.faces))
    }
    return {
        "goals": goals, "svg": scene.ground, "width": scene.layout.width, "height": scene.layout.height,
        "legend": scene.legend, "spaces": scene.spaces(), "faces": faces, "face": FACE, "names": names,
        "shape": scene.style.counters.shape, "paper": scene.style.paper,
    }  # fmt: skip


def position(
    session: Session, seat: str | None, offered: Iterable[str] = (), view: dict[str, Any] | None = None
) -> dict[str, Any]:
    """Where everything lies that a seat may see. `offered` are pieces of its options: those that lie nowhere
    on the map are shown beside it, so that they can be clicked."""
    scene = _scene(session)
    if scene is None:
        return {"piles": [], "boxes": [], "marks": "", "backs": {}}
    seen = seen_position(session, seat, scene.style, view)
    universe = session.ruleset.program.world.universes["piece"]
    called = dict(zip(universe.ids, universe.names, strict=True))
    piles = [
        {"space": pile.space, "x": round(pile.x, 1), "y": round(pile.y, 1), "size": round(pile.size, 1),
         "pieces": [_piece(scene, seen.source.pieces, called, view) for view in pile.pieces]}
        for pile in scene.piles(seen.positions, seen.source.pieces)
    ]  # fmt: skip
    lying = {view.id for views in seen.positions.values() for view in views}
    names = session.ruleset.program.world.universes["space"]
    boxes = [
        {"space": space, "name": names.names[names.index[space]], "owner": _owner(session, space),
         "piles": [[_piece(scene, seen.source.pieces, called, view) for view in pile] for pile in found]}
        for space, found in scene.boxes(seen.positions, seen.source.pieces).items()
    ]  # fmt: skip
    nowhere = [piece for piece in dict.fromkeys(offered) if piece in session.game.source.pieces]
    aside = [PieceView(piece) for piece in nowhere if piece not in lying]
    if aside:
        boxes.append(
            {
                "space": "",
                "name": "",
                "owner": "",
                "piles": [[_piece(scene, seen.source.pieces, called, v)] for v in aside],
            }
        )
    shown = [view for views in (*seen.positions.values(), aside) for view in views]
    backs = {
        _face(view): scene.face(seen.source.pieces[view.id], view.face, view.sign)
        for view in shown
        if view.sign or view.id not in session.game.source.pieces
    }
    return {"piles": piles, "boxes": boxes, "marks": scene.marks(seen.marks), "backs": backs}


def _piece(
    scene: Scene, pieces: Mapping[str, Piece], names: Mapping[str, str], view: PieceView
) -> dict[str, Any]:  # fmt: skip
    found: dict[str, Any] = {
        "id": f"piece:{view.id}", "face": _face(view),
        "words": scene.words(pieces[view.id], view, names.get(view.id, "")),
    }  # fmt: skip
    if view.marks:
        found["marks"] = list(view.marks)
    if view.turned:
        found["turned"] = True
    return found


def _owner(session: Session, space: str) -> str:
    """Whose box it is: the first player that is printed on it."""
    printed = session.game.source.map.spaces[space].attributes if session.game.source.map else {}
    players = session.ruleset.program.world.universes["player"].index
    return next((value for value in printed.values() if isinstance(value, str) and value in players), "")


def _face(view: PieceView) -> str:
    """Under which name the side of a counter that lies up is drawn."""
    return f"{view.id}/{view.face}/{view.sign}" if view.sign else f"{view.id}/{view.face}"
