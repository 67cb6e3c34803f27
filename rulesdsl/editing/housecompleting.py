"""What can be written in a house rule besides rules: sections, what is set, labels of lines."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulesdsl.book.loader import GameSource
from rulesdsl.checking.context import Context
from rulesdsl.editing.desk import Desk
from rulesdsl.editing.locating import Spot
from rulesdsl.editing.proposals import Proposal
from rulesdsl.editing.unfinished import HERE
from rulesdsl.house.reading.documents import VERBS
from rulesdsl.house.resolving.statements import labelled
from rulesdsl.language import syntax as sx
from rulesdsl.language.syntax import amendments as ax
from rulesdsl.program.types import Type


def headings(desk: Desk, source: GameSource, here: Spot) -> list[Proposal]:
    """`## amends 7.2.2`: verbs, then numbers with their titles; `requires:` names house rules."""
    if found := re.match(r"##\s+(\w*)$", here.line):
        return [Proposal(verb, "keyword", typed=found[1]) for verb in VERBS if verb.startswith(found[1])]
    if found := re.match(r"##\s+(?:amends|replaces|repeals|after)\s+(.*)$", here.line):
        numbers = {p.id: p.title for c in (source.base or source).chapters for p in c.paragraphs}
        return [
            Proposal(number, "paragraph", title, typed=found[1])
            for number, title in numbers.items()
            if number.startswith(found[1])
        ]
    if re.match(r"(?:requires|conflicts):", here.line):
        return [Proposal(path.stem, "house") for path in desk.house_files()]
    return []


def labels(source: GameSource, here: Spot) -> list[Proposal]:
    """`replace "…"`: the labels of the lines of the paragraph that is amended."""
    found = re.search(r'\b(?:replace|repeal)\s+"([^"]*)$', here.line)
    if found is None:
        return []
    printed = source.base or source
    lines = [
        label
        for chapter in printed.chapters
        for paragraph in chapter.paragraphs
        if paragraph.id == here.paragraph
        for rule in paragraph.rules
        for label, _ in labelled(rule)
    ]
    return [Proposal(label, "label", typed=found[1]) for label in lines if label.startswith(found[1])]


def amended(ctx: Context, node: ax.Amend, here: Spot) -> Iterator[Proposal]:
    """The names a `set` or `repeal` could speak of."""
    world = ctx.world
    match node:
        case ax.SetSetting(kind=kind, name=name, value=value):
            if name == HERE:
                yield from (
                    Proposal(n, "setting", s.reason) for n, s in ctx.settings.items() if s.kind == kind
                )
            elif _is_here(value) and name in ctx.settings:
                yield from values(ctx, ctx.settings[name].type)
        case ax.SetCell(table=name, keys=keys, value=value):
            table = ctx.tables.get(name)
            if name == HERE:
                yield from (Proposal(n, "table", t.title) for n, t in ctx.tables.items())
            elif table is not None:
                for key, written in zip(table.keys, keys, strict=False):
                    if written.text == HERE:
                        shown = {one.text for labels_ in table.label_sets(key.axis) for one in labels_}
                        yield from (Proposal(text, "label", key.name, rank=0) for text in sorted(shown))
                if _is_here(value) and table.result.of in world.enums:
                    yield from values(ctx, Type("enum", table.result.of))
        case ax.SetValue(thing=thing, attribute=attribute, values=given):
            if thing == HERE:
                yield from (
                    Proposal(word, "keyword", rank=0)
                    for word in ("table", "border", "parameter", "reading", "option")
                )
                for universe in ("piece", "space", "player"):
                    things = world.universes[universe]
                    yield from (
                        Proposal(i, "thing", n) for i, n in zip(things.ids, things.names, strict=True)
                    )
                return
            universe = next((u for u, all_of in world.universes.items() if thing in all_of.index), "")
            if attribute == HERE:
                yield from attributes(ctx, universe, thing)
            elif any(_is_here(value) for value in given) and (universe, attribute) in world.attributes:
                yield from values(ctx, world.attributes[universe, attribute].type)
        case ax.Repeal(labelled=False):
            tables = (
                ctx.defines,
                ctx.quantities,
                ctx.actions,
                ctx.routes,
                ctx.procedures,
                ctx.windows,
                ctx.tokens,
            )
            for known in tables:
                for name, (paragraph, _) in known.items():
                    yield Proposal(name, "define", paragraph, rank=0 if paragraph == here.paragraph else 2)
        case _:
            pass  # has nothing to propose


def attributes(ctx: Context, universe: str, thing: str = "") -> Iterator[Proposal]:
    """What things of a universe have; of one thing, what its class has."""
    cls = ""
    if thing and universe:
        things = ctx.world.universes[universe]
        cls = things.class_of(things.index[thing])
    for (of, name), attribute in ctx.world.attributes.items():
        if of == universe and attribute.belongs_to(cls) and not attribute.built_in:
            yield Proposal(name, "attribute", str(attribute.type), rank=0)


def values(ctx: Context, type_: Type) -> Iterator[Proposal]:
    """The words a value of a type can be."""
    if type_.kind == "flag":
        yield from (Proposal(word, "value", "flag", rank=0) for word in ("true", "false"))
    elif type_.kind == "enum" and type_.name in ctx.world.enums:
        yield from (Proposal(w, "value", type_.name, rank=0) for w in ctx.world.enums[type_.name].values)
    elif type_.kind in ("thing", "set") and type_.name in ctx.world.universes:
        things = ctx.world.universes[type_.name]
        for identity, name, cls in zip(things.ids, things.names, things.classes, strict=True):
            if not type_.of or type_.of == cls:
                yield Proposal(identity, "thing", name, rank=0)


def _is_here(value: object) -> bool:
    return isinstance(value, sx.Name) and value.id == HERE
