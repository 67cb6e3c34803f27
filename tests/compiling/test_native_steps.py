"""Games that stop at decisions in the machine, held against Python: positions, prompts, thoughts of agents.

The large games are compared by the promises `native-steps` and `native-thoughts`
(tests/promises/stepping.py); here are those a compiler reads in a moment when it is told not to think.
"""

from __future__ import annotations

import threading
from functools import cache
from pathlib import Path
from random import Random

import pytest

from interpreter.agents.native_worlds import native_worlds
from interpreter.agents.seats import make_agent
from interpreter.agents.sight import Sight
from interpreter.native.readiness import SOON, Readiness
from interpreter.native.steps import NativeSteps, NotHere, translated
from interpreter.running.machine import Machine
from tests.compiling.test_native import compiled
from tests.promises import PATROL, rules_of
from tests.promises.stepping import other_thoughts, stepped

GAMES = Path(__file__).parents[2] / "games"
SKIRMISH, KUHN = str(GAMES / "tutorial/skirmish"), str(GAMES / "classics/kuhn_poker")
HASTE = ("-O0",)


@cache
def steps_of(path: str) -> NativeSteps:
    ruleset, _ = rules_of(path)
    return NativeSteps.of(ruleset, native_worlds(ruleset).readiness.values, HASTE)


def waiting(path: str, decisions: int = 0) -> Machine:
    """A game of Python's that waits for a decision."""
    ruleset, scenario = rules_of(path)
    machine, rng = ruleset.new_machine(scenario, "3", traced=False), Random(path)
    machine.begin()
    for _ in range(decisions):
        assert machine.pending is not None
        machine.choose(machine.pending.at_random(rng))
    return machine


@compiled
@pytest.mark.parametrize("path", [SKIRMISH, KUHN, PATROL, str(GAMES / "classics/go_9x9")])
def test_every_decision_is_the_same(path: str) -> None:
    """States, frames, options, dice, payoffs, positions that occurred; begun from Python at any point."""
    (_, scenario), steps, draw = rules_of(path), steps_of(path), Random(path)
    found = [stepped(steps, scenario, seed, draw, 120) for seed in range(6)]
    assert [what for _, what in found if what] == []
    assert sum(count for count, _ in found) > 10


@compiled
@pytest.mark.parametrize("path", [SKIRMISH, KUHN])
def test_agents_think_the_same(path: str) -> None:
    """Looks ahead, lines through the reply, trees: every number, with secrets and with dice."""
    ruleset, scenario = rules_of(path)
    assert other_thoughts(ruleset, scenario, Random(path), 6, HASTE) == []


@compiled
@pytest.mark.parametrize("path", [KUHN, PATROL])
def test_a_world_that_is_drawn_anew_is_the_same_in_words(path: str) -> None:
    """Only what differs from what is known is written again."""
    ruleset, drawn = rules_of(path)[0], 0
    for decisions in range(2):
        steps, machine = steps_of(path), waiting(path, decisions)
        sight = Sight.of(ruleset, machine)
        for number in range(6):
            world = sight.imagined(str(number))
            assert world.words(steps) == steps.words(world.machine)
            drawn += world.words(steps) != sight.imagined("other").words(steps)
    assert drawn > 0


@compiled
def test_what_python_made_is_looked_at_before_it_is_believed() -> None:
    """A value beyond what the code was made for is one for Python, not an index into nowhere."""
    steps, ruleset = steps_of(SKIRMISH), rules_of(SKIRMISH)[0]
    at = ruleset.layout.arrays["piece", "at"].base
    for wrong in (10_000, -2, 1 << 70, None, "x"):
        machine = waiting(SKIRMISH, 5)
        machine.s[at] = wrong
        with pytest.raises(NotHere):
            steps.words(machine)
    machine = waiting(SKIRMISH, 5)
    machine.stack[-1][1] = 77
    with pytest.raises(NotHere):
        steps.words(machine)
    machine = waiting(SKIRMISH, 5)
    assert machine.pending is not None
    machine.pending.options = [9_999]
    with pytest.raises(NotHere):
        steps.words(machine)
    words = steps.words(waiting(SKIRMISH, 5))
    assert steps.machine(steps.reseeded(words, "another")).seed == "another"


@compiled
def test_who_may_do_nothing_more_is_stopped() -> None:
    """Work, steps and depth stop the machine as they stop Python; an option that is not there, too."""
    steps, words = steps_of(SKIRMISH), steps_of(SKIRMISH).words(waiting(SKIRMISH, 5))
    for limit in ("left", "steps", "deepest"):
        with steps.stepper() as at:
            at.put(words)
            setattr(at.granted, limit, 0)
            with pytest.raises(NotHere):
                all(at.choose(0) is None for _ in range(40))
    with steps.stepper() as at:
        at.put(words)
        with pytest.raises(NotHere):
            at.choose(at.asked()[2])


@compiled
def test_threads_have_positions_in_common() -> None:
    steps = steps_of(SKIRMISH)
    words = steps.words(waiting(SKIRMISH, 3))
    found: dict[int, bytes] = {}

    def play(number: int) -> None:
        with steps.stepper() as at:
            at.put(words)
            for step in range(30):
                _, _, count, out = at.asked()
                at.choose((7 * step) % (count + out) if (7 * step) % (count + out) < count else -1)
            found[number] = at.words()

    threads = [threading.Thread(target=play, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert len(set(found.values())) == 1


@compiled
def test_what_the_machine_gives_up_python_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """An agent whose machine refuses everything decides as one that has none."""
    ruleset, _ = rules_of(SKIRMISH)
    worlds, machine = native_worlds(ruleset), waiting(SKIRMISH, 8)
    worlds.readiness.use(None)
    expected = make_agent("club:12", "4").choose(Sight.of(ruleset, machine), 1)
    worlds.readiness.use(steps_of(SKIRMISH))

    def refused(*_: object) -> None:
        raise NotHere("on a whim")

    monkeypatch.setattr("interpreter.native.steps.NativeSteps.words", refused)
    assert make_agent("club:12", "4").choose(Sight.of(ruleset, machine), 1) == expected
    worlds.readiness.use(None)


def test_no_word_of_an_author_reaches_the_text() -> None:
    ruleset, _ = rules_of(SKIRMISH)
    text, world = translated(ruleset).text, ruleset.program.world
    words = {w for u in world.universes.values() for w in u.ids if len(w) > 6} | {
        p.title for p in ruleset.program.procedures.values() if len(p.title) > 6
    }
    assert [word for word in words if f'"{word}"' in text or f" {word} " in text] == []


def test_nobody_waits_for_a_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """Little thought builds nothing; without a compiler there is a reason, and Python."""
    monkeypatch.setenv("RULESDSL_NO_NATIVE", "1")
    monkeypatch.delenv("RULESDSL_NO_NATIVE_THOUGHTS", raising=False)
    readiness = Readiness(rules_of(KUHN)[0], ())
    readiness.thought(SOON / 2, somebody_waits=True)
    assert readiness._worker is None
    readiness.thought(SOON, somebody_waits=True)
    assert readiness._worker is not None
    readiness._worker.join()
    assert readiness.steps is None
    assert "RULESDSL_NO_NATIVE" in readiness.why_not
