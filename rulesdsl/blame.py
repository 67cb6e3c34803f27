"""Problems of a game with house rules, told where they were caused.

A paragraph that was fine before may speak of something that a house rule took away. The message then
stands at the house rule, and shows the old place as the second one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from rulesdsl import syntax as sx
from rulesdsl.changes import Change
from rulesdsl.diagnostics import Diagnostic
from rulesdsl.loader import GameSource

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*|\d+(?:[.\-]\d+)+")
_TEXT = re.compile(r'"[^"]*"|#.*')
_PARAGRAPH = re.compile(r"(?:paragraph |^)(\d[\w.\-]*)")


def blame(source: GameSource, problems: Sequence[Diagnostic]) -> list[Diagnostic]:
    """The same problems; those that a house rule caused in the printed text point to the house rule."""
    if source.base is None:
        return list(problems)
    house = {rule.file.shown for rule in source.house}
    lost = _lost(source, source.base)
    return [_told(source, problem, house, lost) for problem in problems]


def _told(source: GameSource, problem: Diagnostic, house: set[str], lost: dict[str, Change]) -> Diagnostic:
    places = [problem.span, *(span for _, span in problem.also)]
    if problem.severity == "warning":
        return problem if problem.span.file.shown in house else _left_over(problem)
    if problem.span.file.shown in house:  # it may still be the fault of another house rule
        taken = _taken_away(problem, lost)
        if taken is None or taken.span.file is problem.span.file:
            return problem
        needing = _needing(source, problem, lost)
        hint = f"needed by {needing}" if needing != problem.rule else ""
        return replace(problem, help=hint, also=((f'"{taken.title}" takes it away here', taken.span),))
    cause = _cause(source, problem, lost)
    if cause is None:
        if any(span.file.shown in house for span in places):
            return problem  # a clash of something new with something printed shows both places already
        also = tuple(("with the house rule", rule.span) for rule in source.house)
        return replace(problem, also=(*problem.also, *also))
    what = {"repeals": "repeals", "replaces": "replaces", "inserts": "adds"}.get(cause.verb, "changes")
    thing = cause.paragraph if cause.kind in ("paragraph", "rule", "setting") else f'"{cause.subject}"'
    message = f'{problem.message}, because "{cause.title}" {what} {thing}'
    # where the nearest name stands is of no use: it was not misspelt
    also = (("it is needed here", problem.span), *(() if cause in lost.values() else problem.also))
    hint = f"change {_needing(source, problem, lost)} as well" if problem.rule else ""
    return replace(problem, message=message, span=cause.span, help=hint, also=also)


def _left_over(warning: Diagnostic) -> Diagnostic:
    """A printed statement that nothing uses: most likely a house rule replaced what used it."""
    if warning.code != "unused" or not warning.rule:  # a table has no paragraph
        return warning
    name = warning.message.rpartition(' "')[2].rstrip('"')
    number = warning.rule.partition(' "')[0]
    hint = f"when a house rule left it without use, put `repeal {name}` under `## amends {number}` there"
    return replace(warning, help=hint)


def _needing(source: GameSource, problem: Diagnostic, lost: dict[str, Change]) -> str:
    """Every paragraph that speaks of what is lost: a missing name is told once, but all of them need it."""
    wanted = {word for word in _WORD.findall(problem.message) if word in lost}
    here = problem.rule.partition(' "')[0]
    others = [
        paragraph.id
        for paragraph in _paragraphs(source).values()
        if paragraph.id != here and any(wanted & _spoken(rule) for rule in paragraph.rules)
    ]
    return f"{', '.join([problem.rule, *others[:-1]])} and {others[-1]}" if others else problem.rule


def _spoken(rule: sx.Rule) -> set[str]:
    """The words of a statement, without its texts and comments."""
    rows = rule.span.file.lines[rule.span.line - 1 : max(rule.span.line, rule.span.end_line)]
    return {word for row in rows for word in _WORD.findall(_TEXT.sub("", row))}


def _cause(source: GameSource, problem: Diagnostic, lost: dict[str, Change]) -> Change | None:
    taken = _taken_away(problem, lost)
    if taken is not None:
        return taken
    words = _words_at(problem)
    changed = {c.subject: c for c in source.changes if c.kind == "paragraph"}
    here = problem.rule.partition(' "')[0]
    return next((changed[word] for word in (*words, here) if word in changed), None)


def _taken_away(problem: Diagnostic, lost: dict[str, Change]) -> Change | None:
    for word in _words_at(problem):
        for part in (word, word.rpartition(".")[2]):
            if part in lost:
                return lost[part]
    for name, change in lost.items():  # paragraphs such as `event 3` are two words
        if " " in name and name in problem.message:
            return change
    return None


def _words_at(problem: Diagnostic) -> list[str]:
    words = [*_PARAGRAPH.findall(problem.message), *_WORD.findall(problem.message)]
    return words + _WORD.findall(problem.span.text)


def _lost(source: GameSource, base: GameSource) -> dict[str, Change]:
    """Words that the printed rules declare and the effective ones do not, with the change that did it."""
    now = _paragraphs(source)
    declared = {word for paragraph in now.values() for word in _words(paragraph.rules)}
    # a quantity may be lost while an attribute of that name is still there
    named = {_name(rule) for paragraph in now.values() for rule in paragraph.rules}
    changes = {c.subject: c for c in reversed(source.changes) if c.kind == "paragraph"}
    lost: dict[str, Change] = {}
    for number, paragraph in _paragraphs(base).items():
        change = changes.get(number)
        if change is None:
            continue
        if number not in now:
            lost[number] = change
        names = {_name(rule) for rule in paragraph.rules} - {""}
        for word in _words(paragraph.rules):
            if word not in (named if word in names else declared):
                lost[word] = _finer(source, number, word) or change
    return lost


def _finer(source: GameSource, number: str, word: str) -> Change | None:
    """The statement that took the word away, where the section has one."""
    inside = (c for c in source.changes if c.kind == "rule" and c.paragraph == number)
    return next((c for c in inside if word in _WORD.findall(c.before)), None)


def _paragraphs(source: GameSource) -> dict[str, sx.Paragraph]:
    return {p.id: p for chapter in source.chapters for p in chapter.paragraphs}


def _words(rules: Iterable[sx.Rule]) -> set[str]:
    """Every word that statements bring into the language of the game."""
    found: set[str] = set()
    for rule in rules:
        match rule:
            case sx.Enumeration(values=values):
                found |= {rule.name, *values}
            case sx.ClassDecl(attributes=attributes):
                found |= {rule.name, *(a.name for a in attributes)}
                found |= {part for a in attributes for part in a.type.parts}
            case sx.RecordDecl(fields=fields):
                found |= {rule.name, *(f.name for f in fields)}
            case sx.Reading(alternatives=alternatives):
                found |= {rule.name, *alternatives}
            case _:
                found |= {_name(rule)} - {""}
    return found


def _name(rule: sx.Rule) -> str:
    """The name that a statement declares, if it declares one."""
    name = getattr(rule, "name", None)
    return name if isinstance(name, str) and not isinstance(rule, sx.Modify) else ""
