"""What house rules bring: new things, steps in the middle, sentences struck, own names and numbers."""

from __future__ import annotations

import pytest

from interpreter.measuring.always import broken_always
from interpreter.measuring.examples import run_examples
from interpreter.playing.game import Game
from rulesdsl.house.differences.difftext import diff_text
from rulesdsl.house.differences.rule_diff import diff_rules
from rulesdsl.house.draft import paragraphs_of
from rulesdsl.language.printing.printer import print_rule
from tests.kit.house_rules import amends, applied, checked, document, play, printed, refused

COUNTER = (
    "{id: r9, name: Red pikes, owner: red, movement: 1, faces: [{strength: 5}, {strength: 1}], start: ferry}"
)
THINGS = f"""## after 3.2 → new The ferry
A ferry house south of the mill, and pikes to hold it.

```yaml map
spaces:
  zone:
    - {{id: ferry, name: The Ferry, terrain: open, points: 3}}
borders:
  - {{between: [ferry, mill]}}
  - {{between: [ferry, keep], river: true}}
```

```yaml pieces
pieces:
  unit:
    - {COUNTER}
    - {{id: b9, name: Blue reserve, owner: blue, movement: 1, faces: [{{strength: 2}}, {{strength: 1}}]}}
```

```yaml table
table: luck
rows: {{key: die, kind: number}}
result: {{kind: number}}
cells: {{"1-5": 0, "6+": 1}}
```

```yaml table
table: fight
columns:
  "5:1": [D1, D1, D2, D2]
```

```yaml scenario
scenario: night
title: A night raid
setup:
  ferry: [b9]
off_map: [r1, r2, r3]
```

```rules
modify fight.die
    + table luck[turn] when true "luck"
```

```example
given scenario night
expect:
    b9 is in ferry
    r9 is in ferry
    number of zones adjacent to ferry = 2
    no unit in camp
```

```example
given scenario meeting
expect:
    r9 is in ferry
    b9.at is none
    r9.strength = 6
```
"""
CHANGED = """## after 3.1 → new Longer pikes
x
```rules
set r9.strength = 6
set table fight[5:1, "6+"] = D1
```"""


def test_new_things_are_things_like_all_others() -> None:
    """Also for another house rule: it changes what the first one brings."""
    for texts in ((document(THINGS), document(CHANGED)), (document(CHANGED), document(THINGS))):
        source = applied(*texts)
        program = checked(source)
        wrong = [r.problems for r in run_examples(Game(source, program, (), source)) if r.problems]
        assert wrong == []
        assert [label.text for label in source.tables["fight"].columns] == ["1:2", "1:1", "2:1", "3:1", "5:1"]
    assert play(source, 2)
    text = diff_text(source, diff_rules(printed(), source))
    for line in (
        "  + unit Red pikes: owner red, movement 1, strength 6 / 1, begins in ferry",
        "  + unit Blue reserve: owner blue, movement 1, strength 2 / 1, begins off the map",
        "  + zone The Ferry: terrain open, points 3",
        "  + border ferry/keep: river yes",
        "  + table luck: 2 rows",
        "    table fight, odds 5:1, die 6+: nothing → D1",
        "  + scenario night: A night raid",
    ):
        assert line in text


def brings(kind: str, *lines: str) -> str:
    return document("## amends 3.2\nx\n```yaml " + kind + "\n" + "\n".join(lines) + "\n```")


ROW = ("table: fight", "rows:", '  "0": [A2, A2, A2, A2]')
MISTAKES = [
    (
        brings("pieces", "pieces:", "  unit:", "    - {id: r1, owner: red}"),
        "duplicate-id",
        "set r1.… = …",
        10,
    ),
    (
        brings("map", "spaces:", "  zone:", "    - {id: hill, terrain: open}"),
        "duplicate-id",
        "set hill.… = …",
        10,
    ),
    (brings("map", "borders:", "  - {between: [hill, keep]}"), "duplicate-id", "set border hill/keep", 9),
    (brings("map", "borders:", "  - {between: [hill, keeep]}"), "unknown-space", 'did you mean "keep"?', 9),
    (brings("map", "kind: areas"), "unknown-key", "", 8),
    (brings("pieces", "pieces:", "  unit:", "    - {id: r9 owner: red}"), "yaml-syntax", "", 10),
    (brings("table", *ROW), "table-overlap", "set table", 10),
    (brings("table", "table: fight", "columns:", '  "5:1": [D1]'), "table-row", "", 10),
    (brings("table", "table: effort", "columns:", '  "5:1": [D1]'), "table-row", "rows:", 9),
    (brings("counters", "pieces:", "  unit: []"), "unknown-fence", "write ```yaml pieces", 7),
    (brings("scenario", "scenario: meeting"), "duplicate-id", "another name", 8),
    (brings("pieces", ""), "yaml-empty", "", 7),
]


@pytest.mark.parametrize(("text", "code", "hint", "line"), MISTAKES)
def test_a_mistake_in_a_block_is_shown_where_it_stands(text: str, code: str, hint: str, line: int) -> None:
    (problem,) = refused(text)
    assert (problem.code, problem.span.line) == (code, line)
    assert hint in problem.help


def test_two_that_bring_the_same_thing_clash() -> None:
    other = brings("pieces", "pieces:", "  unit:", f"    - {COUNTER.replace('ferry', 'mill')}")
    (problem,) = refused(other, other.replace("# A test", "# Another"))
    assert problem.message == '"A test" and "Another" both bring a piece "r9"'
    column = brings("table", "table: fight", "columns:", '  "5:1": [D1, D1, D1, D1]')
    six = brings("table", "table: fight", "columns:", '  "6:1": [D1, D1, D1, D1]')
    assert {p.code for p in refused(column, six)} == {"house-clash"}


