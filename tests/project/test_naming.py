"""Whatever an author calls his rules, they stay apart: in all three flavours, whatever the names look like.

The names are those that generated code might use for something of its own. Each rulebook hands them out to
rules, variables and values of every kind, and the flavours play the same game of it.
"""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from interpreter.playing.game import Game, open_game
from tests.promises import Outcome
from tests.promises.playing import lockstep

WORDS = """x x_0 x_1 x_0_0 x_k x__0 q_x r_x r_x_0 d_x ok_x why_x step_x next_x next_x_0 any_x any_x_0 ends_x
reach_x_0 cost_x_0 steps_x pay_x paid_x search_x stop_x end_x play_x T_x TABLE_x_0 ANY_x_0 BAR_x_0_0 SETTING_x
RS_x NEXTS_x x_a d_0 q_0 r_0 r_0_0 ok_0 do_0 body_0 b0 b1 v_1 p_0 e_1 l_1 m_v_1 t1 K0_text K1_printed K0 FUEL
FIRED PAD ENTRY MEMBERS ADJ LINKS WAYS s m f i n who opts kept rest nexts halt paid taken origins decide
asked times divide clamp_0 GameOver spread flood Memory LinkTables one_to __builtins__ _ __ None_0 lambda_
out_of_fuel note fire game_0 cancelled_0 fog_0"""
NAMES = re.findall(r"\w+", WORDS)

RULES = """# Names

## 1 All of them

```rules
enum {enum}: {one}, {two}
scale {scale}: {low}, {middle}, {high}
space zone
    printed {printed}: number = 1
    {state}: number
    {flag}: flag
border
piece unit
    printed owner: player
    {worn}: {enum} = {one}
player
    {points}: number

track {track}: 0 to 90 = 1
track {shifted}: {scale} = {low}
record {record}
    {field}: set of units
    {other_field}: zone or none
option {option}: flag = true "an option"
parameter {parameter} = 2 "a parameter"
reading {reading}: {odd} (default), {even} "which"

define {define}(zone) = zone.{printed} + zone.{state}
define {define2}(zone) = zone.{state} > {parameter} or zone is {flag}
define {define3}({var}: zone, {var2}: number) = {define}({var}) * {var2} + 1
quantity {quantity}(zone) = {define3}(zone, 2)
    +1 when {option} "first"
    x 2 when {reading} is {odd} and zone is {flag} "second"
quantity {quantity2}(player) = player.{points} at most 40
quantity {record}.{own} = number of {field} + {quantity}({record}.{other_field})
    +1 when {track} > 3 "third"

action {action}(zone) "do {{zone}}"
forbid {action} when {quantity}(zone) > 60 "too much"
action {action2}(zone) "mind {{zone}}"
forbid {action2} when zone is not {flag} "no flag"

route {route}(unit)
    from unit.at
    at most 2 steps
    ending in zones where zone.{state} < 30
route {route2}(unit)
    from unit.at
    at most 1 step
forbid {route} into zone when zone.{state} > 20 "hot"
stop {route2} in zone when zone is {flag} "stop"
route {route3}({var}: zone)
    from {var}
    exactly 2 steps

window {window} asking red, blue
window {window2} asking blue, red
token {token} "Token"
    play in {window} when {track} > 2
    do:
        add 1 to {track}
        return {token} to the bag
token {token2} "Other"
    play in {window2} when {track} > 1
    do:
        add 2 to {track}
        cancel
        return {token2} to the bag

after unit enters zone: do {procedure}(zone)
after phase {phase} ends: add 1 to {track}

procedure {procedure}(zone)
    add 1 to zone.{state}
    if {define2}(zone): mark zone as {flag} until end of {phase}

procedure {procedure2}({var}: unit, {var2}: zone)
    with {record}({field}: units in {var2}, {other_field}: {var2}):
        let {local} = {record}.{own}
        add {local} to {var}.owner.{points}
        let {local2} = table {table}[{local}]
        if {local2} > 1: set {shifted} to {high}
        otherwise: set {shifted} to {middle}

phase {phase}(player)
    draw a token for player
    open {window}
    open {window2}
    if not cancelled:
        roll 1d6 as {local} for "decide( {track}"
        pick a zone as {local2} at random
        for each zone: note "only told {{}}", zone
        set {local2}.{state} to {local2}.{state} + {local}
        for each unit where it.owner is player:
            set unit.{worn} to {two}
            player chooses one of:
                "go":
                    player moves unit by {route}
                "jump":
                    player chooses a zone among {route2}(unit) for {action}(zone) or "stay":
                        move unit to zone
                    otherwise: note "nothing"
                "two" when some zone among {route3}(unit.at) where {action2}(it):
                    player chooses a zone among {route3}(unit.at):
                        do {procedure2}(unit, zone)

phase game
    repeat at most 3 times:
        for each player: do {phase}(player)
    if {quantity2}(red) > {quantity2}(blue): end game: red wins "do_0(m, s, decide)"
    if {quantity2}(red) < {quantity2}(blue): end game: blue wins "FUEL[0] = FUEL[1]"
    end game: drawn "s[0] = 1"
```
"""
SLOTS = sorted({part.split("}")[0] for part in RULES.replace("{{", "").split("{")[1:] if part[0] != "}"})
GAME = """game: names
title: Names
summary: Names.
players: [{id: red, name: Red}, {id: blue, name: Blue}]
"""
MAP = """kind: squares
class: zone
columns: 3
rows: 3
"""
PIECES = """pieces:
  unit:
    - {id: ru, owner: red, start: a1}
    - {id: rv, owner: red, start: b1}
    - {id: bu, owner: blue, start: c3}
"""
TABLE = """table: {table}
rows: {{key: number, kind: number}}
result: {{kind: number}}
cells: {{"<=5": 1, "6+": 2}}
"""
DRAWS = 24
TABLES = {"x", "x_0", "q_x", "r_x_0", "d_0", "s", "times"}


