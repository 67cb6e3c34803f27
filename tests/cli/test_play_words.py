"""What a person reads at the table: the board, the log, and things by the names people give them."""

from __future__ import annotations

from functools import lru_cache
from io import StringIO

import pytest
from rich.console import Console, RenderableType
from rich.text import Text

from interpreter.keeping.replay import Replay
from interpreter.playing.log_lines import note_text
from interpreter.playing.moments import LogEntry
from rulesdsl import Session
from rulesdsl import program as pg
from rulesdsl.base.diagnostics import UsageError
from rulesdsl.cli.output import waiting
from rulesdsl.cli.play import answers, screen
from rulesdsl.cli.play.board import mixed_number
from rulesdsl.cli.play.telling import hanging, log_lines
from rulesdsl.cli.play.things import look, options_meant
from rulesdsl.program.types import Type
from rulesdsl.speaking.clauses.words import told
from rulesdsl.speaking.say.happenings import under

PROMPT = "activate a unit"


@lru_cache
def berlin() -> Session:
    """The first impulse of Race for Berlin."""
    session = Session.start("race_for_berlin", seed=5)
    while session.prompt is None or session.prompt.text != PROMPT:
        session.choose(session.options[-1])
    return session


@lru_cache
def germany() -> Session:
    return Session.start("battle_for_germany", seed=4)


def printed(thing: RenderableType, width: int = 80) -> list[str]:
    console = Console(width=width, markup=False, color_system=None)
    with console.capture() as captured:
        console.print(thing)
    return captured.get().splitlines()


# ---- the board
def test_fronts_have_the_names_of_their_players() -> None:
    lines = [line.strip("│ ") for line in printed(screen.board_panel(berlin(), None, 80))]
    assert "front Zhukov" in lines
    assert "front Konev" in lines


def test_a_label_is_never_broken() -> None:
    """At every width at which labels fit, each is found whole."""
    labels = [entry.label for entry in berlin().game.source.pieces.values()]
    for width in (60, 70, 80, 90, 100):
        lines = printed(screen.board_panel(berlin(), None, width), width)
        assert {len(line) for line in lines} == {width}
        assert [label for label in labels if f"{label}(" not in "\n".join(lines)] == []


def test_the_numbers_on_counters_are_shown_and_named() -> None:
    board = "\n".join(printed(screen.board_panel(germany(), None, 80)))
    assert "I SS(6-5-6)" in board
    assert "in brackets: attack-defence-movement" in board
    assert "in brackets: strength;" in "\n".join(printed(screen.board_panel(berlin(), None, 80)))


def test_empty_spaces_share_a_line() -> None:
    lines = printed(screen.board_panel(germany(), None, 100), 100)
    (first, *_) = [line for line in lines if "Munich" in line]
    assert "Salzburg," in first
    assert "exiled_polish" not in "\n".join(lines), "words, not ids"


def test_the_header_tells_whose_impulse_it_is() -> None:
    header = screen.header(berlin(), "zhukov")
    assert header is not None
    assert "› Impulse: Zhukov, Soviet" in "\n".join(printed(header))


# ---- the log
def test_what_changes_alike_is_told_once() -> None:
    said = [
        ("4.1", under("A", "mode none"), "set mode"), ("4.1", under("B", "mode none"), "set mode"),
        ("4.1", under("C", "mode moving"), "set mode"), ("4.2", under("D", "mode moving"), "set mode"),
        ("4.1", under("arrival roll", "A"), "note"), ("4.1", under("arrival roll", "A"), "note"),
    ]  # fmt: skip
    entries = [LogEntry(paragraph, told(clause), kind, 1, clause=clause) for paragraph, clause, kind in said]
    lines = [line.plain.strip() for line in log_lines(entries)]
    assert lines == [
        "A, B: mode none  (4.1)", "C: mode moving  (4.1)", "D: mode moving  (4.2)",
        "arrival roll: A  (4.1)", "arrival roll: A  (4.1)",
    ]  # fmt: skip


def test_what_happens_to_a_thing_is_told_without_a_verb() -> None:
    """`Guards is flipped`, `losses here is 1`: a name may be one or many, whatever it looks like."""
    program = berlin().ruleset.program
    zone = pg.Const(0, type=Type("thing", "space"))
    units = pg.Const(3, type=Type("set", "piece"))
    (one, other), where = (
        program.world.universes["piece"].names[:2],
        program.world.universes["space"].names[0],
    )
    told = [
        note_text(program, kind, (units, zone), "", (3, 0)) for kind in ("flip", "remove", "move", "place")
    ]
    ends = ["turned over", "removed", f"to {where}", f"placed in {where}"]
    assert told == [f"{one}, {other}: {end}" for end in ends]


