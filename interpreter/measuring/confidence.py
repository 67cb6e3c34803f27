"""Intervals that hold at every look: somebody watches a number grow, and may stop whenever he likes.

An ordinary 95 % interval is right for a number of games that was fixed before. Who looks after every game
and stops when he sees something is misled far more often. Here the chance that the truth is *ever* outside
is at most 5 %, over all looks together. Both kinds bet against every value the truth may have: if it is the
truth the bets win nothing, and twentyfold winnings come up in at most one run out of twenty (Ville).

`Share`: numbers between two bounds, without any assumption (Waudby-Smith and Ramdas 2024, hedged capital).
`Mean`: numbers without bounds; a mixture of bets in units of their own spread (de la Peña, Robbins). Exact
when they are spread evenly around their mean, as differences between two runs of the same rules are; for
others it becomes right with the number of games.
"""

from __future__ import annotations

import math

from interpreter.measuring.inference import Interval

ALPHA = 0.05
_POINTS = 400  # of the grid on which bounds are looked for
_BOLD = 0.5  # no bet can lose more than this part of the capital
_TUNING = 20  # numbers from which the size of bets on a mean is learnt; they are not betted on
_REACH = 40.0  # after how many numbers the bets on a mean are at their best


class Share:
    """The mean of numbers between `low` and `high`, and the evidence against `null`."""

    def __init__(self, low: float, high: float, null: float, alpha: float = ALPHA) -> None:
        self.low, self.wide = low, high - low
        self._null = (null - low) / self.wide
        self._bar = math.log(2 / alpha)
        self._grid = [number / _POINTS for number in range(_POINTS + 1)]
        self._above = [0.0] * (_POINTS + 1)  # winnings (log) of who bets that the mean lies above a point
        self._below = [0.0] * (_POINTS + 1)
        self._first, self._last = 0, _POINTS  # the points nobody has ruled out
        self._null_above = self._null_below = 0.0
        self.count, self._sum, self._spread = 0, 0.0, 0.25

    @property
    def mean(self) -> float:
        return self.low + self.wide * (self._sum / self.count if self.count else 0.5)

    @property
    def interval(self) -> Interval:
        """One point wider than what is left: the truth may lie between two points."""
        least = self._grid[max(0, self._first - 1)]
        most = self._grid[min(_POINTS, self._last + 1)]
        return self.low + self.wide * least, self.low + self.wide * most

    @property
    def evidence(self) -> float:
        """The logarithm of what somebody has won who bet against `null`."""
        return _log_mean(self._null_above, self._null_below)

    def add(self, value: float) -> None:
        x = (value - self.low) / self.wide
        rounds = self.count + 1
        # smaller from game to game, larger where little varies; what is still to come has no part in it
        bet = math.sqrt(2 * self._bar / (self._spread * rounds * math.log(rounds + 1)))
        self._null_above += _won(bet, x, self._null)
        self._null_below += _won(bet, 1 - x, 1 - self._null)
        grid = self._grid
        for number in range(self._first, self._last + 1):
            self._above[number] += _won(bet, x, grid[number])
            self._below[number] += _won(bet, 1 - x, 1 - grid[number])
        while self._first < self._last and self._above[self._first] > self._bar:
            self._first += 1
        while self._last > self._first and self._below[self._last] > self._bar:
            self._last -= 1
        before = (0.5 + self._sum) / rounds
        self.count, self._sum = rounds, self._sum + x
        after = (0.5 + self._sum) / (rounds + 1)
        self._spread += ((x - before) * (x - after) - self._spread) / (rounds + 1)


def _won(bet: float, x: float, point: float) -> float:
    """The logarithm by which a bet on "the mean lies above this point" multiplies the capital."""
    if point > 0:
        bet = min(bet, _BOLD / point)
    return math.log1p(bet * (x - point))


class Mean:
    """The mean of any numbers, and the evidence against `null`."""

    def __init__(self, null: float = 0.0, alpha: float = ALPHA) -> None:
        self.null, self._bar = null, math.log(1 / alpha)
        self.count, self._sum = 0, 0.0
        self._seen, self._varied = 0, 0  # numbers in all, and those of the tuning that differ from `null`
        self._moved = self._squares = 0.0  # sums of the tuning
        self._bets = 0.0  # how large, squared; 0: not yet known
        self._total = self._total_squares = 0.0  # of what was betted on, less `null`

    @property
    def mean(self) -> float:
        return self._sum / self._seen if self._seen else 0.0

    @property
    def evidence(self) -> float:
        return self._evidence(0.0) if self._bets else 0.0

    def add(self, value: float) -> None:
        moved = value - self.null
        self._seen += 1
        self._sum += value
        if not self._bets:
            self._varied += moved != 0
            self._moved += moved
            self._squares += moved * moved
            if self._varied >= _TUNING:
                # by their spread, not by their distance from `null`; if all are the same, by a bit of that
                spread = (self._squares - self._moved * self._moved / self._seen) / self._seen
                self._bets = 1 / (max(spread, self._squares / self._seen / 1000) * _REACH)
            return
        self.count += 1
        self._total += moved
        self._total_squares += moved * moved

    @property
    def interval(self) -> Interval:
        """All values against which the evidence is not enough."""
        if not self._bets:
            known = self._varied == 0 and self._seen >= _TUNING
            return (self.null, self.null) if known else (-math.inf, math.inf)
        if not self.count:
            return -math.inf, math.inf
        middle = self._total / self.count
        low, high = (self._bound(middle, sign) for sign in (-1, 1))
        return self.null + low, self.null + high

    def _bound(self, middle: float, sign: int) -> float:
        step = 1 / math.sqrt(self._bets * _REACH)  # the spread of one number
        while self._evidence(middle + sign * step) < self._bar:
            step *= 2
            if step > 1e12 or math.isinf(step):
                return sign * math.inf
        inside, outside = 0.0, step
        for _ in range(50):
            half = (inside + outside) / 2
            if self._evidence(middle + sign * half) < self._bar:
                inside = half
            else:
                outside = half
        return middle + sign * outside

    def _evidence(self, moved: float) -> float:
        """Against a mean of `null + moved`: all sizes of bets at once, weighted like a bell."""
        total = self._total - self.count * moved
        squares = self._total_squares - 2 * moved * self._total + self.count * moved * moved
        grown = 1 + self._bets * max(0.0, squares)
        return self._bets * total * total / (2 * grown) - math.log(grown) / 2


def _log_mean(one: float, other: float) -> float:
    top = max(one, other)
    return top + math.log((math.exp(one - top) + math.exp(other - top)) / 2)


def merged(evidence: list[float]) -> list[float]:
    """Evidence for each of several questions when all are judged together (closed testing by means of what
    was won, Vovk and Wang 2021): for each the least of the means over all sets of questions it belongs to."""
    won = [math.exp(min(700.0, one)) for one in evidence]
    order = sorted(range(len(won)), key=won.__getitem__)
    found = [0.0] * len(won)
    for place in order:
        total, size = won[place], 1
        least = total
        for other in order:
            if other == place:
                continue
            total, size = total + won[other], size + 1
            least = min(least, total / size)
        found[place] = math.log(least) if least > 0 else -math.inf
    return found
