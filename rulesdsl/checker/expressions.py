"""Expressions: every name found, every type fitting. One function per kind of node."""

from __future__ import annotations

from fractions import Fraction

from rulesdsl import program as pg
from rulesdsl import syntax as sx
from rulesdsl.checker.builtins import BUILTINS, check_builtin
from rulesdsl.checker.context import Context, Scope
from rulesdsl.checker.greedy import warn_swallowed
from rulesdsl.checker.names import adjective, resolve_name, space_of
from rulesdsl.checker.near_names import place_of
from rulesdsl.checker.phrases import noun_phrase
from rulesdsl.types import FLAG, NONE, NUMBER, RATIO, TEXT, UNKNOWN, Type, fits, join, thing


def expression(ctx: Context, scope: Scope, node: sx.Expr, wanted: Type | None = None) -> pg.E:
    """Resolve an expression. `wanted` helps to read a bare word (an enumeration value, an id)."""
    found = _expression(ctx, scope, node, wanted)
    if wanted is not None and not fits(found.type, wanted):
        ctx.mismatch(f"a {wanted}", found.type, node.span)
        return pg.Const(0, type=UNKNOWN, source=node)
    return found


def condition(ctx: Context, scope: Scope, node: sx.Expr) -> pg.E:
    return expression(ctx, scope, node, FLAG)


def number(ctx: Context, scope: Scope, node: sx.Expr) -> pg.E:
    return expression(ctx, scope, node, NUMBER)


def group(ctx: Context, scope: Scope, node: sx.Expr, universe: str = "", of: str = "") -> pg.E:
    """A set; a single thing stands for the set that holds it. It may have to be `of` a class."""
    found = expression(ctx, scope, node)
    if found.type.kind == "thing":
        found = pg.SingleSet(found, type=Type("set", found.type.name, found.type.of), source=node)
    if found.type.kind not in ("set", "unknown"):
        ctx.mismatch("a set", found.type, node.span)
        return pg.Const(0, type=UNKNOWN, source=node)
    wanted = Type("set", universe, of)
    if universe and found.type.kind == "set" and not fits(found.type, wanted):
        ctx.mismatch(f"a {wanted}", found.type, node.span)
        return pg.Const(0, type=UNKNOWN, source=node)
    return found


def fitting(ctx: Context, scope: Scope, node: sx.Expr, wanted: Type) -> pg.E:
    """A value for a place of this type: one thing that is named may stand where a set is wanted."""
    if wanted.kind == "set" and isinstance(node, sx.Name) and node.id != "none":
        return group(ctx, scope, node, wanted.name, wanted.of)
    return expression(ctx, scope, node, wanted.or_none() if wanted.kind == "thing" else wanted)


def arguments(
    ctx: Context, scope: Scope, name: str, given: tuple[sx.Argument, ...], params: tuple[pg.Var, ...],
    node: sx.Node,
) -> tuple[pg.E, ...]:  # fmt: skip
    """Arguments in the order of the parameters, by position or by name."""
    slots: dict[str, sx.Expr] = {}
    for position, argument in enumerate(given):
        if argument.name is not None:
            if argument.name not in {p.name for p in params}:
                ctx.unknown(f'"{name}" has no parameter', argument.name, argument.span,
                            [p.name for p in params])  # fmt: skip
                continue
            slots[argument.name] = argument.value
        elif position < len(params):
            slots[params[position].name] = argument.value
    if len(given) > len(params) or any(p.name not in slots for p in params):
        before = len(ctx.problems)
        for argument in given:  # which of them is meant for which parameter is not known
            expression(ctx, scope, argument.value)
        if len(ctx.problems) == before and all(a.name is None or a.name in slots for a in given):
            wanted = ", ".join(p.name for p in params) or "nothing"
            place = place_of(ctx, name)
            also = (("it is declared here", place),) if place is not None else ()
            ctx.problem("wrong-arguments", f'"{name}" takes {wanted}', node.span, also=also)
        return tuple(pg.Const(0, type=UNKNOWN) for _ in params)
    return tuple(fitting(ctx, scope, slots[p.name], p.type) for p in params)


