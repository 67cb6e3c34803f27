"""From declarations and data files to the `World`: numbered things, typed attributes, printed values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from string import ascii_uppercase

from rulesdsl.base import fixes
from rulesdsl.base.diagnostics import Diagnostic, did_you_mean, nearest_word
from rulesdsl.base.fixes import Advice
from rulesdsl.base.source import Span, nowhere
from rulesdsl.book.entries import Entry
from rulesdsl.book.loader import GameSource
from rulesdsl.book.spoken_state import KINDS, is_open
from rulesdsl.checking.names.near_names import word_in
from rulesdsl.checking.world.attributes import (
    built_in_attributes,
    clockwise,
    declare_attribute,
    declare_series,
    undeclared_values,
)
from rulesdsl.checking.world.geometry import (
    adjacency,
    face_counts,
    grid_places,
    passages,
    positions,
    starting_spaces,
)
from rulesdsl.checking.world.values import default_of, repeated, resolve_type
from rulesdsl.checking.world.world_draft import Draft, RuleOf
from rulesdsl.language import syntax as sx
from rulesdsl.language.plurals import plural_of, singular_of
from rulesdsl.language.wordings import wording_slip
from rulesdsl.program.types import Type
from rulesdsl.program.world import EnumInfo, Record, Track, Universe, World


def build_world(source: GameSource, rules: list[RuleOf]) -> tuple[World, list[Diagnostic], set[str]]:
    """Everything that exists, everything that is wrong with it, and the names that were missed."""
    draft = Draft(source, [(paragraph, decl) for paragraph, decl in rules if not is_open(decl)])
    _of_no_class(draft, rules)
    _number_things(draft)
    _declare_nouns(draft)
    for paragraph, decl in draft.rules:
        if isinstance(decl, sx.Enumeration):
            earlier = draft.enums.get(decl.name)
            if (
                earlier is not None
                and not earlier.ordered
                and not decl.ordered
                and not {*earlier.values} & {*decl.values}
            ):
                decl = replace(decl, values=(*earlier.values, *decl.values))  # opened again, for more values
            elif earlier is not None:
                also = (("the other one", earlier.span),)
                draft.problem(
                    "duplicate-name",
                    f'"{decl.name}" is declared twice',
                    decl.span,
                    paragraph,
                    also=also,
                    about=(decl.name,),
                )
            if twice := repeated(decl.values):
                draft.problem(
                    "duplicate-name",
                    f'"{twice}" stands twice in "{decl.name}"',
                    decl.span,
                    paragraph,
                    about=(twice, decl.name),
                )
            draft.enums[decl.name] = EnumInfo(decl.name, decl.values, decl.ordered, decl.span)
    built_in_attributes(draft)
    for paragraph, decl in draft.rules:
        if isinstance(decl, sx.ClassDecl):
            for attribute in decl.attributes:
                if attribute.per:
                    declare_series(draft, paragraph, decl, attribute)
                else:
                    declare_attribute(draft, paragraph, decl, attribute)
    for key, known in draft.attributes.items():
        # it may be this very class, misspelt: one mistake, one message
        if known.universe in draft.undeclared:
            draft.attributes[key] = replace(known, owners=())
    undeclared_values(draft)
    tracks = _tracks(draft)
    records, roles = _records(draft)
    neighbours, border_ends = adjacency(draft)
    world = World(
        universes=draft.universes,
        nouns=draft.nouns,
        plurals=frozenset(draft.plurals),
        enums=draft.enums,
        attributes=draft.attributes,
        tracks=tracks,
        records=records,
        roles=roles,
        groups=draft.groups,
        adjacency=neighbours,
        border_ends=border_ends,
        starts=starting_spaces(draft),
        faces=face_counts(draft),
        directions=clockwise(source),
        positions=positions(draft),
        passages=passages(draft),
        grid_form=source.map.form if source.map else "",
        places=grid_places(draft),
        series=draft.series,
        backs=draft.backs,
        stack=draft.stack,
    )
    return world, draft.problems, draft.missed


def _of_no_class(draft: Draft, rules: list[RuleOf]) -> None:
    """`foot may be tired` where nothing is called a foot."""
    known = [decl.name for _, decl in draft.rules if isinstance(decl, sx.ClassDecl)]
    for paragraph, decl in rules:
        if isinstance(decl, sx.ClassDecl) and not decl.kind:
            message = f'no kind of thing is called "{decl.name}"'
            near = did_you_mean(decl.name, [*known, *KINDS])
            draft.problem("unknown-noun", message, decl.span, paragraph, near, about=(decl.name,))
            draft.missed.update(attribute.name for attribute in decl.attributes)


# ---- things ------------------------------------------------------------------------------------------
def _universe(name: str, entries: Iterable[tuple[str, ...]]) -> Universe:
    """Rows of (id, name, class, aliases…); an alias is another word for the same thing."""
    rows = list(entries)
    ids = tuple(row[0] for row in rows)
    index = {alias: i for i, row in enumerate(rows) for alias in row[3:]}
    index |= {identity: i for i, identity in enumerate(ids)}
    names = [row[1] for row in rows]
    shown = _told_apart(names) if name == "piece" else tuple(names)
    return Universe(name, ids, shown, tuple(row[2] for row in rows), index)


def _told_apart(names: list[str]) -> tuple[str, ...]:
    """Things that share a name get a letter behind it: nobody could choose between them otherwise."""
    shared = {name for name, count in Counter(names).items() if count > 1}
    seen: Counter[str] = Counter()
    told = []
    for name in names:
        seen[name] += 1
        place = seen[name] - 1
        letter = ascii_uppercase[place] if place < len(ascii_uppercase) else str(place + 1)
        told.append(f"{name} {letter}" if name in shared else name)
    return tuple(told)


def _number_things(draft: Draft) -> None:
    source = draft.source
    spaces = source.map.spaces.values() if source.map else ()
    borders = source.map.borders if source.map else ()
    tokens = [decl for _, decl in draft.rules if isinstance(decl, sx.Token)]
    draft.universes = {
        "space": _universe("space", ((s.id, s.name, s.kind, *s.aliases) for s in spaces)),
        "border": _universe(
            "border",
            ((f"{b.between[0]}/{b.between[1]}", f"{b.between[0]}/{b.between[1]}", "border") for b in borders),
        ),
        "piece": _universe("piece", ((p.id, p.name, p.kind, *p.aliases) for p in source.pieces.values())),
        "player": _universe("player", ((p.id, p.name, "player") for p in source.game.players)),
        "token": _universe("token", ((t.name, t.title, "token") for t in tokens)),
    }
    for paragraph, decl in draft.rules:
        if isinstance(decl, sx.GroupDecl):
            values: dict[str, list[str]] = {}
            for piece in source.pieces.values():
                value = piece.attributes.get(decl.attribute)
                if piece.kind == decl.piece and value is not None:
                    values.setdefault(str(value), []).append(piece.name)
            if not values:
                draft.problem(
                    "empty-group",
                    f'no {decl.piece} has a value "{decl.attribute}"',
                    decl.span,
                    paragraph,
                    about=(decl.piece, decl.attribute),
                )
            draft.universes[decl.name] = _universe(decl.name, _called(decl.name, values))
            draft.groups[decl.name] = decl.attribute


def _called(group: str, members: dict[str, list[str]]) -> Iterator[tuple[str, str, str]]:
    """A group is called by the words with which the names of its pieces begin, if that tells it apart."""
    shared = {value: " ".join(_beginning(names)) for value, names in members.items()}
    for value, name in shared.items():
        clear = name and list(shared.values()).count(name) == 1
        yield value, name if clear else value, group


def _beginning(names: list[str]) -> Iterator[str]:
    for words in zip(*(name.split() for name in names), strict=False):
        if len(set(words)) > 1:
            return
        yield words[0]


def _declare_nouns(draft: Draft) -> None:
    declared: set[str] = set()
    for paragraph, decl in sorted(draft.rules, key=lambda r: _comes_first(draft, r[1])):
        if isinstance(decl, sx.ClassDecl):
            if not _opened_again(draft, decl):
                _noun(draft, paragraph, decl.kind, decl.name, decl.plural, decl.span)
            declared.add(decl.name)
        elif isinstance(decl, sx.GroupDecl):
            _noun(draft, paragraph, decl.name, decl.name, None, decl.span)
    for kind in ("border", "player", "token"):
        if kind not in draft.nouns:
            _noun(draft, "", kind, kind, None, nowhere())
    for universe in ("space", "piece"):
        draft.nouns.setdefault(universe, (universe, ""))
        draft.nouns.setdefault(plural_of(universe), (universe, ""))
        draft.plurals.add(plural_of(universe))
        for cls in dict.fromkeys(draft.universes[universe].classes):
            if cls not in declared:
                also = _of_no_thing(draft, universe)
                near = did_you_mean(cls, declared)
                if also and isinstance(near, Advice):  # the declaration is misspelt, not every thing
                    slips = nearest_word(cls, declared)
                    near = Advice(str(near), fixes.at(word_in(also[0][1], slips), cls), *near.makings)
                draft.problem(
                    "undeclared-class",
                    f'the rules declare no {universe} "{cls}"',
                    _first_of(draft, universe, cls).span,
                    help=near or f"write `{universe} {cls}` in a rules block",
                    also=also,
                    about=(universe, cls),
                )
                for word in (cls, plural_of(cls)):  # the rules may speak of it all the same
                    draft.nouns.setdefault(word, (universe, cls))
                draft.plurals.add(plural_of(cls))
                draft.undeclared.add(universe)


def _comes_first(draft: Draft, decl: sx.Rule) -> tuple[bool, bool]:
    """Of several that open a class: the game's own before a module's, one with a plural before others."""
    of_module = draft.source.module_of(decl.span.file) is not None
    return of_module, isinstance(decl, sx.ClassDecl) and decl.plural is None


def _of_no_thing(draft: Draft, universe: str) -> tuple[tuple[str, Span], ...]:
    """A class that is declared and that nothing belongs to: most likely the one that is missed."""
    classes = {*draft.universes[universe].classes}
    for _, decl in draft.rules:
        if isinstance(decl, sx.ClassDecl) and decl.kind == universe and decl.name not in classes:
            return ((f"no {universe} is of the class declared here", decl.span),)
    return ()


def _opened_again(draft: Draft, decl: sx.ClassDecl) -> bool:
    """A class may be opened again wherever a rule gives it more attributes."""
    first = draft.noun_spans.get(decl.name)
    if first is None or decl.plural is not None or draft.nouns[decl.name][0] != decl.kind:
        return False
    return bool(decl.attributes) or draft.source.module_of(first.file) != draft.source.module_of(
        decl.span.file
    )


def _first_of(draft: Draft, universe: str, cls: str) -> Entry:
    source = draft.source
    entries: Iterable[Entry] = source.pieces.values()
    if universe == "space" and source.map:
        entries = source.map.spaces.values()
    return next(e for e in entries if e.kind == cls)


def _noun(draft: Draft, paragraph: str, universe: str, name: str, plural: str | None, span: Span) -> None:
    many = plural or plural_of(name)
    cls = name if universe in ("space", "piece") else ""
    for word in (name, many):
        other = draft.noun_spans.get(word)
        if (
            word in draft.nouns
            and other is not None
            and not (word == many and draft.noun_spans.get(name) is span)
        ):
            also = (("the other one", other),)
            draft.problem(
                "duplicate-name", f'"{word}" is declared twice', span, paragraph, also=also, about=(word,)
            )
        draft.nouns[word] = (universe, cls)
        draft.noun_spans[word] = span
    draft.plurals.add(many)


def _tracks(draft: Draft) -> dict[str, Track]:
    tracks: dict[str, Track] = {}
    for paragraph, decl in draft.rules:
        if isinstance(decl, sx.TrackDecl):
            type_ = resolve_type(draft, paragraph, decl.type, decl.name)
            start = default_of(draft, paragraph, type_, decl.default)
            if decl.name in tracks:
                draft.problem(
                    "duplicate-name",
                    f'"{decl.name}" is declared twice',
                    decl.span,
                    paragraph,
                    about=(decl.name,),
                )
            if decl.wording is not None and (slip := wording_slip(decl.wording, (), type_.kind == "flag")):
                draft.problem("wording", slip, decl.span, paragraph, about=(decl.name,))
            tracks[decl.name] = Track(
                name=decl.name,
                type=type_,
                start=start,
                paragraph=paragraph,
                span=decl.span,
                visible_to=decl.visible_to,
                quiet=decl.quiet,
                wording=decl.wording or "",
            )
    return tracks


def _records(draft: Draft) -> tuple[dict[str, Record], dict[str, tuple[str, str]]]:
    records: dict[str, Record] = {}
    roles: dict[str, tuple[str, str]] = {}
    for paragraph, decl in draft.rules:
        if not isinstance(decl, sx.RecordDecl):
            continue
        known = records.get(decl.name)
        # opened again elsewhere; twice in one paragraph is a slip
        opened = (
            known is not None
            and not any(part.name in known.fields for part in decl.fields)
            and (known.paragraph != paragraph or known.span.file.path != decl.span.file.path)
        )
        fields: dict[str, Type] = {}
        for part in decl.fields:
            assert part.type is not None
            if part.name in fields:
                message = f'the field "{part.name}" is declared twice'
                draft.problem("duplicate-name", message, part.span, paragraph, about=(part.name,))
            fields[part.name] = resolve_type(draft, paragraph, part.type, part.name)
            if fields[part.name].kind == "set":
                roles[part.name] = (decl.name, part.name)
                roles[singular_of(part.name)] = (decl.name, part.name)
        places = {part.name: part.span for part in decl.fields}
        if known is not None:  # opened again, for more fields
            if not (opened and fields):
                also = (("the other one", known.span),)
                draft.problem(
                    "duplicate-name",
                    f'"{decl.name}" is declared twice',
                    decl.span,
                    paragraph,
                    also=also,
                    about=(decl.name,),
                )
            merged = Record(
                decl.name,
                {**known.fields, **fields},
                known.paragraph,
                known.span,
                {**known.field_spans, **places},
            )
            records[decl.name] = merged
            continue
        records[decl.name] = Record(decl.name, fields, paragraph, decl.span, places)
    return records, roles
