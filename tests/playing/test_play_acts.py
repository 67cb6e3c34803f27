"""The terminal: several answers on a line, numbers that stay, one key for done, names, pages, kept games."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from rich.text import Text

from interpreter.acts.performing import perform
from interpreter.playing.session import Session
from rulesdsl.base.diagnostics import UsageError
from rulesdsl.cli.play import kept
from rulesdsl.cli.play.commands import named_by_number
from rulesdsl.cli.play.completing import completions
from rulesdsl.cli.play.numbers import Numbers, way_out
from rulesdsl.cli.play.paging import in_pages
from rulesdsl.cli.play.spoken import act_meant, answers_in
from tests.kit.command_line import run


@pytest.mark.parametrize(
    ("line", "answers"),
    [
        ("1 2 3 4", ["1", "2", "3", "4"]),
        ("1, 2,3.", ["1", "2", "3", "."]),
        ("1 2 0", ["1", "2", "0"]),
        ("13; 2", ["13", "2"]),
        ("guards to hill; .", ["guards to hill", "."]),
        ("309 to lebus", ["309 to lebus"]),
    ],
)
def test_several_answers_on_a_line(line: str, answers: list[str]) -> None:
    assert list(answers_in(line)) == answers


def gathering() -> Session:
    session = Session.start("race_for_berlin", seed=3)
    for key in ("enter:riesa", "let-it-go"):
        session.choose(key)
    return session


def test_numbers_stay_while_members_are_chosen_and_0_is_done() -> None:
    session, numbers = gathering(), Numbers()
    before = dict(numbers.of(session))
    out = way_out(session)
    assert out is not None
    assert before[out.key] == 0
    third, second = numbers.option(session, "3"), numbers.option(session, "2")
    assert third is not None
    assert second is not None
    session.choose(second)
    assert numbers.option(session, "3") is not None
    assert numbers.option(session, "3").key == third.key  # type: ignore[union-attr]
    assert numbers.option(session, "2") is None


def test_numbers_stay_past_the_mode_of_a_unit() -> None:
    session, numbers = gathering(), Numbers()
    for key in ("enough", "let-it-go", "enough"):
        session.choose(key)
    before = dict(numbers.of(session))
    perform(session, "zhukov", ("activate:s61a", "combat"))
    assert {key: number for key, number in before.items() if key != "activate:s61a"} == {
        option.key: numbers.of(session)[option.key] for option in session.options
    }


def test_a_whole_act_is_typed_by_names() -> None:
    session = gathering()
    for key in ("enough", "let-it-go", "enough"):
        session.choose(key)
    mode = act_meant(session, "8ga a combat")
    assert mode is not None
    assert mode.keys == ("activate:s8gaa", "combat")
    perform(session, "zhukov", ("activate:s8gaa", "combat", "activate:s8gab", "combat", "activate:s2gtaa",
                                "movement", "no-more-units"))  # fmt: skip
    march = act_meant(session, "to ziebingen")
    assert march is not None
    assert march.kind == "move"
    perform(session, "zhukov", march.keys)
    attack = act_meant(session, "attack seelow all")
    assert attack is not None
    assert set(attack.keys) >= {"attack:seelow", "s8gaa", "s8gab"}
    assert act_meant(session, "attack the moon") is None


def test_a_number_that_is_a_name_means_the_name() -> None:
    session = Session.start("battle_for_germany", seed=3)
    session.choose("move_unit:su_7ga")
    hexes = [option for option in session.options if option.key.isdecimal()]
    assert hexes
    assert [named_by_number(session, option.key) for option in hexes] == hexes
    assert named_by_number(session, "1") is None


def test_tab_completes_names_and_commands() -> None:
    names = ["attack Hill", "attack Village", "end of combat"]
    assert completions("att", names) == ["attack Hill", "attack Village"]
    assert completions("why att", names)[0] == "why attack Hill"
    assert "undo" in completions("un", names)
    assert completions("vill", names) == ["attack Village"]


def test_long_news_come_in_pages() -> None:
    lines, shown, asked = [Text(str(number)) for number in range(50)], list[str](), list[str]()

    def ask(text: str) -> str:
        asked.append(text)
        return "" if len(asked) == 1 else "s"

    in_pages(lines, 24, lambda line: shown.append(line.plain), ask)
    assert shown[:20] == [str(n) for n in range(20)]
    assert shown[-1] == "49"
    assert len(asked) == 2
    assert "30 more lines" in asked[0]


def test_kept_games_are_found_by_a_part_of_their_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "games_directory", lambda: tmp_path)
    with pytest.raises(UsageError, match="no game is kept"):
        kept.find_kept("last")
    for number, name in enumerate(("hex-2026-01-01-1000", "hex-2026-01-02-1000", "skirmish-2026-01-03-0900")):
        (tmp_path / f"{name}.save").write_text("x", encoding="utf-8")
        os.utime(tmp_path / f"{name}.save", (number, number))
    assert kept.find_kept("last").stem == "skirmish-2026-01-03-0900"
    assert kept.find_kept("hex 01-02").stem == "hex-2026-01-02-1000"
    with pytest.raises(UsageError, match="one of several"):
        kept.find_kept("hex")
    with pytest.raises(UsageError, match='no kept game is called "go"'):
        kept.find_kept("go")


def test_an_evening_of_whole_acts() -> None:
    lines = "1\n.\nodds 1\nrest\nundo\nlog 3\nbanana to nowhere\n99 98\nquit\n"
    result = run("play", "skirmish", "--seed", "1", "--seat", "red=greedy", lines=lines)
    assert "You are Blue. Cross the river" in result.output
    assert "points: Blue" in result.output
    assert "value:" not in result.output, "what the computer reckons is nobody's score"
    assert "Traceback" not in result.output
    assert 'no option is called "banana to nowhere"' in result.output
