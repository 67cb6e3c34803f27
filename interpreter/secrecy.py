"""Who may know the value of an expression: used for log lines and explanations.

The answer is itself an expression (a set of players), so that generated code and explanations ask the
same thing. What cannot be followed to its source is for nobody: hiding too much is safe, showing too
much is not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from interpreter.codegen.trees import substituted
from interpreter.layout import sub_expressions, walk_steps
from rulesdsl import program as pg
from rulesdsl import syntax as sx
from rulesdsl.types import FLAG, Type, set_of, thing
from rulesdsl.world import Attribute

PLAYERS = set_of("player")
NOBODY = pg.Const(0, type=PLAYERS)
EVERYBODY = pg.ClassSet(type=PLAYERS)
_SPENT = 2  # of TOKEN_STATES


class Secrecy:
    """What is secret in a program."""

    def __init__(self, program: pg.Program) -> None:
        self.program = program
        self._asked: dict[str, bool] = {}  # functions that look at something secret
        self._known: dict[int, tuple[pg.E, pg.E | None]] = {}
        steps = [s for p in program.procedures.values() for s in walk_steps(p.body)]
        self._rolled = {step.var for step in steps if isinstance(step, (pg.RollS, pg.PickS))}
        self._hidden: frozenset[pg.Var] = frozenset()
        if self.any:
            self._find_hidden_variables(steps)

    @property
    def any(self) -> bool:
        return bool(self.program.visibility) or bool(self.program.tokens)

    def viewers(self, e: pg.E) -> pg.E | None:
        """The set of players who may know the value of `e`; None when everybody may."""
        if not self.any:
            return None
        if id(e) not in self._known:  # made once, for functions are compiled for it
            self._known[id(e)] = e, self._viewers(e)
        return self._known[id(e)][1]

    def _viewers(self, e: pg.E) -> pg.E | None:
        found: pg.E | None = None
        for part in self._leaves(e):
            if part is NOBODY:
                return NOBODY
            found = part if found is None else pg.SetOp("&", found, part, type=PLAYERS)
        return found

    def _leaves(self, e: pg.E) -> Iterator[pg.E]:
        match e:
            case pg.AttrGet(attribute=attribute, of=of):
                known = self.program.visibility.get((attribute.universe, attribute.name))
                if known is not None and known.thing is not None:
                    yield substituted(known.viewers, {known.thing: of})
                elif attribute.universe == "token" and attribute.built_in:  # who holds it, where it is
                    yield self.token_viewers(of)
                yield from self._leaves(of)
                return
            case pg.TrackGet(track=track) if ("game", track) in self.program.visibility:
                yield self.program.visibility["game", track].viewers
                return
            case pg.VarGet(var=var) if var in self._hidden:
                yield NOBODY
                return
            case (
                pg.CallE(define=name)
                | pg.QuantityE(quantity=name)
                | pg.RouteE(route=name)
                | pg.LegalE(action=name)
            ) if self._looks(name):
                yield NOBODY
                return
            case _:
                pass
        if e.type.kind == "thing" and e.type.name == "token" and not isinstance(e, pg.Const):
            yield self.token_viewers(e)
        elif e.type.kind == "set" and e.type.name == "token":
            yield NOBODY
        for part in sub_expressions(e):
            yield from self._leaves(part)

    def token_viewers(self, token: pg.E) -> pg.E:
        """A spent token is open, a held one is known to its holder, one in the bag to nobody."""
        attributes = self.program.world.attributes
        state = pg.AttrGet(attributes["token", "state"], token, type=attributes["token", "state"].type)
        holder = pg.AttrGet(attributes["token", "holder"], token, type=thing("player", nullable=True))
        spent = pg.CompareE("=", state, pg.Const(_SPENT, type=state.type), type=FLAG)
        return pg.IfE(spent, EVERYBODY, pg.SingleSet(holder, type=PLAYERS), type=PLAYERS)

    def secret_attribute(self, universe: str, name: str) -> bool:
        return (universe, name) in self.program.visibility

    # ---- what looks at secrets
    def _looks(self, name: str) -> bool:
        """Whether a define, quantity, route or action looks at something secret, itself or further on."""
        if name not in self._asked:
            self._asked[name] = False  # there is no recursion among them; this only breaks a bad circle
            self._asked[name] = any(next(self._leaves(e), None) is not None for e in self._parts(name))
        return self._asked[name]

    def _parts(self, name: str) -> Iterator[pg.E]:
        program = self.program
        if name in program.defines:
            owner: object = program.defines[name]
        elif name in program.quantities:
            owner = program.quantities[name]
        elif name in program.routes:
            owner = program.routes[name]
        else:
            owner = program.actions[name]
        yield from expressions_in(owner)

    def _find_hidden_variables(self, steps: list[pg.S]) -> None:
        """Variables that hold a secret: taken from one, or drawn by chance to become one."""
        while True:
            hidden = self._hidden.union(*(self._made_hidden(step) for step in steps))
            self._known.clear()  # what was found out with fewer of them
            if hidden == self._hidden:
                return
            self._hidden = hidden

    def _made_hidden(self, step: pg.S) -> Iterator[pg.Var]:
        match step:
            case pg.LetS(var=var, value=value) | pg.PickS(var=var, group=value):
                if var.type.name != "token" and self.viewers(value) is not None:
                    yield var  # (who may know a token is asked when the line is written)
            case pg.DoS(procedure=name, arguments=arguments):
                for param, value in zip(self.program.procedures[name].params, arguments, strict=False):
                    if param.type.name != "token" and self.viewers(value) is not None:
                        yield param
            case pg.SetAttr(attribute=a, of=of, value=value) if self.secret_attribute(a.universe, a.name):
                yield from self._from_chance(of)
                yield from self._from_chance(value)
            case pg.MarkS(attribute=a, of=of) if self.secret_attribute(a.universe, a.name):
                yield from self._from_chance(of)
            case pg.SetTrack(track=track, value=value) if ("game", track) in self.program.visibility:
                yield from self._from_chance(value)
            case _:
                pass

    def _from_chance(self, e: pg.E) -> Iterator[pg.Var]:
        """Rolls and picks that become a secret: their own log lines must not tell it."""
        yield from (var for var in _variables(e) if var in self._rolled)


def _variables(e: pg.E) -> Iterator[pg.Var]:
    if isinstance(e, pg.VarGet):
        yield e.var
    for part in sub_expressions(e):
        yield from _variables(part)


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
