"""Questions at the table that change nothing: why, why not, odds, a hint, a rule, all about a thing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter.acts.chances import odds_of_draft
from interpreter.agents.advice import SECONDS, TRIES, advise
from interpreter.agents.sight import Sight
from interpreter.asking import questions
from interpreter.serving.standing import player_name
from rulesdsl.base.diagnostics import UsageError
from rulesdsl.drawing.style.style import in_words
from rulesdsl.handbook.facts import signed

if TYPE_CHECKING:
    from interpreter.asking.answers import Refusal
    from interpreter.playing.session import Session

HINT_SECONDS: float | None = SECONDS  # of thinking; with none a hint is the same on every machine
MOST_DICE = 12  # ways of the dice that are named for one outcome


def why(session: Session, seat: str, key: str) -> dict[str, Any]:
    """The step that offers an option, what it meets, and what could have forbidden it."""
    found = questions.explain(session, key, seat)
    return {
        "text": found.text, "rule": found.paragraph, "title": found.title,
        "met": [_clause(clause) for clause in found.met],
        "considered": [_clause(clause) for clause in found.considered],
    }  # fmt: skip


def why_not(session: Session, seat: str, things: list[str]) -> dict[str, Any]:
    """Every clause that stands against doing something with these things (`piece:x`, `space:y`)."""
    wish = "+".join(thing.partition(":")[2] for thing in things)
    refusals = questions.why_not(session, wish, seat)
    called = {refusal.said for refusal in refusals if refusal.label}
    told = [_clause(r) for r in refusals if r.label or r.said not in called]
    return {"offered": not refusals, "clauses": told}


def odds(session: Session, seat: str, keys: list[str]) -> dict[str, Any]:
    """What may come of an act, as `rulesdsl odds` tells it: sums, what is certain, every outcome."""
    found = odds_of_draft(session, seat, keys)
    single = sorted(found.single().items(), key=lambda pair: (-pair[1], pair[0]))
    return {
        "rule": found.paragraph,
        "about": list(found.about),
        "notes": list(found.notes),
        "sums": [
            {"name": in_words(sums.name).replace(".", ": "), "value": sums.value, "parts": [
                {"label": reason.label, "amount": signed(reason.op, reason.amount), "rule": reason.paragraph}
                for reason in sums.reasons if reason.label != "base"
            ]}
            for sums in found.sums if len(sums.reasons) > 1 or sums.value != "0"
        ],
        "always": list(found.always),
        "outcomes": [
            {"chance": float(outcome.chance), "share": str(outcome.chance),
             "results": list(outcome.results), "dice": list(outcome.rolled[:MOST_DICE]),
             "changes": list(outcome.changes)}
            for outcome in found.outcomes
        ],
        "single": [
            {"chance": float(chance), "share": str(chance), "text": change}
            for change, chance in single if 0 < chance < 1
        ],
    }  # fmt: skip


def hint(session: Session, seat: str) -> dict[str, Any]:
    """What an agent would choose who knows no more than this seat, and why."""
    session.only_for(seat)
    own = sum(moment.who == seat for moment in session.history)  # how often others decided may be a secret
    advice = advise(Sight.of(session.ruleset, session.machine), own, TRIES, HINT_SECONDS)
    options = {option.index: option for option in session.options}
    option, second = options[advice.index], advice.second
    reason = advice.why(options[second].text if second is not None else "")
    return {"key": option.key, "text": option.text, "rule": option.paragraph, "why": reason}


def rule(session: Session, number: str) -> dict[str, Any]:
    """A paragraph in the words of the rulebook, with the tables it brings and its neighbours."""
    paragraphs = session.ruleset.program.paragraphs
    wanted = next((p for p in paragraphs if p.casefold() == number.strip().casefold()), None)
    if wanted is None:
        raise UsageError(f'the rulebook has no paragraph "{number[:40]}"')
    paragraph = paragraphs[wanted]
    lines = [line for line in paragraph.prose.split("\n") if not line.startswith("\x00")]
    below = [{"id": p, "title": paragraphs[p].title} for p in paragraphs if _is_below(p, wanted)]
    programs = ["\n".join(fence.text.splitlines()) for fence in paragraph.fences if fence.kind == "rules"]
    return {
        "id": wanted, "title": paragraph.title, "prose": "\n".join(lines).strip("\n"), "below": below,
        "program": programs,
    }  # fmt: skip


def contents(session: Session) -> dict[str, Any]:
    """All paragraphs, in the order of the rulebook."""
    found = session.ruleset.program.paragraphs
    return {"paragraphs": [{"id": p, "title": found[p].title} for p in found]}


def about(session: Session, seat: str | None, thing: str) -> dict[str, Any]:
    """All that is printed on a thing and known of it now."""
    universe, _, identity = thing.partition(":")
    world = session.ruleset.program.world
    things = world.universes.get(universe)
    if things is None or universe not in ("space", "piece", "player", "token") or identity not in things.ids:
        raise UsageError("nothing is known of that")
    number = things.ids.index(identity)
    view = session.view(seat)
    state = view["things"].get(thing, {})
    facts: list[dict[str, Any]] = []
    for (of, name), attribute in world.attributes.items():
        if of != universe or name in world.directions or attribute.quiet:
            continue
        if attribute.owners and things.classes[number] not in attribute.owners:
            continue
        value = attribute.values[number] if attribute.printed else state.get(name)
        if attribute.printed and isinstance(value, tuple):
            face = state.get("face", 0)
            value = value[face] if isinstance(face, int) and face < len(value) else value[0]
        if attribute.printed and attribute.type.kind in ("thing", "enum") and isinstance(value, int):
            value = None if value < 0 else world.key(attribute.type, value)
        if value in (None, 0, "", (), False):
            continue
        facts.append({"name": in_words(name), "value": _said(session, attribute.type, value)})
    found: dict[str, Any] = {
        "thing": thing, "name": things.names[number], "kind": in_words(things.classes[number] or universe),
        "facts": facts,
    }  # fmt: skip
    if universe == "token":
        found["rule"] = session.ruleset.program.tokens[identity].paragraph
    return found


def _said(session: Session, type_: Any, value: Any) -> str:
    """A value as people read it: flags are told by their name alone, things by theirs."""
    if type_.kind == "flag":
        return ""
    if type_.kind == "thing" and type_.name == "player":
        return player_name(session, str(value)) or str(value)
    universe = session.ruleset.program.world.universes.get(type_.name) if type_.kind == "thing" else None
    if universe is not None and value in universe.index:
        return universe.names[universe.index[value]]
    return in_words(", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value))


def _is_below(number: str, above: str) -> bool:
    rest = number.removeprefix(above)
    return rest != number and rest[:1] in ".-" and not any(sign in rest[1:] for sign in ".-")


def _clause(refusal: Refusal) -> dict[str, Any]:
    readings = [f"{in_words(name)}: {in_words(value)}" for name, value in refusal.readings]
    return {"rule": refusal.paragraph, "title": refusal.title, "label": refusal.label, "said": refusal.said,
            "readings": readings}  # fmt: skip
