"""`set lebus.terrain = woods`, `set g606.strength[2] = 2`, `set border lebus/goritz.river = false`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from rulesdsl.base.diagnostics import did_you_mean
from rulesdsl.base.source import Span
from rulesdsl.book.entries import Entry, Value
from rulesdsl.book.map.borders import Border
from rulesdsl.book.pieces import Piece
from rulesdsl.book.scenario import Scenario
from rulesdsl.house.draft import Draft
from rulesdsl.house.edits import Edit, Key, Resolving, constants, place, shown
from rulesdsl.language import syntax as sx
from rulesdsl.language.conventions import member_of
from rulesdsl.language.syntax import amendments as ax

START = "start"
Thing = TypeVar("Thing", Entry, Piece, Border)


def set_value(it: Resolving, node: ax.SetValue) -> Edit | None:
    """A value printed on a piece or in a space."""
    if node.key:  # `yields[wool]` is a value of its own, as in the data files
        node = replace(node, attribute=member_of(node.attribute, node.key), key="")
    spaces = it.source.map.spaces if it.source.map else {}
    noun, name = _noun_and_name(node.thing)
    found: list[tuple[str, Entry]] = [
        (kind, entry)
        for kind, entries in (("piece", it.source.pieces), ("space", spaces))
        for entry in entries.values()
        if (name == entry.id or name in entry.aliases) and noun in ("", entry.kind)
    ]
    if len(found) != 1:
        known = [*it.source.pieces, *spaces]
        both = f'"{node.thing}" is both a piece and a space'
        message = both if found else f'nothing is called "{node.thing}"'
        hint = _id_of(node.thing, (*it.source.pieces.values(), *spaces.values()))
        it.problem("unknown-name", message, node.span, hint or did_you_mean(node.thing, known))
        return None
    kind, entry = found[0]
    if isinstance(entry, Piece):
        if node.attribute == START and node.face is None:
            return _set_start(it, node, entry)
        return _set_on_piece(it, node, entry)
    attribute = _declared(it, "space", entry.kind, node.attribute, node.span)
    if attribute is None or not _no_face(it, node.face, node.attribute, node.span):
        return None
    value, where, source = _value(attribute, node), place(node.values), it.provenance
    key: Key = ("value", kind, entry.id, node.attribute)

    def apply(draft: Draft) -> None:
        draft.spaces[entry.id] = _with_value(draft.spaces[entry.id], node.attribute, value, where, source)

    before = entry.attributes.get(node.attribute)
    return _edit(it, node, kind, entry.id, node.attribute, before, value, frozenset({key}), apply)


def set_border(it: Resolving, node: ax.SetBorder) -> Edit | None:
    """A value printed on the border between two spaces."""
    spaces = it.source.map.spaces if it.source.map else {}
    here, there = _space_named(spaces, node.here), _space_named(spaces, node.there)
    border = it.source.map.border(here, there) if it.source.map else None
    if border is None:
        unknown = [name for name in (here, there) if name not in spaces]
        for name in unknown:
            hint = _id_of(name, spaces.values()) or did_you_mean(name, spaces)
            it.problem("unknown-name", f'there is no space "{name}"', node.span, hint)
        if not unknown:
            message = f'"{node.here}" and "{node.there}" have no common border'
            borders = it.source.map.borders if it.source.map else ()
            beside = [next(end for end in b.between if end != here) for b in borders if here in b.between]
            hint = f"{here} borders on {', '.join(beside[:12])}" if beside else ""
            it.problem("unknown-name", message, node.span, hint)
        return None
    attribute = _declared(it, "border", "border", node.attribute, node.span)
    if attribute is None:
        return None
    value, where, source = _value(attribute, node), place(node.values), it.provenance
    pair = frozenset(border.between)
    name = "/".join(border.between)

    def apply(draft: Draft) -> None:
        draft.borders[pair] = _with_value(draft.borders[pair], node.attribute, value, where, source)

    keys = frozenset({("value", "border", name, node.attribute)})
    before = border.attributes.get(node.attribute)
    return _edit(it, node, "border", name, node.attribute, before, value, keys, apply)


def _set_on_piece(it: Resolving, node: ax.SetValue, piece: Piece) -> Edit | None:
    attribute = _declared(it, "piece", piece.kind, node.attribute, node.span)
    if attribute is None:
        return None
    name, count = node.attribute, len(piece.faces)
    if not attribute.per_face and not _no_face(it, node.face, name, node.span):
        return None
    if node.face is not None and not 1 <= node.face <= count:
        faces = "1 face" if count == 1 else f"{count} faces"
        it.problem("unknown-face", f'"{piece.id}" has {faces}', node.span)
        return None
    value, where, source = _value(attribute, node), place(node.values), it.provenance
    # Without a number the face that is up at the start is meant, unless all faces share the value.
    shared = node.face is None and (name in piece.attributes or not attribute.per_face)
    face = (node.face or 1) - 1
    before = piece.on_face(face).get(name)

    def apply(draft: Draft) -> None:
        old = draft.pieces[piece.id]
        if shared:
            draft.pieces[piece.id] = _with_value(old, name, value, where, source)
            return
        faces = list(old.faces)
        faces[face] = {**faces[face], name: value}
        spans, sources = {**old.attribute_spans, name: where}, {**old.sources, name: source}
        draft.pieces[piece.id] = replace(old, faces=tuple(faces), attribute_spans=spans, sources=sources)

    touched = range(count) if shared else (face,)
    keys = frozenset(("value", "piece", piece.id, name, str(number)) for number in touched)
    part = f"{name}[{face + 1}]" if not shared and count > 1 else name
    return _edit(it, node, "piece", piece.id, part, before, value, keys, apply)


def _set_start(it: Resolving, node: ax.SetValue, piece: Piece) -> Edit | None:
    """Where a piece begins: in every scenario that places it, and in those that place nothing."""
    where = place(node.values)
    known = it.source.map.spaces if it.source.map else {}
    # A number is a name here: 0512 keeps its zero.
    number = isinstance(node.values[0], sx.Number) and len(node.values) == 1
    written = where.text if number else shown(constants(node.values))
    space = None if written == "none" else written
    if space is not None and space not in known:
        it.problem("unknown-space", f'there is no space "{space}"', where, did_you_mean(space, known))
        return None

    def apply(draft: Draft) -> None:
        old = draft.pieces[piece.id]
        spans = {**old.attribute_spans, START: where}
        draft.pieces[piece.id] = replace(old, start=space, start_span=where, attribute_spans=spans)
        for name, scenario in draft.scenarios.items():
            draft.scenarios[name] = _placed(scenario, piece.id, space, where)

    said = [{name: at for name, at, _ in s.mentions} for s in it.source.scenarios.values()]
    places = {one.get(piece.id, piece.start) or "none" for one in said or [{}]}
    before = ", ".join(sorted(places))
    keys = frozenset({("value", "piece", piece.id, START)})
    return _edit(it, node, "piece", piece.id, START, before, space or "none", keys, apply)


def _placed(scenario: Scenario, piece: str, space: str | None, where: Span) -> Scenario:
    if all(name != piece for name, _, _ in scenario.mentions):
        return scenario
    mentions = tuple((n, space, where) if n == piece else (n, at, span) for n, at, span in scenario.mentions)
    setup = {at: tuple(p for p in pieces if p != piece) for at, pieces in scenario.setup.items()}
    off_map = tuple(p for p in scenario.off_map if p != piece)
    if space is None:
        off_map = (*off_map, piece)
    else:
        setup[space] = (*setup.get(space, ()), piece)
    return replace(scenario, mentions=mentions, setup=setup, off_map=off_map)


def _noun_and_name(written: str) -> tuple[str, str]:
    """`hex 2609` as a rulebook writes it; any other name has no noun."""
    noun, _, number = written.rpartition(" ")
    return (noun, number) if number.isdecimal() else ("", written)


def _space_named(spaces: Mapping[str, Entry], written: str) -> str:
    noun, name = _noun_and_name(written)
    for space in spaces.values():
        if (name == space.id or name in space.aliases) and noun in ("", space.kind):
            return space.id
    return written


def _id_of(written: str, entries: Iterable[Entry]) -> str:
    """What is called so on the map or on a counter: the rules know it by its id."""
    ids = [e.id for e in entries if written.casefold() in (e.name.casefold(), (e.label or "").casefold())]
    return f"the rules call it {' or '.join(ids[:4])}" if ids else ""


# ---- shared ------------------------------------------------------------------------------------------
def _declared(it: Resolving, kind: str, cls: str, name: str, span: Span) -> sx.Attribute | None:
    """The declaration of a printed attribute of a class."""
    declarations = [d for d in it.classes if d.kind == kind and d.name == cls]
    attributes = {a.name: a for d in declarations for a in d.attributes if not a.per}
    series = {a.name: a for d in declarations for a in d.attributes if a.per}
    if name in series:
        it.problem("series", f'"{name}" is printed for each {series[name].per}', span,
                   f"write `.{name}[{series[name].per}] = …`")  # fmt: skip
        return None
    if " of " in name and (of := series.get(name.partition(" of ")[0])) is not None:
        attributes[name] = of
    found = attributes.get(name)
    if found is not None and found.printed:
        return found
    printed = [a.name for a in attributes.values() if a.printed]
    if found is not None:
        message = f'"{name}" changes during play; only what is printed can be set here'
        it.problem("not-printed", message, span, f"printed are {', '.join(printed)}" if printed else "")
    else:
        hint = did_you_mean(name, printed) or (f"printed are {', '.join(printed)}" if printed else "")
        it.problem("undeclared-attribute", f'a {cls} has no printed "{name}"', span, hint)
    return None


def _value(attribute: sx.Attribute, node: ax.SetValue | ax.SetBorder) -> Value:
    """What is written; for a flag `yes` and `no` are `true` and `false`, a diff says it in one way."""
    value = constants(node.values)
    words = {"yes": True, "no": False} if attribute.type.parts == ("flag",) else {}
    return words.get(value, value) if isinstance(value, str) else value


def _no_face(it: Resolving, face: int | None, name: str, span: Span) -> bool:
    if face is not None:
        it.problem("unknown-face", f'"{name}" is not printed per face', span, f"write `.{name} = …`")
    return face is None


def _with_value(entry: Thing, name: str, value: Value, where: Span, source: str) -> Thing:
    return replace(
        entry,
        attributes={**entry.attributes, name: value},
        attribute_spans={**entry.attribute_spans, name: where},
        sources={**entry.sources, name: source},
    )


def _edit(
    it: Resolving, node: ax.SetValue | ax.SetBorder, kind: str, subject: str, part: str, before: object,
    value: Value, keys: frozenset[Key], apply: Callable[[Draft], None],
) -> Edit:  # fmt: skip
    what = f'"{part}" of {"the border " if kind == "border" else ""}"{subject}"'
    change = it.change(kind, subject, part, shown(before), shown(value), node.span)
    if before == value:
        it.no_change(what, change.after, node.span)
    return Edit(
        rule=it.rule,
        section=it.section,
        span=node.span,
        keys=keys,
        what=what,
        apply=apply,
        changes=() if before == value else (change,),
    )
