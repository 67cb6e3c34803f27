"""Statements that say what there is as canonical text: components and settings; types and parameters."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap
from typing import assert_never

from rulesdsl.language import syntax as sx
from rulesdsl.language.printing.expressions import Level, print_expr
from rulesdsl.language.printing.lines import INDENT, WIDTH, line
from rulesdsl.language.printing.statements import text_after


def component(rule: sx.Component) -> Iterator[str]:
    match rule:
        case sx.Enumeration(name, values, ordered):
            yield f"{'scale' if ordered else 'enum'} {name}: {', '.join(values)}"
        case sx.ClassDecl(name=name, attributes=(only,), said=True):
            yield line(_said(name, only), 0)
        case sx.ClassDecl(kind, name, plural, attributes):
            head = "token class" if kind == "token" else kind
            named = f" {name}" if name != kind else ""
            yield head + named + (f" plural {plural}" if plural else "")
            for attribute in attributes:
                yield line(_attribute(attribute), 1)
        case sx.GroupDecl(name, piece, attribute_name):
            yield f"group {name} from {piece}.{attribute_name}"
        case sx.TrackDecl(name, type_, default, visible_to, quiet, wording):
            head = f"{'quiet ' if quiet else ''}track {name}"
            yield line(
                f"{head}: {_type(type_)}{text_after(wording)}{_default(default)}{_visible(visible_to)}", 0
            )
        case sx.RecordDecl(name, fields):
            yield f"record {name}"
            yield from (line(_param(field), 1) for field in fields)
        case sx.Reading() if rule.wordings or rule.settled:
            yield from _worded_reading(rule)
        case sx.Reading(name, alternatives, chosen, reason):
            marked = [f"{a} (default)" if a in (chosen, *rule.more_defaults) else a for a in alternatives]
            yield line(f"reading {name}: {', '.join(marked)}{text_after(reason)}", 0)
        case sx.Option(name, type_, default, reason):
            yield line(f"option {name}: {_type(type_)}{_default(default)}{text_after(reason)}", 0)
        case sx.Parameter(name, value, reason):
            yield line(f"parameter {name} = {print_expr(value, Level.SUM)}{text_after(reason)}", 0)
        case _:
            assert_never(rule)


def _said(name: str, attribute: sx.Attribute) -> str:
    """`unit may be pinned "is pinned down", quietly` · `unit has aim: 1 to 6 = 3`"""
    told = f"{_visible(attribute.visible_to)}{', quietly' if attribute.quiet else ''}"
    if attribute.type.parts == ("flag",) and attribute.default is None and not attribute.per:
        return f"{name} may be {attribute.name}{text_after(attribute.wording)}{told}"
    of = f"{attribute.name}: {_type(attribute.type)}{_per(attribute)}{text_after(attribute.wording)}"
    return f"{name} has {of}{_default(attribute.default)}{told}"


def _worded_reading(rule: sx.Reading) -> Iterator[str]:
    yield f"reading {rule.name}"
    for name, words in zip(rule.alternatives, rule.wordings or ("",) * len(rule.alternatives), strict=True):
        chosen = name in (rule.default, *rule.more_defaults) and not rule.settled
        marked = " (default)" if chosen else ""
        yield from _long_text(name + marked, words)
    if rule.reason:
        yield from _long_text("because", rule.reason)


def _long_text(head: str, words: str) -> Iterator[str]:
    """A text behind its head, in as many lines as it takes."""
    if not words:
        yield " " * INDENT + head
        return
    rest = [words]
    if words == " ".join(words.split()):  # else blanks would be lost at the ends of lines
        first = wrap(
            words, max(WIDTH - INDENT - len(head) - 3, 20), break_long_words=False, break_on_hyphens=False
        )
        rest = first[:1] + wrap(
            words[len(first[0]) + 1 :], WIDTH - 2 * INDENT - 2, break_long_words=False, break_on_hyphens=False
        )
    yield f'{" " * INDENT}{head} "{rest[0]}"'
    yield from (f'{" " * 2 * INDENT}"{part}"' for part in rest[1:])


def _attribute(attribute: sx.Attribute) -> str:
    if attribute.is_identity:
        showing = f" showing {', '.join(attribute.showing)}" if attribute.showing else ""
        return f"{sx.IDENTITY}{_visible(attribute.visible_to)}{showing}"
    kind = ("quiet " if attribute.quiet else "") + ("printed " if attribute.printed else "")
    facts = _default(attribute.default) + _visible(attribute.visible_to)
    wording = text_after(attribute.wording)
    return f"{kind}{attribute.name}: {_type(attribute.type)}{_per(attribute)}{wording}{facts}"


def _per(attribute: sx.Attribute) -> str:
    """Several values instead of one: for each side of a counter, for each value of an enumeration."""
    return (" per face" if attribute.per_face else "") + (f" per {attribute.per}" if attribute.per else "")


def _type(type_: sx.Type) -> str:
    if type_.is_set:
        return f"set of {type_.parts[0]}"
    numbers = () if type_.low is None else (f"{type_.low} to {type_.high}",)
    return " or ".join((*numbers, *type_.parts))


def _default(value: sx.Expr | None) -> str:
    return "" if value is None else f" = {print_expr(value)}"


def _visible(who: sx.Expr | None) -> str:
    return "" if who is None else f" visible to {print_expr(who, Level.POSTFIX)}"


def _param(param: sx.Param) -> str:
    return param.name if param.type is None else f"{param.name}: {_type(param.type)}"


def in_parentheses(params: tuple[sx.Param, ...]) -> str:
    return f"({', '.join(map(_param, params))})" if params else ""


def in_a_head(param: sx.Param) -> str:
    """A parameter in the head of a define that is a sentence."""
    return _param(param)
