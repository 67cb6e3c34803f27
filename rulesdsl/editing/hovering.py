"""What an author wants to hear about a word: its declaration, the derived sentence, its uses, its values."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from rulesdsl import program as pg
from rulesdsl.base.lightclass import dataclass
from rulesdsl.base.source import Span
from rulesdsl.book.loader import GameSource
from rulesdsl.checking.context import Context
from rulesdsl.editing.desk import Desk
from rulesdsl.editing.symbols import KINDS, Occurrence, Symbol
from rulesdsl.house.resolving.statements import declared
from rulesdsl.language import syntax as sx
from rulesdsl.language.printing.printer import print_rule
from rulesdsl.speaking.blocks import Item
from rulesdsl.speaking.inline import plain
from rulesdsl.speaking.names import Names
from rulesdsl.speaking.say.expressions import Speaker
from rulesdsl.speaking.say.rules import say_rule

_MOST_LINES = 14
_MOST_PROSE = 600
_MOST_LISTED = 8


@dataclass(frozen=True, slots=True)
class Hover:
    """Markdown for the word at a place."""

    text: str
    span: Span


def hover(desk: Desk, path: Path, line: int, column: int) -> Hover | None:
    """About the word at a place (counted from 1)."""
    found = desk.at(path, line, column)
    if found is None:
        return None
    source, ctx, program = desk.view(path)
    parts = [part for part in about(desk, source, ctx, program, found.symbol, path) if part]
    return Hover("\n\n".join(parts), found.span)


def about(
    desk: Desk,
    source: GameSource,
    ctx: Context,
    program: pg.Program,
    symbol: Symbol,
    path: Path | None = None,
) -> Iterator[str]:
    """Everything there is to say about a symbol, in pieces of Markdown."""
    kind = ctx.settings[symbol.name].kind if symbol.name in ctx.settings else KINDS[symbol.kind]
    yield f"**{kind}** `{symbol.word}`{_type(ctx, program, symbol)}"
    paragraph, node = declaration(source, symbol)
    if isinstance(node, sx.ClassDecl) and symbol.kind in ("attribute", "value"):
        node = _of_class(node, symbol)
    if isinstance(node, sx.Reading):
        yield _reading(node, symbol)
    elif isinstance(node, sx.Rule):
        shown = print_rule(node).split("\n")
        more = [f"… {len(shown) - _MOST_LINES} more lines"] if len(shown) > _MOST_LINES else []
        yield "\n".join(["```rules", *shown[:_MOST_LINES], *more, "```"])
        yield sentence(desk, program, node)
    if symbol.kind == "paragraph":
        yield from _paragraph(ctx, source, symbol.word)
        return
    yield from _values(ctx, source, symbol)
    if paragraph is not None:
        yield f"declared in **{paragraph.id}** {paragraph.title}"
        yield prose(paragraph)
    if symbol.kind != "variable":
        yield _used(desk, symbol, path)


def _of_class(node: sx.ClassDecl, symbol: Symbol) -> sx.ClassDecl:
    """The declaration of a class with nothing but the attribute that is spoken of."""
    of, _, word = symbol.name.partition(".")
    name = word if symbol.kind == "attribute" else of
    return replace(node, attributes=tuple(a for a in node.attributes if a.name == name))


def _reading(node: sx.Reading, symbol: Symbol) -> str:
    """What each way to read the rulebook means; of one of them, what it means and how it is chosen."""
    meanings = dict(zip(node.alternatives, node.wordings, strict=False))
    if symbol.kind == "value":
        means = f": {meanings[symbol.word]}" if meanings.get(symbol.word) else ""
        if node.settled:
            return f"the one way in which this is played{means}"
        other = "the default" if symbol.word == node.default else f"not the default, which is {node.default}"
        return f"{other}{means}; chosen by `--reading {node.name}={symbol.word}`"
    if node.settled:
        return "settled: it records what was assumed, and can not be switched"
    return "\n".join(
        f"- `{name}`{' (default)' if name == node.default else ''}"
        + (f": {meanings[name]}" if meanings.get(name) else "")
        for name in node.alternatives
    )


def declaration(source: GameSource, symbol: Symbol) -> tuple[sx.Paragraph | None, sx.Rule | None]:
    """The statement that declares a symbol, and its paragraph."""
    for chapter in source.chapters:
        for paragraph in chapter.paragraphs:
            for rule in paragraph.rules:
                if declares(rule, symbol):
                    return paragraph, rule
    return None, None


def declares(rule: sx.Rule, symbol: Symbol) -> bool:
    """Whether a statement is where a symbol comes from."""
    match symbol.kind, rule:
        case "attribute", sx.ClassDecl(kind=kind, attributes=attributes):
            universe, name = symbol.name.split(".", 1)
            return kind == universe and any(a.name == name for a in attributes)
        case "value", sx.Enumeration(name=name) | sx.Reading(name=name):
            return name == symbol.name.split(".", 1)[0]
        case "value", sx.ClassDecl(attributes=attributes):
            enum, value = symbol.name.split(".", 1)
            return any(a.name == enum and value in a.type.parts for a in attributes)
        case "field", sx.RecordDecl(name=name):
            return name == symbol.name.split(".", 1)[0]
        case "noun", sx.ClassDecl(name=name, kind=kind):
            return (name or kind) == symbol.name
        case ("define" | "quantity" | "action" | "route" | "procedure" | "window" | "token" | "setting"
              | "track" | "record" | "enum"), _:  # fmt: skip
            found = declared(rule)
            return found is not None and found[1] == symbol.name and _fits(symbol.kind, rule)
        case _:
            pass  # has nothing to tell
    return False


def _fits(kind: str, rule: sx.Rule) -> bool:
    name = type(rule).__name__.lower()
    if kind == "setting":
        return name in ("reading", "option", "parameter")
    return {"track": "trackdecl", "record": "recorddecl", "enum": "enumeration"}.get(kind, kind) == name


def _type(ctx: Context, program: pg.Program, symbol: Symbol) -> str:
    world, name = ctx.world, symbol.name
    match symbol.kind:
        case "define" if name in program.defines:
            rule = program.defines[name]
            params = ", ".join(f"{p.name}: {p.type}" for p in rule.params)
            return f"({params}): {rule.type}" if params else f": {rule.type}"
        case "attribute":
            universe, _, part = name.partition(".")
            found = world.attributes.get((universe, part))
            printed = "printed " if found is not None and found.printed else ""
            return f": {printed}{found.type} of a {universe}" if found is not None else ""
        case "track" if name in world.tracks:
            return f": {world.tracks[name].type}"
        case "setting" if name in ctx.settings:
            setting = ctx.settings[name]
            return f": {' or '.join(setting.alternatives) or setting.type}"
        case "field":
            record, _, part = name.partition(".")
            return f": {world.records[record].fields[part]} of {record}" if record in world.records else ""
        case "value":
            return f" of {name.partition('.')[0]}"
        case "thing":
            universe, _, identity = name.partition(":")
            things = world.universes[universe]
            number = things.index.get(identity)
            return f": {things.classes[number]} “{things.names[number]}”" if number is not None else ""
        case _:
            pass  # has nothing to tell
    return ""


def sentence(desk: Desk, program: pg.Program, node: sx.Rule) -> str:
    """The rule as the handbook says it."""
    try:
        return f"*{flat(say_rule(speaker(desk, program), node))}*"
    except (KeyError, AssertionError, AttributeError):  # a game with mistakes has words for not everything
        return ""


def speaker(desk: Desk, program: pg.Program) -> Speaker:
    """Says the rules of a game in its words; kept while no name comes or goes."""
    names = frozenset((*program.defines, *program.quantities, *program.actions, *program.settings,
                       *program.world.nouns, *program.world.attributes))  # fmt: skip
    held: tuple[frozenset[object], Speaker] | None = getattr(desk, "spoken", None)
    if held is None or held[0] != names:
        held = (names, Speaker(Names(program)))
        desk.spoken = held
    return held[1]


def flat(item: Item, deep: int = 0) -> str:
    """A sentence and what is inside of it as lines of plain text."""
    inside = [flat(part, deep + 1) for part in item.inside]
    return " ".join([plain(item.text), *inside]) if deep < 3 else plain(item.text)


def prose(paragraph: sx.Paragraph) -> str:
    """What the rulebook says there, shortened."""
    text = re.sub(r"\n{3,}", "\n\n", re.sub(r"\n?\x00\d+\n?", "\n", paragraph.prose)).strip()
    return (
        "> " + text[:_MOST_PROSE].replace("\n", "\n> ") + ("…" if len(text) > _MOST_PROSE else "")
        if text
        else ""
    )


def _paragraph(ctx: Context, source: GameSource, number: str) -> Iterator[str]:
    for chapter in source.chapters:
        for paragraph in chapter.paragraphs:
            if paragraph.id == number:
                yield f"**{number}** {paragraph.title}"
                yield prose(paragraph)
                return
    yield f"{number} {ctx.titles.get(number, '')}"


def _used(desk: Desk, symbol: Symbol, path: Path | None) -> str:
    places = [o for o in desk.references_so_far(symbol) if not o.declares]
    files = {o.span.file.path.name for o in places}
    if not places:
        return "used nowhere"
    shown = ", ".join(sorted(files)[:6])
    more = f" and {len(files) - 6} more files" if len(files) > 6 else ""
    often = {1: "once", 2: "twice"}.get(len(places), f"{len(places)} times")
    return f"used {often} in {shown}{more}"


def _values(ctx: Context, source: GameSource, symbol: Symbol) -> Iterator[str]:
    """What a thing or a setting is when the default scenario begins."""
    world = ctx.world
    scenario = source.scenarios.get(source.game.scenario or "")
    if symbol.kind == "setting" and symbol.name in ctx.settings:
        setting = ctx.settings[symbol.name]
        own = {
            name: one.options[symbol.name]
            for name, one in source.scenarios.items()
            if symbol.name in one.options
        }
        told = "; ".join(f"{name}: {value}" for name, value in own.items())
        default = setting.alternatives[int(setting.default)] if setting.alternatives else setting.default
        yield f"default {default}" + (f" ({told})" if told else "")
        yield setting.reason
    elif symbol.kind == "track" and symbol.name in world.tracks:
        track = world.tracks[symbol.name]
        given = [
            s.value
            for s in (scenario.settings if scenario else ())
            if (s.of, s.attribute) == ("game", track.name)
        ]
        yield f"begins at {given[0] if given else world.show(track.type, track.start)}"
    elif symbol.kind == "thing":
        universe, _, identity = symbol.name.partition(":")
        number = world.universes[universe].index.get(identity)
        if number is not None:
            cls = world.universes[universe].class_of(number)
            lines = [
                f"- {name}: {_shown(world.show, attribute.type, attribute.values[number])}"
                for (of, name), attribute in world.attributes.items()
                if of == universe and attribute.printed and attribute.belongs_to(cls)
                and not attribute.built_in
            ]  # fmt: skip
            yield "\n".join(lines[:16])
            begun = [
                f"- {s.attribute}: {s.value} (scenario {scenario.id})"
                for s in (scenario.settings if scenario else ())
                if s.of == identity and scenario
            ]
            yield "\n".join(begun[:8])
            where = [
                space for space, pieces in (scenario.setup.items() if scenario else ()) if identity in pieces
            ]
            yield f"begins in {where[0]} (scenario {scenario.id})" if where and scenario else ""

    elif symbol.kind in ("attribute", "value"):
        yield from _spread(ctx, symbol)
    elif symbol.kind == "table" and symbol.name in ctx.tables:
        table = ctx.tables[symbol.name]
        lines = [line for line in table.span.file.lines if line.strip() and not line.startswith("#")]
        more = [f"# … {len(lines) - _MOST_LINES} more lines"] if len(lines) > _MOST_LINES else []
        yield "\n".join(["```yaml", *lines[:_MOST_LINES], *more, "```"])


def _spread(ctx: Context, symbol: Symbol) -> Iterator[str]:
    """Which values things have when they are as printed: of an attribute, and who has one of its values."""
    world = ctx.world
    of, _, word = symbol.name.partition(".")
    for (universe, name), attribute in world.attributes.items():
        own = symbol.kind == "attribute" and (universe, name) == (of, word)
        has = symbol.kind == "value" and attribute.type.kind == "enum" and attribute.type.name == of
        if not attribute.printed or not (own or has):
            continue
        things = world.universes[universe]
        shown: dict[str, list[str]] = {}
        for number, value in enumerate(attribute.values):
            if attribute.belongs_to(things.class_of(number)):
                shown.setdefault(_shown(world.show, attribute.type, value), []).append(things.names[number])
        if own and attribute.type.kind == "number" and len(shown) > _MOST_LISTED:
            numbers = sorted(int(text) for text in shown if text.lstrip("-").isdecimal())
            yield f"printed: from {numbers[0]} to {numbers[-1]}" if numbers else ""
        elif own:
            usual = sorted(shown, key=lambda text: -len(shown[text]))[:_MOST_LISTED]
            yield "printed: " + ", ".join(f"{text} ({len(shown[text])})" for text in usual)
        elif holders := shown.get(word):
            more = f" and {len(holders) - _MOST_LISTED} more" if len(holders) > _MOST_LISTED else ""
            yield f"{name} of {', '.join(holders[:_MOST_LISTED])}{more}"


def _shown(show: object, type_: object, value: object) -> str:
    assert callable(show)
    if isinstance(value, tuple):
        return " / ".join(str(show(type_, one)) for one in value)
    return str(show(type_, value))


def definition(desk: Desk, path: Path, line: int, column: int) -> list[Occurrence]:
    """Where the word at a place comes from."""
    found = desk.at(path, line, column)
    if found is None:
        return []
    declared_at = [o for o in desk.references_so_far(found.symbol) if o.declares]
    return declared_at or [o for o in desk.references(found.symbol) if o.declares]
