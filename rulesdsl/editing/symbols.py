"""What a word of a game stands for, and the places where it stands for that."""

from __future__ import annotations

from typing import NamedTuple

from rulesdsl.base.lightclass import dataclass
from rulesdsl.base.source import Span

# Kinds of symbols, and how a person calls them.
KINDS = {
    "define": "define", "quantity": "quantity", "action": "action", "route": "route",
    "procedure": "procedure",
        "window": "window", "token": "token", "setting": "setting", "track": "track", "record": "record",
    "field": "field of a record", "noun": "class", "attribute": "attribute", "enum": "enumeration",
    "value": "value", "thing": "thing", "table": "table", "column": "field of a table",
    "paragraph": "paragraph", "variable": "variable", "scenario": "scenario",
}  # fmt: skip


class Symbol(NamedTuple):
    """`name` is unique among its kind: `piece.strength`, `terrain.woods`, `piece:g303`, `combat.die`."""

    kind: str
    name: str

    @property
    def word(self) -> str:
        """What an author writes for it."""
        if self.kind == "variable":
            return self.name.split("@")[0]
        if self.kind == "thing":
            return self.name.split(":", 1)[1]
        return self.name.rpartition(".")[2] if self.kind != "paragraph" else self.name

    def __str__(self) -> str:
        return f"{KINDS[self.kind]} {self.word}"


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One place; `declares` where the symbol comes from."""

    symbol: Symbol
    span: Span
    declares: bool = False

    @property
    def order(self) -> tuple[str, int, int]:
        return (str(self.span.file.path), self.span.line, self.span.column)
