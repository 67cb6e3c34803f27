"""What people write who speak English: verbs and turns that the language lacks, with those it has instead.

They are looked for only where a statement cannot be read, on the line where reading stopped.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

from rulesdsl.base.diagnostics import Diagnostic, nearest_word
from rulesdsl.base.suggestions import Stop
from rulesdsl.language.parsing.errors.signs import Unreadable

Said = Callable[[re.Match[str]], tuple[str, str]]  # what is wrong, and what to write


def _step(instead: str) -> Said:
    """`no step begins with "put"`, and the step that does it; braces hold groups of the match."""

    def said(found: re.Match[str]) -> tuple[str, str]:
        groups = {name: value or "" for name, value in found.groupdict().items()}
        return f'no step begins with "{found["verb"]}"', f"write `{instead.format(**groups)}`"

    return said


def _moment(instead: str) -> Said:
    def said(found: re.Match[str]) -> tuple[str, str]:
        groups = {name: (value or "").strip() for name, value in found.groupdict().items()}
        words = instead.format(**groups)
        first = found[0].split()[0]
        return (
            f'no statement starts with "{first}"',
            f"something that happens at a moment begins with after: `{words}`",
        )

    return said


_WHO = r"(?P<who>[a-z_][\w.]*)"
_AMOUNT = r"(?P<n>[\w.()]+)"
_STEPS: tuple[tuple[str, Said], ...] = (
    (r"(?P<verb>for all|for every|foreach) (?!each\b)(?P<what>[a-z_]+?)s?\b(?P<rest>[^:]*)(?:$|:)",
     _step("for each {what}{rest}: …")),
    (r"(?P<verb>put) (?P<what>[\w, ]+) (?:in|into|on|onto|at) (?P<place>(?!top|the bottom)[\w.]+)",
     _step("place {what} in {place}")),
    (r"(?P<verb>chooses?|select|pick out) (?P<rest>(?:a|an|one|up to|any)\b[^:]*)",
     _step("player chooses {rest}: …")),
    (r"(?P<verb>all players|everybody|both players|each player) chooses? (?P<rest>[^:]*)",
     _step("at the same time each player chooses {rest}: …")),
    (rf"(?:the )?{_WHO} (?P<verb>gains?|gets?|receives?|earns?|scores?|wins) {_AMOUNT} (?P<of>[a-z_]+)",
     _step("add {n} to {who}.{of}")),
    (rf"(?:the )?{_WHO} (?P<verb>loses?|pays?|spends?) {_AMOUNT} (?P<of>[a-z_]+)",
     _step("subtract {n} from {who}.{of}")),
    (r"(?P<verb>while) (?P<c>[^:]+)", _step("repeat at most 100 times while {c}: …")),
    (r"(?P<verb>repeat) until (?P<c>[^:]+)", _step("repeat at most 100 times while not ({c}): …")),
    (r"(?P<verb>repeat) (?P<n>[\w.]+) times", _step("repeat at most {n} times: …")),
    (r"(?P<verb>eliminates?|destroys?|kills?|deletes?|removes) (?P<what>[\w.]+)", _step("remove {what}")),
    (r"(?P<verb>turn over|reduce|turn round|flips) (?P<what>[\w.]+)$", _step("flip {what}")),
    (rf"(?P<verb>increase|raise|increment) (?P<what>[\w.]+) by {_AMOUNT}", _step("add {n} to {what}")),
    (rf"(?P<verb>decrease|reduce|lower|decrement) (?P<what>[\w.]+) by {_AMOUNT}",
     _step("subtract {n} from {what}")),
    (r"(?P<verb>let|set) (?P<what>[\w.]+) (?:be|become) (?P<v>.+)", _step("set {what} to {v}")),
    (r"(?P<verb>[a-z_][\w.]*) :?= (?P<v>.+)", _step("set {verb} to {v}")),
    (r"(?P<verb>roll)s? (?:a|one|the)? ?(?:die|dice|d6)\b", _step('roll 1d6 as die for "what it is for"')),
    (rf"{_WHO} (?P<verb>draws|takes) (?:a|one) token", _step("draw a token for {who}")),
    (r"(?P<verb>call|perform|execute|run|resolve|carry out) (?P<name>[a-z_]\w*(?:\(.*\))?)$",
     _step("do {name}")),
    (r"(?P<verb>(?!(?:finish|leave|cancel|otherwise)$)[a-z_]\w*)(?P<rest>\([^:]*\))?$",
     _step("do {verb}{rest}")),
    (rf"(?:the )?{_WHO} (?P<verb>wins?)\b(?: the game)?(?P<why>.*)", _step("end game: {who} wins{why}")),
    (r"(?P<verb>game over|end the game|the game ends)", _step("end game: nobody wins")),
    (r"(?P<verb>print|say|tell|write|display|announce|log) (?P<text>\".*)", _step("note {text}")),
    (r"(?P<verb>swap|exchange) (?P<a>[\w.]+) (?:and|with) (?P<b>[\w.]+)",
     _step("let first = {a}, then set {a} to {b}, set {b} to first")),
)  # fmt: skip
_STATEMENTS: tuple[tuple[str, Said], ...] = (
    (r"at the end of (?:each |every |the |a )?(?P<what>[a-z_]+)[^:]*", _moment("after phase {what} ends: …")),
    (r"at the (?:start|beginning) of turn (?P<n>\d+)[^:]*",
     _moment("after phase … begins when turn = {n}: …")),
    (r"at the (?:start|beginning) of (?:each |every |the |a )?(?P<what>[a-z_]+)[^:]*",
     _moment("after phase {what} begins: …")),
    (r"(?:on|in|during) (?P<what>turn) (?P<n>\d+)[^:]*", _moment("after phase … begins when turn = {n}: …")),
    (r"(?:each|every) (?P<what>[a-z_]+)[^:]*:", _moment("after phase {what} begins: …")),
    (r"(?:when|whenever|if|once) (?P<what>[a-z_]+ (?:enters|leaves) [a-z_]+)[^:]*",
     _moment("after {what}: …")),
    (r"(?:when|whenever|if|once) (?P<what>[a-z_]+ is (?:removed|flipped|placed))[^:]*",
     _moment("after {what}: …")),
    (r"(?:when|whenever|if|once) (?P<what>[^:]+):", _moment("after phase … ends when {what}: …")),
    (r"before phase (?P<what>[a-z_]+) (?P<edge>begins|ends)[^:]*", _moment("after phase {what} begins: …")),
    (r"(?:a |the )?(?P<what>[a-z_]+) may be (?P<flag>[a-z_]+)\b.*",
     lambda found: ("of what may be so, each is said by itself",
                    f'write `{found["what"]} may be {found["flag"]}`, perhaps with a text and `, quietly`')),
    (r"(?:no |a |the )?(?:[a-z_]+ )+?(?:may not|cannot|can not|must not|may) (?P<what>[a-z_]+)",
     lambda found: ("what is not allowed is said with forbid",
                    f'write `forbid {found["what"]} when … "why"`')),
    (r"add (?P<n>[\w.]+) to (?P<what>[a-z_.]+) when (?P<c>.+)",
     lambda found: ("a number that others change is said with modify",
                    f'write `modify {found["what"]}`, and below it, indented, '
                    f'`+{found["n"]} when {found["c"]} "why"`')),
    (r"(?P<what>[a-z_][\w.]*) (?P<line>[-+x/] ?\d.*)",
     lambda found: ("a number that others change is said with modify",
                    f'write `modify {found["what"]}`, and below it, indented, `{found["line"]}`')),
)  # fmt: skip
_ANYWHERE: tuple[tuple[str, Said], ...] = (
    (r"\bwhere (?P<c>(?!\().+?) (?P<tail>from [\w.]+ round|in order of [\w.]+)",
     lambda found: ("`where` takes everything that follows",
                    f'put its condition into brackets: `where ({found["c"]}) {found["tail"]}`')),
    (r"\bis between (?P<a>[\w.]+) and (?P<b>[\w.]+)",
     lambda found: ('"between" is said of places, not of numbers',
                    f'write `is {found["a"]} to {found["b"]}`')),
    (r"(?P<whole>\d+),(?P<part>\d+)(?= (?:when|\"|rounded)|$)", lambda found: _fraction(found)),
    (r"\bis (?P<a>[a-z_]\w*), (?P<b>[a-z_]\w*(?:, [a-z_]\w*)*)",
     lambda found: ('"is" is followed by one thing', f'write `is one of {found["a"]}, {found["b"]}`')),
    (r"\b(?P<name>[A-Z]\w*(?: [A-Z]\w*)+)(?=\.|\b)",
     lambda found: ("names are lower-case words joined by _",
                    f'write `{found["name"].lower().replace(" ", "_")}`')),
)  # fmt: skip
_COMPILED = {
    "step": [(re.compile(pattern), said) for pattern, said in _STEPS],
    "statement": [(re.compile(pattern), said) for pattern, said in _STATEMENTS],
    "any": [(re.compile(pattern), said) for pattern, said in _ANYWHERE],
}


def _fraction(found: re.Match[str]) -> tuple[str, str]:
    value = Fraction(f"{found['whole']}.{found['part']}")
    return "a number has no comma", f"write `{found['whole']}.{found['part']}` or `{value}`"


def idiom(source: Unreadable, stop: Stop) -> Diagnostic | None:
    """The turn that stands on the line where reading stopped, and how it is said here."""
    rows = source.text.split("\n")
    row = min(stop.row, len(rows))
    text = rows[row - 1]
    bare = _without_comment(text).strip()
    begins = sum(len(one) + 1 for one in rows[: row - 1]) + len(text) - len(text.lstrip())
    if cases := _cases_without_end(source, rows):
        return cases
    for pattern, said in _COMPILED["any"]:
        if (
            found := pattern.search(_blanked(bare))
        ) and begins + found.start() <= stop.offset <= begins + found.end() + 1:
            message, hint = said(found)
            return source.problem(message, begins + found.start(), len(found[0]), hint)
    kind = "step" if text[:1].isspace() else "statement"
    if source.start == "example" or (kind == "step" and not _in_steps(rows)):
        return None
    for pattern, said in _COMPILED[kind]:
        if found := pattern.match(bare):
            message, hint = said(found)
            return source.problem(message, begins, len(found[0].rstrip()), hint)
    return None


def _cases_without_end(source: Unreadable, rows: list[str]) -> Diagnostic | None:
    """`define d(unit) =` and cases below it, none of which holds for everything else."""
    if not re.match(r"\s*define\b.*=\s*$", rows[0]) or any(
        row.strip().startswith("otherwise:") for row in rows
    ):
        return None
    if not re.match(r"\s+if\b[^:]+:", rows[1] if len(rows) > 1 else ""):
        return None
    last = max(number for number, row in enumerate(rows) if row.strip())
    if nearest_word(rows[last].strip().partition(":")[0], ["otherwise"]):
        return None  # it is there, misspelt
    start = sum(len(row) + 1 for row in rows[:last]) + len(rows[last]) - len(rows[last].lstrip())
    return source.problem(
        "the cases end without one for everything else", start, len(rows[last].strip()),
        "add a last line `otherwise: …`",
    )  # fmt: skip


def _in_steps(rows: list[str]) -> bool:
    """Whether indented lines of this statement are steps, and not lines of a quantity or a route."""
    head = next((row for row in rows if row.strip() and not row.lstrip().startswith("#")), "")
    return re.match(r"(?:procedure|phase|weigh|token|after|in)\b", head) is not None


def _without_comment(text: str) -> str:
    return re.sub(r'#[^"]*$', "", text)


def _blanked(text: str) -> str:
    """Texts in quotes say nothing."""
    return re.sub(r'"[^"]*"', lambda found: '"' + "·" * (len(found[0]) - 2) + '"', text)
