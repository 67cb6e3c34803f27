"""The operations of the surroundings in C (ir/operations.py declares them; running/ is the reference).

Long because it is a table: one short function for each operation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from interpreter.compiling.emit.native.inference import oracle
from interpreter.compiling.emit.native.searches import search_call
from interpreter.compiling.emit.native.types import (
    Frac,
    Int,
    List,
    Mask,
    Nothing,
    Rows,
    Table,
    Text,
    Unsupported,
    as_mask,
    spoken,
)
from interpreter.compiling.ir import values as v
from interpreter.running.numbers import LARGEST, MOST_TO_CHOOSE
from interpreter.state.token_cells import TokenCells

if TYPE_CHECKING:
    from interpreter.compiling.emit.native.values import Values

Arguments = Sequence[v.Value]
DENSE = 1 << 18  # words for all answers about two spaces; larger maps remember the latest
FAR_APART = 4096  # the greatest table that takes the place of a dictionary


# ---- arithmetic ------------------------------------------------------------------------------------------
def _is_fraction(w: Values, arguments: Arguments) -> bool:
    return any(isinstance(w.type(a), Frac) for a in arguments)


def _rounding(name: str) -> Callable[[Values, Arguments], str]:
    def made(w: Values, arguments: Arguments) -> str:
        if not _is_fraction(w, arguments):
            return w.number(arguments[0])
        machine = "m, " if name == "f_nearest" else ""
        return f"{name}({machine}{w.fraction(arguments[0])})"

    return made


def _kept(w: Values, arguments: Arguments) -> str:
    found = w.type(arguments[0])
    if isinstance(found, Frac):
        return f"f_kept(m, {w.text(arguments[0])})"
    text = w.number(arguments[0])
    if isinstance(found, Int) and found.low >= -LARGEST and found.high <= LARGEST:
        return text
    return f"i_kept(m, {text})"


def _same(w: Values, arguments: Arguments) -> str:
    return w.text(arguments[0])


def _folded(name: str) -> Callable[[Values, Arguments], str]:
    """`min` and `max` of several; the first of equals, as in Python."""

    def made(w: Values, arguments: Arguments) -> str:
        fraction = _is_fraction(w, arguments)
        write, letter = (w.fraction, "f") if fraction else (w.number, "i")
        text = write(arguments[0])
        for one in arguments[1:]:
            text = f"{letter}_{name}({text}, {write(one)})"
        return text

    return made


def _clamp(w: Values, arguments: Arguments) -> str:
    value, low, high = arguments
    if _is_fraction(w, arguments):
        return f"f_least(f_most({w.fraction(value)}, {w.fraction(low)}), {w.fraction(high)})"
    return f"i_least(i_most({w.number(value)}, {w.number(low)}), {w.number(high)})"


def _absolute(w: Values, arguments: Arguments) -> str:
    return (
        f"f_abs({w.text(arguments[0])})" if _is_fraction(w, arguments) else f"i_abs({w.number(arguments[0])})"
    )


def _remainder(w: Values, arguments: Arguments) -> str:
    value, by = arguments
    if _is_fraction(w, arguments):
        return f"f_remainder(m, {w.fraction(value)}, {w.fraction(by)})"
    return f"i_remainder(m, {w.number(value)}, {w.number(by)})"


def _divide(w: Values, arguments: Arguments) -> str:
    return f"f_divide(m, {w.fraction(arguments[0])}, {w.fraction(arguments[1])})"


def _odds(w: Values, arguments: Arguments) -> str:
    return f"f_odds(m, {w.fraction(arguments[0])}, {w.fraction(arguments[1])})"


def _length(w: Values, arguments: Arguments) -> str:
    found = w.type(arguments[0])
    match found:
        case Rows(mask=mask):
            return f"m{mask.words}_count({w.text(arguments[0])})"
        case List():
            return f"{w.text(arguments[0])}.n"
        case _:
            raise Unsupported(f"the length of {spoken(found)}")


def _numbers_between(w: Values, arguments: Arguments) -> str:
    words = Mask(MOST_TO_CHOOSE + 1).words
    w.words.add(words)
    low, high = arguments
    return f"numbers_between(f_ceil({w.fraction(low)}), f_floor({w.fraction(high)}))"


def _next_round(w: Values, arguments: Arguments) -> str:
    left, first = arguments
    own = as_mask(w.type(left))
    w.words.add(own.words)
    name = f"next_round_{own.words}"
    w.tables.helpers.setdefault(name, (
        f"static int64_t {name}(m{own.words} left, int64_t first) {{\n"
        f"    int by = (int)i_least(i_most(first, 0), {64 * own.words});\n"
        f"    m{own.words} ahead = m{own.words}_shl(m{own.words}_shr(left, by), by);\n"
        f"    return m{own.words}_first(m{own.words}_nz(ahead) ? ahead : left);\n}}\n"
    ))  # fmt: skip
    return f"{name}({w.mask(left, own.words)}, {w.number(first)})"


# ---- the map ---------------------------------------------------------------------------------------------
def _spaces(w: Values) -> int:
    w.words.add(w.types.spaces.words)
    return w.types.spaces.words


def _united(table: str, borders: bool) -> Callable[[Values, Arguments], str]:
    def made(w: Values, arguments: Arguments) -> str:
        words = _spaces(w)
        if not borders and words <= 2:
            return f"around(m, {w.mask(arguments[0], words)})"
        gives = Mask(w.types.sizes.borders).words if borders else words
        helper = w.tables.uniter(words, gives)
        return f"{helper}({table}, {w.mask(arguments[0], words)}, {w.types.sizes.spaces})"

    return made


def _of_things(name: str, *kinds: str) -> Callable[[Values, Arguments], str]:
    """Functions of numbers and masks of spaces (`m`), numbers checked against their class."""

    def made(w: Values, arguments: Arguments) -> str:
        ends = {"s": w.types.sizes.spaces, "b": w.types.sizes.borders, "d": w.types.sizes.directions}
        parts = []
        for argument, kind in zip(arguments, kinds, strict=True):
            if kind == "m":
                parts.append(w.mask(argument, _spaces(w)))
            elif kind == "D":
                parts.append(w.mask(argument, Mask(max(1, w.types.sizes.directions)).words))
            else:
                found, text = w.type(argument), w.number(argument)
                if not isinstance(found, Int) or found.low < -1 or found.high >= ends[kind]:
                    text = f"ix(m, {text}, -1, {ends[kind]})"
                parts.append(text)
        return f"{name}({', '.join(['m', *parts])})"

    return made


def _oracle(name: str) -> Callable[[Values, Arguments], str]:
    """What only Python knows: it is asked once for each pair."""

    def made(w: Values, arguments: Arguments) -> str:
        number, gives = w.types.tables[oracle(name)]
        spaces = w.types.sizes.spaces
        if isinstance(gives, Mask):
            w.words.add(gives.words)
            if spaces * spaces * (gives.words + 1) <= DENSE:
                dense = w.tables.dense(number, gives, spaces)
                return f"{dense}(m, {w.number(arguments[0])}, {w.number(arguments[1])})"
        helper = w.tables.oracle(number, gives, len(arguments))
        return f"{helper}(m, {', '.join(w.fraction(a) for a in arguments)})"

    return made


# ---- where pieces stand ----------------------------------------------------------------------------------
def _standing_in(w: Values, arguments: Arguments) -> str:
    w.words.add(w.types.pieces.words)
    return f"standing_in(m, {w.mask(arguments[0], _spaces(w))})"


def _standing_among(w: Values, arguments: Arguments) -> str:
    pieces, spaces = arguments
    return f"standing_among(m, {w.mask(pieces, w.types.pieces.words)}, {w.mask(spaces, _spaces(w))})"


def _occupied(w: Values, arguments: Arguments) -> str:
    _spaces(w)
    return f"occupied(m, {w.mask(arguments[0], w.types.pieces.words)})"


def _stacking(name: str) -> Callable[[Values, Arguments], str]:
    def made(w: Values, arguments: Arguments) -> str:
        numbers = ", ".join(w.number(a) for a in arguments)
        return f"{name}(m, {numbers})"

    return made


# ---- searches by masks -----------------------------------------------------------------------------------
def _bars(w: Values, e: v.Value) -> str:
    return "NULL" if isinstance(e, v.Tuple) else f"&{w.text(e)}"


def _spread(w: Values, arguments: Arguments) -> str:
    table, start, closed, stops, limit, generous, bars = arguments
    n = _spaces(w)
    return (
        f"spread(m, {w.text(table)}, {w.mask(start, n)}, {w.mask(closed, n)}, {w.mask(stops, n)}, "
        f"{w.number(limit)}, {w.truth(generous)}, {_bars(w, bars)})"
    )


def _flood(w: Values, arguments: Arguments) -> str:
    links, start, closed, stops, bars = arguments
    n = _spaces(w)
    masks = ", ".join(w.mask(e, n) for e in (start, closed, stops))
    assert isinstance(links, v.Part)  # `table.all`: of the table the machine keeps more than that
    return f"flood(m, {w.text(links.whole)}, {masks}, {_bars(w, bars)})"


def _first_steps(w: Values, arguments: Arguments) -> str:
    table, start, closed, limit, generous, bars = arguments
    n = _spaces(w)
    return (
        f"first_steps(m, {w.text(table)}, {w.mask(start, n)}, {w.mask(closed, n)}, "
        f"{w.number(limit)}, {w.truth(generous)}, {_bars(w, bars)})"
    )


def _origins_of(w: Values, arguments: Arguments) -> str:
    links, closed, stops, goal = arguments
    n = _spaces(w)
    return f"origins_of({w.text(links)}, {', '.join(w.mask(e, n) for e in (closed, stops, goal))})"


def _stops(why: str) -> Callable[[Values, Arguments], str]:
    return lambda w, arguments: f"(stop(m, {why}), 0)"


def _checked(op: str) -> Callable[[Values, Arguments], str]:
    return lambda w, arguments: w.arithmetic(op, *arguments)


def _position(w: Values, arguments: Arguments) -> str:
    return "position(m)"


OPERATIONS: dict[str, Callable[[Values, Arguments], str]] = {
    "plus": _checked("+"), "minus": _checked("-"), "times": _checked("*"), "divide": _divide,
    "kept": _kept, "argument": _same, "within": _same, "too_large": _stops("TOO_LARGE"),
    "round_down": _rounding("f_floor"), "round_up": _rounding("f_ceil"),
    "round_nearest": _rounding("f_nearest"), "floor": _rounding("f_floor"), "ceiling": _rounding("f_ceil"),
    "min": _folded("least"), "max": _folded("most"), "abs": _absolute, "clamp": _clamp,
    "remainder": _remainder, "odds": _odds, "len": _length, "numbers_between": _numbers_between,
    "next_round": _next_round,
    "neighbours_of": _united("ADJ", False), "borders_of": _united("INC", True),
    "nearest": _of_things("nearest", "m", "m"), "distance": _of_things("distance", "s", "s"),
    "other_end": _of_things("other_end", "b", "s"), "ends_of": _of_things("ends_of", "b"),
    "border_between": _of_things("border_between", "s", "s"),
    "line": _oracle("line"), "sides_along": _oracle("sides_along"),
    "squared_distance": _oracle("squared_distance"), "direction_from": _of_things("direction_from", "s", "s"),
    "turns": _of_things("turns", "d", "d"), "ray": _of_things("ray", "s", "d"),
    "first_along": _of_things("first_along", "s", "d", "m"), "ray_to": _of_things("ray_to", "s", "d", "m"),
    "rays": _of_things("rays", "s", "D"), "rays_to": _of_things("rays_to", "s", "D", "m"),
    "firsts_along": _of_things("firsts_along", "s", "D", "m"),
    "standing_in": _standing_in, "standing_among": _standing_among, "occupied": _occupied,
    "restack": _stacking("restack"), "put_in_stack": _stacking("put_in_stack"),
    "spread": _spread, "flood": _flood, "first_steps": _first_steps, "origins_of": _origins_of,
    "too_many_options": _stops("OPTIONS"), "position": _position,
}  # fmt: skip


# ---- methods ---------------------------------------------------------------------------------------------
def _text_of(e: v.Value) -> str:
    match e:
        case v.Word(text=text):
            return text
        case v.Constant(value=str() as text):
            return text
        case _:
            raise Unsupported("words that are worked out")


def _cell_of(w: Values, cell: v.Value) -> str:
    assert isinstance(cell, v.Number)
    return f"&{w.cell(v.Cell(cell.value))}"


def method(w: Values, e: v.Method) -> str:
    """A method, as a value or for what it does."""
    match e:
        case v.Method(owner=v.Constant(name=name, value=dict() as masks), name="get", arguments=(key, _)):
            return _looked_up(w, e, name, masks, key)
        case v.Method(owner=v.Name(), name="get"):
            return "NONE"
        case v.Method(owner=v.Name(name=name)) if name in w.types.searches:
            return _search(w, name, e)
        case v.Method(owner=v.Local(name="m"), name="roll", arguments=(purpose, cell, dice, faces)):
            number = w.tables.purpose(_text_of(purpose))
            return f"roll(m, {number}, {_cell_of(w, cell)}, {w.number(dice)}, {w.number(faces)})"
        case v.Method(owner=v.Local(name="m"), name="pick", arguments=(purpose, cell, group)):
            return _pick(w, w.tables.purpose(_text_of(purpose)), cell, group)
        case v.Method(owner=v.Local(name="m"), name="end", arguments=(outcome, winners, reason, paragraph)):
            site = w.tables.end(_text_of(outcome), _text_of(reason), _text_of(paragraph))
            return f"ended(m, {site}, {w.mask(winners, 1)})"
        case v.Method(owner=v.Local(name="m"), name="remember", arguments=(_, v.Call(name="position"))):
            return "remember(m)"
        case v.Method(owner=v.Local(name="m"), name="put_token" | "show_token" | "draw"):
            return _token(w, e)
        case _:
            raise Unsupported(f"the method {e.name}")


def _looked_up(w: Values, e: v.Method, name: str, masks: dict[object, object], key: v.Value) -> str:
    """`MASKS.get(key, 0)`: a table over the numbers from the least key to the greatest."""
    if not masks:
        return w.literal(0, as_mask(w.type(e)).words)
    known: dict[int, object] = {}
    for own_key, value in masks.items():
        if isinstance(own_key, str):
            own_key = w.tables.word(own_key)
        if not isinstance(own_key, int):
            raise Unsupported("a table with keys that are no numbers")
        known[own_key] = value
    low, high = min(known), max(known)
    if high - low > FAR_APART:
        raise Unsupported("a table with keys far apart")
    gives = w.type(e)
    if not isinstance(gives, (Mask, Int)):
        raise Unsupported("a table of other things than masks")
    dense = (*(known.get(k, 0) for k in range(low, high + 1)), 0)
    own = as_mask(gives)
    table = w.tables.table(name, dense, Table(own, len(dense)))
    count = len(dense) - 1
    found = w.type(key)
    if isinstance(found, Frac):
        index = f"f_key({w.text(key)}, {low}, {count})"
    elif isinstance(found, Int) and found.low >= low - 1 and found.high <= high:
        index = f"{w.number(key)} - {low}" if low else w.number(key)
    else:
        index = f"i_key({w.text(key) if isinstance(found, Text) else w.number(key)}, {low}, {count})"
    text = f"{table}[{index}]"
    w.words.add(own.words)
    return text if isinstance(gives, Mask) else f"(int64_t){text}"


def _pick(w: Values, purpose: int, cell: v.Value, group: v.Value) -> str:
    own = as_mask(w.type(group))
    name = f"pick_{own.words}"
    w.words.add(own.words)
    w.tables.late.setdefault(name, (
        f"static int64_t {name}(machine *m, int purpose, int64_t *cell, m{own.words} group) {{\n"
        f"    int64_t count = m{own.words}_count(group);\n"
        f"    return count ? m{own.words}_nth(m, group, picked(m, purpose, cell, count)) : -1;\n}}\n"
    ))  # fmt: skip
    return f"{name}(m, {purpose}, {_cell_of(w, cell)}, {w.mask(group, own.words)})"


def _token(w: Values, e: v.Method) -> str:
    cells = next(
        a.value for a in e.arguments if isinstance(a, v.Constant) and isinstance(a.value, TokenCells)
    )
    _token_helpers(w, cells)
    match e.name:
        case "put_token":
            token, who, where, _, *openly = e.arguments
            numbers = ", ".join(w.number(a) for a in (token, who, where))
            return f"put_token(m, {numbers}, {w.truth(openly[0]) if openly else '0'})"
        case "show_token":
            token, eyes, _ = e.arguments
            return f"show_token(m, {w.number(token)}, {w.mask(eyes, 1)})"
        case _:
            who, cell, _ = e.arguments
            purpose = w.tables.purpose("draw")
            return f"draw(m, {purpose}, {_cell_of(w, cell)}, {w.number(who)})"


def _token_helpers(w: Values, cells: TokenCells) -> None:
    if "put_token" in w.tables.late:
        return
    tokens, players = w.types.sizes.tokens, w.types.sizes.players
    groups = [w.types.cells.group(cell) for cell in cells]
    if any(isinstance(g.type, Mask) and g.type.words > 1 for g in groups):
        raise Unsupported("many tokens")
    holder, holder_masks, state, state_masks, known = (
        f"m->s.{g.name}[{cell - g.first} + " for g, cell in zip(groups, cells, strict=True)
    )
    w.words.add(1)
    w.tables.late["put_token"] = f"""
