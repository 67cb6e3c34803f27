"""Conditions: compared, described, asked of sets, permitted."""

from __future__ import annotations

from rulesdsl.program.types import FLAG, Type, thing
from tests.fuzzing.book import Variable
from tests.fuzzing.numbers import number
from tests.fuzzing.phrases import any_phrase
from tests.fuzzing.talk import (
    AND,
    ATOM,
    COMPARISON,
    NOT,
    NOUNS,
    OR,
    SUM,
    Talk,
    Text,
    arguments,
    at,
    attribute_of,
    called,
    is_flag,
    lookup,
    same,
)
from tests.fuzzing.things import enumerated, group, text, thing_of


def truth(talk: Talk, depth: int) -> Text:
    luck = talk.book.luck
    ways = [_written, _known, _compared]
    if depth > 0:
        ways += [
            _compared, _likened, _likened, _asked, _asked, _every, _joined, _joined, _denied, _described,
            _described, _called, _called, _permitted, _attribute, _table, _either,
            *([_afterwards, _afterwards] if talk.sayings("effect") else []),
        ]  # fmt: skip
    for _ in range(6):
        if (found := luck.choice(ways)(talk, depth)) is not None:
            return found
    return _compared(talk, depth)


def truth_about(talk: Talk, subject: Variable, depth: int) -> Text:
    """A condition that speaks of this thing."""
    luck = talk.book.luck
    found = describe(talk, (subject.name, ATOM), subject.type, depth)
    own = [
        a for a in talk.attributes(lambda t: t.kind in ("number", "enum", "thing"))
        if a.universe == subject.type.name and (not subject.type.of or a.owner in ("", subject.type.of))
    ]  # fmt: skip
    if own and luck.random() < 0.6:
        chosen = luck.choice(own)
        here = f"{subject.name}.{chosen.name}"
        if chosen.type.kind == "number":
            found = (
                f"{here} {luck.choice(['<', '<=', '>', '>=', '=', '!='])} {at(number(talk, depth - 1), SUM)}",
                COMPARISON,
            )
        elif chosen.type.kind == "enum":
            found = (
                f"{here} is {luck.choice(['', 'not '])}{luck.choice(talk.book.enums[chosen.type.name])}",
                COMPARISON,
            )
        else:
            other = thing_of(talk, chosen.type.name, chosen.type.of, depth - 1)
            found = f"{here} is {luck.choice(['', 'not '])}{at(other, ATOM)}", COMPARISON
    if depth > 0 and luck.random() < 0.25:
        op, level = luck.choice([("and", AND), ("or", OR)])
        return f"{at(found, NOT)} {op} {at(truth(talk, depth - 1), NOT)}", level
    return found


def _written(talk: Talk, depth: int) -> Text:
    return talk.book.luck.choice(["true", "true", "false"]), ATOM


def _known(talk: Talk, depth: int) -> Text | None:
    words = [v.name for v in (*talk.variables(is_flag), *talk.tracks(is_flag))]
    words += [s.name for s in talk.book.settings if is_flag(s.type)]
    words += [
        f"{record}.{part.name}"
        for record, parts in talk.book.records.items()
        for part in parts
        if is_flag(part.type) and (talk.secret or not part.secret)
    ]
    if talk.route:
        words.append("first_step")
    if talk.book.windows:
        words.append("cancelled")
    return (talk.book.luck.choice(words), ATOM) if words else None


def _afterwards(talk: Talk, depth: int) -> Text:
    """What would hold once something had been done."""
    saying = talk.book.luck.choice(talk.sayings("effect"))
    value = at(truth(talk, depth - 1), OR)
    return f"after {saying.name}{arguments(talk, saying, 1)}: {value}", NOUNS


def _compared(talk: Talk, depth: int) -> Text:
    luck, book = talk.book.luck, talk.book
    if book.scales and luck.random() < 0.15:
        name = luck.choice(sorted(book.scales))
        one, other = enumerated(talk, name, max(1, depth)), luck.choice(book.enums[name])
        if one[0] not in book.enums[name]:
            return f"{at(one, SUM)} {luck.choice(['<', '<=', '>', '>='])} {other}", COMPARISON
    one, other_number = number(talk, depth - 1), number(talk, depth - 1)
    op = luck.choice(["<", "<=", ">", ">=", "=", "!="])
    return f"{at(one, SUM)} {op} {at(other_number, SUM)}", COMPARISON


def _likened(talk: Talk, depth: int) -> Text | None:
    """`unit.owner is red`, `weather is not storm`: values of one type."""
    luck = talk.book.luck
    roll = luck.random()
    no = luck.choice(["", "", "not "])
    if roll < 0.4 and talk.book.enums:
        name = luck.choice(sorted(talk.book.enums))
        one = enumerated(talk, name, depth)
        if one[0] in talk.book.enums[name]:
            return None
        other = luck.choice(talk.book.enums[name])
        if luck.random() < 0.2:
            return f"({at(one, SUM)} is one of {', '.join(luck.sample(talk.book.enums[name], 2))})", ATOM
        return f"{at(one, SUM)} is {no}{other}", COMPARISON
    if roll < 0.5:
        found = attribute_of(talk, lambda t: t.kind == "text", depth)
        return None if found is None else (f"{at(found, SUM)} = {at(text(talk), SUM)}", COMPARISON)
    universe, of = _some_class(talk)
    one = thing_of(talk, universe, of, depth - 1)
    other_thing = thing_of(talk, universe, of, depth - 1)
    if luck.random() < 0.25:
        return f"{at(one, SUM)} is {no}none", COMPARISON
    if other_thing[0] in talk.book.ids(universe, of) or other_thing[0].count(" "):
        return f"{at(one, SUM)} = {at(other_thing, SUM)}", COMPARISON
    return f"{at(one, SUM)} is {no}{at(other_thing, ATOM)}", COMPARISON


