"""What the construct around a place asks for: `place … in` a space, an argument what its parameter is."""

from __future__ import annotations

from rulesdsl.base.lightclass import dataclass
from rulesdsl.checking.context import Context
from rulesdsl.editing.unfinished import HERE
from rulesdsl.language import syntax as sx
from rulesdsl.program.builtins import BUILTINS
from rulesdsl.program.types import NUMBER, Type, thing


@dataclass(frozen=True, slots=True)
class Wanted:
    """`type` where one is asked for; `several`: a set of things; `changed`: what can be given a value;
    `names`: what an argument can be called."""

    type: Type | None = None
    several: bool = False
    changed: bool = False
    names: tuple[str, ...] = ()


_NOTHING = Wanted()
_PIECE, _SPACE, _PLAYER = thing("piece"), thing("space"), thing("player")


def wanted_in(ctx: Context, node: sx.Node) -> Wanted:
    """What is asked for where the made-up name stands in a statement."""
    for part in sx.walk(node):
        found = _asked(ctx, part)
        if found is not _NOTHING:
            return found
    return _NOTHING


def _here(value: object) -> bool:
    return isinstance(value, sx.Name) and value.id == HERE


def _asked(ctx: Context, part: object) -> Wanted:
    match part:
        case sx.Move(pieces=pieces, place=place):
            if any(map(_here, pieces)):
                return Wanted(_PIECE)
            return Wanted(_SPACE) if _here(place) else _NOTHING
        case sx.Remove(piece=value) | sx.Flip(piece=value) | sx.Put(piece=value) if _here(value):
            return Wanted(_PIECE)
        case sx.Swap(piece=one, other=other) if _here(one) or _here(other):
            return Wanted(_PIECE)
        case sx.Give(token=value) | sx.Discard(token=value) | sx.ReturnToken(token=value) if _here(value):
            return Wanted(thing("token")) if "token" in ctx.world.universes else _NOTHING
        case sx.Give(player=value) | sx.Draw(player=value) | sx.Choose(player=value) if _here(value):
            return Wanted(_PLAYER)
        case sx.EndGame(winner=value) | sx.ForEach(chooser=value) if _here(value):
            return Wanted(_PLAYER)
        case sx.TailIn(place=value) | sx.InPlace(place=value) | sx.TailNearest(place=value) if _here(value):
            return Wanted(_SPACE)
        case sx.TailAmong(group=value) | sx.AmongSet(group=value) | sx.TailExcept(group=value) if _here(
            value
        ):
            return Wanted(several=True)
        case sx.Assign(target=value) | sx.Increase(target=value) if _here(value):
            return Wanted(changed=True)
        case sx.Mark(target=value) | sx.Unmark(target=value) if _here(value):
            return Wanted(changed=True)
        case sx.Assign(target=target, value=value) if _here(value):
            return Wanted(_type_of(ctx, target))
        case sx.Lookup(table=name, keys=keys) if name in ctx.tables:
            for key, value in zip(ctx.tables[name].keys, keys, strict=False):
                if _here(value):
                    return Wanted(Type("enum", key.of) if key.of in ctx.world.enums else NUMBER)
        case sx.SettingGiven(name=name, value=value) if _here(value) and name in ctx.settings:
            return Wanted(ctx.settings[name].type)
        case sx.With(record=record, arguments=arguments) if record in ctx.world.records:
            fields = ctx.world.records[record].fields
            return _argument(list(fields.items()), arguments, named=True)
        case sx.Call(name=name, arguments=arguments) | sx.Do(name=name, arguments=arguments):
            return _argument(_parameters(ctx, name), arguments)
        case sx.ActionUse(name=name, arguments=arguments):
            return _argument(_parameters(ctx, name), arguments)
        case _:
            pass  # it asks for nothing in particular
    return _NOTHING


def _parameters(ctx: Context, name: str) -> list[tuple[str, Type]]:
    if name in ctx.resolved:
        return [(param.name, param.type) for param in ctx.resolved[name].params]
    if name in ctx.params:
        return [(param.name, param.type) for param in ctx.params[name]]
    return list(BUILTINS[name].params) if name in BUILTINS else []


def _argument(
    params: list[tuple[str, Type]], arguments: tuple[sx.Argument, ...], named: bool = False
) -> Wanted:
    """What the parameter is that an argument stands for; `named`: arguments say whose they are."""
    for number, argument in enumerate(arguments):
        if not _here(argument.value):
            continue
        given = {one.name for one in arguments}
        names = tuple(name for name, _ in params if name not in given) if argument.name is None else ()
        if argument.name is not None:
            return Wanted(dict(params).get(argument.name), names=names)
        if named:
            return Wanted(names=names)
        return Wanted(params[number][1] if number < len(params) else None)
    return _NOTHING


def _type_of(ctx: Context, target: sx.Expr) -> Type | None:
    """Of what is set, by its name alone: what stands before the dot is not known here."""
    world = ctx.world
    match target:
        case sx.Name(id=name) if name in world.tracks:
            return world.tracks[name].type
        case sx.Attr(of=sx.Name(id=record), name=name) if record in world.records:
            return world.records[record].fields.get(name)
        case sx.Keyed(name=name):
            series = (s for (_, own), s in world.series.items() if own == name)
            return next((world.attributes[s.universe, s.members[0]].type for s in series), None)
        case sx.Attr(name=name):
            return next((a.type for (_, own), a in world.attributes.items() if own == name), None)
        case _:
            return None  # nothing else can be set
