"""Bare words: variables, tracks, fields, settings, ids, enumeration values, adjectives."""

from __future__ import annotations

import re

from rulesdsl import program as pg
from rulesdsl.base.source import Span
from rulesdsl.checking.context import Context, Scope
from rulesdsl.language import syntax as sx
from rulesdsl.language.conventions import CANCELLED
from rulesdsl.language.plurals import plural_of
from rulesdsl.program.types import FLAG, NONE, NUMBER, UNKNOWN, Type, apart, fits, set_of, thing

STEP_FACTS = {"first_step": FLAG, "steps": NUMBER, "spent": NUMBER}


def resolve_name(ctx: Context, scope: Scope, node: sx.Name, wanted: Type | None) -> pg.E:
    """What a word stands for here; the nearest meaning wins: variables, then the game's own words."""
    word, world = node.id, ctx.world
    if (var := scope.find(word)) is not None:
        return pg.VarGet(var, type=var.type, source=node)
    if word == "none":
        return pg.Const(-1, type=NONE, source=node)
    if word in ("true", "false"):
        return pg.Const(int(word == "true"), type=FLAG, source=node)
    if scope.route and word in STEP_FACTS:
        return pg.StepFact(word, type=STEP_FACTS[word], source=node)
    if wanted is not None and (value := _value_of_type(ctx, wanted, word)) is not None:
        if wanted.kind == "thing":
            wanted = thing(wanted.name, world.universes[wanted.name].class_of(value))
        return pg.Const(value, type=wanted, source=node)
    if word == CANCELLED:
        return pg.TrackGet(CANCELLED, type=FLAG, source=node)
    if word in world.tracks:
        ctx.used.add(word)
        return pg.TrackGet(word, type=world.tracks[word].type, source=node)
    for record in world.records.values():
        if word in record.fields:
            ctx.used.add(f"{record.name}.{word}")
            return pg.FieldGet(record.name, word, type=record.fields[word], source=node)
    if word in ctx.settings:
        ctx.used.add(word)
        return pg.SettingGet(word, type=ctx.settings[word].type, source=node)
    for universe in world.universes.values():
        if word in universe.index:
            index = universe.index[word]
            return pg.Const(index, type=thing(universe.name, universe.class_of(index)), source=node)
    if word in world.plurals:
        return pg.ClassSet(type=set_of(*world.nouns[word]), source=node)
    if (found := _without_arguments(ctx, node)) is not None:
        return found
    enums = [e for e in world.enums.values() if word in e.values]
    for name in world.enums if not enums else ():
        if word == plural_of(name):  # `directions`: all of them
            return pg.ClassSet(type=Type("set", name, of_enum=True), source=node)
    if len(enums) == 1:
        return pg.Const(enums[0].values.index(word), type=Type("enum", enums[0].name), source=node)
    if len(enums) > 1:
        names = ", ".join(e.name for e in enums)
        ctx.problem(
            "ambiguous-name",
            f'"{word}" is a value of {names}; say which is meant',
            node.span,
            about=(word, *(e.name for e in enums)),
        )
        return pg.Const(0, type=UNKNOWN, source=node)
    ctx.unknown("nothing is called", word, node.span, known_words(ctx, scope), scope, wanted=wanted)
    return pg.Const(0, type=UNKNOWN, source=node)


def _value_of_type(ctx: Context, wanted: Type, word: str) -> int | None:
    if wanted.kind == "enum":
        info = ctx.world.enums.get(wanted.name)
        return info.values.index(word) if info and word in info.values else None
    if wanted.kind == "thing":
        return ctx.world.universes[wanted.name].index.get(word)
    return None


def _without_arguments(ctx: Context, node: sx.Name) -> pg.E | None:
    word = node.id
    if word in ctx.defines:
        ctx.used.add(word)
        define = ctx.bodies.resolve_define(ctx, word)
        if define.params:
            wanted = ", ".join(p.name for p in define.params)
            ctx.problem("wrong-arguments", f'"{word}" takes {wanted}', node.span, about=(word,))
        return pg.CallE(word, (), type=define.type, source=node)
    if word in ctx.quantities and not ctx.bodies.params_of(ctx, word):
        ctx.used.add(word)
        return pg.QuantityE(word, (), type=ctx.bodies.quantity_type(ctx, word), source=node)
    if word in ctx.routes and not ctx.bodies.params_of(ctx, word):
        ctx.used.add(word)
        return pg.RouteE(word, (), type=set_of("space"), source=node)
    if word in ctx.actions and not ctx.bodies.params_of(ctx, word):
        ctx.used.add(word)
        return pg.LegalE(word, (), type=FLAG, source=node)
    return None


