"""Declarations as sentences: what exists, what can be set."""

from __future__ import annotations

from typing import assert_never

from rulesdsl.language import syntax as sx
from rulesdsl.speaking.blocks import Item
from rulesdsl.speaking.english import article, in_words, listed
from rulesdsl.speaking.inline import capital, said, strong
from rulesdsl.speaking.say.expressions import Speaker

_KINDS = {
    "space": "a kind of space on the map", "piece": "a kind of piece",
    "border": "what lies between two spaces",    "player": "somebody who plays", "token": "a kind of token",
}  # fmt: skip


def say_component(speaker: Speaker, node: sx.Component) -> Item:
    match node:
        case sx.Enumeration(name, values, ordered):
            joint = "in this order" if ordered else "one of"
            return Item(
                f"{strong(capital(in_words(name)))}: {joint} {listed([in_words(v) for v in values], 'or')}."
            )
        case sx.ClassDecl(name=name, attributes=(only,), said=True):
            whose = capital(article(in_words(name)))
            if only.type.parts == ("flag",) and only.default is None and not only.per:
                so = f" (it {only.wording})" if only.wording else ""
                told = f"{_seen(speaker, only.visible_to)}{_told(only.quiet)}"
                return Item(f"{whose} may be {strong(in_words(only.name))}{so}{told}.")
            return Item(f"{whose} has {_attribute(speaker, only)}")
        case sx.ClassDecl(kind, name, _, attributes):
            head = f"{strong(capital(article(in_words(name))))} is {_KINDS.get(kind, in_words(kind))}"
            inside = tuple(Item(_attribute(speaker, a)) for a in attributes)
            return Item(f"{head}; it has:" if inside else f"{head}.", inside)
        case sx.GroupDecl(name, piece, attribute):
            made = f"of every {in_words(piece)} with the same {in_words(attribute)}"
            return Item(f"{strong(capital(article(in_words(name))))} is made {made}.")
        case sx.TrackDecl(name, type_, default, visible_to, quiet, wording):
            begins = f", at first {speaker.say(default)}" if default is not None else ""
            return Item(
                f"The game keeps {_kept(name, type_, wording)}: {type_words(type_)}{begins}"
                f"{_seen(speaker, visible_to)}{_told(quiet)}."
            )
        case sx.RecordDecl(name, fields):
            inside = tuple(
                Item(in_words(f.name) + (f": {_one(speaker, f.type)}." if f.type is not None else "."))
                for f in fields
            )
            return Item(f"{strong(capital(article(in_words(name))))} consists of:", inside)
        case sx.Reading(name, alternatives, default, reason):
            others = [in_words(a) for a in alternatives if a != default]
            also = f" (could also be read as {listed(others, 'or')})" if others else ""
            return Item(
                f"{strong(capital(in_words(name)))} is read as {strong(in_words(default))}"
                f"{also}{_why(reason)}."
            )
        case sx.Option(name, type_, default, reason):
            known = f"{strong(capital(in_words(name)))} may be agreed on: {type_words(type_)}"
            return Item(f"{known}, normally {speaker.say(default)}{_why(reason)}.")
        case sx.Parameter(name, value, reason):
            return Item(f"{strong(capital(in_words(name)))} is {speaker.say(value)}{_why(reason)}.")
        case _:
            assert_never(node)


def _kept(name: str, type_: sx.Type, wording: str | None) -> str:
    """What the game keeps, as the rulebook words it: “the turn of the storm”, “whether hearts are broken”."""
    called = f"“{strong(in_words(name))}”"
    if not wording:
        return called
    if type_.parts == ("flag",):
        return f"whether {said(wording)} ({called})"
    return f"the {said(wording).removeprefix('the ')} ({called})"


def type_words(type_: sx.Type) -> str:
    if type_.is_set:
        return f"some {in_words(type_.parts[0])}"
    numbers = [] if type_.low is None else [f"{type_.low} to {type_.high}"]
    words = [
        {"flag": "yes or no", "number": "a number", "text": "a word"}.get(p, in_words(p)) for p in type_.parts
    ]
    return listed([*numbers, *words], "or")


def _one(speaker: Speaker, type_: sx.Type) -> str:
    """The type of a part: a class with its article."""
    classes = (*speaker.names.nouns(), "player")
    words = type_words(type_)
    return article(words) if not type_.is_set and words in classes else words


def _attribute(speaker: Speaker, attribute: sx.Attribute) -> str:
    if attribute.is_identity:
        shows = listed([in_words(name) for name in attribute.showing], "and")
        others = f"; to the others it shows {shows} only" if shows else "; the others see that there is one"
        return f"{strong('identity')}: which one it is{_seen(speaker, attribute.visible_to)}{others}."
    if attribute.type.parts == (sx.STACK,):
        return f"{strong(in_words(attribute.name))}: how high it lies in its stack, 1 is the lowest."
    printed = ", printed" + (" on each face" if attribute.per_face else "") if attribute.printed else ""
    default = f", at first {speaker.say(attribute.default)}" if attribute.default is not None else ""
    called = strong(in_words(attribute.name))
    if attribute.wording and attribute.type.parts != ("flag",):
        called = f"{said(attribute.wording).removeprefix('the ')} (“{called}”)"
    per = f" for each {in_words(attribute.per)}" if attribute.per else ""
    name = f"{called}: {type_words(attribute.type)}{per}"
    return f"{name}{printed}{default}{_seen(speaker, attribute.visible_to)}{_told(attribute.quiet)}."


def _seen(speaker: Speaker, who: sx.Expr | None) -> str:
    return "" if who is None else f", to be seen by {speaker.say(who)} only"


def _told(quiet: bool) -> str:
    return " (the log does not tell of it)" if quiet else ""


def _why(reason: str | None) -> str:
    return f" — {said(reason)}" if reason else ""
