"""The prose of a rulebook in another language: `rules/fr/08_combat.md` beside `rules/08_combat.md`.

A translation has the headings with their printed numbers and the prose below them, no rules and no examples:
those are played, and stand once. It is checked against the original: every paragraph is there, and no number
in it is another one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import yaml

from rulesdsl.base.limits import DEFAULT
from rulesdsl.base.textfile import read_source
from rulesdsl.book.loader import GameSource
from rulesdsl.language import syntax as sx

READINGS = "readings.yaml"
_HEADING = re.compile(r"#{1,6} +(?P<words>.+?)\s*#*$")
_REMARK = re.compile(r"\*(?:Informative|Data|Reading \w+): [^*]+\*")
_BLOCK = re.compile(r"(?m)^\x00.*$")
_NUMBERS = re.compile(r"(?<![\w.])[+−-]?\d+(?:[.:/-]\d+)*(?!\w)")


@dataclass(frozen=True, slots=True)
class Translated:
    """A paragraph in another language, and where it stands."""

    title: str
    prose: str
    file: Path
    line: int


@dataclass(frozen=True, slots=True)
class Slip:
    """What is wrong with a translation: `file:line` and a sentence."""

    file: Path
    line: int
    text: str


def folder_of(source: GameSource, language: str) -> Path:
    return source.directory / "rules" / language


def languages_of(source: GameSource) -> list[str]:
    """Languages there is a folder for."""
    rules = source.directory / "rules"
    return sorted(p.name for p in rules.iterdir() if p.is_dir()) if rules.is_dir() else []


def read_translation(source: GameSource, language: str) -> dict[str, Translated]:
    """Paragraph → its translation; empty when there is no folder for the language."""
    known = sorted((p.id for c in source.chapters for p in c.paragraphs), key=len, reverse=True)
    found: dict[str, Translated] = {}
    for file in sorted(folder_of(source, language).glob("*.md")):
        text = read_source(file, DEFAULT.yaml_file_bytes).text
        for identity, title, prose, line in _paragraphs(text, known):
            found[identity] = Translated(title, prose, file, line)
    return found


def _paragraphs(text: str, known: list[str]) -> Iterator[tuple[str, str, str, int]]:
    current: tuple[str, str, int] | None = None
    prose: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        heading = _HEADING.match(line)
        identity = _identity(heading["words"], known) if heading is not None else None
        if heading is None or identity is None:
            prose.append(line)
            continue
        if current is not None:
            yield current[0], current[1], "\n".join(prose).strip(), current[2]
        current, prose = (identity, heading["words"][len(identity) :].strip(), number), []
    if current is not None:
        yield current[0], current[1], "\n".join(prose).strip(), current[2]


def _identity(words: str, known: list[str]) -> str | None:
    return next((i for i in known if words == i or words.startswith(f"{i} ")), None)


def read_words(source: GameSource, language: str) -> dict[str, str]:
    """Names and labels of the rules in another language (`rules/fr/words.yaml`), by their words in small."""
    file = folder_of(source, language) / "words.yaml"
    if not file.is_file():
        return {}
    read = yaml.safe_load(read_source(file, DEFAULT.yaml_file_bytes).text)
    return {str(own).lower(): str(other) for own, other in read.items()} if isinstance(read, dict) else {}


@dataclass(frozen=True, slots=True)
class TranslatedReading:
    """A reading, an option or a parameter in another language: its title, what each way means, and why."""

    title: str
    ways: Mapping[str, str]
    because: str


def read_readings(source: GameSource, language: str) -> dict[str, TranslatedReading]:
    """Readings in another language (`rules/fr/readings.yaml`), by their names; empty when there is none."""
    file = folder_of(source, language) / READINGS
    if not file.is_file():
        return {}
    read = yaml.safe_load(read_source(file, DEFAULT.yaml_file_bytes).text)
    found: dict[str, TranslatedReading] = {}
    for name, entry in read.items() if isinstance(read, dict) else ():
        if isinstance(entry, dict):
            ways = entry.get("ways")
            told = {str(k): str(v) for k, v in ways.items()} if isinstance(ways, dict) else {}
            title, because = str(entry.get("title", "")), str(entry.get("because", ""))
            found[str(name)] = TranslatedReading(title, told, because)
    return found


def _slips_of_readings(source: GameSource, language: str) -> Iterator[Slip]:
    """Readings that are missing, ways that are, and numbers that differ; nothing where none is translated."""
    file = folder_of(source, language) / READINGS
    translated = read_readings(source, language)
    readings = [
        r for c in source.chapters for p in c.paragraphs for r in p.rules if isinstance(r, sx.Reading)
    ]
    for reading in readings if translated else ():
        other = translated.get(reading.name)
        if other is None or not other.title:
            yield Slip(file, 1, f"the reading {reading.name} is not translated")
            continue
        for way, words in reading.worded():
            if not other.ways.get(way):
                yield Slip(file, 1, f"the reading {reading.name} has no words for {way}")
            elif _numbers(words) != _numbers(other.ways[way]):
                yield Slip(file, 1, f"the numbers of {way} in the reading {reading.name} differ")
        if _numbers(reading.reason or "") != _numbers(other.because):
            yield Slip(file, 1, f"the numbers in the reason of the reading {reading.name} differ")


def own_prose(paragraph: sx.Paragraph) -> str:
    """What has to be translated: the words above the first block, without remarks for authors."""
    first = _BLOCK.split(paragraph.prose)[0]
    return _REMARK.sub("", first).strip()


def slips(source: GameSource, language: str) -> list[Slip]:
    """Paragraphs that are missing, and numbers that differ."""
    translated = read_translation(source, language)
    found: list[Slip] = []
    for chapter in source.chapters:
        beside = folder_of(source, language) / chapter.file.path.name
        for paragraph in chapter.paragraphs:
            prose = own_prose(paragraph)
            other = translated.get(paragraph.id)
            if other is None:
                if prose:
                    found.append(Slip(beside, 1, f"paragraph {paragraph.id} is not translated"))
                continue
            if bool(prose) != bool(other.prose):
                lacks = "has no words" if prose else "has words that the original has not"
                found.append(Slip(other.file, other.line, f"paragraph {paragraph.id} {lacks}"))
            mine, theirs = _numbers(prose), _numbers(other.prose)
            if mine != theirs:
                lost, new = list((mine - theirs).elements()), list((theirs - mine).elements())
                told = "; ".join(
                    f"{what} {', '.join(numbers)}"
                    for what, numbers in (("without", lost), ("with", new))
                    if numbers
                )
                slip = f"the numbers of paragraph {paragraph.id} differ from the original: {told}"
                found.append(Slip(other.file, other.line, slip))
    return [*found, *_slips_of_readings(source, language)]


def _numbers(prose: str) -> Counter[str]:
    """Numbers in figures, signs included; a minus is a minus however it is written."""
    return Counter(match.replace("−", "-") for match in _NUMBERS.findall(prose))
