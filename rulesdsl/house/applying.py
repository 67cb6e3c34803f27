"""House rules: documents that amend a rulebook. They stack in any order, or say where they clash.

`apply_house_files` is the way in. What comes out is an ordinary game, which carries in `changes` what was
changed by whom, in `house` the documents, and in `base` the game as it was printed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from rulesdsl.base.diagnostics import Diagnostic, RulebookError, UsageError, did_you_mean, errors, in_order
from rulesdsl.base.limits import DEFAULT
from rulesdsl.base.source import SourceFile
from rulesdsl.base.textfile import read_source
from rulesdsl.book.changes import Change
from rulesdsl.book.loader import GameSource
from rulesdsl.book.spoken_state import kinds_of, with_kinds
from rulesdsl.house.bringing import with_new_things
from rulesdsl.house.draft import Draft
from rulesdsl.house.edits import Edit
from rulesdsl.house.numbering import numbered
from rulesdsl.house.own_names import with_own_names
from rulesdsl.house.reading.documents import read_house_rule
from rulesdsl.house.resolving.sections import resolve
from rulesdsl.house.stacking.clashes import clashes, mention_problems
from rulesdsl.house.stacking.settling import unsettled
from rulesdsl.house.stacking.unheard import unheard_settings
from rulesdsl.language.syntax import amendments as ax

__all__ = [
    "apply_house_files",
    "each_once",
    "find_house_rule",
    "read_house_files",
    "read_house_rule",
    "shipped_house_rules",
]

FOLDER = "house"
# A save keeps the name of the file; these it could not keep: control characters, bytes that are no text
# (Python shows them as surrogates), and what another system takes for a folder.
_NOT_IN_NAMES = re.compile(r"[\x00-\x1f\x7f\\\ud800-\udfff]")
# New paragraphs first, so that they can be amended; then whole paragraphs; then what is in them.
_ORDER = {"after": 0, "replaces": 1, "repeals": 1, "amends": 2}


def shipped_house_rules(directory: Path) -> list[str]:
    """The names of the house rules that come with a game."""
    return sorted(path.stem for path in (directory / FOLDER).glob("*.md"))


def find_house_rule(directory: Path, name: str | Path) -> Path:
    """A file anywhere, or a shipped house rule by its name."""
    path = Path(name)
    is_folder = False
    try:
        if path.is_file():
            return _well_named(path)
        is_folder = path.is_dir()
    except (OSError, ValueError):  # a name too long, or with a zero byte, is simply not a path
        pass
    known = shipped_house_rules(directory)
    if str(name) in known:
        return directory / FOLDER / f"{name}.md"
    if is_folder:
        raise UsageError(f'"{name}" is a directory (give the house rules in it one by one)')
    hint = did_you_mean(str(name), known) or (f"there are: {', '.join(known)}" if known else "give a path")
    raise UsageError(f'there is no house rule "{name}" ({hint})')


def _well_named(path: Path) -> Path:
    if _NOT_IN_NAMES.search(path.name):
        shown = path.name.encode("unicode_escape").decode()
        raise UsageError(f'the file name "{shown}" has characters that no save can keep: give it another one')
    return path


def each_once(paths: Iterable[Path]) -> list[Path]:
    """A file that is named twice, or by a link, counts once; under which name, no order decides."""
    return list({path.resolve(): path for path in sorted(paths)}.values())


def read_house_files(directory: Path, names: Sequence[str | Path]) -> list[SourceFile]:
    """House rules of a game by name or file, each once however often it is named; raises what is wrong."""
    files: list[SourceFile] = []
    problems: list[Diagnostic] = []
    for path in each_once([find_house_rule(directory, name) for name in names]):
        try:
            files.append(read_source(path, DEFAULT.rule_file_bytes))
        except RulebookError as error:
            problems += error.problems
    if problems:
        raise RulebookError(problems)
    return files


def apply_house_files(source: GameSource, files: Sequence[SourceFile]) -> tuple[GameSource, list[Diagnostic]]:
    """The game with house rules; the printed game and the reasons when they do not fit. Whatever their order,
    the result is the same."""
    if not files:
        return source, []
    rules: list[ax.HouseRule] = []
    problems: list[Diagnostic] = []
    for file in sorted(files, key=lambda one: (one.path.stem, one.text)):
        rule, found = read_house_rule(file)
        rules.append(rule)
        problems += found
    problems += mention_problems(rules, shipped_house_rules(source.directory))
    problems += _too_many(rules)
    if errors(problems):
        return source, in_order(problems)
    rules = with_own_names(source, numbered(source, _of_their_kinds(source, rules)))
    whole, brought, found = with_new_things(source, rules)
    problems += found
    if errors(problems):
        return source, in_order(problems)
    edits, found = resolve(whole, rules)
    problems += found
    edits = unsettled(edits)
    if not errors(problems):
        problems += clashes(edits)
    if errors(problems):
        return source, in_order(problems)
    after = _applied(source, whole, rules, edits, brought)
    problems += unheard_settings(source, after, edits)
    return (source if errors(problems) else after), in_order(problems)


def _of_their_kinds(source: GameSource, rules: Sequence[ax.HouseRule]) -> list[ax.HouseRule]:
    """House rules whose spoken declarations (`unit may be lost`) say of what kind their class is."""
    printed = [r for chapter in source.chapters for p in chapter.paragraphs for r in p.rules]
    brought = [r for rule in rules for section in rule.sections for r in section.rules]
    kinds = kinds_of([*printed, *brought])
    return [
        replace(rule, sections=tuple(replace(s, rules=with_kinds(s.rules, kinds)) for s in rule.sections))
        for rule in rules
    ]


def _too_many(rules: Sequence[ax.HouseRule]) -> list[Diagnostic]:
    """More sections and statements than a whole game may have rules."""
    sections = [section for rule in rules for section in rule.sections]
    count = len(sections) + sum(len(s.rules) + len(s.amends) for s in sections)
    if count <= DEFAULT.rules:
        return []
    message = f"the house rules have {count:,} sections and statements, the most is {DEFAULT.rules:,}"
    return [Diagnostic("too-many-rules", message, rules[-1].span)]


def _applied(
    source: GameSource, whole: GameSource, rules: Sequence[ax.HouseRule], edits: Sequence[Edit],
    brought: Sequence[Change],
) -> GameSource:  # fmt: skip
    draft = Draft.of(whole)
    for edit in sorted(edits, key=lambda one: _ORDER[one.section.verb]):
        edit.apply(draft)
    return replace(
        draft.finish(),
        files=(*source.files, *(rule.file for rule in rules)),
        house=tuple(rules),
        changes=(*brought, *(change for edit in edits for change in edit.changes)),
        base=source,
    )
