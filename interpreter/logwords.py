"""Lines of the log in words: what a block has noted, for those who may know it and for the others."""

from __future__ import annotations

from typing import Any

from interpreter.canonical import shown_value
from interpreter.moments import LogEntry
from rulesdsl import program as pg
from rulesdsl.lexicon import Lexicon
from rulesdsl.types import Type
from rulesdsl.wordings import read_wording


def note_text(
    program: pg.Program, kind: str, values: tuple[pg.E, ...], text: str, shown: tuple[Any, ...]
) -> str:
    """One line of the log."""
    names = [_shown(program, v.type, x) for v, x in zip(values, shown, strict=False)]
    # What happens to a thing is told without a verb: Hussars are many, `losses` are, and nothing says so.
    match kind.split(" ", 1):
        case ["phase"]:
            return f"{text}: {', '.join(names)}" if names else text
        case ["roll"]:
            return f"{text}: {names[0]}"
        case ["pick"]:
            return f"chance picks {names[0]}"
        case ["move" | "place" as verb]:
            return f"{names[0]}: {'to' if verb == 'move' else 'placed in'} {names[1]}"
        case ["remove"]:
            return f"{names[0]}: removed"
        case ["flip"]:
            return f"{names[0]}: flipped"
        case ["mark"]:
            return f"{names[0]}: {_called(program, values, text)}"
        case ["unmark"]:
            return f"{names[0]}: no longer {_called(program, values, text)}"
        case ["set", what] if values[-1].type.kind == "flag":
            word = _called(program, values, what)
            return ": ".join([*names[:-1], word if shown[-1] else f"no longer {word}"])
        case ["set", what]:
            return ": ".join([*names[:-1], f"{_called(program, values, what)} {names[-1]}"])
        case ["token", verb] if shown[0] < 0:
            return "the bag is empty" if verb == "draw" else "there is no such token"
        case ["token", verb]:
            return {"draw": f"{names[-1]} draws {names[0]}", "return": f"{names[0]} goes back to the bag",
                    "discard": f"{names[0]} leaves the game", "give": " goes to ".join(names),
                    "play": f"{names[-1]} plays {names[0]}"}[verb]  # fmt: skip
        case ["note"]:
            return text if not names else f"{text}: {', '.join(names)}"
        case _:
            return " ".join([kind, text, *names])


def _called(program: pg.Program, values: tuple[pg.E, ...], name: str) -> str:
    """What an attribute or a track is called: as the rulebook words it, or as it spells its name."""
    attribute = program.world.attributes.get((values[0].type.name, name))
    if attribute is not None and attribute.wording:
        if attribute.type.kind != "flag":
            return attribute.wording
        if (wording := read_wording(attribute.wording, ("it",))) is not None:
            return wording.brief(name)
    return Lexicon.of(program).spelled(name.replace("_", " "))


def _shown(program: pg.Program, type_: Type, value: Any) -> str:
    """As people write it: values of an enumeration as the rulebook spells them."""
    text = program.world.show(type_, value)
    enum = type_.kind == "enum" or type_.of_enum
    return Lexicon.of(program).spelled(text.replace("_", " ")) if enum else text


def others_text(
    program: pg.Program, kind: str, values: tuple[pg.E, ...], text: str, shown: tuple[Any, ...]
) -> str:
    """The same line for those who may not know all of it; nothing when they must not know of it at all."""
    if kind == "note":
        return text
    who = program.world.show(values[-1].type, shown[-1]) if values else ""
    return {
        "token draw": f"{who} draws a token" if shown and shown[0] >= 0 else "the bag is empty",
        "token return": "a token goes back to the bag",
        "token give": f"{who} is given a token",
    }.get(kind, "")


def log_entry(
    program: pg.Program, note: tuple[str, str, tuple[pg.E, ...]], decision: int, text: str,
    values: tuple[Any, ...], eyes: int,
) -> LogEntry:  # fmt: skip
    """A line of the log from what a block has noted; `eyes` are the players who may read it, -1 all."""
    kind, rule, shown = note
    line, things = note_text(program, kind, shown, text, values), ids_in(program, shown, values)
    seen_by, others = None, ""
    if eyes != -1:
        players = program.world.universes["player"].ids
        seen_by = tuple(player for i, player in enumerate(players) if eyes >> i & 1)
        others = others_text(program, kind, shown, text, values)
    told = values_in(program, shown, values)
    return LogEntry(rule, line, kind, decision, things, seen_by, others, told)


def values_in(program: pg.Program, values: tuple[pg.E, ...], shown: tuple[Any, ...]) -> tuple[Any, ...]:
    """Everything a log line tells: numbers, flags, ids, tuples of ids; odds and results in words."""
    told: list[Any] = []
    for value, what in zip(values, shown, strict=False):
        plain = shown_value(program.world, value.type, what)
        if isinstance(plain, dict):
            plain = program.world.show(value.type, what)
        told.append(tuple(plain) if isinstance(plain, list) else plain)
    return tuple(told)


def ids_in(program: pg.Program, values: tuple[pg.E, ...], shown: tuple[Any, ...]) -> tuple[str, ...]:
    """The ids of all things a log line speaks about."""
    found: list[str] = []
    for value, what in zip(values, shown, strict=False):
        universe = program.world.universes.get(value.type.name)
        if universe is None or not isinstance(what, int):
            continue
        if value.type.kind == "thing" and what >= 0:
            found.append(universe.ids[what])
        elif value.type.kind == "set":
            found.extend(identity for i, identity in enumerate(universe.ids) if what >> i & 1)
    return tuple(found)
