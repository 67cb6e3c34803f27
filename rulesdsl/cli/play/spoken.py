"""Acts as they are typed: `guards combat`, `hussars to the bridge`, `attack hill all`."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from interpreter.acts.offering import Act, Offer, acts
from interpreter.playing.session import Option, Session
from rulesdsl.base.diagnostics import UsageError
from rulesdsl.cli.play.commands import options_called
from rulesdsl.cli.play.things import options_meant
from rulesdsl.cli.play.tongue import t

BETWEEN = ("to", "->", "→", "into", "with", "for", ":")


def act_meant(session: Session, typed: str) -> Act | None:
    """The one act that is meant: the name of an option, then what belongs to it; None when it is not clear
    or not an act of two parts."""
    words = typed.split()
    for count in range(len(words) - 1, 0, -1):
        option = _one_option(session, " ".join(words[:count]))
        rest = [word for word in words[count:] if word.casefold() not in BETWEEN]
        if option is not None and rest:
            found = _continuing(session, acts(session, session.player, (option.key,)), " ".join(rest))
            if found is not None:
                return found
    if is_destination(typed):  # while on the march
        return _continuing(session, acts(session, session.player), " ".join(words[1:]))
    return _continuing(session, acts(session, session.player), typed)


def is_destination(typed: str) -> bool:
    """`to PLACE`: the end of a march is meant, not its next step."""
    return typed.split()[0].casefold() in BETWEEN[:4]


def reachable(session: Session, width: int) -> Text | None:
    """Where the march may end, with what it costs: `to PLACE` goes there at once."""
    spaces = session.ruleset.program.world.universes["space"]
    found = []
    for act in acts(session, session.player).acts:
        if act.kind == "move":
            name = spaces.names[spaces.index[act.second[0].partition(":")[2]]]
            found.append(f"{name} ({act.preview.cost})")
    return Text(f"      {t('to')}: {', '.join(found)}", style="dim") if len(found) > 1 else None


def _one_option(session: Session, typed: str) -> Option | None:
    try:
        found, _ = options_meant(session, typed)
    except UsageError:
        return None
    return found[0] if len(found) == 1 else None


def _continuing(session: Session, offer: Offer, rest: str) -> Act | None:
    """The act of an offer whose second part is called so."""
    whole = [act for act in offer.acts if act.kind == "all"]
    if rest.casefold() == "all":
        return whole[0] if len(whole) == 1 else None
    candidates = [act for act in offer.acts if act.kind in ("move", "mode") or len(act.keys) > 1]
    named = [_as_option(session, act, number) for number, act in enumerate(candidates)]
    found = options_called(named, rest)
    exact = [option for option in found if option.text.casefold() == rest.casefold()]
    found = exact or found
    return candidates[found[0].index] if len(found) == 1 else None


def _as_option(session: Session, act: Act, number: int) -> Option:
    """An act by the name of what it ends with."""
    universes, last = session.ruleset.program.world.universes, act.text.rpartition(": ")[2]
    for thing in act.second[-1:]:
        universe, _, identity = thing.partition(":")
        if universe in universes and identity in universes[universe].index:
            last = universes[universe].names[universes[universe].index[identity]]
            return Option(identity, last, act.paragraph, number)
    return Option(act.keys[-1], last, act.paragraph, number)


def answers_in(line: str) -> Sequence[str]:
    """The answers on a line: parts between semicolons, and numbers with blanks or commas between them."""
    parts = [part.strip() for part in line.split(";") if part.strip()]
    answers: list[str] = []
    for part in parts:
        words = part.replace(",", " ").split()
        if len(words) > 1 and all(word.isdecimal() or word in (".", "done") for word in words):
            answers += words
        elif part.endswith(".") and part[:-1].replace(",", " ").replace(" ", "").isdecimal():
            answers += [*part[:-1].replace(",", " ").split(), "."]
        else:
            answers.append(part)
    return answers
