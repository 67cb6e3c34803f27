"""The first page: what the game is, and the way to everything else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulesdsl.book.scenario import Scenario
from rulesdsl.handbook.book import Book
from rulesdsl.speaking.blocks import Block, Heading, Item, Items, Page, Paragraph, Text
from rulesdsl.speaking.english import listed
from rulesdsl.speaking.inline import link, rule, said, strong


def front_page(book: Book, pages: Sequence[Page]) -> Page:
    return Page("index", said(book.source.game.title), "", tuple(_blocks(book, pages)))


def _blocks(book: Book, pages: Sequence[Page]) -> Iterator[Block]:
    game = book.source.game
    if game.summary:
        yield Text(said(game.summary), "lead")
    facts = []
    if not book.facts.seats:  # otherwise each scenario says who plays it
        facts.append(f"Players: {listed([strong(said(player.name)) for player in game.players])}.")
    if book.source.scenarios:
        facts.append(
            f"Scenarios: {listed([_with_players(book, s) for s in book.source.scenarios.values()])}."
        )
    if book.source.house:
        titles = listed([said(house.title) for house in book.source.house])
        facts.append(
            f"With house rules: {link('page:changes', titles)}. Changed paragraphs have a mark in the margin."
        )
    facts.append("Made from the rules the engine plays: what stands here is what happens.")
    yield Text(" ".join(facts), "note")
    yield Items(tuple(map(Item, _numbers(book, pages))), kind="numbers")
    by_section: dict[str, list[Page]] = {}
    for page in pages:
        by_section.setdefault(page.section, []).append(page)
    for section, found in by_section.items():
        yield Heading(section, 2)
        yield Items(tuple(_entry(page) for page in found), kind="contents")


def _with_players(book: Book, scenario: Scenario) -> str:
    players = [strong(said(name)) for name in book.facts.seats.get(scenario.id, ())]
    return said(scenario.title) + (f" ({listed(players)})" if players else "")


def _numbers(book: Book, pages: Sequence[Page]) -> Iterator[str]:
    """What there is of it, each number leading to where it is."""
    there = {page.name for page in pages}
    game_map = book.source.map
    for count, one, page in (
        (len(book.program.paragraphs), "paragraph", "ledger"),
        (len(book.program.examples), "worked example", "ledger"),
        (len(book.program.tables), "table", "tables"),
        (len(game_map.spaces) if game_map is not None else 0, "space", "map"),
        (len(book.source.pieces), "counter", "counters"),
        (len(book.program.tokens), "token", "tokens"),
    ):
        if count and page in there:
            yield f"{strong(str(count))} {link(f'page:{page}', one if count == 1 else f'{one}s')}"


def _entry(page: Page) -> Item:
    """A page with its paragraphs; only the upper levels, the rest is one click further."""
    paragraphs = [block for block in page.blocks if isinstance(block, Paragraph)]
    top = min((max(2, p.level) for p in paragraphs), default=0)
    shown = [p for p in paragraphs if p.level <= top + 1 and f"{p.number} {p.title}" != page.title]
    inside = tuple(Item(_named(p)) for p in shown)
    return Item(link(f"page:{page.name}", page.title), inside)


def _named(paragraph: Paragraph) -> str:
    """Number and title; a paragraph whose number is a word is known by its title."""
    if any(c.isdigit() for c in paragraph.number):
        return rule(paragraph.number, paragraph.title)
    return link(f"rule:{paragraph.number}", paragraph.title or paragraph.number)
