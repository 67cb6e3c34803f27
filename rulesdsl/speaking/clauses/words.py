"""Clauses as words: the one place where a tree becomes a (marked) text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from rulesdsl.speaking.clauses.filling import determined, filled
from rulesdsl.speaking.clauses.tree import (
    Aside,
    Because,
    Clause,
    ForEvery,
    Simple,
    Then,
    Thing,
    Together,
    Under,
    Whole,
)
from rulesdsl.speaking.inline import link, plain, strong

# What “which” stands behind when it comes first; not “than” or “as”, and not “of”, whose noun stays behind.
_PREPOSITIONS = ("in", "on", "from", "to", "at", "for", "into")
_GOES_ON = ("’", " if ", " when ")
_MODALS = ("may", "can", "could", "must")
_NEVER, _EVERYBODY = " never ", "everybody "


def words(clause: Clause) -> str:
    """A clause as part of a sentence, with marks."""
    match clause:
        case Simple():
            return _simple(clause)
        case Together(op, parts):
            return f" {op} ".join(_joined(part, op) for part in parts)
        case ForEvery(members, inner, negated):
            return f"{'not ' if negated else ''}for every {members}, {words(inner)}"
        case Whole(text, negated):
            return f"it is not so that {text}" if negated else text
        case Because(inner, reasons):
            return f"{words(inner)}, because {' and '.join(words(reason) for reason in reasons)}"
        case Aside(inner, aside):
            shown = aside if isinstance(aside, str) else "; ".join(words(part) for part in aside)
            return f"{words(inner)} ({shown})"
        case Under(name, inner):
            return f"{name}: {words(inner)}"
        case Then(moment, Because(Simple() as inner, reasons)):
            return words(Because(Whole(f"{words(inner)} after {moment}"), reasons))
        case Then(moment, Simple() as inner):
            return f"{words(inner)} after {moment}"
        case Then(moment, inner):
            return f"after {moment} it is so that {words(inner)}"
        case _:
            assert_never(clause)


def told(clause: Clause) -> str:
    """A clause as plain words."""
    return plain(words(clause))


def _joined(part: Clause, op: str) -> str:
    """A part among others: of another joint, or with commas of its own, it stands in brackets."""
    match part:
        case Together(op=inner):
            mixed = inner != op
        case Whole(loose=loose):
            mixed = loose
        case Then():
            mixed = True
        case _:
            mixed = False
    return f"({words(part)})" if mixed else words(part)


def _simple(clause: Simple) -> str:
    wording, subject = clause.wording, clause.subject
    shown = {name: about.words for name, about in clause.about.items()}
    head, negated = filled(wording.head, shown), clause.negated
    if negated and head.endswith(_NEVER):  # what is not never is
        head, negated = head.removesuffix(_NEVER) + " ", False
    if negated and head == _EVERYBODY:
        head, negated = f"not {head}", False
    text = wording.said(subject is not None and subject.many, negated)
    if not clause.mark.target and not clause.mark.strong:
        return head + filled(text, shown)
    first, brace, others = determined(text, shown).partition("{")
    stem = first.rstrip()
    mark = strong(stem) if clause.mark.strong else link(clause.mark.target, stem)
    return head + mark + first[len(stem) :] + filled(brace + others, shown)


# ---- what is said again ------------------------------------------------------------------------------
def in_one_breath(clauses: Sequence[Clause]) -> list[Clause]:
    """Clauses said one after the other: who was the subject of the last one is “it” or “they”."""
    breath = _Breath()
    return [breath.taken(clause) for clause in clauses]


class _Breath:
    """Who was spoken of last."""

    def __init__(self) -> None:
        self._before: Thing | None = None

    def taken(self, clause: Clause) -> Clause:
        match clause:
            case Simple():
                return self._simple(clause)
            case Together(op, parts):
                return Together(op, tuple(self.taken(part) for part in parts))
            case Because(inner, reasons):
                return Because(self.taken(inner), tuple(self.taken(reason) for reason in reasons))
            case Aside(inner, tuple() as asides):
                return Aside(self.taken(inner), tuple(self.taken(aside) for aside in asides))
            case Aside(inner, aside):
                return Aside(self.taken(inner), aside)
            case _:
                self._before = None
                return clause

    def _simple(self, clause: Simple) -> Clause:
        subject, before = clause.subject, self._before
        who = None if subject is None else subject.owner or subject
        self._before = who if who is not None and who.named else None
        if subject is None or who is None or before is None or not who.named or who.words != before.words:
            return clause
        if subject.owner is not None:
            said = replace(subject, words=f"{'their' if who.many else 'its'} {subject.owned}", owner=None)
        else:
            said = replace(subject, words="they" if who.many else "it")
        return replace(clause, about={**clause.about, clause.wording.subject: said})


# ---- what is said of members -------------------------------------------------------------------------
def relative(clause: Clause, called: Sequence[str], many: bool, objects: bool = True) -> Clause | None:
    """The clause as it follows the members it is about: “that are ready”, “whose camp is the player”, and
    with `objects` “in which there is an enemy”.

    None when English does not say it so: they are not its subject, or come again later in it.
    """
    match clause:
        case Simple():
            subject = clause.subject
            if subject is None or not _mentions(subject, called):
                return _relative_of_object(clause, called) if objects else None
            if f"{{{clause.wording.subject}}}" in clause.wording.rest:
                return None
            others = [thing for name, thing in clause.about.items() if name != clause.wording.subject]
            if any(_mentions(thing, called) for thing in others):
                return None
            if subject.variable in called:
                said = replace(subject, words="that", many=many)
            elif subject.owner is not None:
                said = replace(subject, words=f"whose {subject.owned}")
            return replace(clause, about={**clause.about, clause.wording.subject: said})
        case Together(op, parts):
            found = [relative(part, called, many, objects) for part in parts]
            clauses = tuple(part for part in found if part is not None)
            return Together(op, clauses) if len(clauses) == len(parts) else None
        case _:
            return None


def _relative_of_object(clause: Simple, called: Sequence[str]) -> Simple | None:
    """Members that are not the subject: “in which there is an enemy”, “that the unit may enter”."""
    wording = clause.wording
    used = {
        name: thing for name, thing in clause.about.items() if f"{{{name}}}" in wording.head + wording.rest
    }
    about = {name: thing for name, thing in used.items() if _mentions(thing, called)}
    if len(about) != 1 or clause.mark.strong:
        return None
    ((name, thing),) = about.items()
    brace = f"{{{name}}}"
    if wording.rest.count(brace) != 1 or brace in wording.head:
        return None
    before, _, after = wording.rest.partition(brace)
    *kept, preposition = before.rstrip().split(" ")
    which = "which" if thing.variable in called else f"whose {thing.owned}"
    owned = preposition == "of" and wording.verb in ("has", "have")  # “of which the player has three”
    if (preposition in _PREPOSITIONS or owned) and not after.startswith(_GOES_ON):
        head, rest = f"{preposition} {which} {wording.head}", " ".join(kept) + after
    elif wording.verb in _MODALS and before.count(" ") == 2 and not after and which == "which":
        head, rest = f"that {wording.head}", before.rstrip()
    else:
        return None
    return replace(clause, wording=replace(wording, head=head, rest=rest), contrary=None)


def _mentions(thing: Thing, called: Sequence[str]) -> bool:
    owner = thing.owner
    return thing.variable in called or (owner is not None and owner.variable in called)
