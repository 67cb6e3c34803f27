"""Things, values of enumerations, sets and texts."""

from __future__ import annotations

import re

from rulesdsl.program.types import Type, set_of, thing
from tests.fuzzing.talk import (
    AND,
    ATOM,
    COMPARISON,
    NOUNS,
    OR,
    Talk,
    Text,
    arguments,
    at,
    attribute_of,
    called,
    lookup,
    same,
)

_NAMED = re.compile(r"\w+( \d+)?(\.\w+)*")


def thing_of(talk: Talk, universe: str, of: str, depth: int) -> Text:
    """One thing of a class (or of any, when `of` is empty); it may turn out to be none."""
    book, luck = talk.book, talk.book.luck
    wanted = thing(universe, of)
    fits = same(wanted)
    words = [v.name for v in talk.variables(fits)]
    if words and luck.random() < 0.6:
        return luck.choice(words), ATOM
    ways: list[Text | None] = []
    tracks = [t.name for t in talk.tracks(fits)]
    fields = [
        f"{record}.{part.name}"
        for record, parts in book.records.items()
        for part in parts
        if fits(part.type) and (talk.secret or not part.secret)
    ]
    if tracks or fields:
        ways.append((luck.choice([*tracks, *fields]), ATOM))
    if depth > 0:
        roll = luck.random()
        if roll < 0.3:
            ways.append(attribute_of(talk, fits, depth))
        elif roll < 0.45:
            ways.append(_the(talk, universe, of, depth))
        elif roll < 0.6:
            ways.append(called(talk, ("define",), fits, depth - 1))
        elif roll < 0.7:
            ways.append(_either(talk, universe, of, depth))
        elif universe == "player":
            ways.append((f"opponent({at(thing_of(talk, 'player', '', depth - 1), OR)})", ATOM))
        elif universe == "space" and not of:
            ways.append(_place(talk, depth))
        elif universe == "border":
            one, other = (thing_of(talk, "space", "", depth - 1) for _ in range(2))
            ways.append((f"border_between({at(one, OR)}, {at(other, OR)})", ATOM))
    found = [way for way in ways if way is not None]
    if found and luck.random() < 0.8:
        return luck.choice(found)
    ids = [one for one in book.ids(universe, of) if one not in {v.name for v in talk.known}]
    if ids:
        return luck.choice(ids), ATOM
    if words:
        return luck.choice(words), ATOM
    return _the(talk, universe, of, 0)


def _the(talk: Talk, universe: str, of: str, depth: int) -> Text:
    from tests.fuzzing.phrases import phrase_of

    if universe == "token" and not talk.secret:
        return talk.book.luck.choice(talk.book.tokens), ATOM
    return f"the {phrase_of(talk, universe, of, depth - 1)}", OR


def _either(talk: Talk, universe: str, of: str, depth: int) -> Text:
    from tests.fuzzing.truths import truth

    one, other = (thing_of(talk, universe, of, depth - 1) for _ in range(2))
    test = truth(talk, depth - 1)
    return f"if {at(test, OR)} then {at(one, COMPARISON)} else {at(other, COMPARISON)}", OR


def _place(talk: Talk, depth: int) -> Text:
    if talk.book.pieces and talk.book.maybe(0.6):
        return f"{at(thing_of(talk, 'piece', '', depth - 1), ATOM)}.at", ATOM
    border = thing_of(talk, "border", "", depth - 1)
    return f"other_end({at(border, OR)}, {at(thing_of(talk, 'space', '', depth - 1), OR)})", ATOM


