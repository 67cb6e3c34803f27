"""Marked text (`handbook.inline`) as Typst markup."""

from __future__ import annotations

import re
from collections.abc import Callable

from rulesdsl.speaking.inline import Form, rendered

# Everything that could mean something in Typst is escaped, wherever it stands.
_SPECIAL = re.compile(r"([\\#$*_`<>@\[\]~\"'=/+.:-])")
_ELEMENTS = {
    "strong": ("#strong[", "]"), "em": ("#emph[", "]"), "code": ("#raw-words[", "]"),
    "ins": ("#came[", "]"), "del": ("#gone[", "]"),
}  # fmt: skip

Known = Callable[[str], bool]  # whether the document has a target


def escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text)


def quoted(text: str) -> str:
    """A text as a string of Typst."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ") + '"'


def marked_to_typst(text: str, known: Known) -> str:
    """The marks as functions; a link to what is not in this document is just its words."""

    def anchor(target: str, words: str) -> str:
        return f"#link(label({quoted(target)}))[{words}]" if known(target) else words

    return rendered(text, Form(escaped, anchor, _ELEMENTS))
