"""Indexes: terms, modifiers, the tree of exceptions, tokens, readings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rulesdsl import program as pg
from rulesdsl.handbook.book import Book
from rulesdsl.handbook.pages.chapters import explanation, setting_box
from rulesdsl.handbook.pages.word_index import word_index
from rulesdsl.language import syntax as sx
from rulesdsl.language.conventions import INVARIANT
from rulesdsl.speaking.blocks import Block, Cell, Grid, Heading, Item, Items, Page, Row, Text
from rulesdsl.speaking.english import in_words, listed
from rulesdsl.speaking.inline import capital, code, plain, rule, said, strong
from rulesdsl.speaking.say.rules import change, permission, play_in, quantity_name
from rulesdsl.speaking.say.steps import say_steps

_KINDS = (
    ("defines", "meaning"), ("quantities", "value"), ("actions", "action"), ("routes", "way"),
    ("procedures", "procedure"), ("windows", "moment for tokens"), ("tokens", "token"),
    ("settings", "setting"),
)  # fmt: skip


def index_pages(book: Book) -> list[Page]:
    made = [
        ("words", "Index", word_index(book), ""),
        ("terms", "Index of terms", terms(book), "everything"),
        ("modifiers", "Modifiers", modifiers(book), ""),
        ("exceptions", "Exceptions", exceptions(book), ""),
        ("tokens", "Tokens", tokens(book), ""),
        ("readings", "Readings and options", readings(book), ""),
    ]
    pages = [
        Page(name, title, "Index", blocks, level)
        for name, title, found, level in made
        if (blocks := tuple(found))
    ]
    # A few exceptions stand in the margin where they matter; a page of their own is for many.
    return [replace(p, level="everything") if p.name == "exceptions" and _few(p) else p for p in pages]


def _few(page: Page) -> bool:
    return sum(len(block.items) if isinstance(block, Items) else 1 for block in page.blocks) < 4


# ---- terms -------------------------------------------------------------------------------------------
def terms(book: Book) -> Iterator[Block]:
    """Every name of the rules: what it is, where it is declared, who uses it."""
    entries: dict[str, tuple[str, str, str]] = {}
    for group, kind in _KINDS:
        for name, found in getattr(book.program, group).items():
            # What a trigger or a token does has no name of its own in the rules.
            if not name.startswith(INVARIANT) and " " not in name:
                entries[f"{kind}:{name}"] = (in_words(name).replace(".", ": "), kind, found.paragraph)
    for (universe, name), attribute in book.program.world.attributes.items():
        if not attribute.built_in and attribute.paragraph:
            entries[f"attribute:{universe}.{name}"] = (
                in_words(name),
                f"of a {universe}",
                attribute.paragraph,
            )
    for track in book.program.world.tracks.values():
        entries[f"track:{track.name}"] = (in_words(track.name), "kept by the game", track.paragraph)
    for identity, node in book.rules_of(sx.ClassDecl, sx.Enumeration, sx.RecordDecl, sx.GroupDecl):
        assert isinstance(node, (sx.ClassDecl, sx.Enumeration, sx.RecordDecl, sx.GroupDecl))
        entries[f"component:{node.name}"] = (in_words(node.name), "component", identity)
    users = _users(book)
    rows = []
    for key, (shown, kind, where) in sorted(entries.items(), key=lambda e: (e[1][0].casefold(), e[0])):
        used = [n for n in users.get(key.partition(":")[2], []) if n != where]
        rows.append(Row((Cell(shown, "head"), Cell(kind), Cell(book.rule(where)), Cell(book.rules(used)))))
    if rows:
        heads = ("Term", "Is a", "Explained in", "Used in")
        yield Grid(tuple(map(book.chrome, heads)), tuple(rows), kind="entries")


def _users(book: Book) -> dict[str, list[str]]:
    found: dict[str, dict[str, None]] = {}
    for identity, paragraph in book.program.paragraphs.items():
        for node in paragraph.rules:
            for part in sx.walk(node):
                match part:
                    case sx.Name(id=name) | sx.Call(name=name) | sx.Do(name=name) | sx.ActionUse(name=name):
                        found.setdefault(name, {})[identity] = None
                    case sx.Attr(of=sx.Name(id=record), name=name):
                        found.setdefault(f"{record}.{name}", {})[identity] = None
                    case sx.NounPhrase(words=words) | sx.Described(words=words):
                        for name in words:
                            found.setdefault(name, {})[identity] = None
                    case _:
                        pass
    return {name: list(numbers) for name, numbers in found.items()}


# ---- modifiers ---------------------------------------------------------------------------------------
def modifiers(book: Book) -> Iterator[Block]:
    """Which quantity, by how much, when, which paragraph."""
    by_quantity: dict[str, list[tuple[str, sx.Contribution]]] = {}
    shown: dict[str, str] = {}
    for identity, node in book.rules_of(sx.Quantity, sx.Modify):
        assert isinstance(node, (sx.Quantity, sx.Modify))
        name = f"{node.record}.{node.name}" if node.record else node.name
        if isinstance(node, sx.Quantity) or name not in shown:
            shown[name] = capital(plain(quantity_name(book.speaker, node)))
        by_quantity.setdefault(name, []).extend((identity, c) for c in node.contributions)
    for name, found in by_quantity.items():
        quantity = book.program.quantities.get(name)
        if not found or quantity is None:
            continue
        yield Heading(shown[name], 3, f"quantity:{name}")
        base = book.speaker.say(quantity.source.base)
        yield Text(
            book.chrome("Explained in {}; without any change {}.", book.rule(quantity.paragraph), base),
            "note",
        )
        rows = tuple(
            Row((
                Cell(strong(change(book.speaker, c)), "head"), Cell(said(c.label or "")),
                Cell(book.speaker.condition(c.condition).strip() or "always"), Cell(rule(identity)),
            ))
            for identity, c in found
        )  # fmt: skip
        yield Grid(tuple(map(book.chrome, ("Change", "Called", "When", "Paragraph"))), rows, kind="entries")


# ---- exceptions --------------------------------------------------------------------------------------
def exceptions(book: Book) -> Iterator[Block]:
    """Every prohibition that something defeats, as a tree."""
    found: dict[int, pg.Clause] = {}
    for action in book.program.actions.values():
        found |= {id(c.source): c for c in action.forbids if c.exceptions}
    for route in book.program.routes.values():
        clauses = (*route.step_forbids, *route.end_forbids, *route.stops)
        found |= {id(c.source): c for c in clauses if c.exceptions}
    if found:
        yield Items(tuple(_branch(book, clause, "") for clause in found.values()), kind="tree")
    overruled = [
        (identity, c.despite, node, c)
        for identity, node in book.rules_of(sx.Quantity, sx.Modify)
        if isinstance(node, (sx.Quantity, sx.Modify))
        for c in node.contributions
        if c.despite
    ]
    for identity, despite, node, c in overruled:
        text = f"{capital(quantity_name(book.speaker, node))}: {change(book.speaker, c)}"
        text += book.speaker.condition(c.condition)
        yield Text(f"{rule(identity)}: {text}, despite {listed([rule(ref.id) for ref in despite])}.")


def _branch(book: Book, clause: pg.Clause, word: str) -> Item:
    sentence = permission(book.speaker, clause.source)
    text = f"{word}{book.rule(clause.paragraph)}: {sentence}"
    return Item(text, tuple(_branch(book, exception, "Unless ") for exception in clause.exceptions))


# ---- tokens and settings -----------------------------------------------------------------------------
def tokens(book: Book) -> Iterator[Block]:
    for identity, node in book.rules_of(sx.Token):
        assert isinstance(node, sx.Token)
        yield Heading(said(node.title), 3, f"token:{node.name}")
        yield Text(book.chrome("Explained in {}.", book.rule(identity)), "note")
        plays = tuple(Item(play_in(book.speaker, play)) for play in node.plays)
        yield Items((*plays, Item("Then:", say_steps(book.speaker, node.body), ordered=True)))


def readings(book: Book) -> Iterator[Block]:
    """Ambiguous paragraphs with their alternatives, options and parameters."""
    for title, kind in (("Readings", sx.Reading), ("Options", sx.Option), ("Parameters", sx.Parameter)):
        found = book.rules_of(kind)
        if found:
            yield Heading(book.chrome(title), 2)
        for identity, node in found:
            assert isinstance(node, (sx.Reading, sx.Option, sx.Parameter))
            box = setting_box(book, node, explanation(book.program.paragraphs[identity], node))
            typed: tuple[Text, ...] = ()
            if isinstance(node, sx.Reading) and not node.settled:
                ways = listed([code(way) for way in node.alternatives], book.chrome("or"))
                typed = (Text(f"{code(f'--reading {node.name}=')} {ways}", "note"),)
            see = Text(f"{book.chrome('See')} {book.rule(identity)}.", "relation")
            yield type(box)(box.title, (*box.inside, *typed, see), box.kind)
