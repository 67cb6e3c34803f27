"""Steps of procedures: what changes, what chance brings, what repeats; decisions are in `choosing`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from rulesdsl.program.types import Type, thing
from tests.fuzzing.book import Attribute, Saying, Variable
from tests.fuzzing.numbers import number
from tests.fuzzing.phrases import any_phrase, phrase_of
from tests.fuzzing.talk import ATOM, NOUNS, OR, SUM, Talk, arguments, at, same, say
from tests.fuzzing.things import enumerated, group, thing_of
from tests.fuzzing.truths import truth

INDENT = "    "


@dataclass(frozen=True)
class Doing:
    """Where a step stands: what is known, how deep, whether there is a loop to leave, whom it may ask."""

    talk: Talk
    depth: int
    loop: bool = False
    asks: bool = True
    token: bool = False  # inside what a token does
    quiet: bool = False  # nothing here may be seen by those who do not know a secret
    repeats: int = 0  # loops around this one
    plain: bool = False  # no choices and no chance: others look at what would follow
    still: bool = False  # besides, nothing that sets anything off

    def deeper(self, *more: Variable, loop: bool | None = None) -> Doing:
        return replace(
            self,
            talk=self.talk.with_(*more),
            depth=self.depth - 1,
            loop=self.loop if loop is None else loop,
            repeats=self.repeats + (loop is True),
        )


def indented(lines: list[str]) -> list[str]:
    return [INDENT + line for line in lines]


def steps(doing: Doing, count: int) -> list[str]:
    """Some steps one after the other; what one binds the next may use."""
    lines: list[str] = []
    for _ in range(count):
        found, doing = step(doing)
        lines += found
    return lines or ['note "nothing"']


def block(doing: Doing, count: int = 0) -> list[str]:
    """The steps after a colon, on lines of their own."""
    return indented(steps(doing, count or doing.talk.book.luck.choice([1, 1, 2, 3])))


def step(doing: Doing) -> tuple[list[str], Doing]:
    from tests.fuzzing.choosing import CHOICES

    luck, book = doing.talk.book.luck, doing.talk.book
    ways: list[Step]
    if doing.still:
        ways = [_note, _let, _mark]
    elif doing.plain:
        ways = [_let, _assign, _assign, _add, _mark, _move, _move, _flip, _note]
        ways += [_if, _for, _repeat, _with] if doing.depth > 0 else []
    elif doing.quiet:
        ways = [_note, _note, _let, _secret_change]
    else:
        ways = [
            _let, _assign, _assign, _add, _mark, _mark, _move, _move, _flip, _roll, _pool, _pick, _note,
            _jump, _secret_change, _secret_note, _remember,
        ]  # fmt: skip
        if book.stacked:
            ways += [_stack]
        if book.tokens:
            ways += [_token, _token]
            ways += [_open] if doing.asks and book.windows and not doing.token else []
    if doing.depth > 0 and not doing.quiet and not doing.plain and not doing.still:
        ways += [_if, _if, _for, _for, _with, _do, _do, _secret_loop]
        ways += [_repeat] if doing.repeats < 2 else []
        if doing.asks and doing.repeats < 3:
            ways += CHOICES
    for _ in range(8):
        if (found := luck.choice(ways)(doing)) is not None:
            return found
    return ['note "a step"'], doing


Step = Callable[[Doing], tuple[list[str], Doing] | None]


def _openly(doing: Doing) -> Talk:
    return doing.talk.openly()


def _named(doing: Doing, *wanted: str) -> str:
    """A name for something new in a procedure; it may hide an older one, but nothing the whole book knows."""
    luck = doing.talk.book.luck
    word = luck.choice(wanted or ("total", "amount", "found", "chance", "result", "other", "first", "rest"))
    return f"{word}_{luck.randint(1, 3)}"


def _let(doing: Doing) -> tuple[list[str], Doing]:
    luck, book = doing.talk.book.luck, doing.talk.book
    secret = luck.random() < 0.25
    talk = replace(doing.talk, secret=secret) if book.disciplined else doing.talk
    wanted = luck.choice([Type("number"), Type("number"), Type("flag"), *_values(doing)])
    value = say(talk, wanted, 2)
    name = _named(doing)
    # whatever a secret expression may have looked at, the variable is treated as one
    bound = Variable(name, replace(wanted, low=None, high=None), secret and book.disciplined)
    return [f"let {name} = {at(value, NOUNS)}"], replace(doing, talk=doing.talk.with_(bound))


def _values(doing: Doing) -> list[Type]:
    book = doing.talk.book
    found = [Type("enum", name) for name in book.enums]
    found += [thing("space", cls) for cls in book.spaces] + [thing("piece", cls) for cls in book.pieces]
    found += [Type("set", "piece", cls) for cls in book.pieces] + [
        Type("set", "space", cls) for cls in book.spaces
    ]
    return [*found, thing("player")]


def _changeable(doing: Doing, wanted: Callable[[Attribute], bool], secret: bool) -> list[Attribute]:
    return [
        a for a in doing.talk.book.attributes
        if not a.printed and a.type.kind != "text" and wanted(a)
        and (a.secret if secret else not (a.secret and doing.talk.book.disciplined))
    ]  # fmt: skip


def _assign(doing: Doing) -> tuple[list[str], Doing] | None:
    return _assigned(doing, secret=False)


def _secret_change(doing: Doing) -> tuple[list[str], Doing] | None:
    return _assigned(doing, secret=True)


def _assigned(doing: Doing, secret: bool) -> tuple[list[str], Doing] | None:
    """`set … to …`; a secret may go into what is secret only (where the book is disciplined)."""
    luck, book = doing.talk.book.luck, doing.talk.book
    value_talk = replace(doing.talk, secret=secret) if book.disciplined else doing.talk
    found = _changeable(doing, lambda a: True, secret)
    tracks = [t for t in book.tracks if (t.secret if secret else not (t.secret and book.disciplined))]
    hidden = {v.name for v in doing.talk.known}
    tracks = [t for t in tracks if t.name not in hidden]
    fields = [] if secret and book.disciplined else [
        (record, part) for record, parts in book.records.items() for part in parts if not part.secret
    ]  # fmt: skip
    choices: list[tuple[str, Type]] = [(t.name, t.type) for t in tracks]
    choices += [(f"{record}.{part.name}", part.type) for record, part in fields]
    if found and (not choices or luck.random() < 0.6):
        attribute = luck.choice(found)
        if luck.random() < 0.15 and attribute.universe in ("piece", "space") and not doing.quiet:
            owner = at(group(_openly(doing), attribute.universe, attribute.owner, 1), ATOM)
            if owner != book.noun(attribute.universe, attribute.owner, many=True):
                owner = owner if owner.startswith("(") else f"({owner})"
            return None if owner.startswith("(") and " " not in owner else _mark_all(doing, attribute, owner)
        thing_text = thing_of(_openly(doing), attribute.universe, attribute.owner, 1)
        target, type_ = f"{at(thing_text, ATOM)}.{attribute.name}", attribute.type
    elif choices:
        target, type_ = luck.choice(choices)
    else:
        return None
    series = [a for a in book.series if (a.secret if secret else not (a.secret and book.disciplined))]
    if series and luck.random() < 0.3:
        one = luck.choice(series)
        owner = at(thing_of(_openly(doing), one.universe, one.owner, 1), ATOM)
        target, type_ = f"{owner}.{one.name}[{at(enumerated(_openly(doing), one.per, 1), OR)}]", one.type
    value = at(say(value_talk, type_, 2), NOUNS)
    if type_.nullable and luck.random() < 0.15:
        value = "none"
    if type_.low is not None and type_.high is not None:
        value = (
            f"clamp({value}, {type_.low}, {type_.high})"
            if luck.random() < 0.8
            else str(luck.randint(type_.low, type_.high))
        )
    return [f"set {target} to {value}"], doing


def _mark_all(doing: Doing, attribute: Attribute, owner: str) -> tuple[list[str], Doing] | None:
    if attribute.type.kind != "flag":
        return None
    return [f"{doing.talk.book.luck.choice(['mark', 'unmark'])} {owner} as {attribute.name}"], doing


def _add(doing: Doing) -> tuple[list[str], Doing] | None:
    luck, book = doing.talk.book.luck, doing.talk.book
    numbers = _changeable(doing, lambda a: a.type.kind == "number" and a.type.low is None, secret=False)
    hidden = {v.name for v in doing.talk.known}
    tracks = [
        t.name for t in book.tracks
        if t.type.kind == "number" and not (t.secret and book.disciplined) and t.name not in hidden
    ]  # fmt: skip
    if numbers and (not tracks or luck.random() < 0.6):
        attribute = luck.choice(numbers)
        target = (
            f"{at(thing_of(_openly(doing), attribute.universe, attribute.owner, 1), ATOM)}.{attribute.name}"
        )
    elif tracks:
        target = luck.choice(tracks)
    else:
        return None
    amount = at(number(_openly(doing), 1), SUM)
    verb, to = luck.choice([("add", "to"), ("subtract", "from")])
    return [f"{verb} {amount} {to} {target}"], doing


def _mark(doing: Doing) -> tuple[list[str], Doing] | None:
    luck, book = doing.talk.book.luck, doing.talk.book
    flags = _changeable(doing, lambda a: a.type.kind == "flag", secret=False)
    if not flags:
        return None
    flag = luck.choice(flags)
    owner = (
        thing_of(_openly(doing), flag.universe, flag.owner, 2)
        if luck.random() < 0.7
        else group(_openly(doing), flag.universe, flag.owner, 1)
    )
    if luck.random() < 0.3:
        return [f"unmark {at(owner, ATOM)} as {flag.name}"], doing
    until = f" until end of {luck.choice(book.phases).name}" if book.phases and luck.random() < 0.4 else ""
    return [f"mark {at(owner, ATOM)} as {flag.name}{until}"], doing


def _move(doing: Doing) -> tuple[list[str], Doing] | None:
    luck, book, talk = doing.talk.book.luck, doing.talk.book, _openly(doing)
    if not book.pieces:
        return None
    piece = thing_of(talk, "piece", "", 2) if luck.random() < 0.8 else group(talk, "piece", "", 1)
    place = at(thing_of(talk, "space", "", 2), ATOM)
    roll = luck.random()
    if roll < 0.5:
        return [f"move {at(piece, ATOM)} to {place}"], doing
    if roll < 0.8:
        several = [at(thing_of(talk, "piece", "", 1), ATOM) for _ in range(luck.choice([0, 0, 1]))]
        return [f"place {', '.join([at(piece, ATOM), *several])} in {place}"], doing
    if roll > 0.97:
        one, other = (at(thing_of(talk, "piece", "", 1), ATOM) for _ in range(2))
        return [f"swap {one} and {other}"], doing
    return [f"remove {at(piece, ATOM)}"], doing


def _flip(doing: Doing) -> tuple[list[str], Doing] | None:
    if not doing.talk.book.pieces:
        return None
    piece = at(thing_of(_openly(doing), "piece", "", 2), ATOM)
    face = f" to face {doing.talk.book.luck.randint(0, 1)}" if doing.talk.book.maybe(0.3) else ""
    return [f"flip {piece}{face}"], doing


def _roll(doing: Doing) -> tuple[list[str], Doing]:
    luck = doing.talk.book.luck
    count, faces = luck.choice([(1, 6), (1, 6), (2, 6), (1, 3), (1, 10)])
    name = _named(doing, "die", "sign", "fate")
    purpose = luck.choice(["", ' for "battle"', ' for "decide("', ' for "the weather"'])
    bound = Variable(name, Type("number", low=count, high=count * faces))
    return [f"roll {count}d{faces} as {name}{purpose}"], replace(doing, talk=doing.talk.with_(bound))


def _remember(doing: Doing) -> tuple[list[str], Doing]:
    name = _named(doing, "times")
    return [f"remember the position as {name}"], replace(
        doing, talk=doing.talk.with_(Variable(name, Type("number")))
    )


def _stack(doing: Doing) -> tuple[list[str], Doing]:
    luck, talk, cls = doing.talk.book.luck, _openly(doing), doing.talk.book.stacked
    if luck.random() < 0.4:
        return [f"shuffle {at(group(talk, 'piece', cls, 2), ATOM)}"], doing
    piece = at(thing_of(talk, "piece", cls, 2), ATOM)
    return [f"put {piece} {luck.choice(['on top', 'at the bottom'])}"], doing


def _pick(doing: Doing) -> tuple[list[str], Doing]:
    luck, book = doing.talk.book.luck, doing.talk.book
    universe, of = luck.choice(
        [("space", c) for c in book.spaces] + [("piece", c) for c in book.pieces] + [("player", "")]
    )
    name = _named(doing, "drawn", "lot")
    phrase = phrase_of(_openly(doing), universe, of, 2, alias=name)
    return [f"pick {phrase} at random"], replace(
        doing, talk=doing.talk.with_(Variable(name, thing(universe, of)))
    )


def _note(doing: Doing) -> tuple[list[str], Doing]:
    if not doing.quiet:
        return [_noted(_openly(doing))], doing
    # that a line is written at all tells of the loop; who may know its member may know that
    hidden = [v.name for v in doing.talk.known if v.secret and v.name.startswith("hidden_")]
    return [f"{_noted(doing.talk)}, {hidden[-1]}"], doing


def _secret_note(doing: Doing) -> tuple[list[str], Doing]:
    return [_noted(replace(doing.talk, secret=True))], doing


def _noted(talk: Talk) -> str:
    luck = talk.book.luck
    values = [
        at(
            say(
                talk,
                luck.choice([Type("number"), Type("flag"), thing("player"), *_values(Doing(talk, 0))]),
                1,
            ),
            NOUNS,
        )
        for _ in range(luck.choice([0, 1, 1, 2]))
    ]
    plain, braces = ["it is", "a { brace", "decide("], ["so many {}", "{} and"]
    text = luck.choice([*plain, *braces] if values else plain)
    return ", ".join([f'note "{text}"', *values])


def _jump(doing: Doing) -> tuple[list[str], Doing] | None:
    luck, talk = doing.talk.book.luck, _openly(doing)
    roll = luck.random()
    if doing.token and roll < 0.3:
        return ["cancel"], doing
    if roll < 0.2 and doing.depth < 2:
        test = at(truth(talk, 2), OR)
        way = luck.choice(["leave" if doing.loop else "finish", "finish"])
        return [f"if {test}: {way}"], doing
    if roll < 0.35:
        winner = luck.choice([f"{at(thing_of(talk, 'player', '', 1), ATOM)} wins", "drawn", "nobody wins"])
        return [
            f'if {at(truth(talk, 2), OR)} and {at(number(talk, 1), SUM)} > 9: end game: {winner} "why"'
        ], doing
    return None


def _token(doing: Doing) -> tuple[list[str], Doing]:
    luck, book, talk = doing.talk.book.luck, doing.talk.book, _openly(doing)
    player = at(thing_of(talk, "player", "", 1), ATOM)
    token = luck.choice(book.tokens)
    return [
        luck.choice(
            [f"draw a token for {player}"] * 3
            + [f"return {token} to the bag", f"discard {token}", f"give {token} to {player}"]
            + [f"give {token} to {player} openly", f"show {token} to {player}", f"show {token} to everybody"]
        )
    ], doing


def _open(doing: Doing) -> tuple[list[str], Doing]:
    return [f"open {doing.talk.book.luck.choice(doing.talk.book.windows)}"], doing


def _if(doing: Doing) -> tuple[list[str], Doing]:
    luck, talk = doing.talk.book.luck, _openly(doing)
    lines = [f"if {at(truth(talk, 2), OR)}:", *block(doing.deeper())]
    if luck.random() < 0.25:
        lines += [f"otherwise if {at(truth(talk, 1), OR)}:", *block(doing.deeper())]
    if luck.random() < 0.4:
        lines += ["otherwise:", *block(doing.deeper())]
    return lines, doing


def _for(doing: Doing) -> tuple[list[str], Doing]:
    luck, book, talk = doing.talk.book.luck, doing.talk.book, _openly(doing)
    universe, of = luck.choice(
        [("space", c) for c in book.spaces] + [("piece", c) for c in book.pieces] * 2
        + [("player", ""), ("border", "")] + [(noun, "") for noun in book.groups]
    )  # fmt: skip
    alias = _named(doing, "each", "one") if luck.random() < 0.4 or not (of or universe == "player") else ""
    phrase = phrase_of(talk, universe, of, 2, alias=alias, wide=True)
    name = alias or phrase_noun(phrase, book.noun(universe, of), talk, universe, of)
    order = ""
    if doing.asks and luck.random() < 0.25 and universe in ("piece", "space"):
        order = f" in the order {at(thing_of(talk, 'player', '', 1), ATOM)} chooses"
    inner = doing.deeper(Variable(name, thing(universe, of)), loop=True)
    if order == "":
        inner = replace(inner, asks=doing.asks and luck.random() < 0.3)
    if " where " in phrase and order:
        head, where = phrase.split(" where ", 1)
        phrase = f"{head} where ({where})"
    return [f"for each {phrase}{order}:", *block(inner)], doing


def phrase_noun(phrase: str, noun: str, talk: Talk, universe: str, of: str) -> str:
    """The noun a phrase was written with: what its members are called when it gives them no name."""
    words = phrase.split()
    roles = {p.name[:-1] for parts in talk.book.records.values() for p in parts if p.type.kind == "set"}
    for word in words:
        if word == noun or word in roles:
            return word
    return noun


def _secret_loop(doing: Doing) -> tuple[list[str], Doing] | None:
    """A loop over what only some may know: nothing happens in it that others could see."""
    book = doing.talk.book
    flags = [
        a for a in book.attributes if a.secret and a.type.kind == "flag" and a.universe in ("piece", "space")
    ]
    if not flags:
        return None
    flag = book.luck.choice(flags)
    name = _named(doing, "hidden")
    phrase = f"{book.noun(flag.universe, flag.owner)} as {name} where it is {flag.name}"
    inner = doing.deeper(Variable(name, thing(flag.universe, flag.owner), True), loop=True)
    inner = replace(inner, quiet=True, asks=False, talk=replace(inner.talk, secret=True))
    return [f"for each {phrase}:", *block(inner)], doing


def _pool(doing: Doing) -> tuple[list[str], Doing]:
    """Several dice of which some count."""
    luck = doing.talk.book.luck
    name = _named(doing, "hits", "sixes")
    many = f"{luck.randint(1, 4)}d6" if luck.random() < 0.5 else f"{at(number(_openly(doing), 1), ATOM)} d6"
    aim = luck.choice(["5 or more", "1 or 6", "2 or less", f"{at(number(_openly(doing), 1), ATOM)} or more"])
    bound = Variable(name, Type("number"))
    return [f"roll {many}, count {aim} as {name}"], replace(doing, talk=doing.talk.with_(bound))


def _repeat(doing: Doing) -> tuple[list[str], Doing]:
    luck, talk = doing.talk.book.luck, _openly(doing)
    times = str(luck.randint(1, 3)) if luck.random() < 0.8 else at(number(talk, 1), SUM)
    if not times.isdigit():
        times = f"min(3, {times})"
    test = f" while {at(truth(talk, 1), OR)}" if luck.random() < 0.3 else ""
    return [f"repeat at most {times} times{test}:", *block(doing.deeper(loop=True))], doing


def _with(doing: Doing) -> tuple[list[str], Doing] | None:
    luck, book = doing.talk.book.luck, doing.talk.book
    if not book.records:
        return None
    record = luck.choice(sorted(book.records))
    given = []
    for part in book.records[record]:
        if luck.random() < 0.85:
            talk = replace(doing.talk, secret=part.secret) if book.disciplined else doing.talk
            given.append(f"{part.name}: {at(say(talk, part.type, 2), NOUNS)}")
    if not given:
        return None
    return [f"with {record}({', '.join(given)}):", *block(doing.deeper())], doing


def _do(doing: Doing) -> tuple[list[str], Doing] | None:
    found: list[Saying] = [
        s for s in doing.talk.sayings("procedure", "phase") if doing.asks or not s.chooser
    ]  # fmt: skip
    if not found:
        return None
    saying = doing.talk.book.luck.choice(found[-4:])
    return [f"do {saying.name}{arguments(_openly(doing), saying, 1)}"], doing


__all__ = ["Doing", "any_phrase", "block", "indented", "same", "step", "steps"]
