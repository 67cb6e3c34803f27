"""The words of the handbook itself, not of a rulebook: titles of pages, buttons, captions.

English is what the code says; another language is a file of pairs in `languages/`. What a file does not have
is said in English, and `tests/language/test_languages.py` names it.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import yaml

from rulesdsl.base.diagnostics import UsageError

_FILES = Path(__file__).parent / "languages"


def languages() -> tuple[str, ...]:
    """Languages the chrome is in, English first."""
    return ("en", *sorted(file.stem for file in _FILES.glob("*.yaml")))


@lru_cache(maxsize=8)
def _pairs(language: str) -> dict[str, str]:
    if language == "en":
        return {}
    file = _FILES / f"{language}.yaml"
    if not file.is_file():
        raise UsageError(f'there is no handbook in "{language}"; there are {", ".join(languages())}')
    read = yaml.safe_load(file.read_text("utf-8"))
    return {str(english): str(other) for english, other in read.items()}


class Chrome:
    """`chrome("Search")` in one language; `{}` in the words stand for what is filled in."""

    def __init__(self, language: str = "en") -> None:
        self.language = language
        self._other = _pairs(language)

    def __call__(self, english: str, *filled: object) -> str:
        words = self._other.get(english, english)
        return words.format(*filled) if filled else words


ENGLISH = Chrome()
