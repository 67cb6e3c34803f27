"""`rulesdsl exceptions`: the clauses of a paragraph as a tree, each with what defeats it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rulesdsl.cli.arguments import GAME, house_option, json_option, open_named_game, paragraph_argument
from rulesdsl.cli.output import console, print_json
from rulesdsl.cli.rule import find_paragraph
from rulesdsl.language.printing.printer import print_rule

if TYPE_CHECKING:
    from rulesdsl import program as pg


@click.command()
@click.argument("game", type=GAME)
@paragraph_argument
@house_option
@json_option
def exceptions(game: str, paragraph: tuple[str, ...], house: tuple[Path, ...], as_json: bool) -> None:
    """The clauses of PARAGRAPH (without one: of all that have exceptions) and everything that defeats them.

    A paragraph that is itself an exception is shown below the clause it defeats.
    """
    opened = open_named_game(game, house)
    program = opened.program
    if not paragraph:
        _print_all(program, as_json)
        return
    found = find_paragraph(dict(program.paragraphs), " ".join(paragraph), opened.source.changes)
    trees = exception_trees(program, found.id)
    if as_json:
        print_json({"rule": found.id, "title": found.title, "clauses": [_as_json(t, a) for t, a in trees]})
        return
    screen = console()
    screen.print(f"{found.id} {found.title}".strip(), style="bold")
    if not trees:
        screen.print("forbids, allows and stops nothing")
    for clause, actions in trees:
        for line in tree_lines(program, clause, actions, found.id):
            screen.print(line, soft_wrap=True)


def _print_all(program: pg.Program, as_json: bool) -> None:
    """Every clause that something defeats, in the order of the rulebook."""
    trees: dict[int, tuple[pg.Clause, list[str]]] = {}
    for name, clause in _top_clauses(program):
        if clause.exceptions:
            trees.setdefault(id(clause.source), (clause, []))[1].append(name)
    if as_json:
        print_json({"clauses": [_as_json(clause, tuple(names)) for clause, names in trees.values()]})
        return
    for clause, names in trees.values():
        for line in tree_lines(program, clause, tuple(names), ""):
            console().print(line, soft_wrap=True)
    if not trees:
        console().print("nothing in this rulebook is an exception to anything")


def exception_trees(program: pg.Program, paragraph: str) -> list[tuple[pg.Clause, tuple[str, ...]]]:
    """The trees in which a paragraph has a clause, each once with all the actions it is about."""
    found: dict[int, tuple[pg.Clause, list[str]]] = {}
    for name, clause in _top_clauses(program):
        if _mentions(clause, paragraph):
            found.setdefault(id(clause.source), (clause, []))[1].append(name)
    return [(clause, tuple(names)) for clause, names in found.values()]


def tree_lines(
    program: pg.Program, clause: pg.Clause, actions: tuple[str, ...], paragraph: str
) -> Iterator[str]:
    """A tree drawn with lines; the paragraph that was asked for is marked."""
    yield _line(program, clause, paragraph) + (f"   [{', '.join(actions)}]" if len(actions) > 1 else "")
    yield from _branches(program, clause, paragraph, "")


def _branches(program: pg.Program, clause: pg.Clause, paragraph: str, indent: str) -> Iterator[str]:
    for number, exception in enumerate(clause.exceptions, 1):
        last = number == len(clause.exceptions)
        yield f"{indent}{'└─' if last else '├─'} unless {_line(program, exception, paragraph)}"
        yield from _branches(program, exception, paragraph, indent + ("   " if last else "│  "))


def _line(program: pg.Program, clause: pg.Clause, paragraph: str) -> str:
    span = clause.source.span
    words = " ".join(print_rule(clause.source).split())
    mark = "*" if clause.paragraph == paragraph else ""
    title = program.paragraphs[clause.paragraph].title if clause.paragraph in program.paragraphs else ""
    return f"{clause.paragraph}{mark} {title}: {words}  ({span.file.shown}:{span.line})"


def _top_clauses(program: pg.Program) -> Iterator[tuple[str, pg.Clause]]:
    for action in program.actions.values():
        for clause in action.forbids:
            yield action.name, clause
    for route in program.routes.values():
        for clause in (*route.step_forbids, *route.end_forbids, *route.stops):
            yield route.name, clause


def _mentions(clause: pg.Clause, paragraph: str) -> bool:
    return clause.paragraph == paragraph or any(_mentions(e, paragraph) for e in clause.exceptions)


def _as_json(clause: pg.Clause, actions: tuple[str, ...] = ()) -> dict[str, Any]:
    span = clause.source.span
    own = {"actions": list(actions)} if actions else {}
    return own | {
        "rule": clause.paragraph, "kind": clause.kind, "text": " ".join(print_rule(clause.source).split()),
        "file": span.file.shown, "line": span.line, "exceptions": [_as_json(e) for e in clause.exceptions],
    }  # fmt: skip
