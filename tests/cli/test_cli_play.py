"""`rulesdsl play` without a terminal: what is told, typed, kept and kept secret."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.command_line import program, run


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
    assert "reading replacement_side" in at_table
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
        "board", "log", "look a1", "look nothing", "map", "auto", "undo", "undo!", "undo",
        "99", "0", "zzz", "a",
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
    assert "Nought was asked since; undo! takes it back all the same" in out
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
    assert "undo! takes it back all the same" in result.output
    assert "taken back, although" in result.output


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
