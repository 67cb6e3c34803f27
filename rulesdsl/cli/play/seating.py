"""Who decides for whom at the table: people, agents, and who stands in for people that do not answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from interpreter.agents.seats import HUMAN, Agent, agents_for
from interpreter.agents.seats import OPPONENT as OPPONENT
from rulesdsl.program.world import Universe

QUICK_OPPONENT = "random"  # when nobody is there to play against
STAND_IN = "random"  # decides for people when nobody answers


def fill_seats(given: Mapping[str, str], players: Universe, opponent: str) -> dict[str, str]:
    """Who sits in the seats nobody spoke about: you in the first, unless you said where you sit."""
    seats: dict[str, str] = {}
    for number, player in enumerate(players.ids):
        if given and HUMAN not in given.values():
            default = HUMAN  # only opponents were named
        else:
            default = HUMAN if not given and number == 0 else opponent
        seats[player] = given.get(player, default)
    return seats


class Seats:
    """Every seat with who sits in it (`kinds`); it may be given to somebody else in the course of a game."""

    def __init__(self, kinds: Mapping[str, str], seed: str) -> None:
        self.kinds = dict(kinds)
        self.seed = seed
        self.agents: dict[str, Agent] = agents_for(kinds, seed)

    @property
    def people(self) -> list[str]:
        """The seats of those who answer themselves."""
        return [seat for seat, kind in self.kinds.items() if kind == HUMAN]

    @property
    def onlooker(self) -> str | None:
        """Through whose eyes the log is shown: those of the only person here, or everybody's."""
        people = self.people
        return people[0] if len(people) == 1 else None

    def give_up(self, seats: Iterable[str]) -> None:
        """Let an agent decide for these seats from now on."""
        given = dict.fromkeys(seats, STAND_IN)
        self.agents |= agents_for(given, self.seed)
        self.kinds |= given
