"""Rule modules: chapters and tables in a directory of their own, which several games read along.

A module is no game: it has no map, no pieces and no players. Its `module.yaml` names what a game that uses it
must declare, so that a game which does not is told so, and not by forty errors inside the module.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rulesdsl.base.diagnostics import Diagnostic
from rulesdsl.base.source import SourceFile, Span
from rulesdsl.book.entries import at, file_source
from rulesdsl.book.game_file import GameFile, ModuleUse, Paragraph, ledger_of
from rulesdsl.book.texts import MODULE_FILE
from rulesdsl.book.yaml.file import YamlDocument
from rulesdsl.book.yaml.schema import schema_problems
from rulesdsl.language import syntax as sx


@dataclass(frozen=True, slots=True)
class Need:
    """`{name: owner, says: the player who moves a unit}`: what a game that uses the module must declare."""

    name: str  # of a statement, an attribute or a value, or `unit.radius` for an attribute of that class
    says: str
    optional: bool = False  # the module has a statement of its own for games that do not declare it


@dataclass(frozen=True, slots=True)
class Module:
    """`module.yaml`: what the module is called, what it needs, and its items of the ledger."""

    title: str
    summary: str
    needs: tuple[Need, ...]
    paragraphs: tuple[Paragraph, ...]
    source: str
    directory: Path = field(compare=False)
    name: str = ""  # as the game calls it

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
        needs=tuple(Need(n["name"], n["says"], n.get("optional", False)) for n in value.get("needs", ())),
        paragraphs=paragraphs,
        source=file_source(doc),
        directory=doc.source.path.parent,
    ), problems


def used_modules(game: GameFile, found: Sequence[Module]) -> tuple[list[Module], list[Diagnostic]]:
    """The modules a game names, by those names."""
    modules: list[Module] = []
    problems: list[Diagnostic] = []
    for use in game.modules:
        for module in found:
            if f"/{module.directory.as_posix()}".endswith(f"/{use.name}"):
                modules.append(replace(module, name=use.name))
                break
        else:
            help_ = f"no {use.name}/{MODULE_FILE} in the directory of the game or among the shipped games"
            problems.append(
                Diagnostic("unknown-module", f'there is no module "{use.name}"', use.span, help=help_)
            )
    return modules, problems


def missing_needs(
    uses: Iterable[ModuleUse], modules: Sequence[Module], chapters: Sequence[sx.Chapter]
) -> list[Diagnostic]:
    """What the modules need and no chapter outside them declares."""
    problems: list[Diagnostic] = []
    spans: dict[str, Span] = {use.name: use.span for use in uses}
    for module in modules:
        outside = [chapter for chapter in chapters if not module.holds(chapter.file)]
        declared = _declared(outside)
        declared |= {str(getattr(rule, "name", "")) for chapter in outside for _, rule, _ in chapter.meant}
        unread = {name for chapter in outside for _, name in chapter.unread}
        for need in module.needs:
            if not need.optional and need.name not in declared and need.name.split(".")[0] not in unread:
                message = f'the module "{module.name}" needs "{need.name}": {need.says}'
                help_ = "declare it in a chapter of the game"
                problems.append(Diagnostic("module-needs", message, spans[module.name], help=help_))
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
