"""Expressions of the rules as words about the things at hand: `unit.owner` is “Guards’ owner”.

The sentences are those of the handbook, made from the same tree; only variables, and what leads from them to
one thing, are said by the printed name of what they stand for.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from interpreter.asking.author_words import source_text
from interpreter.playing.counters import as_seen, hidden_pieces
from interpreter.playing.known_values import may_know
from rulesdsl import program as pg
from rulesdsl.language import syntax as sx
from rulesdsl.language.plurals import plural_of
from rulesdsl.program.types import Type
from rulesdsl.program.walk import sub_expressions
from rulesdsl.speaking.clauses.tree import Clause, Simple, Thing, Whole, there_is
from rulesdsl.speaking.english import in_words, is_plural_word, listed
from rulesdsl.speaking.inline import plain
from rulesdsl.speaking.names import Names
from rulesdsl.speaking.say.expressions import Speaker

if TYPE_CHECKING:
    from interpreter.playing.session import Session

Env = dict[pg.Var, Any]
MOST_NAMES = 3
_NAMED = (pg.VarGet, pg.AttrGet, pg.FieldGet, pg.TrackGet)
_JOINED = ("_of", "_without", "_in", "_for")


class TableSpeaker(Speaker):
    """The handbook's speaker, who also knows what some of the expressions stand for just now."""

    bound: dict[int, str]  # identity of a node → the name to say instead

    def say(self, expr: sx.Expr) -> str:
        return self.bound.get(id(expr)) or super().say(expr)

    def description(self, description: sx.Description) -> str:
        return self.bound.get(id(description)) or super().description(description)

    def other(self, name: str, description: sx.Description) -> str:
        return self.bound.get(id(description)) or super().other(name, description)

    def many(self, expr: sx.Expr) -> bool:
        return id(expr) not in self.bound and super().many(expr)

    def thing(self, expr: sx.Expr) -> Thing:
        name = self.bound.get(id(expr))
        return Thing(name) if name else super().thing(expr)


