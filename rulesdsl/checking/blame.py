"""Problems of a game with house rules, told where they were caused.

A paragraph that was fine before may speak of something that a house rule took away. The message then
stands at the house rule, and shows the old place as the second one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from rulesdsl.base.diagnostics import Diagnostic
from rulesdsl.base.source import Span
from rulesdsl.book.changes import Change
from rulesdsl.book.loader import GameSource
from rulesdsl.language import syntax as sx
from rulesdsl.language.plurals import plural_of

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*|\d+(?:[.\-]\d+)+")
_TEXT = re.compile(r'"[^"]*"|#.*')
_ENOUGH = 3  # messages that are alike
_TURNED = {"it is declared here": "it is given something else here", "the track": "the other one"}
Words = dict[str, Change]  # a word, and the change that is to blame for it
_GIVEN = ("bad-value", "table-cell")
_ONE_OF_MANY = (*_GIVEN, "bad-label")  # the first name is a value that does not fit


def blame(source: GameSource, problems: Sequence[Diagnostic]) -> list[Diagnostic]:
    """The same problems; those that a house rule caused in the printed text point to the house rule."""
    if source.base is None:
        return list(problems)
    house = {rule.file.shown for rule in source.house}
    words = _lost(source, source.base), _altered(source, source.base, house)
    return _fewer([_told(source, problem, house, *words) for problem in problems])


def _told(
    source: GameSource, problem: Diagnostic, house: set[str], lost: Words, altered: Words
) -> Diagnostic:
    places = [problem.span, *(span for _, span in problem.also)]
    if problem.severity == "warning":
        return problem if problem.span.file.shown in house else _left_over(problem)
    if problem.span.file.shown in house:  # it may still be the fault of another house rule
        taken = _taken_away(problem, lost)
        if taken is None or taken.span.file is problem.span.file:
            if problem.code in _GIVEN:  # judged where it is declared, but given in a section
                problem = replace(problem, paragraph=f"amends {_change_at(source, problem.span).paragraph}")
            return _with_other(source, problem, altered)
        needing = _needing(source, problem, lost)
        hint = f"needed by {needing}" if needing != problem.paragraph else ""
        return replace(problem, help=hint, also=((f'"{taken.title}" takes it away here', taken.span),))
    cause = _taken_away(problem, lost)
    if cause is None and any(span.file.shown in house for span in places):
        return _new_one_first(problem, house)
    cause = cause or _changed(source, problem, lost, altered)
    if cause is None:  # whichever it is, an author looks for the mistake in what is new
        first, *others = (rule.span for rule in source.house)
        also = (("it is told here", problem.span), *problem.also, *(("or with this one", o) for o in others))
        return replace(problem, message=f"{problem.message}, with this house rule", span=first, also=also)
    what = {"repeals": "repeals", "replaces": "replaces", "inserts": "adds"}.get(cause.verb, "changes")
    thing = cause.paragraph if cause.kind in ("paragraph", "rule", "setting") else f'"{cause.subject}"'
    message = f'{problem.message}, because "{cause.title}" {what} {thing}'
    # where the nearest name stands is of no use: it was not misspelt
    also = (("it is needed here", problem.span), *(() if cause in lost.values() else problem.also))
    elsewhere = problem.paragraph and problem.paragraph.partition(' "')[0] != cause.paragraph
    hint = f"change {_needing(source, problem, lost)} as well" if elsewhere else ""
    if cause not in lost.values() and problem.help:
        hint = problem.help
    return replace(problem, message=message, span=cause.span, help=hint, also=also)


def _with_other(source: GameSource, problem: Diagnostic, altered: Words) -> Diagnostic:
    """A problem in a house rule, with what another one changed of that which it speaks of."""
    words = _words_at(problem)
    found = [altered[word] for word in words if word in altered]
    for number in words:  # `despite 5.9`: what in 5.9 was changed, or the paragraph as a whole
        within = [c for c in source.changes if number == c.paragraph and c.kind in ("paragraph", "rule")]
        found += sorted(within, key=lambda change: change.kind, reverse=True)
    shown = {span.file.shown for span in (problem.span, *(span for _, span in problem.also))}
    also = [(f'"{c.title}" changes it here', c.span) for c in found if c.span.file.shown not in shown]
    return replace(problem, also=(*problem.also, *also[:1]))


def _new_one_first(problem: Diagnostic, house: set[str]) -> Diagnostic:
    """Something new does not fit something printed: told at the new one; the printed place is the second."""
    text, new = next(also for also in problem.also if also[1].file.shown in house)
    turned = _TURNED.get(text, text), problem.span
    return replace(problem, span=new, also=tuple(turned if a == (text, new) else a for a in problem.also))


def _fewer(problems: list[Diagnostic]) -> list[Diagnostic]:
    """An attribute of another type makes a hundred counters wrong: of such messages a few are enough."""
    alike: dict[tuple[str, Span, tuple[str, ...]], list[Diagnostic]] = {}
    for problem in problems:
        what = problem.about[1:] if problem.code in _ONE_OF_MANY else (problem.message,)
        alike.setdefault((problem.code, problem.span, what), []).append(problem)
    for group in alike.values():
        if len(group) > _ENOUGH:
            more = f"and {len(group) - _ENOUGH} more like it"
            last = group[_ENOUGH - 1]
            group[_ENOUGH - 1 :] = [replace(last, help=f"{last.help}; {more}" if last.help else more)]
    return [problem for group in alike.values() for problem in group]


def _left_over(warning: Diagnostic) -> Diagnostic:
    """A printed statement that nothing uses: most likely a house rule replaced what used it."""
    if warning.code != "unused" or not warning.paragraph:  # a table has no paragraph
        return warning
    (name,) = warning.about
    number = warning.paragraph.partition(' "')[0]
    hint = f"when a house rule left it without use, put `repeal {name}` under `## amends {number}` there"
    return replace(warning, help=hint)


def _needing(source: GameSource, problem: Diagnostic, lost: Words) -> str:
    """Every paragraph that speaks of what is lost: a missing name is told once, but all of them need it."""
    wanted = {word for word in problem.about if word in lost}
    here = problem.paragraph.partition(' "')[0]
    others = [
        paragraph.id
        for paragraph in _paragraphs(source).values()
        if paragraph.id != here and any(wanted & _spoken(rule) for rule in paragraph.rules)
    ]
    return f"{', '.join([problem.paragraph, *others[:-1]])} and {others[-1]}" if others else problem.paragraph


def _spoken(rule: sx.Rule) -> set[str]:
    """The words of a statement, without its texts and comments."""
    rows = rule.span.file.lines[rule.span.line - 1 : max(rule.span.line, rule.span.end_line)]
    return {word for row in rows for word in _WORD.findall(_TEXT.sub("", row))}


def _changed(source: GameSource, problem: Diagnostic, lost: Words, altered: Words) -> Change | None:
    """What is declared otherwise: named at the place, or in its line, or at least in the same paragraph."""
    found = _taken_away(problem, altered)
    if found is not None:
        return found
    places = [problem.span, *(span for _, span in problem.also)]
    rows = (_TEXT.sub("", span.file.line(span.line)) for span in places)
    nearby = (part for row in rows for word in _WORD.findall(row) for part in (word, *word.split(".")))
    found = next((words[part] for part in nearby for words in (lost, altered) if part in words), None)
    if found is not None:
        return found
    words = _words_at(problem)
    changed = {c.subject: c for c in source.changes if c.kind == "paragraph"}
    here = problem.paragraph.partition(' "')[0]
    return next((changed[word] for word in (*words, here) if word in changed), None)


def _taken_away(problem: Diagnostic, lost: Words) -> Change | None:
    for word in _words_at(problem):
        for part in (word, word.rpartition(".")[2]):
            if part in lost:
                return lost[part]
    return None


def _words_at(problem: Diagnostic) -> list[str]:
    """What a problem is about, then the names in the rules at its place."""
    return [*problem.about, *_WORD.findall(problem.span.text)]


def _lost(source: GameSource, base: GameSource) -> Words:
    """Words that the printed rules declare and the effective ones do not, with the change that did it."""
    now = _paragraphs(source)
    declared = {word for paragraph in now.values() for word in _words(paragraph.rules)}
    # a quantity may be lost while an attribute of that name is still there, a scale while a quantity is
    kept = {_key(rule) for paragraph in now.values() for rule in paragraph.rules}
    changes = {c.subject: c for c in reversed(source.changes) if c.kind == "paragraph"}
    lost: Words = {}
    for number, paragraph in _paragraphs(base).items():
        change = changes.get(number)
        if change is None:
            continue
        if number not in now:
            lost[number] = change
        named = {_name(rule): _key(rule) for rule in paragraph.rules if _name(rule)}
        for word in _words(paragraph.rules):
            if named[word] not in kept if word in named else word not in declared:
                lost[word] = _finer(source, number, word) or change
    return lost


def _altered(source: GameSource, base: GameSource, house: set[str]) -> Words:
    """Words that house rules bring in or declare otherwise, with the change that did it."""
    old = {_key(rule): rule for paragraph in _paragraphs(base).values() for rule in paragraph.rules}
    found: Words = {}
    for paragraph in _paragraphs(source).values():
        for rule in paragraph.rules:
            if rule.span.file.shown not in house or not _name(rule):
                continue
            parts: list[tuple[str, Span]] = [(_name(rule), rule.span)]
            match rule, old.get(_key(rule)):
                case sx.ClassDecl(attributes=now), sx.ClassDecl(attributes=was):
                    parts = [(a.name, a.span) for a in now if a not in was]
                case sx.RecordDecl(fields=now), sx.RecordDecl(fields=was):
                    parts = [(one.name, one.span) for one in now if one not in was]
                case sx.Enumeration(values=now), sx.Enumeration(values=was):
                    parts += [(word, rule.span) for word in {*now} - {*was}]
                case _:
                    pass  # a statement has no parts that could be blamed
            found |= {word: _change_at(source, span) for word, span in parts}
    return found


def _change_at(source: GameSource, span: Span) -> Change:
    """The change that a line of a house rule belongs to, told at that line."""
    above = [c for c in source.changes if c.span.file.shown == span.file.shown and c.span.line <= span.line]
    return replace(max(above, key=lambda change: change.span.line), span=span)


def _finer(source: GameSource, number: str, word: str) -> Change | None:
    """The statement that took the word away, where the section has one."""
    inside = [c for c in source.changes if c.kind == "rule" and c.paragraph == number]
    inside.sort(key=lambda change: word != change.subject.split()[-1])  # before those that only ask for it
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
                found |= {rule.name, rule.plural or plural_of(rule.name), *(a.name for a in attributes)}
                found |= {part for a in attributes for part in a.type.parts}
            case sx.RecordDecl(fields=fields):
                found |= {rule.name, *(f.name for f in fields)}
            case sx.Reading(alternatives=alternatives):
                found |= {rule.name, *alternatives}
            case _:
                found |= {_name(rule)} - {""}
    return found


def _key(rule: sx.Rule) -> tuple[type[sx.Rule], str]:
    return type(rule), _name(rule)


def _name(rule: sx.Rule) -> str:
    """The name that a statement declares, if it declares one."""
    name = getattr(rule, "name", None)
    return name if isinstance(name, str) and not isinstance(rule, sx.Modify) else ""
