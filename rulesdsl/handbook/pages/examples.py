"""Worked examples: what is given, what was rolled and chosen, and what came out when the rules were run."""

from __future__ import annotations

from collections.abc import Iterator

from rulesdsl.handbook.book import Book
from rulesdsl.handbook.facts import Breakdown, ExampleReport, signed
from rulesdsl.language import syntax as sx
from rulesdsl.language.printing.printer import print_example
from rulesdsl.speaking.blocks import Block, Box, Cell, Code, Fold, Grid, Item, Items, Row, Text
from rulesdsl.speaking.english import in_words, listed
from rulesdsl.speaking.inline import capital, plain, rule, said
from rulesdsl.speaking.say.steps import say_steps, use_of_action


def example_box(book: Book, identity: str, number: int, example: sx.Example) -> Box:
    """One example as a box."""
    report = book.facts.examples.get((identity, number))
    title = book.chrome("Example") + (f" {number}" if number > 1 else "")
    return Box(title, tuple(_inside(book, example, report)), "example", f"example:{identity}:{number}")


def _inside(book: Book, example: sx.Example, report: ExampleReport | None) -> Iterator[Block]:
    speaker, chrome = book.speaker, book.chrome
    if example.scenario is not None:
        scenario = book.source.scenarios.get(example.scenario)
        yield Text(chrome("Given: the scenario {}.", said(scenario.title if scenario else example.scenario)))
    for setting in example.settings:
        yield Text(f"Given: the {setting.kind} {said(in_words(setting.name))}: {speaker.say(setting.value)}.")
    if example.given:
        yield Items((Item(chrome("Given:"), say_steps(speaker, example.given)),), kind="plain")
    if example.rolls:
        yield Text(chrome("Dice: {}.", listed([str(roll) for roll in example.rolls], chrome("and"))))
    if example.choices:
        yield Text(chrome("Choices: {}.", ", ".join(_option(book, choice) for choice in example.choices)))
    if example.played:
        yield Items(
            (Item(chrome("Played:"), say_steps(speaker, example.played), ordered=True),), kind="plain"
        )
    if report is None:
        yield Items(
            (Item(chrome("Expected:"), tuple(Item(f"{_expected(book, e)}.") for e in example.expected)),),
            kind="plain",
        )
    else:
        yield from _computed(book, report, [_expected(book, e) for e in example.expected])
    yield Fold(chrome("The example as it is run"), (Code(print_example(example), "example"),), "code")


def _expected(book: Book, expected: sx.Expectation) -> str:
    speaker = book.speaker
    if expected.condition is not None:
        return capital(speaker.say(expected.condition))
    if expected.outcome is not None:
        who = expected.outcome.winner
        if who is not None and expected.outcome.payoff is not None:
            return f"{speaker.say(who)} gets {speaker.say(expected.outcome.payoff)}"
        return (
            f"{speaker.say(who)} wins"
            if who is not None
            else f"The game is {in_words(expected.outcome.outcome)}"
        )
    if expected.offers:
        offered = listed([_option(book, key) for key in expected.offers])
        be = "is" if len(expected.offers) == 1 else "are"
        return f"{offered} {be}{'' if expected.kind == 'offered' else ' not'} offered"
    if expected.kind == "goes on":
        return "The game goes on"
    if expected.action is None:
        return in_words(expected.kind)
    by = f", by {rule(expected.paragraph.id)}" if expected.paragraph is not None else ""
    verb = "is allowed" if expected.kind == "can" else "is forbidden"
    return f"{capital(use_of_action(speaker, expected.action))} {verb}{by}"


def _option(book: Book, key: str) -> str:
    """An option as it is offered: a thing by its name, words as words."""
    *_, last = key.split(":")
    if last in book.names.things:
        return book.names.value(last)
    return f"“{said(last).replace('-', ' ').replace('_', ' ')}”"


def _computed(book: Book, report: ExampleReport, expected: list[str]) -> Iterator[Block]:
    """What the rules made of it: every check, the log, the sums behind it."""
    checks = []
    for text, check in zip(expected, report.checks, strict=False):
        told = plain(text).endswith(f" {check.value}")
        value = f" (computed: {said(check.value)})" if check.value and not told else ""
        checks.append(Item(f"{'✓' if check.holds else '✗'} {text}{value}."))
    if checks:
        yield Items((Item(book.chrome("Comes out:"), tuple(checks)),), kind="plain checks")
    for problem in report.problems:
        yield Text(f"✗ {said(problem)}", "problem")
    for sums in report.breakdowns:
        if len(sums.reasons) > 1:
            yield breakdown_grid(sums)
        else:
            yield Text(f"{_sum(sums)} ({rule(sums.reasons[0].paragraph)}).")
    if report.log:
        lines = tuple(
            Item(f"{capital(said(text))} ({rule(number)})" if number else said(text))
            for number, text in report.log
        )
        yield Fold(
            book.chrome("What happened, by which paragraph"), (Items(lines, ordered=True, kind="log"),), "log"
        )


def breakdown_grid(sums: Breakdown) -> Grid:
    """A quantity, line by line, each with the paragraph that says so."""
    rows = tuple(
        Row((
            Cell(capital(said(reason.label)) or "Base"),
            Cell(_change(reason.op, reason.amount, reason.label), "number"),
            Cell(_number(reason.value), "number"), Cell(rule(reason.paragraph)),
        ))
        for reason in sums.reasons
    )  # fmt: skip
    return Grid(("Because of", "Change", "Value", "Paragraph"), rows, _sum(sums), kind="breakdown")


def _sum(sums: Breakdown) -> str:
    return f"{capital(in_words(sums.name).replace('.', ': '))} = {_number(sums.value)}"


def _change(op: str, amount: str, label: str) -> str:
    return "" if label == "base" else said(signed(op, amount))


def _number(text: str) -> str:
    """With a minus sign, not a hyphen."""
    return said(text).replace("-", "−")
