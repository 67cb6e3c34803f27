"""Steps of procedures as instructions: each a line, what belongs to it inside."""

from __future__ import annotations

from typing import assert_never

from rulesdsl.language import syntax as sx
from rulesdsl.speaking.blocks import Item
from rulesdsl.speaking.clauses.filling import in_braces
from rulesdsl.speaking.clauses.tree import Thing, simple
from rulesdsl.speaking.clauses.words import words
from rulesdsl.speaking.english import article, in_words, listed
from rulesdsl.speaking.inline import capital, em, said, uncapital
from rulesdsl.speaking.say.expressions import Speaker
from rulesdsl.speaking.say.given_names import called_by

_CONDITIONS = (sx.Is, sx.Compare, sx.Logic, sx.Not, sx.Some, sx.NoneOf)
_SETTING = em("“")[:2]
_OUTCOMES = {"drawn": "the game is drawn", "nobody": "nobody wins"}


def say_steps(speaker: Speaker, block: sx.Block) -> tuple[Item, ...]:
    """The steps of a block, in order."""
    return tuple(item for step in block for item in _step(speaker, sx.closed(step)))


def _item(text: str, inside: tuple[Item, ...] = ()) -> Item:
    return Item(capital(text) + (":" if inside else "."), inside, ordered=len(inside) > 1)


def _step(speaker: Speaker, step: sx.AnyStmt) -> tuple[Item, ...]:
    match step:
        case sx.If(branches, otherwise):
            return _branches(speaker, branches, otherwise)
        case sx.ForEach(phrase, chooser, body, start, measure):
            order = ""
            if chooser is not None:
                order = f", in the order {speaker.say(chooser)} {_chooses(speaker, chooser)}"
            if start is not None:
                order = f", beginning with {speaker.say(start)} and going round"
            if measure is not None:
                order = f", in order of {speaker.say(measure)}, the least first"
            return (_item(f"for each {speaker.phrase(phrase)}{order}", say_steps(speaker, body)),)
        case sx.Repeat(times, condition, body):
            loop = f"repeat at most {_times(speaker, times)}{speaker.condition(condition, 'while')}"
            return (_item(loop, say_steps(speaker, body)),)
        case sx.With(record, arguments, body):
            given = [f"{in_words(a.name or '')}: {speaker.say(a.value)}" for a in arguments]
            opened = f"in {article(speaker.names.linked(record))} ({'; '.join(given)})"
            return (_item(opened, say_steps(speaker, body)),)
        case sx.Choose():
            return _choose(speaker, step, speaker.say(step.player))
        case sx.Together(phrase, choice):
            return _choose(speaker, choice, f"at the same time each {speaker.phrase(phrase)}")
        case sx.Menu():
            return _menu(speaker, step)
        case _:
            return (_item(_line(speaker, step)),)


def _times(speaker: Speaker, times: sx.Expr) -> str:
    said_times = speaker.say(times)
    if not said_times.isdigit():
        return f"{said_times} times" if said_times.startswith(_SETTING) else f"as many times as {said_times}"
    return {"1": "once", "2": "twice"}.get(said_times, f"{said_times} times")


def _branches(
    speaker: Speaker, branches: tuple[tuple[sx.Expr, sx.Block], ...], otherwise: sx.Block | None
) -> tuple[Item, ...]:
    made = []
    for number, (condition, body) in enumerate(branches):
        word = "otherwise, if" if number else "if"
        made.append(_short(f"{word} {speaker.say(condition)}", say_steps(speaker, body)))
    if otherwise:
        made.append(_short("otherwise", say_steps(speaker, otherwise)))
    return tuple(made)


def _short(head: str, inside: tuple[Item, ...]) -> Item:
    """A condition and a single step make one sentence."""
    if len(inside) == 1 and not inside[0].inside:
        return Item(capital(f"{head}: {uncapital(inside[0].text)}"))
    return _item(head, inside)


