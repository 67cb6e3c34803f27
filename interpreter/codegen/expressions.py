"""Expressions as Python source. Sets are bit masks; conditions on members become masks where they can."""

from __future__ import annotations

from interpreter.codegen.emitter import Emitter, Env
from interpreter.layout import uses_var
from rulesdsl import program as pg
from rulesdsl.types import FLAG
from rulesdsl.world import Attribute


def code(em: Emitter, env: Env, e: pg.E) -> str:
    """Python source for the value of `e`; may emit lines before it."""
    unit, layout = em.unit, em.unit.layout
    match e:
        case pg.Const(value=value):
            return unit.literal(value)
        case pg.VarGet(var=var):
            return env[var]
        case pg.TrackGet(track=track):
            return f"s[{layout.tracks[track]}]"
        case pg.FieldGet(record=record, field=name):
            return f"s[{layout.fields[record, name]}]"
        case pg.SettingGet(name=name):
            return unit.literal(unit.settings[name])
        case pg.StepFact(name=name):
            return {"first_step": "(steps_ == 0)", "steps": "steps_", "spent": "spent_"}[name]
        case pg.AttrGet():
            return _attribute(em, env, e)
        case pg.Arith():
            return _arithmetic(em, env, e)
        case pg.NotE(value=value):
            return f"(not {code(em, env, value)})"
        case pg.LogicE():
            return _logic(em, env, e)
        case pg.CompareE(op=op, left=left, right=right):
            python = "==" if op == "=" else op
            return f"({code(em, env, left)} {python} {code(em, env, right)})"
        case pg.CallE(define=name, arguments=arguments):
            return _call(em, env, f"d_{name}", arguments)
        case pg.QuantityE(quantity=name, arguments=arguments):
            return _call(em, env, f"q_{name.replace('.', '__')}", arguments)
        case pg.RouteE(route=name, arguments=arguments):
            return _call(em, env, f"r_{name}", arguments)
        case pg.LegalE(action=name, arguments=arguments):
            return _call(em, env, f"ok_{name}", arguments)
        case pg.BuiltinE():
            return _builtin(em, env, e)
        case pg.LookupE(table=table, keys=keys):
            values = ", ".join(code(em, env, k) for k in keys)
            return f"T_{table}({values})"
        case pg.ResultField(result=result, field=name):
            shape = unit.program.tables[result.type.name].result
            index = [f.name for f in shape.fields].index(name)
            return f"{code(em, env, result)}[{index}]"
        case pg.IfE(condition=test, then=then, otherwise=otherwise):
            return _if(em, env, test, then, otherwise)
        case pg.SomeE(group=group):
            return _some(em, env, group)
        case pg.Member(value=value, group=group):
            universe = value.type.name
            members = code(em, env, group)
            return f"({members} & {unit.bits(universe)}[{code(em, env, value)}])"
        case pg.CountE(group=group):
            return f"({code(em, env, group)}).bit_count()"
        case pg.FirstE(group=group):
            mask = em.atom(code(em, env, group), "m")
            return f"(({mask} & -{mask}).bit_length() - 1)"
        case pg.SumE(group=group, var=var, value=value):
            return _sum(em, env, group, var, value)
        case pg.ExtremeE() | pg.ArgExtreme():
            return _extreme(em, env, e)
        case _:
            return set_code(em, env, e)