class Words:
    """What things, values and expressions of a session are called."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.program = session.ruleset.program
        self.speaker = TableSpeaker(Names.of(self.program))
        self.speaker.bound = {}
        pending = session.machine.pending
        self.seat = pending.who if pending is not None else -1
        self.world = as_seen(session.ruleset, session.machine, self.seat).world  # names for who is asked

    def value(self, e: pg.E, env: Env) -> Any:
        return self.session.ruleset.evaluate(self.session.machine.s, e, env)

    def show(self, type_: Type, value: Any) -> str:
        """A value by its printed name; of many things only some."""
        if type_.kind == "set" and not type_.of_enum and value:
            members = self.in_order(type_, value)
            first = [self.show(type_.member, member) for member in members[:MOST_NAMES]]
            more = f" and {len(members) - MOST_NAMES} more" if len(members) > MOST_NAMES else ""
            return f"{', '.join(first)}{more}"
        world = self.world
        shown = world.show(type_, value)
        if type_.kind == "enum":
            return in_words(shown)
        if type_.kind == "thing" and value >= 0:
            if type_.name == "border":
                ends = (world.place_name(end) for end in world.border_ends[value])
                return f"the border between {' and '.join(ends)}"
            if type_.name == "space":
                return world.place_name(value)
            if type_.name in world.groups and shown == world.universes[type_.name].ids[value]:
                return f"{in_words(type_.name)} {shown}"
        return shown

    def in_order(self, type_: Type, value: int) -> list[int]:
        """The members of a set; pieces that are not known come last, as they lie."""
        found = list(bits(value))
        if type_.name == "piece" and self.world is not self.program.world:
            names = self.world.universes["piece"].names
            unknown = hidden_pieces(self.session.ruleset, self.session.machine.s, self.seat)
            found.sort(key=lambda piece: (1, names[piece], 0) if unknown >> piece & 1 else (0, "", piece))
        return found

    def spelled(self, text: str) -> str:
        """A sentence with the names in it written as the rulebook writes them: “Soviet”, not “soviet”."""
        return self.speaker.names.lexicon.spelled(text)

    # ---- expressions
    def noun(self, e: pg.E, env: Env) -> str:
        """An expression as a noun: a name, “Guards’ owner”, “the number of units in Hill”."""
        match e:
            case pg.Const(value=value):
                return self.show(e.type, value)
            case pg.VarGet(var=var) if var in env and e.type.kind in ("thing", "enum", "number"):
                return self.show(e.type, env[var])
            case pg.VarGet(var=var) if var in env and e.type.kind == "set" and env[var]:
                return self.show(e.type, env[var])
            case pg.AttrGet(attribute=attribute, of=of):
                return self.owned(self.about(of, env), self.speaker.names.attribute(attribute.name)).words
            case pg.SettingGet(name=name):
                return f"the {self.program.settings[name].kind} “{in_words(name)}”"
            case pg.BuiltinE(name="place_of", arguments=(piece,)):
                return f"{possessive(self.one(piece, env))} place"
            case pg.FieldGet(field=name) | pg.TrackGet(track=name):
                return f"the {self.speaker.names.kept_value(name, e.type)}"
            case (
                pg.CallE(define=name, arguments=arguments) | pg.QuantityE(quantity=name, arguments=arguments)
            ):
                values = [self.one(a, env) for a in arguments]
                if worded := self.speaker.names.worded_value(name, values):
                    return worded
                given = listed(values)
                joint = "" if name.endswith(_JOINED) or not given else "of "
                return f"the {in_words(name).replace('.', ' ')} {joint}{given}".strip()
            case _:
                return self.source(e, env)

    def one(self, e: pg.E, env: Env) -> str:
        """What an expression is about: the thing itself if it is one, else its noun."""
        if e.type.kind in ("thing", "enum") and is_closed(e, env):
            value = self.value(e, env)
            if isinstance(value, int) and value >= 0:
                return self.show(e.type, value)
        return self.noun(e, env)

    def about(self, e: pg.E, env: Env) -> Thing:
        """What an expression is, as something that a clause can be about."""
        if isinstance(e, pg.AttrGet) and not (e.type.kind in ("thing", "enum") and is_closed(e, env)):
            return self.measured(e, env)
        return self.named(e.type, self.one(e, env))

    def measured(self, e: pg.E, env: Env) -> Thing:
        """An expression by its noun; of an attribute it is known whose it is."""
        match e:
            case pg.AttrGet(attribute=attribute, of=of):
                return self.owned(self.about(of, env), self.speaker.names.attribute(attribute.name))
            case _:
                return Thing(self.noun(e, env))

    def owned(self, owner: Thing, what: str) -> Thing:
        """“Guards’ strength”"""
        return Thing(f"{possessive(owner.words)} {what}", owner=owner if owner.named else None, owned=what)

    def named(self, type_: Type, words: str) -> Thing:
        kind = type_.name if type_.kind in ("thing", "set") else ""
        many = type_.kind == "set" or (kind == "piece" and self.speaker.names.is_many(words))
        one = type_.kind == "thing" and kind != "player"  # who plays is no “it”
        return Thing(words, many, kind, type_.of, named=one)

    def source(self, e: pg.E, env: Env) -> str:
        """The handbook's words for an expression."""
        node = self._node(e)
        if node is None:
            return source_text(e)
        self.speaker.bound = dict(self._bound(e, env))
        return plain(self.speaker.say(node))

    def clause(self, e: pg.E, env: Env) -> Clause:
        """The handbook's clause for a condition."""
        node = self._node(e)
        if node is None:
            return Whole(source_text(e))
        self.speaker.bound = dict(self._bound(e, env))
        return self.speaker.clause(node)

    def _node(self, e: pg.E) -> sx.Expr | None:
        """What the author wrote."""
        match e.source:
            case sx.TailWhere(condition):
                return condition
            case sx.TailAmong(group):
                return group
            case sx.Expr() as node:
                return node
            case _:
                return None

    def several(self, e: pg.VarGet, env: Env) -> str:
        """A group that has a name, with what it is made of where that does not tell: “the fresh units”."""
        called = self.source(e, env)
        of = plural_of(e.type.of or e.type.name)
        return called if is_plural_word(called.split()[-1]) or " " in of else f"{called} {in_words(of)}"

    def none_at_all(self, e: pg.SomeE, env: Env) -> Simple:
        """Nobody is there, whatever else is asked of them: “there is no unit in Hill”."""
        node = e.source
        assert isinstance(node, sx.Some)
        tails = tuple(tail for tail in node.phrase.tails if not isinstance(tail, sx.TailWhere))
        self.speaker.bound = dict(self._bound(e, env))
        return there_is(
            plain(self.speaker.phrase(sx.NounPhrase(node.phrase.words[-1:], tails))), negated=True
        )

    def _bound(self, e: pg.E, env: Env) -> Iterator[tuple[int, str]]:
        """Which nodes of the author's text stand for one thing that may be named."""
        named = isinstance(e, _NAMED) and isinstance(e.source, sx.Expr)
        named |= isinstance(e, pg.BuiltinE) and e.name == "opponent"
        if (
            named
            and e.type.kind in ("thing", "enum")
            and is_closed(e, env)
            and may_know(self.session, e, env)
        ):
            value = self.value(e, env)
            if isinstance(value, int) and value >= 0:
                yield id(e.source), self.show(e.type, value)
                return
        for part in sub_expressions(e):
            yield from self._bound(part, env)


def bits(mask: int) -> Iterator[int]:
    """The members of a set, by their numbers."""
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1


def piece_at(e: pg.E) -> pg.E | None:
    """The piece whose place an expression is."""
    match e:
        case pg.BuiltinE(name="place_of", arguments=(piece,)):
            return piece
        case pg.AttrGet(attribute=attribute, of=piece) if (attribute.universe, attribute.name) == (
            "piece",
            "at",
        ):
            return piece
        case _:
            return None


def is_closed(e: pg.E, env: Env) -> bool:
    """Whether everything in an expression has a value: no member of a group that is still looked through."""
    if isinstance(e, pg.VarGet):
        return e.var in env
    return not isinstance(e, pg.StepFact) and all(is_closed(part, env) for part in sub_expressions(e))


def possessive(words: str) -> str:
    if words.endswith(")"):
        return f"{words}’s"
    return f"{words}’" if words.endswith("s") else f"{words}’s"
