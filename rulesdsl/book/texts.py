"""The texts that make a game: which files they are, and reading them. Light, so that a check whose answer is
remembered needs nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from rulesdsl.base.diagnostics import Diagnostic, RulebookError, UsageError
from rulesdsl.base.limits import DEFAULT, Limits
from rulesdsl.base.resources import GAME_FILE, data_dir
from rulesdsl.base.source import SourceFile, Span
from rulesdsl.base.textfile import decode_source, read_source

MODULE_FILE = "module.yaml"
OPPONENT_FILE = "opponent.md"  # how the computer opponent values a position: no rules of the game
_SINGLE = (GAME_FILE, "map.yaml", "pieces.yaml", OPPONENT_FILE)
_FOLDERS = {"tables": ".yaml", "scenarios": ".yaml", "rules": ".md", "examples": ".md"}


def game_paths(directory: Path) -> list[Path]:
    """The files that make a game, in the order in which they are read; nothing else is ever opened."""
    single = [directory / name for name in _SINGLE]
    folders = [sorted((directory / folder).glob(f"*{ending}")) for folder, ending in _FOLDERS.items()]
    own = [*(path for path in single if path.exists()), *(path for found in folders for path in found)]
    return [*own, *sorted(module_paths(directory))]


def module_paths(directory: Path) -> Iterator[Path]:
    """The files of the modules a game names: inside its directory, or among the shipped games.

    The names are picked out of the text: what is wrong with the file is told by who reads it as YAML.
    """
    try:
        text = read_source(directory / GAME_FILE, DEFAULT.yaml_file_bytes).text
    except RulebookError:  # gone while somebody watches the game, or told by who reads it
        return
    for listed in re.findall(r"^modules:(.*(?:\n[ -].*)*)", text, re.MULTILINE)[:1]:
        plain = re.sub(r"#.*| with [^],\n]*", "", listed)  # `weather with soft as soft_target`
        for name in dict.fromkeys(re.findall(r"[a-z0-9_]+(?:/[a-z0-9_]+)*", plain)):
            places = (place / name for place in (directory, data_dir("games")))
            found = next((place for place in places if (place / MODULE_FILE).is_file()), None)
            if found is not None:
                yield found / MODULE_FILE
                yield from (found / "tables").glob("*.yaml")
                yield from (found / "rules").glob("*.md")


def belongs(directory: Path, path: Path) -> bool:
    """Whether a file of this name, if it is there, is one of those that make the game."""
    if path.parent == directory:
        return path.name in _SINGLE
    if path in module_paths(directory):
        return True
    return path.parent.parent == directory and _FOLDERS.get(path.parent.name) == path.suffix


def reading_order(directory: Path, path: Path) -> tuple[int, Path]:
    """Sorts the files of a game as `game_paths` lists them."""
    if path.parent == directory:
        return _SINGLE.index(path.name), path
    if path.parent.parent != directory or path.name == MODULE_FILE:
        return len(_SINGLE) + len(_FOLDERS), path  # of a module
    return len(_SINGLE) + list(_FOLDERS).index(path.parent.name), path


def read_texts(directory: Path, limits: Limits = DEFAULT) -> tuple[list[SourceFile], list[Diagnostic]]:
    """All files of a game that can be read, and what is wrong with the others."""
    if not (directory / GAME_FILE).is_file():
        raise UsageError(f"{directory} is not a game: it has no {GAME_FILE}")
    problems: list[Diagnostic] = []
    files: list[SourceFile] = []
    left = limits.game_bytes
    for path in game_paths(directory):
        try:
            files.append(read_source(path, most_bytes(path, limits)))
        except RulebookError as error:
            problems.extend(error.problems)
            continue
        left -= len(files[-1].text.encode())
        if left < 0:
            message = f"up to here the files of the game have more than {limits.game_bytes:,} bytes together"
            problems.append(Diagnostic("game-too-big", message, Span(files.pop(), 1, 1, 1, 1)))
            break
    return files, problems


def typed_text(path: Path, text: str, limits: Limits = DEFAULT) -> SourceFile:
    """A text from an editor, as strictly as if it had been read from the file `path`."""
    content = text.encode("utf-8", "surrogatepass")
    return decode_source(path, content, most_bytes(path, limits))


def most_bytes(path: Path, limits: Limits) -> int:
    return limits.rule_file_bytes if path.suffix == ".md" else limits.yaml_file_bytes
