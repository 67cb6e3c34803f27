"""Two worlds that a seat cannot tell apart: what it is shown of them is the same, byte by byte.

Only for disciplined games, in which no rule acts on a secret: there nothing a seat sees may ever depend on
what it does not know, so a twin with another secret must look the same for as long as the game lasts.

A rule may put a secret of one player into what another may see: that is how rules tell it. From then on the
worlds differ openly, and nothing is asked of them any more. What was open only between two decisions, and
was put back before the second, has been told as well, and stands in the log of whoever could see it.
"""

from __future__ import annotations

from contextlib import suppress
from random import Random
from typing import Any

from interpreter.playing.session import Session
from interpreter.playing.views import _may_see, line_for
from interpreter.running.fuel import RunawayRule
from tests.fuzzing.trials import Accepted, Found, watched
from tests.promises.twins import make_twin, seen

FOLLOWED = 25  # decisions
TWINS = 3  # of a game


def twins(accepted: Accepted) -> None:
    """Change something `me` may not know; whatever the same choices lead to, `me` is shown the same."""
    if not accepted.disciplined or not accepted.game.program.visibility:
        return
    luck = Random(f"twins {accepted.seed}")
    for number in range(TWINS):
        try:
            with watched("session"):
                session = Session.start(accepted.game, seed=f"{accepted.seed} {number}")
            for _ in range(luck.randint(0, 12)):
                if session.over:
                    break
                session.choose(luck.choice(session.options))
        except RunawayRule:
            continue
        for me in accepted.game.program.world.universes["player"].ids:
            twin = _twin_of(session, me, luck)
            if twin is not None:
                _follow(session.copy(), twin, me, luck)


def _twin_of(session: Session, me: str, luck: Random) -> Session | None:
    """A twin with another hidden value. (Tokens change who is asked; bars of their own swap them.)"""
    for _ in range(4):
        twin = make_twin(session, me, luck)
        if twin is None:
            return None
        if _tokens(twin) == _tokens(session):
            return twin
    return None


def _tokens(session: Session) -> Any:
    arrays, s = session.ruleset.layout.arrays, session.machine.s
    return [
        s[array.base : array.base + array.size] for key, array in arrays.items() if key[0] == "token"
    ]  # fmt: skip


def _follow(one: Session, other: Session, me: str, luck: Random) -> None:
    """As long as no cell that differs may be seen by `me`, nothing else may. What stands in a log stays,
    so after each decision only its new lines are read, and at the last one the whole log."""
    read = (0, 0)
    before, chosen = (one, other), ""
    for decision in range(FOLLOWED):
        if _lies_open(one, other, me):
            return
        whole = decision == FOLLOWED - 1 or one.over or other.over
        with watched("view of a twin"):
            mine, theirs = seen(one, me, whole), seen(other, me, whole)
            news = _news(one, me, read[0]), _news(other, me, read[1])
        if mine == theirs and news[0] != news[1]:
            mine, theirs = seen(one, me), seen(other, me)
        if mine != theirs:
            if chosen and _lay_open(*before, chosen, me):
                return
            raise Found(f"leak: {_sort(mine, theirs)}", f"{me} after {decision}: {_difference(mine, theirs)}")
        read = (len(one.log), len(other.log))
        if one.over or other.over:
            if one.over != other.over:
                raise Found("leak: one world has ended", me)
            return
        if one.player != other.player or [o.key for o in one.options] != [o.key for o in other.options]:
            raise Found("leak: another question", f"{one.prompt} and {other.prompt}")
        chosen = luck.choice(one.options).key
        before = one.copy(), other.copy()
        stopped = 0
        for world in (one, other):
            try:
                with watched("play of a twin"):
                    world.choose(chosen)
            except RunawayRule:
                stopped += 1
        if stopped:
            return  # a value that grows too large, or has no place in a table, stops one world only


def _news(session: Session, me: str, since: int) -> list[tuple[str, str, str]]:
    """The lines `me` may read of those that are new."""
    lines = [line_for(entry, me) for entry in session.log[since:]]
    return [(line.paragraph, line.text, line.kind) for line in lines if line is not None]


