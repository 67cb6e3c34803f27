"""Hidden information: games that differ only in what I may not know look the same to me.

A twin is made by changing something secret: a token of the opponent's hand goes to the bag and another
one comes out of it, or an attribute I may not see gets another value. Both games then go on with the
same choices, as long as the secret itself does not change what happens.
"""

from __future__ import annotations

import json
from itertools import pairwise
from random import Random
from typing import Any

from interpreter.agents.counters import alike, exchange
from interpreter.compiling.decision_points import Site
from interpreter.playing.counters import hidden_pieces
from interpreter.playing.session import Session
from interpreter.playing.views import _may_see
from interpreter.state.token_cells import HELD, IN_BAG, token_cells
from rulesdsl.checking.bodies.visibility import IDENTITY
from rulesdsl.program.types import Type
from rulesdsl.program.world import World
from tests.promises import FOG, Outcome, all_games, opened, play_on

_FOLLOW = 12  # decisions for which twins are watched


def twins(count: int) -> Outcome:
    """Views, prompts, options and logs of twins, byte by byte."""
    outcome = Outcome()
    rng = Random(11)
    names = [name for name in (*all_games(), FOG) if has_secrets(name)]
    compared = 0
    while outcome.done < count:
        name = rng.choice(names)
        session = Session.start(opened(name), seed=rng.randrange(10**6))
        for _ in range(20):
            play_on(session, rng, rng.randrange(1, 8))
            if session.over or outcome.done >= count:
                break
            me = str(session.player)  # another's options are made from what he holds: they cannot be kept
            twin = make_twin(session, me, rng)
            if twin is not None:
                outcome.done += 1
                compared += _watch(outcome, name, session.copy(), twin, me, rng)
    outcome.note = f"{compared} moments compared"
    return outcome


def has_secrets(name: str) -> bool:
    program = opened(name).program
    return bool(program.tokens) or bool(program.visibility)


def make_twin(session: Session, me: str, rng: Random) -> Session | None:
    """The same game with another secret, or None when there is nothing `me` does not know."""
    changes = [*_token_swaps(session, me), *_hidden_values(session, me, rng)]
    swaps = _counter_swaps(session, me)
    if not changes and not swaps:
        return None
    twin = session.copy()
    if swaps and (not changes or rng.random() < 0.5):
        one, other = rng.choice(swaps)
        twin._options = None  # what is offered names other pieces now
        exchange(twin.ruleset, twin.machine, {one: other, other: one})
    else:
        rng.choice(changes)(twin.machine.s)
    return twin


def _counter_swaps(session: Session, me: str) -> list[tuple[int, int]]:
    """Pairs of pieces that `me` cannot tell apart, wherever they lie."""
    number = session.ruleset.program.world.universes["player"].index[me]
    hidden = hidden_pieces(session.ruleset, session.machine.s, number)
    return [pair for group in alike(session.ruleset, hidden) for pair in pairwise(group)]


def _token_swaps(session: Session, me: str) -> list[Any]:
    layout, world, s = session.ruleset.layout, session.ruleset.program.world, session.machine.s
    known = token_cells(layout)
    if known is None:
        return []
    holder, state = layout.arrays["token", "holder"], layout.arrays["token", "state"]
    number = world.universes["player"].index[me]
    tokens = [t for t in range(len(world.universes["token"])) if not known.knows(s, t, number)]
    theirs = [t for t in tokens if s[state.base + t] == HELD]
    bag = [t for t in tokens if s[state.base + t] == IN_BAG]

    def swap(one: int, other: int) -> Any:
        def change(cells: list[Any]) -> None:
            for array in (holder, state):
                a, b = cells[array.base + one], cells[array.base + other]
                both = 1 << one | 1 << other
                cells[array.base + one], cells[array.base + other] = b, a
                cells[array.masks + a] ^= both
                cells[array.masks + b] ^= both
            of_one, of_other = known.known + one, known.known + other
            cells[of_one], cells[of_other] = cells[of_other], cells[of_one]

        return change

    return [swap(one, other) for one in theirs for other in bag]


