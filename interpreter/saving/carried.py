"""The rules a save carries, so that it opens where the game is not installed or has changed since."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from interpreter.game import Game, finish_game
from interpreter.saving.savefile import SaveError, SaveText
from rulesdsl.diagnostics import RulebookError, UsageError, summary
from rulesdsl.limits import DEFAULT
from rulesdsl.loader import GameSource, assemble_game, content_hash, load_game
from rulesdsl.resources import find_game
from rulesdsl.source import SourceFile
from rulesdsl.textfile import character_problems

_WIDTH = 100
# Only what a game directory holds: a save cannot name a file anywhere else.
_NAME = re.compile(
    r"(?:game|map|pieces)\.yaml|(?:tables|scenarios)/[\w.-]+\.yaml|rules/[\w.-]+\.md"
    r"|modules/(?:\w+/){1,9}(?:module\.yaml|tables/[\w.-]+\.yaml|rules/[\w.-]+\.md)"
)
_HOUSE = re.compile(r"[^/\\\x00-\x1f]+")  # whatever a file may be called; nothing is opened by this name
_MOST_REMEMBERED = 8
_known: OrderedDict[str, Game] = OrderedDict()  # by content hash: loading a second save costs no second check


def pack(game: Game) -> Iterator[str]:
    """All files of a game as lines of text."""
    texts = {
        "game": [[game.printed.relative_name(file), file.text] for file in game.printed.files],
        "house": [[file.path.name, file.text] for file in game.house],
    }
    packed = zlib.compress(json.dumps(texts, ensure_ascii=False).encode(), 9)
    letters = base64.b64encode(packed).decode()
    for start in range(0, len(letters), _WIDTH):
        yield letters[start : start + _WIDTH]


def remember(game: Game) -> None:
    """Keep a game for the next save that was made with it."""
    _known[game.program.content_hash] = game
    _known.move_to_end(game.program.content_hash)
    if len(_known) > _MOST_REMEMBERED:
        _known.popitem(last=False)


def game_of(save: SaveText) -> Game:
    """The game a save was played with: remembered, installed, or made from what it carries."""
    wanted = save.facts["rules"]
    if isinstance(wanted, str) and wanted in _known:
        remember(_known[wanted])
        return _known[wanted]
    texts = _unpack(save)
    source, problems = _installed(save), ()
    if source is None:
        source, problems = _assemble(save, texts["game"])
    house = [
        SourceFile(Path("house") / name, text, f"{save.path.name}:{name}") for name, text in texts["house"]
    ]
    _refuse_odd_characters(save, house)
    try:
        game = finish_game(source, problems, house)
    except RulebookError as error:
        raise _outdated(save, error) from None
    if game.program.content_hash != wanted:
        raise _other_rules(save)
    remember(game)
    return game


def _unpack(save: SaveText) -> dict[str, Any]:
    """Texts by kind, believed only as far as their shape goes: a save may come from a stranger."""
    problem = SaveError(f"{save.path}: the rules it carries cannot be read; use another copy")
    try:
        packed = base64.b64decode("".join(save.packed), validate=True)
        most = 2 * DEFAULT.game_bytes
        reader = zlib.decompressobj()
        content = reader.decompress(packed, most)
        if reader.unconsumed_tail or not reader.eof:
            raise problem
        texts = json.loads(content.decode("utf-8"))
    except (ValueError, zlib.error, RecursionError):
        raise problem from None
    shape = isinstance(texts, dict) and set(texts) == {"game", "house"}
    if not shape or not all(_named(texts["game"], _NAME)) or not all(_named(texts["house"], _HOUSE)):
        raise problem
    return texts  # type: ignore[no-any-return]


def _named(pairs: Any, pattern: re.Pattern[str]) -> Iterator[bool]:
    if not isinstance(pairs, list):
        yield False
        return
    for pair in pairs:
        yield (
            isinstance(pair, list)
            and len(pair) == 2
            and all(isinstance(part, str) for part in pair)
            and pattern.fullmatch(pair[0]) is not None
        )


def _installed(save: SaveText) -> GameSource | None:
    """The game of that name in this installation, when it says the same as the one that was played."""
    try:
        source, problems = load_game(find_game(str(save.facts["game"])))
    except (UsageError, RulebookError):
        return None
    same = source is not None and source.content_hash() == save.facts["printed"] and not problems
    return source if same else None


def _assemble(save: SaveText, texts: list[list[str]]) -> tuple[GameSource, tuple[Any, ...]]:
    place = Path(str(save.facts["game"]))
    files = [SourceFile(place / name, text, f"{save.path.name}:{name}") for name, text in texts]
    _refuse_odd_characters(save, files)
    if content_hash((name, text) for name, text in texts) != save.facts["printed"]:
        raise _other_rules(save)
    source, problems = assemble_game(place, files)
    if source is None:
        raise _outdated(save, RulebookError(problems))
    return source, tuple(problems)


def _refuse_odd_characters(save: SaveText, files: Sequence[SourceFile]) -> None:
    """What no rule file may contain was not in those the save was made from."""
    if any(character_problems(file) for file in files):
        raise _other_rules(save)


def _other_rules(save: SaveText) -> SaveError:
    return SaveError(f"{save.path}: the rules it carries are not those it was played with; use another copy")


def _outdated(save: SaveText, error: RulebookError) -> SaveError:
    first = summary(error.problems[0]) if error.problems else "no game.yaml"
    return SaveError(
        f"{save.path} carries rules that this version does not accept ({first}); they were written for "
        f"rulesdsl {save.facts['engine']}: install that version to open it"
    )
