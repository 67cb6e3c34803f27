"""Searches step by step in C (running/route_search.py is the reference): for each route a copy of one search,
with the rules of the route in their places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from interpreter.compiling.emit.native.inference import given
from interpreter.compiling.emit.native.types import (
    Frac,
    Int,
    Mask,
    Nothing,
    Steps,
    Tup,
    Type,
    Unsupported,
    c_type,
    spoken,
    struct_name,
)
from interpreter.compiling.ir import values as v
from interpreter.running.route_search import LINKS_OF_A_SPACE, OWN_WORK
from rulesdsl.checking.bodies.permissions import MOST_STEPS

if TYPE_CHECKING:
    from interpreter.compiling.emit.native.inference import Search
    from interpreter.compiling.emit.native.values import Values

_STEP = 5  # parameters about a step: from, border, to, steps taken, points spent
_FORMS = {"cheapest": 0, "exactly": 1, "counted": 2, "straight": 3}


def search_call(w: Values, name: str, e: v.Method) -> str:
    """`SEARCH_0.ends((s, p))`, `.steps(…)`, `.best(…)`."""
    search = w.types.searches[name]
    traveller, rest = e.arguments[0], e.arguments[1:]
    assert isinstance(traveller, v.Tuple)
    types = w.types.signatures[search.step].parameters[:-_STEP]
    _write(w, name, search, types)
    own = [w.as_type(a, t) for a, t in zip(given(traveller.members), types, strict=True)]
    if e.name == "ends":
        return f"search_ends_{name}({', '.join(['m', *own])})"
    at, spent, taken, seen = rest
    spaces = w.types.spaces.words
    index = f"ix(m, {w.number(at)}, 0, SPACES)"
    parts = ["m", *own, index, w.fraction(spent), w.number(taken), w.mask(seen, spaces)]
    if e.name == "best":
        return f"search_best_{name}({', '.join(parts)})"
    found = w.type(e)
    assert isinstance(found, Steps)
    w.tables.struct(found)
    text = f"search_steps_{name}({', '.join(parts)})"
    return text if struct_name(found) == "steps_f" else f"steps_i_of(m, {text})"


def _converted(w: Values, text: str, own: Type | None, wanted: Type | None) -> str:
    match own, wanted:
        case Mask(), Mask():
            return w.resized(text, own, wanted.words)
        case Int(), Mask():
            return f"m{wanted.words}_of({text})"
        case Int(), Frac():
            return f"f_opt({text})"
        case _ if c_type(own) == c_type(wanted):
            return text
        case _:
            raise Unsupported(f"a traveller that is {spoken(own)} and {spoken(wanted)}")


def _asked(w: Values, function: str, types: Sequence[Type | None], about_a_step: bool) -> str:
    """A call of one of the rules of a route."""
    wanted = w.types.signatures[function].parameters
    passed = [
        _converted(w, f"g{k}", own, want) for k, (own, want) in enumerate(zip(types, wanted, strict=False))
    ]
    if about_a_step:
        spent = "spent" if isinstance(wanted[-1], Frac) else "f_whole(m, spent)"
        passed += ["here", "border", "there", "steps", spent]
    return f"f_{function}({', '.join(['m', *passed])})"


def _truth(w: Values, text: str, type_: Type | None) -> str:
    match type_:
        case Int():
            return f"{text} != 0"
        case Mask():
            return f"m{type_.words}_nz({text})"
        case _:
            raise Unsupported(f"a rule of a route that gives {spoken(type_)}")


def _optional(text: str, type_: Type | None) -> str:
    """A part of the limits as a fraction or None."""
    match type_:
        case Nothing():
            return "(frac){0, 0}"
        case Int():
            return f"f_opt({text})"
        case Frac():
            return text
        case _:
            raise Unsupported(f"limits that are {spoken(type_)}")


def _write(w: Values, name: str, search: Search, types: Sequence[Type | None]) -> None:
    if f"search_{name}" in w.tables.late:
        return
    signatures = w.types.signatures
    cost, limits, start = (signatures[n].gives for n in (search.step, search.limits, search.start))
    if not isinstance(limits, Tup) or cost is None or start is None:
        raise Unsupported("a route whose limits are not known")
    shape = search.shape
    parameters = "".join(f", {c_type(t)} g{k}" for k, t in enumerate(types))
    passed = "".join(f", g{k}" for k in range(len(types)))
    about = ", int64_t here, int64_t border, int64_t there, int64_t steps, frac spent"
    step = _asked(w, search.step, types, True)
    # a cost in words is made a fraction, whatever it was
    price = (
        "(frac){0, 0}" if isinstance(cost, Nothing) else step if isinstance(cost, Frac) else f"f_opt({step})"
    )
    budget, most, always, exactly = (_optional(f"l.a{k}", member) for k, member in enumerate(limits.members))
    rung = "0" if search.rung is None else _asked(w, search.rung, types, True)
    begin = _converted(w, _asked(w, search.start, types, False), start, w.types.spaces)
    w.tables.struct(limits)
    links = "LINK" if search.links == "LINKS" else "WAY"
    text = f"""
static frac price_{name}(machine *m{parameters}{about}) {{ return {price}; }}
static int stop_{name}(machine *m{parameters}{about}) {{ return {_truth(w, _asked(w, search.stop, types, True), signatures[search.stop].gives)}; }}
static int end_{name}(machine *m{parameters}{about}) {{ return {_truth(w, _asked(w, search.end, types, True), signatures[search.end].gives)}; }}
UNUSED static int64_t rung_{name}(machine *m{parameters}{about}) {{ return {rung}; }}
static limits_ limits_{name}(machine *m{parameters}) {{
    const {struct_name(limits)} l = {_asked(w, search.limits, types, False)};
    return (limits_){{{budget}, {most}, {always}, {exactly}}};
}}
static MS start_{name}(machine *m{parameters}) {{ return {begin}; }}
SEARCH_OF({name}, ({parameters.removeprefix(", ")}), PARAMETERS({parameters}), PASSED({passed}), {links}S, FIRST_{links}, {_FORMS[shape.form]}, {shape.minimum}, {int(shape.may_be_short)}, {shape.spaces}, {LINKS_OF_A_SPACE * (search.work + OWN_WORK)}, {int(search.rung is not None)}, {MOST_STEPS})
"""
    w.tables.late[f"search_{name}"] = text
