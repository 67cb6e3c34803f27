"""Statements of an `amends` section: what they replace in the paragraph, remove from it, or add to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from rulesdsl.base import fixes
from rulesdsl.base.diagnostics import did_you_mean
from rulesdsl.base.fixes import Advice
from rulesdsl.base.source import Span
from rulesdsl.book.changes import Change
from rulesdsl.house.draft import Draft, title_of
from rulesdsl.house.edits import MOMENT, Edit, Key, Resolving, constant, shown
from rulesdsl.house.resolving.beginnings import one_line, stands_in, told_by_beginning
from rulesdsl.house.resolving.lines import label_is_free
from rulesdsl.house.resolving.statements import (
    declared,
    gains_values,
    label_keys,
    labelled,
    merged,
    moment,
    owner,
    parts_changed,
    subject,
)
from rulesdsl.language import syntax as sx
from rulesdsl.language.printing.printer import print_expr, print_rule
from rulesdsl.language.syntax import amendments as ax

SETTINGS = {"reading": sx.Reading, "option": sx.Option, "parameter": sx.Parameter}
Update = Callable[[sx.Rule], sx.Rule | None]


def set_setting(it: Resolving, node: ax.SetSetting) -> Edit | None:
    """Another value of a parameter, another default of a reading or an option."""
    here, rule = _find(it, node.kind, "setting", node.name, node.span)
    if rule is None:
        return None
    if not isinstance(rule, SETTINGS[node.kind]):
        kind = type(rule).__name__.lower()
        hint: str = Advice(f"write `set {kind} {node.name} = …`", fixes.word(node.kind, kind))
        it.problem("unknown-name", f'"{node.name}" is a {kind}', node.span, hint)
        return None
    if isinstance(rule, sx.Reading):
        word = str(constant(node.value))
        if word not in rule.alternatives:
            hint = did_you_mean(word, rule.alternatives) or f"there are {', '.join(rule.alternatives)}"
            it.problem("bad-value", f'"{word}" is no reading of {node.name}', node.value.span, hint)
            return None
        new: sx.Rule = replace(rule, default=word)
        before, after = rule.default, word
    elif not _fits(it, rule, node):
        return None
    elif isinstance(rule, sx.Option):
        node = replace(node, value=_yes_or_no(rule, node.value))
        new = replace(rule, default=node.value)
        before, after = print_expr(rule.default), print_expr(node.value)
    else:
        assert isinstance(rule, sx.Parameter)
        new = replace(rule, value=node.value)
        before, after = print_expr(rule.value), print_expr(node.value)
    # A scenario may give the setting a value of its own; the house rule speaks for all scenarios.
    given = {name for name, s in it.source.scenarios.items() if node.name in s.options}
    if before == after and not given:
        it.no_change(f"the {node.kind} {node.name}", after, node.span)
    change = it.change("setting", node.name, node.kind, before, after, node.span)

    def apply(draft: Draft) -> None:
        _update(draft, here, ("setting", node.name), lambda _: new)
        for name in given:
            scenario = draft.scenarios[name]
            options = {**scenario.options, node.name: shown(constant(node.value))}
            spans = {**scenario.option_spans, node.name: node.value.span}
            draft.scenarios[name] = replace(scenario, options=options, option_spans=spans)

    changes = () if before == after and not given else (change,)
    keys = frozenset({("name", "setting", node.name)})
    return Edit(
        rule=it.rule,
        section=it.section,
        span=node.span,
        keys=keys,
        what=f"the {node.kind} {node.name}",
        apply=apply,
        changes=changes,
    )


def repeal_named(it: Resolving, node: ax.Repeal) -> Edit | None:
    """`repeal contested`: a statement by the name it declares."""
    paragraph = it.paragraphs[it.section.paragraph]
    names = {found[1]: (found, rule) for rule in paragraph.rules if (found := declared(rule)) is not None}
    if node.name not in names:
        message = f'{title_of(it.paragraphs, paragraph.id)} declares nothing called "{node.name}"'
        homes = {
            found[1]: p.id
            for p in it.paragraphs.values()
            for r in p.rules
            if (found := declared(r)) is not None
        }
        there = homes.get(node.name, "")
        hint = stands_in(it, there) if there else did_you_mean(node.name, names)
        hint = told_by_beginning(paragraph, node.name) or hint
        it.problem("unknown-name", message, node.span, hint)
        return None
    name, rule = names[node.name]
    change = it.change("rule", subject(rule), "", print_rule(rule), "", node.span)
    keys: set[Key] = {("name", *name), *label_keys(paragraph.id, rule)}
    return Edit(
        rule=it.rule,
        section=it.section,
        span=node.span,
        keys=frozenset(keys),
        what=subject(rule),
        apply=lambda draft: _update(draft, paragraph.id, name, lambda _: None),
        changes=(change,),
    )


def add_statement(it: Resolving, rule: sx.Rule) -> Edit | None:
    """A statement that declares what the paragraph declares takes its place; any other is added."""
    number = it.section.paragraph
    keys: set[Key] = set()
    name = declared(rule)
    old: sx.Rule | None = None
    if name is not None:
        here, old = _declaration(it, name, it.standing(but=number))
        if old is not None and here != number and _only_adds(old, rule):
            return _add_parts(it, rule, old, here)
        if old is not None and here != number:
            message = f'"{name[1]}" is declared in {title_of(it.paragraphs, here)}'
            hint = Advice(
                f"put this under `## amends {here}`", fixes.under_section(here), fixes.section_number(here)
            )
            it.problem("house-elsewhere", message, rule.span, hint,
                       (("there", old.span),))  # fmt: skip
            return None
        keys |= {("name", *name, part) for part in parts_changed(old, rule)} or {("name", *name)}
    if not all(label_is_free(it, owner(rule), label, rule.span, old) for label, _ in labelled(rule)):
        return None
    keys |= label_keys(number, rule)
    if isinstance(rule, sx.Trigger):  # those of one paragraph run as they stand: here, by the names of files
        keys.add((MOMENT, number, *moment(rule.event)))
    if old is not None:
        keys |= label_keys(number, old)  # the lines it no longer has, too
    if name is None and not _is_new(it, rule, keys):
        return None
    new = rule if old is None else merged(old, rule)
    before = "" if old is None else print_rule(old)
    if before == print_rule(new):
        it.no_change(subject(rule), "so", rule.span)

    def apply(draft: Draft) -> None:
        if old is None or name is None:
            draft.amend(number).rules.append((None, rule))
        else:
            _update(draft, number, name, lambda current: merged(current, rule))

    changes: tuple[Change, ...] = ()
    if before != print_rule(new):
        changes = (it.change("rule", subject(rule), "", before, print_rule(new), rule.span),)
    return Edit(
        rule=it.rule,
        section=it.section,
        span=rule.span,
        keys=frozenset(keys),
        what=subject(rule),
        apply=apply,
        changes=changes,
    )


def _only_adds(old: sx.Rule, rule: sx.Rule) -> bool:
    """Whether a class or a record is opened again, elsewhere, for new attributes alone."""
    match old, rule:
        case sx.ClassDecl(), sx.ClassDecl():
            names = {a.name for a in old.attributes}
            same = old.kind == rule.kind and rule.plural is None
            return same and bool(rule.attributes) and not any(a.name in names for a in rule.attributes)
        case sx.RecordDecl(), sx.RecordDecl():
            names = {f.name for f in old.fields}
            return bool(rule.fields) and not any(f.name in names for f in rule.fields)
        case sx.Enumeration(), sx.Enumeration():
            return gains_values(old, rule)
        case _:
            return False


def _add_parts(it: Resolving, rule: sx.Rule, old: sx.Rule, here: str) -> Edit:
    """New attributes stand with the rule that speaks of them; those of a record join it where it stands."""
    name = declared(old)
    assert name is not None
    number = it.section.paragraph

    def apply(draft: Draft) -> None:
        if isinstance(rule, sx.ClassDecl | sx.Enumeration):
            draft.amend(number).rules.append((None, rule))
        else:
            _update(draft, here, name, lambda current: merged(current, rule))

    keys: frozenset[Key] = frozenset(("name", *name, part) for part in parts_changed(old, rule))
    change = it.change("rule", subject(rule), "", "", print_rule(rule), rule.span)
    return Edit(
        rule=it.rule,
        section=it.section,
        span=rule.span,
        keys=keys,
        what=subject(rule),
        apply=apply,
        changes=(change,),
    )


def _fits(it: Resolving, rule: sx.Rule, node: ax.SetSetting) -> bool:
    """Whether a setting can have this value. A word that is none of its values would otherwise be looked for
    among all names of the game, where nobody meant to find it."""
    value = node.value
    if not isinstance(value, sx.Name | sx.Text):
        return True  # a number; that it is one where none may stand the checker says
    word, hint = str(constant(value)), ""
    if isinstance(rule, sx.Parameter):
        fits, kind = False, "number"
    else:
        assert isinstance(rule, sx.Option)
        parts = rule.type.parts
        nouns = {"player", "none", "number", "text", *(one.name for one in it.classes)}
        if parts == ("flag",):
            fits, kind, hint = word in ("True", "False", "yes", "no"), "flag", "write true or false"
        elif nouns & {*parts} or len(parts) < 2:
            return True
        else:
            fits, kind = word in parts, "value of this option"
            hint = did_you_mean(word, parts) or f"there are {', '.join(parts)}"
    if not fits:
        it.problem("bad-value", f'"{shown(constant(value))}" is no {kind} ("{node.name}")', value.span, hint)
    return fits


def _yes_or_no(option: sx.Option, value: sx.Expr) -> sx.Expr:
    """`yes` and `no` for a flag, as for one that is printed on the map."""
    words = {"yes": "true", "no": "false"} if option.type.parts == ("flag",) else {}
    return replace(value, id=words.get(value.id, value.id)) if isinstance(value, sx.Name) else value


def _is_new(it: Resolving, rule: sx.Rule, keys: set[Key]) -> bool:
    """Two statements without a name that read alike: a modifier would count twice, by an oversight."""
    number, text = it.section.paragraph, one_line(rule)
    keys.add(("statement", number, text))
    twin = next((one for one in it.paragraphs[number].rules if one_line(one) == text), None)
    if twin is not None:
        message = f"{title_of(it.paragraphs, number)} says this already"
        it.problem("house-clash", message, rule.span, also=(("there", twin.span),))
    return twin is None


# ---- shared ------------------------------------------------------------------------------------------
def _declaration(
    it: Resolving, name: tuple[str, str], among: Iterable[sx.Paragraph] | None = None
) -> tuple[str, sx.Rule | None]:
    for paragraph in it.paragraphs.values() if among is None else among:
        for rule in paragraph.rules:
            if declared(rule) == name:
                return paragraph.id, rule
    return "", None


def _find(it: Resolving, word: str, space: str, name: str, span: Span) -> tuple[str, sx.Rule | None]:
    """A declaration that must stand in the paragraph that is amended."""
    here, rule = _declaration(it, (space, name))
    if rule is None:
        known = [
            found[1] for p in it.paragraphs.values() for r in p.rules
            if (found := declared(r)) is not None and found[0] == space
        ]  # fmt: skip
        it.problem("unknown-name", f'there is no {word} "{name}"', span, did_you_mean(name, known))
    elif here != it.section.paragraph:
        message = f'the {word} "{name}" stands in {title_of(it.paragraphs, here)}'
        hint = Advice(
            f"put this under `## amends {here}`", fixes.under_section(here), fixes.section_number(here)
        )
        it.problem("house-elsewhere", message, span, hint,
                   (("there", rule.span),))  # fmt: skip
        return here, None
    return here, rule


def _update(draft: Draft, number: str, name: tuple[str, str], update: Update) -> None:
    opened = draft.amend(number)
    changed = [(block, update(rule) if declared(rule) == name else rule) for block, rule in opened.rules]
    opened.rules = [(block, rule) for block, rule in changed if rule is not None]
