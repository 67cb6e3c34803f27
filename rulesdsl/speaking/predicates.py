"""How a named condition is said of what it is about: `may_strike(unit, zone)`, “the unit may strike it”.

The words of a name tell how: a verb, a modal verb, an adjective, a noun, something that is in a place. A name
that fits none of these is still a sentence: “the zone is open to supply for the unit”.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from rulesdsl.language.wordings import IRREGULAR, Wording, base_form, determined, filled

_MODALS = frozenset({"may", "can", "could", "must", "would", "should", "might"})
_NO_VERBS = frozenset({"always", "across", "less", "as", "plus", "minus", "thus", "its", "this", "perhaps"})
_INNER_VERBS = frozenset({
    "watch", "watches", "meet", "meets", "notice", "notices", "hold", "holds", "enter", "enters", "reach",
    "reaches", "stay", "stays", "fight", "fights", "is", "are", "was", "were", "has", "have", "may", "can",
    "passed", "won", "lost",
})  # fmt: skip
_PLAIN_VERBS = frozenset({"watch", "meet", "notice", "hold", "enter", "reach", "fight", "threaten"})
_VERBS = frozenset({
    "watches", "meets", "notices", "holds", "enters", "reaches", "fights", "threatens",
})  # fmt: skip
_INTRANSITIVE = frozenset({"acts", "plays", "stands", "waits", "sits", "stays", "answers", "counts"})
PREPOSITIONS = frozenset({"in", "at", "on", "to", "by", "of", "for", "from", "over", "with", "outside"})
_PLACES = frozenset({"in", "at", "on"})
_ADJECTIVE_TAILS = {
    "foreign": "to", "hostile": "to", "friendly": "to", "close": "to", "next": "to", "open": "for",
    "together": "with", "apart": "from", "across": "from", "free": "for", "equal": "to",
}  # fmt: skip
_NOUN_ENDINGS = ("ion", "uge", "age", "ment", "suer", "target", "area", "place", "edge", "guest")
_ANIMATE = frozenset({"piece", "player", "group"})


@dataclass(frozen=True, slots=True)
class Said:
    """Something a condition is about: its words, whether it is several, its universe, its class."""

    words: str
    many: bool = False
    universe: str = ""
    noun: str = ""


Link = Callable[[str], str]  # the words of the name, leading to where it is explained


def is_third_person(word: str) -> bool:
    """`supplies`, `crosses`: a verb that somebody does."""
    return word in IRREGULAR or (
        len(word) > 3 and word.endswith("s") and not word.endswith("ss") and word not in _NO_VERBS
    )


def told(name: str, of: Sequence[Said], link: Link, nouns: Collection[str], negated: bool = False) -> str:
    """The condition as a clause; `nouns` are the classes of the rulebook in singular and plural."""
    words = name.split("_")
    shown = " ".join(words)
    if not of:
        if words[0] not in _INNER_VERBS and any(w in _INNER_VERBS or w in _MODALS for w in words[1:]):
            return f"it is not so that {link(shown)}" if negated else link(shown)
        return f"“{link(shown)}” {'does not hold' if negated else 'holds'}"
    if words[0] in _MODALS and len(words) > 1:
        return _modal(words, of, link, negated)
    if words[0] == "no" and len(words) > 1:
        there = f"there is some {link(' '.join(words[1:]))}" if negated else f"there is {link(shown)}"
        return there + _where(of)
    if words[-1] in _PLACES and len(words) > 1 and of[0].universe == "space" and not _is_participle(words[0]):
        return _there(words, of, link, negated)
    if len(words) > 1 and _own_subject(words):
        return _with_own_subject(words, of, link, negated)
    if is_third_person(words[0]) and words[0] not in nouns:
        return _verb(words, of, link, negated)
    if words[0] in ("never", "always") and len(words) > 1 and is_third_person(words[1]) and not negated:
        return f"{of[0].words} {link(shown)}" + "".join(f" for {other.words}" for other in of[1:])
    if any(word in _INNER_VERBS for word in words[1:]):
        about = of[0].words if len(of) == 1 else f"({', '.join(o.words for o in of)})"
        return f"{'it is not so that ' if negated else ''}{link(shown)} {about}"
    if words == ["room"]:
        return f"there is {'no ' if negated else ''}{link('room')}{_where(of)}"
    return _adjective(words, of, link, nouns, negated)


def worded(wording: Wording, of: Mapping[str, Said], link: Link, negated: bool = False) -> str:
    """The condition as the rulebook itself words it."""
    subject = of.get(wording.subject)
    text = wording.said(subject is not None and subject.many, negated)
    shown = {name: about.words for name, about in of.items()}
    first, brace, others = determined(text, shown).partition("{")
    stem = first.rstrip()
    return filled(wording.head, shown) + link(stem) + first[len(stem) :] + filled(brace + others, shown)


# ---- the kinds of names ------------------------------------------------------------------------------
def _modal(words: list[str], of: Sequence[Said], link: Link, negated: bool) -> str:
    """Who may do something is alive: in `may_enter(hex, unit)` it is the unit."""
    subject, *others = of if words[1] == "be" else _animate_first(of)
    if words[1] == "not":
        words, negated = [words[0], *words[2:]], not negated
    rest = " ".join(words[1:])
    shown = f"{words[0]} not {rest}".replace("can not", "cannot") if negated else f"{words[0]} {rest}"
    passive, short = words[1] == "be", len(words) == 2
    parts = [subject.words, link(shown)]
    for number, other in enumerate(others):
        if words[-1] in PREPOSITIONS and not number:
            parts.append(other.words)
        elif other.universe == "player":
            parts.append(f"{'by' if passive else 'for'} {other.words}")
        elif short and not passive and not number:
            parts.append(other.words)
        else:
            parts.append(f"{'at' if other.universe == 'space' else 'for'} {other.words}")
    return " ".join(parts)


def _verb(words: list[str], of: Sequence[Said], link: Link, negated: bool) -> str:
    first, rest = words[0], " ".join(words[1:])
    if words[-1] in PREPOSITIONS and len(of) > 1:
        of = _animate_first(of)
    subject, *others = of
    if len(of) == 2 and all(o.universe == "space" for o in of) and first in ("crosses", "leads", "passes"):
        subject, others = Said(f"the way from {of[0].words} to {of[1].words}"), []
    if first in ("is", "was"):
        be = ("were" if subject.many else "was") if first == "was" else "are" if subject.many else "is"
        verb = f"{be} not" if negated else be
    elif negated:
        verb = f"{'do' if subject.many else 'does'} not {base_form(first)}"
    else:
        verb = base_form(first) if subject.many else first
    parts = [subject.words, link(f"{verb} {rest}".rstrip())]
    direct = words[-1] in PREPOSITIONS or (len(words) == 1 and first not in _INTRANSITIVE)
    for number, other in enumerate(others):
        if direct and not number:
            parts.append(other.words)
        else:
            parts.append(f"{'at' if other.universe == 'space' else 'for'} {other.words}")
    return " ".join(parts)


def _own_subject(words: list[str]) -> bool:
    """`scouts_watch`, `column_holds`: the name itself says who does it, one word before its verb."""
    several = words[0].endswith("s") and words[1] in _PLAIN_VERBS
    return several or (not words[0].endswith("s") and words[1] in _VERBS)


def _with_own_subject(words: list[str], of: Sequence[Said], link: Link, negated: bool) -> str:
    """`scouts_watch(hex)` → “scouts watch the hex”, “scouts do not watch the hex”"""
    subject, verb, *rest = words
    doer = next((o for o in of if len(of) > 1 and o.words.split(" ")[-1] == subject), None)
    if doer is not None:  # it is handed in, too: `side_holds(zone, side)`
        return _verb(words[1:], [doer, *(o for o in of if o is not doer)], link, negated)
    if negated:
        verb = f"do not {verb}" if verb in _PLAIN_VERBS else f"does not {base_form(verb)}"
    about, *others = of
    shown = link(" ".join([subject, verb, *rest]))
    where = (f" {'at' if other.universe == 'space' else 'for'} {other.words}" for other in others)
    return f"{shown} {about.words}{''.join(where)}"


def _there(words: list[str], of: Sequence[Said], link: Link, negated: bool) -> str:
    """`enemy_in(zone, unit)` → “there is an enemy in the zone for the unit”."""
    shown, many = " ".join(words), words[0].endswith("s")
    article = "no" if negated else "" if many else "an" if shown[0] in "aeiou" else "a"
    there = f"there {'are' if many else 'is'} {article} {link(shown)}".replace("  ", " ")
    return there + f" {of[0].words}" + "".join(f" for {other.words}" for other in of[1:])


def _adjective(
    words: list[str], of: Sequence[Said], link: Link, nouns: Collection[str], negated: bool
) -> str:
    shown = " ".join(words)
    subject, others = of[0], list(of[1:])
    named = next((o for o in of if o.noun and o.noun == words[-1]), None)
    if named is not None:
        subject, others = named, [o for o in of if o is not named]
    be = ("are" if subject.many else "is") + (" not" if negated else "")
    last = next((word for word in reversed(words) if word not in PREPOSITIONS), words[-1])
    a_noun = named is not None or last in nouns or last.endswith(_NOUN_ENDINGS)
    if words[0] not in PREPOSITIONS and a_noun:
        shown = _several(words, last) if subject.many else shown
    else:
        a_noun = False
    parts = [subject.words, be, f"{_article(shown) if a_noun and not subject.many else ''}{link(shown)}"]
    for number, other in enumerate(others):
        if words[-1] in PREPOSITIONS and not number:
            parts.append(other.words)
        elif number:
            parts.append(f"and {other.words}")
        else:
            tail = _ADJECTIVE_TAILS.get(words[0]) or ("at" if other.universe == "space" else "for")
            parts.append(f"{tail} {other.words}")
    return " ".join(parts)


# ---- words -------------------------------------------------------------------------------------------
def _animate_first(of: Sequence[Said]) -> list[Said]:
    alive = next((o for o in of if o.universe in _ANIMATE), None)
    return list(of) if alive is None else [alive, *(o for o in of if o is not alive)]


def _where(of: Sequence[Said]) -> str:
    return "".join(f" {'in' if o.universe == 'space' else 'for'} {o.words}" for o in of)


def _several(words: list[str], noun: str) -> str:
    """`target_for` of several → “targets for”"""
    at = len(words) - 1 - words[::-1].index(noun)
    return " ".join([*words[:at], f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s", *words[at + 1 :]])


def _is_participle(word: str) -> bool:
    return word.endswith(("ed", "ght", "ing")) or word in ("cut", "shut", "held", "lost")


def _article(shown: str) -> str:
    return "an " if shown[0] in "aeiou" and not shown.startswith(("uni", "use", "one", "eu")) else "a "
