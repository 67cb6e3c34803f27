"""Noun phrases: adjectives, a noun, and tails that narrow it."""

from __future__ import annotations

import re

from rulesdsl.program.types import Type, thing
from tests.fuzzing.book import Variable
from tests.fuzzing.talk import ATOM, NOUNS, OR, SUM, Talk, at, say

_NAMED = re.compile(r"[A-Za-z_]\w*( \d+)?(\.\w+)*")


def any_phrase(talk: Talk, depth: int) -> tuple[str, Type]:
    """A phrase about anything, and the type of its members."""
    book, luck = talk.book, talk.book.luck
    choices = [("space", cls) for cls in book.spaces] * 2 + [("piece", cls) for cls in book.pieces] * 3
    choices += [("border", ""), ("player", "")]
    choices += [("piece", "")] if book.pieces else []
    if book.groups:
        choices += [(noun, "") for noun in book.groups]
    if book.tokens and talk.secret:
        choices.append(("token", ""))
    universe, of = luck.choice(choices)
    return phrase_of(talk, universe, of, depth), thing(universe, of)


def member(talk: Talk, of: Type, secret: bool = False) -> Variable:
    return Variable("it", of, secret)


def phrase_of(
    talk: Talk, universe: str, of: str, depth: int, many: bool = False, alias: str = "", wide: bool = False
) -> str:
    """A phrase about things of a class. `many`: in the plural; `alias`: the name its members get; `wide`:
    rather more of them than less."""
    book, luck = talk.book, talk.book.luck
    role = _role(talk, universe, of)
    hidden = {v.name for v in talk.known}
    noun = book.noun(universe, of, many or (alias != "" and luck.random() < 0.4))
    if role and role not in hidden and role[:-1] not in hidden and luck.random() < 0.3:
        noun = role if many else role[:-1]
    words = [noun]
    if depth > 0 and luck.random() < 0.25:
        words = [*_adjectives(talk, universe, of), *words]
    tails: list[str] = []
    if wide and luck.random() < 0.5:
        return " ".join([*words, *([f"as {alias}"] if alias else [])])
    if depth > 0:
        tails += _place_tails(talk, universe, depth)
        if luck.random() < 0.15:
            tails.append(f"{luck.choice(['among', 'except'])} {_group(talk, universe, of, depth)}")
        if luck.random() < 0.12:
            tails.append(_extreme(talk, universe, of, depth))
    if depth > 0:
        tails += _that_tails(talk, universe, of, depth)
    if alias:
        first = 1 if tails and tails[0].startswith("adjacent") else 0  # a relation follows its noun at once
        tails.insert(luck.randint(first, len(tails)), f"as {alias}")
    if depth > 0 and luck.random() < 0.6:
        tails.append(f"where {_condition(talk, universe, of, depth, alias)}")
    return " ".join([*words, *tails])


def _role(talk: Talk, universe: str, of: str) -> str:
    """The field of a record that gives a role noun: `attackers`, of which one is an `attacker`."""
    found = [
        part.name
        for parts in talk.book.records.values()
        for part in parts
        if part.type.kind == "set" and (part.type.name, part.type.of) == (universe, of)
        and (talk.secret or not part.secret)
    ]  # fmt: skip
    return talk.book.luck.choice(found) if found else ""


def _adjectives(talk: Talk, universe: str, of: str) -> list[str]:
    words = [
        a.name
        for a in talk.attributes(lambda t: t.kind == "flag")
        if a.universe == universe and (not of or a.owner in ("", of))
    ]
    words += [
        s.name
        for s in talk.sayings("define")
        if s.type.kind == "flag"
        and len(s.params) == 1
        and s.params[0].type.kind == "thing"
        and s.params[0].type.name == universe
        and (not of or s.params[0].type.of in ("", of))
    ]
    return [talk.book.luck.choice(words)] if words else []


def _group(talk: Talk, universe: str, of: str, depth: int) -> str:
    from tests.fuzzing.things import group, thing_of

    if talk.book.maybe(0.2):
        return at(thing_of(talk, universe, of, depth - 1), ATOM)
    return at(group(talk, universe, of, depth - 1), ATOM)


def _place_tails(talk: Talk, universe: str, depth: int) -> list[str]:
    from tests.fuzzing.things import group, thing_of

    luck = talk.book.luck
    if luck.random() < 0.5:
        return []

    def place() -> str:
        if luck.random() < 0.25:
            return at(group(talk, "space", "", depth - 1), ATOM)
        return at(thing_of(talk, "space", "", depth - 1), ATOM)

    match universe:
        case "piece":
            return [luck.choice([f"in {place()}", f"adjacent to {place()}"])]
        case "space":
            return [luck.choice([f"adjacent to {place()}", f"nearest to {place()}"])]
        case "border":
            return [f"between {place()} and {place()}"]
        case _:
            return []


def _that_tails(talk: Talk, universe: str, of: str, depth: int) -> list[str]:
    """`of red`, `that is not tired`, `that may_strike zone`."""
    from tests.fuzzing.things import thing_of
    from tests.fuzzing.truths import describe

    luck = talk.book.luck
    tails: list[str] = []
    owners = [
        a
        for a in talk.book.attributes
        if a.universe == universe
        and a.owner in ("", of)
        and a.type.kind == "thing"
        and a.type.name == "player"
    ]
    if of and len(owners) == 1 and (talk.secret or not owners[0].secret) and luck.random() < 0.25:
        tails.append(f"of {at(thing_of(talk, 'player', '', depth - 1), ATOM)}")
    roll = luck.random()
    verbs = [
        s
        for s in talk.sayings("define")
        if s.form == "verb" and s.params[0].type.name == universe and s.params[0].type.of in ("", of)
    ]
    if roll < 0.2:
        inside = talk.with_(Variable("it", thing(universe, of)))
        said = describe(inside, ("it", ATOM), thing(universe, of), depth - 1)[0].removeprefix("it ")
        tails += [] if " or " in said else [f"that {said}"]  # (a choice of two needs the whole sentence)
    elif roll < 0.7 and verbs:
        verb = luck.choice(verbs)
        words = [luck.choice(["that", "that does not"]), verb.name]
        words += [_object(at(say(talk, param.type, depth - 1), NOUNS)) for param in verb.params[1:]]
        tails.append(" ".join(words))
    return tails


def _object(text: str) -> str:
    """What a verb is about is named; anything else stands in brackets."""
    return text if _NAMED.fullmatch(text) else f"({text})"


def _extreme(talk: Talk, universe: str, of: str, depth: int) -> str:
    from tests.fuzzing.numbers import number

    value = number(talk.with_(Variable("it", thing(universe, of))), depth - 1)
    return f"with {talk.book.luck.choice(['least', 'greatest'])} {at(value, SUM)}"


def _condition(talk: Talk, universe: str, of: str, depth: int, alias: str) -> str:
    from tests.fuzzing.truths import truth, truth_about

    inside = talk.with_(Variable("it", thing(universe, of)))
    if alias:
        inside = inside.with_(Variable(alias, thing(universe, of)))
    if talk.book.maybe(0.75):
        return at(truth_about(inside, Variable("it", thing(universe, of)), depth - 1), OR)
    return at(truth(inside, depth - 1), OR)