def _expression(ctx: Context, scope: Scope, node: sx.Expr, wanted: Type | None) -> pg.E:
    match node:
        case sx.Number(value=value, ratio=ratio):
            whole = value.numerator if value.denominator == 1 else value
            return pg.Const(whole, type=RATIO if ratio else NUMBER, source=node)
        case sx.Text(value=text):
            return pg.Const(text, type=TEXT, source=node)
        case sx.Name():
            return resolve_name(ctx, scope, node, wanted)
        case sx.Numbered():
            return _numbered(ctx, node)
        case sx.Attr():
            return _attribute(ctx, scope, node)
        case sx.Call():
            return _call(ctx, scope, node)
        case sx.Negative(value=value):
            inner = number(ctx, scope, value)
            return pg.Arith("-", pg.Const(0, type=NUMBER), inner, type=NUMBER, source=node)
        case sx.Arithmetic():
            return _arithmetic(ctx, scope, node)
        case sx.Not(value=value):
            return pg.NotE(condition(ctx, scope, value), type=FLAG, source=node)
        case sx.Logic(op=op, parts=parts):
            return pg.LogicE(op, tuple(condition(ctx, scope, p) for p in parts), type=FLAG, source=node)
        case sx.Compare():
            return _compare(ctx, scope, node)
        case sx.Is(subject=subject, negated=negated, description=description):
            found = describe(ctx, scope, expression(ctx, scope, subject), description, node)
            return pg.NotE(found, type=FLAG, source=node) if negated else found
        case sx.NounPhrase():
            return noun_phrase(ctx, scope, node)[0]
        case sx.Some(phrase=phrase):
            members, var, _ = noun_phrase(ctx, scope, phrase)
            warn_swallowed(ctx, members, var, denied=False)
            return pg.SomeE(members, type=_of(members, FLAG), source=node)
        case sx.NoneOf(phrase=phrase):
            asked = sx.Some(phrase, span=node.span)  # facts show what was asked, not its denial
            members, var, _ = noun_phrase(ctx, scope, phrase)
            warn_swallowed(ctx, members, var, denied=True)
            return pg.NotE(pg.SomeE(members, type=FLAG, source=asked), type=_of(members, FLAG), source=node)
        case sx.EveryIs(phrase=phrase, negated=negated, description=description):
            members, var, inside = noun_phrase(ctx, scope, phrase)
            found = describe(ctx, inside, pg.VarGet(var, type=var.type), description, node)
            return _every(members, var, found if negated else _not(found), node)
        case sx.Every(phrase=phrase, condition=inner_condition):
            members, var, inside = noun_phrase(ctx, scope, phrase)
            return _every(members, var, _not(condition(ctx, inside, inner_condition)), node)
        case sx.The(phrase=phrase):
            members, var, _ = noun_phrase(ctx, scope, phrase)
            return pg.FirstE(members, type=var.type.or_none(), source=node)
        case sx.NumberOf(phrase=phrase):
            return pg.CountE(noun_phrase(ctx, scope, phrase)[0], type=NUMBER, source=node)
        case sx.SumOf(value=value, phrase=phrase):
            members, var, inside = noun_phrase(ctx, scope, phrase)
            return pg.SumE(members, var, number(ctx, inside, value), type=_of(members, NUMBER), source=node)
        case sx.ExtremeOf(extreme=extreme, value=value, phrase=phrase):
            members, var, inside = noun_phrase(ctx, scope, phrase)
            inner = number(ctx, inside, value)
            return pg.ExtremeE(extreme, members, var, inner, type=NUMBER, source=node)
        case sx.Lookup():
            return _lookup(ctx, scope, node)
        case sx.IfThen():
            return _if_then(ctx, scope, node, wanted)
    raise AssertionError(f"no check for {type(node).__name__}")


def _of(members: pg.E, type_: Type) -> Type:
    """What is asked of things that are not known is not known either."""
    return UNKNOWN if members.type.kind == "unknown" else type_


def _not(value: pg.E) -> pg.E:
    return pg.NotE(value, type=FLAG, source=value.source)


def _every(members: pg.E, var: pg.Var, broken: pg.E, node: sx.Node) -> pg.E:
    """`every x is y` holds when no x is not y."""
    rest = pg.Filter(members, var, broken, type=members.type, source=node)
    return pg.NotE(pg.SomeE(rest, type=FLAG, source=node), type=FLAG, source=node)


