"""The pieces of a game: counters with faces, where they start, and many equal ones from one entry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, fields
from typing import Any

from rulesdsl.base.diagnostics import Diagnostic
from rulesdsl.base.lightclass import dataclass
from rulesdsl.base.limits import DEFAULT, Limits
from rulesdsl.base.source import Span
from rulesdsl.book.entries import Entry, Value, at, build_entry, same_id_problems, source_problems, spread
from rulesdsl.book.yaml.file import YamlDocument
from rulesdsl.book.yaml.nodes import Path
from rulesdsl.book.yaml.schema import schema_problems

PIECE_KEYS = frozenset({"faces", "start", "count"})
_COUNTER = "{n}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece(Entry):
    """`{id: s61a, name: 61st Army, side: soviet, faces: [{strength: 12}, {strength: 6}], start: barwalde}`

    `attributes` are those that all faces share; `faces[0]` is the side that is up at the start.
    """

    faces: tuple[Mapping[str, Value], ...] = ({},)
    start: str | None = None
    start_span: Span | None = field(default=None, compare=False, repr=False)

    def on_face(self, face: int) -> dict[str, Value]:
        """Everything printed on one face (counted from 0), with what is printed on all."""
        return {**self.attributes, **self.faces[face]}

    def is_guessed(self, attribute: str, face: int) -> bool:
        """Whether a value on a face is an estimate.

        A source such as "rulebook 8 (20; reduced side estimated)" knows the first face only.
        """
        return self.is_estimated(attribute) or (face > 0 and "estimated" in self.source_of(attribute))


def build_pieces(
    doc: YamlDocument, limits: Limits = DEFAULT
) -> tuple[dict[str, Piece] | None, list[Diagnostic]]:
    """The pieces of a file by id, in its order, and everything that is wrong with them."""
    problems = schema_problems(doc, "pieces")
    if problems:
        return None, problems
    pieces: list[Piece] = []
    for kind, listed in at(doc, ("pieces",)).items():
        for index in range(len(listed)):
            path: Path = ("pieces", kind, index)
            made, found = _expand(doc, path, kind, limits.pieces - len(pieces))
            pieces += made
            problems += found
    problems += same_id_problems(pieces, "pieces")
    return {piece.id: piece for piece in pieces}, problems


def _expand(doc: YamlDocument, path: Path, kind: str, room: int) -> tuple[list[Piece], list[Diagnostic]]:
    """One entry: one piece, or `count` of them with {n} replaced by 1, 2, 3 …"""
    written: dict[str, Any] = at(doc, path)
    count = written.get("count")
    copies = 1 if count is None else count
    if copies > room:
        message = "the game has more pieces than the most that is allowed"
        place = doc.span((*path, "count")) if count else doc.span((*path, "id"))
        return [], [Diagnostic("too-many-pieces", message, place)]
    problems = _count_problems(doc, path, written)
    if problems:
        return [], problems
    entry = build_entry(doc, path, kind, PIECE_KEYS)
    faces = tuple(spread(face) for face in written.get("faces", ({},)))
    problems += source_problems(entry, {name for face in faces for name in face} | PIECE_KEYS)
    problems += _face_problems(doc, path, entry, faces)
    numbers = [None] if count is None else list(range(1, copies + 1))
    return [_piece(doc, path, entry, faces, written.get("start"), number) for number in numbers], problems


def _piece(
    doc: YamlDocument,
    path: Path,
    entry: Entry,
    faces: tuple[Mapping[str, Value], ...],
    start: Any,
    number: int | None,
) -> Piece:
    inherited = {f.name: getattr(entry, f.name) for f in fields(Entry)}
    for name in ("id", "name", "label"):
        inherited[name] = inherited[name].replace(_COUNTER, "" if number is None else str(number))
    start_path: Path = (*path, "start")
    if isinstance(start, list):
        index = (number or 1) - 1
        start, start_path = start[index], (*start_path, index)
    return Piece(
        **inherited,
        faces=faces,
        start=None if start is None else str(start),
        start_span=None if start is None else doc.span(start_path),
    )


def _count_problems(doc: YamlDocument, path: Path, written: dict[str, Any]) -> list[Diagnostic]:
    count, start = written.get("count"), written.get("start")
    numbered = _COUNTER in str(written["id"])
    problems: list[Diagnostic] = []
    if numbered and count is None:
        message = 'an id with {n} needs "count"'
        problems.append(Diagnostic("piece-count", message, doc.span((*path, "id")), help="write count: 3"))
    if count is not None and not numbered:
        message = f'{count} pieces cannot all be called "{written["id"]}"'
        hint = 'put {n} into the id, such as "white{n}"'
        problems.append(Diagnostic("piece-count", message, doc.span((*path, "id")), help=hint))
    if isinstance(start, list) and len(start) != (count or 1):
        message = f"{len(start)} starting spaces for {count or 1} pieces"
        problems.append(Diagnostic("piece-count", message, doc.span((*path, "start"))))
    return problems


def _face_problems(
    doc: YamlDocument, path: Path, entry: Entry, faces: tuple[Mapping[str, Value], ...]
) -> list[Diagnostic]:
    problems: list[Diagnostic] = []
    for index, face in enumerate(faces):
        for name in face:
            if name in entry.attributes:
                message = f'"{name}" is printed on the piece and again on face {index + 1}'
                place = doc.span((*path, "faces", index, name), key=True)
                also = (("on the piece", entry.span_of(name)),)
                problems.append(Diagnostic("piece-face", message, place, also=also))
    return problems
