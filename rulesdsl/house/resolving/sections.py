"""Sections of house rules as edits: paragraphs replaced, repealed and inserted, and what `amends` holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from rulesdsl.base.diagnostics import Diagnostic, did_you_mean
from rulesdsl.book.loader import GameSource
from rulesdsl.house.draft import Draft, paragraphs_of, title_of
from rulesdsl.house.edits import Edit, Key, Resolving, place, zero_below
from rulesdsl.house.reading.documents import BLOCK
from rulesdsl.house.resolving.beginnings import repeal_begun
from rulesdsl.house.resolving.cells import set_cell
from rulesdsl.house.resolving.lines import change_line
from rulesdsl.house.resolving.paragraphs import add_statement, repeal_named, set_setting
from rulesdsl.house.resolving.sentences import change_sentence
from rulesdsl.house.resolving.statements import declared, parts_changed
from rulesdsl.house.resolving.steps import change_steps, forbid_token
from rulesdsl.house.resolving.things import set_border, set_value
from rulesdsl.language import syntax as sx
from rulesdsl.language.parsing.markdown import INFORMATIVE
from rulesdsl.language.syntax import amendments as ax

REWRITES = ("replaces", "repeals")


def resolve(source: GameSource, rules: Sequence[ax.HouseRule]) -> tuple[list[Edit], list[Diagnostic]]:
    """Every edit that the house rules ask for, and everything in them that the game does not know."""
    paragraphs = paragraphs_of(source)
    for rule in rules:
        for section in rule.sections:
            if section.verb == "after":
                paragraphs.setdefault(section.paragraph, written_paragraph(section, 2))
    statements = [r for p in paragraphs.values() for r in p.rules]
    statements += [r for rule in rules for section in rule.sections for r in section.rules]
    classes = [r for r in statements if isinstance(r, sx.ClassDecl)]
    rewritten = {s.paragraph for rule in rules for s in rule.sections if s.verb in REWRITES}
    it = Resolving(source, paragraphs, classes, frozenset(rewritten))
    edits: list[Edit] = []
    for rule in rules:
        for section in rule.sections:
            it.rule, it.section = rule, section
            edits += _section(it)
    return edits, it.problems + _anchor_problems(source, rules)


def _anchor_problems(source: GameSource, rules: Sequence[ax.HouseRule]) -> list[Diagnostic]:
    """New paragraphs that stand only after each other stand nowhere."""
    printed = paragraphs_of(source)
    sections = [section for rule in rules for section in rule.sections]
    new = {s.paragraph: s for s in sections if s.verb == "after" and s.paragraph not in printed}
    problems: list[Diagnostic] = []
    for section in new.values():
        seen = {section.paragraph}
        anchor = section.anchor
        while anchor in new and anchor not in seen:
            seen.add(anchor)
            anchor = new[anchor].anchor
        if anchor in seen:
            message = f"{section.paragraph} and {section.anchor} are each said to stand after the other"
            problems.append(Diagnostic("house-number", message, section.span))
    return problems


def _section(it: Resolving) -> list[Edit]:
    section = it.section
    printed = paragraphs_of(it.source)
    if section.verb == "after":
        if section.paragraph in printed:
            message = f"there is a paragraph {title_of(printed, section.paragraph)} already"
            it.problem("house-number", message, section.span, "give the new paragraph another number",
                       (("there", printed[section.paragraph].span),))  # fmt: skip
            return []
        if section.anchor not in it.paragraphs or section.anchor == section.paragraph:
            hint = did_you_mean(section.anchor, it.paragraphs)
            it.problem("unknown-paragraph", f"there is no paragraph {section.anchor}", section.span, hint)
            return []
        return [_insert(it), *_data(it)]
    if section.paragraph not in it.paragraphs:
        hint = did_you_mean(section.paragraph, it.paragraphs)
        it.problem("unknown-paragraph", f"there is no paragraph {section.paragraph}", section.span, hint)
        return []
    old = it.paragraphs[section.paragraph]
    if section.verb != "replaces" and section.title and section.title.casefold() != old.title.casefold():
        message = f'{old.id} is called "{old.title}"'
        it.problem("house-title", message, section.span, "leave the title out, or check the number",
                   (("there", old.span),))  # fmt: skip
        return []
    if section.verb == "amends":
        return [_amend(it), *_statements(it), *_data(it)]
    return [_rewrite(it, old), *_data(it)]


def written_paragraph(section: ax.Section, level: int, title: str = "") -> sx.Paragraph:
    """The paragraph that a section writes."""
    informative = INFORMATIVE.search(section.prose)
    return sx.Paragraph(
        id=section.paragraph,
        title=section.title or title,
        level=level,
        prose=section.prose,
        fences=section.fences,
        rules=section.rules,
        examples=section.examples,
        informative=informative["reason"] if informative else None,
        span=section.span,
    )


def _names(it: Resolving) -> frozenset[Key]:
    """What a section declares; of a class that is there already only the attributes it gains."""
    printed = {declared(r): r for p in paragraphs_of(it.source).values() for r in p.rules}
    keys: set[Key] = set()
    for rule in it.section.rules:
        name = declared(rule)
        if name is not None:
            parts = (
                parts_changed(printed.get(name), rule)
                if isinstance(rule, sx.ClassDecl | sx.Enumeration | sx.RecordDecl)
                else set()
            )
            keys |= {("name", *name, part) for part in parts} or {("name", *name)}
    return frozenset(keys)


def _insert(it: Resolving) -> Edit:
    section = it.section

    def apply(draft: Draft) -> None:
        level = draft.paragraphs[section.anchor].level if section.anchor in draft.paragraphs else 2
        draft.paragraphs[section.paragraph] = written_paragraph(section, level)
        draft.anchors[section.paragraph] = section.anchor

    keys = frozenset({("paragraph", section.paragraph)}) | _names(it)
    change = it.change("paragraph", section.paragraph, "", "", section.title, section.span)
    return Edit(
        rule=it.rule,
        section=section,
        span=section.span,
        keys=keys,
        what=f"paragraph {section.paragraph}",
        apply=apply,
        changes=(change,),
    )


def _rewrite(it: Resolving, old: sx.Paragraph) -> Edit:
    section = it.section

    def apply(draft: Draft) -> None:
        draft.rewritten.add(old.id)
        if section.verb == "repeals":
            draft.paragraphs.pop(old.id)
            _drop_examples(draft, it.source, old.id)
        else:
            draft.paragraphs[old.id] = written_paragraph(section, old.level, old.title)

    # Names that stay declared here are still those of the paragraph: no other house rule may take them.
    keys = frozenset({("paragraph", old.id)}) | _names(it)
    after = "" if section.verb == "repeals" else section.title or old.title
    changes = [it.change("paragraph", old.id, "", old.title, after, section.span)]
    for paragraph in paragraphs_of(it.source).values() if section.verb == "repeals" else ():
        for number, example in enumerate(paragraph.examples, 1):
            if _cites(example, old.id) and paragraph.id != old.id:
                dropped = it.change("example", paragraph.id, str(number), "run", "not run", section.span)
                changes.append(dropped)
    what = f"paragraph {title_of(it.paragraphs, old.id)}"
    return Edit(
        rule=it.rule,
        section=section,
        span=section.span,
        keys=keys,
        what=what,
        apply=apply,
        changes=tuple(changes),
    )


def _drop_examples(draft: Draft, printed: GameSource, repealed: str) -> None:
    """A printed example that expects a refusal by a repealed paragraph shows a rule that is no more.

    One that a house rule brings is kept and refused by the checker: its author counted on the paragraph.
    """
    gone = {id(e) for p in paragraphs_of(printed).values() for e in p.examples if _cites(e, repealed)}
    for number, paragraph in draft.paragraphs.items():
        kept = tuple(example for example in paragraph.examples if id(example) not in gone)
        if kept != paragraph.examples:
            draft.paragraphs[number] = replace(paragraph, examples=kept)


def _cites(example: sx.Example, number: str) -> bool:
    return any(e.paragraph is not None and e.paragraph.id == number for e in example.expected)


def _amend(it: Resolving) -> Edit:
    """What an `amends` section always does: its prose and its examples join the paragraph."""
    section = it.section

    def apply(draft: Draft) -> None:
        opened = draft.amend(section.paragraph)
        opened.prose.append(BLOCK.sub("", section.prose).strip())
        opened.examples += section.examples

    title = it.paragraphs[section.paragraph].title
    change = it.change("paragraph", section.paragraph, "", title, title, section.span)
    return Edit(
        rule=it.rule,
        section=section,
        span=section.span,
        keys=frozenset(),
        what=section.paragraph,
        apply=apply,
        changes=(change,),
    )


def _statements(it: Resolving) -> list[Edit]:
    found: list[Edit | None] = [add_statement(it, rule) for rule in it.section.rules]
    for node in map(ax.closed, it.section.amends):
        match node:
            case ax.SetSetting():
                found.append(set_setting(it, node))
            case ax.Repeal(labelled=False):
                found.append(repeal_named(it, node))
            case ax.RepealBegun():
                found.append(repeal_begun(it, node))
            case ax.Strike() | ax.Say():
                found.append(change_sentence(it, node))
            case ax.Replace() | ax.Repeal():
                found.append(change_line(it, node))
            case (
                ax.SetCell()
                | ax.SetValue()
                | ax.SetBorder()
                | ax.PutStep()
                | ax.LeaveOut()
                | ax.ForbidToken()
            ):
                pass  # see _data
            case _:
                assert_never(node)
    return [edit for edit in found if edit is not None]


def _data(it: Resolving) -> list[Edit]:
    found: list[Edit | None] = []
    for node in map(ax.closed, it.section.amends):
        match node:
            case ax.SetCell(value=value) if zero_below(value):
                it.problem("division-by-zero", "this divides by zero", value.span)
            case ax.SetValue(values=values) | ax.SetBorder(values=values) if any(map(zero_below, values)):
                it.problem("division-by-zero", "this divides by zero", place(values))
            case ax.SetCell():
                found.append(set_cell(it, node))
            case ax.SetValue():
                found.append(set_value(it, node))
            case ax.SetBorder():
                found.append(set_border(it, node))
            case ax.PutStep() | ax.LeaveOut():
                found.append(change_steps(it, node))
            case ax.ForbidToken():
                found.append(forbid_token(it, node))
            case ax.SetSetting() | ax.Replace() | ax.Repeal() | ax.RepealBegun() | ax.Strike() | ax.Say():
                pass  # see _statements
            case _:
                assert_never(node)
    return [edit for edit in found if edit is not None]
