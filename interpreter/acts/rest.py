"""The rest for me: the computer answers for a seat until the part of the game that asks is over."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from interpreter.agents.sight import Sight, advantage, thinking, worth
from interpreter.playing.moments import IllegalChoice
from interpreter.playing.session import Session
from interpreter.running.dice import fair_number
from interpreter.running.fuel import RunawayRule

MOST = 2_000  # decisions that are taken for somebody at one go
SECONDS = 60.0
TURN = "until another one is asked"  # where no part of the game has begun that has a name
TRIED = 8  # options of one question, drawn by lot when there are more: a set-up must not take minutes


def scope_of(session: Session) -> str:
    """The part of the game whose rest can be left to the computer, by its title; nothing when there is none.

    The innermost phase that is being played; where there is none, the procedure that called who asks. Where
    only the
    game itself is under way, its rest is one's own turn.
    """
    height = _scope(session)
    if height < 0:
        return ""
    return session.machine.code.names[session.machine.stack[height][0]] if height else TURN


def _scope(session: Session) -> int:
    machine, program = session.machine, session.ruleset.program
    if machine.pending is None:
        return -1
    titles = {p.title or name for name, p in program.procedures.items() if p.kind == "phase"}
    names = [machine.code.names[frame[0]] for frame in machine.stack]
    for height in range(len(names) - 1, 0, -1):
        if names[height] in titles:
            return height
    return max(0, len(names) - 2)


def rest_for_me(
    session: Session, seat: str, report: Callable[[int], None] | None = None, seconds: float = SECONDS
) -> int:
    """Answer for a seat until the part of the game that asks is over or somebody else is asked; how many
    decisions that were. All of them are one gesture: `undo_act` takes them back together."""
    session.only_for(seat)
    first, height = len(session.history), _scope(session)
    if height < 0:
        raise IllegalChoice("nothing is asked")
    scope = session.machine.stack[height]
    own = sum(moment.who == seat for moment in session.history)  # how often others decided may be a secret
    until = monotonic() + seconds
    while session.player == seat and len(session.history) - first < MOST and monotonic() < until:
        stack = session.machine.stack
        if height >= len(stack) or stack[height] is not scope:
            break
        with thinking(session.ruleset):
            number = own + len(session.history) - first
            index = quick_choice(Sight.of(session.ruleset, session.machine), number)
        session.choose(next(option for option in session.options if option.index == index))
        session.history[-1].act = first + 1
        if report is not None:
            report(len(session.history) - first)
    return len(session.history) - first


def quick_choice(sight: Sight, decision: int, tried: int = TRIED) -> int:
    """The option, of a few, after which the position is worth most at once; by lot where nobody can tell."""
    count = min(sight.count, tried)
    first = fair_number("rest", "first", decision, 0, sight.count)
    some = [(first + number * sight.count // count) % sight.count for number in range(count)]
    if count == 1:
        return sight.index(0)
    world = sight.world("rest")
    pending, best, chosen = world.pending, None, some[0]
    assert pending is not None
    out = [sight.count - 1] if pending.out else []  # nothing is done that brings nothing
    for number in dict.fromkeys([*out, *sorted(some)]):
        trial = world.copy()
        try:
            trial.choose(number if number < len(pending.options) else -1)
        except RunawayRule:
            continue
        values = worth(sight.ruleset, trial)
        if values is None:
            break
        gain = advantage(values, sight.seat)
        if best is None or gain > best:
            best, chosen = gain, number
    return sight.index(chosen)
