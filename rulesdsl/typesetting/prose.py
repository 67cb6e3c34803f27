"""The author's Markdown as Typst, by way of the few elements that `handbook.markup` makes of it."""

from __future__ import annotations

from html.parser import HTMLParser

from rulesdsl.handbook.writers.markup import markdown_to_html
from rulesdsl.typesetting.marks import Known, escaped, quoted

_INLINE = {"strong": "#strong[", "em": "#emph[", "code": "#raw-words[", "ins": "#came[", "del": "#gone["}


def prose_to_typst(text: str, known: Known) -> str:
    """Paragraphs, lists and tables; targets of links are kept as they are until here."""
    reader = _Reader(known)
    reader.feed(markdown_to_html(text, lambda target: f"target:{target}" if known(target) else None, 4))
    reader.close()
    return "".join(reader.parts).strip()


class _Reader(HTMLParser):
    """Well-formed HTML of our own making, element by element."""

    def __init__(self, known: Known) -> None:
        super().__init__()
        self.known = known
        self.parts: list[str] = []
        self.closing: list[str] = []
        self.columns = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        begin, end = self._element(tag, dict(attrs))
        self.parts.append(begin)
        if tag not in ("hr", "br"):
            self.closing.append(end)

    def handle_endtag(self, tag: str) -> None:
        self.parts.append(self.closing.pop())
        if tag == "table":
            # The number of columns is known only now.
            at = max(n for n, part in enumerate(self.parts) if part == "#paper-table(columns: ?, ")
            cells = "".join(self.parts[at:]).partition("</tr>")[0].count("[#cell[") or 1
            self.parts[at] = f"#paper-table(columns: {cells}, "
            self.parts = [part.replace("</tr>", "") for part in self.parts]

    def handle_data(self, data: str) -> None:
        if data.strip() or self.closing:
            self.parts.append(escaped(data))

    def _element(self, tag: str, attrs: dict[str, str | None]) -> tuple[str, str]:
        if tag in _INLINE:
            return _INLINE[tag], "]"
        match tag:
            case "a":
                target = (attrs.get("href") or "").removeprefix("target:")
                return (f"#link(label({quoted(target)}))[", "]") if self.known(target) else ("", "")
            case "p":
                return "#par[", "]\n\n"
            case "ul":
                return "#list(", ")\n\n"
            case "ol":
                return f"#enum(start: {int(attrs.get('start') or 1)}, ", ")\n\n"
            case "li":
                return "[", "],"
            case "blockquote":
                return "#quote(block: true)[", "]\n\n"
            case "pre":
                return "#block[", "]\n\n"
            case "table":
                return "#paper-table(columns: ?, ", ")\n\n"
            case "th" | "td":
                return "[#cell[", "]],"
            case "tr":
                return "", "</tr>"
            case "hr":
                return "#line(length: 100%, stroke: 0.4pt)\n\n", ""
            case _ if tag[0] == "h" and tag[1:].isdigit():
                return "#par[#strong[", "]]\n\n"
            case _:
                return "", ""
