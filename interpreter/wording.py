"""Prompts, options and log lines in words. Everything is derived from the rules that run."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from interpreter.canonical import shown_value
from interpreter.moments import LogEntry
from interpreter.sites import MenuSite, Site, TravelSite
from rulesdsl import program as pg
from rulesdsl import syntax as sx
from rulesdsl.lexicon import Lexicon
from rulesdsl.types import Type
from rulesdsl.wordings import read_wording
from rulesdsl.world import World

AnySite = Site | MenuSite | TravelSite


def slug(text: str) -> str:
    """A label as a key that can be typed: "Pass the turn" → pass-the-turn."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "option"


def option_key(world: World, site: AnySite, value: Any) -> str:
    """The stable name of an option."""
    match site:
        case MenuSite(labels=labels):
            return slug(str(labels[value]))
        case TravelSite():
            return world.universes["space"].ids[int(value)]
        case Site(types=types, action=action):
            values = value if isinstance(value, tuple) else (value,)
            parts = "+".join(world.key(t, v) for t, v in zip(types, values, strict=True))
            return f"{action}:{parts}" if action else parts


def option_keys(world: World, site: AnySite, options: Sequence[Any], out: bool) -> list[str]:
    """The keys of all options, the way out last. Two labels that read alike are told apart by a number."""
    keys = [option_key(world, site, value) for value in options]
    if out:
        keys.append(out_key(site))
    if len(set(keys)) == len(keys):
        return keys
    taken, unique = set(keys), set[str]()
    for place, key in enumerate(keys):
        number = 2
        while keys[place] in unique:
            if (candidate := f"{key}-{number}") not in taken:
                keys[place] = candidate
            number += 1
        unique.add(keys[place])
    return keys


def out_key(site: AnySite) -> str:
    match site:
        case MenuSite(step=step):
            return slug(step.decline or "no")
        case TravelSite():
            return "halt"
        case _:
            return slug(site.out_label or "done")


def out_text(site: AnySite) -> str:
    match site:
        case MenuSite(step=step):
            return step.decline or "no"
        case TravelSite():
            return "halt here"
        case _:
            return site.out_label or "done"


def option_text(program: pg.Program, site: AnySite, value: Any, around: Mapping[str, str]) -> str:
    """The sentence of an option: the action's verb with its names, or just the names.

    `around` are the names that are the same for all options: of variables and of the action's other
    parameters.
    """
    world = program.world
    match site:
        case MenuSite(labels=labels):
            return labels[int(value)]
        case TravelSite():
            return f"go to {world.universes['space'].names[value]}"
        case Site(types=types, action=action, variables=variables):
            values = value if isinstance(value, tuple) else (value,)
            names = [world.show(t, v) for t, v in zip(types, values, strict=True)]
            if not action:
                return ", ".join(names)
            rule = program.actions[action]
            shown = {**around, **{v.name: n for v, n in zip(variables, names, strict=True)}}
            step = site.step
            if isinstance(step, pg.ChooseS) and step.action is not None:
                for param, argument in zip(rule.params, step.action.arguments, strict=True):
                    if isinstance(argument, pg.VarGet) and argument.var in variables:
                        shown[param.name] = names[variables.index(argument.var)]
            text = re.sub(r"\{(\w+)\}", lambda m: shown.get(m[1], m[1]), rule.verb)
            return text if any(n in text for n in names) else f"{text} {', '.join(names)}"


def prompt_text(program: pg.Program, site: AnySite, around: Mapping[str, str]) -> str:
    """What is asked, in the words of the rule; `{unit}` in it is the name of a variable's value."""
    asked = _prompt(program, site)
    if "{" not in asked:
        return Lexicon.of(program).spelled(asked)
    return re.sub(r"\{(\w+)\}", lambda m: around.get(m[1], m[1]), asked)


def _prompt(program: pg.Program, site: AnySite) -> str:
    match site:
        case MenuSite(prompt=prompt):
            return prompt or (f"{site.labels[0]}?" if len(site.step.entries) == 1 else "choose")
        case TravelSite(route=route):
            return f"{route.replace('_', ' ')} of {{travelling_piece}}: the next step"
        case Site(step=pg.ForS()):
            return "choose which comes next"
        case Site(prompt=prompt, step=step, action=action):
            if prompt:
                return prompt
            source = step.source
            if isinstance(source, sx.Choose):
                nouns = ", ".join(" ".join(p.words).replace("_", " ") for p in source.phrases)
                verb = _asked_by_verb(program, site, nouns)
                if verb:
                    return verb
                article = "an " if nouns[:1] in "aeiou" else "a "
                count = article if len(source.phrases) == 1 else ""
                if source.count is not None:
                    count = f"{source.count.kind} "
                purpose = f" to {action.replace('_', ' ')}" if action else ""
                return f"choose {count}{nouns}{purpose}"
            return "choose"


def _asked_by_verb(program: pg.Program, site: Site, noun: str) -> str:
    """`drop a disc into {cell}` asks "drop a disc into which open cell?", if all that is chosen is in it."""
    step = site.step
    if not isinstance(step, pg.ChooseS) or step.action is None or step.count_kind:
        return ""
    action = program.actions[step.action.action]
    verb, left = action.verb, set(site.variables)
    for param, argument in zip(action.params, step.action.arguments, strict=True):
        place = f"{{{param.name}}}"
        if isinstance(argument, pg.VarGet) and argument.var in left and place in verb:
            called = noun if len(site.variables) == 1 else param.name.replace("_", " ")
            verb = verb.replace(place, f"which {called}", 1)
            left.discard(argument.var)
    return "" if left else f"{verb}?"


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
