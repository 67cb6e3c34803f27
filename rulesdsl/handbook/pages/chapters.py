"""The chapters: every paragraph under its printed number, with its rules as sentences and its relations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from rulesdsl.handbook.book import Book
from rulesdsl.handbook.pages.cutouts import cut_out
from rulesdsl.handbook.pages.examples import example_box
from rulesdsl.handbook.pages.tables import table_grids
from rulesdsl.handbook.translations import TranslatedReading
from rulesdsl.language import syntax as sx
from rulesdsl.language.printing.printer import print_rule
from rulesdsl.speaking.blocks import (
    Block,
    Box,
    Code,
    Fold,
    Item,
    Items,
    Layer,
    Margin,
    Page,
    Paragraph,
    Prose,
    Text,
)
from rulesdsl.speaking.english import in_words, listed
from rulesdsl.speaking.inline import capital, code, link, replaced_once, said, strong
from rulesdsl.speaking.readings import explained
from rulesdsl.speaking.say.rules import say_rule


def chapter_pages(book: Book) -> list[Page]:
    """One page for each chapter, in the order of the files."""
    return [
        Page(
            _page_name(book, chapter),
            _translated_title(book, chapter),
            "Rules",
            tuple(_chapter(book, chapter)),
        )
        for chapter in book.source.chapters
        if chapter.paragraphs or chapter.preface
    ]


def chapter_title(chapter: sx.Chapter) -> str:
    """The title of the file, or that of its first paragraph."""
    if chapter.title:
        return chapter.title
    first = chapter.paragraphs[0] if chapter.paragraphs else None  # a page of prose without any heading
    if first is not None and first.id[:1].isdigit():
        return f"{first.id} {first.title}".strip()
    return capital(re.sub(r"^\d+[_-]", "", chapter.file.path.stem).replace("_", " "))


def _translated_title(book: Book, chapter: sx.Chapter) -> str:
    first = chapter.paragraphs[0] if chapter.paragraphs else None
    if first is None or not _is_title(chapter, first) or first.id not in book.translation:
        return book.own(chapter_title(chapter))
    title = title_in(book, first)
    return f"{first.id} {title}" if chapter_title(chapter).startswith(first.id) else title


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
        paragraph.id, title_in(book, paragraph), max(2, paragraph.level), tuple(_inside(book, paragraph)),
        changed=", ".join(map(said, amended)), target=f"rule:{paragraph.id}",
    )  # fmt: skip


def title_in(book: Book, paragraph: sx.Paragraph) -> str:
    """The title in the reader's language."""
    translated = book.translation.get(paragraph.id)
    return said(translated.title if translated is not None and translated.title else paragraph.title)


def _inside(book: Book, paragraph: sx.Paragraph) -> Iterator[Block]:
    """In the order in which it is written: words, tables, rules where the first block of rules stands,
    examples. What is not prose or a table belongs to the second and third way to read."""
    notes = Margin((*_setting_boxes(book, paragraph), *_references(book, paragraph.id)))
    if notes.inside:
        yield notes
    told = False
    examples = iter(enumerate(paragraph.examples, 1))
    parts = list(_cut(paragraph.prose))
    printed = printed_example(paragraph)
    beside: list[Block] = []
    for at, part in enumerate(parts):
        if _stands_beside(paragraph, parts, at):
            if isinstance(part, str):
                beside += _prose(book, paragraph, part)
            else:
                for number, example in islice(examples, 1):
                    beside.append(example_box(book, paragraph.id, number, example))
        elif isinstance(part, str):
            translated = book.translation.get(paragraph.id) if not at else None
            words = tuple(_prose(book, paragraph, part if translated is None else translated.prose))
            yield from (Layer("mechanics", words),) if _is_caption(paragraph, parts, at) else words
        elif paragraph.fences[part].kind == "rules" and not told:
            told = True
            yield from _rules(book, paragraph)
        elif paragraph.fences[part].kind == "example":
            for found in islice(examples, 1):
                yield from _example(book, paragraph, *found, printed)
    if not told:
        yield from _rules(book, paragraph)
    for found in examples:
        yield from _example(book, paragraph, *found, printed)
    if beside:
        yield Layer("mechanics", (Fold(book.chrome("Examples"), tuple(beside), "examples"),))
    if paragraph.data_file is not None:
        data = Text(f"The data: {code(paragraph.data_file)}; see {link('page:sources', 'sources')}.", "note")
        yield Layer("mechanics", (data,))
    yield from _relations(book, paragraph.id)


def _prose(book: Book, paragraph: sx.Paragraph, part: str) -> Iterator[Block]:
    """Words of the author; what he only remarks on a heading without text is for the curious."""
    for words, kind in _remarks(_without_readings(paragraph, part)):
        if kind:
            words = _READING.sub(lambda m: f"*{capital(in_words(m['name']))}: {m['words']}*", words)
        made = Prose(book.references.marked(words, paragraph.id), kind)
        yield Layer("mechanics", (made,)) if kind else made


