"""Names that lead back to themselves: each knot with its shortest way round."""

from __future__ import annotations


def circles(calls: dict[str, set[str]]) -> list[list[str]]:
    """One circle for each knot of names that lead back to themselves, shortest way round."""
    found: list[list[str]] = []
    for knot in _knots(calls):
        start = min(knot)
        before: dict[str, str] = {}
        queue = [start]
        for name in queue:  # grows while it is gone through
            around = sorted(calls[name] & knot)
            if start in around:
                way = [name]
                while way[-1] != start:
                    way.append(before[way[-1]])
                found.append(way[::-1])
                break
            for other in around:
                if other not in before:
                    before[other] = name
                    queue.append(other)
    return sorted(found)


def _knots(calls: dict[str, set[str]]) -> list[set[str]]:
    """Names that all lead to each other (Tarjan's strongly connected parts), without recursion."""
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    path: list[str] = []
    on_path: set[str] = set()
    knots: list[set[str]] = []
    for first in sorted(calls):
        waiting = [] if first in number else [(first, iter(sorted(calls[first])))]
        while waiting:
            name, others = waiting[-1]
            if name not in number:
                number[name] = lowest[name] = len(number)
                path.append(name)
                on_path.add(name)
            for other in others:
                if other not in number:
                    waiting.append((other, iter(sorted(calls.get(other, ())))))
                    break
                if other in on_path:
                    lowest[name] = min(lowest[name], number[other])
            else:
                waiting.pop()
                if waiting:
                    above = waiting[-1][0]
                    lowest[above] = min(lowest[above], lowest[name])
                if lowest[name] == number[name]:
                    place = path.index(name) if name != path[-1] else len(path) - 1
                    knot = set(path[place:])
                    del path[place:]
                    on_path -= knot
                    if len(knot) > 1 or name in calls.get(name, ()):
                        knots.append(knot)
    return knots
