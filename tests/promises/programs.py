"""Programs made at random: every one that the checker accepts plays the same by all ways of playing it.

The generator and the trials are in `tests/fuzzing`. A failure is made small and shown with its number:
`python -m tests.fuzzing.corpus NUMBER NAME "what it showed"` keeps it for ever. The numbers of the bar begin
at 0 each time; `python -m tests.fuzzing FIRST COUNT` tries others.
"""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from contextlib import suppress
from functools import partial
from hashlib import sha256
from multiprocessing import parent_process
from pathlib import Path

from tests.fuzzing.known import reason
from tests.fuzzing.trying import PLAYED, REFUSED, Found, numbered, smallest, tried
from tests.promises import Outcome
from tests.promises.keeping import Broken, counted

ACCEPTED = 0.6  # at least such a part of the programs must be accepted, or the generator is worth little
LIFETIME = 60  # programs of a process: what is left of them goes with it, nothing is looked through
TIDIED = 64  # programs, where they are tried one after the other in one process
SHRINKING = 60.0  # seconds of the processor for one failure
_ROOT = Path(__file__).parents[2]


def programs(count: int) -> Outcome:
    """So many accepted programs: flavours, sessions, saves, twins, house rules, layouts, commands.

    Numbers are tried in turn until enough of them were accepted; what is refused is counted, too.
    """
    outcome = Outcome()
    asked = accepted = 0
    _warm()
    seen: dict[str, int] = {}
    gc.collect()
    gc.freeze()  # the engine is here for good: no need to look through it again and again
    while accepted < count:
        more = max(1, int((count - accepted) * 1.05))
        attempts = [(str(number), partial(attempt, number)) for number in range(asked, asked + more)]
        asked += more
        part = counted("programs", attempts, lifetime=LIFETIME)
        outcome.add(part)
        for answer in part.note.split(", ") if part.note else []:
            number, word = answer.split(" ", 1)
            seen[word] = seen.get(word, 0) + int(number)
        accepted = outcome.failed + sum(number for word, number in seen.items() if word != REFUSED)
    gc.unfreeze()
    outcome.note = ", ".join(f"{number} {word}" for word, number in sorted(seen.items()))
    if accepted < ACCEPTED * asked:
        outcome.failure(f"only {accepted} of {asked} programs were accepted")
    return outcome


def _warm() -> None:
    """Import whatever a program may need, so that it is set aside with the rest of the engine."""
    with suppress(Found):
        tried(0)


def attempt(number: int) -> str:
    """What became of the program of this number, in a word; raises `Broken` with what is left of it."""
    gc.disable()  # a program makes many small things that all go together: looked through now and then
    try:
        return tried(number)
    except Found as found:
        if why := reason(found.kind):
            return f"known: {why}"
        raise Broken(f"{found}\n{_shown(number, found.kind)}") from None
    finally:
        if parent_process() is None:
            gc.enable()
            if number % TIDIED == 0:
                gc.collect()


def _shown(number: int, kind: str) -> str:
    files = smallest(number, kind, SHRINKING)
    return "\n".join(f"=== {path}\n{text.rstrip()}" for path, text in sorted(files.items()))


# ---- hash seeds --------------------------------------------------------------------------------------
def program_hash_seeds(count: int) -> Outcome:
    """The same programs in processes with two values of PYTHONHASHSEED: files, options, logs and states."""
    outcome = Outcome()
    batch = 25
    for first in range(0, count, batch):
        numbers = range(first, min(count, first + batch))
        answers = [_digests(numbers, seed) for seed in ("1", "77")]
        for number, one, other in zip(numbers, *answers, strict=True):
            outcome.done += 1
            if one != other:
                outcome.failure(f"program {number} differs under another PYTHONHASHSEED")
    return outcome


def _digests(numbers: range, hash_seed: str) -> list[str]:
    command = [sys.executable, "-m", "tests.promises.programs", str(numbers.start), str(numbers.stop)]
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(_ROOT)}
    result = subprocess.run(command, env=environment, cwd=_ROOT, capture_output=True, text=True, check=False)
    lines = result.stdout.split()
    if result.returncode or len(lines) != len(numbers):
        return [result.stderr.strip()[-200:] + hash_seed] * len(numbers)
    return lines


def _digest(number: int) -> str:
    """Everything a program shows in one short game, as one number."""
    import tempfile
    from random import Random

    from interpreter.playing.session import Session
    from interpreter.running.fuel import RunawayRule
    from tests.fuzzing.trials import opened

    generated = numbered(number)
    digest = sha256(repr((generated.files, generated.house)).encode())
    with tempfile.TemporaryDirectory() as place:
        game = opened(generated.write(Path(place)))
    if game is None:
        return digest.hexdigest()
    luck = Random(number)
    try:
        session = Session.start(game, seed=number)
        for _ in range(40):
            seats = (None, *game.program.world.universes["player"].ids)
            shown = [(session.view(seat), session.log_of(seat)) for seat in seats]
            digest.update(repr((session.hash, session.prompt, session.options, shown)).encode())
            if session.over:
                break
            session.choose(luck.choice(session.options))
    except RunawayRule as stopped:
        digest.update(str(stopped).replace(place, "").encode())  # it names the file, which lies elsewhere
    except Exception as error:  # (the bar `programs` tells of it)
        digest.update(type(error).__name__.encode())
    return digest.hexdigest()


if __name__ == "__main__":
    for wanted in range(int(sys.argv[1]), int(sys.argv[2])):
        print(_digest(wanted))

__all__ = ["PLAYED", "attempt", "program_hash_seeds", "programs"]
