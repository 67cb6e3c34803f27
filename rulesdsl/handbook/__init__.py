"""The handbook: a reference for readers, made from the rules that run.

    book = Book(source, program, facts)
    write_files(html_files(book), directory)

The front end plays no game, so what only running rules can tell (chances, results of examples, counts of the
ledger) is handed in as `Facts`.
"""

from __future__ import annotations

from rulesdsl.handbook.book import Book
from rulesdsl.handbook.facts import Facts
from rulesdsl.handbook.site import html_files, markdown_files, pages_of, write_files

__all__ = ["Book", "Facts", "html_files", "markdown_files", "pages_of", "write_files"]
