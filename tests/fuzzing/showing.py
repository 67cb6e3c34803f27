"""Examples of a generated game: whether they hold does not matter, only that they can be run."""

from __future__ import annotations

from tests.fuzzing.book import Book
from tests.fuzzing.doings import Doing, indented, steps
from tests.fuzzing.statements import talk_of
from tests.fuzzing.talk import ATOM, OR, arguments, at
from tests.fuzzing.things import thing_of
from tests.fuzzing.truths import truth


def make_examples(book: Book) -> None:
    for _ in range(book.luck.choice([0, 0, 1, 2])):
        book.luck.choice(book.paragraphs).examples.append(_example(book))


def _example(book: Book) -> str:
    luck, talk = book.luck, talk_of(book)
    lines: list[str] = []
    if book.scenarios and luck.random() < 0.5:
        lines.append(f"given scenario {luck.choice(book.scenarios)}")
    for setting in book.settings[:1]:
        if luck.random() < 0.5:
            lines += _setting(book, setting.name, setting.type.kind)
    piece, place = (at(thing_of(talk, universe, "", 0), ATOM) for universe in ("piece", "space"))
    lines += ["given:", f"    place {piece} in {place}"]
    if luck.random() < 0.6:
        lines += indented(steps(Doing(talk, 0, asks=False), 1))
    if luck.random() < 0.4:
        lines.append(f"rolling {luck.randint(1, 6)}, {luck.randint(1, 6)}")
    procedures = [s for s in book.sayings if s.kind in ("procedure", "phase")]
    if luck.random() < 0.5:
        saying = luck.choice(procedures)
        if luck.random() < 0.3:
            lines.append('choosing "wait", "no"')
        lines += ["when:", f"    do {saying.name}{arguments(talk, saying, 1)}"]
    lines += ["expect:", *(f"    {_expected(book)}" for _ in range(luck.choice([1, 1, 2])))]
    return "\n".join(lines)


def _setting(book: Book, name: str, kind: str) -> list[str]:
    home = next(
        s
        for p in book.paragraphs
        for s in p.statements
        if s.split()[:2] == [s.split()[0], f"{name}:"] or s.startswith(f"parameter {name} ")
    )
    word = home.split()[0]
    value = {"number": "3", "flag": "true"}.get(kind) or book.luck.choice(book.enums[name])
    return [f"given {word} {name}: {value}"]


def _expected(book: Book) -> str:
    luck, talk = book.luck, talk_of(book)
    actions = [s for s in book.sayings if s.kind == "action"]
    roll = luck.random()
    if actions and roll < 0.25:
        action = luck.choice(actions)
        return f"can {action.name}{arguments(talk, action, 1)}"
    if actions and roll < 0.4:
        action = luck.choice(actions)
        return f"cannot {action.name}{arguments(talk, action, 1)} by {luck.choice(book.paragraphs).number}"
    if roll < 0.5:
        return luck.choice([f"{luck.choice(book.players)} wins", "drawn", "nobody wins", "the game goes on"])
    if roll < 0.6:
        return luck.choice(['offered "wait"', 'not offered "wait"'])
    return at(truth(talk, 2), OR)
