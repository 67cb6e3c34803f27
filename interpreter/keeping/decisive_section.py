"""Which section of house rules parts two games: each is taken away by itself, and the game is played again.

What a paragraph says may matter far from where it is written: a value set under one is asked for by
another. So nothing is guessed from the text. A section is decisive when without it the games still agree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from interpreter.playing.game import Game, finish_game
from rulesdsl.base.diagnostics import RulebookError
from rulesdsl.base.source import SourceFile
from rulesdsl.language.syntax import amendments as ax

MOST_TRIED = 12  # each costs a check of the whole rulebook and a replay

Section = tuple[ax.HouseRule, ax.Section]


def decisive_paragraphs(played: Game, other: Game, part: Callable[[Game], bool]) -> list[str]:
    """Paragraphs of sections that only one of the games has and that make them part; `part` asks whether a
    game still goes another way than the one that was played."""
    ours, theirs = (dict(_by_text(game)) for game in (played, other))
    gone = [ours[text] for text in ours if text not in theirs]
    new = [theirs[text] for text in theirs if text not in ours]
    candidates = [*((one, _without(other, one)) for one in new), *((one, _with(other, one)) for one in gone)]
    if len(candidates) == 1:
        return [candidates[0][0][1].paragraph]
    if len(candidates) > MOST_TRIED:
        return []
    found = [section.paragraph for (_, section), files in candidates if not _still(other, files, part)]
    return list(dict.fromkeys(found))


def _still(other: Game, files: list[SourceFile], part: Callable[[Game], bool]) -> bool:
    try:
        return part(finish_game(other.printed, (), files))
    except RulebookError:  # it cannot be taken away alone: another section needs it
        return True


def _by_text(game: Game) -> Iterator[tuple[str, Section]]:
    for rule in game.source.house:
        for section in rule.sections:
            yield _text(rule, section), (rule, section)


def _text(rule: ax.HouseRule, section: ax.Section) -> str:
    """The lines of a section, from its heading to the next."""
    ends = [other.span.line for other in rule.sections if other.span.line > section.span.line]
    lines = rule.file.text.split("\n")
    return "\n".join(lines[section.span.line - 1 : min(ends, default=len(lines) + 1) - 1]).strip()


def _without(game: Game, taken: Section) -> list[SourceFile]:
    files: list[SourceFile] = []
    for rule in game.source.house:
        kept = [section for section in rule.sections if section is not taken[1]]
        if rule is not taken[0]:
            files.append(rule.file)
        elif kept:
            files.append(_document(rule, kept, rule.file.path))
    return files


def _with(game: Game, added: Section) -> list[SourceFile]:
    rule, section = added
    names = {one.name for one in game.source.house}
    path = rule.file.path if rule.name not in names else Path(f"{rule.name}, once more.md")
    return [*(one.file for one in game.source.house), _document(rule, [section], path)]


def _document(rule: ax.HouseRule, sections: list[ax.Section], path: Path) -> SourceFile:
    texts = [f"# {rule.title}", *(_text(rule, section) for section in sections)]
    return SourceFile(path, "\n\n".join(texts) + "\n")
