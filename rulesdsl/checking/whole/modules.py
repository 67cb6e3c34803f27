"""Whether what is between a module and its game is as `module.yaml` announces it.

A need that another kind of thing meets is told where the game declares it, and alone: what goes wrong inside
the module because of it is no mistake of anybody else. A word that describes units must be something that is
said of units: a player who happens to have that name is not what the module asks for.
"""

from __future__ import annotations

from collections.abc import Container, Iterator

from rulesdsl.base.diagnostics import Diagnostic, errors
from rulesdsl.base.source import Span
from rulesdsl.book.loader import GameSource
from rulesdsl.book.module_words import Word
from rulesdsl.book.modules import NEEDS, Module
from rulesdsl.checking.bodies.meanings import params_of, quantity_type, resolve_define
from rulesdsl.checking.context import Context, type_of_word
from rulesdsl.checking.names.names import as_argument
from rulesdsl.language import syntax as sx
from rulesdsl.language.syntax.rewording import words_of
from rulesdsl.program.types import FLAG, Type, fits

Found = tuple[Span, str]  # where it is declared, and what it is


def check_modules(ctx: Context, source: GameSource) -> None:
    """All modules of a game: their needs, what they offer, and what else the game uses of them."""
    for module in source.modules:
        unmet = [problem for need in module.needs for problem in _need(ctx, module, need)]
        if unmet:
            ctx.problems = [*unmet, *(p for p in ctx.problems if not module.holds(p.span.file))]
            continue
        for offer in module.offers or ():
            ctx.problems += _offer(ctx, module, offer)
        if module.offers is not None and not errors(ctx.problems):
            _private_words(ctx, source, module)


def _need(ctx: Context, module: Module, need: Word) -> Iterator[Diagnostic]:
    if (need.takes is None and not need.gives) or need.name in ctx.unread or _met(ctx, need):
        return
    found = [one for one in _declarations(ctx, need.name) if not module.holds(one[0].file)]
    span = found[0][0] if found else module.use
    if span is None or (need.optional and not found):
        return
    what = found[0][1] if found else "only a value or a name that means something else"
    message = f'the module "{module.name}" needs "{need.head}", and "{need.name}" is {what}'
    also = (("the module is named here", module.use),) if module.use is not None and found else ()
    help_ = f"it is to say: {need.says}"
    if need.takes is not None and not need.kind:
        help_ += f"; declare it, such as `define {need.name}({', '.join(need.takes)}) = …`"
    yield Diagnostic(NEEDS, message, span, help=help_, also=also, about=(need.name,))


def _offer(ctx: Context, module: Module, offer: Word) -> Iterator[Diagnostic]:
    found = [one for one in _declarations(ctx, offer.name) if module.holds(one[0].file)]
    if not found and offer.name not in ctx.unread:
        message = f'the module offers "{offer.head}" and does not declare it'
        yield Diagnostic("module-offers", message, offer.span, about=(offer.name,))
    elif found and not _met(ctx, offer):
        message = f'the module offers "{offer.head}", and "{offer.name}" is {found[0][1]}'
        yield Diagnostic("module-offers", message, offer.span, also=(("it stands here", found[0][0]),),
                         about=(offer.name,))  # fmt: skip


def _private_words(ctx: Context, source: GameSource, module: Module) -> None:
    """What a module keeps for itself may be another thing in its next edition."""
    known = {word.name for word in (*module.needs, *(module.offers or ()))}
    own = {
        str(rule.name): rule.span
        for chapter in source.chapters if module.holds(chapter.file)
        for paragraph in chapter.paragraphs for rule in paragraph.rules
        if isinstance(rule, (sx.Define, sx.Quantity, sx.Procedure, sx.Route, sx.Action))
    }  # fmt: skip
    private = own.keys() - known
    for chapter in source.chapters:
        if module.holds(chapter.file):
            continue
        for paragraph in chapter.paragraphs:
            for rule in paragraph.rules:
                for word in sorted(words_of(rule) & private):
                    ctx.paragraph = paragraph.id
                    message = f'the module "{module.name}" does not offer "{word}"'
                    help_ = "list it under `offers` of its module.yaml, or say it in the game's own rules"
                    ctx.problem("not-offered", message, rule.span, help_,
                                (("it stands here", own[word]),), warning=True, about=(word,))  # fmt: skip


