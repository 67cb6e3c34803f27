"""Marked text: what a line of the handbook says, before it is known whether it becomes HTML or Markdown.

Marks are characters of Unicode's private area, so that marked texts can be cut, joined and searched like any
other text. Words of an author go through `said`, which takes such characters out of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable

_LINK, _TEXT, _END = "\ue000", "\ue001", "\ue002"
_STRONG, _NOT_STRONG = "\ue003", "\ue004"
_EM, _NOT_EM = "\ue005", "\ue006"
_CODE, _NOT_CODE = "\ue007", "\ue008"
_INS, _NOT_INS = "\ue00c", "\ue00d"
_DEL, _NOT_DEL = "\ue00e", "\ue00f"
_MARKS = re.compile("[\ue000-\ue00f]")
_LINKS = LINKS = re.compile(f"{_LINK}([^{_LINK}{_TEXT}{_END}]*){_TEXT}([^{_LINK}{_TEXT}{_END}]*){_END}")
# Every mark but links, by the element of HTML it becomes: for whoever writes marked text in another form.
MARKUP = {
    "strong": (_STRONG, _NOT_STRONG), "em": (_EM, _NOT_EM), "code": (_CODE, _NOT_CODE),
    "ins": (_INS, _NOT_INS), "del": (_DEL, _NOT_DEL),
}  # fmt: skip
FIRST_ARTICLE = re.compile(f"^((?:{_LINK}[^{_TEXT}]*{_TEXT})?)(?:the|its) ")  # also inside a link
_AS_HTML = str.maketrans(
    {
        mark: f"<{slash}{element}>"
        for element, marks in MARKUP.items()
        for mark, slash in zip(marks, ("", "/"), strict=True)
    }
)
_SIGNS = {"strong": "**", "em": "*", "code": "`"}
_AS_MARKDOWN = _AS_HTML | {ord(mark): sign for name, sign in _SIGNS.items() for mark in MARKUP[name]}
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff\ud800-\udfff]")

_ESCAPED = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})
_ADDRESS = re.compile("\ue00a([^\ue00b]*)\ue00b")

Spell = Callable[[str], str]  # a marked text with its names as the rulebook writes them
Resolve = Callable[[str], str | None]  # a target → its address, None when there is no such place


def said(text: str) -> str:
    """Words of an author, without anything that could be taken for a mark."""
    if text.isascii() and text.isprintable():  # nearly all of them, and this is asked of every name
        return text
    return _CONTROLS.sub("", _MARKS.sub("", text))


def link(target: str, text: str) -> str:
    """`text`, leading to a target such as `rule:7.1.2` if the handbook has that place."""
    return f"{_LINK}{target}{_TEXT}{_LINKS.sub(lambda m: m[2], text)}{_END}"


def strong(text: str) -> str:
    return f"{_STRONG}{text}{_NOT_STRONG}"


def em(text: str) -> str:
    return f"{_EM}{text}{_NOT_EM}"


def code(text: str) -> str:
    return f"{_CODE}{said(text)}{_NOT_CODE}"


def inserted(text: str) -> str:
    """Words that a house rule brought."""
    return f"{_INS}{text}{_NOT_INS}"


def deleted(text: str) -> str:
    """Words that a house rule took away."""
    return f"{_DEL}{text}{_NOT_DEL}"


def rule(number: str, title: str = "") -> str:
    """A paragraph by its printed number."""
    # A number such as 6-82 must not be torn at its hyphen.
    return link(f"rule:{number}", f"{number} {said(title)}" if title else number.replace("-", "\u2011"))


def plain(text: str) -> str:
    """The words alone, for the index of the search."""
    return _MARKS.sub("", _LINKS.sub(lambda m: m[2], text))


def capital(text: str) -> str:
    """The first letter large, whatever marks stand before it."""
    at = _first_letter(text)
    return text[:at] + text[at : at + 1].upper() + text[at + 1 :]


def uncapital(text: str) -> str:
    """The first letter small, unless it begins a name (a link that leads to a thing)."""
    if text.startswith(_LINK) and not text.startswith(f"{_LINK}rule:"):
        return text
    at = _first_letter(text)
    return text[:at] + text[at : at + 1].lower() + text[at + 1 :]


def _first_letter(text: str) -> int:
    at = 0
    while at < len(text) and _MARKS.match(text[at]):
        at = text.index(_TEXT, at) + 1 if text[at] == _LINK else at + 1
    return at


def address(target: str) -> str:
    """A target as an attribute of a drawing, to be replaced when it is known where the drawing stands."""
    return f"\ue00a{target}\ue00b"


def resolve_addresses(svg: str, resolve: Resolve) -> str:
    """A drawing with the addresses its targets have."""
    return _ADDRESS.sub(lambda m: escape(resolve(m[1].replace("&amp;", "&")) or "#"), svg)


def targets(text: str) -> list[str]:
    """Where the links of a marked text lead."""
    return [match[1] for match in _LINKS.finditer(text)]


def escape(text: str) -> str:
    """Text as HTML, marks untouched."""
    clean = text if text.isprintable() else _CONTROLS.sub("", text)
    return clean.translate(_ESCAPED)


def marks_to_html(escaped: str, resolve: Resolve) -> str:
    """The marks of an escaped text as elements; a link to nowhere is just its words."""

    def anchor(match: re.Match[str]) -> str:
        address = resolve(match[1].replace("&amp;", "&"))
        return match[2] if address is None else f'<a href="{escape(address)}">{match[2]}</a>'

    if not _MARKS.search(escaped):
        return escaped
    return _LINKS.sub(anchor, escaped).translate(_AS_HTML)


def to_html(text: str, resolve: Resolve) -> str:
    return marks_to_html(escape(text), resolve)


def to_markdown(text: str, resolve: Resolve) -> str:
    """The marks as Markdown; what would be Markdown by accident is escaped."""

    def anchor(match: re.Match[str]) -> str:
        address = resolve(match[1])
        return match[2] if address is None else f"[{match[2]}]({address})"

    text = re.sub(r"([\\*_`\[\]<>|])", r"\\\1", text)
    return _LINKS.sub(anchor, text).translate(_AS_MARKDOWN)
