"""What is made once, when the package is built, so that the first command on a new machine starts warm.

The tables of the grammar, and what the chapters and data files of the shipped games say, as the cache would
keep them, in `rulesdsl/_data/ready`. Who edits a chapter or the engine reads past it: the keys are contents.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TypeVar

from rulesdsl.base.cache import ready_folder, store
from rulesdsl.base.resources import data_dir, shipped_games
from rulesdsl.base.source import SourceFile
from rulesdsl.book.loader import assemble_game
from rulesdsl.book.texts import read_texts
from rulesdsl.language.parsing.grammar import store_tables

Read = TypeVar("Read")


def make_ready() -> int:
    """Fill the folder anew; how many files of games are in it."""
    folder = ready_folder()
    folder.mkdir(parents=True, exist_ok=True)
    for old in (*folder.glob("*.tree"), *folder.glob("*.json")):
        old.unlink()
    store_tables(folder)

    def memory(kind: str, file: SourceFile, read: Callable[[], Read]) -> Read:
        value = read()
        store(folder, kind, value, (file,))
        return value

    for name in shipped_games():
        directory = data_dir("games") / name
        files, unreadable = read_texts(directory)
        if not unreadable:
            assemble_game(directory, files, memory=memory)
    made = [*folder.iterdir()]
    for path in made:  # readable for everybody who may read the package
        os.chmod(path, 0o644)
    return len(made) - 1
