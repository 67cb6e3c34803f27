"""Answers to questions: why, why not, odds, hint, rule. Each is a list of lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.agents.search import SearchAgent
from interpreter.agents.sight import Sight, worth
from interpreter.agents.simple import GreedyAgent
from interpreter.forecast import forecast
from interpreter.session import Option, Session
from rulesdsl.cli.play.board import Board, fact
from rulesdsl.cli.reading import find_paragraph, paragraph_text, set_anew
from rulesdsl.diagnostics import UsageError

if TYPE_CHECKING:
    from interpreter.explain import Refusal

MOST_OUTCOMES = 16
MOST_THINGS = 4


def why(session: Session, option: Option) -> list[str]:
    """The step that offers an option, and the clauses that could have forbidden it."""
    explanation = session.explain(option)
    lines = [f"{explanation.text}: offered by {explanation.rule} {explanation.title}".rstrip()]
    if explanation.met:
        lines.append("it meets:")
        lines += [f"  {_clause(condition)}" for condition in explanation.met]
    if explanation.considered:
        lines.append("nothing forbids it; these were considered:")
        lines += [f"  {_clause(refusal)}" for refusal in explanation.considered]
    return lines


def why_not(session: Session, wish: str) -> list[str]:
    """Every clause that stands against something that is not offered."""
    if not wish:
        raise UsageError("name what you would like to do: a space, a piece, or several joined by +")
    refusals = session.why_not(wish)
    return [_clause(refusal) for refusal in refusals] if refusals else [f"{wish} is offered"]


def odds(session: Session, option: Option) -> list[str]:
    """What may come of an option, with exact chances."""
    found = forecast(session, option)
    if not found.lines:
        return [f"{option.text}: nothing about it is left to chance"]
    lines = [f"{option.text} ({found.ways} ways the dice can fall, and nobody does more than he must):"]
    lines += [f"{100 * float(chance):5.1f} %  {text}" for chance, text in found.lines[:MOST_OUTCOMES]]
    if len(found.lines) > MOST_OUTCOMES:
        lines.append(f"         … and {len(found.lines) - MOST_OUTCOMES} rarer things")
    if not found.complete:
        lines.append("there are more ways than could be looked at: the chances are not exact")
    return lines


def hint(session: Session) -> Option:
    """What an agent would choose who knows no more than this seat."""
    sight = Sight.of(session.ruleset, session.machine)
    decision = len(session.history)
    agent: GreedyAgent | SearchAgent = GreedyAgent("hint")
    if worth(session.ruleset, sight.world("hint")) is None:
        agent = SearchAgent("hint", seconds=1.0)
    index = agent.choose(sight, decision)
    return next(option for option in session.options if option.index == index)


def look(session: Session, name: str) -> list[str]:
    """Everything that is printed on a thing, and everything known about it now."""
    found = find_things(session, name)
    if not found:
        raise UsageError(f'nothing is called "{name}"' if name else "name a space, a piece or a player")
    if len(found) > MOST_THINGS:
        names = ", ".join(identity for _, identity in found[:MOST_OUTCOMES])
        return [
            f"{len(found)} things are called like that: {names}{' …' if len(found) > MOST_OUTCOMES else ''}"
        ]
    world, lines = session.ruleset.program.world, list[str]()
    board = Board(session, session.view(session.player))
    for universe, identity in found:
        things = world.universes[universe]
        number = things.index[identity]
        lines.append(f"{things.names[number]} ({things.classes[number]} {identity})")
        for (of, attribute), declared in world.attributes.items():
            value = board.value(declared, identity) if of == universe else None
            if value not in (None, 0, "", ()):
                guess = " (estimated)" if board.is_guessed(declared, identity) else ""
                lines.append(f"  {fact(attribute, board.shown(declared, value))}{guess}")
        standing = board.pieces_by_space().get(identity, []) if universe == "space" else []
        if standing:
            lines.append(f"  holds {', '.join(board.piece_label(piece) for piece in standing)}")
    return lines


def find_things(session: Session, name: str) -> list[tuple[str, str]]:
    """Spaces, pieces and players with this name, id or alias; else those whose name contains it."""
    wanted = name.casefold().strip()
    near: list[tuple[str, str]] = []
    for universe in ("space", "piece", "player"):
        things = session.ruleset.program.world.universes[universe]
        if wanted in things.index:
            return [(universe, things.ids[things.index[wanted]])]
        for identity, shown in zip(things.ids, things.names, strict=True):
            if wanted == identity.casefold():
                return [(universe, identity)]
            if wanted and wanted in shown.casefold():
                near.append((universe, identity))
    return near


def rule(session: Session, number: str, width: int) -> list[str]:
    """A paragraph of the rulebook: its prose, set anew for this width, and its rules."""
    if not number:
        number = session.prompt.rule if session.prompt is not None else ""
    paragraph = find_paragraph(dict(session.ruleset.program.paragraphs), number)
    lines = [f"{paragraph.id} {paragraph.title}".strip()]
    lines += [*set_anew(paragraph_text(paragraph, examples=False), width), ""]
    examples = sum(fence.kind == "example" for fence in paragraph.fences)
    if examples:
        where = f'"rulesdsl rule {session.facts["game"]} {paragraph.id}"'
        lines.append(f"{examples} running example{'s' if examples > 1 else ''}: {where}")
    return lines if examples else lines[:-1]


def _clause(refusal: Refusal) -> str:
    facts = ", ".join(f"{text}: {value}" for text, value in refusal.facts)
    head = f"{refusal.rule} {refusal.title}".strip()
    return f"{head}: {refusal.clause}" + (f" ({facts})" if facts else "")
