"""The same rules, seed and choices give the same game: whatever the hash seed, however many workers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from random import Random

from interpreter.playing.session import Session
from tests.promises import PATROL, QUICK, Outcome, all_games, opened, play_on, tried_games
from tests.promises.playing import in_parallel

_ROOT = Path(__file__).parents[2]


def _seeds() -> range:
    return range(1 if os.environ.get(QUICK) else 3)


def _long() -> int:
    """So many decisions are compared: of a long game only the beginning."""
    return 120 if os.environ.get(QUICK) else 300


def hash_seeds(count: int) -> Outcome:
    """Whole games under `count` values of PYTHONHASHSEED: options, logs, views and states are one text."""
    outcome = Outcome()
    found: dict[str, str] = {}
    for hash_seed in range(count):
        environment = {**os.environ, "PYTHONHASHSEED": str(hash_seed), "PYTHONPATH": str(_ROOT)}
        command = [sys.executable, "-m", "tests.promises.sameness"]
        result = subprocess.run(
            command, env=environment, cwd=_ROOT, capture_output=True, text=True, check=False
        )
        outcome.done += 1
        if result.returncode:
            outcome.failure(f"PYTHONHASHSEED={hash_seed}: {result.stderr.strip()[-300:]}")
            continue
        answers = json.loads(result.stdout)
        for name, digest in answers.items():
            if found.setdefault(name, digest) != digest:
                outcome.failure(f"{name} differs under PYTHONHASHSEED={hash_seed}")
    return outcome


def workers(count: int) -> Outcome:
    """The same games played by 1 up to `count` processes."""
    outcome = Outcome()
    tasks = [(name, range(seed, seed + 1)) for name in all_games() for seed in _seeds()]
    expected = None
    for number in range(1, count + 1):
        notes = [one.note for one in in_parallel(_played, tasks, number)]
        outcome.done += 1
        expected = expected or notes
        if notes != expected:
            outcome.failure(f"{number} workers played other games than 1 worker")
    return outcome


def _played(task: tuple[str, range]) -> Outcome:
    name, seeds = task
    return Outcome(note="".join(digest_of_game(name, seed) for seed in seeds))


def digest_of_game(name: str, seed: int) -> str:
    """Everything a game shows, as one number."""
    session = Session.start(opened(name), seed=seed)
    digest = sha256()
    rng = Random(seed)
    for _ in range(_long()):
        digest.update(session.hash.encode())
        digest.update(repr((session.prompt, session.options)).encode())
        if session.over:
            break
        play_on(session, rng, 1)
    views = [session.view(seat) for seat in (None, *session.ruleset.program.world.universes["player"].ids)]
    digest.update(json.dumps(views).encode())
    digest.update(repr(session.log).encode())
    return digest.hexdigest()


def main() -> None:
    names = [*tried_games(), PATROL]
    sys.stdout.write(json.dumps({n: "".join(digest_of_game(n, seed) for seed in _seeds()) for n in names}))


if __name__ == "__main__":
    main()
