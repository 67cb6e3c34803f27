"""Every definition, quantity, action and route of the shipped games, asked in both flavours of the code.

The silent code folds, looks into tables made before the game, remembers; the traced code does nothing of the
sort. Games compare what is offered and what becomes of the state; here each rule is asked by itself, with
things the game may never ask it about, in positions of random games.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from interpreter.compiling.compiled import compile_rules
from interpreter.compiling.flavours import SILENT, Knack
from interpreter.compiling.ruleset import Ruleset
from interpreter.running.machine import Machine
from rulesdsl import program as pg
from rulesdsl.program.types import FLAG, Type
from tests.promises import FIXTURES, random_game, rules_of

# game, every how many decisions a position is looked at, arguments tried there for each rule
GAMES = [
    ("race_for_berlin", 220, 3),
    ("battle_for_germany", 120, 3),
    ("tutorial/skirmish", 12, 8),
    (str(FIXTURES / "sweeps"), 2, 16),
]
MORE = 12
KINDS = ("thing", "set", "enum", "flag", "number")


def rules(ruleset: Ruleset) -> Iterator[tuple[str, str, tuple[pg.Var, ...], Type]]:
    """The role and the name of every rule that is a function, what it is asked about, what it answers."""
    program = ruleset.program
    for define in program.defines.values():
        yield "d", define.name, define.params, define.type
    for quantity in program.quantities.values():
        yield "q", quantity.name, quantity.params, quantity.type
    for action in program.actions.values():
        yield "ok", action.name, action.params, FLAG
    for route in program.routes.values():
        yield "r", route.name, route.params, Type("set", "space")


def argument(ruleset: Ruleset, s: list[Any], type_: Type, rng: Random) -> int:
    """Something of that sort; a space is often one beside a piece, where there is more to ask about."""
    world = ruleset.program.world
    if type_.kind == "flag":
        return rng.randrange(2)
    if type_.kind == "number":
        return rng.randrange(1, 7)
    if type_.kind == "enum" or type_.of_enum:
        return rng.randrange(len(world.enums[type_.name].values))
    of_class = world.universes[type_.name].mask(type_.of)
    members = [n for n in range(of_class.bit_length()) if of_class >> n & 1]
    if type_.kind == "set":
        return sum(1 << n for n in rng.sample(members, min(len(members), rng.randrange(4))))
    if type_.name == "space" and rng.random() < 0.8:
        at = ruleset.layout.arrays["piece", "at"]
        place: int = s[at.base + rng.randrange(at.size)]
        beside = [there for there, _ in world.adjacency[place] if of_class >> there & 1] if place >= 0 else []
        return rng.choice(beside or members)
    return rng.choice(members)


@pytest.mark.parametrize(("name", "every", "tries"), GAMES, ids=[name.split("/")[-1] for name, *_ in GAMES])
def test_a_rule_answers_the_same_in_both_flavours(name: str, every: int, tries: int) -> None:
    ruleset, _ = rules_of(name)
    fast, full, rng = ruleset.fast, ruleset.full, Random(4)
    asked = 0
    for number, machine in enumerate(random_game(name, 5)):
        if number % every:
            continue
        s = machine.s
        for role, rule, params, type_ in rules(ruleset):
            if any(var.type.kind not in KINDS for var in params):
                continue
            often = MORE if role == "d" else 1  # definitions cost little
            for _ in range(tries * often if params else 1):
                given = [argument(ruleset, s, var.type, rng) for var in params]
                answers = [code.ask(code.function(role, rule), s, *given) for code in (fast, full)]
                if type_.kind == "flag":
                    answers = [bool(answer) for answer in answers]
                assert answers[0] == answers[1], (role, rule, given, number)
                asked += 1
    assert asked > 500


@pytest.mark.parametrize("knack", [*Knack], ids=lambda knack: knack.name.lower())
def test_a_game_is_the_same_without_one_of_the_optimisations(knack: Knack) -> None:
    """Each may be left out by itself, which tells to whom a mistake belongs."""
    ruleset, scenario = rules_of("tutorial/skirmish")
    whole = ruleset.new_machine(scenario, "knack", traced=False)
    lesser = Machine(compile_rules(ruleset, SILENT.without(knack)).code, whole.s[:], "knack")
    both, rng = (whole, lesser), Random("knack")
    for machine in both:
        machine.begin()
    while (asked := whole.pending) is not None:
        assert lesser.pending is not None
        assert [*asked.options] == [*lesser.pending.options]
        choice = asked.at_random(rng)
        for machine in both:
            machine.choose(choice)
    assert (whole.outcome, whole.s) == (lesser.outcome, lesser.s)
