"""What may be asked of a game, each question with the seat that asks: it is answered only what it may know.

Without a seat (`EVERYTHING`) everything is told: for who runs the game.
"""

from __future__ import annotations

from interpreter.asking.answers import Explanation, Reason, Refusal
from interpreter.asking.breakdown import breakdown as contributions
from interpreter.asking.why import explain_option
from interpreter.asking.why_not import why_not as clauses_against
from interpreter.playing.session import Option, Session
from interpreter.playing.standing import EVERYTHING


def breakdown(
    session: Session, quantity: str, *arguments: str, seat: str | None = EVERYTHING
) -> list[Reason]:
    """Each contribution to a quantity in order: paragraph, label, amount, and the value after it."""
    session.known_seat(seat)
    return contributions(session, quantity, arguments, seat)


def explain(session: Session, choice: Option | str | int, seat: str | None = EVERYTHING) -> Explanation:
    """Why an option is offered: the clauses that could have forbidden it, the conditions it meets."""
    session.only_for(seat)
    return explain_option(session, session.find(choice))


def why_not(session: Session, wish: str, seat: str | None = EVERYTHING) -> list[Refusal]:
    """Every clause that stands against a wish (a key, or names of things); none: it is offered.

    What the player who is asked may not know is hidden from the answer.
    """
    session.only_for(seat)
    return clauses_against(session, wish)
