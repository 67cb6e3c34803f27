"""`dataclass` for the many small kinds of node: the same classes, made forty times quicker.

The standard decorator writes and compiles six methods for every class when its module is imported, about a
millisecond each; with the two hundred kinds of node of this project that was half of the time of a warm
`rulesdsl check`. Here a class compiles its `__init__` when the first object is made (a tree from the cache
needs none), and comparing, hashing and printing are written once for all classes. `frozen` is held by mypy
alone: assigning to a field is a type error, not an exception, which also halves the cost of making an object.
`fields`, `replace`, `is_dataclass` and pattern matching work as always.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from operator import attrgetter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(*, frozen=False, slots=False, eq=True, kw_only=False):
        """The parameters of the standard decorator that nodes use."""

        def made(cls: type) -> type:
            cls.__doc__ = cls.__doc__ or cls.__name__  # else the signature is worked out for it
            cls = dataclasses.dataclass(
                init=False, repr=False, eq=False, frozen=False, slots=slots, kw_only=kw_only
            )(cls)
            if "__init__" not in cls.__dict__:
                cls.__init__ = _compiled_when_called(cls)
            if "__repr__" not in cls.__dict__:
                cls.__repr__ = _written_out
            if eq and "__eq__" not in cls.__dict__:
                cls.__eq__, hashed = _comparison(cls)
                cls.__hash__ = hashed if frozen else None
            return cls

        return made


Method = Callable[..., Any]


def _compiled_when_called(cls: type) -> Method:
    def __init__(self: object, *given: object, **named: object) -> None:
        compiled = _compile_init(cls)
        cls.__init__ = compiled  # type: ignore[misc]
        compiled(self, *given, **named)

    return __init__


def _compile_init(cls: type) -> Method:
    """`__init__` as the standard library writes it, without the detour that guards frozen fields."""
    names: dict[str, object] = {"_missing": dataclasses.MISSING}
    by_place: list[str] = []
    by_name: list[str] = []
    body: list[str] = []
    for spec in dataclasses.fields(cls):
        name = spec.name
        shown, value = name, name
        if spec.default is not dataclasses.MISSING:
            names[f"_default_{name}"] = spec.default
            shown = f"{name}=_default_{name}"
        elif spec.default_factory is not dataclasses.MISSING:
            names[f"_make_{name}"] = spec.default_factory
            shown = f"{name}=_missing"
            value = f"_make_{name}() if {name} is _missing else {name}"
        (by_name if spec.kw_only else by_place).append(shown)
        body.append(f"    self.{name} = {value}\n")
    if hasattr(cls, "__post_init__"):
        body.append("    self.__post_init__()\n")
    parts = ["self", *by_place, *(["*", *by_name] if by_name else [])]
    source = f"def __init__({', '.join(parts)}):\n{''.join(body) or '    pass'}"
    exec(source, names)  # the names are those of our own fields
    found: Method = names["__init__"]  # type: ignore[assignment]
    found.__qualname__ = f"{cls.__qualname__}.__init__"
    return found


def _comparison(cls: type) -> tuple[Method, Method]:
    """`__eq__` and `__hash__` over the fields that count; what they are is asked at the first comparison."""
    known: list[Method] = []

    def values(self: object) -> object:
        if not known:
            names = [spec.name for spec in dataclasses.fields(cls) if spec.compare]
            known.append(attrgetter(*names) if names else lambda _: ())
        return known[0](self)

    def __eq__(self: object, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return bool(values(self) == values(other))

    def __hash__(self: object) -> int:
        return hash(values(self))

    return __eq__, __hash__


def _written_out(self: Any) -> str:
    shown = (f"{spec.name}={getattr(self, spec.name)!r}" for spec in dataclasses.fields(self) if spec.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"