def _lay_open(one: Session, other: Session, key: str, me: str) -> bool:
    """Whether on the way to the next decision something that `me` may see was not the same in both worlds:
    it took other values, or took them at another time. Then the lines that tell of it may stand elsewhere,
    under the paragraph that did it; the others may not."""
    states, lines, changes = _on_the_way(one, key, me)
    states_there, lines_there, changes_there = _on_the_way(other, key, me)
    told, told_there = ([line[1:] for line in found] for found in (changes, changes_there))
    return states != states_there or (lines == lines_there and told == told_there)


Lines = list[tuple[str, str, str]]


def _on_the_way(world: Session, key: str, me: str) -> tuple[list[tuple[Any, ...]], Lines, Lines]:
    """What `me` may see, one state after the other; the lines `me` reads, those apart that tell of a change
    of it."""
    probe, since = world.copy(), len(world.log)
    states: list[tuple[Any, ...]] = [_open_to(probe, me)]
    telling: list[bool] = []  # of each line, whether something had changed when it was told

    class Told(list[Any]):
        def append(self, line: Any) -> None:
            state = _open_to(probe, me)
            telling.append(states[-1] != state)
            if telling[-1]:
                states.append(state)

    told = Told()
    probe.machine.log = told
    with suppress(RunawayRule):
        probe.machine.choose(world.find(key).index)
        told.append("the next decision")
    after = world.copy()
    with suppress(RunawayRule):
        after.choose(key)
    found: tuple[Lines, Lines] = ([], [])
    for entry, changed in zip(after.log[since:], telling, strict=False):
        if (line := line_for(entry, me)) is not None:
            found[changed].append((line.paragraph, line.text, line.kind))
    return states, *found


def _open_to(world: Session, me: str) -> tuple[Any, ...]:
    """Every value that `me` may see now."""
    program, layout, s = world.ruleset.program, world.ruleset.layout, world.machine.s
    found: list[Any] = [
        s[cell] if _may_see(world, me, ("game", name), -1) else None for name, cell in layout.tracks.items()
    ]
    for key, array in layout.arrays.items():
        found += [s[array.base + i] if _may_see(world, me, key, i) else None for i in range(array.size)]
    for key, slots in layout.flags.items():
        for i in range(len(program.world.universes[key[0]])):
            seen_now = _may_see(world, me, key, i)
            found += [s[cell] >> i & 1 if seen_now else None for cell in slots.values()]
    return tuple(found)


def _lies_open(one: Session, other: Session, me: str) -> bool:
    """Whether `me` may see something in which the worlds differ."""
    program, layout = one.ruleset.program, one.ruleset.layout
    s, t = one.machine.s, other.machine.s
    for name, cell in layout.tracks.items():
        if s[cell] != t[cell] and (name == "cancelled" or _seen(one, other, me, ("game", name), -1)):
            return True
    for key, array in layout.arrays.items():
        for i in range(array.size):
            if s[array.base + i] != t[array.base + i] and _seen(one, other, me, key, i):
                return True
    for key, slots in layout.flags.items():
        for i in range(len(program.world.universes[key[0]])):
            if any((s[cell] ^ t[cell]) >> i & 1 for cell in slots.values()) and _seen(one, other, me, key, i):
                return True
    return False


def _seen(one: Session, other: Session, me: str, key: tuple[str, str], i: int) -> bool:
    return any(_may_see(world, me, key, i) for world in (one, other))


def _sort(mine: str, theirs: str) -> str:
    """Which of view, question and log tells."""
    import json

    for name, a, b in zip(("view", "question", "log"), json.loads(mine), json.loads(theirs), strict=True):
        if a != b:
            if name == "log":
                first = next((x for x, y in zip(a, b, strict=False) if x != y), "")
                kind = first.split("kind='")[-1].split("'")[0] if "kind='" in first else "line"
                return f"log ({kind})"
            return name
    return "length"


def _difference(one: str, other: str) -> str:
    place = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
    return f"{one[max(0, place - 80) : place + 60]!r} against {other[max(0, place - 80) : place + 60]!r}"
