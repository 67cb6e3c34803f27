"""What an option and a question are about, as ids that a page can light up: `piece:guards`, `space:hill`.

Ids are those the asked player sees: a counter he does not know is `piece:counter_2_in_hill`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, assert_never

from interpreter.compiling.decision_points import MenuSite, Site, TravelSite
from rulesdsl import program as pg
from rulesdsl.program.types import Type
from rulesdsl.program.world import World

AnySite = Site | MenuSite | TravelSite
DONE = "done"  # the kind of an option that ends what is being asked


def option_kind(site: AnySite, value: Any) -> str:
    """`choose`, `menu`, `step` of a march, `next` of a row, `token`, or `done`."""
    match site:
        case MenuSite(step=step):
            return DONE if ends_it(step.entries[int(value)].body) else "menu"
        case TravelSite():
            return "step"
        case Site(step=pg.ForS()):
            return "next"
        case Site(types=types):
            return "token" if any(type_.name == "token" for type_ in types) else "choose"
        case _:
            assert_never(site)


def ends_it(body: pg.Steps) -> bool:
    """Whether an entry of a menu does nothing but leave: it is a way out in the clothes of an entry."""
    return bool(body) and all(isinstance(step, pg.JumpS) and step.verb != "cancel" for step in body)


def option_things(world: World, site: AnySite, value: Any, key: str) -> tuple[str, ...]:
    """What an option is about."""
    match site:
        case MenuSite():
            return (f"entry:{key}",)
        case TravelSite():
            return (f"space:{world.universes['space'].ids[int(value)]}",)
        case Site(types=types):
            values = value if isinstance(value, tuple) else (value,)
            return tuple(t for pair in zip(types, values, strict=True) for t in things_in(world, *pair))
        case _:
            assert_never(site)


def things_in(world: World, type_: Type, value: Any) -> Iterator[str]:
    """The ids in a value, each with its universe; of a value of an enumeration its name."""
    universe = world.universes.get(type_.name)
    if type_.kind == "enum":
        yield f"{type_.name}:{world.key(type_, value)}"
    elif universe is None or not isinstance(value, int):
        return
    elif type_.kind == "thing":
        if value >= 0:
            yield f"{universe.name}:{universe.ids[value]}"
    elif type_.kind == "set":
        for number, identity in enumerate(universe.ids):
            if value >> number & 1:
                yield f"{universe.name}:{identity}"


def prompt_things(
    world: World, site: AnySite, frame: Sequence[Any], known: Mapping[pg.Var, Any]
) -> tuple[str, ...]:
    """What a question is about: the unit that marches, the things its words name, in their order."""
    if isinstance(site, TravelSite):
        return (f"piece:{world.universes['piece'].ids[frame[site.piece_slot]]}",)
    found: dict[str, tuple[str, ...]] = {}
    for var, value in known.items():
        # what was chosen as `a unit where it …` is called `unit` from then on
        name = f"{{{(var.type.of or var.name) if var.name == 'it' else var.name}}}"
        if name in site.prompt:
            found[name] = tuple(things_in(world, var.type, value))
    named = sorted(found, key=site.prompt.index)
    return tuple(thing for name in named for thing in found[name])
