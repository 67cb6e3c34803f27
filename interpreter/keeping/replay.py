"""A finished or saved game, looked at again: any decision, any turn, one unit, one seat."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from interpreter.compiling.decision_points import Site
from interpreter.keeping.saves import load
from interpreter.playing.prompts import AnySite
from interpreter.playing.session import LogEntry, Moment, Session
from interpreter.playing.views import line_for
from interpreter.state.position import Position
from rulesdsl.base.diagnostics import UsageError, did_you_mean
from rulesdsl.language.conventions import ROUND, TURN

TURNS = (TURN, ROUND)  # what the track that counts turns is usually called


@dataclass(frozen=True, slots=True)
class Step:
    """A decision and what followed it. For a seat that may not know the decision, `key` is empty."""

    number: int
    who: str
    key: str
    text: str
    paragraph: str
    turn: str
    lines: tuple[tuple[str, str], ...]  # paragraph, text
    things: frozenset[str]


class Replay:
    """Steps through a game. Number 0 is the beginning, `len(replay)` the last decision."""

    def __init__(self, session: Session, seat: str | None = None, all_seen: bool = True) -> None:
        self.session = session
        self.track = next((name for name in TURNS if name in session.ruleset.program.world.tracks), "")
        self.look_from(seat, all_seen)

    @classmethod
    def open(cls, path: str | Path, recover: bool = False) -> Replay:
        return cls(load(path, recover))

    def __len__(self) -> int:
        return len(self._ends) - 1

    def look_from(self, seat: str | None, all_seen: bool = False) -> None:
        """See what a seat saw (None: an onlooker), or everything."""
        players = self.session.ruleset.seats
        if seat is not None and seat not in players.index:
            names = [name.casefold() for name in players.names]
            if seat.casefold() not in names:
                hint = did_you_mean(seat, players.ids) or f"there are {', '.join(players.ids)}"
                raise UsageError(f'there is no seat "{seat}"; {hint}')
            seat = players.ids[names.index(seat.casefold())]
        self.seat = seat
        self.all_seen = all_seen
        self._lines: dict[int, list[LogEntry]] = {}
        for entry in self.session.log:
            seen = entry if all_seen else line_for(entry, seat)
            if seen is not None:
                self._lines.setdefault(entry.decision, []).append(seen)
        self._ends = self._seen_ends()

    def _seen_ends(self) -> list[int]:
        """After which decisions a step ends. Others' decisions that a seat may not know make one step,
        however many they are, and none when nothing was seen of them: how often somebody was asked can
        tell what he holds."""
        ends, heard = [0], False
        last = len(self.session.history)
        for number, moment in enumerate(self.session.history, 1):
            if self._may_know(moment.who, site_of(self.session, moment)):
                if heard:
                    ends.append(number - 1)
                ends.append(number)
                heard = False
            else:
                heard = heard or number in self._lines
        if heard:
            ends.append(last)
        return ends

    def at(self, number: int) -> Session:
        """The game after that many decisions, as a session of its own."""
        if not 0 <= number <= len(self):
            raise UsageError(f"the decisions are 1 to {len(self)}; {number} is none of them")
        return self._after(self._ends[number] if number < len(self) else len(self.session.history))

    def _after(self, decisions: int) -> Session:
        session = self.session.copy()
        if decisions < len(session.history):
            session.undo(len(session.history) - decisions)
        return session

    def step(self, number: int) -> Step:
        """What was decided there, and what happened then."""
        end = self._ends[number]
        begin = self._ends[number - 1] + 1 if number else 0
        entries = [entry for decision in range(begin, end + 1) for entry in self._lines.get(decision, [])]
        lines = tuple((entry.paragraph, entry.text) for entry in entries)
        things = frozenset(thing for entry in entries for thing in entry.things)
        if number == 0:
            return Step(
                number=0,
                who="",
                key="",
                text="the beginning",
                paragraph="",
                turn=self.turn(0),
                lines=lines,
                things=things,
            )
        moment = self.session.history[end - 1]
        if not self._may_know(moment.who, site_of(self.session, moment)):
            return Step(
                number=number,
                who="",
                key="",
                text="others decide",
                paragraph="",
                turn=self.turn(number),
                lines=lines,
                things=things,
            )
        option = self._after(end - 1).find(moment.key)
        named = frozenset(part for part in moment.key.split(":", 1)[-1].split("+"))
        return Step(
            number=number,
            who=moment.who,
            key=moment.key,
            text=option.text,
            paragraph=option.paragraph,
            turn=self.turn(number),
            lines=lines,
            things=things | named,
        )

    def _may_know(self, who: str, site: AnySite) -> bool:
        """A choice among tokens, or by what only its maker sees, can tell what he holds: others see only
        what comes of it, which is in the lines."""
        if self.all_seen or who == self.seat:
            return True
        tokens = isinstance(site, Site) and any(kind.name == "token" for kind in site.types)
        return not tokens and not self.session.ruleset.program.visibility

    def steps(self, unit: str = "") -> Iterator[Step]:
        """All steps, or those in which a thing takes part."""
        unit = self.find_thing(unit) if unit else ""
        for number in range(len(self) + 1):
            step = self.step(number)
            if not unit or unit in step.things:
                yield step

    def find_thing(self, wanted: str) -> str:
        """The id of a thing that is given by its id, another id of its, its name or what is printed on it."""
        world = self.session.ruleset.program.world
        universes = [u for name, u in world.universes.items() if name not in world.groups]
        known: dict[str, str] = {}
        for universe in universes:
            for identity, name in zip(universe.ids, universe.names, strict=True):
                known.setdefault(name.casefold(), identity)
        for universe in universes:
            known |= {written.casefold(): universe.ids[number] for written, number in universe.index.items()}
        if wanted.casefold() not in known:
            pieces = self.session.game.source.pieces
            printed = [i for i, piece in pieces.items() if wanted.casefold() == piece.label.casefold()]
            if len(printed) == 1:
                return printed[0]
            if printed:
                things = world.universes["piece"]
                names = ", ".join(things.names[things.index[identity]] for identity in printed)
                raise UsageError(f'"{wanted}" may mean {names}: say which')
            hint = did_you_mean(wanted, known)
            raise UsageError(f'nothing is called "{wanted}"' + (f"; {hint}" if hint else ""))
        return known[wanted.casefold()]

    def turn(self, number: int) -> str:
        """The turn after that many decisions, if the game counts turns."""
        if not self.track:
            return ""
        end, history = self._ends[number], self.session.history
        machine = self.session.machine if end == len(history) else history[end].machine
        return str(Position(self.session.ruleset.layout, machine.s).track(self.track))

    def first_of_turn(self, turn: str) -> int:
        """The number of the first decision after which it is that turn."""
        if not self.track:
            raise UsageError("this game counts no turns; jump to the number of a decision")
        turns = [self.turn(number) for number in range(len(self) + 1)]
        if turn not in turns:
            raise UsageError(f"there is no turn {turn}; the game goes from {turns[0]} to {turns[-1]}")
        return turns.index(turn)


def site_of(session: Session, moment: Moment) -> AnySite:
    """The question that a decision answered."""
    pending = moment.machine.pending
    assert pending is not None
    return session.ruleset.full.blocks.sites[pending.site]
