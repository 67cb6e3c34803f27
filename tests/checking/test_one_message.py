"""One slip, one message: what speaks of the thing that was misspelt is not to blame, and says nothing.

Each case is a shipped game with one change: the text, what is written instead, and the only message, with
the line where the slip is as its place or its second place.
"""

from __future__ import annotations

import pytest

from rulesdsl.base.diagnostics import Diagnostic, errors
from rulesdsl.base.resources import data_dir
from rulesdsl.base.source import SourceFile
from rulesdsl.book.loader import GameSource, assemble_game, load_game
from rulesdsl.checking.checker import check

CONNECT, BREAK, SKIRMISH = "tutorial/connect_four", "tutorial/breakthrough", "tutorial/skirmish"
EAST = "east_front"
CASES = [
    # statements that cannot be read are taken as they were meant
    (BREAK, "phase game", "phase phase game", '"phase" stands here twice', ""),
    (BREAK, "space cell", "spcae cell", 'no statement starts with "spcae"', 'did you mean "space"?'),
    (BREAK, "procedure set_up", "procedure", "a name is missing at the end of this line", ""),
    (CONNECT, "define rising(cell, player)", "define risingcell, player)", 'this ")" closes nothing', ""),
    (CONNECT, "define upright(cell, player)", "define upright(cell player)", "is missing", ""),
    (SKIRMISH, "forbid march, retreat across", "forbid march, retreat acorss", "cannot stand", "across"),
    (SKIRMISH, "must before", "must bfore", '"bfore" cannot stand here', 'did you mean "before"?'),
    (SKIRMISH, 'or "end of movement" "who marches?":', 'or "end of movement" "who marches?"', '":" is', ""),
    (SKIRMISH, "space zone", "zone", 'no statement starts with "zone"', ""),
    # declarations that nobody finds are shown to those who look for them
    (BREAK, "phase game", "phase gmae", 'no phase is called "game"', 'call "gmae" so'),
    (BREAK, "space cell", "space celll", 'no space "cell"', 'did you mean "celll"?'),
    (BREAK, "space cell", "space", 'no space "cell"', "write `space cell`"),
    (CONNECT, "let mover = red", "let mvoer = red", 'nothing is called "mover"', 'did you mean "mvoer"?'),
    (SKIRMISH, "plain or rough or town", "plain or rough or towwn", '"town" is no terrain', "towwn"),
    (SKIRMISH, "printed owner: player", "printed owenr: player", 'no rule declares "owner"', "owenr"),
    (SKIRMISH, "attackers: set of units", "atackers: set of units", "attackers", "atackers"),
    (SKIRMISH, "quantity combat.die", "quantity cmbat.die", 'no record "cmbat"', 'did you mean "combat"?'),
    (SKIRMISH, "quantity combat.die", "quantity combatdie", '"combat.die"', 'did you mean "combatdie"?'),
    # whoever uses the right word has made no second mistake
    (CONNECT, "an open cell for", "an open cel for", 'no kind of thing is called "cel"', "cell"),
    (SKIRMISH, "after unit enters", "after uint enters", 'no piece is called "uint"', "unit"),
    (CONNECT, "_a_row(cell, mover)", "_a_row(cell mover)", '"mover" is no kind', '"," is missing'),
    # of several things that are chosen together, too, whose phrase is looked at twice
    ("race_for_berlin", "number of on_map units of", "number of on_mapp units of", "on_mapp", "on_map"),
    # what is not known is not nought, either
    ("race_for_berlin", "1 - 1 / ratio", "1 - 1 / raito", 'nothing is called "raito"', "ratio"),
    # the base of a quantity, whose type is asked for before it is looked at
    (EAST, "= losses(opponent(player)) - losses", "= loses(opponent(player)) - losses", "loses", "losses"),
    (EAST, "= losses(opponent(player))\n", "= losses(oponent(player))\n", '"oponent"', "opponent"),
    # words of the language that were taken for names
    (SKIRMISH, "= some zone among", "= soome zone among", '"soome"', 'did you mean "some"?'),
    (SKIRMISH, "over zones where it", "over zones wher it", 'nothing is called "wher"', '"when" or "where"'),
    (BREAK, "set pawn.owner to none", "set pawn.owner to nnoe", '"nnoe"', 'did you mean "none"?'),
]


@pytest.mark.parametrize(("game", "written", "slip", "message", "help_"), CASES, ids=[c[2] for c in CASES])
def test_one_slip_is_one_message(game: str, written: str, slip: str, message: str, help_: str) -> None:
    source, problems = load_game(data_dir("games") / game)
    assert source is not None
    assert not errors(problems)
    file, line = place(source, written)
    found = problems_with(source, file, file.text.replace(written, slip, 1))
    assert len(found) == 1, [f"{p.span.line}: {p.message}" for p in found]
    assert message in found[0].message
    assert help_ in found[0].help
    spans = [found[0].span, *(span for _, span in found[0].also)]
    assert (file.shown, line) in {(span.file.shown, span.line) for span in spans}


def place(source: GameSource, written: str) -> tuple[SourceFile, int]:
    file = next(f for f in source.files if f.path.suffix == ".md" and written in f.text)
    return file, file.text[: file.text.index(written)].count("\n") + 1


def problems_with(source: GameSource, file: SourceFile, text: str) -> list[Diagnostic]:
    changed = SourceFile(file.path, text, file.shown)
    game, problems = assemble_game(source.directory, [changed if f is file else f for f in source.files])
    assert game is not None
    program, found = check(game)
    assert program is None
    return errors([*problems, *found])


def test_a_second_slip_is_told_as_well() -> None:
    """What is taken as it was meant hides no other mistake."""
    source, _ = load_game(data_dir("games") / BREAK)
    assert source is not None
    file, line = place(source, "phase game")
    text = file.text.replace("phase game", "phase phase game")
    text = text.replace("procedure set_up", "procedure set_up\n    do nothing_known")
    found = problems_with(source, file, text)
    assert {p.message for p in found} >= {
        '"phase" stands here twice',
        'no procedure or phase is called "nothing_known"',
    }
    assert all(p.span.line != line + 1 or p.code == "syntax" for p in found)