def _is_caption(paragraph: sx.Paragraph, parts: list[str | int], at: int) -> bool:
    """Whether words stand directly above an example, below the rules: they tell what it shows."""
    below = parts[at + 1] if at + 1 < len(parts) else None
    return at > 0 and isinstance(below, int) and paragraph.fences[below].kind == "example"


def _stands_beside(paragraph: sx.Paragraph, parts: list[str | int], at: int) -> bool:
    """Whether it stands in `examples/` and not in the chapter: an example, or the words above one."""
    block = next((part for part in parts[at:] if isinstance(part, int)), None)
    if block is None or paragraph.fences[block].kind != "example":
        return False
    return paragraph.fences[block].span.file.path != paragraph.span.file.path


_PRINTED = re.compile(r"\bexample\b", re.IGNORECASE)


def printed_example(paragraph: sx.Paragraph) -> int:
    """The number of the example that the rulebook itself prints: the one whose words call it so, or the
    first where the paragraph tells one; 0 when there is none."""
    if not paragraph.examples:
        return 0
    number, words = 0, ""
    for part in _cut(paragraph.prose):
        if isinstance(part, str):
            words = part
        elif paragraph.fences[part].kind == "example":
            number += 1
            if "printed example" in words.lower():
                return number
            words = ""
    first = next((part for part in _cut(paragraph.prose) if isinstance(part, str)), "")
    return 1 if _PRINTED.search(f"{paragraph.title} {_READING.sub('', first)}") else 0


def _example(
    book: Book, paragraph: sx.Paragraph, number: int, example: sx.Example, printed: int
) -> Iterator[Block]:
    """An example in full for the second way to read; of a printed one everybody sees the place."""
    picture = cut_out(book, paragraph.id, number, example) if number == printed else None
    if picture is not None:
        yield picture
    yield Layer("mechanics", (example_box(book, paragraph.id, number, example),))


def _rules(book: Book, paragraph: sx.Paragraph) -> Iterator[Block]:
    """The tables it reads, then everything else as sentences, and the code a click away."""
    yield from _tables(book, paragraph)
    rules = [node for node in paragraph.rules if not isinstance(node, _SETTINGS)]
    if rules:
        sentences = Items(tuple(say_rule(book.speaker, node) for node in rules), kind="sentences")
        yield Layer("mechanics", (sentences,))
    if paragraph.rules:
        text = "\n\n".join(print_rule(node) for node in paragraph.rules)
        yield Layer(
            "everything", (Fold(book.chrome("The rules as the engine runs them"), (Code(text),), "code"),)
        )


_SETTINGS = (sx.Reading, sx.Option, sx.Parameter)


def _setting_boxes(book: Book, paragraph: sx.Paragraph) -> Iterator[Block]:
    for node in paragraph.rules:
        if isinstance(node, _SETTINGS):
            yield setting_box(book, node, explanation(paragraph, node))


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
_INFORMATIVE = re.compile(r"(\*(?:Informative|Data|Reading \w+): [^*]+\*)")


def explanation(paragraph: sx.Paragraph, setting: sx.Reading | sx.Option | sx.Parameter) -> str:
    """What is said about a reading: by its statement, or by a note in the prose."""
    if isinstance(setting, sx.Reading) and (setting.wordings or setting.settled):
        return explained(setting)
    found = [m["words"] for m in _READING.finditer(paragraph.prose) if m["name"] == setting.name]
    return " ".join(found[0].split()) if found else ""


def _without_readings(paragraph: sx.Paragraph, prose: str) -> str:
    declared = {node.name for node in paragraph.rules if isinstance(node, sx.Reading)}
    return _READING.sub(lambda m: "" if m["name"] in declared else m[0], prose)


def _remarks(prose: str) -> Iterator[tuple[str, str]]:
    """Parts of the prose, each with its kind."""
    for number, part in enumerate(_INFORMATIVE.split(prose)):
        if part.strip():
            yield part, "remark" if number % 2 else ""


