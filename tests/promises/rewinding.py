"""Undo, saves and copies: back at the same point everything is the same."""

from __future__ import annotations

import tempfile
from pathlib import Path
from random import Random
from time import process_time
from timeit import timeit

from interpreter.keeping.saves import load, save, verify
from interpreter.playing.session import Session
from tests.promises import Outcome, all_games, length_of, opened, play_on, random_session, small_games


def undo_and_save(count: int) -> Outcome:
    """Half of the pairs: go on, undo, compare. The other half: save, load, compare."""
    outcome = Outcome()
    rng = Random(2)
    small = small_games()
    large = [name for name in all_games() if name not in small]
    with tempfile.TemporaryDirectory() as place:
        while outcome.done < count:
            use_large = large and outcome.done % 100 == 0
            name = rng.choice(large if use_large else small)
            session = random_session(name, rng.randrange(10**6), rng.randrange(min(400, length_of(name)) + 1))
            for _ in range(1 if use_large else 5):
                _undo_pair(outcome, name, session, rng)
                _save_pair(outcome, name, session, Path(place) / "game.save")
                play_on(session, rng, rng.randrange(4))
    return outcome


def _undo_pair(outcome: Outcome, name: str, session: Session, rng: Random) -> None:
    before = fingerprint(session)
    steps = rng.randrange(1, 9)
    made = len(session.history)
    play_on(session, rng, steps)
    made = len(session.history) - made
    after, choices = fingerprint(session), session.choices[len(session.choices) - made :] if made else []
    if made:
        session.undo(made)
    outcome.done += 1
    if fingerprint(session) != before:
        outcome.failure(f"{name}: {made} decisions taken back lead elsewhere")
    for key in choices:
        session.choose(key)
    if fingerprint(session) != after:
        outcome.failure(f"{name}: the same {made} decisions lead elsewhere the second time")


def _save_pair(outcome: Outcome, name: str, session: Session, path: Path) -> None:
    save(session, path)
    loaded = load(path)
    outcome.done += 1
    if fingerprint(loaded) != fingerprint(session) or loaded.log != session.log:
        outcome.failure(f"{name}: loaded after {len(session.history)} decisions it is another game")


def fingerprint(session: Session) -> tuple[object, ...]:
    return session.hash, session.player, session.choices, session.barriers, len(session.log)


def verified_games(count: int) -> Outcome:
    """Whole games, saved and verified."""
    outcome = Outcome()
    with tempfile.TemporaryDirectory() as place:
        for number in range(count):
            name = small_games()[number % len(small_games())]
            session = random_session(name, number, length_of(name) * 20)
            path = Path(place) / f"{number}.save"
            save(session, path)
            report = verify(path)
            outcome.done += 1
            if not report.ok or report.verified != len(session.history):
                outcome.failure(f"{name} seed {number}: {report}")
    return outcome


def copy_costs(name: str, decisions: int = 400) -> tuple[float, float]:
    """Microseconds for a copy of the machine and of the session in the middle of a game."""
    session = Session.start(opened(name), seed=1)
    play_on(session, Random(1), decisions)
    times = 2000
    machine = timeit(session.machine.copy, timer=process_time, number=times) / times * 1e6
    whole = timeit(session.copy, timer=process_time, number=times) / times * 1e6
    return machine, whole
