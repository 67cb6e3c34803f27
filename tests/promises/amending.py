"""House rules, shipped and random: a clear error with file and line, or a game that checks, that plays
without breaking its invariants, and whose diff names exactly what was changed."""

from __future__ import annotations

from functools import cache, partial
from itertools import combinations
from pathlib import Path
from random import Random

from interpreter.playing.game import Game, finish_game, open_game
from interpreter.playing.invariants import violations
from rulesdsl.base.diagnostics import RulebookError
from rulesdsl.base.resources import find_game, shipped_games
from rulesdsl.base.source import SourceFile
from rulesdsl.book.loader import GameSource, load_game
from rulesdsl.house.applying import shipped_house_rules
from rulesdsl.house.differences.rule_diff import diff_rules
from tests.promises import MOST_DECISIONS, Outcome
from tests.promises.keeping import Broken, counted
from tests.promises.playing import lockstep
from tests.promises.random_edits import RandomEdit, random_edit, what_is_named

GAMES = 20  # random games with each set of rules
EDITED = "edit.md"
REFUSED, SAME, PLAYS = "refused", "the same", "plays"


@cache
def printed(directory: Path) -> GameSource:
    source, problems = load_game(directory)
    if source is None or any(p.severity == "error" for p in problems):
        raise RulebookError(problems)
    return source


def watched_games(game: Game, games: int, seed: str, decisions: int = MOST_DECISIONS) -> None:
    """Random games, every state of them looked at; `decisions` cuts them short. One is played in all ways."""
    scenario = game.scenario(None)
    ruleset = game.ruleset({}, scenario)
    for number in range(games):
        rng = Random(f"{seed} {number}")
        machine = ruleset.new_machine(scenario, f"{seed} {number}", traced=False)
        machine.begin()
        decision = 0
        while machine.pending is not None and decision < decisions:
            _nothing_wrong(violations(ruleset, machine), f"game {number}, decision {decision}")
            machine.choose(machine.pending.at_random(rng))
            decision += 1
        if machine.pending is not None and decisions == MOST_DECISIONS:
            raise Broken(f"game {number} does not end")
        _nothing_wrong(violations(ruleset, machine), f"game {number}, at decision {decision}")
    if decisions == MOST_DECISIONS:
        ways = Outcome()
        lockstep(ways, "one game", ruleset, scenario, games)
        _nothing_wrong(ways.examples, "played all three ways")


def _nothing_wrong(found: list[str], where: str) -> None:
    if found:
        raise Broken(f"{where}: {'; '.join(found[:3])}")


# ---- shipped house rules -----------------------------------------------------------------------------
def shipped_sets() -> list[tuple[str, tuple[str, ...]]]:
    """Every shipped house rule, and every pair of those of one game."""
    found: list[tuple[str, tuple[str, ...]]] = []
    for game in shipped_games():
        names = shipped_house_rules(find_game(game))
        found += [(game, (name,)) for name in names]
        found += [(game, pair) for pair in combinations(names, 2)]
    return found


def shipped_set(game: str, names: tuple[str, ...], games: int = GAMES) -> str:
    """Applied, compared with what their sections say, and played."""
    opened = open_game(game, [Path(name) for name in names])
    diff = diff_rules(opened.printed, opened.source)
    said = {section.paragraph for rule in opened.source.house for section in rule.sections}
    named = {one.id for one in diff.paragraphs} | {one.paragraph for one in diff.values}
    if named != said:
        raise Broken(f"the diff names {sorted(named)}, the house rules {sorted(said)}")
    watched_games(opened, games, "+".join(names))
    return PLAYS


# ---- random edits ------------------------------------------------------------------------------------
def numbered_edit(directory: Path, number: int) -> RandomEdit:
    return random_edit(printed(directory), Random(f"{directory.name} {number}"))


def edited(directory: Path, number: int, games: int = GAMES, decisions: int = MOST_DECISIONS) -> str:
    """One random edit of one value of a game: refused, without effect, or played."""
    source, edit = printed(directory), numbered_edit(directory, number)
    try:
        game = finish_game(source, (), [SourceFile(Path(EDITED), edit.text)])
    except RulebookError as error:
        _names_the_place(error, edit)
        return REFUSED
    diff = diff_rules(source, game.source)
    if not diff.different:
        if not any(problem.code == "house-no-change" for problem in game.warnings):
            raise Broken(f"{edit.statement}: nothing is different, and nobody says so")
        return SAME
    if what_is_named(diff) != edit.named:
        raise Broken(f"{edit.statement}: the diff names {sorted(what_is_named(diff))}")
    try:
        watched_games(game, games, str(number), decisions)
    except Exception as error:
        raise Broken(f"{edit.statement}: {type(error).__name__}: {error}") from error
    return PLAYS


def _names_the_place(error: RulebookError, edit: RandomEdit) -> None:
    """Every message shows the line of the edit, or of the heading it stands under."""
    for problem in error.problems:
        places = [problem.span, *(span for _, span in problem.also)]
        lines = [span.line for span in places if span.file.shown == EDITED]
        if problem.severity == "error" and (not lines or lines[0] not in edit.lines):
            raise Broken(f"{edit.statement}: the message does not name its place: {problem.message}")


# ---- as promises -------------------------------------------------------------------------------------
def random_edits(count: int) -> Outcome:
    """Edits of the game that has most house rules; half of them must give a game that plays."""
    directory = max(map(find_game, shipped_games()), key=lambda one: len(shipped_house_rules(one)))
    attempts = [
        # by what it says: a kept answer is not taken for that of another edit of this number
        (f"edit {number}: {numbered_edit(directory, number).statement}", partial(edited, directory, number))
        for number in range(count)
    ]
    return counted("random-edits", attempts, most=PLAYS)


def house_rules(count: int) -> Outcome:
    """The first `count` shipped house rules and pairs of them."""
    return counted(
        "house-rules",
        [
            (f"{game} with {', '.join(names)}", partial(shipped_set, game, names))
            for game, names in shipped_sets()[:count]
        ],
    )
