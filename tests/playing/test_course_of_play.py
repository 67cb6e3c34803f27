"""Several players in one procedure: alternation, interrupts inside interrupts, duties, ties, dice."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulesdsl import Session

GAME = """# Course of play

## 1 All

```rules
space cell
    heat: number

piece pawn
    printed owner: player
    shown: flag
    plan: 0 to 9 = 3 visible to seers(it)

track luck: number = 0

define seers(pawn) = players where it is pawn.owner or pawn is shown

phase game
    do bids
    do duty(red)
    do fall
    do hits
    do show
    end game: drawn "enough"

procedure bids
    repeat at most 2 times:
        for each player:
            player chooses one of:
                "bid": add 1 to luck
                "stay": add 0 to luck

action rest(player) "rest"
must before rest when some pawn in a1 where it.owner is player "leave a1"
    either no pawn in a1 where it.owner is player possible when some cell where no pawn in it "all gone"

procedure duty(player)
    repeat at most 5 times:
        player chooses a pawn in a1 where it.owner is player for go(pawn) or "rest" for rest(player):
            move pawn to b1
        otherwise:
            leave

action go(pawn) "go"

procedure fall
    roll 1d6 as first
    add first to a1.heat

after pawn enters cell when cell is c1:
    add 10 to c1.heat
    open alarm
after pawn enters cell when cell is c1 and c1.heat >= 10:
    add 100 to c1.heat

window alarm asking blue, red
window answer asking red, blue

token bell "Bell"
    play in alarm
    do:
        discard bell
        open answer
        if cancelled: note "nothing rings"
        otherwise: add 1000 to c1.heat

token hush "Hush"
    play in answer
    do:
        discard hush
        cancel

procedure hits
    draw a token for blue
    draw a token for red
    move r1 to c1
    for each pawn where it.owner is red in the order blue chooses:
        flip pawn
    blue chooses a pawn among reds with least it.face:
        remove pawn

define reds = pawns where it.owner is red

procedure show
    red chooses one of:
        "show": mark b as shown
        "hide": unmark b as shown
```
"""

PIECES = """pieces:
  pawn:
    - {id: r1, name: R1, start: a1, owner: red}
    - {id: r2, name: R2, start: a1, owner: red}
    - {id: b, name: B, start: b2, owner: blue}
"""


def game(home: Path, rules: str = GAME, seed: int = 0) -> Session:
    (home / "rules").mkdir(parents=True)
    (home / "rules" / "1.md").write_text(rules)
    (home / "game.yaml").write_text(
        f"game: {home.name}\ntitle: T\nplayers:\n  - {{id: red, name: Red}}\n  - {{id: blue, name: Blue}}\n"
    )
    (home / "map.yaml").write_text(
        'kind: squares\nclass: cell\ncolumns: 3\nrows: 2\nadjacency: all\nnumbering: "{letter}{row}"\n'
    )
    (home / "pieces.yaml").write_text(PIECES)
    return Session.start(home, seed=seed)


def heat(session: Session, cell: str) -> int:
    return int(session.view(None)["things"].get(f"space:{cell}", {}).get("heat", 0))


def play(session: Session, *keys: str) -> list[str]:
    asked: list[str] = []
    for key in keys:
        asked.append(str(session.player))
        session.choose(key)
    return asked


def test_players_alternate_within_one_procedure(tmp_path: Path) -> None:
    session = game(tmp_path / "course")
    assert play(session, "bid", "stay", "bid", "bid") == ["red", "blue", "red", "blue"]
    assert session.view(None)["tracks"]["luck"] == 3


def test_a_duty_withholds_the_way_out_while_it_can_be_met(tmp_path: Path) -> None:
    session = game(tmp_path / "course")
    play(session, "bid", "bid", "bid", "bid")
    assert [option.key for option in session.options] == ["go:r1", "go:r2"]
    assert [refusal.clause for refusal in session.why_not("rest")] == ["first: all gone"]
    play(session, "go:r1")
    assert [option.key for option in session.options] == ["go:r2"]
    play(session, "go:r2")
    assert str(session.player) == "blue"  # nothing is left in a1: the next question is the alarm


def to_the_alarm(session: Session) -> Session:
    play(session, "bid", "bid", "bid", "bid", "go:r1", "go:r2")
    return session


@pytest.mark.parametrize("seed", range(6))
def test_interrupts_inside_interrupts(tmp_path: Path, seed: int) -> None:
    """A token opens a window in which the other owner cancels it; triggers run in the order of the book."""
    session = to_the_alarm(game(tmp_path / "course", seed=seed))
    hands = {seat: session.view(seat)["tokens"]["mine"] for seat in ("red", "blue")}
    assert sorted(hands["red"] + hands["blue"]) == ["bell", "hush"]
    ringing = "blue" if hands["blue"] == ["bell"] else "red"
    assert session.player == ringing
    play(session, "bell")
    assert session.player != ringing  # the answer, asked inside the alarm
    session.choose("hush")
    assert heat(session, "c1") == 110
    assert any("nothing rings" in entry.text for entry in session.log)


def test_without_an_answer_the_bell_rings(tmp_path: Path) -> None:
    session = to_the_alarm(game(tmp_path / "course"))
    play(session, "bell", "pass")
    assert heat(session, "c1") == 1110


def test_order_and_ties_belong_to_the_player_who_is_named(tmp_path: Path) -> None:
    session = to_the_alarm(game(tmp_path / "course"))
    play(session, "bell", "pass")
    assert (session.player, [o.key for o in session.options]) == ("blue", ["r1", "r2"])  # the order
    play(session, "r2")
    assert (session.player, [o.key for o in session.options]) == ("blue", ["r1", "r2"])  # the tie
    play(session, "r2")
    assert session.player == "red"


def test_reveals_are_barriers(tmp_path: Path) -> None:
    session = to_the_alarm(game(tmp_path / "course"))
    play(session, "bell", "pass")
    assert session.barriers[-2] == "reveal"  # the bell lies open now
    play(session, "r2", "r2")
    shown, hidden = session.copy(), session.copy()
    shown.choose("show")
    hidden.choose("hide")
    assert (shown.barriers[-1], hidden.barriers[-1]) == ("reveal", "player")
    assert "plan" in str(shown.view("red")["things"]) or shown.over


def test_another_roll_does_not_change_the_named_ones(tmp_path: Path) -> None:
    extra = GAME.replace(
        "    roll 1d6 as first\n", "    roll 1d6 as other\n    roll 1d6 as first\n    add 0 * other to luck\n"
    )
    for seed in range(8):
        heats = [
            heat(to_the_alarm(game(tmp_path / f"{name}{seed}", rules, seed)), "a1")
            for name, rules in (("one", GAME), ("two", extra))
        ]
        assert heats[0] == heats[1]


def test_a_notebook_gets_a_picture(tmp_path: Path) -> None:
    picture = game(tmp_path / "course")._repr_svg_()
    assert picture is not None
    assert picture.lstrip().startswith("<svg")
