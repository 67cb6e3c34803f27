"""Lines of the log in words: what a block has noted, for those who may know it and for the others."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import and_
from typing import Any

from interpreter.compiling.ruleset import Ruleset
from interpreter.playing.counters import called, members
from interpreter.playing.moments import LogEntry
from interpreter.running.state_json import shown_value
from interpreter.state.position import Position
from rulesdsl import program as pg
from rulesdsl.language.wordings import read_wording
from rulesdsl.program.types import Type, set_of
from rulesdsl.speaking.lexicon import Lexicon

BRACES = "{}"  # where a note shows a value
HIDDEN = "…"


def note_text(
    program: pg.Program, kind: str, values: tuple[pg.E, ...], text: str, shown: tuple[Any, ...],
    turned: str = "turned over",
) -> str:  # fmt: skip
    """One line of the log; `turned` is said of a counter that was."""
    names = [_shown(program, v.type, x) for v, x in zip(values, shown, strict=False)]
    # What happens to a thing is told without a verb: Hussars are many, `losses` are, and nothing says so.
    match kind.split(" ", 1):
        case ["phase"]:
            return filled(text, names)
        case ["roll"]:
            return f"{text}: {names[0]}"
        case ["pick"]:
            return f"chance picks {names[0]}"
        case ["move" | "place"] if (arrived := _arriving(program, values, shown)) != "":
            return f"{names[0]}: {arrived}"
        case ["move" | "place" as verb]:
            return f"{names[0]}: {'to' if verb == 'move' else 'placed in'} {names[1]}"
        case ["remove"]:
            return f"{names[0]}: removed"
        case ["flip"]:
            return f"{names[0]}: {turned}"
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
            to_whom = names[1] if len(names) > 1 else "everybody"
            return {"draw": f"{names[-1]} draws {names[0]}", "return": f"{names[0]} goes back to the bag",
                    "discard": f"{names[0]} leaves the game", "give": " goes to ".join(names),
                    "play": f"{names[-1]} plays {names[0]}",
                    "show": f"{names[0]} is shown to {to_whom}"}[verb]  # fmt: skip
        case ["note"]:
            return filled(text, names)
        case _:
            return " ".join([kind, text, *names])


def _arriving(program: pg.Program, values: tuple[pg.E, ...], shown: tuple[Any, ...]) -> str:
    """What the game says of a piece that comes to this place, if it has a word for it."""
    space = shown[1] if len(shown) > 1 and values[1].type.name == "space" else None
    if not isinstance(space, int) or space < 0:
        return ""
    return program.telling.arriving(program.world.universes["space"].ids[space])


def turned_over(ruleset: Ruleset, state: list[Any], pieces: Sequence[int]) -> str:
    """What is said of counters that have been turned: in the words of the game, else by what is printed on
    their sides."""
    program, now = ruleset.program, Position(ruleset.layout, state)
    faces = {now.face(piece) for piece in pieces if piece >= 0}
    if len(faces) != 1:
        return "turned over"
    (face,) = faces
    words = program.telling.faces
    if face < len(words):
        return str(words[face])
    weaker = set[bool]()
    for (of, _), attribute in program.world.attributes.items():
        for piece in pieces if of == "piece" and attribute.printed else ():
            sides: Any = attribute.values[piece]
            if isinstance(sides, tuple) and len(sides) == 2 and attribute.type.kind == "number":
                weaker |= {sides[face] < sides[1 - face]} if sides[0] != sides[1] else set()
    if len(weaker) != 1:
        return "turned over"
    return "reduced" if weaker == {True} else "at full strength"


def filled(text: str, names: Sequence[str | None]) -> str:
    """A text with values in its braces, the rest of them after it; `None` is one that must not be told."""
    left = list(names)
    parts = text.split(BRACES)
    line = parts[0]
    for part in parts[1:]:
        line += (left.pop(0) or HIDDEN if left else "") + part
    told = [name for name in left if name is not None]
    return f"{line}: {', '.join(told)}" if told else line


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
    program: pg.Program, kind: str, values: tuple[pg.E, ...], text: str, shown: tuple[Any, ...], veil: int
) -> str:
    """A line for those who may not read it; nothing when they must not know of it at all."""
    if veil and kind in ("move", "place", "remove"):  # counters are seen to come and go
        name = _veiled(program, shown[0] if values[0].type.kind == "set" else 1 << shown[0], veil)
        place = program.world.show(values[1].type, shown[1])
        return {"move": f"{name}: to {place}", "place": f"{name}: placed in {place}"}.get(
            kind, f"{name}: removed"
        )
    who = program.world.show(values[-1].type, shown[-1]) if values else ""
    return {
        "token draw": f"{who} draws a token" if shown and shown[0] >= 0 else "the bag is empty",
        "token return": "a token goes back to the bag",
        "token give": f"{who} is given a token",
        "token show": f"{who} is shown a token",
    }.get(kind, "")


def _veiled(program: pg.Program, pieces: int, veil: int) -> str:
    """Pieces in a line for those who do not know all of them."""
    known = program.world.show(set_of("piece"), pieces & ~veil) if pieces & ~veil else ""
    unknown = called(program.world, [*members(pieces & veil)])
    return ", ".join(filter(None, (known, unknown)))


def log_entry(
    ruleset: Ruleset, note: tuple[str, str, tuple[pg.E, ...]], decision: int, state: list[Any], text: str,
    values: tuple[Any, ...], eyes: int | tuple[int, ...], veil: int,
) -> LogEntry:  # fmt: skip
    """A line of the log from what a block has noted; `eyes` are the players who may read it (-1 all), or of
    each value who may know it. `state` is how things lie now."""
    program = ruleset.program
    kind, rule, shown = note
    if kind == "flip":
        pieces = [*members(values[0])] if shown[0].type.kind == "set" else [values[0]]
        line = note_text(program, kind, shown, text, values, turned_over(ruleset, state, pieces))
    else:
        line = note_text(program, kind, shown, text, values)
    things = ids_in(program, shown, values)
    seen_by, others = None, ""
    partly: tuple[tuple[str, str], ...] = ()
    whole = eyes if isinstance(eyes, int) else reduce(and_, eyes)
    if ruleset.all_seats & ~whole:
        players = program.world.universes["player"].ids
        seen_by = tuple(player for i, player in enumerate(players) if whole >> i & 1)
        if isinstance(eyes, int):
            others = others_text(program, kind, shown, text, values, veil)
        else:
            names = [_shown(program, v.type, x) for v, x in zip(shown, values, strict=True)]
            known = list(zip(names, eyes, strict=True))
            others = filled(text, [None if ruleset.all_seats & ~of else name for name, of in known])
            heard = {p: filled(text, [name if of >> i & 1 else None for name, of in known])
                     for i, p in enumerate(players) if p not in seen_by}  # fmt: skip
            partly = tuple((player, heard[player]) for player in heard if heard[player] != others)
    told = values_in(program, shown, values)
    return LogEntry(
        rule=rule,
        text=line,
        kind=kind,
        decision=decision,
        things=things,
        seen_by=seen_by,
        others=others,
        values=told,
        partly=partly,
    )


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
