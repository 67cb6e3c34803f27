"""Good files of every kind, and the ways in which a hand, a disk or a stranger damages them."""

from __future__ import annotations

import re
import tempfile
from functools import cache
from pathlib import Path
from random import Random

from interpreter.keeping.save_file import Chain
from rulesdsl import Session
from tests.fuzzing.generated import Generated, game_of
from tests.kit import damaged_rules

_TESTS = Path(__file__).parents[1]
_ROOT = _TESTS.parent
YAML_FILES = sorted((_TESTS / "testdata" / "yaml").glob("*.yaml"))
CHECKSUM = re.compile(r" #[0-9a-f]{12}$")
SCRAPS = [
    *"[]{}:,#&*!|>'\"%@`?-~<= \t\n\\/.0123456789aZ_äß", " : ", "- ", "\n  ", "\n\t", "---\n", "...\n",
    "<<: ", "&a ", "*a", "!!str ", "? ", "null", "true", "yes", "no", "-1", "0.5", "99999999999999999999",
    "1e9", "{n}", "{column:09}",
    "{}", "[]", "[[[[[[", "3:1", "1-2", "any", "\u202e", "\x00", "\u2028", "\ufeff",
    "\U0001f5fa", '"\\ud800"', "x" * 300,
    "none", "red", "1/0", "0:0", "10+", "<=0",
]  # fmt: skip
ODD_WORDS = [
    "",
    "null",
    "[" * 2000,
    "9" * 5000,
    "\x00",
    "-1",
    '{"a": [1]}',
    "\U0001f600",
    "end 0",
    "undo 3",
    '"',
]


# ---- bytes and text ----------------------------------------------------------------------------------
def damaged_text(text: str, luck: Random, scraps: list[str] = SCRAPS) -> str:
    """The text with one to three pieces of damage."""
    for _ in range(luck.choice((1, 1, 1, 2, 3))):
        text = _damaged_once(text, luck, scraps)
    return text


def _damaged_once(text: str, luck: Random, scraps: list[str]) -> str:
    match luck.randrange(7):
        case 0 | 1:
            place = luck.randint(0, len(text))
            return text[:place] + luck.choice(scraps) + text[place:]
        case 2:
            place = luck.randint(0, len(text))
            return text[:place] + text[place + luck.choice((1, 1, 1, 2, 5, 40)) :]
        case 3 | 4:
            words = list(re.finditer(r"[^\s,:\[\]{}]+", text))
            if not words:
                return text
            gone = luck.choice(words)
            new = luck.choice(scraps) if luck.random() < 0.5 else luck.choice(words)[0]
            return text[: gone.start()] + new + text[gone.end() :]
        case 5:
            return _other_lines(text, luck)
        case _:
            return text[: luck.randint(0, len(text))]


def _other_lines(text: str, luck: Random) -> str:
    lines = text.split("\n")
    here, there = luck.randrange(len(lines)), luck.randrange(len(lines))
    match luck.randrange(4):
        case 0:
            lines.insert(there, lines[here])
        case 1:
            del lines[here]
        case 2:
            lines[here] = " " * luck.randrange(5) + lines[here].lstrip()
        case _:
            lines[here], lines[there] = lines[there], lines[here]
    return "\n".join(lines)


def damaged_bytes(content: bytes, luck: Random) -> bytes:
    """The bytes with a few of them turned over, lost, doubled or cut off."""
    found = bytearray(content)
    for _ in range(luck.choice((1, 1, 2, 4))):
        if not found:
            break
        place = luck.randrange(len(found))
        match luck.randrange(5):
            case 0:
                found[place] ^= 1 << luck.randrange(8)
            case 1:
                found[place] = luck.randrange(256)
            case 2:
                del found[place : place + luck.choice((1, 1, 3, 60))]
            case 3:
                found[place:place] = found[place : place + luck.choice((1, 4, 80))]
            case _:
                del found[place:]
    return bytes(found)


# ---- chapters, data files, house rules ---------------------------------------------------------------
def chapter(luck: Random) -> bytes:
    """A small chapter with something wrong in it."""
    content = damaged_rules.damaged(luck).encode("utf-8", "surrogatepass")
    return damaged_bytes(content, luck) if luck.random() < 0.1 else content


def data_file(luck: Random) -> tuple[Path, bytes]:
    """A small data file of some kind with something wrong in it."""
    path = luck.choice(YAML_FILES)
    content = damaged_text(path.read_text("utf-8"), luck).encode("utf-8", "surrogatepass")
    return path, damaged_bytes(content, luck) if luck.random() < 0.1 else content


@cache
def sound_game(number: int) -> Generated:
    """A small generated game; only those that pass the checks are of use."""
    return game_of(number, 1)


def house_text(text: str, luck: Random) -> str:
    """A house rule with something wrong in it: of its words, or of its characters."""
    for _ in range(luck.choice((1, 1, 2, 3))):
        text = luck.choice(damaged_rules.DAMAGES)(text, luck) if text else text
    return text


# ---- saves -------------------------------------------------------------------------------------------
@cache
def save_of(game: str, decisions: int, seed: int) -> bytes:
    """A saved game after some random decisions."""
    session = Session.start(game, seed=seed)
    luck = Random(seed)
    for _ in range(decisions):
        if session.over:
            break
        session.choose(luck.choice(session.options))
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "game.save"
        session.save(path)
        return path.read_bytes()


def forged(content: bytes, luck: Random) -> bytes:
    """The save with some words changed and all checksums made anew: what a forger would do."""
    lines = [CHECKSUM.sub("", line) for line in content.decode().splitlines()]
    for _ in range(luck.choice((1, 1, 2, 3))):
        place = luck.randrange(1, len(lines))
        match luck.randrange(5):
            case 0:
                del lines[place]
            case 1:
                lines.insert(luck.randrange(1, len(lines)), lines[place])
            case _:
                words = lines[place].split(" ")
                other = luck.choice(luck.choice(lines).split(" "))
                words[luck.randrange(len(words))] = luck.choice([*ODD_WORDS, other])
                lines[place] = " ".join(words)
    chain = Chain()
    return "".join(chain.line(line) for line in lines).encode("utf-8", "replace")