def test_so_is_what_is_set() -> None:
    program = berlin().ruleset.program
    unit, number = pg.Const(0, type=Type("thing", "piece")), pg.Const(2, type=Type("number"))
    name = program.world.universes["piece"].names[0]
    assert (
        note_text(program, "set losses_here", (unit, number), "", (0, 2))
        == f"{name}: losses in this combat 2"
    )
    flag = pg.Const(0, type=Type("flag"))
    assert note_text(program, "set on_fire", (flag,), "", (1,)) == "on fire"
    assert note_text(program, "set on_fire", (flag,), "", (0,)) == "no longer on fire"


# ---- things by their names
def test_look_finds_what_is_printed_on_the_counter() -> None:
    heads = [line for line in look(berlin(), "8ga") if not line.startswith(" ")]
    assert heads == ["8th Guards Army A (unit s8gaa)", "8th Guards Army B (unit s8gab)"]
    assert look(berlin(), "army a guards 8th")[0] == heads[0]


def test_look_tells_what_lies_around_a_space() -> None:
    lines = look(berlin(), "lebus")
    around = lines[lines.index("  next to") + 1 :]
    assert "    Seelow" in around
    assert any(line.startswith("    Göritz (river, ") for line in around)


def test_look_at_a_token_tells_what_it_does() -> None:
    lines = look(berlin(), "speer")
    assert lines[0].endswith("(token speer)")
    assert lines[-1] == '  "rule event 5" tells all about it'
    assert len(lines) == 3


def test_many_things_are_listed_by_name() -> None:
    (line,) = look(berlin(), "guards tank")
    assert line.startswith("8 things are called like that: 2nd Guards Tank Army A, ")


def test_why_not_takes_labels_and_asks_when_there_are_two() -> None:
    told = answers.why_not(berlin(), "303")
    assert told == [
        "303rd Division’s camp is Konev, not Zhukov (4.1.3 Modes)",
        "303rd Division is German, not Soviet (4.1.3 Modes)",
    ]
    camp, _ = answers.why_not(berlin(), "303 --rule")
    assert camp == "4.1.3 Modes: only of player (of player: Konev)"
    with pytest.raises(UsageError, match='"8ga" may mean 8th Guards Army A, 8th Guards Army B: say which'):
        answers.why_not(berlin(), "8GA")


def test_a_place_narrows_the_list_and_decides_nothing() -> None:
    found, sure = options_meant(berlin(), "göritz")
    assert [option.text for option in found] == [
        "activate 1st Guards Tank Army A",
        "activate 1st Guards Tank Army B",
    ]
    assert not sure
    found, sure = options_meant(germany(), "3126")
    assert (len(found), sure) == (1, False), "what stands there was not named"
    found, sure = options_meant(germany(), "5GT")
    assert [option.key for option in found] == ["move_unit:su_5gta"]
    assert sure


def test_nonsense_is_not_repeated_at_length() -> None:
    with pytest.raises(UsageError) as refused:
        options_meant(berlin(), "x" * 500)
    assert len(str(refused.value)) < 120
    assert "why not" not in str(refused.value), "nothing is called so: nothing stands against it"


def test_a_paragraph_by_words_of_its_title() -> None:
    assert answers.rule(berlin(), "spare berlin", 80)[0].startswith("event 5 Speer")
    with pytest.raises(
        UsageError, match=r"there is no paragraph retreat; there are .*8\.3\.1 Retreat result"
    ):
        answers.rule(berlin(), "retreat", 80)


def test_replay_follows_what_is_printed_on_the_counter() -> None:
    replay = Replay(berlin())
    assert replay.find_thing("712") == "g712"
    with pytest.raises(UsageError, match='"8GA" may mean 8th Guards Army A, 8th Guards Army B: say which'):
        replay.find_thing("8GA")


def test_what_is_waited_for_is_said_and_taken_away_again() -> None:
    for shown in (True, False):
        out = StringIO()
        with waiting(Console(file=out, force_terminal=True, width=80), "Konev: thinking …", shown):
            pass
        assert ("Konev: thinking …" in out.getvalue()) is shown
        assert not shown or "\x1b[2K" in out.getvalue(), "the line is wiped"


def test_a_long_line_goes_on_further_in_than_it_began() -> None:
    lines = [Text("    " + "word " * 20), Text("  " + "word " * 20), Text("short")]
    rows = [row.plain for row in hanging(lines, Console(width=40), 40)]
    assert all(len(row) <= 40 for row in rows)
    indents = [len(row) - len(row.lstrip()) for row in rows]
    assert indents == [4, 6, 6, 2, 4, 4, 0]


@pytest.mark.parametrize(
    ("number", "read"),
    [("8", "8"), ("1/2", "1/2"), ("519/2", "259 1/2"), ("-7/3", "-2 1/3"), ("-1/2", "-1/2")],
)
def test_fractions_are_written_as_people_write_them(number: str, read: str) -> None:
    assert mixed_number(number) == read
