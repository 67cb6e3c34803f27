"""Rules as sentences: how a condition with a name sounds, and paragraphs as a newcomer reads them."""

from __future__ import annotations

import re
import shutil
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

import rulesdsl
from interpreter.playing.game import open_game
from rulesdsl.base.resources import data_dir, shipped_games
from rulesdsl.base.source import SourceFile
from rulesdsl.cli.group import commands as cli
from rulesdsl.handbook import Book, Facts
from rulesdsl.language.parsing.parser import parse_rule
from rulesdsl.speaking.blocks import Item
from rulesdsl.speaking.clauses.from_names import Param, is_clear, wording_of
from rulesdsl.speaking.clauses.tree import ForEvery, Simple, Thing, Together, Whole, compare, simple, there_is
from rulesdsl.speaking.clauses.words import in_one_breath, relative, words
from rulesdsl.speaking.inline import code, link, plain
from rulesdsl.speaking.lexicon import Lexicon
from rulesdsl.speaking.say.rules import say_rule
from rulesdsl.speaking.wanted_wordings import wanted_wordings

UNIT, ZONE = (
    Thing("the unit", universe="piece", noun="unit"),
    Thing("the zone", universe="space", noun="zone"),
)
NEAR, PLAYER = Thing("the near zone", universe="space", noun="zone"), Thing("the player", universe="player")
UNITS = Thing("the units", many=True, universe="piece", noun="unit")
NOUNS = {"unit", "units", "zone", "zones", "player", "players"}


def no_noun(words: str) -> bool:
    return words == "target for"


def said(name: str, of: tuple[Thing, ...]) -> Simple:
    """A condition that the rulebook does not word, of some things."""
    params = [Param(f"p{number}", thing.universe, thing.noun) for number, thing in enumerate(of)]
    wording = wording_of(name, params, NOUNS, no_noun)
    return Simple(wording, {param.name: thing for param, thing in zip(params, of, strict=True)})


@pytest.mark.parametrize(
    ("name", "of", "sentence", "contrary"),
    [
        ("ready", (UNIT,), "the unit is ready", "the unit is not ready"),
        ("ready", (UNITS,), "the units are ready", "the units are not ready"),
        ("may_strike", (UNIT, ZONE), "the unit may strike the zone", "the unit may not strike the zone"),
        ("may_enter", (ZONE, UNIT), "the unit may enter the zone", "the unit may not enter the zone"),
        ("may_not_stay", (UNIT,), "the unit may not stay", "the unit may stay"),
        ("supplies", (ZONE, UNIT), "the zone supplies the unit", "the zone does not supply the unit"),
        ("supplies", (UNITS, UNIT), "the units supply the unit", "the units do not supply the unit"),
        ("crosses_river", (UNIT,), "the unit crosses river", "the unit does not cross river"),
        ("holds_part_of", (ZONE, PLAYER), "the player holds part of the zone",
         "the player does not hold part of the zone"),
        ("threatens", (NEAR, ZONE, UNIT), "the near zone threatens the zone for the unit",
         "the near zone does not threaten the zone for the unit"),
        ("never_returns", (UNIT,), "the unit never returns", "the unit returns"),
        ("open_to_supply", (ZONE, UNIT), "the zone is open to supply for the unit",
         "the zone is not open to supply for the unit"),
        ("fought_over_by", (ZONE, UNIT), "the zone is fought over by the unit",
         "the zone is not fought over by the unit"),
        ("enemy_in", (ZONE, UNIT), "there is an enemy in the zone for the unit",
         "there is no enemy in the zone for the unit"),
        ("entry_zone", (UNIT, ZONE), "the zone is an entry zone for the unit",
         "the zone is not an entry zone for the unit"),
        ("target_for", (UNITS, PLAYER), "the units are targets for the player",
         "the units are not targets for the player"),
        ("serves_the_west", (), "“serves the west” holds", "“serves the west” does not hold"),
        ("everybody_passed", (), "“everybody passed” holds", "“everybody passed” does not hold"),
        ("navies_are_even", (), "navies are even", "navies are not even"),
        ("always_supplied", (UNIT,), "the unit is always supplied", "the unit is not always supplied"),
    ],
)  # fmt: skip
def test_a_condition_with_a_name_is_a_sentence(
    name: str, of: tuple[Thing, ...], sentence: str, contrary: str
) -> None:
    assert words(said(name, of)) == sentence
    assert words(said(name, of).denied()) == contrary