def describe(ctx: Context, scope: Scope, subject: pg.E, description: sx.Description, node: sx.Node) -> pg.E:
    """The condition after `is`."""
    if subject.type.kind == "unknown":
        return pg.Const(0, type=UNKNOWN, source=node)
    match description:
        case sx.Described(words=words):
            parts = tuple(adjective(ctx, scope, subject, word, description.span) for word in words)
            return pg.LogicE("and", parts, type=FLAG, source=node)
        case sx.InPlace(place=place):
            where = expression(ctx, scope, place)
            here = space_of(subject)
            if where.type.kind == "set":
                return pg.Member(here, where, type=FLAG, source=node)
            return _equal(ctx, here, where, node)
        case sx.AmongSet(group=members):
            universe, of = (subject.type.name, subject.type.of) if subject.type.kind == "thing" else ("", "")
            found = group(ctx, scope, members, universe, of)
            return pg.Member(subject, found, type=FLAG, source=node)
        case sx.Related(relation=relation, other=other):
            return related(ctx, subject, relation, expression(ctx, scope, other), description)
        case sx.OneOf(names=names):
            parts = tuple(
                describe(ctx, scope, subject, sx.Name(n, span=description.span), node) for n in names
            )
            return pg.LogicE("or", parts, type=FLAG, source=node)
        case sx.Name(id=word):
            return _is_word(ctx, scope, subject, description, word, node)
        case _:
            return _equal(ctx, subject, expression(ctx, scope, description, None), node)


def _is_word(ctx: Context, scope: Scope, subject: pg.E, written: sx.Name, word: str, node: sx.Node) -> pg.E:
    var = scope.find(word)
    if var is not None:
        value = pg.VarGet(var, type=var.type, source=written)
        if var.type.kind == "set" and subject.type.kind == "thing":
            return pg.Member(subject, value, type=FLAG, source=node)
        return _equal(ctx, subject, value, node)
    if word == "none":
        return pg.CompareE("=", subject, pg.Const(-1, type=NONE), type=FLAG, source=node)
    if subject.type.kind == "thing":
        universe = ctx.world.universes[subject.type.name]
        if word in universe.index and word not in ctx.world.nouns:
            number = universe.index[word]
            here = pg.Const(number, type=thing(universe.name, universe.class_of(number)), source=written)
            return _equal(ctx, subject, here, node)
        if word in ctx.world.tracks or _is_thing_field(ctx, word):
            return _equal(ctx, subject, resolve_name(ctx, scope, written, subject.type), node)
        return adjective(ctx, scope, subject, word, written.span)
    return _equal(ctx, subject, resolve_name(ctx, scope, written, subject.type), node)


def _is_thing_field(ctx: Context, word: str) -> bool:
    return any(word in r.fields and r.fields[word].kind == "thing" for r in ctx.world.records.values())


def related(ctx: Context, subject: pg.E, relation: str, other: pg.E, node: sx.Node) -> pg.E:
    """`x is adjacent to y`, or a define with two parameters used as a relation."""
    if relation == "adjacent":
        places = pg.Neighbours(space_of(other), type=Type("set", "space"), source=node)
        return pg.Member(space_of(subject), places, type=FLAG, source=node)
    if relation not in ctx.defines:
        two = [n for n, (_, d) in ctx.defines.items() if len(d.params) == 2]
        ctx.unknown("no relation is called", relation, node.span, ["adjacent", *two])
        return pg.Const(0, type=UNKNOWN, source=node)
    from rulesdsl.checker.meanings import resolve_define

    ctx.used.add(relation)
    define = resolve_define(ctx, relation)
    values = (subject, other)
    if len(define.params) != 2 or not all(
        fits(v.type, p.type) for v, p in zip(values, define.params, strict=False)
    ):
        ctx.problem("wrong-arguments", f'"{relation}" does not relate these two', node.span)
    return pg.CallE(relation, values, type=FLAG, source=node)


def _likens(left: pg.E, right: pg.E, node: sx.Node) -> bool:
    """`zone = woods` instead of `zone is woods`"""
    return isinstance(node, sx.Compare) and left.type.kind == "thing" and right.type.kind == "enum"


def _equal(ctx: Context, left: pg.E, right: pg.E, node: sx.Node) -> pg.E:
    if not fits(left.type, right.type) and not fits(right.type, left.type):
        hint = 'write "is": what a thing is like is no value' if _likens(left, right, node) else ""
        ctx.problem("type-mismatch", f"a {left.type} is never a {right.type}", node.span, hint)
    return pg.CompareE("=", left, right, type=FLAG, source=node)