def set_code(em: Emitter, env: Env, e: pg.E) -> str:
    """Python source for a set as a mask."""
    unit, layout = em.unit, em.unit.layout
    match e:
        case pg.ClassSet(type=type_):
            if type_.of_enum:
                return unit.literal((1 << len(unit.program.world.enums[type_.name].values)) - 1)
            return unit.literal(unit.program.world.universes[type_.name].mask(type_.of))
        case pg.PiecesIn(place=place):
            return f"s[{layout.pieces_in} + {code(em, env, place)}]"
        case pg.Neighbours(place=place):
            if place.type.kind == "set":
                return f"neighbours_of({code(em, env, place)})"
            return f"ADJ[{code(em, env, place)}]"
        case pg.BordersBetween(one=one, other=other):
            sides = [
                f"borders_of({code(em, env, x)})" if x.type.kind == "set" else f"INC[{code(em, env, x)}]"
                for x in (one, other)
            ]
            return f"({sides[0]} & {sides[1]})"
        case pg.SpacesOf(pieces=pieces):
            total, piece = em.temp("w"), em.temp("p")
            mask = code(em, env, pieces)
            at = layout.arrays["piece", "at"].base
            em.emit(f"{total} = 0")
            with em.each(mask, piece):
                em.emit(f"{total} |= {unit.bits('space')}[s[{at} + {piece}]]")
            return total
        case pg.SetOp(op=op, left=left, right=right):
            a, b = code(em, env, left), code(em, env, right)
            return f"({a} & ~{b})" if op == "-" else f"({a} {op} {b})"
        case pg.SingleSet(value=value):
            return f"{unit.bits(value.type.name)}[{code(em, env, value)}]"
        case pg.Filter():
            return _filter(em, env, e)
        case pg.NearestE(group=group, place=place):
            candidates = code(em, env, group)
            start = code(em, env, place)
            if place.type.kind != "set":
                start = f"{unit.bits('space')}[{start}]"
            return f"nearest({candidates}, {start})"
        case _:
            raise AssertionError(f"no code for {type(e).__name__}")


# ---- sets and members ----------------------------------------------------------------------------------
def _filter(em: Emitter, env: Env, e: pg.Filter) -> str:
    base, loops = _split_filter(em, env, e)
    if not loops:
        return base
    result, member = em.temp("r"), em.temp("v")
    em.emit(f"{result} = 0")
    with em.each(base, member):
        inner = {**env, e.var: member}
        for var, test in loops:
            inner[var] = member
            em.emit(f"if not {code(em, inner, test)}: continue")
        em.emit(f"{result} |= 1 << {member}")
    return result


def _split_filter(em: Emitter, env: Env, e: pg.E) -> tuple[str, list[tuple[pg.Var, pg.E]]]:
    """The part of a chain of filters that is a mask, and the conditions that need a loop."""
    loops: list[tuple[pg.Var, pg.E]] = []
    masks: list[str] = []
    node = e
    while isinstance(node, pg.Filter):
        for part in _conjuncts(node.condition):
            mask = member_mask(em, env, part, frozenset({node.var}))
            if mask is None:
                loops.append((node.var, part))
                mask = cover_mask(em, env, part, frozenset({node.var}))
            if mask is not None:
                masks.append(mask)
        node = node.group
    base = code(em, env, node)
    loops.reverse()
    return (f"({' & '.join([base, *masks])})" if masks else base), loops


def _conjuncts(e: pg.E) -> list[pg.E]:
    if isinstance(e, pg.LogicE) and e.op == "and":
        return [p for part in e.parts for p in _conjuncts(part)]
    return [e]


