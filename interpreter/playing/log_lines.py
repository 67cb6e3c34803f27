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
from rulesdsl.speaking.clauses.tree import Clause, Thing, Whole
from rulesdsl.speaking.clauses.words import told
from rulesdsl.speaking.lexicon import Lexicon
from rulesdsl.speaking.names import Names
from rulesdsl.speaking.say import happenings as say


def note_text(
    program: pg.Program, kind: str, values: tuple[pg.E, ...], text: str, shown: tuple[Any, ...],
    turned: str = "turned over",
) -> str:  # fmt: skip
    """One line of the log in plain words."""
    return told(note_clause(program, kind, values, text, shown, turned))


def note_clause(
    program: pg.Program, kind: str, values: tuple[pg.E, ...], text: str, shown: tuple[Any, ...],
    turned: str = "turned over",
) -> Clause:  # fmt: skip
    """One line of the log; `turned` is said of a counter that was."""
    names = [_shown(program, v.type, x) for v, x in zip(values, shown, strict=False)]
    match kind.split(" ", 1):
        case ["phase" | "note"]:
            return say.noted(text, names)
        case ["roll"]:
            return say.rolled(text, names[0])
        case ["pick"]:
            return say.picked(names[0])
        case ["move"]:
            return say.moved(names[0], names[1], _arriving(program, values, shown))
        case ["place"]:
            return say.placed(names[0], names[1], _arriving(program, values, shown))
        case ["remove"]:
            return say.removed(names[0])
        case ["flip"]:
            return say.became(names[0], turned)
        case ["mark" | "unmark" as verb]:
            return say.became(names[0], _called(program, values, text), verb == "mark")
        case ["set", what] if values[-1].type.kind == "flag":
            return say.became(": ".join(names[:-1]), _called(program, values, what), bool(shown[-1]))
        case ["set", what]:
            return say.became_value(": ".join(names[:-1]), _called(program, values, what), names[-1])
        case ["token", verb] if shown[0] < 0:
            return say.BAG_IS_EMPTY if verb == "draw" else say.NO_SUCH_TOKEN
        case ["token", "show"] if len(names) == 1:
            return say.with_token("show", Thing(names[0]), Thing("everybody"))
        case ["token", verb]:
            return say.with_token(verb, Thing(names[0]), _who(program, values[-1].type, shown[-1]))
        case _:
            return Whole(" ".join([kind, text, *names]))


def _who(program: pg.Program, type_: Type, value: Any) -> Thing:
    """Somebody as the subject of a clause: Germans draw, Zhukov draws."""
    name = program.world.show(type_, value)
    players = program.world.universes["player"]
    several = type_.kind == "set" or (type_.name == "player" and isinstance(value, int) and value >= 0
                                      and players.ids[value] in Names.of(program).peoples)  # fmt: skip
    return Thing(name, several)


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


def others_clause(
    program: pg.Program, kind: str, values: tuple[pg.E, ...], shown: tuple[Any, ...], veil: int
) -> Clause | None:
    """A line for those who may not read it; nothing when they must not know of it at all."""
    if veil and kind in ("move", "place", "remove"):  # counters are seen to come and go
        name = _veiled(program, shown[0] if values[0].type.kind == "set" else 1 << shown[0], veil)
        if kind == "remove":
            return say.removed(name)
        place = program.world.show(values[1].type, shown[1])
        return say.moved(name, place) if kind == "move" else say.placed(name, place)
    if not kind.startswith("token ") or not shown:
        return None
    if kind == "token draw" and shown[0] < 0:
        return say.BAG_IS_EMPTY
    return say.heard_of_token(kind.partition(" ")[2], _who(program, values[-1].type, shown[-1]))


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
    kind, paragraph, shown = note
    turned = "turned over"
    if kind == "flip":
        pieces = [*members(values[0])] if shown[0].type.kind == "set" else [values[0]]
        turned = turned_over(ruleset, state, pieces)
    clause = note_clause(program, kind, shown, text, values, turned)
    things = ids_in(program, shown, values)
    seen_by, others, heard_of = None, "", None
    partly: tuple[tuple[str, str], ...] = ()
    whole = eyes if isinstance(eyes, int) else reduce(and_, eyes)
    if ruleset.all_seats & ~whole:
        players = program.world.universes["player"].ids
        seen_by = tuple(player for i, player in enumerate(players) if whole >> i & 1)
        if isinstance(eyes, int):
            heard_of = others_clause(program, kind, shown, values, veil)
            others = told(heard_of) if heard_of is not None else ""
        else:
            names = [_shown(program, v.type, x) for v, x in zip(shown, values, strict=True)]
            known = list(zip(names, eyes, strict=True))
            others = told(say.noted(text, [None if ruleset.all_seats & ~of else name for name, of in known]))
            heard = {p: told(say.noted(text, [name if of >> i & 1 else None for name, of in known]))
                     for i, p in enumerate(players) if p not in seen_by}  # fmt: skip
            partly = tuple((player, heard[player]) for player in heard if heard[player] != others)
    return LogEntry(
        paragraph=paragraph,
        text=told(clause),
        kind=kind,
        decision=decision,
        things=things,
        seen_by=seen_by,
        others=others,
        values=values_in(program, shown, values),
        partly=partly,
        clause=clause,
        heard_of=heard_of,
    )


def values_in(program: pg.Program, values: tuple[pg.E, ...], shown: tuple[Any, ...]) -> tuple[Any, ...]:
    """Everything a log line tells: numbers, flags, ids, tuples of ids; odds and results in words."""
    tells: list[Any] = []
    for value, what in zip(values, shown, strict=False):
        plain = shown_value(program.world, value.type, what)
        if isinstance(plain, dict):
            plain = program.world.show(value.type, what)
        tells.append(tuple(plain) if isinstance(plain, list) else plain)
    return tuple(tells)


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