def _declarations(ctx: Context, name: str) -> Iterator[Found]:
    """Everything that is declared under a name, with what it is."""
    for word, table in (
        ("a define", ctx.defines), ("a quantity", ctx.quantities), ("a procedure", ctx.procedures),
        ("an action", ctx.actions), ("a route", ctx.routes),
    ):  # fmt: skip
        if name in table:
            node = table[name][1]
            yield node.span, f"{word} of {_heads(ctx, name)}{_result(ctx, name)}"
    if name in ctx.world.tracks:
        track = ctx.world.tracks[name]
        yield track.span, f"a track of type {track.type}"
    for (_, own), attribute in ctx.world.attributes.items():
        full = [f"{owner}.{own}" for owner in attribute.owners or (attribute.universe,)]
        if name == own or name in full:
            yield (
                attribute.span,
                f"a {attribute.type} of a {' or a '.join(attribute.owners) or attribute.universe}",
            )


def _heads(ctx: Context, name: str) -> str:
    return " and ".join(f"a {type_}" for type_ in _takes(ctx, name)) or "nothing"


def _takes(ctx: Context, name: str) -> tuple[Type, ...]:
    params = resolve_define(ctx, name).params if name in ctx.defines else params_of(ctx, name)
    return tuple(var.type for var in params)


def _result(ctx: Context, name: str) -> str:
    gives = _gives(ctx, name)
    return f" that gives a {gives}" if gives is not None else ""


def _gives(ctx: Context, name: str) -> Type | None:
    if name in ctx.defines:
        return resolve_define(ctx, name).type
    if name in ctx.quantities:
        return quantity_type(ctx, name)
    return FLAG if name in ctx.actions else None


def _met(ctx: Context, word: Word) -> bool:
    """Whether something in the game is what the word announces."""
    takes = [type_of_word(ctx, name) for name in word.takes or ()]
    if word.kind:
        tables: dict[str, Container[str]] = {
            "procedure": ctx.procedures, "action": ctx.actions, "route": ctx.routes,
        }  # fmt: skip
        return word.name in tables[word.kind] and _taken(ctx, word, takes)
    if word.takes is None:
        return any(_given(ctx, word, type_) for type_ in _values(ctx, word.name))
    if any(word.name in table for table in (ctx.defines, ctx.quantities, ctx.actions)):
        gives = _gives(ctx, word.name)
        return _taken(ctx, word, takes) and gives is not None and _given(ctx, word, gives)
    return (
        len(takes) == 1 and not word.gives and takes[0] is not None and _describes(ctx, word.name, takes[0])
    )


def _taken(ctx: Context, word: Word, takes: list[Type | None]) -> bool:
    if word.takes is None:
        return True
    have = _takes(ctx, word.name)
    return len(have) == len(takes) and all(
        given is not None and fits(given, as_argument(wanted))
        for given, wanted in zip(takes, have, strict=True)
    )


def _given(ctx: Context, word: Word, type_: Type) -> bool:
    """Whether this is a value of the kind that is announced; without one, a condition."""
    if type_.kind == "unknown" or not word.gives:
        return type_.kind in ("unknown", "flag")
    wanted = type_of_word(ctx, word.gives[0])
    if wanted is not None and len(word.gives) == 1:
        return fits(type_, as_argument(wanted)) or (wanted.kind == "number" and type_.kind == "number")
    return type_.kind == "enum" and set(word.gives) <= set(ctx.world.enums[type_.name].values)


def _values(ctx: Context, name: str) -> Iterator[Type]:
    """The types of what is asked for by a mere name, or of a thing with a point."""
    if name in ctx.world.tracks:
        yield ctx.world.tracks[name].type
    for table in (ctx.defines, ctx.quantities):
        if name in table and not _takes(ctx, name) and (gives := _gives(ctx, name)) is not None:
            yield gives
    if name in ctx.settings:
        yield ctx.settings[name].type
    for (universe, own), attribute in ctx.world.attributes.items():
        if name == own or name in [f"{owner}.{own}" for owner in attribute.owners or (universe,)]:
            yield attribute.type


def _describes(ctx: Context, word: str, subject: Type) -> bool:
    """Whether the word is said of such things: a flag, a value or a class of theirs, never whose they are."""
    world = ctx.world
    if word in world.nouns and world.nouns[word][0] == subject.name:
        return True
    for (universe, name), attribute in world.attributes.items():
        if universe != subject.name or not attribute.belongs_to(subject.of):
            continue
        kind, of = attribute.type.kind, attribute.type.name
        if kind == "flag" and name == word:
            return True
        if kind == "enum" and of in world.enums and word in world.enums[of].values:
            return True
        if kind == "thing" and of not in ("player", "") and world.universes[of].of_class(word) is not None:
            return True
    return word in world.roles
