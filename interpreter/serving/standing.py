"""How the game stands, in a few words: turn, phase, score, what each player has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter.playing.views import line_for
from interpreter.running.state_json import shown_value
from rulesdsl.base.diagnostics import UsageError
from rulesdsl.drawing.style.style import in_words
from rulesdsl.language.conventions import LAST_TURN, SCORE, TURN

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interpreter.playing.session import Session


def standing(session: Session, view: Mapping[str, Any]) -> dict[str, Any]:
    """Built from the view of a seat (and the values that seat may ask for)."""
    seat = view["seat"]
    return {
        "turn": _turn(session, view),
        "phases": _phases(session, seat),
        "tracks": _tracks(session, view),
        "scores": _scores(session, seat),
        "watched": _watched(session, view),
        "holdings": _holdings(session, view),
    }


def player_name(session: Session, player: str | None) -> str:
    players = session.ruleset.program.world.universes["player"]
    return players.names[players.index[player]] if player is not None and player in players.index else ""


def _turn(session: Session, view: Mapping[str, Any]) -> str:
    turn = view["tracks"].get(TURN)
    if turn is None:
        return ""
    last = _last_turn(session, view["seat"])
    return f"turn {turn} of {last}" if last is not None else f"turn {turn}"


def _last_turn(session: Session, seat: str | None) -> object:
    """What the rulebook calls `last_turn`, else how far the track goes; None when neither is there."""
    program = session.ruleset.program
    if LAST_TURN in session.ruleset.settings:
        return session.ruleset.settings[LAST_TURN]
    rule = program.defines.get(LAST_TURN) or program.quantities.get(LAST_TURN)
    if rule is not None and not rule.params and rule.type.kind == "number":
        try:
            return session.value(LAST_TURN, seat=seat)
        except UsageError:  # made of something this seat may not know
            return None
    return program.world.tracks[TURN].type.high


def _tracks(session: Session, view: Mapping[str, Any]) -> list[str]:
    """Every other track that may be seen, is no bookkeeping and no longer where it began."""
    world, found = session.ruleset.program.world, []
    for name, value in view["tracks"].items():
        track = world.tracks[name]
        if name == TURN or track.quiet or value == shown_value(world, track.type, track.start):
            continue
        words = player_name(session, value) if track.type.name == "player" else value
        if track.type.kind == "flag":
            found.append(("" if value else "not ") + in_words(name))
        else:
            found.append(f"{in_words(name)} {in_words(str(words))}")
    return found


def _phases(session: Session, seat: str | None) -> list[str]:
    """Where in the sequence of play we are, from the outside in; of the innermost also whose it is."""
    program, machine = session.ruleset.program, session.machine
    titles = {p.title for p in program.procedures.values() if p.kind == "phase" and p.name != "game"}
    names = [machine.code.names[frame[0]] for frame in machine.stack]
    chain = list(dict.fromkeys(name for name in names if name in titles))
    for entry in reversed(session.log) if chain else ():
        seen = line_for(entry, seat) if entry.kind == "phase" else None
        if seen is not None and seen.text.startswith(chain[-1]):
            chain[-1] = seen.text
            break
    return chain


def _scores(session: Session, seat: str | None) -> dict[str, str]:
    """`quantity score(player)` of each player who takes part; what the computer reckons is no score."""
    quantity = session.ruleset.program.quantities.get(SCORE)
    if quantity is None or [p.type.name for p in quantity.params] != ["player"]:
        return {}
    found: dict[str, str] = {}
    for player in session.ruleset.seats.ids:
        try:
            found[player] = str(session.value(SCORE, player, seat=seat))
        except UsageError:
            found[player] = "?"
    return found


def _watched(session: Session, view: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What the rulebook says a player watches beside the score: numbers of the game or of each player."""
    program = session.ruleset.program
    found: list[dict[str, Any]] = []
    for one in program.telling.watched:
        rule = program.quantities.get(one.value) or program.defines.get(one.value)
        if one.value == SCORE:
            continue
        if rule is None and one.value in program.world.tracks:
            found.append({"label": one.label, "value": str(view["tracks"].get(one.value, "?")), "of": {}})
        elif rule is not None and not rule.params:
            found.append({"label": one.label, "value": _known(session, view["seat"], one.value), "of": {}})
        else:
            each = {
                player: _known(session, view["seat"], one.value, player)
                if rule is not None
                else str(view["things"].get(f"player:{player}", {}).get(one.value, 0))
                for player in session.ruleset.seats.ids
            }
            found.append({"label": one.label, "value": "", "of": each})
    return found


def _known(session: Session, seat: str | None, name: str, *about: str) -> str:
    try:
        return str(session.value(name, *about, seat=seat))
    except UsageError:  # made of something this seat may not know
        return "?"


def _holdings(session: Session, view: Mapping[str, Any]) -> dict[str, list[str]]:
    """What is known of each player beside his score, and is no bookkeeping."""
    world = session.ruleset.program.world
    found: dict[str, list[str]] = {}
    for player in session.ruleset.seats.ids:
        words = []
        for name, value in view["things"].get(f"player:{player}", {}).items():
            attribute = world.attributes["player", name]
            if attribute.quiet:
                continue
            said = player_name(session, value) if attribute.type.name == "player" else value
            flag = attribute.type.kind == "flag"
            words.append(in_words(name) if flag else f"{in_words(name)} {in_words(str(said))}")
        found[player] = words
    return found
