"""Says the calls of a game's yes-or-no definitions as adjectives, relations and clauses with `that`.

    python tests/rephrase.py games/race_for_berlin foreign=to replaceable=by inward=~of

`ready(unit)` becomes `unit is ready`; with `foreign=to`, `foreign(zone, unit)` becomes `zone is foreign to
unit` (`~` exchanges the two). A definition whose name is a verb (`may_strike`) is used in clauses with
`that`. Of a `where` what can stand before the noun, or after it with `of` or `that`, does so. Only what can
be read back is written; that a game is the same afterwards, its recorded games and its examples tell.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent)]

from rulesdsl import program as pg  # noqa: E402
from rulesdsl.base.source import SourceFile  # noqa: E402
from rulesdsl.book.loader import load_game  # noqa: E402
from rulesdsl.checking.checker import check  # noqa: E402
from rulesdsl.language import syntax as sx  # noqa: E402
from rulesdsl.language.printing import formatter  # noqa: E402
from rulesdsl.language.printing.modern import modern  # noqa: E402

VERB = re.compile(r"(?:may|can|could|has|have|must|does|did|came|would|needs?|[a-z]+[^s]s)(?:_|$)")
NOT_VERBS = ("across", "always", "overseas", "its")
CONVENTIONS = ("invariant_", "odds_")
IT = sx.Name("it")


@dataclass(frozen=True)
class Words:
    """What is known of the names of a game."""

    adjectives: frozenset[str]
    verbs: frozenset[str]  # of one thing or of two
    relations: dict[str, str]
    swapped: frozenset[str]
    owners: dict[tuple[str, str], str]  # (noun, attribute) that alone has its type
    taken: frozenset[str]  # words that mean something else

    def form(self, name: str) -> str:
        if name in self.adjectives:
            return "is"
        if name in self.verbs:
            return "verb"
        return self.relations.get(name, "") if name not in self.swapped else ""


def words_of(program: pg.Program, wanted: dict[str, str]) -> Words:
    world = program.world
    attributes = {name for _, name in world.attributes}
    ids = {i for universe in world.universes.values() for i in universe.ids}
    values = {v for enum in world.enums.values() for v in enum.values}
    fields_ = {f for record in world.records.values() for f in record.fields}
    taken = frozenset({*attributes, *ids, *values, *world.nouns, *world.roles, *world.tracks, *fields_})
    adjectives, verbs, relations, swapped = set(), set(), {}, set()
    for name, define in program.defines.items():
        if define.type.kind != "flag" or name in taken or name.startswith(CONVENTIONS):
            continue
        kinds = [param.type.kind for param in define.params]
        verb = VERB.match(name) is not None and not name.startswith(NOT_VERBS)
        if wanted.get(name) == "call":
            continue
        if kinds == ["thing"]:
            (verbs if verb and wanted.get(name) != "is" else adjectives).add(name)
        elif len(kinds) == 2 and kinds[0] == "thing" and "set" not in kinds:
            if name in wanted:
                relations[name] = wanted[name].lstrip("~")
                if wanted[name].startswith("~"):
                    swapped.add(name)
            elif verb:
                verbs.add(name)
    owners = {}
    for noun, (universe, of) in world.nouns.items():
        own = [a for (u, _), a in world.attributes.items() if u == universe and a.belongs_to(of)]
        for attribute in own:
            alike = [
                a for a in own
                if (a.type.kind, a.type.name) == (attribute.type.kind, attribute.type.name) and not a.built_in
            ]  # fmt: skip
            if attribute.type.kind in ("enum", "thing") and len(alike) == 1 and not attribute.built_in:
                owners[noun, attribute.name] = attribute.type.kind
    return Words(frozenset(adjectives), frozenset(verbs), relations, frozenset(swapped), owners, taken)


def rephrased(node: Any, words: Words, known: frozenset[str]) -> Any:
    """`known` are the parameters of the statement it stands in."""
    if isinstance(node, tuple):
        made = tuple(rephrased(part, words, known) for part in node)
        return made if any(new is not old for new, old in zip(made, node, strict=True)) else node
    if not isinstance(node, sx.Node):
        return node
    if hasattr(node, "params"):
        known = known | {param.name for param in node.params}
    changed = {}
    for spec in fields(node):
        before = getattr(node, spec.name)
        after = rephrased(before, words, known)
        if after is not before:
            changed[spec.name] = after
    node = replace(node, **changed) if changed else node
    match node:
        case sx.Call(name, arguments) if all(a.name is None for a in arguments):
            return _asked(name, [a.value for a in arguments], words) or node
        case sx.Not(sx.Is(subject, negated, description)):
            return sx.Is(subject, not negated, description, span=node.span)
        case sx.Repeat(sx.Number(value), None, (sx.Choose(otherwise=(sx.Leave(),)) as once,)) if value >= 4:
            if once.way_out is not None and once.count is None and once.body is not None:
                return replace(once, otherwise=None, repeatedly=True)
        case sx.NounPhrase():
            return _phrase(node, words, known)
        case sx.Define(name=name, params=params) if words.form(name) and not node.form:
            return replace(node, form=words.form(name)) if len(params) in (1, 2) else node
    return node


def _asked(name: str, values: list[sx.Expr], words: Words) -> sx.Expr | None:
    if name in words.adjectives and len(values) == 1 and values[0] != sx.Name(name):
        return sx.Is(values[0], False, sx.Name(name))
    if name in words.relations and len(values) == 2:
        one, other = reversed(values) if name in words.swapped else values
        return sx.Is(one, False, sx.Related(name, other, words.relations[name]))
    return None


def _phrase(phrase: sx.NounPhrase, words: Words, known: frozenset[str]) -> sx.NounPhrase:
    """`units where it.camp is player and it is ready and may_strike(it, zone)` says less with more."""
    noun = phrase.words[-1]
    if [type(tail) for tail in phrase.tails].count(sx.TailWhere) != 1:
        return phrase
    place = next(n for n, tail in enumerate(phrase.tails) if isinstance(tail, sx.TailWhere))
    tail = phrase.tails[place]
    assert isinstance(tail, sx.TailWhere)
    if tail.that:
        return phrase
    condition = tail.condition
    parts = condition.parts if isinstance(condition, sx.Logic) and condition.op == "and" else (condition,)
    front: list[str] = []
    side: list[str] = []
    behind: list[sx.Tail] = []
    left: list[sx.Expr] = []
    for part in parts:
        match part:
            case sx.Is(subject, False, sx.Name(word)) if (
                subject == IT and word in words.adjectives and len(front) + len(phrase.words) < 3
            ):
                front.append(word)
            case sx.Is(sx.Attr(subject, attribute), False, sx.Name(word)) if (
                subject == IT and word in known and (noun, attribute) in words.owners
                and words.owners[noun, attribute] == "thing" and not behind
            ):  # fmt: skip
                behind.append(sx.TailOf(sx.Name(word)))
            case sx.Is(sx.Attr(subject, attribute), False, sx.Name(word)) if (
                subject == IT and word == attribute and word in known and word not in phrase.words
                and words.owners.get((noun, attribute)) == "enum" and not side
            ):  # fmt: skip
                side.append(word)
            case _:
                left.append(part)
    if len(left) == 1 and _relative(left[0], words):
        behind.append(sx.TailWhere(left[0], True))
        left = []
    if left == list(parts) or (len(left) > 1 and len(parts) - len(left) < 2):
        return phrase
    if left:
        rest = left[0] if len(left) == 1 else sx.Logic("and", tuple(left))
        behind.append(sx.TailWhere(rest))
    if not phrase.tails[:place] and not behind and not phrase.words:
        return phrase
    tails = (*phrase.tails[:place], *behind, *phrase.tails[place + 1 :])
    owned = [n for n, t in enumerate(tails) if isinstance(t, sx.TailOf)]
    if owned and owned[0] > 0:  # `of` stands next to its noun
        tails = (tails[owned[0]], *tails[: owned[0]], *tails[owned[0] + 1 :])
    return replace(phrase, words=(*front, *side, *phrase.words), tails=tails)


def _relative(part: sx.Expr, words: Words) -> bool:
    match part:
        case sx.Is(subject, _, description):
            return subject == IT and not isinstance(description, sx.OneOf)
        case sx.Call(name, arguments) | sx.Not(sx.Call(name, arguments)):
            first = arguments[0].value if arguments else None
            return first == IT and name in words.verbs and len(arguments) < 3
    return False


def main(directory: Path, wanted: dict[str, str]) -> None:
    source, problems = load_game(directory)
    assert source is not None, problems
    program, problems = check(source)
    assert program is not None, problems
    words = words_of(program, wanted)

    def better(node: Any) -> Any:
        return rephrased(modern(node), words, frozenset())

    formatter.modern = better  # type: ignore[assignment]
    for path in sorted([*directory.glob("rules/*.md"), *directory.glob("examples/*.md")]):
        file = SourceFile(path, path.read_text("utf-8"))
        text = formatter.format_chapter(file)
        if text != file.text:
            path.write_text(text, "utf-8")
    counts = (words.adjectives, words.relations, words.verbs)
    print("{}: {} adjectives, {} relations, {} verbs".format(directory, *map(len, counts)))


if __name__ == "__main__":
    main(Path(sys.argv[1]), dict(pair.split("=") for pair in sys.argv[2:]))