def _line(speaker: Speaker, step: sx.Simple) -> str:
    say = speaker.say
    match step:
        case sx.Let(name, value) if name in speaker.local_facts:
            return f"let “{in_words(name)}” mean that {say(value)}"
        case sx.Let(name, value):
            noun = speaker.local_nouns.get(name, "")
            called = called_by(name, noun) if noun else in_words(name)
            return f"let the {em(called)} be {say(value)}"
        case sx.Assign(sx.Attr(of, name), value) if speaker.as_deed(name, "it"):
            return _deed_kept(speaker, speaker.thing(of), name, value)
        case sx.Assign(target, sx.Name(id="none")):
            return f"{say(target)} is cleared"
        case sx.Assign(sx.Attr(of, name), sx.Name(id="true" | "false") as value) if (
            name in speaker.names.flags
        ):
            so = speaker.flagged(speaker.thing(of), name)
            return f"from now on {words(so.denied() if value.id == 'false' else so)}"
        case sx.Assign(sx.Keyed(name=name) as target, value) if speaker.says_series(name):
            if isinstance(value, sx.Name) and value.id in ("true", "false"):
                return f"from now on {speaker.denied(target) if value.id == 'false' else say(target)}"
            return f"from now on {say(target)} if {say(value)}, and otherwise not"
        case sx.Assign(sx.Attr(of, name), value) if name in speaker.names.record_flags:
            so = simple(speaker.thing(of), "is", in_words(name))
            if isinstance(value, sx.Name) and value.id in ("true", "false"):
                return f"from now on {words(so.denied() if value.id == 'false' else so)}"
            return f"from now on {words(so)} if {say(value)}, and otherwise not"
        case sx.Assign(target, sx.Logic("and", parts)) if not _is_condition(speaker, target):
            becomes = "become" if speaker.many(target) else "becomes"
            return f"{say(target)} {becomes} what {listed([say(part) for part in parts])} have in common"
        case sx.Assign(
            target, sx.Is() | sx.Compare() | sx.Logic() | sx.Not() | sx.Some() | sx.NoneOf() as value
        ):
            return f"set {say(target)} to whether {say(value)}"
        case sx.Assign(sx.Name(id=name), sx.Name(id="true" | "false") as value) if _is_fact(speaker, name):
            return (
                f"from now on {speaker.denied(sx.Name(name)) if value.id == 'false' else say(sx.Name(name))}"
            )
        case sx.Assign(sx.Name(id=name) as target, value) if _is_fact(speaker, name):
            return f"{say(target)} from now on if {say(value)}, and otherwise not"
        case sx.Assign(target, value):
            return f"{say(target)} {'become' if speaker.many(target) else 'becomes'} {say(value)}"
        case sx.Increase(target, value, sign):
            return (
                f"add {say(value)} to {say(target)}"
                if sign > 0
                else f"subtract {say(value)} from {say(target)}"
            )
        case sx.Mark(target, flag, until):
            end = f" until the end of the {speaker.names.linked(until)}" if until else ""
            if until and until.startswith("end_"):  # nobody says: until the end of the end
                end = f" until “{speaker.names.linked(until)}” is over"
            marked = speaker.flagged(speaker.thing(target), flag)
            if marked.wording.verb not in ("is", "are"):  # “has returned fire” is nothing to be marked as
                return f"note that {words(marked)}{end}"
            return f"mark {say(target)} as {em(marked.wording.rest.strip())}{end}"
        case sx.Unmark(target, flag):
            was = speaker.flagged(speaker.thing(target), flag)
            if was.wording.is_deed:
                return f"it is forgotten that {words(was)}"
            return f"{say(target)} {was.wording.no_longer(speaker.many(target))}"
        case sx.Move(pieces, place, placed):
            verb, to = ("place", "in") if placed else ("move", "to")
            return f"{verb} {listed([say(p) for p in pieces])} {to} {say(place)}"
        case sx.Remove(piece):
            return f"remove {say(piece)}"
        case sx.Put(piece, on_top):
            return f"put {say(piece)} {'on top' if on_top else 'at the bottom'} of its stack"
        case sx.Flip(piece, face):
            return f"flip {say(piece)}" + (f" to face {say(face)}" if face is not None else "")
        case sx.Swap(piece, other):
            return f"{say(piece)} and {say(other)} change places"
        case sx.Do(name, arguments):
            done = speaker.event(name, [speaker.handed(a.value) for a in arguments])
            worded = speaker.names.program.procedures[name].wording
            return done if worded else f"carry out {done}"
        case sx.Travel(player, piece, route):
            verb = "move" if speaker.many(player) else "moves"
            return f"{say(player)} {verb} {say(piece)} by {em(speaker.names.linked(route))}"
        case _:
            return _chance_or_end(speaker, step)


