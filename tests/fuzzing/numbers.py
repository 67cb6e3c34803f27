"""Numbers: written, counted, added up, looked up."""

from __future__ import annotations

from rulesdsl.program.types import NUMBER
from tests.fuzzing.talk import (
    ATOM,
    COMPARISON,
    OR,
    PRODUCT,
    SUM,
    UNARY,
    Talk,
    Text,
    at,
    attribute_of,
    called,
    is_number,
    lookup,
)


def number(talk: Talk, depth: int) -> Text:
    luck = talk.book.luck
    ways = [_written, _known, _known]
    if depth > 0:
        ways += [
            _attribute, _attribute, _reckoned, _reckoned, _counted, _summed, _extreme, _called, _called,
            _built_in, _built_in, _table, _either, _negative,
        ]  # fmt: skip
    for _ in range(6):
        if (found := luck.choice(ways)(talk, depth)) is not None:
            return found
    return _written(talk, depth)


def between(talk: Talk, low: int, high: int, depth: int) -> str:
    """A whole number from `low` to `high`."""
    luck = talk.book.luck
    inside = [
        v.name
        for v in (*talk.variables(is_number), *talk.tracks(is_number))
        if v.type.low is not None and v.type.high is not None and low <= v.type.low and v.type.high <= high
    ]
    if inside and luck.random() < 0.6:
        return luck.choice(inside)
    if luck.random() < 0.2:
        return str(luck.randint(low, high))
    return f"clamp({at(number(talk, depth), OR)}, {low}, {high})"


def _written(talk: Talk, depth: int) -> Text:
    luck = talk.book.luck
    if luck.random() < 0.08:
        return f"{luck.randint(1, 3)}/{luck.randint(2, 4)}", PRODUCT
    return str(luck.choice([0, 1, 1, 2, 2, 3, 4, 5, 7, 12])), ATOM


def _known(talk: Talk, depth: int) -> Text | None:
    luck = talk.book.luck
    words = [v.name for v in talk.variables(is_number)] * 2
    words += [t.name for t in talk.tracks(is_number)]
    words += [s.name for s in talk.book.settings if is_number(s.type)]
    for name, fields in talk.book.records.items():
        for part in fields:
            if is_number(part.type) and (talk.secret or not part.secret):
                words.append(luck.choice([f"{name}.{part.name}", part.name]))
    if talk.route:
        words += ["steps", "spent"]
    return (luck.choice(words), ATOM) if words else None


def _attribute(talk: Talk, depth: int) -> Text | None:
    if talk.book.maybe(0.15) and talk.book.pieces:
        from tests.fuzzing.things import thing_of

        return f"{at(thing_of(talk, 'piece', '', depth - 1), ATOM)}.face", ATOM
    return attribute_of(talk, is_number, depth)


def _reckoned(talk: Talk, depth: int) -> Text:
    luck = talk.book.luck
    one, other = number(talk, depth - 1), number(talk, depth - 1)
    op = luck.choice("++--*/")
    if op in "+-":
        return f"{at(one, SUM)} {op} {at(other, PRODUCT)}", SUM
    if op == "/" and luck.random() < 0.7:
        other = (str(luck.randint(1, 4)), ATOM)
    return f"{at(one, PRODUCT)} {op} {at(other, UNARY)}", PRODUCT


def _negative(talk: Talk, depth: int) -> Text:
    return f"-{at(number(talk, depth - 1), ATOM)}", UNARY


def _counted(talk: Talk, depth: int) -> Text:
    from tests.fuzzing.phrases import any_phrase

    phrase, _ = any_phrase(talk, depth - 1)
    return f"number of {phrase}", OR


def _summed(talk: Talk, depth: int) -> Text:
    from tests.fuzzing.phrases import any_phrase, member

    phrase, of = any_phrase(talk, depth - 1)
    value = number(talk.with_(member(talk, of)), depth - 1)
    return f"sum of {at(value, SUM)} over {phrase}", OR


def _extreme(talk: Talk, depth: int) -> Text:
    from tests.fuzzing.phrases import any_phrase, member

    phrase, of = any_phrase(talk, depth - 1)
    value = number(talk.with_(member(talk, of)), depth - 1)
    return f"{talk.book.luck.choice(['least', 'greatest'])} of {at(value, SUM)} over {phrase}", OR


def _called(talk: Talk, depth: int) -> Text | None:
    return called(talk, ("define", "quantity"), is_number, depth - 1)


def _built_in(talk: Talk, depth: int) -> Text:
    from tests.fuzzing.things import enumerated, thing_of

    luck, book = talk.book.luck, talk.book

    def n() -> str:
        return at(number(talk, depth - 1), OR)

    def space() -> str:
        return at(thing_of(talk, "space", "", depth - 1), OR)

    match luck.choice(
        ["min", "max", "abs", "clamp", "floor", "ceiling", "remainder", "distance", "squared", "turns"]
    ):
        case "min" | "max" as name:
            return f"{name}({n()}, {n()})", ATOM
        case "abs" | "floor" | "ceiling" as name:
            return f"{name}({n()})", ATOM
        case "clamp":
            return f"clamp({n()}, {luck.randint(-2, 1)}, {luck.randint(1, 6)})", ATOM
        case "remainder":
            by = str(luck.randint(1, 4)) if luck.random() < 0.8 else n()
            return f"remainder({n()}, {by})", ATOM
        case "distance":
            return f"distance({space()}, {space()})", ATOM
        case "turns" if book.form != "areas":
            one, other = (enumerated(talk, "direction", depth - 1) for _ in range(2))
            return f"turns({at(one, OR)}, {at(other, OR)})", ATOM
        case _:
            return f"squared_distance({space()}, {space()})", ATOM


def _table(talk: Talk, depth: int) -> Text | None:
    return lookup(talk, NUMBER, depth)


def _either(talk: Talk, depth: int) -> Text:
    from tests.fuzzing.truths import truth

    test = truth(talk, depth - 1)
    one, other = number(talk, depth - 1), number(talk, depth - 1)
    return f"if {at(test, OR)} then {at(one, COMPARISON)} else {at(other, COMPARISON)}", OR
