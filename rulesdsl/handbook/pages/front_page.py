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
    game, chrome = book.source.game, book.chrome
    if game.summary:
        yield Text(said(book.own(game.summary)), "lead")
    facts = []
    if not book.facts.seats:  # otherwise each scenario says who plays it
        players = [strong(said(book.own(player.name))) for player in game.players]
        facts.append(f"{chrome('Players')}{chrome(': ')}{listed(players, chrome('and'))}.")
    if book.source.scenarios:
        scenarios = [_with_players(book, scenario) for scenario in book.source.scenarios.values()]
        facts.append(f"{chrome('Scenarios')}{chrome(': ')}{listed(scenarios, chrome('and'))}.")
    if book.source.house:
        titles = link(
            "page:changes", listed([said(house.title) for house in book.source.house], chrome("and"))
        )
        facts.append(f"{chrome('With house rules')}{chrome(': ')}{titles}.")
        facts.append(chrome("Changed paragraphs have a mark in the margin."))
    facts.append(chrome("Made from the rules the engine plays: what stands here is what happens."))
    yield Text(" ".join(facts), "note")
    yield Items(tuple(map(Item, _numbers(book, pages))), kind="numbers")
    by_section: dict[str, list[Page]] = {}
    for page in pages:
        by_section.setdefault(page.section, []).append(page)
    for section, found in by_section.items():
        yield Heading(chrome(section), 2)
        yield Items(tuple(_entry(page) for page in found), kind="contents")


def _with_players(book: Book, scenario: Scenario) -> str:
    players = [strong(said(book.own(name))) for name in book.facts.seats.get(scenario.id, ())]
    shown = f" ({listed(players, book.chrome('and'))})" if players else ""
    return said(book.own(scenario.title)) + shown


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
            called = book.chrome(one if count == 1 else f"{one}s")
            yield f"{strong(str(count))} {link(f'page:{page}', called)}"


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
