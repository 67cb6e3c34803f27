"""Bytes for what reads bytes: chapters, data files, house rules, saves are refused with a sentence, or sound.

    python -m tests.fuzzing.harnesses yaml            for as long as you like, with atheris if it is installed
    python -m tests.fuzzing.harnesses saves -runs=100000

(pip install 'rulesdsl[fuzz]'; without atheris the mutators of `damage` make the bytes.) Bars with the numbers
we promise: `python benchmarks/bars.py broken-chapters broken-data broken-house broken-saves`.
"""

from __future__ import annotations

import os
import re
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from random import Random
from types import FrameType

from interpreter.keeping.save_file import SaveError
from interpreter.keeping.saves import load, verify
from interpreter.playing.game import Game, finish_game
from interpreter.playing.session import Session
from interpreter.running.fuel import RunawayRule
from rulesdsl.base.diagnostics import Diagnostic, RulebookError, errors, render
from rulesdsl.base.source import SourceFile
from rulesdsl.base.textfile import decode_source
from rulesdsl.book.loader import GameSource, load_game
from rulesdsl.checking.checker import check
from rulesdsl.language.parsing.parser import parse_chapter
from rulesdsl.language.printing.formatter import format_chapter
from tests.fuzzing import damage
from tests.fuzzing.trials import Accepted, Found, flavours, unremembered, watched

SECONDS = 10.0  # of the processor; what takes longer hangs
EVERY_WHOLE, EVERY_ANEW = 20, 400  # numbers: a damaged file in a whole game; the same in a new directory
REFUSED, SOUND = "refused", "sound"
_TESTS = Path(__file__).parents[1]
HOUSES = (
    _TESTS / "testdata" / "house" / "ford",
    _TESTS.parent / "games" / "tutorial" / "skirmish",
    _TESTS.parent / "games" / "tutorial" / "hex",
)
SAVED = ("tutorial/tic_tac_toe", "tutorial/skirmish", str(_TESTS / "testdata" / "games" / "patrol"))


@contextmanager
def in_time(what: str, seconds: float = SECONDS) -> Iterator[None]:
    """What takes more than so many seconds of the processor is interrupted, and found."""

    def late(_: int, __: FrameType | None) -> None:
        raise Found(f"hang in {what}")

    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        with watched(what):
            yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _told(problems: list[Diagnostic], what: str) -> str:
    """Every problem has a place inside of its file, a code and a message that can be shown."""
    for problem in problems:
        span = problem.span
        lines = len(span.file.lines)
        if not (1 <= span.line <= max(1, lines) and 1 <= span.column <= len(span.file.line(span.line)) + 1):
            raise Found(f"{what}: a problem outside of its file", f"{problem.code} {span.line}:{span.column}")
        if not problem.message or not re.fullmatch(r"[a-z]+(-[a-z]+)*", problem.code):
            raise Found(f"{what}: a problem without a message", problem.code)
        render(problem)
    return REFUSED if errors(problems) else SOUND


# ---- what reads bytes --------------------------------------------------------------------------------
def chapter(content: bytes) -> str:
    """A chapter by itself: read, formatted, read again."""
    with in_time("chapter"):
        try:
            file = decode_source(Path("chapter.md"), content)
        except RulebookError as error:
            return _told(error.problems, "chapter")
        answer = _told(parse_chapter(file)[1], "chapter")
        once = format_chapter(file)
        if format_chapter(SourceFile(file.path, once)) != once:
            raise Found("fmt: not the same twice")
        return answer


def data_file(path: Path, content: bytes) -> str:
    """A data file by itself, through everything that reads its kind."""
    from rulesdsl.book.yaml.file import load_yaml
    from tests.kit.datafiles import BUILDERS

    with in_time("data file"):
        try:
            document = load_yaml(decode_source(path, content))
            return _told(BUILDERS[path.stem.split("_")[0]](document)[1], "data file")
        except RulebookError as error:
            return _told(error.problems, "data file")


def whole_game(number: int, path: str, content: bytes) -> str:
    """A generated game with one file replaced: refused with places, or played. It stands where it stood, so
    that files which are not damaged are remembered."""
    directory = _standing(str(standing_place()), number)
    good = (directory / path).read_bytes()
    (directory / path).write_bytes(content)
    try:
        return _whole(directory, number)
    finally:
        (directory / path).write_bytes(good)


def whole_game_anew(number: int, path: str, content: bytes) -> str:
    """The same where nothing was read before."""
    with tempfile.TemporaryDirectory() as place:
        directory = damage.sound_game(number).write(Path(place))
        (directory / path).write_bytes(content)
        return _whole(directory, number)


@cache
def _home() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory()


def standing_place() -> Path:
    """Where the games of this process stand. Whoever asks first, before it starts others, clears it away."""
    place = Path(_home().name) / str(os.getpid())
    place.mkdir(exist_ok=True)
    return place


@cache
def _standing(place: str, number: int) -> Path:
    return damage.sound_game(number).write(Path(place) / str(number))


def _whole(directory: Path, number: int) -> str:
    with unremembered(), in_time("whole game"):
        source, problems = load_game(directory)
        program = None
        if source is not None and not errors(problems):
            program, found = check(source)
            problems = [*problems, *found]
        answer = _told(problems, "whole game")
        if source is None or program is None:
            if answer == SOUND:
                raise Found("whole game: refused without a reason")
            return REFUSED
        flavours(Accepted(Game(source, program, (), source), directory, False, number))
    return SOUND


