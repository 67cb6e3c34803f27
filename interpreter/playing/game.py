"""Opening a game: from a name or a directory to a ruleset that can be played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from interpreter.compiling.ruleset import Ruleset, resolve_settings
from interpreter.playing.names_shown import spelled
from interpreter.playing.weights import weights_in
from rulesdsl import program as pg
from rulesdsl.base.diagnostics import Diagnostic, RulebookError, UsageError, did_you_mean
from rulesdsl.base.gc_pause import nothing_collected
from rulesdsl.base.resources import find_game
from rulesdsl.base.source import SourceFile
from rulesdsl.book.loader import GameSource
from rulesdsl.book.scenario import Scenario
from rulesdsl.pipeline.stages import Stages, amended, read_amended

Setting = str | int | bool


def setting_text(value: object) -> str:
    """The value of a setting as it is written on the command line."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def join_settings(options: Mapping[str, Setting], readings: Mapping[str, Setting]) -> dict[str, str]:
    """All settings as they are written; whoever sets one twice must mean the same."""
    for name in options:
        if name in readings and setting_text(options[name]) != setting_text(readings[name]):
            raise UsageError(f'"{name}" is set twice: {options[name]} and {readings[name]}')
    return {name: setting_text(value) for name, value in {**options, **readings}.items()}


@dataclass(frozen=True, eq=False)
class Game:
    """A game that has passed the checks, with its house rules applied.

    `printed` is the game without them and `house` their files: what a save has to carry.
    """

    source: GameSource
    program: pg.Program
    warnings: tuple[Diagnostic, ...]
    printed: GameSource
    house: tuple[SourceFile, ...] = ()
    given_weights: tuple[tuple[str, int], ...] | None = None  # of a game that came from elsewhere

    @cached_property
    def weights(self) -> tuple[tuple[str, int], ...]:
        """How its computer opponent weighs what a position is worth: no rule, see `weights.py`."""
        return weights_in(self.source.directory) if self.given_weights is None else self.given_weights

    def __repr__(self) -> str:
        """One line: whoever looks at a game in a notebook does not want its chapters."""
        stacked = f", house rules: {', '.join(file.path.stem for file in self.house)}" if self.house else ""
        return f"<Game {self.source.game.title}{stacked}>"

    @property
    def title(self) -> str:
        return self.program.title

    @property
    def full_title(self) -> str:
        """The title with those of the house rules: what is really played."""
        return self.title + (f" with {', '.join(r.title for r in self.source.house)}" if self.house else "")

    def scenario(self, name: str | None = None) -> Scenario | None:
        """The scenario called `name`, or the default one; None when the game has none."""
        wanted = name or self.source.game.scenario
        if not wanted:
            return next(iter(self.source.scenarios.values()), None)
        if wanted not in self.source.scenarios:
            hint = did_you_mean(wanted, self.source.scenarios)
            known = ", ".join(self.source.scenarios) or "none"
            raise UsageError(f'there is no scenario "{wanted}" ({hint or "there are: " + known})')
        return self.source.scenarios[wanted]

    def ruleset(self, settings: Mapping[str, str] | None = None, scenario: Scenario | None = None) -> Ruleset:
        """Compiled rules for these settings (readings, options, parameters), made once."""
        options = scenario.options if scenario is not None else {}
        chosen = {name: setting_text(value) for name, value in options.items()}
        chosen |= settings or {}
        return _ruleset(self, tuple(sorted(chosen.items())))


@lru_cache(maxsize=32)
def _ruleset(game: Game, settings: tuple[tuple[str, str], ...]) -> Ruleset:
    chosen = resolve_settings(game.program, dict(settings))
    weights = game.weights
    return Ruleset(spelled(game.source, game.program, chosen), game.source.scenarios, chosen, weights=weights)


def open_game(name: str | Path, house: Sequence[str | Path] = ()) -> Game:
    """Load and check a game with house rules; raises `RulebookError` with everything that is wrong."""
    with nothing_collected():
        return _finished(read_amended(find_game(name), house))


def finish_game(
    printed: GameSource, problems: Sequence[Diagnostic], house: Sequence[SourceFile] = ()
) -> Game:
    """Apply house rules to a game that has been read, and check the whole."""
    return _finished(amended(printed, problems, house))


def _finished(stages: Stages) -> Game:
    stages = stages.clean().checked_through()
    source, program = stages.program()
    printed = stages.printed
    assert printed is not None
    warnings = tuple(p for p in stages.problems if p.severity == "warning")
    # in the order of the rules they make, not in that of the command line: a save must not depend on it
    game = Game(source, program, warnings, printed, tuple(rule.file for rule in source.house))
    if source.changes:
        from interpreter.playing.setup_check import setup_problems  # only here: it plays set-ups, as games do

        if wrong := setup_problems(game, lambda: finish_game(printed, ())):
            raise RulebookError(wrong)
    return game
