"""Opening a game: from a name or a directory to a ruleset that can be played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from interpreter.ruleset import Ruleset, resolve_settings
from rulesdsl import program as pg
from rulesdsl.checker import check
from rulesdsl.diagnostics import Diagnostic, RulebookError, UsageError, did_you_mean, errors
from rulesdsl.loader import GameSource, load_game
from rulesdsl.resources import find_game
from rulesdsl.scenario import Scenario


@dataclass(frozen=True, eq=False)
class Game:
    """A game that has passed the checks, with its house rules applied."""

    source: GameSource
    program: pg.Program
    warnings: tuple[Diagnostic, ...]

    @property
    def title(self) -> str:
        return self.program.title

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
        chosen = {k: str(v) for k, v in scenario.options.items()} if scenario is not None else {}
        chosen |= settings or {}
        return _ruleset(self, tuple(sorted(chosen.items())))


@lru_cache(maxsize=32)
def _ruleset(game: Game, settings: tuple[tuple[str, str], ...]) -> Ruleset:
    return Ruleset(game.program, game.source.scenarios, resolve_settings(game.program, dict(settings)))


def open_game(name: str | Path, house: Sequence[Path] = ()) -> Game:
    """Load and check a game; raises `RulebookError` with everything that is wrong."""
    directory = find_game(name)
    source, problems = load_game(directory)
    if house and source is not None:
        from rulesdsl.amendments import apply_house_rules

        source, found = apply_house_rules(source, house)
        problems = [*problems, *found]
    if source is None or errors(problems):
        raise RulebookError(problems)
    program, found = check(source)
    if program is None:
        raise RulebookError([*problems, *found])
    return Game(source, program, tuple(p for p in (*problems, *found) if p.severity == "warning"))
