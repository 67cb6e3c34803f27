"""Several house rules together: what they require, what they exclude, and where two touch the same thing."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from difflib import get_close_matches
from itertools import combinations

from rulesdsl.base.diagnostics import Diagnostic, did_you_mean
from rulesdsl.base.source import Span
from rulesdsl.house.edits import MOMENT, Edit, Key
from rulesdsl.house.resolving.sections import REWRITES
from rulesdsl.house.resolving.statements import declared
from rulesdsl.language.syntax import amendments as ax

_IN_ORDER = "triggers run in the order of their paragraphs: let one stand in a new one, under `## after …`"
_NUMBERED = "write `## after … → new Title`: the machine then chooses a number that nobody has"
_DONE = {kind: f"is {kind}" for kind in ("removed", "flipped", "placed")}


def mention_problems(rules: Sequence[ax.HouseRule], shipped: Sequence[str]) -> list[Diagnostic]:
    """`requires` and `conflicts`, and two house rules of the same name."""
    problems: list[Diagnostic] = []
    by_name: dict[str, ax.HouseRule] = {}
    for rule in rules:
        other = by_name.setdefault(rule.name, rule)
        if other is not rule:
            message = f'two house rules are called "{rule.name}"'
            also = (("the other one", other.span),)
            problems.append(Diagnostic("house-twice", message, rule.span, also=also))
    for rule in rules:
        others = {*by_name, *shipped} - {rule.name}
        for mention in rule.mentions:
            other_rule = by_name.get(mention.name)
            if other_rule is rule:
                message = f'"{rule.name}" is the name of this house rule itself'
                problems.append(Diagnostic("house-front", message, mention.span))
                continue
            if mention.kind == "requires" and other_rule is None:
                message = f'"{rule.name}" needs the house rule "{mention.name}", which is not there'
                hint = did_you_mean(mention.name, sorted(others)) if mention.name not in others else ""
                # one that does not come with the game may stand anywhere
                hint = hint or f"add `--house {mention.name if mention.name in shipped else 'FILE'}`"
                problems.append(Diagnostic("house-requires", message, mention.span, help=hint))
            elif mention.kind == "conflicts" and other_rule is not None:
                message = f'"{rule.name}" cannot be played together with "{mention.name}"'
                also = (("the other one", other_rule.span),)
                problems.append(Diagnostic("house-conflicts", message, mention.span, also=also))
            elif mention.kind == "conflicts" and (near := _misspelt(mention.name, others)):
                message = f'no house rule that is known here is called "{mention.name}"'
                hint = f'did you mean "{near}"?'
                problems.append(
                    Diagnostic("house-conflicts", message, mention.span, help=hint, severity="warning")
                )
    return problems


def _misspelt(name: str, known: Set[str]) -> str:
    """The name that was meant: a misspelt conflict would never be noticed. Others may stand anywhere, so it
    must be very near, and `winter_2` is another one than `winter_1`."""
    if name in known:
        return ""
    words = {re.sub(r"_?\d+", "", one): one for one in sorted(known)}
    plain = re.sub(r"_?\d+", "", name)
    near = get_close_matches(plain.casefold().replace("-", "_"), words, n=1, cutoff=0.85)
    return words[near[0]] if near and near[0] != plain else ""


def clashes(edits: Sequence[Edit]) -> list[Diagnostic]:
    """Two edits of the same thing, and edits in a paragraph that another section rewrites or repeals."""
    problems: list[Diagnostic] = []
    first: dict[Key, Edit] = {}
    for edit in edits:
        for key in sorted(edit.keys):
            other = first.setdefault(key, edit)
            if other is not edit and (key[0] != MOMENT or other.rule is not edit.rule):
                hint = _IN_ORDER if key[0] == MOMENT else _NUMBERED if key[0] == "paragraph" else ""
                hint = hint if edit.section.verb == "after" or key[0] == MOMENT else ""
                problems.append(_clash(edit, other, _what(key, edit), hint or _third(edit, other), key))
                break
    for edit in edits:  # a part of something, and the whole of it
        for key in sorted(edit.keys):
            whole = first.get(key[:3]) if key[0] == "name" and len(key) > 3 else None
            if whole is not None and whole is not edit:
                problems.append(_clash(edit, whole, f'"{key[2]}"'))
                break
    cells = [edit for edit in edits if edit.region is not None]
    for one, other in combinations(cells, 2):
        assert one.region is not None
        assert other.region is not None
        if one.region.overlaps(other.region):
            problems.append(_clash(other, one, other.what))
    return problems + _rewritten(edits)


def _third(edit: Edit, other: Edit) -> str:
    """What an author can do who wants both."""
    if edit.rule is other.rule:
        return ""
    names = f"{other.rule.name}, {edit.rule.name}"
    both = f"say it anew in a third house rule with `requires: {names}`"
    return f"to have both, {both} (`rulesdsl merge` writes it)"


def _rewritten(edits: Sequence[Edit]) -> list[Diagnostic]:
    """A paragraph that one house rule amends and another one replaces or repeals."""
    problems: list[Diagnostic] = []
    sections = list({id(edit.section): edit for edit in edits}.values())  # each section once
    rewrites = {e.section.paragraph: e for e in reversed(sections) if e.section.verb in REWRITES}
    for edit in sections:
        other = rewrites.get(edit.section.paragraph)
        if other is None or other.section is edit.section or edit.section.verb != "amends":
            continue
        done = "repealed" if other.section.verb == "repeals" else "replaced"
        who = "this house rule" if other.rule is edit.rule else f'"{other.rule.title}"'
        message = f"{edit.section.paragraph} is amended here and {done} by {who}"
        also = ((f"{done} here", other.section.span),)
        problems.append(Diagnostic("house-clash", message, edit.section.span, also=also))
    return problems


def _clash(edit: Edit, other: Edit, what: str, hint: str = "", key: Key = ()) -> Diagnostic:
    if edit.rule is other.rule:
        message = f"{what} is changed twice"
    else:
        one, two = (f'"{rule.title}"' for rule in (other.rule, edit.rule))
        if one == two:  # told apart by their files
            one, two = (f"{title} ({rule.name})" for title, rule in ((one, other.rule), (two, edit.rule)))
        message = f"{one} and {two} both change {what}"
    where = f"{edit.section.verb} {edit.section.paragraph}"
    also = (("the other one", _place(other, key)),)
    return Diagnostic("house-clash", message, _place(edit, key), where, hint, also)


def _place(edit: Edit, key: Key) -> Span:
    """Of a section that writes a whole paragraph, the statement that declares the name."""
    if edit.span == edit.section.span and key[:1] == ("name",):
        return next((rule.span for rule in edit.section.rules if declared(rule) == key[1:3]), edit.span)
    return edit.span


def _what(key: Key, edit: Edit) -> str:
    """What two edits have in common; that may be less than what one of them changes."""
    match key:
        case ("name", _, name):
            return f'"{name}"'
        case ("name", _, _, part) if part.startswith(("gap ", "line ", "when ")):
            return edit.what
        case ("name", _, name, part):
            return f'"{part}" of "{name}"'
        case ("label", _, of, label):
            return f'the line "{label}" of {of}'
        case ("paragraph", number):
            return f"paragraph {number}"
        case ("moment", number, kind, subject):
            return f"what is done in {number} when {subject or 'a piece'} {_DONE.get(kind, kind)}"
        case _:
            return edit.what
