"""The world while it is being built."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field

from rulesdsl.base.diagnostics import Diagnostic
from rulesdsl.base.lightclass import dataclass
from rulesdsl.base.source import Span
from rulesdsl.book.loader import GameSource
from rulesdsl.language import syntax as sx
from rulesdsl.program.types import Type, named
from rulesdsl.program.world import Attribute, Back, EnumInfo, Series, Universe

RuleOf = tuple[str, sx.Rule]  # paragraph and statement


@dataclass(slots=True)
class Draft:
    """The world while it is being built."""

    source: GameSource
    rules: list[RuleOf]
    problems: list[Diagnostic] = field(default_factory=list)
    universes: dict[str, Universe] = field(default_factory=dict)
    nouns: dict[str, tuple[str, str]] = field(default_factory=dict)
    plurals: set[str] = field(default_factory=set)
    noun_spans: dict[str, Span] = field(default_factory=dict)
    enums: dict[str, EnumInfo] = field(default_factory=dict)
    attributes: dict[tuple[str, str], Attribute] = field(default_factory=dict)
    undeclared: set[str] = field(default_factory=set)  # universes with a class that no rule declares
    groups: dict[str, str] = field(default_factory=dict)
    series: dict[tuple[str, str], Series] = field(default_factory=dict)
    backs: dict[str, Back] = field(default_factory=dict)
    stack: str = ""
    lacking: dict[str, Diagnostic] = field(default_factory=dict)  # what was told of values not given
    missed: set[str] = field(default_factory=set)  # names whose absence has been told

    def problem(
        self, code: str, message: str, span: Span, paragraph: str = "", help: str = "",
        also: tuple[tuple[str, Span], ...] = (), about: Iterable[str | Type] = (),
    ) -> None:  # fmt: skip
        self.problems.append(Diagnostic(code, message, span, paragraph, help, also, about=named(about)))
