"""The handbook: a reference for readers, made from the rules that run.

    book = Book(source, program, facts)
    write_files(html_files(book), directory)

The front end plays no game, so what only running rules can tell (chances, results of examples, counts of the
ledger) is handed in as `Facts`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rulesdsl.handbook.book import Book
    from rulesdsl.handbook.facts import Facts
    from rulesdsl.handbook.site import html_files, markdown_files, pages_of, write_files

__all__ = ["Book", "Facts", "html_files", "markdown_files", "pages_of", "write_files"]
_HOMES = {"Book": "book", "Facts": "facts"}


def __getattr__(name: str) -> Any:
    """At first use: answers at the table borrow the sentences, and should not wait for pages and maps."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES.get(name, 'site')}"), name)