RED = Thing("Red One", named=True)
GUARDS = Thing("Guards", many=True, named=True)


def test_a_name_that_begins_several_clauses_is_said_once() -> None:
    def heard(*clauses: Simple) -> list[str]:
        return [words(clause) for clause in in_one_breath(clauses)]

    moved = simple(RED, "has", "moved")
    side = simple(Thing("Red One’s side", owner=RED, owned="side"), "is", "Red")
    assert heard(moved, side) == ["Red One has moved", "its side is Red"]
    theirs = simple(Thing("Guards’ owner", owner=GUARDS, owned="owner"), "is", "Blue")
    assert heard(simple(GUARDS, "is", "ready"), theirs) == ["Guards are ready", "their owner is Blue"]
    hill = simple(Thing("Hill", named=True), "is", "full")  # "it" would be the hill
    assert heard(moved, hill, moved) == ["Red One has moved", "Hill is full", "Red One has moved"]


IT = Thing("it", variable="it")


@pytest.mark.parametrize(
    ("clause", "denied"),
    [
        (compare(UNIT, "more than", "at most", Thing("3")), "the unit is at most 3"),
        (there_is("unit in the zone"), "there is no unit in the zone"),
        (Together("and", (simple(UNIT, "is", "ready"), there_is("foe"))),
         "the unit is not ready or there is no foe"),
        (Together("or", (simple(UNIT, "has", "moved"), Together("and", (there_is("foe"), there_is("hill"))))),
         "the unit has not moved and (there is no foe or there is no hill)"),
        (ForEvery("unit", simple(IT, "is", "ready")), "not for every unit, it is ready"),
        (Whole("so be it"), "it is not so that so be it"),
    ],
)  # fmt: skip
def test_a_clause_is_denied_on_the_tree(clause: Simple, denied: str) -> None:
    assert words(clause.denied()) == denied
    assert words(clause.denied().denied()) == words(clause)


def test_what_is_said_of_members_is_a_relative_clause_as_far_as_english_allows() -> None:
    ready = relative(simple(IT, "is", "ready"), ("it",), many=True)
    assert ready is not None
    assert words(ready) == "that are ready"
    side = simple(Thing("its side", owner=IT, owned="side"), "is", "Red", negated=True)
    whose = relative(side, ("it",), many=True)
    assert whose is not None
    assert words(whose) == "whose side is not Red"
    assert relative(simple(UNIT, "is", "near", IT), ("it",), many=True) is None
    inside = relative(simple(UNIT, "may", "wait in", IT, negated=True), ("it",), many=True)
    assert inside is not None
    assert words(inside) == "in which the unit may not wait"
    entered = relative(simple(UNIT, "may", "enter", IT), ("it",), many=True)
    assert entered is not None
    assert words(entered) == "that the unit may enter"
    # Among several, an “or” of such clauses would not tell what it joins.
    assert relative(simple(UNIT, "may", "enter", IT), ("it",), many=True, objects=False) is None
    assert relative(simple(IT, "is", "near", IT), ("it",), many=True) is None


@pytest.mark.parametrize(
    ("name", "params", "clear"),
    [("ready", 1, True), ("may_strike", 2, True), ("supplies", 2, True), ("room", 2, False),
     ("threatens", 3, False), ("could_strike_later", 2, False)],
)  # fmt: skip
def test_a_name_that_makes_no_sentence_is_known(name: str, params: int, clear: bool) -> None:
    assert is_clear(name, params) == clear


def lines(item: Item) -> list[str]:
    return [plain(item.text), *(line for one in item.inside for line in lines(one))]


@cache
def lexicon(game: str) -> Lexicon:
    opened = open_game(game)
    return Book(opened.source, opened.program, Facts()).names.lexicon


@cache
def paragraph(game: str, paragraph: str) -> list[str]:
    opened = open_game(game)
    book = Book(opened.source, opened.program, Facts())
    rules = opened.program.paragraphs[paragraph].rules
    return [line for node in rules for line in lines(say_rule(book.speaker, node))]


