"""Lines of Python under construction, and the constants they refer to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from interpreter.codegen.folding import Folder
from interpreter.layout import Layout
from interpreter.running.runtime import bind_runtime
from rulesdsl import program as pg
from rulesdsl.world import Attribute

Env = dict[pg.Var, str]


SETTING = "SETTING_"  # before the name of a setting, in traced code


@dataclass(slots=True)
class Unit:
    """What all generated functions of a ruleset share: layout, settings, constants, sources."""

    program: pg.Program
    layout: Layout
    settings: dict[str, object]  # of silent code; traced code asks for them by name (`setting`)
    traced: bool
    constants: dict[str, object] = field(default_factory=dict)
    functions: list[str] = field(default_factory=list)
    rules: list[str] = field(default_factory=list)
    rule_numbers: dict[str, int] = field(default_factory=dict)
    folder: Folder = field(init=False)
    no_masks: set[tuple[int, frozenset[pg.Var]]] = field(default_factory=set)  # tried before, in vain
    no_searches: set[str] = field(default_factory=set)  # defines and permissions that lead to no search
    printed_masks: dict[str, int | None] = field(default_factory=dict)  # by the condition as it is written
    tables: dict[str, str | None] = field(default_factory=dict)  # names of tables, likewise
    _runtime: dict[str, Any] = field(default_factory=dict)
    _by_value: dict[object, str] = field(default_factory=dict)
    _bits: dict[str, str] = field(default_factory=dict)  # universe → the name of its bits

    def __post_init__(self) -> None:
        self.folder = Folder(self.program, self.settings)

    def folded(self, e: pg.E) -> pg.E:
        """The expression made smaller; the traced code follows the rulebook word for word."""
        return e if self.traced else self.folder.fold(e)

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
            case pg.BuiltinE(name="opponent"):
                return True
            case pg.VarGet(var=var):
                return var in self.folder.solid
            case _:
                return False

    def constant(self, hint: str, value: object) -> str:
        """A module-level name for a value; equal values share one."""
        key = (type(value).__name__, repr(value))
        if key not in self._by_value:
            name = f"K{len(self._by_value)}_{hint}"
            self._by_value[key] = name
            self.constants[name] = value
        return self._by_value[key]

    def setting(self, name: str) -> str:
        """What a setting is. Traced code reads a name, so that it is the same whatever the settings are."""
        return f"{SETTING}{name}" if self.traced else self.literal(self.settings[name])

    def literal(self, value: object) -> str:
        if isinstance(value, bool):
            return str(int(value))
        if isinstance(value, int):
            text = repr(value)
            return text if len(text) < 24 else self.constant("mask", value)
        if isinstance(value, Fraction):
            return self.constant("fraction", value)
        return repr(value)

    def known_mask(self, code: str) -> int | None:
        """The value of a mask that is known before the game."""
        if code in self.constants:
            value = self.constants[code]
            return value if isinstance(value, int) else None
        return int(code) if code.lstrip("-").isdigit() else None

    def intersect(self, masks: Iterable[str]) -> str:
        """Masks joined by `&`, those known before the game made into one."""
        known, others = -1, dict[str, None]()
        for mask in masks:
            value = self.known_mask(mask)
            if value is None:
                others[mask] = None
            else:
                known &= value
        if known == 0 or not others:
            return self.literal(known)
        parts = [*others] if known == -1 else [*others, self.literal(known)]
        return parts[0] if len(parts) == 1 else f"({' & '.join(parts)})"

    def unite(self, masks: Iterable[str]) -> str:
        """Masks joined by `|`, those known before the game made into one."""
        known, others = 0, dict[str, None]()
        for mask in masks:
            value = self.known_mask(mask)
            if value is None:
                others[mask] = None
            else:
                known |= value
        if known == -1 or not others:
            return self.literal(known)
        parts = [*others] if known == 0 else [*others, self.literal(known)]
        return parts[0] if len(parts) == 1 else f"({' | '.join(parts)})"

    def complement(self, mask: str) -> str:
        value = self.known_mask(mask)
        if value is not None:
            return self.literal(~value)
        return mask[1:] if mask.startswith("~") else f"~{mask}"

    def bits(self, universe: str) -> str:
        """`BITS[i]` is the mask of thing `i`; `BITS[-1]` is empty."""
        if universe not in self._bits:
            world = self.program.world
            known = world.universes.get(universe)
            size = len(known) if known is not None else len(world.enums[universe].values)
            self._bits[universe] = self.constant(f"bits_{universe}", (*(1 << i for i in range(size)), 0))
        return self._bits[universe]

    def printed(self, attribute: Attribute) -> str:
        """The printed values as a tuple whose last element is the value for none."""
        return self.constant(attribute.name, (*attribute.values, attribute.default))

    def rule_number(self, rule: str) -> int:
        if rule not in self.rule_numbers:
            self.rule_numbers[rule] = len(self.rules)
            self.rules.append(rule)
        return self.rule_numbers[rule]


@dataclass(slots=True)
class Emitter:
    """One function body. `expr` functions may emit lines here before the value they return."""

    unit: Unit
    lines: list[str] = field(default_factory=list)
    depth: int = 1
    counter: list[int] = field(default_factory=lambda: [0])

    def emit(self, line: str) -> None:
        self.lines.append("    " * self.depth + line)

    def temp(self, hint: str = "t") -> str:
        self.counter[0] += 1
        return f"{hint}{self.counter[0]}"

    @contextmanager
    def indented(self) -> Iterator[None]:
        self.depth += 1
        yield
        self.depth -= 1

    def fork(self) -> Emitter:
        """A side buffer with the same counter, to see whether something needs lines of its own."""
        return Emitter(self.unit, [], self.depth, self.counter)

    def join(self, other: Emitter, deeper: int = 0) -> None:
        """Take the lines of a side buffer, so many levels deeper than they were written."""
        self.lines.extend("    " * deeper + line for line in other.lines)

    def atom(self, code: str, hint: str = "t") -> str:
        """A name for a value that is used more than once."""
        if code.isidentifier() or code.lstrip("-").isdigit():
            return code
        name = self.temp(hint)
        self.emit(f"{name} = {code}")
        return name

    def fired(self, rule: str) -> None:
        if self.unit.traced:
            self.emit(f"FIRED[{self.unit.rule_number(rule)}] += 1")

    @contextmanager
    def each(self, mask: str, var: str) -> Iterator[None]:
        """A loop over the members of a mask, lowest number first."""
        self.emit(f"for {var} in MEMBERS[{mask}]:")
        with self.indented():
            yield
