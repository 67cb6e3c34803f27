"""Games beside a second version of their rules in plain Python, in positions of better and random agents."""

from __future__ import annotations

import os

from tests.kit.driven_games import RANDOM
from tests.promises import QUICK, Outcome, length_of

_LONG = 1_000  # decisions


def referees(count: int) -> Outcome:
    """So many positions of each game that has a referee, half of them from games of better agents."""
    from tests.referees import KINDS, REFEREES, look_at

    outcome = Outcome()

    if os.environ.get(QUICK):  # on every change the beginnings of games, and no thoughts in the long ones
        long = {game for game in REFEREES if length_of(game) >= _LONG}
        each = max(1, count // 2)
        reports = look_at(sorted(REFEREES.keys() - long), {"greedy": 0.5, RANDOM: 0.5}, count, of_a_game=each)
        reports += look_at(sorted(long), {RANDOM: 1}, each, of_a_game=each)
    else:
        reports = look_at(sorted(REFEREES), KINDS, count)
    for report in reports:
        outcome.done += report.positions
        for difference in report.differences:
            outcome.failure(f"{report.game}: {difference}")
    outcome.note = "; ".join(report.line() for report in reports)
    return outcome
