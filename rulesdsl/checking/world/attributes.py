"""Attributes: declared in the rules, printed in the data files, built in for everybody."""

from __future__ import annotations

from dataclasses import replace

from rulesdsl.base.diagnostics import did_you_mean, meant, nearest_word
from rulesdsl.base.source import nowhere
from rulesdsl.book.entries import COMMON_KEYS, Entry
from rulesdsl.book.loader import GameSource
from rulesdsl.book.map.game_map import Border
from rulesdsl.book.pieces import Piece
from rulesdsl.checking.names.near_names import word_in
from rulesdsl.checking.world.values import (
    default_of,
    entries_of,
    plain_value,
    printed_value,
    report_lacking,
    resolve_type,
)
from rulesdsl.checking.world.world_draft import Draft
from rulesdsl.language import syntax as sx
from rulesdsl.language.conventions import member_of
from rulesdsl.language.wordings import wording_slip
from rulesdsl.program.types import NUMBER, Type, set_of, thing
from rulesdsl.program.world import TOKEN_STATES, Attribute, Back, Constant, EnumInfo, Series

MOST_VALUES = 100_000  # of all attributes that have one for each of an enumeration
CLOCKWISE = ("north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest")


def built_in_attributes(draft: Draft) -> None:
    source = draft.source
    if source.map and source.map.grid_class:
        for name in ("column", "row"):
            _add_printed(draft, "space", name, NUMBER, _space_values(draft, name, 0))
        index = draft.universes["space"].index
        for direction in source.map.directions:
            ids = _space_values(draft, direction, "")
            values = tuple(index.get(str(v), -1) for v in ids)
            _add_printed(draft, "space", direction, thing("space", source.map.grid_class, True), values)
        draft.enums.setdefault("direction", EnumInfo("direction", clockwise(source), False, nowhere()))
    count = len(draft.universes["piece"])
    span = nowhere()
    draft.enums["token_state"] = EnumInfo("token_state", TOKEN_STATES, False, span)

    def state(universe: str, name: str, type_: Type, default: Constant) -> None:
        many = len(draft.universes[universe])
        draft.attributes[universe, name] = Attribute(
            universe=universe,
            name=name,
            type=type_,
            printed=False,
            per_face=False,
            values=(default,) * many,
            default=default,
            paragraph="",
            span=span,
            built_in=True,
        )

    if count:
        state("piece", "at", thing("space", nullable=True), -1)
        state("piece", "face", NUMBER, 0)
    if len(draft.universes["token"]):
        state("token", "holder", thing("player", nullable=True), -1)
        state("token", "state", Type("enum", "token_state"), 0)
        everybody = (1 << len(draft.universes["player"])) - 1  # nothing was drawn yet: all is in the bag
        state("token", "known_to", set_of("player"), everybody)
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
    return tuple(plain_value(s.attributes.get(name, missing)) for s in spaces)


def _add_printed(draft: Draft, universe: str, name: str, type_: Type, values: tuple[Constant, ...]) -> None:
    default: Constant = -1 if type_.kind in ("thing", "enum") else 0
    draft.attributes[universe, name] = Attribute(
        universe=universe,
        name=name,
        type=type_,
        printed=True,
        per_face=False,
        values=values,
        default=default,
        paragraph="",
        span=nowhere(),
        built_in=True,
    )


