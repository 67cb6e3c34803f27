"""What the terminal itself says, in the language of who plays.

English stands in the code, every other language is a file of pairs in `languages/`, as that of the handbook
is. What a game says, its prompts and its log, is told in the language of its rulebook; prose, titles and
names that a rulebook has in the other language (`rules/fr/`) are shown in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from rulesdsl.base.diagnostics import UsageError

if TYPE_CHECKING:
    from rulesdsl.book.loader import GameSource
    from rulesdsl.handbook.translations import Translated

FILES = Path(__file__).parent / "languages"
ENGLISH = "en"
_COMMANDS = "commands"  # the part of a file with the words one types

_spoken: ContextVar[str] = ContextVar("spoken", default=ENGLISH)


def languages() -> tuple[str, ...]:
    return (ENGLISH, *sorted(file.stem for file in FILES.glob("*.yaml")))


def speak(language: str) -> None:
    """From now on everything is said in this language."""
    if language not in languages():
        known = ", ".join(languages())
        raise UsageError(f'the terminal does not speak "{language[:20]}"; it speaks {known}')
    _spoken.set(language)


@lru_cache(maxsize=4)
def _file(language: str) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """What is said, and what is typed: the word of the language → the English one."""
    if language == ENGLISH:
        return {}, {}
    import yaml  # only who wants another language waits for it

    read = yaml.safe_load((FILES / f"{language}.yaml").read_text("utf-8"))
    return dict(read["said"]), dict(read[_COMMANDS])


def t(english: str, *parts: object) -> str:
    """A sentence of the terminal; `{}` in it are filled in."""
    words = _file(_spoken.get())[0].get(english, english)
    return words.format(*parts) if parts else words


def command(word: str) -> str:
    """A word that was typed, as the code knows it: `aide` is `help`. English is understood as well."""
    return _file(_spoken.get())[1].get(word, word)


def typed_as(word: str) -> str:
    """What `help` calls a command: `why 3` is `pourquoi 3`."""
    first, blank, rest = word.partition(" ")
    own = {english: other for other, english in reversed([*_file(_spoken.get())[1].items()])}
    return f"{own.get(word, '')}" if word in own else f"{own.get(first, first)}{blank}{rest}"


def decisions(count: int) -> str:
    return t("{} decision", count) if count == 1 else t("{} decisions", count)


# ---- what the rulebook has in the other language ------------------------------------------------------
def _is_foreign() -> bool:
    return _spoken.get() != ENGLISH


_read: dict[tuple[Path, str], tuple[Mapping[str, Translated], Mapping[str, str]]] = {}


def _of_rulebook(source: GameSource) -> tuple[Mapping[str, Translated], Mapping[str, str]]:
    """Paragraphs and names of a rulebook in the language; read once."""
    from rulesdsl.handbook.translations import read_translation, read_words

    key = (source.directory, _spoken.get())
    if key not in _read:
        _read[key] = (read_translation(source, key[1]), read_words(source, key[1]))
    return _read[key]


def titled(source: GameSource, paragraph: str, title: str) -> str:
    """The title of a paragraph; what house rules have changed is in their own words."""
    found = prose_and_title(source, paragraph)
    return found[0] or title if found is not None else title


def prose_and_title(source: GameSource, paragraph: str) -> tuple[str, str] | None:
    """Title and prose of a paragraph in the language, if the rulebook has them and nobody has changed it."""
    if not _is_foreign():
        return None
    changed = any(change.kind == "paragraph" and change.subject == paragraph for change in source.changes)
    found = None if changed else _of_rulebook(source)[0].get(paragraph)
    return None if found is None else (found.title, found.prose)


def named(source: GameSource, words: str) -> str:
    """A name or a label of the rules, as far as the rulebook has it in the language."""
    if not _is_foreign():
        return words
    found = _of_rulebook(source)[1].get(words.lower())
    return words if found is None else found[:1].upper() + found[1:] if words[:1].isupper() else found
