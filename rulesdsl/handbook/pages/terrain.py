"""The terrain chart as a page: what is printed on the map against movement, combat and the other chapters."""

from __future__ import annotations

from rulesdsl.handbook.analysis.chart import Effect, terrain_chart
from rulesdsl.handbook.book import Book
from rulesdsl.speaking.blocks import Cell, Grid, Page, Row, Text
from rulesdsl.speaking.english import in_words
from rulesdsl.speaking.inline import capital, rule


def terrain_page(book: Book) -> Page | None:
    """One row for each feature that does something, one column for each chapter in which it does."""
    chart = terrain_chart(book)
    if not chart.features:
        return None
    words = book.chrome
    rows = tuple(
        Row(
            (
                Cell(capital(in_words(feature)), "head"),
                *(_cell(chart.cells.get((feature, column), [])) for column in chart.columns),
            ),
            target=f"feature:{feature}",
        )
        for feature, _ in chart.features
    )
    told = words("What is printed on the map, and what it does; the numbers are those of the rules.")
    grid = Grid((words("Terrain"), *map(words, chart.columns)), rows, kind="entries chart")
    return Page("terrain", words("Terrain effects"), "Reference", (Text(told, "note"), grid))


def _cell(effects: list[Effect]) -> Cell:
    shown = "; ".join(f"{effect.text} [{rule(effect.paragraph)}]" for effect in effects)
    return Cell(shown or "—", "changed" if any(effect.changed for effect in effects) else "")