def _numbered(ctx: Context, node: sx.Numbered) -> pg.E:
    """`hex 5017`: maps and counters are often numbered, and a number alone is no name."""
    found = ctx.world.nouns.get(node.noun)
    if found is None or node.noun in ctx.world.plurals:
        ctx.unknown("no kind of thing is called", node.noun, node.span, ctx.world.nouns)
        return pg.Const(0, type=UNKNOWN, source=node)
    universe = ctx.world.universes[found[0]]
    index = universe.index.get(node.number)
    if index is None or found[1] not in ("", universe.classes[index]):
        known = [i for i, c in zip(universe.ids, universe.classes, strict=True) if found[1] in ("", c)]
        ctx.unknown(f"no {node.noun} has the number", node.number, node.span, known)
        return pg.Const(0, type=UNKNOWN, source=node)
    return pg.Const(index, type=thing(*found), source=node)


def _attribute(ctx: Context, scope: Scope, node: sx.Attr) -> pg.E:
    match node.of:
        case sx.Name(id=word) if word in ctx.world.records and scope.find(word) is None:
            return _record_part(ctx, word, node)
    owner = expression(ctx, scope, node.of)
    if owner.type.kind == "unknown":
        return owner
    if owner.type.kind == "result":
        table = ctx.tables[owner.type.name]
        for part in table.result.fields:
            if part.name == node.name:
                type_ = {"number": NUMBER, "flag": FLAG, "text": TEXT}.get(part.kind, Type("enum", part.of))
                return pg.ResultField(owner, part.name, type=type_, source=node)
        ctx.unknown(f'results of table "{table.id}" have no', node.name, node.name_span,
                    [f.name for f in table.result.fields])  # fmt: skip
        return pg.Const(0, type=UNKNOWN, source=node)
    if owner.type.kind != "thing":
        ctx.mismatch("a thing with attributes", owner.type, node.of.span)
        return pg.Const(0, type=UNKNOWN, source=node)
    found = ctx.world.attributes.get((owner.type.name, node.name))
    if found is None or not found.belongs_to(owner.type.of):
        own = [a for a in ctx.world.attributes.values() if a.belongs_to(owner.type.of)]
        known = [a.name for a in own if a.universe == owner.type.name]
        ctx.unknown(f"a {owner.type.of or owner.type.name} has no attribute", node.name, node.name_span,
                    known)  # fmt: skip
        return pg.Const(0, type=UNKNOWN, source=node)
    ctx.used.add(f"{found.universe}.{found.name}")
    return pg.AttrGet(found, owner, type=found.type, source=node)


def _record_part(ctx: Context, record: str, node: sx.Attr) -> pg.E:
    fields = ctx.world.records[record].fields
    if node.name in fields:
        return pg.FieldGet(record, node.name, type=fields[node.name], source=node)
    name = f"{record}.{node.name}"
    if name in ctx.quantities:
        from rulesdsl.checker.meanings import quantity_type

        ctx.used.add(name)
        return pg.QuantityE(name, (), type=quantity_type(ctx, name), source=node)
    if name in ctx.unread or name in ctx.missed:
        return pg.Const(0, type=UNKNOWN, source=node)
    known = [*fields, *(q.split(".")[1] for q in ctx.quantities if q.startswith(record + "."))]
    ctx.unknown(f"a {record} has no", node.name, node.name_span, known)
    return pg.Const(0, type=UNKNOWN, source=node)


def _call(ctx: Context, scope: Scope, node: sx.Call) -> pg.E:
    from rulesdsl.checker.meanings import params_of, resolve_define

    name = node.name
    if name in ctx.unread:  # what it takes and what it is, is not known
        for argument in node.arguments:
            expression(ctx, scope, argument.value)
        return pg.Const(0, type=UNKNOWN, source=node)
    if name in ctx.defines:
        ctx.used.add(name)
        define = resolve_define(ctx, name)
        given = arguments(ctx, scope, name, node.arguments, define.params, node)
        return pg.CallE(name, given, type=define.type, source=node)
    if name in ctx.quantities or name in ctx.routes or name in ctx.actions:
        ctx.used.add(name)
        given = arguments(ctx, scope, name, node.arguments, params_of(ctx, name), node)
        if name in ctx.quantities:
            from rulesdsl.checker.meanings import quantity_type

            return pg.QuantityE(name, given, type=quantity_type(ctx, name), source=node)
        if name in ctx.routes:
            return pg.RouteE(name, given, type=Type("set", "space"), source=node)
        return pg.LegalE(name, given, type=FLAG, source=node)
    if name in BUILTINS:
        values = tuple(expression(ctx, scope, a.value) for a in node.arguments)
        return check_builtin(ctx, name, values, node)
    if name in ctx.procedures:
        ctx.problem("not-a-value", f'"{name}" is a procedure, it has no value', node.span,
                    f"write `do {name}(…)` as a step")  # fmt: skip
    else:
        ctx.unknown("nothing that can be asked is called", name, node.span, [*ctx.callables(), *BUILTINS])
    for argument in node.arguments:
        expression(ctx, scope, argument.value)
    return pg.Const(0, type=UNKNOWN, source=node)


