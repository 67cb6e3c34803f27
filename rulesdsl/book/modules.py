"""Rule modules: chapters and tables in a directory of their own, which several games read along.

A module is no game: it has no map, no pieces and no players. Its `module.yaml` names what a game that uses it
must declare, so that a game which does not is told so, and not by forty errors inside the module; and what
the game may use of it. Whether both are as announced the checker asks (checking/whole/modules.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rulesdsl.base.diagnostics import Diagnostic, did_you_mean
from rulesdsl.base.source import SourceFile, Span
from rulesdsl.book.entries import at, file_source
from rulesdsl.book.game_file import GameFile, ModuleUse, Paragraph, ledger_of
from rulesdsl.book.module_words import (
    Word,
    called,
    in_the_words_of_the_game,
    labels_of,
    own_business,
    read_word,
    table_called,
    with_plurals,
)
from rulesdsl.book.tables.table import Table
from rulesdsl.book.texts import MODULE_FILE
from rulesdsl.book.yaml.file import YamlDocument
from rulesdsl.book.yaml.schema import schema_problems
from rulesdsl.language import syntax as sx

NEEDS = "module-needs"  # while one is not met, nothing else is worth telling


@dataclass(frozen=True, slots=True)
class Module:
    """`module.yaml`: what the module is called, what it needs and offers, and its items of the ledger.

    Of a module that a game uses, words are those of the game; `offers` is None where it says nothing.
    """

    title: str
    summary: str
    needs: tuple[Word, ...]
    paragraphs: tuple[Paragraph, ...]
    source: str
    directory: Path = field(compare=False)
    offers: tuple[Word, ...] | None = None
    name: str = ""  # as the game calls it
    use: Span | None = field(default=None, compare=False, repr=False)  # where the game names it

    def holds(self, file: SourceFile) -> bool:
        return file.path.is_relative_to(self.directory)


def build_module(doc: YamlDocument) -> tuple[Module | None, list[Diagnostic]]:
    """The module file, and everything that is wrong with it; none when its form is wrong."""
    problems = schema_problems(doc, "module")
    if problems:
        return None, problems
    value: dict[str, Any] = at(doc, ())
    paragraphs, problems = ledger_of(doc)
    return Module(
        title=value["title"],
        summary=value.get("summary", ""),
        needs=_words(doc, "needs") or (),
        offers=_words(doc, "offers"),
        paragraphs=paragraphs,
        source=file_source(doc),
        directory=doc.source.path.parent,
    ), problems


def _words(doc: YamlDocument, key: str) -> tuple[Word, ...] | None:
    entries: list[dict[str, Any]] | None = at(doc, ()).get(key)
    if entries is None:
        return None
    return tuple(
        read_word(word["name"], word["says"], doc.span((key, index, "name")), word.get("optional", False))
        for index, word in enumerate(entries)
    )


def used_modules(game: GameFile, found: Sequence[Module]) -> tuple[list[Module], list[Diagnostic]]:
    """The modules a game names, by those names."""
    modules: list[Module] = []
    problems: list[Diagnostic] = []
    for use in game.modules:
        for module in found:
            if f"/{module.directory.as_posix()}".endswith(f"/{use.name}"):
                modules.append(replace(module, name=use.name, use=use.span))
                problems += _renaming_problems(use, module)
                break
        else:
            help_ = f"no {use.name}/{MODULE_FILE} in the directory of the game or among the shipped games"
            problems.append(
                Diagnostic("unknown-module", f'there is no module "{use.name}"', use.span, help=help_)
            )
    return modules, problems


def _renaming_problems(use: ModuleUse, module: Module) -> list[Diagnostic]:
    """`with X as Y`: X must be a word between the module and its games, and each stands once."""
    known = [word.name for word in (*module.needs, *(module.offers or ()))]
    problems = []
    for place, (theirs, ours) in enumerate(use.words):
        if theirs not in known:
            message = f'the module "{use.name}" neither needs nor offers "{theirs}"'
            problems.append(
                Diagnostic(
                    "module-words", message, use.span, help=did_you_mean(theirs, known), about=(theirs,)
                )
            )
        for other, same in use.words[:place]:
            if theirs == other or ours == same:
                message = (
                    f'"{theirs if theirs == other else ours}" stands twice among the words of "{use.name}"'
                )
                problems.append(Diagnostic("module-words", message, use.span, about=(theirs,)))
    return problems


def in_game_words(
    uses: Iterable[ModuleUse], modules: Sequence[Module], chapters: Sequence[sx.Chapter],
    tables: Mapping[str, Table],
) -> tuple[list[Module], list[sx.Chapter], dict[str, Table], list[Diagnostic]]:  # fmt: skip
    """Modules, their chapters and tables with the words by which the game calls what is between them."""
    named, found, said = list(modules), list(chapters), dict(tables)
    problems: list[Diagnostic] = []
    for use in uses:
        place = next((i for i, module in enumerate(named) if module.name == use.name), None)
        if place is None:
            continue
        module = named[place]
        theirs = [chapter for chapter in found if module.holds(chapter.file)]
        ours = [chapter for chapter in found if not module.holds(chapter.file)]
        names = with_plurals(dict(use.words), theirs, ours)
        for name in own_business(theirs, (*module.needs, *(module.offers or ()))) & _declared(ours):
            if module.offers is not None:
                names.setdefault(name, f"{name}_of_{use.name.rpartition('/')[2]}")
        if not names:
            continue
        changed = iter(in_the_words_of_the_game(theirs, names))
        found = [next(changed) if module.holds(chapter.file) else chapter for chapter in found]
        for name, table in tables.items():
            if not module.holds(table.span.file):
                continue
            said[name] = table_called(table, names)
            for word in sorted(labels_of(table) & names.keys()):
                message = (
                    f'"{word}" stands in the table "{name}" of the module, so it cannot be called otherwise'
                )
                problems.append(Diagnostic("module-words", message, use.span, about=(word,)))
        offers = tuple(called(word, names) for word in module.offers) if module.offers is not None else None
        needs = tuple(called(word, names) for word in module.needs)
        named[place] = replace(module, needs=needs, offers=offers)
    return named, found, said, problems


def missing_needs(
    uses: Sequence[ModuleUse], modules: Sequence[Module], chapters: Sequence[sx.Chapter]
) -> list[Diagnostic]:
    """What the modules need and no chapter outside them declares."""
    problems: list[Diagnostic] = []
    spans: dict[str, Span] = {use.name: use.span for use in uses}
    words = {use.name: use.words for use in uses}
    for module in modules:
        outside = [chapter for chapter in chapters if not module.holds(chapter.file)]
        declared = _declared(outside)
        declared |= {str(getattr(rule, "name", "")) for chapter in outside for _, rule, _ in chapter.meant}
        unread = {name for chapter in outside for _, name in chapter.unread}
        for need in module.needs:
            if not need.optional and need.name not in declared and need.name.split(".")[0] not in unread:
                message = f'the module "{module.name}" needs "{need.head}": {need.says}'
                help_ = "declare it in a chapter of the game"
                if need.name not in {ours for _, ours in words[module.name]}:
                    help_ += f", or name your own word for it: `{module.name} with {need.name} as …`"
                problems.append(
                    Diagnostic(NEEDS, message, spans[module.name], help=help_, about=(need.name,))
                )
    return problems


def without_defaults(modules: Sequence[Module], chapters: Sequence[sx.Chapter]) -> list[sx.Chapter]:
    """The chapters without the statements for optional needs that the game declares itself."""
    found = list(chapters)
    for module in modules:
        declared = _declared([chapter for chapter in chapters if not module.holds(chapter.file)])
        given = {need.name for need in module.needs if need.optional} & declared
        if given:
            found = [_without(chapter, given) if module.holds(chapter.file) else chapter for chapter in found]
    return found


def _without(chapter: sx.Chapter, names: set[str]) -> sx.Chapter:
    paragraphs = tuple(
        replace(p, rules=tuple(rule for rule in p.rules if getattr(rule, "name", None) not in names))
        for p in chapter.paragraphs
    )
    return replace(chapter, paragraphs=paragraphs)


def _declared(chapters: Iterable[sx.Chapter]) -> set[str]:
    """The names of statements, attributes and values."""
    found: set[str] = set()
    for rule in (rule for chapter in chapters for p in chapter.paragraphs for rule in p.rules):
        name = getattr(rule, "name", None)
        if isinstance(name, str):
            found.add(name)
        if isinstance(rule, sx.Enumeration):
            found.update(rule.values)
        if isinstance(rule, sx.TrackDecl):
            found.update(rule.type.parts)
        if isinstance(rule, sx.ClassDecl):
            for attribute in rule.attributes:
                found |= {f"{rule.name}.{attribute.name}", attribute.name, *attribute.type.parts}
    return found