def declare_attribute(draft: Draft, paragraph: str, decl: sx.ClassDecl, written: sx.Attribute) -> None:
    universe = decl.kind
    if written.is_identity:
        _declare_back(draft, paragraph, decl, written)
        return
    group = next((g for g, a in draft.groups.items() if a == written.name), None)
    if universe == "piece" and group is not None and written.type.parts == ("text",):
        type_ = thing(group, "", True)
    elif written.type.parts == (sx.STACK,) and not _is_declared(draft, sx.STACK):
        type_ = _declare_stack(draft, paragraph, decl, written)
    else:
        type_ = resolve_type(draft, paragraph, written.type, written.name)
    previous = draft.attributes.get((universe, written.name))
    if previous is not None and (previous.built_in or previous.type != type_ or decl.name in previous.owners):
        what = "is built in" if previous.built_in else "is declared twice with different types"
        if previous.type == type_ and not previous.built_in:
            what = "is declared twice"
        draft.problem(
            "duplicate-name",
            f'the attribute "{written.name}" {what}',
            written.span,
            paragraph,
            about=(written.name,),
        )
        return
    _quiet(draft, paragraph, written, previous)
    if written.wording is not None:
        slip = wording_slip(written.wording, (), type_.kind == "flag", ("it",))
        if slip:
            draft.problem("wording", slip, written.span, paragraph)
    default = default_of(draft, paragraph, type_, written.default)
    values: list[Constant | tuple[Constant, ...]] = [default] * len(draft.universes[universe])
    if previous is not None:
        values = list(previous.values)
    lacking: list[Entry] = []
    owners = (*(previous.owners if previous else ()), decl.name)
    for i, entry in enumerate(entries_of(draft.source, universe)):
        if universe in ("space", "piece") and draft.universes[universe].classes[i] != decl.name:
            continue
        # what the data says of a value that is not printed is where it starts
        if written.printed or (entry is not None and written.name in entry.attributes):
            values[i] = printed_value(draft, paragraph, written, type_, default, entry, lacking)
    report_lacking(draft, paragraph, written, type_, lacking)
    draft.attributes[universe, written.name] = Attribute(
        universe=universe,
        name=written.name,
        type=type_,
        printed=written.printed,
        per_face=written.per_face,
        values=tuple(values),
        default=default,
        paragraph=paragraph,
        span=written.span,
        owners=owners,
        visible_to=written.visible_to,
        wording=written.wording or "",
        quiet=written.quiet or (universe, written.name) == ("piece", draft.stack),
    )


def declare_series(draft: Draft, paragraph: str, decl: sx.ClassDecl, written: sx.Attribute) -> None:
    """`stock: number per resource`: an attribute for each value of the enumeration."""
    name, key, where = written.name, (decl.kind, written.name), word_in(written.span, written.per)
    enum = draft.enums.get(written.per)
    if enum is None:
        what = "a class" if written.per in draft.nouns else "no enumeration"
        message = f'"{written.per}" is {what}: values are kept for each of an enumeration'
        near = did_you_mean(written.per, draft.enums)
        draft.problem("series", message, where, paragraph, near, about=(written.per,))
        draft.missed.add(name)
        return
    if written.per_face or written.is_identity or written.type.parts == (sx.STACK,):
        message = f'"{name}" is kept either for each side of a counter or for each {written.per}'
        if not written.per_face:
            message = f'"{name}" follows from where pieces lie: there is one'
        draft.problem("series", message, written.span, paragraph, about=(name,))
        return
    if key in draft.attributes:
        message = f'the attribute "{name}" is one value in another class'
        draft.problem("duplicate-name", message, written.span, paragraph, about=(name,))
        return
    members = tuple(member_of(name, value) for value in enum.values)
    found = Series(*key, Type("enum", enum.name), written.wording or "", members)
    other = draft.series.setdefault(key, found)
    if other.members != found.members:
        message = f'"{name}" is kept for each {other.key} in another class'
        draft.problem("duplicate-name", message, where, paragraph, about=(name,))
        return
    many = len(draft.universes[decl.kind]) * sum(len(one.members) for one in draft.series.values())
    if many > MOST_VALUES:
        message = f"these are {many:,} values, the most is {MOST_VALUES:,}"
        draft.problem("series", message, written.span, paragraph, about=(name,))
        return
    # alternatives written on the spot are an enumeration that is called like the attribute
    resolve_type(draft, paragraph, written.type, name)
    type_ = written.type if len(written.type.parts) < 2 or name not in draft.enums else sx.Type((name,))
    told = len(draft.problems)
    for value, member in zip(enum.values, found.members, strict=True):
        worded = _worded(written.wording, value, written.type.parts == ("flag",))
        one = replace(written, name=member, type=type_, per="", wording=worded)
        declare_attribute(draft, paragraph, decl, one)
        if len(draft.problems) > told:  # what is wrong with one is wrong with all
            del draft.problems[told + 1 :]
            told = len(draft.problems)
            draft.missed.add(name)


def _worded(wording: str | None, value: str, flag: bool) -> str | None:
    """“goods in store of wool”, “has built (a harbour)”."""
    words = value.replace("_", " ")
    return f"{wording} ({words})" if wording and flag else f"{wording} of {words}" if wording else wording


def _is_declared(draft: Draft, word: str) -> bool:
    return word in draft.nouns or word in draft.enums


