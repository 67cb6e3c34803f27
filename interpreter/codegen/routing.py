"""Who answers for a route: the reference that asks about every step, or a search by masks.

The traced code uses the reference throughout. In the silent code a route gets one search for every kind
of traveller, in which the printed values that the rules ask about are known.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from interpreter.codegen.emitter import Emitter, Unit
from interpreter.codegen.masks import place_of_member
from interpreter.codegen.meanings import function, params
from interpreter.codegen.routes import route_functions
from interpreter.codegen.wavecode import WaveWriter
from interpreter.codegen.waves import Planner
from interpreter.layout import sub_expressions
from rulesdsl import program as pg
from rulesdsl.checker.mentions import expressions_in
from rulesdsl.world import Attribute

MOST_KINDS = 8
REFERENCE = {"r": "ends", "next": "steps", "paid": "pay"}
EXTRA = {"r": "", "next": ", at, spent, taken", "paid": ", at, spent, taken, chosen", "any": ", within"}

Known = dict[tuple[pg.Var, str], pg.Const]


@dataclass(slots=True)
class Travellers:
    """The parameter by which travellers differ, what is known of each kind, and the kind of each."""

    position: int | None
    kinds: list[Known]
    kind_of: list[int]


def compile_routes(unit: Unit) -> list[str]:
    """The functions of all routes."""
    planner = Planner(unit)
    sources: list[str] = []
    for route in unit.program.routes.values():
        sources += route_functions(unit, route)
        sources.append(_any_by_reference(unit, route))
        sources += _named(unit, planner, route)
    return sources


def _named(unit: Unit, planner: Planner, route: pg.RouteRule) -> list[str]:
    if unit.traced or route.preferences:
        return [*_by_reference(route), those_function(unit, route, {})]
    travellers = _travellers(unit, planner, route)
    plans = [planner.plan(route, known) for known in travellers.kinds]
    sources: list[str] = []
    written: dict[str, int] = {}  # kinds whose functions say the same are one
    alike: list[int] = []
    at_once: set[int] = set()
    for kind, plan in enumerate(plans):
        if plan is None:
            return [*_by_reference(route), those_function(unit, route, {})]
        writer = WaveWriter(unit, plan, kind)
        functions = writer.sources()
        text = re.sub(rf"{route.name}_{kind}(?!\d)", f"{route.name}_k", "\n".join(functions))
        if text not in written:
            written[text] = kind
            sources += functions
            if writer.for_all is not None and is_place_of_traveller(route, plan.origin):
                at_once.add(kind)
        alike.append(written[text])
    if travellers.position is None:
        named = [f"{name}_{route.name} = {name}_{route.name}_0" for name in EXTRA]
        return [*sources, *named, those_function(unit, route, {})]
    travellers.kind_of = [alike[kind] for kind in travellers.kind_of]
    masks = {
        kind: sum(1 << piece for piece, known in enumerate(travellers.kind_of) if known == kind)
        for kind in at_once
    }
    return [*sources, *_by_kind(unit, route, travellers), those_function(unit, route, masks)]


def is_place_of_traveller(route: pg.RouteRule, origin: pg.E) -> bool:
    """Whether a route begins where its only parameter, a piece, stands."""
    return len(route.params) == 1 and place_of_member(origin, frozenset(route.params))


def those_function(unit: Unit, route: pg.RouteRule, at_once: dict[int, int]) -> str:
    """`those_x(s, pieces, within)`: the pieces that can end in a set; `at_once`: kinds with one answer."""
    if len(route.params) != 1 or route.params[0].type.name != "piece" or unit.traced:
        return ""
    em, name = Emitter(unit), route.name
    at = unit.layout.arrays["piece", "at"].base
    em.emit("found = 0")
    for kind, mask in at_once.items():
        em.emit(f"part = pieces & {unit.literal(mask)}")
        em.emit(f"origins = origins_{name}_{kind}(s, within) if part else 0")
        em.emit("if origins >= 0:")
        with em.indented():
            em.emit("pieces ^= part")
            em.emit("for one in MEMBERS[part]:")
            em.emit(f"    if origins & {unit.bits('space')}[s[{at} + one]]: found |= 1 << one")
    em.emit("for one in MEMBERS[pieces]:")
    em.emit(f"    if any_{name}(s, one, within): found |= 1 << one")
    em.emit("return found")
    return "\n".join([f"def those_{name}(s, pieces, within):", *em.lines])


def _by_reference(route: pg.RouteRule) -> list[str]:
    return [f"{name}_{route.name} = {REFERENCE.get(name, 'some')}_{route.name}" for name in EXTRA]


def _any_by_reference(unit: Unit, route: pg.RouteRule) -> str:
    em = Emitter(unit)
    env, head = params(route.params)
    em.emit(f"return ends_{route.name}({', '.join(['s', *env.values()])}) & within")
    return function(em, f"some_{route.name}({head}, within)")


def _by_kind(unit: Unit, route: pg.RouteRule, travellers: Travellers) -> list[str]:
    """`r_x(s, traveller)` asks the function for its kind; for none the reference answers."""
    assert travellers.position is not None
    env, head = params(route.params)
    traveller = [*env.values()][travellers.position]
    call = ", ".join(["s", *env.values()])
    sources: list[str] = []
    for name, extra in EXTRA.items():
        table = ", ".join(f"{name}_{route.name}_{kind}" for kind in travellers.kind_of)
        reference = f"{REFERENCE.get(name, 'some')}_{route.name}"
        sources.append(f"{name.upper()}S_{route.name} = ({table}, {reference})")
        em = Emitter(unit)
        em.emit(f"return {name.upper()}S_{route.name}[{traveller}]({call}{extra})")
        sources.append(function(em, f"{name}_{route.name}({head}{extra})"))
    return sources


# ---- kinds of travellers ---------------------------------------------------------------------------------
def _travellers(unit: Unit, planner: Planner, route: pg.RouteRule) -> Travellers:
    world = unit.program.world
    for wanted in ("piece", "player"):
        for position, var in enumerate(route.params):
            if var.type.kind != "thing" or var.type.name != wanted or not len(world.universes[wanted]):
                continue
            if wanted == "player":
                players = range(len(world.universes["player"]))
                return Travellers(
                    position, [{(var, ""): pg.Const(i, type=var.type)} for i in players], [*players]
                )
            return _kinds_of_pieces(unit, position, var, _asked_of(planner, route, var))
    return Travellers(None, [{}], [])


def _kinds_of_pieces(unit: Unit, position: int, var: pg.Var, asked: list[Attribute]) -> Travellers:
    """Pieces with the same values of the attributes asked for most are of one kind."""
    keys: list[tuple[object, ...]] = [()] * len(unit.program.world.universes["piece"])
    chosen: list[Attribute] = []
    for attribute in asked:
        finer = [(*key, value) for key, value in zip(keys, attribute.values, strict=True)]
        if len(set(finer)) <= MOST_KINDS:
            keys = finer
            chosen.append(attribute)
    numbers = {key: number for number, key in enumerate(dict.fromkeys(keys))}
    kinds: list[Known] = [
        {(var, a.name): pg.Const(int(str(v)), type=a.type) for a, v in zip(chosen, key, strict=True)}
        for key in numbers
    ]
    return Travellers(position, kinds, [numbers[key] for key in keys])


def _asked_of(planner: Planner, route: pg.RouteRule, var: pg.Var) -> list[Attribute]:
    """The printed attributes with few values that a route's rules ask of its traveller, most asked first."""
    asked: Counter[str] = Counter()
    found: dict[str, Attribute] = {}
    for e in expressions_in(route):
        for part in _all_parts(planner.folder.fold(e)):
            if isinstance(part, pg.AttrGet) and isinstance(part.of, pg.VarGet) and part.of.var is var:
                a = part.attribute
                if (
                    a.printed
                    and not a.per_face
                    and (a.type.kind in ("flag", "enum") or a.type.name == "player")
                ):
                    asked[a.name] += 1
                    found[a.name] = a
    return [found[name] for name in sorted(asked, key=lambda name: (-asked[name], name))]


def _all_parts(e: pg.E) -> Iterator[pg.E]:
    yield e
    for part in sub_expressions(e):
        yield from _all_parts(part)
