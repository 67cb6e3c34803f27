"""A game that stops at every decision, as one C text: the blocks of the fast code, what a position is worth, and
what is done with both by searches (runtime_steps.h, runtime_lines.h) and for many games at once (runtime_batches.h).

Whole games (program.py) are written from functions that cannot stop. Here a decision returns to whoever asked: the
procedures that are open stand in frames, in a pile that is part of the position, so that a position is a row of
words that can be copied, kept, given to another thread and made from any state that Python has.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from interpreter.compiling.emit.native.frames import (
    FrameInference,
    FrameLayout,
    FrameValues,
    FrameWriter,
    block,
    plain,
    results,
)
from interpreter.compiling.emit.native.inference import Inference
from interpreter.compiling.emit.native.program import MACHINE, Translation, Translator, runtime
from interpreter.compiling.emit.native.statements import Writer
from interpreter.compiling.emit.native.tables import Tables
from interpreter.compiling.emit.native.types import Frac, Int, Type, Unsupported
from interpreter.compiling.ir import statements as st
from rulesdsl.language.conventions import MAIN

if TYPE_CHECKING:
    from interpreter.compiling.ruleset import Ruleset

PILE = 1 << 14  # words of open procedures; who needs more is played by Python
WIDEST_OPTION = 16


@dataclass(frozen=True, eq=False)
class StepTranslation(Translation):
    """C for the decisions of one ruleset, and how its positions are laid out."""

    frames: tuple[FrameLayout, ...]
    frame_of: dict[int, int]  # block → frame
    begins: int  # the block with which a game begins
    sites: dict[int, Type]  # decision point → what its options are
    values: tuple[str, ...]  # functions of a player that Python may ask for


def translate_steps(ruleset: Ruleset, values: tuple[str, ...] = ()) -> StepTranslation:
    """The decisions of a game in C; `values` are functions of the fast code that take the state and a player."""
    try:
        return StepTranslator(ruleset, values).steps()
    except RecursionError:
        raise Unsupported("rules that lead too far") from None


class StepTranslator(Translator):
    """The same rules, by way of blocks."""

    def __init__(self, ruleset: Ruleset, values: tuple[str, ...]) -> None:
        self.blocks, self.values = ruleset.fast.blocks, values
        super().__init__(ruleset)

    def made(self) -> dict[str, st.Made]:
        found: dict[str, st.Made] = {one.name: one.passed for one in self.ruleset.fast.functions}
        for number in self.blocks.functions:
            one = found[block(number)]
            assert isinstance(one, st.Function)
            found[block(number)] = plain(one)
        self.main, self.watched = block(self.blocks.entries[MAIN]), True
        self.roots = [*map(block, self.blocks.functions), *self.values]
        return found

    def inference(self, functions: dict[str, st.Function]) -> Inference:
        types = FrameInference(
            functions, self.definitions, self.cells, self.sizes, self.tables,
            self.blocks.procedure_of, self.blocks.entries,
        )  # fmt: skip
        self.prepare(types)
        player = Int(0, max(0, self.sizes.players - 1))
        types.run([(self.main, ()), *((name, (player,)) for name in self.values)])
        self.types, self.layouts = types, types.layouts(self.blocks.frame_sizes)
        return types

    def writer(self, types: Inference, tables: Tables, recursive: frozenset[str]) -> Writer:
        self._writer = FrameWriter(FrameValues(types, tables), self.types, self.layouts)
        self._writer.declare_frames()
        return self._writer

    def machine(self) -> str:
        more = (
            f"char *frame; int64_t chosen[{WIDEST_OPTION}], declined, deep, serial, pile_top, steps_given, deepest; "
            "int64_t site, who, out_, width, offered, offer_words, offer_room, *offer; "
            f"int64_t height[DEEPEST_FRAME + 1]; int64_t *kept[8]; int64_t kept_room[8]; _Alignas(64) int64_t pile[{PILE}];"
        )
        return f"#define DEEPEST_FRAME 256\n#define PILE {PILE}\n#define MORE {more}\n{MACHINE}"

    def remembering(self) -> str:
        return _REMEMBER

    def before(self) -> list[str]:
        return [runtime("runtime_frames.h"), *self._writer.structures()]

    def entry(self, tables: Tables) -> list[str]:
        used = {
            number
            for number in range(self.blocks.count)
            if block(number) in self.types.signatures and self.types.signatures[block(number)].grown["()"]
        }
        self.used = used
        rows = ", ".join(f"f_{block(n)}" if n in used else "NULL" for n in range(self.blocks.count))
        number_of = {name: n for n, name in enumerate(self.layouts)}
        of = ", ".join(
            str(number_of[self.blocks.procedure_of[n]]) if n in used else "-1"
            for n in range(self.blocks.count)
        )
        words = ", ".join(str(layout.words) for layout in self.layouts.values())
        given = results(self.types, self.values)
        cases = "".join(
            f"    case {k}: return {f'f_{name}(m, who)' if isinstance(type_, Frac) else f'f_of(f_{name}(m, who))'};\n"
            for k, (name, type_) in enumerate(zip(self.values, given, strict=True))
        )
        return [
            f"#define BLOCKS_ {self.blocks.count}\n#define FRAMES {len(self.layouts)}",
            f"static int64_t (*const RUN[])(machine *) = {{{rows}}};",
            f"static const int16_t FRAME_OF[] = {{{of}}};\nstatic const int32_t FRAME_WORDS[] = {{{words}}};",
            f"UNUSED static frac worth_of(machine *m, int64_t which, int64_t who) {{\n    ix(m, who, 0, PLAYERS);\n"
            f"    switch (which) {{\n{cases}    default: stop(m, BOUNDS);\n    }}\n}}",
            "#define HAS_POSITIONS " + str(int(bool(self.layout.positions))),
            runtime("runtime_steps.h"), runtime("runtime_memory.h"), runtime("runtime_lines.h"),
            runtime("runtime_batches.h"),
        ]  # fmt: skip

    def steps(self) -> StepTranslation:
        made = self.translation()
        number_of = {name: n for n, name in enumerate(self.layouts)}
        return StepTranslation(
            made.text, made.data, made.cells, made.ends, made.oracles, made.answers, made.players, made.tallied,
            tuple(self.layouts.values()),
            {n: number_of[self.blocks.procedure_of[n]] for n in sorted(self.used)},
            self.blocks.entries[MAIN], dict(self.types.sites), self.values,
        )  # fmt: skip


_REMEMBER = """
static int64_t remember(machine *m) { /* by the numbers Python writes, since positions go back and forth */
    if (m->remembered == m->history_room) {
        int64_t room = m->history_room ? 2 * m->history_room : 256;
        void *more = realloc(m->history, (size_t)room * sizeof *m->history);
        if (!more) stop(m, MEMORY);
        m->history = more;
        m->history_room = room;
    }
    uint64_t now = (uint64_t)position(m);
    int64_t times = 1;
    for (int64_t k = 0; k < m->remembered; k++) times += m->history[k].key[0] == now;
    m->history[m->remembered].key[0] = now;
    m->history[m->remembered++].key[1] = 0;
    return times;
}
"""
