"""What falls silent under house rules: printed rules that still stand there and can no longer apply.

Words are followed, not meanings: a rule that is not reported may still be silent, one that is reported is.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulesdsl.base.lightclass import dataclass
from rulesdsl.book.entries import Value
from rulesdsl.book.loader import GameSource
from rulesdsl.book.tables.table import Table
from rulesdsl.house.draft import paragraphs_of
from rulesdsl.house.resolving.statements import declared, owner, subject
from rulesdsl.language import syntax as sx
from rulesdsl.language.syntax.rewording import words_of

Statements = list[tuple[str, sx.Rule]]  # each with its paragraph
Reached = tuple[set[str], Statements]


@dataclass(frozen=True, slots=True)
class Silent:
    """A paragraph (or nothing, for a table) and what in it no longer applies, and why."""

    paragraph: str
    what: str
    why: str


def silenced(base: GameSource, after: GameSource) -> list[Silent]:
    """What applied in the printed game and, although it is still there, does not apply now."""
    before, now = _reached(base), _reached(after)
    found = [*_unreached(after, before, now), *_other_readings(base, after), *_gone_values(base, after)]
    found += [*_never_marked(base, after, before[1], now[1]), *_gone_results(base, after)]
    for change in after.changes:
        if change.kind == "example":
            why = f"it expects a refusal by {change.paragraph}, which is repealed"
            found.append(Silent(change.subject, f"example {change.part}", why))
    return list(dict.fromkeys(found))


def _statements(source: GameSource) -> Statements:
    return [(p.id, rule) for p in paragraphs_of(source).values() for rule in p.rules]


def _reached(source: GameSource) -> Reached:
    """Every word in use, from the sequence of play onwards, and the statements that are reached."""
    waiting = _statements(source)
    words = {"game"}
    reached: Statements = []
    while True:
        now = [(number, rule) for number, rule in waiting if _is_reached(rule, words)]
        if not now:
            return words, reached
        waiting = [pair for pair in waiting if not any(pair[1] is rule for _, rule in now)]
        reached += now
        for _, rule in now:
            words |= words_of(rule)


def _is_reached(rule: sx.Rule, words: set[str]) -> bool:
    match rule:
        case sx.Modify() | sx.Permission() | sx.Must():
            return any(name.rpartition(".")[2] in words for name in owner(rule).split(", "))
        case sx.Trigger() | sx.Token():
            return True
        case _:
            name = declared(rule)
            return name is None or name[0] == "component" or name[1].rpartition(".")[2] in words


def _unreached(after: GameSource, printed: Reached, amended: Reached) -> Iterator[Silent]:
    """Statements and tables to which no way leads any more."""
    (words, before), (words_now, now) = printed, amended
    was = {(number, subject(rule)) for number, rule in before}
    still = {(number, subject(rule)) for number, rule in now}
    for number, rule in _statements(after):
        key = (number, subject(rule))
        if key in was and key not in still:
            yield Silent(number, subject(rule), "nothing uses it any more")
    for name in after.tables:
        if name in words and name not in words_now:
            yield Silent("", f"table {name}", "nothing reads it any more")


def _other_readings(base: GameSource, after: GameSource) -> Iterator[Silent]:
    """Rules that speak of a reading which is no longer in force."""
    before = {rule.name: rule.default for _, rule in _statements(base) if isinstance(rule, sx.Reading)}
    for _, reading in _statements(after):
        if not isinstance(reading, sx.Reading):
            continue
        old = before.get(reading.name, reading.default)
        if old == reading.default:
            continue
        for number, rule in _statements(after):
            if rule is not reading and _tests(rule, reading.name, old):
                yield Silent(number, subject(rule), f"where it asks for {reading.name} {old}")


def _tests(rule: sx.Rule, reading: str, value: str) -> bool:
    return any(
        isinstance(part, sx.Is) and part.subject == sx.Name(reading) and part.description == sx.Name(value)
        for part in sx.walk(rule)
    )


def _gone_values(base: GameSource, after: GameSource) -> Iterator[Silent]:
    """Words that were printed somewhere on the map or on a counter and no longer are."""
    now = _printed(after)
    # a player is there without a counter of his, and so is a zone that nothing is bound to any more
    still = {
        *now,
        *(player.id for player in after.game.players),
        *after.pieces,
        *(after.map.spaces if after.map else ()),
    }
    gone = {word: noun for word, noun in _printed(base).items() if word not in still}
    for number, rule in _statements(after):
        if isinstance(rule, sx.Enumeration | sx.ClassDecl):
            continue
        for word in sorted(words_of(rule) & gone.keys()):
            yield Silent(number, subject(rule), f'where it asks for "{word}": no {gone[word]} has it now')


def _never_marked(
    base: GameSource, after: GameSource, before: Statements, now: Statements
) -> Iterator[Silent]:
    """Flags of play that were marked, and that nothing marks any more: whoever asks for one asks in vain."""
    gone = _marked(before) - _marked(now, or_set=True)
    gone -= {given.attribute for scenario in base.scenarios.values() for given in scenario.settings}
    gone -= {a.name for _, r in now if isinstance(r, sx.ClassDecl) for a in r.attributes if a.default}
    for number, rule in _statements(after):
        if isinstance(rule, sx.ClassDecl) or not gone:
            continue
        for flag in sorted(words_of(rule, but=(sx.Mark, sx.Unmark)) & gone):
            yield Silent(number, subject(rule), f'where it asks for "{flag}": nothing is marked so now')


def _marked(statements: Statements, or_set: bool = False) -> set[str]:
    """Flags that are marked somewhere; or set, by a statement that may also set something else."""
    found: set[str] = set()
    for _, rule in statements:
        for part in sx.walk(rule):
            if isinstance(part, sx.Mark):
                found.add(part.flag)
            elif or_set and isinstance(part, sx.Assign):
                found |= words_of(part.target)
    return found


def _printed(source: GameSource) -> dict[str, str]:
    """Flags that are true and words that are given somewhere, each with a noun that has it."""
    found: dict[str, str] = {}

    def see(noun: str, attribute: str, value: Value) -> None:
        if value is True or value == "yes":
            found.setdefault(attribute, noun)
        elif isinstance(value, str):
            found.setdefault(value, noun)

    things = [*(source.map.spaces.values() if source.map else ()), *source.pieces.values()]
    for thing in things:
        for values in (thing.attributes, *getattr(thing, "faces", ())):
            for name, value in values.items():
                see(thing.kind, name, value)
    for border in source.map.borders if source.map else ():
        for name, value in border.attributes.items():
            see("border", name, value)
    return found


def _gone_results(base: GameSource, after: GameSource) -> Iterator[Silent]:
    """Results that a table no longer gives."""
    for name, table in after.tables.items():
        if name not in base.tables:
            continue
        for field in sorted(_results(base.tables[name]) - _results(table)):
            yield Silent("", f"table {name}", f'no cell has the result "{field}" any more')


def _results(table: Table) -> set[str]:
    found: set[str] = set()
    for cell in table.cells():
        if isinstance(cell.value, dict):
            found |= {name for name, value in cell.value.items() if value}
        elif isinstance(cell.value, str):
            found.add(cell.value)
    return found
