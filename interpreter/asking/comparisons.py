"""Comparisons as true sentences about the things at hand: “Guards’ owner is Red, not Blue”."""

from __future__ import annotations

from typing import Any

from interpreter.asking.about_things import MOST_NAMES, Env, Words, piece_at
from rulesdsl import program as pg
from rulesdsl.language import syntax as sx
from rulesdsl.speaking.english import is_plural_word, is_several
from rulesdsl.speaking.predicates import Said
from rulesdsl.speaking.say.expressions import CONTRARY


def compared(words: Words, e: pg.CompareE, holds: bool, env: Env) -> str:
    """What a comparison found, whether it holds or not."""
    ours, theirs = words.value(e.left, env), words.value(e.right, env)
    if e.op in ("=", "!="):
        return _alike(words, e, (ours, theirs), holds == (e.op == "="), env)
    verb = words.speaker.compared(e.op if holds else CONTRARY[e.op], _plural(e.left))
    return f"{_measured(words, e.left, ours, env)} {verb} {_measured(words, e.right, theirs, env)}"


def is_so(subject: Said) -> str:
    return f"{subject.words} {'are' if subject.many else 'is'}"


def _alike(words: Words, e: pg.CompareE, values: tuple[Any, Any], same: bool, env: Env) -> str:
    left, right, (ours, theirs) = e.left, e.right, values
    shown, wanted = words.show(left.type, ours), words.show(right.type, theirs)
    named = isinstance(right, (pg.Const, pg.VarGet))
    nothing = left.type.kind in ("thing", "enum") and theirs == -1
    piece = piece_at(left)
    if piece is not None:
        subject = is_so(words.about(piece, env))
        if ours == -1:
            return f"{subject} not on the map"
        return f"{subject} in {shown}" + ("" if same or nothing else f", not in {wanted}")
    match left:
        case pg.SettingGet():
            return f"{words.noun(left, env)} is “{shown}”" + ("" if same else f", not “{wanted}”")
        case pg.AttrGet(attribute=attribute, of=of) if ours == -1 and (nothing or left.type.kind == "thing"):
            owner, kind = words.about(of, env), words.speaker.names.attribute(attribute.name)
            return f"{owner.words} {'have' if owner.many else 'has'} no {kind}"
        case pg.AttrGet(of=of) if _adjective(e.source):
            return f"{is_so(words.about(of, env))} {shown if same else f'{shown}, not {wanted}'}"
        case pg.Const() | pg.VarGet():
            other = wanted if named or nothing else words.noun(right, env)
            other += "" if same or other == wanted else f" ({wanted})"
            return f"{is_so(words.about(left, env))}{'' if same else ' not'} {other}"
    head = words.noun(left, env)
    be = "are" if _plural(left) else "is"
    if same and not named:
        return f"{head} and {words.noun(right, env)} are both {shown}"
    if same or nothing:
        return f"{head} {be} {shown}"
    return f"{head} {be} {shown}, " + (f"not {wanted}" if named else f"{words.noun(right, env)} is {wanted}")


def _adjective(source: sx.Node | None) -> bool:
    """`soviet units`, `unit is soviet`: the attribute goes without saying."""
    match source:
        case sx.Is(subject=subject):
            return not isinstance(subject, sx.Attr)
        case _:
            return not isinstance(source, sx.Compare)


def _measured(words: Words, e: pg.E, value: Any, env: Env) -> str:
    noun, shown = words.noun(e, env), words.show(e.type, value)
    if isinstance(e, pg.CountE) and e.group.type.kind == "set" and value in range(1, MOST_NAMES + 1):
        shown = f"{shown}: {words.show(e.group.type, words.value(e.group, env))}"
    return noun if noun == shown else f"{noun} ({shown})"


def _plural(e: pg.E) -> bool:
    """`places_left(player)`: the places left are."""
    match e:
        case pg.AttrGet(attribute=attribute):
            return is_several(attribute.name)
        case pg.CallE(define=name) | pg.QuantityE(quantity=name):
            return is_plural_word(name.rpartition(".")[2].split("_")[0])
        case pg.TrackGet(track=name) | pg.FieldGet(field=name):
            return is_several(name)
        case _:
            return False
