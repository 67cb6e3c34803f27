"""Statements of a rules block: meanings, permissions, routes, procedures."""

from __future__ import annotations

from typing import Any

from lark import Token as LarkToken
from lark import v_args
from lark.tree import Meta

from rulesdsl.base.source import Span
from rulesdsl.language import syntax as sx
from rulesdsl.language.conventions import INVARIANT, ODDS
from rulesdsl.language.parsing.build.places import Body, Children, PlacedTransformer, text_of, unquoted

Head = tuple[str, tuple[sx.Param, ...], str]  # of a define: its name, what it is about, how it is said


@v_args(meta=True)
class RuleBuilder(PlacedTransformer):
    """One method per rule of the grammar."""

    def chunk(self, meta: Meta, c: Children) -> sx.Rule:
        rule: sx.Rule = c[0]
        return rule

    # -- meanings
    def define(self, meta: Meta, c: Children) -> sx.Define:
        (name, params, form), wording, value, condition, *more = c
        first = sx.Case(value, condition, span=value.span)
        return sx.Define(name, params, (first, *more), unquoted(wording), form, span=self._span(meta))

    def define_by_cases(self, meta: Meta, c: Children) -> sx.Define:
        (name, params, form), wording, condition, value, *more = c
        first = sx.Case(value, condition, span=value.span)
        return sx.Define(name, params, (first, *more), unquoted(wording), form, span=self._span(meta))

    def always(self, meta: Meta, c: Children) -> sx.Define:
        only = sx.Case(c[1], None, span=c[1].span)
        return sx.Define(f"{INVARIANT}{c[0]}", (), (only,), None, "always", span=self._span(meta))

    def further_case(self, meta: Meta, c: Children) -> sx.Case:
        return sx.Case(c[1], c[0], span=self._span(meta))

    def last_case(self, meta: Meta, c: Children) -> sx.Case:
        return sx.Case(c[0], None, span=self._span(meta))

    def said_call(self, meta: Meta, c: Children) -> Head:
        return str(c[0]), self._params(c[1:])[0], ""

    def said_adjective(self, meta: Meta, c: Children) -> Head:
        return str(c[1]), (c[0],), "is"

    def said_relation(self, meta: Meta, c: Children) -> Head:
        return str(c[1]), (c[0], c[3]), c[2]

    def said_verb(self, meta: Meta, c: Children) -> Head:
        return str(c[1]), (c[0], *c[2:]), "verb"

    def search(self, meta: Meta, c: Children) -> sx.Search:
        params, rest = self._params(c[1:])
        wording, parts = unquoted(rest[0]), rest[1:]
        names = [part[0] for part in parts]
        found: dict[str, Any] = {name: value for name, *value in parts}
        then = found.get("then", ("", None))
        deed, counting = found.get("do", ("", ())), found.get("counting", (None,))
        return sx.Search(
            name=str(c[0]),
            params=params,
            wording=wording,
            phrases=tuple(found.get("each step", ())),
            procedure=deed[0],
            arguments=deed[1],
            counting=counting[0],
            bound=found.get("at most", (0,))[0],
            then=then[1],
            leads_to=then[0],
            more=tuple(name for number, name in enumerate(names) if name in names[:number]),
            span=self._span(meta),
        )

    def search_step(self, meta: Meta, c: Children) -> tuple[Any, ...]:
        return ("each step", *c)

    def search_deed(self, meta: Meta, c: Children) -> tuple[Any, ...]:
        return ("do", str(c[0]), c[1] if len(c) > 1 else ())

    def search_then(self, meta: Meta, c: Children) -> tuple[Any, ...]:
        return ("then", str(c[0]), c[1])

    def search_counting(self, meta: Meta, c: Children) -> tuple[Any, ...]:
        return ("counting", c[0])

    def search_bound(self, meta: Meta, c: Children) -> tuple[Any, ...]:
        return ("at most", int(str(c[0])[:9]))

    def case(self, meta: Meta, c: Children) -> sx.Case:
        condition = c[1] if len(c) > 1 and isinstance(c[1], sx.Node) else None
        return sx.Case(c[0], condition, span=self._span(meta))  # type: ignore[arg-type]

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
        stages_when = next((x for x in more if isinstance(x, sx.Expr)), None)
        return sx.Quantity(
            record=record,
            name=name,
            params=params,
            base=base,
            rounding=limits.get("rounding"),
            floor=limits.get("floor"),
            ceiling=limits.get("ceiling"),
            stages=stages,
            contributions=contributions,
            stages_when=stages_when,
            span=self._span(meta),
        )

    def modify(self, meta: Meta, c: Children) -> sx.Modify:
        record, name, span = c[0]
        params, rest = self._params(c[1:])
        return sx.Modify(record, name, params, tuple(rest), span=span)

    def contribution(self, meta: Meta, c: Children) -> sx.Contribution:
        (op, value), rest = c[0], c[1:]
        limits: dict[str, Any] = dict(x for x in rest if isinstance(x, tuple))
        rest = [x for x in rest if not isinstance(x, tuple)]
        label = unquoted(rest[-1])
        refs = tuple(x for x in rest if isinstance(x, sx.ParagraphRef))
        condition = next((x for x in rest if isinstance(x, sx.Expr)), None)
        return sx.Contribution(
            op=op,
            value=value,
            rounding=limits.get("rounding"),
            floor=limits.get("floor"),
            condition=condition,
            despite=refs,
            label=label,
            later=limits.get("later", ()),
            span=self._span(meta),
        )

    def later(self, meta: Meta, c: Children) -> tuple[str, tuple[sx.ParagraphRef, ...]]:
        return ("later", tuple(c))

    def rule_ref(self, meta: Meta, c: Children) -> sx.ParagraphRef:
        return sx.ParagraphRef(" ".join(str(x) for x in c), span=self._span(meta))

    # -- permissions
    def action(self, meta: Meta, c: Children) -> sx.Action:
        params, rest = self._params(c[1:])
        return sx.Action(str(c[0]), params, unquoted(rest[0]), span=self._span(meta))

    def actions(self, meta: Meta, c: Children) -> list[tuple[str, Span]]:
        return [(str(x), self._token_span(x)) for x in c]

    def where_clause(self, meta: Meta, c: Children) -> list[str]:
        return [" ".join(str(c[0]).split()), str(c[1])]

    def _permission(self, kind: str, meta: Meta, c: Children) -> sx.Permission:
        names = tuple(n for n, _ in c[0])
        rest = c[1:]
        via = rest.pop(0) if isinstance(rest[0], list) else [None, None]
        condition = next((x for x in rest if isinstance(x, sx.Expr)), None)
        refs = tuple(x for x in rest if isinstance(x, sx.ParagraphRef))
        return sx.Permission(
            kind=kind,
            actions=names,
            via=via[0],
            via_name=via[1],
            condition=condition,
            despite=refs,
            label=unquoted(rest[-1]),
            span=self._span(meta),
        )

    def forbid(self, meta: Meta, c: Children) -> sx.Permission:
        return self._permission("forbid", meta, c)

    def allow(self, meta: Meta, c: Children) -> sx.Permission:
        return self._permission("allow", meta, c)

    def stop(self, meta: Meta, c: Children) -> sx.Permission:
        return self._permission("stop", meta, c)

    def must(self, meta: Meta, c: Children) -> sx.Must:
        rungs = tuple(x for x in c if isinstance(x, sx.Rung))
        return sx.Must(str(c[0]), c[1], unquoted(c[2]), rungs, span=self._span(meta))

    def rung(self, meta: Meta, c: Children) -> sx.Rung:
        return sx.Rung(c[0], c[1], unquoted(c[2]), span=self._span(meta))

    # -- routes
    def route(self, meta: Meta, c: Children) -> sx.Route:
        params, clauses = self._params(c[1:])
        parts: dict[str, Any] = {}
        through: list[tuple[str, sx.Expr | None]] = []
        ending: list[tuple[str, sx.Expr | None]] = []
        preferences: tuple[sx.Preference, ...] = ()
        doubled: list[str] = []
        for clause in clauses:
            if clause[0] in parts or (clause[0] == "prefer" and preferences):
                doubled.append(clause[0])
            match clause:
                case ("through", *value):
                    through.append((value[0], value[1]))
                case ("ending", *value):
                    ending.append((value[0], value[1]))
                case ("prefer", value):
                    preferences = value
                case (key, *value):
                    parts[key] = value
                case _:
                    pass  # a clause is always one of these
        along = parts.get("along", [None, None])
        return sx.Route(
            name=str(c[0]),
            params=params,
            origin=parts.get("from", [sx.Name("none", span=self._span(meta))])[0],
            along=along[0],
            along_where=along[1],
            cost=parts.get("cost", [None])[0],
            budget=parts.get("budget", [None])[0],
            minimum=parts.get("minimum", [0])[0],
            maximum=parts.get("maximum", [None])[0],
            through=tuple(through),
            ending=tuple(ending),
            straight="straight" in parts,
            preferences=preferences,
            always=parts.get("always", [None])[0],
            exactly=parts.get("exactly", [None])[0],
            doubled=tuple(doubled),
            span=self._span(meta),
        )

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
        return sx.Preference(c[1], unquoted(c[2]), span=self._span(meta))

    # -- sequence of play
    def procedure(self, meta: Meta, c: Children) -> sx.Procedure:
        params, rest = self._params(c[2:])
        if len(rest) == 1:  # params() and block() are both tuples: an empty parameter list was taken
            params, rest = (), [None, *rest]
        kind, name = str(c[0]), str(c[1])
        if kind == "weigh":
            kind, name = "procedure", f"{ODDS}{name}"
        return sx.Procedure(kind, name, params, unquoted(rest[0]), rest[-1].body, span=self._span(meta))

    def block(self, meta: Meta, c: Children) -> Body:
        return Body(tuple(c))

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
        asking = tuple(x for x in c[1:] if isinstance(x, sx.Expr))
        return sx.Window(str(c[0]), asking, True in c[1:], span=self._span(meta))

    def whatever_they_hold(self, meta: Meta, c: Children) -> bool:
        return True

    def token(self, meta: Meta, c: Children) -> sx.Token:
        plays = tuple(x for x in c if isinstance(x, sx.PlayIn))
        return sx.Token(str(c[0]), text_of(c[1]), plays, c[-1].body, span=self._span(meta))

    def play_in(self, meta: Meta, c: Children) -> sx.PlayIn:
        return sx.PlayIn(str(c[0]), c[1], c[2], span=self._span(meta))
