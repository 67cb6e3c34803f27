"""Answers to questions: why, why not, odds, hint, rule. Each is a list of lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from shlex import quote
from typing import TYPE_CHECKING

from interpreter.agents.advice import advise
from interpreter.agents.sight import Sight
from interpreter.asking import questions
from interpreter.asking.author_words import title_of
from interpreter.playing.session import Option, Session
from rulesdsl.base.diagnostics import UsageError
from rulesdsl.cli.odds_lines import odds_lines
from rulesdsl.cli.play.things import MOST_THINGS, find_things, name_of, short, token_rule
from rulesdsl.cli.play.tongue import prose_and_title, t, titled
from rulesdsl.cli.rule import find_paragraph, heading, paragraph_text, set_anew

if TYPE_CHECKING:
    from interpreter.asking.answers import Reason, Refusal

_BETWEEN = re.compile(r"\s*,\s*|\s+and\s+|\s*\+\s*")
AS_WRITTEN = "--rule"  # after a question: clauses as their author wrote them


def why(session: Session, option: Option, as_written: bool = False) -> list[str]:
    """The step that offers an option, and the clauses that could have forbidden it."""
    shown = _as_written if as_written else _clause
    explanation = questions.explain(session, option)
    lines = [_offered(session, explanation.text, explanation.paragraph, explanation.title)]
    if explanation.met:
        lines.append(t("it meets:"))
        lines += [f"  {shown(condition)}" for condition in explanation.met]
    if explanation.considered:
        lines.append(t("nothing forbids it; these were considered, and do not apply:"))
        lines += [f"  {shown(refusal)}" for refusal in explanation.considered]
    tokens = session.ruleset.program.tokens
    if option.key in tokens:
        lines += token_rule(session, option.key)
    return lines


def why_not(session: Session, wish: str) -> list[str]:
    """Every clause that stands against something that is not offered; with --rule as it is written."""
    wish, as_written = without_flag(wish)
    if not wish:
        raise UsageError(t("name what you would like to do: a space, a piece, or several joined by +"))
    try:
        refusals = questions.why_not(session, wish)
    except UsageError:  # not an id, a name or an entry in full: what is printed on counters, parts of names
        key = wish_key(session, wish)
        if key == wish:
            raise
        refusals = questions.why_not(session, key)
    if not refusals:
        return [t("{} is offered", short(wish))]
    if as_written:
        return [_as_written(refusal) for refusal in refusals]
    called = {refusal.said for refusal in refusals if refusal.label}  # the same again without a name: no news
    return [_clause(refusal) for refusal in refusals if refusal.label or refusal.said not in called]


def why_so_much(session: Session, asked: str) -> list[str] | None:
    """What a number is made of, line by line with its paragraph; None when no number is called so.

    `strength of Guards`: the name of a quantity, then what it is about in any order that fits.
    """
    quantities = session.ruleset.program.quantities
    words = asked.casefold().replace(",", " , ").split()
    found = [
        (len(spoken), name)
        for name in quantities
        if (spoken := name.replace(".", " ").replace("_", " ").split()) == words[: len(spoken)]
    ]
    if not found:
        return None
    length, name = max(found)
    rest = " ".join(asked.replace(",", " , ").split()[length:]).removeprefix("of ")
    wanted = [param.type.name for param in quantities[name].params]
    given = [_wished(session, part.strip(), wanted) for part in _BETWEEN.split(rest)] if rest else []
    lines = questions.breakdown(session, name, *given, seat=session.player)
    said = f"{name.replace('.', ': ').replace('_', ' ')}{f' of {rest}' if rest else ''}: {lines[-1].value}"
    return [said, *(f"  {_contribution(session, line)}" for line in lines)]


def _contribution(session: Session, line: Reason) -> str:
    """`+1 road (4.2 Costs): the border between Hill and Depot is a road; then 2`"""
    where = _where(line.paragraph, title_of(session.ruleset.program, line.paragraph))
    from rulesdsl.handbook.facts import signed  # only here: the handbook is a lot of code

    amount = signed(line.op, line.amount).removeprefix("= ")
    return f"{amount} {line.label} {where}" + (f": {line.said}" if line.said else "")


def without_flag(text: str) -> tuple[str, bool]:
    """What was asked, and whether --rule stands after it."""
    bare = text.removesuffix(AS_WRITTEN)
    return (bare.rstrip(), True) if bare != text else (text, False)


def wish_key(session: Session, wish: str) -> str:
    """A wish in the spelling of keys: names become ids, `to`, commas and blanks between them become +."""
    for option in session.options:
        if wish.casefold() in (option.key.casefold(), option.text.casefold()):
            return option.key
    plain = wish.casefold().replace(",", "+").replace(" to ", "+")
    return "+".join(_wished(session, part.strip()) for part in plain.split("+"))


def _wished(session: Session, name: str, universes: Sequence[str] = ()) -> str:
    """The id of what is called so, by name, label or a part of it; what nobody knows stays as it is."""
    wanted = set(universes) or {type_.name for type_ in getattr(session.site, "types", ())} or {"space"}
    found = find_things(session, name)
    fitting = [thing for thing in found if thing[0] in wanted] or found
    if len(fitting) < 2:
        return fitting[0][1] if fitting else name
    names = [name_of(session, *thing) for thing in fitting[:MOST_THINGS]]
    more = " …" if len(fitting) > MOST_THINGS else ""
    raise UsageError(t('"{}" may mean {}{}: say which', short(name), ", ".join(names), more))


def odds(session: Session, keys: Sequence[str]) -> list[str]:
    """What may come of an option or a plan, as `rulesdsl odds` tells it, with everything that may join."""
    from interpreter.acts.chances import odds_of_draft  # only here: the odds are a lot of code

    found = odds_of_draft(session, str(session.player), keys)
    if len(found.outcomes) == 1 and not any(outcome.rolled for outcome in found.outcomes):
        changes = [f"  {change}" for change in (*found.always, *found.outcomes[0].changes)]
        return [t("nothing about it is left to chance") + (":" if changes else ""), *changes]
    return [line for text in odds_lines(found) for line in text.split("\n")]


def hint(session: Session) -> Option:
    """What an agent would choose who knows no more than this seat."""
    return hint_and_why(session)[0]


def hint_and_why(session: Session) -> tuple[Option, str]:
    """The same, with its reason."""
    advice = advise(Sight.of(session.ruleset, session.machine), len(session.history))
    options = {option.index: option for option in session.options}
    second = options[advice.second].text if advice.second is not None else ""
    return options[advice.index], advice.why(second)


def rule(session: Session, number: str, width: int) -> list[str]:
    """A paragraph of the rulebook: its prose, set anew for this width, and its rules."""
    if not number:
        number = session.prompt.paragraph if session.prompt is not None else ""
    changes = session.game.source.changes
    paragraph = find_paragraph(dict(session.ruleset.program.paragraphs), number, changes)
    lines = [heading(paragraph, changes)]
    text = paragraph_text(paragraph, examples=False)
    if (other := prose_and_title(session.game.source, paragraph.id)) is not None and other[1]:
        lines, text = [f"{paragraph.id} {other[0]}"], other[1]
    lines += [*set_anew(text, width), ""]
    examples = sum(fence.kind == "example" for fence in paragraph.fences)
    if examples:
        files = [rule.file.path for rule in session.game.source.house]
        house = "".join(f" --house {quote(str(file))}" for file in files)
        where = f': "rulesdsl rule {session.facts["game"]} {paragraph.id}{house}"'
        known = all(file.is_file() for file in files)  # in a save they may come from elsewhere
        told = t("{} running example", examples) if examples == 1 else t("{} running examples", examples)
        lines.append(told + (where if known else ""))
    return lines if examples else lines[:-1]


def _clause(refusal: Refusal) -> str:
    """A clause in words: what it is called, where it stands, what decided it."""
    where = _where(refusal.paragraph, refusal.title)
    read = "".join(t("; the reading {} is {}", name, value) for name, value in refusal.readings)
    if not refusal.label:
        return f"{refusal.said} {where}{read}".lstrip()
    return f"{refusal.label} {where}" + (f": {refusal.said}" if refusal.said else "") + read


def _offered(session: Session, what: str, paragraph: str, title: str) -> str:
    return t("{}: offered by {} {}", what, paragraph, titled(session.game.source, paragraph, title)).rstrip()


def _where(paragraph: str, title: str) -> str:
    return f"({paragraph} {title})".replace(" )", ")")


def _as_written(refusal: Refusal) -> str:
    """A clause as its author wrote it, with the values of what it looks at."""
    facts = ", ".join(f"{text}: {value}" for text, value in refusal.facts)
    head = f"{refusal.paragraph} {refusal.title}".strip()
    source = f": {refusal.source}" if refusal.label and refusal.source else ""
    return f"{head}: {refusal.clause}{source}" + (f" ({facts})" if facts else "")
