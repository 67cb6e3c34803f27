"""`in fight, before "roll 1d6": …`: a step put into the middle of a procedure, a phase or a token.

A step is found by its first words, as it was typed or as it would be laid out. What is touched is the place
between two steps, or the step that makes way: house rules that touch other lines go together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from typing import Any

from rulesdsl.base.diagnostics import did_you_mean
from rulesdsl.book.changes import Change
from rulesdsl.house.draft import Draft, title_of
from rulesdsl.house.edits import Edit, Key, Resolving
from rulesdsl.house.resolving.statements import declared, subject
from rulesdsl.language import syntax as sx
from rulesdsl.language.printing.printer import print_expr, print_rule
from rulesdsl.language.syntax import amendments as ax

Steps = sx.Procedure | sx.Token
_MOST_SHOWN = 8


@dataclass(frozen=True, slots=True)
class _Found:
    """A step, the block it stands in, and which of its steps it is."""

    step: sx.Stmt
    block: sx.Block
    index: int

    def gap(self, after: bool) -> str:
        """The place before or behind the step: what is behind one step is before the next."""
        first = self.block[0].span
        return f"gap {first.line}:{first.column}.{self.index + after}"

    def line(self, side: str) -> str:
        return f"line {self.step.span.line}:{self.step.span.column} {side}"


def change_steps(it: Resolving, node: ax.PutStep | ax.LeaveOut) -> Edit | None:
    """The edit, or None and a problem: nothing is called so, or no single step begins so."""
    holder = _holder(it, node)
    if holder is None:
        return None
    number, rule = holder
    found = [one for one in _steps(rule.body) if _begins(one.step, node.words)]
    if len(found) != 1:
        _no_single_step(it, node, rule, found)
        return None
    anchor = found[0]
    where = "leave out" if isinstance(node, ax.LeaveOut) else node.where
    body = () if isinstance(node, ax.LeaveOut) else node.body
    if where == "leave out" and len(anchor.block) == 1:
        hint = "leave out the step that holds it, or declare the whole anew"
        it.problem(
            "house-replace", f"nothing would be left of the block around `{node.words}`", node.span, hint
        )
        return None

    def changed(current: Steps) -> Steps:
        return _with_steps(current, anchor.step, where, body)

    parts = {
        "before": {anchor.gap(False), anchor.line("before")},
        "after": {anchor.gap(True), anchor.line("after")},
    }.get(where, {anchor.line("before"), anchor.line("after"), anchor.line("itself")})
    keys: frozenset[Key] = frozenset(("name", "rule", rule.name, part) for part in parts)
    what = f"what is done at `{_head(anchor.step)}` in {rule.name}"
    return _edit(it, node, number, rule, changed, keys, what)


def forbid_token(it: Resolving, node: ax.ForbidToken) -> Edit | None:
    """A condition more for a token; several house rules may each add theirs."""
    holder = _holder(it, node)
    if holder is None:
        return None
    number, rule = holder
    if not isinstance(rule, sx.Token):
        it.problem("unknown-name", f'"{node.name}" is no token', node.span, "write `forbid ACTION when …`")
        return None
    denied = sx.Not(node.condition, span=node.condition.span)

    def changed(current: Steps) -> Steps:
        assert isinstance(current, sx.Token)
        plays = tuple(
            replace(one, condition=denied if one.condition is None else _both(one.condition, denied))
            for one in current.plays
        )
        return replace(current, plays=plays)

    keys: frozenset[Key] = frozenset({("name", "rule", rule.name, f"when {print_expr(node.condition)}")})
    return _edit(it, node, number, rule, changed, keys, f"when the token {rule.name} may be played")


def _both(one: sx.Expr, other: sx.Expr) -> sx.Expr:
    parts = one.parts if isinstance(one, sx.Logic) and one.op == "and" else (one,)
    return sx.Logic("and", (*parts, other), span=one.span)


def _edit(
    it: Resolving, node: ax.PutStep | ax.LeaveOut | ax.ForbidToken, number: str, rule: Steps,
    changed: Callable[[Steps], Steps], keys: frozenset[Key], what: str,
) -> Edit:  # fmt: skip
    name = declared(rule)

    def apply(draft: Draft) -> None:
        opened = draft.amend(number)
        opened.rules = [
            (block, changed(one) if isinstance(one, Steps) and declared(one) == name else one)
            for block, one in opened.rules
        ]

    change = it.change("rule", subject(rule), "", print_rule(rule), print_rule(changed(rule)), node.span)
    changes: tuple[Change, ...] = (replace(change, paragraph=number, verb="amends"),)
    if number != it.section.paragraph:  # said elsewhere: the paragraph that holds it is changed all the same
        title = it.paragraphs[number].title
        told = it.change("paragraph", number, "", title, title, node.span)
        changes = (replace(told, paragraph=number, verb="amends"), *changes)
    return Edit(
        rule=it.rule, section=it.section, span=node.span, keys=keys, what=what, apply=apply, changes=changes
    )


def _holder(it: Resolving, node: ax.PutStep | ax.LeaveOut | ax.ForbidToken) -> tuple[str, Steps] | None:
    known: dict[str, tuple[str, Steps]] = {
        rule.name: (paragraph.id, rule)
        for paragraph in it.paragraphs.values()
        for rule in paragraph.rules
        if isinstance(rule, Steps)
    }
    if node.name not in known:
        others = {
            d[1]: p.id for p in it.paragraphs.values() for r in p.rules if (d := declared(r)) is not None
        }
        if node.name in others:
            message = f'"{node.name}" has no steps: only a procedure, a phase or a token has'
            it.problem(
                "unknown-name",
                message,
                node.span,
                f"it stands in {title_of(it.paragraphs, others[node.name])}",
            )
        else:
            message = f'no procedure, phase or token is called "{node.name}"'
            it.problem("unknown-name", message, node.span, did_you_mean(node.name, known))
        return None
    number, rule = known[node.name]
    if number in it.rewritten:
        message = f'"{node.name}" stands in {title_of(it.paragraphs, number)}, which a house rule writes anew'
        it.problem("house-clash", message, node.span, "put the step into the new paragraph")
        return None
    return number, rule


def _no_single_step(it: Resolving, node: ax.PutStep | ax.LeaveOut, rule: Steps, found: list[_Found]) -> None:
    if found:
        heads = list(dict.fromkeys(_head(one.step) for one in found))
        hint = f"write more of its words: {' or '.join(f'`{head}`' for head in heads[:3])}"
        if len(heads) == 1:
            hint = f"they are the same: declare {rule.name} anew under `## amends {it.section.paragraph}`"
        also = tuple(("here", one.step.span) for one in found)
        message = f"{len(found)} steps of {rule.name} begin with `{node.words}`"
        it.problem("ambiguous-name", message, node.span, hint, also)
        return
    heads = list(dict.fromkeys(_head(one.step) for one in _steps(rule.body)))
    first = node.words.split()[:1]
    near = [head for head in heads if head.split()[:1] == first] or heads
    shown = ", ".join(f"`{head}`" for head in near[:_MOST_SHOWN])
    it.problem("unknown-name", f"no step of {rule.name} begins with `{node.words}`", node.span,
               f"its steps begin with {shown}")  # fmt: skip


# ---- steps -------------------------------------------------------------------------------------------
def _steps(block: sx.Block) -> Iterator[_Found]:
    """Every step, those inside of others, too."""
    for index, step in enumerate(block):
        yield _Found(step, block, index)
        for inner in _blocks(step):
            yield from _steps(inner)


def _blocks(value: Any) -> Iterator[sx.Block]:
    """The blocks inside a step, not those inside of these."""
    for spec in fields(value):
        yield from _blocks_in(getattr(value, spec.name))


def _blocks_in(value: Any) -> Iterator[sx.Block]:
    if isinstance(value, tuple):
        if value and isinstance(value[0], sx.Stmt):
            yield value
        else:
            for part in value:
                yield from _blocks_in(part)
    elif isinstance(value, sx.Node) and not isinstance(value, sx.Expr):
        yield from _blocks(value)


def _with_steps(rule: Steps, anchor: sx.Stmt, where: str, body: sx.Block) -> Steps:
    """The statement with other steps at the anchor, which other changes may have made anew."""

    def is_anchor(step: sx.Stmt) -> bool:
        here, there = step.span, anchor.span
        return type(step) is type(anchor) and here.file is there.file and here == there

    def block(steps: sx.Block) -> sx.Block:
        made: list[sx.Stmt] = []
        for step in steps:
            new = node(step)
            if not is_anchor(step):
                made.append(new)
            elif where == "before":
                made += [*body, new]
            elif where == "after":
                made += [new, *body]
            else:
                made += body
        return tuple(made)

    def part(value: Any) -> Any:
        if isinstance(value, tuple):
            if value and isinstance(value[0], sx.Stmt):
                return block(value)
            return tuple(part(one) for one in value)
        if isinstance(value, sx.Node) and not isinstance(value, sx.Expr):
            return node(value)
        return value

    def node(value: Any) -> Any:
        made = {spec.name: part(getattr(value, spec.name)) for spec in fields(value) if spec.name != "span"}
        same = all(made[name] == getattr(value, name) for name in made)
        return value if same else replace(value, **made)

    return replace(rule, body=block(rule.body))


def _begins(step: sx.Stmt, words: str) -> bool:
    """Whether a step begins with these words, laid out or as typed."""
    wanted = " ".join(words.rstrip(" :").split())  # a text in quotes cannot hold quotes: they are left out
    span = step.span
    typed = " ".join(span.file.line(span.line)[span.column - 1 :].split())
    for text in (_laid_out(step).replace('"', ""), typed.replace('"', "")):
        rest = text[len(wanted) :]
        if wanted and text.startswith(wanted) and not (rest[:1].isalnum() or rest[:1] == "_"):
            return True
    return False


def _laid_out(step: sx.Stmt) -> str:
    text = print_rule(sx.Procedure("procedure", "it", (), None, (step,)))
    return " ".join(text.partition("\n")[2].split())


def _head(step: sx.Stmt) -> str:
    """Its first line, without the block that follows."""
    lines = print_rule(sx.Procedure("procedure", "it", (), None, (step,))).split("\n")[1:]
    return " ".join(lines[0].split()).rstrip(":").replace('"', "").split(": ")[0]
