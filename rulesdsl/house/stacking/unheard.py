"""A setting that one house rule changes, while another takes away the rule that asks for it.

Neither touches what the other touches, and yet one of them would have no effect, or another one than meant.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence

from rulesdsl.base.diagnostics import Diagnostic
from rulesdsl.book.changes import Change
from rulesdsl.book.loader import GameSource
from rulesdsl.house.draft import paragraphs_of
from rulesdsl.house.edits import Edit
from rulesdsl.language import syntax as sx

Asks = Callable[[sx.Rule], bool]


def unheard_settings(printed: GameSource, after: GameSource, edits: Sequence[Edit]) -> list[Diagnostic]:
    """Settings given a value for which nobody asks any more."""
    problems: list[Diagnostic] = []
    for edit in edits:
        for change in edit.changes:
            other = _silencer(printed, after, edit, change, edits) if change.kind == "setting" else None
            if other is not None:
                message = (
                    f'"{edit.rule.title}" sets {change.part} {change.subject}, '
                    f'and "{other.rule.title}" takes away what asks for it'
                )
                where = f"{edit.section.verb} {edit.section.paragraph}"
                also = (("taken away here", other.span),)
                problems.append(Diagnostic("house-clash", message, edit.span, where, also=also))
    return problems


def _silencer(
    printed: GameSource, after: GameSource, edit: Edit, change: Change, edits: Sequence[Edit]
) -> Edit | None:
    """The edit of another house rule by which a rule that asked for the value does so no more."""
    asks = _asking_for(change.subject, change.after)
    before = _paragraphs(printed, asks)
    if not before:  # the value is what is left when a rule asks for the others
        asks = _asking(change.subject)
        before = _paragraphs(printed, asks)
    now = _paragraphs(after, asks)
    if now:  # somebody is left who asks: the value still has its effect
        return None
    word = re.compile(rf"\b{re.escape(change.subject)}\b")
    for other in edits:
        number = other.section.paragraph
        if other.rule is edit.rule or now[number] >= before[number]:
            continue
        if other.section.verb in ("replaces", "repeals") or any(word.search(c.before) for c in other.changes):
            return other
    return None


def _paragraphs(source: GameSource, asks: Asks) -> Counter[str]:
    """How many statements of each paragraph ask."""
    return +Counter({number: sum(map(asks, p.rules)) for number, p in paragraphs_of(source).items()})


def _asking(setting: str) -> Asks:
    return lambda rule: any(part == sx.Name(setting) for part in sx.walk(rule))


def _asking_for(setting: str, value: str) -> Asks:
    wanted = sx.Name(setting), sx.Name(value)
    return lambda rule: any(
        isinstance(part, sx.Is) and (part.subject, part.description) == wanted for part in sx.walk(rule)
    )
