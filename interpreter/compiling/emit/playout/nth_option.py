"""Functions that find the option at some place among options nobody has written out."""

from __future__ import annotations

from interpreter.compiling.ir import values as v
from interpreter.compiling.ir.kinds import Kind
from interpreter.compiling.ir.statements import (
    Arm,
    Body,
    Function,
    If,
    Let,
    Return,
    Statement,
    Update,
    When,
    While,
)
from interpreter.compiling.ir.values import Value
from interpreter.running.masks import CHUNK
from interpreter.state.symbols import numbered

LONG_STRIDE, SHORT_STRIDE = 16, 4
NTH, NTH_WAY = "nth", "nth_way"  # roles: the member of a mask at a place, the pair of several
_ROWS = v.Name("FIRST_ROWS")
_MASK, _I, _N, _AT, _WAYS = (v.Local(name) for name in ("mask", "i", "n", "at", "ways"))


def chunks_of(size: int) -> int:
    """How many look-ups the masks of so many things take."""
    return -(-size // CHUNK)


def nth_code(size: int, kind: Kind) -> Value:
    """The member at place `i` of the mask `opts`, in a universe of this size."""
    chunks, options = chunks_of(size), v.Local("opts")
    if chunks <= 1:
        return v.Item(v.Item(_ROWS, options), _I, kind)
    return v.Call(numbered(NTH, chunks), (options, _I), kind)


def nth_function(chunks: int) -> Function:
    """`nth_4(mask, i)`: halves are counted until one look-up is left."""
    return Function(numbered(NTH, chunks), ("mask", "i"), _nth_in(0, chunks))


def _nth_in(first: int, last: int) -> Body:
    if last - first == 1:
        part: Value = v.Binary(">>", _MASK, v.Number(CHUNK * first)) if first else _MASK
        found = v.Item(v.Item(_ROWS, v.Binary("&", part, v.Number((1 << CHUNK) - 1))), _I)
        return [Return(v.Binary("+", found, v.Number(CHUNK * first)) if first else found)]
    middle = (first + last) // 2
    lower = ((1 << CHUNK * middle) - 1) ^ ((1 << CHUNK * first) - 1)
    return [
        Let(_N, v.Count(v.Binary("&", _MASK, v.Number(lower)))),
        If([Arm(v.Compare("<", _I, _N), _nth_in(first, middle))]),
        Update(_I, "-", _N),
        *_nth_in(middle, last),
    ]


def ways_function(count: int, spaces: int) -> Function:
    """`nth_way_3(i, ways, w0, w1, w2)`: the pair at place `i` of all pairs in so many masks.

    It goes towards it in strides of 16, 8 and 4 spaces, and then step by step.
    """
    masks = [v.Local(f"w{n}") for n in range(count)]
    body: Body = [Let(_AT, v.ZERO)]
    for bits in (LONG_STRIDE, 8, SHORT_STRIDE):
        few = v.Number((1 << bits) - 1)
        pairs: Value = v.Count(v.Binary("&", masks[0], few))
        for mask in masks[1:]:
            pairs = v.Binary("+", pairs, v.Count(v.Binary("&", mask, few)))
        test = v.Compare(">=", _I, _N)
        stride: Body = [Update(_I, "-", _N), *_shifted(masks, bits)]
        body.append(Let(_N, pairs))
        if bits == LONG_STRIDE:
            body.append(While(test, [*stride, Let(_N, pairs)], most=-(-spaces // bits)))
        else:
            body.append(If([Arm(test, stride)]))
    one_by_one: Body = []
    for number, mask in enumerate(masks):
        there = v.Binary("+", _AT, v.Item(_WAYS, v.Number(number)))
        found: Statement = When(v.Not(_I), [Return(v.Tuple((_AT, there)))])
        one_by_one.append(If([Arm(v.Binary("&", mask, v.ONE), [found, Update(_I, "-", v.ONE)])]))
    body.append(While(v.ONE, [*one_by_one, *_shifted(masks, 1)], most=SHORT_STRIDE))
    return Function(numbered(NTH_WAY, count), ("i", "ways", *(mask.name for mask in masks)), body)


def _shifted(masks: list[v.Local], bits: int) -> Body:
    shifts: Body = [Update(mask, ">>", v.Number(bits)) for mask in masks]
    return [Update(_AT, "+", v.Number(bits)), *shifts]
