"""Statements of a paragraph as a house rule sees them: by the name they declare, or by a label in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import assert_never

from rulesdsl.language import syntax as sx

Labelled = sx.Contribution | sx.Permission | sx.Must | sx.Rung | sx.Preference
Named = tuple[str, str]  # namespace, name

_MEANINGS = (sx.Define, sx.Action, sx.Route, sx.Procedure, sx.Window, sx.Token)
_SETTINGS = (sx.Reading, sx.Option, sx.Parameter)


def declared(rule: sx.Rule) -> Named | None:
    """What a statement declares; two statements that declare the same cannot stand side by side."""
    rule = sx.closed(rule)
    match rule:
        case sx.Quantity(record=record, name=name):
            return "rule", f"{record}.{name}" if record else name
        case sx.Define() | sx.Search() | sx.Action() | sx.Route() | sx.Procedure() | sx.Window() | sx.Token():
            return "rule", rule.name
        case sx.Reading() | sx.Option() | sx.Parameter():
            return "setting", rule.name
        case sx.Enumeration() | sx.TrackDecl() | sx.RecordDecl() | sx.GroupDecl() | sx.ClassDecl():
            return "component", rule.name
        case sx.Modify() | sx.Permission() | sx.Must() | sx.Trigger():
            return None
        case _:
            assert_never(rule)


def subject(rule: sx.Rule) -> str:
    """What a statement is about, in words: `quantity strength`, `forbid march`."""
    found = declared(rule)
    match rule:
        case sx.Modify(record=record, name=name):
            return f"modify {record}.{name}" if record else f"modify {name}"
        case sx.Permission():
            return f"{rule.kind} {', '.join(rule.actions)}"
        case sx.Must():
            return f"must before {rule.action}"
        case sx.Trigger():
            return f"after {rule.event.subject} {rule.event.kind}"
        case sx.Procedure() | sx.ClassDecl():
            return f"{rule.kind} {rule.name}"
        case sx.Enumeration():
            return f"{'scale' if rule.ordered else 'enum'} {rule.name}"
        case _:
            pass  # called like its kind
    kind = type(rule).__name__.lower().removesuffix("decl")
    return f"{kind} {found[1]}" if found is not None else kind


def owner(rule: sx.Rule) -> str:
    """What the labels in a statement belong to: those of one quantity, wherever it is modified."""
    match rule:
        case sx.Quantity() | sx.Modify():
            return f"{rule.record}.{rule.name}" if rule.record else rule.name
        case sx.Permission():
            return ", ".join(rule.actions)
        case sx.Must():
            return rule.action
        case sx.Route():
            return rule.name
        case _:
            return ""


def labelled(rule: sx.Rule) -> Iterator[tuple[str, Labelled]]:
    """The labels in a statement with the lines that carry them."""
    lines: tuple[Labelled, ...] = ()
    match rule:
        case sx.Quantity() | sx.Modify():
            lines = rule.contributions
        case sx.Permission():
            lines = (rule,)
        case sx.Must():
            lines = (rule, *rule.rungs)
        case sx.Route():
            lines = rule.preferences
        case _:
            pass  # no other statement has lines with labels
    for line in lines:
        if line.label:
            yield line.label, line


def label_keys(number: str, rule: sx.Rule) -> set[tuple[str, ...]]:
    """Every labelled line of a statement: whoever changes the statement touches all of them."""
    return {("label", number, owner(rule), label) for label, _ in labelled(rule)}


def moment(event: sx.Event) -> tuple[str, str]:
    """When a trigger runs. Pieces of any class may be the same piece: only the kind of event tells there."""
    match event.kind:
        case "begins" | "ends":
            return event.kind, event.subject
        case "changes":
            return event.kind, event.object or ""
        case _:
            return event.kind, ""


def with_line(rule: sx.Rule, label: str, line: sx.Contribution | sx.Permission | None) -> sx.Rule | None:
    """The statement with another line under this label, or without it; None when nothing is left."""

    def changed(lines: tuple[sx.Contribution, ...]) -> tuple[sx.Contribution, ...]:
        kept = (c if c.label != label else line for c in lines)
        return tuple(c for c in kept if isinstance(c, sx.Contribution))

    match rule:
        case sx.Quantity():
            return replace(rule, contributions=changed(rule.contributions))
        case sx.Modify():
            left = changed(rule.contributions)
            return replace(rule, contributions=left) if left else None
        case sx.Permission() if rule.label == label:
            return line if isinstance(line, sx.Permission) else None
        case sx.Must() if rule.label == label:
            return None
        case sx.Must():
            rungs = tuple(rung for rung in rule.rungs if rung.label != label)
            return replace(rule, rungs=rungs) if rungs else None
        case sx.Route():
            return replace(rule, preferences=tuple(p for p in rule.preferences if p.label != label))
        case _:
            return rule


def parts_changed(old: sx.Rule | None, new: sx.Rule) -> set[str]:
    """What a class or a record gains when it is declared once more: several house rules may do that."""
    match old, new:
        case sx.ClassDecl(), sx.ClassDecl() if old.kind == new.kind:
            plural = {"plural"} if new.plural not in (None, old.plural) else set()
            return {a.name for a in new.attributes if a not in old.attributes} | plural
        case sx.RecordDecl(), sx.RecordDecl():
            return {f.name for f in new.fields if f not in old.fields}
        case sx.Enumeration(), sx.Enumeration() if gains_values(old, new):
            return {*new.values}
        case _:
            return set()


def gains_values(old: sx.Enumeration, new: sx.Enumeration) -> bool:
    """An enumeration that is opened again elsewhere, for values it does not have; a scale has an order."""
    return not old.ordered and not new.ordered and not {*old.values} & {*new.values}


def merged(old: sx.Rule, new: sx.Rule) -> sx.Rule:
    """A class or record that is declared once more gains attributes; anything else is replaced."""
    match old, new:
        case sx.ClassDecl(), sx.ClassDecl() if old.kind == new.kind:
            attributes = {a.name: a for a in (*old.attributes, *new.attributes)}
            plural = new.plural or old.plural
            return replace(new, plural=plural, attributes=tuple(attributes.values()))
        case sx.RecordDecl(), sx.RecordDecl():
            fields = {f.name: f for f in (*old.fields, *new.fields)}
            return replace(new, fields=tuple(fields.values()))
        case _:
            return new


def with_label(line: sx.Contribution | sx.Permission, label: str) -> sx.Contribution | sx.Permission:
    """A new line keeps the label of the line it replaces, unless it has one."""
    return line if line.label else replace(line, label=label)
