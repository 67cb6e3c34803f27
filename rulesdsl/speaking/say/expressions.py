"""Expressions of the rules as parts of English sentences, with links to what they name."""

from __future__ import annotations

from rulesdsl.language import syntax as sx
from rulesdsl.program.world import show_ratio
from rulesdsl.speaking.english import article, in_words, listed
from rulesdsl.speaking.inline import plain, said
from rulesdsl.speaking.predicates import PREPOSITIONS
from rulesdsl.speaking.say.phrases import PhraseSpeaker

_SIGNS = {"+": "+", "-": "−", "*": "×", "/": "/"}
_BUILTINS = {
    "min": "the smaller of {}", "max": "the greater of {}", "abs": "the size of {}",
    "floor": "{} rounded down",
    "ceiling": "{} rounded up", "odds": "the odds of {}", "distance": "the distance between {}",
    "squared_distance": "the squared distance between {}", "opponent": "the opponent of {}",
    "spaces_of": "the spaces of {}", "line": "the line between {}", "union": "{} together",
    "border_between": "the border between {}",
    "remainder": "the remainder of {}",
}  # fmt: skip
_STRAIGHT_ON = {
    "ray": "the spaces {1} of {0}", "ray_to": "the spaces {1} of {0} up to the first of {2}",
    "first_along": "the first {1} of {0} among {2}",
}  # fmt: skip
_LIMITS = {"min": "at most", "max": "at least"}
CONTRARY = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">", "and": "or", "or": "and"}
_AGAINST = {"odds": "against", "remainder": "divided by", "other_end": "from"}


