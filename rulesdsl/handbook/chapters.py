"""The chapters: every paragraph under its printed number, with its rules as sentences and its relations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from rulesdsl import syntax as sx
from rulesdsl.handbook.blocks import Block, Box, Code, Fold, Item, Items, Page, Paragraph, Prose, Text
from rulesdsl.handbook.book import Book
from rulesdsl.handbook.english import in_words, listed
from rulesdsl.handbook.examples import example_box
from rulesdsl.handbook.inline import capital, code, link, said, strong
from rulesdsl.handbook.say_rules import say_rule
from rulesdsl.printing.printer import print_rule


def chapter_pages(book: Book) -> list[Page]:
    """One page for each chapter, in the order of the files."""
    return [
        Page(_page_name(book, chapter), chapter_title(chapter), "Rules", tuple(_chapter(book, chapter)))
        for chapter in book.source.chapters
        if chapter.paragraphs or chapter.preface
    ]


def chapter_title(chapter: sx.Chapter) -> str:
    """The title of the file, or that of its first paragraph."""
    if chapter.title:
        return chapter.title
    first = chapter.paragraphs[0]
    if first.id[:1].isdigit():
        return f"{first.id} {first.title}".strip()
    return capital(re.sub(r"^\d+[_-]", "", chapter.file.path.stem).replace("_", " "))


def _page_name(book: Book, chapter: sx.Chapter) -> str:
    module = book.source.module_of(chapter.file)
    of_module = f"{module.name.replace('/', '-')}-" if module is not None else ""
    return f"rules-{of_module}{chapter.file.path.stem}".replace("_", "-")


def _chapter(book: Book, chapter: sx.Chapter) -> Iterator[Block]:
    if chapter.preface.strip():
        yield Prose(book.references.marked(chapter.preface))
    for number, paragraph in enumerate(chapter.paragraphs):
        made = paragraph_block(book, paragraph)
        # A chapter that is itself a numbered paragraph needs no second heading above it.
        heads = not number and not chapter.preface.strip() and _is_title(chapter, paragraph)
        yield replace(made, level=1) if heads else made


def _is_title(chapter: sx.Chapter, paragraph: sx.Paragraph) -> bool:
    return chapter_title(chapter) in (f"{paragraph.id} {paragraph.title}".strip(), paragraph.title)


def paragraph_block(book: Book, paragraph: sx.Paragraph) -> Paragraph:
    """One paragraph with everything that is known about it."""
    amended = book.relations.amended_by.get(paragraph.id, [])
    return Paragraph(
        paragraph.id, said(paragraph.title), max(2, paragraph.level), tuple(_inside(book, paragraph)),
        changed=", ".join(map(said, amended)), target=f"rule:{paragraph.id}",
    )  # fmt: skip


def _inside(book: Book, paragraph: sx.Paragraph) -> Iterator[Block]:
    """In the order in which it is written: words, rules where the first block of rules stands, examples."""
    told = False
    examples = iter(enumerate(paragraph.examples, 1))
    for part in _cut(paragraph.prose):
        if isinstance(part, str):
            for words, kind in _remarks(_without_readings(paragraph, part)):
                yield Prose(book.references.marked(words, paragraph.id), kind)
        elif paragraph.fences[part].kind == "rules" and not told:
            told = True
            yield from _rules(book, paragraph)
        elif paragraph.fences[part].kind == "example":
            yield from (example_box(book, paragraph.id, *found) for found in islice(examples, 1))
    if not told:
        yield from _rules(book, paragraph)
    yield from (example_box(book, paragraph.id, *found) for found in examples)
    if paragraph.data_file is not None:
        yield Text(f"The data: {code(paragraph.data_file)}; see {link('page:sources', 'sources')}.", "note")
    yield from _relations(book, paragraph.id)


def _rules(book: Book, paragraph: sx.Paragraph) -> Iterator[Block]:
    """Settings as boxes, everything else as sentences, the tables it reads, and the code a click away."""
    settings = (sx.Reading, sx.Option, sx.Parameter)
    for node in paragraph.rules:
        if isinstance(node, settings):
            yield setting_box(book, node, explanation(paragraph, node.name))
    rules = [node for node in paragraph.rules if not isinstance(node, settings)]
    if rules:
        yield Items(tuple(say_rule(book.speaker, node) for node in rules), kind="sentences")
    yield from _tables(book, paragraph)
    if paragraph.rules:
        text = "\n\n".join(print_rule(node) for node in paragraph.rules)
        yield Fold("The rules as the engine runs them", (Code(text),), "code")


def _cut(prose: str) -> Iterator[str | int]:
    """The prose without the places of its blocks."""
    words: list[str] = []
    for line in prose.split("\n"):
        if line.startswith("\x00"):
            yield "\n".join(words)
            words = []
            yield int(line[1:])
        else:
            words.append(line)
    yield "\n".join(words)


# What an author writes about a reading (`*Reading name: this or that; because …*`) stands in its box, what he
# writes about a paragraph that holds no rules (`*Informative: …*`) is a remark.
_READING = re.compile(r"\*Reading (?P<name>\w+): (?P<words>[^*]+?)\*")
_INFORMATIVE = re.compile(r"(\*Informative: [^*]+\*)")


def explanation(paragraph: sx.Paragraph, reading: str) -> str:
    found = [m["words"] for m in _READING.finditer(paragraph.prose) if m["name"] == reading]
    return " ".join(found[0].split()) if found else ""


def _without_readings(paragraph: sx.Paragraph, prose: str) -> str:
    declared = {node.name for node in paragraph.rules if isinstance(node, sx.Reading)}
    return _READING.sub(lambda m: "" if m["name"] in declared else m[0], prose)


def _remarks(prose: str) -> Iterator[tuple[str, str]]:
    """Parts of the prose, each with its kind."""
    for number, part in enumerate(_INFORMATIVE.split(prose)):
        if part.strip():
            yield part, "remark" if number % 2 else ""


def setting_box(book: Book, node: sx.Reading | sx.Option | sx.Parameter, explained: str = "") -> Box:
    """A reading with its alternatives, an option with its values, a parameter with its number."""
    say = book.speaker.say
    title = f"{capital(in_words(node.name))}"
    reason = (Text(capital(said(node.reason)) + ".", "note"),) if node.reason else ()
    match node:
        case sx.Reading():
            ways = [
                strong(f"{in_words(a)} (as read here)") if a == node.default else in_words(a)
                for a in node.alternatives
            ]
            if explained:
                words = book.references.marked(explained)
                for way in node.alternatives:
                    shown = strong(in_words(way)) if way == node.default else in_words(way)
                    words = re.sub(rf"(?<![\w\ue000-\ue00f]){way}(?!\w)", shown, words, count=1)
                text = Text(f"Can be read in more than one way: {words}")
                return Box(f"Reading: {title}", (text,), "reading", f"setting:{node.name}")
            text = Text(f"The paragraph can be read in more than one way: {listed(ways, 'or')}.")
            return Box(f"Reading: {title}", (text, *reason), "reading", f"setting:{node.name}")
        case sx.Option():
            text = Text(f"Players may agree on it; normally {strong(say(node.default))}.")
            return Box(f"Option: {title}", (text, *reason), "reading", f"setting:{node.name}")
        case _:
            text = Text(f"A number that house rules can change: {strong(say(node.value))}.")
            return Box(f"Parameter: {title}", (text, *reason), "reading", f"setting:{node.name}")


def _tables(book: Book, paragraph: sx.Paragraph) -> Iterator[Block]:
    """The tables this paragraph looks something up in, by a link; those it stands for, in full."""
    from rulesdsl.handbook.tables import table_grids

    asked = dict.fromkeys(
        n.table for rule in paragraph.rules for n in sx.walk(rule) if isinstance(n, sx.Lookup)
    )
    named = [name for name in book.program.tables if f"`{name}`" in paragraph.prose]
    data = [name for name in book.program.tables if paragraph.data_file == f"tables/{name}.yaml"]
    for name in dict.fromkeys((*asked, *named, *data)):
        table = book.program.tables.get(name)
        if table is not None:
            yield from table_grids(book, table)
            yield Text(f"{link(f'table:{name}', 'Chances and analysis of this table')}.", "note")


def _relations(book: Book, identity: str) -> Iterator[Block]:
    """How it hangs together with others: exceptions first, each kind a line of its own."""
    found = book.relations
    direct = [*found.exception_to.get(identity, ()), *found.excepted_by.get(identity, ())]
    # Of a bare heading everything it cites is already a link in its only line.
    cites = found.cites.get(identity, []) if book.program.paragraphs[identity].rules else []
    lines = [
        f"{strong(words)} {book.rules(numbers)}"
        for words, numbers in (
            ("Exception to", found.exception_to.get(identity, [])),
            ("Excepted by", found.excepted_by.get(identity, [])),
            ("Changes values of", found.changes_value_of.get(identity, [])),
            ("Values changed by", found.changed_by.get(identity, [])),
            ("Refers to", [n for n in cites if n not in direct]),
            ("Referred to by", [n for n in found.cited_by.get(identity, []) if n not in direct]),
            ("Uses", found.uses.get(identity, [])),
            ("Used by", found.used_by.get(identity, [])),
        )
        if numbers
    ]
    amended = [link("page:changes", said(title)) for title in found.amended_by.get(identity, ())]
    if amended:
        lines.insert(0, f"{strong('Amended by')} {listed(amended)}")
    if lines:
        yield Items(tuple(map(Item, lines)), kind="relations")
