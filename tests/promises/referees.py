"""Games beside a second version of their rules in plain Python, in positions of greedy and random agents."""

from __future__ import annotations

from tests.promises import Outcome


def referees(count: int) -> Outcome:
    """So many positions of each game that has a referee, half of them from games of greedy agents."""
    from tests.referees import KINDS, REFEREES

    outcome, notes = Outcome(), []
    for referee in REFEREES.values():
        for kind in KINDS:
            report = referee(kind, max(1, count // len(KINDS)), float("inf"))
            outcome.done += report.positions
            for difference in report.differences:
                outcome.failure(f"{report.game}: {difference}")
            notes.append(report.line())
    outcome.note = "; ".join(notes)
    return outcome