class Speaker(PhraseSpeaker):
    """Says expressions in the words of one rulebook."""

    def say(self, expr: sx.Expr) -> str:
        match expr:
            case sx.Number(value, ratio):
                return show_ratio(value) if ratio else str(value).replace("-", "−")
            case sx.Text(value):
                return f"“{said(value)}”"
            case sx.Name(id) if id in self.local_facts:
                return f"“{in_words(id)}” holds"
            case sx.Name(id):
                return self.names.value(id)
            case sx.Numbered(noun, number):
                return f"{in_words(noun)} {number}"
            case sx.Attr(of, name):
                return self._attribute(of, name)
            case sx.Call(name, arguments):
                return self.call(name, arguments)
            case sx.Lookup():
                return self._found("result", expr)
            case sx.Listed(parts):
                return listed([self.say(part) for part in parts])
            case sx.Negative(value):
                return f"−{self._part(value)}"
            case sx.Arithmetic("-", sx.Number(one), sx.Number(other)):
                return str(one - other).replace("-", "−")
            case sx.Arithmetic("/", sx.Number(one), sx.Number(other)):
                return f"{one}/{other}"
            case sx.Arithmetic(op, left, right):
                return f"{self._part(left, op)} {_SIGNS[op]} {self._part(right, op)}"
            case sx.IfThen(condition, then, otherwise):
                return f"{self.say(then)} if {self.say(condition)}, else {self.say(otherwise)}"
            case _:
                return self._condition(expr)

    def _condition(self, expr: sx.Expr) -> str:
        if (asked := self.as_call(expr)) is not expr:
            return self.say(asked)
        match expr:
            case sx.Not(value):
                return self.denied(value)
            case sx.Logic(op, parts):
                return f" {op} ".join(self.clause(part, op) for part in parts)
            case sx.Compare(op, left, right):
                return f"{self.say(left)} {self.compared(op, self.many(left))} {self.say(right)}"
            case sx.Is(subject, negated, sx.AmongSet(sx.Call(name=name, arguments=arguments))) if (
                name in self.names.program.routes
            ):
                may = "may not" if negated else "may"
                return f"{self.way(name, arguments)} {may} end in {self.say(subject)}"
            case sx.Is(subject, negated, sx.Name("none")):
                return self.absent(subject, negated)
            case sx.Compare("=" | "!=" as op, subject, sx.Name("none")):
                return self.absent(subject, op == "!=")
            case sx.Is(sx.Name(id), negated, description) if id in self.names.program.settings:
                return self._set_to(id, negated, description)
            case sx.Is(subject, negated, description):
                if owner := self._owner(subject, description):
                    return f"{self.say(subject)} {self.be(subject)}{' not' if negated else ''} {owner}’s"
                of = subject.name if isinstance(subject, sx.Attr) else ""
                return f"{self.say(subject)} {self.is_so(description, self.many(subject), negated, of)}"
            case sx.EveryIs(phrase, negated, description):
                return f"every {self.phrase(phrase)} {self.is_so(description, False, negated)}"
            case sx.Every(phrase, condition):
                return f"for every {self.phrase(phrase)}, {self.say(condition)}"
            case sx.Some(phrase):
                return f"there is some {self.phrase(phrase)}"
            case sx.NoneOf(phrase):
                return f"there is no {self.phrase(phrase)}"
            case sx.The(phrase):
                return f"the {self.phrase(phrase)}"
            case sx.NumberOf(phrase):
                return f"the number of {self.one_of(phrase) or self.phrase(phrase)}"
            case sx.SumOf(value, phrase):
                group = self.one_of(phrase) or f"the {self.phrase(phrase)}"
                if self.say(value).startswith("its ") and isinstance(value, (sx.Attr, sx.Call)):
                    return f"the total {self.bare(value)} of {group}"
                return f"the sum of {self.say(value)} over {group}"
            case sx.ExtremeOf(extreme, value, phrase):
                group = self.one_of(phrase) or f"the {self.phrase(phrase)}"
                return f"the {in_words(extreme)} {self.bare(value)} of {group}"
            case sx.NounPhrase(tails=(sx.TailWhere(sx.Is(sx.Name("it"), False, sx.Expr() as only)),)) if (
                self._one_thing(only)
            ):
                return self.say(only)
            case sx.NounPhrase():
                return f"the {self.phrase(expr)}"
        raise AssertionError(f"no words for {type(expr).__name__}")

    def denied(self, expr: sx.Expr) -> str:
        """The contrary of a condition, as a person would say it."""
        match expr:
            case sx.Is(subject, negated, description):
                return self.say(sx.Is(subject, not negated, description))
            case sx.Name(id) if id in self.local_facts:
                return f"“{in_words(id)}” does not hold"
            case sx.Some(phrase):
                return self.say(sx.NoneOf(phrase))
            case sx.NoneOf(phrase):
                return self.say(sx.Some(phrase))
            case sx.Attr(of, name) if self.names.is_flag(name):
                return f"{self.say(of)} {self.has_flag(name, self.many(of), negated=True)}"
            case sx.Call(name, arguments) if self._is_condition(name):
                return self.tell(name, self.values(name, arguments), negated=True)
            case sx.Not(value):
                return self.say(value)
            case sx.Logic(op, parts):
                # Neither of two is “not this and not that”, not both is “not this or not that”.
                contrary = CONTRARY[op]
                return f" {contrary} ".join(self.clause(sx.Not(part), contrary) for part in parts)
            case sx.Compare(op, left, right) if op in CONTRARY:
                return self.say(sx.Compare(CONTRARY[op], left, right))
            case sx.Call(name, arguments) if name in self.names.program.actions:
                return f"{self.deed(name, [self.say(a.value) for a in arguments])} is not allowed"
            case sx.Call():
                return f"it is not so that {self.say(expr)}"
            case sx.Attr(of, name) if name in self.names.result_flags:
                return f"{self.say(of)} does not say “{in_words(name)}”"
            case sx.Name(id) if id in self.names.record_flags or id in ("cancelled", "first_step"):
                was, is_ = (" was ", " is ")
                word = was if id == "cancelled" else is_
                return self.say(expr).replace(word, f"{word}not ", 1)
            case sx.Name(id) if id in self.names.world.tracks:
                return self.names.fact(id, negated=True)
            case sx.Name(id) if self._is_condition(id):
                return self.tell(id, [], negated=True)
            case _:
                return f"it is not so that {self.say(expr)}"

    def absent(self, subject: sx.Expr, there: bool) -> str:
        """Whether there is something at all: “the unit has no mode”, “there is an arrival”."""
        match subject:
            case sx.Attr(of, name):
                return self.lacks(name, self.say(of), self.many(of), there)
            case sx.Name(id):
                words = in_words(id)
                *others, last = words.split(" ")
                if others and last in PREPOSITIONS:
                    subject_words = " ".join(others[:-1])
                    whom = "somebody" if there else "nobody"
                    if subject_words:
                        return f"{subject_words} is {others[-1]} {last} {whom}"
                    return f"{whom} is noted under “{words}”"
                return f"there is {article(words) if there else f'no {words}'}"
            case _:
                words = self.bare(subject)
                return f"there is {article(words) if there else f'no {words}'}"

    def _set_to(self, setting: str, negated: bool, description: sx.Description) -> str:
        """A reading or an option compared with one of its values."""
        shown = self.names.linked(setting, f"“{in_words(setting)}”")
        values = description.names if isinstance(description, sx.OneOf) else ()
        words = listed([f"“{in_words(v)}”" for v in values], "or") if values else ""
        if not words:
            only = description.id if isinstance(description, sx.Name) else ""
            words = f"“{in_words(only)}”" if only else self.description(description)
        is_reading = isinstance(self.names.program.settings[setting].source, sx.Reading)
        return f"{shown} is {'not ' if negated else ''}{'read as' if is_reading else 'set to'} {words}"

    def _owner(self, subject: sx.Expr, description: sx.Description) -> str:
        """The player that a piece or a space is said to be: it is that player’s."""
        world = self.names.world
        players = world.universes.get("player")
        if players is None or not isinstance(description, sx.Name) or not isinstance(subject, sx.Name):
            return ""
        kind = world.nouns.get(subject.id, ("", ""))[0]
        owned = description.id in players.index and kind in ("piece", "space")
        return self.say(description) if owned else ""

    def _one_thing(self, expr: sx.Expr) -> bool:
        """Whether “the hexes that are this” is just this."""
        names = self.names
        if isinstance(expr, sx.Numbered):
            return True
        return isinstance(expr, sx.Name) and (expr.id in names.things or expr.id in names.world.nouns)

    def condition(self, expr: sx.Expr | None, word: str = "when") -> str:
        """` when …`, or nothing."""
        if expr is None or expr == sx.Name("true"):
            return ""
        return f" {word} {self.say(expr)}"

    def be(self, subject: sx.Expr) -> str:
        return "are" if self.many(subject) else "is"

    def clause(self, part: sx.Expr, op: str) -> str:
        text = self.say(part)
        match part:
            case sx.Logic(op=inner):
                mixed = inner != op
            case sx.Not(value=sx.Logic(op=inner)):
                mixed = CONTRARY[inner] != op
            case _:
                mixed = False
        return f"({text})" if mixed or isinstance(part, sx.IfThen) else text

    def _part(self, part: sx.Expr, op: str = "*") -> str:
        text = self.say(part)
        loose = isinstance(part, sx.Arithmetic) and (op in "*/" or part.op in "*/") and part.op != op
        return f"({text})" if loose or isinstance(part, (sx.IfThen, sx.Logic)) else text

    # ---- names
    def _attribute(self, of: sx.Expr, name: str) -> str:
        if isinstance(of, sx.Name) and f"{of.id}.{name}" in self.names.program.quantities:
            quantity = f"{of.id}.{name}"
            return f"the {in_words(of.id)}’s {self.names.linked(quantity, in_words(name))}"
        if self.names.is_flag(name) and name not in self.names.program.defines:
            return f"{self.say(of)} {self.has_flag(name, self.many(of))}"
        if name in self.names.result_flags:
            return f"{self.say(of)} says “{in_words(name)}”"
        shown = self.names.attribute(name)
        if clause := self.as_deed(name, self.say(of)):
            return clause
        if isinstance(of, sx.Lookup):
            return self._found(shown, of)
        if isinstance(of, sx.Name) and of.id == "it":
            return f"its {shown}"
        owner = self.say(of)
        long = plain(owner).endswith(")") or " of " in plain(owner)  # too far from its ’s
        if long or isinstance(of, (sx.Attr, sx.The, sx.NounPhrase)):
            return f"the {shown} of {owner}"
        return f"{owner}’ {shown}" if owner.endswith("s") else f"{owner}’s {shown}"

    def _found(self, what: str, where: sx.Lookup) -> str:
        keys = listed([self.say(key) for key in where.keys])
        return f"the {what} in the {self.names.table(where.table)} for {keys}"

    def _is_condition(self, name: str) -> bool:
        return name in self.names.program.defines and self.names.is_flag(name)

    def call(self, name: str, arguments: tuple[sx.Argument, ...]) -> str:
        program = self.names.program
        if self._is_condition(name):
            return self.tell(name, self.values(name, arguments))
        values = [self.say(a.value) for a in arguments]
        if name == "clamp" and len(values) == 3:
            return f"{values[0]} (at least {values[1]}, at most {values[2]})"
        if name in _STRAIGHT_ON and name not in program.defines:
            return _STRAIGHT_ON[name].format(*values)
        if name in _BUILTINS and name not in program.defines:
            return self._built_in(name, arguments)
        if name in program.actions:
            return f"{self.deed(name, values)} is allowed"
        if worded := self.names.worded_value(name, values):
            return self.names.linked(name, worded)
        linked = self.names.linked(name)
        if name in program.routes:
            return f"the ends of {self.way(name, arguments)}"
        if values == ["it"]:
            return f"its {self.names.linked(name, in_words(name).removesuffix(' of'))}"
        of = "" if name.endswith(("_of", "_without", "_in", "_for")) else "of "
        return f"the {linked} {of}{listed(values)}" if values else f"the {linked}"

    def _built_in(self, name: str, arguments: tuple[sx.Argument, ...]) -> str:
        if name == "union":
            arguments = _united(arguments)
        values = [self._operand(a.value) for a in arguments]
        limits = [v for v, a in zip(values, arguments, strict=True) if isinstance(a.value, sx.Number)]
        if name in _LIMITS and len(values) == 2 and len(limits) == 1:
            other = next(self.say(a.value) for a in arguments if not isinstance(a.value, sx.Number))
            return f"{other} ({_LIMITS[name]} {limits[0]})"
        return _BUILTINS[name].format(listed(values, _AGAINST.get(name, "and")))

    def _operand(self, value: sx.Expr) -> str:
        """A value among others: what has an “and” of its own stands in brackets."""
        if isinstance(value, sx.Call) and value.name == "union":
            return listed([self._operand(a.value) for a in _united(value.arguments)])
        text = self.say(value)
        return f"({text})" if isinstance(value, (sx.Arithmetic, sx.IfThen)) else text

    def deed(self, name: str, values: list[str]) -> str:
        """A decision with what it is about, in the words in which it is offered."""
        action = self.names.program.actions[name]
        left = dict(zip((p.name for p in action.params), values, strict=False))
        shown = said(action.verb or in_words(name))
        used = [p for p in left if f"{{{p}}}" in shown]
        if not used or "{" in shown.replace("{", "", len(used)):
            if action.verb and "{" not in shown:
                return f"“{self.names.linked(name, shown)}”" + (f" ({listed(values)})" if values else "")
            return self.names.linked(name) + (f" for {listed(values)}" if values else "")
        for param in used:
            shown = shown.replace(f"{{{param}}}", plain(left.pop(param)))
        return f"“{self.names.linked(name, shown)}”" + (f" for {listed([*left.values()])}" if left else "")


def _united(arguments: tuple[sx.Argument, ...]) -> tuple[sx.Argument, ...]:
    """What is joined with what is joined already: one list."""
    found: list[sx.Argument] = []
    for argument in arguments:
        match argument.value:
            case sx.Call("union", inner):
                found += _united(inner)
            case _:
                found.append(argument)
    return tuple(found)
