"""Where things are: neighbours, passages, starting places and positions, by the numbers of things."""

from __future__ import annotations

from rulesdsl.base.diagnostics import did_you_mean
from rulesdsl.checking.world.world_draft import Draft


def adjacency(
    draft: Draft,
) -> tuple[tuple[tuple[tuple[int, int], ...], ...], tuple[tuple[int, int], ...]]:
    """For each space its neighbours, each with the border between; for each border its two spaces."""
    index = draft.universes["space"].index
    neighbours: list[list[tuple[int, int]]] = [[] for _ in index]
    ends: list[tuple[int, int]] = []
    for number, border in enumerate(draft.source.map.borders if draft.source.map else ()):
        a, b = index[border.between[0]], index[border.between[1]]
        neighbours[a].append((b, number))
        neighbours[b].append((a, number))
        ends.append((a, b))
    return tuple(tuple(sorted(n)) for n in neighbours), tuple(ends)


def passages(draft: Draft) -> frozenset[int]:
    """Borders with `adjacent: false`: a way between two spaces that does not make them neighbours."""
    borders = draft.source.map.borders if draft.source.map else ()
    return frozenset(i for i, b in enumerate(borders) if b.attributes.get("adjacent") is False)


def starting_spaces(draft: Draft) -> tuple[int, ...]:
    """For each piece the space it starts in; -1 for nowhere."""
    index = draft.universes["space"].index
    starts: list[int] = []
    for piece in draft.source.pieces.values():
        if piece.start is not None and piece.start not in index:
            draft.problem(
                "unknown-space", f'there is no space "{piece.start}"', piece.start_span or piece.span,
                help=did_you_mean(piece.start, index), about=(piece.start,),
            )  # fmt: skip
        starts.append(index.get(piece.start, -1) if piece.start is not None else -1)
    return tuple(starts)


def face_counts(draft: Draft) -> tuple[int, ...]:
    return tuple(len(p.faces) for p in draft.source.pieces.values())


def positions(draft: Draft) -> tuple[tuple[float, float] | None, ...]:
    """Where each space is drawn, if the map says so."""
    spaces = draft.source.map.spaces.values() if draft.source.map else ()
    return tuple((s.x, s.y) if s.x is not None and s.y is not None else None for s in spaces)


def grid_places(draft: Draft) -> tuple[tuple[int, int] | None, ...]:
    """The place of each space that stands on a grid, in half cells."""
    if draft.source.map is None:
        return ()
    places = draft.source.map.places
    return tuple(places.get(space) for space in draft.source.map.spaces)
