"""What a rule calls its own things: conditions it lets hold, and adjectives that want a noun.

`for each zone (near)` and `let caught = stones that …` name things by adjectives. A reader is told “the near
zone” and “the caught stones”: the noun is that of the class, as the rule said where it gave the name.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulesdsl.language import syntax as sx
from rulesdsl.program.types import Type
from rulesdsl.speaking.english import in_words, is_adjective, is_deed
from rulesdsl.speaking.names import Names

NUMBER, SPACES = "number", "spaces"  # nouns that stand before what tells which: “the number rolled”
_CONDITIONS = (sx.Is, sx.Compare, sx.Logic, sx.Not, sx.Some, sx.NoneOf, sx.Every, sx.EveryIs)


def facts_let(names: Names, node: sx.Rule) -> frozenset[str]:
    """Names that a rule gives to conditions, or to what is handed to it: they hold or do not, they are no
    things."""
    return frozenset(
        part.name
        for part in sx.walk(node)
        if (isinstance(part, sx.Param) and part.type is not None and part.type.parts == ("flag",))
        or (isinstance(part, sx.Let) and _is_condition(names, part.value))
    )


def _is_condition(names: Names, value: sx.Expr) -> bool:
    program = names.program
    match value:
        case sx.Call(name=name) if name in program.actions:
            return True
        case sx.Call(name=name) | sx.Attr(name=name):
            return name in (*program.defines, *names.flags) and names.is_flag(name)
        case _:
            return isinstance(value, _CONDITIONS)


def nouns_let(names: Names, node: sx.Rule) -> dict[str, str]:
    """Adjectives that a rule gives as names → the noun they are said with."""
    return {name: noun for name, noun in _given(names, node) if is_adjective(name) and noun}


def _given(names: Names, node: sx.Rule) -> Iterator[tuple[str, str]]:
    for part in sx.walk(node):
        match part:
            case sx.Param(name=name, type=sx.Type(parts=(noun, *_))) if noun in names.world.nouns:
                yield name, noun
            case sx.NounPhrase(words=(*_, noun), tails=tails) if noun in names.world.nouns:
                for tail in tails:
                    if isinstance(tail, sx.TailAs):
                        yield tail.name, noun
            case sx.Let(name=name, value=value):
                yield name, _noun_of(names, value)
            case sx.Roll(name=name):
                yield name, NUMBER
            case _:
                pass


def called_by(name: str, noun: str) -> str:
    """“near zone”, but “number rolled”, “spaces reached”"""
    words = in_words(name)
    after = noun in (NUMBER, SPACES) and is_deed(name)
    return f"{noun} {words}" if after else f"{words} {in_words(noun)}"


def _noun_of(names: Names, value: sx.Expr) -> str:
    match value:
        case sx.NounPhrase(words=(*_, noun)) | sx.The(sx.NounPhrase(words=(*_, noun))):
            return noun if noun in names.world.nouns else ""
        case sx.Number() | sx.NumberOf() | sx.SumOf() | sx.Arithmetic():
            return NUMBER
        case sx.Call(name=name) if name in names.program.routes:
            return SPACES
        case sx.Call(name=name) if name in names.program.defines:
            return names.noun_of(names.program.defines[name].type)
        case sx.Attr(name=name):
            types: set[Type] = {a.type for (_, n), a in names.world.attributes.items() if n == name}
            return names.noun_of(types.pop()) if len(types) == 1 else ""
        case _:
            return ""
