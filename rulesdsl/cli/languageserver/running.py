"""What an editor may have run: an example as it is typed, a paragraph read aloud."""

from __future__ import annotations

from pathlib import Path

from rulesdsl.base.diagnostics import RulebookError, UsageError, errors
from rulesdsl.base.source import SourceFile
from rulesdsl.editing.desk import Desk
from rulesdsl.editing.hovering import flat, prose, speaker
from rulesdsl.speaking.say.rules import say_rule


def run_example(desk: Desk, path: Path, line: int) -> str:
    """Whether the example at a line holds, with the texts as they are typed."""
    from interpreter.measuring.examples import rules_for
    from interpreter.measuring.examples import run_example as run
    from interpreter.playing.game import finish_game

    problems = desk.problems()
    source = desk.game.source
    if source is None or errors(problems):
        raise RulebookError(errors(problems) or problems)
    house = [SourceFile(path, desk.text(path))] if desk.is_house(path) else []
    game = finish_game(source, problems, house)
    for example in game.program.examples:
        span = example.source.span
        if span.file.path == path and span.line - 1 <= line <= max(span.line, span.end_line) + 1:
            result = run(game, rules_for(game, example), example)
            if not result.problems:
                return f"{result.paragraph}, example {result.number}: holds"
            told = "; ".join(
                f"line {at}: {text}" for at, text in zip(result.lines, result.problems, strict=True)
            )
            return f"{result.paragraph}, example {result.number}: {told}"
    raise UsageError("no example stands here")


def shown_paragraph(desk: Desk, path: Path, line: int) -> str:
    """The paragraph at a line as the handbook has it: prose, and every rule as a sentence."""
    source, _, program = desk.view(path)
    found = [
        paragraph
        for chapter in source.chapters
        for paragraph in chapter.paragraphs
        if paragraph.span.file.path == path and paragraph.span.line <= line
    ]
    if not found:
        raise UsageError("no paragraph stands here")
    paragraph = found[-1]
    said = [f"- {flat(say_rule(speaker(desk, program), rule))}" for rule in paragraph.rules]
    return "\n".join([f"## {paragraph.id} {paragraph.title}", "", prose(paragraph), "", *said])


def kept_position(desk: Desk) -> str:
    """Where the game that was played last stands, as an example."""
    from interpreter.keeping.replay import Replay
    from interpreter.measuring.drafted_examples import example_of
    from rulesdsl.cli.play.kept import kept_games

    name = desk.view()[0].game.id
    for path in kept_games():
        if path.stem.casefold().startswith(name.casefold()):
            return example_of(Replay.open(path).session)
    raise UsageError(f"no game of {name} is kept: play one, and come back where it stands")
