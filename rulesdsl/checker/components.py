"""From declarations and data files to the `World`: numbered things, typed attributes, printed values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from rulesdsl import syntax as sx
from rulesdsl.diagnostics import Diagnostic, did_you_mean
from rulesdsl.entries import Entry, Value
from rulesdsl.gamemap import Border
from rulesdsl.loader import GameSource
from rulesdsl.pieces import Piece
from rulesdsl.source import Span, nowhere
from rulesdsl.types import FLAG, NUMBER, TEXT, UNKNOWN, Type, set_of, thing
from rulesdsl.world import (
    TOKEN_STATES,
    Attribute,
    Constant,
    EnumInfo,
    Record,
    Track,
    Universe,
    World,
    plural_of,
    singular_of,
)

RuleOf = tuple[str, sx.Rule]  # paragraph and statement
CLOCKWISE = ("north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest")


@dataclass(slots=True)
class Draft:
    """The world while it is being built."""

    source: GameSource
    rules: list[RuleOf]
    problems: list[Diagnostic] = field(default_factory=list)
    universes: dict[str, Universe] = field(default_factory=dict)
    nouns: dict[str, tuple[str, str]] = field(default_factory=dict)
    plurals: set[str] = field(default_factory=set)
    noun_spans: dict[str, Span] = field(default_factory=dict)
    enums: dict[str, EnumInfo] = field(default_factory=dict)
    attributes: dict[tuple[str, str], Attribute] = field(default_factory=dict)
    groups: dict[str, str] = field(default_factory=dict)

    def problem(self, code: str, message: str, span: Span, rule: str = "", help: str = "") -> None:
        self.problems.append(Diagnostic(code, message, span, rule, help))


def build_world(source: GameSource, rules: list[RuleOf]) -> tuple[World, list[Diagnostic]]:
    """Everything that exists, and everything that is wrong with it."""
    draft = Draft(source, rules)
    _number_things(draft)
    _declare_nouns(draft)
    for rule, decl in draft.rules:
        if isinstance(decl, sx.Enumeration):
            if decl.name in draft.enums:
                draft.problem("duplicate-name", f'"{decl.name}" is declared twice', decl.span, rule)
            draft.enums[decl.name] = EnumInfo(decl.name, decl.values, decl.ordered, decl.span)
    _built_in_attributes(draft)
    for rule, decl in draft.rules:
        if isinstance(decl, sx.ClassDecl):
            for attribute in decl.attributes:
                _declare_attribute(draft, rule, decl, attribute)
    _undeclared_values(draft)
    tracks = _tracks(draft)
    records, roles = _records(draft)
    world = World(
        draft.universes, draft.nouns, frozenset(draft.plurals), draft.enums, draft.attributes, tracks,
        records, roles, draft.groups, *_geometry(draft), _starts(draft), _faces(draft),
        _clockwise(source), _positions(draft), _passages(draft),
        source.map.form if source.map else "", _places(draft),
    )  # fmt: skip
    return world, draft.problems


# ---- things ------------------------------------------------------------------------------------------
def _universe(name: str, entries: Iterable[tuple[str, ...]]) -> Universe:
    """Rows of (id, name, class, aliases…); an alias is another word for the same thing."""
    rows = list(entries)
    ids = tuple(row[0] for row in rows)
    index = {alias: i for i, row in enumerate(rows) for alias in row[3:]}
    index |= {identity: i for i, identity in enumerate(ids)}
    return Universe(name, ids, tuple(row[1] for row in rows), tuple(row[2] for row in rows), index)


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
    for rule, decl in draft.rules:
        if isinstance(decl, sx.GroupDecl):
            values: dict[str, str] = {}
            for piece in source.pieces.values():
                value = piece.attributes.get(decl.attribute)
                if piece.kind == decl.piece and value is not None:
                    values.setdefault(str(value), str(value))
            if not values:
                draft.problem(
                    "empty-group", f'no {decl.piece} has a value "{decl.attribute}"', decl.span, rule
                )
            draft.universes[decl.name] = _universe(
                decl.name, ((v, v, decl.name) for v in values)
            )
            draft.groups[decl.name] = decl.attribute


def _declare_nouns(draft: Draft) -> None:
    declared: set[str] = set()
    for rule, decl in draft.rules:
        if isinstance(decl, sx.ClassDecl):
            _noun(draft, rule, decl.kind, decl.name, decl.plural, decl.span)
            declared.add(decl.name)
        elif isinstance(decl, sx.GroupDecl):
            _noun(draft, rule, decl.name, decl.name, None, decl.span)
    for kind in ("border", "player", "token"):
        if kind not in draft.nouns:
            _noun(draft, "", kind, kind, None, nowhere())
    for universe in ("space", "piece"):
        draft.nouns.setdefault(universe, (universe, ""))
        draft.nouns.setdefault(plural_of(universe), (universe, ""))
        draft.plurals.add(plural_of(universe))
        for cls in dict.fromkeys(draft.universes[universe].classes):
            if cls not in declared:
                first = _first_of(draft, universe, cls)
                draft.problem(
                    "undeclared-class",
                    f'the rules declare no {universe} "{cls}"',
                    first.span,
                    help=did_you_mean(cls, declared) or f"write `{universe} {cls}` in a rules block",
                )
                draft.nouns.setdefault(cls, (universe, cls))


def _first_of(draft: Draft, universe: str, cls: str) -> Entry:
    source = draft.source
    entries: Iterable[Entry] = source.pieces.values()
    if universe == "space" and source.map:
        entries = source.map.spaces.values()
    return next(e for e in entries if e.kind == cls)


def _noun(draft: Draft, rule: str, universe: str, name: str, plural: str | None, span: Span) -> None:
    many = plural or plural_of(name)
    cls = name if universe in ("space", "piece") else ""
    for word in (name, many):
        if word in draft.nouns and draft.noun_spans.get(word) is not None:
            draft.problem("duplicate-name", f'"{word}" is declared twice', span, rule)
        draft.nouns[word] = (universe, cls)
        draft.noun_spans[word] = span
    draft.plurals.add(many)


# ---- attributes --------------------------------------------------------------------------------------
def _built_in_attributes(draft: Draft) -> None:
    source = draft.source
    if source.map and source.map.grid_class:
        for name in ("column", "row"):
            _add_printed(draft, "space", name, NUMBER, _space_values(draft, name, 0))
        index = draft.universes["space"].index
        for direction in source.map.directions:
            ids = _space_values(draft, direction, "")
            values = tuple(index.get(str(v), -1) for v in ids)
            _add_printed(draft, "space", direction, thing("space", source.map.grid_class, True), values)
        draft.enums.setdefault("direction", EnumInfo("direction", _clockwise(source), False, nowhere()))
    count = len(draft.universes["piece"])
    span = nowhere()
    draft.enums["token_state"] = EnumInfo("token_state", TOKEN_STATES, False, span)

    def state(universe: str, name: str, type_: Type, default: Constant) -> None:
        many = len(draft.universes[universe])
        draft.attributes[universe, name] = Attribute(
            universe, name, type_, False, False, (default,) * many, default, "", span, built_in=True
        )

    if count:
        state("piece", "at", thing("space", nullable=True), -1)
        state("piece", "face", NUMBER, 0)
    if len(draft.universes["token"]):
        state("token", "holder", thing("player", nullable=True), -1)
        state("token", "state", Type("enum", "token_state"), 0)
    for group, attribute in draft.groups.items():
        members = [0] * len(draft.universes[group])
        for i, piece in enumerate(draft.source.pieces.values()):
            value = piece.attributes.get(attribute)
            if value is not None and str(value) in draft.universes[group].index:
                members[draft.universes[group].index[str(value)]] |= 1 << i
        _add_printed(draft, group, "members", set_of("piece"), tuple(members))


def _space_values(draft: Draft, name: str, missing: Constant) -> tuple[Constant, ...]:
    assert draft.source.map is not None
    spaces = draft.source.map.spaces.values()
    return tuple(_plain(s.attributes.get(name, missing)) for s in spaces)


def _plain(value: Value) -> Constant:
    return missing_to_text(value) if not isinstance(value, (int, Fraction)) else value


def missing_to_text(value: Value) -> str:
    return "" if value is None else str(value)


def _add_printed(
    draft: Draft, universe: str, name: str, type_: Type, values: tuple[Constant, ...]
) -> None:
    default: Constant = -1 if type_.kind in ("thing", "enum") else 0
    draft.attributes[universe, name] = Attribute(
        universe, name, type_, True, False, values, default, "", nowhere(), built_in=True
    )


def resolve_type(draft: Draft, rule: str, type_: sx.Type, name: str) -> Type:
    """The meaning of a written type; alternatives that are no class become an enumeration."""
    if type_.low is not None:
        return Type("number", low=type_.low, high=type_.high)
    parts = [p for p in type_.parts if p != "none"]
    nullable = "none" in type_.parts
    if type_.is_set:
        found = draft.nouns.get(parts[0])
        if found is None:
            draft.problem("unknown-type", f'there is no class "{parts[0]}"', type_.span, rule,
                          did_you_mean(parts[0], draft.nouns))  # fmt: skip
            return UNKNOWN
        return set_of(*found)
    if len(parts) == 1:
        word = parts[0]
        simple = {"number": NUMBER, "flag": FLAG, "text": TEXT}.get(word)
        if simple is not None:
            return simple
        if word in draft.nouns:
            universe, cls = draft.nouns[word]
            return set_of(universe, cls) if word in draft.plurals else thing(universe, cls, nullable)
        if word in draft.enums:
            return Type("enum", word, nullable=nullable)
        known = [*draft.nouns, *draft.enums, "number", "flag", "text"]
        draft.problem("unknown-type", f'there is no type "{word}"', type_.span, rule,
                      did_you_mean(word, known))  # fmt: skip
        return UNKNOWN
    nouns = [draft.nouns[p] for p in parts if p in draft.nouns]
    if len(nouns) == len(parts):  # `zone or box`: any space
        return thing(nouns[0][0], "", nullable)
    if nouns:  # `player or nnoe`: a class and something that is none
        wrong = next(p for p in parts if p not in draft.nouns)
        draft.problem("unknown-type", f'there is no type "{wrong}"', type_.span, rule,
                      did_you_mean(wrong, ["none", *draft.nouns]))  # fmt: skip
        return UNKNOWN
    known_enum = draft.enums.get(name)
    if known_enum is None:
        draft.enums[name] = EnumInfo(name, tuple(parts), False, type_.span)
    elif known_enum.values != tuple(parts):
        draft.problem(
            "duplicate-name", f'"{name}" already means another enumeration', type_.span, rule,
            "give the enumeration a name of its own with `enum`",
        )  # fmt: skip
    return Type("enum", name, nullable=nullable)


def _declare_attribute(draft: Draft, rule: str, decl: sx.ClassDecl, written: sx.Attribute) -> None:
    universe = decl.kind
    group = next((g for g, a in draft.groups.items() if a == written.name), None)
    if universe == "piece" and group is not None and written.type.parts == ("text",):
        type_ = thing(group, "", True)
    else:
        type_ = resolve_type(draft, rule, written.type, written.name)
    previous = draft.attributes.get((universe, written.name))
    if previous is not None and (previous.built_in or previous.type != type_):
        what = "is built in" if previous.built_in else "is declared twice with different types"
        draft.problem("duplicate-name", f'the attribute "{written.name}" {what}', written.span, rule)
        return
    default = _default_of(draft, rule, type_, written.default)
    values: list[Constant | tuple[Constant, ...]] = [default] * len(draft.universes[universe])
    if previous is not None:
        values = list(previous.values)
    owners = (*(previous.owners if previous else ()), decl.name)
    for i, entry in enumerate(_entries(draft.source, universe)):
        if universe in ("space", "piece") and draft.universes[universe].classes[i] != decl.name:
            continue
        # what the data says of a value that is not printed is where it starts
        if written.printed or entry is not None and written.name in entry.attributes:
            values[i] = _printed_value(draft, rule, written, type_, default, entry)
    draft.attributes[universe, written.name] = Attribute(
        universe, written.name, type_, written.printed, written.per_face, tuple(values), default, rule,
        written.span, owners, written.visible_to,
    )  # fmt: skip


def _entries(source: GameSource, universe: str) -> list[Entry | Border | None]:
    if universe == "space":
        return list(source.map.spaces.values()) if source.map else []
    if universe == "border":
        return list(source.map.borders) if source.map else []
    if universe == "piece":
        return list(source.pieces.values())
    return [None] * len(source.game.players)


def _default_of(draft: Draft, rule: str, type_: Type, written: sx.Expr | None) -> Constant:
    if written is None:
        if type_.kind in ("thing", "enum"):
            return -1 if type_.nullable or type_.kind == "thing" else 0
        if type_.kind == "text":
            return ""
        return type_.low if type_.low is not None else 0
    value = constant_of(draft, type_, written)
    if value is None:
        draft.problem("bad-default", f"this is not a constant of type {type_}", written.span, rule)
        return 0
    return value


def constant_of(draft: Draft, type_: Type, written: sx.Expr) -> Constant | None:
    """The value of a constant expression of a known type."""
    match written:
        case sx.Number(value=number) if type_.kind == "number":
            return _whole(number)
        case sx.Negative(value=sx.Number(value=number)) if type_.kind == "number":
            return _whole(-number)
        case sx.Arithmetic("/", sx.Number(value=a), sx.Number(value=b)) if type_.kind == "number" and b:
            return _whole(a / b)
        case sx.Text(value=text) if type_.kind == "text":
            return text
        case sx.Name(id=word):
            return _word_value(draft, type_, word)
    return None


def _word_value(draft: Draft, type_: Type, word: str) -> Constant | None:
    if type_.kind == "flag":
        return {"true": 1, "yes": 1, "false": 0, "no": 0}.get(word)
    if word == "none" and type_.kind in ("thing", "enum"):
        return -1
    if type_.kind == "enum":
        values = draft.enums[type_.name].values
        return values.index(word) if word in values else None
    if type_.kind == "thing":
        return draft.universes[type_.name].index.get(word)
    return None


def _whole(value: Fraction) -> int | Fraction:
    return value.numerator if value.denominator == 1 else value


def _printed_value(
    draft: Draft, rule: str, written: sx.Attribute, type_: Type, default: Constant,
    entry: Entry | Border | None,
) -> Constant | tuple[Constant, ...]:  # fmt: skip
    if entry is None:
        return default
    if isinstance(entry, Piece) and written.per_face:
        return tuple(
            _one_value(draft, rule, written, type_, default, entry, entry.on_face(face))
            for face in range(len(entry.faces))
        )
    return _one_value(draft, rule, written, type_, default, entry, entry.attributes)


def _one_value(
    draft: Draft, rule: str, written: sx.Attribute, type_: Type, default: Constant,
    entry: Entry | Border, values: Mapping[str, Value],
) -> Constant:  # fmt: skip
    if written.name not in values or values[written.name] is None:
        needs = type_.kind in ("number", "enum", "thing") and not type_.nullable
        if needs and written.default is None and isinstance(entry, Entry):
            draft.problem(
                "missing-value", f'{entry.id} has no value "{written.name}" ({type_})', entry.span, rule,
                f"give it one, or declare a default: `{written.name}: … = …`",
            )  # fmt: skip
        return default
    value = convert(draft.enums, draft.universes, type_, values[written.name])
    if value is None:
        span = entry.span_of(written.name)
        options: Iterable[str] = ()
        if type_.kind == "enum":
            options = draft.enums[type_.name].values
        elif type_.kind == "thing":
            options = draft.universes[type_.name].ids
        shown = values[written.name]
        draft.problem(
            "bad-value", f'"{shown}" is no {type_} ("{written.name}")', span, rule,
            did_you_mean(str(shown), options),
        )  # fmt: skip
        return default
    return value


def convert(
    enums: Mapping[str, EnumInfo], universes: Mapping[str, Universe], type_: Type, value: Value
) -> Constant | None:
    """A YAML value as a constant of a type; None when it is none."""
    match type_.kind:
        case "flag":
            return {True: 1, False: 0, "yes": 1, "no": 0}.get(value) if not isinstance(value, tuple) else None
        case "number":
            if isinstance(value, bool) or not isinstance(value, (int, Fraction)):
                return None
            whole = _whole(Fraction(value))
            low, high = type_.low, type_.high
            return whole if (low is None or whole >= low) and (high is None or whole <= high) else None
        case "text":
            return missing_to_text(value)
        case "enum":
            values = enums[type_.name].values
            return values.index(str(value)) if str(value) in values else -1 if value == "none" else None
        case "thing":
            return universes[type_.name].index.get(str(value), -1 if value == "none" else None)
        case "set":
            ids = value if isinstance(value, tuple) else (value,)
            index = universes[type_.name].index
            if any(str(i) not in index for i in ids):
                return None
            return sum(1 << index[str(i)] for i in ids)
        case _:
            return 0


def _undeclared_values(draft: Draft) -> None:
    """A closed world: what the data says and no rule declares is a slip of the pen."""
    for universe in ("space", "border", "piece"):
        declared = {name for (u, name) in draft.attributes if u == universe}
        reported: set[tuple[str, str]] = set()
        for entry in _entries(draft.source, universe):
            if entry is None:
                continue
            names = set(entry.attributes) - ({"adjacent"} if isinstance(entry, Border) else set())
            if isinstance(entry, Piece):
                names.update(*entry.faces)
            cls = entry.kind if isinstance(entry, Entry) else "border"
            for name in sorted(names - declared):
                if (cls, name) in reported:
                    continue
                reported.add((cls, name))
                draft.problem(
                    "undeclared-attribute", f'no rule declares "{name}" for {cls}', entry.span_of(name),
                    help=did_you_mean(name, declared) or f"write `printed {name}: …` under `{universe} {cls}`",
                )  # fmt: skip


# ---- the rest ----------------------------------------------------------------------------------------
def _tracks(draft: Draft) -> dict[str, Track]:
    tracks: dict[str, Track] = {}
    for rule, decl in draft.rules:
        if isinstance(decl, sx.TrackDecl):
            type_ = resolve_type(draft, rule, decl.type, decl.name)
            start = _default_of(draft, rule, type_, decl.default)
            if decl.name in tracks:
                draft.problem("duplicate-name", f'"{decl.name}" is declared twice', decl.span, rule)
            tracks[decl.name] = Track(decl.name, type_, start, rule, decl.span, decl.visible_to)
    return tracks


def _records(draft: Draft) -> tuple[dict[str, Record], dict[str, tuple[str, str]]]:
    records: dict[str, Record] = {}
    roles: dict[str, tuple[str, str]] = {}
    for rule, decl in draft.rules:
        if not isinstance(decl, sx.RecordDecl):
            continue
        fields: dict[str, Type] = {}
        for part in decl.fields:
            assert part.type is not None
            fields[part.name] = resolve_type(draft, rule, part.type, part.name)
            if fields[part.name].kind == "set":
                roles[part.name] = (decl.name, part.name)
                roles[singular_of(part.name)] = (decl.name, part.name)
        places = {part.name: part.span for part in decl.fields}
        records[decl.name] = Record(decl.name, fields, rule, decl.span, places)
    return records, roles


def _geometry(
    draft: Draft,
) -> tuple[tuple[tuple[tuple[int, int], ...], ...], tuple[tuple[int, int], ...]]:
    index = draft.universes["space"].index
    neighbours: list[list[tuple[int, int]]] = [[] for _ in index]
    ends: list[tuple[int, int]] = []
    for number, border in enumerate(draft.source.map.borders if draft.source.map else ()):
        a, b = index[border.between[0]], index[border.between[1]]
        neighbours[a].append((b, number))
        neighbours[b].append((a, number))
        ends.append((a, b))
    return tuple(tuple(sorted(n)) for n in neighbours), tuple(ends)


def _passages(draft: Draft) -> frozenset[int]:
    """Borders with `adjacent: false`: a way between two spaces that does not make them neighbours."""
    borders = draft.source.map.borders if draft.source.map else ()
    return frozenset(i for i, b in enumerate(borders) if b.attributes.get("adjacent") is False)


def _starts(draft: Draft) -> tuple[int, ...]:
    index = draft.universes["space"].index
    starts: list[int] = []
    for piece in draft.source.pieces.values():
        if piece.start is not None and piece.start not in index:
            draft.problem(
                "unknown-space", f'there is no space "{piece.start}"', piece.start_span or piece.span,
                help=did_you_mean(piece.start, index),
            )  # fmt: skip
        starts.append(index.get(piece.start, -1) if piece.start is not None else -1)
    return tuple(starts)


def _faces(draft: Draft) -> tuple[int, ...]:
    return tuple(len(p.faces) for p in draft.source.pieces.values())


def _positions(draft: Draft) -> tuple[tuple[float, float] | None, ...]:
    spaces = draft.source.map.spaces.values() if draft.source.map else ()
    return tuple((s.x, s.y) if s.x is not None and s.y is not None else None for s in spaces)


def _places(draft: Draft) -> tuple[tuple[int, int] | None, ...]:
    if draft.source.map is None:
        return ()
    places = draft.source.map.places
    return tuple(places.get(space) for space in draft.source.map.spaces)


def _clockwise(source: GameSource) -> tuple[str, ...]:
    """The directions of a grid in the order in which one turns."""
    return tuple(d for d in CLOCKWISE if source.map is not None and d in source.map.directions)