def member_mask(em: Emitter, env: Env, test: pg.E, members: frozenset[pg.Var]) -> str | None:
    """The mask of all things for which a condition on a member holds, or None when a loop is needed."""
    unit, layout = em.unit, em.unit.layout

    def is_member(x: pg.E) -> bool:
        return isinstance(x, pg.VarGet) and x.var in members

    match test:
        case pg.Const(value=value):
            return "-1" if value else "0"
        case pg.AttrGet(attribute=attribute, of=of) if is_member(of) and test.type.kind == "flag":
            if attribute.printed and not attribute.per_face:
                return unit.literal(sum(1 << i for i, v in enumerate(attribute.values) if v))
            if not attribute.printed:
                return _flag_mask(em, attribute.universe, attribute.name)
        case pg.CompareE(op="=", left=pg.AttrGet(attribute=attribute, of=of), right=right) if is_member(
            of
        ) and not uses_var(right, members):
            if attribute.printed and not attribute.per_face and attribute.type.kind in ("enum", "thing"):
                return _printed_mask(em, env, attribute, right)
            array = layout.arrays.get((attribute.universe, attribute.name))
            if array is not None and array.masks >= 0:
                return f"s[{array.masks} + {code(em, env, right)}]"
            if (attribute.universe, attribute.name) == ("piece", "at"):
                return f"s[{layout.pieces_in} + {code(em, env, right)}]"
        case pg.CompareE(op="=", left=left, right=right) if is_member(right) and not uses_var(left, members):
            return f"{unit.bits(right.type.name)}[{code(em, env, left)}]"
        case pg.CompareE(op="=", left=left, right=right) if is_member(left) and not uses_var(right, members):
            return f"{unit.bits(left.type.name)}[{code(em, env, right)}]"
        case pg.CompareE(
            op="=", left=pg.BuiltinE(name="place_of", arguments=(of,)), right=right
        ) if is_member(of) and not uses_var(right, members):
            return f"s[{layout.pieces_in} + {code(em, env, right)}]"
        case pg.Member(value=value, group=group) if is_member(value) and not uses_var(group, members):
            return code(em, env, group)
        case pg.Member(value=value, group=pg.Neighbours(place=place)) if is_member(place) and not uses_var(
            value, members
        ):  # being adjacent goes both ways
            return f"ADJ[{code(em, env, value)}]"
        case pg.NotE(value=value):
            inner = member_mask(em, env, value, members)
            return None if inner is None else f"~{inner}"
        case pg.LogicE(op=op, parts=parts):
            fork = em.fork()
            found = [member_mask(fork, env, p, members) for p in parts]
            if all(f is not None for f in found):
                em.join(fork)
                return "(" + (" & " if op == "and" else " | ").join(str(f) for f in found) + ")"
        case pg.CallE(define=name, arguments=arguments):
            return _define_mask(em, env, name, arguments, members)
        case _:
            if not uses_var(test, members):
                return f"(-1 if {code(em, env, test)} else 0)"
    return None


def cover_mask(em: Emitter, env: Env, test: pg.E, members: frozenset[pg.Var]) -> str | None:
    """A mask that holds at least all things for which the condition may hold; None when nothing is known.

    It only saves looking at members that cannot pass; the condition itself is still asked. The traced
    code does without it, so comparing the two flavours of code checks it.
    """
    if em.unit.traced:
        return None
    fork = em.fork()
    exact = member_mask(fork, env, test, members)
    if exact is not None:
        em.join(fork)
        return exact
    match test:
        case pg.LogicE(op="and", parts=parts):
            covers = [c for c in (cover_mask(em, env, p, members) for p in parts) if c is not None]
            return f"({' & '.join(covers)})" if covers else None
        case pg.LogicE(op="or", parts=parts):
            covers = [c for c in (cover_mask(em, env, p, members) for p in parts) if c is not None]
            return f"({' | '.join(covers)})" if len(covers) == len(parts) else None
        case pg.CallE(define=name, arguments=arguments):
            return _define_cover(em, env, name, arguments, members)
        case _:
            return None


def _define_cover(
    em: Emitter, env: Env, name: str, arguments: tuple[pg.E, ...], members: frozenset[pg.Var]
) -> str | None:
    """What any case of a define lets through."""
    define = em.unit.program.defines[name]
    inner = inside(em, env, define.params, arguments, members)
    if inner is None:
        return None
    inner_env, inner_members = inner
    covers: list[str] = []
    for test, value in define.cases:
        if isinstance(value, pg.Const) and not value.value:
            continue
        parts = [p for p in (test, value) if p is not None]
        both = pg.LogicE("and", tuple(parts), type=FLAG)
        cover = cover_mask(em, inner_env, both, inner_members)
        if cover is None:
            return None
        covers.append(cover)
    return f"({' | '.join(covers)})" if covers else "0"


