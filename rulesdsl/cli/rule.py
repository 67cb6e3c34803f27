"""`rulesdsl rule`: what a paragraph says."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING

import click

from rulesdsl.base.diagnostics import RulebookError, UsageError, did_you_mean, errors
from rulesdsl.cli.arguments import GAME, game_directory, house_option, json_option, paragraph_argument
from rulesdsl.cli.output import console, print_json

if TYPE_CHECKING:
    from rulesdsl.book.changes import Change
    from rulesdsl.book.loader import GameSource
    from rulesdsl.language import syntax as sx


@click.command()
@click.argument("game", type=GAME)
@paragraph_argument
@click.option("--prose", "only_prose", is_flag=True, help="Only the words, without rules and examples.")
@house_option
@json_option
def rule(
    game: str, paragraph: tuple[str, ...], only_prose: bool, house: tuple[Path, ...], as_json: bool
) -> None:
    """Print one PARAGRAPH of a rulebook: its prose, its rules and its examples; without one, the contents.

    A PARAGRAPH is named by its number (7.2.2, annex 2) or by words of its title.
    """
    source = as_written(game, house)
    paragraphs = {p.id: p for chapter in source.chapters for p in chapter.paragraphs}
    if not paragraph:
        _print_contents(paragraphs, as_json)
        return
    found = find_paragraph(paragraphs, " ".join(paragraph), source.changes)
    if as_json:
        print_json({
            "rule": found.id, "title": found.title, "prose": prose_of(found),
            "rules": [f.text for f in found.fences if f.kind == "rules"],
            "examples": [f.text for f in found.fences if f.kind == "example"],
            "changed_by": changed_by(source.changes, found.id),
            "file": found.span.file.shown, "line": found.span.line,
        })  # fmt: skip
        return
    screen = console()
    screen.print(heading(found, source.changes), style="bold")
    screen.print()
    text = prose_of(found).strip() if only_prose else paragraph_text(found)
    # in a file or a pipe lines stay as they were written
    screen.print("\n".join(set_anew(text, screen.width)) if screen.is_terminal else text, soft_wrap=True)


def _print_contents(paragraphs: dict[str, sx.Paragraph], as_json: bool) -> None:
    if as_json:
        print_json({"paragraphs": [{"rule": p.id, "title": p.title} for p in paragraphs.values()]})
        return
    for found in paragraphs.values():
        depth = found.id.count(".")
        console().print(f"{'  ' * depth}{found.id} {found.title}".rstrip(), soft_wrap=True, highlight=False)


def as_written(game: str, house: tuple[Path, ...] = ()) -> GameSource:
    """A game to read; one with mistakes can be read, too, but not house rules that could not be applied."""
    from rulesdsl.pipeline.stages import read_amended

    stages = read_amended(game_directory(game), house)
    if stages.source is None or (house and errors(stages.problems)):
        raise RulebookError(stages.problems)
    return stages.source


def changed_by(changes: Iterable[Change], paragraph: str) -> list[str]:
    """The titles of the house rules that changed a paragraph or brought it."""
    found = (change for change in changes if (change.kind, change.subject) == ("paragraph", paragraph))
    return list(dict.fromkeys(change.title for change in found))


def heading(paragraph: sx.Paragraph, changes: Iterable[Change]) -> str:
    """Its number and title, and which house rules had a hand in it."""
    titles = changed_by(changes, paragraph.id)
    by = f"  (house rules: {', '.join(titles)})" if titles else ""
    return f"{paragraph.id} {paragraph.title}".strip() + by


def find_paragraph(
    paragraphs: dict[str, sx.Paragraph], wanted: str, changes: Iterable[Change] = ()
) -> sx.Paragraph:
    """The paragraph with this number, whatever the spelling (`Annex 2`, `annex 2`, `8.3.2.`), or with these
    words in its title. Of one that house rules took away (`changes`) it is said who did."""
    plain = wanted.strip().rstrip(".").casefold()
    for identity, paragraph in paragraphs.items():
        if identity.casefold() == plain:
            return paragraph
    for change in changes:
        if (change.kind, change.verb) == ("paragraph", "repeals") and change.subject.casefold() == plain:
            raise UsageError(f'{change.subject} "{change.before}" is repealed by "{change.title}"')
    words = plain.split()
    titled = [
        p for p in paragraphs.values() if words and all(word in p.title.casefold() for word in words)
    ]  # fmt: skip
    if len(titled) == 1:
        return titled[0]
    below = [identity for identity in paragraphs if identity.startswith(f"{plain}.")]
    hint = did_you_mean(wanted, paragraphs)
    if titled:
        named = ", ".join(f"{p.id} {p.title}" for p in titled[:6])
        hint = f"there are {named}{' …' if len(titled) > 6 else ''}"
    if below:
        hint = f"there are {', '.join(below[:6])}{' …' if len(below) > 6 else ''}"
    raise UsageError(f"there is no paragraph {wanted}" + (f"; {hint}" if hint else ""))


def prose_of(paragraph: sx.Paragraph) -> str:
    """The words of a paragraph without its blocks, and the notes that its readings make."""
    from rulesdsl.speaking.readings import notes

    lines = [line for line in paragraph.prose.split("\n") if not line.startswith("\x00")]
    return "\n\n".join(("\n".join(lines).strip("\n"), *notes(paragraph)))


def paragraph_text(paragraph: sx.Paragraph, examples: bool = True) -> str:
    """A paragraph as it stands in its chapter: prose, and the blocks set off by four spaces.

    Without `examples` the sentences that lead to them are left out, too: those between a block and one.
    """
    out: list[str] = []
    after_block = 0  # where the prose after the last block begins
    for line in paragraph.prose.split("\n"):
        if not line.startswith("\x00"):
            out.append(line)
            continue
        fence = paragraph.fences[int(line[1:])]
        if fence.kind == "example" and not examples:
            del out[_caption(out, after_block) :]
        else:
            # set off, even where the chapter has no empty line there: prose is filled, and would take it in
            out += ["", *(f"    {row}".rstrip() for row in fence.text.strip("\n").split("\n")), ""]
        after_block = len(out)
    return re.sub("\n{3,}", "\n\n", "\n".join(out).strip("\n"))


def _caption(lines: list[str], after_block: int) -> int:
    """Where the sentence that leads to an example begins. What stands before the first block is the rule
    itself; remarks in italics and lists say something of their own."""
    start = end = len(lines)
    while end > 0 and not lines[end - 1]:
        end -= 1
    first = end
    while first > after_block and lines[first - 1]:
        first -= 1
    if after_block and first < end and not re.match(r"[-*]|\d+\. ", lines[first]):
        start = first
    return start


def set_anew(text: str, width: int) -> list[str]:
    """A paragraph for this width: prose is filled; lists keep their items, rules their lines."""
    lines: list[str] = []
    for block in text.split("\n\n"):
        if block.startswith("    "):
            lines += [line for row in block.split("\n") for line in _hanging(row, width)]
        else:
            for item in re.split(r"\n(?=[-*] |\d+\. )", block):
                lines += _hanging(" ".join(item.split()), width)
        lines.append("")
    return lines[:-1]


def _hanging(text: str, width: int) -> list[str]:
    indent = len(text) - len(text.lstrip())
    mark = re.match(r"[-*] |\d+\. ", text)
    hang = " " * (indent + (len(mark[0]) if mark else 8 if indent else 0))
    return wrap(text, width, subsequent_indent=hang, drop_whitespace=True, break_long_words=False) or [""]
