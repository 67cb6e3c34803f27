"""What is known of a game as it stands: values of rules and of variables, for those who may know them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from interpreter.compiling.decision_points import MenuSite, Site, TravelSite
from interpreter.compiling.ir.values import Slot, Value
from interpreter.playing.counters import as_seen
from interpreter.playing.read_names import read_value
from interpreter.playing.standing import EVERYTHING, Standing
from interpreter.secrecy.who_knows import expressions_in
from rulesdsl import program as pg
from rulesdsl.base.diagnostics import UsageError, did_you_mean
from rulesdsl.program.types import Type
from rulesdsl.program.walk import uses_var


def value_of(session: Standing, name: str, arguments: Sequence[str], seat: str | None = EVERYTHING) -> str:
    """The value of a quantity or define, in the words of the game."""
    program = session.ruleset.program
    params, type_, role = _callable(program, name)
    values = read_arguments(session, name, params, arguments, seat)
    refuse_secrets(session, name, dict(zip(params, values, strict=True)), seat)
    compiled = session.ruleset.full
    return program.world.show(type_, compiled.ask(compiled.function(role, name), session.machine.s, *values))


def refuse_secrets(session: Standing, name: str, env: dict[pg.Var, Any], seat: str | None) -> None:
    """Nobody is told a number that was made of something he may not know."""
    if seat == EVERYTHING:
        return
    program = session.ruleset.program
    who = program.world.universes["player"].index.get(seat or "", -1)
    rule = program.quantities.get(name) or program.defines[name]
    if not all(may_know(session, e, env, who) for e in expressions_in(rule)):
        raise UsageError(f'"{name}" looks at something that {seat or "an onlooker"} may not know')


def read_arguments(
    session: Standing, name: str, params: tuple[pg.Var, ...], given: Sequence[str], seat: str | None
) -> list[Any]:
    """What was typed for the parameters of a rule, as values."""
    if len(params) != len(given):
        wanted = ", ".join(f"{p.name} ({p.type})" for p in params) or "nothing"
        raise UsageError(f'"{name}" takes {wanted}')
    players = session.ruleset.program.world.universes["player"].index
    who = None if seat == EVERYTHING else players.get(seat or "", -1)
    return [read_value(session, p.type, text, who) for p, text in zip(params, given, strict=True)]


def _callable(program: pg.Program, name: str) -> tuple[tuple[pg.Var, ...], Type, str]:
    if name in program.quantities:
        quantity = program.quantities[name]
        return quantity.params, quantity.type, "q"
    if name in program.defines:
        define = program.defines[name]
        return define.params, define.type, "d"
    known = [*program.quantities, *program.defines]
    hint = did_you_mean(name, known)
    raise UsageError(f'nothing that can be asked is called "{name}"' + (f"; {hint}" if hint else ""))


def may_know(session: Standing, e: pg.E, env: dict[pg.Var, Any], who: int | None = None) -> bool:
    """Whether a player (by default the one who has to decide) may know the value of an expression."""
    viewers = session.ruleset.full.blocks.secrecy.viewers(e)
    pending = session.machine.pending
    if who is None and pending is not None:
        who = pending.who
    if viewers is None or who is None or who < 0:
        return viewers is None
    try:
        return bool(session.ruleset.evaluate(session.machine.s, viewers, env) >> who & 1)
    except (KeyError, NameError):
        return False


def frame_env(session: Standing, env: tuple[tuple[pg.Var, Value], ...]) -> dict[pg.Var, Any]:
    """The values of the variables of the procedure that is asking."""
    frame = session.machine.stack[-1]
    return {
        var: frame[place.index] for var, place in env if isinstance(place, Slot) and place.index < len(frame)
    }


def names_around(session: Standing, site: Site | MenuSite | TravelSite) -> dict[str, str]:
    """The values of the variables of the procedure that is asking, in words."""
    state, pending = session.machine.s, session.machine.pending
    asked_one = pending.who if pending is not None else -1
    world = as_seen(session.ruleset, session.machine, asked_one).world
    env = frame_env(session, site.env)
    asked = frozenset(site.variables) if isinstance(site, Site) else frozenset[pg.Var]()
    names = {
        # what was chosen as `a unit where it …` is called `unit` from then on
        (var.type.of or var.name) if var.name == "it" else var.name: world.show(var.type, value)
        for var, value in env.items()
        if var.type.kind in ("thing", "enum")
        and isinstance(value, int)
        and var not in asked
        and may_know(session, pg.VarGet(var, type=var.type), env)
    }
    if isinstance(site, TravelSite):
        names["travelling_piece"] = world.universes["piece"].names[session.machine.stack[-1][site.piece_slot]]
    step = site.step
    if isinstance(step, pg.ChooseS) and step.action is not None:
        chosen = frozenset(c.var for c in step.candidates)
        action = session.ruleset.program.actions[step.action.action]
        for param, argument in zip(action.params, step.action.arguments, strict=True):
            if not uses_var(argument, chosen) and may_know(session, argument, env):
                value = session.ruleset.evaluate(state, argument, env)
                names[param.name] = world.show(argument.type, value)
    return names
