"""Decisions: one thing, several, a menu, a yes or no, a journey."""

from __future__ import annotations

from dataclasses import replace

from rulesdsl.program.types import NUMBER, Type, set_of, thing
from tests.fuzzing.book import Saying, Variable
from tests.fuzzing.doings import Doing, Step, _named, _openly, block
from tests.fuzzing.numbers import number
from tests.fuzzing.phrases import phrase_of
from tests.fuzzing.talk import ATOM, OR, SUM, Talk, arguments, at
from tests.fuzzing.things import thing_of
from tests.fuzzing.truths import truth


def _player(talk: Talk) -> str:
    return at(thing_of(talk, "player", "", 1), ATOM)


def _action(talk: Talk, closing: bool = False) -> str:
    """` for attack(unit, zone)`: an action whose parameters can be had."""
    actions = talk.sayings("action")
    if not actions or not talk.book.maybe(0.4):
        return ""
    action: Saying = talk.book.luck.choice(actions)
    return f" for {action.name}{arguments(talk, action, 1)}"


def _way_out(talk: Talk) -> str:
    label = talk.book.luck.choice(["enough", "stop", "no more", "decide("])
    return f' or "{label}"{_action(talk, closing=True)}' if talk.book.maybe(0.5) else ""


def _prompt(doing: Doing, name: str) -> str:
    return doing.talk.book.luck.choice(["", ' "which one"', f' "what about {{{name}}}"', ' "a { brace"'])


def _choose(doing: Doing) -> tuple[list[str], Doing]:
    luck, talk = doing.talk.book.luck, _openly(doing)
    found: list[Variable] = []
    phrases: list[str] = []
    inner_talk = talk
    for _ in range(luck.choice([1, 1, 1, 2])):
        candidate, phrase = _candidate(doing, inner_talk)
        phrases.append(phrase)
        found = [*(v for v in found if v.name != candidate.name), candidate]
        inner_talk = inner_talk.with_(candidate, Variable("it", candidate.type))
    use = _action(inner_talk)
    out = _way_out(talk)
    prefer = f" preferring ({at(truth(inner_talk, 1), OR)})" if luck.random() < 0.15 else ""
    who, article = _player(talk), "" if phrases[0].startswith("a ") else luck.choice(["", "a "])
    head = f"{who} chooses {article}{', '.join(phrases)}{use}{out}{_prompt(doing, found[0].name)}{prefer}"
    inner = doing.deeper(*found)
    if luck.random() < 0.8:
        lines = [f"{head}:", *block(inner)]
        if luck.random() < 0.4:
            lines += ["otherwise:", *block(doing.deeper())]
        return lines, doing
    return [head], replace(doing, talk=doing.talk.with_(*found))


def _repeatedly(doing: Doing) -> tuple[list[str], Doing] | None:
    luck, talk = doing.talk.book.luck, _openly(doing)
    if doing.repeats > 1:
        return None
    candidate, phrase = _candidate(doing, talk)
    use = _action(talk.with_(candidate, Variable("it", candidate.type)))
    label = luck.choice(["enough", "stop", "decide("])
    head = f'{_player(talk)} repeatedly chooses {phrase}{use} until "{label}"{_action(talk)}'
    return [f"{head}{_prompt(doing, candidate.name)}:", *block(doing.deeper(candidate, loop=True))], doing


def _candidate(doing: Doing, talk: Talk) -> tuple[Variable, str]:
    """Something to choose from: the variable it is bound to, and the phrase."""
    luck, book = talk.book.luck, talk.book
    name = _named(doing, "wish", "target", "choice")
    if luck.random() < 0.12 and book.enums:
        enum = luck.choice(sorted(book.enums))
        return Variable(name, Type("enum", enum)), f"{enum} as {name}"
    if luck.random() < 0.08:
        low = luck.randint(0, 3)
        high = low + luck.randint(0, 4)
        test = f" where {at(truth(talk.with_(Variable('it', NUMBER)), 1), OR)}" if luck.random() < 0.3 else ""
        return Variable(
            name, Type("number", low=low, high=high)
        ), f"a number as {name} from {low} to {high}{test}"
    universe, of = luck.choice(
        [("space", c) for c in book.spaces] * 2 + [("piece", c) for c in book.pieces] * 3 + [("player", "")]
    )
    return Variable(name, thing(universe, of)), phrase_of(talk, universe, of, 2, alias=name, wide=True)


