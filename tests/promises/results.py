"""What bars have measured: as a table, as a file that a cut run goes on with, as progress on stderr."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from threading import Event, Thread

from tests.promises import Promise, begin_bar, done_so_far

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "build" / "bars.json"
HEAD = f"{'bar':<15} {'tried':>9} {'failed':>7} {'seconds':>8}  {'ok':<3} what"
_MEASURED = (
    "rulesdsl",
    "interpreter",
    "games",
    "grammar",
    "benchmarks",
    "tests/testdata",
    "tests/fuzzing",
    "tests/promises",
)
_EVERY = 10.0  # seconds between two lines of progress


@dataclass(slots=True)
class Result:
    """One bar, measured."""

    tried: int
    failed: int
    seconds: float
    note: str
    examples: list[str]


def measured(promise: Promise, count: int) -> Result:
    begin_bar()
    started = time.perf_counter()
    outcome = promise(count)
    seconds = round(time.perf_counter() - started, 1)
    return Result(outcome.done, outcome.failed, seconds, outcome.note, outcome.examples)


def lines_of(name: str, says: str, result: Result) -> Iterator[str]:
    ok = "no" if result.failed or not result.tried else "yes"
    yield f"{name:<15} {result.tried:>9,} {result.failed:>7,} {result.seconds:>8.1f}  {ok:<3} {says}"
    if result.note:
        yield f"{'':<47} {result.note}"
    for example in result.examples:
        yield f"{'':<15} failed: {example}"


class Results:
    """The file of results: {"quick": {"code": …, "bars": {name: {"count": …, …}}}, "full": …}."""

    def __init__(self, path: Path, quick: bool) -> None:
        self.path = path
        self.mode = "quick" if quick else "full"
        self.code = fingerprint()
        self.all: dict[str, dict[str, object]] = {}
        self.read()

    def read(self) -> None:
        """What is written down; another run may be writing beside this one."""
        with suppress(OSError, ValueError):
            self.all = json.loads(self.path.read_text(encoding="utf-8"))
        if self.all.get(self.mode, {}).get("code") != self.code:
            self.all[self.mode] = {"code": self.code, "bars": {}}

    @property
    def bars(self) -> dict[str, dict[str, object]]:
        bars = self.all[self.mode]["bars"]
        assert isinstance(bars, dict)
        return bars

    def known(self, name: str, count: int) -> Result | None:
        found = self.bars.get(name)
        if found is None or found.get("count") != count or found.get("failed"):
            return None
        return Result(**{key: found[key] for key in Result.__slots__})  # type: ignore[arg-type]

    def write(self, name: str, count: int, result: Result) -> None:
        self.read()
        self.bars[name] = {"count": count, "at": time.strftime("%F %T", time.gmtime()), **asdict(result)}
        self.path.parent.mkdir(parents=True, exist_ok=True)
        waiting = self.path.with_suffix(".new")
        waiting.write_text(json.dumps(self.all, indent=1, ensure_ascii=False), encoding="utf-8")
        waiting.replace(self.path)


def fingerprint() -> str:
    """One number for everything a result depends on."""
    digest = sha256(sys.version.encode())
    for top in _MEASURED:
        for path in sorted((ROOT / top).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                digest.update(f"{path.relative_to(ROOT)}\n".encode() + path.read_bytes())
    return digest.hexdigest()[:16]


@contextmanager
def progress(name: str, count: int) -> Iterator[None]:
    """Every few seconds: how far a bar has come, and how long it may still take."""
    over = Event()
    started = time.monotonic()

    def tell() -> None:
        while not over.wait(_EVERY):
            done, passed = done_so_far(), time.monotonic() - started
            left = "" if not 0 < done < count else f", about {_span(passed / done * (count - done))} left"
            print(f"{name}: {done:,} of {count:,} after {_span(passed)}{left}", file=sys.stderr, flush=True)

    teller = Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        over.set()
        teller.join()


def _span(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
