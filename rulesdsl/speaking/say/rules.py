"""Statements of a rules block as sentences: what it declares, forbids, changes and does."""

from __future__ import annotations

from rulesdsl.language import syntax as sx
from rulesdsl.speaking.blocks import Item
from rulesdsl.speaking.clauses.filling import filled
from rulesdsl.speaking.english import article, in_words, is_several, listed
from rulesdsl.speaking.inline import capital, em, plain, rule, said, strong
from rulesdsl.speaking.say.components import say_component
from rulesdsl.speaking.say.expressions import Speaker
from rulesdsl.speaking.say.given_names import facts_let, nouns_let
from rulesdsl.speaking.say.meanings import introduced, say_meaning, under_conditions, value_of
from rulesdsl.speaking.say.steps import say_steps

_VIA = {"across": "across", "into": "into", "ending in": "ending in", "in": "in"}


def say_rule(speaker: Speaker, node: sx.Rule) -> Item:
    """One statement: a sentence, and what hangs below it."""
    speaker.local_facts = facts_let(speaker.names, node)
    speaker.local_nouns = nouns_let(speaker.names, node)
    node = sx.closed(node)
    match node:
        case sx.Define():
            return say_meaning(speaker, node)
        case sx.Quantity() | sx.Modify():
            return _quantity(speaker, node)
        case sx.Permission():
            return _permission(speaker, node)
        case sx.Must():
            return _must(speaker, node)
        case sx.Action(name, params, verb):
            offered = _offered(speaker, verb or "", params)
            about = f", about {listed(introduced(speaker, params))}," if params else ""
            shown = f" that is offered as “{offered}”" if offered and offered != in_words(name) else ""
            return Item(f"“{strong(capital(in_words(name)))}”{about} is a decision{shown}.")
        case sx.Search():
            return _search(speaker, node)
        case sx.Route():
            return _route(speaker, node)
        case sx.Procedure(kind, name, params, title, body):
            if speaker.names.program.procedures[name].wording:
                happens = plain(speaker.event(name, [f"the {in_words(p.name)}" for p in params]))
                inside = say_steps(speaker, body)
                return Item(f"When {strong(happens)}:", inside, ordered=len(body) > 1)
            called = f" (“{said(title)}”)" if title and title != in_words(name) else ""
            shown = "The phase " if kind == "phase" else ""
            whom = f" for {listed(introduced(speaker, params))}" if params else ""
            head = f"{shown}“{strong(in_words(name))}”{whom}{called}"
            return Item(f"{capital(head)}:", say_steps(speaker, body), ordered=len(body) > 1)
        case sx.Trigger(event, condition, body):
            inside = say_steps(speaker, body)
            head = f"After {_event(speaker, event)}{speaker.condition(condition, ', if')}".replace(
                " , if", ", if"
            )
            return Item(f"{head}:", inside, ordered=len(inside) > 1)
        case sx.Window(name, asking, always):
            first, *then = [speaker.say(a) for a in asking] or [""]
            asked = f"{first} {'are' if asking and speaker.many(asking[0]) else 'is'} asked"
            whom = f"; {', then '.join([asked, *then])}" if first else ""
            whom += "; who holds a token is asked even if none can be played" if always else ""
            called = f"“{strong(capital(in_words(name)))}”"
            return Item(f"{called} is a moment at which tokens may be played{whom}.")
        case sx.Token():
            return _token(speaker, node)
        case _:
            return say_component(speaker, node)


def _search(speaker: Speaker, node: sx.Search) -> Item:
    """How far something can be carried on: what each step chooses, does and counts."""
    names = {param.name: in_words(param.name) for param in node.params}
    called = filled(said(node.wording), names) if node.wording else in_words(node.name)
    about = f" (about {listed(introduced(speaker, node.params))})" if node.params else ""
    chosen = listed([speaker.phrase(phrase) for phrase in node.phrases])
    values = [argument.value for argument in node.arguments]
    done = plain(speaker.event(node.procedure, [speaker.say(value) for value in values]))
    counts = speaker.say(node.counting) if node.counting is not None else "1"
    pairs = zip(node.params, node.then or (), strict=False)
    others = [
        f"{speaker.say(argument.value)} as {in_words(param.name)}"
        for param, argument in pairs
        if argument.value != sx.Name(param.name)
    ]
    goes_on = f"; the next step has {listed(others)}" if others else ""
    steps = f"{node.bound} step{'s' if node.bound > 1 else ''}"
    return Item(
        f"{strong(capital(called))}{about}: each step chooses {chosen}, and {done}; "
        f"it counts {counts}{goes_on}. What counts is the most that comes together in at most {steps}."
    )


def _offered(speaker: Speaker, verb: str, params: tuple[sx.Param, ...]) -> str:
    """What a player reads when it is offered, with “a zone” for the zone that is not known yet."""
    kinds = (in_words(p.type.parts[0] if p.type is not None and p.type.parts else p.name) for p in params)
    some = {
        p.name: kind if speaker.is_plural(kind) else article(kind)
        for p, kind in zip(params, kinds, strict=True)
    }
    return filled(said(verb), some)


