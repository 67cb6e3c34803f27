"""Facts as text and back: they take seconds to find, and are the same until a file of the game changes.

Only the types that `facts` is made of can come back, whatever a file says.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import cache
from types import GenericAlias
from typing import Any, get_args, get_origin, get_type_hints

from rulesdsl.handbook.facts import Facts


def as_text(facts: Facts) -> str:
    return json.dumps(_plain(facts), ensure_ascii=False, separators=(",", ":"))


def from_text(text: str) -> Facts:
    found = _typed(Facts, json.loads(text))
    assert isinstance(found, Facts)
    return found


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _plain(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return [_plain(getattr(value, field.name)) for field in fields(value)]
    if isinstance(value, Mapping):
        return [[_plain(key), _plain(item)] for key, item in value.items()]
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    return value


def _typed(kind: Any, value: Any) -> Any:
    if is_dataclass(kind) and isinstance(kind, type):
        hints = _hints(kind)
        return kind(*(_typed(hints[f.name], v) for f, v in zip(fields(kind), value, strict=True)))
    origin, of = get_origin(kind), get_args(kind)
    if origin is Mapping:
        return {_typed(of[0], key): _typed(of[1], item) for key, item in value}
    if origin is tuple:
        kinds = of[:1] * len(value) if of[-1] is Ellipsis else of
        return tuple(_typed(k, v) for k, v in zip(kinds, value, strict=True))
    if kind is Fraction:
        return Fraction(value)
    assert not isinstance(kind, GenericAlias)
    return kind(value)
