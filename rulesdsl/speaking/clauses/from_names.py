"""Wordings made of names: `may_strike(unit, zone)` is “{unit} may strike {zone}”.

A wording in the rulebook is the rule; this is what is said where it gives none. Only the shape of a name is
looked at (a modal verb, an auxiliary, a verb in the third person, a preposition at its end): a name that has
none of these is taken for an adjective. `is_clear` tells whether a name says by itself how it is said.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from rulesdsl.language.wordings import IRREGULAR, Wording, read_wording
from rulesdsl.speaking.english import article

_MODALS = frozenset({"may", "can", "could", "must", "would", "should", "might"})
_AUXILIARIES = _MODALS | {"is", "are", "was", "were", "has", "have", "will"}
_NO_VERBS = frozenset({"always", "across", "less", "as", "plus", "minus", "thus", "its", "this", "perhaps"})
PREPOSITIONS = frozenset({"in", "at", "on", "to", "by", "of", "for", "from", "over", "with", "outside"})
_PLACES = frozenset({"in", "at", "on"})
_ANIMATE = frozenset({"piece", "player", "group"})

IsNoun = Callable[[str], bool]  # whether the rulebook says “a river”


@dataclass(frozen=True, slots=True)
class Param:
    """Something a condition is about: how its wording names it, its universe, its class."""

    name: str
    universe: str = ""
    noun: str = ""

    @property
    def brace(self) -> str:
        return f"{{{self.name}}}"


def is_third_person(word: str) -> bool:
    """`supplies`, `crosses`: a verb that somebody does."""
    return word in IRREGULAR or (
        len(word) > 3 and word.endswith("s") and not word.endswith("ss") and word not in _NO_VERBS
    )


def is_clear(name: str, params: int) -> bool:
    """Whether a name alone makes a sentence: of one thing always, of two only with a verb to join them."""
    words = name.split("_")
    if params < 2:
        return True
    return params == 2 and (words[0] in _MODALS or is_third_person(words[0])) and len(words) <= 2


def wording_of(name: str, of: Sequence[Param], nouns: Collection[str], is_noun: IsNoun) -> Wording:
    """The condition as a wording; `nouns` are the classes of the rulebook in singular and plural."""
    text = _text(name.split("_"), of, nouns, is_noun)
    made = read_wording(text, [param.name for param in of])
    # A name may hold whatever an author likes: what cannot be read as a clause is quoted, and holds or not.
    return made or Wording(f"“{name.replace('_', ' ')}” ", "holds", "", "")


def _text(words: list[str], of: Sequence[Param], nouns: Collection[str], is_noun: IsNoun) -> str:
    shown = " ".join(words)
    if not of:
        return shown if words[0] not in _AUXILIARIES and _AUXILIARIES & set(words[1:]) else ""
    if words[0] in _MODALS and len(words) > 1:
        return _modal(words, of)
    if words[0] == "no" and len(words) > 1:
        return f"there is {shown}{_where(of)}"
    if words[-1] in _PLACES and len(words) > 1 and of[0].universe == "space" and not _is_participle(words[0]):
        return _there(words, of)
    if is_third_person(words[0]) and words[0] not in nouns:
        return _verb(words, of)
    if words[0] in ("never", "always") and len(words) > 1 and is_third_person(words[1]):
        return f"{of[0].brace} {shown}{_for(of[1:])}"
    return _adjective(words, of, nouns, is_noun)


# ---- the shapes of names -----------------------------------------------------------------------------
def _modal(words: list[str], of: Sequence[Param]) -> str:
    """Who may do something is alive: in `may_enter(hex, unit)` it is the unit."""
    subject, *others = of if words[1] == "be" else _animate_first(of)
    passive, short = words[1] == "be", len(words) == 2
    parts = [subject.brace, *words]
    for number, other in enumerate(others):
        if words[-1] in PREPOSITIONS and not number:
            parts.append(other.brace)
        elif other.universe == "player":
            parts.append(f"{'by' if passive else 'for'} {other.brace}")
        elif short and not passive and not number:
            parts.append(other.brace)
        else:
            parts.append(_to(other))
    return " ".join(parts)


def _verb(words: list[str], of: Sequence[Param]) -> str:
    if words[-1] in PREPOSITIONS and len(of) > 1:
        of = _animate_first(of)
    subject, *others = of
    parts = [subject.brace, *words]
    direct = words[-1] in PREPOSITIONS or len(words) == 1
    for number, other in enumerate(others):
        parts.append(other.brace if direct and not number else _to(other))
    return " ".join(parts)


def _there(words: list[str], of: Sequence[Param]) -> str:
    """`enemy_in(zone, unit)` → “there is an enemy in {zone} for {unit}”."""
    shown = " ".join(words)
    there = f"there are {shown}" if words[0].endswith("s") else f"there is {article(shown)}"
    return f"{there} {of[0].brace}{_for(of[1:])}"


def _adjective(words: list[str], of: Sequence[Param], nouns: Collection[str], is_noun: IsNoun) -> str:
    shown = " ".join(words)
    subject, others = of[0], list(of[1:])
    named = next((param for param in of if param.noun and param.noun == words[-1]), None)
    if named is not None:
        subject, others = named, [param for param in of if param is not named]
    last = next((word for word in reversed(words) if word not in PREPOSITIONS), words[-1])
    a_noun = named is not None or last in nouns or (not _is_participle(words[-1]) and is_noun(shown))
    if words[0] not in PREPOSITIONS and a_noun:
        shown = article(shown)
    parts = [subject.brace, "is", shown]
    for number, other in enumerate(others):
        if words[-1] in PREPOSITIONS and not number:
            parts.append(other.brace)
        else:
            parts.append(f"and {other.brace}" if number else _to(other))
    return " ".join(parts)


# ---- words -------------------------------------------------------------------------------------------
def _animate_first(of: Sequence[Param]) -> list[Param]:
    alive = next((param for param in of if param.universe in _ANIMATE), None)
    return list(of) if alive is None else [alive, *(param for param in of if param is not alive)]


def _to(param: Param) -> str:
    return f"{'at' if param.universe == 'space' else 'for'} {param.brace}"


def _for(of: Sequence[Param]) -> str:
    return "".join(f" for {param.brace}" for param in of)


def _where(of: Sequence[Param]) -> str:
    return "".join(f" {'in' if param.universe == 'space' else 'for'} {param.brace}" for param in of)


def _is_participle(word: str) -> bool:
    return word.endswith(("ed", "ght", "ing")) or word in ("cut", "shut", "held", "lost")
