"""Tables as tables, with the exact chances of those read with a die, and what is remarkable in them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction

from rulesdsl.book.tables.cells import CellValue
from rulesdsl.book.tables.table import Table
from rulesdsl.handbook.analysis.tables import analyse, order_of_names
from rulesdsl.handbook.book import Book
from rulesdsl.handbook.chrome import ENGLISH, Chrome
from rulesdsl.handbook.facts import Distribution, TableOdds
from rulesdsl.speaking.blocks import Block, Box, Cell, Fold, Grid, Heading, Item, Items, Page, Row, Text
from rulesdsl.speaking.english import in_words, is_several, listed
from rulesdsl.speaking.inline import capital, em, rule, said

_TRENDS = {
    1: ("rises", "rise"), -1: ("falls", "fall"), 0: ("neither rises nor falls", "neither rise nor fall"),
}  # fmt: skip


def tables_page(book: Book) -> Page | None:
    if not book.program.tables:
        return None
    blocks: list[Block] = []
    for table in book.program.tables.values():
        blocks.append(Heading(capital(book.own(in_words(table.title))), 2, f"table:{table.id}"))
        blocks += _table(book, table)
    return Page("tables", "Tables and odds", "Reference", tuple(blocks))


def _table(book: Book, table: Table) -> Iterator[Block]:
    readers = [
        identity
        for identity, others in book.program.paragraphs.items()
        if any(f"table {table.id}[" in fence.text for fence in others.fences)
    ]
    if readers:
        source = said(table.source) or book.chrome("not given")
        yield Text(book.chrome("Read by {}. Source: {}.", book.rules(readers), source), "note")
    yield from table_grids(book, table)
    odds = book.facts.odds.get(table.id)
    if odds is not None:
        yield from odds_blocks(book, odds)
    yield from analysis_blocks(table)


# ---- the table itself --------------------------------------------------------------------------------
def table_grids(book: Book, table: Table) -> Iterator[Block]:
    """One grid for each page of a table; changed cells and estimated rows are marked."""
    changed = {change.part for change in book.changes("table", table.id)}
    row_key = next((k for k in table.keys if k.axis == "rows"), None)
    column_key = next((k for k in table.keys if k.axis == "columns"), None)
    corner = capital(book.own(in_words(row_key.name))) if row_key else ""
    if column_key is not None:
        corner = f"{corner} \\ {book.own(in_words(column_key.name))}"
    heads = [label.text for label in table.columns] or ["Result"]
    for page in table.pages:
        rows = []
        for row in page.rows:
            kind = "estimated" if table.is_estimated(row.label.text) else ""
            cells = [Cell(book.own(shown_label(row.label.text)), f"head {kind}".strip())]
            for cell, head in zip(row.cells, heads, strict=True):
                mark = "changed" if any(_names_cell(part, row.label.text, head) for part in changed) else ""
                cells.append(Cell(shown_cell(table, cell.value), f"result {mark}".strip()))
            rows.append(Row(tuple(cells), kind=kind))
        caption = capital(book.own(in_words(table.title)))
        if page.label:
            caption = capital(f"{book.own(in_words(table.keys[0].name))} {shown_label(page.label.text)}")
        look = "table paged" if len(table.pages) > 1 else "table"
        shown = [capital(book.own(head)) if head == "Result" else shown_label(head) for head in heads]
        yield Grid((said(corner), *shown), tuple(rows), caption, kind=look)
    if table.result.kind in ("codes", "fields") and table.result.fields:
        coded = [f for f in table.result.fields if (f.code or f.name).lower() != f.name.lower()]
        if coded:
            meanings = [f"{em(said(f.code or f.name))} {book.own(in_words(f.name))}" for f in coded]
            yield Text(f"{'; '.join(meanings)}.", "note")


def shown_label(text: str) -> str:
    """A label as one reads it: `1–3`, `0 or less`, `10 or more`."""
    text = re.sub(r"(?<=\d)-(?=\d)", "–", in_words(text))
    text = re.sub(r"<=\s*(-?\d+)", r"\1 or less", text)
    return re.sub(r">=\s*(-?\d+)|(-?\d+)\+$", lambda m: f"{m[1] or m[2]} or more", text)


def _names_cell(part: str, row: str, column: str) -> bool:
    """Whether a change (`odds 3:1, die 5`) is about this cell."""
    labels = {piece.strip().split(" ", 1)[-1].strip('"') for piece in part.split(",")}
    return row in labels and (column in labels or column == "Result")


def shown_cell(table: Table, value: CellValue) -> str:
    """A result as it is printed: `A1D1R`, `+2`, `—` for nothing."""
    if isinstance(value, dict):
        parts = []
        for field in table.result.fields:
            part = value.get(field.name)
            if not part:
                continue
            if table.result.kind == "codes":
                parts.append(field.code if field.kind == "flag" else f"{field.code}{part}")
            else:
                parts.append(in_words(field.name) if part is True else f"{in_words(field.name)} {part}")
        return ("" if table.result.kind == "codes" else ", ").join(parts) or "—"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "—" if value in (None, "") else in_words(str(value))


# ---- chances -----------------------------------------------------------------------------------------
def odds_blocks(book: Book, odds: TableOdds) -> Iterator[Block]:
    """The chances without a modifier, and folded away those with every modifier the rules can give."""
    least, most = odds.usual
    name = odds.modifier.partition("(")[0]
    changed = em(book.names.linked(name.replace(" ", "_"), in_words(name).replace(".", "’s ")))
    by = book.chrome("nothing changes the die")
    if odds.modifier:
        by = book.chrome(
            "the die is changed by the {}, from {} to {}", changed, _signed(least), _signed(most)
        )
    yield Text(book.chrome("Exact chances of {}, by {}; {}.", odds.dice, rule(odds.paragraph), by), "note")
    middle = 0 if 0 in odds.modifiers else odds.modifiers[0]
    yield chances_grid(odds, middle, book.chrome)
    others = [m for m in odds.modifiers if m != middle]
    if others:
        grids = tuple(chances_grid(odds, modifier, book.chrome) for modifier in others)
        told = book.chrome("With a modifier, {} to {}", _signed(others[0]), _signed(others[-1]))
        yield Fold(told, grids, "odds")


def chances_grid(odds: TableOdds, modifier: int, chrome: Chrome = ENGLISH) -> Grid:
    """Rows are results, columns those of the table; each chance as a fraction and a share."""
    found = {column: odds.chances[column, modifier] for column in odds.columns}
    results = dict.fromkeys(result for d in found.values() for result, _ in d.chances)
    rows = [
        Row(
            (
                Cell(said(result), "head"),
                *(_chance(dict(d.chances).get(result, Fraction(0))) for d in found.values()),
            )
        )
        for result in _ordered(results, list(found.values()))
    ]
    names = dict.fromkeys(name for d in found.values() for name, _ in d.expected)
    for name in names:
        averages = [dict(d.expected).get(name) for d in found.values()]
        cells = [Cell("" if a is None else f"{float(a):.2f}", "number", title=str(a)) for a in averages]
        rows.append(
            Row((Cell(chrome("{}, on average", capital(in_words(name))), "head"), *cells), kind="average")
        )
    columns = (shown_label(" · ".join(column)) or chrome("Chance") for column in odds.columns)
    heads = (chrome("Result"), *columns)
    caption = chrome("Chances")
    if odds.modifier:
        caption = chrome("Chances without a modifier")
        if modifier:
            caption = chrome("Chances with {} to the die", _signed(modifier))
    return Grid(heads, tuple(rows), caption, kind="odds")


def _ordered(results: Iterable[str], found: list[Distribution]) -> list[str]:
    """Numbers by their size, anything else from what is bad to what is good."""
    listed_results = list(results)
    if all(re.fullmatch(r"[+-]?\d+", result) for result in listed_results):
        return sorted(listed_results, key=int)
    return sorted(listed_results, key=lambda result: _first_seen(result, found))


def _first_seen(result: str, found: list[Distribution]) -> tuple[float, str]:
    """Results in the order in which they appear from bad to good columns: by their average place."""
    total = sum(float(dict(d.chances).get(result, 0)) for d in found)
    place = sum(n * float(dict(d.chances).get(result, 0)) for n, d in enumerate(found))
    within = [i for d in found for i, (r, _) in enumerate(d.chances) if r == result]
    return (place / total if total else 0.0) + 0.3 * sum(within) / max(1, len(within)), result


def _chance(chance: Fraction) -> Cell:
    if not chance:
        return Cell("·", "number none")
    return Cell(f"{chance} {em(f'{round(float(chance) * 100)} %')}", "number share", float(chance))


def _signed(number: int) -> str:
    return f"+{number}" if number > 0 else f"−{-number}" if number < 0 else "0"


# ---- analysis ----------------------------------------------------------------------------------------
def analysis_blocks(table: Table) -> Iterator[Block]:
    trends, findings = analyse(table)
    by_key: dict[str, dict[str, set[int]]] = {}
    for trend in trends:
        by_key.setdefault(trend.key, {}).setdefault(trend.part, set()).add(trend.direction)
    lines = []
    for key, parts in by_key.items():
        ways = listed([_trend(in_words(part), ways) for part, ways in parts.items()])
        lines.append(Item(f"As the {in_words(key)} {'rise' if is_several(key) else 'rises'}, {ways}."))
    if order := order_of_names(table):
        lines.append(Item(f"From column to column results only go one way: {', '.join(map(said, order))}."))
    if not any(f.kind in ("gap", "overlap") for f in findings):
        lines.append(Item("No gaps and no overlaps."))
    lines += [Item(capital(said(finding.text)) + ".") for finding in findings]
    if not findings:
        lines.append(Item("No column or row is idle, and no result turns against the trend."))
    yield Box("Analysis", (Items(tuple(lines)),), "finding")


def _trend(part: str, ways: set[int]) -> str:
    """Which way a result goes; the pages of a table need not agree."""
    if len(ways) > 1:
        if ways == {1, -1}:
            return f"{part} rises in one part of the table and falls in another"
        return f"{part} goes its own way in each part of the table"
    return f"{part} {_TRENDS[next(iter(ways))][part.endswith('s')]}"