def inside(
    em: Emitter, env: Env, params: tuple[pg.Var, ...], arguments: tuple[pg.E, ...], members: frozenset[pg.Var]
) -> tuple[Env, frozenset[pg.Var]] | None:
    """The names inside a called body: which parameters are the member, and code for the others."""
    inner_env, inner_members = dict(env), set[pg.Var]()
    for param, argument in zip(params, arguments, strict=True):
        if isinstance(argument, pg.VarGet) and argument.var in members:
            inner_members.add(param)
        elif uses_var(argument, members):
            return None
        else:
            inner_env[param] = em.atom(code(em, env, argument), "a")
    return inner_env, frozenset(inner_members)


def _define_mask(
    em: Emitter, env: Env, name: str, arguments: tuple[pg.E, ...], members: frozenset[pg.Var]
) -> str | None:
    """A define with a single case is looked into, so that its conditions become masks too."""
    define = em.unit.program.defines[name]
    if not any(uses_var(a, members) for a in arguments):
        test = pg.CallE(name, arguments, type=define.type)
        return f"(-1 if {code(em, env, test)} else 0)"
    if len(define.cases) != 1 or define.cases[0][0] is not None or em.unit.traced:
        return None
    inner = inside(em, env, define.params, arguments, members)
    if inner is None:
        return None
    return member_mask(em, inner[0], define.cases[0][1], inner[1])


def _flag_mask(em: Emitter, universe: str, name: str) -> str:
    slots = em.unit.layout.flags[universe, name].values()
    inner = " | ".join(f"s[{slot}]" for slot in slots)
    return f"({inner})" if len(slots) > 1 else inner


def _printed_mask(em: Emitter, env: Env, attribute: Attribute, value: pg.E) -> str:
    masks: dict[int, int] = {}
    for i, v in enumerate(attribute.values):
        assert isinstance(v, int)
        masks[v] = masks.get(v, 0) | 1 << i
    if isinstance(value, pg.Const):
        return em.unit.literal(masks.get(int(str(value.value)), 0))
    top = max([*masks, 0])
    table = (*(masks.get(v, 0) for v in range(top + 1)), masks.get(-1, 0))
    name = em.unit.constant(f"{attribute.name}_masks", table)
    picked = em.atom(code(em, env, value), "v")
    return f"({name}[{picked}] if {picked} <= {top} else 0)"


def _some(em: Emitter, env: Env, group: pg.E) -> str:
    if not isinstance(group, pg.Filter):
        return code(em, env, group)
    base, loops = _split_filter(em, env, group)
    if not loops:
        return base
    found, member = em.temp("y"), em.temp("v")
    em.emit(f"{found} = 0")
    with em.each(base, member):
        inner = dict(env)
        for var, test in loops:
            inner[var] = member
            em.emit(f"if not {code(em, inner, test)}: continue")
        em.emit(f"{found} = 1")
        em.emit("break")
    return found


def _sum(em: Emitter, env: Env, group: pg.E, var: pg.Var, value: pg.E) -> str:
    total, member = em.temp("n"), em.temp("v")
    mask = code(em, env, group)
    em.emit(f"{total} = 0")
    with em.each(mask, member):
        em.emit(f"{total} += {code(em, {**env, var: member}, value)}")
    return total


def _extreme(em: Emitter, env: Env, e: pg.ExtremeE | pg.ArgExtreme) -> str:
    best, who, member, value = em.temp("x"), em.temp("w"), em.temp("v"), em.temp("n")
    mask = code(em, env, e.group)
    better = "<" if e.extreme == "least" else ">"
    em.emit(f"{best} = None")
    em.emit(f"{who} = 0")
    with em.each(mask, member):
        em.emit(f"{value} = {code(em, {**env, e.var: member}, e.value)}")
        em.emit(f"if {best} is None or {value} {better} {best}:")
        em.emit(f"    {best} = {value}; {who} = 1 << {member}")
        em.emit(f"elif {value} == {best}:")
        em.emit(f"    {who} |= 1 << {member}")
    if isinstance(e, pg.ArgExtreme):
        return who
    return f"({best} if {best} is not None else 0)"


