"""Examples: the worked examples of a rulebook, played by the rules they stand beside."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.asking.why_not import action_refusals
from interpreter.compiling.lower.examples import example_procedure
from interpreter.compiling.ruleset import Ruleset
from interpreter.playing.game import Game
from interpreter.playing.prompts import option_key, out_key
from interpreter.playing.session import Session
from interpreter.running.fuel import RunawayRule
from interpreter.running.machine import Machine
from rulesdsl import program as pg
from rulesdsl.base.source import Span
from rulesdsl.language import syntax as sx
from rulesdsl.language.printing.expressions import print_expr

MOST_CHOICES = 200


@dataclass(frozen=True, slots=True)
class ExampleResult:
    """What became of one example: no problems means it holds. `lines` says where each of them arose."""

    paragraph: str
    number: int
    span: Span
    problems: tuple[str, ...]
    lines: tuple[int, ...]

    @property
    def passed(self) -> bool:
        return not self.problems


def run_examples(game: Game, paragraph: str | None = None) -> list[ExampleResult]:
    """Run every example of a game (of one paragraph when `rule` is given)."""
    return [
        run_example(game, rules_for(game, example), example)
        for example in game.program.examples
        if paragraph is None or example.paragraph == paragraph
    ]


def rules_for(game: Game, example: pg.ExampleRule) -> Ruleset:
    """The rules with the options of the scenario that the example names, otherwise of the default one, and
    with what the example sets itself."""
    return game.ruleset(dict(example.settings), game.scenario(example.scenario))


def run_example(game: Game, ruleset: Ruleset, example: pg.ExampleRule) -> ExampleResult:
    session, problems = play_example(game, ruleset, example)
    span = example.source.span
    told = [(problem, span.line) for problem in problems]
    if not problems:
        for expected in example.expected:
            told += [(problem, expected.source.span.line) for problem in check_expected(session, expected)]
    return ExampleResult(
        example.paragraph,
        example.number,
        span,
        tuple(text for text, _ in told),
        tuple(line for _, line in told),
    )


def play_example(
    game: Game, ruleset: Ruleset, example: pg.ExampleRule, kind: type[Machine] = Machine
) -> tuple[Session, list[str]]:
    """The game after what is given and what is played, and what went wrong on the way."""
    scenario = game.source.scenarios.get(example.scenario) if example.scenario is not None else None
    state = ruleset.start_state(scenario, empty=example.scenario is None)
    machine = kind(ruleset.with_examples.code, state, "example")
    machine.script = list(example.rolls)
    choices = list(example.choices)
    session = Session(game, ruleset, machine, {})
    problems: list[str] = []
    for part, steps in (("given", example.given), ("when", example.played)):
        if not steps or problems:
            continue
        try:
            machine.begin(example_procedure(example, part).name)
            _make_choices(session, choices, problems)
        except RunawayRule as error:
            problems.append(str(error))
    if choices and not problems:
        problems.append(f'nobody was asked for "{choices[0]}"')
    return session, problems


def _make_choices(session: Session, choices: list[str], problems: list[str]) -> None:
    """Answer prompts with the listed choices; a single option without a way out needs none."""
    for _ in range(MOST_CHOICES):
        if session.machine.pending is None:
            return
        options = _options(session)
        if len(options) == 1:
            session.machine.choose(options[0][0])
            continue
        if not choices:
            return
        wanted = choices.pop(0)
        found = [index for index, key in options if _named(wanted, key)]
        if not found:
            offered = ", ".join(key for _, key in options[:12])
            problems.append(f'"{wanted}" is not offered; offered: {offered}')
            return
        session.machine.choose(found[0])


def _named(wanted: str, key: str) -> bool:
    """Whether a word of an example means an option: its key, or the key without its action."""
    return wanted in (key, key.split(":")[-1])


def _options(session: Session) -> list[tuple[int, str]]:
    """Number and key of everything that is offered (the way out is -1)."""
    pending, ruleset = session.machine.pending, session.ruleset
    assert pending is not None
    site = ruleset.with_examples.blocks.sites[pending.site]
    world = ruleset.program.world
    options = [(i, option_key(world, site, value)) for i, value in enumerate(pending.options)]
    return [*options, (-1, out_key(site))] if pending.out else options


def check_expected(session: Session, expected: pg.Expected) -> list[str]:
    """What is otherwise than expected; that a rule has no answer, too."""
    try:
        return _differences(session, expected)
    except RunawayRule as error:
        return [str(error)]


def _differences(session: Session, expected: pg.Expected) -> list[str]:
    ruleset, state = session.ruleset, session.machine.s
    if expected.condition is not None:
        if ruleset.evaluate(state, expected.condition, {}):
            return []
        return [_unmet(session, expected)]
    if expected.source.outcome is not None:
        return _check_outcome(session, expected, expected.source.outcome.outcome)
    if expected.kind == "goes on":
        ended = _ended(session)
        return [f"the game should go on, but it ended with {ended[0]} ({ended[2]})"] if ended else []
    if expected.source.offers:
        return _check_offers(session, expected.source.offers, expected.kind == "offered")
    if expected.action is None:
        return []
    action = ruleset.program.actions[expected.action.action]
    arguments = [ruleset.evaluate(state, a, {}) for a in expected.action.arguments]
    refusals = action_refusals(session, action, arguments)
    named = f"{action.name}"
    if expected.kind == "can":
        return [f"{named} is forbidden by {paragraph}: {clause}" for paragraph, clause in refusals]
    if any(paragraph == expected.paragraph for paragraph, _ in refusals):
        return []
    others = ", ".join(paragraph for paragraph, _ in refusals) or "nothing"
    return [f"{named} should be forbidden by {expected.paragraph}, but is forbidden by {others}"]


def _ended(session: Session) -> tuple[str, int, str, str] | None:
    """How a rule ended the game. That the steps of the example are over is no end of the game."""
    outcome = session.machine.outcome
    return outcome if outcome is not None and outcome[3] else None


def _check_outcome(session: Session, expected: pg.Expected, wanted: str) -> list[str]:
    """How the game ended, against how it should have."""
    ended, state = _ended(session), session.machine.s
    if ended is None:
        return [f"the game should have ended ({wanted}), but goes on"]
    if expected.payoff is not None:
        return _check_payoff(session, expected)
    winners = session.ruleset.evaluate(state, expected.winner, {}) if expected.winner is not None else 0
    if (ended[0], ended[1]) == (wanted, winners):
        return []
    return [f"the game should have ended otherwise: it ended with {ended[0]} ({ended[2]})"]


def _check_payoff(session: Session, expected: pg.Expected) -> list[str]:
    """What some players got, against what they should have got."""
    state, ruleset = session.machine.s, session.ruleset
    who = ruleset.evaluate(state, expected.winner, {}) if expected.winner is not None else 0
    amount = ruleset.evaluate(state, expected.payoff, {}) if expected.payoff is not None else 0
    names, gains = ruleset.program.world.universes["player"].names, dict(session.machine.payoffs)
    return [
        f"{name} should get {amount}, but gets {gains.get(number, 'nothing')}"
        for number, name in enumerate(names) if who >> number & 1 and gains.get(number) != amount
    ]  # fmt: skip


def _check_offers(session: Session, wanted: tuple[str, ...], offered: bool) -> list[str]:
    """Whether the question at which the example stops offers these, or does not."""
    if session.machine.pending is None:
        return ["nobody is asked anything when the example stops"] if offered else []
    keys = [key for _, key in _options(session)]
    wrong = [w for w in wanted if any(_named(w, key) for key in keys) != offered]
    if not wrong:
        return []
    how = "not offered" if offered else "offered"
    return [f'"{w}" is {how}; offered: {", ".join(keys[:12])}' for w in wrong]


def _unmet(session: Session, expected: pg.Expected) -> str:
    source = expected.source.condition
    text = print_expr(source) if source is not None else ""
    match expected.condition:
        case pg.CompareE(left=left, right=right):
            world = session.ruleset.program.world
            a, b = (
                world.show(x.type, session.ruleset.evaluate(session.machine.s, x, {})) for x in (left, right)
            )
            if not isinstance(right, pg.Const):
                return f"expected {text}, but the one is {a} and the other {b}"
            inside = isinstance(source, sx.Is) and isinstance(source.description, sx.InPlace)
            return f"expected {text}, but it is {'in ' if inside and a != 'none' else ''}{a}"
        case _:
            return f"expected {text}"
