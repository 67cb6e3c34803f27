"""Another name for something, wherever it stands: chapters, data, drawing, house rules.

A rename is tried before it is handed out: the game must check as it did, every house rule too, and afterwards
the new name must stand for the same thing in as many places as the old one.
"""

from __future__ import annotations

import re
from pathlib import Path

from rulesdsl.base.diagnostics import UsageError
from rulesdsl.base.fixes import Edit
from rulesdsl.base.source import Span
from rulesdsl.editing.desk import Desk
from rulesdsl.editing.fixing import Texts, changed_texts
from rulesdsl.editing.outline import fences
from rulesdsl.editing.symbols import KINDS, Occurrence, Symbol
from rulesdsl.language.plurals import plural_of, singular_of

_NAME = re.compile(r"[A-Za-z_]\w*")
_FIXED = ("paragraph", "scenario", "column")


def renameable(desk: Desk, path: Path, line: int, column: int) -> Occurrence:
    """The name at a place, if it can have another one."""
    found = desk.at(path, line, column)
    if found is None:
        raise UsageError("no name stands here")
    symbol = found.symbol
    if symbol.kind in _FIXED:
        raise UsageError(f"a {KINDS[symbol.kind]} is renamed by hand")
    if symbol.kind != "variable" and not any(o.declares for o in desk.references(symbol)):
        raise UsageError(f'"{symbol.word}" is built in: it keeps its name')
    return found


def rename(desk: Desk, path: Path, line: int, column: int, new: str) -> list[Edit]:
    """The edits of all files. Raises `UsageError` with the reason when the name cannot be had."""
    symbol = renameable(desk, path, line, column).symbol
    words = _reserved()
    if not _NAME.fullmatch(new) or new in words:
        raise UsageError(f'"{new}" cannot be a name: letters, digits and "_", and no word of the language')
    if new == symbol.word:
        return []
    places = desk.references(symbol)
    if symbol.kind == "variable":
        places = [o for o in places if o.span.file.path == path]
    edits = [edit for place in places for edit in _edits(place, new)]
    if symbol.kind == "variable":
        edits += _in_braces(places, symbol.word, new)
    elif symbol.kind in ("noun", "field"):
        edits = _once([*edits, *_namesakes(desk, symbol, new)])
    _tried(desk, symbol, new, edits)
    return edits


def _reserved() -> frozenset[str]:
    return frozenset(("and", "or", "not", "is", "are", "when", "where", "if", "then", "else", "otherwise",
                      "despite", "some", "no", "every", "the", "among", "except", "between", "as", "none",
                      "true", "false", "it"))  # fmt: skip


def _edits(place: Occurrence, new: str) -> list[Edit]:
    """One place; plurals and singulars follow."""
    word, old = place.span.text, place.symbol.word
    if word == old:
        if place.symbol.kind == "variable" and place.declares and _is_bare_parameter(place):
            return [Edit(place.span, f"{new}: {old}")]
        return [Edit(place.span, new)]
    if word == plural_of(old):
        return [Edit(place.span, plural_of(new))]
    if word == singular_of(old):
        return [Edit(place.span, singular_of(new))]
    return []  # a plural of its own stays


def _once(edits: list[Edit]) -> list[Edit]:
    """A parameter called after its class is a class and a variable at one place."""
    by_place = {(str(e.span.file.path), e.span.line, e.span.column): e for e in edits}
    return list(by_place.values())


def _namesakes(desk: Desk, symbol: Symbol, new: str) -> list[Edit]:
    """Variables that are called after a class or the members of a field, and texts that show them."""
    words = {symbol.word: new}
    if symbol.kind == "noun":
        words[plural_of(symbol.word)] = plural_of(new)
    else:
        words[singular_of(symbol.word)] = singular_of(new)
    found = []
    for place in desk.everywhere():
        if place.symbol.kind == "variable" and place.span.text in words:
            found.append(Edit(place.span, words[place.span.text]))
    for path in [*desk.game.paths, *desk.house_files()]:
        file = desk.source_file(path)
        for _, first, text in fences(file) if path.suffix == ".md" else ():
            for offset, row in enumerate(text.split("\n")):
                for match in re.finditer(r"\{(\w+)\}", row):
                    if match[1] in words:
                        number = first + offset
                        place_ = Span(file, number, match.start(1) + 1, number, match.end(1) + 1)
                        found.append(Edit(place_, words[match[1]]))
    return found


def _is_bare_parameter(place: Occurrence) -> bool:
    """`march(unit)`: the parameter has its type from its name, and must be given one when it loses it."""
    line = place.span.file.line(place.span.line)
    before, behind = line[: place.span.column - 1], line[place.span.end_column - 1 :]
    head = re.match(r"(?:define|quantity|modify|action|route|procedure|phase)\b[^=:\"]*\([^)]*$", before)
    return bool(head) and not re.match(r"\s*:", behind)


def _in_braces(places: list[Occurrence], old: str, new: str) -> list[Edit]:
    """`"attack {zone}"` shows what a variable is."""
    found: dict[tuple[int, int], Edit] = {}
    declared = [o for o in places if o.declares] or places[:1]
    for place in declared:
        span = place.span
        number = span.line
        while number == span.line or span.file.line(number)[:1].isspace():
            for match in re.finditer(rf"\{{({re.escape(old)})\}}", span.file.line(number)):
                where = Span(span.file, number, match.start(1) + 1, number, match.end(1) + 1)
                found[number, where.column] = Edit(where, new)
            number += 1
            if number > len(span.file.lines):
                break
    return list(found.values())


def _tried(desk: Desk, symbol: Symbol, new: str, edits: list[Edit]) -> None:
    """Apply to a second desk, check, compare."""
    other = Desk(desk.directory)
    texts = all_texts(desk, edits)
    for path in {*desk.open_paths(), *texts}:
        other.edit(path, texts.get(path, desk.text(path)))
    before, after = desk.problems(), other.problems()
    if len(after) > len(before):
        told = next((p for p in after if p.message not in {q.message for q in before}), after[0])
        raise UsageError(
            f'"{new}" cannot be used: {told.message} ({told.span.file.path.name}:{told.span.line})'
        )
    if symbol.kind == "variable":
        return
    for path in desk.house_files():
        if len(other.with_house(path)) > len(desk.with_house(path)):
            raise UsageError(f'"{new}" cannot be used: it does not go with the house rule {path.stem}')
    name = symbol.name[: len(symbol.name) - len(symbol.word)] + new
    if len(other.references(Symbol(symbol.kind, name))) != len(desk.references(symbol)):
        raise UsageError(f'"{new}" is taken: it would mean something else in places')


def all_texts(desk: Desk, edits: list[Edit]) -> Texts:
    """The changed files as they are then."""
    return changed_texts(desk, edits)