# ---- steps -------------------------------------------------------------------------------------------
def body_of(name: str, *texts: str) -> str:
    source = applied(*texts)
    checked(source)
    rules = [rule for p in paragraphs_of(source).values() for rule in p.rules]
    return next(print_rule(rule) for rule in rules if getattr(rule, "name", "") == name)


DRUMS = amends("4", 'in attack, before "roll 1d6":\n    note "drums"')
HORNS = '## after 4 → new Horns\nx\n```rules\nin attack, after "if result.defender_losses": note "horns"\n```'
MERCY = amends("4", 'in lose_step, instead of "remove unit": flip unit to face 1')


def test_steps_are_put_in_from_several_house_rules() -> None:
    for texts in ((DRUMS, HORNS, MERCY), (MERCY, HORNS, DRUMS)):
        steps = [line.strip() for line in body_of("attack", *map(document, texts)).split("\n")]
        assert steps.index('note "drums"') == steps.index('roll 1d6 as rolled for "the fight"') - 1
        assert steps[-1] == 'note "horns"'
        assert "flip unit to face 1" in body_of("lose_step", *map(document, texts))
        assert "remove" not in body_of("lose_step", *map(document, texts))


def test_a_step_is_left_out() -> None:
    text = amends("2", 'in game, leave out "if score(red)"')
    assert "red wins" not in body_of("game", document(text))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (DRUMS, amends("4", 'in attack, before "roll":\n    note "guns"')),
        (DRUMS, amends("4", 'in attack, instead of "roll 1d6": roll 2d6 as rolled for "the fight"')),
        (MERCY, amends("4", "procedure lose_step(unit)\n    remove unit")),
    ],
)
def test_steps_at_one_place_clash(one: str, other: str) -> None:
    for texts in ((one, other), (other, one)):
        (problem,) = refused(*(document(text) for text in texts))
        assert problem.code == "house-clash"
        assert "requires: a, b" in problem.help or "lose_step" in problem.message


@pytest.mark.parametrize(
    ("text", "words", "hint"),
    [
        ('in atack, before "roll": note "x"', "no procedure, phase or token", 'did you mean "attack"?'),
        ('in attack, before "rolls": note "x"', "no step of attack begins with", "roll 1d6 as rolled"),
        ('in attack, before "if": note "x"', "2 steps of attack begin with", "if result.attacker_losses > 0"),
        ('in steady, before "roll": note "x"', '"steady" has no steps', "4.2"),
    ],
)
def test_a_step_that_is_not_there(text: str, words: str, hint: str) -> None:
    (problem,) = refused(document(amends("4", text)))
    assert words in problem.message
    assert hint in problem.help


# ---- sentences, names, numbers ------------------------------------------------------------------------
def test_sentences_are_struck_and_reworded() -> None:
    strike, say = (
        'strike "Zones, borders, units."',
        'say "never rest" instead of "not rest while an enemy is near"',
    )
    source = applied(document(amends("1", strike), amends("2.1", say)))
    paragraphs = paragraphs_of(source)
    assert "borders, units" not in paragraphs["1"].prose
    assert paragraphs["2.1"].prose.startswith("A unit that stands alone may never rest.")
    (problem,) = refused(document(amends("2.1", 'strike "A unit that is alone may not rest"')))
    assert "A unit that stands alone" in problem.help
    one, other = (
        amends("2.1", f'say "x" instead of "{words}"') for words in ("stands alone may", "may not rest")
    )
    assert [p.code for p in refused(document(one), document(other))] == ["house-clash"]


def test_two_house_rules_with_a_word_of_their_own_each() -> None:
    rule = (
        "## after 3.2 → new Mist\nx\n```rules\ndefine misty = turn = {}\n"
        'modify march_points\n    -1 when misty "mist {}"\n```\n'
        "```example\nexpect: march_points(r1) = {}\n```"
    )
    source = applied(document(rule.format(1, "a", 1)), document(rule.format(2, "b", 1)))
    assert {"3.2a", "3.2b"} < paragraphs_of(source).keys()
    program = checked(source)
    assert {"misty_of_a", "misty_of_b"} < program.defines.keys()
    assert not [r for r in run_examples(Game(source, program, (), source)) if r.problems]


def test_a_class_gains_attributes_where_they_are_spoken_of() -> None:
    rules = "piece unit\n    wet: flag\n\nafter unit enters zone: mark unit as wet"
    wet = f"## after 3.1 → new Wet\nx\n```rules\n{rules}\n```"
    cold = amends("3.2", 'piece unit\n    cold: flag\n\nforbid rest when some unit that is cold "cold"')
    program = checked(applied(document(wet), document(cold)))
    assert {("piece", "wet"), ("piece", "cold")} < program.world.attributes.keys()
    again = wet.replace("wet: flag", "wet: number")
    assert any(
        p.code == "house-clash"
        for p in refused(document(wet), document(again.replace("mark unit as wet", 'note "x"')))
    )


def test_what_is_always_so_is_asked_of_house_rules() -> None:
    always = "always at_home: every unit satisfies (it.face = 0 or it.at is not camp)"
    source = applied(
        document(amends("5", always)),
        document(amends("2", 'in player_turn, before "player chooses": flip r1')),
    )
    game = Game(source, checked(source), (), source, source.files[-1:])
    (broken,) = broken_always(game)
    assert (broken.paragraph, broken.name) == ("5", "invariant_at_home")
