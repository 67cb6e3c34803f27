"""What an earlier check of nearly the same game found out, used again while somebody types.

A rulebook is resolved in units: a define, a quantity with all that modifies it, a procedure, an example. A
unit is taken over when its statements are the very same objects, it had nothing to complain about, and no
word in it means anything else than before. What may depend on more than its words (a name that is told once
for all) is never taken over; where the order of messages would matter, the whole game is checked again. So
the answer is always that of a fresh check (tests/checking/test_workspace.py compares after random edits).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, TypeVar

from rulesdsl import program as pg
from rulesdsl.base.diagnostics import Diagnostic
from rulesdsl.book.loader import GameSource
from rulesdsl.checking.world.components import build_world
from rulesdsl.language import syntax as sx
from rulesdsl.program.world import World

if TYPE_CHECKING:
    from rulesdsl.checking.context import Context
    from rulesdsl.checking.whole.mentions import Mentions

Made = TypeVar("Made")
Key = tuple[str, object]
Nodes = tuple[sx.Node, ...]
_COMPONENTS = (sx.Enumeration, sx.ClassDecl, sx.GroupDecl, sx.TrackDecl, sx.RecordDecl, sx.Token)
MOST_ROUNDS = 6  # a type that changes may change others; in so many rounds it comes to rest


class OrderMatters(Exception):
    """A message was held back because of another one: which of the two is told, only a whole check knows."""


@dataclass(slots=True)
class Unit:
    """One part of the game as it was resolved, and what it did besides."""

    nodes: Nodes
    rules: tuple[str, ...]
    made: Any
    words: frozenset[str]
    used: set[str]
    done: dict[str, set[str]]
    compared: int
    clean: bool


@dataclass(slots=True)
class Recollection:
    """Lives as long as a workspace; every check leaves behind what the next one may use."""

    units: dict[Key, Unit] = field(default_factory=dict)
    before: dict[Key, Unit] = field(default_factory=dict)
    changed: frozenset[str] = frozenset()
    usable: bool = False
    meanings: dict[str, object] = field(default_factory=dict)
    around: tuple[object, ...] = ()
    world_key: tuple[object, ...] = ()
    world: tuple[World, list[Diagnostic], set[str]] | None = None
    mentioned: dict[int, tuple[object, Mentions]] = field(default_factory=dict)
    taken: int = 0  # units of the last check that were taken over

    def copy(self) -> Recollection:
        """For another version of the same game, such as one with a house rule."""
        return replace(self, units=dict(self.units), mentioned=dict(self.mentioned))

    def built_world(
        self, source: GameSource, rules: list[tuple[str, sx.Rule]]
    ) -> tuple[World, list[Diagnostic], set[str]]:
        """The world, built anew only when a component or the data changed."""
        key: list[object] = [source.map, source.pieces, source.game.players]
        for paragraph, node in rules:
            if isinstance(node, _COMPONENTS):
                key += [paragraph, node]
        if self.world is None or not _same(key, self.world_key):
            self.world_key, self.world = tuple(key), build_world(source, rules)
        world, problems, missed = self.world
        return world, list(problems), set(missed)

    def begin(self, ctx: Context, source: GameSource, world: World) -> None:
        """Before the units are resolved: which words mean something else than last time."""
        around = (world, *sorted(source.scenarios), "", *sorted(source.unread("scenarios")))
        now = meanings_of(ctx)
        self.usable = bool(self.units) and _same(around, self.around)
        differ = {name for name in {*now, *self.meanings} if now.get(name) != self.meanings.get(name)}
        differ |= {
            word
            for name in differ
            for word in _values_of(now.get(name)) | _values_of(self.meanings.get(name))
        }
        self.changed = frozenset(part for name in differ for part in _parts(name))
        self.before, self.units, self.meanings, self.around, self.taken = self.units, {}, now, around, 0

    def recall_defines(self, ctx: Context, resolve: Callable[[Context, str], pg.DefineRule]) -> None:
        """Resolve all defines, of those that say the same as before only what was found."""
        problems, missed = len(ctx.problems), set(ctx.missed)
        for _ in range(MOST_ROUNDS):
            ctx.resolved.clear()
            del ctx.problems[problems:]
            ctx.missed = set(missed)
            for name, (paragraph, node) in ctx.defines.items():
                unit = self._valid(("define", name), (node,), (paragraph,))
                if unit is not None:
                    self.units["define", name] = unit
                    ctx.resolved[name] = unit.made
                else:
                    self.units.pop(("define", name), None)
            self.taken = len(ctx.resolved)
            for name in ctx.defines:
                resolve(ctx, name)
            turned = {
                name for name in ctx.defines
                if name not in self.changed and self._other_type(name, ctx.resolved[name])
            }  # fmt: skip
            if not turned or not self.usable:
                return
            self.changed |= turned
        raise OrderMatters

    def _other_type(self, name: str, now: pg.DefineRule) -> bool:
        unit = self.before.get(("define", name))
        if unit is None:
            return True
        old: pg.DefineRule = unit.made
        return (now.type, [(p.name, p.type) for p in now.params]) != (
            old.type, [(p.name, p.type) for p in old.params],
        )  # fmt: skip

    def unit(
        self, ctx: Context, key: Key, nodes: Nodes, rules: tuple[str, ...], resolve: Callable[[], Made],
        known: bool = True,
    ) -> Made:  # fmt: skip
        """What a unit is: as it was, or resolved now."""
        unit = self._valid(key, nodes, rules) if known else None
        if unit is not None:
            self.units[key] = unit
            self.taken += 1
            ctx.compared += unit.compared
            made: Made = unit.made
            return made
        with self.recorded(ctx, key, nodes, rules) as unit:
            now = resolve()
            unit.made = now
        return now

    @contextmanager
    def recorded(self, ctx: Context, key: Key, nodes: Nodes, rules: tuple[str, ...]) -> Iterator[Unit]:
        """What is resolved inside is noted as this unit's doing, and nobody else's."""
        used, done, compared, problems, held = (
            ctx.used,
            ctx.done,
            ctx.compared,
            len(ctx.problems),
            ctx.held_back,
        )
        ctx.used, ctx.done = set(), {}
        old = self.before.get(key)
        words = old.words if old is not None and _same(old.nodes, nodes) else words_in(nodes)
        unit = Unit(
            nodes=nodes,
            rules=rules,
            made=None,
            words=words,
            used=ctx.used,
            done=ctx.done,
            compared=0,
            clean=False,
        )
        yield unit
        unit.compared = ctx.compared - compared
        unit.clean = len(ctx.problems) == problems and ctx.held_back == held
        ctx.used, ctx.done = used, done
        self.units[key] = unit

    def finish(self, ctx: Context) -> None:
        """After the last unit: everything that all of them used."""
        if self.taken and ctx.held_back:
            raise OrderMatters
        for key, unit in self.units.items():
            ctx.used |= unit.used
            for name, others in unit.done.items():
                ctx.done.setdefault(name, set()).update(others)
            if key[1] in ctx.tainted:
                unit.clean = False

    def _valid(self, key: Key, nodes: Nodes, rules: tuple[str, ...]) -> Unit | None:
        unit = self.before.get(key) if self.usable else None
        if unit is None or not unit.clean or unit.rules != rules or not _same(unit.nodes, nodes):
            return None
        return unit if unit.words.isdisjoint(self.changed) else None


def _parts(name: str) -> list[str]:
    """The words by which a rule speaks of something: `combat.die` is two of them."""
    return [name] if name.startswith("§") else name.removeprefix("table ").split(".")


def meanings_of(ctx: Context) -> dict[str, object]:
    """What a word of the rulebook is, seen from outside: all that who uses it can depend on. The types of
    defines are known only when they are resolved: see `recall_defines`."""
    found: dict[str, object] = {name: (name, "cannot be read") for name in ctx.unread}
    for name, (_, define) in ctx.defines.items():
        found[name] = ("define", _named(define.params), name in ctx.unread)
    for name, (_, quantity) in ctx.quantities.items():
        found[name] = (
            "quantity",
            _named(quantity.params),
            quantity.base,
            quantity.record,
            name in ctx.unread,
        )
    for name, (_, action) in ctx.actions.items():
        found[name] = ("action", _named(action.params), name in ctx.unread)
    for name, (_, route) in ctx.routes.items():
        found[name] = ("route", _named(route.params), name in ctx.unread)
    for name, (_, procedure) in ctx.procedures.items():
        found[name] = (procedure.kind, _named(procedure.params), name in ctx.unread)
    for name in ctx.windows:
        found[name] = ("window", name in ctx.unread)
    for name, setting in ctx.settings.items():
        found[name] = _Setting(setting.kind, setting.type, setting.alternatives, name in ctx.unread)
    found |= {f"§{number}": True for number in ctx.titles}
    found |= {f"table {name}": _Identical(table) for name, table in ctx.tables.items()}
    return found


@dataclass(frozen=True, slots=True)
class _Setting:
    kind: str
    type: object
    values: tuple[str, ...]
    unread: bool


class _Identical:
    """Equal to itself alone: comparing two tables cell by cell would take longer than reading them."""

    __slots__ = ("of",)

    def __init__(self, of: object) -> None:
        self.of = of

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Identical) and other.of is self.of

    def __hash__(self) -> int:
        return id(self.of)


def _values_of(meaning: object) -> set[str]:
    """The alternatives of a reading are words of their own."""
    return set(meaning.values) if isinstance(meaning, _Setting) else set()


def _named(params: Iterable[sx.Param]) -> tuple[tuple[str, sx.Type | None], ...]:
    return tuple((param.name, param.type) for param in params)


def words_in(nodes: Nodes) -> frozenset[str]:
    """Every word that stands in some statements."""
    found: set[str] = set()
    for node in nodes:
        for part in sx.walk(node):
            if isinstance(part, sx.ParagraphRef):
                found.add(f"§{part.id}")
            for name in _texts(type(part)):
                value = getattr(part, name)
                if isinstance(value, str):
                    found.update(value.replace(".", " ").split())
                elif isinstance(value, tuple):
                    found.update(word for word in _flat(value))
    return frozenset(found)


def _flat(value: tuple[object, ...]) -> Iterator[str]:
    for part in value:
        if isinstance(part, str):
            yield part
        elif isinstance(part, tuple):
            yield from _flat(part)


def _texts(kind: type[sx.Node]) -> tuple[str, ...]:
    if kind not in _TEXTS:
        plain = (
            "Span",
            "int",
            "bool",
            "int | None",
            "Fraction",
            "SourceFile",
            "Expr",
            "Expr | None",
            "Block",
        )
        _TEXTS[kind] = tuple(spec.name for spec in fields(kind) if spec.type not in plain)
    return _TEXTS[kind]


_TEXTS: dict[type, tuple[str, ...]] = {}


def _same(one: Iterable[object], other: Iterable[object]) -> bool:
    """The very same objects; of texts, the same text."""
    first, second = list(one), list(other)
    return len(first) == len(second) and all(
        a is b or (isinstance(a, str) and a == b) for a, b in zip(first, second, strict=True)
    )
