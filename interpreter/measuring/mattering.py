"""The moments of one game at which certain paragraphs mattered: asked, decided, changed a number, forbade."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from interpreter.agents.seats import agents_for
from interpreter.agents.sight import Sight
from interpreter.compiling.ir.ways import split_way
from interpreter.measuring.effect import WAYS
from interpreter.playing.session import LogEntry, Session
from rulesdsl.base.diagnostics import UsageError, did_you_mean
from rulesdsl.language.conventions import TURN

MOST_DECISIONS = 20_000


@dataclass(frozen=True, slots=True)
class Mattered:
    """After decision `number`, in which `player` chose `chosen`: what the paragraphs did, and what happened.

    `lines` are those of the log that follow the decision; `ours` says which of them our paragraphs tell.
    """

    number: int
    turn: str
    player: str
    seat: str
    asked: str
    chosen: str
    offered: bool  # by one of the paragraphs itself
    ways: tuple[str, ...]  # `5.5a changed a number`
    lines: tuple[LogEntry, ...]
    ours: frozenset[int]


def known_paragraphs(session: Session, wanted: Collection[str]) -> list[str]:
    """The paragraphs as they are numbered here; `UsageError` for one that is not there."""
    known = session.game.program.paragraphs
    for paragraph in wanted:
        if paragraph not in known:
            hint = did_you_mean(paragraph, known) or "see `rulesdsl ledger`"
            raise UsageError(f'there is no paragraph "{paragraph}" ({hint})')
    return list(wanted)


def mattering(session: Session, seats: Mapping[str, str], rules: Collection[str]) -> Iterator[Mattered]:
    """Plays the game to its end and gives the moments as they come."""
    agents = agents_for(seats, str(session.facts["seed"]))
    compiled, wanted = session.ruleset.full, set(rules)
    watched = [
        (number, f"{paragraph} {WAYS[how]}")
        for number, (paragraph, how) in enumerate(map(split_way, compiled.unit.rules))
        if how and paragraph in wanted
    ]
    names = dict(zip(session.ruleset.seats.ids, session.ruleset.seats.names, strict=True))
    while not session.over and len(session.history) < MOST_DECISIONS:
        prompt, options = session.prompt, session.options
        assert prompt is not None
        index = agents[prompt.player].choose(Sight.of(session.ruleset, session.machine), len(session.history))
        option = next(one for one in options if one.index == index)
        before, told = [compiled.fired[number] for number, _ in watched], len(session.log)
        session.choose(option)
        ways = [
            words for (number, words), was in zip(watched, before, strict=True)
            if compiled.fired[number] > was
        ]  # fmt: skip
        lines = tuple(session.log[told:])
        ours = frozenset(number for number, line in enumerate(lines) if line.paragraph in wanted)
        offered = prompt.paragraph in wanted or any(one.paragraph in wanted for one in options)
        if ways or ours or offered:
            yield Mattered(
                number=len(session.history),
                turn=_turn(session),
                player=names.get(prompt.player, prompt.player),
                seat=prompt.player,
                asked=prompt.text,
                chosen=option.text,
                offered=offered,
                ways=tuple(ways),
                lines=lines,
                ours=ours,
            )


def _turn(session: Session) -> str:
    return str(session.position.track(TURN)) if TURN in session.ruleset.program.world.tracks else ""
