"""Records as JSON that others read: of commands, of the table, of the workshop.

The words of published JSON stay what they were when they were published. There the number of a paragraph is
called `rule`; in the engine a rule is a statement.
"""

import math
from dataclasses import fields, is_dataclass
from typing import Any

_PUBLISHED = {"paragraph": "rule"}


def published(record: Any) -> dict[str, Any]:
    """A dataclass, with all records in it, by the published names of its fields."""
    return {_PUBLISHED.get(one.name, one.name): _value(getattr(record, one.name)) for one in fields(record)}


def _value(value: Any) -> Any:
    if is_dataclass(value):
        return published(value)
    if isinstance(value, dict):
        return {key: _value(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_value(inner) for inner in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None  # a bound that is not known yet: JSON has no infinity, and browsers refuse the whole text
    return value
