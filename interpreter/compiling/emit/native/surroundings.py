"""The tables of the map, and where pieces stand, as C for one game."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.compiling.emit.native.cells import Cells
from interpreter.compiling.emit.native.inference import World_
from interpreter.compiling.emit.native.tables import Tables
from interpreter.compiling.emit.native.types import Int, Mask, Table
from interpreter.running.rays import ray_functions
from interpreter.running.stacks import stacked_pieces
from interpreter.state.layout import Layout
from rulesdsl.program.world import World

_OPERATIONS = (
    "of", "and", "or", "xor", "not", "nz", "eq", "neg", "count", "first", "last", "bit", "has", "shl", "shr",
    "drop", "next", "nth", "put", "cut", "flip", "in",
)  # fmt: skip


def mask_names(letter: str, mask: Mask) -> str:
    """`MS`, `S_and`: the masks of one class by short names."""
    names = [f"#define {letter}_{name} m{mask.words}_{name}" for name in _OPERATIONS]
    return "\n".join([f"typedef m{mask.words} M{letter};", *names]) + "\n"


def map_tables(world: World, sizes: World_, tables: Tables) -> str:
    """The graph of the map."""
    spaces = Mask(max(1, sizes.spaces))
    borders = Mask(max(1, sizes.borders))
    own = [tuple(x for x in links if x[1] not in world.passages) for links in world.adjacency]
    adjacent = (*(sum({1 << there for there, _ in links}) for links in own), 0)
    incident = (*(sum({1 << border for _, border in links}) for links in own), 0)
    lines = [
        f"#define SPACES {max(1, sizes.spaces)}",
        f"#define DIRECTIONS {sizes.directions}",
        f"#define ADJ {tables.table('ADJ', adjacent, Table(spaces, len(adjacent)))}",
        f"#define INC {tables.table('INC', incident, Table(borders, len(incident)))}",
        f"#define ENDS {tables.array('ENDS', 'int32_t', [x for pair in world.border_ends for x in pair] or [0])}",
    ]
    for name, links in (("LINK", own), ("WAY", world.adjacency)):
        flat = [x for around in links for link in around for x in link] or [0]
        firsts = [0]
        for around in links or [()]:
            firsts.append(firsts[-1] + len(around))
        lines.append(f"#define {name}S ((const link_ *){tables.array(name + 'S', 'int32_t', flat)})")
        lines.append(f"#define FIRST_{name} {tables.array('FIRST_' + name, 'int32_t', firsts)}")
    return "\n".join([*lines, *_shifted(own, spaces), *_grid(world, sizes, tables, spaces)]) + "\n"


MOST_SHIFTS = 8  # ways to a neighbour: more take longer than going through spaces


def _shifted(links: Sequence[Sequence[tuple[int, int]]], spaces: Mask) -> list[str]:
    """Neighbours of many spaces at once, on a board in rows: those to the east have the next number, those to the
    north so many more. Said of the numbers alone, so that any map may turn out to be one."""
    ways = dict[int, int]()  # how much further → from which spaces
    for here, around in enumerate(links):
        for there, _ in around:
            ways[there - here] = ways.get(there - here, 0) | 1 << here
    if spaces.words > 2 or not 0 < len(ways) <= MOST_SHIFTS:
        return []
    moved = []
    for further, origins in sorted(ways.items()):
        word = f"(MS)0x{origins & (1 << 64) - 1:x}ULL" + (
            f" | (MS)0x{origins >> 64:x}ULL << 64" if spaces.words == 2 else ""
        )
        moved.append(f"(mask & ({word})) {'<<' if further > 0 else '>>'} {abs(further)}")
    return [
        "#define SHIFTED",
        f"UNUSED static inline MS around(machine *m, MS mask) {{\n    return {' | '.join(moved)};\n}}",
    ]


def _grid(world: World, sizes: World_, tables: Tables, spaces: Mask) -> list[str]:
    if not world.grid_form:
        return [
            f"#define {name} ((const {kind} *)DATA)"
            for name, kind in (
                ("NEXT", "int32_t"),
                ("RAYS", "MS"),
                ("RISING", "int8_t"),
                ("FALLING", "int8_t"),
            )
        ]
    ray = ray_functions(world)["ray"]
    following = [world.attributes["space", direction].values for direction in world.directions]
    next_ = [
        there if isinstance(there := following[d][space], int) else -1
        for space in range(sizes.spaces)
        for d in range(sizes.directions)
    ]
    rays = [ray(space, d) for d in range(sizes.directions) for space in range(sizes.spaces)]
    rising, falling = list[int](), list[int]()
    for values in following:
        ups = [values[i] > i for i in range(sizes.spaces) if isinstance(values[i], int) and values[i] >= 0]  # type: ignore[operator]
        rising.append(int(all(ups)))
        falling.append(int(not any(ups)))
    return [
        f"#define NEXT {tables.array('NEXT', 'int32_t', next_)}",
        f"#define RAYS {tables.table('RAYS', (*rays, 0), Table(spaces, len(rays) + 1))}",
        f"#define RISING {tables.array('RISING', 'int8_t', rising)}",
        f"#define FALLING {tables.array('FALLING', 'int8_t', falling)}",
    ]


def places(layout: Layout, world: World, cells: Cells, tables: Tables) -> str:
    """`standing_in`, `standing_among`, `occupied`, and stacks (running/masks.py, stacks.py)."""
    if ("piece", "at") not in layout.arrays:
        return ""
    at_array = layout.arrays["piece", "at"]
    inside, at = cells.of[layout.pieces_in], cells.of[at_array.base]
    if not isinstance(inside.type, (Mask, Int)) or not isinstance(at.type, Int):
        return ""
    pieces = Mask(len(world.universes["piece"]))
    words = inside.type.words if isinstance(inside.type, Mask) else 0
    if words != pieces.words:  # the cells are wider than a mask of pieces: nobody moves here
        return ""
    occupation = layout.occupation
    kinds = tables.table("KINDS", (*occupation.kinds, 0), Table(pieces, len(occupation.kinds) + 1))
    where = cells.of[occupation.base] if occupation.kinds else None
    spaces = Mask(len(world.universes["space"]))
    known = where is not None and isinstance(where.type, Mask) and where.type.words == spaces.words
    there = f"m->s.{inside.name}[{layout.pieces_in - inside.first} + i]"
    place = f"m->s.{at.name}[{at_array.base - at.first} + i]"
    whole = f"""
    if (P_count(pieces) > 4)
        for (int k = 0; k < {len(occupation.kinds)}; k++)
            if (P_within({kinds} + k, &pieces)) {{
                pieces = P_xor(pieces, {kinds}[k]);
                found = S_or(found, m->s.{where.name if where else ''}[k]);
            }}""" if known else ""  # fmt: skip
    text = f"""