def _arithmetic(ctx: Context, scope: Scope, node: sx.Arithmetic) -> pg.E:
    left, right = number(ctx, scope, node.left), number(ctx, scope, node.right)
    if isinstance(left, pg.Const) and isinstance(right, pg.Const) and node.op == "/":
        if right.value == 0 and right.type.kind != "unknown":
            ctx.problem("division-by-zero", "this divides by zero", node.right.span)
            return left
        if isinstance(left.value, (int, Fraction)) and isinstance(right.value, (int, Fraction)):
            value = Fraction(left.value) / Fraction(right.value)
            whole = value.numerator if value.denominator == 1 else value
            return pg.Const(whole, type=NUMBER, source=node)
    return pg.Arith(node.op, left, right, type=NUMBER, source=node)


def _compare(ctx: Context, scope: Scope, node: sx.Compare) -> pg.E:
    if node.op in ("=", "!="):
        left = expression(ctx, scope, node.left)
        hint = left.type if left.type.kind in ("enum", "thing") else None
        right = _expression(ctx, scope, node.right, hint)
        found = _equal(ctx, left, right, node)
        return _not(found) if node.op == "!=" else found
    left = expression(ctx, scope, node.left)
    if left.type.kind == "enum" and ctx.world.enums[left.type.name].ordered:
        right = expression(ctx, scope, node.right, left.type)
    else:
        if not fits(left.type, NUMBER):
            ctx.mismatch("a number", left.type, node.left.span)
        right = number(ctx, scope, node.right)
    return pg.CompareE(node.op, left, right, type=FLAG, source=node)


def _lookup(ctx: Context, scope: Scope, node: sx.Lookup) -> pg.E:
    table = ctx.tables.get(node.table)
    if table is None:
        if f"table {node.table}" not in ctx.unread:
            ctx.unknown("there is no table", node.table, node.span, ctx.tables)
        for unread in node.keys:
            expression(ctx, scope, unread)
        return pg.Const(0, type=UNKNOWN, source=node)
    ctx.used.add(f"table {table.id}")
    if len(node.keys) != len(table.keys):
        wanted = ", ".join(k.name for k in table.keys)
        ctx.problem("wrong-arguments", f'table "{table.id}" is read by {wanted}', node.span)
    keys = []
    for written, key in zip(node.keys, table.keys, strict=False):
        type_ = {"number": NUMBER, "ratio": NUMBER, "flag": FLAG}.get(key.kind)
        if type_ is None and key.of not in ctx.world.enums and key.of in ctx.world.nouns:
            type_ = thing(*ctx.world.nouns[key.of])  # a table by player, by zone
        match written:
            case sx.Arithmetic("-" | "/", sx.Number(value=a), sx.Number(value=b)) if key.kind == "ratio":
                message = f'"{a}{written.op}{b}" is a calculation, not a ratio'
                ctx.problem("type-mismatch", message, written.span, f"write `{a}:{b}`")
        keys.append(expression(ctx, scope, written, type_ or Type("enum", key.of)))
    shape = table.result
    match shape.kind:
        case "number":
            type_ = NUMBER
        case "flag":
            type_ = FLAG
        case "text":
            type_ = TEXT
        case "name":
            type_ = Type("enum", shape.of)
        case _:
            type_ = Type("result", table.id)
    return pg.LookupE(table.id, tuple(keys), type=type_, source=node)


def _if_then(ctx: Context, scope: Scope, node: sx.IfThen, wanted: Type | None) -> pg.E:
    test = condition(ctx, scope, node.condition)
    then = _expression(ctx, scope, node.then, wanted)
    otherwise = _expression(ctx, scope, node.otherwise, wanted or then.type)
    type_ = join(then.type, otherwise.type)
    if type_ is None:
        ctx.problem("type-mismatch", f"one branch is a {then.type}, the other a {otherwise.type}", node.span)
        type_ = UNKNOWN
    return pg.IfE(test, then, otherwise, type=type_, source=node)