def test_the_paragraphs_on_supply_read_as_english() -> None:
    found = paragraph("race_for_berlin", "3.1.1")
    assert "A zone supplies a unit:" in found
    ends = "Ends only in zones that supply the unit and that can be the end of a supply line for the unit."
    assert ends in found
    assert "The units are no longer out of supply." in found


def test_long_conditions_are_lists_and_their_contraries_are_said() -> None:
    found = paragraph("race_for_berlin", "8.3.3")
    at = found.index("A unit may push through a zone when all of these hold:")
    assert found[at + 1 : at + 3] == [
        "The zone is free of enemies of the unit.", "There is no room in the zone for the unit.",
    ]  # fmt: skip


@pytest.mark.parametrize("name", sorted(shipped_games()))
def test_no_sentence_shows_code(name: str) -> None:
    """No underscore of an identifier, no double space, no empty clause, in any sentence of any game."""
    opened = open_game(name)
    book = Book(opened.source, opened.program, Facts())
    for identity, found in book.program.paragraphs.items():
        for node in found.rules:
            for line in lines(say_rule(book.speaker, node)):
                assert "_" not in line, (identity, line)
                assert "  " not in line, (identity, line)
                assert " ," not in line, (identity, line)
                assert not line.endswith((" .", " when.", " is.", "(.")), (identity, line)


@pytest.mark.parametrize(
    ("game", "number", "sentence"),
    [
        # names as the prose writes them, and what the prose says “a” before
        ("race_for_berlin", "3.1.1", "If the unit is German: when the zone supplies the Germans."),
        ("race_for_berlin", "3.1.1", "If the unit is Zhukov’s: when the zone supplies Zhukov."),
        ("race_for_berlin", "7.1.2",
         "river: +1 when the border is a river and the unit does not cross rivers without penalty."),
        ("race_for_berlin", "7.1.2", "main road: is 1/2 when the border is a road."),
        ("race_for_berlin", "2.1.1", "Carry out “release XII army”."),
        ("race_for_berlin", "2.2.2", "Announce “the Americans capture the target”."),
        ("race_for_berlin", "4.1.3", "“For combat” is not allowed for the unit."),
        ("race_for_berlin", "7.3.3", "The units that are guests and in whose place there is no Soviet unit "
         "of the other camp are no longer guests."),
        ("race_for_berlin", "event 9", "The holder chooses a zone that can be reached by the bridges and in "
         "which there is some Soviet unit:"),
        ("race_for_berlin", "7.3.1", "Otherwise: when there is no zone in which the way “approach” of the "
         "unit may end and in which the unit is with its army again."),
        ("race_for_berlin", "1", "Carry out “Hitler’s orders”."),
        ("race_for_berlin", "7.1.1", "Has at most as many steps as the step limit of the unit."),
        ("race_for_berlin", "4.1.2", "The activations of a player are “activations per impulse”."),
        ("race_for_berlin", "event 10", "The activations of a player (4.1.2) change:"),
        ("race_for_berlin", "5.1", "“Make single move” is forbidden when the unit has moved (has moved)."),
        ("race_for_berlin", "8.1.1", "target: a zone."),
        ("battle_for_germany", "5-1",
         "The entry cost of a space and a border is the cost in the table Terrain effects for the space’s "
         "terrain."),
        ("battle_for_germany", "11-0", "If there is some unit in the hex: the camp of the unit in the hex."),
        ("battle_for_germany", "16-32", "The long move has not been used."),
        ("battle_for_germany", "16-32", "From now on the long move has been used."),
        ("battle_for_germany", "6-2", "Carry out “destroy” for the attacker."),
        # a limit is not a bonus
        ("downfall_of_the_third_reich", "16",
         "desert armour: at least 3 when the army is desert armour and the army’s place is in Africa."),
    ],
)  # fmt: skip
def test_sentences_as_a_reader_of_the_rulebook_expects_them(game: str, number: str, sentence: str) -> None:
    spelled = lexicon(game).spelled
    assert sentence in [spelled(line) for line in paragraph(game, number)]


