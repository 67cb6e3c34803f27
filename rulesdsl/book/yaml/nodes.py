"""Values of a YAML file with their places, and what an unquoted word means."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

from rulesdsl.base.lightclass import dataclass

Scalar = None | bool | int | Fraction | str
# `Any` inside: what a file holds is known only after its schema was checked, and the builders run after that.
YamlValue = Scalar | list[Any] | dict[str, Any]
Path = tuple[str | int, ...]
Place = tuple[int, int, int, int]  # line, column, end line, end column

_WHOLE = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,14})")
_DECIMAL = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,14})\.[0-9]{1,15}")
_WORDS: dict[str, Scalar] = {"true": True, "false": False, "null": None, "~": None, "": None}


@dataclass(slots=True)
class YamlNode:
    """A value with its place. `children` and `keys` are by key or index, for containers only."""

    value: YamlValue
    place: Place
    raw: str = ""
    children: dict[str | int, YamlNode] | None = None
    keys: dict[str | int, Place] | None = None


def scalar_of(text: str) -> Scalar:
    """What an unquoted scalar means."""
    if text in _WORDS:
        return _WORDS[text]
    if _WHOLE.fullmatch(text):
        return int(text)
    if _DECIMAL.fullmatch(text):
        return Fraction(text)
    return text


def shorten(text: str, most: int = 40) -> str:
    """For messages: a hostile name must not fill the screen."""
    return text if len(text) <= most else text[: most - 1] + "…"
