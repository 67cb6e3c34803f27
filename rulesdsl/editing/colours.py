"""What kind of word stands where, for colours: keywords, names by what they mean, texts, numbers, remarks."""

from __future__ import annotations

import re
from pathlib import Path

from rulesdsl.base.lightclass import dataclass
from rulesdsl.base.source import SourceFile
from rulesdsl.editing.desk import Desk
from rulesdsl.editing.outline import fences

# The kinds the Language Server Protocol knows, in the order of our legend.
LEGEND = (
    "keyword", "function", "variable", "parameter", "property", "enumMember", "class", "enum",
    "string", "number", "comment", "operator", "event", "type", "namespace", "macro",
)  # fmt: skip
_OF_SYMBOL = {
    "define": "function", "quantity": "function", "action": "event", "route": "function",
    "procedure": "function", "window": "event", "token": "event", "setting": "macro", "track": "variable",
    "record": "type", "field": "property", "noun": "class", "attribute": "property", "enum": "enum",
    "value": "enumMember", "thing": "namespace", "table": "type", "column": "property",
    "paragraph": "number", "variable": "parameter", "scenario": "namespace",
}  # fmt: skip
_TOKEN = re.compile(
    r'(?P<comment>#[^\n]*)|(?P<string>"[^"\n]*"?)|(?P<number>\d+(?:[.:\-]\d+)*[a-z]?|\d+d\d+)|(?P<word>[A-Za-z_]\w*)'
    r"|(?P<operator>[<>!]=|[-+*/=<>×])"
)


@dataclass(frozen=True, slots=True)
class Coloured:
    """Line and column from 1."""

    line: int
    column: int
    length: int
    kind: str
    declares: bool = False


def colours(desk: Desk, path: Path) -> list[Coloured]:
    """Every word of the blocks of a file in order; of a data file the names of the rules."""
    names = {}
    for one in desk.occurrences(path):
        kind = _OF_SYMBOL[one.symbol.kind]
        names[one.span.line, one.span.column] = Coloured(
            one.span.line, one.span.column, one.span.end_column - one.span.column, kind, one.declares
        )
    if path.suffix == ".yaml":
        return [names[place] for place in sorted(names)]
    found: dict[tuple[int, int], Coloured] = {}
    words = keywords()
    for _, first, text in fences(SourceFile(path, desk.text(path))):
        for offset, row in enumerate(text.split("\n")):
            for token in _TOKEN.finditer(row):
                place = (first + offset, token.start() + 1)
                kind = token.lastgroup or ""
                if kind == "word":
                    if token[0] not in words or place in names:
                        continue
                    kind = "keyword"
                found[place] = Coloured(*place, len(token[0]), kind)
    return [known for _, known in sorted({**found, **names}.items())]


def keywords() -> frozenset[str]:
    """Every word of the language."""
    # only here: who colours files needs no tables of the grammar
    from rulesdsl.base.suggestions import vocabulary
    from rulesdsl.language.parsing.grammar import spellings, words_before_something

    return vocabulary(spellings()) | words_before_something() | {"a", "x"}
