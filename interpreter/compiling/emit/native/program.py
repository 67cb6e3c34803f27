"""A whole game as one C text: what is reachable from its first procedure, typed, written, put together.

One file, since the order in which the parts are found, typed and written is what it is about.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interpreter.compiling.emit.native.cells import Cells
from interpreter.compiling.emit.native.inference import Inference, Search, World_, is_nth, of_constant, oracle
from interpreter.compiling.emit.native.positions import position_function
from interpreter.compiling.emit.native.splitting import split
from interpreter.compiling.emit.native.statements import Writer
from interpreter.compiling.emit.native.surroundings import map_tables, mask_names, places
from interpreter.compiling.emit.native.tables import Tables
from interpreter.compiling.emit.native.types import (
    Frac,
    Int,
    List,
    Mask,
    Steps,
    Text,
    Tup,
    Type,
    Unsupported,
    c_type,
    joined,
    struct_name,
)
from interpreter.compiling.emit.native.values import Values
from interpreter.compiling.ir import statements as st
from interpreter.compiling.ir import values as v
from interpreter.compiling.ir.asked import each_part
from interpreter.running.numbers import MOST_TO_CHOOSE
from interpreter.running.runtime import table_results
from interpreter.state.symbols import BODY, DO, naming_of, numbered, taken_apart
from rulesdsl.language.conventions import MAIN

if TYPE_CHECKING:
    from interpreter.compiling.ruleset import Ruleset

HERE = Path(__file__).parent
ARENA = 1 << 24  # bytes for the lists of a game; one that needs more is played by Python
DEEPEST = 32  # procedures in each other, where they may call themselves
_ORACLES = ("line", "sides_along", "squared_distance")


@dataclass(frozen=True, eq=False)
class Translation:
    """C for one ruleset, and all that is needed to run it."""

    text: str
    data: bytes
    cells: Cells
    ends: tuple[tuple[str, str, str], ...]  # outcome ("pays": by the gains), reason, rule
    oracles: tuple[tuple[str, int], ...]  # names of functions of the fast code, and their keys
    answers: tuple[Type, ...]  # what they give
    players: int
    tallied: int  # ways to end

    @property
    def key(self) -> str:
        """A name for the code: the same text gives the same library."""
        return sha256(self.text.encode()).hexdigest()


def translate(ruleset: Ruleset) -> Translation:
    """The whole game in C; raises `Unsupported` with the reason when it cannot be said."""
    try:
        return Translator(ruleset).translation()
    except RecursionError:
        raise Unsupported("rules that lead too far") from None


class Translator:
    """From one ruleset to whole games; `stepping.py` has another for games that stop at decisions."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset, self.program = ruleset, ruleset.program
        self.world, self.layout = ruleset.program.world, ruleset.layout
        made = self.made()
        self.sizes = World_.of(self.world)
        self.oracles: list[str] = []
        self.tables = self._table_types()
        self.functions, self.definitions = self._reachable(made)
        self.cells = Cells.of_layout(self.layout)
        if self.layout.positions:
            self.cells.of[self.layout.positions].kept = True

    # ---- what is told apart ------------------------------------------------------------------------------
    def made(self) -> dict[str, st.Made]:
        """All functions there are; `roots` are those with which the others are reached."""
        playouts = self.ruleset.playouts
        self.main = numbered(DO, playouts.numbers[MAIN])
        self.roots, self.watched = [self.main], playouts.watched
        return {one.name: one.passed for one in (*self.ruleset.fast.functions, *playouts.functions)}

    def inference(self, functions: dict[str, st.Function]) -> Inference:
        """The types of all functions."""
        types = Inference(functions, self.definitions, self.cells, self.sizes, self.tables)
        self.prepare(types)
        types.run([(self.main, ())])
        return types

    def writer(self, types: Inference, tables: Tables, recursive: frozenset[str]) -> Writer:
        return Writer(Values(types, tables), recursive)

    def machine(self) -> str:
        """What the memory of a game is made of."""
        return "#define MORE\n" + MACHINE

    def remembering(self) -> str:
        """How positions that have occurred are kept."""
        return _REMEMBER

    def before(self) -> list[str]:
        """What stands before the functions, beside what all of them need."""
        return []

    def entry(self, tables: Tables) -> list[str]:
        """What Python calls."""
        return [f"#define MAIN f_{self.main}", runtime("runtime_entry.h"), runtime("runtime_memory.h")]

    # ---- what is needed ----------------------------------------------------------------------------------
    def prepare(self, types: Inference) -> None:
        types.searches = self._searches()
        if self.world.stack:
            types.heights = self.layout.arrays["piece", self.world.stack].base

    def _reachable(self, made: dict[str, st.Made]) -> tuple[dict[str, st.Function], dict[str, st.Definition]]:
        functions, definitions = dict[str, st.Function](), dict[str, st.Definition]()
        waiting = [*self.roots]
        while waiting:
            name = waiting.pop()
            one = made.get(name)
            if one is None or name in functions or name in definitions:
                continue
            if is_nth(name):
                continue  # an operation of the machine
            if isinstance(one, st.Definition):
                definitions[name] = one
                waiting += _named((one.value,))
            else:
                functions[name] = one
                waiting += [n for each in st.walk(one.body) for n in _named(each.values)]
        return functions, definitions

    def _table_types(self) -> dict[str, tuple[int, Type]]:
        """The tables of the game, and what else only Python knows, with what they give."""
        found: dict[str, tuple[int, Type]] = {}
        naming = naming_of(self.program)
        for table in self.program.tables.values():
            type_: Type | None = None
            try:
                for value in table_results(table, self.world):
                    own = (
                        Tup(tuple(map(of_constant, value)))
                        if isinstance(value, tuple)
                        else of_constant(value)
                    )
                    type_ = joined(type_, own)
            except Unsupported:
                continue  # whoever asks for it is told
            if type_ is not None and not _has_text(type_):
                name = naming.called("T", table.id)
                found[name] = (len(self.oracles), type_)
                self.oracles.append(name)
        given: dict[str, Type] = {
            "line": Mask(max(1, self.sizes.spaces)), "sides_along": Mask(max(1, self.sizes.borders)),
            "squared_distance": Int(-1, (1 << 63) - 1),
        }  # fmt: skip
        for name in _ORACLES:
            found[oracle(name)] = (len(self.oracles), given[name])
            self.oracles.append(name)
        return found

    def _shape(self, e: v.Value) -> str:
        match e:
            case v.Listing():
                return "list"
            case v.Dictionary():
                return "steps"
            case v.Members():
                return "rows"
            case v.Item(table=v.Name(name=name)) if name in self.definitions:
                return "links"
            case v.Call(name=name) if taken_apart(name)[0] in ("next", "steps"):
                return "steps"
            case v.Call(name=name) if name in self.tables and isinstance(self.tables[name][1], Tup):
                return "tuple"
            case _:
                return ""

    def _searches(self) -> dict[str, Search]:
        found: dict[str, Search] = {}
        for name, one in self.definitions.items():
            match one.value:
                case v.Call(name="RouteSearch", arguments=arguments):
                    names = [a.name if isinstance(a, v.Name) else None for a in arguments]
                    step, stop, end, limits, start, rung, links = names[:7]
                    work, shape = arguments[9], arguments[10]
                    if not (step and stop and end and limits and start and links):
                        raise Unsupported("a search without its rules")
                    assert isinstance(work, v.Number)
                    assert isinstance(shape, v.Constant)
                    found[name] = Search(step, stop, end, limits, start, rung, links, work.value, shape.value)
                case _:
                    pass
        return found

    # ---- putting together --------------------------------------------------------------------------------
    def translation(self) -> Translation:
        split_functions: dict[str, st.Function] = {}
        for name, function in self.functions.items():
            try:
                split_functions[name] = split(function, self._shape)
            except Unsupported as why:
                raise Unsupported(f"{name}: {why}") from None
        ruleset = self.ruleset
        scenarios = [None, *ruleset.scenarios.values()]
        self.cells.seed([ruleset.start_state(scenario) for scenario in scenarios])
        types = self.inference(split_functions)
        tables = Tables()
        used = {name: one for name, one in split_functions.items() if types.signatures[name].grown["()"]}
        writer = self.writer(types, tables, self._recursive(used))
        values = writer.values
        values.words |= {1, 2, types.spaces.words, max(1, types.pieces.words)}
        values.words.add(Mask(max(1, self.sizes.borders)).words)
        bodies: list[str] = []
        for name, function in used.items():
            try:
                bodies.append(writer.function(function))
            except Unsupported as why:
                raise Unsupported(f"{name}: {why}") from None
        costs = [self._cost(types, values, name, facts) for name, facts in tables.link_tables.items()]
        heads = [writer.head(function) + ";" for function in used.values()]
        for group in self.cells.in_words():
            if isinstance(group.type, Mask):
                values.words.add(group.type.words)
        head = map_tables(self.world, self.sizes, tables)
        around = places(self.layout, self.world, self.cells, tables)
        if self.layout.positions:
            around += runtime("runtime_positions.h")
            around += position_function(self.program, self.layout, self.cells, tables) + self.remembering()
        else:
            around += "#define position(m) 0\n"
        text = self._text(values, tables, head, around, heads, costs, bodies)
        answers = dict(self.tables.values())
        keys = {number: _keys(self, name) for name, (number, _) in self.tables.items()}
        return Translation(
            text, bytes(tables.data) or bytes(64), self.cells, tuple(tables.ends),
            tuple((name, keys[number]) for number, name in enumerate(self.oracles)),
            tuple(answers[number] for number in range(len(self.oracles))), max(1, self.sizes.players),
            len(tables.ends),
        )  # fmt: skip

    def _recursive(self, functions: dict[str, st.Function]) -> frozenset[str]:
        """Functions that may come to call themselves."""
        calls = {
            name: {n for each in st.walk(one.body) for n in _named(each.values) if n in functions}
            for name, one in functions.items()
            if taken_apart(name)[0] in (DO, BODY)
        }
        found: set[str] = set()
        for name in calls:
            waiting, met = [*calls[name]], set[str]()
            while waiting:
                one = waiting.pop()
                if one in met or one not in calls:
                    continue
                met.add(one)
                waiting += calls[one]
            if name in met:
                found.add(name)
        return frozenset(found)

    def _cost(self, types: Inference, values: Values, name: str, facts: int) -> str:
        """`TABLE_0_0[facts]`: made when it is first asked for."""
        made = self.definitions[name].value
        assert isinstance(made, v.Call)
        list_, function = made.arguments
        assert isinstance(list_, v.Name)
        assert isinstance(function, v.Name)
        links = "LINK" if list_.name == "LINKS" else "WAY"
        cost = types.resolved(function.name)
        gives = types.signatures[cost].gives
        passed = ", ".join(["m", *(f"facts[{k}]" for k in range(facts)), "here", "border", "there"])
        if facts > 8 or any(not isinstance(t, Int) for t in types.signatures[cost].parameters):
            raise Unsupported("a route that depends on many things")
        text = f"f_{cost}({passed})"
        exact = text if isinstance(gives, Frac) else f"f_opt({text})"
        number = [*values.tables.link_tables].index(name)
        parameters = "".join(f", int64_t k{i}" for i in range(facts))
        keys = ", ".join(f"k{i}" for i in range(facts)) or "0"
        same = " && ".join(f"t->facts[{i}] == k{i}" for i in range(facts)) or "1"
        return f"""
static frac cost_{name}(machine *m, const int64_t *facts, int64_t here, int64_t border, int64_t there) {{
    (void)facts;
    return {exact};
}}
static const links *links_{name}(machine *m{parameters}) {{
    for (links *t = m->links_[{number}]; t; t = t->next)
        if ({same}) return t;
    const int64_t facts[] = {{{keys}}};
    links *t = make_links(m, {links}S, FIRST_{links}, cost_{name}, facts, {facts});
    t->next = m->links_[{number}];
    m->links_[{number}] = t;
    return t;
}}
"""

    def _text(
        self, values: Values, tables: Tables, head: str, around: str, heads: Sequence[str], costs: Sequence[str],
        bodies: Sequence[str],
    ) -> str:  # fmt: skip
        words = values.words | {w for pair in values.resizes for w in pair}
        masks = [f"MASK({n})" for n in sorted(words) if n > 2]
        resizes = [f"RESIZE({a}, {b})" for a, b in sorted(values.resizes)]
        purposes = tables.purposes or [b""]
        lengths = ", ".join(str(len(one)) for one in purposes)
        texts = [
            f"static const unsigned char PURPOSE_{k}[] = {{{', '.join(map(str, one)) or '0'}}};"
            for k, one in enumerate(purposes)
        ]
        spaces = Mask(max(1, self.sizes.spaces))
        pieces = Mask(max(1, self.sizes.pieces))
        prototypes = [
            f"static const links *links_{name}(machine *m{''.join(f', int64_t k{i}' for i in range(facts))});"
            for name, facts in tables.link_tables.items()
        ]
        parts = [
            runtime("runtime.h"), *masks, *resizes, mask_names("S", spaces), mask_names("P", pieces),
            f"#define PLAYERS {max(1, self.sizes.players)}\n#define DEGREE {self.sizes.degree}",
            f"#define WATCHED {int(self.watched)}\n#define ARENA {ARENA}\n#define DEEPEST {DEEPEST}",
            f"#define ANSWER {tables.answer_words}\n#define ENDINGS {len(tables.ends)}",
            f"#define TABLES {max(1, len(tables.link_tables))}\n#define WORDS {self.cells.words}",
            f"#define MEMORIES {max(1, len(tables.memories))}\n#define DENSES {max(1, len(tables.denses))}", *texts,
            f"static const unsigned char *const PURPOSE[] = {{{', '.join(f'PURPOSE_{k}' for k in range(len(purposes)))}}};",
            f"static const size_t PURPOSE_LENGTH[] = {{{lengths}}};",
            "#define DATA m->data", self.cells.declaration(),
            f"#define SPACES_ {max(1, self.sizes.spaces)}", self.machine(),
            "_Static_assert(sizeof(state) / 8 >= WORDS && sizeof(state) / 8 <= WORDS + 1, \"state\");"
            if self.cells.words else "",
            runtime("runtime_games.h"), head, runtime("runtime_areas.h"), runtime("runtime_routes.h"), _FORGET, _ENDED, around,
            *self._structs(tables), runtime("runtime_searches.h"), _between(values), *tables.helpers.values(), *prototypes,
            *self.before(), *heads,
            *tables.late.values(), *costs, *bodies, *self.entry(tables),
        ]  # fmt: skip
        return "\n".join(part for part in parts if part)

    def _structs(self, tables: Tables) -> list[str]:
        out, done = list[str](), {"bar", "bars"}

        def declare(type_: Type | None) -> None:
            match type_:
                case Tup(members=members):
                    if (name := struct_name(type_)) in done:
                        return
                    for member in members:
                        declare(member)
                    fields = " ".join(f"{c_type(member)} a{k};" for k, member in enumerate(members))
                    out.append(f"typedef struct {{ {fields} }} {name};")
                    done.add(name)
                case List(member=member):
                    if (name := struct_name(type_)) in done:
                        return
                    declare(member)
                    out.append(f"LIST({name}, {c_type(member)})")
                    done.add(name)
                case _:
                    pass

        out += ["STEPS(steps_i, int64_t)", "STEPS(steps_f, frac)", _STEPS_OF]
        for type_ in tables.structs.values():
            if not isinstance(type_, Steps):
                declare(type_)
        return out


