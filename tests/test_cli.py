"""The command line: what is printed where, exit codes, and no traceback whatever is typed."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner, Result

from interpreter.game import open_game
from rulesdsl.cli import COMMANDS, failures, group
from rulesdsl.cli.failures import Failure
from rulesdsl.diagnostics import UsageError
from rulesdsl.resources import shipped_games

ROOT = Path(__file__).parent.parent
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1", "COLUMNS": "80"}


def run(*arguments: str, lines: str = "") -> Result:
    return CliRunner(env={"NO_COLOR": "1", "COLUMNS": "80"}).invoke(group.commands, arguments, input=lines)


def program(*arguments: str, **extra: Any) -> subprocess.CompletedProcess[str]:
    """The real program, in a process of its own."""
    command = [sys.executable, "-m", "rulesdsl", *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=120, env=extra.pop("env", ENVIRONMENT),
        stdin=subprocess.DEVNULL, **extra,
    )  # fmt: skip


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A game of one's own, fresh from `rulesdsl new`."""
    directory = tmp_path / "raid"
    assert run("new", str(directory)).exit_code == 0
    return directory


def spoil(game: Path, old: str, new: str) -> Path:
    chapter = game / "rules" / "01_rules.md"
    text = chapter.read_text(encoding="utf-8")
    assert old in text
    chapter.write_text(text.replace(old, new), encoding="utf-8")
    return chapter


# ---- help ------------------------------------------------------------------------------------------------
def test_help_names_every_command_and_the_exit_codes() -> None:
    result = run("--help")
    assert result.exit_code == 0
    for section, entries in COMMANDS.items():
        assert section in result.output
        assert all(name in result.output for name in entries)
    assert "Exit codes" in result.output
    assert "NO_COLOR" in result.output


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
    ["rule", "tutorial/hex"],
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


# ---- check, fmt, new ---------------------------------------------------------------------------------------
def test_check_json_has_the_promised_form(game: Path) -> None:
    chapter = spoil(game, "forbid march when band is tired", "forbid march when band is tird")
    result = run("check", str(game), "--json")
    assert result.exit_code == 1
    report = json.loads(result.stdout)
    assert set(report) == {"schema_version", "errors", "warnings"}
    assert report["schema_version"] == 1
    assert report["warnings"] == []
    (error,) = report["errors"]
    assert set(error) == {"code", "message", "file", "line", "column", "rule", "help"}
    assert error["file"] == str(chapter)
    assert "tird" in chapter.read_text(encoding="utf-8").splitlines()[error["line"] - 1]


def test_check_text_shows_the_line_and_counts(game: Path) -> None:
    assert run("check", str(game)).exit_code == 0
    spoil(game, "forbid march when band is tired", "forbid march when band is tird")
    result = run("check", str(game))
    assert result.exit_code == 1
    assert "error[" in result.stdout
    assert "^" in result.stdout
    assert "1 error" in result.stderr


