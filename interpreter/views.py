"""What a seat may know, built from visible parts only: what is not known to be visible is not there."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from interpreter.canonical import shown_value
from interpreter.session import LogEntry

if TYPE_CHECKING:
    from interpreter.session import Session


def view_of(session: Session, seat: str | None) -> dict[str, Any]:
    """Tracks, attributes, pieces, tokens and the prompt, as `seat` sees them."""
    program, layout = session.ruleset.program, session.ruleset.layout
    world, s = program.world, session.machine.s
    view: dict[str, Any] = {
        "seat": seat,
        "tracks": {
            t.name: shown_value(world, t.type, s[layout.tracks[t.name]])
            for t in world.tracks.values()
            if _may_see(session, seat, ("game", t.name))
        },
        "things": _things(session, seat),
        "tokens": _tokens(session, seat),
        "over": session.over,
    }
    if session.over and session.result is not None:
        view["result"] = {"outcome": session.result.outcome, "winners": list(session.result.winners),
                          "reason": session.result.reason}  # fmt: skip
    if not session.over and session.player == seat and session.prompt is not None:
        view["prompt"] = {"text": session.prompt.text, "rule": session.prompt.rule}
        view["options"] = [{"key": o.key, "text": o.text} for o in session.options]
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
            lines.append(replace(seen, decision=own[entry.decision]))
    return lines


def line_for(entry: LogEntry, seat: str | None) -> LogEntry | None:
    """A line of the log as a seat may read it, if at all."""
    if entry.seen_by is None or seat in entry.seen_by:
        return replace(entry, seen_by=None, others="")
    return LogEntry(entry.rule, entry.others, entry.kind, entry.decision) if entry.others else None


def _may_see(session: Session, seat: str | None, what: tuple[str, str], index: int = -1) -> bool:
    """Whether a seat may see a track, or an attribute of the thing `index`; what is declared decides."""
    visibility = session.ruleset.program.visibility.get(what)
    if visibility is None:
        return True
    number = session.ruleset.program.world.universes["player"].index.get(seat or "", -1)
    if number < 0:
        return False
    env = {} if visibility.thing is None else {visibility.thing: index}
    viewers = session.ruleset.evaluate(session.machine.s, visibility.viewers, env)
    return bool(viewers >> number & 1)


def _things(session: Session, seat: str | None) -> dict[str, dict[str, Any]]:
    """State attributes of spaces, pieces, players and groups; only values that differ from the default."""
    layout, world = session.ruleset.layout, session.ruleset.program.world
    s = session.machine.s
    out: dict[str, dict[str, Any]] = {}
    for (universe, name), attribute in world.attributes.items():
        if attribute.printed or universe == "token":
            continue
        ids, default = world.universes[universe].ids, attribute.default
        if attribute.type.kind == "flag":
            mask = 0
            for slot in layout.flags[universe, name].values():
                mask |= s[slot]
            found = [(i, 1) for i in range(mask.bit_length()) if mask >> i & 1]
        else:
            base = layout.arrays[universe, name].base
            found = [(i, v) for i, v in enumerate(s[base : base + len(ids)]) if v != default]
        for i, value in found:
            if _may_see(session, seat, (universe, name), i):
                out.setdefault(f"{universe}:{ids[i]}", {})[name] = shown_value(world, attribute.type, value)
    return out


def _tokens(session: Session, seat: str | None) -> dict[str, Any]:
    """Own tokens by name; of others only how many; spent ones are open, the bag is only counted."""
    layout, world = session.ruleset.layout, session.ruleset.program.world
    if ("token", "holder") not in layout.arrays:
        return {}
    s = session.machine.s
    holder, state = layout.arrays["token", "holder"].base, layout.arrays["token", "state"].base
    tokens, players = world.universes["token"], world.universes["player"]
    view: dict[str, Any] = {"spent": [], "held": dict.fromkeys(players.ids, 0), "mine": []}
    for i, identity in enumerate(tokens.ids):
        if s[state + i] == 2:
            view["spent"].append(identity)
        elif s[state + i] == 1:
            owner = players.ids[s[holder + i]]
            view["held"][owner] += 1
            if owner == seat:
                view["mine"].append(identity)
    return view
