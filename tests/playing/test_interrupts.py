"""Ctrl-C at any line of a session or a journal: all of a decision stays, or nothing of it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from interpreter.keeping.journal import Journal
from interpreter.keeping.saves import load
from interpreter.playing.session import Session
from tests.kit.saved_games import PATROL

FILES = ("interpreter/playing/session.py", "interpreter/playing/sitting.py", "interpreter/keeping/journal.py")


def interrupted(act: Callable[[], object], at: int) -> bool:
    """Run `act` with an interrupt at the `at`-th line of the files above; False: it was over before."""
    left = at

    def line(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal left
        if event == "line":
            left -= 1
            if left == 0:
                raise KeyboardInterrupt
        return line

    def call(frame: FrameType, event: str, _: Any) -> Any:
        return line if frame.f_code.co_filename.endswith(FILES) else None

    sys.settrace(call)
    try:
        act()
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(None)
    return False


def again(session: Session) -> Session:
    """The same choices without any interrupt."""
    other = Session.start(session.game, seed=str(session.facts["seed"]))
    for key in session.choices:
        other.choose(key)
    return other


@pytest.mark.parametrize("decisions", [2, 9])
def test_options_are_whole_after_an_interrupt(decisions: int) -> None:
    session = Session.start(PATROL, seed=4)
    for _ in range(decisions):
        session.choose(0)
    expected = [option.key for option in session.options]
    at = 1
    while True:
        session._options = None
        stopped = interrupted(lambda: session.options, at)
        assert [option.key for option in session.options] == expected
        if not stopped:
            break
        at += 1
    assert at > 5


@pytest.mark.parametrize("kept", [False, True])
def test_a_decision_is_whole_or_was_never_made(tmp_path: Path, kept: bool) -> None:
    session = Session.start(PATROL, seed=4)
    path = tmp_path / "a.journal"
    if kept:
        Journal.begin(session, path)
    for act in (lambda: session.choose(0), lambda: session.undo(), lambda: session.choose(0)):
        at = 1
        while interrupted(act, at):
            at += 1
            known = again(session)
            assert (session.hash, len(session.log)) == (known.hash, len(known.log))
            assert [o.key for o in session.options] == [o.key for o in known.options]
            if not session.history:
                session.choose(0)
        assert at > 5
    if kept:
        assert isinstance(session.recorder, Journal)
        session.recorder.close()
        assert load(path).choices == session.choices