def write(directory: Path, names: dict[str, str]) -> Path:
    place = directory / "names"
    (place / "rules").mkdir(parents=True)
    (place / "tables").mkdir()
    (place / "rules" / "1.md").write_text(RULES.format(**names))
    (place / "game.yaml").write_text(GAME)
    (place / "map.yaml").write_text(MAP)
    (place / "pieces.yaml").write_text(PIECES)
    (place / "tables" / f"{names['table']}.yaml").write_text(TABLE.format(**names))
    return place


def drawn(seed: int) -> dict[str, str]:
    """A name for every slot; that of a table is also one of a file."""
    rng = Random(seed)
    table = rng.choice(sorted(TABLES))
    names = rng.sample([name for name in NAMES if name != table], len(SLOTS))
    return dict(zip(SLOTS, names, strict=True)) | {"table": table}


def opened(directory: Path, names: dict[str, str]) -> Game:
    return open_game(write(directory, names))


@pytest.mark.parametrize("seed", range(DRAWS))
def test_the_flavours_play_the_same_game(tmp_path: Path, seed: int) -> None:
    game = opened(tmp_path, drawn(seed))
    outcome = Outcome()
    for number in range(4):
        lockstep(outcome, f"names {seed}", game.ruleset({}, game.scenario()), game.scenario(), number)
    assert outcome.failed == 0, "\n".join(outcome.examples)


def test_names_that_follow_each_other(tmp_path: Path) -> None:
    """A route `march_0` beside a route `march` was taken for the search of its first kind."""
    one = drawn(1)
    for number, (route, route2) in enumerate((("march", "march_0"), ("march_0", "march"))):
        game = opened(tmp_path / str(number), {**one, "route": route, "route2": route2})
        ruleset, outcome = game.ruleset({}, game.scenario()), Outcome()
        for seed in range(6):
            lockstep(outcome, route, ruleset, game.scenario(), seed)
        assert outcome.failed == 0, "\n".join(outcome.examples)
        s = ruleset.start_state(game.scenario())
        far, near = (ruleset.fast.ask(ruleset.fast.function("r", name), s, 0) for name in (route, route2))
        assert far.bit_count() > near.bit_count()


def test_no_word_of_an_author_stands_in_generated_code(tmp_path: Path) -> None:
    names = {slot: f"zqx{number}" for number, slot in enumerate(SLOTS)}
    text = re.sub(r'"([^"]*)"', r'"zqx \1"', RULES)
    place = write(tmp_path, names)
    (place / "rules" / "1.md").write_text(text.format(**names))
    ruleset = open_game(place).ruleset({}, None)
    for code in (ruleset.full.source, ruleset.fast.source, ruleset.playouts.source):
        assert len(code) > 5_000
        assert "zqx" not in code
