"""`after play(figure, goal): …` looks at a position that one procedure leads to: nobody decides anything on
the way there, no die is rolled, and it does not ask what it would lead to itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_type

from rulesdsl import program as pg
from rulesdsl.checking.context import Context
from rulesdsl.checking.whole.circles import circles
from rulesdsl.checking.whole.mentions import Mentions, mentions_of
from rulesdsl.language import syntax as sx
from rulesdsl.program.following import following, next_procedures
from rulesdsl.program.walk import walk_steps

Named = Sequence[tuple[str, str, Mentions]]
Rules = Sequence[tuple[str, sx.Rule]]
_HINT = "put the steps that follow by themselves into a procedure of their own, and name that one"


def check_what_follows(ctx: Context, program: pg.Program, mentions: Named, rules: Rules) -> None:
    """Refuse what cannot be looked at before it has happened."""
    asked = [e for _, _, part in mentions for e in part.afterwards if e.procedure in program.procedures]
    refused = False
    for e in asked:
        ctx.paragraph = _paragraph(rules, e)
        refused = _is_refused(ctx, program, e) or refused
    if asked and not refused:
        _check_circles(ctx, program, mentions, rules, asked)


def _paragraph(rules: Rules, e: pg.AfterE) -> str:
    """Where the question stands: an action belongs to another paragraph than what forbids it."""
    if e.source is None:
        return ""
    place = e.source.span
    return next(
        (paragraph for paragraph, node in rules
         if node.span.file is place.file and node.span.line <= place.line <= node.span.end_line), "",
    )  # fmt: skip


def _is_refused(ctx: Context, program: pg.Program, e: pg.AfterE) -> bool:
    for name in following(program, e.procedure):
        for step in walk_steps(program.procedures[name].body):
            why = _not_by_itself(step)
            if not why or step.source is None or e.source is None:
                continue
            whose = f'"{e.procedure}"' if name == e.procedure else f'what follows "{e.procedure}"'
            message = f"{whose} cannot be looked at before it happens: {why}"
            ctx.problem("afterwards", message, e.source.span, _HINT, (("here", step.source.span),),
                        about=(e.procedure,))  # fmt: skip
            return True
    return False


def _not_by_itself(step: pg.S) -> str:
    step = pg.closed(step)
    match step:
        case pg.ChooseS() | pg.MenuS() | pg.TravelS():
            return "somebody decides on the way"
        case pg.ForS(chooser=chooser) if chooser is not None:
            return "somebody decides on the way"
        case pg.RollS() | pg.PickS() | pg.ShuffleS():
            return "chance decides on the way"
        case pg.TokenS() | pg.OpenS():
            return "tokens are played or change hands"
        case pg.EndS():
            return "it ends the game"
        case pg.RememberS():
            return "it remembers the position"
        case _:
            assert_type(step, pg.HappensByItself)
            return ""


def _check_circles(
    ctx: Context, program: pg.Program, mentions: Named, rules: Rules, asked: list[pg.AfterE]
) -> None:
    """Rules that such a procedure asks may not ask for what it leads to."""
    calls: dict[str, set[str]] = {}
    for _, name, part in mentions:
        if name:
            calls[name] = {*part.called, *(e.procedure for e in part.afterwards)}
    for name in program.procedures:
        calls[name] = calls.get(name, set()) | next_procedures(program, name)
    for trigger in program.triggers:
        part = mentions_of(trigger.condition)
        calls[trigger.procedure] |= {*part.called, *(e.procedure for e in part.afterwards)}
    reached = [e.procedure for e in asked]
    for name in reached:  # grows while it is gone through
        reached += sorted(calls.get(name, set()) - {*reached})
    inside = {name: calls.get(name, set()) & {*reached} for name in reached}
    for circle in circles(inside):
        names = {*circle}
        e = next((e for e in asked if e.procedure in names), asked[0])
        chain = " → ".join([*circle, circle[0]])
        ctx.paragraph = _paragraph(rules, e)
        if e.source is not None:
            message = f'what follows "{e.procedure}" leads back to itself: {chain}'
            ctx.problem("afterwards", message, e.source.span, about=(*circle,))
