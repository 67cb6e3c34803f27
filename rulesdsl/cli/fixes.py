"""`rulesdsl check --fix` and `--explain`: changes that are proposed, made; rules read back as sentences."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import click

from rulesdsl.base.diagnostics import errors
from rulesdsl.base.writing import write_file
from rulesdsl.cli.arguments import house_files
from rulesdsl.cli.output import console, number_of


def fix_files(directory: Path, house: Sequence[Path]) -> None:
    """Make every proposed change after which its message is gone and no other has come."""
    from rulesdsl.editing.fixing import repaired
    from rulesdsl.pipeline.workspace import Workspace

    workspace = Workspace(directory, house=house_files(directory, house))
    texts, done = repaired(workspace)
    for path, text in texts.items():
        real = Path(os.path.realpath(path))
        mode = real.stat().st_mode
        write_file(real, text)
        real.chmod(mode)
    for problem, fix in done:
        click.echo(f"{problem.span.file.shown}:{problem.span.line}: {problem.message}: {fix.title}")
    click.echo(f"{number_of(len(done), 'change')} in {number_of(len(texts), 'file')}", err=True)


def explain_rules(directory: Path, house: Sequence[Path]) -> None:
    """Each rule as the handbook says it: was that what you meant?"""
    from rulesdsl.editing.desk import Desk
    from rulesdsl.editing.hovering import flat, speaker
    from rulesdsl.house.differences.difftext import value_lines
    from rulesdsl.house.differences.rule_diff import diff_rules, statement_pairs
    from rulesdsl.speaking.say.rules import say_rule

    desk = Desk(directory, house_files(directory, house))
    if errors(desk.problems()):
        return  # what is wrong is told by the check itself
    source, _, program = desk.view()
    printed = {p.id: p for c in (source.base.chapters if source.base else ()) for p in c.paragraphs}
    screen = console()
    for chapter in source.chapters:
        for paragraph in chapter.paragraphs:
            old = printed[paragraph.id].rules if paragraph.id in printed else ()
            for before, rule in statement_pairs(old, paragraph.rules):
                said = rule or before
                assert said is not None
                text = flat(say_rule(speaker(desk, program), said))
                lead = "no longer: " if rule is None else ""
                screen.print(f"{paragraph.id} {paragraph.title}: {lead}{text}", soft_wrap=True, markup=False)
    for value in diff_rules(source.base, source).values if source.base else ():
        (line,) = value_lines([value])  # cells, counters, settings: what was set
        lead = f"{value.paragraph}: " if value.paragraph else ""
        screen.print(f"{lead}{line.strip()}", soft_wrap=True, markup=False)
