"""Meanings as sentences: when “a unit is ready”, what “the defenders of a zone” are."""

from __future__ import annotations

from rulesdsl.language import syntax as sx
from rulesdsl.language.conventions import INVARIANT
from rulesdsl.speaking.blocks import Item
from rulesdsl.speaking.clauses.tree import Marked, Together
from rulesdsl.speaking.clauses.words import words
from rulesdsl.speaking.english import article, in_words, listed, whose
from rulesdsl.speaking.inline import capital, plain, strong
from rulesdsl.speaking.say.expressions import Speaker, thing_of

LONG = 110  # letters: a longer condition becomes a list
_ALL = {"and": "all of these hold", "or": "one of these holds"}


def say_meaning(speaker: Speaker, node: sx.Define) -> Item:
    """A meaning: a condition is said of “a unit”, “a zone”; a value is that of “a unit”, “a zone”."""
    names = speaker.names
    define = names.program.defines[node.name]
    params = introduced(speaker, node.params)
    if define.type.kind == "flag":
        of = [thing_of(v.type, said) for v, said in zip(define.params, params, strict=True)]
        head = words(speaker.tell(node.name, of, Marked(strong=True)))
        if not params and node.name.startswith(INVARIANT):
            kept = strong(in_words(node.name.removeprefix(INVARIANT)))
            return under_conditions(speaker, f"it always holds ({kept}) that", node.cases[0].value)
        if len(node.cases) == 1:
            return under_conditions(speaker, f"{head} when", node.cases[0].value)
        return Item(f"{capital(head)}:", tuple(_case(speaker, c) for c in node.cases), ordered=True)
    be = "are" if names.is_several(node.name) else "is"
    called = names.worded_value(node.name, params)
    named = f"{called} ({strong(in_words(node.name))})" if called else ""
    head = f"{named or f'the {value_of(node.name, strong(in_words(node.name)), params)}'} {be}"
    if len(node.cases) == 1:
        return Item(capital(f"{head} {speaker.say(node.cases[0].value)}."))
    cases = tuple(
        Item(
            f"{capital(speaker.condition(case.condition, 'if').strip()) or 'Otherwise'}:"
            f" {speaker.say(case.value)}."
        )
        for case in node.cases
    )
    return Item(f"{capital(head)}:", cases, ordered=True)


def _case(speaker: Speaker, case: sx.Case) -> Item:
    """One case of a condition: “If the unit is wounded: when the zone is a hospital.”"""
    terms = capital(speaker.condition(case.condition, "if").strip()) or "Otherwise"
    if case.value in (sx.Name("true"), sx.Name("false")):
        return Item(f"{terms}: {'always' if case.value == sx.Name('true') else 'never'}.")
    return under_conditions(speaker, f"{terms}: when", case.value)


def introduced(speaker: Speaker, params: tuple[sx.Param, ...]) -> list[str]:
    """`a unit`, `a zone (“near”)`: parameters when they are first met."""
    shown = []
    for param in params:
        if param.type is None or not param.type.parts:
            called = in_words(param.name)
            shown.append(f"some {called}" if speaker.is_plural(param.name) else article(called))
        elif param.name in ("here", "there"):
            shown.append(speaker.names.value(param.name))
        else:
            kind = in_words(param.type.parts[0])
            several = param.type.is_set or speaker.is_plural(param.type.parts[0])
            called = f"some {kind}" if several else article(kind)
            shown.append(f"{called} (“{in_words(param.name)}”)" if kind != param.name else called)
    return shown


def value_of(name: str, shown: str, params: list[str]) -> str:
    """“strength of a unit”, “defenders of a zone and a side”"""
    if not params:
        return shown
    return f"{shown} {whose(name)}{listed(params)}"


def under_conditions(speaker: Speaker, head: str, expr: sx.Expr) -> Item:
    """A sentence with a condition; when it is long, what must hold stands below it, one thing a line."""
    clause = speaker.clause(expr)
    text = words(clause)
    if not isinstance(clause, Together) or len(plain(text)) <= LONG:
        return Item(f"{capital(head)} {text}.")
    return Item(f"{capital(head)} {_ALL[clause.op]}:", _parts(clause))


def _parts(clause: Together) -> tuple[Item, ...]:
    made = []
    for part in clause.parts:
        text = words(part)
        if isinstance(part, Together) and len(plain(text)) > LONG:
            made.append(Item(f"{capital(_ALL[part.op])}:", _parts(part)))
        else:
            made.append(Item(f"{capital(text)}."))
    return tuple(made)
