"""What a seat may know, built from visible parts only: what is not known to be visible is not there."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from interpreter.playing.counters import counters_in_order, hidden_pieces, hides_identity, shown_on_back
from interpreter.playing.moments import LogEntry
from interpreter.running.state_json import shown_value
from interpreter.state.token_cells import HELD, SPENT, token_cells

if TYPE_CHECKING:
    from interpreter.compiling.ruleset import Ruleset
    from interpreter.playing.session import Session


def view_of(session: Session, seat: str | None) -> dict[str, Any]:
    """Tracks, attributes, pieces, tokens and the prompt, as `seat` sees them."""
    program, now = session.ruleset.program, session.position
    world = program.world
    view: dict[str, Any] = {
        "seat": seat,
        "tracks": {
            t.name: shown_value(world, t.type, now.track(t.name))
            for t in world.tracks.values()
            if _may_see(session, seat, ("game", t.name))
        },
        "things": _things(session, seat),
        "tokens": _tokens(session, seat),
        "over": session.over,
    }
    if hides_identity(program):
        view["counters"] = _counters(session, seat)
    if session.over and session.result is not None:
        view["result"] = {"outcome": session.result.outcome, "winners": list(session.result.winners),
                          "reason": session.result.reason}  # fmt: skip
        if session.result.payoffs:
            view["result"]["payoffs"] = {player: str(gain) for player, gain in session.result.payoffs}
    if not session.over and session.player == seat and session.prompt is not None:
        asked = session.prompt
        view["prompt"] = {"text": asked.text, "rule": asked.paragraph, "title": asked.title,
                          "things": list(asked.things)}  # fmt: skip
        view["options"] = [
            {"key": o.key, "text": o.text, "kind": o.kind, "things": list(o.things)} for o in session.options
        ]
    return view


def log_of(session: Session, seat: str | None) -> list[LogEntry]:
    """The lines a seat may read. `decision` counts the seat's own decisions: how often others were asked
    can tell what they hold."""
    own = [0]
    for moment in session.history:
        own.append(own[-1] + (moment.who == seat))
    lines: list[LogEntry] = []
    for entry in session.log:
        seen = line_for(entry, seat)
        if seen is not None:
            number = own[entry.decision]
            lines.append(seen if seen.decision == number else replace(seen, decision=number))
    return lines


def line_for(entry: LogEntry, seat: str | None) -> LogEntry | None:
    """A line of the log as a seat may read it, if at all."""
    if entry.seen_by is None and not entry.others and not entry.partly:
        return entry
    if entry.seen_by is None or seat in entry.seen_by:
        return replace(entry, seen_by=None, others="", partly=(), heard_of=None)
    partly = dict(entry.partly)
    heard = partly.get(seat or "", entry.others)
    of = None if seat in partly else entry.heard_of
    return LogEntry(entry.paragraph, heard, entry.kind, entry.decision, clause=of) if heard else None


def _may_see(session: Session, seat: str | None, what: tuple[str, str], index: int = -1) -> bool:
    """Whether a seat may see a track, or an attribute of the thing `index`; what is declared decides."""
    visibility = session.ruleset.program.visibility.get(what)
    if visibility is None:
        return True
    env = {} if visibility.thing is None else {visibility.thing: index}
    viewers = session.ruleset.evaluate(session.machine.s, visibility.viewers, env)
    return is_among(session.ruleset, viewers, seat)


def is_among(ruleset: Ruleset, eyes: int, seat: str | None) -> bool:
    """Whether a seat is one of these players. Who looks on knows what all know who take part."""
    if seat is None:
        return ruleset.all_seats & ~eyes == 0
    return bool(eyes >> ruleset.program.world.universes["player"].index[seat] & 1)


def _things(session: Session, seat: str | None) -> dict[str, dict[str, Any]]:
    """State attributes of spaces, pieces, players and groups; only values that differ from the default."""
    now, world = session.position, session.ruleset.program.world
    number = world.universes["player"].index.get(seat or "", -1)
    unknown = hidden_pieces(session.ruleset, now.s, number)
    out: dict[str, dict[str, Any]] = {}
    for (universe, name), attribute in world.attributes.items():
        if attribute.printed or universe == "token":
            continue
        ids, default = world.universes[universe].ids, attribute.default
        if attribute.type.kind == "flag":
            mask = now.raised(universe, name)
            found = [(i, 1) for i in range(mask.bit_length()) if mask >> i & 1]
        else:
            found = [(i, v) for i, v in enumerate(now.values(universe, name)[: len(ids)]) if v != default]
        for i, value in found:
            if universe == "piece" and unknown >> i & 1:
                continue
            if _may_see(session, seat, (universe, name), i):
                out.setdefault(f"{universe}:{ids[i]}", {})[name] = shown_value(world, attribute.type, value)
    return out


def _counters(session: Session, seat: str | None) -> dict[str, list[dict[str, Any]]]:
    """Space → the counters there of which a seat does not know which pieces they are, from the lowest."""
    ruleset, machine = session.ruleset, session.machine
    world = ruleset.program.world
    hidden = hidden_pieces(ruleset, machine.s, world.universes["player"].index.get(seat or "", -1))
    seen = counters_in_order(ruleset, machine, hidden)
    out: dict[str, list[dict[str, Any]]] = {}
    for piece, (space, number) in sorted(seen.items(), key=lambda entry: entry[1]):
        if space >= 0:
            shown = {
                name: shown_value(world, world.attributes["piece", name].type, value)
                for name, value in shown_on_back(ruleset, machine.s, piece).items()
            }
            counter = {"number": number, "class": world.universes["piece"].classes[piece], "shows": shown}
            out.setdefault(world.universes["space"].ids[space], []).append(counter)
    return out


def _tokens(session: Session, seat: str | None) -> dict[str, Any]:
    """Own tokens by name; of others how many, and which of them the seat has seen; spent ones are open."""
    world, cells, s = session.ruleset.program.world, token_cells(session.ruleset.layout), session.machine.s
    if cells is None:
        return {}
    tokens, players = world.universes["token"], world.universes["player"]
    view: dict[str, Any] = {"spent": [], "held": dict.fromkeys(players.ids, 0), "mine": [], "known": {}}
    for i, identity in enumerate(tokens.ids):
        if s[cells.state + i] == SPENT:
            view["spent"].append(identity)
        elif s[cells.state + i] == HELD:
            owner = players.ids[s[cells.holder + i]]
            view["held"][owner] += 1
            if owner == seat:
                view["mine"].append(identity)
            elif is_among(session.ruleset, s[cells.known + i], seat):
                view["known"].setdefault(owner, []).append(identity)
    return view
