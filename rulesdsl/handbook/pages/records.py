"""Where the numbers come from, what became of every printed paragraph, and what house rules changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from rulesdsl.book.entries import Entry, is_estimate
from rulesdsl.handbook.book import Book
from rulesdsl.handbook.pages.map_pages import absent, shown_pair
from rulesdsl.speaking.blocks import Block, Cell, Grid, Heading, Item, Items, Page, Row, Text, grid
from rulesdsl.speaking.english import in_words, listed
from rulesdsl.speaking.inline import capital, link, rule, said

_STATUS = {"executed": "carried out", "informative": "explains", "missing": "missing"}
_COUNTED = {
    "executed": "carried out by rules or data",
    "informative": "that only explain",
    "missing": "missing",
}


def record_pages(book: Book) -> list[Page]:
    pages = [
        Page("sources", "Sources", "Records", tuple(sources(book)), "everything"),
        Page("ledger", "Ledger", "Records", tuple(ledger(book)), "everything"),
    ]
    if book.source.house:
        from rulesdsl.handbook.pages.change_sheet import change_sheet  # with all that compares rule sets

        pages.append(Page("changes", "House rules", "Records", tuple(change_sheet(book))))
    return pages


# ---- sources -----------------------------------------------------------------------------------------
def sources(book: Book) -> Iterator[Block]:
    """Which facts are known from where; what is a guess stands first."""
    source = book.source
    credits: Any = source.game.credits
    if isinstance(credits, dict):
        yield Items(tuple(Item(f"{capital(in_words(str(k)))}: {said(str(v))}.") for k, v in credits.items()))
    facts = [*_entries("piece", source.pieces.values())]
    if source.map is not None:
        facts += _entries("space", source.map.spaces.values())
        for border in source.map.borders:
            pair = " / ".join(source.map.spaces[end].name for end in border.between)
            facts += [
                (border.source_of(n), "", pair, shown_pair(n, v))
                for n, v in border.attributes.items()
                if not absent(v)
            ]
    for table in source.tables.values():
        facts.append((table.source, f"table:{table.id}", f"table {table.title}", "all cells"))
    guesses = [fact for fact in facts if is_estimate(fact[0])]
    yield Heading("Estimates", 2)
    if guesses:
        rows = [[name, listed(values), said(where)] for name, values, where in _together(guesses)]
        yield grid(["Of", "Value", "Known from"], rows, kind="entries estimated")
    else:
        yield Text("No value of this game is an estimate.")
    counts: dict[str, int] = {}
    for where, *_ in facts:
        counts[where or "not given"] = counts.get(where or "not given", 0) + 1
    yield Heading("All sources", 2)
    yield grid(
        ["Known from", "Values"],
        [[said(where), str(n)] for where, n in sorted(counts.items())],
        kind="entries",
    )


def _together(facts: Iterable[tuple[str, str, str, str]]) -> Iterator[tuple[str, list[str], str]]:
    """Values of the same thing and source in one line; things of one name with the same values, too."""
    values: dict[tuple[str, str, str], dict[str, list[str]]] = {}
    for where, target, name, value in facts:
        what, _, amount = value.rpartition(" ") if value[-1:].isdigit() else (value, "", "")
        found = values.setdefault((where, target, name), {}).setdefault(what, [])
        found += [amount] if amount not in found else []
    alike: dict[tuple[str, str, tuple[str, ...]], list[str]] = {}
    for (where, target, name), shown in values.items():
        # What differs from face to face is said once: strength 12 / 6.
        told = tuple(f"{what} {' / '.join(amounts)}".strip() for what, amounts in shown.items())
        alike.setdefault((where, name, told), []).append(target)
    for (where, name, told), targets in alike.items():
        first = link(targets[0], said(name)) if targets[0] else said(name)
        yield f"{first} ({len(targets)})" if len(targets) > 1 else first, list(told), where


def _entries(kind: str, entries: Iterable[Entry]) -> Iterator[tuple[str, str, str, str]]:
    for entry in entries:
        for name, value in entry.attributes.items():
            if not absent(value):
                yield entry.source_of(name), f"{kind}:{entry.id}", entry.name, shown_pair(name, value)
        for face in getattr(entry, "faces", ()):
            for name, value in face.items():
                yield entry.source_of(name), f"{kind}:{entry.id}", entry.name, shown_pair(name, value)


# ---- the ledger --------------------------------------------------------------------------------------
def ledger(book: Book) -> Iterator[Block]:
    """Every printed item, and what became of it."""
    found = {row.id: row for row in book.facts.ledger}
    counted = [row for row in found.values() if not row.extra]
    if counted:
        told = ", ".join(f"{sum(r.status == s for r in counted)} {words}" for s, words in _COUNTED.items())
        yield Text(f"{len(counted)} numbered items: {told}.", "note")
    played = book.facts.games > 0
    heads = ("Paragraph", "Is", "Examples", *(("Applied",) if played else ()))
    rows = []
    for identity, title in book.ledger_ids:
        row = found.get(identity)
        here = book.program.paragraphs.get(identity)
        shown = rule(identity, title) if here is not None else f"{said(identity)} {said(title)}"
        status = _STATUS.get(row.status, row.status) if row else ""
        cells = [
            Cell(shown, "head"),
            Cell(status),
            Cell(str(row.examples) if row and row.examples else "", "number"),
        ]
        if played:
            cells.append(Cell(f"{row.fired:,}" if row else "", "number"))
        # An item without a paragraph has its anchor here, so that every printed number leads somewhere.
        target = "" if here is not None else f"rule:{identity}"
        rows.append(Row(tuple(cells), target, kind="missing" if row and row.status == "missing" else ""))
    yield Grid(heads, tuple(rows), kind="entries")
    if played:
        yield Text(f"“Applied” counts {book.facts.games} random games and all examples.", "note")
