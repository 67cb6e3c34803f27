"""Prompts and options in words. Everything is derived from the rules that run."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, assert_never

from interpreter.compiling.decision_points import MenuSite, Site, TravelSite
from rulesdsl import program as pg
from rulesdsl.language import syntax as sx
from rulesdsl.program.types import Type
from rulesdsl.program.world import World
from rulesdsl.speaking.clauses.filling import filled
from rulesdsl.speaking.english import article, listed
from rulesdsl.speaking.lexicon import Lexicon

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
        case _:
            assert_never(site)


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
            names = [_shown(program, t, v) for t, v in zip(types, values, strict=True)]
            if not action:
                return ", ".join(names)
            rule = program.actions[action]
            shown = {**around, **{v.name: n for v, n in zip(variables, names, strict=True)}}
            step = site.step
            if isinstance(step, pg.ChooseS) and step.action is not None:
                for param, argument in zip(rule.params, step.action.arguments, strict=True):
                    if isinstance(argument, pg.VarGet) and argument.var in variables:
                        shown[param.name] = names[variables.index(argument.var)]
            text = filled(rule.verb, shown)
            return text if any(n in text for n in names) else f"{text} {', '.join(names)}"
        case _:
            assert_never(site)


def _shown(program: pg.Program, type_: Type, value: Any) -> str:
    """A thing by its name; a value of an enumeration in words, and not as it is spelled in the rules."""
    text = program.world.show(type_, value)
    return Lexicon.of(program).spelled(text.replace("_", " ")) if type_.kind == "enum" else text


def prompt_text(program: pg.Program, site: AnySite, around: Mapping[str, str]) -> str:
    """What is asked, in the words of the rule; `{unit}` in it is the name of a variable's value."""
    asked = _prompt(program, site)
    if "{" not in asked:
        return Lexicon.of(program).spelled(asked)
    return filled(asked, around)


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
                nouns = listed([" ".join(p.words).replace("_", " ") for p in source.phrases])
                verb = _asked_by_verb(program, site, nouns)
                if verb:
                    return verb
                if source.count is not None:
                    nouns = f"{source.count.kind} {nouns}"
                elif len(source.phrases) == 1:
                    nouns = article(nouns)
                purpose = f" to {action.replace('_', ' ')}" if action else ""
                return f"choose {nouns}{purpose}"
            return "choose"
        case _:
            assert_never(site)


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