def _declare_stack(draft: Draft, paragraph: str, decl: sx.ClassDecl, written: sx.Attribute) -> Type:
    """`height: stack`: the engine keeps it, 1 for the lowest piece; one attribute for a whole game."""
    if decl.kind != "piece":
        draft.problem("stack", "only pieces lie in stacks", written.span, paragraph)
    elif draft.stack not in ("", written.name):
        message = f'the place in a stack is already called "{draft.stack}"'
        draft.problem(
            "stack",
            message,
            written.span,
            paragraph,
            "all classes of pieces share one attribute",
            about=(draft.stack,),
        )
    elif written.printed or written.per_face or written.default is not None or written.visible_to is not None:
        message = "the place in a stack follows from what is moved: it has no other properties"
        draft.problem("stack", message, written.span, paragraph, f"write `{written.name}: stack`")
    else:
        draft.stack = written.name
    return NUMBER


def _declare_back(draft: Draft, paragraph: str, decl: sx.ClassDecl, written: sx.Attribute) -> None:
    assert written.visible_to is not None
    if decl.kind != "piece":
        draft.problem("identity", "only pieces can lie face down", written.span, paragraph,
                      "hide a value: `plan: number visible to it`")  # fmt: skip
    elif decl.name in draft.backs:
        message = f"who knows the identity of a {decl.name} is said twice"
        draft.problem("duplicate-name", message, written.span, paragraph,
                      also=(("the other stands here", draft.backs[decl.name].span),),
                      about=(decl.name,))  # fmt: skip
    else:
        draft.backs[decl.name] = Back(written.showing, written.visible_to, paragraph, written.span)


def _quiet(draft: Draft, paragraph: str, written: sx.Attribute, previous: Attribute | None) -> None:
    """What never changes is never told, and classes that share an attribute share its silence."""
    if written.quiet and written.printed:
        message = f'"{written.name}" is printed and never changes: there is nothing to be quiet about'
        draft.problem(
            "printed-quiet", message, written.span, paragraph, "leave out `quiet`", about=(written.name,)
        )
    elif previous is not None and previous.quiet != written.quiet:
        message = f'"{written.name}" is quiet in one class and told in the log in another'
        draft.problem(
            "quiet-and-told",
            message,
            written.span,
            paragraph,
            "write `quiet` in both, or in neither",
            about=(written.name,),
        )


def undeclared_values(draft: Draft) -> None:
    """A closed world: what the data says and no rule declares is a slip of the pen."""
    for universe in ("space", "border", "piece"):
        declared = {name for (u, name) in draft.attributes if u == universe}
        reported: set[tuple[str, str]] = set()
        for entry in entries_of(draft.source, universe):
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
                if (values := draft.series.get((universe, name))) is not None:
                    message = f'"{name}" has a value for each {values.key}'
                    first = draft.enums[values.key.name].values[0]
                    draft.problem("series", message, entry.span_of(name),
                                  help=f"write `{name}: {{{first}: …}}`", about=(name, cls))  # fmt: skip
                    continue
                if name.partition(" of ")[0] in draft.missed:
                    continue  # the declaration of a series that was told
                of, _, key = name.partition(" of ")
                if key and (meant_key := nearest_word(of, COMMON_KEYS)):  # `sourcs: {terrain: estimated}`
                    message = f'no rule declares "{of}" for {cls}'
                    draft.problem("undeclared-attribute", message, entry.span_of(name),
                                  help=meant(meant_key, of), about=(of, cls))  # fmt: skip
                    continue
                near = nearest_word(name, declared)
                place = draft.attributes[universe, near].span if near else nowhere()
                draft.problem(
                    "undeclared-attribute", f'no rule declares "{name}" for {cls}', entry.span_of(name),
                    help=meant(near, name) if near else f"write `printed {name}: …` under `{cls}`",
                    also=(("the nearest name stands here", word_in(place, near)),) if place.file.text else (),
                    about=(name, cls),
                )  # fmt: skip
                draft.missed.add(name)
                if near in draft.lacking:  # nothing has the one, nobody declares the other: one slip
                    draft.problems.remove(draft.lacking.pop(near))


def clockwise(source: GameSource) -> tuple[str, ...]:
    """The directions of a grid in the order in which one turns."""
    return tuple(d for d in CLOCKWISE if source.map is not None and d in source.map.directions)
