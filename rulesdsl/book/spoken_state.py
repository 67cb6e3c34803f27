"""State declared where it is spoken of (`unit may be held`) is of the kind its class is declared with."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from rulesdsl.language import syntax as sx

KINDS = {"player": "player", "border": "border", "token": "token"}


def kinds_of(rules: Iterable[sx.Rule]) -> dict[str, str]:
    """Class → space, piece and so on."""
    declared = {rule.name: rule.kind for rule in rules if isinstance(rule, sx.ClassDecl) and rule.kind}
    return {**KINDS, **declared}


def of_their_kinds(chapters: Iterable[sx.Chapter]) -> list[sx.Chapter]:
    """Chapters whose spoken declarations say of what kind their class is, as far as it is known."""
    chapters = [*chapters]
    kinds = kinds_of(rule for chapter in chapters for p in chapter.paragraphs for rule in p.rules)
    return [_chapter(chapter, kinds) for chapter in chapters]


def _chapter(chapter: sx.Chapter, kinds: dict[str, str]) -> sx.Chapter:
    if not any(is_open(rule) for p in chapter.paragraphs for rule in p.rules):
        return chapter
    return replace(
        chapter,
        paragraphs=tuple(
            replace(p, rules=with_kinds(p.rules, kinds)) if any(map(is_open, p.rules)) else p
            for p in chapter.paragraphs
        ),
    )


def is_open(rule: sx.Rule) -> bool:
    """Whether a declaration does not say yet what it is about."""
    return isinstance(rule, sx.ClassDecl) and not rule.kind


def with_kinds(rules: Iterable[sx.Rule], kinds: dict[str, str]) -> tuple[sx.Rule, ...]:
    return tuple(
        _of_kind(rule, kinds.get(rule.name, "")) if isinstance(rule, sx.ClassDecl) and not rule.kind else rule
        for rule in rules
    )


@lru_cache(maxsize=4096)
def _of_kind(rule: sx.ClassDecl, kind: str) -> sx.ClassDecl:
    """The same one for the same one: whoever remembers statements compares them."""
    return replace(rule, kind=kind) if kind else rule
