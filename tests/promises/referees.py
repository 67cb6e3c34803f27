"""Games beside a second version of their rules in plain Python, in positions of greedy and random agents."""

from __future__ import annotations

from tests.promises import Outcome


def referees(count: int) -> Outcome:
    """So many positions of each game that has a referee, half of them from games of greedy agents."""
    from tests.referees import KINDS, REFEREES, look_at

    outcome = Outcome()

    reports = look_at(sorted(REFEREES), KINDS, max(1, count // len(KINDS)))
    for report in reports:
        outcome.done += report.positions
        for difference in report.differences:
            outcome.failure(f"{report.game}: {difference}")
    outcome.note = "; ".join(report.line() for report in reports)
    return outcome
