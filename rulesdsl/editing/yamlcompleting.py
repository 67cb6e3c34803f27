"""What can be written in a data file: attributes of this class, their values, ids with names, rows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from rulesdsl.checking.context import Context
from rulesdsl.editing.desk import Desk
from rulesdsl.editing.housecompleting import attributes, values
from rulesdsl.editing.proposals import Proposal, narrowed
from rulesdsl.program.types import Type, thing

_PIECE_KEYS = ("id", "name", "label", "faces", "start", "count", "sources", "aliases")
_SPACE_KEYS = ("id", "name", "label", "x", "y", "sources", "aliases")
_SET_KEYS = ("of", "attribute", "value")


def yaml_proposals(desk: Desk, ctx: Context, path: Path, line: int, column: int) -> list[Proposal]:
    """By the key before the cursor, and by what the file is for."""
    lines = desk.text(path).split("\n")
    here = lines[line - 1][: column - 1] if line <= len(lines) else ""
    typed = re.search(r"\w*$", here)
    word = typed[0] if typed else ""
    folder = path.parent.name if path.parent != desk.directory else ""
    above = _keys_above(lines, line)
    key = re.search(r"(\w+):\s*\[?(?:[\w\"]+,\s*)*\"?\w*$", here)
    if folder == "scenarios":
        found = _scenario(ctx, here, key[1] if key else "", above)
    elif folder == "tables":
        found = _table(ctx, desk, path, above, key[1] if key else "")
    elif path.name in ("pieces.yaml", "map.yaml"):
        found = _entry(ctx, path.name, here, key[1] if key else "", above)
    else:
        found = _drawing(ctx, key[1] if key else "")
    return narrowed(found, word)


def _keys_above(lines: list[str], line: int) -> list[str]:
    """The keys under which a line stands, outermost first."""
    keys: list[str] = []
    depth = (
        len(lines[line - 1]) - len(lines[line - 1].lstrip())
        if line <= len(lines) and lines[line - 1].strip()
        else 99
    )
    for row in reversed(lines[: line - 1]):
        indent = len(row) - len(row.lstrip())
        found = re.match(r"\s*(?:- )?\"?([\w./]+)\"?:", row)
        if found and indent < depth and not row.lstrip().startswith("#"):
            keys.insert(0, found[1])
            depth = indent
        if depth == 0:
            break
    return keys


def _entry(ctx: Context, file: str, here: str, key: str, above: list[str]) -> Iterator[Proposal]:
    universe = "piece" if file == "pieces.yaml" else "border" if "borders" in above else "space"
    attribute = ctx.world.attributes.get((universe, key))
    if attribute is not None:
        yield from values(ctx, attribute.type)
    elif key in ("start", "between"):
        yield from values(ctx, thing("space"))
    elif not key or here.rstrip().endswith(("{", ",")):
        present = {*re.findall(r"(\w+):", here)}
        plain = _PIECE_KEYS if universe == "piece" else _SPACE_KEYS
        yield from (Proposal(name, "keyword", rank=2) for name in plain if name not in present)
        cls = next((name for name in reversed(above) if name in ctx.world.nouns), "")
        for one in attributes(ctx, universe):
            known = ctx.world.attributes[universe, one.word]
            if one.word not in present and known.belongs_to(cls):
                yield one


def _scenario(ctx: Context, here: str, key: str, above: list[str]) -> Iterator[Proposal]:
    if key in ctx.settings and ("options" in above or "options" in here):
        yield from values(ctx, ctx.settings[key].type)
    elif "options" in above or re.search(r"options:\s*\{[^}]*$", here):
        yield from (Proposal(n, "setting", s.reason, rank=0) for n, s in ctx.settings.items())
    elif key == "of":
        yield Proposal("game", "keyword")
        for universe in ("piece", "space", "player"):
            yield from values(ctx, thing(universe))
    elif key == "attribute":
        of = re.search(r"of:\s*\"?(\w+)", here)
        universe = _universe(ctx, of[1]) if of else ""
        yield from attributes(ctx, universe, of[1] if of and universe else "")
        yield from (Proposal(name, "track") for name in ctx.world.tracks)
    elif key == "value":
        of, name = re.search(r"of:\s*\"?(\w+)", here), re.search(r"attribute:\s*(\w+)", here)
        if of and name:
            known = ctx.world.attributes.get((_universe(ctx, of[1]), name[1]))
            track = ctx.world.tracks.get(name[1])
            type_: Type | None = known.type if known else track.type if track else None
            yield from values(ctx, type_) if type_ is not None else ()
    elif "[" in here or "off_map" in above:
        yield from values(ctx, thing("piece"))
    elif "setup" in above:
        yield from values(ctx, thing("space"))
    elif "set" in above:
        yield from (Proposal(name, "keyword") for name in _SET_KEYS)


def _table(ctx: Context, desk: Desk, path: Path, above: list[str], key: str) -> Iterator[Proposal]:
    if key == "of":
        yield from (Proposal(name, "enum", ", ".join(e.values)) for name, e in ctx.world.enums.items())
        return
    table = next((t for t in ctx.tables.values() if t.span.file.path == path), None)
    if table is None or "cells" not in above:
        return
    for one in table.keys:
        words = ctx.world.values_of(one.of) if one.kind == "name" else None
        present = {label.text for labels in table.label_sets(one.axis) for label in labels}
        yield from (
            Proposal(w, "value", f"missing {one.name}", rank=0) for w in words or () if w not in present
        )
    if table.result.of in ctx.world.enums:
        yield from values(ctx, Type("enum", table.result.of))


def _drawing(ctx: Context, key: str) -> Iterator[Proposal]:
    if key in ("attribute", "marks", "numbers", "turned", "name"):
        for universe in ("space", "border", "piece"):
            yield from attributes(ctx, universe)
    elif key == "hidden":
        yield from (Proposal(noun, "noun") for noun in ctx.world.nouns if noun not in ctx.world.plurals)


def _universe(ctx: Context, identity: str) -> str:
    return next((u for u, all_of in ctx.world.universes.items() if identity in all_of.index), "")
