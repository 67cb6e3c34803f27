"""The frame around every page: navigation, search, the way to the next page. Nothing comes from elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

from rulesdsl.handbook.book import Book
from rulesdsl.handbook.chrome import Chrome
from rulesdsl.speaking.blocks import Page, Paragraph
from rulesdsl.speaking.inline import escape, plain

# Nothing is loaded that is not beside the page, and a script of another place would not run.
_POLICY = (
    "default-src 'none'; script-src 'self' file:; style-src 'self' file: 'unsafe-inline'; "
    "img-src 'self' file: data:"
)


def frame(
    book: Book, pages: Sequence[Page], page: Page, body: str, before: Page | None, after: Page | None
) -> str:
    """A complete document."""
    words = book.chrome
    game = escape(book.source.game.title)
    title = escape(plain(page.title))
    heading = title if page.name == "index" else f"{title} · {game}"
    kind = "print-edition" if page.name == "print" else f"page-{page.name}"
    content = body if page.name == "print" or heads_itself(page) else f"<h1>{title}</h1>\n{body}"
    return f"""<!DOCTYPE html>
<html lang="{words.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<title>{heading}</title>
<link rel="stylesheet" href="handbook.css">
<script src="search-index.js" defer></script>
<script src="search.js" defer></script>
<script src="handbook.js" defer></script>
</head>
<body class="{kind}">
<a class="skip" href="#main">{words("Skip to the text")}</a>
<header class="bar">
<a class="home" href="index.html">{game}</a>
<div class="search" role="search">
<input id="search" type="search" placeholder="{words("Search")} ( / )"
 aria-label="{words("Search the handbook")}"
 autocomplete="off" role="combobox" aria-expanded="false" aria-controls="hits" aria-autocomplete="list">
<ol id="hits" data-nothing="{words("Nothing found")}" role="listbox"
 aria-label="{words("Search results")}" hidden></ol>
</div>
<div class="ways" role="group" aria-label="{words("How much to read")}">
{_ways(words)}
</div>
<button id="contrast" type="button" aria-label="{words("Light or dark")}">◐</button>
</header>
<div class="columns">
<nav class="contents" aria-label="{words("Contents")}"><details open><summary>{words("Contents")}</summary>
{_navigation(pages, page, words)}
</details></nav>
<main id="main" tabindex="-1">
{content}
{_turn(before, after, words)}
</main>
</div>
</body>
</html>
"""


def heads_itself(page: Page) -> bool:
    """Whether the first thing on a page is its title: a chapter that is a numbered paragraph."""
    first = page.blocks[0] if page.blocks else None
    return isinstance(first, Paragraph) and first.level == 1


WAYS = (("rules", "Rules"), ("mechanics", "Rules and mechanics"), ("everything", "Everything"))


def _ways(words: Chrome) -> str:
    """The switch between the three ways to read."""
    return "".join(
        f'<button type="button" data-way="{way}" aria-pressed="{"true" if not number else "false"}">'
        f"{words(shown)}</button>"
        for number, (way, shown) in enumerate(WAYS)
    )


def _navigation(pages: Sequence[Page], here: Page, words: Chrome) -> str:
    sections: dict[str, list[str]] = {}
    for_all: set[str] = {""}  # sections with a page that everybody reads
    for page in pages:
        for_all |= {page.section} if page.level != "everything" else set()
        current = ' aria-current="page"' if page.name == here.name else ""
        shown = words("First page") if page.name == "index" else escape(plain(page.title))
        look = ' class="layer everything"' if page.level == "everything" else ""
        sections.setdefault(page.section, []).append(
            f'<li{look}><a href="{page.name}.html"{current}>{shown}</a></li>'
        )
    current = ' aria-current="page"' if here.name == "print" else ""
    sections.setdefault("", []).append(f'<li><a href="print.html"{current}>{words("Print edition")}</a></li>')
    return "\n".join(
        _section(section, entries, words, section not in for_all) for section, entries in sections.items()
    )


def _section(section: str, entries: list[str], words: Chrome, hidden: bool) -> str:
    """A part of the contents; one that only authors need stands there when everything is read."""
    head = f"<h2>{escape(words(section))}</h2>" if section else ""
    listed = f"{head}<ul>{''.join(entries)}</ul>"
    return f'<div class="layer everything">{listed}</div>' if hidden else listed


def _turn(before: Page | None, after: Page | None, words: Chrome) -> str:
    links = []
    if before is not None:
        links.append(f'<a rel="prev" href="{before.name}.html">← {escape(plain(before.title))}</a>')
    if after is not None:
        links.append(f'<a rel="next" href="{after.name}.html">{escape(plain(after.title))} →</a>')
    return f'<nav class="turn" aria-label="{words("Pages")}">{" ".join(links)}</nav>' if links else ""
