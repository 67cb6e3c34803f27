"""`quiet`: bookkeeping that the log does not tell of, and nothing else is different."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.compiling.ruleset import Ruleset
from interpreter.playing.session import Session
from rulesdsl.base.diagnostics import RulebookError
from rulesdsl.base.source import SourceFile
from rulesdsl.cli.play.screen import header
from rulesdsl.handbook import Book, Facts
from rulesdsl.language.parsing.parser import parse_rule
from rulesdsl.speaking.inline import plain
from rulesdsl.speaking.say.rules import say_rule

GAME = "game: ledger\ntitle: T\nplayers:\n  - {id: red, name: Red}\n  - {id: blue, name: Blue}\n"
RULES = """# Ledger

## 1 All

```rules
player
    QUIET coins: number
    QUIET ready: flag
    QUIET plan: number visible to it
    alarms: number
QUIET track day: number = 1
track week: number = 1

phase game "Ledger"
    repeat at most 3 times:
        red chooses one of:
            "work":
                add 2 to red.coins
                mark players as ready
                unmark blue as ready
                add 1 to red.plan
                add 1 to day
                set week to day
            "rest": set red.coins to red.coins + 0 * day

after player.coins changes: add 1 to player.alarms

define idle = red.plan + week + red.alarms = 0 and blue is ready
forbid doze when idle
action doze
```
"""


def played(directory: Path, word: str, rules: str = RULES) -> Session:
    """Work, rest, work."""
    folder = directory / (word.strip() or "told") / "ledger"
    (folder / "rules").mkdir(parents=True)
    (folder / "game.yaml").write_text(GAME)
    (folder / "rules" / "1.md").write_text(rules.replace("QUIET ", word))
    session = Session.start(folder, seed=3)
    for choice in ("work", "rest", "work"):
        session.choose(choice)
    return session


def head(session: Session) -> str:
    panel = header(session, "red")
    assert panel is not None
    return str(panel.renderable)


def lines(session: Session, seat: str) -> list[str]:
    return [entry.text for entry in session.log_of(seat)]


def test_the_log_does_not_tell_of_it(tmp_path: Path) -> None:
    told, quiet = played(tmp_path, ""), played(tmp_path, "quiet ")
    assert {"Red: coins 2", "Red, Blue: ready", "Blue: no longer ready", "Red: plan 2", "day 3"} <= set(
        lines(told, "red")
    )
    words = ("coins", "ready", "plan", "day")
    kept = [line for line in lines(told, "red") if not any(word in line for word in words)]
    assert lines(quiet, "red") == lines(quiet, "blue") == kept
    assert "Red: alarms 2" in kept  # what a quiet value triggers is told


def test_the_head_of_the_screen_leaves_quiet_tracks_out(tmp_path: Path) -> None:
    told, quiet = (head(played(tmp_path, word)) for word in ("", "quiet "))
    assert "week 3" in told
    assert "day 3" in told
    assert "week 3" in quiet
    assert "day" not in quiet


def test_positions_counts_and_secrets_are_the_same(tmp_path: Path) -> None:
    told, quiet = played(tmp_path, ""), played(tmp_path, "quiet ")
    assert told.machine.s == quiet.machine.s
    assert counted(told.ruleset) == counted(quiet.ruleset)
    assert sum(counted(told.ruleset)) > 10
    for seat in ("red", "blue"):
        assert told.view(seat)["things"] == quiet.view(seat)["things"]


def counted(ruleset: Ruleset) -> list[int]:
    return list(ruleset.full.fired)


def test_a_track_that_keeps_its_value_is_no_news_but_its_rule_counts(tmp_path: Path) -> None:
    steady = played(tmp_path / "steady", "", RULES.replace("set week to day", "set week to 1"))
    moving = played(tmp_path / "moving", "")
    assert not [line for line in lines(steady, "red") if line.startswith("week")]
    assert [line for line in lines(moving, "red") if line.startswith("week")] == ["week 2", "week 3"]
    assert counted(steady.ruleset) == counted(moving.ruleset)


def test_a_quiet_game_is_saved_and_opened_with_the_same_log(tmp_path: Path) -> None:
    from interpreter.keeping.saves import load, save

    session = played(tmp_path, "quiet ")
    save(session, tmp_path / "game.save")
    again = load(tmp_path / "game.save")
    assert (again.hash, again.log) == (session.hash, session.log)


@pytest.mark.parametrize(
    ("rules", "code"),
    [
        ("player\n    quiet printed rank: number = 1\n", "printed-quiet"),
        ("space hill\n    quiet lit: flag\nspace dale\n    lit: flag\n", "quiet-and-told"),
    ],
)
def test_where_it_makes_no_sense_it_is_refused(tmp_path: Path, rules: str, code: str) -> None:
    text = f"# T\n\n## 1 All\n\n```rules\n{rules}phase game\n    end game: drawn\n```\n"
    with pytest.raises(RulebookError) as refused:
        played(tmp_path, "", text)
    found = [problem for problem in refused.value.problems if problem.code == code]
    assert [problem.paragraph for problem in found] == ["1"]
    assert found[0].span.line > 5


def test_a_thing_may_still_be_called_quiet(tmp_path: Path) -> None:
    assert played(tmp_path, "", RULES.replace("idle", "quiet")).over


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("quiet track day: flag\n", "The game keeps “day”: yes or no (the log does not tell of it)."),
        ("track day: flag\n", "The game keeps “day”: yes or no."),
    ],
)
def test_the_handbook_says_so(tmp_path: Path, text: str, sentence: str) -> None:
    game = played(tmp_path, "").game
    rule, problems = parse_rule(text, SourceFile(tmp_path / "x.md", text), 1)
    assert rule is not None, problems
    assert plain(say_rule(Book(game.source, game.program, Facts()).speaker, rule).text) == sentence
