"""The command line: what is printed where, exit codes, and no traceback whatever is typed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner, Result

from interpreter.playing.game import open_game
from rulesdsl.base.diagnostics import UsageError
from rulesdsl.base.resources import shipped_games
from rulesdsl.cli import failures, group
from rulesdsl.cli.failures import Failure
from rulesdsl.cli.registry import COMMANDS
from tests.kit.command_line import ENVIRONMENT, ROOT, program, run


# ---- help ------------------------------------------------------------------------------------------------
def test_help_names_every_command_and_the_exit_codes() -> None:
    result = run("--help")
    assert result.exit_code == 0
    for section, entries in COMMANDS.items():
        assert section in result.output
        assert all(name in result.output for name in entries)
    assert "Exit codes" in result.output
    assert "NO_COLOR" in result.output
    assert "\x08" not in result.output  # a mark for the layout that came through
    assert "\\x" not in result.output


@pytest.mark.parametrize("command", [name for section in COMMANDS.values() for name in section])
def test_every_command_exists_and_has_help(command: str) -> None:
    result = run(command, "--help")
    assert result.exit_code == 0, result.output
    assert "Usage:" in result.output


def test_help_loads_nothing_heavy() -> None:
    heavy = ["lark", "rich", "yaml", "networkx", "jsonschema", "interpreter"]
    check = "import sys; from rulesdsl.cli.group import commands\ntry: commands.main(['--help'])\n"
    check += (
        f"except SystemExit: pass\nfound = [m for m in {heavy} if m in sys.modules]\nassert not found, found"
    )
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, env=ENVIRONMENT)
    assert done.returncode == 0, done.stderr


def test_version() -> None:
    assert run("--version").output.startswith("rulesdsl")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(shell: str) -> None:
    result = run("completion", shell)
    assert result.exit_code == 0
    assert "_RULESDSL_COMPLETE" in result.output


def test_completion_of_commands_and_games() -> None:
    words = {
        "_RULESDSL_COMPLETE": "bash_complete",
        "COMP_WORDS": "rulesdsl check tutorial/h",
        "COMP_CWORD": "2",
    }
    code = "from rulesdsl.cli import main; import sys; sys.argv = ['rulesdsl']; main()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          env=ENVIRONMENT | words)  # fmt: skip
    assert "tutorial/hex" in done.stdout
    words |= {"COMP_WORDS": "rulesdsl sim", "COMP_CWORD": "1"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          env=ENVIRONMENT | words)  # fmt: skip
    assert "simulate" in done.stdout


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        (["simulate", "skir"], ["skirmish"]),
        (["play", "battle_for_germany", "--scenario", "f"], ["four_players"]),
        (["play", "race_for_berlin", "--house", "th"], ["thick_forests"]),
        (["play", "no_such_game", "--scenario", "f"], []),
    ],
)
def test_completion_of_short_names_scenarios_and_house_rules(typed: list[str], offered: list[str]) -> None:
    complete = ShellComplete(group.commands, {}, "rulesdsl", "_RULESDSL_COMPLETE")
    assert [item.value for item in complete.get_completions(typed[:-1], typed[-1])] == offered


# ---- exit codes ------------------------------------------------------------------------------------------
WRONG_USAGE = [
    ["chek"],
    ["check", "no_such_game"],
    ["check", "--jsno"],
    ["check", "--house", "nowhere.md"],
    ["check", "tutorial/hex", "--house", "nowhere.md"],
    ["rule", "tutorial/hex", "99.9"],
    ["exceptions", "tutorial/hex", "nonsense"],
    ["fmt"],
    ["fmt", "no/such/file.md"],
    ["new", "Not A Name"],
    ["new", "tests"],
    ["play", "tutorial/hexx"],
    ["play"],
    ["play", "tutorial/hex", "--seat", "red"],
    ["play", "tutorial/hex", "--seat", "green=human"],
    ["play", "tutorial/hex", "--seat", "red=genius"],
    ["play", "tutorial/hex", "--scenario", "nowhere"],
    ["play", "tutorial/hex", "--option", "fog"],
    ["play", "tutorial/hex", "--option", "fog=yes"],
    ["play", "tutorial/hex", "--option", "a=1", "--option", "a=2"],
    ["play", "tutorial/hex", "--save", "/no/such/directory/x.save"],
    ["simulate", "tutorial/hex", "--games", "0"],
    ["simulate", "tutorial/hex", "--games", "many"],
    ["simulate", "tutorial/hex", "--seat", "red=human"],
    ["simulate", "tutorial/hex", "--games", "1", "--out", "results.txt"],
    ["completion", "tcsh"],
]


@pytest.mark.parametrize("arguments", WRONG_USAGE, ids=" ".join)
def test_wrong_usage_is_told_in_a_line_or_two(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    result = run(*arguments)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert 1 <= len(result.stderr.strip().splitlines()) <= 6
    assert "Traceback" not in result.stderr


def test_a_misspelt_command_or_game_gets_a_suggestion() -> None:
    assert 'did you mean "check"' in run("chek").stderr
    assert 'did you mean "tutorial/hex"' in run("check", "tutorial/hexx").stderr


@pytest.fixture
def raising(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """A command that raises what it is given."""
    monkeypatch.setattr(failures, "_report_places", lambda: [tmp_path / "log"])

    def invoke(error: BaseException, **environment: str) -> Result:
        @click.command()
        def command() -> None:
            raise error

        with monkeypatch.context() as patch:
            patch.setattr(group.LazyGroup, "get_command", lambda *_: command)
            return CliRunner(env=environment).invoke(group.commands, ["check"])

    return invoke


def test_each_kind_of_failure_has_its_exit_code(raising: Any) -> None:
    assert raising(UsageError("not like this")).exit_code == 2
    assert raising(Failure("it did not work")).exit_code == 1
    assert raising(KeyboardInterrupt()).exit_code == 130
    assert raising(FileNotFoundError(2, "no such file", "x.md")).exit_code == 1
    assert raising(BrokenPipeError()).exit_code == 0


def test_a_bug_of_ours_is_one_line_and_a_report(raising: Any, tmp_path: Path) -> None:
    result = raising(ZeroDivisionError("oh"))
    assert result.exit_code == 3
    assert len(result.stderr.strip().splitlines()) == 1
    assert "sorry" in result.stderr
    reports = list((tmp_path / "log").glob("bug-*.txt"))
    assert len(reports) == 1
    assert str(reports[0]) in result.stderr
    assert "ZeroDivisionError: oh" in reports[0].read_text(encoding="utf-8")
    assert "Traceback" in raising(ZeroDivisionError("oh"), RULESDSL_DEBUG="1").stderr


def test_another_package_called_interpreter_is_named(tmp_path: Path) -> None:
    (tmp_path / "interpreter").mkdir()
    (tmp_path / "interpreter" / "__init__.py").write_text("raise SystemExit('the wrong one was run')")
    done = program("list", env={**ENVIRONMENT, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}, cwd=tmp_path)
    assert done.returncode == 2
    assert "open-interpreter" in done.stderr
    assert str(tmp_path) in done.stderr


def test_a_reader_who_has_seen_enough_is_no_error() -> None:
    command = f"{sys.executable} -m rulesdsl rule tutorial/hex 2 | head -n 1"
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, text=True, env=ENVIRONMENT
    )
    assert done.stderr == ""


# ---- reading -----------------------------------------------------------------------------------------------
def test_list() -> None:
    result = run("list", "--json")
    assert [entry["name"] for entry in json.loads(result.stdout)["games"]] == shipped_games()
    for entry in json.loads(result.stdout)["games"]:
        assert list(entry["seats"]) == entry["scenarios"]
        game = open_game(entry["name"])
        for name, seats in entry["seats"].items():
            assert tuple(seats) == game.ruleset({}, game.source.scenarios[name]).seats.ids
    # what is remembered is what is found out
    unremembered = program("list", "--json", env={**ENVIRONMENT, "RULESDSL_NO_CACHE": "1"})
    assert program("list", "--json").stdout == unremembered.stdout == result.stdout
    text = run("list").stdout
    assert all(name in text for name in shipped_games())
    assert all(len(line) <= 80 for line in text.splitlines())


def test_rule() -> None:
    result = run("rule", "skirmish", "4.7")
    assert "4.7 The bridge" in result.stdout
    assert "despite 4.6" in result.stdout
    as_json = json.loads(run("rule", "skirmish", "4.7", "--json").stdout)
    assert as_json["rule"] == "4.7"
    assert "despite 4.6" in as_json["rules"][0]


@pytest.mark.parametrize("paragraph", ["4.6", "4.7"])
def test_exceptions_show_the_tree_from_both_ends(paragraph: str) -> None:
    text = run("exceptions", "skirmish", paragraph).stdout
    assert "4.6" in text
    assert "unless 4.7" in text
    (tree,) = json.loads(run("exceptions", "skirmish", paragraph, "--json").stdout)["clauses"]
    assert tree["rule"] == "4.6"
    assert [e["rule"] for e in tree["exceptions"]] == ["4.7"]
    assert tree["actions"] == ["march", "retreat"]


def test_exceptions_of_a_paragraph_without_any() -> None:
    assert "forbids, allows and stops nothing" in run("exceptions", "skirmish", "7.1").stdout


def test_odds_of_tables_say_what_changes_the_die() -> None:
    lines = run("odds", "race_for_berlin").output.splitlines()
    assert lines[:3] == [
        "American advance", "  1d6, nothing changes the die:", "       1-3  0: 1/2, 1: 1/3, 2: 1/6",
    ]  # fmt: skip
    assert "  1d6, changed by combat's die modifier, from -3 to +6; without it:" in lines
    assert lines[lines.index("Freedom of movement") + 1] == "  read without a die"
