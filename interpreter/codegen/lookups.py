"""Functions that find the option at some place among options nobody has written out."""

from __future__ import annotations

CHUNK = 11  # bits of a mask that are looked up at once: see membership.py


def chunks_of(size: int) -> int:
    """How many look-ups the masks of so many things take."""
    return -(-size // CHUNK)


def nth_code(size: int) -> str:
    """Code for the member at place `i` of the mask `opts`, in a universe of this size."""
    chunks = chunks_of(size)
    return "FIRST_ROWS[opts][i]" if chunks <= 1 else f"nth_{chunks}(opts, i)"


def nth_function(chunks: int) -> str:
    """`nth_4(mask, i)`: halves are counted until one look-up is left."""
    lines = [f"def nth_{chunks}(mask, i):"]

    def find(first: int, last: int, depth: int) -> None:
        indent = "    " * depth
        if last - first == 1:
            shift, start = (f" >> {CHUNK * first}", f" + {CHUNK * first}") if first else ("", "")
            lines.append(f"{indent}return FIRST_ROWS[mask{shift} & {(1 << CHUNK) - 1}][i]{start}")
            return
        middle = (first + last) // 2
        lower = ((1 << CHUNK * middle) - 1) ^ ((1 << CHUNK * first) - 1)
        lines.append(f"{indent}n = (mask & {lower}).bit_count()")
        lines.append(f"{indent}if i < n:")
        find(first, middle, depth + 1)
        lines.append(f"{indent}i -= n")
        find(middle, last, depth)

    find(0, chunks, 1)
    return "\n".join(lines)


def ways_function(count: int) -> str:
    """`nth_way_3(i, ways, w0, w1, w2)`: the pair at place `i` of all pairs in so many masks.

    It goes towards it in strides of 16, 8 and 4 spaces, and then step by step.
    """
    masks = [f"w{n}" for n in range(count)]
    lines = [f"def nth_way_{count}(i, ways, {', '.join(masks)}):", "    at = 0"]
    for bits in (16, 8, 4):
        pairs = " + ".join(f"({mask} & {(1 << bits) - 1}).bit_count()" for mask in masks)
        again = bits == 16
        lines += [
            f"    n = {pairs}",
            f"    {'while' if again else 'if'} i >= n:",
            f"        i -= n; at += {bits}",
            f"        {'; '.join(f'{mask} >>= {bits}' for mask in masks)}",
            *([f"        n = {pairs}"] if again else []),
        ]
    lines.append("    while 1:")
    for number, mask in enumerate(masks):
        lines += [
            f"        if {mask} & 1:",
            f"            if not i: return at, at + ways[{number}]",
            "            i -= 1",
        ]
    lines.append(f"        {'; '.join(f'{mask} >>= 1' for mask in masks)}; at += 1")
    return "\n".join(lines)
