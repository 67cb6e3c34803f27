"""Positions that have occurred, in C: what everybody sees, written as Python writes it, as one number
(running/positions.py is the reference; the numbers are the same)."""

from __future__ import annotations

from interpreter.compiling.emit.native.cells import Cells
from interpreter.compiling.emit.native.tables import Tables
from interpreter.compiling.emit.native.types import Int, Mask, Unsupported
from interpreter.running.positions import shown_of
from interpreter.state.layout import Layout
from rulesdsl import program as pg
from rulesdsl.program.world import Attribute


def position_function(program: pg.Program, layout: Layout, cells: Cells, tables: Tables) -> str:
    """`position(m)`."""
    shown = shown_of(program)
    lines = ['    put(m, "([");']
    for place, cell in enumerate(shown.tracks):
        lines.append(f"    put_i(m, {_number(cells, cell)});" + _comma(place, len(shown.tracks)))
    lines.append('    put(m, "], [");')
    for place, attribute in enumerate(shown.others):
        size = len(program.world.universes[attribute.universe])
        reading = _reading(layout, cells, attribute)
        lines.append(
            '    put(m, "[");\n'
            f'    for (int64_t i = 0; i < {size}; i++) {{ if (i) put(m, ", "); put_i(m, {reading}); }}\n'
            '    put(m, "]");' + _comma(place, len(shown.others))
        )
    lines.append('    put(m, "], [");')
    count, many = len(shown.seen), len(shown.of_pieces)
    if count:
        seen = tables.array("SEEN", "int32_t", shown.seen)
        prints = tables.array("PRINTS", "int32_t", shown.prints)
        lines.append(f"    int64_t rows[{count}][{1 + many}];")
        values = "".join(
            f" rows[k][{1 + n}] = {_reading(layout, cells, a)};" for n, a in enumerate(shown.of_pieces)
        )
        lines.append(
            f"    for (int k = 0; k < {count}; k++) {{ int64_t i = {seen}[k]; rows[k][0] = {prints}[i];{values} }}"
        )
        lines.append(f"    sort_rows(&rows[0][0], {count}, {1 + many});")
        lines.append(f"    put_rows(m, &rows[0][0], {count}, {1 + many});")
    lines.append('    put(m, "])");')
    body = "\n".join(lines)
    quick = _key_function(program, layout, cells, tables)
    return quick + (
        f"static int64_t position(machine *m) {{\n    char *const mark = m->top;\n    m->writing = mark;\n{body}\n"
        "    return (int64_t)blake2b_8((const unsigned char *)mark, (size_t)(m->writing - mark));\n}\n"
    )


def _key_function(program: pg.Program, layout: Layout, cells: Cells, tables: Tables) -> str:
    """`key_of(m, key)`: equal for equal positions, and for others as good as never. Writing a position down as
    Python does takes longer than the move before it, and in play only equality matters."""
    shown = shown_of(program)
    lines = [f"    key_put(key, (uint64_t){_number(cells, cell)});" for cell in shown.tracks]
    for attribute in shown.others:
        size = len(program.world.universes[attribute.universe])
        reading = _reading(layout, cells, attribute)
        lines.append(f"    for (int64_t i = 0; i < {size}; i++) key_put(key, (uint64_t)({reading}));")
    if shown.seen:
        seen = tables.array("SEEN", "int32_t", shown.seen)
        prints = tables.array("PRINTS", "int32_t", shown.prints)
        values = "".join(f" key_put(own, (uint64_t)({_reading(layout, cells, a)}));" for a in shown.of_pieces)
        lines.append("    uint64_t all[2] = {0, 0};  /* pieces are seen in no order */")
        lines.append(
            f"    for (int k = 0; k < {len(shown.seen)}; k++) {{ int64_t i = {seen}[k]; uint64_t own[2] = {{1, 2}};"
            f" key_put(own, (uint64_t){prints}[i]);{values} all[0] += own[0]; all[1] += own[1]; }}"
        )
        lines.append("    key_put(key, all[0]);\n    key_put(key, all[1]);")
    body = "\n".join(lines)
    return f"static void key_of(machine *m, uint64_t key[2]) {{\n{body}\n}}\n"


def _comma(place: int, count: int) -> str:
    return ' put(m, ", ");' if place < count - 1 else ""


def _number(cells: Cells, cell: int) -> str:
    group = cells.group(cell)
    if not isinstance(group.type, Int):
        raise Unsupported("positions of other things than numbers")
    return f"m->s.{group.name}[{cell - group.first}]"


def _reading(layout: Layout, cells: Cells, attribute: Attribute) -> str:
    """The value of an attribute of thing `i`."""
    if attribute.type.kind == "flag":
        parts = []
        for slot in layout.flag_slots(attribute).values():
            group = cells.group(slot)
            if isinstance(group.type, Mask):
                parts.append(f"m{group.type.words}_has(m->s.{group.name}[0], i)")
            else:
                parts.append(f"m1_has(m1_of(m->s.{group.name}[0]), i)")
        return " || ".join(parts)
    base = layout.arrays[attribute.universe, attribute.name].base
    group = cells.group(base)
    if not isinstance(group.type, Int):
        raise Unsupported("positions of other things than numbers")
    return f"m->s.{group.name}[{base - group.first} + i]"
