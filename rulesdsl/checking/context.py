"""What the checks share: the world, the signatures of everything declared, and the problems so far."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import field
from difflib import get_close_matches
from typing import TYPE_CHECKING, Protocol

from rulesdsl import program as pg
from rulesdsl.base import fixes
from rulesdsl.base.diagnostics import Diagnostic, did_you_mean, meant, nearest_word
from rulesdsl.base.fixes import Advice
from rulesdsl.base.lightclass import dataclass
from rulesdsl.base.source import Span
from rulesdsl.book.tables.table import Table
from rulesdsl.checking.names.near_names import keywords_like, place_of, word_in
from rulesdsl.language import syntax as sx
from rulesdsl.program.types import UNKNOWN, Type, named, set_of, thing
from rulesdsl.program.world import World

if TYPE_CHECKING:
    from rulesdsl.checking.remembering import Recollection

FEW_NAMES = 8  # that are listed where none is near to the one that is unknown


@dataclass(frozen=True, slots=True)
class Probed:
    """What could stand in a place: the names that are known there, the variables, the type that is wanted."""

    what: str
    known: tuple[str, ...]
    scope: Scope | None
    wanted: Type | None


class Bodies(Protocol):
    """The checks of bodies that ask each other over a tree: an expression holds phrases, a phrase conditions,
    a condition names a define whose body is an expression. Those further down ask by way of the context, so
    that modules need each other in one direction only."""

    def expression(self, ctx: Context, scope: Scope, node: sx.Expr, wanted: Type | None = None) -> pg.E: ...
    def condition(self, ctx: Context, scope: Scope, node: sx.Expr) -> pg.E: ...
    def number(self, ctx: Context, scope: Scope, node: sx.Expr) -> pg.E: ...
    def group(self, ctx: Context, scope: Scope, node: sx.Expr, universe: str = "", of: str = "") -> pg.E: ...
    def fitting(self, ctx: Context, scope: Scope, node: sx.Expr, wanted: Type) -> pg.E: ...
    def params_of(self, ctx: Context, name: str) -> tuple[pg.Var, ...]: ...
    def resolve_define(self, ctx: Context, name: str) -> pg.DefineRule: ...
    def quantity_type(self, ctx: Context, name: str) -> Type: ...


@dataclass(slots=True)
class Context:
    """Passed through all checks. `rule` is the paragraph that is being looked at."""

    world: World
    tables: Mapping[str, Table]
    titles: Mapping[str, str]
    bodies: Bodies
    problems: list[Diagnostic] = field(default_factory=list)
    paragraph: str = ""
    defines: dict[str, tuple[str, sx.Define]] = field(default_factory=dict)
    quantities: dict[str, tuple[str, sx.Quantity]] = field(default_factory=dict)
    actions: dict[str, tuple[str, sx.Action]] = field(default_factory=dict)
    routes: dict[str, tuple[str, sx.Route]] = field(default_factory=dict)
    procedures: dict[str, tuple[str, sx.Procedure]] = field(default_factory=dict)
    windows: dict[str, tuple[str, sx.Window]] = field(default_factory=dict)
    tokens: dict[str, tuple[str, sx.Token]] = field(default_factory=dict)
    settings: dict[str, pg.SettingRule] = field(default_factory=dict)
    # the defines that find a value of a series (`stock: number per resource`), by their names
    of_series: dict[str, pg.DefineRule] = field(default_factory=dict)
    resolved: dict[str, pg.DefineRule] = field(default_factory=dict)
    resolving: list[str] = field(default_factory=list)
    params: dict[str, tuple[pg.Var, ...]] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    unread: frozenset[str] = frozenset()
    missed: set[str] = field(default_factory=set)
    # What is looked at will be looked at again: nothing is told, nothing is noted.
    silent: bool = False
    compared: int = 0  # pairs of lines that change the same quantity
    doing: str = ""  # the procedure that is being looked at
    done: dict[str, set[str]] = field(default_factory=dict)  # which procedures a procedure does
    memory: Recollection | None = None  # of earlier checks of the same game
    held_back: int = 0  # messages that were not told because of another one
    probe: str = ""  # a made-up name: whoever misses it tells here what could stand in its place
    probed: list[Probed] = field(default_factory=list)
    tainted: set[str] = field(default_factory=set)  # whose parameters were complained about

    def problem(
        self,
        code: str,
        message: str,
        span: Span,
        help: str = "",
        also: tuple[tuple[str, Span], ...] = (),
        warning: bool = False,
        about: Iterable[str | Type] = (),
    ) -> None:
        help = Advice(help, *(help.makings if isinstance(help, Advice) else ()), _once)
        title = self.titles.get(self.paragraph, "")
        where = f'{self.paragraph} "{title}"' if title else self.paragraph
        self.problems.append(
            Diagnostic(
                code=code,
                message=message,
                span=span,
                paragraph=where,
                help=help,
                also=also,
                severity="warning" if warning else "error",
                about=named(about),
            )
        )

    def unknown(
        self, what: str, name: str, span: Span, known: Iterable[str], scope: Scope | None = None,
        code: str = "unknown-name", wanted: Type | None = None,
    ) -> str:  # fmt: skip
        """A name that means nothing here, told once; the nearest one that does, if there is one."""
        if self.probe and name == self.probe:
            self.probed.append(Probed(what, tuple(known), scope, wanted))
            return ""
        of_series, _, _ = name.partition(" of ")  # `stock of wool`, where `stock` itself is missed
        if (
            self.probe
            or self.silent
            or not {name, of_series}.isdisjoint(self.missed)
            or any(word.startswith(name) for word in self.unread)
        ):
            self.held_back += 1
            # nobody asked; or reported before, or what declares it cannot be read (words may run together)
            return ""
        self.missed.add(name)
        span, names = word_in(span, name), sorted(set(known))
        near = nearest_word(name, names)
        place = place_of(self, near, scope) if near else None
        also = (("the nearest name stands here", place),) if place is not None and place != span else ()
        help_ = _meant(name, near, names)
        if what == "nothing is called" and name == "it":
            help_ = _NO_MEMBER
        elif what == "nothing is called" and not help_ and name.isidentifier():
            help_ = f"define it, such as `define {name} = …`"
        makings = [*(help_.makings if isinstance(help_, Advice) else ()), *_other_ways(name, names, scope)]
        if place is not None:  # or it is the declaration that is misspelt
            makings.insert(1, fixes.at(place, name))
        help_ = Advice(str(help_), *makings)
        self.problem(code, f'{what} "{name}"', span, help_, also, about=(name,))
        return near

    def mismatch(self, wanted: str | Type, given: Type, span: Span) -> None:
        """Something of another type than is wanted: a type, or words for several."""
        if given.kind != "unknown":
            message = (
                f"this should be {wanted if isinstance(wanted, str) else f'a {wanted}'}, but it is a {given}"
            )
            about = (given,) if isinstance(wanted, str) else (wanted, given)
            hint = _way_to(str(wanted), given, span.text)
            self.problem("type-mismatch", message, span, hint, about=about)

    def callables(self) -> list[str]:
        return [*self.defines, *self.quantities, *self.routes, *self.actions]


@dataclass(slots=True)
class Scope:
    """The variables that may be used here. Inner scopes see outer ones."""

    names: dict[str, pg.Var] = field(default_factory=dict)
    parent: Scope | None = None
    in_route: bool = False

    def find(self, name: str) -> pg.Var | None:
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.parent
        return None

    @property
    def route(self) -> bool:
        return self.in_route or (self.parent is not None and self.parent.route)

    def inner(self, *variables: tuple[str, pg.Var]) -> Scope:
        return Scope(dict(variables), self)

    def bind(self, name: str, type_: Type, span: Span | None = None) -> pg.Var:
        var = pg.Var(name, type_, span)
        self.names[name] = var
        return var

    def all_names(self) -> list[str]:
        return [*self.names, *(self.parent.all_names() if self.parent else ())]


def type_of_word(ctx: Context, word: str) -> Type | None:
    """The type a parameter has by its mere name: `unit`, `zones`, `side`, `number`."""
    world = ctx.world
    if word in world.nouns:
        universe, cls = world.nouns[word]
        return set_of(universe, cls) if word in world.plurals else thing(universe, cls)
    if word in world.enums:
        return Type("enum", word)
    return {"number": Type("number"), "flag": Type("flag"), "text": Type("text")}.get(word)


def written_type(ctx: Context, written: sx.Type, name: str) -> Type:
    """The type an author wrote for a parameter."""
    if written.low is not None:
        return Type("number", low=written.low, high=written.high)
    parts = [p for p in written.parts if p != "none"]
    found = type_of_word(ctx, parts[0]) if parts else None
    if found is None:
        known = [*ctx.world.nouns, *ctx.world.enums, "number", "flag", "text"]
        ctx.problem(
            "unknown-type",
            f'there is no type "{parts[0] if parts else name}"',
            written.span,
            did_you_mean(parts[0] if parts else name, known),
            about=(parts[0] if parts else name,),
        )
        return UNKNOWN
    if len(parts) > 1 and found.kind == "thing":
        found = thing(found.name)
    if written.is_set and found.kind == "thing":
        return set_of(found.name, found.of)
    return found.or_none() if "none" in written.parts else found


def declare_params(ctx: Context, params: tuple[sx.Param, ...]) -> tuple[pg.Var, ...]:
    """Variables for parameters; a parameter named like a class has that class."""
    found: list[pg.Var] = []
    for param in params:
        if any(param.name == other.name for other in found):
            ctx.problem("duplicate-name", f'two parameters are called "{param.name}"', param.span,
                        f"write `other: {param.name}` for the second", about=(param.name,))  # fmt: skip
        type_ = written_type(ctx, param.type, param.name) if param.type else type_of_word(ctx, param.name)
        if type_ is None:
            near = nearest_word(param.name, [*ctx.world.nouns, *ctx.world.enums])
            ctx.problem(
                "untyped-parameter",
                f'the type of "{param.name}" is not known',
                param.span,
                meant(near, param.name)
                if near
                else Advice(
                    f"write `{param.name}: number`, or name it after a class",
                    fixes.word(param.name, f"{param.name}: number"),
                ),
                about=(param.name,),
            )
            ctx.missed.add(near)  # whoever uses the right word in the body has made no second mistake
            type_ = UNKNOWN
        found.append(pg.Var(param.name, type_, param.span))
    return tuple(found)


def _other_ways(name: str, names: list[str], scope: Scope | None) -> list[fixes.Making]:
    """Less likely than the nearest name: others like it, or two words that ran together."""
    likely = get_close_matches(name, names, n=4, cutoff=0.7)
    known = [word for word in (scope.all_names() if scope is not None else ()) if len(word) > 1]
    apart = [f"{word}{sign}{name[len(word) :]}" for word in known if name.startswith(word) for sign in ". "]
    return [fixes.word(name, other) for other in (*likely, *apart[:6])]


def _once(span: Span) -> fixes.Fix | None:
    """The place without a word that stands there twice in a row."""
    line = span.file.line(span.line)
    for found in re.finditer(r"\b(\w+)(\s+\1)\b", line):
        if found.start() < span.end_column and found.end() >= span.column - 1:
            place = Span(span.file, span.line, found.start(2) + 1, span.line, found.end(2) + 1)
            return fixes.Fix(f"write “{found[1]}” once", (fixes.Edit(place, ""),))
    return None


def scope_of(params: Iterable[pg.Var]) -> Scope:
    return Scope({var.name: var for var in params})


_NO_MEMBER = (
    "`it` is the member of a set, inside `where` and `with`; what holds for the whole game is defined, "
    "such as `define night = remainder(turn, 2) = 0`, and asked as `night`"
)


def _meant(name: str, near: str, names: list[str]) -> str:
    """The name that was likely meant, or the words of the language, or all there are when they are few."""
    if likely := (near,) if near else keywords_like(name):
        words = " or ".join(f'"{word}"' for word in likely)
        return Advice(f"did you mean {words}?", *fixes.either(likely, name))
    return f"there are {', '.join(names)}" if 1 < len(names) <= FEW_NAMES else ""


def _way_to(wanted: str, given: Type, text: str) -> str:
    """From a piece to the space it stands in, and from a space to the pieces in it."""
    word = text if text.isidentifier() else "…"
    wanted = wanted.removeprefix("a ")
    if wanted.startswith("space") and given.kind == "thing" and given.name == "piece":
        return f"the space it stands in is `{word}.at`"
    if wanted.startswith("piece") and given.kind == "thing" and given.name == "space":
        return f"the pieces in it are said like this: `for each unit in {word}: …`"
    return ""
