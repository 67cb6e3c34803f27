"""`replace "woods": …` and `repeal "woods"`: a line of a paragraph, found by its label."""

from __future__ import annotations

from rulesdsl.base.diagnostics import did_you_mean
from rulesdsl.base.source import Span
from rulesdsl.house.draft import Draft, title_of
from rulesdsl.house.edits import Edit, Key, Resolving
from rulesdsl.house.resolving.beginnings import stands_in, told_by_beginning, ways_to_repeal
from rulesdsl.house.resolving.statements import (
    Labelled,
    label_keys,
    labelled,
    owner,
    subject,
    with_label,
    with_line,
)
from rulesdsl.language import syntax as sx
from rulesdsl.language.printing.amendments import print_line
from rulesdsl.language.printing.printer import print_expr, print_rule
from rulesdsl.language.syntax import amendments as ax


def label_is_free(it: Resolving, of: str, label: str, span: Span, but: sx.Node | None) -> bool:
    """Whether no line of the paragraph but `but` (or one in it) has this label; otherwise a problem."""
    paragraph = it.paragraphs[it.section.paragraph]
    for rule in paragraph.rules:
        for text, line in labelled(rule):
            if (owner(rule), text) == (of, label) and rule is not but and line is not but:
                message = f'{title_of(it.paragraphs, paragraph.id)} has a line "{label}" for {of} already'
                hint = f'write `replace "{label}": …`, or use another label'
                it.problem("house-label", message, span, hint, (("there", line.span),))
                return False
    return True


def change_line(it: Resolving, node: ax.Replace | ax.Repeal) -> Edit | None:
    """The edit, or None and a problem: no line has this label, or several have."""
    label = node.label if isinstance(node, ax.Replace) else node.name
    paragraph = it.paragraphs[it.section.paragraph]
    found = [(rule, line) for rule in paragraph.rules for text, line in labelled(rule) if text == label]
    if len(found) != 1:
        _no_single_label(it, label, node.span, found)
        return None
    rule, old = found[0]
    of = owner(rule)
    keys: set[Key] = {("label", paragraph.id, of, label)}
    if old is rule:  # the label of a whole statement: whoever changes a line of it touches the same thing
        keys |= label_keys(paragraph.id, rule)
    new: sx.Contribution | sx.Permission | None = None
    if isinstance(node, ax.Replace):
        new = with_label(node.line, label)
        if not isinstance(old, type(new)):
            form = "-2 when …" if isinstance(old, sx.Contribution) else "forbid … when …"
            help_text = f'write `replace "{label}": {form}`'
            if not isinstance(old, sx.Contribution | sx.Permission):
                help_text = "declare the whole statement anew, or replace the paragraph"
            it.problem("house-replace", f'the line "{label}" is of another kind', node.line.span, help_text,
                       (("the line", old.span),))  # fmt: skip
            return None
        # A line may be given another label, a prohibition other actions: nobody else may have that place.
        now = with_line(rule, label, new)
        assert now is not None
        place = owner(now), new.label or label
        if not label_is_free(it, *place, node.span, old):
            return None
        keys.add(("label", paragraph.id, *place))
    before, after = _line_text(old), "" if new is None else print_line(new)
    if before == after:
        it.no_change(f'the line "{label}"', after, node.span)

    def apply(draft: Draft) -> None:
        opened = draft.amend(paragraph.id)
        changed = [(block, _changed_line(one, of, label, new)) for block, one in opened.rules]
        opened.rules = [(block, one) for block, one in changed if one is not None]

    changes = () if before == after else (it.change("rule", subject(rule), label, before, after, node.span),)
    what = f'the line "{label}" of {of}'
    return Edit(
        rule=it.rule,
        section=it.section,
        span=node.span,
        keys=frozenset(keys),
        what=what,
        apply=apply,
        changes=changes,
    )


def _changed_line(
    rule: sx.Rule, of: str, label: str, line: sx.Contribution | sx.Permission | None
) -> sx.Rule | None:
    has = owner(rule) == of and any(text == label for text, _ in labelled(rule))
    return with_line(rule, label, line) if has else rule


def _line_text(line: Labelled) -> str:
    match line:
        case sx.Contribution() | sx.Permission():
            return print_line(line)
        case sx.Must():
            return print_rule(line)
        case sx.Rung():
            return f'{print_expr(line.met)} "{line.label}"'
        case sx.Preference():
            return f'{print_expr(line.condition)} "{line.label}"'


def _no_single_label(it: Resolving, label: str, span: Span, found: list[tuple[sx.Rule, Labelled]]) -> None:
    here = title_of(it.paragraphs, it.section.paragraph)
    if found:
        also = tuple(("here", line.span) for _, line in found)
        hint = "declare the whole statement anew, or replace the paragraph"
        if all(isinstance(line, sx.Permission | sx.Must) for _, line in found):  # these declare no name
            hint = f"write {ways_to_repeal(it.paragraphs[it.section.paragraph], [r for r, _ in found])}"
        it.problem("house-label", f'{here} has {len(found)} lines "{label}"', span, hint, also)
        return
    places = {text: p.id for p in it.paragraphs.values() for r in p.rules for text, _ in labelled(r)}
    known = [text for rule in it.paragraphs[it.section.paragraph].rules for text, _ in labelled(rule)]
    hint = told_by_beginning(it.paragraphs[it.section.paragraph], label) or did_you_mean(label, known)
    if label in places:
        hint = stands_in(it, places[label])
    it.problem("unknown-label", f'{here} has no line "{label}"', span, hint)
