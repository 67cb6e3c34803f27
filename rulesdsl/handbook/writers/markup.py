"""Markdown of rulebooks as HTML: headings, lists, tables, quotes, code, emphasis, links.

Small on purpose and safe by construction: every character is escaped before an element is written, so nothing
an author writes can become an element, a script or an address other than http, https and mailto.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulesdsl.speaking.inline import Resolve, escape, marks_to_html

_HEADING = re.compile(r"(#{1,6})\s+(\S.*)")
_FENCE = re.compile(r" {0,3}(```+|~~~+)")
_ITEM = re.compile(r"(?P<indent> *)(?P<mark>[-*+]|\d{1,9}[.)])(?P<space> +)(?P<text>.*)")
_RULE = re.compile(r" {0,3}(?:-{3,}|\*{3,}|_{3,})\s*")
_DIVIDER = re.compile(r"\s*\|?\s*:?-{1,}:?\s*(?:\|\s*:?-{1,}:?\s*)*\|?\s*")
_SAFE = re.compile(r"(?:https?://|mailto:)[^\s\"<>]+")
_CODE = re.compile(r"(`+)(.+?)(?<!`)\1(?!`)")
_LINK = re.compile(r"\[([^\[\]]+)\]\(([^()\s]+)\)")
_EMPHASIS = (
    (re.compile(r"\*\*(?=\S)(.+?)(?<=\S)\*\*"), "strong"),
    (re.compile(r"(?<!\w)__(?=\S)(.+?)(?<=\S)__(?!\w)"), "strong"),
    (re.compile(r"\*(?=\S)([^*]+?)(?<=\S)\*"), "em"),
    (re.compile(r"(?<!\w)_(?=\S)([^_]+?)(?<=\S)_(?!\w)"), "em"),
)


def markdown_to_html(text: str, resolve: Resolve, level: int = 3) -> str:
    """A text as HTML; its headings begin at `level`, below those of the page."""
    return "\n".join(_blocks(text.replace("\r", "").expandtabs(4).split("\n"), resolve, level))


def _blocks(lines: list[str], resolve: Resolve, level: int) -> Iterator[str]:
    at = 0
    while at < len(lines):
        line = lines[at]
        if not line.strip():
            at += 1
        elif fence := _FENCE.match(line):
            end = next((n for n in range(at + 1, len(lines)) if lines[n].strip() == fence[1]), len(lines))
            yield f"<pre><code>{escape(chr(10).join(lines[at + 1 : end]))}</code></pre>"
            at = end + 1
        elif heading := _HEADING.match(line):
            size = min(6, level + len(heading[1]) - 1)
            yield f"<h{size}>{inline(heading[2].rstrip('# '), resolve)}</h{size}>"
            at += 1
        elif _RULE.fullmatch(line):
            yield "<hr>"
            at += 1
        elif line.lstrip().startswith(">"):
            end = _while(lines, at, lambda row: row.lstrip().startswith(">"))
            quoted = [re.sub(r"^ *> ?", "", row) for row in lines[at:end]]
            yield "<blockquote>" + "\n".join(_blocks(quoted, resolve, level)) + "</blockquote>"
            at = end
        elif (
            "|" in line and at + 1 < len(lines) and "|" in lines[at + 1] and _DIVIDER.fullmatch(lines[at + 1])
        ):
            end = _while(lines, at, lambda row: "|" in row)
            yield _table(lines[at], lines[at + 2 : end], resolve)
            at = end
        elif _ITEM.fullmatch(line):
            end = _end_of_list(lines, at)
            yield _list(lines[at:end], resolve, level)
            at = end
        else:
            end = at + 1
            while end < len(lines) and not _begins_block(lines[end]):
                end += 1
            words = " ".join(row.strip() for row in lines[at:end])
            yield f"<p>{inline(words, resolve)}</p>"
            at = end


def _while(lines: list[str], at: int, holds: object) -> int:
    assert callable(holds)
    while at < len(lines) and holds(lines[at]):
        at += 1
    return at


def _begins_block(line: str) -> bool:
    item = _ITEM.fullmatch(line)
    return (
        not line.strip() or bool(_FENCE.match(line) or _HEADING.match(line)) or line.lstrip().startswith(">")
        or (item is not None and item["mark"] in "-*+1.1)")
    )  # fmt: skip


def _end_of_list(lines: list[str], at: int) -> int:
    """After the last line that is an item, is indented, or goes on with an item's text."""
    blank = False
    while at < len(lines):
        line = lines[at]
        if line.strip() and blank and not line.startswith(" ") and not _ITEM.fullmatch(line):
            break
        if line.strip() and not line.startswith(" ") and not _ITEM.fullmatch(line) and _begins_block(line):
            break
        blank = not line.strip()
        at += 1
    return at


