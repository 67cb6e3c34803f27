"""Rules on their way to another process or machine: the texts of a game, called by their content hash.

A worker opens a rule set once, whoever asks for it, and refuses to play for another engine: results of two
engines must not be mixed.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from pathlib import Path

from interpreter.playing.game import Game, finish_game
from rulesdsl.base.diagnostics import RulebookError, UsageError
from rulesdsl.base.source import SourceFile
from rulesdsl.book.loader import assemble_game

MOST_OPEN = 64
Weights = tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Carried:
    """Everything a game is made of."""

    hash: str
    game: str
    files: tuple[tuple[str, str], ...]
    house: tuple[tuple[str, str], ...]
    weights: Weights = ()  # no rule, but the computer opponent plays by them

    @property
    def name(self) -> str:
        """What it is called among everything that is carried: two with the same name play the same."""
        weighed = sha256(repr(self.weights).encode()).hexdigest()[:16]
        return f"{self.hash}-{weighed}" if self.weights else self.hash


_open: OrderedDict[str, Game] = OrderedDict()


def carry(game: Game) -> Carried:
    """A game ready to be sent; here it is open already."""
    files = tuple((game.printed.relative_name(file), file.text) for file in game.printed.files)
    house = tuple((file.path.name, file.text) for file in game.house)
    carried = Carried(game.program.content_hash, game.program.game, files, house, game.weights)
    _keep(carried.name, game)
    return carried


def unpacked(carried: Carried) -> Game:
    """The game, opened here at most once."""
    if carried.name not in _open:
        place = Path(carried.game)
        files = [SourceFile(place / name, text, name) for name, text in carried.files]
        source, problems = assemble_game(place, files)
        if source is None:
            raise RulebookError(problems)
        house = [SourceFile(Path("house") / name, text, name) for name, text in carried.house]
        game = replace(finish_game(source, problems, house), given_weights=carried.weights)
        if game.program.content_hash != carried.hash:
            raise UsageError(f"the rules of {carried.game} did not arrive as they were sent")
        _keep(carried.name, game)
    _open.move_to_end(carried.name)
    return _open[carried.name]


def _keep(name: str, game: Game) -> None:
    _open[name] = game
    if len(_open) > MOST_OPEN:
        _open.popitem(last=False)


@cache
def engine() -> str:
    """What the engine says, wherever it is installed: two with the same name play the same games."""
    # only here: where the two packages lie, not what is in them
    import interpreter
    from rulesdsl import base

    digest = sha256()
    front, back = Path(str(base.__file__)).parent.parent, Path(str(interpreter.__file__)).parent
    for root in (front, back):
        for path in sorted(root.rglob("*.py")):
            digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]
