"""`at the same time each player chooses …`: nobody learns from it what another has chosen before all have.

The machine asks one after the other. That is the same as at once if what is chosen goes where others do not
see it, if nothing else happens meanwhile, and if nobody is offered anything that hangs on it. Then a table
may ask everybody at once: what one is offered is the same whatever the others choose.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulesdsl import program as pg
from rulesdsl.checking.context import Context
from rulesdsl.checking.whole.mentions import Mentions, expressions_in, mentions_of
from rulesdsl.program.following import set_off
from rulesdsl.program.walk import walk_steps
from rulesdsl.program.world import Attribute

Named = Sequence[tuple[str, str, Mentions]]
Key = tuple[str, str]
_ASKED = frozenset((pg.AttrGet,))


def check_together(ctx: Context, program: pg.Program, mentions: Named) -> None:
    by_name = {name: part for _, name, part in mentions if name}
    for procedure in program.procedures.values():
        for step in walk_steps(procedure.body):
            match step:
                case pg.ForS(body=(pg.ChooseS(together=True) as choice,)):
                    ctx.paragraph = step.paragraph
                    if not any(_told(ctx, program, inner) for inner in walk_steps(choice.body)):
                        _check_reads(ctx, by_name, step, choice)
                case _:
                    pass  # every other step takes its turn


def _told(ctx: Context, program: pg.Program, step: pg.S) -> bool:
    """Complain about a step that others would notice."""
    assert step.source is not None
    match step:
        case pg.LetS() | pg.IfS():
            return False
        case pg.SetAttr(attribute=attribute) | pg.MarkS(attribute=attribute) if attribute.visible_to is None:
            message = f'everybody sees "{attribute.name}" before all have chosen'
            hint = "declare it with `visible to it`, or set it in a `for each player: …` below"
        case pg.SetAttr(attribute=attribute) | pg.MarkS(attribute=attribute) if _shown(program, attribute):
            message = f'others see "{attribute.name}" before all have chosen'
            hint = "declare it with `visible to it`, and show it when all have chosen"
        case pg.SetAttr() | pg.MarkS():
            if not any(True for _ in set_off(program, step)):
                return False
            message = "this sets a trigger off before all have chosen"
            hint = "let the trigger wait for something that happens afterwards"
        case _:
            message = "while others still choose, nothing else may happen"
            hint = (
                "put away what was chosen (`set player.plan to …`), and go on with `for each player: …` below"
            )
    ctx.problem("together", message, step.source.span, hint)
    return True


def _shown(program: pg.Program, attribute: Attribute) -> bool:
    """Whether an opponent, a player by his name or all players see it; what hangs on the state may pass."""
    viewers = program.visibility[_key(attribute)].viewers if _key(attribute) in program.visibility else None
    return isinstance(viewers, pg.ClassSet) or any(
        (isinstance(part, pg.Const) and part.type.kind == "thing")
        or (isinstance(part, pg.BuiltinE) and part.name == "opponent")
        for part in expressions_in(viewers, frozenset((pg.Const, pg.BuiltinE)))
    )


def _check_reads(ctx: Context, by_name: dict[str, Mentions], loop: pg.ForS, choice: pg.ChooseS) -> None:
    """Nothing in the choice may look at what it writes, except at what the player has himself."""
    written = {_key(attribute) for attribute in _written(choice)}
    asked = (
        choice.candidates,
        choice.action,
        choice.out_action,
        choice.preferences,
        choice.count,
        choice.body,
    )
    seen = {
        _key(part.attribute)
        for part in expressions_in(asked, _ASKED)
        if isinstance(part, pg.AttrGet) and not (isinstance(part.of, pg.VarGet) and part.of.var is loop.var)
    }
    called = sorted(
        mentions_of(asked).called | {use.action for use in (choice.action, choice.out_action) if use}
    )
    for name in called:  # grows while it is gone through
        if name in by_name:
            seen |= by_name[name].attributes
            called += sorted(by_name[name].called - {*called})
    for _, name in sorted(seen & written):
        assert loop.source is not None
        message = f'what is offered hangs on "{name}", which the others are just choosing'
        hint = "put what is chosen into an attribute of its own, and use it when all have chosen"
        ctx.problem("together", message, loop.source.span, hint, about=(name,))


def _written(choice: pg.ChooseS) -> Iterator[Attribute]:
    for step in walk_steps(choice.body):
        if isinstance(step, (pg.SetAttr, pg.MarkS)):
            yield step.attribute


def _key(attribute: Attribute) -> Key:
    return attribute.universe, attribute.name
