"""Expressions that look something up by its name: a thing by its number, an attribute, a call, a table."""

from __future__ import annotations

from rulesdsl import program as pg
from rulesdsl.base import fixes
from rulesdsl.base.fixes import Advice
from rulesdsl.book.tables.table import Table
from rulesdsl.checking.builtins import check_builtin
from rulesdsl.checking.context import Context, Scope
from rulesdsl.checking.names.near_names import place_of
from rulesdsl.checking.names.series import without_key
from rulesdsl.language import syntax as sx
from rulesdsl.program.builtins import BUILTINS
from rulesdsl.program.types import FLAG, NUMBER, TEXT, UNKNOWN, Type, thing


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
            ctx.bodies.expression(ctx, scope, argument.value)
        if len(ctx.problems) == before and all(a.name is None or a.name in slots for a in given):
            wanted = ", ".join(p.name for p in params) or "nothing"
            place = place_of(ctx, name)
            also = (("it is declared here", place),) if place is not None else ()
            hint = f"write `{name}({wanted})`" if params else f"write `{name}`"
            message = f'"{name}" takes {wanted}'
            ctx.problem("wrong-arguments", message, node.span, hint, also, about=(name,))
        return tuple(pg.Const(0, type=UNKNOWN) for _ in params)
    return tuple(ctx.bodies.fitting(ctx, scope, slots[p.name], p.type) for p in params)


def numbered(ctx: Context, node: sx.Numbered) -> pg.E:
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


def attribute(ctx: Context, scope: Scope, node: sx.Attr) -> pg.E:
    match node.of:
        case sx.Name(id=word) if word in ctx.world.records and scope.find(word) is None:
            return _record_part(ctx, word, node)
    owner = ctx.bodies.expression(ctx, scope, node.of)
    if owner.type.kind == "unknown":
        return owner
    if owner.type.kind == "result":
        table = ctx.tables[owner.type.name]
        for part in table.result.fields:
            if part.name == node.name:
                plain = {"number": NUMBER, "flag": FLAG, "text": TEXT}.get(part.kind)
                type_ = plain or _names_in_table(ctx, part.of)
                return pg.ResultField(owner, part.name, type=type_, source=node)
        ctx.unknown(f'results of table "{table.id}" have no', node.name, node.name_span,
                    [f.name for f in table.result.fields])  # fmt: skip
        return pg.Const(0, type=UNKNOWN, source=node)
    if owner.type.kind != "thing":
        ctx.mismatch("a thing with attributes", owner.type, node.of.span)
        return pg.Const(0, type=UNKNOWN, source=node)
    found = ctx.world.attributes.get((owner.type.name, node.name))
    if found is None and without_key(ctx, owner, node):
        return pg.Const(0, type=UNKNOWN, source=node)
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
        ctx.used.add(name)
        return pg.QuantityE(name, (), type=ctx.bodies.quantity_type(ctx, name), source=node)
    if name in ctx.unread or name in ctx.missed:
        return pg.Const(0, type=UNKNOWN, source=node)
    known = [*fields, *(q.split(".")[1] for q in ctx.quantities if q.startswith(record + "."))]
    ctx.unknown(f"a {record} has no", node.name, node.name_span, known)
    return pg.Const(0, type=UNKNOWN, source=node)