def _list(lines: list[str], resolve: Resolve, level: int) -> str:
    first = _ITEM.fullmatch(lines[0])
    assert first is not None
    margin = len(first["indent"])
    items: list[list[str]] = []
    inner = 0
    for line in lines:
        item = _ITEM.fullmatch(line)
        if item is not None and len(item["indent"]) <= margin:
            inner = len(item["indent"]) + len(item["mark"]) + len(item["space"])
            items.append([item["text"]])
        else:
            items[-1].append(line[inner:] if not line[:inner].strip() else line.lstrip())
    name = "ol" if first["mark"][0].isdigit() else "ul"
    number = first["mark"][:-1]
    start = f' start="{int(number)}"' if name == "ol" and int(number) != 1 else ""
    return (
        f"<{name}{start}>"
        + "".join(f"<li>{_item(item, resolve, level)}</li>" for item in items)
        + f"</{name}>"
    )


def _item(lines: list[str], resolve: Resolve, level: int) -> str:
    inside = list(_blocks(lines, resolve, level))
    if inside and inside[0].startswith("<p>") and "" not in lines[:-1]:
        inside[0] = inside[0].removeprefix("<p>").removesuffix("</p>")
    return "".join(inside)


def _table(head: str, rows: list[str], resolve: Resolve) -> str:
    def cells(row: str, element: str) -> str:
        parts = re.split(r"(?<!\\)\|", row.strip().removeprefix("|").removesuffix("|"))
        return "".join(f"<{element}>{inline(part.strip(), resolve)}</{element}>" for part in parts)

    body = "".join(f"<tr>{cells(row, 'td')}</tr>" for row in rows)
    top = f"<thead><tr>{cells(head, 'th')}</tr></thead>"
    return f'<div class="scroll"><table>{top}<tbody>{body}</tbody></table></div>'


def inline(text: str, resolve: Resolve) -> str:
    """One line: code, links, emphasis; everything else is text."""
    kept: list[str] = []

    def keep(made: str) -> str:
        kept.append(made)
        return f"\uf8ff{len(kept) - 1}\uf8ff"

    def address(match: re.Match[str]) -> str:
        words, to = match[1], match[2]
        if not _SAFE.fullmatch(to.replace("&amp;", "&")):
            return words
        return keep(f'<a href="{to}" rel="noreferrer">') + words + keep("</a>")

    text = text.replace("\uf8ff", "")
    text = _CODE.sub(lambda m: keep(f"<code>{escape(m[2].strip())}</code>"), text)
    text = re.sub(r"\\([\\`*_{}\[\]()#+\-.!|<>])", lambda m: keep(escape(m[1])), text)
    text = _LINK.sub(address, escape(text))
    for pattern, element in _EMPHASIS:
        text = pattern.sub(lambda m, e=element: f"<{e}>{m[1]}</{e}>", text)  # type: ignore[misc]
    text = re.sub("\uf8ff(\\d+)\uf8ff", lambda m: kept[int(m[1])], text)
    return marks_to_html(text, resolve)
