"""Regular plurals of nouns; a declaration may say another one."""

from __future__ import annotations


def plural_of(noun: str) -> str:
    """The regular plural; `plural …` in the declaration overrides it."""
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return noun[:-1] + "ies"
    if noun.endswith(("x", "s", "ch", "sh")):
        return noun + "es"
    return noun + "s"


def singular_of(plural: str) -> str:
    """A guess at the singular, for the roles of records (`attackers` → `attacker`)."""
    if plural.endswith("ies"):
        return plural[:-3] + "y"
    if plural.endswith(("xes", "ches", "shes", "sses")):
        return plural[:-2]
    return plural[:-1] if plural.endswith("s") else plural
