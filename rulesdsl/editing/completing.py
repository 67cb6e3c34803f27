"""What can be written here: names of the type wanted, words of the language, numbers, ids with names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from rulesdsl.base.source import SourceFile
from rulesdsl.checking.bodies.examples import resolve_example
from rulesdsl.checking.checker import resolve_statement
from rulesdsl.checking.context import Context, Probed
from rulesdsl.editing.desk import Desk
from rulesdsl.editing.housecompleting import amended, attributes, headings, labels, values
from rulesdsl.editing.locating import AMENDING, Spot, spot
from rulesdsl.editing.proposals import MOST, Proposal, narrowed
from rulesdsl.editing.unfinished import HERE, read_unfinished
from rulesdsl.editing.wanting import Wanted, wanted_in
from rulesdsl.editing.yamlcompleting import yaml_proposals
from rulesdsl.house.resolving.statements import labelled
from rulesdsl.language import syntax as sx
from rulesdsl.language.syntax import amendments as ax
from rulesdsl.program.builtins import BUILTINS
from rulesdsl.program.types import NUMBER, Type, fits

_NUMBERS = re.compile(r"\b(?:despite|by)\s+(?:[\w.\- ]+,\s*)*[\w.\-]*$")
_NUMBERED = re.compile(r"\b([a-z]\w*)\s+(\d*)$")
_PLAIN_TYPES = ("number", "flag", "text", "none")
_MANY = ("value", "thing")  # of these there are many: only those that fit
_FEW, _LATE = 12, 4  # the rank of ids where any type will do
_CHANGED = ("variable", "track", "thing", "field", "record")


def completions(desk: Desk, path: Path, line: int, column: int) -> list[Proposal]:
    """Everything that may stand at a place, the likeliest first."""
    text = desk.text(path)
    source, ctx, _ = desk.view(path)
    if path.suffix == ".yaml":
        return yaml_proposals(desk, ctx, path, line, column)
    here = spot(text, line, column)
    if not here.block:
        return headings(desk, source, here) if desk.is_house(path) else []
    if here.line.count('"') % 2:
        return labels(source, here) if desk.is_house(path) else []
    if _NUMBERS.search(here.line):
        typed = re.search(r"[\w.\-]*$", here.line)
        return paragraphs(ctx, here, typed[0] if typed else "")
    if scenario := re.search(r"\bgiven scenario\s+(\w*)$", here.line):
        known = source.scenarios.items()
        return [
            Proposal(n, "scenario", s.title or "", typed=scenario[1]) for n, s in known if scenario[1] in n
        ]
    if numbered := _NUMBERED.search(here.line):
        found = _numbers(ctx, numbered[1], numbered[2])
        if found or numbered[2]:
            return found
    return narrowed(_in_block(desk, ctx, path, here), here.word)


def _numbers(ctx: Context, noun: str, typed: str) -> list[Proposal]:
    """`hex 4620`: things of a class that are called by numbers."""
    if noun not in ctx.world.nouns or noun in ctx.world.plurals:
        return []
    universe, cls = ctx.world.nouns[noun]
    things = ctx.world.universes[universe]
    found = [
        Proposal(identity, "thing", name, typed=typed)
        for identity, name, own in zip(things.ids, things.names, things.classes, strict=True)
        if identity.isdigit() and (not cls or own == cls) and (identity.startswith(typed) or typed in name)
    ]
    return found[:MOST]


def paragraphs(ctx: Context, here: Spot, typed: str = "") -> list[Proposal]:
    """Numbers with their titles; those that say something about the same thing first."""
    subject = re.match(r"\s*(?:forbid|allow|stop|modify)\s+([\w., ]+)", here.before.lstrip("\n"))
    names = {*re.findall(r"\w+", subject[1])} if subject else set()
    near: set[str] = set()
    for name in names:
        for table in (ctx.actions, ctx.routes, ctx.quantities):
            near |= {table[name][0]} if name in table else set()
    return [
        Proposal(number, "paragraph", title, rank=0 if number in near else 1, typed=typed)
        for number, title in ctx.titles.items()
        if number.startswith(typed) and (number != here.paragraph or here.block == "example")
    ]


def _in_block(desk: Desk, ctx: Context, path: Path, here: Spot) -> Iterator[Proposal]:
    first = here.before.split()[:1]
    start = "example" if here.block == "example" else "chunk"
    if desk.is_house(path) and here.block == "rules":
        if not here.before.strip():
            yield from (Proposal(word, "keyword") for word in AMENDING)
        elif first[0] in AMENDING:
            start = "amendment"
    unfinished = read_unfinished(
        here.before, SourceFile(path, desk.text(path)), here.first, start, here.behind
    )
    yield from _keywords(unfinished.accepted)
    node = unfinished.node
    if isinstance(node, ax.Replace):
        node = _replaced(desk, path, here, node)
    if isinstance(node, ax.Amend):
        yield from amended(ctx, node, here)
    elif isinstance(node, sx.Node):
        yield from _types(ctx, node)
        wanted = wanted_in(ctx, node)
        yield from (Proposal(name, "field", "parameter", rank=0, insert=f"{name}: ") for name in wanted.names)
        probes = probe(ctx, here.paragraph, node)
        for probed in probes:
            yield from _candidates(ctx, probed, here.word.casefold(), wanted)
        if wanted.type is not None and (not probes or wanted.type.kind in ("flag", "enum")):
            yield from values(ctx, wanted.type)


def _replaced(desk: Desk, path: Path, here: Spot, node: ax.Replace) -> sx.Node | None:
    """`replace "woods": -2 when …`: the line as part of the statement that it changes."""
    if isinstance(node.line, sx.Rule):
        return node.line
    source = desk.view(path)[0]
    for chapter in (source.base or source).chapters:
        for paragraph in chapter.paragraphs:
            for rule in paragraph.rules if paragraph.id == here.paragraph else ():
                if isinstance(rule, sx.Quantity | sx.Modify) and node.label in dict(labelled(rule)):
                    return sx.Modify(rule.record, rule.name, rule.params, (node.line,), span=node.span)
    return None


def probe(ctx: Context, paragraph: str, node: sx.Node) -> list[Probed]:
    """What the checker would have taken in the place of the made-up name."""
    asked = replace(
        ctx, problems=[], missed=set(), used=set(), done={}, memory=None, probe=HERE, probed=[], resolving=[],
        unread=frozenset(), defines=dict(ctx.defines), quantities=dict(ctx.quantities),
        actions=dict(ctx.actions), routes=dict(ctx.routes), procedures=dict(ctx.procedures),
        settings=dict(ctx.settings), resolved=dict(ctx.resolved), params=dict(ctx.params),
        paragraph=paragraph,
    )  # fmt: skip
    try:
        if isinstance(node, sx.Example):
            resolve_example(asked, paragraph, 1, node, ())
        elif isinstance(node, sx.Rule):
            resolve_statement(asked, paragraph, node)
    except (KeyError, AssertionError):  # an unfinished statement need not make sense
        pass
    return asked.probed[:3]


def _keywords(accepted: Iterable[str]) -> Iterator[Proposal]:
    from rulesdsl.language.parsing.grammar import spellings  # only here: the tables take a tenth of a second

    known = spellings()
    for name in accepted:
        for spelt in known.get(name, ())[:1]:
            if spelt[0].isalpha():
                yield Proposal(spelt, "keyword", rank=3)


def _types(ctx: Context, node: sx.Node) -> Iterator[Proposal]:
    for part in sx.walk(node):
        if isinstance(part, sx.Type) and HERE in part.parts:
            yield from (Proposal(word, "keyword", "type") for word in _PLAIN_TYPES)
            yield from _nouns(ctx)
        elif isinstance(part, sx.Param) and part.name == HERE:
            yield from _nouns(ctx)
        elif isinstance(part, sx.Permission) and part.via_name == HERE:
            yield from _nouns(ctx, "border" if part.via == "across" else "space")
        elif isinstance(part, sx.Event) and HERE in (part.subject, part.object):
            universe = ctx.world.nouns.get(part.subject, ("", ""))[0]
            if part.kind == "changes" and universe:
                yield from attributes(ctx, universe)
            else:
                yield from _nouns(ctx)


def _nouns(ctx: Context, only: str = "") -> Iterator[Proposal]:
    for noun, (universe, _) in ctx.world.nouns.items():
        if only and (universe != only or noun in ctx.world.plurals):
            continue
        yield Proposal(noun, "noun", f"set of {universe}s" if noun in ctx.world.plurals else universe)
    for name, enum in ctx.world.enums.items() if not only else ():
        yield Proposal(name, "enum", ", ".join(enum.values))


def _candidates(ctx: Context, probed: Probed, typed: str, asked: Wanted) -> Iterator[Proposal]:
    wanted = probed.wanted or asked.type
    ids = _ids(ctx, wanted, typed)
    describing = "is never called" in probed.what
    phrase = probed.what == "no kind of thing is called"
    known = [*probed.known, *(_adjectives(ctx) if phrase else _alike(ctx, wanted) if describing else ())]
    for word in dict.fromkeys(known):
        shown = ids.get(word, typed in word.casefold())
        if not shown:
            continue
        kind, type_, detail = meaning(ctx, replace(probed, wanted=wanted), word)
        if describing:
            yield from _description(ctx, probed, Proposal(word, kind, detail), type_)
        elif phrase:
            yield Proposal(word, kind, detail, rank=0 if kind in ("noun", "variable") else 1)
        elif asked.changed:
            if kind in _CHANGED:
                yield Proposal(word, kind, detail, rank=_late(ctx, type_) if kind == "thing" else 0)
        elif asked.several:
            if kind not in _MANY:
                yield Proposal(word, kind, detail, rank=0 if _is_set(type_) else 2)
        else:
            yield from _fitting(ctx, wanted, Proposal(word, kind, detail), type_)
    if asked.changed:
        yield from (Proposal(name, "record", "record", rank=1) for name in ctx.world.records)


def _fitting(ctx: Context, wanted: Type | None, one: Proposal, type_: Type | None) -> Iterator[Proposal]:
    """A word by how well it fits: of those of which there are many, only what can stand there."""
    if wanted is None:
        yield replace(
            one, rank=_late(ctx, type_) if one.kind == "thing" else 0 if one.kind == "variable" else 1
        )
    elif type_ is not None and (fits(type_, wanted) or fits(type_, wanted.member)):
        yield replace(one, rank=-1 if one.kind == "variable" else 0)
    elif wanted.kind in ("flag", "number"):  # what is asked about a thing begins with it
        if one.kind != "value":
            yield replace(
                one, rank=_late(ctx, type_) if one.kind == "thing" else 0 if one.kind == "variable" else 2
            )
    elif wanted.kind == "set" and one.kind == "noun":
        yield replace(one, rank=1)
    elif one.kind in ("variable", "define", "field", "track", "route", "quantity", "builtin", "keyword"):
        yield replace(one, rank=2)  # something of it may fit


def _late(ctx: Context, type_: Type | None) -> int:
    """The rank of an id where any type will do: players before counters and hexes."""
    few = type_ is not None and len(ctx.world.universes[type_.name]) <= _FEW
    return _LATE - 1 if few else _LATE


def _is_set(type_: Type | None) -> bool:
    return type_ is not None and type_.kind == "set"


def _adjectives(ctx: Context) -> Iterator[str]:
    """What may stand before a noun: values of attributes, flags, what is defined of one thing."""
    for (_, name), attribute in ctx.world.attributes.items():
        if attribute.type.kind == "enum":
            yield from ctx.world.enums[attribute.type.name].values
        elif attribute.type.kind == "flag":
            yield name
    for name, define in ctx.resolved.items():
        if len(define.params) == 1 and define.type.kind == "flag":
            yield name


def _alike(ctx: Context, subject: Type | None) -> Iterator[str]:
    """What has the same type and can be compared with it: `holder is active`."""
    if subject is None:
        return
    for name, track in ctx.world.tracks.items():
        if fits(track.type, subject) or fits(track.type.member, subject):
            yield name
    for record in ctx.world.records.values():
        yield from (name for name, type_ in record.fields.items() if fits(type_, subject))
    for name, define in ctx.resolved.items():
        if (fits(define.type, subject) and not define.params) or len(define.params) == 2:
            yield name


def _ids(ctx: Context, wanted: Type | None, typed: str) -> dict[str, bool]:
    """Whether the id of a thing is worth showing: maps have thousands of them."""
    found: dict[str, bool] = {}
    for name, universe in ctx.world.universes.items():
        fitting = wanted is None or wanted.kind in ("unknown", "flag", "number") or wanted.name == name
        for word, index in universe.index.items():
            found[word] = fitting and (typed in word.casefold() or typed in universe.names[index].casefold())
    return found


def _description(ctx: Context, probed: Probed, one: Proposal, type_: Type | None) -> Iterator[Proposal]:
    """A word after `is`: of defines those that can be said of this, flags and values before other things."""
    subject = probed.wanted
    assert subject is not None
    if one.kind == "define":
        define = ctx.resolved[one.word]
        first = define.params[0].type if define.params else None
        if first is not None and len(define.params) <= 2 and fits(subject, first):
            yield replace(one, rank=0 if len(define.params) == 1 else 1)  # `is near to …`
        elif first is None and fits(define.type, subject):
            yield replace(one, rank=1)
    elif one.kind in ("attribute", "value"):
        yield replace(one, rank=0)
    elif one.kind == "variable":  # or something of it: `is unit.owner`
        yield replace(one, rank=1)
    elif one.kind == "thing" or type_ is None or fits(type_, subject) or fits(subject, type_.member):
        yield replace(one, rank=2 if one.kind == "thing" else 1)


def meaning(ctx: Context, probed: Probed | None, word: str) -> tuple[str, Type | None, str]:
    """The kind of a word, its type where one is known, and a line about it."""
    world = ctx.world
    var = probed.scope.find(word) if probed is not None and probed.scope is not None else None
    if var is not None:
        return "variable", var.type, str(var.type)
    wanted = probed.wanted if probed is not None else None
    if wanted is not None and wanted.kind == "enum" and word in world.enums[wanted.name].values:
        return "value", wanted, wanted.name
    if word in world.tracks:
        return "track", world.tracks[word].type, str(world.tracks[word].type)
    for record in world.records.values():
        if word in record.fields:
            return "field", record.fields[word], f"{record.name}: {record.fields[word]}"
    if word in ctx.settings:
        setting = ctx.settings[word]
        return "setting", setting.type, f"{setting.kind}: {setting.reason}"
    for name, universe in world.universes.items():
        if word in universe.index:
            index = universe.index[word]
            return "thing", Type("thing", name, universe.class_of(index)), universe.names[index]
    if word in ctx.resolved:
        define = ctx.resolved[word]
        params = ", ".join(p.name for p in define.params)
        return "define", define.type, f"({params}): {define.type}" if params else str(define.type)
    if word in ctx.quantities:
        return "quantity", NUMBER, "quantity"
    for kind, table in (("action", ctx.actions), ("route", ctx.routes), ("procedure", ctx.procedures),
                        ("window", ctx.windows), ("token", ctx.tokens)):  # fmt: skip
        if word in table:
            return kind, None, kind
    if word in world.nouns:
        return "noun", None, world.nouns[word][0]
    attributes = [a for (_, name), a in world.attributes.items() if name == word]
    if attributes:
        return "attribute", attributes[0].type, str(attributes[0].type)
    enums = [e.name for e in world.enums.values() if word in e.values]
    if enums:
        return "value", Type("enum", enums[0]), ", ".join(enums)
    if word in ctx.tables:
        return "table", None, ctx.tables[word].title
    return ("builtin", None, BUILTINS[word].doc) if word in BUILTINS else ("keyword", None, "")
