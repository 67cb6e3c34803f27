"""Windows as ordinary procedures (desugaring): each player in turn is asked for a token to play."""

from __future__ import annotations

from rulesdsl import program as pg
from rulesdsl.language.conventions import CANCELLED
from rulesdsl.program.types import FLAG, NUMBER, set_of, thing


def window_procedure(program: pg.Program, window: pg.WindowRule) -> pg.ProcedureRule:
    """Ask each player in turn, as long as he holds something he may play here."""
    paragraph = window.paragraph
    asked = pg.Var("asked", thing("player"))
    who = pg.VarGet(asked, type=asked.type)
    players = window.asking or tuple(
        pg.Const(i, type=thing("player")) for i in range(len(program.world.universes["player"]))
    )
    body: list[pg.S] = []
    for player in players:
        body.append(pg.LetS(asked, player, paragraph=paragraph))
        body.append(_ask(program, window, who))
    return pg.ProcedureRule(
        f"window {window.name}", "window", paragraph, (), window.name.replace("_", " "), tuple(body)
    )


def window_of(program: pg.Program, step: pg.S) -> pg.WindowRule | None:
    """The window whose question this is, if it is one: no author wrote such a step."""
    if step.source is not None or not isinstance(step, pg.ChooseS | pg.MenuS):
        return None
    return next((w for w in program.windows.values() if _prompt(w) == step.prompt), None)


def _prompt(window: pg.WindowRule) -> str:
    return f"play a token ({window.name.replace('_', ' ')})"


def _ask(program: pg.Program, window: pg.WindowRule, who: pg.E) -> pg.S:
    token = pg.Var("token", thing("token"))
    what = pg.VarGet(token, type=token.type)
    if not program.tokens:
        return pg.IfS((), (), paragraph=window.paragraph)
    holder = pg.AttrGet(program.world.attributes["token", "holder"], what, type=thing("player"))
    held = pg.CompareE("=", holder, who, type=FLAG)
    playable = pg.PlayableE(window.name, (what, who), type=FLAG)
    test = pg.LogicE("and", (held, playable), type=FLAG)
    group = pg.Filter(pg.ClassSet(type=set_of("token")), token, test, type=set_of("token"))
    branches = tuple(
        (
            pg.CompareE("=", what, pg.Const(t.index, type=token.type), type=FLAG),
            (pg.DoS(t.procedure, (who,), paragraph=t.paragraph),),
        )
        for t in program.tokens.values()
    )
    cancelled = pg.TrackGet(CANCELLED, type=FLAG)
    stop = pg.IfS(
        ((cancelled, (pg.JumpS("finish", paragraph=window.paragraph),)),), (), paragraph=window.paragraph
    )
    prompt = _prompt(window)
    choose = pg.ChooseS(
        player=who,
        candidates=(pg.Candidate(token, group),),
        action=None,
        out_label="pass",
        out_action=None,
        prompt=prompt,
        preferences=(),
        body=(pg.IfS(branches, (), paragraph=window.paragraph), stop),
        otherwise=(pg.JumpS("leave", paragraph=window.paragraph),),
        paragraph=window.paragraph,
    )
    times = pg.Const(len(program.tokens), type=NUMBER)
    if not window.always:
        return pg.RepeatS(times, None, (choose,), paragraph=window.paragraph)
    # who has nothing to play here must be seen to think about it, as long as he holds anything
    hand = pg.Filter(pg.ClassSet(type=set_of("token")), token, held, type=set_of("token"))
    passed = pg.MenuS(
        who,
        prompt,
        (pg.MenuEntry("pass", None, None, (), window.paragraph),),
        None,
        (),
        paragraph=window.paragraph,
    )
    leave = pg.JumpS("leave", paragraph=window.paragraph)
    asked = pg.IfS(((pg.SomeE(hand, type=FLAG), (passed,)),), (), paragraph=window.paragraph)
    turn = pg.IfS(((pg.SomeE(group, type=FLAG), (choose,)),), (asked, leave), paragraph=window.paragraph)
    return pg.RepeatS(times, None, (turn,), paragraph=window.paragraph)