def _deed_kept(speaker: Speaker, owner: Thing, name: str, value: sx.Expr) -> str:
    """`set card.played_by to player`: “note that the card was played by the player”."""
    if value == sx.Name("none"):
        return f"from now on {words(speaker.lacks(name, owner))}"
    lasts = speaker.as_deed(name, "it").startswith("what it ") and " was " not in speaker.as_deed(name, "it")
    return f"{'from now on' if lasts else 'note that'} {words(speaker.done(owner, name, speaker.say(value)))}"


def _chance_or_end(
    speaker: Speaker, step: sx.OfChance | sx.OfTokens | sx.Jumping | sx.EndGame | sx.Note
) -> str:
    say = speaker.say
    match step:
        case sx.Roll(count, faces, name, purpose):
            what = "a die" if (count, faces) == (1, 6) else f"{count}d{faces}"
            why = f" for “{said(purpose)}”" if purpose else ""
            return f"roll {what}{why} ({say(sx.Name(name))})"
        case sx.Pool(dice, faces, counted, beyond, name, purpose):
            many = (
                "a die"
                if say(dice) == "1"
                else f"{say(dice)} dice"
                if _is_number(dice)
                else f"as many dice as {say(dice)}"
            )
            sides = "" if faces == 6 else f" with {faces} faces"
            which = f"{say(counted[0])} or {beyond}" if beyond else listed([*map(say, counted)], "or")
            why = f" for “{said(purpose)}”" if purpose else ""
            return f"roll {many}{sides}{why}; each that shows {which} counts (the {in_words(name)})"
        case sx.Pick(phrase):
            return f"chance picks {article(speaker.phrase(phrase))}"
        case sx.Shuffle(pieces):
            return f"shuffle {say(pieces)}"
        case sx.Remember(name):
            return f"remember the position and count how often it has occurred (the {in_words(name)})"
        case sx.Draw(player):
            return f"{say(player)} draws a token"
        case sx.ReturnToken(token):
            return f"{say(token)} goes back to the bag"
        case sx.Discard(token):
            return f"{say(token)} leaves the game"
        case sx.Give(token, player, openly):
            return f"give {say(token)} to {say(player)}" + (", for all to see" if openly else "")
        case sx.Show(token, players):
            return f"show {say(token)} to {say(players) if players is not None else 'everybody'}"
        case sx.OpenWindow(name):
            return f"tokens may be played: “{speaker.names.linked(name)}”"
        case sx.Cancel():
            return "what is going on is cancelled"
        case sx.Leave():
            return "stop repeating"
        case sx.Finish():
            return "nothing more is done here"
        case sx.EndGame():
            return outcome(speaker, step)
        case sx.Note(text, values):
            if values and not text.replace("{}", "").strip():
                return f"announce {listed([say(value) for value in values])}"
            # What is worked out stands in brackets: “[the unit’s trips] trips”.
            told = [say(v) if isinstance(v, sx.Name) or "{}" not in text else f"[{say(v)}]" for v in values]
            shown, left = in_braces(said(text), told)
            about = f": {listed([value for value in left if value])}" if left else ""
            return f"announce “{shown}”{about}"
        case _:
            assert_never(step)


def _is_number(expr: sx.Expr) -> bool:
    return isinstance(expr, sx.Number)


def outcome(speaker: Speaker, step: sx.EndGame) -> str:
    """How the game ends."""
    why = f" ({said(step.reason)})" if step.reason else ""
    if step.each is not None and step.ranked:
        by = ", then by ".join(map(speaker.say, step.ranked))
        return f"the game ends: each {speaker.phrase(step.each)} is ranked by {by}{why}"
    if step.each is not None and step.payoff is not None:
        return f"the game ends: each {speaker.phrase(step.each)} gets {speaker.say(step.payoff)}{why}"
    if step.winner is not None:
        verb = "win" if speaker.many(step.winner) else "wins"
        return f"the game ends: {speaker.say(step.winner)} {verb}{why}"
    return f"the game ends: {_OUTCOMES.get(step.outcome.split(' ')[0], in_words(step.outcome))}{why}"


