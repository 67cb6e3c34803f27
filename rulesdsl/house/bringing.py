"""New things of house rules: counters, spaces, borders, tables, rows, columns, scenarios.

A house rule brings them in the form of the game's own data files, in blocks ```yaml pieces, map, table and
scenario. They join the game before anything else is resolved: whatever a printed thing can be asked or told,
a new one can be, by other house rules as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from rulesdsl.base.diagnostics import Diagnostic, RulebookError
from rulesdsl.base.lightclass import dataclass
from rulesdsl.base.limits import DEFAULT
from rulesdsl.base.source import SourceFile, Span
from rulesdsl.book.changes import Change
from rulesdsl.book.entries import Entry, at, build_entry, source_problems
from rulesdsl.book.loader import GameSource
from rulesdsl.book.map.borders import Border, build_borders
from rulesdsl.book.map.game_map import SPACE_KEYS
from rulesdsl.book.map.grids import Grid
from rulesdsl.book.pieces import Piece, build_pieces
from rulesdsl.book.scenario import Scenario, build_scenario
from rulesdsl.book.tables.extending import extended
from rulesdsl.book.tables.file import build_table
from rulesdsl.book.tables.table import Table
from rulesdsl.book.yaml.file import YamlDocument, load_yaml
from rulesdsl.book.yaml.nodes import YamlNode
from rulesdsl.book.yaml.schema import schema_problems
from rulesdsl.language import syntax as sx
from rulesdsl.language.syntax import amendments as ax


@dataclass(slots=True)
class Bringing:
    """The game so far, and who brought what: (sort of thing, name) → house rule and place."""

    source: GameSource
    rule: ax.HouseRule
    section: ax.Section
    brought: dict[tuple[str, str], tuple[ax.HouseRule, Span]]
    changes: list[Change]
    problems: list[Diagnostic]

    @property
    def provenance(self) -> str:
        return f"house: {self.rule.title}"

    def problem(self, code: str, message: str, span: Span, help: str = "", also: Any = ()) -> None:
        where = f"{self.section.verb} {self.section.paragraph}"
        self.problems.append(Diagnostic(code, message, span, where, help, also))

    def is_free(self, sort: str, name: str, span: Span, there: Span | None, hint: str) -> bool:
        """Whether nothing has this name yet; otherwise a problem with both places."""
        other = self.brought.get((sort, name))
        if other is not None and other[0] is not self.rule:
            one, two = f'"{other[0].title}"', f'"{self.rule.title}"'
            message = f'{one} and {two} both bring a {sort} "{name}"'
            self.problem(
                "house-clash", message, span, "give one of them another name", (("the other one", other[1]),)
            )
            return False
        if there is not None or other is not None:
            also = (("there", there or other[1]),) if there or other else ()  # type: ignore[index]
            self.problem("duplicate-id", f'there is a {sort} "{name}" already', span, hint, also)
            return False
        self.brought[sort, name] = (self.rule, span)
        return True

    def change(
        self, kind: str, subject: str, part: str, after: str, span: Span, labels: tuple[str, ...] = ()
    ) -> None:
        verb = "inserts" if self.section.verb == "after" else self.section.verb
        self.changes.append(
            Change(
                verb=verb,
                kind=kind,
                subject=subject,
                part=part,
                before="",
                after=after,
                paragraph=self.section.paragraph,
                house=self.rule.name,
                title=self.rule.title,
                span=span,
                labels=labels,
            )
        )


def with_new_things(
    source: GameSource, rules: Iterable[ax.HouseRule]
) -> tuple[GameSource, list[Change], list[Diagnostic]]:
    """The game with everything that the house rules bring."""
    blocks = [(rule, section, block) for rule in rules for section in rule.sections for block in section.data]
    if not blocks:
        return source, [], []
    first_rule, first_section, _ = blocks[0]
    it = Bringing(source, first_rule, first_section, {}, [], [])
    # spaces before the pieces that begin there, and scenarios last: they speak of everything else
    for kind in ("map", "pieces", "table", "scenario"):
        for rule, section, block in blocks:
            if block.kind == kind:
                it.rule, it.section = rule, section
                _block(it, block)
    it.problems += _crossed(it)
    return it.source, it.changes, it.problems


def _block(it: Bringing, block: sx.Fence) -> None:
    try:
        document = _document(it.rule.file, block)
    except RulebookError as error:
        for problem in error.problems:
            if problem.code == "yaml-empty":  # its place would be the top of the house rule
                it.problem("yaml-empty", "this block is empty", block.span)
            else:
                it.problems.append(_placed(problem, it.rule.file))
        return
    if not isinstance(document.value, dict):
        it.problem("wrong-type", f"a block `yaml {block.kind}` holds keys with values", block.span)
        return
    _READERS[block.kind](it, document)


def _document(file: SourceFile, block: sx.Fence) -> YamlDocument:
    """The block with the places it has in the file: everything above it is left empty."""
    alone = SourceFile(file.path, "\n" * (block.first_line - 1) + block.text + "\n", file.shown)
    return YamlDocument(file, load_yaml(alone).root)


def _placed(problem: Diagnostic, file: SourceFile) -> Diagnostic:
    return replace(problem, span=replace(problem.span, file=file))


# ---- pieces ------------------------------------------------------------------------------------------
def _pieces(it: Bringing, doc: YamlDocument) -> None:
    pieces, problems = build_pieces(doc)
    it.problems += problems
    if not pieces or problems:
        return
    new = {
        piece.id: replace(piece, default_source=piece.default_source or it.provenance)
        for piece in pieces.values()
        if it.is_free("piece", piece.id, piece.span, _span_of(it.source.pieces, piece),
                      f"to change what is printed on it write `set {piece.id}.… = …`")
    }  # fmt: skip
    all_pieces = {**it.source.pieces, **new}
    if len(all_pieces) > DEFAULT.pieces:
        it.problem(
            "too-many-pieces", "the game has more pieces than the most that is allowed", doc.span(("pieces",))
        )
        return
    scenarios = {name: _left_off(one, new.values()) for name, one in it.source.scenarios.items()}
    it.source = replace(it.source, pieces=all_pieces, scenarios=scenarios)
    for piece in new.values():
        it.change("piece", piece.id, "", described_piece(piece), piece.span)


def described_piece(piece: Piece) -> str:
    """What is printed on a counter, and where it begins."""
    parts = [f"{name} {_shown(value)}" for name, value in piece.attributes.items()]
    for name in dict.fromkeys(name for face in piece.faces for name in face):
        values = " / ".join(_shown(face[name]) if name in face else "–" for face in piece.faces)
        parts.append(f"{name} {values}")
    return ", ".join([*parts, f"begins in {piece.start}" if piece.start else "begins off the map"])


def _left_off(scenario: Scenario, pieces: Iterable[Piece]) -> Scenario:
    """A scenario that was written before the piece was there leaves it where the piece says."""
    said = {name for name, _, _ in scenario.mentions}
    absent = [piece for piece in pieces if piece.start is None and piece.id not in said]
    mentions = (*scenario.mentions, *((piece.id, None, piece.span) for piece in absent))
    off_map = (*scenario.off_map, *(piece.id for piece in absent))
    return replace(scenario, mentions=mentions, off_map=off_map) if absent else scenario


# ---- map ---------------------------------------------------------------------------------------------
def _map(it: Bringing, doc: YamlDocument) -> None:
    old = it.source.map
    written = at(doc, ())
    unknown = [key for key in written if key not in ("source", "spaces", "borders")]
    for key in unknown:
        it.problem(
            "unknown-key",
            f'a house rule brings `spaces` and `borders`, not "{key}"',
            doc.span((key,), key=True),
        )
    checked = YamlDocument(doc.source, _as_areas(doc.root))
    problems = schema_problems(checked, "map")
    it.problems += problems
    if unknown or problems:
        return
    if old is None:
        it.problem("wrong-value", "this game has no map to which something could be added", doc.span(()))
        return
    entries = [
        build_entry(doc, ("spaces", kind, index), kind, SPACE_KEYS)
        for kind, listed in written.get("spaces", {}).items()
        for index in range(len(listed))
    ]
    new: dict[str, Entry] = {}
    for entry in entries:
        it.problems += source_problems(entry, SPACE_KEYS)
        if entry.kind == old.grid_class:
            message = f"the {entry.kind}s of this map are a grid: none can be added"
            it.problem("wrong-value", message, entry.span, "bring a space of another class, such as a box")
        elif it.is_free("space", entry.id, entry.span, _span_of(old.spaces, entry),
                        f"to change what is printed there write `set {entry.id}.… = …`"):  # fmt: skip
            new[entry.id] = replace(entry, default_source=entry.default_source or it.provenance)
    spaces = {**old.spaces, **new}
    borders, found = build_borders(doc, spaces, Grid((), (), ()))
    it.problems += found
    kept: list[Border] = []
    for border in borders:
        name = "/".join(sorted(border.between))
        printed = old.border(*border.between)
        hint = f"write `set border {'/'.join(border.between)}.… = …`"
        if it.is_free("border", name, border.span, printed.span if printed else None, hint):
            kept.append(replace(border, default_source=border.default_source or it.provenance))
    if len(spaces) > DEFAULT.spaces:
        message = f"the map has {len(spaces):,} spaces, the most is {DEFAULT.spaces:,}"
        it.problem("map-too-big", message, doc.span(("spaces",)))
        return
    it.source = replace(it.source, map=replace(old, spaces=spaces, borders=(*old.borders, *kept)))
    for entry in new.values():
        it.change("space", entry.id, "", described(entry.attributes), entry.span)
    for border in kept:
        it.change("border", "/".join(border.between), "", described(border.attributes), border.span)


def _as_areas(root: YamlNode) -> YamlNode:
    """An addition checked as a small map of areas: the form of its spaces and borders is the same."""
    assert isinstance(root.value, dict)
    kept = {key: value for key, value in root.value.items() if key in ("source", "spaces", "borders")}
    return replace(root, value={"kind": "areas", "spaces": {"any": []}, **kept})


def described(attributes: Mapping[str, object]) -> str:
    """What is printed in a space or on a border."""
    return (
        ", ".join(f"{name} {_shown(value)}" for name, value in attributes.items())
        or "nothing is printed there"
    )


# ---- tables ------------------------------------------------------------------------------------------
def _table(it: Bringing, doc: YamlDocument) -> None:
    written = at(doc, ())
    name = str(written.get("table", ""))
    if "result" in written or name not in it.source.tables:
        _new_table(it, doc)
        return
    old = it.source.tables[name]
    extension, problems = extended(old, doc, it.provenance)
    it.problems += problems
    if extension is None:
        return
    it.source = replace(it.source, tables={**it.source.tables, name: extension.table})
    for axis, label, span in extension.added:
        it.brought.setdefault((axis, f"{name} {label} {it.rule.name}"), (it.rule, span))
        wanted = tuple(label if key.axis == axis else "" for key in old.keys)
        it.change("table", name, f"{axis.removesuffix('s')} {label}", "new", span, wanted)


def _new_table(it: Bringing, doc: YamlDocument) -> None:
    table, problems = build_table(doc)
    it.problems += problems
    if table is None or problems:
        return
    there = it.source.tables.get(table.id)
    hint = "to add to it write `rows:` or `columns:` without `result:`; a cell is changed with `set table`"
    if it.is_free("table", table.id, table.span, there.span if there else None, hint):
        table = replace(table, source=table.source or it.provenance)
        it.source = replace(it.source, tables={**it.source.tables, table.id: table})
        it.change("table", table.id, "", described_table(table), table.span)


def described_table(table: Table) -> str:
    rows = sum(len(page.rows) for page in table.pages)
    return f"{rows} rows, {len(table.columns)} columns" if table.columns else f"{rows} rows"


def _crossed(it: Bringing) -> Iterable[Diagnostic]:
    """A row of one house rule and a column of another: where they cross nobody has said anything."""
    for (axis, what), (rule, span) in it.brought.items():
        if axis != "columns":
            continue
        table = what.split()[0]
        for (other_axis, other_what), (other, there) in it.brought.items():
            if other is not rule and other_axis in ("rows", "columns") and other_what.split()[0] == table:
                both = f'"{other.title}" and "{rule.title}" both extend the table {table}'
                message = f"{both}, one of them by a column"
                yield Diagnostic("house-clash", message, span, also=(("the other one", there),))


# ---- scenarios ---------------------------------------------------------------------------------------
def _scenario(it: Bringing, doc: YamlDocument) -> None:
    scenario, problems = build_scenario(doc)
    it.problems += problems
    if scenario is None:
        return
    there = it.source.scenarios.get(scenario.id)
    if it.is_free(
        "scenario", scenario.id, scenario.span, there.span if there else None, "give it another name"
    ):
        scenario = replace(scenario, source=scenario.source or it.provenance)
        scenario = _left_off(scenario, it.source.pieces.values())
        it.source = replace(it.source, scenarios={**it.source.scenarios, scenario.id: scenario})
        it.change("scenario", scenario.id, "", scenario.title, scenario.span)


def _span_of(known: Mapping[str, Piece] | Mapping[str, Entry], entry: Entry) -> Span | None:
    """Where something is that has this id already, or one of these aliases."""
    names = {entry.id, *entry.aliases}
    return next((one.span for one in known.values() if names & {one.id, *one.aliases}), None)


def _shown(value: object) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case tuple():
            return ", ".join(map(str, value))
        case _:
            return str(value)


_READERS: dict[str, Callable[[Bringing, YamlDocument], None]] = {
    "pieces": _pieces, "map": _map, "table": _table, "scenario": _scenario,
}  # fmt: skip