def _between(values: Values) -> str:
    words = Mask(MOST_TO_CHOOSE + 1).words
    if words not in values.words:
        return ""
    return f"""
UNUSED static m{words} numbers_between(int64_t low, int64_t high) {{
    m{words} out = m{words}_of(0);
    if (low < 0) low = 0;
    if (high > {MOST_TO_CHOOSE}) high = {MOST_TO_CHOOSE};
    for (int64_t i = low; i <= high; i++) out = m{words}_or(out, m{words}_bit(i));
    return out;
}}
"""


def _keys(translator: Translator, name: str) -> int:
    if name in map(oracle, _ORACLES):
        return 2
    naming = naming_of(translator.program)
    tables = translator.program.tables.values()
    return next(len(t.keys) for t in tables if naming.called("T", t.id) == name)


def _has_text(type_: Type) -> bool:
    """Words that a table gives: Python would have to know their numbers."""
    return isinstance(type_, Text) or (isinstance(type_, Tup) and any(map(_has_text, type_.members)))


def _named(values: Sequence[v.Value]) -> list[str]:
    return [
        part.name for e in values for part in each_part(e) if isinstance(part, (v.Call, v.Name))
    ]  # fmt: skip


def runtime(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8")


MACHINE = """
typedef struct links links;
typedef int (*oracle)(int64_t which, const int64_t *keys, int64_t *answer);
struct machine {
    state s;
    const char *data; /* tables: two rulesets may have the same code and other values */
    oracle ask;
    jmp_buf out;
    int64_t meter, granted, left, turns, turns_given, firings, firings_given;
    int64_t decisions, most_decisions, most_options, depth, by;
    uint64_t quick;
    const int64_t *script;
    int64_t script_length, *trace, trace_room, traced;
    int64_t end, paid, payee[PLAYERS];
    m1 winners;
    frac gain[PLAYERS];
    char *arena, *arena_end, *top, *writing;
    links *links_[TABLES];
    uint64_t *memory[MEMORIES];
    void *dense[DENSES];
    int16_t *rows[SPACES_];
    struct { uint64_t key[2]; } *history;
    state *snapshots;
    int64_t remembered, history_room, keeps_history;
    struct { int64_t which, keys[8], answer[ANSWER]; } *memos;
    size_t seed_length, seat_length[PLAYERS];
    unsigned char seed_text[LONGEST + 128], seat_text[PLAYERS][LONGEST + 128];
    int64_t chanced; /* whether dice were cast, or something was shown */
    MORE
};
"""
_FORGET = """
static void forget_links(machine *m) {
    for (int k = 0; k < TABLES; k++)
        for (links *t = m->links_[k], *next; t; t = next) { next = t->next; free_links(t); }
}
"""
_ENDED = """
UNUSED static int ended(machine *m, int64_t end, m1 winners) {
    m->end = end;
    m->winners = winners;
    return 0;
}
UNUSED static void gained(machine *m, int64_t player, frac gain) {
    if (m->paid >= PLAYERS) stop(m, BOUNDS);
    m->payee[m->paid] = player;
    m->gain[m->paid++] = gain;
}
"""
_REMEMBER = """
static int64_t remember(machine *m) {
    if (m->remembered == m->history_room) {
        int64_t room = m->history_room ? 2 * m->history_room : 256;
        void *more = realloc(m->history, (size_t)room * sizeof *m->history);
        if (!more) stop(m, MEMORY);
        m->history = more;
        more = realloc(m->snapshots, (size_t)room * sizeof *m->snapshots);
        if (!more) stop(m, MEMORY);
        m->snapshots = more;
        m->history_room = room;
    }
    uint64_t key[2] = {3, 4};
    key_of(m, key);
    int64_t times = 1;
    for (int64_t k = 0; k < m->remembered; k++)
        times += m->history[k].key[0] == key[0] && m->history[k].key[1] == key[1];
    if (m->keeps_history) m->snapshots[m->remembered] = m->s;
    m->history[m->remembered].key[0] = key[0];
    m->history[m->remembered++].key[1] = key[1];
    return times;
}
"""
_STEPS_OF = """
UNUSED static steps_f steps_f_of(steps_i a) {
    steps_f b;
    b.n = a.n;
    for (int64_t k = 0; k < a.n; k++) { b.key[k] = a.key[k]; b.value[k] = f_opt(a.value[k]); }
    return b;
}
"""
Oracle = Callable[..., Any]
