"""`search most_taken(man)`: what comes together at most when something is done again and again.

A search of twelve steps is twelve defines. Each asks, over everything that a step may choose, what the step
counts and what the next define would say once it had been done (`after jump(man, goal): …`); the last one
only what it counts. So a search is bounded, is asked of copies of the game, and is known to machine code,
secrets and `why` like any define: nothing leads back to itself.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from rulesdsl.checking.context import Context
from rulesdsl.language import syntax as sx

MOST_STEPS = 40


def said_whole(ctx: Context, node: sx.Search) -> bool:
    """Whether nothing of a search is missing; else it is told."""
    lacking = [
        f"`{part}`"
        for part, there in (
            ("each step a …", node.phrases), ("do …", node.procedure), ("at most … steps", node.bound),
        )
        if not there
    ]  # fmt: skip
    if node.more:
        message = f'"{node.more[0]}" stands twice in the search "{node.name}"'
        hint = "put what each step chooses into one line"
        ctx.problem("search", message, node.span, hint, about=(node.name,))
        return False
    if node.then is not None and node.leads_to != node.name:
        message = f'the search "{node.name}" goes on with itself, not with "{node.leads_to}"'
        ctx.problem("search", message, node.span, f"write `then {node.name}(…)`",
                    about=(node.name, node.leads_to))  # fmt: skip
        return False
    if lacking:
        message = f'the search "{node.name}" does not say {" and ".join(lacking)}'
        ctx.problem("search", message, node.span,
                    "a search says what each step chooses, what is done, and after how many steps it stops",
                    about=(node.name,))  # fmt: skip
        return False
    if node.bound > MOST_STEPS:
        message = f"a search of {node.bound:,} steps is too long, the most is {MOST_STEPS}"
        ctx.problem("search", message, node.span, about=(node.name,))
        return False
    return True


def levels_of(node: sx.Search) -> list[sx.Define]:
    """The defines that a search stands for; the first is called like it, no author can name the others."""
    names = [node.name, *(f"{node.name} {left}" for left in range(node.bound - 1, 0, -1))]
    return [_level(node, name, following) for name, following in zip(names, [*names[1:], None], strict=True)]


def is_level(name: str) -> bool:
    """Whether a define is one of those that no author wrote: what is wrong with it has been told above."""
    return " " in name


def _level(node: sx.Search, name: str, following: str | None) -> sx.Define:
    span = node.span
    value: sx.Expr = node.counting or sx.Number(Fraction(1), span=span)
    if following is not None:
        same = (sx.Argument(None, sx.Name(param.name, span=span), span=span) for param in node.params)
        given = node.then if node.then is not None else tuple(same)
        rest: sx.Expr = sx.Call(following, given, span=span) if given else sx.Name(following, span=span)
        then = sx.Afterwards(node.procedure, node.arguments, rest, span=span)
        value = sx.Arithmetic("+", value, then, span=value.span)
    for phrase in reversed(node.phrases):
        value = sx.ExtremeOf("greatest", value, _named(phrase), span=phrase.span)
    case = sx.Case(value, None, span=span)
    return sx.Define(name, node.params, (case,), node.wording if name == node.name else None, span=span)


def _named(phrase: sx.NounPhrase) -> sx.NounPhrase:
    """What a step chooses is called by its noun, unless it has a name of its own."""
    if phrase.alias is not None:
        return phrase
    return replace(phrase, tails=(sx.TailAs(phrase.words[-1], span=phrase.span), *phrase.tails))
