"""The pages of a handbook as a test reads them: ids, addresses and words."""

from __future__ import annotations

from functools import lru_cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

from interpreter.measuring.handbook_facts import facts_of_game
from interpreter.playing.game import open_game
from rulesdsl.handbook import Book, html_files


class Document(HTMLParser):
    """The ids, addresses and words of a page; complains about elements not closed in order."""

    VOID = frozenset({"meta", "link", "br", "hr", "input", "img"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.addresses: list[str] = []
        self.loaded: list[str] = []
        self.open: list[str] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.ids += [found["id"]] if found.get("id") else []
        if tag in ("a", "use") and found.get("href"):
            self.addresses.append(str(found["href"]))
        self.loaded += [str(found[name]) for name in ("src",) if found.get(name)]
        if tag == "link":
            self.loaded.append(str(found.get("href")))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in self.VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag, f"</{tag}> in the wrong place"

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


@lru_cache(maxsize=16)
def site(name: str, *house: str) -> dict[str, str]:
    game = open_game(name, tuple(Path(h) for h in house))
    return html_files(Book(game.source, game.program, facts_of_game(game)))


@lru_cache(maxsize=16)
def documents(name: str, *house: str) -> dict[str, Document]:
    return {file: Document(text) for file, text in site(name, *house).items() if file.endswith(".html")}


def check_links(pages: dict[str, Document], files: dict[str, str]) -> None:
    broken = [
        (file, to) for file, page in pages.items() for to in page.addresses if not leads(pages, file, to)
    ]
    assert broken == []
    assert [(f, to) for f, page in pages.items() for to in page.loaded if to not in files] == []
    assert [f for f, page in pages.items() if len(set(page.ids)) != len(page.ids)] == [], "an id stands twice"
    assert [f for f, page in pages.items() if page.open] == [], "an element is not closed"


def leads(pages: dict[str, Document], file: str, to: str) -> bool:
    page, _, anchor = unquote(to).partition("#")
    found = pages.get(page or file)
    return found is not None and (not anchor or anchor in found.ids)
