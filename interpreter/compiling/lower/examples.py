"""The steps of worked examples as procedures, so that they are compiled like any other."""

from __future__ import annotations

from collections.abc import Iterable

from rulesdsl import program as pg
from rulesdsl.program.types import set_of, thing


def example_procedure(example: pg.ExampleRule, part: str) -> pg.ProcedureRule:
    """The steps of an example as a procedure of its own."""
    steps = tuple(map(_shortened, example.given)) if part == "given" else example.played
    name = f"example {example.paragraph} {example.number} {part}"
    return pg.ProcedureRule(name, "procedure", example.paragraph, (), name, steps)


def example_procedures(examples: Iterable[pg.ExampleRule]) -> list[pg.ProcedureRule]:
    """The steps of some examples, and what they call."""
    examples = list(examples)
    own = [example_procedure(example, part) for example in examples for part in ("given", "when")]
    verbs = {step.verb for example in examples for step in example.given if isinstance(step, pg.MoveS)}
    return [*own, *map(_setting_up, sorted(verbs))]


def _setting_up(verb: str) -> pg.ProcedureRule:
    """Pieces are put where an example wants them by one procedure for all examples.

    Written out for each piece of each example, what a move triggers is most of the code of a rulebook.
    """
    pieces, place = pg.Var("pieces", set_of("piece")), pg.Var("place", thing("space"))
    step = pg.MoveS(
        pg.VarGet(pieces, type=pieces.type), pg.VarGet(place, type=place.type), verb, paragraph=""
    )
    name = f"example {verb}"
    return pg.ProcedureRule(name, "procedure", "", (pieces, place), name, (step,))


def _shortened(step: pg.S) -> pg.S:
    if not isinstance(step, pg.MoveS):
        return step
    return pg.DoS(f"example {step.verb}", (step.pieces, step.place), paragraph=step.paragraph)
