"""Expressions of the rules as parts of English sentences, with links to what they name."""

from __future__ import annotations

from rulesdsl import syntax as sx
from rulesdsl.handbook.inline import said
from rulesdsl.handbook.names import Names, in_words, is_verb, listed
from rulesdsl.world import show_ratio

_COMPARE = {
    "=": "equals", "!=": "is not", "<": "is less than", "<=": "is at most", ">": "is more than",
    ">=": "is at least",
}  # fmt: skip
_SIGNS = {"+": "+", "-": "−", "*": "×", "/": "/"}
_BUILTINS = {
    "min": "the smaller of {}", "max": "the greater of {}", "abs": "the size of {}",
    "floor": "{} rounded down",
    "ceiling": "{} rounded up", "odds": "the odds of {}", "distance": "the distance between {}",
    "squared_distance": "the squared distance between {}", "opponent": "the opponent of {}",
    "spaces_of": "the spaces of {}", "line": "the line between {}", "union": "{} together",
    "border_between": "the border between {}", "remainder": "the remainder of {}",
}  # fmt: skip
_AGAINST = {"odds": "against", "remainder": "divided by", "other_end": "from"}


class Speaker:
    """Says expressions in the words of one rulebook."""

    def __init__(self, names: Names) -> None:
        self.names = names

    def say(self, expr: sx.Expr) -> str:
        match expr:
            case sx.Number(value, ratio):
                return show_ratio(value) if ratio else str(value).replace("-", "−")
            case sx.Text(value):
                return f"“{said(value)}”"
            case sx.Name(id):
                return self.names.value(id)
            case sx.Numbered(noun, number):
                return f"{in_words(noun)} {number}"
            case sx.Attr(of, name):
                return self._attribute(of, name)
            case sx.Call(name, arguments):
                return self.call(name, arguments)
            case sx.Lookup(table, keys):
                return (
                    f"the result in the {self.names.table(table)} for {listed([self.say(k) for k in keys])}"
                )
            case sx.Negative(value):
                return f"−{self._part(value)}"
            case sx.Arithmetic(op, left, right):
                return f"{self._part(left, op)} {_SIGNS[op]} {self._part(right, op)}"
            case sx.IfThen(condition, then, otherwise):
                return f"{self.say(then)} if {self.say(condition)}, else {self.say(otherwise)}"
            case _:
                return self._condition(expr)

    def _condition(self, expr: sx.Expr) -> str:
        match expr:
            case sx.Not(value):
                return self.denied(value)
            case sx.Logic(op, parts):
                return f" {op} ".join(self._clause(part, op) for part in parts)
            case sx.Compare(op, left, right):
                return f"{self.say(left)} {_COMPARE[op]} {self.say(right)}"
            case sx.Is(subject, negated, description):
                return f"{self.say(subject)} {'is not' if negated else 'is'} {self.description(description)}"
            case sx.EveryIs(phrase, negated, description):
                verb = "is not" if negated else "is"
                return f"every {self.phrase(phrase)} {verb} {self.description(description)}"
            case sx.Every(phrase, condition):
                return f"for every {self.phrase(phrase)}, {self.say(condition)}"
            case sx.Some(phrase):
                return f"there is some {self.phrase(phrase)}"
            case sx.NoneOf(phrase):
                return f"there is no {self.phrase(phrase)}"
            case sx.The(phrase):
                return f"the {self.phrase(phrase)}"
            case sx.NumberOf(phrase):
                return f"the number of {self.phrase(phrase)}"
            case sx.SumOf(value, phrase):
                return f"the sum of {self.say(value)} over the {self.phrase(phrase)}"
            case sx.ExtremeOf(extreme, value, phrase):
                return f"the {in_words(extreme)} {self._bare(value)} over the {self.phrase(phrase)}"
            case sx.NounPhrase():
                return f"the {self.phrase(expr)}"
        raise AssertionError(f"no words for {type(expr).__name__}")

    def denied(self, expr: sx.Expr) -> str:
        """The contrary of a condition, as a person would say it."""
        match expr:
            case sx.Is(subject, negated, description):
                return self.say(sx.Is(subject, not negated, description))
            case sx.Some(phrase):
                return self.say(sx.NoneOf(phrase))
            case sx.NoneOf(phrase):
                return self.say(sx.Some(phrase))
            case sx.Attr(of, name) if self.names.is_flag(name):
                return f"{self.say(of)} is not {in_words(name)}"
            case sx.Call(name, arguments) if self._adjective(name, arguments) and not is_verb(name):
                return f"{self.say(arguments[0].value)} is not {self.names.linked(name)}"
            case sx.Call():
                return f"not ({self.say(expr)})"
            case sx.Attr(of, name) if name in self.names.result_flags:
                return f"{self.say(of)} does not say “{in_words(name)}”"
            case sx.Name(id) if id in self.names.record_flags or id in ("cancelled", "first_step"):
                was, is_ = (" was ", " is ")
                word = was if id == "cancelled" else is_
                return self.say(expr).replace(word, f"{word}not ", 1)
            case sx.Name():
                return f"not {self.say(expr)}"
            case _:
                return f"not ({self.say(expr)})"

    def condition(self, expr: sx.Expr | None, word: str = "when") -> str:
        """` when …`, or nothing."""
        if expr is None or expr == sx.Name("true"):
            return ""
        return f" {word} {self.say(expr)}"

    def _clause(self, part: sx.Expr, op: str) -> str:
        text = self.say(part)
        return (
            f"({text})"
            if (isinstance(part, sx.Logic) and part.op != op) or isinstance(part, sx.IfThen)
            else text
        )

    def _part(self, part: sx.Expr, op: str = "*") -> str:
        text = self.say(part)
        loose = isinstance(part, sx.Arithmetic) and (op in "*/" or part.op in "*/") and part.op != op
        return f"({text})" if loose or isinstance(part, (sx.IfThen, sx.Logic)) else text

    def _bare(self, value: sx.Expr) -> str:
        return self.say(value).removeprefix("the ").removeprefix("its ")

    # ---- names
    def _attribute(self, of: sx.Expr, name: str) -> str:
        if isinstance(of, sx.Name) and f"{of.id}.{name}" in self.names.program.quantities:
            quantity = f"{of.id}.{name}"
            return f"the {in_words(of.id)}’s {self.names.linked(quantity, in_words(name))}"
        if self.names.is_flag(name) and name not in self.names.program.defines:
            return f"{self.say(of)} is {in_words(name)}"
        if name in self.names.result_flags:
            return f"{self.say(of)} says “{in_words(name)}”"
        shown = self.names.attribute(name)
        if isinstance(of, sx.Name) and of.id == "it":
            return f"its {shown}"
        owner = self.say(of)
        return f"{owner}’ {shown}" if owner.endswith("s") else f"{owner}’s {shown}"

    def _adjective(self, name: str, arguments: tuple[sx.Argument, ...]) -> bool:
        return len(arguments) == 1 and name in self.names.program.defines and self.names.is_flag(name)

    def call(self, name: str, arguments: tuple[sx.Argument, ...]) -> str:
        values = [self.say(a.value) for a in arguments]
        program = self.names.program
        if name == "clamp" and len(values) == 3:
            return f"{values[0]} (at least {values[1]}, at most {values[2]})"
        if name in _BUILTINS and name not in program.defines:
            return _BUILTINS[name].format(listed(values, _AGAINST.get(name, "and")))
        if self._adjective(name, arguments):
            return f"{values[0]} {'' if is_verb(name) else 'is '}{self.names.linked(name)}"
        linked = self.names.linked(name)
        if name in program.actions:
            return f"{linked} ({', '.join(values)}) is allowed" if values else f"{linked} is allowed"
        if name in program.routes:
            return f"the ends of the {linked} of {listed(values)}" if values else f"the ends of the {linked}"
        if self.names.is_flag(name):
            return f"{linked} ({', '.join(values)})" if values else linked
        if values == ["it"]:
            return f"its {linked}"
        of = "" if name.endswith("_of") else "of "
        return f"the {linked} {of}{listed(values)}" if values else f"the {linked}"

    # ---- phrases
    def phrase(self, phrase: sx.NounPhrase) -> str:
        words = " ".join(self.names.word(word) for word in phrase.words)
        return words + "".join(f" {self._tail(tail)}" for tail in phrase.tails)

    def _tail(self, tail: sx.Tail) -> str:
        match tail:
            case sx.TailIn(place):
                return f"in {self.say(place)}"
            case sx.TailAmong(group):
                return f"among {self.say(group)}"
            case sx.TailExcept(group):
                return f"except {self.say(group)}"
            case sx.TailBetween(one, other):
                return f"between {self.say(one)} and {self.say(other)}"
            case sx.TailWith(extreme, value):
                return f"with the {extreme} {self._bare(value)}"
            case sx.TailNearest(place, route):
                by = f" by {self.names.linked(route)}" if route else ""
                return f"nearest to {self.say(place)}{by}"
            case sx.TailAs(name):
                return f"(“{in_words(name)}”)"
            case sx.TailWhere(condition):
                return f"where {self.say(condition)}"
            case sx.TailRelated(relation, other):
                return f"{self.names.word(relation)} to {self.say(other)}"
        raise AssertionError(f"no words for {type(tail).__name__}")

    def description(self, description: sx.Description) -> str:
        match description:
            case sx.Name(id) if id in self.names.program.defines or id in self.names.flags:
                return self.names.linked(id)
            case sx.Name(id) if id in self.names.values and id not in self.names.things:
                return in_words(id)
            case sx.Expr():
                return self.say(description)
            case sx.Described(words):
                return " ".join(self.names.word(word) for word in words)
            case sx.InPlace(place):
                return f"in {self.say(place)}"
            case sx.AmongSet(group):
                return f"among {self.say(group)}"
            case sx.Related(relation, other):
                return f"{self.names.word(relation)} to {self.say(other)}"
            case sx.OneOf(words):
                return f"one of {listed([self.names.value(word) for word in words], 'or')}"
