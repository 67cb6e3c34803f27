"""Choices that were never offered: refused, and nothing changes."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from interpreter.playing.session import IllegalChoice, Option, Session
from tests.promises import Outcome, all_games, length_of, opened, play_on

_BATCH = 25  # forgeries tried at one decision


def forged_choices(count: int) -> Outcome:
    """Mutated keys, numbers out of range, wrong kinds of things, altered and stale options."""
    outcome = Outcome()
    rng = Random(1)
    names = all_games()
    while outcome.done < count:
        name = names[outcome.done // _BATCH % len(names)]
        session = Session.start(opened(name), seed=rng.randrange(1000))
        stale: list[Option] = []
        for _ in range(8):
            play_on(session, rng, rng.randrange(1, max(2, min(12, length_of(name) // 8))))
            _try_all(outcome, name, session, rng, stale)
            stale += session.options
            if session.over or outcome.done >= count:
                break
    return outcome


def _try_all(outcome: Outcome, name: str, session: Session, rng: Random, stale: list[Option]) -> None:
    keys = {option.key for option in session.options}
    before = session.hash
    for _ in range(_BATCH):
        forged = _forge(session, rng, stale, keys)
        if isinstance(forged, str) and forged in keys:
            continue  # a mutation that happens to be another offered key is a choice like any other
        outcome.done += 1
        try:
            session.choose(forged)
        except IllegalChoice:
            pass
        except Exception as error:
            outcome.failure(f"{name}: {forged!r} gave {type(error).__name__}: {error}")
        else:
            outcome.failure(f"{name}: {forged!r} was accepted")
            return
        if session.hash != before:
            outcome.failure(f"{name}: {forged!r} was refused, but changed the state")
            return


def _forge(session: Session, rng: Random, stale: list[Option], keys: set[str]) -> Any:
    options = session.options
    kind = rng.randrange(8)
    if kind == 0:
        return rng.choice([-1, -2, len(options), len(options) + rng.randrange(99), 10**30])
    if kind == 1:
        return rng.choice([None, True, False, 0.0, b"", (), [], {}, "", " ", "\x00", "none", "-1", object()])
    if kind == 2 and stale:
        return rng.choice(stale)  # kept from an earlier decision, perhaps with a key that is offered again
    if kind == 3 and stale:
        return rng.choice(stale).key
    if not options:
        return rng.choice(["pass", "done", 0, 1])
    option = rng.choice(options)
    if kind == 4:
        field = rng.choice(["key", "text", "paragraph"])
        forged: dict[str, Any] = {field: _mutated(getattr(option, field), rng)}
        return replace(option, **forged)
    if kind == 5:
        return replace(option, index=option.index + rng.choice([-1, 1, 2, 1000]))
    if kind == 6:
        return replace(option, decision=option.decision + rng.choice([-1, 1, 7]))
    return _mutated(option.key, rng)


def _mutated(text: str, rng: Random) -> str:
    place = rng.randrange(len(text) + 1)
    return rng.choice(
        [
            text[:place] + rng.choice("abcxyz019-_:+ .\n\u00e9") + text[place:],
            text[: max(0, place - 1)] + text[place:] if place else text + text,
            text.upper() + "!",
            f" {text}",
            text + "\u200b",
            text.replace("a", "\u0430") + "?",
        ]
    )
