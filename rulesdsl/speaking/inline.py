"""Marked text: what a line of the handbook says, before it is known what it is written for.

Marks are characters of Unicode's private area, which no other module knows. Words of an author go through
`said`, which takes such characters out of them. `rendered` writes marked text in one of several forms: HTML,
Markdown, Typst, a terminal.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

_LINK, _TEXT, _END = "\ue000", "\ue001", "\ue002"
_STRONG, _NOT_STRONG = "\ue003", "\ue004"
_EM, _NOT_EM = "\ue005", "\ue006"
_CODE, _NOT_CODE = "\ue007", "\ue008"
_INS, _NOT_INS = "\ue00c", "\ue00d"
_DEL, _NOT_DEL = "\ue00e", "\ue00f"
_MARKS = re.compile("[\ue000-\ue00f]")
_LINKS = re.compile(f"{_LINK}([^{_LINK}{_TEXT}{_END}]*){_TEXT}([^{_LINK}{_TEXT}{_END}]*){_END}")
# Every mark but links, by the element of HTML it becomes.
MARKUP = {
    "strong": (_STRONG, _NOT_STRONG), "em": (_EM, _NOT_EM), "code": (_CODE, _NOT_CODE),
    "ins": (_INS, _NOT_INS), "del": (_DEL, _NOT_DEL),
}  # fmt: skip
LINK_BEGINS = f"(?:{_LINK}[^{_TEXT}]*{_TEXT})?"  # before the first word of a text, if it is a link
FIRST_ARTICLE = re.compile(f"^({LINK_BEGINS})(?:the|its) ")  # also inside a link
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
    while at < len(text) and (text[at] == "“" or _MARKS.match(text[at])):
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


@dataclass(frozen=True)
class Form:
    """What marked text becomes: how its words are written, a link, and what stands around each style."""

    escape: Callable[[str], str]
    link: Callable[[str, str], str]  # where it leads, its words as they are written
    styles: Mapping[str, tuple[str, str]]

    @cached_property
    def signs(self) -> dict[int, str]:
        pairs = ((MARKUP[name][n], self.styles[name][n]) for name in MARKUP for n in (0, 1))
        return {ord(mark): sign for mark, sign in pairs}


def rendered(text: str, form: Form) -> str:
    """Marked text in one form: the one place where marks become anything."""
    if not _MARKS.search(text):
        return form.escape(text)
    parts, at = [], 0
    for match in _LINKS.finditer(text):
        parts += [form.escape(text[at : match.start()]), form.link(match[1], form.escape(match[2]))]
        at = match.end()
    parts.append(form.escape(text[at:]))
    return "".join(parts).translate(form.signs)


_ELEMENTS = {name: (f"<{name}>", f"</{name}>") for name in MARKUP}
_IN_MARKDOWN = {**_ELEMENTS, "strong": ("**", "**"), "em": ("*", "*"), "code": ("`", "`")}


def _anchor(resolve: Resolve) -> Callable[[str, str], str]:
    """A link in HTML; one to nowhere is just its words."""

    def anchor(target: str, words: str) -> str:
        address = resolve(target)
        return words if address is None else f'<a href="{escape(address)}">{words}</a>'

    return anchor


def marks_to_html(escaped: str, resolve: Resolve) -> str:
    """The marks of a text that is HTML already."""
    anchor = _anchor(resolve)
    return rendered(escaped, Form(str, lambda to, words: anchor(to.replace("&amp;", "&"), words), _ELEMENTS))


def to_html(text: str, resolve: Resolve) -> str:
    return rendered(text, Form(escape, _anchor(resolve), _ELEMENTS))


def to_markdown(text: str, resolve: Resolve) -> str:
    """The marks as Markdown; what would be Markdown by accident is escaped."""

    def anchor(target: str, words: str) -> str:
        address = resolve(target)
        return words if address is None else f"[{words}]({address})"

    return rendered(text, Form(_escaped_markdown, anchor, _IN_MARKDOWN))


def _escaped_markdown(text: str) -> str:
    return re.sub(r"([\\*_`\[\]<>|])", r"\\\1", text)


# ---- marked text, word by word -----------------------------------------------------------------------
# A link is one word; marks of strong and slanted text are words of their own, so that no element is torn.
_WORDS = re.compile("\ue000[^\ue002]*\ue002|[\ue003-\ue008]|\\s+|[−+-]?[\\w’'/]+|[^\\w\\s\ue000-\ue008]")
_STYLE = re.compile("[\ue003-\ue008]")
NOT_WORDS = f"{_LINK}[^{_TEXT}]*{_TEXT}|{_CODE}[^{_NOT_CODE}]*{_NOT_CODE}"  # targets of links, and code


def words_of(text: str) -> list[str]:
    return _WORDS.findall(text)


def is_style(word: str) -> bool:
    return _STYLE.fullmatch(word) is not None


def replaced_once(text: str, word: str, shown: str) -> str:
    """A word that stands by itself, and has no mark yet, the first time it comes."""
    return re.sub(rf"(?<![\w\ue000-\ue00f]){re.escape(word)}(?!\w)", lambda _: shown, text, count=1)