# ---- quantities --------------------------------------------------------------------------------------
_STAGES = {
    "add": "added to", "multiply": "multiplied", "divide": "divided", "shift": "shifted", "set": "set",
    "limit": "limited",
}  # fmt: skip


def quantity_name(speaker: Speaker, node: sx.Quantity | sx.Modify) -> str:
    shown = value_of(node.name, strong(in_words(node.name)), introduced(speaker, node.params))
    return f"the {in_words(node.record)}’s {shown}" if node.record else f"the {shown}"


def _quantity(speaker: Speaker, node: sx.Quantity | sx.Modify) -> Item:
    name = quantity_name(speaker, node)
    if isinstance(node, sx.Modify):
        full = f"{node.record}.{node.name}" if node.record else node.name
        where = speaker.names.declared.get(full)
        head = (
            f"{name}"
            + (f" ({rule(where)})" if where else "")
            + f" change{'' if is_several(node.name) else 's'}:"
        )
    else:
        be = "are" if is_several(node.name) else "is"
        head = f"{name} {be} {speaker.say(node.base)}{_limits(speaker, node)}"
        head += ", changed by:" if node.contributions else "."
    inside = [Item(contribution(speaker, c)) for c in node.contributions]
    if isinstance(node, sx.Quantity) and node.stages:
        order = ", then ".join(_STAGES[stage] for stage in node.stages if stage in _STAGES)
        inside.append(Item(f"First it is {order}{speaker.condition(node.stages_when, 'if')}."))
    return Item(capital(head), tuple(inside))


def _limits(speaker: Speaker, node: sx.Quantity) -> str:
    text = f", rounded {node.rounding}" if node.rounding else ""
    if node.floor is not None:
        text += f", at least {speaker.say(node.floor)}"
    if node.ceiling is not None:
        text += f", at most {speaker.say(node.ceiling)}"
    return text


def change(speaker: Speaker, c: sx.Contribution) -> str:
    """`+1`, `halved, rounded down but at least 1`: what a contribution does."""
    amount = speaker.say(c.value)
    match c.op:
        case "x":
            text = "doubled" if amount == "2" else f"times {amount}"
        case "/":
            text = "halved" if amount == "2" else f"divided by {amount}"
        case "-":
            text = f"−{amount}" if amount.isdigit() else f"minus {amount}"
        case "=":
            text = f"is {amount}"
        case "shift":
            text = f"shifted by {amount}"
        case "+":
            text = f"+{amount}" if amount.isdigit() else f"plus {amount}"
        case _:
            text = f"{c.op} {amount}"
    text += f", rounded {c.rounding}" if c.rounding else ""
    return text + (f", but at least {speaker.say(c.floor)}" if c.floor is not None else "")


def contribution(speaker: Speaker, c: sx.Contribution) -> str:
    label = f"{em(said(c.label))}: " if c.label else ""
    amount = change(speaker, c)
    shown = strong(amount) if len(plain(amount)) < 40 else amount
    later = f", after {listed([rule(ref.id) for ref in c.later])}" if c.later else ""
    text = f"{label}{shown}{later}{speaker.condition(c.condition)}{despite(c.despite)}."
    return text if c.label else capital(text)


def despite(refs: tuple[sx.ParagraphRef, ...]) -> str:
    return f", despite {listed([rule(ref.id) for ref in refs])}" if refs else ""


# ---- permissions -------------------------------------------------------------------------------------
def permission(speaker: Speaker, node: sx.Permission) -> str:
    """`March into a zone is forbidden when …: “held by the enemy”.`"""
    label = f" ({said(node.label)})" if node.label else ""
    terms = speaker.condition(node.condition)
    return f"{_verdict(speaker, node)}{terms}{despite(node.despite)}{label}."


def _deed(speaker: Speaker, name: str) -> str:
    """A decision as the subject of a sentence: a verb by itself, quoted where it is several words."""
    if name in speaker.names.program.routes and (called := speaker.names.way(name)) != in_words(name):
        return f"the {speaker.names.linked(name, called)}"
    return (
        f"“{speaker.names.linked(name, in_words(name))}”" if "_" in name else em(speaker.names.linked(name))
    )


def _verdict(speaker: Speaker, node: sx.Permission) -> str:
    if len(node.actions) > 1 and any("_" in name for name in node.actions):  # all of them alike
        actions = listed([f"“{speaker.names.linked(name, in_words(name))}”" for name in node.actions])
    elif len(node.actions) > 1 and all(name in speaker.names.program.routes for name in node.actions):
        quoted = [f"“{speaker.names.linked(name, in_words(name))}”" for name in node.actions]
        actions = f"the ways {listed(quoted)}"
    else:
        actions = listed([_deed(speaker, name) for name in node.actions])
    via = f" {_VIA.get(node.via, node.via)} {article(in_words(node.via_name or ''))}" if node.via else ""
    be, ending = ("are", "") if len(node.actions) > 1 else ("is", "s")
    if node.kind == "stop":
        return capital(f"{actions} stop{ending}{via}")
    return capital(f"{actions}{via} {be} {'forbidden' if node.kind == 'forbid' else 'allowed'}")