# ---- values ----------------------------------------------------------------------------------------------
def _attribute(em: Emitter, env: Env, e: pg.AttrGet) -> str:
    unit, layout, attribute = em.unit, em.unit.layout, e.attribute
    owner = code(em, env, e.of)
    if attribute.printed:
        if attribute.per_face:
            values = tuple(v if isinstance(v, tuple) else (v,) for v in attribute.values)
            name = unit.constant(f"{attribute.name}_by_face", (*values, (attribute.default,)))
            who = em.atom(owner, "p")
            return f"{name}[{who}][s[{layout.arrays['piece', 'face'].base} + {who}]]"
        return f"{unit.printed(attribute)}[{owner}]"
    if attribute.type.kind == "flag":
        return f"({_flag_mask(em, attribute.universe, attribute.name)} & {unit.bits(attribute.universe)}[{owner}])"
    return f"s[{layout.arrays[attribute.universe, attribute.name].base} + {owner}]"


def _arithmetic(em: Emitter, env: Env, e: pg.Arith) -> str:
    left, right = code(em, env, e.left), code(em, env, e.right)
    if e.op == "/":
        return f"divide({left}, {right})"
    if e.op == "*" and not any(_is_small(x) for x in (left, right)):
        return f"times({left}, {right})"
    return f"({left} {e.op} {right})"


def _is_small(code: str) -> bool:
    """A written factor that cannot make numbers explode."""
    return code.isdigit() and len(code) <= 2


def _call(em: Emitter, env: Env, name: str, arguments: tuple[pg.E, ...]) -> str:
    values = ", ".join(["s", *(code(em, env, a) for a in arguments)])
    return f"{name}({values})"


def _builtin(em: Emitter, env: Env, e: pg.BuiltinE) -> str:
    values = [code(em, env, a) for a in e.arguments]
    if e.name == "place_of":
        return f"s[{em.unit.layout.arrays['piece', 'at'].base} + {values[0]}]"
    if e.name == "opponent":
        size = len(em.unit.program.world.universes["player"])
        return f"(({values[0]} + 1) % {size})"
    if e.name.startswith("play_"):  # whether a token may be played in a window
        values.insert(0, "s")
    return f"{e.name}({', '.join(values)})"


def _logic(em: Emitter, env: Env, e: pg.LogicE) -> str:
    parts: list[str] = []
    forks: list[Emitter] = []
    for part in e.parts:
        fork = em.fork()
        parts.append(code(fork, env, part))
        forks.append(fork)
    if not parts:
        return "1"
    if not any(f.lines for f in forks[1:]):
        em.join(forks[0])
        return f"({f' {e.op} '.join(parts)})"
    # a later part needs lines of its own: nest them, so that they run only when they matter
    result = em.temp("c")
    em.join(forks[0])
    em.emit(f"{result} = {parts[0]}")
    start = em.depth
    for part in e.parts[1:]:
        em.emit(f"if {result}:" if e.op == "and" else f"if not {result}:")
        em.depth += 1
        value = code(em, env, part)
        em.emit(f"{result} = {value}")
    em.depth = start
    return result


def _if(em: Emitter, env: Env, test: pg.E, then: pg.E, otherwise: pg.E) -> str:
    condition = code(em, env, test)
    one, other = em.fork(), em.fork()
    a, b = code(one, env, then), code(other, env, otherwise)
    if not one.lines and not other.lines:
        return f"({a} if {condition} else {b})"
    result = em.temp("i")
    em.emit(f"if {condition}:")
    with em.indented():
        em.emit(f"{result} = {code(em, env, then)}")
    em.emit("else:")
    with em.indented():
        em.emit(f"{result} = {code(em, env, otherwise)}")
    return result


