"""Who sits where: the words of `--seat NAME=KIND`, and the agents they stand for."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Protocol

from interpreter.agents.budget import USUAL
from interpreter.agents.levels import CLUB, EASY, LEVELS, LevelAgent
from interpreter.agents.search import SearchAgent
from interpreter.agents.sight import Sight
from interpreter.agents.simple import GreedyAgent, RandomAgent
from rulesdsl.base.diagnostics import UsageError, did_you_mean
from rulesdsl.program.world import Universe

HUMAN = "human"
OPPONENT = CLUB  # who sits in a seat when nobody says otherwise
KINDS = (HUMAN, *LEVELS, "random", "greedy", "mcts")
EVERYBODY = "all"
FARTHER = 20  # an agent that looks through the reply does so many times what one does that looks a step ahead
_LIMIT = re.compile(r"mcts:(?:(?P<rounds>[1-9][0-9]{0,6})|(?P<seconds>[0-9]{1,4}(?:\.[0-9]{1,3})?)s)")
_LEVEL = re.compile(rf"(?P<level>{'|'.join(LEVELS)})(?::(?P<tries>[1-9][0-9]{{0,6}}))?")

_WORDS = f"{', '.join(KINDS[1:])}, club:40, mcts:2s or mcts:500"


class Agent(Protocol):
    """Decides. The same seed, decision number and sight give the same choice (unless it has a clock)."""

    def choose(self, sight: Sight, decision: int) -> int:
        """The index for `Machine.choose`; `decision` is the number of decisions taken before this one."""
        ...


def make_agent(kind: str, seed: str) -> Agent:
    """`easy`, `club`, `strong`, or without a clock `club:40` (tries before each decision); `random`,
    `greedy`, `mcts` (one second for each decision), `mcts:0.2s`, `mcts:500` (rounds)."""
    if level := _LEVEL.fullmatch(kind):
        return LevelAgent(level["level"], seed, int(level["tries"] or 0))
    if kind == "random":
        return RandomAgent(seed)
    if kind == "greedy":
        return GreedyAgent(seed)
    if kind == "mcts":
        return SearchAgent(seed)
    found = _LIMIT.fullmatch(kind)
    if found is None:
        raise UsageError(f'"{kind}" is no agent; use {_WORDS}')
    if found["rounds"]:
        return SearchAgent(seed, rounds=int(found["rounds"]))
    return SearchAgent(seed, seconds=float(found["seconds"]))


def agents_for(seats: Mapping[str, str], seed: str) -> dict[str, Agent]:
    """The agents at a table. Their seeds come from the seed of the game, so a game can be made again."""
    return {name: make_agent(kind, agent_seed(seed, name)) for name, kind in seats.items() if kind != HUMAN}


def agent_seed(seed: str, seat: str) -> str:
    """The seed of the agent in a seat."""
    return f"{seed}/agent/{seat}"


def patience(kind: str) -> int:
    """How many times more than `greedy` an agent does in a whole game, at most."""
    level, counted = _LEVEL.fullmatch(kind), _LIMIT.fullmatch(kind)
    if kind in ("greedy", HUMAN) or (level and level["level"] == EASY):
        return 1
    tries = int((level and level["tries"]) or (counted and counted["rounds"]) or 0)
    return FARTHER * max(1, tries // USUAL)


def has_clock(kind: str) -> bool:
    """Whether an agent's decisions depend on the speed of the machine."""
    return kind in ("mcts", *LEVELS) or (kind.startswith("mcts:") and kind.endswith("s"))


def read_seats(given: Sequence[str], players: Universe) -> dict[str, str]:
    """`["red=greedy", "all=random"]` as seat → kind, in the order of seating; later words win."""
    seats: dict[str, str] = {}
    for text in given:
        name, equals, kind = (part.strip() for part in text.partition("="))
        if not equals:
            raise UsageError(f"--seat {text}: write it as NAME={'|'.join(KINDS)}")
        _check_kind(kind)
        if name == EVERYBODY:
            seats.update(dict.fromkeys(players.ids, kind))
            continue
        seats[_seat(name, players)] = kind
    return {player: seats[player] for player in players.ids if player in seats}


def _check_kind(kind: str) -> None:
    if kind not in KINDS and not _LIMIT.fullmatch(kind) and not _LEVEL.fullmatch(kind):
        hint = did_you_mean(kind, KINDS) or f"use {HUMAN}, {_WORDS}"
        raise UsageError(f'nobody called "{kind}" can sit in a seat; {hint}')


def _seat(name: str, players: Universe) -> str:
    plain = name.casefold()
    for identity, shown in zip(players.ids, players.names, strict=True):
        if plain in (identity.casefold(), shown.casefold()):
            return identity
    known = ", ".join((*players.ids, EVERYBODY))
    raise UsageError(f'there is no seat "{name}"; {did_you_mean(name, players.ids) or f"there are {known}"}')
