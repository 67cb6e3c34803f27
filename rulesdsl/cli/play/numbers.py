"""The numbers of options: while a question is asked on, an option keeps its number; 0 is always done."""

from __future__ import annotations

from interpreter.compiling.decision_points import TravelSite
from interpreter.playing.option_things import DONE
from interpreter.playing.session import Option, Session

DONE_NUMBER = 0
DONE_WORDS = ("0", ".", "done")


class Numbers:
    """Which number means which option, for one person at one question after the other."""

    def __init__(self) -> None:
        self._stretch: tuple[object, ...] = ()
        self._numbers: dict[tuple[object, ...], dict[str, int]] = {}  # by question

    def of(self, session: Session) -> dict[str, int]:
        """Key → number. Members that were taken leave a gap, so that 1 2 3 4 means what it meant."""
        pending = session.machine.pending
        if pending is None:
            return {}
        stretch = (session.player, _others_decided(session))
        if stretch != self._stretch:
            self._stretch, self._numbers = stretch, {}
        marches = isinstance(session.site, TravelSite)  # every step is a question of its own
        question = (
            pending.site,
            len(session.machine.stack),
            session.prompt,
            marches and len(session.history),
        )
        numbers = self._numbers.setdefault(question, {})
        out = way_out(session)
        for option in session.options:
            if option == out:
                numbers[option.key] = DONE_NUMBER
            elif numbers.get(option.key, DONE_NUMBER) == DONE_NUMBER:
                numbers[option.key] = max(numbers.values(), default=0) + 1
        return numbers

    def option(self, session: Session, typed: str) -> Option | None:
        """The option a number means now; None when there is none."""
        if not typed.isdecimal() or len(typed) > 6:
            return None
        numbers = self.of(session)
        return next((o for o in session.options if numbers[o.key] == int(typed)), None)


def _others_decided(session: Session) -> int:
    """The last decision that was somebody else's: until then, what is asked again keeps its numbers."""
    for number in range(len(session.history) - 1, -1, -1):
        if session.history[number].who != session.player:
            return number
    return -1


def way_out(session: Session) -> Option | None:
    """The one option that ends what is asked, if there is just one."""
    found = [option for option in session.options if option.kind == DONE]
    return found[0] if len(found) == 1 and len(session.options) > 1 else None
