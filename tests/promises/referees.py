"""Games beside a second version of their rules in plain Python, in positions of greedy and random agents."""

from __future__ import annotations

import os

from tests.promises import QUICK, Outcome, length_of

_LONG = 1_000  # decisions


def referees(count: int) -> Outcome:
    """So many positions of each game that has a referee, half of them from games of greedy agents."""
    from tests.referees import KINDS, REFEREES, look_at

    outcome = Outcome()

    each = max(1, count // len(KINDS))
    if os.environ.get(QUICK):  # on every change the beginnings of games, and no thoughts in the long ones
        long = {game for game in REFEREES if length_of(game) >= _LONG}
        reports = look_at(sorted(REFEREES.keys() - long), KINDS, each, of_a_game=each)
        reports += look_at(sorted(long), ("random",), each, of_a_game=each)
    else:
        reports = look_at(sorted(REFEREES), KINDS, each)
    for report in reports:
        outcome.done += report.positions
        for difference in report.differences:
            outcome.failure(f"{report.game}: {difference}")
    outcome.note = "; ".join(report.line() for report in reports)
    return outcome