# ---- decisions ---------------------------------------------------------------------------------------
def _is_condition(speaker: Speaker, target: sx.Expr) -> bool:
    """Whether what is set holds or does not; otherwise it is a group."""
    match target:
        case sx.Name(id=name):
            return name in speaker.local_facts or _is_fact(speaker, name)
        case sx.Attr(name=name):
            return speaker.names.is_flag(name) or name in speaker.names.record_flags
        case _:
            return True


def use_of_action(speaker: Speaker, action: sx.ActionUse) -> str:
    return speaker.deed(action.name, [speaker.say(a.value) for a in action.arguments])


def allowed(speaker: Speaker, action: sx.ActionUse) -> str:
    """“play the card” is allowed for the player"""
    return speaker.say(sx.Call(action.name, action.arguments))


def _allowed(speaker: Speaker, action: sx.ActionUse, label: str) -> str:
    """That something may be done; “that” where its words have just been said."""
    if speaker.names.program.actions[action.name].verb != label:
        return allowed(speaker, action)
    whom = listed([speaker.say(a.value) for a in action.arguments])
    return f"that is allowed for {whom}" if whom else "that is allowed"


def _choose(speaker: Speaker, step: sx.Choose, who: str) -> tuple[Item, ...]:
    nouns = [speaker.phrase(phrase) for phrase in step.phrases]
    if step.count is None:
        groups = [speaker.one_of(phrase) for phrase in step.phrases]
        what = listed([f"one of {g}" if g else article(n) for g, n in zip(groups, nouns, strict=True)])
    else:
        number = speaker.say(step.count.amount) if step.count.amount is not None else ""
        amount = f" {'one' if number == '1' else number}" if number else ""
        group = speaker.one_of(step.phrases[0])
        what = f"{step.count.kind}{amount} {'of ' if group and amount else ''}{group or nouns[0]}"
    often = " as often as wanted" if step.repeatedly else ""
    text = f"{who} {_chooses(speaker, step.player)}{often} {what}"
    if step.action is not None:
        text += f", where {allowed(speaker, step.action)}"
    if step.preferences:
        text += f", by preference {'; then '.join(speaker.say(p) for p in step.preferences)}"
    if step.way_out is not None:
        text += f", {'until' if step.repeatedly else 'or'} “{said(step.way_out.label)}”"
        if step.way_out.action is not None:
            text += f", if {_allowed(speaker, step.way_out.action, step.way_out.label)}"
    made = [_item(text, say_steps(speaker, step.body or ()))]
    if step.otherwise:
        made.append(_short("if nothing is chosen", say_steps(speaker, step.otherwise)))
    return tuple(made)


def _menu(speaker: Speaker, step: sx.Menu) -> tuple[Item, ...]:
    entries = tuple(_entry(speaker, item) for item in step.items)
    if step.may:
        only = step.items[0]
        head = f"{speaker.say(step.player)} may {_quoted(only.label)}{_terms(speaker, only)}"
        made = [_item(head, say_steps(speaker, only.body))]
    else:
        head = f"{speaker.say(step.player)} {_chooses(speaker, step.player)} one of:"
        made = [Item(capital(head), entries)]
    if step.otherwise:
        made.append(_short("otherwise", say_steps(speaker, step.otherwise)))
    return tuple(made)


def _entry(speaker: Speaker, item: sx.MenuItem) -> Item:
    return _short(f"{_quoted(item.label)}{_terms(speaker, item)}", say_steps(speaker, item.body))


def _terms(speaker: Speaker, item: sx.MenuItem) -> str:
    text = speaker.condition(item.condition)
    if item.action is not None:
        text += f", if {_allowed(speaker, item.action, item.label)}"
    return text


def _chooses(speaker: Speaker, player: sx.Expr) -> str:
    return "choose" if speaker.many(player) else "chooses"


def _is_fact(speaker: Speaker, name: str) -> bool:
    track = speaker.names.world.tracks.get(name)
    if track is None:  # a part of the record that is open
        return name in speaker.names.record_flags
    return track.type.kind == "flag"


def _quoted(label: str) -> str:
    return f"“{said(label)}”"
