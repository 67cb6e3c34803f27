"""Files that want to fill the memory: saves of up to 20 MB, each refused in bounded time and memory."""

from __future__ import annotations

import base64
import json
import os
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from random import Random

from interpreter.keeping.save_file import MOST_BYTES, WIDTH, Chain
from rulesdsl import Session
from tests.promises import PATROL, Outcome, opened, play_on

SECONDS = 2.0
MEGABYTES = 300
STATE = "0123456789abcdef"
_ROOT = Path(__file__).parents[2]
# the peak of this program alone: what `wait4` tells begins with the memory of the one who started it
_MEASURED = """
import atexit, sys
from rulesdsl.cli import main
atexit.register(lambda: sys.stderr.write(next(x for x in open("/proc/self/status") if x.startswith("VmHWM"))))
main()
"""


def bombs(count: int) -> Outcome:
    """`rulesdsl verify` of a hostile save: an error message within 2 s of processor and 300 MB."""
    outcome = Outcome()
    rng = Random(13)
    slowest = largest = 0.0
    with tempfile.TemporaryDirectory() as place:
        honest = Path(place) / "honest.save"
        session = Session.start(opened(PATROL), seed=1)
        play_on(session, rng, 5)
        session.save(honest)
        lines = [line.rsplit(" #", 1)[0] for line in honest.read_text().splitlines()]
        path = Path(place) / "bomb.save"
        for number in range(count):
            kind = KINDS[number % len(KINDS)]
            path.write_bytes(b"".join(_with_checks(kind(lines, rng)))[:MOST_BYTES])
            code, seconds, megabytes, said = _verified(path)
            slowest, largest = max(slowest, seconds), max(largest, megabytes)
            outcome.done += 1
            told = (
                f"{kind.__name__}, {path.stat().st_size:,} bytes: {seconds:.1f} s, {megabytes:.0f} MB, {code}"
            )
            if code != 1 or seconds > SECONDS or megabytes > MEGABYTES or len(said) > 2_000:
                outcome.failure(f"{told} {said[:200]}")
    outcome.note = f"at most {slowest:.1f} s of processor and {largest:.0f} MB"
    return outcome


def _verified(path: Path) -> tuple[int, float, float, str]:
    """Exit code, seconds of processor, peak memory and words of `rulesdsl verify`."""
    with tempfile.TemporaryFile() as words:
        child = os.posix_spawn(
            sys.executable, [sys.executable, "-c", _MEASURED, "verify", str(path)],
            {**os.environ, "PYTHONPATH": str(_ROOT)},
            file_actions=[
                (os.POSIX_SPAWN_DUP2, words.fileno(), 2), (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)
            ],
        )  # fmt: skip
        status, seconds = _wait(child)
        words.seek(0)
        said, _, peak = words.read(1_000_000).decode("utf-8", "replace").rpartition("VmHWM:")
    # without its last words it was killed: more memory than there may be
    megabytes = int(peak.split()[0]) / 1024 if peak else 1e6
    return os.waitstatus_to_exitcode(status), seconds, megabytes, said


def _wait(child: int) -> tuple[int, float]:
    deadline = time.monotonic() + 10 * SECONDS
    while time.monotonic() < deadline:
        done, status, used = os.wait4(child, os.WNOHANG)
        if done:
            return status, used.ru_utime + used.ru_stime
        time.sleep(0.02)
    os.kill(child, 9)
    return os.wait4(child, 0)[1], 10 * SECONDS


def _with_checks(lines: Iterable[str | bytes]) -> Iterator[bytes]:
    """Lines with good checksums, as a forger makes them; bytes are written as they are."""
    chain, length = Chain(), 0
    for line in lines:
        made = line if isinstance(line, bytes) else chain.line(line).encode()
        length += len(made)
        yield made
        if length > MOST_BYTES:
            return


def _carrying(lines: list[str], content: bytes) -> list[str | bytes]:
    """The save with something else packed into it."""
    packed = base64.b64encode(zlib.compress(content, 9)).decode()
    rules = [f"| {packed[start : start + WIDTH]}" for start in range(0, len(packed), WIDTH)]
    return [*(line for line in lines[:-1] if not line.startswith("| ")), *rules, lines[-1]]


def _texts(game: object, house: object) -> bytes:
    return json.dumps({"game": game, "house": house}, ensure_ascii=False).encode()


def many_house_rules(lines: list[str], rng: Random) -> Iterable[str | bytes]:
    return _carrying(lines, b'{"game": [], "house": [' + b'["a","b"],' * 3_900_000 + b'["a","b"]]}')