def known_words(ctx: Context, scope: Scope) -> list[str]:
    world = ctx.world
    return [
        "none", "true", "false", *scope.all_names(),
        *world.tracks, *ctx.settings, *world.nouns, *world.records, *ctx.callables(),
        *(f for r in world.records.values() for f in r.fields),
        *(i for u in world.universes.values() for i in u.ids),
        *(v for e in world.enums.values() for v in e.values),
    ]  # fmt: skip


def space_of(value: pg.E) -> pg.E:
    """The space a thing is in: a space is itself, a piece is where it stands."""
    if value.type.kind == "thing" and value.type.name == "piece":
        return pg.BuiltinE("place_of", (value,), type=thing("space", nullable=True), source=value.source)
    return value


def adjective(ctx: Context, scope: Scope, subject: pg.E, word: str, span: Span) -> pg.E:
    """`german`, `armoured`, `turned`, `contested`, `attacker`: a word that describes a thing."""
    world, universe, node = ctx.world, subject.type.name, sx.Name(word, span=span)
    if subject.type.kind == "unknown":
        return pg.Const(0, type=UNKNOWN, source=node)
    if subject.type.kind != "thing":
        ctx.mismatch("a thing that can be described", subject.type, span)
        return pg.Const(0, type=UNKNOWN, source=node)
    attribute = world.attributes.get((universe, word))
    if attribute is not None and attribute.type.kind == "unknown":
        return pg.Const(0, type=UNKNOWN, source=node)
    if attribute is not None and attribute.type.kind == "flag" and attribute.belongs_to(subject.type.of):
        ctx.used.add(f"{universe}.{word}")
        return pg.AttrGet(attribute, subject, type=FLAG, source=node)
    if word in world.nouns and world.nouns[word][0] == universe:
        whole = pg.ClassSet(type=set_of(*world.nouns[word]), source=node)
        if apart(subject.type, whole.type):
            ctx.problem(
                "type-mismatch", f"a {subject.type.of} is never a {word}", span, about=(subject.type, word)
            )
        return pg.Member(subject, whole, type=FLAG, source=node)
    if word in world.roles:
        record, part = world.roles[word]
        members = pg.FieldGet(record, part, type=world.records[record].fields[part], source=node)
        if members.type.name == universe and not apart(subject.type, members.type):
            return pg.Member(subject, members, type=FLAG, source=node)
    # What an author defines a word to mean comes before what it happens to be the value of: a module's word
    # must not turn into "belongs to the player of that name".
    found = _defined(ctx, subject, word, node) or _adjective_value(ctx, subject, word, span)
    if found is not None:
        return found
    var = scope.find(word)
    if var is not None and var.type.kind == "set" and fits(subject.type, var.type.member):
        chosen = pg.VarGet(var, type=var.type, source=node)
        return pg.Member(subject, chosen, type=FLAG, source=node)
    if var is not None and (own := attributes_like(ctx, subject, var.type)):
        if len(own) > 1:
            tell_ambiguous(ctx, own, word, span)
        value = pg.VarGet(var, type=var.type, source=node)
        return pg.CompareE("=", own[0], value, type=FLAG, source=node)
    known = [*_adjectives(ctx, universe), *scope.all_names(), "none"]
    noun = subject.type.of or universe
    ctx.unknown(f"a {noun} is never called", word, span, known, scope, "unknown-adjective", subject.type)
    return pg.Const(0, type=UNKNOWN, source=node)


def as_argument(type_: Type) -> Type:
    """What may be said of a parameter of this type: of a thing also where there may be none."""
    return type_.or_none() if type_.kind == "thing" else type_


def attributes_like(ctx: Context, subject: pg.E, type_: Type) -> list[pg.AttrGet]:
    """What of a thing could be such a value: of a unit and a player, its camp."""
    if type_.kind not in ("enum", "thing"):
        return []
    return [
        pg.AttrGet(attribute, subject, type=attribute.type, source=subject.source)
        for (universe, _), attribute in ctx.world.attributes.items()
        if universe == subject.type.name and attribute.belongs_to(subject.type.of)
        and attribute.type.kind == type_.kind and not (attribute.built_in and universe != "token")
        and (fits(attribute.type, type_.or_none()) or fits(type_, attribute.type.or_none()))
    ]  # fmt: skip


