"""The operations of the surroundings that generated code may call, declared (signatures).

What they do is in interpreter/running; here stands what the compiler needs to know of them, and all that a
second back end has to bring along. `state`: looks at the state, which is its first argument. `gone_through`:
how often it goes through a whole class. `changes`: it writes to the state. What is not listed here is a rule
(`d_3`, `q_0`, `ok_1`, `r_0`), a table of the game (`T_2`), or a procedure (`do_4`, `body_4`).
"""

from __future__ import annotations

from interpreter.compiling.ir.kinds import ANY, FRACTION, NUMBER, Kind
from rulesdsl.base.lightclass import dataclass
from rulesdsl.program.builtins import BUILTINS, OF_DIRECTIONS, Builtin


@dataclass(frozen=True, slots=True)
class Operation:
    """One of them: what it takes, in words; what it gives."""

    takes: str
    gives: Kind = ANY
    gone_through: int = 0
    state: bool = False
    changes: bool = False
    shared: bool = False  # asked again with the same arguments before anything changed, it is asked once


_SPACES, _PIECES, _BORDERS = Kind("mask", "space"), Kind("mask", "piece"), Kind("mask", "border")


def _built_in(builtin: Builtin) -> Operation:
    """What a record of a built-in function says of it (rulesdsl/program/builtins.py)."""
    type_ = builtin.result
    gives = {
        "number": NUMBER, "thing": Kind("thing", type_.name), "set": Kind("mask", type_.name),
    }.get(type_.kind, ANY)  # fmt: skip
    return Operation(", ".join(name for name, _ in builtin.params), gives, builtin.passes)


OPERATIONS: dict[str, Operation] = {
    # functions that rules may call themselves
    **{b.name: _built_in(b) for b in (*BUILTINS.values(), *OF_DIRECTIONS.values()) if b.called},
    # arithmetic that looks at its size (running/numbers.py)
    "plus": Operation("two numbers", NUMBER), "minus": Operation("two numbers", NUMBER),
    "times": Operation("two numbers", NUMBER), "divide": Operation("two numbers", FRACTION),
    "kept": Operation("a number", NUMBER), "argument": Operation("a number", NUMBER),
    "too_large": Operation("nothing: it stops", NUMBER), "within": Operation("a number, its limits", NUMBER),
    "round_down": Operation("a number", NUMBER), "round_up": Operation("a number", NUMBER),
    "round_nearest": Operation("a number", NUMBER), "len": Operation("options or members", NUMBER),
    "range": Operation("a number"), "numbers_between": Operation("two numbers", Kind("mask", "number")),
    "next_round": Operation("a mask, the member with whom a round begins"),
    # the map (running/runtime.py)
    "neighbours_of": Operation("a mask of spaces", _SPACES, 1, shared=True),
    "borders_of": Operation("a mask of spaces", _BORDERS, 1, shared=True),
    "nearest": Operation("candidates, starts: masks of spaces", _SPACES, 2),
    # where pieces stand (running/masks.py, stacks.py)
    "occupied": Operation("state, a mask of pieces", _SPACES, 1, state=True, shared=True),
    "standing_in": Operation("state, a mask of spaces", _PIECES, 1, state=True, shared=True),
    "standing_among": Operation("state, pieces, a mask of spaces", _PIECES, 1, state=True),
    "position": Operation("state", NUMBER, state=True),
    "restack": Operation("state, a piece, from, to", ANY, state=True, changes=True),
    "put_in_stack": Operation("state, a piece, its space, on top", ANY, state=True, changes=True),
    # searches by masks (running/mask_search.py)
    "spread": Operation("table, start, closed, stops, limit, generous, bars", _SPACES, 16),
    "flood": Operation("links, start, closed, stops, bars", _SPACES, 4),
    "first_steps": Operation("table, start, closed, limit, generous, bars", _SPACES, 2),
    "origins_of": Operation("links, closed, stops, goal", _SPACES, 4),
    "LinkTables": Operation("links, the cost of a step"), "Memory": Operation("nothing"),
    # searches step by step (running/route_search.py)
    "RouteSearch": Operation("the functions and limits of a route"),
    # options and what stops
    "MaskOptions": Operation("a mask"), "too_many_options": Operation("nothing: it stops"),
}  # fmt: skip

# the class an operation goes through, where it is not perhaps the largest there is
_SPACES_ONLY = (
    "neighbours_of", "borders_of", "nearest", "ray_to", "first_along", "rays_to", "firsts_along",
    "standing_in", "spread", "flood", "first_steps", "origins_of",
)  # fmt: skip
THROUGH = {**dict.fromkeys(_SPACES_ONLY, "space"), "occupied": "piece", "standing_among": "piece"}

_DEAR = frozenset(
    name for name in OPERATIONS if name in ("neighbours_of", "borders_of", "ends_of", "origins_of")
)
SHARED = frozenset(name for name, operation in OPERATIONS.items() if operation.shared)
CHANGING = frozenset(name for name, operation in OPERATIONS.items() if operation.changes)


def is_dear(name: str) -> bool:
    """Whether an operation that does not look at the state costs more than a look into a table."""
    return name in _DEAR