def many_lists(lines: list[str], rng: Random) -> Iterable[str | bytes]:
    return _carrying(lines, b'{"game": [' + b"[]," * 13_000_000 + b'[]], "house": []}')


def deep_brackets(lines: list[str], rng: Random) -> Iterable[str | bytes]:
    return _carrying(lines, b'{"game": ' + b"[" * 39_000_000)


def wide_letters(lines: list[str], rng: Random) -> Iterable[str | bytes]:
    """One letter outside the usual plane makes four bytes of each."""
    return _carrying(lines, _texts([["game.yaml", "\U0001f600" + "a" * 19_000_000]], []))


def escapes(lines: list[str], rng: Random) -> Iterable[str | bytes]:
    return _carrying(lines, b'{"game": [["game.yaml", "' + b"\\n" * 19_500_000 + b'"]], "house": []}')


def unclosed_string(lines: list[str], rng: Random) -> Iterable[str | bytes]:
    return _carrying(lines, b'{"game": [["game.yaml", "' + b"\\\\" * 19_500_000)


def nothing_but_spaces(lines: list[str], rng: Random) -> Iterable[str | bytes]:
    return _carrying(lines, b" " * 400_000_000)


def many_files(lines: list[str], rng: Random) -> Iterable[str | bytes]:
    return _carrying(lines, _texts([[f"rules/{n}.md", "# a\n"] for n in range(200_000)], []))


def noise(lines: list[str], rng: Random) -> Iterable[str | bytes]:
    return _carrying(lines, rng.randbytes(14_000_000))


def many_decisions(lines: list[str], rng: Random) -> Iterable[str | bytes]:
    head = [line for line in lines if not line[0].isdigit() and not line.startswith(("| ", "end"))]
    yield from head
    yield from (f"{n} a b state {STATE}" for n in range(1, 10**7))


def many_undos(lines: list[str], rng: Random) -> Iterable[str | bytes]:
    yield from ["rulesdsl journal 1", *lines[1:-1]]
    for _ in range(10**7):
        yield f"undo 1 state {STATE}"
        yield f"5 a b state {STATE}"


def many_short_rules(lines: list[str], rng: Random) -> Iterable[str | bytes]:
    yield from lines[:-1]
    yield from ("| a" for _ in range(10**7))


def many_full_rules(lines: list[str], rng: Random) -> Iterable[str | bytes]:
    yield from (line for line in lines[:-1] if not line.startswith("| "))
    yield from (f"| {'A' * WIDTH}" for _ in range(10**7))


def many_facts(lines: list[str], rng: Random) -> Iterable[str | bytes]:
    yield from lines[:5]
    yield from ('game "a"' for _ in range(10**7))


def long_fact(lines: list[str], rng: Random) -> Iterable[str | bytes]:
    yield lines[0]
    yield "settings [" + "[]," * 6_000_000 + "[]]"


def deep_fact(lines: list[str], rng: Random) -> Iterable[str | bytes]:
    yield lines[0]
    yield "settings " + "[" * 90_000


def large_number(lines: list[str], rng: Random) -> Iterable[str | bytes]:
    yield lines[0]
    yield "seed " + "9" * 90_000


def long_key(lines: list[str], rng: Random) -> Iterable[str | bytes]:
    for line in lines:
        yield f"1 a {'x' * 90_000} state {STATE}" if line.startswith("1 ") else line


def long_words(lines: list[str], rng: Random) -> Iterable[str | bytes]:
    """Facts that find their way into messages."""
    for line in lines:
        word = line.split(" ")[0]
        yield f'{word} "{"x" * 90_000}"' if word in ("engine", "title", "game") else line


def empty_lines(lines: list[str], rng: Random) -> Iterable[str | bytes]:
    yield lines[0]
    yield b"\n" * MOST_BYTES


def short_lines(lines: list[str], rng: Random) -> Iterable[str | bytes]:
    yield lines[0]
    yield b"ab\n" * (MOST_BYTES // 3)


def one_line(lines: list[str], rng: Random) -> Iterable[str | bytes]:
    yield lines[0]
    yield b"1 a " + b" state" * (MOST_BYTES // 6)


def not_text(lines: list[str], rng: Random) -> Iterable[str | bytes]:
    yield lines[0]
    yield rng.randbytes(MOST_BYTES)


KINDS: tuple[Callable[[list[str], Random], Iterable[str | bytes]], ...] = (
    many_house_rules, many_lists, deep_brackets, wide_letters, escapes, unclosed_string, nothing_but_spaces,
    many_files, noise, many_decisions, many_undos, many_short_rules, many_full_rules, many_facts, long_fact,
    deep_fact, large_number, long_key, long_words, empty_lines, short_lines, one_line, not_text,
)  # fmt: skip
