"""Steps of procedures: what they change, who decides, what they bind.

One file: a step binds names for those behind it, so all kinds of step share one scope.
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from rulesdsl import program as pg
from rulesdsl.checking.bodies.assignments import assign, mark
from rulesdsl.checking.bodies.expressions import condition, expression, group, number
from rulesdsl.checking.bodies.meanings import params_of
from rulesdsl.checking.bodies.phrases import noun_phrase
from rulesdsl.checking.context import Context, Scope
from rulesdsl.checking.names.names import names_in_braces, space_of, values_in_braces
from rulesdsl.checking.names.references import arguments
from rulesdsl.language import syntax as sx
from rulesdsl.language.conventions import STILL_CHOOSING
from rulesdsl.program.logic import substituted
from rulesdsl.program.types import FLAG, NUMBER, UNKNOWN, Type, fits, set_of, thing

PLAYER = thing("player", nullable=True)
# Somebody who repeatedly chooses does so at most this often: what he may choose from runs out long before.
OFTEN = 10_000


def block(ctx: Context, scope: Scope, body: sx.Block) -> pg.Steps:
    """A block has a scope of its own: what it binds is forgotten after it."""
    inner = Scope({}, scope)
    return tuple(step for stmt in body for step in _step(ctx, inner, sx.closed(stmt)))


def _step(ctx: Context, scope: Scope, node: sx.AnyStmt) -> list[pg.S]:
    paragraph = ctx.paragraph
    match node:
        case sx.Let(name=name, value=value):
            found = expression(ctx, scope, value)
            if name in ctx.world.tracks:
                ctx.problem("hides-track", f'this variable hides the track "{name}"', node.span,
                            f"write `set {name} to …`, or choose another name", warning=True,
                            about=(name,))  # fmt: skip
            var = scope.names.get(name)
            if var is None or not fits(found.type, var.type):
                var = scope.bind(name, found.type, node.span)
            return [pg.LetS(var, found, paragraph=paragraph, source=node)]
        case sx.Assign(target=target, value=value):
            return assign(ctx, scope, node, target, value)
        case sx.Increase(target=target, value=value, sign=sign):
            op = "+" if sign > 0 else "-"
            total = sx.Arithmetic(op, target, value, span=node.span)
            return assign(ctx, scope, node, target, total)
        case sx.Mark(target=target, flag=flag, until=until):
            return mark(ctx, scope, node, target, flag, True, until)
        case sx.Unmark(target=target, flag=flag):
            return mark(ctx, scope, node, target, flag, False, None)
        case sx.Move(pieces=pieces, place=place, placed=placed):
            where = expression(ctx, scope, place, thing("space", nullable=True))
            verb = "place" if placed else "move"
            return [
                pg.MoveS(group(ctx, scope, p, "piece"), where, verb, paragraph=paragraph, source=node)
                for p in pieces
            ]
        case sx.Remove(piece=piece):
            nowhere = pg.Const(-1, type=thing("space", nullable=True))
            return [
                pg.MoveS(
                    group(ctx, scope, piece, "piece"), nowhere, "remove", paragraph=paragraph, source=node
                )
            ]
        case sx.Flip(piece=piece, face=face):
            what = expression(ctx, scope, piece, thing("piece", nullable=True))
            to = number(ctx, scope, face) if face is not None else None
            return [pg.FlipS(what, to, paragraph=paragraph, source=node)]
        case sx.Put(piece=piece, on_top=on_top):
            what = expression(ctx, scope, piece, thing("piece", nullable=True))
            if not ctx.world.stack:
                ctx.problem("stack", "no class of pieces keeps an order in its stacks", node.span,
                            "write `height: stack` under the class")  # fmt: skip
                return []
            return [pg.PutS(what, on_top, paragraph=paragraph, source=node)]
        case sx.Swap(piece=piece, other=other):
            return _swap(ctx, scope, node, piece, other)
        case sx.Do(name=name, arguments=given):
            if name not in ctx.procedures:
                ctx.unknown("no procedure or phase is called", name, node.span, ctx.procedures)
                return []
            ctx.used.add(name)
            ctx.done.setdefault(ctx.doing, set()).add(name)
            values = arguments(ctx, scope, name, given, params_of(ctx, name), node)
            return [pg.DoS(name, values, paragraph=paragraph, source=node)]
        case sx.Roll(count=count, faces=faces, name=name, purpose=purpose):
            var = scope.bind(name, Type("number", low=count, high=count * faces), node.span)
            if not 1 <= count <= 20 or not 2 <= faces <= 1000:
                ctx.problem("bad-dice", "roll 1 to 20 dice of 2 to 1000 faces", node.span)
                return []
            return [
                pg.RollS(
                    var, count, faces, purpose or f"{paragraph} {name}", paragraph=paragraph, source=node
                )
            ]
        case sx.Pool():
            return _pool(ctx, scope, node)
        case sx.Pick(phrase=phrase):
            members, member, _ = noun_phrase(ctx, scope, phrase)
            var = scope.bind(_name_of(phrase), member.type.or_none(), node.span)
            return [pg.PickS(var, members, f"{paragraph} {var.name}", paragraph=paragraph, source=node)]
        case sx.Shuffle(pieces=pieces):
            if not ctx.world.stack:
                ctx.problem("stack", "no class of pieces keeps an order in its stacks", node.span,
                            "write `height: stack` under the class")  # fmt: skip
                return []
            what = group(ctx, scope, pieces, "piece")
            return [pg.ShuffleS(what, f"{paragraph} shuffle", paragraph=paragraph, source=node)]
        case sx.Remember(name=name):
            var = scope.bind(name, NUMBER, node.span)
            return [pg.RememberS(var, paragraph=paragraph, source=node)]
        case sx.Draw(player=player):
            who = expression(ctx, scope, player, PLAYER)
            return _of_tokens(ctx, pg.TokenS("draw", None, who, paragraph=paragraph, source=node))
        case sx.ReturnToken(token=token) | sx.Discard(token=token):
            verb = "return" if isinstance(node, sx.ReturnToken) else "discard"
            what = expression(ctx, scope, token, thing("token", nullable=True))
            return _of_tokens(ctx, pg.TokenS(verb, what, None, paragraph=paragraph, source=node))
        case sx.Give(token=token, player=player, openly=openly):
            what = expression(ctx, scope, token, thing("token", nullable=True))
            who = expression(ctx, scope, player, PLAYER)
            return _of_tokens(ctx, pg.TokenS("give", what, who, openly, paragraph=paragraph, source=node))
        case sx.Show(token=token, players=players):
            what = expression(ctx, scope, token, thing("token", nullable=True))
            eyes = group(ctx, scope, players, "player") if players is not None else None
            return _of_tokens(
                ctx, pg.TokenS("show", what, eyes, eyes is None, paragraph=paragraph, source=node)
            )
        case sx.OpenWindow(name=name):
            if name not in ctx.windows:
                ctx.unknown("there is no window", name, node.span, ctx.windows)
                return []
            ctx.used.add(name)
            return [pg.OpenS(name, paragraph=paragraph, source=node)]
        case sx.Cancel():
            return [pg.JumpS("cancel", paragraph=paragraph, source=node)]
        case sx.Leave():
            return [pg.JumpS("leave", paragraph=paragraph, source=node)]
        case sx.Finish():
            return [pg.JumpS("finish", paragraph=paragraph, source=node)]
        case sx.EndGame(each=sx.NounPhrase() as each, ranked=measures) if measures:
            return _ranked(ctx, scope, node, each)
        case sx.EndGame(reason=reason, each=sx.NounPhrase() as each, payoff=payoff) if payoff is not None:
            members, member, _ = noun_phrase(ctx, scope, each)
            if not fits(member.type, thing("player")):
                ctx.mismatch("players", members.type, each.span)
                return []
            gain = number(ctx, scope.inner((_name_of(each), member), ("it", member)), payoff)
            return [pg.EndS("gets", members, reason or "", member, gain, paragraph=paragraph, source=node)]
        case sx.EndGame(outcome=outcome, winner=winner, reason=reason):
            winners = group(ctx, scope, winner, "player") if winner is not None else None
            return [pg.EndS(outcome, winners, reason or "", paragraph=paragraph, source=node)]
        case sx.Note(text=text, values=values):
            shown = tuple(expression(ctx, scope, v) for v in values)
            values_in_braces(ctx, text, len(values), node.span)
            return [pg.NoteS(text, shown, paragraph=paragraph, source=node)]
        case sx.Travel(player=player, piece=piece, route=route):
            return _travel(ctx, scope, node, player, piece, route)
        case sx.If(branches=branches, otherwise=otherwise):
            tests = tuple((condition(ctx, scope, t), block(ctx, scope, b)) for t, b in branches)
            return [pg.IfS(tests, block(ctx, scope, otherwise or ()), paragraph=paragraph, source=node)]
        case sx.ForEach(phrase=phrase, chooser=chooser, body=body, start=start, measure=measure):
            members, member, _ = noun_phrase(ctx, scope, phrase)
            chooses = expression(ctx, scope, chooser, PLAYER) if chooser is not None else None
            inner = Scope({}, scope)
            var = pg.Var(_name_of(phrase), member.type, phrase.span)
            inner.names |= {_name_of(phrase): var, "it": var}
            first = expression(ctx, scope, start, member.type) if start is not None else None
            by = number(ctx, inner, measure) if measure is not None else None
            return [
                pg.ForS(
                    var,
                    members,
                    chooses,
                    block(ctx, inner, body),
                    first,
                    by,
                    paragraph=paragraph,
                    source=node,
                )
            ]
        case sx.Repeat(times=times, condition=test, body=body):
            bound = number(ctx, scope, times)
            goes_on = condition(ctx, scope, test) if test is not None else None
            return [pg.RepeatS(bound, goes_on, block(ctx, scope, body), paragraph=paragraph, source=node)]
        case sx.With(record=record, arguments=given, body=body):
            return _with(ctx, scope, node, record, given, body)
        case sx.Choose():
            return [_choose(ctx, scope, node)] if not node.repeatedly else [_repeatedly(ctx, scope, node)]
        case sx.Together():
            return _together(ctx, scope, node)
        case sx.Menu():
            return [_menu(ctx, scope, node)]
        case _:
            assert_never(node)


def _ranked(ctx: Context, scope: Scope, node: sx.EndGame, each: sx.NounPhrase) -> list[pg.S]:
    """Each gets one for everybody behind him and loses one for everybody ahead: equals get the same."""
    members, member, _ = noun_phrase(ctx, scope, each)
    if not fits(member.type, thing("player")):
        ctx.mismatch("players", members.type, each.span)
        return []
    inner = scope.inner((_name_of(each), member), ("it", member))
    own = [number(ctx, inner, measure) for measure in node.ranked]
    other = pg.Var("rival", member.type, node.span)
    theirs = [substituted(value, {member: pg.VarGet(other, type=other.type)}) for value in own]

    def how_many(op: str) -> pg.E:
        """Those whose first measure that differs is less, or more, than his."""
        test: pg.E = pg.CompareE(op, theirs[-1], own[-1], type=FLAG)
        for mine, his in reversed([*zip(own[:-1], theirs[:-1], strict=True)]):
            level = pg.LogicE("and", (pg.CompareE("=", his, mine, type=FLAG), test), type=FLAG)
            test = pg.LogicE("or", (pg.CompareE(op, his, mine, type=FLAG), level), type=FLAG)
        return pg.CountE(pg.Filter(members, other, test, type=members.type), type=NUMBER)

    gain = pg.Arith("-", how_many("<"), how_many(">"), type=NUMBER)
    return [pg.EndS("gets", members, node.reason or "", member, gain, paragraph=ctx.paragraph, source=node)]


def _pool(ctx: Context, scope: Scope, node: sx.Pool) -> list[pg.S]:
    """Dice one by one, and how many of them count. The number is reckoned, not branched for: so it is known
    to whom it is put away for, like any die."""
    paragraph, many = ctx.paragraph, number(ctx, scope, node.dice)
    wanted = [number(ctx, scope, face) for face in node.counted]
    hits = scope.bind(node.name, Type("number", low=0), node.span)
    if not 2 <= node.faces <= 1000:
        ctx.problem("bad-dice", "roll dice of 2 to 1000 faces", node.span)
        return []
    always = {"more": 1, "less": node.faces}.get(node.beyond)
    for face, found in zip(node.counted, wanted, strict=True):
        if isinstance(found, pg.Const) and found.value == always:
            ctx.problem("bad-dice", f"a d{node.faces} is counted whatever it shows", face.span)
            return []
        if isinstance(found, pg.Const) and found.value not in range(1, node.faces + 1):
            ctx.problem("bad-dice", f"a d{node.faces} never shows {found.value}", face.span)
            return []
    aim = pg.Var("aim", NUMBER, node.span)  # what counts is settled before the first die
    die = pg.Var("die", Type("number", low=0, high=node.faces), node.span)
    shown, so_far = pg.VarGet(die, type=die.type), pg.VarGet(hits, type=NUMBER)

    def known(value: int) -> pg.Const:
        return pg.Const(value, type=NUMBER)

    tests = tuple(pg.CompareE("=", shown, face, type=FLAG) for face in wanted)
    test: pg.E = tests[0] if len(tests) == 1 else pg.LogicE("or", tests, type=FLAG)
    if node.beyond:
        op = ">=" if node.beyond == "more" else "<="
        test = pg.CompareE(op, shown, pg.VarGet(aim, type=NUMBER), type=FLAG)
    one_more = pg.Arith("+", so_far, pg.IfE(test, known(1), known(0), type=NUMBER), type=NUMBER)
    turn = (
        pg.RollS(
            die, 1, node.faces, node.purpose or f"{paragraph} {node.name}", paragraph=paragraph, source=node
        ),
        pg.LetS(hits, one_more, paragraph=paragraph, source=node),
        pg.LetS(die, known(0), paragraph=paragraph, source=node),  # odds count together what is alike
    )
    return [
        *([pg.LetS(aim, wanted[0], paragraph=paragraph, source=node)] if node.beyond else []),
        pg.LetS(hits, known(0), paragraph=paragraph, source=node),
        pg.RepeatS(many, None, turn, paragraph=paragraph, source=node),
        pg.NoteS(f"{node.name.replace('_', ' ')}: {{}}", (so_far,), paragraph=paragraph, source=node),
    ]


def _swap(ctx: Context, scope: Scope, node: sx.Swap, piece: sx.Expr, other: sx.Expr) -> list[pg.S]:
    """Both are found, and where they are, before either of them moves."""
    steps: list[pg.S] = []

    def kept(name: str, value: pg.E) -> pg.E:
        var = pg.Var(name, value.type, node.span)
        steps.append(pg.LetS(var, value, paragraph=ctx.paragraph, source=node))
        return pg.VarGet(var, type=value.type, source=value.source)

    one, two = (
        kept(name, expression(ctx, scope, written, thing("piece", nullable=True)))
        for name, written in (("swapped", piece), ("swapped_for", other))
    )
    here, there = kept("place_of_one", space_of(one)), kept("place_of_other", space_of(two))
    for who, where in ((one, there), (two, here)):
        alone = pg.SingleSet(who, type=set_of("piece", who.type.of), source=who.source)
        steps.append(pg.MoveS(alone, where, "move", paragraph=ctx.paragraph, source=node))
    return steps


def _of_tokens(ctx: Context, step: pg.TokenS) -> list[pg.S]:
    """A step with a token, in a game that has some."""
    if ctx.tokens:
        return [step]
    if (step.token is None or step.token.type.kind != "unknown") and step.source is not None:
        ctx.problem("unknown-name", "there are no tokens in this game", step.source.span,
                    'declare one: `token NAME "Title"`')  # fmt: skip
    return []


def _name_of(phrase: sx.NounPhrase) -> str:
    return phrase.alias or phrase.words[-1]


def _travel(
    ctx: Context, scope: Scope, node: sx.Stmt, player: sx.Expr, piece: sx.Expr, route: str
) -> list[pg.S]:
    if route not in ctx.routes:
        ctx.unknown("there is no route", route, node.span, ctx.routes)
        return []
    ctx.used.add(route)
    params = params_of(ctx, route)
    if len(params) != 1 or not fits(thing("piece"), params[0].type):
        ctx.problem(
            "wrong-arguments", f'"{route}" must take one piece to be travelled', node.span, about=(route,)
        )
    if ctx.routes[route][1].straight:
        ctx.problem(
            "not-travelled", f'"{route}" is a straight line: let its end be chosen', node.span, about=(route,)
        )
    if ctx.routes[route][1].exactly is not None:
        ctx.problem("not-travelled", f'"{route}" has exactly so many steps: let its end be chosen', node.span,
                    f"write `player chooses a space among {route}(…)`, then `move`",
                    about=(route,))  # fmt: skip
    who = expression(ctx, scope, player, PLAYER)
    what = expression(ctx, scope, piece, thing("piece", nullable=True))
    return [pg.TravelS(who, what, route, paragraph=ctx.paragraph, source=node)]


def _with(
    ctx: Context, scope: Scope, node: sx.With, record: str, given: tuple[sx.Argument, ...], body: sx.Block
) -> list[pg.S]:
    info = ctx.world.records.get(record)
    if info is None:
        ctx.unknown("there is no record", record, node.span, ctx.world.records)
        return []
    values: list[tuple[str, pg.E]] = []
    for argument in given:
        if argument.name is None or argument.name not in info.fields:
            ctx.unknown(f"a {record} has no", argument.name or "?", argument.span, info.fields)
            continue
        type_ = info.fields[argument.name]
        if type_.kind == "set":
            values.append((argument.name, group(ctx, scope, argument.value, type_.name, type_.of)))
        else:
            wanted = type_.or_none() if type_.kind == "thing" else type_
            values.append((argument.name, expression(ctx, scope, argument.value, wanted)))
    return [pg.WithS(record, tuple(values), block(ctx, scope, body), paragraph=ctx.paragraph, source=node)]


def action_use(ctx: Context, scope: Scope, node: sx.ActionUse | None) -> pg.UseOfAction | None:
    if node is None:
        return None
    if node.name not in ctx.actions:
        ctx.unknown("no action is called", node.name, node.span, ctx.actions)
        return None
    ctx.used.add(node.name)
    values = arguments(ctx, scope, node.name, node.arguments, params_of(ctx, node.name), node)
    return pg.UseOfAction(node.name, values)


def _choose(ctx: Context, scope: Scope, node: sx.Choose) -> pg.ChooseS:
    who = expression(ctx, scope, node.player, PLAYER)
    candidates: list[pg.Candidate] = []
    inner = Scope({}, scope)
    chosen = pg.Var("chosen", UNKNOWN)
    if node.count is not None:
        members, member, _ = noun_phrase(_quiet(ctx), inner, node.phrases[0])
        chosen = inner.bind("chosen", Type("set", member.type.name, member.type.of))
    for phrase in node.phrases:
        members, member, _ = noun_phrase(ctx, inner, phrase)
        # `it` inside the phrase and the chosen variable are the same thing
        inner.names |= {_name_of(phrase): member, "it": member}
        candidates.append(pg.Candidate(member, members))
    result: pg.Var | None = None
    count = number(ctx, scope, node.count.amount) if node.count and node.count.amount is not None else None
    after = Scope({}, scope) if node.body is not None else scope
    if node.count is not None:
        if len(node.phrases) != 1:
            ctx.problem("several-choices", "only one sort of thing can be chosen several times", node.span)
        result = chosen
        after.names[_name_of(node.phrases[0])] = chosen
    else:
        for phrase, candidate in zip(node.phrases, candidates, strict=True):
            after.names[_name_of(phrase)] = candidate.var
    names_in_braces(ctx, inner, node.prompt or "", node.span)
    use = action_use(ctx, inner, node.action)
    out_scope = scope.inner(("chosen", chosen)) if result is not None else scope
    out_use = action_use(ctx, out_scope, node.way_out.action) if node.way_out is not None else None
    preferences = tuple(condition(ctx, inner, p) for p in node.preferences)
    body = block(ctx, after, node.body or ())
    otherwise = block(ctx, scope, node.otherwise or ())
    return pg.ChooseS(
        player=who,
        candidates=tuple(candidates),
        action=use,
        out_label=node.way_out.label if node.way_out else None,
        out_action=out_use,
        prompt=node.prompt or "",
        preferences=preferences,
        body=body,
        otherwise=otherwise,
        result=result,
        count_kind=node.count.kind if node.count else "",
        count=count,
        paragraph=ctx.paragraph,
        source=node,
    )


def _together(ctx: Context, scope: Scope, node: sx.Together) -> list[pg.S]:
    """Everybody chooses by himself: one after the other for the machine, at once for who sits at the table.
    That nobody is offered or shown what another has chosen is asked of the whole (whole/simultaneous.py)."""
    members, member, _ = noun_phrase(ctx, scope, node.phrase)
    if not fits(member.type, thing("player")):
        ctx.mismatch("players", members.type, node.phrase.span)
        return []
    name = _name_of(node.phrase)
    var = pg.Var(name, member.type, node.phrase.span)
    choice = _choose(ctx, Scope({name: var, "it": var}, scope), node.choice)
    once = replace(choice, together=True)
    left = pg.Var(STILL_CHOOSING, members.type, node.phrase.span)
    return [pg.ForS(var, members, None, (once,), left=left, paragraph=ctx.paragraph, source=node)]


def _repeatedly(ctx: Context, scope: Scope, node: sx.Choose) -> pg.S:
    """As often as the player likes: a choice, until the way out is taken or nothing is left."""
    leave = (pg.JumpS("leave", paragraph=ctx.paragraph, source=node),)
    once = replace(_choose(ctx, Scope({}, scope), node), otherwise=leave)
    often = pg.Const(OFTEN, type=NUMBER, source=node)
    return pg.RepeatS(often, None, (once,), paragraph=ctx.paragraph, source=node)


def _quiet(ctx: Context) -> Context:
    """The same context with a problem list of its own, for looking at something twice."""
    return replace(ctx, problems=[], missed=set(ctx.missed), silent=True)


def _menu(ctx: Context, scope: Scope, node: sx.Menu) -> pg.S:
    who = expression(ctx, scope, node.player, PLAYER)
    names_in_braces(ctx, scope, node.prompt or "", node.span)
    entries = tuple(
        pg.MenuEntry(
            item.label,
            condition(ctx, scope, item.condition) if item.condition is not None else None,
            action_use(ctx, scope, item.action),
            block(ctx, scope, item.body),
            ctx.paragraph,
        )
        for item in node.items
    )
    otherwise = block(ctx, scope, node.otherwise or ())
    decline = "no" if node.may else None
    return pg.MenuS(who, node.prompt or "", entries, decline, otherwise, paragraph=ctx.paragraph, source=node)
