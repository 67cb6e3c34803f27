"""Questions of authors on the command line: what can be said of this, where is that."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulesdsl.base.diagnostics import UsageError, did_you_mean
from rulesdsl.base.lightclass import dataclass
from rulesdsl.book.loader import GameSource
from rulesdsl.checking.context import Context, Scope
from rulesdsl.checking.names.names import known_words
from rulesdsl.editing.completing import meaning
from rulesdsl.editing.desk import Desk
from rulesdsl.language.syntax.documents import Paragraph
from rulesdsl.program.types import Type, fits, thing

_MOST_AKIN = 8  # names that are offered instead of one that is not there


@dataclass(frozen=True, slots=True)
class Said:
    """One thing that can be said, and what it is."""

    kind: str
    text: str
    about: str = ""


def words_for(ctx: Context, name: str) -> list[Said]:
    """What can be said of a class, a thing, a quantity, a table, an enumeration or any other name."""
    world = ctx.world
    if "." in name and name.split(".")[0] in world.nouns:
        of, part = name.split(".", 1)
        attribute = world.attributes.get((world.nouns[of][0], part))
        if attribute is not None:
            return [
                Said("attribute", f"{of}.{part}", str(attribute.type)),
                *_of_type(ctx, attribute.type, f"{of}.{part}"),
            ]
    if name in world.nouns:
        return _of_type(ctx, thing(*world.nouns[name]), name)
    if name in world.enums:
        enum = world.enums[name]
        return [Said("value", value, name) for value in enum.values]
    if name in ctx.tables:
        table = ctx.tables[name]
        keys = ", ".join(key.name for key in table.keys)
        found = [Said("lookup", f"table {name}[{keys}]", table.title)]
        found += [Said("key", key.name, key.of or key.kind) for key in table.keys]
        found += [
            Said("field", f"table {name}[…].{part.name}", part.of or part.kind)
            for part in table.result.fields
        ]
        return [*found, Said("house rule", f"set table {name}[{keys}] = …")]
    if name in ctx.quantities:
        return list(_of_quantity(ctx, name))
    for record in world.records.values():
        if name == record.name:
            found = [Said("field", f"{name}.{part}", str(type_)) for part, type_ in record.fields.items()]
            return found + [Said("quantity", q) for q in ctx.quantities if q.startswith(f"{name}.")]
    kind, type_, about = meaning(ctx, None, name)
    if kind == "keyword" or (kind == "builtin" and name not in known_words(ctx, Scope())):
        known = [*known_words(ctx, Scope()), *ctx.tables, *ctx.quantities]
        akin = sorted({word for word in known if name in word.replace(".", "_").split("_")})
        hint = (
            f"with it in their names: {', '.join(akin[:_MOST_AKIN])}" if akin else did_you_mean(name, known)
        )
        raise UsageError(f'nothing is called "{name}" ({hint or "see rulesdsl find"})')
    return [Said(kind, name, about), *(_of_type(ctx, type_, name) if type_ is not None else ())]


def _of_type(ctx: Context, type_: Type, name: str) -> list[Said]:
    """What can be asked and said of something of a type."""
    world = ctx.world
    found: list[Said] = []
    if type_.kind == "enum" and type_.name in world.enums:
        return [
            Said("condition", f"{name} is {value}", type_.name) for value in world.enums[type_.name].values
        ]
    if type_.kind not in ("thing", "set"):
        return found
    for (universe, part), attribute in world.attributes.items():
        if universe == type_.name and attribute.belongs_to(type_.of):
            found.append(Said("attribute", f"{name}.{part}", str(attribute.type)))
            if attribute.type.kind == "flag":
                found.append(Said("condition", f"{name} is {part}", attribute.wording))
            elif attribute.type.kind == "enum" and attribute.type.name in world.enums:
                values = world.enums[attribute.type.name].values
                found.append(
                    Said("condition", f"{name} is {values[0]}", f"or {', '.join(values[1:6])} ({part})")
                )
    for word, define in ctx.resolved.items():
        if len(define.params) == 1 and fits(type_, define.params[0].type):
            shown = f"{name} is {word}" if define.type.kind == "flag" else f"{word}({name})"
            found.append(
                Said(
                    "condition" if define.type.kind == "flag" else "value", shown, define.source.wording or ""
                )
            )
        elif len(define.params) == 2 and fits(type_, define.params[0].type) and define.type.kind == "flag":
            found.append(Said("relation", f"{name} is {word} to {define.params[1].name}"))
    for kind, table in (("quantity", ctx.quantities), ("action", ctx.actions), ("route", ctx.routes)):
        for word in table:
            params = ctx.params.get(word, ())
            if any(fits(type_, var.type) for var in params):
                given = ", ".join(var.name for var in params)
                found.append(Said(kind, f"{word}({given})", str(table[word][0])))
    return sorted(set(found), key=lambda said: (said.kind, said.text))


def _of_quantity(ctx: Context, name: str) -> Iterator[Said]:
    """What a line that modifies a quantity may ask."""
    yield Said("statement", f"modify {name}", '    +1 when … "why"')
    record = name.split(".")[0] if "." in name else ""
    for var in ctx.params.get(name, ()):
        yield Said("variable", var.name, str(var.type))
        yield from _of_type(ctx, var.type, var.name)
    if record in ctx.world.records:
        for part, type_ in ctx.world.records[record].fields.items():
            yield Said("field", part, str(type_))
            if type_.kind == "thing":
                yield from _of_type(ctx, type_, part)


@dataclass(frozen=True, slots=True)
class Found:
    """A place where something stands."""

    kind: str
    file: str
    line: int
    text: str
    paragraph: str = ""


def find_text(desk: Desk, source: GameSource, words: str) -> Iterator[Found]:
    """Names first, then titles, prose and rules, then data: whatever holds all of the words."""
    wanted = words.casefold().split()
    seen: set[tuple[str, int]] = set()
    for one in desk.everywhere(house=False):
        place = (one.span.file.shown, one.span.line)
        if one.declares and place not in seen and all(w in one.symbol.word.casefold() for w in wanted):
            seen.add(place)
            yield Found(one.symbol.kind, *place, one.span.file.line(one.span.line).strip())
    for chapter in source.chapters:
        for paragraph in chapter.paragraphs:
            yield from _in_paragraph(paragraph, wanted, seen)
    for file in source.files:
        if file.path.suffix == ".yaml":
            for number, line in enumerate(file.lines, 1):
                if (file.shown, number) not in seen and all(w in line.casefold() for w in wanted):
                    yield Found("data", file.shown, number, line.strip()[:160])


def _in_paragraph(paragraph: Paragraph, wanted: list[str], seen: set[tuple[str, int]]) -> Iterator[Found]:
    file = paragraph.span.file
    if all(word in paragraph.title.casefold() for word in wanted):
        yield Found(
            "paragraph", file.shown, paragraph.span.line, f"{paragraph.id} {paragraph.title}", paragraph.id
        )
    last = max([paragraph.span.line + paragraph.prose.count("\n") + 2,
                *(fence.first_line + fence.text.count("\n") + 1 for fence in paragraph.fences
                  if fence.span.file.path == file.path)])  # fmt: skip
    inside = False
    for number in range(paragraph.span.line + 1, min(last, len(file.lines)) + 1):
        line = file.line(number)
        if line.startswith("```"):
            inside = not inside
        elif (file.shown, number) not in seen and all(word in line.casefold() for word in wanted):
            seen.add((file.shown, number))
            yield Found(
                "rule" if inside else "prose",
                file.shown,
                number,
                re.sub(r"\s+", " ", line).strip(),
                paragraph.id,
            )