def tell_ambiguous(ctx: Context, own: list[pg.AttrGet], word: str, span: Span) -> None:
    names = [found.attribute.name for found in own]
    help_text = "write " + " or ".join(f"`where it.{name} is {word}`" for name in names)
    ctx.problem(
        "ambiguous-name",
        f'"{word}" may be the {" or the ".join(names)}',
        span,
        help_text,
        about=(word, *names),
    )


def _defined(ctx: Context, subject: pg.E, word: str, node: sx.Name) -> pg.E | None:
    """A define with one parameter that fits; inside itself the word means what it would mean without it."""
    if word not in ctx.defines or len(ctx.defines[word][1].params) != 1:
        return None
    if word in ctx.resolving:
        if word != ctx.resolving[-1]:
            ctx.held_back += 1  # who is resolved inside of whom decides
        if _adjective_value(ctx, subject, word, node.span) is not None:
            return None
    define = ctx.bodies.resolve_define(ctx, word)
    if not fits(subject.type, as_argument(define.params[0].type)):
        return None
    ctx.used.add(word)
    return pg.CallE(word, (subject,), type=FLAG, source=node)


def _adjective_value(ctx: Context, subject: pg.E, word: str, span: Span) -> pg.E | None:
    """An enumeration value, or the id of another thing, that exactly one attribute can have."""
    node = sx.Name(word, span=span)
    matches: list[pg.E] = []
    names: list[str] = []
    for (universe, name), attribute in ctx.world.attributes.items():
        if universe != subject.type.name or not attribute.belongs_to(subject.type.of):
            continue
        value: int | None = None
        if attribute.type.kind == "enum" and attribute.type.name in ctx.world.enums:
            values = ctx.world.enums[attribute.type.name].values
            value = values.index(word) if word in values else None
        elif attribute.type.kind == "thing" and not (attribute.built_in and universe != "token"):
            value = ctx.world.universes[attribute.type.name].of_class(word, attribute.type.of)
        if value is None:
            continue
        ctx.used.add(f"{universe}.{name}")
        got = pg.AttrGet(attribute, subject, type=attribute.type, source=node)
        want = pg.Const(value, type=attribute.type, source=node)
        matches.append(pg.CompareE("=", got, want, type=FLAG, source=node))
        names.append(name)
    if len(matches) > 1:
        help_text = "write " + " or ".join(f"`it.{n} is {word}`" for n in names)
        ctx.problem(
            "ambiguous-name",
            f'"{word}" may be the {" or the ".join(names)}',
            span,
            help_text,
            about=(word, *names),
        )
    return matches[0] if matches else None


def _adjectives(ctx: Context, universe: str) -> list[str]:
    world = ctx.world
    words = [n for (u, n), a in world.attributes.items() if u == universe and a.type.kind == "flag"]
    for (u, _), attribute in world.attributes.items():
        if u == universe and attribute.type.kind == "enum":
            words.extend(world.enums[attribute.type.name].values)
    words.extend(n for n, (_, d) in ctx.defines.items() if len(d.params) == 1)
    words.extend(n for n, (u, _) in world.nouns.items() if u == universe)
    return [*words, *world.roles, *world.universes[universe].ids]


def names_in_braces(ctx: Context, scope: Scope, text: str, span: Span) -> None:
    """`"attack {zone}"` shows what `zone` is: there must be such a variable."""
    for name in re.findall(r"\{([^{}]*)\}", text):
        if not re.fullmatch(r"\w+", name):
            ctx.problem("wording", f"a text shows variables by their names, and {{{name}}} is none", span,
                        "bind the value first: `let x = …`, and write {x}", about=(name,))  # fmt: skip
        elif scope.find(name) is None:
            ctx.unknown("the text shows what is not known here:", name, span, scope.all_names())


def values_in_braces(ctx: Context, text: str, values: int, span: Span) -> None:
    """`note "{} has the move", player` shows each value in a pair of braces, and the rest after the text."""
    braces = re.findall(r"\{([^{}]*)\}", text)
    named = next((name for name in braces if name), "")
    if named:
        ctx.problem("wording", f"a note shows the values that follow it, and {{{named}}} is a name", span,
                    f"write {{}} in the text and the value after it: `, {named}`",
                    about=(named,))  # fmt: skip
    elif len(braces) > values:
        given = f"{values} value{'s' if values != 1 else ''}"
        ctx.problem("wording", f"there are {len(braces)} pairs of braces for {given}", span,
                    "give a value after the text for each of them")  # fmt: skip
