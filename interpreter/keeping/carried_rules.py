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

from interpreter.keeping.save_file import WIDTH, SaveError, SaveText
from interpreter.playing.game import Game, finish_game
from rulesdsl.base.diagnostics import RulebookError, UsageError, summary
from rulesdsl.base.limits import DEFAULT
from rulesdsl.base.resources import find_game
from rulesdsl.base.source import SourceFile
from rulesdsl.base.textfile import character_problems
from rulesdsl.book.loader import GameSource, assemble_game, content_hash, load_game

# Only what a game directory holds: a save cannot name a file anywhere else.
_NAME = re.compile(
    r"(?:game|map|pieces)\.yaml|opponent\.md|(?:tables|scenarios)/[\w.-]+\.yaml|(?:rules|examples)/[\w.-]+\.md"
    r"|modules/(?:\w+/){1,9}(?:module\.yaml|tables/[\w.-]+\.yaml|(?:rules|examples)/[\w.-]+\.md)"
)
_HOUSE = re.compile(r"[^/\\\x00-\x1f]+")  # whatever a file may be called; nothing is opened by this name
_MOST_FILES = 2_000  # of a game, and of house rules
_STRING = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_PAIR = re.compile(rb"\s*\[\s*(" + _STRING + rb")\s*,\s*(" + _STRING + rb")\s*\]", re.DOTALL)
_COMMA = re.compile(rb"\s*,")
_DECODER = json.JSONDecoder()
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
    for start in range(0, len(letters), WIDTH):
        yield letters[start : start + WIDTH]


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


def _unpack(save: SaveText) -> dict[str, list[tuple[str, str]]]:
    """Names and texts by kind, from a save that may come from a stranger: bounded in bytes and in number
    while it is read, and compared with the fingerprints in the head before anything is made of it."""
    problem = SaveError(f"{save.path}: the rules it carries cannot be read; use another copy")
    try:
        packed = base64.b64decode("".join(save.packed), validate=True)
        reader = zlib.decompressobj()
        content = reader.decompress(packed, DEFAULT.game_bytes * 5 // 4)  # some letters are written as two
        if reader.unconsumed_tail or reader.unused_data or not reader.eof:
            raise problem
        texts = _named_texts(content)
        whole = [*texts["game"], *((f"house/{name}", text) for name, text in texts["house"])]
        same = content_hash(texts["game"]) == save.facts["printed"]
        same = same and content_hash(whole) == save.facts["rules"]
    except (ValueError, zlib.error):
        raise problem from None
    names = {"game": _NAME, "house": _HOUSE}
    if any(names[kind].fullmatch(name) is None for kind, found in texts.items() for name, _ in found):
        raise problem
    if sum(len(text) for found in texts.values() for _, text in found) > DEFAULT.game_bytes:
        raise problem
    if not same:
        raise _other_rules(save)
    return texts


def _named_texts(content: bytes) -> dict[str, list[tuple[str, str]]]:
    """`{"game": [[name, text], …], "house": […]}`, read string by string: a general reader would build
    millions of lists from a few bytes before anybody could look at them. Raises `ValueError`."""
    texts: dict[str, list[tuple[str, str]]] = {}
    largest = 2 * max(DEFAULT.rule_file_bytes, DEFAULT.yaml_file_bytes)
    place = 0
    for kind, before in (("game", rb'\s*{\s*"game"\s*:\s*\['), ("house", rb'\s*,\s*"house"\s*:\s*\[')):
        place = _after(before, content, place)
        texts[kind] = []
        while (pair := _PAIR.match(content, place)) is not None:
            if len(texts[kind]) >= _MOST_FILES or pair.end() - pair.start() > largest:
                raise ValueError
            name, text = (_DECODER.decode(part.decode("utf-8")) for part in pair.groups())
            texts[kind].append((name, text))
            place = pair.end()
            if (comma := _COMMA.match(content, place)) is None:
                break
            place = comma.end()
        place = _after(rb"\s*\]", content, place)
    if _after(rb"\s*}\s*", content, place) != len(content):
        raise ValueError
    return texts


def _after(pattern: bytes, content: bytes, place: int) -> int:
    found = re.compile(pattern).match(content, place)
    if found is None:
        raise ValueError
    return found.end()


def _installed(save: SaveText) -> GameSource | None:
    """The game of that name in this installation, when it says the same as the one that was played."""
    try:
        source, problems = load_game(find_game(str(save.facts["game"])))
    except (UsageError, RulebookError):
        return None
    same = source is not None and source.content_hash() == save.facts["printed"] and not problems
    return source if same else None


def _assemble(save: SaveText, texts: Sequence[tuple[str, str]]) -> tuple[GameSource, tuple[Any, ...]]:
    place = Path(str(save.facts["game"]))
    files = [SourceFile(place / name, text, f"{save.path.name}:{name}") for name, text in texts]
    _refuse_odd_characters(save, files)
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
        f"rulesdsl {save.facts['engine'][:40]}: install that version to open it"
    )
