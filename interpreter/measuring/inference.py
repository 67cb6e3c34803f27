"""What a comparison of many games can say: intervals for differences, and how surprising they are.

Everything by hand and exact where that is possible; the tests hold it against scipy.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

from interpreter.measuring.statistics import CONFIDENCE, wilson

Interval = tuple[float, float]


def newcombe_paired(both: int, only_first: int, only_second: int, neither: int) -> tuple[float, Interval]:
    """The difference of two shares (second less first) seen in the same games, with its interval.

    Newcombe 1998, method 10: Wilson intervals of the two shares, joined with the correlation between them.
    """
    games = both + only_first + only_second + neither
    if games == 0:
        return 0.0, (-1.0, 1.0)
    first, second = (both + only_first) / games, (both + only_second) / games
    low1, high1 = wilson(both + only_first, games)
    low2, high2 = wilson(both + only_second, games)
    phi = _correlation(both, only_first, only_second, neither)

    def reach(a: float, b: float) -> float:
        return math.sqrt(max(0.0, a * a - 2 * phi * a * b + b * b))

    difference = second - first
    low = difference - reach(second - low2, high1 - first)
    high = difference + reach(first - low1, high2 - second)
    return difference, (max(-1.0, low), min(1.0, high))


def newcombe(first: int, of_first: int, second: int, of_second: int) -> tuple[float, Interval]:
    """The same for shares of different games (Newcombe 1998, hybrid score)."""
    if not of_first or not of_second:
        return 0.0, (-1.0, 1.0)
    one, other = first / of_first, second / of_second
    low1, high1 = wilson(first, of_first)
    low2, high2 = wilson(second, of_second)
    low = math.hypot(other - low2, high1 - one)
    high = math.hypot(one - low1, high2 - other)
    return other - one, (other - one - low, other - one + high)


def _correlation(both: int, only_first: int, only_second: int, neither: int) -> float:
    product: float = both * neither - only_first * only_second
    if product > 0:  # the correction keeps the interval from being too short
        product = max(product - (both + only_first + only_second + neither) / 2, 0.0)
    margins = (both + only_first) * (only_second + neither) * (both + only_second) * (only_first + neither)
    return product / math.sqrt(margins) if margins else 0.0


def mcnemar(only_first: int, only_second: int) -> float:
    """How likely so uneven a split is when both rule sets win equally often: exact, two-sided."""
    games, fewer = only_first + only_second, min(only_first, only_second)
    if games == 0:
        return 1.0
    ways = sum(math.comb(games, k) for k in range(fewer + 1))
    return min(1.0, float(2 * ways / 2**games))


def paired_mean(differences: Sequence[float], quantile: float | None = None) -> tuple[float, Interval, float]:
    """The mean of paired differences, its interval (Student), and how likely it is by chance."""
    count = len(differences)
    if count < 2:
        return (differences[0] if differences else 0.0), (-math.inf, math.inf), 1.0
    mean = math.fsum(differences) / count
    variance = math.fsum((d - mean) ** 2 for d in differences) / (count - 1)
    if (
        variance == 0
    ):  # Student would be certain after two games; how often they all fall to one side is exact
        return mean, (mean, mean), 1.0 if mean == 0 else 2.0 ** (1 - count)
    error = math.sqrt(variance / count)
    reach = student_quantile(count - 1) * error
    return mean, (mean - reach, mean + reach), student_tails(mean / error, count - 1)


def student_tails(value: float, freedom: int) -> float:
    """The chance that Student's t is further from 0 than `value`, on either side."""
    return _beta_share(freedom / 2, 0.5, freedom / (freedom + value * value))


@cache
def student_quantile(freedom: int, tails: float = 0.05) -> float:
    """The value that t exceeds on either side with this chance."""
    low, high = 0.0, CONFIDENCE
    while student_tails(high, freedom) > tails:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if student_tails(middle, freedom) > tails else (low, middle)
    return (low + high) / 2


def _beta_share(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function, by Lentz's continued fraction."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - _beta_share(b, a, 1 - x)
    size = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    tiny = 1e-300
    c, d = 1.0, 1 - (a + b) * x / (a + 1)
    d = 1 / (d if abs(d) > tiny else tiny)
    fraction = d
    for m in range(1, 1000):
        for step in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 + step * d
            c = 1 + step / c
            d = 1 / (d if abs(d) > tiny else tiny)
            c = c if abs(c) > tiny else tiny
            fraction *= d * c
        if abs(d * c - 1) < 1e-15:
            break
    return math.exp(size) * fraction / a


def holm(chances: Sequence[float]) -> list[float]:
    """Chances corrected for having looked at several things (Holm): 0.05 then means 5 % for all together."""
    order = sorted(range(len(chances)), key=chances.__getitem__)
    corrected = [1.0] * len(chances)
    least = 0.0
    for rank, index in enumerate(order):
        least = max(least, min(1.0, (len(chances) - rank) * chances[index]))
        corrected[index] = least
    return corrected
