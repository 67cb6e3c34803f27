"""How paragraphs hang together: which cites which, which is an exception to which, who changed what."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from rulesdsl import program as pg
from rulesdsl.book.changes import Change
from rulesdsl.checking.checker import paragraph_order
from rulesdsl.language import syntax as sx
from rulesdsl.speaking.inline import link, said
from rulesdsl.speaking.names import Names
from rulesdsl.speaking.readings import notes

_CODE = re.compile(r"(`+[^`]*`+)")


@dataclass
class Relations:
    """Paragraph → paragraphs, each list in the order of the rulebook."""

    cites: dict[str, list[str]] = field(default_factory=dict)
    cited_by: dict[str, list[str]] = field(default_factory=dict)
    exception_to: dict[str, list[str]] = field(default_factory=dict)
    excepted_by: dict[str, list[str]] = field(default_factory=dict)
    changes_value_of: dict[str, list[str]] = field(default_factory=dict)
    changed_by: dict[str, list[str]] = field(default_factory=dict)
    uses: dict[str, list[str]] = field(default_factory=dict)
    used_by: dict[str, list[str]] = field(default_factory=dict)
    amended_by: dict[str, list[str]] = field(default_factory=dict)  # titles of house rules


class References:
    """Finds the numbers of paragraphs in prose. A bare number (`10`) is a number, not a paragraph."""

    def __init__(self, ids: Iterable[str]) -> None:
        named = sorted((i for i in ids if not i.isdigit() and re.search(r"\d", i)), key=len, reverse=True)
        words = "|".join(re.escape(i).replace(r"\ ", r"\s+") for i in named)
        self.pattern = (
            re.compile(rf"(?<![\w.\-])(?:{words})(?![\w\-]|\.\d)", re.IGNORECASE) if words else None
        )
        self.ids = {i.casefold(): i for i in named}

    def found(self, prose: str) -> list[str]:
        parts = _CODE.split(prose)[::2]
        matches = [m for part in parts for m in self.pattern.finditer(part)] if self.pattern else []
        return [self._id(m[0]) for m in matches]

    def marked(self, prose: str, own: str = "") -> str:
        """The prose with links; a paragraph does not link to itself."""
        if self.pattern is None:
            return said(prose)

        def linked(match: re.Match[str]) -> str:
            identity = self._id(match[0])
            if identity == own:
                return match[0]
            return link(f"rule:{identity}", match[0])

        parts = _CODE.split(said(prose))
        return "".join(p if n % 2 else self.pattern.sub(linked, p) for n, p in enumerate(parts))

    def _id(self, text: str) -> str:
        return self.ids[re.sub(r"\s+", " ", text).casefold()]


def relate(program: pg.Program, names: Names, references: References, changes: Iterable[Change]) -> Relations:
    """All relations of a rulebook."""
    found = Relations()
    for identity, paragraph in program.paragraphs.items():
        for other in references.found("\n".join((paragraph.prose, *notes(paragraph)))):
            _add(found.cites, found.cited_by, identity, other)
        for node in paragraph.rules:
            _relate_rule(program, names, found, identity, node)
    for change in changes:
        if change.kind == "paragraph":
            titles = found.amended_by.setdefault(change.subject, [])
            if change.title not in titles:
                titles.append(change.title)
    for mapping in (
        found.cites, found.cited_by, found.exception_to, found.excepted_by, found.changes_value_of,
        found.changed_by, found.uses, found.used_by,
    ):  # fmt: skip
        for listed in mapping.values():
            listed.sort(key=paragraph_order)
    return found


def _relate_rule(program: pg.Program, names: Names, found: Relations, identity: str, node: sx.Rule) -> None:
    if isinstance(node, sx.Modify):
        name = f"{node.record}.{node.name}" if node.record else node.name
        if name in program.quantities:
            _add(found.changes_value_of, found.changed_by, identity, program.quantities[name].paragraph)
    for part in sx.walk(node):
        match part:
            case sx.ParagraphRef(id):
                _add(found.exception_to, found.excepted_by, identity, id)
            case sx.Call(name=name) | sx.Do(name=name) | sx.ActionUse(name=name) | sx.OpenWindow(name=name):
                _use(names, found, identity, name)
            case sx.Name(id=name) | sx.Travel(route=name):
                _use(names, found, identity, name)
            case sx.Permission(actions=actions):
                for name in actions:
                    _use(names, found, identity, name)
            case sx.NounPhrase(words=words) | sx.Described(words=words):
                for name in words:
                    if name in program.defines:
                        _use(names, found, identity, name)
            case sx.Attr(of=sx.Name(id=record), name=name):
                _use(names, found, identity, f"{record}.{name}")
            case _:
                pass


def _use(names: Names, found: Relations, identity: str, name: str) -> None:
    declared = names.declared.get(name)
    if declared is not None and name not in names.values:
        _add(found.uses, found.used_by, identity, declared)


def _add(there: dict[str, list[str]], back: dict[str, list[str]], one: str, other: str) -> None:
    if one == other:
        return
    if other not in there.setdefault(one, []):
        there[one].append(other)
    if one not in back.setdefault(other, []):
        back[other].append(one)


def related(mapping: Mapping[str, list[str]], identity: str, without: Iterable[str] = ()) -> list[str]:
    left = set(without)
    return [other for other in mapping.get(identity, ()) if other not in left]
