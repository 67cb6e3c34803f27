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
from rulesdsl.editing.housecompleting import amended, headings, labels
from rulesdsl.editing.locating import AMENDING, Spot, spot
from rulesdsl.editing.proposals import Proposal, narrowed
from rulesdsl.editing.unfinished import HERE, read_unfinished
from rulesdsl.editing.yamlcompleting import yaml_proposals
from rulesdsl.language import syntax as sx
from rulesdsl.language.syntax import amendments as ax
from rulesdsl.program.builtins import BUILTINS
from rulesdsl.program.types import NUMBER, Type, fits

_NUMBERS = re.compile(r"\b(?:despite|by)\s+(?:[\w.\- ]+,\s*)*[\w.\-]*$")
_PLAIN_TYPES = ("number", "flag", "text", "none")
_SHOWN = 100  # ids where nothing is typed and any type will do
_MANY = ("value", "thing")  # of these there are many: only those that fit


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
    return narrowed(_in_block(desk, ctx, path, here), here.word)


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
        if number.startswith(typed) and number != here.paragraph
    ]


def _in_block(desk: Desk, ctx: Context, path: Path, here: Spot) -> Iterator[Proposal]:
    first = here.before.split()[:1]
    start = "example" if here.block == "example" else "chunk"
    if desk.is_house(path) and here.block == "rules":
        if not here.before.strip():
            yield from (Proposal(word, "keyword") for word in AMENDING)
        elif first[0] in AMENDING:
            start = "amendment"
    unfinished = read_unfinished(here.before, SourceFile(path, desk.text(path)), here.first, start)
    yield from _keywords(unfinished.accepted)
    node = unfinished.node
    if isinstance(node, ax.Amend):
        yield from amended(ctx, node, here)
    elif isinstance(node, sx.Node):
        yield from _types(ctx, node)
        for probed in probe(ctx, here.paragraph, node):
            yield from _candidates(ctx, probed, here.word.casefold())


def probe(ctx: Context, paragraph: str, node: sx.Node) -> list[Probed]:
    """What the checker would have taken in the place of the made-up name."""
    asked = replace(
        ctx, problems=[], missed=set(), used=set(), done={}, memory=None, probe=HERE, probed=[], resolving=[],
        unread=frozenset(), defines=dict(ctx.defines), quantities=dict(ctx.quantities),
        actions=dict(ctx.actions), routes=dict(ctx.routes), procedures=dict(ctx.procedures),
        settings=dict(ctx.settings), resolved=dict(ctx.resolved), params=dict(ctx.params), rule=paragraph,
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


def _nouns(ctx: Context) -> Iterator[Proposal]:
    for noun, (universe, _) in ctx.world.nouns.items():
        yield Proposal(noun, "noun", f"set of {universe}s" if noun in ctx.world.plurals else universe)
    yield from (Proposal(name, "enum", ", ".join(enum.values)) for name, enum in ctx.world.enums.items())


def _candidates(ctx: Context, probed: Probed, typed: str) -> Iterator[Proposal]:
    ids = _ids(ctx, probed, typed)
    describing = "is never called" in probed.what
    for word in dict.fromkeys(probed.known):
        shown = ids.get(word, typed in word.casefold())
        if not shown:
            continue
        kind, type_, detail = meaning(ctx, probed, word)
        if describing:
            yield from _description(ctx, probed, Proposal(word, kind, detail), type_)
            continue
        suits = probed.wanted is None or type_ is None or fits(type_, probed.wanted)
        if kind in _MANY and not suits:
            continue
        rank = (0 if suits and type_ is not None else 1) if suits else 2
        yield Proposal(word, kind, detail, rank=rank - (kind == "variable"))


def _ids(ctx: Context, probed: Probed, typed: str) -> dict[str, bool]:
    """Whether the id of a thing is worth showing: maps have thousands of them."""
    found: dict[str, bool] = {}
    wanted = probed.wanted
    for name, universe in ctx.world.universes.items():
        fitting = wanted is None or wanted.kind == "unknown" or wanted.name == name
        if wanted is None and not typed and len(universe) > _SHOWN:
            fitting = False
        for word, index in universe.index.items():
            found[word] = fitting and (typed in word.casefold() or typed in universe.names[index].casefold())
    return found


def _description(ctx: Context, probed: Probed, one: Proposal, type_: Type | None) -> Iterator[Proposal]:
    """A word after `is`: of defines those that can be said of this, flags and values before other things."""
    subject = probed.wanted
    assert subject is not None
    if one.kind == "define":
        params = ctx.resolved[one.word].params
        if len(params) == 1 and fits(subject, params[0].type):
            yield replace(one, rank=0)
    elif one.kind in ("attribute", "value"):
        yield replace(one, rank=0)
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