static inline int P_within(const MP *a, const MP *b) {{
    const uint64_t *x = (const uint64_t *)a, *y = (const uint64_t *)b;
    for (int k = 0; k < {pieces.words}; k++) if (x[k] & ~y[k]) return 0;
    return 1;
}}
UNUSED static MP standing_in(machine *m, MS spaces) {{
    MP found = P_of(0);
    for (int64_t i; (i = S_next(&spaces)) >= 0 && i < SPACES; ) found = P_or(found, {there});
    return found;
}}
UNUSED static MP standing_among(machine *m, MP pieces, MS spaces) {{
    if (P_count(pieces) > S_count(spaces)) return P_and(standing_in(m, spaces), pieces);
    MP found = P_of(0);
    for (int64_t i; (i = P_next(&pieces)) >= 0 && i < {pieces.bits}; )
        if (S_in(&spaces, {place})) P_put(&found, i);
    return found;
}}
UNUSED static MS occupied(machine *m, MP pieces) {{
    MS found = S_of(0);{whole}
    for (int64_t i; (i = P_next(&pieces)) >= 0 && i < {pieces.bits}; ) S_put(&found, {place});
    return found;
}}
"""
    return text + _stacks(layout, world, cells, tables, pieces, inside.name, layout.pieces_in - inside.first)


def _stacks(
    layout: Layout, world: World, cells: Cells, tables: Tables, pieces: Mask, inside: str, off: int
) -> str:
    if not world.stack:
        return ""
    array = layout.arrays["piece", world.stack]
    group = cells.of[array.base]
    if not isinstance(group.type, Int):
        return ""
    high = f"m->s.{group.name}[{array.base - group.first} + "
    stacked = tables.table("STACKED", (stacked_pieces(world), 0), Table(pieces, 2))
    spaces = len(world.universes["space"])
    return f"""
#define STACKED {stacked}[0]
static void shift_stack(machine *m, MP pieces, int64_t low, int64_t high, int64_t by) {{
    pieces = P_and(pieces, STACKED);
    for (int64_t i; (i = P_next(&pieces)) >= 0 && i < {pieces.bits}; )
        if (low <= {high}i] && {high}i] <= high) {high}i] += by;
}}
UNUSED static int restack(machine *m, int64_t piece, int64_t left, int64_t target) {{
    ix(m, piece, 0, {pieces.bits});
    ix(m, left, -1, {spaces});
    ix(m, target, -1, {spaces});
    if (!P_has(STACKED, piece)) return 0;
    if (left >= 0) shift_stack(m, m->s.{inside}[{off} + left], {high}piece] + 1, {layout.size}, -1);
    {high}piece] = target >= 0 ? P_count(P_and(m->s.{inside}[{off} + target], STACKED)) + 1 : 0;
    return 0;
}}
UNUSED static int put_in_stack(machine *m, int64_t piece, int64_t place, int64_t on_top) {{
    if (piece < 0 || place < 0) return 0;
    ix(m, piece, 0, {pieces.bits});
    ix(m, place, 0, {spaces});
    if (!P_has(STACKED, piece)) return 0;
    MP others = P_and(m->s.{inside}[{off} + place], P_not(P_bit(piece)));
    if (on_top) {{
        shift_stack(m, others, {high}piece] + 1, {layout.size}, -1);
        {high}piece] = P_count(P_and(others, STACKED)) + 1;
    }} else {{
        shift_stack(m, others, 1, {high}piece] - 1, 1);
        {high}piece] = 1;
    }}
    return 0;
}}
"""
