"""What English does with words whatever a rulebook says: articles, lists, plurals, deeds."""

from __future__ import annotations

import re

from rulesdsl.speaking.inline import plain, said

# What somebody has done, not what was done to him; the prose of a rulebook is asked first.
DONE = frozenset({
    "fought", "moved", "passed", "acted", "marched", "arrived", "retreated", "fled", "surrendered", "escaped",
    "advanced", "rested", "voted",
})  # fmt: skip
_ONE = frozenset(
    {"corps", "headquarters", "series", "means", "species", "news", "always", "towards", "across"}
)
_BEFORE_NOUN = frozenset({"the", "a", "an", "all", "its", "some", "any"})
_AFTER_NOUN = frozenset({
    "of", "that", "which", "who", "in", "on", "at", "to", "for", "from", "by", "with", "where", "when",
    "among", "between", "against", "beside", "than", "after", "before",
})  # fmt: skip
# Words that tell which one of several is meant.
_WHICH = frozenset({
    "other", "first", "second", "third", "last", "next", "near", "nearest", "far", "late", "early", "new",
    "old", "fresh", "safe", "left", "lost", "gone", "sent", "caught", "dealt", "dead", "active", "astray",
    "same", "own", "broken", "hit", "led", "held", "worst", "best", "owed", "paid",
})  # fmt: skip
_DONE_TO = frozenset({
    "left", "lost", "gone", "sent", "caught", "dealt", "broken", "hit", "led", "held", "owed", "paid",
})  # fmt: skip
_ADVERBS = frozenset({"behind", "over", "away", "out", "off", "back", "ahead"})
_NOUNS_IN_ING = frozenset({"building", "crossing", "landing", "ending", "clearing", "meeting", "railing"})
_MANY = frozenset({"men", "people", "dice", "feet"})
_SOUNDS_CLOSED = ("uni", "use", "one", "once", "eu")
_BRACKETS = re.compile(r"\([^)]*\)")


def in_words(name: str) -> str:
    return said(name).replace("_", " ")


def is_adjective(name: str) -> bool:
    """Whether a name only tells which one is meant, and wants a noun: `near`, `marching`, `left_behind`."""
    words = name.split("_")
    first = words[0]
    if len(words) > 1:
        return first in _WHICH and words[-1] in _ADVERBS
    return first in _WHICH or (
        len(first) > 5 and first.endswith(("ing", "ed")) and first not in _NOUNS_IN_ING
    )


def is_deed(name: str) -> bool:
    """Whether an adjective tells what was or is done: “rolled”, “sent”, “flying”; not “near” or “other”."""
    return name.endswith(("ed", "ing")) or name in _DONE_TO


def is_several(name: str) -> bool:
    """Whether a value is called by a plural: `victory_points`, `attacks_made`."""
    words = name.split("_")
    first, last = words[0], words[-1]
    if len(words) > 1 and words[1] == "of":  # the number of others is one
        return len(first) > 3 and is_plural_word(first)
    if len(words) > 2 and words[1] in ("in", "at") and is_plural_word(first):  # men in hand
        return True
    if len(last) > 3 and is_plural_word(last):
        return True
    # `attacks_made`, `points_left`: what stands last tells something of the first
    told = last.endswith(("ed", "en", "un", "ft", "de", "st", "ght"))
    return len(words) > 1 and told and any(len(word) > 3 and is_plural_word(word) for word in words[:-1])


def is_several_worded(words: str) -> bool:
    """The same of a wording: “the points of a card”, “all the men of the mover”."""
    noun = before = ""
    if words.startswith("who "):  # whoever it is, he is one
        return False
    for word in words.lower().replace("{", " {").split():
        if noun and (word in _AFTER_NOUN or word.startswith("{")):
            break
        before, noun = noun, "" if word in _BEFORE_NOUN else word
    # `points left`: what stands last tells something of the one before
    return is_plural_word(noun) or (noun in ("left", "made", "used") and is_plural_word(before))


def is_plural_word(word: str) -> bool:
    """Whether a word looks like a plural."""
    if word in _MANY:
        return True
    return word.endswith("s") and not word.endswith(("ss", "us", "is")) and word not in _ONE


def last_word(name: str) -> str:
    """The word that tells whether a name is a plural: not a number, nor what stands in brackets."""
    words = [word for word in _BRACKETS.sub("", name).split() if not word.isdigit() and len(word) > 1]
    return words[-1] if words else name


def article(words: str) -> str:
    """`a zone`, `an army`"""
    heard = plain(words).lower()
    return (
        f"an {words}"
        if heard[:1] in tuple("aeiou") and not heard.startswith(_SOUNDS_CLOSED)
        else f"a {words}"
    )


# What belongs to what was done: “the landings made by a player”, “the actions left to him”.
_WHOSE = {"made": "by", "lost": "by", "owed": "by", "paid": "by", "left": "to", "allowed": "to",
          "begun": "in", "seen": "in"}  # fmt: skip
_JOINED = ("_of", "_without", "_in", "_for")  # names that end with their own preposition


def whose(name: str) -> str:
    """The preposition between a value and what it is of; nothing where its name ends with one."""
    if name.endswith(_JOINED):
        return ""
    words = name.split("_")
    return f"{_WHOSE.get(words[-1], 'of') if len(words) > 1 else 'of'} "


def possessive(owner: str) -> str:
    """`the unit’s`, `the Germans’`"""
    return f"{owner}’" if plain(owner).endswith("s") else f"{owner}’s"


def listed(texts: list[str], joint: str = "and") -> str:
    """`a, b and c`"""
    if len(texts) < 2:
        return "".join(texts)
    return f"{', '.join(texts[:-1])} {joint} {texts[-1]}"