def _several(doing: Doing) -> tuple[list[str], Doing]:
    luck, book, talk = doing.talk.book.luck, doing.talk.book, _openly(doing)
    universe, of = luck.choice([("space", c) for c in book.spaces] + [("piece", c) for c in book.pieces] * 3)
    name = _named(doing, "force", "team")
    amount = at(number(talk, 1), SUM) if luck.random() < 0.3 else str(luck.randint(1, 3))
    count = luck.choice([f"up to {amount}", f"at least {amount}", f"exactly {amount}", "any number of"])
    chosen = Variable("chosen", set_of(universe, of))
    phrase = phrase_of(talk.with_(chosen), universe, of, 2, alias=name, wide=True)
    inside = talk.with_(Variable(name, thing(universe, of)), chosen)
    out = _way_out(talk.with_(chosen))
    head = f"{_player(talk)} chooses {count} {phrase}{_action(inside)}{out}"
    bound = Variable(name, set_of(universe, of))
    if luck.random() < 0.7:
        return [f"{head}:", *block(doing.deeper(bound))], doing
    return [head], replace(doing, talk=doing.talk.with_(bound))


def _menu(doing: Doing) -> tuple[list[str], Doing]:
    luck, talk = doing.talk.book.luck, _openly(doing)
    lines = [f"{_player(talk)} chooses one of{luck.choice(['', ' ' + chr(34) + 'what now' + chr(34)])}:"]
    labels = luck.sample(["attack", "wait", "burn it", "go home", "decide("], luck.choice([2, 2, 3]))
    for label in labels:
        test = f" when {at(truth(talk, 1), OR)}" if luck.random() < 0.4 else ""
        lines += [f'    "{label}"{test}{_action(talk)}:', *("    " + line for line in block(doing.deeper()))]
    return lines, doing


def _may(doing: Doing) -> tuple[list[str], Doing]:
    luck, talk = doing.talk.book.luck, _openly(doing)
    test = f" when {at(truth(talk, 1), OR)}" if luck.random() < 0.4 else ""
    lines = [f'{_player(talk)} may "dig in"{test}{_action(talk)}:', *block(doing.deeper())]
    if luck.random() < 0.4:
        lines += ["otherwise:", *block(doing.deeper())]
    return lines, doing


def _travel(doing: Doing) -> tuple[list[str], Doing] | None:
    luck, talk = doing.talk.book.luck, _openly(doing)
    routes = [s for s in talk.sayings("route") if s.travelled]
    if not routes:
        return None
    route = luck.choice(routes)
    piece = at(thing_of(talk, "piece", route.params[0].type.of, 1), ATOM)
    return [f"{_player(talk)} moves {piece} by {route.name}"], doing


def _together(doing: Doing) -> tuple[list[str], Doing]:
    """All at once, each into a place of his own that nothing else knows of."""
    luck, talk, book = doing.talk.book.luck, _openly(doing), doing.talk.book
    place = f"sealed_{luck.randint(1, 9999)}"
    book.paragraph("What is sealed", f"player has {place}: 0 to 9 = 0 visible to it")
    wish, low = _named(doing, "wish", "choice"), luck.randint(0, 2)
    if luck.random() < 0.6:
        what, value = f"a number as {wish} from {low} to {low + luck.randint(0, 4)}", wish
    else:
        of = luck.choice(list(book.spaces))
        what = f"a {phrase_of(talk, 'space', of, 2, alias=wish, wide=True)}"
        value = f"number of {book.noun('space', of, many=True)} adjacent to {wish}"
    return [
        f"at the same time each player as sealing chooses {what}{_prompt(doing, wish)}:",
        f"    set sealing.{place} to {value}",
        f'for each player as opening: note "sealed {{}}", opening.{place}',
    ], doing


CHOICES: list[Step] = [
    _choose,
    _choose,
    _choose,
    _repeatedly,
    _together,
    _several,
    _menu,
    _may,
    _travel,
    _travel,
]
