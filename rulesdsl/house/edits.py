"""One change to one thing, resolved against the printed game: what it touches, and how it is made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from rulesdsl.base.diagnostics import Diagnostic
from rulesdsl.base.source import Span
from rulesdsl.book.changes import Change
from rulesdsl.book.entries import Value
from rulesdsl.book.loader import GameSource
from rulesdsl.language import syntax as sx
from rulesdsl.language.syntax import amendments as ax

if TYPE_CHECKING:
    from rulesdsl.house.draft import Draft
    from rulesdsl.house.resolving.cells import Region

Key = tuple[str, ...]
MOMENT = "moment"  # of a trigger: a house rule may have several for one, in the order it writes them


@dataclass(frozen=True, slots=True)
class Edit:
    """`keys` name what is touched: two edits with a key in common clash. Cells of tables overlap instead."""

    rule: ax.HouseRule
    section: ax.Section
    span: Span
    keys: frozenset[Key]
    what: str  # in words: `"strength" of "g606"`
    apply: Callable[[Draft], None] = field(compare=False)
    changes: tuple[Change, ...] = ()
    region: Region | None = None


@dataclass(slots=True)
class Resolving:
    """What resolvers share: the printed game, the paragraphs that will exist, and the problems so far."""

    source: GameSource
    paragraphs: dict[str, sx.Paragraph]  # printed ones and those that house rules insert
    classes: list[sx.ClassDecl]
    rewritten: frozenset[str] = frozenset()  # paragraphs that some house rule replaces or repeals
    problems: list[Diagnostic] = field(default_factory=list)
    rule: ax.HouseRule = field(init=False)
    section: ax.Section = field(init=False)

    def standing(self, but: str) -> list[sx.Paragraph]:
        """The paragraphs whose statements stay: what a rewritten one declared may be declared elsewhere.

        Not so `but`, the one that is amended: whoever rewrites that clashes, and that is what is told.
        """
        return [p for p in self.paragraphs.values() if p.id == but or p.id not in self.rewritten]

    def problem(
        self, code: str, message: str, span: Span, help: str = "", also: tuple[tuple[str, Span], ...] = ()
    ) -> None:
        where = f"{self.section.verb} {self.section.paragraph}"
        self.problems.append(Diagnostic(code, message, span, where, help, also))

    def no_change(self, what: str, value: str, span: Span) -> None:
        where = f"{self.section.verb} {self.section.paragraph}"
        message = f"this changes nothing: {what} is {value} already"
        self.problems.append(Diagnostic("house-no-change", message, span, where, severity="warning"))

    def change(self, kind: str, subject: str, part: str, before: str, after: str, span: Span) -> Change:
        verb = "inserts" if self.section.verb == "after" else self.section.verb
        return Change(
            verb=verb,
            kind=kind,
            subject=subject,
            part=part,
            before=before,
            after=after,
            paragraph=self.section.paragraph,
            house=self.rule.name,
            title=self.rule.title,
            span=span,
        )

    @property
    def provenance(self) -> str:
        """What the data say as the source of a value that this house rule gave."""
        return f"house: {self.rule.title}"


def constant(written: sx.Expr) -> Value:
    """A value of a house rule as the data files would have given it."""
    match written:
        case sx.Number(value=number):
            return _whole(number)
        case sx.Negative(value=sx.Number(value=number)):
            return _whole(-number)
        case sx.Arithmetic("/", above, sx.Number(value=below)):
            over = constant(above)
            return _whole(Fraction(over) / below) if isinstance(over, int | Fraction) and below else 0
        case sx.Name(id=word):
            return {"true": True, "false": False}.get(word, word)
        case sx.Text(value=text):
            return text
        case sx.Numbered(number=name):
            return name
        case _:
            pass  # no value of a data file
    raise AssertionError(f"no constant: {type(written).__name__}")


def zero_below(written: sx.Expr) -> bool:
    """`2/0`, which is no value of anything."""
    return isinstance(written, sx.Arithmetic) and written.right == sx.Number(Fraction(0))


def constants(written: tuple[sx.Expr, ...]) -> Value:
    """One value, or a list."""
    if len(written) == 1:
        return constant(written[0])
    values = (constant(one) for one in written)
    return tuple(v for v in values if not isinstance(v, tuple))


def shown(value: object) -> str:
    """A value of the data files as a house rule would write it."""
    match value:
        case None:
            return "nothing"
        case bool():
            return "true" if value else "false"
        case tuple():
            return ", ".join(shown(one) for one in value)
        case _:
            return str(value)


def place(values: tuple[sx.Expr, ...]) -> Span:
    return values[0].span.to(values[-1].span)


def _whole(value: Fraction) -> int | Fraction:
    return value.numerator if value.denominator == 1 else value
