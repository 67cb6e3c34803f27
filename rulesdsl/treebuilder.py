"""From lark's parse tree to our syntax tree: one method per rule of grammar/rules.lark."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from lark import Token as LarkToken
from lark import Transformer, v_args
from lark.tree import Meta

from rulesdsl import syntax as sx
from rulesdsl.source import SourceFile, Span

Children = list[Any]


@v_args(meta=True)
class TreeBuilder(Transformer[LarkToken, Any]):
    """Builds nodes with spans counted in the Markdown file (`first_line` is the chunk's first line)."""

    def __init__(self, file: SourceFile, first_line: int) -> None:
        super().__init__(visit_tokens=False)
        self.file = file
        self.shift = first_line - 1

    # -- places
    def _span(self, meta: Meta) -> Span:
        if meta.empty:
            return Span(self.file, self.shift + 1, 1, self.shift + 1, 2)
        return Span(
            self.file, meta.line + self.shift, meta.column, meta.end_line + self.shift, meta.end_column
        )

    def _token_span(self, token: LarkToken) -> Span:
        line, column = token.line or 1, token.column or 1
        return Span(self.file, line + self.shift, column, line + self.shift, column + len(token))

    # -- components
    def chunk(self, meta: Meta, c: Children) -> sx.Rule:
        rule: sx.Rule = c[0]
        return rule

    def enumeration(self, meta: Meta, c: Children) -> sx.Enumeration:
        kind, name, *values = c
        return sx.Enumeration(str(name), _words(values), str(kind) == "scale", span=self._span(meta))

    def class_decl(self, meta: Meta, c: Children) -> sx.ClassDecl:
        kind = " ".join(str(c[0]).split())
        # `space zone plural zones`: maybe_placeholders leaves None where the plural is absent
        *names, plural = (x for x in c[1:] if not isinstance(x, sx.Attribute))
        attributes = tuple(x for x in c[1:] if isinstance(x, sx.Attribute))
        name = str(names[0]) if names else kind.split()[0]
        plural = None if plural is None else str(plural)
        return sx.ClassDecl(kind.split()[0], name, plural, attributes, span=self._span(meta))

    def attribute(self, meta: Meta, c: Children) -> sx.Attribute:
        printed = isinstance(c[0], LarkToken) and c[0].type == "PRINTED"
        rest = c[1:] if printed else c
        name, type_ = str(rest[0]), rest[1]
        per_face = isinstance(rest[2], LarkToken)
        default, visible = rest[-2], rest[-1]
        return sx.Attribute(name, type_, printed, per_face, default, visible, span=self._span(meta))

    def group_decl(self, meta: Meta, c: Children) -> sx.GroupDecl:
        return sx.GroupDecl(str(c[0]), str(c[1]), str(c[2]), span=self._span(meta))

    def track_decl(self, meta: Meta, c: Children) -> sx.TrackDecl:
        return sx.TrackDecl(str(c[0]), c[1], c[2], c[3], span=self._span(meta))

    def record_decl(self, meta: Meta, c: Children) -> sx.RecordDecl:
        return sx.RecordDecl(str(c[0]), tuple(c[1:]), span=self._span(meta))

    def field(self, meta: Meta, c: Children) -> sx.Param:
        return sx.Param(str(c[0]), c[1], span=self._span(meta))

    def type(self, meta: Meta, c: Children) -> sx.Type:
        span = self._span(meta)
        if isinstance(c[0], sx.Type):  # `set of units` stands alone, `1 to 6 or none` may go on
            first: sx.Type = c[0]
            return sx.Type(first.parts + _words(c[1:]), first.low, first.high, first.is_set, span=span)
        return sx.Type(_words(c), span=span)

    def range_type(self, meta: Meta, c: Children) -> sx.Type:
        return sx.Type((), c[0], c[1], span=self._span(meta))

    def signed(self, meta: Meta, c: Children) -> int:
        return -int(c[1]) if c[0] is not None else int(c[1])

    def set_type(self, meta: Meta, c: Children) -> sx.Type:
        return sx.Type((str(c[0]),), is_set=True, span=self._span(meta))

    # -- meanings
    def define(self, meta: Meta, c: Children) -> sx.Define:
        name = str(c[0])
        params, rest = self._params(c[1:])
        first = sx.Case(rest[0], rest[1], span=rest[0].span)
        return sx.Define(name, params, (first, *rest[2:]), span=self._span(meta))

    def case(self, meta: Meta, c: Children) -> sx.Case:
        condition = c[1] if len(c) > 1 and isinstance(c[1], sx.Node) else None
        return sx.Case(c[0], condition, span=self._span(meta))  # type: ignore[arg-type]

    def _params(self, c: Children) -> tuple[tuple[sx.Param, ...], Children]:
        if c and isinstance(c[0], tuple) and all(isinstance(x, sx.Param) for x in c[0]):
            return c[0], c[1:]
        return (), c  # the clauses of a route are tuples too

    def params(self, meta: Meta, c: Children) -> tuple[sx.Param, ...]:
        return tuple(p for p in c if p is not None)

    def param(self, meta: Meta, c: Children) -> sx.Param:
        return sx.Param(str(c[0]), c[1], span=self._span(meta))

    def dotted(self, meta: Meta, c: Children) -> tuple[str | None, str, Span]:
        span = self._span(meta)
        return (None, str(c[0]), span) if c[1] is None else (str(c[0]), str(c[1]), span)

    def quantity_limits(self, meta: Meta, c: Children) -> dict[str, Any]:
        limits: dict[str, Any] = {}
        for kind, value in c:
            limits[kind] = value
        return limits

    def rounding(self, meta: Meta, c: Children) -> tuple[str, str]:
        return ("rounding", str(c[0]))

    def at_least(self, meta: Meta, c: Children) -> tuple[str, sx.Expr]:
        return ("floor", c[0])

    def at_most(self, meta: Meta, c: Children) -> tuple[str, sx.Expr]:
        return ("ceiling", c[0])

    def quantity(self, meta: Meta, c: Children) -> sx.Quantity:
        record, name, _ = c[0]
        params, rest = self._params(c[1:])
        base, limits, *more = rest
        stages = tuple(str(x) for x in more if isinstance(x, LarkToken))
        contributions = tuple(x for x in more if isinstance(x, sx.Contribution))
        return sx.Quantity(
            record, name, params, base, limits.get("rounding"), limits.get("floor"),
            limits.get("ceiling"), stages, contributions, span=self._span(meta),
        )  # fmt: skip

    def modify(self, meta: Meta, c: Children) -> sx.Modify:
        record, name, span = c[0]
        params, rest = self._params(c[1:])
        return sx.Modify(record, name, params, tuple(rest), span=span)

    def contribution(self, meta: Meta, c: Children) -> sx.Contribution:
        (op, value), rest = c[0], c[1:]
        limits: dict[str, Any] = dict(x for x in rest if isinstance(x, tuple))
        rest = [x for x in rest if not isinstance(x, tuple)]
        label = _unquote(rest[-1])
        refs = tuple(x for x in rest if isinstance(x, sx.RuleRef))
        condition = next((x for x in rest if isinstance(x, sx.Expr)), None)
        return sx.Contribution(
            op, value, limits.get("rounding"), limits.get("floor"), condition, refs, label,
            span=self._span(meta),
        )  # fmt: skip

    def rule_ref(self, meta: Meta, c: Children) -> sx.RuleRef:
        return sx.RuleRef(" ".join(str(x) for x in c), span=self._span(meta))

    # -- permissions
    def action(self, meta: Meta, c: Children) -> sx.Action:
        params, rest = self._params(c[1:])
        return sx.Action(str(c[0]), params, _unquote(rest[0]), span=self._span(meta))

    def actions(self, meta: Meta, c: Children) -> list[tuple[str, Span]]:
        return [(str(x), self._token_span(x)) for x in c]

    def where_clause(self, meta: Meta, c: Children) -> list[str]:
        return [" ".join(str(c[0]).split()), str(c[1])]

    def _permission(self, kind: str, meta: Meta, c: Children) -> sx.Permission:
        names = tuple(n for n, _ in c[0])
        rest = c[1:]
        via = rest.pop(0) if isinstance(rest[0], list) else [None, None]
        condition = next((x for x in rest if isinstance(x, sx.Expr)), None)
        refs = tuple(x for x in rest if isinstance(x, sx.RuleRef))
        return sx.Permission(
            kind, names, via[0], via[1], condition, refs, _unquote(rest[-1]), span=self._span(meta)
        )

    def forbid(self, meta: Meta, c: Children) -> sx.Permission:
        return self._permission("forbid", meta, c)

    def allow(self, meta: Meta, c: Children) -> sx.Permission:
        return self._permission("allow", meta, c)

    def stop(self, meta: Meta, c: Children) -> sx.Permission:
        return self._permission("stop", meta, c)

    def must(self, meta: Meta, c: Children) -> sx.Must:
        rungs = tuple(x for x in c if isinstance(x, sx.Rung))
        return sx.Must(str(c[0]), c[1], _unquote(c[2]), rungs, span=self._span(meta))

    def rung(self, meta: Meta, c: Children) -> sx.Rung:
        return sx.Rung(c[0], c[1], _unquote(c[2]), span=self._span(meta))

    # -- routes
    def route(self, meta: Meta, c: Children) -> sx.Route:
        params, clauses = self._params(c[1:])
        parts: dict[str, Any] = {}
        through: list[tuple[str, sx.Expr | None]] = []
        ending: list[tuple[str, sx.Expr | None]] = []
        preferences: tuple[sx.Preference, ...] = ()
        for clause in clauses:
            match clause:
                case ("through", *value):
                    through.append((value[0], value[1]))
                case ("ending", *value):
                    ending.append((value[0], value[1]))
                case ("prefer", value):
                    preferences = value
                case (key, *value):
                    parts[key] = value
        along = parts.get("along", [None, None])
        return sx.Route(
            str(c[0]), params, parts.get("from", [sx.Name("none", span=self._span(meta))])[0],
            along[0], along[1], parts.get("cost", [None])[0], parts.get("budget", [None])[0],
            parts.get("minimum", [0])[0], parts.get("maximum", [None])[0],
            tuple(through), tuple(ending), "straight" in parts, preferences, parts.get("always", [None])[0],
            parts.get("exactly", [None])[0], span=self._span(meta),
        )  # fmt: skip

    def route_along(self, meta: Meta, c: Children) -> tuple[Any, ...]:
        return ("along", str(c[0]), c[1])

    def route_minimum(self, meta: Meta, c: Children) -> tuple[Any, ...]:
        return ("minimum", int(c[0]))

    def route_through(self, meta: Meta, c: Children) -> tuple[Any, ...]:
        return ("through", str(c[0]), c[1])

    def route_ending(self, meta: Meta, c: Children) -> tuple[Any, ...]:
        return ("ending", str(c[0]), c[1])

    def route_straight(self, meta: Meta, c: Children) -> tuple[Any, ...]:
        return ("straight",)

    def prefer(self, meta: Meta, c: Children) -> tuple[Any, ...]:
        return ("prefer", tuple(c))

    def preference(self, meta: Meta, c: Children) -> sx.Preference:
        return sx.Preference(c[1], _unquote(c[2]), span=self._span(meta))

    # -- sequence of play
    def procedure(self, meta: Meta, c: Children) -> sx.Procedure:
        params, rest = self._params(c[2:])
        if len(rest) == 1:  # params() and block() are both tuples: an empty parameter list was taken
            params, rest = (), [None, *rest]
        return sx.Procedure(
            str(c[0]), str(c[1]), params, _unquote(rest[0]), rest[-1].body, span=self._span(meta)
        )

    def block(self, meta: Meta, c: Children) -> _Body:
        return _Body(tuple(c))

    def trigger(self, meta: Meta, c: Children) -> sx.Trigger:
        return sx.Trigger(c[0], c[1], c[2].body, span=self._span(meta))

    def event_motion(self, meta: Meta, c: Children) -> sx.Event:
        return sx.Event(str(c[1]), str(c[0]), str(c[2]), span=self._span(meta))

    def event_happens(self, meta: Meta, c: Children) -> sx.Event:
        return sx.Event(str(c[1]), str(c[0]), None, span=self._span(meta))

    def event_phase(self, meta: Meta, c: Children) -> sx.Event:
        return sx.Event(str(c[1]), str(c[0]), None, span=self._span(meta))

    def event_changes(self, meta: Meta, c: Children) -> sx.Event:
        return sx.Event("changes", str(c[0]), str(c[1]), span=self._span(meta))

    def window(self, meta: Meta, c: Children) -> sx.Window:
        return sx.Window(str(c[0]), tuple(x for x in c[1:] if x is not None), span=self._span(meta))

    def token(self, meta: Meta, c: Children) -> sx.Token:
        plays = tuple(x for x in c if isinstance(x, sx.PlayIn))
        return sx.Token(str(c[0]), _text(c[1]), plays, c[-1].body, span=self._span(meta))

    def play_in(self, meta: Meta, c: Children) -> sx.PlayIn:
        return sx.PlayIn(str(c[0]), c[1], c[2], span=self._span(meta))

    # -- settings
    def reading(self, meta: Meta, c: Children) -> sx.Reading:
        alternatives = [x for x in c[1:-1] if isinstance(x, tuple)]
        default = next((n for n, is_default in alternatives if is_default), alternatives[0][0])
        names = tuple(n for n, _ in alternatives)
        return sx.Reading(str(c[0]), names, default, _unquote(c[-1]), span=self._span(meta))

    def alternative(self, meta: Meta, c: Children) -> tuple[str, bool]:
        return (str(c[0]), c[1] is not None)

    def option(self, meta: Meta, c: Children) -> sx.Option:
        return sx.Option(str(c[0]), c[1], c[2], _unquote(c[3]), span=self._span(meta))

    def parameter(self, meta: Meta, c: Children) -> sx.Parameter:
        return sx.Parameter(str(c[0]), c[1], _unquote(c[2]), span=self._span(meta))

    # -- statements
    def let(self, meta: Meta, c: Children) -> sx.Let:
        return sx.Let(str(c[0]), c[1], span=self._span(meta))

    def assign(self, meta: Meta, c: Children) -> sx.Assign:
        return sx.Assign(c[0], c[1], span=self._span(meta))

    def increase(self, meta: Meta, c: Children) -> sx.Increase:
        return sx.Increase(c[1], c[0], 1, span=self._span(meta))

    def decrease(self, meta: Meta, c: Children) -> sx.Increase:
        return sx.Increase(c[1], c[0], -1, span=self._span(meta))

    def mark(self, meta: Meta, c: Children) -> sx.Mark:
        until = str(c[2]) if c[2] is not None else None
        return sx.Mark(c[0], str(c[1]), until, span=self._span(meta))

    def unmark(self, meta: Meta, c: Children) -> sx.Unmark:
        return sx.Unmark(c[0], str(c[1]), span=self._span(meta))

    def move(self, meta: Meta, c: Children) -> sx.Move:
        return sx.Move((c[0],), c[1], span=self._span(meta))

    def place(self, meta: Meta, c: Children) -> sx.Move:
        return sx.Move(tuple(c[:-1]), c[-1], True, span=self._span(meta))

    def remove(self, meta: Meta, c: Children) -> sx.Remove:
        return sx.Remove(c[0], span=self._span(meta))

    def flip(self, meta: Meta, c: Children) -> sx.Flip:
        return sx.Flip(c[0], c[1], span=self._span(meta))

    def do(self, meta: Meta, c: Children) -> sx.Do:
        return sx.Do(str(c[0]), c[1] if len(c) > 1 else (), span=self._span(meta))

    def roll(self, meta: Meta, c: Children) -> sx.Roll:
        count, faces = str(c[0]).split("d")
        return sx.Roll(int(count), int(faces), str(c[1]), _unquote(c[2]), span=self._span(meta))

    def pick(self, meta: Meta, c: Children) -> sx.Pick:
        return sx.Pick(c[0], span=self._span(meta))

    def draw(self, meta: Meta, c: Children) -> sx.Draw:
        return sx.Draw(c[0], span=self._span(meta))

    def return_token(self, meta: Meta, c: Children) -> sx.ReturnToken:
        return sx.ReturnToken(c[0], span=self._span(meta))

    def discard(self, meta: Meta, c: Children) -> sx.Discard:
        return sx.Discard(c[0], span=self._span(meta))

    def give(self, meta: Meta, c: Children) -> sx.Give:
        return sx.Give(c[0], c[1], span=self._span(meta))

    def open_window(self, meta: Meta, c: Children) -> sx.OpenWindow:
        return sx.OpenWindow(str(c[0]), span=self._span(meta))

    def cancel(self, meta: Meta, c: Children) -> sx.Cancel:
        return sx.Cancel(span=self._span(meta))

    def leave(self, meta: Meta, c: Children) -> sx.Leave:
        return sx.Leave(span=self._span(meta))

    def finish(self, meta: Meta, c: Children) -> sx.Finish:
        return sx.Finish(span=self._span(meta))

    def end_game(self, meta: Meta, c: Children) -> sx.EndGame:
        outcome, winner, reason = c[0]
        return sx.EndGame(outcome, winner, reason, span=self._span(meta))

    def outcome_wins(self, meta: Meta, c: Children) -> tuple[str, Any, str | None]:
        return ("wins", c[0], _unquote(c[1]))

    def outcome_drawn(self, meta: Meta, c: Children) -> tuple[str, Any, str | None]:
        return ("drawn", None, _unquote(c[1]))

    def outcome_nobody(self, meta: Meta, c: Children) -> tuple[str, Any, str | None]:
        return ("nobody", None, _unquote(c[1]))

    def note(self, meta: Meta, c: Children) -> sx.Note:
        return sx.Note(_text(c[0]), tuple(x for x in c[1:] if x is not None), span=self._span(meta))

    def travel(self, meta: Meta, c: Children) -> sx.Travel:
        return sx.Travel(c[0], c[1], str(c[2]), span=self._span(meta))

    def if_stmt(self, meta: Meta, c: Children) -> sx.If:
        otherwise = c.pop().body if isinstance(c[-1], _Otherwise) else None
        branches = tuple((c[i], c[i + 1].body) for i in range(0, len(c), 2))
        return sx.If(branches, otherwise, span=self._span(meta))

    def otherwise(self, meta: Meta, c: Children) -> _Otherwise:
        return _Otherwise(c[0].body)

    def for_stmt(self, meta: Meta, c: Children) -> sx.ForEach:
        return sx.ForEach(c[0], c[1], c[2].body, span=self._span(meta))

    def repeat_stmt(self, meta: Meta, c: Children) -> sx.Repeat:
        return sx.Repeat(c[0], c[1], c[2].body, span=self._span(meta))

    def with_stmt(self, meta: Meta, c: Children) -> sx.With:
        return sx.With(str(c[0]), c[1], c[2].body, span=self._span(meta))

    def choose_stmt(self, meta: Meta, c: Children) -> sx.Choose:
        player, rest = c[0], c[1:]
        count = rest.pop(0) if isinstance(rest[0], sx.Count) else None
        phrases = []
        while rest and isinstance(rest[0], sx.NounPhrase):
            phrases.append(rest.pop(0))
        otherwise = rest.pop().body if isinstance(rest[-1], _Otherwise) else None
        body = rest.pop().body if isinstance(rest[-1], _Body) else None
        preferences = rest.pop().parts if isinstance(rest[-1], _Preferences) else ()
        action, rest = self._action_use(rest)
        way_out, prompt = rest[0], _unquote(rest[1])
        return sx.Choose(
            player, count, tuple(phrases), action, way_out, prompt, preferences, body, otherwise,
            span=self._span(meta),
        )  # fmt: skip

    def _action_use(self, rest: Children) -> tuple[sx.ActionUse | None, Children]:
        name = rest[0]
        if not (isinstance(name, LarkToken) and name.type == "NAME"):
            return None, rest[2:]  # `[_FOR NAME arguments?]` leaves two placeholders
        if len(rest) > 1 and isinstance(rest[1], tuple):
            return sx.ActionUse(str(name), rest[1], span=self._token_span(name)), rest[2:]
        return sx.ActionUse(str(name), (), span=self._token_span(name)), rest[1:]

    def prefer_block(self, meta: Meta, c: Children) -> _Preferences:
        return _Preferences(tuple(c))

    def count_up_to(self, meta: Meta, c: Children) -> sx.Count:
        return sx.Count("up to", c[0], span=self._span(meta))

    def count_at_least(self, meta: Meta, c: Children) -> sx.Count:
        return sx.Count("at least", c[0], span=self._span(meta))

    def count_exactly(self, meta: Meta, c: Children) -> sx.Count:
        return sx.Count("exactly", c[0], span=self._span(meta))

    def count_any(self, meta: Meta, c: Children) -> sx.Count:
        return sx.Count("any number of", None, span=self._span(meta))

    def alternative_out(self, meta: Meta, c: Children) -> sx.WayOut:
        action, _ = self._action_use(c[1:]) if len(c) > 1 and c[1] is not None else (None, [])
        return sx.WayOut(_text(c[0]), action, span=self._span(meta))

    def menu_stmt(self, meta: Meta, c: Children) -> sx.Menu:
        items = tuple(x for x in c if isinstance(x, sx.MenuItem))
        return sx.Menu(c[0], _unquote(c[1]), items, span=self._span(meta))

    def menu_item(self, meta: Meta, c: Children) -> sx.MenuItem:
        action, _ = self._action_use(c[2:])
        return sx.MenuItem(_text(c[0]), c[1], action, c[-1].body, span=self._span(meta))

    def may_stmt(self, meta: Meta, c: Children) -> sx.Menu:
        otherwise = c.pop().body if isinstance(c[-1], _Otherwise) else None
        action, _ = self._action_use(c[3:])
        item = sx.MenuItem(_text(c[1]), c[2], action, c[-1].body, span=self._span(meta))
        return sx.Menu(c[0], None, (item,), True, otherwise, span=self._span(meta))

    def arguments(self, meta: Meta, c: Children) -> tuple[sx.Argument, ...]:
        return tuple(x for x in c if x is not None)

    def argument(self, meta: Meta, c: Children) -> sx.Argument:
        return sx.Argument(str(c[0]) if c[0] is not None else None, c[1], span=self._span(meta))

    # -- expressions
    def or_expr(self, meta: Meta, c: Children) -> sx.Logic:
        return sx.Logic("or", tuple(c), span=self._span(meta))

    def and_expr(self, meta: Meta, c: Children) -> sx.Logic:
        return sx.Logic("and", tuple(c), span=self._span(meta))

    def negation(self, meta: Meta, c: Children) -> sx.Not:
        return sx.Not(c[0], span=self._span(meta))

    def compare(self, meta: Meta, c: Children) -> sx.Compare:
        return sx.Compare(str(c[1]), c[0], c[2], span=self._span(meta))

    def compare_equal(self, meta: Meta, c: Children) -> sx.Compare:
        return sx.Compare("=", c[0], c[1], span=self._span(meta))

    def is_(self, meta: Meta, c: Children) -> sx.Is:
        return sx.Is(c[0], len(c) == 3, c[-1], span=self._span(meta))

    def every_is(self, meta: Meta, c: Children) -> sx.EveryIs:
        return sx.EveryIs(c[0], len(c) == 3, c[-1], span=self._span(meta))

    def every_satisfies(self, meta: Meta, c: Children) -> sx.Every:
        return sx.Every(c[0], c[1], span=self._span(meta))

    def described(self, meta: Meta, c: Children) -> sx.Described:
        return sx.Described(_words(c), span=self._span(meta))

    def is_in(self, meta: Meta, c: Children) -> sx.InPlace:
        return sx.InPlace(c[0], span=self._span(meta))

    def is_among(self, meta: Meta, c: Children) -> sx.AmongSet:
        return sx.AmongSet(c[0], span=self._span(meta))

    def is_related(self, meta: Meta, c: Children) -> sx.Related:
        return sx.Related(str(c[0]), c[1], span=self._span(meta))

    def is_one_of(self, meta: Meta, c: Children) -> sx.OneOf:
        return sx.OneOf(_words(c), span=self._span(meta))

    def negative(self, meta: Meta, c: Children) -> sx.Negative:
        return sx.Negative(c[0], span=self._span(meta))

    def attr(self, meta: Meta, c: Children) -> sx.Attr:
        return sx.Attr(c[0], str(c[1]), span=self._span(meta), name_span=self._token_span(c[1]))

    def number(self, meta: Meta, c: Children) -> sx.Number:
        return sx.Number(Fraction(int(str(c[0])[:15])), span=self._span(meta))

    def ratio(self, meta: Meta, c: Children) -> sx.Number:
        left, right = str(c[0]).split(":")
        return sx.Number(Fraction(int(left[:9]), max(1, int(right[:9]))), True, span=self._span(meta))

    def text(self, meta: Meta, c: Children) -> sx.Text:
        return sx.Text(_text(c[0]), span=self._span(meta))

    def name(self, meta: Meta, c: Children) -> sx.Name:
        return sx.Name(str(c[0]), span=self._span(meta))

    def numbered(self, meta: Meta, c: Children) -> sx.Numbered:
        return sx.Numbered(str(c[0]), str(c[1]), span=self._span(meta))

    def call(self, meta: Meta, c: Children) -> sx.Call:
        return sx.Call(str(c[0]), c[1], span=self._span(meta))

    def some(self, meta: Meta, c: Children) -> sx.Some:
        return sx.Some(c[0], span=self._span(meta))

    def no(self, meta: Meta, c: Children) -> sx.NoneOf:
        return sx.NoneOf(c[0], span=self._span(meta))

    def the(self, meta: Meta, c: Children) -> sx.The:
        return sx.The(c[0], span=self._span(meta))

    def number_of(self, meta: Meta, c: Children) -> sx.NumberOf:
        return sx.NumberOf(c[0], span=self._span(meta))

    def sum_of(self, meta: Meta, c: Children) -> sx.SumOf:
        return sx.SumOf(c[0], c[1], span=self._span(meta))

    def extreme_of(self, meta: Meta, c: Children) -> sx.ExtremeOf:
        return sx.ExtremeOf(str(c[0]).split()[0], c[1], c[2], span=self._span(meta))

    def lookup(self, meta: Meta, c: Children) -> sx.Lookup:
        return sx.Lookup(str(c[0]), tuple(c[1:]), span=self._span(meta))

    def if_then(self, meta: Meta, c: Children) -> sx.IfThen:
        return sx.IfThen(c[0], c[1], c[2], span=self._span(meta))

    def noun_phrase(self, meta: Meta, c: Children) -> sx.NounPhrase:
        words = [x for x in c if isinstance(x, LarkToken)]
        tails = tuple(x for x in c if isinstance(x, sx.Tail))
        spans = tuple(self._token_span(x) for x in words)
        return sx.NounPhrase(_words(words), tails, span=self._span(meta), word_spans=spans)

    def noun_phrase_related(self, meta: Meta, c: Children) -> sx.NounPhrase:
        words = [x for x in c if isinstance(x, LarkToken)]
        other = c[len(words)]
        related = sx.TailRelated(str(words[-1]), other, span=self._token_span(words[-1]))
        tails = (related, *(x for x in c if isinstance(x, sx.Tail)))
        spans = tuple(self._token_span(x) for x in words[:-1])
        return sx.NounPhrase(_words(words[:-1]), tails, span=self._span(meta), word_spans=spans)

    def tail_in(self, meta: Meta, c: Children) -> sx.TailIn:
        return sx.TailIn(c[0], span=self._span(meta))

    def tail_among(self, meta: Meta, c: Children) -> sx.TailAmong:
        return sx.TailAmong(c[0], span=self._span(meta))

    def tail_except(self, meta: Meta, c: Children) -> sx.TailExcept:
        return sx.TailExcept(c[0], span=self._span(meta))

    def tail_between(self, meta: Meta, c: Children) -> sx.TailBetween:
        return sx.TailBetween(c[0], c[1], span=self._span(meta))

    def tail_with(self, meta: Meta, c: Children) -> sx.TailWith:
        return sx.TailWith(str(c[0]), c[1], span=self._span(meta))

    def tail_nearest(self, meta: Meta, c: Children) -> sx.TailNearest:
        return sx.TailNearest(c[0], str(c[1]) if c[1] is not None else None, span=self._span(meta))

    def tail_as(self, meta: Meta, c: Children) -> sx.TailAs:
        return sx.TailAs(str(c[0]), span=self._span(meta))

    def tail_where(self, meta: Meta, c: Children) -> sx.TailWhere:
        return sx.TailWhere(c[0], span=self._span(meta))

    # -- examples
    def example(self, meta: Meta, c: Children) -> sx.Example:
        parts: dict[str, Any] = {"given": (), "rolls": (), "choices": (), "played": (), "expected": ()}
        for key, value in c:
            parts[key] = value if key == "scenario" else (*parts[key], *value)
        return sx.Example(
            parts.get("scenario"), parts["given"], parts["rolls"], parts["choices"], parts["played"],
            parts["expected"], span=self._span(meta),
        )  # fmt: skip

    def given(self, meta: Meta, c: Children) -> tuple[str, Any]:
        return ("given", c[0].body)

    def given_scenario(self, meta: Meta, c: Children) -> tuple[str, Any]:
        return ("scenario", str(c[0]))

    def rolling(self, meta: Meta, c: Children) -> tuple[str, Any]:
        return ("rolls", tuple(int(x) for x in c))

    def choosing(self, meta: Meta, c: Children) -> tuple[str, Any]:
        return ("choices", tuple(_text(x) for x in c))

    def playing(self, meta: Meta, c: Children) -> tuple[str, Any]:
        return ("played", c[0].body)

    def expect(self, meta: Meta, c: Children) -> tuple[str, Any]:
        return ("expected", tuple(c))

    def expect_true(self, meta: Meta, c: Children) -> sx.Expectation:
        return sx.Expectation("true", c[0], None, None, span=self._span(meta))

    def expect_outcome(self, meta: Meta, c: Children) -> sx.Expectation:
        outcome, winner, reason = c[0]
        ended = sx.EndGame(outcome, winner, reason, span=self._span(meta))
        return sx.Expectation("outcome", None, None, None, ended, span=self._span(meta))

    def expect_cannot(self, meta: Meta, c: Children) -> sx.Expectation:
        action, _ = self._action_use(c)
        return sx.Expectation("cannot", None, action, c[-1], span=self._span(meta))

    def expect_can(self, meta: Meta, c: Children) -> sx.Expectation:
        action, _ = self._action_use(c)
        return sx.Expectation("can", None, action, None, span=self._span(meta))

    def expect_offered(self, meta: Meta, c: Children) -> sx.Expectation:
        offers = tuple(_text(x) for x in c)
        return sx.Expectation("offered", None, None, None, None, offers, span=self._span(meta))

    def expect_not_offered(self, meta: Meta, c: Children) -> sx.Expectation:
        offers = tuple(_text(x) for x in c)
        return sx.Expectation("not offered", None, None, None, None, offers, span=self._span(meta))


class _Body:
    """The statements of a block, on their way into the node that owns them."""

    def __init__(self, body: sx.Block) -> None:
        self.body = body


class _Otherwise(_Body):
    """The statements after `otherwise:`"""


class _Preferences:
    def __init__(self, parts: tuple[sx.Expr, ...]) -> None:
        self.parts = parts


def _arithmetic(op: str) -> Callable[[TreeBuilder, Meta, Children], sx.Arithmetic]:
    def build(self: TreeBuilder, meta: Meta, c: Children) -> sx.Arithmetic:
        return sx.Arithmetic(op, c[0], c[1], span=self._span(meta))

    return build


def _change(op: str) -> Callable[[TreeBuilder, Meta, Children], tuple[str, sx.Expr]]:
    def build(self: TreeBuilder, meta: Meta, c: Children) -> tuple[str, sx.Expr]:
        return (op, c[-1])

    return build


def _clause(key: str) -> Callable[[TreeBuilder, Meta, Children], tuple[str, sx.Expr]]:
    def build(self: TreeBuilder, meta: Meta, c: Children) -> tuple[str, sx.Expr]:
        return (key, c[0])

    return build


for _name, _op in {"add": "+", "subtract": "-", "multiply": "*", "divide": "/"}.items():
    setattr(TreeBuilder, _name, v_args(meta=True)(_arithmetic(_op)))
for _name, _op in {
    "change_add": "+", "change_subtract": "-", "change_set": "=", "change_multiply": "x",
    "change_divide": "/", "change_shift_up": "shift +", "change_shift_down": "shift -",
    "change_at_least": "at least", "change_at_most": "at most",
}.items():  # fmt: skip
    setattr(TreeBuilder, _name, v_args(meta=True)(_change(_op)))
for _name in ("from", "cost", "budget", "always", "maximum", "exactly"):
    setattr(TreeBuilder, f"route_{_name}", v_args(meta=True)(_clause(_name)))


def _words(tokens: Children) -> tuple[str, ...]:
    return tuple(str(t) for t in tokens)


def _text(token: LarkToken) -> str:
    return str(token)[1:-1]


def _unquote(token: LarkToken | None) -> str | None:
    return None if not isinstance(token, LarkToken) else str(token)[1:-1]
