"""What a seat sees of a table: one reply with everything a page needs to draw."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from interpreter.playing.counters import hides_identity
from interpreter.serving.board import position
from interpreter.serving.happenings import recent_lines
from interpreter.serving.offering import offer, pieces_of
from interpreter.serving.seating import PERSON
from interpreter.serving.standing import player_name, standing

if TYPE_CHECKING:
    from interpreter.playing.session import Session
    from interpreter.serving.seating import Door, Seating


def look(session: Session, seating: Seating, door: Door, seat: str | None) -> dict[str, Any]:
    """The table through the eyes of `seat` (None: somebody who looks on)."""
    view = session.view(seat)
    mine = seat is not None and session.player == seat and not session.over
    offered = offer(session, seat) if mine and seat is not None else None
    log, whole = recent_lines(session, seat)
    facts = session.facts
    return {
        "seat": seat,
        "seats": list(door.seats),
        "host": door.host,
        "game": session.game.full_title,
        "scenario": facts.get("scenario"),
        "summary": session.game.source.game.summary,
        "players": _players(session, seating),
        "standing": standing(session, view),
        "asked": asked(session, seating, door, seat),
        "offer": offered,
        "board": position(session, seat, pieces_of(offered) if offered else (), view),
        "hand": hand(session, view),
        "log": log,
        "log_whole": whole,
        "over": session.over,
        "result": _result(session),
        "curtain": has_secrets(session) and len(door.seats) > 1,
    }


def has_secrets(session: Session) -> bool:
    program = session.ruleset.program
    return bool(program.tokens) or bool(program.visibility) or hides_identity(program)


def is_private(session: Session) -> bool:
    """Whether the others must not even hear who is asked: that somebody may play a token tells that he
    holds one."""
    if session.ruleset.program.visibility:
        return True
    return any(type_.name == "token" for type_ in getattr(session.site, "types", ()))


def asked(session: Session, seating: Seating, door: Door, seat: str | None) -> dict[str, Any]:
    """Who is asked, as far as this seat may know; what he is asked is in the offer, for him alone.

    At one screen the person who is asked must be called, whatever it is about: `mine` is the seat of this
    door that is asked.
    """
    who = session.player
    if who is None:
        return {"of": None, "name": "", "mine": None, "computer": False}
    own = who if who in door.seats else None
    told = who if own or not has_secrets(session) or not is_private(session) else None
    computer = told is not None and seating.kinds.get(told) != PERSON
    return {"of": told, "name": player_name(session, told), "mine": own, "computer": computer}


def hand(session: Session, view: dict[str, Any]) -> dict[str, Any]:
    """Tokens: one's own by name, those of others by number and those one has seen."""
    tokens, titles = view["tokens"], session.ruleset.program.tokens
    if not tokens:
        return {"mine": [], "held": {}, "known": {}, "spent": []}

    def named(ids: Sequence[str]) -> list[dict[str, str]]:
        return [
            {"id": f"token:{token}", "title": titles[token].title, "rule": titles[token].paragraph}
            for token in ids
        ]

    return {
        "mine": named(tokens["mine"]), "spent": named(tokens["spent"]), "held": dict(tokens["held"]),
        "known": {owner: named(ids) for owner, ids in tokens["known"].items()},
    }  # fmt: skip


def _players(session: Session, seating: Seating) -> list[dict[str, Any]]:
    colours = {player.id: player.colour for player in session.game.source.game.players}
    return [
        {"id": player, "name": player_name(session, player), "colour": colours.get(player) or "",
         "who": seating.kinds.get(player, "")}
        for player in session.ruleset.seats.ids
    ]  # fmt: skip


def _result(session: Session) -> dict[str, Any] | None:
    result = session.result
    if result is None:
        return None
    names = [player_name(session, player) for player in result.winners]
    return {"outcome": result.outcome, "winners": list(result.winners), "names": names,
            "reason": result.reason, "rule": result.paragraph}  # fmt: skip