def _some_class(talk: Talk) -> tuple[str, str]:
    book, luck = talk.book, talk.book.luck
    choices = [("space", cls) for cls in book.spaces] + [("piece", cls) for cls in book.pieces] * 2
    choices += [("player", ""), ("player", ""), ("border", ""), ("space", "")]
    choices += [(noun, "") for noun in book.groups]
    return luck.choice(choices)


def _described(talk: Talk, depth: int) -> Text:
    universe, of = _some_class(talk)
    return describe(talk, thing_of(talk, universe, of, depth - 1), thing(universe, of), depth)


def describe(talk: Talk, subject: Text, of: Type, depth: int) -> Text:
    """What may stand after `is`."""
    luck, book = talk.book.luck, talk.book
    no = luck.choice(["", "", "not "])
    start = f"{at(subject, SUM)} is {no}"
    flags = [
        a.name
        for a in talk.attributes(is_flag)
        if a.universe == of.name and (not of.of or a.owner in ("", of.of))
    ]
    flags += [
        s.name
        for s in talk.sayings("define")
        if is_flag(s.type)
        and len(s.params) == 1
        and same(s.params[0].type)(of)
        and s.params[0].type.kind == "thing"
    ]
    ways = ["none"] + ["flag"] * (3 if flags else 0)
    if depth > 0:
        ways += ["among", "class"]
        ways += ["in", "adjacent"] if of.name in ("space", "piece") else []
        ways += ["related"]
    match luck.choice(ways):
        case "flag":
            if len(flags) > 1 and luck.random() < 0.15:  # `is tired or hungry`
                return f"{at(subject, SUM)} is {' or '.join(luck.sample(flags, 2))}", COMPARISON
            return f"{start}{luck.choice(flags)}", COMPARISON
        case "among":
            return f"{start}among {at(group(talk, of.name, of.of, depth - 1), ATOM)}", COMPARISON
        case "in" if of.name == "piece":
            place = (
                thing_of(talk, "space", "", depth - 1)
                if luck.random() < 0.6
                else group(talk, "space", "", depth - 1)
            )
            return f"{start}in {at(place, ATOM)}", COMPARISON
        case "adjacent":
            return f"{start}adjacent to {at(thing_of(talk, 'space', '', depth - 1), ATOM)}", COMPARISON
        case "class" if of.name in ("space", "piece"):
            word = of.of or luck.choice(book.classes(of.name))
            return f"{start}a {word}", COMPARISON
        case "related":
            relations = [
                s
                for s in talk.sayings("define")
                if is_flag(s.type)
                and len(s.params) == 2
                and same(s.params[0].type)(of)
                and s.params[0].type.kind == "thing"
            ]
            if relations:
                relation = luck.choice(relations)
                other = at(thing_or_other(talk, relation.params[1].type, depth - 1), ATOM)
                word = "to" if relation.form in ("", "verb") else relation.form
                return f"{start}{relation.name} {word} {other}", COMPARISON
        case _:
            pass  # a way that does not fit here
    return f"{start}none", COMPARISON


def thing_or_other(talk: Talk, wanted: Type, depth: int) -> Text:
    from tests.fuzzing.talk import say

    return say(talk, wanted, depth)


def _asked(talk: Talk, depth: int) -> Text:
    phrase, _ = any_phrase(talk, depth)
    return f"{talk.book.luck.choice(['some', 'no'])} {phrase}", OR


def _every(talk: Talk, depth: int) -> Text:
    luck = talk.book.luck
    phrase, of = any_phrase(talk, max(0, depth - 1) if luck.random() < 0.5 else 0)
    if " where " in phrase:
        return _asked(talk, depth)
    inside = talk.with_(Variable("it", of))
    if luck.random() < 0.5:
        found = describe(inside, ("it", ATOM), of, 0)[0].removeprefix("it is ")
        return f"every {phrase} is {found}", COMPARISON
    return (
        f"every {phrase} satisfies {at(truth_about(inside, Variable('it', of), depth - 1), ATOM)}",
        COMPARISON,
    )


def _joined(talk: Talk, depth: int) -> Text:
    luck = talk.book.luck
    op, level, inner = luck.choice([("and", AND, NOT), ("or", OR, AND)])
    parts = [at(truth(talk, depth - 1), inner) for _ in range(luck.choice([2, 2, 2, 3]))]
    return f" {op} ".join(parts), level


def _denied(talk: Talk, depth: int) -> Text:
    return f"not {at(truth(talk, depth - 1), NOT)}", NOT


def _called(talk: Talk, depth: int) -> Text | None:
    return called(talk, ("define",), is_flag, depth - 1)


def _permitted(talk: Talk, depth: int) -> Text | None:
    actions = talk.sayings("action")
    if not actions:
        return None
    action = talk.book.luck.choice(actions)
    return f"{action.name}{arguments(talk, action, depth - 1)}", ATOM


def _attribute(talk: Talk, depth: int) -> Text | None:
    return attribute_of(talk, is_flag, depth)


def _table(talk: Talk, depth: int) -> Text | None:
    return lookup(talk, FLAG, depth)


def _either(talk: Talk, depth: int) -> Text:
    test, one, other = (truth(talk, depth - 1) for _ in range(3))
    return f"if {at(test, OR)} then {at(one, OR)} else {at(other, OR)}", OR