def call(ctx: Context, scope: Scope, node: sx.Call) -> pg.E:
    name = node.name
    if name in ctx.unread:  # what it takes and what it is, is not known
        for argument in node.arguments:
            ctx.bodies.expression(ctx, scope, argument.value)
        return pg.Const(0, type=UNKNOWN, source=node)
    if name in ctx.defines:
        ctx.used.add(name)
        define = ctx.bodies.resolve_define(ctx, name)
        given = arguments(ctx, scope, name, node.arguments, define.params, node)
        return pg.CallE(name, given, type=define.type, source=node)
    if name in ctx.quantities or name in ctx.routes or name in ctx.actions:
        ctx.used.add(name)
        given = arguments(ctx, scope, name, node.arguments, ctx.bodies.params_of(ctx, name), node)
        if name in ctx.quantities:
            return pg.QuantityE(name, given, type=ctx.bodies.quantity_type(ctx, name), source=node)
        if name in ctx.routes:
            return pg.RouteE(name, given, type=Type("set", "space"), source=node)
        return pg.LegalE(name, given, type=FLAG, source=node)
    if name in BUILTINS:
        values = tuple(ctx.bodies.expression(ctx, scope, a.value) for a in node.arguments)
        return check_builtin(ctx, name, values, node)
    if name in ctx.procedures:
        ctx.problem("not-a-value", f'"{name}" is a procedure, it has no value', node.span,
                    f"write `do {name}(…)` as a step", about=(name,))  # fmt: skip
    else:
        ctx.unknown("nothing that can be asked is called", name, node.span, [*ctx.callables(), *BUILTINS])
    for argument in node.arguments:
        ctx.bodies.expression(ctx, scope, argument.value)
    return pg.Const(0, type=UNKNOWN, source=node)


def lookup(ctx: Context, scope: Scope, node: sx.Lookup) -> pg.E:
    table = ctx.tables.get(node.table)
    if table is None:
        if f"table {node.table}" not in ctx.unread:
            ctx.unknown("there is no table", node.table, node.span, ctx.tables)
        for unread in node.keys:
            ctx.bodies.expression(ctx, scope, unread)
        return pg.Const(0, type=UNKNOWN, source=node)
    ctx.used.add(f"table {table.id}")
    if len(node.keys) != len(table.keys):
        wanted = ", ".join(k.name for k in table.keys)
        ctx.problem(
            "wrong-arguments", f'table "{table.id}" is read by {wanted}', node.span, about=(table.id,)
        )
    _exchanged(ctx, node, table)
    keys = []
    for written, key in zip(node.keys, table.keys, strict=False):
        type_ = {"number": NUMBER, "ratio": NUMBER, "flag": FLAG}.get(key.kind)
        if type_ is None and key.of not in ctx.world.enums and key.of in ctx.world.nouns:
            type_ = thing(*ctx.world.nouns[key.of])  # a table by player, by zone
        match written:
            case sx.Arithmetic("-" | "/", sx.Number(value=a), sx.Number(value=b)) if key.kind == "ratio":
                message = f'"{a}{written.op}{b}" is a calculation, not a ratio'
                ctx.problem("type-mismatch", message, written.span,
                            Advice(f"write `{a}:{b}`", fixes.whole(f"{a}:{b}")))  # fmt: skip
        keys.append(ctx.bodies.expression(ctx, scope, written, type_ or _names_in_table(ctx, key.of)))
    shape = table.result
    match shape.kind:
        case "number":
            type_ = NUMBER
        case "flag":
            type_ = FLAG
        case "text":
            type_ = TEXT
        case "name":
            type_ = _names_in_table(ctx, shape.of)
        case _:
            type_ = Type("result", table.id)
    return pg.LookupE(table.id, tuple(keys), type=type_, source=node)


def _names_in_table(ctx: Context, scale: str) -> Type:
    """The type of names of a scale; a table whose scale is missing is told by itself."""
    return Type("enum", scale) if scale in ctx.world.enums else UNKNOWN


def _exchanged(ctx: Context, node: sx.Lookup, table: Table) -> None:
    """`table combat[die, odds(a, b)]`: a ratio where a number is wanted, and none where one is wanted."""
    pairs = list(zip(node.keys, table.keys, strict=False))
    odd = [key for written, key in pairs if _is_odds(written) and key.kind != "ratio"]
    lacking = [key for written, key in pairs if key.kind == "ratio" and not _is_odds(written)]
    if odd and lacking:
        wanted = ", ".join(key.name for key in table.keys)
        message = f'the odds stand where table "{table.id}" wants the {odd[0].name}'
        hint = f"write `table {table.id}[{wanted}]`, in this order"
        ctx.problem("wrong-arguments", message, node.span, hint, about=(table.id,))


def _is_odds(written: sx.Expr) -> bool:
    return isinstance(written, sx.Call) and written.name == "odds"
