"""A compilation: what all functions generated for one ruleset share (layout, settings, constants, names),
and sets put together from masks, those that are known before the game made into one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol

from interpreter.compiling.flavours import Flavour, Knack
from interpreter.compiling.ir.kinds import ANY, FLAG, NUMBER, RECORD, Kind
from interpreter.compiling.ir.values import (
    Call,
    Cell,
    Constant,
    Item,
    Join,
    Local,
    Meet,
    Name,
    Number,
    Outside,
    Slot,
    Value,
)
from interpreter.compiling.optimise.fold import Folder
from interpreter.compiling.optimise.magnitude import Magnitudes
from interpreter.running.numbers import LARGEST, exact
from interpreter.running.runtime import bind_runtime
from interpreter.state.layout import Layout
from interpreter.state.symbols import Naming, naming_of
from rulesdsl import program as pg
from rulesdsl.program.builtins import BUILTINS
from rulesdsl.program.types import Type
from rulesdsl.program.world import Attribute

if TYPE_CHECKING:
    from interpreter.compiling.ir.builder import Builder
    from interpreter.compiling.ir.statements import Function

Place = Local | Slot
Env = dict[pg.Var, Value]


class Lowering(Protocol):
    """Lowering of values, and of conditions to masks.

    Sets hold conditions, conditions values, values sets: those further down ask by way of the
    unit, so that modules need each other in one direction only.
    """

    def code(self, em: Builder, env: Env, e: pg.E) -> Value: ...

    def member_mask(self, em: Builder, env: Env, test: pg.E, members: frozenset[pg.Var]) -> Value | None: ...

    def afterwards(self, em: Builder, env: Env, e: pg.AfterE) -> Value: ...


@dataclass(slots=True)
class Unit:
    """What all generated functions of a ruleset share: layout, settings, constants, sources."""

    program: pg.Program
    layout: Layout
    settings: dict[str, object]  # of silent code; traced code asks for them by name (`setting`)
    flavour: Flavour
    lowering: Lowering
    constants: dict[str, object] = field(default_factory=dict)
    rules: list[str] = field(default_factory=list)
    rule_numbers: dict[str, int] = field(default_factory=dict)
    folder: Folder = field(init=False)
    naming: Naming = field(init=False)
    magnitudes: Magnitudes = field(init=False)
    no_masks: set[tuple[int, frozenset[pg.Var]]] = field(default_factory=set)  # tried before, in vain
    no_searches: set[str] = field(default_factory=set)  # defines and permissions that lead to no search
    printed_masks: dict[str, int | None] = field(default_factory=dict)  # by the condition as it is written
    tables: dict[str, Constant | None] = field(default_factory=dict)  # by condition, likewise
    # looks at what a procedure would lead to: functions beside the others, by their names
    asides: dict[str, Function] = field(default_factory=dict)
    effects: dict[str, int] = field(default_factory=dict)  # procedures that are looked at so, numbered
    _runtime: dict[str, Any] = field(default_factory=dict)
    _by_value: dict[object, Constant] = field(default_factory=dict)
    _bits: dict[str, Constant] = field(default_factory=dict)  # universe → its bits
    _kinds: dict[tuple[str, str, bool], Kind] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.magnitudes = Magnitudes(self.program)
        self.folder = Folder(self.program, self.settings, magnitudes=self.magnitudes)
        self.naming = naming_of(self.program)

    def folded(self, e: pg.E) -> pg.E:
        """The expression made smaller; the traced code follows the rulebook word for word."""
        return self.folder.fold(e) if self.does(Knack.FOLD) else e

    def does(self, knack: Knack) -> bool:
        """Whether this code is optimised in this way."""
        return knack in self.flavour.knacks

    @property
    def tells(self) -> bool:
        """Whether there is a log, and rules are counted."""
        return self.flavour.tells

    def runtime(self, name: str) -> Callable[..., Any]:
        """A function of the generated code's surroundings, to be asked before the game."""
        if not self._runtime:
            self._runtime |= bind_runtime(self.program)
        found: Callable[..., Any] = self._runtime[name]
        return found

    def never_none(self, e: pg.E) -> bool:
        """Whether a value is a thing for certain."""
        match e:
            case pg.Const(value=value):
                return value != -1
            case pg.BuiltinE(name=name):
                return name in BUILTINS and BUILTINS[name].solid
            case pg.VarGet(var=var):
                return var in self.folder.solid
            case _:
                return False

    def constant(self, hint: str, value: object) -> Constant:
        """A module-level name for a value; equal values share one. The hint is no word of an author."""
        key = (type(value).__name__, repr(value))
        found = self._by_value.get(key)
        if found is None:
            kept = exact(value)
            found = self._by_value[key] = Constant(f"K{len(self._by_value)}_{hint}", kept)
            self.constants[found.name] = kept
        return found

    def flag_mask(self, universe: str, name: str) -> Value:
        """The owners of a state flag, whatever it lasts until."""
        kind = self.mask_kind(universe)
        cells = tuple(Cell(slot, None, kind) for slot in self.layout.flags[universe, name].values())
        return Join(cells) if len(cells) > 1 else cells[0]

    def setting(self, name: str) -> Value:
        """What a setting is. Traced code reads a name, so that it is the same whatever the settings are."""
        if self.tells:
            return Name(self.naming.called("SETTING", name))
        return self.literal(self.settings[name])

    def literal(self, value: object) -> Value:
        if isinstance(value, bool):
            return Number(int(value))
        if isinstance(value, int):
            return Number(value) if len(repr(value)) < 24 else self.constant("mask", value)
        if isinstance(value, Fraction):
            if value.denominator > LARGEST or abs(value.numerator) > LARGEST:
                return Call("too_large", (), NUMBER)  # whoever asks for it is stopped
            return self.constant("fraction", value)
        return self.text(str(value))

    def text(self, words: str) -> Constant:
        """Words of an author: a constant, so that nobody takes them for code."""
        return self.constant("text", words)

    def kind(self, type_: Type) -> Kind:
        """What a type of the language is in generated code."""
        key = (type_.kind, type_.name, type_.of_enum)
        if key not in self._kinds:
            self._kinds[key] = self._kind(type_)
        return self._kinds[key]

    def _kind(self, type_: Type) -> Kind:
        match type_.kind:
            case "flag":
                return FLAG
            case "number":
                return NUMBER
            case "thing" | "enum" | "set":
                name = "mask" if type_.kind == "set" else type_.kind
                return Kind(name, type_.name, self.size(type_.name))
            case "result":
                return RECORD
            case _:
                return ANY

    def size(self, universe: str) -> int:
        """How many things there are in a universe, or values in an enumeration."""
        world = self.program.world
        if universe in world.universes:
            return len(world.universes[universe])
        return len(world.enums[universe].values) if universe in world.enums else 0

    # -- sets
    def known_mask(self, mask: Value) -> int | None:
        """The value of a mask that is known before the game."""
        match mask:
            case Number(value=value):
                return value
            case Constant(value=int() as known):
                return known
            case _:
                return None

    def intersect(self, masks: Iterable[Value]) -> Value:
        """Masks joined by `&`, those known before the game made into one."""
        known, others = -1, dict[Value, None]()
        for mask in masks:
            value = self.known_mask(mask)
            if value is None:
                others[mask] = None
            else:
                known &= value
        if known == 0 or not others:
            return self.literal(known)
        parts = [*others] if known == -1 else [*others, self.literal(known)]
        return parts[0] if len(parts) == 1 else Meet(tuple(parts))

    def unite(self, masks: Iterable[Value]) -> Value:
        """Masks joined by `|`, those known before the game made into one."""
        known, others = 0, dict[Value, None]()
        for mask in masks:
            value = self.known_mask(mask)
            if value is None:
                others[mask] = None
            else:
                known |= value
        if known == -1 or not others:
            return self.literal(known)
        parts = [*others] if known == 0 else [*others, self.literal(known)]
        return parts[0] if len(parts) == 1 else Join(tuple(parts))

    def complement(self, mask: Value) -> Value:
        value = self.known_mask(mask)
        if value is not None:
            return self.literal(~value)
        return mask.mask if isinstance(mask, Outside) else Outside(mask)

    def bit(self, universe: str, thing: Value) -> Value:
        """The mask of one thing; of none the empty one."""
        return Item(self.bits(universe), thing, self.mask_kind(universe))

    def thing_kind(self, universe: str) -> Kind:
        key = ("thing", universe, False)
        if key not in self._kinds:
            self._kinds[key] = Kind("thing", universe, self.size(universe))
        return self._kinds[key]

    def mask_kind(self, universe: str) -> Kind:
        key = ("set", universe, False)
        if key not in self._kinds:
            self._kinds[key] = Kind("mask", universe, self.size(universe))
        return self._kinds[key]

    def bits(self, universe: str) -> Constant:
        """`BITS[i]` is the mask of thing `i`; `BITS[-1]` is empty."""
        if universe not in self._bits:
            every = range(self.size(universe))
            self._bits[universe] = self.constant("bits", (*(1 << i for i in every), 0))
        return self._bits[universe]

    def printed(self, attribute: Attribute) -> Constant:
        """The printed values as a tuple whose last element is the value for none."""
        return self.constant("printed", (*attribute.values, attribute.default))

    def rule_number(self, paragraph: str) -> int:
        if paragraph not in self.rule_numbers:
            self.rule_numbers[paragraph] = len(self.rules)
            self.rules.append(paragraph)
        return self.rule_numbers[paragraph]