def house_rule(directory: Path, content: bytes) -> str:
    """A house rule over a game: refused with places, or the game is played with it."""
    with in_time("house rule"):
        printed = _printed(directory)
        try:
            game = finish_game(printed, (), [decode_source(Path("rule.md"), content)])
        except RulebookError as error:
            return _told(error.problems, "house rule")
        try:
            session = Session.start(game, seed=1)
            luck = Random(1)
            for _ in range(12):
                if not session.over:
                    session.choose(luck.choice(session.options))
        except RunawayRule:
            pass
        return SOUND


@cache
def _printed(directory: Path) -> GameSource:
    source, problems = load_game(directory)
    assert source is not None
    assert not errors(problems)
    return source


def save(content: bytes, original: bytes | None = None) -> str:
    """A save: refused with a sentence, or it is the game that was saved (`original`, where that is known)."""
    with tempfile.TemporaryDirectory() as place, in_time("save"):
        path = Path(place) / "game.save"
        path.write_bytes(content)
        report = verify(path)
        try:
            session = load(path)
        except SaveError as error:
            if report.ok:
                raise Found("save: verified, but does not load", str(error)) from error
            if str(path) not in str(error):
                raise Found("save: a refusal without the name of the file", str(error)) from error
            with suppress(SaveError):
                load(path, recover=True)
            return REFUSED
        if not report.ok:
            raise Found("save: loads, but is not verified", report.problem)
        if original is not None and content != original:
            path.write_bytes(original)
            expected = load(path)
            if (session.hash, session.choices) != (expected.hash, expected.choices):
                raise Found("save: damaged in silence")
        return SOUND


# ---- bytes from our own mutators ---------------------------------------------------------------------
def broken_chapter(number: int) -> str:
    luck = Random(f"chapter {number}")
    if number % EVERY_WHOLE:
        return chapter(damage.chapter(luck))
    game, path, text = _some_file(luck, ".md")
    dice = luck.choice((damage.house_text, damage.damaged_text))
    return _whole_or_twice(number, game, path, dice(text, luck))


def broken_data(number: int) -> str:
    luck = Random(f"data {number}")
    if number % EVERY_WHOLE:
        return data_file(*damage.data_file(luck))
    game, path, text = _some_file(luck, ".yaml")
    return _whole_or_twice(number, game, path, damage.damaged_text(text, luck))


def _whole_or_twice(number: int, game: int, path: str, text: str) -> str:
    """A whole game with a damaged file; some of them also where nothing is remembered."""
    content = text.encode("utf-8", "surrogatepass")
    answer = whole_game(game, path, content)
    if number % EVERY_ANEW == 0 and whole_game_anew(game, path, content) != answer:
        raise Found("whole game: another answer where nothing is remembered", path)
    return answer


def _some_file(luck: Random, suffix: str) -> tuple[int, str, str]:
    number = luck.randrange(40)
    files = damage.sound_game(number).files
    path = luck.choice(sorted(name for name in files if name.endswith(suffix)))
    return number, path, files[path]


def broken_house(number: int) -> str:
    luck = Random(f"house {number}")
    directory = luck.choice(HOUSES)
    texts = [path.read_text("utf-8") for path in sorted((directory / "house").glob("*.md"))]
    text = damage.house_text(luck.choice([*texts, _plain_rule(directory)]), luck)
    return house_rule(directory, text.encode("utf-8", "surrogatepass"))


def _plain_rule(directory: Path) -> str:
    """A house rule that sets something printed and adds a paragraph, over any game."""
    source = _printed(directory)
    first = source.chapters[0].paragraphs[0].id
    return (
        f"# A rule\nWhy.\n\n## amends {first}\nOther words.\n"
        f"```rules\ndefine twice(number) = 2 * number\n```\n\n"
        f'## after {first} → 99 More\n```rules\nafter phase game begins: note "{{}}", twice(3)\n```\n'
    )


def broken_save(number: int) -> str:
    luck = Random(f"save {number}")
    original = damage.save_of(luck.choice(SAVED), luck.choice((0, 3, 9, 30)), luck.randrange(4))
    if luck.random() < 0.5:
        return save(damage.damaged_bytes(original, luck), original)
    return save(damage.forged(original, luck))


OWN: dict[str, Callable[[int], str]] = {
    "chapters": broken_chapter, "yaml": broken_data, "house": broken_house, "saves": broken_save,
}  # fmt: skip


# ---- bytes from atheris ------------------------------------------------------------------------------
def fed(kind: str, content: bytes) -> None:
    """One input of atheris; what is found is raised."""
    match kind:
        case "chapters":
            chapter(content)
        case "yaml":
            for path in damage.YAML_FILES:
                data_file(path, content)
        case "house":
            house_rule(HOUSES[0], content)
        case _:
            save(content)


def seeds(kind: str) -> list[bytes]:
    """Good inputs to begin with."""
    match kind:
        case "chapters":
            return [path.read_bytes() for path in sorted(_TESTS.glob("testdata/games/*/rules/*.md"))]
        case "yaml":
            return [path.read_bytes() for path in damage.YAML_FILES]
        case "house":
            return [path.read_bytes() for path in sorted((HOUSES[0] / "house").glob("*.md"))]
        case _:
            return [damage.save_of(game, 5, 1) for game in SAVED]


def main(arguments: list[str]) -> int:
    kind, *rest = arguments
    try:
        import atheris
    except ImportError:
        runs = next((int(word.removeprefix("-runs=")) for word in rest if word.startswith("-runs=")), 10_000)
        print(f"atheris is not installed: {runs} inputs of our own", file=sys.stderr)
        for number in range(runs):
            OWN[kind](number)
        return 0
    with tempfile.TemporaryDirectory() as place:
        for number, content in enumerate(seeds(kind)):
            (Path(place) / f"seed-{number}").write_bytes(content)
        atheris.instrument_all()
        atheris.Setup([sys.argv[0], *rest, place], lambda content: fed(kind, content))
        atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