def _permission(speaker: Speaker, node: sx.Permission) -> Item:
    if node.condition is None:
        return Item(permission(speaker, node))
    label = f" ({said(node.label)})" if node.label else ""
    made = under_conditions(
        speaker, f"{_verdict(speaker, node)}{despite(node.despite)}{label} when", node.condition
    )
    return made if made.inside else Item(permission(speaker, node))


def _must(speaker: Speaker, node: sx.Must) -> Item:
    """“End combats has to wait when …, until: …”, what is wanted first at the top."""
    label = f" ({said(node.label)})" if node.label else ""
    terms = speaker.condition(node.condition)
    rungs = []
    for number, rung in enumerate(node.rungs):
        text = f"{'failing that, ' if number else ''}{speaker.say(rung.met)}"
        text += f" (required while {speaker.say(rung.possible)})" if rung.possible is not None else ""
        shown = f"{em(capital(said(rung.label)))}: {text}." if rung.label else f"{capital(text)}."
        rungs.append(Item(shown))
    action = _deed(speaker, node.action)
    return Item(f"{capital(action)} has to wait{label}{terms}, until:", tuple(rungs), ordered=True)


# ---- routes, events, tokens --------------------------------------------------------------------------
def _route(speaker: Speaker, node: sx.Route) -> Item:
    say = speaker.say
    lines: list[str] = []
    if node.origin != sx.Name("none"):
        lines.append(f"begins at {say(node.origin)}")
    if node.along is not None:
        lines.append(f"goes along {in_words(node.along)}{speaker.condition(node.along_where, 'where')}")
    if node.cost is not None:
        lines.append(f"each step costs {say(node.cost)}")
    if node.budget is not None:
        lines.append(f"may cost {say(node.budget)} in all")
    if node.minimum:
        lines.append(f"has at least {node.minimum} step{'s' if node.minimum > 1 else ''}")
    for word, count in (
        ("may always have", node.always),
        ("has at most", node.maximum),
        ("has exactly", node.exactly),
    ):
        if count is not None:
            number = say(count)
            many = f"{number} step{'' if number == '1' else 's'}"
            lines.append(f"{word} {many if number.isdigit() else f'as many steps as {number}'}")
    for name, condition in node.through:
        lines.append(f"leads only through {_those(speaker, name, condition)}")
    for name, condition in node.ending:
        lines.append(f"ends only in {_those(speaker, name, condition)}")
    if node.straight:
        lines.append("is straight")
    inside = [Item(f"{capital(line)}.") for line in lines]
    if node.preferences:
        rungs = tuple(
            Item(capital(say(p.condition)) + (f" ({said(p.label)})." if p.label else "."))
            for p in node.preferences
        )
        inside.append(Item("Takes the first of these that is possible:", rungs, ordered=True))
    shown = value_of(node.name, strong(speaker.names.way(node.name)), introduced(speaker, node.params))
    is_a = "" if speaker.names.says_way(node.name) else " is a way that"
    return Item(f"The {shown}{is_a}:", tuple(inside))


def _those(speaker: Speaker, name: str, condition: sx.Expr | None) -> str:
    """“zones that are open to supply for the unit”"""
    if condition is None:
        return in_words(name)
    universe, cls = speaker.names.world.nouns.get(name, ("", ""))
    member = cls or universe
    return f"{in_words(name)} {speaker.relative(condition, speaker.is_plural(name), (member,))}"


def _event(speaker: Speaker, event: sx.Event) -> str:
    subject = in_words(event.subject)
    match event.kind:
        case "changes":
            return f"the {in_words(event.object or '')} of {article(subject)} changes"
        case "begins" | "ends":
            return f"the phase “{speaker.names.linked(event.subject)}” {event.kind}"
        case "enters" | "leaves":
            return f"{article(subject)} {event.kind} {article(in_words(event.object or ''))}"
        case _:
            return f"{article(subject)} is {event.kind}"


def _token(speaker: Speaker, node: sx.Token) -> Item:
    plays = tuple(Item(play_in(speaker, play)) for play in node.plays)
    effect = Item("Then:", say_steps(speaker, node.body), ordered=len(node.body) > 1)
    return Item(f"{strong(said(node.title))} is a token.", (*plays, effect))


def play_in(speaker: Speaker, play: sx.PlayIn) -> str:
    by = f" by {speaker.say(play.by)}" if play.by is not None else ""
    moment = f"at the moment “{speaker.names.linked(play.window)}”"
    return f"May be played {moment}{by}{speaker.condition(play.condition)}."