UNUSED static void show_token(machine *m, int64_t token, m1 eyes) {{
    if (token < 0) return;
    if (eyes & ~{known}ix(m, token, 0, {tokens})]) m->chanced = 1;
    {known}token] |= eyes;
}}
UNUSED static void put_token(machine *m, int64_t token, int64_t who, int64_t where, int openly) {{
    if (token < 0) return;
    ix(m, token, 0, {tokens});
    ix(m, who, -1, {players});
    ix(m, where, 0, 3);
    m1 bit = m1_bit(token), eyes = m1_bit(who);
    if (openly || where == 2) show_token(m, token, {known}-1]);
    else {{
        if (where == 1 && {state}token] == 0)
            for (m1 bag = {state_masks}0]; bag; bag &= bag - 1) {known}__builtin_ctzll(bag)] &= eyes;
        show_token(m, token, eyes);
    }}
    {holder_masks}{holder}token]] &= ~bit;
    {state_masks}{state}token]] &= ~bit;
    {holder}token] = who;
    {state}token] = where;
    {holder_masks}who] |= bit;
    {state_masks}where] |= bit;
}}
UNUSED static int64_t draw(machine *m, int purpose, int64_t *cell, int64_t who) {{
    m1 bag = {state_masks}0];
    if (!bag) return -1;
    int64_t token = m1_nth(m, bag, picked(m, purpose, cell, m1_count(bag)));
    put_token(m, token, who, 1, 0);
    return token;
}}
"""


def _search(w: Values, name: str, e: v.Method) -> str:
    return search_call(w, name, e)


__all__ = ["OPERATIONS", "Nothing", "method"]