def setting_box(book: Book, node: sx.Reading | sx.Option | sx.Parameter, explanation: str = "") -> Box:
    """A reading with its alternatives, an option with its values, a parameter with its number."""
    chrome, other = book.chrome, book.translated_readings.get(node.name)
    kinds = {sx.Reading: "Reading", sx.Option: "Option", sx.Parameter: "Parameter"}
    called = said(other.title) if other is not None and other.title else capital(in_words(node.name))
    reason = said(other.because if other is not None and other.because else node.reason or "")
    inside: tuple[Text, ...]
    match node:
        case sx.Reading() if explanation and not (node.wordings or node.settled):
            words = book.references.marked(explanation)
            for way in node.alternatives:
                shown = strong(in_words(way)) if way == node.default else in_words(way)
                words = replaced_once(words, way, shown)
            inside, reason = (Text(f"{chrome('Can be read in more than one way')}: {words}"),), ""
        case sx.Reading():
            inside = _ways(book, node, other)
        case sx.Option():
            value = strong(book.speaker.say(node.default))
            inside = (Text(f"{chrome('Players may agree on it; normally')} {value}."),)
        case _:
            value = strong(book.speaker.say(node.value))
            inside = (Text(f"{chrome('A number that house rules can change')}{chrome(': ')}{value}."),)
    if reason:
        inside = (*inside, Text(_sentence(book, reason), "note"))
    title = f"{chrome(kinds[type(node)])}{chrome(': ')}{called}"
    return Box(title, inside, "reading", f"setting:{node.name}")


def _ways(book: Book, node: sx.Reading, other: TranslatedReading | None) -> tuple[Text, ...]:
    """As it is read here, and how it could be: in words, for the names of the ways are for who types."""
    words = {way: said((other.ways.get(way) if other else "") or own) for way, own in node.worded()}
    default, *others = [words[way] or in_words(way) for way, _ in node.worded()]
    chosen = Text(strong(_sentence(book, default)))
    if not others:
        return (chosen,)
    joint = f"; {book.chrome('or')} "
    also = joint.join(book.references.marked(way) for way in others)
    return chosen, Text(f"{book.chrome('Could also be read')}{book.chrome(': ')}{also}.")


def _sentence(book: Book, words: str) -> str:
    return capital(book.references.marked(words)).rstrip(".") + ("" if words.endswith("…") else ".")


def _tables(book: Book, paragraph: sx.Paragraph) -> Iterator[Block]:
    """The tables this paragraph looks something up in, by a link; those it stands for, in full."""
    asked = dict.fromkeys(
        n.table for rule in paragraph.rules for n in sx.walk(rule) if isinstance(n, sx.Lookup)
    )
    shown = [name for name in book.program.tables if stands_for(name, paragraph)]
    elsewhere = {t for p in book.program.paragraphs.values() for t in book.program.tables if stands_for(t, p)}
    for name in dict.fromkeys((*shown, *asked)):
        table = book.program.tables.get(name)
        if table is not None:
            if name in shown or name not in elsewhere:
                yield from table_grids(book, table)
            chances = Text(
                f"{link(f'table:{name}', book.chrome('Chances and analysis of this table'))}.", "note"
            )
            yield Layer("mechanics", (chances,))


def stands_for(table: str, paragraph: sx.Paragraph) -> bool:
    """Whether a paragraph names a table in its prose, or is made of it: there it is printed in full."""
    return f"`{table}`" in paragraph.prose or paragraph.data_file == f"tables/{table}.yaml"


def _references(book: Book, identity: str) -> Iterator[Block]:
    """Beside the text: exceptions and what it refers to, each kind a line of its own."""
    found = book.relations
    lines = [
        f"{strong(words)} {book.rules(numbers)}"
        for words, numbers in (
            (book.chrome("Exception to"), found.exception_to.get(identity, [])),
            (book.chrome("Excepted by"), found.excepted_by.get(identity, [])),
            (book.chrome("Values changed by"), found.changed_by.get(identity, [])),
        )
        if numbers
    ]
    amended = [link("page:changes", said(title)) for title in found.amended_by.get(identity, ())]
    if amended:
        lines.insert(0, f"{strong(book.chrome('Amended by'))} {listed(amended)}")
    if lines:
        yield Items(tuple(map(Item, lines)), kind="relations")


def _relations(book: Book, identity: str) -> Iterator[Block]:
    """How it hangs together with others, for who looks at the machine."""
    found = book.relations
    direct = [*found.exception_to.get(identity, ()), *found.excepted_by.get(identity, ())]
    # Of a bare heading everything it cites is already a link in its only line.
    cites = found.cites.get(identity, []) if book.program.paragraphs[identity].rules else []
    lines = [
        f"{strong(words)} {book.rules(numbers)}"
        for words, numbers in (
            (book.chrome("Changes values of"), found.changes_value_of.get(identity, [])),
            (book.chrome("Refers to"), [n for n in cites if n not in direct]),
            (book.chrome("Referred to by"), [n for n in found.cited_by.get(identity, []) if n not in direct]),
            (book.chrome("Uses"), found.uses.get(identity, [])),
            (book.chrome("Used by"), found.used_by.get(identity, [])),
        )
        if numbers
    ]
    if lines:
        yield Layer("mechanics", (Items(tuple(map(Item, lines)), kind="relations"),))
