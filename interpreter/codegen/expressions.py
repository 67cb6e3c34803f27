"""Values as Python source. Sets are bit masks, see sets.py; rules are made smaller first, see folding.py."""

from __future__ import annotations

from interpreter.codegen import sets
from interpreter.codegen.emitter import Emitter, Env
from interpreter.codegen.printed import printed_chain
from rulesdsl import program as pg

MOST_INSIDE = 12  # conditions, one under the other


def code(em: Emitter, env: Env, e: pg.E) -> str:
    """Python source for the value of `e`; may emit lines before it."""
    unit, layout = em.unit, em.unit.layout
    e = unit.folded(e)
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
            return unit.setting(name)
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
            if left.type.kind == "flag":  # what holds may be any number but 0
                return f"((not {code(em, env, left)}) {python} (not {code(em, env, right)}))"
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
            return sets.some(em, env, group)
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
            return sets.total(em, env, group, var, value)
        case pg.ExtremeE() | pg.ArgExtreme():
            return sets.extreme(em, env, e)
        case _:
            return sets.set_code(em, env, e)


def _attribute(em: Emitter, env: Env, e: pg.AttrGet) -> str:
    unit, layout, attribute = em.unit, em.unit.layout, e.attribute
    if not unit.traced and (chain := printed_chain(e)) is not None:
        return f"{unit.constant(attribute.name, chain[1])}[{code(em, env, chain[0])}]"
    owner = code(em, env, e.of)
    if attribute.printed:
        if attribute.per_face:
            values = tuple(v if isinstance(v, tuple) else (v,) for v in attribute.values)
            name = unit.constant(f"{attribute.name}_by_face", (*values, (attribute.default,)))
            who = em.atom(owner, "p")
            return f"{name}[{who}][s[{layout.arrays['piece', 'face'].base} + {who}]]"
        return f"{unit.printed(attribute)}[{owner}]"
    if attribute.type.kind == "flag":
        raised = flag_mask(em, attribute.universe, attribute.name)
        return f"({raised} & {unit.bits(attribute.universe)}[{owner}])"
    return f"s[{layout.arrays[attribute.universe, attribute.name].base} + {owner}]"


def flag_mask(em: Emitter, universe: str, name: str) -> str:
    """The owners of a state flag, whatever it lasts until."""
    slots = em.unit.layout.flags[universe, name].values()
    inner = " | ".join(f"s[{slot}]" for slot in slots)
    return f"({inner})" if len(slots) > 1 else inner


def stored(em: Emitter, env: Env, e: pg.E) -> str:
    """A value on its way into the state or a frame: there a flag is 0 or 1."""
    value = code(em, env, e)
    if e.type.kind != "flag" or value in ("0", "1"):
        return value
    return f"(1 if {value} else 0)"


def _arithmetic(em: Emitter, env: Env, e: pg.Arith) -> str:
    left, right = code(em, env, e.left), code(em, env, e.right)
    if e.op == "/":
        return f"divide({left}, {right})"
    if e.op == "*" and not any(
        is_small(x) or _is_small_choice(em, p) for x, p in ((left, e.left), (right, e.right))
    ):
        return f"times({left}, {right})"
    return f"({left} {e.op} {right})"


def is_small(code: str) -> bool:
    """A written factor that cannot make numbers explode."""
    return code.isdigit() and len(code) <= 2


def _is_small_choice(em: Emitter, e: pg.E) -> bool:
    """One of two such factors."""
    e = em.unit.folded(e)
    if not isinstance(e, pg.IfE):
        return False
    sides = (em.unit.folded(e.then), em.unit.folded(e.otherwise))
    return all(isinstance(side, pg.Const) and is_small(str(side.value)) for side in sides)


def _call(em: Emitter, env: Env, name: str, arguments: tuple[pg.E, ...]) -> str:
    values = ", ".join(["s", *(code(em, env, a) for a in arguments)])
    return f"{name}({values})"


def _builtin(em: Emitter, env: Env, e: pg.BuiltinE) -> str:
    match e.name, e.arguments:
        case "floor" | "ceiling", (pg.Arith(op="/", left=left, right=pg.Const(value=int(by))),) if by > 0:
            value = code(em, env, left)
            return f"({value} // {by})" if e.name == "floor" else f"(-(-{value} // {by}))"
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
    for number, (fork, value) in enumerate(zip(forks[1:], parts[1:], strict=True)):
        if number % MOST_INSIDE == 0:  # Python indents 100 times at most; side by side means the same
            em.depth = start
        em.emit(f"if {result}:" if e.op == "and" else f"if not {result}:")
        em.depth += 1
        em.join(fork, em.depth - start)
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
        em.join(one, 1)
        em.emit(f"{result} = {a}")
    em.emit("else:")
    with em.indented():
        em.join(other, 1)
        em.emit(f"{result} = {b}")
    return result