def _hidden_values(session: Session, me: str, rng: Random) -> list[Any]:
    layout, world, s = session.ruleset.layout, session.ruleset.program.world, session.machine.s
    changes: list[Any] = []

    def put(cell: int, value: Any) -> Any:
        def change(cells: list[Any]) -> None:
            cells[cell] = value

        return change

    for universe, name in session.ruleset.program.visibility:
        if (universe, name) == IDENTITY:
            continue
        if universe == "game":
            if not _may_see(session, me, (universe, name)):
                cell = layout.tracks[name]
                value = another(world, world.tracks[name].type, s[cell])
                changes += [] if value is None else [put(cell, value)]
            continue
        attribute = world.attributes[universe, name]
        for i in range(len(world.universes[universe])):
            if attribute.printed or _may_see(session, me, (universe, name), i):
                continue
            if attribute.type.kind == "flag":
                slot = layout.flags[universe, name][""]
                changes.append(put(slot, s[slot] ^ 1 << i))
            elif attribute.type.kind == "number":
                low, high = attribute.type.low or 0, attribute.type.high or 9
                changes.append(put(layout.arrays[universe, name].base + i, rng.randint(low, high)))
            elif (array := layout.arrays[universe, name]).masks < 0:
                value = another(world, attribute.type, s[array.base + i])
                changes += [] if value is None else [put(array.base + i, value)]
    return changes


def another(world: World, type_: Type, value: Any) -> Any:
    """Some other value of a type; None when there is none that is easily had."""
    match type_.kind:
        case "flag":
            return int(not value)
        case "number":
            return type_.high if type_.high is not None and value != type_.high else value + 1
        case "enum":
            count = len(world.enums[type_.name].values)
            return (value + 1) % count if count > 1 else None
        case "thing" | "set" if not type_.of_enum:
            classes = world.universes[type_.name].classes
            members = [i for i, cls in enumerate(classes) if type_.of in ("", cls)]
            if type_.kind == "set":
                return value ^ 1 << members[0] if members else None
            return next((i for i in members if i != value), None)
        case _:
            return None


def _watch(outcome: Outcome, name: str, one: Session, other: Session, me: str, rng: Random) -> int:
    """Compare now, and after every decision both games can take; the number of comparisons."""
    compared = 0
    for _ in range(_FOLLOW):
        for game in (one, other):
            pass_windows(game, me)
        if _draws(one) != _draws(other) or one.over or other.over:
            return compared
        if one.machine.pending.site != other.machine.pending.site or one.player != other.player:  # type: ignore[union-attr]
            return compared  # the secret changed what happens: both are honest games, but no twins any more
        compared += 1
        mine, theirs = seen(one, me), seen(other, me)
        if mine != theirs:
            outcome.failure(f"{name}: {me} can tell: {_difference(mine, theirs)}")
            return compared
        common = sorted({o.key for o in one.options} & {o.key for o in other.options})
        if not common:
            return compared
        key, drawn = rng.choice(common), _draws(one)
        one.choose(key)
        other.choose(key)
        if _draws(one) != drawn:
            return compared  # somebody drew from bags that differ
        if one.log[-1:] and _public(one, me) != _public(other, me):
            return compared  # the secret came into the open by a rule
    return compared


def _public(session: Session, me: str) -> str:
    return json.dumps(session.view(None))


def pass_windows(session: Session, me: str) -> None:
    """The others pass when they may play a token: whether they are asked depends on what they hold."""
    while not session.over and session.player != me:
        site = session.site
        token = isinstance(site, Site) and site.types and site.types[0].name == "token"
        if not token or session.machine.pending is None or not session.machine.pending.out:
            return
        session.choose(session.options[-1])


def _draws(session: Session) -> int:
    return int(session.machine.s[session.ruleset.layout.rolls["draw"]])


def seen(session: Session, me: str, with_log: bool = True) -> str:
    """Everything `me` is shown, as one text."""
    prompt = None
    if (
        session.player == me
    ):  # (the number of a decision counts everybody's: it is for the engine, not for me)
        prompt = (session.prompt, [(o.key, o.text, o.paragraph) for o in session.options])
    log = [repr(entry) for entry in session.log_of(me)] if with_log else []
    return json.dumps([session.view(me), repr(prompt), log])


def _difference(one: str, other: str) -> str:
    place = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
    return f"{one[max(0, place - 60) : place + 60]!r} against {other[max(0, place - 60) : place + 60]!r}"
