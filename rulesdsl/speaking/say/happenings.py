"""What happens in a game, as clauses: the lines of the log.

What happens to a thing is told without a verb, under its name (“Guards: to Hill”): Hussars are many, an army
is one, and what is done to both is the same few words. What somebody does is a clause with a verb, which
agrees with who does it. Nobody cuts a line to learn what it says: who joins lines asks the clause.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulesdsl.speaking.clauses.filling import in_braces
from rulesdsl.speaking.clauses.tree import Clause, Thing, Under, Whole, simple
from rulesdsl.speaking.clauses.words import told
from rulesdsl.speaking.english import listed


def under(name: str, what: str) -> Clause:
    """“Guards: reduced”; without a name only what is so."""
    return Under(name, Whole(what)) if name else Whole(what)


def moved(name: str, place: str, arriving: str = "") -> Clause:
    """`arriving` is what the game itself says of who comes to the place."""
    return under(name, arriving or f"to {place}")


def placed(name: str, place: str, arriving: str = "") -> Clause:
    return under(name, arriving or f"placed in {place}")


def removed(name: str) -> Clause:
    return under(name, "removed")


def became(name: str, what: str, so: bool = True) -> Clause:
    """“Guards: fed”, “Guards: no longer fed”"""
    return under(name, what if so else f"no longer {what}")


def became_value(name: str, what: str, value: str) -> Clause:
    return under(name, f"{what} {value}")


def rolled(purpose: str, value: str) -> Clause:
    return under(purpose, value)


def picked(value: str) -> Clause:
    return simple(Thing("chance"), "picks", "", value)


def noted(text: str, values: Sequence[str | None]) -> Clause:
    """An author's own words with values in their braces, the rest of them behind a colon; `None` is a value
    that must not be told."""
    line, left = in_braces(text, values)
    known = [value for value in left if value is not None]
    return under(line, ", ".join(known)) if known else Whole(line)


# ---- tokens ------------------------------------------------------------------------------------------
BAG_IS_EMPTY, NO_SUCH_TOKEN = Whole("the bag is empty"), Whole("there is no such token")
A_TOKEN = Thing("a token")


def with_token(verb: str, token: Thing, who: Thing) -> Clause:
    """What happens to a token: drawn, returned, discarded, given, played or shown."""
    match verb:
        case "draw":
            return simple(who, "draws", "", token)
        case "return":
            return simple(token, "goes", "back to the bag")
        case "discard":
            return simple(token, "leaves", "the game")
        case "give":
            return simple(token, "goes", "to", who)
        case "play":
            return simple(who, "plays", "", token)
        case _:
            return simple(token, "is", "shown to", who)


def heard_of_token(verb: str, who: Thing) -> Clause | None:
    """The same for those who may not know which token it is; nothing when they may not know of it at all."""
    match verb:
        case "draw":
            return simple(who, "draws", "", A_TOKEN)
        case "return":
            return simple(A_TOKEN, "goes", "back to the bag")
        case "give":
            return simple(who, "is", "given", A_TOKEN)
        case "show":
            return simple(who, "is", "shown", A_TOKEN)
        case _:
            return None


# ---- lines about several ------------------------------------------------------------------------------
def parted(clause: Clause | None, text: str) -> tuple[str, str]:
    """Of whom a line tells, and what."""
    if isinstance(clause, Under):
        return clause.name, told(clause.clause)
    return "", text


def brief(names: str, what: str, most: int) -> str:
    """A line that lists very many names, with the first of them."""
    several = names or what
    found = several.split(", ")
    if len(found) > most:
        rest = len(found) - most // 2
        several = listed([", ".join(found[: most // 2]), f"{rest} others"])
    return f"{several}: {what}" if names else several
