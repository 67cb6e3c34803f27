"""What handbooks of shipped games are made of and takes seconds, made once, when the package is built.

Examples are played, chances are counted out and maps are drawn as the first `rulesdsl docs` would do it, and
laid where `rulesdsl/pipeline/ready.py` has laid the chapters. Who edits a rule or the engine reads past it.
"""

from __future__ import annotations

import os

from interpreter.measuring.handbook_facts import facts_as_text, facts_kind
from interpreter.playing.game import open_game
from rulesdsl.base.cache import ready_folder, store
from rulesdsl.base.resources import shipped_games
from rulesdsl.handbook import Book, Facts
from rulesdsl.handbook.pages.map_pages import MAP_KIND, drawn_from, linked_map


def make_handbooks_ready() -> int:
    """Add them to the folder that is ready; how many games they are of."""
    folder, before = ready_folder(), set(ready_folder().iterdir())
    games = shipped_games()
    for name in games:
        game = open_game(name, ())
        store(folder, facts_kind(), facts_as_text(game), game.source.files)
        if game.source.map is not None:
            drawn = linked_map(Book(game.source, game.program, Facts()))
            store(folder, MAP_KIND, drawn, drawn_from(game.source))
    for path in set(folder.iterdir()) - before:  # readable for everybody who may read the package
        os.chmod(path, 0o644)
    return len(games)
