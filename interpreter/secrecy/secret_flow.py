"""Which variables and fields of records hold a secret, and whose: followed through every step of a program.

A variable is told to those who may see the places it was filled from *when the line is written*. That is
right as long as the place is still the same one and nothing new was put into it meanwhile. So a leaf is kept
with a variable when what tells whose it is cannot change, and either who may see it never changes, or the
procedure and everything it sets off never write there. Otherwise the variable is for nobody.

What is rolled, picked or chosen and then put into a secret place is that secret already, except to who chose
it. Blocks have scopes of their own, so nothing is told by *whether* a variable was filled; a field of a
record also carries the conditions under which it was set.

Long because it is one analysis, a case for each step, that is repeated until nothing changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, assert_never, assert_type

from interpreter.secrecy.who_knows import (
    HIDDEN,
    PLAYERS,
    TOKENS,
    Key,
    Leaf,
    Leaves,
    Secrecy,
    expressions_in,
    joined,
    shape,
)
from rulesdsl import program as pg
from rulesdsl.language.conventions import OF_GAME
from rulesdsl.program.logic import mentions, rebuilt
from rulesdsl.program.walk import sub_expressions, walk_steps
from rulesdsl.program.windows import window_procedure

_ROUNDS = 12  # what has not settled by then is for nobody
_EVENTS = {"enters": "at", "leaves": "at", "removed": "at", "placed": "at", "flipped": "face"}
_FIXED = (pg.Const, pg.ClassSet, pg.SettingGet)
_BUILT = (
    pg.Arith, pg.NotE, pg.LogicE, pg.CompareE, pg.IfE, pg.SetOp, pg.SingleSet, pg.Filter, pg.Member, pg.SomeE,
    pg.CountE, pg.FirstE, pg.SumE, pg.ExtremeE, pg.ArgExtreme, pg.Neighbours, pg.BordersBetween, pg.LookupE,
    pg.ResultField, pg.BuiltinE, pg.NumbersE,
)  # fmt: skip


def secrecy_of(program: pg.Program) -> Secrecy:
    """What is secret in a program, its variables and fields of records included.

    What was followed is remembered, because every flavour of a program's code asks for it. Who asks gets an
    answerer of his own: it remembers where it is, and code may be made in several threads at once.
    """
    secrecy = Secrecy(program)
    if secrecy.any:
        secrecy.held, variables, record_fields = _followed(program)
        secrecy.variables, secrecy.record_fields = dict(variables), dict(record_fields)
    return secrecy


@lru_cache(maxsize=8)
def _followed(
    program: pg.Program,
) -> tuple[frozenset[pg.Var], Mapping[pg.Var, Leaves], Mapping[Key, Leaves]]:
    """The variables of procedures, and the secret places that variables and fields of records tell of."""
    secrecy = Secrecy(program)
    flow = Flow(secrecy)
    for number in range(_ROUNDS):
        if not flow.once_more(settle=number == _ROUNDS - 1):
            break
    return secrecy.held, secrecy.variables, secrecy.record_fields


@dataclass(slots=True)
class Body:
    """A procedure with what is asked of it again and again."""

    rule: pg.ProcedureRule
    steps: list[pg.S]
    conditions: dict[int, tuple[pg.E, ...]]  # step → the conditions it stands under
    bound: dict[pg.Var, int] = field(default_factory=dict)  # variable → where it is filled, -1: parameter
    often: set[pg.Var] = field(default_factory=set)  # filled at several places
    writes: set[Key] = field(default_factory=set)
    calls: set[str] = field(default_factory=set)


class Flow:
    """What flows where, found out round by round."""

    def __init__(self, secrecy: Secrecy) -> None:
        self.secrecy = secrecy
        self.program = program = secrecy.program
        rules = dict(program.procedures)
        for window in program.windows.values():
            made = window_procedure(program, window)
            rules[made.name] = made
        self.bodies = {name: _body(rule) for name, rule in rules.items()}
        secrecy.held = frozenset(var for body in self.bodies.values() for var in body.bound)
        self._spread_writes()
        self._sinks: dict[pg.Var, Leaves] = {}  # variable → the secret places it is put into
        self._under: dict[str, Leaves] = {}  # procedure → the conditions under which it is done
        self._stable: dict[str, bool] = {}

    def once_more(self, settle: bool) -> bool:
        """One round; whether anything was found. When it has to `settle`, what still changes is hidden."""
        secrecy = self.secrecy
        secrecy.forget()
        variables: dict[pg.Var, list[Leaf]] = {}
        of_fields: dict[Key, list[Leaf]] = {}
        under: dict[str, list[Leaf]] = {}
        sinks: dict[pg.Var, list[Leaf]] = {}
        for body in self.bodies.values():
            for step in body.steps:
                for var, leaves in self._filled(body, step):
                    variables.setdefault(var, []).extend(leaves)
                for var, leaves in self._sunk(body, step):
                    sinks.setdefault(var, []).extend(leaves)
                for key, leaves in self._fields(body, step):
                    of_fields.setdefault(key, []).extend(leaves)
                if isinstance(step, pg.DoS):
                    asked = joined(*map(secrecy.leaves, body.conditions[id(step)]))
                    if (
                        body.rule.kind == "window"
                    ):  # who plays a token lays it open before anything comes of it
                        asked = ()
                    values = dict(_handed_over(self.bodies[step.procedure].rule.params, step.arguments))
                    around = (*asked, *self._under.get(body.rule.name, ()))
                    under.setdefault(step.procedure, []).extend(_handed(leaf, values) for leaf in around)
        put_away = {var: joined(leaves) for var, leaves in sinks.items() if leaves}
        for body in self.bodies.values():
            for var, leaves in self._drawn(body, put_away):
                variables.setdefault(var, []).extend(leaves)
        for trigger in self.program.triggers:
            for var, leaves in self._triggered(trigger):
                variables.setdefault(var, []).extend(leaves)
        found = {var: joined(leaves) for var, leaves in variables.items() if leaves}
        record_fields = {key: joined(leaves) for key, leaves in of_fields.items() if leaves}
        self._under = {name: joined(leaves) for name, leaves in under.items() if leaves}
        changed = _differ(found, secrecy.variables) or _differ(record_fields, secrecy.record_fields)
        changed = changed or _differ(put_away, self._sinks)
        self._sinks = put_away
        if settle and changed:
            found = dict.fromkeys(found, (HIDDEN,))
            record_fields = dict.fromkeys(record_fields, (HIDDEN,))
        secrecy.variables, secrecy.record_fields = found, record_fields
        secrecy.forget()
        return changed

    # ---- what fills variables
    def _filled(self, body: Body, step: pg.S) -> Iterator[tuple[pg.Var, Leaves]]:
        leaves, step = self.secrecy.leaves, pg.closed(step)
        match step:
            case pg.LetS(var=var, value=value):
                yield var, self._kept(body, leaves(value))
            case pg.ForS(var=var, group=group) | pg.PickS(var=var, group=group):
                member = pg.VarGet(var, type=var.type)
                yield var, self._kept(body, self.secrecy.membership(group, member))
            case pg.ChooseS():
                yield from self._chosen(body, step)
            case pg.DoS(procedure=name, arguments=arguments):
                callee = self.bodies[name]
                values = dict(_handed_over(callee.rule.params, arguments))
                for param, value in zip(callee.rule.params, arguments, strict=False):
                    passed = (_handed(leaf, values) for leaf in leaves(value))
                    yield param, self._kept(callee, joined(passed))
            case pg.RollS() | pg.RememberS():
                pass  # everybody sees the dice, and what has occurred
            case _:
                assert_type(step, pg.BindsNothing)

    # ---- what becomes a secret
    def _sunk(self, body: Body, step: pg.S) -> Iterator[tuple[pg.Var, Leaves]]:
        """The variables whose values are put into secret places, there and further on."""
        match step:
            case pg.LetS(var=var, value=value):
                yield from _each(value, self._sinks.get(var, ()))
            case pg.DoS(procedure=name, arguments=arguments):
                params = self.bodies[name].rule.params
                back: dict[pg.Var, pg.E] = dict(zip(params, arguments, strict=False))
                for param, value in back.items():
                    yield from _each(
                        value, joined(_handed(leaf, back) for leaf in self._sinks.get(param, ()))
                    )
            case pg.SetAttr(attribute=attribute, of=of, value=value):
                secret = self.secrecy.of_attribute(attribute, of)
                yield from _each(of, secret)
                yield from _each(value, secret)
            case pg.MarkS(attribute=attribute, of=of) if of.type.kind == "set":
                known = self.secrecy.secret_attribute(attribute.universe, attribute.name)
                yield from _each(of, (HIDDEN,) if known else ())
            case pg.MarkS(attribute=attribute, of=of):
                yield from _each(of, self.secrecy.of_attribute(attribute, of))
            case pg.SetTrack(track=track, value=value):
                yield from _each(value, self.secrecy.of_track(track))
            case _:
                pass

    def _drawn(self, body: Body, sinks: Mapping[pg.Var, Leaves]) -> Iterator[tuple[pg.Var, Leaves]]:
        """What was rolled, picked or chosen and becomes a secret was one from the beginning."""
        for var, at in body.bound.items():
            source = body.steps[at] if at >= 0 else None
            if var not in sinks or not isinstance(source, pg.RollS | pg.PickS | pg.ChooseS):
                continue
            early = {v for v, bound in body.bound.items() if bound < at} | {var}
            leaves = tuple(leaf if _speaks_of(leaf) <= early else HIDDEN for leaf in sinks[var])
            if isinstance(source, pg.ChooseS):
                leaves = self._or_chooser(body, source, leaves)
            yield var, self._kept(body, leaves)

    def _chosen(self, body: Body, step: pg.ChooseS) -> Iterator[tuple[pg.Var, Leaves]]:
        for candidate in step.candidates:
            if step.result is not None:  # one member a time: what is known of all of them
                yield (
                    step.result,
                    self._kept(body, self._or_chooser(body, step, self.secrecy.leaves(candidate.group))),
                )
                yield candidate.var, self._kept(body, self.secrecy.leaves(candidate.group))
                continue
            member = pg.VarGet(candidate.var, type=candidate.var.type)
            leaves = self.secrecy.membership(candidate.group, member)
            yield candidate.var, self._kept(body, self._or_chooser(body, step, leaves))

    def _or_chooser(self, body: Body, step: pg.ChooseS, leaves: Leaves) -> Leaves:
        """Who chooses among secret things has been shown them."""
        if not self._is_stable(step.player, body):
            return leaves
        chooser = pg.SingleSet(step.player, type=PLAYERS)
        return joined(
            Leaf(pg.SetOp("|", leaf.viewers, chooser, type=PLAYERS), leaf.key, leaf.anchors)
            for leaf in leaves
        )

    def _triggered(self, trigger: pg.TriggerRule) -> Iterator[tuple[pg.Var, Leaves]]:
        """What a trigger is told: of the thing that has changed only those know who may see the change."""
        params = self.bodies[trigger.procedure].rule.params
        if trigger.event in ("begins", "ends"):
            begun = self.bodies[trigger.subject].rule.params
            names: Mapping[pg.Var, pg.E] = {
                a: pg.VarGet(b, type=b.type) for a, b in zip(begun, params, strict=False)
            }
            for param, var in zip(params, begun, strict=False):
                passed = (_handed(leaf, names) for leaf in self.secrecy.variables.get(var, ()))
                yield param, self._kept(self.bodies[trigger.procedure], joined(passed))
            return
        universe = "piece" if trigger.event in _EVENTS else self.program.world.nouns[trigger.subject][0]
        name = _EVENTS.get(trigger.event, trigger.attribute)
        attribute = self.program.world.attributes.get((universe, name))
        if attribute is None or not params or not self.secrecy.secret_attribute(universe, name):
            return
        secret = self.secrecy.of_attribute(attribute, pg.VarGet(params[0], type=params[0].type))
        for param in params:
            yield param, self._kept(self.bodies[trigger.procedure], secret)

    # ---- fields of records
    def _fields(self, body: Body, step: pg.S) -> Iterator[tuple[Key, Leaves]]:
        match step:
            case pg.WithS(record=record, values=values):
                for name, value in values:
                    of_value = self.secrecy.leaves(value)
                    yield (record, name), self._in_record(_by_fields(x, record, values) for x in of_value)
            case pg.SetField(record=record, field=name, value=value):
                around = map(self.secrecy.leaves, body.conditions[id(step)])
                leaves = joined(self.secrecy.leaves(value), *around, self._under.get(body.rule.name, ()))
                yield (record, name), self._in_record(leaves)
            case _:
                pass

    def _in_record(self, leaves: Iterable[Leaf]) -> Leaves:
        """A field is read anywhere: only what does not depend on when and where can be told of it."""
        return joined(
            leaf if not _speaks_of(leaf) and self._is_stable(leaf.viewers, None) else HIDDEN
            for leaf in leaves
        )

    # ---- what lasts
    def _kept(self, body: Body, leaves: Leaves) -> Leaves:
        """The leaves as they may be asked for at any time while the procedure goes on."""
        return joined(leaf if self._lasts(body, leaf) else HIDDEN for leaf in leaves)

    def _lasts(self, body: Body, leaf: Leaf) -> bool:
        if leaf is HIDDEN:
            return True
        if self._is_stable(leaf.viewers, body):
            return True
        still_there = leaf.key is not None and leaf.key not in body.writes
        return still_there and all(self._is_stable(anchor, body) for anchor in leaf.anchors)

    def _is_stable(self, e: pg.E, body: Body | None) -> bool:
        """Whether an expression has the same value as long as a procedure goes on (None: for ever)."""
        match e:
            case pg.VarGet(var=var):
                return body is None or var not in body.often
            case pg.FieldGet(record=record, field=name):
                return body is None and not self._set_alone(record, name)
            case pg.AttrGet(attribute=attribute, of=of):
                return attribute.printed and self._is_stable(of, body)
            case pg.CallE(define=name, arguments=arguments):
                return self._is_stable_rule(name) and all(self._is_stable(a, body) for a in arguments)
            case _ if isinstance(e, _FIXED):
                return True
            case _ if isinstance(e, _BUILT):
                return all(self._is_stable(part, body) for part in sub_expressions(e))
            case _:
                return False

    def _is_stable_rule(self, name: str) -> bool:
        if name not in self._stable:
            self._stable[name] = False
            inside = expressions_in(self.program.defines[name])
            self._stable[name] = all(self._is_stable(e, None) and not _has_fields(e) for e in inside)
        return self._stable[name]

    def _set_alone(self, record: str, name: str) -> bool:
        steps = (step for body in self.bodies.values() for step in body.steps)
        return any(isinstance(s, pg.SetField) and (s.record, s.field) == (record, name) for s in steps)

    def _spread_writes(self) -> None:
        """What a procedure writes with everything it sets off."""
        triggers = {trigger.procedure for trigger in self.program.triggers}
        tokens = {token.procedure for token in self.program.tokens.values()}
        for body in self.bodies.values():
            for step in map(pg.closed, body.steps):
                match step:
                    case pg.SetAttr(attribute=a) | pg.MarkS(attribute=a):
                        body.writes.add((a.universe, a.name))
                        body.calls |= triggers
                    case pg.MoveS() | pg.TravelS():
                        body.writes.add(("piece", "at"))
                        body.calls |= triggers
                    case pg.FlipS():
                        body.writes.add(("piece", "face"))
                        body.calls |= triggers
                    case pg.SetTrack(track=track):
                        body.writes.add((OF_GAME, track))
                    case pg.TokenS(verb=verb, token=token):
                        if verb == "draw" or (verb == "give" and not isinstance(token, pg.VarGet)):
                            body.writes.add(
                                TOKENS
                            )  # hands were in the bag: what is known then is another matter
                    case pg.DoS(procedure=name):
                        body.calls |= {name} | triggers
                    case pg.OpenS(window=window):
                        body.calls |= {f"window {window}"} | tokens
                    case pg.LetS() | pg.SetField() | pg.RollS() | pg.PickS() | pg.RememberS() | pg.NoteS():
                        pass  # variables and fields of records: followed by themselves
                    case pg.PutS() | pg.ShuffleS():
                        pass  # the order of a stack cannot be kept secret
                    case pg.IfS() | pg.ForS() | pg.RepeatS() | pg.WithS() | pg.ChooseS() | pg.MenuS():
                        pass  # what they do stands inside them
                    case pg.JumpS() | pg.EndS():
                        pass
                    case _:
                        assert_never(step)
        while True:
            before = sum(len(body.writes) for body in self.bodies.values())
            for body in self.bodies.values():
                for name in body.calls:
                    body.writes |= self.bodies[name].writes
            if sum(len(body.writes) for body in self.bodies.values()) == before:
                return


def _body(rule: pg.ProcedureRule) -> Body:
    steps = list(walk_steps(rule.body))
    body = Body(rule, steps, dict(_conditions(rule.body, ())))
    body.bound = dict.fromkeys(rule.params, -1)
    for place, step in enumerate(steps):
        for var in _binds(step):
            if var in body.bound:
                body.often.add(var)
            body.bound.setdefault(var, place)
            if isinstance(step, pg.ChooseS) and step.result is not None:
                body.often |= {candidate.var for candidate in step.candidates}
    return body


def _binds(step: pg.S) -> Iterator[pg.Var]:
    step = pg.closed(step)
    match step:
        case (
            pg.LetS(var=var)
            | pg.RollS(var=var)
            | pg.PickS(var=var)
            | pg.ForS(var=var)
            | pg.RememberS(var=var)
        ):
            yield var
        case pg.ChooseS(candidates=candidates, result=result):
            yield from (candidate.var for candidate in candidates)
            if result is not None:
                yield result
        case pg.SetTrack() | pg.SetField() | pg.SetAttr() | pg.MarkS() | pg.MoveS() | pg.FlipS() | pg.PutS():
            pass
        case pg.ShuffleS() | pg.TokenS() | pg.NoteS() | pg.DoS() | pg.OpenS() | pg.JumpS() | pg.EndS():
            pass
        case pg.IfS() | pg.RepeatS() | pg.WithS() | pg.MenuS() | pg.TravelS():
            pass
        case _:
            assert_never(step)


def _conditions(steps: pg.Steps, around: tuple[pg.E, ...]) -> Iterator[tuple[int, tuple[pg.E, ...]]]:
    """Of each step the conditions that decide whether, and how often, it is done."""
    leaving: tuple[pg.E, ...] = ()  # after `if …: leave` everything that follows depends on it
    for step in map(pg.closed, steps):
        here = (*around, *leaving)
        yield id(step), here
        match step:
            case pg.IfS(branches=branches, otherwise=otherwise):
                asked: tuple[pg.E, ...] = ()
                for condition, body in branches:
                    asked = (*asked, condition)
                    yield from _conditions(body, (*here, *asked))
                yield from _conditions(otherwise, (*here, *asked))
                if any(isinstance(s, pg.JumpS) for s in walk_steps((step,))):
                    leaving = (*leaving, *asked)
            case pg.ForS(group=group, body=body):
                yield from _conditions(body, (*here, group, *_exits(body)))
            case pg.RepeatS(times=times, condition=condition, body=body):
                more = (times,) if condition is None else (times, condition)
                yield from _conditions(body, (*here, *more, *_exits(body)))
            case pg.WithS(body=body):
                yield from _conditions(body, here)
            case pg.ChooseS(candidates=candidates, body=body, otherwise=otherwise):
                offered = tuple(candidate.group for candidate in candidates)
                yield from _conditions(body, (*here, *offered))
                yield from _conditions(otherwise, (*here, *offered))
            case pg.MenuS(entries=entries, otherwise=otherwise):
                offered = tuple(entry.condition for entry in entries if entry.condition is not None)
                for entry in entries:
                    yield from _conditions(entry.body, (*here, *offered))
                yield from _conditions(otherwise, (*here, *offered))
            case _:
                assert_type(step, pg.WithoutBody)


def _exits(body: pg.Steps) -> tuple[pg.E, ...]:
    """The conditions under which a loop may be left."""
    found: list[pg.E] = []
    for step in walk_steps(body):
        if isinstance(step, pg.IfS) and any(isinstance(s, pg.JumpS) for s in walk_steps((step,))):
            found.extend(condition for condition, _ in step.branches)
    return tuple(found)


def _handed_over(params: tuple[pg.Var, ...], arguments: tuple[pg.E, ...]) -> Iterator[tuple[pg.Var, pg.E]]:
    """Variables of who calls → the parameters that hold the same."""
    for param, argument in zip(params, arguments, strict=False):
        if isinstance(argument, pg.VarGet):
            yield argument.var, pg.VarGet(param, type=param.type)


def _by_fields(leaf: Leaf, record: str, values: tuple[tuple[str, pg.E], ...]) -> Leaf:
    """A leaf in the terms of a record that is being filled: what its fields hold is called by their names."""
    names = {shape(value, {}): pg.FieldGet(record, name, type=value.type) for name, value in values}

    def named(e: pg.E) -> pg.E:
        return names[shape(e, {})] if shape(e, {}) in names else rebuilt(e, named)

    return HIDDEN if leaf is HIDDEN else Leaf(named(leaf.viewers), leaf.key)


def _each(value: pg.E, leaves: Leaves) -> Iterator[tuple[pg.Var, Leaves]]:
    if leaves:
        yield from ((var, leaves) for var in set(_variables(value)) if mentions(value, {var}))


def _handed(leaf: Leaf, values: Mapping[pg.Var, pg.E]) -> Leaf:
    """A leaf in the terms of another procedure, as far as its variables are handed over."""
    if leaf is HIDDEN or not _speaks_of(leaf) <= set(values):
        return HIDDEN
    return leaf.renamed(values)


def _speaks_of(leaf: Leaf) -> set[pg.Var]:
    """The variables of procedures in a leaf: those that it does not bring with it."""
    parts = (leaf.viewers, *leaf.anchors)
    return {var for part in parts for var in set(_variables(part)) if mentions(part, {var})}


def _variables(e: pg.E) -> Iterator[pg.Var]:
    if isinstance(e, pg.VarGet):
        yield e.var
    for part in sub_expressions(e):
        yield from _variables(part)


def _has_fields(e: pg.E) -> bool:
    return isinstance(e, pg.FieldGet) or any(map(_has_fields, sub_expressions(e)))


def _differ(one: Mapping[Any, Leaves], other: Mapping[Any, Leaves]) -> bool:
    if one.keys() != other.keys():
        return True
    return any(
        len(leaves) != len(other[key]) or not all(any(a.alike(b) for b in other[key]) for a in leaves)
        for key, leaves in one.items()
    )
