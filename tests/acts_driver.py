"""Plays a game by acts, as somebody at the table would, and counts the gestures.

What is done is what the greedy agent would do, decision by decision; how it is done is one act for what
belongs together: a piece with its mode, a march to its destination, a set. Questions with a single answer
are answered by themselves, as at the table. The agent thinks long, so tests play such games again from
`testdata/acts/`; `python tests/acts_driver.py GAME SEAT TURNS SEED FILE` records one.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from interpreter.acts.lookahead import Limit, Lookahead, Node
from interpreter.acts.offering import acts
from interpreter.acts.performing import perform
from interpreter.agents.sight import Sight
from interpreter.agents.simple import GreedyAgent
from interpreter.compiling.decision_points import TravelSite
from interpreter.playing.option_things import DONE
from interpreter.playing.session import Session


@dataclass
class Count:
    """What was counted of one seat: `prompts` with a choice as they were, `acts`, and `gestures`: acts of one
    sort in a row (four activations, the marches of a step) are ticked off together and sent at once, with the
    `done` that ends them, as long as nothing comes out between them."""

    prompts: int = 0
    acts: int = 0
    gestures: int = 0
    done: list[tuple[str, tuple[str, ...], int]] = field(default_factory=list)  # who, keys, gesture (0: none)


PATIENT = Limit(10**6, 10.0**6)
AGENT = GreedyAgent("acts", worlds=2, finalists=3, patience=4, breadth=6)


def play_by_acts(session: Session, seat: str, until: Callable[[Session], bool]) -> Count:
    """Every seat is played decision by decision; `seat` by acts."""
    count, question, quiet, marches = Count(), ("", ""), False, False
    while not session.over and not until(session):
        player = str(session.player)
        if len(session.options) == 1:
            session.choose(session.options[0])
            continue
        if player != seat:
            key = _by_agent(session)
            session.choose(key)
            count.done.append((player, (key,), 0))
            quiet = False
            continue
        assert session.prompt is not None
        asked = (session.prompt.text, session.prompt.paragraph)
        keys, node = _planned(session)
        keys = _wider(session, seat, _shorter(session, seat, keys))
        closes = len(keys) == 1 and session.find(keys[0]).kind == DONE
        before_it, marches = marches, isinstance(session.site, TravelSite) or marches_on(session, keys)
        before = len(session.history)
        done = perform(session, seat, keys)
        assert not done.stopped, (keys, done)
        count.prompts += sum(moment.had_a_choice for moment in session.history[before:])
        count.acts += 1
        joins = quiet and (asked == question or (marches and before_it) or closes)
        count.gestures += not joins
        count.done.append((player, keys, count.gestures))
        question, quiet = asked, not node.ended
    return count


def marches_on(session: Session, keys: tuple[str, ...]) -> bool:
    """Whether the second key of an act is the first step of a march."""
    trial = session.copy()
    trial.choose(keys[0])
    return len(keys) > 1 and not trial.over and isinstance(trial.site, TravelSite)


def _by_agent(session: Session) -> str:
    index = AGENT.choose(Sight.of(session.ruleset, session.machine), len(session.history))
    return next(option.key for option in session.options if option.index == index)


def _planned(session: Session) -> tuple[tuple[str, ...], Node]:
    """The keys the agent would choose until what he has begun is over."""
    look, trial = Lookahead(session, PATIENT), session.copy()
    node = look.start()
    while True:
        key = _by_agent(trial)
        node = look.choose(node, look.sitting(node).find(key))
        trial.choose(key)
        if node.is_over or trial.over or trial.player != session.player:
            return node.keys, node


def _shorter(session: Session, seat: str, keys: tuple[str, ...]) -> tuple[str, ...]:
    """The march act that ends where these keys end, if there is one: nobody points at every step."""
    trial = session.copy()
    for key in keys:
        trial.choose(key)
    here = trial.view(seat)["things"]
    for draft in ((), keys[:1]):
        for act in acts(session, seat, draft).acts if len(keys) > len(draft) else ():
            piece, place = (act.first or ("",))[0], act.preview.way[-1:]
            if act.kind == "move" and place and here.get(piece, {}).get("at") == place[0]:
                return act.keys
    return keys


def _wider(session: Session, seat: str, keys: tuple[str, ...]) -> tuple[str, ...]:
    """The same for everybody who stands there, if that is offered as one act: nobody orders a stack one by
    one,
    or attacks with half of what he has brought."""
    for act in acts(session, seat).acts:
        place = act.keys.index(keys[0]) if keys[0] in act.keys else 0
        if act.kind == "together" and act.keys[place : place + len(keys)] == keys:
            return act.keys
        if act.kind == "all" and len(keys) > 1 and act.keys[0] == keys[0]:
            return act.keys
    return keys


# ---- gestures ---------------------------------------------------------------------------------------------
@dataclass
class Sent:
    """An act of a recorded game, and which pieces it sends where: by a march, an attack, or (an activation)
    by what is done later in the same series."""

    keys: tuple[str, ...]
    text: str  # of the question
    sent: dict[str, str] = field(default_factory=dict)  # piece → space
    units: tuple[str, ...] = ()  # that get their mode
    when: dict[str, int] = field(default_factory=dict)  # piece → the act that sends it
    places: dict[str, str] = field(default_factory=dict)  # piece → where it stands before

    def keys_of(self, units: Collection[str]) -> tuple[str, ...]:
        """The part of an activation that is about some of its units."""
        pairs = zip(self.keys[::2], self.keys[1::2], strict=True)
        return tuple(key for pair in pairs if f"piece:{pair[0].partition(':')[2]}" in units for key in pair)


def places(session: Session) -> dict[str, str]:
    """Where every piece stands."""
    layout, world = session.ruleset.layout, session.ruleset.program.world.universes
    base, spaces = layout.arrays["piece", "at"].base, world["space"].ids
    cells = session.machine.s
    return {
        piece: spaces[cells[base + n]] if cells[base + n] >= 0 else ""
        for n, piece in enumerate(world["piece"].ids)
    }


def sendings(recorded: Recorded) -> list[Sent]:
    """Every act of the seat, with where its pieces go in the end."""
    found: list[Sent] = []
    for session, seat, keys, _ in recorded.steps():
        assert session.prompt is not None
        world = session.ruleset.program.world.universes
        units = tuple(f"piece:{k.partition(':')[2]}" for k in keys if k.startswith("activate:"))
        spaces = [name for k in keys if (name := k.partition(":")[2] or k) in world["space"].index]
        named = [f"piece:{name}" for k in keys if (name := k.partition(":")[2] or k) in world["piece"].index]
        pieces = named or [thing for thing in session.prompt.things if thing.startswith("piece:")]
        sent = dict.fromkeys(pieces, f"space:{spaces[-1]}") if spaces else {}
        found.append(Sent(keys, session.prompt.text, sent, units, places=places(session)))
        perform(session, seat, keys)
    later: dict[str, tuple[str, int]] = {}
    for number in range(len(found) - 1, -1, -1):
        one = found[number]
        if not one.units:
            later |= {piece: (place, number) for piece, place in one.sent.items()}
            continue
        one.sent = {unit: later[unit][0] for unit in one.units if unit in later}
        one.when = {unit: later[unit][1] for unit in one.units if unit in later}
        if not number or not found[number - 1].units:
            later.clear()  # what comes before is another series
    return found


# ---- recorded games --------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Recorded:
    """A game by acts as it was recorded: who did what, in which gesture."""

    game: str
    seat: str
    seed: str
    done: tuple[tuple[str, tuple[str, ...], int], ...]

    def steps(self) -> Iterator[tuple[Session, str, tuple[str, ...], int]]:
        """The session before each act of the seat; the others' decisions are taken on the way."""
        session = Session.start(self.game, seed=self.seed)
        for who, keys, gesture in self.done:
            while len(session.options) == 1:
                session.choose(session.options[0])
            assert session.player == who
            if who == self.seat:
                yield session, who, keys, gesture
            else:
                for key in keys:
                    session.choose(key)


def read_recorded(path: Path) -> Recorded:
    found = json.loads(path.read_text(encoding="utf-8"))
    done = tuple((who, tuple(keys), gesture) for who, keys, gesture in found["done"])
    return Recorded(found["game"], found["seat"], found["seed"], done)


def record(game: str, seat: str, turns: int, seed: str, path: Path) -> Count:
    session = Session.start(game, seed=seed)
    count = play_by_acts(session, seat, lambda s: bool(s.view(None)["tracks"]["turn"] > turns))
    lines = ",\n".join(f"  {json.dumps(entry)}" for entry in count.done)
    head = f'{{"game": "{game}", "seat": "{seat}", "seed": "{seed}", "prompts": {count.prompts}, "done": [\n'
    path.write_text(f"{head}{lines}\n]}}\n", encoding="utf-8")
    return count


if __name__ == "__main__":
    name, who, number, dice, file = sys.argv[1:]
    told = record(name, who, int(number), dice, Path(file))
    print(f"{told.prompts} prompts, {told.acts} acts, {told.gestures} gestures")
