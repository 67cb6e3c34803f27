"""Who may know a value that was made by looking at pieces, when not everybody knows which piece is which.

`identity visible to …` hides which piece a counter is. That there is a counter in a space, and what its back
shows, everybody sees. So a value that only counts counters, or looks at their backs, is open; a value
that looks further is known to those who know every piece it may have looked at. The answer is a list of
expressions (sets of players, all of which somebody must be in), like those of `secrecy`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from typing import assert_type

from rulesdsl import program as pg
from rulesdsl.checking.bodies.visibility import IDENTITY
from rulesdsl.language import syntax as sx
from rulesdsl.program.logic import LOOPS, substituted
from rulesdsl.program.types import FLAG, Type, set_of, thing
from rulesdsl.program.walk import sub_expressions, uses_var, walk_steps
from rulesdsl.program.world import Attribute

PLAYERS, PIECES = set_of("player"), set_of("piece")
EVERYBODY = pg.ClassSet(type=PLAYERS)
ALL_PIECES = pg.ClassSet(type=PIECES)
MOST_LEAVES = 24  # more questions than these are asked as one: of all pieces
Leaves = tuple[pg.E, ...]


class Identity:
    """What the identity of pieces makes secret in a program that hides it."""

    def __init__(self, program: pg.Program) -> None:
        self.program = program
        self.known = program.visibility[IDENTITY]
        self.everything = self.known_to_all(ALL_PIECES)  # those who know every piece
        self._rules: dict[str, Leaves] = {}
        self._variables: dict[pg.Var, list[pg.E]] = {}
        for procedure in program.procedures.values():
            for step in walk_steps(procedure.body):
                self._made_from(step)
        self._of_variable: dict[pg.Var, Leaves] = {}

    # ---- sets of players
    def of_piece(self, piece: pg.E) -> pg.E:
        """Who knows which piece this is."""
        assert self.known.thing is not None
        return substituted(self.known.viewers, {self.known.thing: piece})

    def known_to_all(self, pieces: pg.E) -> pg.E:
        """The players who know every one of these pieces."""
        player, piece = pg.Var("player", thing("player")), pg.Var("piece", thing("piece"))
        one = pg.VarGet(player, type=player.type)
        knows = pg.Member(one, self.of_piece(pg.VarGet(piece, type=piece.type)), type=FLAG)
        unknown = pg.Filter(pieces, piece, pg.NotE(knows, type=FLAG), type=PIECES)
        test = pg.NotE(pg.SomeE(unknown, type=FLAG), type=FLAG)
        return pg.Filter(EVERYBODY, player, test, type=PLAYERS)

    def unknown_to(self, seat: pg.Var | None, pieces: pg.E = ALL_PIECES) -> pg.E:
        """Those of some pieces that a player does not know (without one: that not everybody knows)."""
        piece = pg.Var("piece", thing("piece"))
        viewers = self.of_piece(pg.VarGet(piece, type=piece.type))
        if seat is None:
            missing = pg.SetOp("-", EVERYBODY, viewers, type=PLAYERS)
            return pg.Filter(pieces, piece, pg.SomeE(missing, type=FLAG), type=PIECES)
        knows = pg.Member(pg.VarGet(seat, type=seat.type), viewers, type=FLAG)
        return pg.Filter(pieces, piece, pg.NotE(knows, type=FLAG), type=PIECES)

    # ---- what a value looks at
    def leaves(self, e: pg.E) -> Leaves:
        """Who may know a value: those who are in all of these sets."""
        return self._few(self._leaves(e))

    def _few(self, found: Iterable[pg.E]) -> Leaves:
        distinct = {_text(leaf): leaf for leaf in found}
        return tuple(distinct.values()) if len(distinct) <= MOST_LEAVES else (self.everything,)

    def _leaves(self, e: pg.E) -> Iterator[pg.E]:
        if _is_piece(e.type) and self._may_hide(e.type):
            if not isinstance(e, pg.Const):
                yield self.of_piece(e)
        elif _is_pieces(e.type) and self._may_hide(e.type):
            yield from self._members(e)
            return
        yield from self._inside(e)

    def _inside(self, e: pg.E) -> Iterator[pg.E]:
        """What the parts of a value look at."""
        match e:
            case pg.AttrGet(attribute=attribute, of=of) if _is_piece(of.type):
                if isinstance(of, pg.Const):
                    if not attribute.printed:  # of a piece that is named, where it is and how it is
                        yield self.of_piece(of)
                elif attribute.name != "at" and self._is_shown(attribute, of.type):
                    yield from self._inside(of)
                else:
                    yield from self._leaves(of)
            case pg.SomeE(group=group) | pg.CountE(group=group) if _is_pieces(group.type):
                yield from self._counted(group)
            case pg.SumE(group=group, var=var, value=value) if _is_pieces(group.type):
                yield from self._counted(group) if self._on_backs(value, var) else self._looked_at(e)
            case pg.VarGet(var=var):
                yield from self._variable(var)
            case pg.CallE(define=name, arguments=given) | pg.QuantityE(quantity=name, arguments=given):
                yield from self._called(name, given)
            case pg.RouteE(route=name, arguments=given) | pg.LegalE(action=name, arguments=given):
                yield from self._called(name, given)
            case _ if isinstance(e, LOOPS):
                yield from self._looked_at(e)
            case pg.AfterE():  # what lies where afterwards may hang on any of them
                yield self.everything
            case _:
                for part in sub_expressions(e):
                    yield from self._leaves(part)

    def _looked_at(self, e: pg.E) -> Iterator[pg.E]:
        """A loop looks at every member of its group, whatever comes of it."""
        assert isinstance(e, pg.Filter | pg.SumE | pg.ExtremeE | pg.ArgExtreme)
        asked = e.condition if isinstance(e, pg.Filter) else e.value
        if not self._on_backs(asked, e.var) and _is_pieces(e.group.type):
            yield self.known_to_all(e.group)
        yield from self._leaves(e.group)
        for leaf in self._leaves(asked):
            if not uses_var(leaf, {e.var}):
                yield leaf
            elif not _is_pieces(e.group.type):
                yield self.everything

    def _members(self, e: pg.E) -> Iterator[pg.E]:
        """What must be known to name the members of a set of pieces."""
        if isinstance(e, pg.ClassSet | pg.Const):
            return
        if isinstance(e, LOOPS):
            yield from self._looked_at(e)
        elif isinstance(e, pg.CallE):
            yield from self._called(e.define, e.arguments)
        else:
            for part in sub_expressions(e):
                yield from self._leaves(part)
        yield self.known_to_all(e)

    def _counted(self, group: pg.E) -> Iterator[pg.E]:
        """What must be known to tell how many members a set of pieces has."""
        match group:
            case pg.Filter(group=inner, var=var, condition=condition) if self._on_backs(condition, var):
                yield from self._counted(inner)
                yield from (leaf for leaf in self._leaves(condition) if not uses_var(leaf, {var}))
            case pg.PiecesIn(place=place):
                yield from self._leaves(place)
            case pg.ClassSet() | pg.FieldGet() | pg.VarGet():
                return
            case pg.SetOp(op="&", left=pg.ClassSet(), right=right):
                yield from self._counted(right)
            case pg.SetOp(op="&", left=left, right=pg.ClassSet()):
                yield from self._counted(left)
            case _:
                yield from self._members(group)

    def _on_backs(self, e: pg.E, var: pg.Var) -> bool:
        """Whether a question about a member asks only for its place and for what its back shows."""
        match e:
            case pg.AttrGet(attribute=attribute, of=pg.VarGet(var=asked)) if asked is var:
                return self._is_shown(attribute, var.type)
            case pg.VarGet(var=asked) if asked is var:
                return False
            case pg.CallE(define=name, arguments=given) if uses_var(e, {var}):
                return self._define_on_backs(name, given, var)
            case _:
                return all(self._on_backs(part, var) for part in sub_expressions(e))

    def _define_on_backs(self, name: str, given: tuple[pg.E, ...], var: pg.Var) -> bool:
        define = self.program.defines[name]
        for param, argument in zip(define.params, given, strict=True):
            if isinstance(argument, pg.VarGet) and argument.var is var:
                asked = [e for e in expressions_in(define.cases) if uses_var(e, {param})]
                if not all(self._on_backs(e, param) for e in asked):
                    return False
            elif not self._on_backs(argument, var):
                return False
        return True

    # ---- rules and variables
    def _called(self, name: str, given: tuple[pg.E, ...]) -> Iterator[pg.E]:
        for argument in given:
            if not (_is_piece(argument.type) or _is_pieces(argument.type)):
                yield from self._leaves(argument)
            else:
                yield from self._inside(argument)
        params = self._params(name)
        values = dict(zip(params, given, strict=False))
        for leaf in self._rule(name):
            yield substituted(leaf, values)

    def _rule(self, name: str) -> Leaves:
        """What a define, quantity, route or action looks at, in terms of its parameters."""
        if name not in self._rules:
            self._rules[name] = ()  # there is no recursion among them; this only breaks a bad circle
            params = frozenset(self._params(name))
            found: list[pg.E] = []
            for e in expressions_in(self._owner(name)):
                found += (
                    leaf if _free(leaf) <= params else self.everything for leaf in self._leaves(e)
                )  # variables of a step of a route
            self._rules[name] = self._few(found)
        return self._rules[name]

    def _owner(self, name: str) -> pg.DefineRule | pg.QuantityRule | pg.RouteRule | pg.ActionRule:
        program = self.program
        for rules in (program.defines, program.quantities, program.routes):
            if name in rules:
                return rules[name]
        return program.actions[name]

    def _params(self, name: str) -> tuple[pg.Var, ...]:
        return self._owner(name).params

    def _made_from(self, step: pg.S) -> None:
        """Variables that are no pieces may have been reckoned from some."""
        step = pg.closed(step)
        match step:
            case pg.LetS(var=var, value=value) | pg.PickS(var=var, group=value):
                pairs: Iterable[tuple[pg.Var, pg.E]] = ((var, value),)
            case pg.DoS(procedure=name, arguments=arguments):
                pairs = zip(self.program.procedures[name].params, arguments, strict=False)
            case pg.RollS() | pg.RememberS() | pg.ForS() | pg.ChooseS():
                return  # chance and what is known to all; members that somebody goes through or chooses
            case _:
                assert_type(step, pg.BindsNothing)
                return
        for var, value in pairs:
            if not (_is_piece(var.type) or _is_pieces(var.type)):
                self._variables.setdefault(var, []).append(value)

    def _variable(self, var: pg.Var) -> Leaves:
        if var not in self._of_variable:
            self._of_variable[var] = ()
            found = [leaf for value in self._variables.get(var, ()) for leaf in self._leaves(value)]
            # what was known when it was reckoned cannot be asked any more once its variables are gone
            self._of_variable[var] = self._few(self.everything if _free(x) else x for x in found)
        return self._of_variable[var]

    # ---- backs
    def _may_hide(self, type_: Type) -> bool:
        return type_.of in ("", *self.program.world.backs)

    def _is_shown(self, attribute: Attribute, type_: Type) -> bool:
        """Whether everybody sees this of every counter: its place, and what the back shows."""
        backs = self.program.world.backs
        asked = [backs[type_.of]] if type_.of in backs else backs.values()
        return attribute.name == "at" or not self._may_hide(type_) or all(
            attribute.name in back.showing for back in asked
        )  # fmt: skip


def _is_piece(type_: Type) -> bool:
    return type_.kind == "thing" and type_.name == "piece"


def _is_pieces(type_: Type) -> bool:
    return type_.kind == "set" and type_.name == "piece"


def _free(e: pg.E) -> frozenset[pg.Var]:
    """The variables of an expression that are not bound by one of its loops."""
    if isinstance(e, pg.VarGet):
        return frozenset((e.var,))
    inside = frozenset[pg.Var]().union(*map(_free, sub_expressions(e)))
    return inside - {e.var} if isinstance(e, pg.Filter | pg.SumE | pg.ExtremeE | pg.ArgExtreme) else inside


def _text(e: pg.E) -> str:
    """Two expressions that ask the same, read the same (variables of loops are numbered)."""
    names: dict[pg.Var, int] = {}

    def said(value: object) -> str:
        if isinstance(value, pg.Var):
            return f"{value.name}{names.setdefault(value, len(names))}{'' if value in free else '*'}"
        if isinstance(value, pg.E):
            parts = (getattr(value, f.name) for f in fields(value) if f.name not in ("type", "source"))
            return f"{type(value).__name__}:{value.type}({','.join(map(said, parts))})"
        if isinstance(value, tuple):
            return f"[{','.join(map(said, value))}]"
        return f"{value.universe}.{value.name}" if isinstance(value, Attribute) else repr(value)

    free = _free(e)
    return said(e) + "/".join(sorted(str(id(var)) for var in free))


def expressions_in(value: object) -> Iterator[pg.E]:
    """All outermost expressions inside a rule, wherever its parts keep them."""
    if isinstance(value, pg.E):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from expressions_in(part)
    elif is_dataclass(value) and not isinstance(value, sx.Node | Type | Attribute | pg.Var):
        for spec in fields(value):
            yield from expressions_in(getattr(value, spec.name))
