"""`repeal forbid march into zone`: a statement that declares no name, found by its first words.

They are the words of the paragraph itself, as many as are needed to tell one statement from the others.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulesdsl.house.draft import Draft, title_of
from rulesdsl.house.edits import Edit, Key, Resolving
from rulesdsl.house.resolving.statements import label_keys, subject
from rulesdsl.language import syntax as sx
from rulesdsl.language.printing.printer import print_rule
from rulesdsl.language.syntax import amendments as ax

_NAMELESS = sx.Permission | sx.Must | sx.Trigger | sx.Modify


def repeal_begun(it: Resolving, node: ax.RepealBegun) -> Edit | None:
    """The edit, or None and a problem: no statement begins so, or several do."""
    paragraph = it.paragraphs[it.section.paragraph]
    found = [rule for rule in paragraph.rules if _may_be_meant(rule, node.words)]
    if len(found) != 1 or not _begins(found[0], node.words):
        _no_single_statement(it, node, found)
        return None
    rule = found[0]

    def apply(draft: Draft) -> None:
        opened = draft.amend(paragraph.id)
        opened.rules = [(block, one) for block, one in opened.rules if one is not rule]

    # Whoever changes a line of it touches the same thing.
    keys: set[Key] = {("statement", paragraph.id, one_line(rule)), *label_keys(paragraph.id, rule)}
    change = it.change("rule", subject(rule), "", print_rule(rule), "", node.span)
    what = f"`{_head(rule)}` in {paragraph.id}"
    return Edit(
        rule=it.rule,
        section=it.section,
        span=node.span,
        keys=frozenset(keys),
        what=what,
        apply=apply,
        changes=(change,),
    )


def told_by_beginning(paragraph: sx.Paragraph, word: str) -> str:
    """What to write for somebody who names such a statement by its action, or puts its words in quotes."""
    for rule in paragraph.rules:
        if _begins(rule, word) or (isinstance(rule, _NAMELESS) and word in _about(rule)):
            return f"write `repeal {_shortest(paragraph, rule)}`"
    return ""


def ways_to_repeal(paragraph: sx.Paragraph, rules: Sequence[sx.Rule]) -> str:
    """`repeal …` for each of these, three of them at most."""
    return " or ".join(f"`repeal {_shortest(paragraph, rule)}`" for rule in rules[:3])


def stands_in(it: Resolving, there: str) -> str:
    return f"it stands in {title_of(it.paragraphs, there)}: put this under `## amends {there}`"


def _no_single_statement(it: Resolving, node: ax.RepealBegun, found: list[sx.Rule]) -> None:
    paragraph = it.paragraphs[it.section.paragraph]
    here = title_of(it.paragraphs, paragraph.id)
    if len(found) > 1:
        hint = f"write more of its words: {ways_to_repeal(paragraph, found)}"
        if len({one_line(rule) for rule in found}) < len(found):
            hint = "they are the same: replace the paragraph"
        also = tuple(("here", rule.span) for rule in found)
        message = f"{len(found)} statements of {here} may be meant"
        it.problem("ambiguous-name", message, node.span, hint, also)
        return
    there = [p.id for p in it.paragraphs.values() if any(_begins(rule, node.words) for rule in p.rules)]
    hint = stands_in(it, there[0]) if there else ""
    if not there:
        kind = node.words.split()[0]
        near = found or [r for r in paragraph.rules if isinstance(r, _NAMELESS)]
        near = [r for r in near if one_line(r).split()[0] == kind] or near
        hint = f"write {ways_to_repeal(paragraph, near)}" if near else ""
    it.problem("unknown-name", f"{here} has no statement that begins so", node.span, hint)


def one_line(rule: sx.Rule) -> str:
    """A statement as it would be laid out, in a single line."""
    return " ".join(print_rule(rule).split())


def _head(rule: sx.Rule) -> str:
    """What stands before its condition and its body."""
    return (
        one_line(rule).split(" when ")[0].split(":")[0] if not isinstance(rule, sx.Modify) else subject(rule)
    )


def _about(rule: sx.Rule) -> set[str]:
    match rule:
        case sx.Permission():
            return {*rule.actions}
        case sx.Must():
            return {rule.action}
        case sx.Trigger():
            return {rule.event.subject}
        case _:
            return set()


def _begins(rule: sx.Rule, words: str) -> bool:
    """Whether a statement begins with these words, as it was typed or as it would be laid out.

    `forbid march` is not the beginning of `forbid march, retreat`: that says more than march.
    """
    wanted = words.rstrip(" :")
    if not isinstance(rule, _NAMELESS) or not wanted:
        return False
    laid_out, typed = one_line(rule), " ".join(rule.span.file.line(rule.span.line).split())
    for text in (laid_out, typed):
        rest = text[len(wanted) :]
        if text.startswith(wanted) and not (rest[:1].isalnum() or rest[:1] in ("_", ",", ".")):
            return True
    return False


def _may_be_meant(rule: sx.Rule, words: str) -> bool:
    """By its first words; `forbid march` alone may also mean whatever else forbids to march."""
    kind, *rest = words.rstrip(" :").split()
    if isinstance(rule, sx.Permission) and rule.kind == kind and len(rest) == 1 and rest[0] in rule.actions:
        return True
    return _begins(rule, words)


def _shortest(paragraph: sx.Paragraph, rule: sx.Rule) -> str:
    """The fewest words, at least up to its condition, that mean no other statement of the paragraph."""
    words, start = one_line(rule).split(), len(_head(rule).split())
    for count in range(start, len(words)):
        text = " ".join(words[:count]).rstrip(":")
        if text.count('"') % 2 == 0 and sum(_may_be_meant(one, text) for one in paragraph.rules) == 1:
            return text
    return " ".join(words)
