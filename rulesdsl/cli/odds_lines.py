"""Odds in lines: the same at the table and for `rulesdsl odds`."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from rulesdsl.cli.play.tongue import t
from rulesdsl.language.conventions import ODDS

if TYPE_CHECKING:
    from interpreter.asking.odds.outcomes import Odds, Outcome

_BAR = 24
_MOST_WAYS = 8  # of the dice, on one line


def odds_lines(found: Odds) -> Iterator[str]:
    """What was asked, the sums, what is certain, every outcome, and each change by itself."""
    asked = found.procedure.removeprefix(ODDS).replace("_", " ").capitalize()
    yield f"{asked} ({found.paragraph}): {'; '.join(found.about)}" if found.about else asked
    yield from (t("note: {}", note) for note in found.notes)
    yield from _sums(found)
    if found.always:
        yield f"\n{t('In every case')}"
        yield from (f"    {change}" for change in found.always)
    for outcome in found.outcomes:
        yield from _outcome(outcome)
    single = {c: p for c, p in found.single().items() if 0 < p < 1}
    if len(found.outcomes) > 1 and single:
        yield f"\n{t('Each by itself')}"
        width = max(map(len, single))
        for change, chance in sorted(single.items(), key=lambda pair: (-pair[1], pair[0])):
            yield f"    {change:<{width}}  {_share(chance)}"


def _sums(found: Odds) -> Iterator[str]:
    from rulesdsl.handbook.facts import signed

    for sums in found.sums:
        if len(sums.reasons) > 1 or sums.value != "0":
            parts = [
                f"{r.label} {signed(r.op, r.amount)} ({r.paragraph})"
                for r in sums.reasons
                if r.label != "base"
            ]
            name = sums.name.replace("_", " ").replace(".", ": ")
            yield f"{name} {sums.value}" + (f": {', '.join(parts)}" if parts else "")


def _outcome(outcome: Outcome) -> Iterator[str]:
    results = ", ".join(outcome.results)
    ways = ", ".join(outcome.rolled[:_MOST_WAYS])
    more = t(" and {} more", len(outcome.rolled) - _MOST_WAYS) if len(outcome.rolled) > _MOST_WAYS else ""
    dice = t("dice {}{}", ways, more) if outcome.rolled else ""
    yield f"\n{_share(outcome.chance)}  {'; '.join(part for part in (results, dice) if part)}".rstrip()
    for change in outcome.changes or (t("nothing else changes"),):
        yield f"    {change}"


def _share(chance: Fraction) -> str:
    return f"{float(chance) * 100:5.1f} %  {'█' * round(float(chance) * _BAR) or '▏':<{_BAR}} {chance}"
