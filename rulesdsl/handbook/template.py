"""The frame around every page: navigation, search, the way to the next page. Nothing comes from elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

from rulesdsl.handbook.blocks import Page, Paragraph
from rulesdsl.handbook.book import Book
from rulesdsl.handbook.inline import escape, plain

# Nothing is loaded that is not beside the page, and a script of another place would not run.
_POLICY = (
    "default-src 'none'; script-src 'self' file:; style-src 'self' file: 'unsafe-inline'; "
    "img-src 'self' file: data:"
)


def frame(
    book: Book, pages: Sequence[Page], page: Page, body: str, before: Page | None, after: Page | None
) -> str:
    """A complete document."""
    game = escape(book.source.game.title)
    title = escape(plain(page.title))
    heading = title if page.name == "index" else f"{title} · {game}"
    kind = "print-edition" if page.name == "print" else f"page-{page.name}"
    content = body if page.name == "print" or heads_itself(page) else f"<h1>{title}</h1>\n{body}"
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<title>{heading}</title>
<link rel="stylesheet" href="handbook.css">
<script src="search-index.js" defer></script>
<script src="handbook.js" defer></script>
</head>
<body class="{kind}">
<a class="skip" href="#main">Skip to the text</a>
<header class="bar">
<a class="home" href="index.html">{game}</a>
<div class="search" role="search">
<input id="search" type="search" placeholder="Search ( / )" aria-label="Search the handbook"
 autocomplete="off" role="combobox" aria-expanded="false" aria-controls="hits" aria-autocomplete="list">
<ol id="hits" role="listbox" aria-label="Search results" hidden></ol>
</div>
<button id="contrast" type="button" aria-label="Light or dark">◐</button>
</header>
<div class="columns">
<nav class="contents" aria-label="Contents"><details open><summary>Contents</summary>
{_navigation(pages, page)}
</details></nav>
<main id="main" tabindex="-1">
{content}
{_turn(before, after)}
</main>
</div>
</body>
</html>
"""


def heads_itself(page: Page) -> bool:
    """Whether the first thing on a page is its title: a chapter that is a numbered paragraph."""
    first = page.blocks[0] if page.blocks else None
    return isinstance(first, Paragraph) and first.level == 1


def _navigation(pages: Sequence[Page], here: Page) -> str:
    sections: dict[str, list[str]] = {}
    for page in pages:
        current = ' aria-current="page"' if page.name == here.name else ""
        shown = "First page" if page.name == "index" else escape(plain(page.title))
        sections.setdefault(page.section, []).append(
            f'<li><a href="{page.name}.html"{current}>{shown}</a></li>'
        )
    current = ' aria-current="page"' if here.name == "print" else ""
    sections.setdefault("", []).append(f'<li><a href="print.html"{current}>Print edition</a></li>')
    return "\n".join(
        (f"<h2>{escape(section)}</h2>" if section else "") + f"<ul>{''.join(entries)}</ul>"
        for section, entries in sections.items()
    )


def _turn(before: Page | None, after: Page | None) -> str:
    links = []
    if before is not None:
        links.append(f'<a rel="prev" href="{before.name}.html">← {escape(plain(before.title))}</a>')
    if after is not None:
        links.append(f'<a rel="next" href="{after.name}.html">{escape(plain(after.title))} →</a>')
    return f'<nav class="turn" aria-label="Pages">{" ".join(links)}</nav>' if links else ""
