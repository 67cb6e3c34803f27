"""Who answers for a route: the reference that asks about every step, or a search by masks.

The traced code uses the reference throughout. In the silent code a route gets one search for every kind
of traveller, in which the printed values that the rules ask about are known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from interpreter.compiling.flavours import Knack
from interpreter.compiling.ir import values as v
from interpreter.compiling.ir.builder import Builder
from interpreter.compiling.ir.kinds import FLAG
from interpreter.compiling.ir.rewrite import renamed
from interpreter.compiling.ir.statements import Definition, Function, Made, Return, Update
from interpreter.compiling.ir.values import STATE, Value
from interpreter.compiling.lower.rules import params
from interpreter.compiling.optimise.vectorise.members import place_of_member
from interpreter.compiling.routes.mask_search import WaveWriter
from interpreter.compiling.routes.plan import Planner
from interpreter.compiling.routes.reference import charge_function, route_functions
from interpreter.compiling.unit import Unit
from rulesdsl import program as pg
from rulesdsl.checking.whole.mentions import expressions_in
from rulesdsl.program.walk import sub_expressions
from rulesdsl.program.world import Attribute

MOST_KINDS = 8
REFERENCE = {"r": "ends", "next": "steps", "paid": "pay"}
EXTRA: dict[str, tuple[str, ...]] = {
    "r": (), "next": ("at", "spent", "taken"), "paid": ("at", "spent", "taken", "chosen"), "any": ("within",),
}  # fmt: skip
ANY_KIND = -1  # in names of functions of which it is not yet known which kind they are for

Known = dict[tuple[pg.Var, str], pg.Const]


@dataclass(slots=True)
class Travellers:
    """The parameter by which travellers differ, what is known of each kind, and the kind of each."""

    position: int | None
    kinds: list[Known]
    kind_of: list[int]


def compile_routes(unit: Unit) -> list[Made]:
    """The functions of all routes."""
    planner = Planner(unit)
    made: list[Made] = [charge_function()] if unit.program.routes else []
    for route in unit.program.routes.values():
        made += route_functions(unit, route)
        made.append(_any_by_reference(unit, route))
        made += _named(unit, planner, route)
    return made


def _named(unit: Unit, planner: Planner, route: pg.RouteRule) -> list[Made]:
    if route.preferences or not unit.does(Knack.ROUTES):
        return [*_by_reference(unit, route), *those_function(unit, route, {})]
    travellers = _travellers(unit, planner, route)
    plans = [planner.plan(route, known) for known in travellers.kinds]
    made: list[Made] = []
    known: list[tuple[int, list[Made]]] = []  # kinds whose functions say the same are one
    alike: list[int] = []
    at_once: set[int] = set()
    for kind, plan in enumerate(plans):
        if plan is None:
            return [*_by_reference(unit, route), *those_function(unit, route, {})]
        writer = WaveWriter(unit, plan, ANY_KIND)
        functions = writer.functions()
        same = next((number for number, others in known if others == functions), None)
        if same is None:
            same = kind
            known.append((kind, functions))
            made += _for_kind(writer, functions, kind)
            if writer.for_all and is_place_of_traveller(route, plan.origin):
                at_once.add(kind)
        alike.append(same)
    if travellers.position is None:
        n = unit.naming.route(route.name)
        names = [Definition(f"{name}_{n}", v.Name(f"{name}_{n}_0")) for name in EXTRA]
        return [*made, *names, *those_function(unit, route, {})]
    travellers.kind_of = [alike[kind] for kind in travellers.kind_of]
    masks = {
        kind: sum(1 << piece for piece, known in enumerate(travellers.kind_of) if known == kind)
        for kind in at_once
    }
    return [*made, *_by_kind(unit, route, travellers), *those_function(unit, route, masks)]


def _for_kind(writer: WaveWriter, functions: list[Made], kind: int) -> list[Made]:
    """Functions with the number of their kind in their names, and in those they call."""
    general = {one.name for one in functions}
    numbers = {name: name.replace(f"_{ANY_KIND}", f"_{kind}") for name in general}
    return [renamed(one, lambda name: numbers.get(name, name)) for one in functions]


def is_place_of_traveller(route: pg.RouteRule, origin: pg.E) -> bool:
    """Whether a route begins where its only parameter, a piece, stands."""
    return len(route.params) == 1 and place_of_member(origin, frozenset(route.params))


def those_function(unit: Unit, route: pg.RouteRule, at_once: dict[int, int]) -> list[Made]:
    """`those_x(s, pieces, within)`: the pieces that can end in a set; `at_once`: kinds with one answer."""
    if len(route.params) != 1 or route.params[0].type.name != "piece" or not unit.does(Knack.ROUTES):
        return []
    em, n = Builder(unit), unit.naming.route(route.name)
    spaces, of_pieces = unit.mask_kind("space"), unit.mask_kind("piece")
    within, origins = v.Local("within", spaces), v.Local("origins", spaces)
    found, part, pieces = (v.Local(name, of_pieces) for name in ("found", "part", "pieces"))
    one = v.Local("one", unit.thing_kind("piece"))
    is_found = Update(found, "|", v.Bit(one))
    at = v.Cell(unit.layout.arrays["piece", "at"].base, one, unit.thing_kind("space"))
    em.let(found, v.ZERO)
    for kind, mask in at_once.items():
        em.let(part, v.Meet((pieces, unit.literal(mask))))
        asked = v.Call(f"origins_{n}_{kind}", (STATE, within), spaces)
        em.let(origins, v.Choose(part, asked, v.ZERO))
        with em.branch(v.Compare(">=", origins, v.ZERO)):
            em.update(pieces, "^", part)
            with em.each(part, one):
                em.when(v.Binary("&", origins, unit.bit("space", at)), is_found)
    with em.each(pieces, one):
        em.when(v.Call(f"any_{n}", (STATE, one, within), FLAG), is_found)
    em.give(found)
    return [Function(f"those_{n}", ("s", "pieces", "within"), em.body)]


def _by_reference(unit: Unit, route: pg.RouteRule) -> list[Made]:
    n = unit.naming.route(route.name)
    return [Definition(f"{name}_{n}", v.Name(f"{REFERENCE.get(name, 'some')}_{n}")) for name in EXTRA]


def _any_by_reference(unit: Unit, route: pg.RouteRule) -> Function:
    n = unit.naming.route(route.name)
    env, head = params(unit, route.params)
    spaces = unit.mask_kind("space")
    ends = v.Call(f"ends_{n}", (STATE, *env.values()), spaces)
    return Function(f"some_{n}", (*head, "within"), [Return(v.Meet((ends, v.Local("within", spaces))))])


def _by_kind(unit: Unit, route: pg.RouteRule, travellers: Travellers) -> list[Made]:
    """`r_x(s, traveller)` asks the function for its kind; for none the reference answers."""
    assert travellers.position is not None
    n = unit.naming.route(route.name)
    env, head = params(unit, route.params)
    traveller = [*env.values()][travellers.position]
    made: list[Made] = []
    for name, extra in EXTRA.items():
        table = [v.Name(f"{name}_{n}_{kind}") for kind in travellers.kind_of]
        reference = v.Name(f"{REFERENCE.get(name, 'some')}_{n}")
        functions = f"{name.upper()}S_{n}"
        made.append(Definition(functions, v.Tuple((*table, reference))))
        asked: tuple[Value, ...] = (STATE, *env.values(), *map(v.Local, extra))
        answer = v.CallOf(v.Item(v.Name(functions), traveller), asked)
        made.append(Function(f"{name}_{n}", (*head, *extra), [Return(answer)]))
    return made


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
