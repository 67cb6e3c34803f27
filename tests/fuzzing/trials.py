"""What is asked of a game that passes the checks: every way of playing it is the same game.

A trial that fails raises `Found`; its `kind` is what a smaller program must show to be the same failure.
"""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from interpreter.keeping.saves import verify
from interpreter.playing.game import Game, finish_game, open_game
from interpreter.running.fuel import RunawayRule
from interpreter.running.machine import Machine
from interpreter.running.state_json import state_hash
from rulesdsl import Session
from rulesdsl.base.diagnostics import RulebookError
from rulesdsl.base.source import SourceFile
from rulesdsl.house.applying import read_house_files
from rulesdsl.language.parsing.parser import parse_chapter
from rulesdsl.language.printing.formatter import format_chapter
from rulesdsl.language.printing.modern import modern

GAMES = 2  # of each program
MOST_DECISIONS = 120  # of a game; then it is left
_ROOT = Path(__file__).parents[2]


class Found(AssertionError):
    """Something a trial has found."""

    def __init__(self, kind: str, words: str = "") -> None:
        super().__init__(f"{kind}: {words}" if words else kind)
        self.kind = kind
        self.words = words


@dataclass(frozen=True)
class Accepted:
    """A game that passes the checks, in its directory."""

    game: Game
    directory: Path
    disciplined: bool
    seed: int


Trial = Callable[[Accepted], None]


@contextmanager
def watched(what: str) -> Iterator[None]:
    """What is raised here, other than by a rule that was stopped, is a crash with its place as its kind."""
    try:
        yield
    except (Found, RunawayRule, KeyboardInterrupt):
        raise
    except BaseException as error:
        raise Found(f"crash in {what}: {place_of(error)}", str(error)[:300]) from error


def place_of(error: BaseException) -> str:
    """The sort of error and the innermost functions of ours; generated code has no lines worth naming."""
    ours = [
        f"{Path(frame.filename).name}:{frame.name}"
        for frame in traceback.extract_tb(error.__traceback__)
        if str(_ROOT) in frame.filename
        and "/tests/" not in frame.filename
        and "site-packages" not in frame.filename
    ]
    return f"{type(error).__name__} in {' '.join(ours[-2:])}"


@contextmanager
def unremembered() -> Iterator[None]:
    """Nothing is kept on disk: thousands of programs that are read once are not worth remembering."""
    before = os.environ.get("RULESDSL_NO_CACHE")
    os.environ["RULESDSL_NO_CACHE"] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ["RULESDSL_NO_CACHE"]
        else:
            os.environ["RULESDSL_NO_CACHE"] = before


def opened(directory: Path) -> Game | None:
    """The game, if it passes the checks; what else goes wrong is found."""
    with watched("check"):
        try:
            with unremembered():
                return open_game(directory)
        except RulebookError as error:
            for problem in error.problems:
                if not problem.message or problem.span.line < 1:
                    raise Found("a problem without a place", problem.code) from error
            return None


# ---- flavours ----------------------------------------------------------------------------------------
def flavours(accepted: Accepted) -> None:
    """Full code, silent code, play at one go: who is asked, among which options, dice, states, result."""
    game = accepted.game
    with watched("compiling"):
        scenario = game.scenario(None)
        ruleset = game.ruleset({}, scenario)
    for number in range(GAMES):
        seed = f"{accepted.seed} {number}"
        with watched("compiling in full"):
            full = ruleset.new_machine(scenario, seed, traced=True)
        with watched("compiling silently"):
            fast = ruleset.new_machine(scenario, seed, traced=False)
        taken: list[tuple[int, int, int]] = []
        ended = _together(fast, full, Random(seed), taken)
        with watched("compiling flow"):
            playouts = ruleset.playouts
        if ended is None:
            continue  # a rule was stopped: what stops it is counted differently at one go
        left = iter(taken)

        def decide(who: int, count: int, left: Iterator[tuple[int, int, int]] = left) -> int:
            asked, options, index = next(left, (-2, -2, -2))
            if asked == -2:
                raise _Enough
            if (who, count) != (asked, options):
                raise Found("at one go: another question", f"{who} of {count}, not {asked} of {options}")
            return index

        with watched("play at one go"):
            try:
                machine = playouts.play(scenario, seed, decide)
            except _Enough:
                if ended:
                    raise Found("at one go: goes on after the end") from None
                continue
            except RunawayRule:
                continue
        if next(left, None) is not None or not ended:
            raise Found("at one go: ends early")
        if machine.outcome != full.outcome:
            raise Found("at one go: another result", f"{machine.outcome} and {full.outcome}")
        if state_hash(machine) != state_hash(full):
            raise Found("at one go: another state", _cells(machine, full, ruleset.layout.cell_names))


class _Enough(Exception):
    """The game was left at this decision."""