def enumerated(talk: Talk, name: str, depth: int) -> Text:
    """A value of an enumeration."""
    book, luck = talk.book, talk.book.luck
    fits = same(Type("enum", name))
    words = [v.name for v in (*talk.variables(fits), *talk.tracks(fits))]
    words += [s.name for s in book.settings if fits(s.type)]
    ways: list[Text | None] = [(luck.choice(words), ATOM)] if words else []
    if depth > 0:
        ways += [
            attribute_of(talk, fits, depth),
            called(talk, ("define", "quantity"), fits, depth - 1),
            lookup(talk, Type("enum", name), depth),
        ]
        if name == "direction" and luck.random() < 0.5:
            one, other = (thing_of(talk, "space", "", depth - 1) for _ in range(2))
            ways.append((f"direction_from({at(one, OR)}, {at(other, OR)})", ATOM))
    found = [way for way in ways if way is not None]
    if found and luck.random() < 0.75:
        return luck.choice(found)
    return luck.choice(book.enums[name]), ATOM


def group(talk: Talk, universe: str, of: str, depth: int) -> Text:
    """A set of things."""
    from tests.fuzzing.phrases import phrase_of

    book, luck = talk.book, talk.book.luck
    if universe == "token" and not talk.secret:
        return luck.choice(book.tokens), ATOM
    fits = same(set_of(universe, of))
    words = [v.name for v in (*talk.variables(fits), *talk.tracks(fits))]
    words += [
        luck.choice([f"{record}.{part.name}", part.name])
        for record, parts in book.records.items()
        for part in parts
        if fits(part.type) and (talk.secret or not part.secret)
    ]
    ways: list[Text | None] = [(luck.choice(words), ATOM)] * 2 if words else []
    if depth > 0:
        ways += [(phrase_of(talk, universe, of, depth - 1, many=True), NOUNS)] * 3
        ways.append(called(talk, ("define",), fits, depth - 1))
        roll = luck.random()
        if roll < 0.15:
            ways += [_listed(talk, universe, of, depth)] * 3
        elif roll < 0.3:
            one, other = (group(talk, universe, of, depth - 1) for _ in range(2))
            ways.append((f"union({at(one, NOUNS)}, {at(other, NOUNS)})", ATOM))
        elif universe == "space" and roll < 0.8:
            ways += [_route(talk, depth)] * 3
            ways += [_some_spaces(talk, depth)] * (0 if of else 2)
        elif universe == "piece" and not of and book.groups:
            noun = luck.choice(list(book.groups))
            ways.append((f"{at(thing_of(talk, noun, '', depth - 1), ATOM)}.members", ATOM))
        elif roll < 0.5:
            ways.append(attribute_of(talk, fits, depth))
    found = [way for way in ways if way is not None]
    if found and luck.random() < 0.9:
        return luck.choice(found)
    return book.noun(universe, of, many=True), ATOM


def _listed(talk: Talk, universe: str, of: str, depth: int) -> Text | None:
    """`(a, b and c)`, `a and b`: things by their names."""
    found = [
        at(thing_of(talk, universe, of, depth - 1), ATOM) for _ in range(talk.book.luck.choice([2, 3, 3]))
    ]
    if len(found) > 2:
        return f"({', '.join(found[:-1])} and {found[-1]})", ATOM
    return (" and ".join(found), AND) if all(_NAMED.fullmatch(one) for one in found) else None


def _route(talk: Talk, depth: int) -> Text | None:
    routes = talk.sayings("route")
    if not routes:
        return None
    route = talk.book.luck.choice(routes)
    return f"{route.name}{arguments(talk, route, depth - 1)}", ATOM


def _some_spaces(talk: Talk, depth: int) -> Text:
    luck = talk.book.luck
    if talk.book.pieces and luck.random() < 0.5:
        return f"spaces_of({at(group(talk, 'piece', '', depth - 1), NOUNS)})", ATOM
    if talk.book.form != "areas" and luck.random() < 0.5:
        one, other = (thing_of(talk, "space", "", depth - 1) for _ in range(2))
        return f"line({at(one, OR)}, {at(other, OR)})", ATOM
    return f"ends_of({at(thing_of(talk, 'border', '', depth - 1), OR)})", ATOM


def text(talk: Talk) -> Text:
    found = attribute_of(talk, lambda t: t.kind == "text", 1)
    luck = talk.book.luck
    if found is not None and luck.random() < 0.6:
        return found
    return f'"{luck.choice(["left", "right", "", "decide(", "x y", "ä – ß"])}"', ATOM
