"""Written values and types as the world keeps them: numbers, indices, masks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from rulesdsl.base import fixes
from rulesdsl.base.diagnostics import did_you_mean, nearest_word
from rulesdsl.base.fixes import Advice
from rulesdsl.base.source import nowhere
from rulesdsl.book.entries import Entry, Value
from rulesdsl.book.loader import GameSource
from rulesdsl.book.map.game_map import Border
from rulesdsl.book.pieces import Piece
from rulesdsl.checking.names.near_names import word_in
from rulesdsl.checking.world.world_draft import Draft
from rulesdsl.language import syntax as sx
from rulesdsl.program.types import FLAG, NUMBER, TEXT, UNKNOWN, Type, set_of, thing
from rulesdsl.program.world import Constant, EnumInfo, Universe


def plain_value(value: Value) -> Constant:
    return missing_to_text(value) if not isinstance(value, (int, Fraction)) else value


def missing_to_text(value: Value) -> str:
    return "" if value is None else str(value)


def resolve_type(draft: Draft, paragraph: str, type_: sx.Type, name: str) -> Type:
    """The meaning of a written type; alternatives that are no class become an enumeration."""
    if type_.low is not None:
        if type_.high is not None and type_.high < type_.low:
            message = f"a range goes upwards: {type_.high} to {type_.low}"
            draft.problem("out-of-range", message, type_.span, paragraph)
            return NUMBER
        return Type("number", low=type_.low, high=type_.high)
    parts = [p for p in type_.parts if p != "none"]
    nullable = "none" in type_.parts
    if type_.is_set:
        found = draft.nouns.get(parts[0]) if parts else None
        if found is None:
            word = parts[0] if parts else "none"
            draft.problem("unknown-type", f'there is no class "{word}"', type_.span, paragraph,
                          did_you_mean(word, draft.nouns), about=(word,))  # fmt: skip
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
        draft.problem("unknown-type", f'there is no type "{word}"', type_.span, paragraph,
                      did_you_mean(word, known), about=(word,))  # fmt: skip
        return UNKNOWN
    if not parts:
        message = "this can be nothing but none: name a class, an enumeration or number"
        draft.problem("unknown-type", message, type_.span, paragraph)
        return UNKNOWN
    nouns = [draft.nouns[p] for p in parts if p in draft.nouns]
    if len(nouns) == len(parts):  # `zone or box`: any space
        return thing(nouns[0][0], "", nullable)
    if nouns:  # `player or nnoe`: a class and something that is none
        wrong = next(p for p in parts if p not in draft.nouns)
        draft.problem("unknown-type", f'there is no type "{wrong}"', type_.span, paragraph,
                      did_you_mean(wrong, ["none", *draft.nouns]), about=(wrong,))  # fmt: skip
        return UNKNOWN
    known_enum = draft.enums.get(name)
    if known_enum is None:
        draft.enums[name] = EnumInfo(name, tuple(parts), False, type_.span)
    elif known_enum.values != tuple(parts):
        draft.problem(
            "duplicate-name", f'"{name}" already means another enumeration', type_.span, paragraph,
            "give the enumeration a name of its own with `enum`", about=(name,),
        )  # fmt: skip
    return Type("enum", name, nullable=nullable)


def entries_of(source: GameSource, universe: str) -> list[Entry | Border | None]:
    if universe == "space":
        return list(source.map.spaces.values()) if source.map else []
    if universe == "border":
        return list(source.map.borders) if source.map else []
    if universe == "piece":
        return list(source.pieces.values())
    return [None] * len(source.game.players)


def repeated(words: Iterable[str]) -> str:
    """The first word that stands twice, or nothing."""
    seen: set[str] = set()
    for word in words:
        if word in seen:
            return word
        seen.add(word)
    return ""


def default_of(draft: Draft, paragraph: str, type_: Type, written: sx.Expr | None) -> Constant:
    if written is None:
        if type_.kind in ("thing", "enum"):
            return -1 if type_.nullable or type_.kind == "thing" else 0
        if type_.kind == "text":
            return ""
        return type_.low if type_.low is not None else 0
    value = constant_of(draft, type_, written)
    if type_.kind == "unknown":  # that has been told
        return 0
    if value is None:
        draft.problem(
            "bad-default", f"this is not a constant of type {type_}", written.span, paragraph, about=(type_,)
        )
        return 0
    low, high = type_.low, type_.high
    if not isinstance(value, str) and low is not None and high is not None and not low <= value <= high:
        draft.problem("out-of-range", f"{value} is not from {low} to {high}", written.span, paragraph)
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
        case _:
            pass  # no value
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
        return draft.universes[type_.name].of_class(word, type_.of)
    return None


def _whole(value: Fraction) -> int | Fraction:
    return value.numerator if value.denominator == 1 else value


def printed_value(
    draft: Draft, paragraph: str, written: sx.Attribute, type_: Type, default: Constant,
    entry: Entry | Border | None, lacking: list[Entry],
) -> Constant | tuple[Constant, ...]:  # fmt: skip
    """What the data say; an entry that says nothing where something is needed is put among the `lacking`."""
    if entry is None:
        return default
    if isinstance(entry, Piece) and written.per_face:
        return tuple(
            _one_value(draft, paragraph, written, type_, default, entry, entry.on_face(face), lacking)
            for face in range(len(entry.faces))
        )
    return _one_value(draft, paragraph, written, type_, default, entry, entry.attributes, lacking)


def report_lacking(
    draft: Draft, paragraph: str, written: sx.Attribute, type_: Type, lacking: list[Entry]
) -> None:
    """A value that many entries lack is one mistake: it is told once, where it is met first."""
    if not lacking:
        return
    ids = list(dict.fromkeys(entry.id for entry in lacking))
    others = f" (and {len(ids) - 1} more: {', '.join(ids[1:4])}{' …' if len(ids) > 4 else ''})"
    draft.problem(
        "missing-value",
        f'{ids[0]} has no value "{written.name}" ({type_}){others if len(ids) > 1 else ""}',
        lacking[0].span, paragraph, f"give it one, or declare a default: `{written.name}: … = …`",
        about=(*ids[:4], written.name, type_),
    )  # fmt: skip
    draft.lacking[written.name] = draft.problems[-1]


def _one_value(
    draft: Draft, paragraph: str, written: sx.Attribute, type_: Type, default: Constant,
    entry: Entry | Border, values: Mapping[str, Value], lacking: list[Entry],
) -> Constant:  # fmt: skip
    if written.name not in values or values[written.name] is None:
        needs = type_.kind in ("number", "enum", "thing") and not type_.nullable
        if needs and written.default is None and isinstance(entry, Entry):
            lacking.append(entry)
        return default
    value = convert(draft.enums, draft.universes, type_, values[written.name])
    if value is None:
        span = entry.span_of(written.name)
        options: Iterable[str] = ()
        if type_.kind == "enum":
            options = draft.enums[type_.name].values
        elif type_.kind == "thing":
            options = draft.universes[type_.name].ids
        given = values[written.name]
        shown = ", ".join(map(str, given)) if isinstance(given, tuple) else given
        shown = str(given).lower() if isinstance(given, bool) else shown
        hint = "write true or false" if type_.kind == "flag" else did_you_mean(str(shown), options)
        # A word that no value has is told once: the mistake may stand where the values are declared.
        if not options or str(shown) not in draft.missed:
            near = nearest_word(str(shown), options)
            where = draft.enums[type_.name].span if type_.kind == "enum" else nowhere()
            found = near and where.file.text
            also = (("the nearest name stands here", word_in(where, near)),) if found else ()
            if also and isinstance(hint, Advice):  # or the value is misspelt where it is declared
                hint = Advice(str(hint), fixes.at(also[0][1], str(shown)), *hint.makings)
            draft.problem(
                "bad-value", f'"{shown}" is no {type_} ("{written.name}")', span, paragraph, hint, also,
                about=(str(shown), type_, written.name)
            )  # fmt: skip
            draft.missed |= {str(shown)} if options else set()
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
            return -1 if value == "none" else universes[type_.name].of_class(str(value), type_.of)
        case "set":
            ids = value if isinstance(value, tuple) else (value,)
            found = {universes[type_.name].of_class(str(i), type_.of) for i in ids}
            return None if None in found else sum(1 << number for number in found if number is not None)
        case _:
            return 0