def _together(fast: Machine, full: Machine, luck: Random, taken: list[tuple[int, int, int]]) -> bool | None:
    """Play both with the same choices. Whether the game came to its end; None when a rule was stopped."""
    index: int | None = None
    while True:
        stopped = []
        for name, machine in (("full", full), ("fast", fast)):
            with watched(f"play of {name} code"):
                try:
                    machine.begin() if index is None else machine.choose(index)
                except RunawayRule as error:
                    stopped.append(str(error))
        if stopped:
            if len(stopped) == 1:
                raise Found("flavours: only one is stopped", stopped[0][:200])
            return None
        if (fast.pending is None) != (full.pending is None) or fast.outcome != full.outcome:
            raise Found(
                "flavours: another end", f"{fast.pending} {fast.outcome} and {full.pending} {full.outcome}"
            )
        if fast.s != full.s:
            cells = [
                f"cell {i} is {a!r} and {b!r}"
                for i, (a, b) in enumerate(zip(fast.s, full.s, strict=True))
                if a != b
            ]
            raise Found("flavours: another state", "; ".join(cells[:3]))
        if fast.pending is None or full.pending is None:
            return True
        if fast.pending.who < 0:
            raise Found("flavours: nobody is asked")
        mine, theirs = list(fast.pending.options), list(full.pending.options)
        if (fast.pending.who, fast.pending.out, mine) != (full.pending.who, full.pending.out, theirs):
            raise Found("flavours: another question", f"{fast.pending} and {full.pending}"[:300])
        if not mine and not fast.pending.out:
            raise Found("flavours: a question without options")
        if len(taken) >= MOST_DECISIONS:
            return False
        index = fast.pending.at_random(luck)
        taken.append((fast.pending.who, len(mine) + fast.pending.out, index if index >= 0 else len(mine)))


def _cells(one: Machine, other: Machine, names: list[str]) -> str:
    found = [
        f"{names[i]} is {a!r} and {b!r}"
        for i, (a, b) in enumerate(zip(one.s, other.s, strict=True))
        if a != b
    ]
    return "; ".join(found[:3])


# ---- sessions ----------------------------------------------------------------------------------------
def sessions(accepted: Accepted) -> None:
    """Undo, copies, saves, verification, views, texts and explanations along a random game."""
    luck = Random(accepted.seed)
    with watched("session"):
        try:
            session = Session.start(accepted.game, seed=accepted.seed)
        except RunawayRule:
            return
        path = accepted.directory.parent / "game.save"
        seats = [None, *session.ruleset.program.world.universes["player"].ids]
        for decision in range(MOST_DECISIONS // 2):
            _looked_at(session, luck.choice(seats), luck, decision)
            if session.over:
                break
            if luck.random() < 0.1:
                _undone(session, luck)
            try:
                if session.options:  # (going forth and back may have ended at the end)
                    session.choose(luck.choice(session.options))
            except RunawayRule:
                break
        _undone(session, luck)
        session.save(path)
        loaded = Session.load(path)
        if _print(loaded) != _print(session) or list(loaded.log) != list(session.log):
            raise Found("sessions: loaded it is another game")
        report = verify(path)
        if not report.ok or report.verified != len(session.history):
            raise Found("sessions: not verified", str(report))


def _looked_at(session: Session, seat: str | None, luck: Random, decision: int) -> None:
    session.view(seat)
    session.log_of(seat)
    if session.over or session.prompt is None:
        return
    keys = [option.key for option in session.options]
    if len(set(keys)) != len(keys):
        raise Found("sessions: two options have one key", str(keys)[:200])
    if decision % 7 == 0:
        option = luck.choice(session.options)
        session.explain(option)
        session.explain(option, seat=session.player)


def _undone(session: Session, luck: Random) -> None:
    """Some decisions forward, back and forward again."""
    before = _print(session)
    made = 0
    try:
        for _ in range(luck.randint(1, 4)):
            if session.over:
                break
            session.choose(luck.choice(session.options))
            made += 1
    except RunawayRule:
        pass
    if not made:
        return
    after, keys = _print(session), session.choices[-made:]
    session.undo(made)
    if _print(session) != before:
        raise Found("sessions: undone it is another game")
    twin = session.copy()
    for key in keys:
        session.choose(key)
    if _print(session) != after:
        raise Found("sessions: the same decisions lead elsewhere")
    if _print(twin) != before:
        raise Found("sessions: a copy was changed")


def _print(session: Session) -> tuple[object, ...]:
    return session.hash, session.player, session.choices, session.barriers, len(session.log)


# ---- house rules -------------------------------------------------------------------------------------
def amended(accepted: Accepted) -> None:
    """Each house rule is refused with a place, or makes a game that is played like any other."""
    for rule in sorted((accepted.directory / "house").glob("*.md")):
        with watched("house rules"):
            try:
                game = finish_game(
                    accepted.game.printed, (), read_house_files(accepted.game.printed.directory, [rule])
                )
            except RulebookError as error:
                if any(not problem.message or problem.span.line < 1 for problem in error.problems):
                    raise Found("house rules: a problem without a place") from error
                continue
        flavours(replace(accepted, game=game))


# ---- text --------------------------------------------------------------------------------------------
def layouts(accepted: Accepted) -> None:
    """Formatted chapters hold the same statements as they are said now; a second time changes nothing."""
    for path in sorted(accepted.directory.rglob("*.md")):
        file = SourceFile(path, path.read_text(encoding="utf-8"))
        with watched("fmt"):
            once = format_chapter(file)
            again = format_chapter(SourceFile(path, once))
        if once != again:
            raise Found("fmt: not the same twice", path.name)
        if path.parent.name == "house":  # no chapter: it has other headings
            continue
        before, _ = parse_chapter(file)
        after, problems = parse_chapter(SourceFile(path, once))
        if problems:
            raise Found("fmt: cannot be read back", problems[0].message)
        for one, other in zip(before.paragraphs, after.paragraphs, strict=True):
            if one.id != other.id or [*map(modern, one.rules)] != [*map(modern, other.rules)]:
                raise Found("fmt: other statements", f"{path.name} {one.id}")


TRIALS: tuple[Trial, ...] = (flavours, sessions, layouts)
