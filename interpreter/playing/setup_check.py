"""House rules and the set-up: a change that makes the printed set-up break a rule is told before play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.playing.invariants import Broken, broken_invariants
from rulesdsl.base.diagnostics import Diagnostic

if TYPE_CHECKING:
    from collections.abc import Callable

    from interpreter.playing.game import Game
    from rulesdsl.book.changes import Change

_WITHOUT_EFFECT = ("paragraph", "example", "table")  # kinds of change that no set-up depends on


def setup_problems(game: Game, printed: Callable[[], Game]) -> list[Diagnostic]:
    """What the rulebook says is always true, was true of the set-up, and with the house rules is not."""
    problems: list[Diagnostic] = []
    if all(map(_only_read, game.source.changes)):  # to compile the rules just for this would take seconds
        return problems
    for name in game.source.scenarios or ("",):
        broken = set(_broken(game, name))
        if broken:
            broken -= set(_broken(printed(), name))
        problems += [_told(game, name, one) for one in sorted(broken)]
    return problems


def _only_read(change: Change) -> bool:
    """A cell of a table, or text and examples that join a paragraph: no set-up depends on them."""
    return change.kind in ("table", "example") or (change.kind, change.verb) == ("paragraph", "amends")


def _broken(game: Game, scenario: str) -> list[Broken]:
    chosen = game.source.scenarios.get(scenario)
    ruleset = game.ruleset(None, chosen)
    return list(broken_invariants(ruleset, ruleset.start_state(chosen)))


def _told(game: Game, scenario: str, broken: Broken) -> Diagnostic:
    number = broken.paragraph
    paragraph = game.program.paragraphs.get(number)
    where = f'{number} "{paragraph.title}"' if paragraph is not None else number
    likely: list[Change] = [c for c in game.source.changes if c.kind not in _WITHOUT_EFFECT]
    first, *others = likely or game.source.changes
    named = f'the set-up "{scenario}"' if scenario else "the set-up"
    return Diagnostic(
        "house-setup", f"{named} no longer agrees with {number}: {broken.what}", first.span, where,
        "place pieces elsewhere with `set PIECE.start = …`, or take this back",
        tuple(("or this", change.span) for change in others),
    )  # fmt: skip
