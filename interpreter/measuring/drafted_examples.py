"""The position of a game as an example to go on from: what is given, in the words of the rules.

Only what everybody may know is told. Whatever cannot be said as a step (a list, a text) is left out: the
draft is read and checked before it is handed out, and lines that do not stand are dropped.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from interpreter.playing.game import finish_game
from interpreter.playing.session import Session
from rulesdsl.base.diagnostics import RulebookError, errors
from rulesdsl.base.source import SourceFile

REMARK = "# say what happens (when:) and what is expected; this one fails on purpose"
_MOST_TRIES = 6
_ABOVE = 6  # lines of the document before those of the example
Things = dict[str, dict[str, Any]]


def example_of(session: Session) -> str:
    """The text of an `example` block; its `expect:` fails, so that nobody forgets it."""
    scenario = session.facts.get("scenario")
    lines = list(_steps(session, _begun(session).view(None), session.view(None)))
    for _ in range(_MOST_TRIES):
        bad = _wrong_lines(session, _block(scenario, lines))
        if not bad:
            break
        head = 2 if scenario else 1
        lines = [line for number, line in enumerate(lines, head + 1) if number not in bad]
    return _block(scenario, lines)


def _block(scenario: str | None, lines: list[str]) -> str:
    head = [f"given scenario {scenario}"] if scenario else []
    given = ["given:", *(f"    {line}" for line in lines)] if lines else []
    return "\n".join([*head, *given, REMARK, "expect: 1 = 2"])


def _begun(session: Session) -> Session:
    """The scenario before anything happened."""
    ruleset = session.ruleset
    scenario = session.game.scenario(session.facts.get("scenario"))
    machine = ruleset.new_machine(scenario, "example", traced=False)
    return Session(session.game, ruleset, machine, {})


def _steps(session: Session, before: dict[str, Any], now: dict[str, Any]) -> Iterator[str]:
    for name, value in now["tracks"].items():
        if before["tracks"].get(name) != value and value is not None:
            yield f"set {name} to {_word(value)}"
    was: Things = before["things"]
    known: Things = now["things"]
    for key in dict.fromkeys((*was, *known)):
        universe, _, identity = key.partition(":")
        name = _called(session, universe, identity)
        old, new = was.get(key, {}), known.get(key, {})
        for attribute in dict.fromkeys((*old, *new)):
            one, other = old.get(attribute), new.get(attribute)
            if one != other and not isinstance(other, list | dict):
                yield from _step(session, universe, name, attribute, other)


def _step(session: Session, universe: str, name: str, attribute: str, value: Any) -> Iterator[str]:
    if universe == "piece" and attribute == "at":
        yield (
            f"place {name} in {_called(session, 'space', str(value))}"
            if value is not None
            else f"remove {name}"
        )
    elif universe == "piece" and attribute == "face":
        yield f"flip {name} to face {value or 0}"
    elif value is True:
        yield f"mark {name} as {attribute}"
    else:
        known = session.game.program.world.attributes.get((universe, attribute))
        if known is not None and known.type.kind == "flag":
            yield f"unmark {name} as {attribute}"
        elif known is not None and value is None:
            yield f"set {name}.{attribute} to {'none' if known.type.kind in ('thing', 'enum') else 0}"
        elif known is not None and known.type.kind == "thing":
            yield f"set {name}.{attribute} to {_called(session, known.type.name, str(value))}"
        else:
            yield f"set {name}.{attribute} to {_word(value)}"


def _called(session: Session, universe: str, identity: str) -> str:
    """An id as rules write it: `hex 4620` where it is a number."""
    things = session.game.program.world.universes[universe]
    number = things.index.get(identity)
    if not identity.isdigit() or number is None:
        return identity
    return f"{things.class_of(number)} {identity}"


def _word(value: Any) -> str:
    if value is None:
        return "none"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _wrong_lines(session: Session, block: str) -> set[int]:
    """Lines of a block that cannot stand in it, counted from 1."""
    game = session.game
    source = game.source.base or game.source
    paragraph = next(p.id for c in source.chapters for p in c.paragraphs)
    above = f"# Position\nA draft.\n\n## amends {paragraph}\nSo it stands.\n```example\n"
    file = SourceFile(Path("position.md"), f"{above}{block}\n```\n")
    try:
        finish_game(source, (), [*game.house, file])
    except RulebookError as error:
        found = {p.span.line - _ABOVE for p in errors(error.problems) if p.span.file.path == file.path}
        return found or set(range(1, block.count("\n") + 2))
    return set()
