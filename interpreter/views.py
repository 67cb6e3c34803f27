"""What a seat may know, built from visible parts only: what is not known to be visible is not there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter.canonical import encode
from rulesdsl.types import Type
from rulesdsl.world import World

if TYPE_CHECKING:
    from interpreter.session import Session


def view_of(session: Session, seat: str | None) -> dict[str, Any]:
    """Tracks, attributes, pieces, tokens and the prompt, as `seat` sees them."""
    program, layout = session.ruleset.program, session.ruleset.layout
    world, s = program.world, session.machine.s
    view: dict[str, Any] = {
        "seat": seat,
        "tracks": {
            t.name: shown(world, t.type, s[layout.tracks[t.name]])
            for t in world.tracks.values()
            if t.visible_to is None
        },
        "things": _things(session),
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


def shown(world: World, type_: Type, value: Any) -> Any:
    """A state value as JSON a person can read."""
    if type_.kind == "flag":
        return bool(value)
    if type_.kind in ("thing", "enum"):
        return None if value < 0 else world.key(type_, value)
    if type_.kind == "set":
        return [world.universes[type_.name].ids[i] for i in range(value.bit_length()) if value >> i & 1]
    return encode(value)


def _things(session: Session) -> dict[str, dict[str, Any]]:
    """State attributes of spaces, pieces, players and groups; only values that differ from the default."""
    layout, world = session.ruleset.layout, session.ruleset.program.world
    s = session.machine.s
    out: dict[str, dict[str, Any]] = {}
    for (universe, name), attribute in world.attributes.items():
        if attribute.printed or universe == "token" or attribute.visible_to is not None:
            continue
        ids = world.universes[universe].ids
        if attribute.type.kind == "flag":
            mask = 0
            for slot in layout.flags[universe, name].values():
                mask |= s[slot]
            for i, identity in enumerate(ids):
                if mask >> i & 1:
                    out.setdefault(f"{universe}:{identity}", {})[name] = True
            continue
        base = layout.arrays[universe, name].base
        for i, identity in enumerate(ids):
            if s[base + i] != attribute.default:
                value = shown(world, attribute.type, s[base + i])
                out.setdefault(f"{universe}:{identity}", {})[name] = value
    return out


def _tokens(session: Session, seat: str | None) -> dict[str, Any]:
    """Own tokens by name; of others only how many; spent ones are open, the bag is only counted."""
    layout, world = session.ruleset.layout, session.ruleset.program.world
    if ("token", "holder") not in layout.arrays:
        return {}
    s = session.machine.s
    holder, state = layout.arrays["token", "holder"].base, layout.arrays["token", "state"].base
    tokens, players = world.universes["token"], world.universes["player"]
    view: dict[str, Any] = {"spent": [], "held": {p: 0 for p in players.ids}, "mine": []}
    for i, identity in enumerate(tokens.ids):
        if s[state + i] == 2:
            view["spent"].append(identity)
        elif s[state + i] == 1:
            owner = players.ids[s[holder + i]]
            view["held"][owner] += 1
            if owner == seat:
                view["mine"].append(identity)
    return view
