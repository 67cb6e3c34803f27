"""A secret in every construct of the language: two games that differ only in it are the same to a seat.

The fixture `secrets` is a menu of cases, each of which puts what Red hides somewhere: into a variable, a
record, a loop, a table, a token, a prompt. A twin has other secrets (or other dice, or another choice of
Red's) and takes the same case; then every byte that reaches Blue and those who look on is compared. A case
whose name begins with `reveals` is of a rule that lays a secret open: there the difference must show, for
that is promised, too.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from io import StringIO
from typing import Any

from rich.console import Console

from interpreter.asking import questions
from interpreter.keeping.replay import Replay
from interpreter.playing.session import IllegalChoice, Session
from rulesdsl.base.diagnostics import UsageError
from rulesdsl.cli.play import screen
from tests.promises import FIXTURES, Outcome, opened
from tests.promises.twins import _token_swaps

SECRETS = str(FIXTURES / "secrets")
SEATS = ("blue", None)
REVEALS = "reveals"
_LAST = ("window", "travel")  # cases in which Red passes or halts at once
Change = Callable[[Session], None]


def cases() -> list[str]:
    return [option.key for option in Session.start(opened(SECRETS), seed=1).options]


def changes(session: Session) -> dict[str, Change]:
    """Everything that Blue cannot know of this game, by the name of the place."""
    layout, world = session.ruleset.layout, session.ruleset.program.world
    units, zones, players = (world.universes[name].index for name in ("piece", "space", "player"))

    def put(cell: int, value: Any) -> Change:
        def change(game: Session) -> None:
            game.machine.s[cell] = value

        return change

    def of(universe: str, name: str, thing: int, value: Any) -> Change:
        return put(layout.arrays[universe, name].base + thing, value)

    def flags(universe: str, name: str, mask: int) -> Change:
        return put(layout.flags[universe, name][""], mask)

    def other_seed(game: Session) -> None:
        game.machine.seed = "another"

    def other_token(game: Session) -> None:
        _token_swaps(game, "blue")[0](game.machine.s)

    def deeper(game: Session) -> None:
        of("space", "depth", zones["b"], 0)(game)
        of("space", "depth", zones["c"], 2)(game)

    red = players["red"]
    return {
        "orders": of("piece", "orders", units["u1"], 7),
        "hiding": of("piece", "hiding_in", units["u1"], zones["c"]),
        "mined": flags("space", "mined", 1 << zones["c"]),
        "depth": deeper,
        "omen": put(layout.tracks["omen"], 5),
        "dread": put(layout.tracks["dread"], 4),
        "plan": of("player", "plan", red, 3),
        "card": of("player", "card", red, 6),
        "lair": of("player", "lair", red, zones["c"]),
        "watched": flags("piece", "watched", 1 << units["b1"]),
        "token": other_token,
        "dice": other_seed,
    }  # fmt: skip


def secrets(count: int) -> Outcome:
    """`count` pairs of games: every case with all changes at once, then with one after the other."""
    outcome = Outcome()
    for case, change in pairs():
        if outcome.done >= count:
            break
        outcome.done += 1
        found = difference(case, change)
        if case.startswith(REVEALS):
            if change == "all" and not found:
                outcome.failure(f"{case}: nothing is laid open")
        elif found:
            outcome.failure(f"{case} with another {change}: {found}")
    return outcome


def pairs() -> Iterator[tuple[str, str]]:
    names = list(changes(Session.start(opened(SECRETS), seed=1)))
    yield from ((case, "all") for case in cases())
    yield from ((case, name) for name in names for case in cases())


def difference(case: str, change: str) -> str:
    """What tells two games apart, in which only `change` is different, for Blue or somebody who looks on."""
    one = Session.start(opened(SECRETS), seed=1)
    other = one.copy()
    known = changes(other)
    for name in known if change == "all" else (change,):
        known[name](other)
    first = compared(one, other)
    if first:
        return f"before anything happens {first}"
    one.choose(case)
    other.choose(case)
    answer_for_red(one, case, 0)
    answer_for_red(other, case, 1)
    found = compared(one, other)
    if found or one.over or other.over:
        return found
    one.choose(one.options[0])
    other.choose(other.options[0])
    return compared(one, other)


def answer_for_red(session: Session, case: str, world: int) -> None:
    """Red's own decisions until Blue is asked: what he chooses in secret is another thing in each world."""
    number = 0
    while not session.over and session.player != "blue":
        options = session.options
        place = world % len(options) if case == "choice" else 0
        session.choose(options[-1] if number or case in _LAST else options[place])
        number += 1


