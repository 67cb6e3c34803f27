"""Comparisons as true sentences about the things at hand: “Guards’ owner is Red, not Blue”."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from interpreter.asking.about_things import MOST_NAMES, Env, Words, piece_at
from rulesdsl import program as pg
from rulesdsl.language import syntax as sx
from rulesdsl.speaking.clauses.tree import Clause, Thing, simple
from rulesdsl.speaking.english import is_plural_word, is_several
from rulesdsl.speaking.names import Names
from rulesdsl.speaking.say.expressions import COMPARED, CONTRARY


def compared(words: Words, e: pg.CompareE, holds: bool, env: Env) -> Clause:
    """What a comparison found, whether it holds or not."""
    ours, theirs = words.value(e.left, env), words.value(e.right, env)
    if e.op in ("=", "!="):
        return _alike(words, e, (ours, theirs), holds == (e.op == "="), env)
    than = COMPARED[e.op if holds else CONTRARY[e.op]]
    measured = _measured(words, e.left, ours, env)
    return simple(measured, "is", than, _measured(words, e.right, theirs, env))


def _alike(words: Words, e: pg.CompareE, values: tuple[Any, Any], same: bool, env: Env) -> Clause:
    left, right, (ours, theirs) = e.left, e.right, values
    shown, wanted = words.show(left.type, ours), words.show(right.type, theirs)
    named = isinstance(right, (pg.Const, pg.VarGet))
    nothing = left.type.kind in ("thing", "enum") and theirs == -1
    piece = piece_at(left)
    if piece is not None:
        subject = words.about(piece, env)
        if ours == -1:
            return simple(subject, "is", "on the map", negated=True)
        return simple(subject, "is", "in", shown + ("" if same or nothing else f", not in {wanted}"))
    match left:
        case pg.SettingGet():
            found = f"“{shown}”" + ("" if same else f", not “{wanted}”")
            return simple(Thing(words.noun(left, env)), "is", "", found)
        case pg.AttrGet(attribute=attribute, of=of) if ours == -1 and (nothing or left.type.kind == "thing"):
            kind = words.speaker.names.attribute(attribute.name)
            return simple(words.about(of, env), "has", "no", kind)
        case pg.AttrGet(of=of) if _adjective(e.source):
            return simple(words.about(of, env), "is", "", shown if same else f"{shown}, not {wanted}")
        case pg.Const() | pg.VarGet():
            other = wanted if named or nothing else words.noun(right, env)
            other += "" if same or other == wanted else f" ({wanted})"
            return simple(words.about(left, env), "is", "", other, negated=not same)
        case _:
            pass  # said as a measure, below
    head = replace(words.measured(left, env), many=_plural(words.speaker.names, left))
    if same and not named:
        both = Thing(f"{head.words} and {words.noun(right, env)}", many=True)
        return simple(both, "is", "both", shown)
    if same or nothing:
        return simple(head, "is", "", shown)
    if named:
        return simple(head, "is", "", f"{shown}, not {wanted}")
    return simple(head, "is", "", f"{shown}, {words.noun(right, env)} is {wanted}")


def _adjective(source: sx.Node | None) -> bool:
    """`soviet units`, `unit is soviet`: the attribute goes without saying."""
    match source:
        case sx.Is(subject=subject):
            return not isinstance(subject, sx.Attr)
        case _:
            return not isinstance(
                source, sx.Compare | sx.TailOf
            )  # `units of player`: which of theirs is told


def _measured(words: Words, e: pg.E, value: Any, env: Env) -> Thing:
    """What is compared, with its value: “Guards’ strength (3)”."""
    thing, shown = (
        replace(words.measured(e, env), many=_plural(words.speaker.names, e)),
        words.show(e.type, value),
    )
    if isinstance(e, pg.CountE) and e.group.type.kind == "set" and value in range(1, MOST_NAMES + 1):
        shown = f"{shown}: {words.show(e.group.type, words.value(e.group, env))}"
    if thing.words == shown:
        return thing
    return replace(thing, words=f"{thing.words} ({shown})", owned=f"{thing.owned} ({shown})")


def _plural(names: Names, e: pg.E) -> bool:
    """`places_left(player)`: the places left are."""
    match e:
        case pg.AttrGet(attribute=attribute):
            return names.is_several(attribute.name)
        case pg.CallE(define=name) | pg.QuantityE(quantity=name):
            return names.is_several(name) or is_plural_word(name.rpartition(".")[2].split("_")[0])
        case pg.TrackGet(track=name) | pg.FieldGet(field=name):
            return is_several(name)
        case _:
            return False
