"""In which way a paragraph had a say: it changed a number, forbade something, allowed what another forbids.

They are counted beside the paragraph itself, under its number and the way.
"""

from __future__ import annotations

CHANGED, FORBADE, ALLOWED = "changed", "forbade", "allowed"
WAYS = (CHANGED, FORBADE, ALLOWED)
_BETWEEN = "\t"


def way_of(paragraph: str, how: str) -> str:
    return f"{paragraph}{_BETWEEN}{how}"


def split_way(name: str) -> tuple[str, str]:
    """The paragraph and the way; without a way it is the paragraph itself that is counted."""
    paragraph, _, how = name.partition(_BETWEEN)
    return paragraph, how