def test_paths_in_messages_are_short(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spoil(game, "forbid march when band is tired", "forbid march when band is tird")
    monkeypatch.chdir(game.parent)
    assert run("check", "raid").stdout.startswith("raid/rules/01_rules.md:")


def test_a_game_is_the_same_for_somebody_inside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its paragraphs name data files, which from there have no directory before them."""
    monkeypatch.chdir(ROOT / "games" / "race_for_berlin")
    for name in (".", "race_for_berlin"):
        result = run("check", name)
        assert (result.exit_code, result.output) == (0, f"{name}: no problems\n")


@pytest.mark.parametrize("command", ["play", "simulate", "test", "ledger"])
def test_a_broken_rulebook_is_reported_wherever_it_is_used(game: Path, command: str) -> None:
    spoil(game, "forbid march when band is tired", "forbid march when band is tird")
    result = run(command, str(game))
    assert result.exit_code == 1
    assert "error[" in result.stderr
    assert "Traceback" not in result.stderr


def test_fmt_check_and_fmt(game: Path) -> None:
    assert run("fmt", "--check", str(game)).exit_code == 0
    chapter = spoil(game, "parameter last_turn = 6 ", "parameter   last_turn=6   ")
    result = run("fmt", "--check", str(game))
    assert result.exit_code == 1
    assert str(chapter) in result.stdout
    assert run("fmt", str(game)).exit_code == 0
    assert "parameter last_turn = 6 " in chapter.read_text(encoding="utf-8")
    assert run("fmt", "--check", str(chapter)).exit_code == 0


def test_a_new_game_checks_tests_and_plays(game: Path) -> None:
    checked = run("check", "--strict", str(game), "--json")
    assert json.loads(checked.stdout) == {"schema_version": 1, "errors": [], "warnings": []}
    tested = run("test", str(game), "--json")
    assert tested.exit_code == 0
    assert json.loads(tested.stdout)["examples"] >= 3
    assert run("play", str(game), "--seed", "1").exit_code == 0
    played = run("simulate", str(game), "--games", "20", "--seed", "1", "--json")
    assert json.loads(played.stdout)["finished"] == 20


def test_new_overwrites_nothing(game: Path) -> None:
    before = {path: path.read_bytes() for path in game.rglob("*") if path.is_file()}
    assert run("new", str(game)).exit_code == 2
    assert before == {path: path.read_bytes() for path in game.rglob("*") if path.is_file()}


def test_test_tells_which_example_fails(game: Path) -> None:
    spoil(game, "bonus(riders, ford) = 1", "bonus(riders, ford) = 2")
    result = run("test", str(game))
    assert result.exit_code == 1
    assert re.search(r"\w+\.md:\d+: 3\.2, example 1: .* = 2, but it is 1$", result.stdout, re.MULTILINE)
    failed = json.loads(run("test", str(game), "--json").stdout)["failed"][0]
    place = Path(failed["file"]).read_text(encoding="utf-8").split("\n")[failed["lines"][0] - 1]
    assert "bonus(riders, ford) = 2" in place


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


# ---- play --------------------------------------------------------------------------------------------------
def test_without_a_terminal_a_game_plays_itself() -> None:
    for name in ("tutorial/tic_tac_toe", "tutorial/skirmish"):
        done = program("play", name, "--seed", "3")
        assert done.returncode == 0, done.stderr
        assert "the end" in done.stdout
        assert "seed 3" in done.stdout
        assert "human" not in done.stdout, "who is not there does not sit at the table"
        assert "the game plays itself" in done.stdout
        assert max(map(len, done.stdout.splitlines())) <= 80
        assert "\x1b[" not in done.stdout
    again = program("play", "tutorial/skirmish", "--seed", "3")
    assert again.stdout == done.stdout


def test_only_agents_play_to_the_end() -> None:
    result = run("play", "tic_tac_toe", "--seat", "all=mcts:20", "--seed", "1", lines="quit\n")
    assert result.exit_code == 0
    assert "the end" in result.output


def test_what_an_agent_was_asked_is_told_once_with_its_paragraph() -> None:
    told = run("play", "tutorial/skirmish", "--seed", "3", "--seat", "all=random").output.splitlines()
    assert "Blue: march with First Foot  (who marches?, 4)" in told
    assert "Blue: Second Foot  (who loses a step?, 5.6)" in told
    assert "Blue: Second Foot  (5.6)" in told, "the same question again"


def test_the_second_of_two_people_opens_a_save_behind_the_curtain(tmp_path: Path) -> None:
    save = str(tmp_path / "two.save")
    people = ("--seat", "all=human", "--save", save)
    begun = run(
        "play", "tutorial/skirmish", "--seed", "1", *people, lines="end of movement\nend of combat\nquit\n"
    )
    assert begun.output.count("--- Red ---") == 1
    assert "--- Red ---" in run("play", *people, lines="quit\n").output


def test_a_paragraph_read_at_the_table_leaves_out_what_leads_to_its_examples() -> None:
    whole = run("rule", "race_for_berlin", "8.3.2").output
    assert "The Soviets go the other way." in whole
    at_table = run("play", "race_for_berlin", "--seed", "7", lines="rule 8.3.2\nrule 3.2.1\nquit\n").output
    assert "8.3.2 Order of preference" in at_table
    assert "4. Any index, units of the other camp present." in at_table
    assert "The Soviets go the other way." not in at_table
    assert "*Reading replacement_side" in at_table
    assert '5 running examples: "rulesdsl rule race_for_berlin 8.3.2"' in at_table


def test_piped_choices_play_a_whole_game() -> None:
    lines = "a1\nb1\na2\n1\nmark a3\n"
    result = run("play", "tic_tac_toe", "--seat", "all=human", lines=lines)
    assert result.exit_code == 0
    assert "won by Cross: three in a row" in result.output
    assert "nobody answers" not in result.output


def test_the_seed_is_printed_and_makes_the_game_again() -> None:
    first = program("play", "tutorial/skirmish", "--seat", "all=random")
    seed = first.stdout.split("(seed ", 1)[1].split(")", 1)[0]
    again = program("play", "tutorial/skirmish", "--seat", "all=random", "--seed", seed)
    assert again.stdout == first.stdout


def test_commands_at_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    typed = [
        "help", "a1", "why 1", "why not a1", "why not a1 --rule", "why not nowhere",
        "why", "odds 1", "hint", "rule 2.1", "rule",
        "board", "log", "look a1", "look nothing", "map", "auto", "undo", "undo", "99", "0", "zzz", "a",
        "/save", "quit",
    ]  # fmt: skip
    result = run("play", "tic_tac_toe", "--seat", "all=human", lines="\n".join(typed))
    assert result.exit_code == 0, result.output
    out = result.output
    assert "take option 3" in out
    assert "taken (2.1 Marking a cell): a1’s owner is Cross" in out
    assert "2.1 Marking a cell: taken: cell.owner is not none (cell.owner: Cross)" in out
    assert "offered by 2" in out
    assert "nothing about it is left to chance" in out
    assert "hint:" in out
    assert "Only an empty cell can be marked" in out
    assert "taken back: 1 decision" in out
    assert "there is nothing to take back" in out
    assert "there are options 1 to 9" in out
    assert 'no option is called "zzz"' in out
    assert ".svg" in out


def test_a_part_of_a_name_narrows_the_list() -> None:
    result = run("play", "skirmish", "--seat", "all=human", "--seed", "1", lines="foot\nsecond\nquit\n")
    narrowed = result.output.split("> foot", 1)[1].split("> second", 1)[0]
    assert "First Foot" in narrowed
    assert "Second Foot" in narrowed
    assert "Guards" not in narrowed.split("who marches?")[1]
    assert "march of Second Foot" in result.output


def test_save_and_go_on(tmp_path: Path) -> None:
    file = tmp_path / "evening.save"
    begun = run("play", "tic_tac_toe", "--seat", "all=human", "--save", str(file), lines="a1\nb2\nquit\n")
    assert begun.exit_code == 0
    assert f"--save {file}" in begun.stderr
    gone_on = run("play", "--save", str(file), "--seat", "all=human", lines="a2\nc3\na3\n")
    assert "going on after 2 decisions" in gone_on.output
    assert "won by Cross" in gone_on.output
    lines = file.read_text().splitlines()
    lines[-2] = lines[-2].replace("state ", "state 0")
    file.write_text("\n".join(lines) + "\n")
    refused = run("play", "--save", str(file))
    assert refused.exit_code == 1
    assert "3 decisions before it are intact: --recover goes on from there" in refused.stderr
    recovered = run("play", "--save", str(file), "--recover", "--seat", "all=human", lines="quit\n")
    assert "going on after 3 decisions" in recovered.output
    assert "put aside in evening.save.cut1" in " ".join(recovered.output.split())
    copy = tmp_path / "copy.save"
    run("play", "tic_tac_toe", "--seat", "all=human", lines=f"a1\nsave {copy}\nquit\n")
    assert "going on after 1 decision)" in run("play", "--save", str(copy), lines="quit\n").output
    assert run("play", "connect_four", "--save", str(copy)).exit_code == 2
    assert run("play", "--save", str(copy), "--seed", "5").exit_code == 2
    damaged = bytearray(file.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    file.write_bytes(damaged)
    assert run("play", "--save", str(file)).exit_code in (1, 2)


def test_undo_stops_at_dice(tmp_path: Path) -> None:
    lines = "end\nvillage\nhussars\nundo\nundo!\nquit\n"
    result = run("play", "skirmish", "--seat", "all=human", "--seed", "1", "--ask-always", lines=lines)
    assert "taken back" in result.output


def test_secrets_stay_secret_at_one_screen() -> None:
    """Red is given a token at the start: Blue must not read its name."""
    result = run("play", "skirmish", "--seat", "all=human", "--seed", "1", lines="end\nquit\n")
    assert "Red holds 1" in result.output
    assert "mist" not in result.output.casefold()


def test_strange_lines_never_break_the_table() -> None:
    strange = [
        "\x00", "é" * 500, "9" * 400, "why " + "x" * 300, "rule ../../etc/passwd", "log -5", "log x",
        "odds 0", "look \x1b[31m", "save /no/such/place/x", "save \x00", "save ~nobody_at_all/x",
        "save /", "log 0", "/", "why not", "+", "why not +++", "[bold]",
    ]  # fmt: skip
    result = run("play", "skirmish", "--seed", "1", "--seat", "all=human", lines="\n".join(strange))
    assert result.exit_code == 0, result.output[-500:]
    assert "sorry" not in result.output
    assert "the end" in result.output


def test_odds_of_tables_say_what_changes_the_die() -> None:
    lines = run("odds", "race_for_berlin").output.splitlines()
    assert lines[:3] == [
        "American advance", "  1d6, nothing changes the die:", "       1-3  1: 1/3, 2: 1/6, 0: 1/2",
    ]  # fmt: skip
    assert "  1d6, changed by combat's die modifier, from -3 to +6; without it:" in lines
    assert lines[lines.index("Freedom of movement") + 1] == "  read without a die"