def compared(one: Session, other: Session) -> str:
    for seat in SEATS:
        mine, theirs = list(reaches(one, seat)), list(reaches(other, seat))
        for (what, text), (_, changed) in zip(mine, theirs, strict=False):
            if text != changed:
                return f"{seat or 'an onlooker'} can tell by {what}: {_apart(text, changed)}"
        if len(mine) != len(theirs):
            return f"{seat or 'an onlooker'} can tell by how much there is to ask"
    return ""


def _apart(one: str, other: str) -> str:
    place = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
    return f"{one[max(0, place - 50) : place + 50]!r} against {other[max(0, place - 50) : place + 50]!r}"


def reaches(session: Session, seat: str | None) -> Iterator[tuple[str, str]]:
    """Everything a seat can see or ask, with a word for what it is."""
    yield "the view", json.dumps(session.view(seat))
    yield "the log", "\n".join(map(repr, session.log_of(seat)))
    yield "whose turn it is", repr((session.over, session.player, session.result))
    if session.player == seat:
        yield "the prompt", repr(session.prompt)
        yield "the options", repr([(o.key, o.text, o.paragraph, o.index) for o in session.options])
        yield from _reasons(session)
    yield from _numbers(session, seat)
    yield "the replay", "\n".join(map(repr, Replay(session, seat, all_seen=False).steps()))
    yield from _screen(session, seat)


def _reasons(session: Session) -> Iterator[tuple[str, str]]:
    me, world = session.player, session.ruleset.program.world
    for option in session.options:
        yield f"why {option.key}", repr(questions.explain(session, option, me))
    wishes = [i for name in ("space", "piece", "token", "player") for i in world.universes[name].ids]
    for wish in [*wishes, *(f"dig:{zone}" for zone in world.universes["space"].ids), "nowhere"]:
        yield f"why not {wish}", _answer(questions.why_not, session, wish, me)


def _numbers(session: Session, seat: str | None) -> Iterator[tuple[str, str]]:
    program = session.ruleset.program
    params = {name: rule.params for name, rule in program.defines.items()}
    params |= {name: rule.params for name, rule in program.quantities.items()}
    for name, of in params.items():
        universes = [program.world.universes.get(param.type.name) for param in of]
        if len(universes) > 1 or None in universes:
            continue
        things = [identity for universe in universes if universe is not None for identity in universe.ids]
        for given in [[thing] for thing in things] or [[]]:
            yield f"the value of {name}", _answer(partial(session.value, seat=seat), name, *given)
            if name in program.quantities:
                asking = partial(questions.breakdown, session, name, *given, seat=seat)
                yield f"what {name} is made of", _answer(asking)


def _answer(ask: Callable[..., Any], *arguments: Any) -> str:
    try:
        return repr(ask(*arguments))
    except (UsageError, IllegalChoice) as refusal:
        return str(refusal)


def _screen(session: Session, seat: str | None) -> Iterator[tuple[str, str]]:
    shown = [screen.header(session, seat), screen.board_panel(session, seat, 100), screen.hand(session, seat)]
    if session.over:
        shown.append(screen.ending(session))
    elif session.player == seat:
        shown.append(screen.question(session))
    paper = StringIO()
    console = Console(file=paper, width=100, color_system=None)
    for part in shown:
        console.print(part)
    yield "the screen", paper.getvalue()
