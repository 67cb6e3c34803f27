"""Who may know the value of an expression: used for log lines, prompts and explanations.

The answer is itself an expression (a set of players), so that generated code and explanations ask the same
thing. It is made of *leaves*, one for each secret place an expression looks at: a player may know the value
when he may see all of them. What cannot be followed to its places is for nobody: hiding too much is safe,
showing too much is not. Which leaves a variable or the field of a record has is found in secretflow.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from interpreter.secrecy.identity import Identity
from interpreter.secrecy.identity import expressions_in as expressions_in
from rulesdsl import program as pg
from rulesdsl.checking.bodies.visibility import IDENTITY
from rulesdsl.language.conventions import OF_GAME
from rulesdsl.program.following import following
from rulesdsl.program.logic import LOOPS, mentions, node_count, rebuilt
from rulesdsl.program.types import FLAG, set_of, thing
from rulesdsl.program.walk import part_names, sub_expressions
from rulesdsl.program.world import Attribute

PLAYERS = set_of("player")
NOBODY = pg.Const(0, type=PLAYERS)
SPOKEN = ("note", "phase")  # kinds of log lines of which everybody hears the words, if not all values
EVERYBODY = pg.Const(-1, type=PLAYERS)  # those who look on as well
TOKENS = ("token", "known_to")
Key = tuple[str, str]  # (universe, attribute) or (OF_GAME, track)
_MOST_LEAVES, _MOST_NODES = (
    16,
    2000,
)  # beyond that nobody is told

# what is known as soon as its parts are
_TRANSPARENT = (
    pg.Arith, pg.NotE, pg.LogicE, pg.CompareE, pg.IfE, pg.LookupE, pg.ResultField, pg.Neighbours,
    pg.BordersBetween, pg.NumbersE, pg.BuiltinE, pg.SetOp, pg.SingleSet, pg.Member, pg.SomeE, pg.CountE,
    pg.FirstE,
)  # fmt: skip
_ALWAYS_KNOWN = (pg.Const, pg.ClassSet, pg.SettingGet, pg.StepFact)
_WHERE_PIECES_STAND = (pg.PiecesIn, pg.SpacesOf, pg.NearestE)


@dataclass(frozen=True, slots=True, eq=False)
class Leaf:
    """A secret place: who may see it, which it is, and what tells whose it is (`anchors`)."""

    viewers: pg.E
    key: Key | None = None
    anchors: tuple[pg.E, ...] = ()

    def renamed(self, values: Mapping[pg.Var, pg.E]) -> Leaf:
        if self is HIDDEN:
            return self
        anchors = tuple(put_in(anchor, values) for anchor in self.anchors)
        return Leaf(put_in(self.viewers, values), self.key, anchors)

    def alike(self, other: Leaf) -> bool:
        return self.key == other.key and shape(self.viewers, {}) == shape(other.viewers, {})


HIDDEN = Leaf(NOBODY)
Leaves = tuple[Leaf, ...]


def joined(*several: Iterable[Leaf]) -> Leaves:
    """All of them, each once."""
    found: list[Leaf] = []
    for leaf in (leaf for leaves in several for leaf in leaves):
        if leaf is HIDDEN:
            return (HIDDEN,)
        if not any(leaf.alike(other) for other in found):
            found.append(leaf)
    large = sum(node_count(leaf.viewers) for leaf in found) > _MOST_NODES
    return (HIDDEN,) if large or len(found) > _MOST_LEAVES else tuple(found)


class Secrecy:
    """What is secret in a program; made by `secret_flow.secrecy_of`, which follows them through its steps."""

    def __init__(self, program: pg.Program) -> None:
        self.program = program
        self.variables: dict[pg.Var, Leaves] = {}
        self.record_fields: dict[Key, Leaves] = {}
        self.held: frozenset[pg.Var] = frozenset()  # variables of procedures, as opposed to those of sets
        self._members: list[pg.Var] = []  # variables of the sets that are being looked into
        self._rules: dict[str, Leaves] = {}
        self._known: dict[int, tuple[pg.E, pg.E | None]] = {}
        self.identity = Identity(program) if IDENTITY in program.visibility else None

    @property
    def any(self) -> bool:
        return bool(self.program.visibility) or bool(self.program.tokens)

    def viewers(self, e: pg.E) -> pg.E | None:
        """The set of players who may know the value of `e` now; None when everybody may."""
        if not self.any:
            return None
        if id(e) not in self._known:  # made once, for functions are compiled for it
            self._known[id(e)] = e, self._viewers(e)
        return self._known[id(e)][1]

    def _viewers(self, e: pg.E) -> pg.E | None:
        found = together(self.leaves(e))
        for part in self.identity.leaves(e) if self.identity is not None and found is not NOBODY else ():
            found = part if found is None else pg.SetOp("&", found, part, type=PLAYERS)
        return found

    def forget(self) -> None:
        """What was found out with fewer secret variables."""
        self._known.clear()
        self._rules.clear()

    def secret_attribute(self, universe: str, name: str) -> bool:
        return (universe, name) in self.program.visibility

    def token_viewers(self, token: pg.E) -> pg.E:
        """Those who know where it is: that is part of the state."""
        return pg.AttrGet(self.program.world.attributes[TOKENS], token, type=PLAYERS)

    def of_attribute(self, attribute: Attribute, of: pg.E) -> Leaves:
        """Who may see this attribute of this thing, whoever may know which thing it is."""
        known = self.program.visibility.get((attribute.universe, attribute.name))
        if known is not None and known.thing is not None:
            viewers = put_in(known.viewers, {known.thing: of})
            return (Leaf(viewers, (attribute.universe, attribute.name), (of,)),)
        return self._of_token(of) if attribute.universe == "token" and attribute.built_in else ()

    def naming(self, e: pg.E) -> Leaves:
        """Who may know which pieces these are, when a line names them that everybody sees to change."""
        return () if self.identity is None else tuple(map(Leaf, self.identity.leaves(e)))

    def of_track(self, track: str) -> Leaves:
        known = self.program.visibility.get((OF_GAME, track))
        return () if known is None else (Leaf(known.viewers, (OF_GAME, track)),)

    def _of_token(self, token: pg.E) -> Leaves:
        return (Leaf(self.token_viewers(token), TOKENS, (token,)),)

    # ---- expressions
    def leaves(self, e: pg.E) -> Leaves:
        """The secret places that the value of an expression tells of."""
        match e:
            case pg.VarGet(var=var) if var in self._members:
                return ()  # that it is a member is told by the group
            case pg.VarGet(var=var):
                of_token = e.type.kind == "thing" and e.type.name == "token" and var in self.held
                return joined(self.variables.get(var, ()), self._of_token(e) if of_token else ())
            case pg.TrackGet(track=track):
                return self.of_track(track)
            case pg.FieldGet(record=record, field=name):
                return self.record_fields.get((record, name), ())
            case pg.AttrGet(attribute=attribute, of=of):
                return joined(self.of_attribute(attribute, of), self.leaves(of))
            case pg.Filter(group=group, var=var, condition=inner):
                return joined(self.leaves(group), for_all(var, group, self._of_member(var, inner)))
            case pg.SumE() | pg.ExtremeE() | pg.ArgExtreme():
                return joined(self.leaves(e.group), for_all(e.var, e.group, self._of_member(e.var, e.value)))
            case (
                pg.CallE(define=name, arguments=arguments)
                | pg.QuantityE(quantity=name, arguments=arguments)
                | pg.RouteE(route=name, arguments=arguments)
                | pg.LegalE(action=name, arguments=arguments)
            ):
                params = dict(zip(self._rule(name).params, arguments, strict=False))
                inside = (leaf.renamed(params) for leaf in self._of_rule(name))
                return joined(inside, *map(self.leaves, arguments))
            case pg.AfterE(arguments=arguments, given=given):
                hidden = (HIDDEN,) if self._looks_afterwards(e) else ()
                return joined(hidden, *map(self.leaves, (*arguments, *given)))
            case pg.PlayableE(window=window, arguments=arguments):
                hidden = (HIDDEN,) if self._looks(window) else ()
                return joined(hidden, *map(self.leaves, arguments))
            case _ if isinstance(e, _WHERE_PIECES_STAND):
                hidden = (HIDDEN,) if self.secret_attribute("piece", "at") else ()
                return joined(hidden, *map(self.leaves, sub_expressions(e)))
            case _ if isinstance(e, _TRANSPARENT):
                return joined(*map(self.leaves, sub_expressions(e)))
            case _ if isinstance(e, _ALWAYS_KNOWN):
                return ()
            case _:
                return (HIDDEN,)  # a new sort of expression is hidden until somebody has thought about it

    def _of_member(self, var: pg.Var, inner: pg.E) -> Leaves:
        """What is asked of a member, in terms of `var` that stands for it."""
        self._members.append(var)
        try:
            return self.leaves(inner)
        finally:
            self._members.pop()

    def membership(self, group: pg.E, member: pg.E) -> Leaves:
        """Who may know that this thing is one of a group: less than knowing all of them."""
        match group:
            case pg.Filter(group=inner, var=var, condition=condition):
                about = (leaf.renamed({var: member}) for leaf in self._of_member(var, condition))
                return joined(self.membership(inner, member), about)
            case pg.SetOp(op="&" | "-", left=left, right=right):
                return joined(self.membership(left, member), self.membership(right, member))
            case pg.ClassSet():
                return self._of_token(member) if group.type.name == "token" else ()
            case _:
                return self.leaves(group)

    # ---- rules
    def _rule(self, name: str) -> pg.DefineRule | pg.QuantityRule | pg.RouteRule | pg.ActionRule:
        program = self.program
        kinds = (program.defines, program.quantities, program.routes, program.actions)
        return next(kind[name] for kind in kinds if name in kind)

    def _of_rule(self, name: str) -> Leaves:
        """What a define, quantity, route or action looks at, in terms of its parameters."""
        if name not in self._rules:
            self._rules[name] = ()  # there is no recursion among them; this only breaks a bad circle
            rule = self._rule(name)
            leaves = joined(*map(self.leaves, expressions_in(rule)))
            if isinstance(rule, pg.RouteRule):  # it may look at any step
                for var in (rule.here, rule.border, rule.there):
                    everything = pg.ClassSet(type=set_of(var.type.name, var.type.of))
                    leaves = joined(for_all(var, everything, leaves))
            self._rules[name] = leaves
        return self._rules[name]

    def _looks_afterwards(self, e: pg.AfterE) -> bool:
        """Whether a look at what would follow tells of a secret; who might see it then is not known now."""
        if self.identity is not None or self.leaves(e.value):
            return True
        procedures = (self.program.procedures[name] for name in following(self.program, e.procedure))
        return any(map(self.leaves, (part for procedure in procedures for part in expressions_in(procedure))))

    def _looks(self, window: str) -> bool:
        """Whether the conditions under which tokens may be played there look at secrets."""
        plays = (p for token in self.program.tokens.values() for p in token.plays if p.window == window)
        return any(play.condition is not None and self.leaves(play.condition) for play in plays)


def together(leaves: Leaves) -> pg.E | None:
    """Those who may see all of these places."""
    found: pg.E | None = None
    for leaf in leaves:
        if leaf is HIDDEN:
            return NOBODY
        found = leaf.viewers if found is None else pg.SetOp("&", found, leaf.viewers, type=PLAYERS)
    return found


def for_all(var: pg.Var, group: pg.E, leaves: Leaves) -> Leaves:
    """Who may see these places of every member: `var` stands for it."""
    found: list[Leaf] = []
    for leaf in leaves:
        if leaf is HIDDEN or not mentions(leaf.viewers, {var}):
            found.append(leaf)
            continue
        player, member = pg.Var("player", thing("player")), pg.Var(var.name, var.type)
        of_member = put_in(leaf.viewers, {var: pg.VarGet(member, type=var.type)})
        sees = pg.Member(pg.VarGet(player, type=player.type), of_member, type=FLAG)
        blind = pg.Filter(group, member, pg.NotE(sees, type=FLAG), type=group.type)
        nobody_else = pg.NotE(pg.SomeE(blind, type=FLAG), type=FLAG)
        all_players = pg.ClassSet(type=PLAYERS)
        viewers = pg.Filter(all_players, player, nobody_else, type=PLAYERS)
        anchors = tuple(a for a in leaf.anchors if not mentions(a, {var}))
        found.append(replace(leaf, viewers=viewers, anchors=(*anchors, group)))
    return joined(found)


def shape(e: pg.E, own: Mapping[pg.Var, int]) -> tuple[object, ...]:
    """What an expression says, whatever the variables are called that it brings with it."""
    found: list[object] = [type(e).__name__]
    inner = {**own, e.var: len(own)} if isinstance(e, LOOPS) else own
    for name in part_names(type(e)):
        part = getattr(e, name)
        if isinstance(part, pg.E):
            found.append(shape(part, own if name == "group" else inner))
        elif isinstance(part, tuple):
            found.extend(shape(p, inner) if isinstance(p, pg.E) else p for p in part)
        elif isinstance(part, pg.Var):
            found.append(inner.get(part, id(part)))
        else:
            found.append(id(part) if isinstance(part, Attribute) else part)
    if isinstance(e, pg.ClassSet):
        found.append(e.type)
    return tuple(found)


def put_in(e: pg.E, values: Mapping[pg.Var, pg.E]) -> pg.E:
    """The expression with variables replaced, except those that it brings with it."""
    if isinstance(e, pg.VarGet):
        return values.get(e.var, e)
    if isinstance(e, LOOPS) and e.var in values:
        group, inside = e.group, {v: x for v, x in values.items() if v is not e.var}
        return rebuilt(e, lambda part: put_in(part, values if part is group else inside))
    return rebuilt(e, lambda part: put_in(part, values))