def test_a_name_is_what_the_prose_always_writes_large() -> None:
    words = Lexicon([
        "A Soviet unit stops here. Then the German side, not the Soviet one, rolls for Hitler's orders (VP).",
        "Units of the 8th Guards Army. A depot is no place, the Depot is. See german_supply and `berlin`.",
    ])  # fmt: skip
    assert words.written == {"german": "German", "soviet": "Soviet", "hitlers": "Hitler’s", "vp": "VP"}
    text = f"the soviet unit of the guards: {link('rule:german', 'german')} vp, {code('german')}"
    assert words.spelled(text) == (
        f"the Soviet unit of the guards: {link('rule:german', 'German')} VP, {code('german')}"
    )


def test_a_noun_is_said_with_its_article() -> None:
    words = Lexicon(["Crossing a river costs more. A river crossing is slow; a wooded zone is not."])
    assert words.is_noun("river")
    assert not words.is_noun("wooded")


def test_both_and_neither() -> None:
    """The contrary of a pair is said without brackets around brackets."""
    opened = open_game("tutorial/skirmish")
    speaker = Book(opened.source, opened.program, Facts()).speaker
    text = "forbid start_march when not (unit is fought or unit is moved)"
    node, problems = parse_rule(text, SourceFile(Path("rules/x.md"), text), 1)
    assert node is not None, problems
    assert "the unit has not fought and the unit has not moved" in plain(say_rule(speaker, node).text)


def test_what_belongs_to_something_long_is_said_with_of() -> None:
    berlin = open_game("race_for_berlin").source.directory
    opened = open_game(berlin, [berlin / "house" / "clear_victory.md"])
    speaker = Book(opened.source, opened.program, Facts()).speaker
    text = "define leads_clearly(player) = player.vp > opponent(player).vp"
    node, problems = parse_rule(text, SourceFile(Path("rules/x.md"), text), 1)
    assert node is not None, problems
    said = plain(say_rule(speaker, node).text)
    assert said.casefold().endswith("is more than the vp of the opponent of the player.")


def test_nobody_but_one_room_knows_how_text_is_marked() -> None:
    """Marks are characters of their own; who wants links or bold text asks `inline` for them."""
    root = Path(rulesdsl.__file__).parent.parent
    marks = re.compile(r"\\ue00[0-9a-f]|[\ue000-\ue00f]")
    files = [*(root / "rulesdsl").rglob("*.py"), *(root / "interpreter").rglob("*.py")]
    found = {f.relative_to(root).as_posix() for f in files if marks.search(f.read_text("utf-8"))}
    assert found == {"rulesdsl/speaking/inline.py"}


def test_nobody_cuts_a_sentence_that_is_made() -> None:
    """Denial, pronouns and reasons are decided on the tree of clauses."""
    root = Path(rulesdsl.__file__).parent.parent
    cutting = re.compile(r"(?:split|partition|compile|sub)\([^)\n]*(?:because|; )")
    files = [
        *(root / "rulesdsl" / "speaking").rglob("*.py"),
        *(root / "interpreter" / "asking").rglob("*.py"),
    ]
    assert len(files) > 30
    assert [f.name for f in files if cutting.search(f.read_text("utf-8"))] == []


def test_a_linter_asks_for_a_wording(tmp_path: Path) -> None:
    game = Path(shutil.copytree(data_dir("games") / "tutorial" / "skirmish", tmp_path / "skirmish"))
    assert CliRunner().invoke(cli, ["check", str(game), "--wordings", "--strict"]).exit_code == 0
    for file in (game / "rules").glob("*.md"):
        text = file.read_text("utf-8")
        file.write_text(text.replace(' "{zone} is hostile to {player}"', ""), "utf-8")
    told = CliRunner().invoke(cli, ["check", str(game), "--wordings", "--strict"])
    assert told.exit_code == 1
    assert 'warning[wording-wanted]: "hostile" alone makes no sentence' in told.output
    assert CliRunner().invoke(cli, ["check", str(game), "--strict"]).exit_code == 0


@pytest.mark.parametrize("name", sorted(shipped_games()))
def test_no_shipped_game_leaves_a_wording_to_be_guessed(name: str) -> None:
    assert list(wanted_wordings(open_game(name).program)) == []
